"""Settings: ``wildtool.toml`` < environment < flags. Secrets come from the environment alone."""

from __future__ import annotations

import os
import tomllib
from enum import StrEnum
from pathlib import Path
from typing import Annotated, Any

from pydantic import AliasChoices, BeforeValidator, Field, SecretStr, ValidationError
from pydantic_settings import (
    BaseSettings,
    InitSettingsSource,
    PydanticBaseSettingsSource,
    SettingsConfigDict,
)
from pydantic_settings import (
    SettingsError as UnreadableSettings,
)

from wildtool.schemas.base import Address
from wildtool.schemas.errors import SettingsError

SETTINGS_FILE = Path("wildtool.toml")
"""Read from the working folder, where it exists."""

SECRETS = ("openai_api_key", "label_studio_api_key", "hook_secret")
"""Refused in the file: a secret there would end up in a repository."""

SECRET_VARIABLES = {"hook_secret": "WILDTOOL_HOOK_SECRET"}
"""Environment variables of secrets that are ours alone."""

OFFLINE = "offline"
"""The model name that stands for the built-in simulator."""


REPLANS_OFFLINE = 5
"""The simulator needs one or two rounds; what fails five times on five lists fails for a reason that a sixth will not
cure."""

REPLANS_PAID = 1
"""A model has already tried each task four times, hearing the reasons; every further plan costs a session's price."""


class RunnerName(StrEnum):
    """What runs shards."""

    THREADS = "threads"
    """This process."""
    DASK = "dask"
    """Worker processes of a Dask cluster, started for the run or joined by address."""


class Settings(BaseSettings):
    """All settings. A field ``x`` is ``WILDTOOL_X`` in the environment, and ``x`` in ``wildtool.toml``."""

    model_config = SettingsConfigDict(
        env_prefix="WILDTOOL_", extra="forbid", frozen=True, use_attribute_docstrings=True, populate_by_name=True
    )

    home: Path = Path(".wildtool")
    """Folder that holds everything that is kept."""
    seed: int = 0
    """Seed of all randomness."""
    model: str = "gpt-4o"
    """Model that drafts; ``offline`` for the built-in simulator."""
    openai_base_url: Annotated[Address | None, BeforeValidator(lambda given: given or None)] = Field(
        default=None, validation_alias=AliasChoices("openai_base_url", "OPENAI_BASE_URL", "WILDTOOL_OPENAI_BASE_URL")
    )
    """Address of an OpenAI-compatible endpoint. Empty, as in ``OPENAI_BASE_URL=``, counts as not given."""
    openai_api_key: SecretStr | None = Field(default=None, validation_alias=AliasChoices("OPENAI_API_KEY"))
    """Key of that endpoint."""
    label_studio_url: str | None = Field(
        default=None, validation_alias=AliasChoices("label_studio_url", "LABEL_STUDIO_URL", "WILDTOOL_LABEL_STUDIO_URL")
    )
    """Address of a running Label Studio; without it, one is started."""
    label_studio_api_key: SecretStr | None = Field(default=None, validation_alias=AliasChoices("LABEL_STUDIO_API_KEY"))
    """Access token of that Label Studio, legacy or personal."""
    hook_secret: SecretStr | None = None
    """Secret that webhooks must bring, at least 16 characters; without it one is made from the token."""
    annotation_backend: str = "label_studio"
    """Annotation tool: ``label_studio``, or one that an installed package offers."""
    project: str = "wildtool round 1"
    """Title of the Label Studio project."""
    double_share: float = Field(default=0.2, ge=0, le=1)
    """Share of drafts that two people label."""
    guide_url: str | None = None
    """Address of the annotator's guide with its pictures, if it lies on a web server; projects' instructions link it."""
    in_flight: int = Field(default=16, ge=1)
    """Model requests at once."""
    batch: bool = False
    """Draft in waves through OpenAI's batch endpoint: half the price, answers within a day."""
    committee: int = Field(default=1, ge=0, le=25)
    """Model checkers that review each drafted task; the majority decides, a disagreement is shown to annotators. 0: none."""
    replans: int | None = Field(default=None, ge=0, le=20)
    """Times a session that could not be drafted is planned anew on another tool list. None: ``REPLANS_OFFLINE`` with the
    simulator, which costs nothing, ``REPLANS_PAID`` with a model."""
    gateway: dict[str, Any] = Field(default_factory=dict)
    """Further settings of the model gateway: limits, prices, endpoints of single roles, parameters of requests."""
    shard: int | None = Field(default=None, ge=1, le=5000)
    """Sessions a shard: the unit of work of a task, and the most that an interruption repeats (from the cache). None is
    four times ``in_flight``: a session has one request under way at a time, and with fewer the end of each shard, where
    the last sessions run alone, would cost more time than the rest."""
    runner: RunnerName = RunnerName.THREADS
    """What runs shards: this machine, or a Dask cluster (the extra ``dask``)."""
    dask_address: str | None = None
    """Address of a running Dask scheduler; without it, a cluster of ``workers`` processes is started for the run."""
    workers: int = Field(default_factory=lambda: os.cpu_count() or 1, ge=1)
    """Shards at once on a cluster: processes started, or threads used of a running cluster."""
    worker_cache: Path | None = None
    """Folder of the response cache on each worker, for workers that do not see the home folder."""
    budget_usd: float | None = Field(default=None, gt=0)
    """Model spending stops cleanly before this."""
    store_wait_seconds: float = Field(default=60.0, ge=0)
    """How long to wait while another process writes the warehouse."""

    @property
    def most_replans(self) -> int:
        """Times a session is planned anew at most."""
        if self.replans is not None:
            return self.replans
        return REPLANS_OFFLINE if self.model == OFFLINE else REPLANS_PAID

    @property
    def shard_size(self) -> int:
        """Sessions a shard."""
        return self.shard if self.shard is not None else 4 * self.in_flight

    @classmethod
    def settings_customise_sources(
        cls,
        settings_cls: type[BaseSettings],
        init_settings: PydanticBaseSettingsSource,
        env_settings: PydanticBaseSettingsSource,
        dotenv_settings: PydanticBaseSettingsSource,
        file_secret_settings: PydanticBaseSettingsSource,
    ) -> tuple[PydanticBaseSettingsSource, ...]:
        """Flags first, then the environment, then the file."""
        return init_settings, env_settings, InitSettingsSource(settings_cls, _read_file(SETTINGS_FILE))


def load_settings(**flags: Any) -> Settings:
    """Settings with these flags on top; flags that are None count as not given.

    Raises ``SettingsError`` for unknown names, wrong values and secrets in the file.
    """
    try:
        return Settings(**{name: value for name, value in flags.items() if value is not None})
    except UnreadableSettings as error:  # a table in the environment that is not JSON
        raise SettingsError(str(error), "write it as JSON, such as WILDTOOL_GATEWAY='{\"attempts\": 3}'") from error
    except ValidationError as error:
        first = error.errors()[0]
        name = ".".join(str(part) for part in first["loc"])
        # Servers' settings are known to every tool by their own names.
        variable = name.upper() if name.startswith(("openai_", "label_studio_")) else f"WILDTOOL_{name.upper()}"
        raise SettingsError(
            f"setting {name}: {first['msg'].removeprefix('Value error, ')}",
            f"correct it in {SETTINGS_FILE}, in {variable} or in the flag",
        ) from error


def _read_file(path: Path) -> dict[str, Any]:
    if not path.is_file():
        return {}
    try:
        content = tomllib.loads(path.read_text(encoding="utf-8"))
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise SettingsError(f"{path} is not valid TOML: {error}", f"correct {path}, or remove it") from error
    for name in SECRETS:
        if name in {key.lower() for key in content}:
            raise SettingsError(
                f"{path} holds {name}: secrets come from the environment alone",
                f"remove it there and set {SECRET_VARIABLES.get(name, name.upper())}",
            )
    return content
