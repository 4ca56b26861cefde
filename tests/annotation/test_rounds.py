from __future__ import annotations

import math

import pytest

from wildtool.annotation import double_slice, sample_size, spot_check_result, spot_check_sample
from wildtool.annotation.rounds import upper_limit
from wildtool.schemas.errors import InputError


@pytest.mark.parametrize(("population", "size"), [(10, 10), (256, 62), (1000, 69), (5000, 72)])
def test_sample_sizes(population: int, size: int) -> None:
    assert sample_size(population) == size
    assert upper_limit(population, size, 0, confidence=0.975) <= 0.05
    assert upper_limit(population, size - 1, 0, confidence=0.975) > 0.05


def test_large_populations_approach_the_binomial() -> None:
    # the first look spends half of the 5 %: 0.95^n <= 0.025 first holds at n = 72
    assert sample_size(100_000) == math.ceil(math.log(0.025) / math.log(0.95)) == 72


@pytest.mark.parametrize(("population", "confidence"), [(200, 0.95), (1000, 0.9)])
def test_looking_again_until_it_passes_does_not_pass_bad_work_too_often(population: int, confidence: float) -> None:
    """The chance that work one session worse than accepted ever passes, exactly, over all looks that may pass it."""
    bad = math.floor(0.05 * population) + 1
    sizes = [sample_size(population, confidence=confidence, wrong=wrong) for wrong in range(bad)]
    at_look = {0: 1.0}  # chance of so many errors so far, not passed yet
    looked, passed = 0, 0.0
    for wrong, size in enumerate(sizes):
        after: dict[int, float] = {}
        for found, chance in at_look.items():
            left, bad_left, more = population - looked, bad - found, size - looked
            for new in range(min(bad_left, more) + 1):
                ways = math.comb(bad_left, new) * math.comb(left - bad_left, more - new) / math.comb(left, more)
                after[found + new] = after.get(found + new, 0.0) + chance * ways
        passed += sum(chance for found, chance in after.items() if found <= wrong and size < population)
        at_look = {found: chance for found, chance in after.items() if found > wrong}
        looked = size
        if looked == population:
            break
    assert 0.3 * (1 - confidence) < passed <= 1 - confidence


def test_an_error_asks_for_more_and_a_whole_look_knows_all() -> None:
    result = spot_check_result(1000, [True] * 68 + [False])
    assert not result.passed
    assert result.still_needed == sample_size(1000, wrong=1) - 69 > 0
    assert upper_limit(20, 20, 1) == 0.05
    assert spot_check_result(1000, [True] * 69).passed
    assert not spot_check_result(1000, [True] * 68).passed
    refuted = spot_check_result(20, [True] * 18 + [False] * 2)
    assert (refuted.passed, refuted.still_needed, refuted.upper) == (False, 0, 0.1)
    with pytest.raises(InputError):
        spot_check_result(3, [True] * 4)


def test_the_slice_is_a_share_and_stable() -> None:
    drafts = [f"drf_{number}" for number in range(100)]
    chosen = double_slice(drafts, share=0.2, seed=3)
    assert len(chosen) == 20
    assert double_slice(list(reversed(drafts)), share=0.2, seed=3) == chosen
    assert double_slice(drafts, share=0.2, seed=4) != chosen
    assert len(double_slice(drafts[:3], share=0.2)) == 1
    assert double_slice(drafts, share=0.0) == ()
    more = double_slice([*drafts, *(f"drf_x{number}" for number in range(50))], share=0.2, seed=3, already=chosen)
    assert len(more) == 30
    assert set(chosen) < set(more)
    with pytest.raises(InputError):
        double_slice(drafts, share=1.5)


def test_a_larger_sample_holds_the_smaller_one() -> None:
    drafts = [f"drf_{number}" for number in range(100)]
    small, large = spot_check_sample(drafts, 5, seed=1), spot_check_sample(drafts[::-1], 9, seed=1)
    assert large[:5] == small
    assert spot_check_sample(drafts, 5, seed=2) != small
