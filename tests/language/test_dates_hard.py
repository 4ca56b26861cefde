"""Dates in longer messages, where the words around them decide, and in other forms of characters."""

from __future__ import annotations

from datetime import date, datetime

import pytest

from tests.language.moments import check_row, read
from tests.rows import check_rows
from wildtool.language.dates import read_dates
from wildtool.language.spans import SURE

NOW = datetime(2026, 3, 11, 10, 30)  # a Wednesday
MONTHS = (
    "January February March April May June July August September October November December".split()
)  # fmt: skip
# Text | what it names: kind, ISO text, part of the day, deadline, "?" where a listener would ask back. Reckoned by hand.
ENGLISH = """
any parties on New Year's Eve that aren't sold out yet | date 2026-12-31
we haven't booked anything for Christmas yet | date 2026-12-25
is there anything left for Valentine's Day | date 2027-02-14
the lease runs out on the last day of April and I haven't even started looking | date 2026-04-30
it rained on Saturday | date 2026-03-07
we've got a wedding on the 20th | date 2026-03-20
I booked a table for Friday | date 2026-03-13
I forgot to book the vet for Saturday | date 2026-03-14
what did we have for Christmas | date 2025-12-25
what did I pay for January | month 2026-01
getting back on the 14th of this month | date 2026-03-14
back on the 3rd we met | date 2026-03-03
the notes from the call on Monday | date 2026-03-09
I've got to be in Leeds by the 15th | date 2026-03-15 deadline
Move the dentist to Friday at 9:30 am | datetime 2026-03-13T09:30
set my new gym alarm for 6 | time 06:00
at 1730 | time 17:30
by 2030 | range 2030-01-01/2030-12-31 deadline
7.15 tomorrow evening | datetime 2026-03-12T19:15
I want to watch the movie Friday next week | date 2026-03-20
three yesterdays in a row | none
yesterdays step count? | date 2026-03-10
what's in todays paper | date 2026-03-11
push the follow-up to next Monday | date 2026-03-16
bump it up to Thursday | date 2026-03-12
show everything up to Friday | range ../2026-03-13
the house is ours from 9 May - 12 May | range 2026-05-09/2026-05-12
the hearing on Friday 13 March 2026 | date 2026-03-13
signed on Thu 12 Nov 2020 | date 2020-11-12
"""
CHINESE = """
下周天气怎么样 | range 2026-03-16/2026-03-22
下周天去爬山 | date 2026-03-22
看一下周五有没有空 | date 2026-03-13
查一下下周五的天气 | date 2026-03-20
看一下周边有啥 | none
等下周一起吃饭 | range 2026-03-16/2026-03-22
玩完后晚上想找酒店 | none
先天不足后天补 | none
后天晚上 | date 2026-03-13 evening
地址在北辰东路5号 | none
到周五我都有空 | range ../2026-03-13
免打扰一直开到周五 | range ../2026-03-13
展览开放到下周日 | range ../2026-03-22
从5月10号住到12号 | range 2026-05-10/2026-05-12
签约日是2026年3月13日周五 | date 2026-03-13
会议改到周五上午九点半 | datetime 2026-03-13T09:30
发行于1996年12月11日 | date 1996-12-11
聽日下晝三點開會 | datetime 2026-03-12T15:00
尋日買嘅 | date 2026-03-10
半個鐘後叫我 | datetime 2026-03-11T11:00
今個星期六 | date 2026-03-14
下星期三晚上七點半 | datetime 2026-03-18T19:30
農曆八月十五 | date 2026-09-25
"""


@pytest.mark.parametrize(("language", "rows"), [("en", ENGLISH), ("zh", CHINESE)], ids=["en", "zh"])
def test_reads_what_a_speaker_means(language: str, rows: str) -> None:
    check_rows(((row, language, NOW) for row in rows.strip().splitlines()), check_row)


@pytest.mark.parametrize("text", ["move the standup from Monday to Wednesday", "reschedule it from 3pm to 4pm"])
def test_a_move_between_two_times_is_no_sure_stretch(text: str) -> None:
    assert all(span.best.certainty < SURE for span in read_dates(text, "en", NOW))


@pytest.mark.parametrize("month", range(1, 13))
def test_no_number_of_a_name_hides_a_written_day(month: int) -> None:
    """24/7, 7-11, 996 and 007 are names, and parts of many days."""
    for year in range(1996, 2031):
        for day in (1, 7, 9, 11, 20, 24):
            iso, name = date(year, month, day).isoformat(), MONTHS[month - 1]
            for text in (f"on {name} {day}, {year}", f"on {day} {name} {year}", f"on {iso}"):
                assert read(text, "en", NOW) == f"date {iso}"
            for text in (f"在{year}年{month}月{day}日", f"在{year}/{month}/{day}", f"在{iso}"):
                assert read(text, "zh", NOW) == f"date {iso}"
