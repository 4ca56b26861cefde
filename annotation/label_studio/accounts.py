"""Accounts for programs that label: made through the invitation link, as a person's account is."""

from __future__ import annotations

import re

from wildtool.annotation.label_studio.connection import Connection
from wildtool.schemas.errors import InputError, ServiceError


def account_token(connection: Connection, email: str) -> str:
    """Return the API token of an account, which is made if missing.

    The password follows from the maintainer's token, so that nothing has to be kept. Raises ``InputError`` for an
    address that could be a person's.
    """
    import httpx

    if not email.endswith(".invalid"):
        raise InputError(f"{email} could be a person's address", "simulated annotators' addresses end with .invalid")
    form = {"email": email, "password": connection.derived_secret(email)}
    with httpx.Client(base_url=connection.url, timeout=60.0, trust_env=False, follow_redirects=True) as browser:
        known = any(user["email"] == email for user in connection.get("/api/users/"))
        if known:
            page = "/user/login/"
        else:
            page = connection.get("/api/invite")["invite_url"]
            form |= {"allow_newsletters": "false", "how_find_us": "other"}
        match = re.search(r'name="csrfmiddlewaretoken" value="([^"]+)"', browser.get(page).text)
        answer = browser.post(
            page,
            data={**form, "csrfmiddlewaretoken": match[1] if match else ""},
            headers={"Referer": connection.url + "/"},
        )
        token = browser.get("/api/current-user/token")
    if token.status_code != 200:
        raise ServiceError(
            f"Label Studio does not let {email} in (status {answer.status_code})",
            "its account was made with another maintainer's token: remove it, or start a new home",
        )
    if not known:
        # The link went through the server's access log: a new one makes that worthless.
        connection.post("/api/invite/reset-token", {})
    return str(token.json()["token"])
