"""Things that people chat about."""

from __future__ import annotations

from wildtool.agents.planning.small_talk import topic_kind


def test_people_chat_about_things_and_not_about_settings() -> None:
    assert topic_kind("city") == "place"
    assert topic_kind("teamName") == "fame"
    assert all(topic_kind(name) is None for name in ("cityId", "status", "period", "units", "email", "statusCode"))
