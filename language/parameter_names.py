"""Names of parameters and tools in plain words."""

from __future__ import annotations

import re
from functools import lru_cache

_ID = re.compile(r"(?:^|[a-z_])(?:I[Dd]|_id|uuid|UUID|Uuid|[Gg]uid|_gid|Gid)s?$|^id$|^uuid$")


@lru_cache(maxsize=65_536)
def looks_like_id(name: str) -> bool:
    """True for names by which APIs call identifiers."""
    return bool(_ID.search(name))


def humanise(name: str) -> str:
    """``windSpeedKmh`` or ``wind_speed_kmh`` as ``wind speed kmh``; words in capitals stay."""
    spaced = re.sub(r"(?<=[a-z0-9])(?=[A-Z])|[_\-./]+", " ", name)
    return " ".join(word if word.isupper() and len(word) > 1 else word.lower() for word in spaced.split())
