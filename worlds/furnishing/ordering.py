"""Order tables by what refers to what; tables that refer to one another in a circle are made together."""

from __future__ import annotations

from collections.abc import Mapping

from wildtool.schemas.world import WorldSpec


def circles(spec: WorldSpec) -> Mapping[str, tuple[str, ...]]:
    """Return the tables that are made together with each, itself among them, in the spec's order (Tarjan's algorithm)."""
    refers = {
        name: [
            other
            for field in table.fields.values()
            if field.ref is not None and (other := field.ref.partition(".")[0]) != name
        ]
        for name, table in spec.tables.items()
    }
    number: dict[str, int] = {}
    lowest: dict[str, int] = {}
    path: list[str] = []
    found: dict[str, tuple[str, ...]] = {}
    place = {name: at for at, name in enumerate(spec.tables)}

    def visit(name: str) -> None:
        number[name] = lowest[name] = len(number)
        path.append(name)
        for other in refers[name]:
            if other not in number:
                visit(other)
                lowest[name] = min(lowest[name], lowest[other])
            elif other not in found:
                lowest[name] = min(lowest[name], number[other])
        if lowest[name] == number[name]:
            at = path.index(name)
            group = tuple(sorted(path[at:], key=place.__getitem__))
            del path[at:]
            found.update(dict.fromkeys(group, group))

    for name in spec.tables:
        if name not in number:
            visit(name)
    return found
