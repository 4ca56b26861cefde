"""A draft as people read it."""

from __future__ import annotations

import pytest

from tests.agents.drafting.test_drafts import result
from wildtool.agents.drafting.render import render_draft
from wildtool.schemas.draft import Draft


@pytest.mark.parametrize("index", [0, 4])
def test_a_draft_reads_as_a_dialogue(index: int) -> None:
    draft: Draft = result().drafts[index]
    text = render_draft(draft)
    for task in draft.session.tasks:
        assert task.user.split("\n")[0] in text
        for action in task.actions:
            if action.kind == "call":
                assert action.name in text


def test_hidden_intents_and_sources_are_named() -> None:
    drafts = result().drafts
    text = "\n".join(map(render_draft, drafts))
    hidden = [task.hidden_intent for draft in drafts for task in draft.session.tasks if task.hidden_intent]
    assert hidden
    for each in hidden:
        assert f"{each.kind} by {each.device}: {each.piece} from task {each.said_in + 1}" in text
    assert "said here “" in text and "result of task 1 action" in text
    assert "drafted by the offline simulator" in text
