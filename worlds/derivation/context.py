"""What the rules for one tool see, and what they decide."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from wildtool.schemas.json_paths import leaf
from wildtool.schemas.tool import ToolList
from wildtool.schemas.world import ParameterRole, ParameterUse, Predicate
from wildtool.worlds.derivation.tables import TableDraft
from wildtool.worlds.derivation.views import View


@dataclass
class Roles:
    """What was decided about a tool's parameters."""

    uses: dict[str, ParameterUse] = field(default_factory=dict)
    key: dict[str, str] = field(default_factory=dict)
    where: list[Predicate] = field(default_factory=list)
    page: dict[str, Any] = field(default_factory=dict)
    sort: dict[str, str] = field(default_factory=dict)
    set: dict[str, str] = field(default_factory=dict)
    """Parameter by written field."""
    window: dict[str, str] = field(default_factory=dict)

    def use(self, name: str, role: ParameterRole, certainty: float, reason: str) -> None:
        """Note a decision."""
        self.uses[name] = ParameterUse(role=role, certainty=certainty, reason=reason)


@dataclass(frozen=True)
class Context:
    """What the rules for one tool see."""

    view: View
    table: TableDraft
    tables: list[TableDraft]
    tools: ToolList

    def linked(self, parameter: str) -> tuple[TableDraft, str] | None:
        """Return table and field that a link says the parameter takes its values from."""
        for link in self.tools.links:
            if link.consumer != self.view.tool.name or link.parameter != parameter:
                continue
            for table in self.tables:
                name = leaf(link.path)
                shown = link.producer in {view.tool.name for view in table.views} and name in table.fields
                # Names and days that a result shows may be said as well; only identifiers name a row.
                if shown and name == table.key:
                    return table, name
        return None

    def bound(self, parameter: str) -> bool:
        """Return whether only a result gives the parameter's values."""
        return any(
            link.required and link.consumer == self.view.tool.name and link.parameter == parameter
            for link in self.tools.links
        )
