"""Dates as people say them in English."""

from __future__ import annotations

from datetime import datetime

from tests.language.moments import check_row
from tests.rows import check_rows

NOW = datetime(2026, 7, 9, 14, 20)  # a Thursday
# Text | what it names: kind, ISO text, part of the day, deadline, "?" where a listener would ask back. Reckoned by hand.
ROWS = """
see you Friday | date 2026-07-10
dentist on Tues | date 2026-07-14
this Sunday works | date 2026-07-12
next Tuesday | date 2026-07-14
next Saturday | date 2026-07-18 ?
next Sunday afternoon | date 2026-07-19 afternoon ?
last Friday | date 2026-07-03
last Tuesday | date 2026-07-07 ?
last Wednesday night | date 2026-07-01 night ?
coming Monday | date 2026-07-13
this coming Friday | date 2026-07-10
I saw her on Monday | date 2026-07-06
we met on Saturday | date 2026-07-04
what did I eat on Sunday | date 2026-07-05
Friday week | date 2026-07-17
Tuesday fortnight | date 2026-07-28
a week on Friday | date 2026-07-17
a week from Monday | date 2026-07-20
two weeks from Friday | date 2026-07-24
two weeks on Tuesday | date 2026-07-28
Monday after next | date 2026-07-20 ?
Thursday next week | date 2026-07-16
Wednesday of next week | date 2026-07-15
next week Tuesday | date 2026-07-14
next week on Friday | date 2026-07-17
last week's Thursday meeting | date 2026-07-02
Monday last week | date 2026-06-29
the Friday after next | date 2026-07-24 ?
book Sat at 7pm | datetime 2026-07-11T19:00
movie Sat? | date 2026-07-11
dinner sun evening | date 2026-07-12 evening
the sun is out | none
he sat down | none
it's tomorrow | date 2026-07-10
tomorrow morning at 9 | datetime 2026-07-10T09:00
tomorrow at 7 | datetime 2026-07-10T07:00 ?
2moro night | date 2026-07-10 night
the day after tomorrow | date 2026-07-11
day before yesterday | date 2026-07-07
yesterday afternoon | date 2026-07-08 afternoon
today at 5pm | datetime 2026-07-09T17:00
tonight | date 2026-07-09 night
tonight at 9 | datetime 2026-07-09T21:00
this morning | date 2026-07-09 morning
this afternoon | date 2026-07-09 afternoon
later today | date 2026-07-09
earlier today | date 2026-07-09
last night | date 2026-07-08 night
the night before last | date 2026-07-07 night
in 3 days | date 2026-07-12
in a week | date 2026-07-16
in two weeks | date 2026-07-23
in a fortnight | date 2026-07-23
in a month | date 2026-08-09
in six months | date 2027-01-09
in a year | date 2027-07-09
in a year and a half | date 2028-01-09
in 2 years | date 2028-07-09
in 10 business days | date 2026-07-23
in 5 working days | date 2026-07-16
in a couple of weeks | date 2026-07-23
3 days ago | date 2026-07-06
a week ago | date 2026-07-02
two weeks ago | date 2026-06-25
a month ago | date 2026-06-09
6 months ago | date 2026-01-09
ten years ago | date 2016-07-09
a year ago | date 2025-07-09
a couple of days ago | date 2026-07-07
a week ago today | date 2026-07-02
a week from today | date 2026-07-16
two weeks from today | date 2026-07-23
three days from now | date 2026-07-12
a week from tomorrow | date 2026-07-17
a week today | date 2026-07-16
in two weeks' time | date 2026-07-23
in 45 minutes | datetime 2026-07-09T15:05
in half an hour | datetime 2026-07-09T14:50
in an hour | datetime 2026-07-09T15:20
in an hour and a half | datetime 2026-07-09T15:50
in one and a half hours | datetime 2026-07-09T15:50
in 1.5 hours | datetime 2026-07-09T15:50
in 2 hours and 15 minutes | datetime 2026-07-09T16:35
in a quarter of an hour | datetime 2026-07-09T14:35
90 minutes ago | datetime 2026-07-09T12:50
an hour ago | datetime 2026-07-09T13:20
two hours from now | datetime 2026-07-09T16:20
this month | month 2026-07
next month | month 2026-08
last month | month 2026-06
the month after next | month 2026-09
in March | month 2027-03
in January | month 2027-01
back in April | month 2026-04
last June | month 2026-06
next May | month 2027-05
this December | month 2026-12
August 2027 | month 2027-08
Sept 2026 | month 2026-09
in October next year | month 2027-10
May last year | month 2025-05
March next year | month 2027-03
this quarter | range 2026-07-01/2026-09-30
next quarter | range 2026-10-01/2026-12-31
last quarter | range 2026-04-01/2026-06-30
Q1 | range 2026-01-01/2026-03-31 ?
Q2 2025 | range 2025-04-01/2025-06-30
Q4 this year | range 2026-10-01/2026-12-31
the third quarter | range 2026-07-01/2026-09-30
the first quarter of 2027 | range 2027-01-01/2027-03-31
first half of 2025 | range 2025-01-01/2025-06-30
H2 2026 | range 2026-07-01/2026-12-31
the second half of the year | range 2026-07-01/2026-12-31
this year | range 2026-01-01/2026-12-31
next year | range 2027-01-01/2027-12-31
last year | range 2025-01-01/2025-12-31
the year after next | range 2028-01-01/2028-12-31
in 2030 | range 2030-01-01/2030-12-31
back in 2019 | range 2019-01-01/2019-12-31
since 2020 | range 2020-01-01/..
the 1990s | range 1990-01-01/1999-12-31
this week | range 2026-07-06/2026-07-12
next week | range 2026-07-13/2026-07-19
the week after next | range 2026-07-20/2026-07-26
the week before last | range 2026-06-22/2026-06-28
next weekend | range 2026-07-18/2026-07-19
last weekend | range 2026-07-04/2026-07-05
at the weekend | range 2026-07-11/2026-07-12
over the weekend | range 2026-07-11/2026-07-12
the weekend after next | range 2026-07-25/2026-07-26
what did we do at the weekend | range 2026-07-04/2026-07-05
end of the month | date 2026-07-31
end of this week | date 2026-07-12 ?
the end of next week | date 2026-07-19 ?
the end of the year | date 2026-12-31
end of Q3 | date 2026-09-30
the end of June | date 2027-06-30
by the end of the week | date 2026-07-12 deadline ?
by end of day | date 2026-07-09 deadline
by EOD Friday | date 2026-07-10 deadline
by COB tomorrow | date 2026-07-10 deadline
month end | date 2026-07-31
the beginning of next month | range 2026-08-01/2026-08-10 ?
start of next week | date 2026-07-13 ?
early next week | date 2026-07-13 ?
mid-August | range 2026-08-11/2026-08-20 ?
middle of September | range 2026-09-11/2026-09-20 ?
late November | range 2026-11-21/2026-11-30 ?
early 2027 | range 2027-01-01/2027-03-31 ?
the 15th | date 2026-07-15
the 3rd | date 2026-08-03
on the 31st | date 2026-07-31
by the 20th | date 2026-07-20 deadline
the 15th of next month | date 2026-08-15
the 1st of August | date 2026-08-01
12 August | date 2026-08-12
August 12 | date 2026-08-12
Aug 12th | date 2026-08-12
12th Aug | date 2026-08-12
the 12th of August | date 2026-08-12
August 12, 2027 | date 2027-08-12
12 Aug 2027 | date 2027-08-12
3 July | date 2027-07-03
July 3 | date 2027-07-03
Dec 25th at 10am | datetime 2026-12-25T10:00
on the 22nd at 3pm | datetime 2026-07-22T15:00
Friday 17 July | date 2026-07-17
Friday, July 17 | date 2026-07-17
Friday the 17th | date 2026-07-17
Monday the 20th | date 2026-07-20
Friday the 13th | date 2026-11-13
2026-08-15 | date 2026-08-15
2026/08/15 | date 2026-08-15
15/08/2026 | date 2026-08-15
08/15/2026 | date 2026-08-15
03/04/2027 | date 2027-03-04 ?
15.08.2026 | date 2026-08-15
20260815 | date 2026-08-15
2026-08-15 14:30 | datetime 2026-08-15T14:30
2026-08-15T09:00 | datetime 2026-08-15T09:00
Aug 15 2026, 2:30pm | datetime 2026-08-15T14:30
from Monday to Friday | range 2026-07-13/2026-07-17
Monday to Friday next week | range 2026-07-13/2026-07-17
from 3 to 7 August | range 2026-08-03/2026-08-07
3-7 August | range 2026-08-03/2026-08-07
August 3-7 | range 2026-08-03/2026-08-07
August 3rd to 7th | range 2026-08-03/2026-08-07
between 3 and 7 August | range 2026-08-03/2026-08-07
between the 3rd and the 7th | range 2026-08-03/2026-08-07
from the 20th to the 25th | range 2026-07-20/2026-07-25
from 20 July to 3 August | range 2026-07-20/2026-08-03
from Dec 28 to Jan 3 | range 2026-12-28/2027-01-03
from March to May | range 2027-03-01/2027-05-31
between June and August 2027 | range 2027-06-01/2027-08-31
July 15 through July 20 | range 2026-07-15/2026-07-20
tomorrow from 9 to 11 | range 2026-07-10T09:00/2026-07-10T11:00
tomorrow 2-4pm | range 2026-07-10T14:00/2026-07-10T16:00
from 9am to 5pm | range 09:00/17:00
9am-5pm | range 09:00/17:00
9-11am | range 09:00/11:00
between 2 and 4pm | range 14:00/16:00
between 10:00 and 12:30 | range 10:00/12:30
Friday from 6 to 8pm | range 2026-07-10T18:00/2026-07-10T20:00
tonight from 8 till 10 | range 2026-07-09T20:00/2026-07-09T22:00
from now until Friday | range 2026-07-09/2026-07-10
until tomorrow | range ../2026-07-10
until 6pm | range ../18:00
till next Wednesday | range ../2026-07-15
until the end of August | range ../2026-08-31
since Monday | range 2026-07-06/..
since last week | range 2026-06-29/..
since May | range 2026-05-01/..
since 3pm | range 15:00/..
from Monday onwards | range 2026-07-13/..
from 1 August onwards | range 2026-08-01/..
starting tomorrow | range 2026-07-10/..
starting next Monday | range 2026-07-13/..
as of 1 September | range 2026-09-01/..
by Friday | date 2026-07-10 deadline
by Monday morning | date 2026-07-13 morning deadline
by 5pm | time 17:00 deadline
by 5pm tomorrow | datetime 2026-07-10T17:00 deadline
before Thursday | date 2026-07-16 deadline ?
before noon | time 12:00 deadline
by next week | range 2026-07-13/2026-07-19 deadline
by August | month 2026-08 deadline
no later than Tuesday | date 2026-07-14 deadline
Friday at the latest | date 2026-07-10 deadline
after 6pm | range 18:00/..
after Monday | range 2026-07-13/.. ?
past 7 days | range 2026-07-02/2026-07-09 ?
last 30 days | range 2026-06-09/2026-07-09 ?
the past two weeks | range 2026-06-25/2026-07-09 ?
the last three months | range 2026-04-09/2026-07-09 ?
over the past year | range 2025-07-09/2026-07-09 ?
the next 10 days | range 2026-07-09/2026-07-19 ?
the last 24 hours | range 2026-07-08T14:20/2026-07-09T14:20
the past hour | range 2026-07-09T13:20/2026-07-09T14:20
rest of the week | range 2026-07-09/2026-07-12
rest of the year | range 2026-07-09/2026-12-31
3pm | time 15:00
3 pm | time 15:00
3p.m. | time 15:00
15:30 | time 15:30
at 7 | time 07:00 ?
7ish | time 07:00 ?
around 8 | time 08:00 ?
at 7:30 | time 07:30 ?
7.30pm | time 19:30
quarter past four | time 16:15 ?
quarter to five | time 16:45 ?
half past ten | time 10:30 ?
half nine | time 09:30 ?
ten past three | time 15:10 ?
twenty to six | time 17:40 ?
five to eight | time 07:55 ?
25 past 2 | time 14:25 ?
six o'clock | time 18:00 ?
7 o'clock in the evening | time 19:00
nine thirty | time 09:30 ?
seven fifteen pm | time 19:15
noon | time 12:00
midday | time 12:00
midnight | time 00:00
noon tomorrow | datetime 2026-07-10T12:00
midnight tonight | datetime 2026-07-10T00:00
8 in the morning | time 08:00
10 at night | time 22:00
8 tonight | datetime 2026-07-09T20:00
9 tomorrow morning | datetime 2026-07-10T09:00
at 3 on Friday | datetime 2026-07-10T15:00 ?
at 8am on Monday | datetime 2026-07-13T08:00
Monday 8am | datetime 2026-07-13T08:00
8am Monday | datetime 2026-07-13T08:00
7pm tomorrow | datetime 2026-07-10T19:00
2:15 pm on July 20 | datetime 2026-07-20T14:15
Saturday night | date 2026-07-11 night
Sunday morning at 11 | datetime 2026-07-12T11:00
Friday evening around 7 | datetime 2026-07-10T19:00
tomorrow first thing | date 2026-07-10 morning
first thing Monday | date 2026-07-13 morning
Tuesday lunchtime | date 2026-07-14 noon
the morning of July 20 | date 2026-07-20 morning
early tomorrow morning | date 2026-07-10 morning
late Friday night | date 2026-07-10 night
all day Saturday | date 2026-07-11
this time tomorrow | datetime 2026-07-10T14:20
Christmas | date 2026-12-25
Christmas Eve | date 2026-12-24
New Year's Eve | date 2026-12-31
on Halloween | date 2026-10-31
Thanksgiving | date 2026-11-26
next Thanksgiving | date 2026-11-26 ?
Easter | date 2027-03-28
Easter 2027 | date 2027-03-28
Good Friday | date 2027-03-26
Easter Monday | date 2027-03-29
Labor Day | date 2026-09-07
Memorial Day | date 2027-05-31
Mother's Day | date 2027-05-09 ?
Father's Day | date 2027-06-20
Black Friday | date 2026-11-27
Chinese New Year | date 2027-02-06
MLK day | date 2027-01-18
Christmas Day at noon | datetime 2026-12-25T12:00
last Easter | date 2026-04-05
this Christmas | date 2026-12-25
Christmas next year | date 2027-12-25
Christmas 2027 | date 2027-12-25
last year's Halloween | date 2025-10-31
Bonfire Night | date 2026-11-05
St Patrick's Day | date 2027-03-17
the day after Christmas | date 2026-12-26
two days before Christmas | date 2026-12-23
a week before Easter | date 2027-03-21
the Monday after Easter | date 2027-03-29
the Friday before Christmas | date 2026-12-18
the first Monday of September | date 2026-09-07
the last Friday of the month | date 2026-07-31
last Sunday in August | date 2026-08-30
second Tuesday of next month | date 2026-08-11
the first week of August | range 2026-08-01/2026-08-07 ?
the last week of July | range 2026-07-25/2026-07-31 ?
first weekend of August | range 2026-08-01/2026-08-02
the first three days of August | range 2026-08-01/2026-08-03
last two weeks of August | range 2026-08-18/2026-08-31
the first day of next month | date 2026-08-01
the last day of August | date 2026-08-31
the week of July 20 | range 2026-07-20/2026-07-26
week commencing 20 July | range 2026-07-20/2026-07-26
"""


def test_reads_what_a_speaker_of_english_means() -> None:
    check_rows(((row, "en", NOW) for row in ROWS.strip().splitlines()), check_row)
