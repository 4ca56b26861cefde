"""Register webhooks with Label Studio."""

from __future__ import annotations

from wildtool.annotation.label_studio.connection import Connection
from wildtool.annotation.webhook_receiver import SECRET_HEADER

ACTIONS = ("ANNOTATION_CREATED", "ANNOTATION_UPDATED", "ANNOTATIONS_CREATED")
"""Events that Label Studio shall report."""


def register_hook(connection: Connection, *, project_id: int, url: str, secret: str) -> int:
    """Have Label Studio call ``url`` when annotations of a project change. Return the hook's id.

    The same address is registered once. Label Studio refuses loopback addresses unless its
    ``SSRF_PROTECTION_ENABLED`` is off.
    """
    for hook in connection.get("/api/webhooks/", project=project_id) or []:
        if hook["url"] == url:
            return int(hook["id"])
    made = connection.post(
        "/api/webhooks/",
        {
            "project": project_id,
            "url": url,
            "send_payload": False,
            "send_for_all_actions": False,
            "headers": {SECRET_HEADER: secret},
            "actions": list(ACTIONS),
        },
    )
    return int(made["id"])
