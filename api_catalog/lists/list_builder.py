"""The functions of one API → tool lists: the best of those that belong together, with links, filed in the taxonomy."""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from wildtool.api_catalog.functions.description import Description, Operation, Refused
from wildtool.api_catalog.functions.function import Candidate, build, is_said
from wildtool.api_catalog.functions.gates import closed_gate
from wildtool.api_catalog.functions.names import camel, singular, unique, words_of
from wildtool.api_catalog.functions.texts import cut, language_of, sentence
from wildtool.api_catalog.lists.category import categorise
from wildtool.api_catalog.lists.links import infer_links
from wildtool.language.injection import order_in
from wildtool.language.lexicon import languages, readable
from wildtool.schemas.base import JsonObject

LEAST_FUNCTIONS = 2
"""A list of one function gives no choice to a candidate."""

MOST_FUNCTIONS = 17
"""Of one list: the widest session of the original has 17. Sessions are cut from it, 4.9 functions on average."""

SPLIT_ABOVE = 20
"""An API of more good functions than this is split by its tags, so that a list stays about one thing."""

MOST_PARTS = 3
"""Lists made of one API; more would fill the catalogue with a few giants."""

MOST_WIDE = 128
"""Functions of one list of people's own files: chat completions take no more tools. Larger APIs become several lists."""

_ASIDE = re.compile(
    r"\ufffd|©|\b(?:copyright|rights reserved|click here|subscribe|https?:|www\.|documentation|read (?:our|the|more)|"
    r"sign up|api keys?|authenticat\w+|authoriz\w+|before using|changelog|deprecat\w+|swagger|openapi|trademark|"
    r"contact us|terms of (?:use|service)|rate limit\w*|getting started|introduction|overview|note that|please)\b|^NOTE\b",
    re.IGNORECASE,
)
"""Sentences of an API's description that do not say what it is for."""

_TITLE_NOISE = re.compile(
    r"\s{0,3}[-–:|,]?\s{0,3}\b(?:v(?:ersion)?\.?\s?\d{1,9}(?:\.\d{1,9}){0,5}|open ?api(?: spec(?:ification)?)?|swagger|specification|"
    r"documentation|docs|reference|beta|rest(?:ful)?|public)\b|\s{0,3}\((?:v?[\d.]{1,30}|beta|[A-Z0-9]{2,6})\)",
    re.IGNORECASE,
)


@dataclass(slots=True)
class Gathered:
    """What became of one description."""

    lists: list[JsonObject] = field(default_factory=list)
    """Fields of ``ToolList`` and the figure ``score`` beside them."""
    operations: int = 0
    """Operations of the source."""
    functions: int = 0
    """Operations that became functions."""
    dropped: list[tuple[str, str, str]] = field(default_factory=list)
    """(step, reason, what) for every operation that is in no list."""
    left_out: list[tuple[str, str]] = field(default_factory=list)
    """(reason, function.parameter) for every optional argument that a kept function does not show."""


def gather(description: Description, *, source: str, default_licence: str, wide: bool = False) -> Gathered:
    """Tool lists of one API.

    ``wide`` keeps all functions that pass the gates, at most 128 a list: for people's own files. Otherwise the best at
    most 17, or several lists by tag for large APIs.
    """
    gathered = Gathered(operations=len(description.operations))
    candidates = _candidates(description, gathered, strict=not wide)
    gathered.functions = len(candidates)
    parts = _parts(candidates) if not wide else _wide_parts(candidates)
    used: set[int] = set()
    for tag, members in parts:
        chosen, links = (members, infer_links(members)) if wide else _chosen(members, MOST_FUNCTIONS, closed=True)
        if len(chosen) < (1 if wide else LEAST_FUNCTIONS):
            continue
        made = _list(description, tag, chosen, links, source, default_licence)
        if made["category_confidence"] < 0:
            continue
        gathered.lists.append(made)
        used |= {candidate.position for candidate in chosen}
        gathered.left_out += [(reason, f"{each.name}.{name}") for each in chosen for reason, name in each.left_out]
    for candidate in candidates:
        if candidate.position not in used:
            gathered.dropped.append(("gather functions", _why_left(candidate), candidate.name))
    return gathered


def _why_left(candidate: Candidate) -> str:
    properties = candidate.parameters["properties"]
    if any(not is_said(name, properties[name]) for name in candidate.required()):
        return "unsayable_required"
    return "surplus"


def _candidates(description: Description, gathered: Gathered, *, strict: bool) -> list[Candidate]:
    candidates: list[Candidate] = []
    taken: set[str] = set()
    open_to: list[tuple[int, Operation]] = []
    poisoned = order_in(description.title) or order_in(description.description)
    for position, operation in enumerate(description.operations):
        where = f"{operation.method.upper()} {operation.path}".strip() or operation.name
        reason = "injected_text" if poisoned else closed_gate(operation, wide=not strict)
        if reason is not None:
            gathered.dropped.append(("check operations", reason, where))
        else:
            open_to.append((position, operation))
    if strict and len(open_to) > MOST_TRIED:
        ranked = sorted(open_to, key=lambda pair: (_promise(pair[1]), pair[0]))
        for _, operation in ranked[MOST_TRIED:]:
            gathered.dropped.append(("check operations", "surplus", f"{operation.method.upper()} {operation.path}"))
        open_to = sorted(ranked[:MOST_TRIED], key=lambda pair: pair[0])
    for position, operation in open_to:
        where = f"{operation.method.upper()} {operation.path}".strip() or operation.name
        try:
            candidate = build(description, operation, position, wide=not strict)
        except Refused as refused:
            gathered.dropped.append(("check operations", refused.reason, f"{where}: {refused.detail}"))
            continue
        if strict and candidate.score < LEAST_SCORE:
            gathered.dropped.append(("check operations", "reads_badly", where))
            continue
        qualifiers = [
            *candidate.required(),
            *(words_of(part)[0] for part in operation.path.split("/") if words_of(part) and len(words_of(part)[0]) > 2),
        ]
        candidate.name = unique(candidate.name, taken, qualifiers)
        taken.add(candidate.name)
        candidates.append(candidate)
    _drop_common_keys(candidates)
    return candidates


_COMMON_KEYS = frozenset(
    {"key", "token", "secret", "sid", "session", "sessionid", "appid", "userkey", "signature", "sig"}
)
"""Names that may as well be what a call is about, but not where every call of an API wants them."""


def _drop_common_keys(candidates: Sequence[Candidate]) -> None:
    """Takes out an undescribed ``key`` or ``token`` that at least four of five functions want: it is the caller's."""
    holders: dict[str, list[Candidate]] = defaultdict(list)
    for candidate in candidates:
        for name, schema in candidate.parameters["properties"].items():
            place = candidate.binding.get("arguments", {}).get(name, {}).get("in", "path")
            said = words_of(str(schema.get("description", "")))
            if "".join(words_of(name)) in _COMMON_KEYS and place != "path" and len(said) <= 3:
                holders[name].append(candidate)
    for name, those in holders.items():
        if len(those) < 5 or len(those) < 0.8 * len(candidates):
            continue
        for candidate in those:
            parameters = candidate.parameters
            del parameters["properties"][name], candidate.binding["arguments"][name]
            candidate.examples.pop(name, None)
            wanted = [each for each in parameters.get("required", ()) if each != name]
            parameters.pop("required", None)
            if wanted:
                parameters["required"] = wanted


MOST_TRIED = 70
"""Operations of one API that are resolved; the giants have thousands, of which at most thirty are kept."""


def _promise(operation: Operation) -> int:
    """Rank by what can be told without resolving: what is shallow, asked rather than changed, and described."""
    depth = operation.path.count("/") + operation.path.count("{")
    return (
        depth + 2 * (operation.method not in {"get", ""}) + 2 * (len(operation.description) < 20) + operation.width // 4
    )


LEAST_SCORE = 1.2
"""Below this the descriptions are jargon or the arguments keys, by eye on 200 functions of the npm bundle."""


def _parts(candidates: list[Candidate]) -> list[tuple[str, list[Candidate]]]:
    """(tag, functions) of each list to be."""
    if len(candidates) <= SPLIT_ABOVE:
        return [("", candidates)]
    by_tag: dict[str, list[Candidate]] = defaultdict(list)
    for candidate in candidates:
        by_tag[candidate.tag].append(candidate)
    groups = [(tag, members) for tag, members in by_tag.items() if tag and len(members) >= 3]
    if len(groups) < 2:
        return [("", candidates)]
    best = sorted(groups, key=lambda group: -_worth(group[1]))[:MOST_PARTS]
    return sorted(best, key=lambda group: group[1][0].position)


def _wide_parts(candidates: list[Candidate]) -> list[tuple[str, list[Candidate]]]:
    """All functions, in lists of at most 128 that keep the functions of a tag together where that can be."""
    if len(candidates) <= MOST_WIDE:
        return [("", candidates)]
    by_tag: dict[str, list[Candidate]] = defaultdict(list)
    for candidate in candidates:
        by_tag[candidate.tag or candidate.noun].append(candidate)
    parts: list[tuple[list[str], list[Candidate]]] = []
    for tag, members in by_tag.items():
        if parts and len(parts[-1][1]) + len(members) <= MOST_WIDE:
            parts[-1][0].append(tag)
            parts[-1][1].extend(members)
            continue
        for start in range(0, len(members), MOST_WIDE):
            parts.append(([tag], members[start : start + MOST_WIDE]))
    return [(tags[0] if len(tags) == 1 else "", members) for tags, members in parts]


def _worth(members: Sequence[Candidate]) -> float:
    best = sorted((candidate.score for candidate in members), reverse=True)[:6]
    return sum(best)


def _chosen(members: Sequence[Candidate], most: int, *, closed: bool) -> tuple[list[Candidate], list[JsonObject]]:
    """The best functions and the links between them; with ``closed``, each argument is said or produced by one."""
    pool = sorted(members, key=lambda candidate: (-candidate.score, candidate.position))[:60]
    links = infer_links(sorted(pool, key=lambda candidate: candidate.position))
    if closed:
        pool = _closed(pool, links)
    producers: dict[str, list[str]] = defaultdict(list)
    for link in links:
        if link["required"]:
            producers[f"{link['consumer']}.{link['parameter']}"].append(link["producer"])
    by_name = {candidate.name: candidate for candidate in pool}
    linked = Counter(name for link in links if link["producer"] in by_name and link["consumer"] in by_name
                     for name in (link["producer"], link["consumer"]))  # fmt: skip
    chosen: dict[str, Candidate] = {}
    nouns: Counter[str] = Counter()
    bare = 0
    rest = list(pool)
    while rest and len(chosen) < most:
        best = max(
            rest,
            key=lambda c: (c.score + (0.8 if linked[c.name] else 0.0) - 0.35 * nouns[c.noun], -c.position),
        )
        rest.remove(best)
        if closed and not best.parameters["properties"]:
            if bare >= 2:
                continue
            bare += 1
        if closed and any(best.description == other.description for other in chosen.values()):
            continue
        needed = _needed(best, by_name, producers, set(chosen))
        if needed is None or len(chosen) + len(needed) > most:
            continue
        for candidate in needed:
            chosen[candidate.name] = candidate
            nouns[candidate.noun] += 1
            if candidate in rest:
                rest.remove(candidate)
    kept = sorted(chosen.values(), key=lambda candidate: candidate.position)
    return kept, [link for link in links if link["producer"] in chosen and link["consumer"] in chosen]


def _needed(
    candidate: Candidate, by_name: dict[str, Candidate], producers: dict[str, list[str]], there: set[str]
) -> list[Candidate] | None:
    """The function and the producers without which it cannot be called; None where one is missing."""
    needed = [candidate]
    for _ in range(4):
        wanted = []
        names = there | {each.name for each in needed}
        for each in needed:
            for parameter in each.required():
                options = producers.get(f"{each.name}.{parameter}")
                if not options or names & set(options):
                    continue
                found = next((by_name[name] for name in options if name in by_name), None)
                if found is None:
                    return None
                wanted.append(found)
        if not wanted:
            break
        needed += _new(wanted, needed)
    return [each for each in needed if each.name not in there]


def _new(wanted: Sequence[Candidate], there: Sequence[Candidate]) -> list[Candidate]:
    names = {each.name for each in there}
    found = []
    for each in wanted:
        if each.name not in names:
            names.add(each.name)
            found.append(each)
    return found


def _closed(pool: list[Candidate], links: Sequence[JsonObject]) -> list[Candidate]:
    """Without the functions whose arguments nobody in the pool can give, found from what needs nothing upwards."""
    able: set[str] = set()
    by_parameter: dict[tuple[str, str], set[str]] = defaultdict(set)
    for link in links:
        by_parameter[(link["consumer"], link["parameter"])].add(link["producer"])
    changed = True
    while changed:
        changed = False
        for candidate in pool:
            if candidate.name in able:
                continue
            properties = candidate.parameters["properties"]
            if all(
                is_said(name, properties[name]) or by_parameter[(candidate.name, name)] & able
                for name in candidate.required()
            ):
                able.add(candidate.name)
                changed = True
    return [candidate for candidate in pool if candidate.name in able]


def _list(
    description: Description,
    tag: str,
    chosen: Sequence[Candidate],
    links: Sequence[JsonObject],
    source: str,
    default_licence: str,
) -> JsonObject:
    title = _title(description, tag)
    functions = [(candidate.name, candidate.description) for candidate in chosen]
    text = " ".join(part for part in re.split(r"(?<=[.!?])\s+", description.description) if not _ASIDE.search(part))
    if language_of(text) not in languages() or len(text.split()) < 4:
        text = " ".join(sentence(candidate.description.split(". ")[0]) for candidate in chosen[:3])
    text = cut(text, 240)
    slug = description.slug + (f"_{camel(words_of(tag)).lower()}"[:30] if tag else "")
    category, minor, confidence = categorise(
        title, f"{description.description} {text}", functions, description.hints, slug
    )
    language = readable(language_of(" ".join(words for _, words in functions)))
    return {
        "slug": slug[:80],
        "title": title,
        "description": sentence(text),
        "language": language,
        "category": category,
        "subcategory": minor,
        "category_confidence": confidence,
        "source": source,
        "licence": description.licence or default_licence,
        "version": description.version,
        "tools": [_tool(candidate) for candidate in chosen],
        "links": list(links),
        "score": round(sum(candidate.score for candidate in chosen) / len(chosen), 3),
    }


def _title(description: Description, tag: str) -> str:
    title = _TITLE_NOISE.sub("", description.title).strip(" -–:|,.")
    if len(title) < 3:
        title = description.title
    if tag and singular(tag.lower()) not in title.lower():
        title = f"{title}: {' '.join(re.findall(r'[A-Za-z0-9&]+', tag))}"
    return cut(title, 80)


def _tool(candidate: Candidate) -> dict[str, Any]:
    return {
        "name": candidate.name,
        "description": candidate.description,
        "parameters": candidate.parameters,
        "returns": candidate.returns,
        "binding": candidate.binding or None,
        "examples": candidate.examples,
    }
