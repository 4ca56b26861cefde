"""Count how much of a catalogue can be executed, and say why the rest cannot."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from wildtool.schemas.tool import ToolList
from wildtool.schemas.world import OperationKind, ParameterRole, WorldSpec


@dataclass(frozen=True)
class Derived:
    """A tool list with its spec."""

    listed: ToolList
    spec: WorldSpec

    @property
    def executable(self) -> int:
        """How many of its tools can be executed."""
        return sum(tool.name in self.spec.tools and self.spec.tools[tool.name].executable for tool in self.listed.tools)

    @property
    def whole(self) -> bool:
        """Whether all of them can."""
        return self.executable == len(self.listed.tools)


def coverage(derived: Sequence[Derived]) -> dict[str, Any]:
    """Count what can be executed, and why the rest cannot."""
    tools = sum(len(each.listed.tools) for each in derived)
    core = [each for each in derived if each.listed.source == "core"]
    operations = Counter(str(operation.op) for each in derived for operation in each.spec.tools.values())
    reasons = Counter(
        operation.reason or "no reason given"
        for each in derived
        for operation in each.spec.tools.values()
        if operation.op is OperationKind.OPAQUE
    )
    uses = [use for each in derived for operation in each.spec.tools.values() for use in operation.parameters.values()]
    return {
        "lists": len(derived),
        "tools": tools,
        "executable": sum(each.executable for each in derived),
        "share": round(sum(each.executable for each in derived) / max(1, tools), 4),
        "whole": sum(each.whole for each in derived),
        "three": sum(each.executable >= 3 for each in derived),
        "core": len(core),
        "core_whole": sum(each.whole for each in core),
        "operations": dict(operations.most_common()),
        "opaque": dict(reasons.most_common(20)),
        "roles": dict(Counter(str(use.role) for use in uses).most_common()),
    }


def unsupported(spec: WorldSpec) -> dict[str, str]:
    """Return why each opaque tool, and each unsupported parameter of the others, cannot be executed."""
    found = {}
    for name, operation in spec.tools.items():
        if not operation.executable:
            found[name] = operation.reason or "no reason given"
            continue
        for parameter, use in operation.parameters.items():
            if use.role is ParameterRole.UNSUPPORTED:
                found[f"{name}.{parameter}"] = use.reason or "no reason given"
    return found


def certainty(spec: WorldSpec) -> float:
    """Return the certainty of a spec's least certain decision about what it executes; 1 where it executes nothing."""
    held = [operation.certainty for operation in spec.tools.values() if operation.executable]
    held += [
        use.certainty
        for operation in spec.tools.values()
        for use in operation.parameters.values()
        if operation.executable and use.role is not ParameterRole.UNSUPPORTED
    ]
    return min(held, default=1.0)
