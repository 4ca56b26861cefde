"""The one error tree.

Every error a user can cause carries a one-line ``cause`` and a one-line ``remedy``; the command line
prints both and exits with ``exit_code``. Errors of libraries are wrapped where they enter.
"""

from __future__ import annotations


class WildtoolError(Exception):
    """Base of all errors of ours.

    ``cause`` says in one line what is wrong, ``remedy`` in one line what corrects it.
    """

    exit_code = 1

    def __init__(self, cause: str, remedy: str) -> None:
        super().__init__(cause, remedy)  # both: an error of a worker process travels as its arguments
        self.cause = " ".join(cause.split())
        self.remedy = " ".join(remedy.split())

    def __str__(self) -> str:
        return f"{self.cause} ({self.remedy})"


class InputError(WildtoolError):
    """Bad usage or bad input: nothing was changed. Exit code 2."""

    exit_code = 2


class SettingsError(InputError):
    """A setting, profile or credential is missing or wrong."""


class RegistryError(SettingsError, LookupError):
    """A name is not registered, or is registered twice."""


class PluginError(RegistryError):
    """Another package's plug-in cannot be loaded, or failed; the cause names its distribution."""


class LanguageError(RegistryError):
    """A registered language lacks words that a room needs."""


class HomeError(InputError):
    """The home folder cannot be used: read-only, full, or held by another process."""


class StoreError(HomeError):
    """The warehouse cannot be opened or written."""


class StoreBusyError(StoreError):
    """Another process held the warehouse for longer than we waited."""


class ServiceError(InputError):
    """A service (Label Studio, a package registry) is unreachable or refuses us."""


class ModelError(WildtoolError):
    """A model endpoint failed for good: retries, budget or circuit breaker are exhausted."""


class ContextError(ModelError):
    """A request is longer than the model's context: no other try will be answered."""


class StoppedError(ModelError):
    """Nothing more will be answered in this run: budget or credit used up, endpoint down. What was done is kept."""


class BudgetError(StoppedError):
    """The next call would pass the budget; what was done is kept."""


class StageError(WildtoolError):
    """A stage ran and failed; what it had finished is kept. Exit code 1."""


class GateError(StageError):
    """A release gate failed, so nothing was frozen."""


class FrozenError(InputError):
    """A frozen release would be written again."""
