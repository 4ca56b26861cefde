"""Copies among rows: exact ones by digest, near ones by verified Jaccard, and who stands for whom."""

from __future__ import annotations

import json
from collections.abc import Sequence
from hashlib import blake2b
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from wildtool.mining import deduplicate
from wildtool.mining.deduplicate import (
    BANDS,
    PERMUTATIONS,
    THRESHOLD,
    Fold,
    exact_digest,
    fold,
    jaccard,
    normal,
    shingles,
    sketches,
    with_copies,
)
from wildtool.schemas.conversation import Message


def words(seed: int, count: int = 60) -> list[str]:
    """Words of six letters that no other seed has."""
    rng = np.random.default_rng(seed)
    return ["".join(chr(97 + int(sign)) for sign in rng.integers(0, 26, 6)) for _ in range(count)]


def changed(text: list[str], places: Sequence[int], seed: int = 99) -> list[str]:
    """The text with other words at some places."""
    other = words(seed)
    return [other[place] if place in places else word for place, word in enumerate(text)]


def spool(path: Path, texts: Sequence[str | None], *, exact_only: Sequence[int] = ()) -> Path:
    """A file as workers write it; None takes no part, rows of ``exact_only`` are compared exactly only."""
    entries: list[dict[str, Any]] = []
    for row, text in enumerate(texts):
        entry: dict[str, Any] = {"row": row, "exact": None, "text": None, "sketch": None}
        entry |= {f"band_{band}": None for band in range(BANDS)}
        if text is not None:
            entry["exact"] = exact_digest([Message(role="user", content=text)])
            if row not in exact_only:
                found = sketches([shingles(normal(text))])
                entry |= {"text": normal(text), "sketch": found.values[0].tobytes()}
                entry |= {f"band_{band}": int(found.bands[0, band]) for band in range(BANDS)}
        entries.append(entry)
    schema = {"row": pa.int64(), "exact": pa.binary(16), "text": pa.string(), "sketch": pa.binary()}
    schema |= {f"band_{band}": pa.uint64() for band in range(BANDS)}
    pq.write_table(pa.Table.from_pylist(entries, pa.schema(list(schema.items()))), path)
    return path


def folded(tmp_path: Path, texts: Sequence[str | None], **more: Any) -> dict[int, tuple[int, bool]]:
    """By copy: its representative, and whether it is an exact one."""
    found = fold([spool(tmp_path / "it's a spool.parquet", texts, **more)], len(texts), scratch=tmp_path)
    assert found.row.tolist() == sorted(found.row.tolist())
    return {
        row: (of, exact)
        for row, of, exact in zip(found.row.tolist(), found.of.tolist(), found.exact.tolist(), strict=True)
    }


# Digests


def test_a_digest_is_of_roles_and_texts_up_to_case_and_blanks() -> None:
    def digest(*said: tuple[str, str]) -> bytes:
        return exact_digest([Message(role=role, content=text) for role, text in said])  # type: ignore[arg-type]

    same = digest(("user", "Hello  there"), ("assistant", "Hi"))
    assert same == digest(("user", "hello\nTHERE "), ("assistant", "hi"))
    assert len(same) == 16
    assert digest(("user", "hello there"), ("user", "hi")) != same
    assert digest(("user", "hello there hi")) != same
    assert digest(("user", "hello"), ("assistant", "there hi")) != same
    assert digest(("user", "a"), ("user", "b")) != digest(("user", "b"), ("user", "a"))
    assert digest(("user", "\ud800")) != digest(("user", "x"))  # half a pair, as broken logs hold it
    assert normal(" A\t b\n\nSS ") == normal("a B ß")


# Shingles


def test_shingles_are_distinct_runs_of_five_characters() -> None:
    assert [len(shingles("a" * size)) for size in (0, 4, 5, 6, 30)] == [0, 0, 1, 1, 1]
    assert [len(shingles("abcdefghij"[:size])) for size in (4, 5, 6, 10)] == [0, 1, 2, 6]
    text = "the quick brown fox jumps over the lazy dog" * 3
    hashes = shingles(text)
    assert hashes.dtype == np.uint64 and np.all(hashes[1:] > hashes[:-1])
    assert len(hashes) == len({text[at : at + 5] for at in range(len(text) - 4)})
    assert set(shingles("bcdef").tolist()) < set(shingles("abcdefg").tolist())


def test_shingles_tell_all_their_characters_apart() -> None:
    seen = {int(shingles("aaaaa")[0])}
    for place in range(5):
        for sign in "bz里😀":
            seen.add(int(shingles("a" * place + sign + "a" * (4 - place))[0]))
    assert len(seen) == 21
    assert shingles("abcde").tolist() != shingles("edcba").tolist()


def test_half_a_pair_is_a_character() -> None:
    assert len(shingles("\ud800abcd")) == 1  # as broken logs hold it


def test_a_home_of_an_earlier_version_has_the_same_hashes() -> None:
    """Shards that a killed run left are folded with new ones: digests, shingles and sketches must not change."""
    text = normal("What is the weather like in Lyon tomorrow, and is the market 里昂 open?")
    assert exact_digest([Message(role="user", content=text)]).hex() == "8f4278bb11be925f966f3c9736d8e2f9"
    found = sketches([shingles(text)])
    parts = (shingles(text), found.values, found.bands)
    assert [blake2b(np.ascontiguousarray(part).tobytes(), digest_size=8).hexdigest() for part in parts] == [
        "d750f92320c0300f", "510b043f15b0a77e", "7529306c3bdd9bfe",
    ]  # fmt: skip


def test_what_counts_as_one() -> None:
    """What mining folds rests on these numbers, and so do the seeds of all that was mined before."""
    rows = PERMUTATIONS // BANDS

    def candidate(alike: float) -> float:
        return 1 - (1 - alike**rows) ** BANDS

    assert candidate(0.8) == pytest.approx(0.9977, abs=5e-4) and candidate(0.5) == pytest.approx(0.27, abs=5e-3)
    assert (deduplicate.SHINGLE, THRESHOLD, deduplicate.SKETCH_THRESHOLD) == (5, 0.8, 0.65)
    assert (deduplicate.FEWEST_SHINGLES, deduplicate.MOST_CHARACTERS) == (20, 20_000)
    assert (deduplicate.HEADS, deduplicate.MOST_TRIED) == (4, 16)


def test_long_texts_are_cut(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(deduplicate, "MOST_CHARACTERS", 10)
    assert len(shingles("abcdefghijklmno")) == 6


def test_jaccard() -> None:
    def of(*numbers: int) -> Any:
        return np.array(numbers, dtype=np.uint64)

    assert jaccard(of(1, 2, 3), of(2, 3, 4)) == 0.5
    assert jaccard(of(1, 2, 3), of(1, 2, 3)) == 1.0
    assert jaccard(of(1), of(2)) == 0.0 and jaccard(of(), of()) == 0.0
    assert jaccard(of(1, 2, 3, 4), of(4)) == 0.25


# Sketches


def test_sketches_agree_about_as_often_as_sets_do() -> None:
    base = words(1, 400)
    for places in ((), range(0, 400, 40), range(0, 400, 8), range(400)):
        left, right = (shingles(" ".join(text)) for text in (base, changed_many(base, places)))
        found = sketches([left, right])
        assert found.values.shape == (2, PERMUTATIONS) and found.bands.shape == (2, BANDS)
        assert found.values.dtype == np.uint16 and found.bands.dtype == np.uint64
        agreement = float((found.values[0] == found.values[1]).mean())
        assert abs(agreement - jaccard(left, right)) < 0.15


def changed_many(text: list[str], places: Sequence[int]) -> list[str]:
    other = words(77, len(text))
    return [other[place] if place in places else word for place, word in enumerate(text)]


def test_a_text_s_sketch_does_not_depend_on_its_neighbours() -> None:
    sets = [shingles(" ".join(words(seed))) for seed in range(4)]
    together = sketches(sets)
    for number, one in enumerate(sets):
        alone = sketches([one])
        assert np.array_equal(alone.values[0], together.values[number])
        assert np.array_equal(alone.bands[0], together.bands[number])


def test_a_band_is_equal_only_where_all_its_rows_are() -> None:
    text = words(3)
    found = sketches([shingles(" ".join(one)) for one in (text, changed(text, [5, 25, 45]))])
    rows = PERMUTATIONS // BANDS
    same_rows = [
        bool(
            (found.values[0, band * rows : (band + 1) * rows] == found.values[1, band * rows : (band + 1) * rows]).all()
        )
        for band in range(BANDS)
    ]
    assert (found.bands[0] == found.bands[1]).tolist() == same_rows
    assert any(same_rows) and not all(same_rows)


def test_no_texts_have_no_sketches() -> None:
    found = sketches([])
    assert found.values.shape == (0, PERMUTATIONS) and found.bands.shape == (0, BANDS)


# Folding


def test_exact_copies_stand_behind_the_first_and_near_ones_behind_a_representative(tmp_path: Path) -> None:
    base, other = words(1), words(2)
    texts = [" ".join(base), " ".join(other), " ".join(base).upper(), " ".join(changed(base, [30])), " ".join(base)]
    assert folded(tmp_path, texts) == {2: (0, True), 3: (0, False), 4: (0, True)}


def test_an_exact_copy_of_a_near_copy_stands_behind_the_same_one(tmp_path: Path) -> None:
    base = words(1)
    near = " ".join(changed(base, [30]))
    assert folded(tmp_path, [" ".join(base), near, near]) == {1: (0, False), 2: (0, True)}


def test_no_chain_of_small_steps_folds_what_is_far_apart(tmp_path: Path) -> None:
    base = words(1)
    second, third = changed(base, [2, 7, 12]), changed(base, [2, 7, 12, 20, 25, 30, 35])
    fourth = changed(base, [2, 7, 12, 20, 25, 30, 35, 42, 47, 52])
    texts = [" ".join(text) for text in (base, second, third, fourth)]
    sets = [shingles(text) for text in texts]
    near = [[jaccard(one, other) >= THRESHOLD for other in sets] for one in sets]
    assert near[0][1] and near[1][2] and near[2][3] and not near[0][2] and not near[0][3] and not near[1][3]
    # The third is near the second alone, which stands behind the first: it stays, and the fourth stands behind it.
    assert folded(tmp_path, texts) == {1: (0, False), 3: (2, False)}


def test_of_several_near_ones_the_earliest_represents(tmp_path: Path) -> None:
    base = words(1)
    texts = [" ".join(words(5)), " ".join(changed(base, [30])), " ".join(base), " ".join(changed(base, [31]))]
    assert folded(tmp_path, texts) == {2: (1, False), 3: (1, False)}
    # Both others are near the last but not each other: it stands behind the first of them.
    left, right = changed(base, [10, 11, 12]), changed(base, [40, 41, 42])
    texts = [" ".join(left), " ".join(right), " ".join(base)]
    sets = [shingles(text) for text in texts]
    assert jaccard(sets[0], sets[1]) < THRESHOLD <= min(jaccard(sets[0], sets[2]), jaccard(sets[1], sets[2]))
    assert folded(tmp_path, texts) == {2: (0, False)}


def test_what_is_alike_by_sketch_is_verified(tmp_path: Path) -> None:
    base = words(1)
    below = changed(base, [10, 20, 30, 40, 50])
    one, other = (shingles(" ".join(text)) for text in (base, below))
    assert 0.65 < jaccard(one, other) < THRESHOLD
    assert folded(tmp_path, [" ".join(base), " ".join(below)]) == {}


def test_rows_without_part_and_rows_that_are_compared_exactly_only(tmp_path: Path) -> None:
    base = words(1)
    text, near = " ".join(base), " ".join(changed(base, [30]))
    assert folded(tmp_path, [None, text, None, near, text]) == {3: (1, False), 4: (1, True)}
    assert folded(tmp_path, [text, near, text], exact_only=[1, 2]) == {2: (0, True)}


def test_copies_are_found_across_files(tmp_path: Path) -> None:
    base = words(1)
    table = pq.read_table(
        spool(tmp_path / "a.parquet", [" ".join(base), " ".join(words(2)), " ".join(changed(base, [30]))])
    )
    files = []
    for place in range(3):
        files.append(tmp_path / f"part{place}.parquet")
        pq.write_table(table.slice(place, 1), files[-1])
    found = fold(files, 3, scratch=tmp_path)
    assert (found.row.tolist(), found.of.tolist(), found.exact.tolist()) == ([2], [0], [False])


def test_nothing_to_fold(tmp_path: Path) -> None:
    found = fold([], 0, scratch=tmp_path)
    assert found.row.tolist() == found.of.tolist() == found.exact.tolist() == [] and found.copies() == {}
    assert folded(tmp_path, [None, None]) == {}


def test_more_pairs_than_a_batch(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(deduplicate, "BATCH", 3)
    base = words(1)
    texts = [" ".join(changed(base, [place])) for place in range(12)]
    assert folded(tmp_path, texts) == dict.fromkeys(range(1, 12), (0, False))


def test_a_template_is_compared_with_the_first_few_of_a_band_only(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    compared: list[int] = []
    real = deduplicate._sketch_agreement

    def counted(one: list[bytes], other: list[bytes]) -> Any:
        compared.append(len(one))
        return real(one, other)

    monkeypatch.setattr(deduplicate, "_sketch_agreement", counted)
    base = words(1)
    texts = [" ".join(changed(base, [place % 60], seed=place)) for place in range(80)]
    found = folded(tmp_path, texts)
    assert len(found) == 79 and {of for of, _ in found.values()} == {0}
    assert sum(compared) <= 80 * deduplicate.MOST_TRIED
    assert sum(compared) < 79 * 80 / 2


def test_candidates_that_share_most_bands_are_tried_first(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(deduplicate, "MOST_TRIED", 1)
    base = words(1)
    far, near = changed(base, [10, 20, 30, 40, 50]), changed(base, [57])
    texts = [" ".join(text) for text in (far, near, base)]
    assert jaccard(*(shingles(text) for text in (texts[0], texts[2]))) < THRESHOLD
    assert folded(tmp_path, texts)[2] == (1, False)


# Counts


def test_a_representative_counts_itself_and_its_copies() -> None:
    found = Fold(np.array([2, 3, 5]), np.array([0, 0, 4]), np.array([True, False, True]))
    assert found.copies() == {0: 3, 4: 2}


def test_behaviours_say_for_how_many_they_stand() -> None:
    bodies = [json.dumps({"id": name, "copies": 1}) for name in "abc"]
    table = pa.table({"row": [4, 7, 9], "behaviour": bodies, "other": [1, 2, 3]})
    found = with_copies(table, {7: 3, 9: 2, 100: 5})
    assert [json.loads(text)["copies"] for text in found["behaviour"].to_pylist()] == [1, 3, 2]
    assert [json.loads(text)["id"] for text in found["behaviour"].to_pylist()] == list("abc")
    assert found.column_names == ["row", "behaviour", "other"] and found["row"].to_pylist() == [4, 7, 9]
    assert with_copies(table, {5: 2}) is table
