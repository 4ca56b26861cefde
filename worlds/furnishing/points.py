"""Make the values of series: smooth in time, the same in every window that shares a point, near the entity's own."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime, timedelta
from functools import lru_cache
from math import cos, floor, pi
from random import Random
from typing import Any

from wildtool.schemas.base import sha256_hex
from wildtool.schemas.json_schema import plain_type
from wildtool.schemas.world import FieldRole, WorldSpec
from wildtool.worlds.furnishing.data import City, joined, name_words
from wildtool.worlds.furnishing.facts import Facts, Scene
from wildtool.worlds.furnishing.makers import PLACES
from wildtool.worlds.furnishing.moments import written_like
from wildtool.worlds.furnishing.numerals import bounds, warmth
from wildtool.worlds.furnishing.plan import FieldPlan, TablePlan
from wildtool.worlds.furnishing.rowmaker import prepare
from wildtool.worlds.rows import Row
from wildtool.worlds.series import moved
from wildtool.worlds.values import dig, form, span

SLOW, FAST = 23.0, 3.0
"""Days between two turning points of the slow and of the quick movement."""

_CALM = frozenset("rate price exchange fx close open bid ask nav value index mid average cost fare amount".split())
_CHANGE = frozenset("change delta percent pct".split())
_STILL = frozenset(("population", "elevation", "altitude", "capacity", "width", "height"))
_LOW, _HIGH = frozenset(("low", "min", "minimum", "lowest")), frozenset(("high", "max", "maximum", "highest"))


@lru_cache(maxsize=1 << 16)
def _knot(seed: str, number: int) -> float:
    return int(sha256_hex(f"{seed}\x1f{number}")[:8], 16) / 0xFFFFFFFF * 2 - 1


def wave(seed: str, days: float, period: float) -> float:
    """Return a smooth movement between -1 and 1 in time: drawn at knots, with cosines between them."""
    at = days / period
    first = floor(at)
    share = (1 - cos((at - first) * pi)) / 2
    return _knot(seed, first) * (1 - share) + _knot(seed, first + 1) * share


class Points:
    """Makes points of the series of one world."""

    def __init__(self, spec: WorldSpec, plans: Mapping[str, TablePlan], scene: Scene) -> None:
        """Take the steps of all series from the operations that show them."""
        self.plans = plans
        self.scene = scene
        self.steps = {
            operation.table: operation.window.step
            for operation in spec.tools.values()
            if operation.window is not None and operation.table is not None
        }

    def at(self, table: str, entity: Row, moment: datetime) -> Row:
        """Return the fields of an entity at a point in time."""
        plan = self.plans[table]
        fixed = {*plan.spec.key, *plan.spec.open}
        key = ";".join(f"{name}={form(dig(entity, name))}" for name in sorted(fixed))
        rng = Random(int(sha256_hex("\x1f".join((self.scene.seed, table, key, moment.isoformat())))[:16], 16))
        facts = Facts(self.scene, rng, plan.spec.noun)
        prepare(
            plan, facts, {name: value for name, value in entity.items() if name in fixed or self._placed(plan, name)}
        )
        made: Row = {}
        for each in plan.fields:
            if each.name in fixed or each.role in (FieldRole.ID, FieldRole.LABEL, FieldRole.REF, FieldRole.TOPIC):
                continue
            base = entity.get(each.name)
            if each.kind in PLACES and base is not None:
                continue
            if each.role is FieldRole.TIME:
                if span(base) is not None:
                    made[each.name] = written_like(self._hour(base, moment), base)
            elif isinstance(base, bool) or not isinstance(base, int | float):
                value = each.draw(facts)
                if value is not None:
                    made[each.name] = value
            else:
                made[each.name] = self._figure(table, key, each, float(base), moment, facts)
        plan.agree(made, frozenset(), facts, entity)
        return made

    @staticmethod
    def _placed(plan: TablePlan, name: str) -> bool:
        each = plan.field(name)
        return each is not None and each.kind in PLACES

    @staticmethod
    def _hour(base: Any, moment: datetime) -> datetime:
        """Return the point's moment; where points are days, at the entity's own time of day."""
        at = span(base)
        if at is None or not isinstance(base, str) or len(base) <= 10 or (moment.hour, moment.minute) != (0, 0):
            return moment
        return moment.replace(hour=at[0].hour, minute=at[0].minute)

    def _figure(
        self, table: str, key: str, each: FieldPlan, base: float, moment: datetime, facts: Facts
    ) -> int | float:
        words = set(name_words(each.name))
        if (words & {"open", "opening"} and words & _CALM) or joined(each.name) == "open":
            # A day opens where the one before it closed.
            moment = moved(moment, self.steps.get(table, "day"), -1)
        days = moment.timestamp() / 86_400 if moment.tzinfo else (moment - datetime(1970, 1, 1)) / timedelta(days=1)
        family = self._family(each.name)
        seed = "\x1f".join((self.scene.seed, table, key, family))
        swing = 0.55 * wave(seed, days, SLOW) + 0.3 * wave(f"{seed}+", days, FAST) + 0.15 * wave(f"{seed}.", days, 1.0)
        value = self._moved(each, words, base, swing, moment, facts.place("") if _is_warm(each.name) else None)
        low, high = bounds(each.schema)
        value = max(value, low) if low is not None else value
        value = min(value, high) if high is not None else value
        if base >= 0 and low is None and not words & _CHANGE and not _is_warm(each.name):
            value = max(value, 0.0)
        if plain_type(each.schema) == "integer" or (base.is_integer() and abs(base) > 20):
            return round(value)
        return round(value, max(len(f"{base:.10g}".partition(".")[2]), 2 if abs(base) < 1000 else 0) if base else 2)

    def _moved(
        self, each: FieldPlan, words: set[str], base: float, swing: float, moment: datetime, city: City | None
    ) -> float:
        if city is not None:
            season = warmth(city, moment.timetuple().tm_yday) - warmth(city, self.scene.now.timetuple().tm_yday)
            return base + season + 3.5 * swing
        if words & _CHANGE:
            return abs(base or 1.0) * swing
        if words & _STILL:
            return base
        width = 0.025 if words & _CALM or words & (_LOW | _HIGH) else 0.18
        spread = -0.01 if words & _LOW else 0.01 if words & _HIGH else 0.0
        return base * (1 + width * swing + spread)

    @staticmethod
    @lru_cache(maxsize=1 << 12)
    def _family(name: str) -> str:
        """Return what fields that move together have in common: minimum, mean and maximum of the same figure."""
        dull = _LOW | _HIGH | {"avg", "average", "mean", "median", "open", "close", "last", "opening", "closing"}
        return "_".join(word for word in name_words(name) if word not in dull)


def _is_warm(name: str) -> bool:
    words = set(name_words(name))
    return bool(words & {"temperature", "temp", "celsius", "feels", "dew"}) and not words & {"color", "colour"}
