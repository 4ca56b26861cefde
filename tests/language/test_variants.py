"""Other forms of characters."""

from __future__ import annotations

import pytest

from wildtool.language.lexicon import languages, words
from wildtool.language.quantities import read_quantities
from wildtool.language.variants import plain_forms


@pytest.mark.parametrize("language", languages())
def test_each_form_has_one_plain_form(language: str) -> None:
    try:
        pairs = " ".join(words(language, "variants")["pairs"]).split()
    except LookupError:
        pytest.skip("the language has one form of each character")
    seen: dict[str, str] = {}
    for pair in pairs:
        for other in pair[1:]:
            assert seen.setdefault(other, pair[0]) == pair[0]
    assert not set(seen) & set(seen.values())


def test_offsets_stay() -> None:
    text = "請幫我訂兩個鐘頭嘅場"
    assert len(plain_forms(text)) == len(text)
    (span,) = read_quantities(text, "zh")
    assert text[span.start : span.end] == "兩個鐘頭"
    assert (span.best.value.value, span.best.value.unit) == (2, "hour")
