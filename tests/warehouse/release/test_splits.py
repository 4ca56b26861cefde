"""Splits: both in each language, in the shares asked for, and decided once."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from wildtool.schemas.errors import InputError
from wildtool.schemas.session import Session
from wildtool.schemas.vocabulary import Language
from wildtool.warehouse.release.freezing import split_sessions


def test_splits_stay_when_sessions_are_added(make: Callable[..., Session]) -> None:
    few = [make(number) for number in range(30)]
    many = [make(number) for number in range(120)]
    before = split_sessions(few, seed=1, dev_share=0.2)
    after = split_sessions(many, seed=1, dev_share=0.2)
    assert all(after[id] == split for id, split in before.items())
    assert 10 <= sum(split == "dev" for split in after.values()) <= 40
    kept = split_sessions(many, seed=2, dev_share=0.2, earlier=before)
    assert all(kept[id] == split for id, split in before.items())


def test_small_sets_have_both_splits(make: Callable[..., Session]) -> None:
    for seed in range(20):
        assert set(split_sessions([make(1), make(2)], seed=seed, dev_share=0.2).values()) == {"dev", "test"}
    assert set(split_sessions([make(1), make(2)], seed=0, dev_share=0).values()) == {"test"}


@pytest.mark.parametrize(("dev", "private"), [(1, 0), (1.0, 0.5), (-0.1, 0), (0.2, 1), (0.2, 1.5), (0.2, -0.1), (2, 2)])
def test_shares_out_of_range_are_refused(make: Callable[..., Session], dev: float, private: float) -> None:
    with pytest.raises(InputError, match="shares"):
        split_sessions([make(1), make(2)], seed=0, dev_share=dev, private_share=private)


def test_shares_are_met_about(make: Callable[..., Session]) -> None:
    many = [make(number) for number in range(300)]
    found = split_sessions(many, seed=3, dev_share=0.25, private_share=0.4)
    private = sum(split == "private" for split in found.values())
    dev = sum(split == "dev" for split in found.values())
    assert abs(private / 300 - 0.4) < 0.1 and abs(dev / (300 - private) - 0.25) < 0.1
    assert found != split_sessions(many, seed=4, dev_share=0.25, private_share=0.4)
    # Private or not, a session is drawn apart from dev or test.
    public = split_sessions(many, seed=3, dev_share=0.25)
    moved = {(found[id], split) for id, split in public.items()}
    assert moved == {("private", "dev"), ("private", "test"), ("dev", "dev"), ("test", "test")}
    assert set(split_sessions(many, seed=3, dev_share=0.25, private_share=0).values()) == {"dev", "test"}


def test_each_language_has_both_public_splits(make: Callable[..., Session]) -> None:
    for seed in range(30):
        few = [make(1), make(2), make(1, Language.ZH), make(2, Language.ZH)]
        found = split_sessions(few, seed=seed, dev_share=0.01)
        for pair in (few[:2], few[2:]):
            assert {found[one.id] for one in pair} == {"dev", "test"}
        found = split_sessions(few, seed=seed, dev_share=0.99)
        for pair in (few[:2], few[2:]):
            assert {found[one.id] for one in pair} == {"dev", "test"}
    alone = split_sessions([make(1)], seed=0, dev_share=0.01)
    assert set(alone.values()) == {"test"}


def test_the_forced_one_is_the_nearest(make: Callable[..., Session]) -> None:
    """With a share too small, dev gets the session that the next larger share would give it; test likewise."""
    few = [make(number) for number in range(6)]
    for seed in range(10):
        first = [id for id, split in split_sessions(few, seed=seed, dev_share=1e-9).items() if split == "dev"]
        assert len(first) == 1
        last = [id for id, split in split_sessions(few, seed=seed, dev_share=1 - 1e-9).items() if split == "test"]
        assert len(last) == 1 and first != last
        for share in (0.3, 0.5, 0.7):
            found = split_sessions(few, seed=seed, dev_share=share)
            assert found[first[0]] == "dev" and found[last[0]] == "test"


def test_what_an_earlier_release_decided_stands(make: Callable[..., Session]) -> None:
    few = [make(number) for number in range(4)]
    tests = {session.id: "test" for session in few}
    assert split_sessions(few, seed=0, dev_share=0.9, private_share=0.9, earlier=tests) == tests
    new = [*few, make(4)]
    found = split_sessions(new, seed=0, dev_share=0.01, earlier=tests)
    assert found[new[-1].id] == "dev"  # the only free one, so that there is one in dev
    secret = {few[0].id: "private", few[1].id: "dev"}
    found = split_sessions(few, seed=0, dev_share=0.2, earlier=secret)
    assert found[few[0].id] == "private" and found[few[1].id] == "dev"
    assert "private" not in {found[few[2].id], found[few[3].id]}
    # Where nothing was private, a later share makes none of the old ones so, and nobody is forced.
    found = split_sessions(few, seed=0, dev_share=0.2, private_share=1e-9, earlier={few[0].id: "dev"})
    assert "private" not in found.values()


def test_who_asks_for_a_private_part_gets_the_nearest_one_and_never_everything(make: Callable[..., Session]) -> None:
    few = [make(number) for number in range(5)]
    for seed in range(10):
        found = split_sessions(few, seed=seed, dev_share=0.2, private_share=1e-9)
        (secret,) = [id for id, split in found.items() if split == "private"]
        more = split_sessions(few, seed=seed, dev_share=0.2, private_share=0.5)
        assert "private" not in more.values() or more[secret] == "private"
    assert split_sessions(few[:1], seed=0, dev_share=0.2, private_share=1e-9) == {few[0].id: "test"}
    with pytest.raises(InputError, match="every session would be private"):
        split_sessions(few, seed=0, dev_share=0.2, private_share=1 - 1e-12)
    assert split_sessions([], seed=0, dev_share=0.2, private_share=0.5) == {}
