"""Dates as people say them in English, continued."""

from __future__ import annotations

from datetime import datetime

from tests.language.moments import check_row
from tests.rows import check_rows

NOW = datetime(2026, 7, 9, 14, 20)  # a Thursday
# Text | what it names: kind, ISO text, part of the day, deadline, "?" where a listener would ask back. Reckoned by hand.
ROWS = """
week of the 20th | range 2026-07-20/2026-07-26
this summer | range 2026-06-01/2026-08-31 ?
next spring | range 2027-03-01/2027-05-31 ?
second half of the year | range 2026-07-01/2026-12-31
last Friday of the month | date 2026-07-31
Monday, Wednesday and Friday | date 2026-07-13; date 2026-07-15; date 2026-07-10
meetings on Tuesday and Thursday | date 2026-07-14; date 2026-07-16 ?
Can you check the weather in Paris on Monday and Tuesday? | date 2026-07-13; date 2026-07-14
I need a flight from London to Rome on the 14th | date 2026-07-14
book a table for two at 8 on Saturday | datetime 2026-07-11T08:00 ?
book a table for 4 people tomorrow at 7:30pm | datetime 2026-07-10T19:30
set an alarm for 6:45 | time 06:45
wake me at 6 | time 06:00
dinner at 8 | time 20:00
meeting at 3 | time 15:00 ?
I paid the rent on the 1st | date 2026-07-01
we flew back on June 30 | date 2026-06-30
we went to Spain in June | month 2026-06
it happened last March | month 2026-03
Did it rain yesterday? | date 2026-07-08
who called me on Sunday night | date 2026-07-05 night
Remind me to call mom on Sunday | date 2026-07-12
what happened on 9/11 | none
we need 24/7 support | none
May I ask something | none
you may leave | none
march forward | none
the march was long | none
April is my sister | none
ask June about it | none
may the force be with you | none
in May | month 2027-05
my flight is May 5 | date 2027-05-05
the meeting is 5 May at 10 | datetime 2027-05-05T10:00 ?
play Yesterday by The Beatles | none
watch Groundhog Day movie | none
open monday.com | none
version 2.3.1 | none
call 555-1234 | none
my number is 07700 900123 | none
room 1205 | none
order #20240105 | none
I have 5 kids | none
a 10 to 1 favourite | none
the score was 3-2 | none
give me a second | none
wait a minute | none
one day I'll go | none
two days | none
a 3 day trip | none
stay for 5 nights | none
it takes 20 minutes | none
30 years old | none
she's 25 | none
second floor | none
the 5th avenue store | none
the 2nd one | none
the 1st option | none
the first of May | date 2027-05-01
in the first place | none
first of all | none
at last | none
good morning | none
good evening everyone | none
have a good weekend | none
happy new year | none
Happy Birthday | none
every Monday | none
every day at 9am | time 09:00
on Mondays | none
sun cream | none
Sunday Times | none
The Friday Night Lights show | none
once upon a time | none
next time | none
last time | none
from time to time | none
half of them | none
quarter of a million | none
half price | none
a second opinion | none
ten to one | time 12:50 ?
on and off | none
call of duty 4 | none
chapter 3 to 5 | none
pages 10-12 | none
2 out of 3 | none
5-6 people | none
top 10 | none
route 66 | none
flight BA245 | none
iPhone 15 | none
Windows 11 | none
1984 is a great book | none
in 2000 words | none
a 2025 model | none
20% off | none
$20 | none
at 20 degrees | none
at 50 mph | none
within 3 days | range 2026-07-09/2026-07-12 ?
for the next two weeks | range 2026-07-09/2026-07-23 ?
by 2030 | range 2030-01-01/2030-12-31 deadline
before 9am on Friday | datetime 2026-07-10T09:00 deadline
between now and Friday | range 2026-07-09/2026-07-10
from tomorrow | range 2026-07-10/..
the email from yesterday | date 2026-07-08
photos from last Christmas | date 2025-12-25
notes from Monday's meeting | date 2026-07-06
Monday's meeting | date 2026-07-13
today's news | date 2026-07-09
tomorrow's weather | date 2026-07-10
this evening's show | date 2026-07-09 evening
12/05 | date 2026-12-05 ?
on 12/05 | date 2026-12-05 ?
5/6 at 3pm | datetime 2027-05-06T15:00 ?
31/12 | date 2026-12-31
due 3/15 | date 2027-03-15
Jan 5-9 | range 2027-01-05/2027-01-09
Jan. 5 | date 2027-01-05
5th Jan 2027 | date 2027-01-05
Tue 14 July 10:30 | datetime 2026-07-14T10:30 ?
Sat 11/07 | date 2026-11-07 ?
Thu 3pm | datetime 2026-07-16T15:00 ?
next Fri 4pm | datetime 2026-07-17T16:00 ?
Wed to Fri | range 2026-07-15/2026-07-17
9 to 5 tomorrow | range 2026-07-10T09:00/2026-07-10T17:00
8-10 tonight | range 2026-07-09T20:00/2026-07-09T22:00
sunday 10-12 | range 2026-07-12T10:00/2026-07-12T12:00
Friday night at 9:30 | datetime 2026-07-10T21:30
the 4th of July | date 2027-07-04
July 4th fireworks | date 2027-07-04
4 July | date 2027-07-04
Valentine's | date 2027-02-14
Xmas | date 2026-12-25
mid next week | date 2026-07-15 ?
later this week | range 2026-07-09/2026-07-12
later this month | range 2026-07-09/2026-07-31
sometime next week | range 2026-07-13/2026-07-19
end of next year | date 2027-12-31
the last weekend of September | range 2026-09-26/2026-09-27
a fortnight on Monday | date 2026-07-27
three months ago today | date 2026-04-09
exactly one year ago | date 2025-07-09
half a year ago | date 2026-01-09
a decade ago | date 2016-07-09
in 20 min | datetime 2026-07-09T14:40
in 2 hrs | datetime 2026-07-09T16:20
2h ago | datetime 2026-07-09T12:20
30 mins ago | datetime 2026-07-09T13:50
an hour and a half ago | datetime 2026-07-09T12:50
about two hours ago | datetime 2026-07-09T12:20
7 in the evening on Friday | datetime 2026-07-10T19:00
11:59pm on the 30th | datetime 2026-07-30T23:59
23:59 | time 23:59
00:30 | time 00:30
noon to 2pm | range 12:00/14:00
from noon till midnight | range 12:00/00:00
quarter to seven tomorrow morning | datetime 2026-07-10T06:45
half five on Thursday | datetime 2026-07-16T17:30 ?
ten to eight this morning | datetime 2026-07-09T07:50
5 past 9 pm | time 21:05
12:30 | time 12:30
at 12 | time 12:00 ?
eight o'clock tonight | datetime 2026-07-09T20:00
at nine sharp tomorrow | datetime 2026-07-10T09:00 ?
Tuesday's class was cancelled | date 2026-07-07
The report from Tuesday | date 2026-07-07
I was born on 5 May 1990 | date 1990-05-05
my birthday is on March 3rd | date 2027-03-03
her birthday was last Thursday | date 2026-07-02
the conference runs from September 14 to September 18 | range 2026-09-14/2026-09-18
we're closed from December 24th through January 2nd | range 2026-12-24/2027-01-02
flights to Tokyo next month | month 2026-08
hotel from the 5th to the 8th of August | range 2026-08-05/2026-08-08
from August 5th to the 8th | range 2026-08-05/2026-08-08
August 5 - 8 | range 2026-08-05/2026-08-08
8/5/2026 - 8/8/2026 | range 2026-08-05/2026-08-08 ?
5 Aug – 8 Aug | range 2026-08-05/2026-08-08
Sat–Sun | range 2026-07-11/2026-07-12
this Saturday and Sunday | date 2026-07-11; date 2026-07-12
tomorrow through Sunday | range 2026-07-10/2026-07-12
from tomorrow until Sunday | range 2026-07-10/2026-07-12
next Monday to Wednesday | range 2026-07-13/2026-07-15
weekdays | none
what's the weather like this evening | date 2026-07-09 evening
will it rain tomorrow afternoon | date 2026-07-10 afternoon
can we do 4pm Thursday instead | datetime 2026-07-16T16:00 ?
let's do lunch at 12:30 on Friday | datetime 2026-07-10T12:30
let's meet at half six | time 18:30 ?
the train at 18:05 | time 18:05
a table for 6 at 6 | time 18:00 ?
wake up call at 5:45am | time 05:45
remind me at 10 | time 10:00 ?
ring me after 5 | range 17:00/.. ?
anything before 11am | time 11:00 deadline
must arrive by 9:30am Monday | datetime 2026-07-13T09:30 deadline
finish by next Friday | date 2026-07-17 deadline ?
submit before August 1 | date 2026-08-01 deadline
due on Monday | date 2026-07-13
due tomorrow | date 2026-07-10
expires in 3 days | date 2026-07-12
expired 3 days ago | date 2026-07-06
it ended two days ago | date 2026-07-07
it started an hour ago | datetime 2026-07-09T13:20
I ran 5k in 20 minutes | none
the game lasts 90 minutes | none
give it 5 minutes | none
5 days from now | date 2026-07-14
3 weeks from Saturday | date 2026-08-01
the day after Thanksgiving | date 2026-11-27
the Sunday before Labor Day | date 2026-09-06
three days after Christmas | date 2026-12-28
the third Thursday in November | date 2026-11-19
first Saturday of next month | date 2026-08-01
last day of the month | date 2026-07-31
the last Monday in May | date 2027-05-31
the first of the month | date 2026-07-01
the 1st of next month | date 2026-08-01
the first half of August | range 2026-08-01/2026-08-15
second week of October | range 2026-10-08/2026-10-14 ?
the beginning of 2027 | range 2027-01-01/2027-03-31 ?
early September | range 2026-09-01/2026-09-10 ?
mid May | range 2027-05-11/2027-05-20 ?
end of Feb | date 2027-02-28
in late 2026 | range 2026-10-01/2026-12-31 ?
in early March | range 2027-03-01/2027-03-10 ?
spring 2027 | range 2027-03-01/2027-05-31 ?
the summer of 2025 | range 2025-06-01/2025-08-31 ?
winter | none
next winter | range 2026-12-01/2027-02-28 ?
Fall 2026 | range 2026-09-01/2026-11-30 ?
H1 | range 2026-01-01/2026-06-30
first quarter results | range 2026-01-01/2026-03-31 ?
Q3 last year | range 2025-07-01/2025-09-30
2025 Q4 | range 2025-10-01/2025-12-31
last 3 months | range 2026-04-09/2026-07-09 ?
previous month | month 2026-06
previous week | range 2026-06-29/2026-07-05
last couple of weeks | range 2026-06-25/2026-07-09 ?
the 2010s | range 2010-01-01/2019-12-31
in the 80s | range 1980-01-01/1989-12-31
three o'clock this afternoon | datetime 2026-07-09T15:00
four-thirty | time 16:30 ?
ten fifteen tomorrow | datetime 2026-07-10T10:15 ?
at nine-thirty pm | time 21:30
8.30 am | time 08:30
7 p.m. on Monday | datetime 2026-07-13T19:00
Mon 7 pm | datetime 2026-07-13T19:00
Monday @ 7pm | datetime 2026-07-13T19:00
7pm sharp | time 19:00
12am | time 00:00
12pm | time 12:00
12 noon on Sunday | datetime 2026-07-12T12:00
midnight on Friday | datetime 2026-07-11T00:00 ?
Friday midnight | datetime 2026-07-11T00:00 ?
late tonight | date 2026-07-09 night
early this morning | date 2026-07-09 morning
later this evening | date 2026-07-09 evening
tomorrow evening at 8 | datetime 2026-07-10T20:00
tomorrow night at half past eight | datetime 2026-07-10T20:30
on the evening of the 12th | date 2026-07-12 evening
Christmas morning | date 2026-12-25 morning
New Year's Day at noon | datetime 2027-01-01T12:00
Halloween night | date 2026-10-31 night
day after tmrw at 5 | datetime 2026-07-11T17:00 ?
tmr 3pm | datetime 2026-07-10T15:00
2day | date 2026-07-09
soon | none
someday | none
sometime | none
she finished it in three weeks | none
he will be back in an hour | datetime 2026-07-09T15:20
the fall of 2025 | range 2025-09-01/2025-11-30 ?
EOF | none
"""


def test_reads_what_a_speaker_of_english_means() -> None:
    check_rows(((row, "en", NOW) for row in ROWS.strip().splitlines()), check_row)
