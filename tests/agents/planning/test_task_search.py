"""The search for blueprints reaches everything that a session can hold."""

from __future__ import annotations

from collections import Counter
from itertools import islice

import pytest

from tests.agents.planning import choose, seeds
from wildtool.agents.planning.plan import plan_sessions
from wildtool.agents.profiles import load_profile
from wildtool.schemas.vocabulary import Device, Language, TaskType


@pytest.mark.parametrize("language", list(Language))
def test_all_devices_are_planned(language: Language) -> None:
    profile = load_profile("default")
    profile = profile.model_copy(update={"sessions": {language: 110}, "fault_share": 0.0})
    plans = plan_sessions(profile, seeds(), choose, seed=1)
    found = Counter(t.hidden_intent.device for plan in plans for t in plan.tasks if t.hidden_intent)
    assert set(found) == set(Device), set(Device) - set(found)
    chats = (task for plan in plans for task in plan.tasks if task.type is TaskType.CHAT)
    assert all(mention.value for task in islice(chats, 50) for mention in task.mentions)
