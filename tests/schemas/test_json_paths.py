"""Paths into JSON values."""

from __future__ import annotations

import pytest

from wildtool.schemas.json_paths import leaf, leaves, loosen, parent, pin, pinned_index, resolve


def test_paths() -> None:
    value = {"a": [{"b": 1}, {"b": 2, "c": [5]}]}
    assert resolve(value, "a[1].b") == 2
    assert resolve(value, "a[-1].c[0]") == 5
    assert resolve(value, "a[*].b") == 1
    for path in ("a[7].b", "a.b", "x", "a[0].c"):
        with pytest.raises(LookupError):
            resolve(value, path)
    assert list(leaves(value)) == [("a[0].b", 1), ("a[1].b", 2), ("a[1].c[0]", 5)]
    assert pin("a[*].c[*].d", 2) == "a[0].c[2].d"
    assert loosen("a[0].c[-1].d") == "a[*].c[*].d"
    assert (leaf("a[0].id"), parent("a[0].id"), pinned_index("a[0].c[-1].d"), pinned_index("a.b")) == (
        "id",
        "a[0]",
        -1,
        None,
    )
