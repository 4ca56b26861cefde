"""Word one request of the simulated user as a verb phrase, with values said, pointed at, left out or kept vague."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from random import Random
from typing import Literal

from wildtool.agents.drafting.utterances import Spoken, Wish
from wildtool.agents.simulator.wording import say
from wildtool.language.parameter_names import humanise, looks_like_id
from wildtool.language.tool_phrasings import PLACE
from wildtool.schemas.json_paths import leaf
from wildtool.schemas.vocabulary import Language

_CLASSIFIERS = "|".join(
    "位首部个家条张本只场班趟座间份款项支种次辆所篇台件类队幅道集站段门批笔单处片颗封名套期节档架列国市区地届组天起则枚股"
)
_THAT_ZH = re.compile(rf"[那这该](?:一)?(?P<c>{_CLASSIFIERS})")
_PRONOUN_ZH = re.compile(r"那里|那儿|那边|这里|它们|他们|她们|它|他|她")
_THAT_EN = re.compile(r"\b(?:that|this|those|these)\s+(?P<n>[a-z]+)\b")
_PRONOUN_EN = re.compile(r"\b(?:there|it|they|them|he|she)\b")
_PREPOSITION = (
    r"(?:in|for|at|near|around|of|about|on|from|to|by|with|into|called|named|like|over|within|matching|behind|"
    r"that match|to do with|that go by the name|based on)"
)
_DANGLING = re.compile(
    r"\b(?:bit|what|how|who|whether|where|if|when|is|are|much|many|kind|something|anything|like|by|of|to|the|a|an|and|"
    r"look|does|do|which|called|get|find|check|live|lives|deal|deals|go|goes|have|has|that|match|matches|cover|covers|than|"
    r"between|among|for|say|says|mean|means|running|was|were|at|in|on|with|from|named|titled|tagged|featuring|showing|"
    r"involving|measure|measures|works?|starts?|ends?|happened|there|stand|stands|comes?|belongs?)$"
)
_DANGLING_ZH = re.compile(r"(?:一下|关于|跟|叫|有|在|到|把|给|对|是|介绍|用|为|和|与|按)$|^.{0,2}$|跟有关|于的|“”")
_PEOPLE = re.compile(
    r"artist|author|person|player|team|user|doctor|member|singer|actor|band|company|club", re.IGNORECASE
)


@dataclass(frozen=True)
class Mention:
    """The user's treatment of one argument."""

    how: Literal["say", "omit", "same", "vague", "point", "said_thing", "hint"]
    """Say ``text``; leave out; leave out with a cue; keep vague; point at a shown thing; at a said one; hint at the end."""
    text: str = ""
    spoken: Spoken | None = None
    """For ``point`` and ``vague``: the argument, with its place in the result."""
    far: bool = False
    """It lies far back, so the user says where."""

    @property
    def path(self) -> str:
        """Where a result shows it; empty for what none shows."""
        return (self.spoken.path if self.spoken is not None else None) or ""

    @property
    def counted(self) -> bool:
        """Whether it is an item of a list, which people count to."""
        return self.spoken is not None and self.spoken.index is not None


def clause(wish: Wish, mentions: Mapping[str, Mention], language: Language, rng: Random) -> str:
    """Word a request as a verb phrase without final stop."""
    options = list(wish.phrasings)
    rng.shuffle(options)
    best = max(options, key=lambda each: _score(each, mentions, language))
    chosen, tails = best, list[str]()
    if language is Language.EN:
        best = _by_place(best, mentions, rng)
    text = best
    for name in re.findall(r"\{(\w+)\}", best):
        text = _place(text, name, mentions.get(name, Mention("vague")), wish, language, rng)
    fragments = {each.parameter: each.fragments for each in wish.arguments}
    pointing = 0
    for name, mention in mentions.items():
        if "{" + name + "}" in chosen:
            continue
        match mention.how:
            case "say":
                piece = rng.choice(fragments[name]).replace("{" + name + "}", mention.text)
                tails.append(piece)
            case "point":
                text = _point(text, name, mention, wish, language, rng, pointing)
                pointing += 1
            case "said_thing" | "hint":
                key = "first_hint" if mention.far else "same_hint"
                tails.append(say(language, key, rng, n=wish.nouns[name]))
            case "same":
                tails.append(say(language, "as_first" if mention.far else "as_before", rng))
            case "vague":
                text = _vague_point(text, language, rng)
            case "omit":
                pass
    glue = "，" if language is Language.ZH else rng.choice((" ", ", "))
    for piece in tails:
        text += (glue if not text.endswith(piece) else "") + piece
    return re.sub(r"\s+", " ", text).strip(" ,，")


def _by_place(phrase: str, mentions: Mapping[str, Mention], rng: Random) -> str:
    """``get a campaign for {id}`` as ``get the second campaign``: nobody says the identifier of what they point at."""
    for name, mention in mentions.items():
        if mention.how not in ("point", "vague") or not looks_like_id(name):
            continue
        hit = re.search(r"\b(?:a|an|the|this)\s+(?P<n>(?:[\w-]+\s+){0,2}?[\w-]+)\s+for \{" + name + r"\}", phrase)
        if hit is None:
            continue
        far = f" {say(Language.EN, 'from_first_list', rng)}" if mention.far else ""
        if mention.how == "vague":
            thing = f"one of the {hit['n']}s" if not hit["n"].endswith("s") else f"one of the {hit['n']}"
        elif mention.text:
            thing = say(Language.EN, "called", rng, n=hit["n"], v=mention.text) + far
        elif not mention.counted:
            thing = f"that {hit['n']}"
        else:
            thing = pointed(mention.spoken, hit["n"], Language.EN, rng) + far
        phrase = phrase[: hit.start()] + thing + phrase[hit.end() :]
    return phrase


def pointed(spoken: Spoken | None, word: str, language: Language, rng: Random, *, same_thing: bool = True) -> str:
    """Refer to an item of a shown list: ``the second song``; for zh ``word`` is what stands after the number."""
    if spoken is None or spoken.index is None or spoken.ordinal is None:
        return say(language, "it", rng)
    if language is Language.ZH:
        return f"{'' if spoken.index < 0 else '第'}{spoken.ordinal}{word or '个'}"
    return say(language, "nth" if same_thing else "nth_of", rng, o=spoken.ordinal, n=word or "one")


def _score(phrase: str, mentions: Mapping[str, Mention], language: Language) -> int:
    places = set(re.findall(r"\{(\w+)\}", phrase))
    score = -10 * len(places - set(mentions))
    for name, mention in mentions.items():
        if mention.how in ("omit", "vague") and name in places:
            score += 1 if strip(phrase, name, language) is not None else -1
        if mention.how == "point" and name not in places:
            that = _THAT_ZH if language is Language.ZH else _THAT_EN
            score += 2 if that.search(phrase) else 0
    return score


def strip(phrase: str, name: str, language: Language) -> str | None:
    """Remove the place of a parameter from a phrase; None where the rest would not read well."""
    hole = r"[\"“《]?\{" + name + r"\}[\"”》]?"
    if language is Language.ZH:
        for pattern in (
            r"(?:名叫|叫做|叫|写|带|讲|做|演|关于|听起来很|很)?(?<![有是])" + hole + "的",
            hole + r"[年月日号](?=[\u3400-\u9fff])",
            r"(?:在|从|到|去|给)" + hole,
            hole + r"(?=现在|这会儿|接下来|今天|附近|可以|能|\{)",
        ):
            cut, hits = re.subn(pattern, "", phrase, count=1)
            if hits and not _DANGLING_ZH.search(cut):
                return cut
        return None
    end = r"(?=$|[,.?!]|\s(?:and|for|in|on|at|with|from|to|by|right|now|today|please|moving)\b)"
    cut, hits = re.subn(rf"(?<!\s)\s+{_PREPOSITION}\s+(?:the |a |an )?{hole}{end}", "", phrase, count=1)
    if hits and not _DANGLING.search(cut.split("{")[0].strip()):
        return cut
    cut, hits = re.subn(rf"\b(a|the|some|any|good|me)\s+{hole}\s+(?=[a-z])", r"\1 ", phrase, count=1)
    return cut if hits else None


def _place(text: str, name: str, mention: Mention, wish: Wish, language: Language, rng: Random) -> str:
    """Fill, remove or replace the place of one parameter."""
    hole = "{" + name + "}"
    word = wish.nouns[name]
    if language is Language.EN and mention.how != "say" and (moved := _attribute(text, hole)) is not None:
        # "A typical {role} salary" has no place for "the second one": it becomes a salary for the second one.
        if mention.how == "vague":
            return moved.replace(f" for {hole}", "")
        text = moved
    match mention.how:
        case "say":
            return text.replace(hole, mention.text)
        case "omit" | "same":
            return strip(text, name, language) or _unquote(text, hole, say(language, "same", rng, n=word))
        case "vague":
            bare = strip(text, name, language) if rng.random() < 0.7 else None
            words = f"某个{word}" if "的" + hole in text else say(language, "vague", rng, n=word)
            if language is Language.ZH and word.endswith("日期"):
                words = "某天"
            return bare or _unquote(text, hole, words)
        case "point":
            if not mention.counted:
                return _unquote(text, hole, say(language, "that", rng, n=word))
            thing = pointed(mention.spoken, "" if language is Language.ZH else "one", language, rng)
            if language is Language.ZH:
                ordinal = say(language, "nth_of", rng, o=thing.removeprefix("第").removesuffix("个"))
                ordinal = ordinal.replace("第最后", "最后")
                where = say(language, "from_first_list", rng) if mention.far else ""
                return _unquote(text, hole, f"{where}{ordinal}{word}")
            where = f" {say(language, 'from_first_list', rng)}" if mention.far else ""
            if looks_like_id(name) or humanise(leaf(mention.path)) in ("id", "name", "title"):
                item = pointed(mention.spoken, word if word != humanise(name) else "one", language, rng)
                return _unquote(text, hole, item + where)
            return _unquote(text, hole, f"the {word} of {thing}{where}")
        case "said_thing":
            return _said_thing(text, name, hole, word, mention, wish, language, rng)
        case "hint":
            return _unquote(text, hole, say(language, "that", rng, n=word))


_NO_HEAD = (
    "and|or|for|in|on|at|with|from|to|by|of|as|is|are|was|has|have|had|does|do|did|right|now|today|please|these|this|that|"
    "will|would|can|could|should|pays?|works?|needs?|takes?|looks?|means?|costs?|wins?|plays?|says?|against|into|over|"
    "than|if|when|while|before|after|near|around|via|per|versus|again|instead|right|currently|moving|until|since|under|about|"
    "no|not|just|only|up|rated|costing|called|saying|since|like|among|between|within|without|during|towards?|differs?|compares?|relates?|stands?|gets?|goes?|runs?|comes?"
)
"""Words after a place that are not the noun which it describes."""


def _attribute(text: str, hole: str) -> str | None:
    """``find {genre} songs`` as ``find songs for {genre}``; None where the place stands for a thing of its own."""
    pattern = rf"(?P<d>\b(?:a|an|the|some|any|good|typical|recent)\s+|\s|^){re.escape(hole)} (?P<n>(?!(?:{_NO_HEAD})\b)[a-z]+)\b"
    hit = re.search(pattern, text)
    if hit is None or re.search(
        rf"\b(?:in|at|of|from|by|to|on|how|what|why|whether) (?:a |the )?{re.escape(hole)}", text
    ):
        return None
    return f"{text[: hit.start()]}{hit['d']}{hit['n']} for {hole}{text[hit.end() :]}"


def _said_thing(
    text: str, name: str, hole: str, word: str, mention: Mention, wish: Wish, language: Language, rng: Random
) -> str:
    if mention.far:
        return _unquote(text, hole, say(language, "first_said", rng, n=word))
    if mention.text == "pronoun" and name in wish.texts:
        if PLACE.search(name):
            if language is Language.ZH:
                return text.replace(hole, say(language, "there", rng))
            cut, hits = re.subn(rf"\b(?:in|at|near|around|to|for)\s+\{hole[:-1]}\}}", "there", text, count=1)
            if hits:
                return cut
        else:
            if "的" + hole in text:
                return _unquote(text, hole, say(language, "that", rng, n=word))
            key = "them" if _PEOPLE.search(name) and language is Language.EN else "it"
            return _unquote(text, hole, say(language, key, rng))
    return _unquote(text, hole, say(language, "that", rng, n=word))


def _point(text: str, name: str, mention: Mention, wish: Wish, language: Language, rng: Random, nth_point: int) -> str:
    """Turn "that song" into "the second song", or say at the end which one is meant."""
    if not mention.counted and not mention.text:
        return text
    where = say(language, "from_first_list", rng) if mention.far else ""
    stem = humanise(name).split(" ")[0]
    same_thing = humanise(leaf(mention.path)).split(" ")[0] in ("id", "code", "name", "title") or _item(
        mention.path
    ).startswith(stem[:4])
    if language is Language.ZH:
        hits = list(_THAT_ZH.finditer(text))
        hit = hits[min(nth_point, len(hits) - 1)] if hits else None
        if mention.text:
            named = say(language, "called", rng, v=mention.text)
            if hit:
                return text[: hit.start()] + where + named + text[hit.start() :]
            return f"{text}，{say(language, 'nth_hint', rng, x=where + named + '那个')}"
        if hit and same_thing:
            return text[: hit.start()] + where + pointed(mention.spoken, hit["c"], language, rng) + text[hit.end() :]
        thing = where + pointed(mention.spoken, "个", language, rng)
        if hit:
            return text[: hit.start()] + thing + "结果里的" + text[hit.start() :]
        return f"{text}，{say(language, 'nth_hint', rng, x=thing)}"
    where = f" {where}" if where else ""
    english = list(_THAT_EN.finditer(text))
    fitting = [hit for hit in english if hit["n"][:4] == stem[:4]]
    hit = next(iter(fitting or english[min(nth_point, len(english) - 1) :]), None)
    if hit:
        word = hit["n"]
        if mention.text:
            thing = say(language, "called", rng, n=word, v=mention.text)
        else:
            thing = pointed(mention.spoken, word, language, rng, same_thing=same_thing)
        return text[: hit.start()] + thing + where + text[hit.end() :]
    thing = (
        say(language, "called", rng, n="one", v=mention.text)
        if mention.text
        else pointed(mention.spoken, "one", language, rng)
    )
    return f"{text}, {say(language, 'nth_hint', rng, x=thing + where)}"


def _vague_point(text: str, language: Language, rng: Random) -> str:
    """Turn "that song" into "one of those songs": what they are is known, which one is not."""
    some = say(language, "one_of", rng)
    pattern = _THAT_ZH if language is Language.ZH else _THAT_EN
    hit = pattern.search(text)
    if hit is None:
        hit = (_PRONOUN_ZH if language is Language.ZH else _PRONOUN_EN).search(text)
        return (
            text[: hit.start()] + some + text[hit.end() :]
            if hit
            else f"{text}，{some}"
            if language is Language.ZH
            else f"{text}, {some}"
        )
    if language is Language.ZH:
        return text[: hit.start()] + "其中一" + hit["c"] + text[hit.end() :]
    rest = text[hit.end() :]
    # "That security hole" is one thing in two words.
    second = re.match(rf" (?!(?:{_NO_HEAD})\b)([a-z]+)\b", rest)
    if second is not None:
        return f"{text[: hit.start()]}one of those {hit['n']} {second[1]}s{rest[second.end() :]}"
    if rest.startswith("'s"):
        return f"{text[: hit.start()]}one {hit['n']}{rest}"
    return text[: hit.start()] + some + rest


def _item(path: str) -> str:
    """Return the name of the items of a path's last list: ``tracks[1].id`` gives ``tracks``."""
    head = path.rpartition("[")[0]
    return humanise(head.rpartition(".")[2]).split(" ")[0] if head else ""


def _unquote(text: str, hole: str, words: str) -> str:
    """Fill a place with words that are no name, so that quotes and articles around it go."""
    if re.match(r"(?:that|the same) ", words):
        text = re.sub(rf"\b(?:called|named|titled) [\"“]?{re.escape(hole)}[\"”]?", f"with {hole}", text)
    elif words in ("it", "them"):  # "for a band called it" is "for it"
        text = re.sub(
            rf"\b(for|of|about|on|with|from|by) (?:[\w-]+ ){{1,4}}(?:called|named|titled) [\"“]?{re.escape(hole)}[\"”]?",
            rf"\1 {hole}",
            text,
        )
    text = re.sub(r"[\"“《]" + re.escape(hole) + r"[\"”》]", hole, text)
    return re.sub(r"\b(?:the|a|an) " + re.escape(hole), hole, text).replace(hole, words)


def join(clauses: Sequence[tuple[str, bool]], language: Language, rng: Random) -> str:
    """Several wishes in one; the flag says that a wish builds on one before."""
    text = clauses[0][0]
    for each, follows in clauses[1:]:
        text = say(language, "after" if follows else "beside", rng, a=text, b=each)
    return text
