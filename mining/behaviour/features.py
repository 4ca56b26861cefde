"""Features of a user turn: cues in it and in the replies around it, and its position in the dialogue.

All features are generic: cues by name, topics by being old or new, overlaps, distances and lengths. No feature is a word
of a conversation (the few function words of the lexicons aside).
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from math import log1p
from struct import Struct
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from wildtool.mining.behaviour.lexicon import Lexicon, lexicon
from wildtool.mining.behaviour.reading import NOTHING, Text, greeting_words, measures, reader

HEAD, TAIL = 320, 240
"""Letters at the beginning and the end of a reply that are looked at: a reply answers first and asks last."""

LONG_TURN = 4_000
"""Letters of a user message that are looked at: a need stands at the beginning or the end of a pasted document."""

LONG_RANGE = 2
"""More user turns back than this is long range (WildToolBench)."""

SHORT = 5
"""Words up to which a message is a piece of one: "and on Sunday?"; without spaces, two letters stand for one."""

_SENTENCE = re.compile(r"[.!?。！？;；\n]+")
BLOCKS = ("now", "start", "reply", "reply_end", "after", "after_end", "last")
"""Where a name of the lexicon can stand: in the message, its beginning, the reply before it and that one's end, the reply
after it and that one's end, and the user's message before."""

STRUCTURE = (
    "first_turn", "second_turn", "third_turn", "early", "late", "last_turn", "before_last", "no_reply_before", "no_reply_after",
    "log_turn", "log_size", "size1", "size3", "size6", "size20", "sentences", "commas", "asks", "ends_asking", "reply_asks",
    "reply_ends_asking", "reply_asks_twice", "after_asks", "after_ends_asking", "log_reply", "log_after", "numbers", "two_numbers",
    "capitals", "two_capitals", "reply_numbers", "after_numbers", "reply_capitals", "new_topic", "any_topic", "old_topic",
    "topic_of_reply", "topic_only_of_reply", "topic_of_last", "two_topics", "reply_new_topic", "after_new_topic", "new_tokens",
    "new_share", "of_reply", "of_reply_share", "of_last", "of_earlier", "far_in_reply", "far_in_after", "far_in_both",
    "near_in_reply", "near_in_after", "furthest_in_reply", "furthest_in_after", "far_share_after", "assistant_far_after",
    "asked_run", "long_run", "same_as_last", "same_reply", "greets_only", "attributes",
    "two_attributes", "filled", "filled_done", "agrees_late",
    "elliptic", "elliptic_short", "commands", "commands_anew", "joined_needs", "fresh", "fresh_question", "talks",
)  # fmt: skip
"""Features other than cues; counts are scaled to about 1."""
_ROW = Struct(f"{len(STRUCTURE)}f")
"""Packs truths and numbers in half of the time that an array takes."""


@dataclass(frozen=True, slots=True)
class Turn:
    """One user turn in its place."""

    index: int
    """Among the user turns, from 0."""
    message: int
    """Among the messages."""
    now: Text
    """What the user says, scrubbed."""
    before: Text
    """The assistant's message before it; empty at the start."""
    after: Text
    """The assistant's message after it; empty at the end."""

    def has(self, cue: str, words: Lexicon) -> bool:
        """Is a cue in what the user says?"""
        return bool(self.now.present & words.bits[cue])


def user_turns(texts: Sequence[tuple[str, str]], language: str, most: int) -> list[Turn]:
    """The first ``most`` user turns of a conversation given as (role, text); consecutive user messages stay apart."""
    read = reader(language)
    chat = [(place, role, text) for place, (role, text) in enumerate(texts) if role in ("user", "assistant")]
    turns: list[Turn] = []
    before = after = NOTHING
    for spot, (place, role, text) in enumerate(chat):
        if role != "user":
            before = after if after is not NOTHING else read(_ends(text, HEAD, TAIL))
            continue
        if not text.strip():
            before = after = NOTHING
            continue
        if len(turns) == most:
            break
        replied = spot + 1 < len(chat) and chat[spot + 1][1] == "assistant"
        after = read(_ends(chat[spot + 1][2], HEAD, TAIL)) if replied else NOTHING
        now = read(_ends(text, LONG_TURN // 2, LONG_TURN // 2))
        turns.append(Turn(len(turns), place, now, before, after))
        before = NOTHING
    return turns


def _ends(text: str, head: int, tail: int) -> str:
    return text if len(text) <= head + tail else f"{text[:head]}\n{text[-tail:]}"


@cache
def feature_names(language: str) -> tuple[str, ...]:
    """Names of the features, in the order of the columns. Topics have columns (``BLOCK:topic:NAME``) but no weight."""
    names = lexicon(language).names
    return (*(f"{block}:{name}" for block in BLOCKS for name in names), *STRUCTURE)


class Observed(NamedTuple):
    """What the models look at, one row a turn."""

    cues: NDArray[np.uint8]
    """Shape (turns, blocks * octets + 1): names found, eight in an octet, the lowest bit first; then an octet of 1."""
    structure: NDArray[np.float32]
    """Shape (turns, ``STRUCTURE``)."""


def octets(language: str) -> int:
    """Octets that the names of a language's lexicon take in a block."""
    return (len(lexicon(language).names) + 7) // 8


def observed(turns: Sequence[Turn], language: str) -> Observed:
    """The features of turns as the models read them."""
    words = lexicon(language)
    width = octets(language)
    found: list[bytes] = []
    structure: list[bytes] = []
    said: dict[str, int] = {}
    topics_before = run = last = 0
    asks = words.bits["asks"]
    for turn in turns:
        now, before, after = turn.now, turn.before, turn.after
        for bits in (now.present, now.start, before.present, before.end, after.present, after.end, last):
            found.append(bits.to_bytes(width, "little"))
        found.append(b"\1")
        last = now.present
        run = run + 1 if before.marks and before.end & asks else 0
        structure.append(_ROW.pack(*_structure(turn, turns, words, topics_before, said, run)))
        topics_before |= (now.present | before.present) & words.topics
        said.update(dict.fromkeys(now.tokens, turn.index))
    cues = np.frombuffer(b"".join(found), dtype=np.uint8).reshape(len(turns), len(BLOCKS) * width + 1)
    return Observed(cues, np.frombuffer(b"".join(structure), np.float32).reshape(len(turns), len(STRUCTURE)))


def features(turns: Sequence[Turn], language: str) -> NDArray[np.float32]:
    """One row a turn, one column a feature, float32; most are 0 or 1, the rest about as large."""
    width = len(lexicon(language).names)
    seen = observed(turns, language)
    blocks = seen.cues[:, :-1].reshape(len(turns), len(BLOCKS), octets(language))
    cues = np.unpackbits(blocks, axis=2, count=width, bitorder="little").reshape(len(turns), len(BLOCKS) * width)
    return np.hstack([cues, seen.structure], dtype=np.float32)


def _structure(
    turn: Turn, turns: Sequence[Turn], words: Lexicon, topics_before: int, said: dict[str, int], run: int
) -> list[float]:
    masks = masks_of(words)
    index, now, before, after = turn.index, turn.now, turn.before, turn.after
    text, tokens, replied = now.text, now.tokens, before.tokens
    all_topics = words.topics
    size = text.count(" ") + 1 if words.spaced else len(text) / 2
    topics, reply_topics, after_topics = (
        now.present & all_topics,
        before.present & all_topics,
        after.present & all_topics,
    )
    last = turns[index - 1] if index else None
    last_topics = last.now.present & all_topics if last else 0
    of_reply = len(tokens & replied)
    of_last = len(tokens & last.now.tokens) if last else 0
    new = of_earlier = 0
    for token in tokens:
        turn_said = said.get(token)
        if turn_said is None:
            new += token not in replied
        else:
            of_earlier += index - turn_said > 1
    far_reply, near_reply, furthest_reply = _distances(index, tokens, replied, said)
    far_after, near_after, furthest_after = _distances(index, tokens, after.tokens, said)
    attributes = len(words.where(now.hits, "attribute")) if now.present & words.bits["attribute"] else 0
    filled = run > LONG_RANGE and not after.marks  # value after value was asked for, and no more is
    some = len(tokens) or 1
    old_after = 0
    if index > LONG_RANGE and after.tokens:
        older = turns[index - LONG_RANGE - 1].before.tokens
        old_after = len((after.tokens & older) - tokens - replied) if older else 0
    asked_for = now.present & masks.asked
    fresh = (
        last is not None and not before.ends_asking and len(tokens) > 1 and not of_reply and not of_last
        and not now.present & masks.leaning
    )  # fmt: skip
    commands = now.start & words.bits["command"] != 0
    elliptic = (
        index > 0 and not before.ends_asking and size <= 2 * SHORT and now.present & words.bits["ellipsis"] != 0
        and not now.present & masks.orders
    )  # fmt: skip
    commas = text.count(",") if text.isascii() else text.count(",") + text.count("，")
    turns_left = len(turns) - index
    return [
        index == 0, index == 1, index == 2, index < 4, index >= 6, turns_left == 1, turns_left == 2,
        not before.text, not after.text,
        log1p(index) / 2, log1p(size) / 3, size <= 1, size <= 3, size <= 6, size >= 20,
        min(len(_SENTENCE.findall(text)), 5) / 3, min(commas, 5) / 3, now.marks > 0, now.ends_asking,
        before.marks > 0, before.ends_asking, before.marks > 1, after.marks > 0, after.ends_asking,
        log1p(len(before.text)) / 6, log1p(len(after.text)) / 6,
        now.numbers > 0, now.numbers > 1, now.capitals > 0, now.capitals > 1,
        min(before.numbers, 6) / 3, min(after.numbers, 6) / 3, min(before.capitals, 6) / 3,
        topics & ~topics_before & ~reply_topics != 0, topics != 0, topics & topics_before != 0, topics & reply_topics != 0,
        topics & reply_topics & ~last_topics != 0, topics & last_topics != 0, topics & (topics - 1) != 0,
        reply_topics & ~topics_before != 0, after_topics & ~topics_before & ~reply_topics & ~topics != 0,
        min(new, 8) / 4, new / some, min(of_reply, 6) / 3, of_reply / some,
        min(of_last, 6) / 3,
        min(of_earlier, 6) / 3,
        min(far_reply, 6) / 3, min(far_after, 6) / 3, far_reply > 0 and far_after > 0,
        min(near_reply, 6) / 3, min(near_after, 6) / 3,
        min(furthest_reply, 8) / 4, min(furthest_after, 8) / 4, far_after / (far_after + near_after + 1), min(old_after, 6) / 3,
        min(run, 6) / 3, run >= 3, last is not None and last.now.text == text,
        last is not None and bool(before.text) and last.before.text == before.text, greets_only(turn, words),
        min(attributes, 4) / 2, attributes > 1,
        filled, filled and after.present & words.bits["done"] != 0,
        index > LONG_RANGE and now.start & words.bits["affirm"] != 0 and before.present & words.bits["confirms"] != 0,
        elliptic, elliptic and size <= SHORT, commands,
        commands and not before.ends_asking and not of_reply and not of_last,
        joins_needs(turn, words),
        fresh, fresh and now.start & words.bits["question"] != 0,
        now.present & words.bits["small_talk"] != 0 and not asked_for and not before.ends_asking,
    ]  # fmt: skip


class Masks(NamedTuple):
    """Bits of names that are looked for together."""

    asked: int
    orders: int
    leaning: int


@cache
def masks_of(words: Lexicon) -> Masks:
    """The bits of a language's lexicon."""
    return Masks(
        words.any_of(("request", "opens", "command", "act")),
        words.any_of(("request", "opens", "command")),
        words.any_of(("pronoun", "demonstrative", "ordinal", "description", "alternative", "change")),
    )


def joins_needs(turn: Turn, words: Lexicon) -> bool:
    """Does a second request follow closely on a word of sequence, after a first one? "Book a flight, then check the weather"."""
    asked = masks_of(words).asked
    if not turn.now.present & words.bits["sequence"] or not turn.now.present & asked:
        return False
    reach = measures(words.language).joint_reach
    marks, sequence, first, until = words.marks, words.bits["sequence"], -1, -1
    for place, phrase in turn.now.hits:
        mark = marks[phrase]
        if mark & asked:
            if place < until:
                return True
            if first < 0:
                first = place
        if mark & sequence and 0 <= first < place - reach:
            until = place + len(phrase) + reach
    return False


def greets_only(turn: Turn, words: Lexicon) -> bool:
    """A message that greets and says nothing else."""
    return turn.has("greeting", words) and not turn.now.tokens - greeting_words()


def _distances(index: int, own: set[str], tokens: set[str], said: dict[str, int]) -> tuple[int, int, int]:
    """Of the tokens of a reply that the turn itself does not say: how many the user said last more than two turns ago,
    how many lately, and the greatest distance in user turns."""
    far = near = furthest = 0
    if not said:
        return 0, 0, 0
    for token in tokens:
        turn = said.get(token)
        if turn is None or token in own:
            continue
        distance = index - turn
        if distance > LONG_RANGE:
            far += 1
            furthest = max(furthest, distance)
        else:
            near += 1
    return far, near, furthest
