"""Word reference devices in the simulator's messages."""

from __future__ import annotations

from enum import StrEnum

from wildtool.grounding.hidden_intents import DeviceSpec, reference_device, require_complete
from wildtool.schemas.errors import SettingsError
from wildtool.schemas.vocabulary import Device


class Manner(StrEnum):
    """Ways to treat a value that was said before."""

    OMIT = "omit"
    """Leaves it out."""
    HINT = "hint"
    """Says that it is the same as before."""
    SHORTEN = "shorten"
    """Says its short form."""
    PRONOUN = "pronoun"
    """Says "it" or "there"."""
    POINT = "point"
    """Says "that city"."""


_MANNERS = {
    Device.ORDINAL: Manner.OMIT,
    Device.REVERSE_ORDINAL: Manner.OMIT,
    Device.PRONOUN: Manner.PRONOUN,
    Device.DEMONSTRATIVE: Manner.POINT,
    Device.INTERROGATIVE: Manner.OMIT,
    Device.ABBREVIATION: Manner.SHORTEN,
    Device.DESCRIPTION: Manner.POINT,
    Device.OMITTED_SUBJECT: Manner.OMIT,
    Device.OMITTED_ATTRIBUTE: Manner.OMIT,
    Device.OMITTED_MODIFIER: Manner.HINT,
    Device.OMITTED_SEVERAL: Manner.OMIT,
    Device.ADDED_CONSTRAINT: Manner.OMIT,
    Device.CHANGED_CONSTRAINT: Manner.OMIT,
}
"""By device. Ordinals count to things that a result showed; of a value that was said nothing is left but to omit it."""

_REPEATS = {
    Device.ADDED_CONSTRAINT: "again_added",
    Device.CHANGED_CONSTRAINT: "again_changed",
    Device.OMITTED_SEVERAL: "again_changed",
    Device.INTERROGATIVE: "again_asked",
}
"""Wordings of a message that asks for the last thing again, by device."""


def manner(device: DeviceSpec | None) -> Manner:
    """Return how to treat a value that was said; without a device it is left out."""
    return Manner.OMIT if device is None else _MANNERS[_worded(device)]


def repeat_wording(device: DeviceSpec) -> str:
    """Return the key of the wordings for a device that repeats the last request."""
    return _REPEATS[_worded(device)]


def require_wordings() -> None:
    """Raise ``SettingsError`` unless the simulator can word every registered device."""
    require_complete()
    for device in Device:
        spec = reference_device(device)
        known = _REPEATS if spec.repeats else _MANNERS
        if _worded(spec) not in known:
            raise SettingsError(
                f"the offline simulator has no wording for the reference device {str(device)!r}",
                "set worded_like in its DeviceSpec to a built-in device, or draft with a model",
            )


def _worded(spec: DeviceSpec) -> Device:
    return spec.worded_like or spec.device
