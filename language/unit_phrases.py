"""Units, and words of company: what numbers may come to a tool by that nobody said as such."""

from __future__ import annotations

import re

SCALES = (
    100,
    1000,
    1_000_000,
    60,
    3600,
    7,
    24,
    86_400,
    12,
    0.01,
    0.001,
    1.609344,
    1.609,
    1.61,
    1.6,
    1609.344,
    1609,
    1600,
)
"""Factors between the unit that a user says and the one that a tool takes: km and m, hours and seconds, 20 % and 0.2."""
UNIT = re.compile(
    r"km\b|kilomet|met(?:er|re)s?\b|\bmiles?\b|\bhours?\b|\bhrs?\b|minutes?\b|\bmins?\b|seconds?\b|\bweeks?\b|\bdays?\b|\byears?\b|dozen|%|percent|"
    r"\bkg\b|\bkilos?\b|\bgrams?\b|lit(?:er|re)s?\b|\bcents?\b|[$€£¥]|euros?\b|dollars?\b|公里|千米|小时|分钟|秒|周|星期|天|年|百分|公斤|千克|升|元|块"
)
"""Units whose numbers may come to a tool in another unit."""
COMPANY = re.compile(
    r"\b(?:wife|husband|partner|girlfriend|boyfriend|friends?|kids?|children|son|daughter|family|parents?|us|we|our|mom|dad|mum|"
    r"mother|father|colleagues?|couple|myself|alone|solo|me)\b|我们|咱|夫妻|妻子|丈夫|老婆|老公|朋友|孩子|家人|爸|妈|父母|同事|一个人|自己|俩"
)
"""Words that say who comes along without a number."""
