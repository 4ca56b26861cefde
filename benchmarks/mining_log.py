"""A log of any length for benchmarks: conversations of about 830 characters, made by shuffling the turns of ``examples/logs``.

    python -m benchmarks.mining_log 100000 > log.jsonl

One in twenty is an exact copy of an earlier one, one in thirty a near copy; the words are those of people's requests, so that
language, privacy and behaviour have as much to do as on a real log. The same number and seed give the same bytes.
"""

from __future__ import annotations

import json
import random
import sys
from collections.abc import Iterator
from pathlib import Path

EXAMPLES = Path(__file__).resolve().parent.parent / "examples" / "logs"
CHARACTERS = {"en": 830, "zh": 380}
"""Length aimed at; Chinese says the same in less than half the characters."""
REMEMBERED = 500
"""Conversations back that a copy may be of."""


def turns() -> dict[str, list[tuple[str, str]]]:
    """Pairs of a user's message and its reply, by language, from the examples."""
    found: dict[str, list[tuple[str, str]]] = {"en": [], "zh": []}
    for language, pairs in found.items():
        for line in (EXAMPLES / f"assistant_{language}.jsonl").read_text(encoding="utf-8").splitlines():
            texts = [message["content"] for message in json.loads(line)["messages"] if message["role"] != "system"]
            pairs += [
                (user, reply) for user, reply in zip(texts[::2], texts[1::2], strict=False) if isinstance(user, str)
            ]
    return found


def conversations(count: int, *, seed: int = 0) -> Iterator[dict[str, object]]:
    """``count`` conversations, three English to one Chinese."""
    rng = random.Random(seed)
    pool = turns()
    past: list[list[dict[str, str]]] = []
    for number in range(count):
        kind = rng.random()
        if past and kind < 1 / 20:
            messages = rng.choice(past)
        elif past and kind < 1 / 20 + 1 / 30:
            messages = [dict(message) for message in rng.choice(past)]
            messages[0]["content"] += f" {rng.randint(2, 99)}"
        else:
            language = "zh" if rng.random() < 0.25 else "en"
            messages, length = [], 0
            while length < CHARACTERS[language]:
                user, reply = rng.choice(pool[language])
                user = f"{user} ({rng.randint(1, 10**6)})" if rng.random() < 0.3 else user
                messages += [{"role": "user", "content": user}, {"role": "assistant", "content": reply}]
                length += len(user) + len(reply)
            past.append(messages)
            del past[:-REMEMBERED]
        yield {"id": f"g{number}", "user": f"u{rng.randint(0, count // 3 + 3)}", "messages": messages}


def main() -> int:
    for one in conversations(int(sys.argv[1])):
        sys.stdout.write(json.dumps(one, ensure_ascii=False) + "\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
