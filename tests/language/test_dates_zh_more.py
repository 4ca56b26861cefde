"""Dates as people say them in Chinese, continued."""

from __future__ import annotations

from datetime import datetime

from tests.language.moments import check_row
from tests.rows import check_rows

NOW = datetime(2026, 7, 9, 14, 20)  # a Thursday
# Text | what it names: kind, ISO text, part of the day, deadline, "?" where a listener would ask back. Reckoned by hand.
ROWS = """
今年国庆 | date 2026-10-01
明年五一 | date 2027-05-01
后年春节 | date 2028-01-26
春节假期 | range 2027-02-06/2027-02-12 ?
中秋那天 | date 2026-09-25
圣诞前夜 | date 2026-12-24
双11 | date 2026-11-11
母亲节那天 | date 2027-05-09
周五或者周六 | date 2026-07-10; date 2026-07-11
下午3:30 | time 15:30
早上9:15 | time 09:15
9:15 | time 09:15
晚8:00 | time 20:00
20:00前 | time 20:00 deadline
20点 | time 20:00
二十点 | time 20:00
两点 | time 14:00 ?
两点一刻 | time 14:15 ?
两点三刻 | time 14:45 ?
十二点半 | time 12:30 ?
差五分十二点 | time 11:55 ?
差十分钟三点 | time 14:50 ?
四点差一刻 | time 15:45 ?
凌晨零点 | time 00:00
零点十分 | time 00:10
半夜两点 | time 02:00
夜里十一点 | time 23:00
大清早 | none
大晚上 | none
今晚十一点半 | datetime 2026-07-09T23:30
今天晚上12点 | datetime 2026-07-10T00:00
明天一早 | date 2026-07-10 morning
后天一大早 | date 2026-07-11 morning
周一上午 | date 2026-07-13 morning
下周四下午 | date 2026-07-16 afternoon
8月上旬 | range 2026-08-01/2026-08-10
上月中旬 | range 2026-06-11/2026-06-20
下下个月初 | range 2026-09-01/2026-09-10 ?
明年年初 | range 2027-01-01/2027-03-31 ?
明年6月底 | date 2027-06-30
年后 | none
年前 | none
元旦前 | date 2027-01-01 deadline
节前 | none
下班前 | none
睡前 | none
两周内 | range 2026-07-09/2026-07-23 ?
一个月内 | range 2026-07-09/2026-08-09 ?
24小时内 | range 2026-07-09T14:20/2026-07-10T14:20
三天之内 | range 2026-07-09/2026-07-12 ?
三年前的今天 | date 2023-07-09
一个月前的今天 | date 2026-06-09
去年今天 | date 2025-07-09
去年今日 | date 2025-07-09
前年今日 | date 2024-07-09
20天以后 | date 2026-07-29
100天后 | date 2026-10-17
半天后 | datetime 2026-07-10T02:20
两天半后 | datetime 2026-07-12T02:20
一年半后 | date 2028-01-09
俩月后 | date 2026-09-09
仨月前 | date 2026-04-09
五分钟 | none
过十分钟提醒我 | datetime 2026-07-09T14:30
再过半小时 | datetime 2026-07-09T14:50
一个钟头后 | datetime 2026-07-09T15:20
俩钟头前 | datetime 2026-07-09T12:20
上一周 | range 2026-06-29/2026-07-05
下一周 | range 2026-07-13/2026-07-19
下一个月 | month 2026-08
上一年 | range 2025-01-01/2025-12-31
这一周 | range 2026-07-06/2026-07-12
下周的今天 | date 2026-07-16
上周的今天 | date 2026-07-02
本周日之前 | date 2026-07-12 deadline
下周五前交 | date 2026-07-17 deadline
最晚明天下午五点 | datetime 2026-07-10T17:00 deadline
不晚于周四 | date 2026-07-16 deadline ?
截止周五 | range ../2026-07-10
截止时间是周五下午6点 | datetime 2026-07-10T18:00
从8月1日开始 | range 2026-08-01/..
从3点开始 | range 15:00/.. ?
自从去年 | range 2025-01-01/..
去年以来 | range 2025-01-01/..
今年以来 | range 2026-01-01/..
上周以来 | range 2026-06-29/..
一直到下周五 | range ../2026-07-17
持续到周日 | range ../2026-07-12
早上9点到晚上9点 | range 09:00/21:00
9点到18点 | range 09:00/18:00
上午十点到十二点 | range 10:00/12:00
周一下午2点到4点 | range 2026-07-13T14:00/2026-07-13T16:00
晚上10点到凌晨2点 | range 22:00/02:00
1月到3月 | range 2027-01-01/2027-03-31
一季度 | range 2026-01-01/2026-03-31 ?
今年三季度 | range 2026-07-01/2026-09-30
Q3 | range 2026-07-01/2026-09-30
今晚零点 | datetime 2026-07-10T00:00
上午的会改到周四下午三点 | datetime 2026-07-16T15:00 ?
下午三点的会议推迟到四点 | time 15:00; time 16:00 ?
帮我把闹钟设成七点 | time 07:00
早上七点半的闹钟 | time 07:30
查一下8月10号上海到北京的机票 | date 2026-08-10
看看明天北京的天气 | date 2026-07-10
昨天的销售额是多少 | date 2026-07-08
上个月的账单发给我 | month 2026-06
10月1日到7日的酒店 | range 2026-10-01/2026-10-07
从明天开始连续七天提醒我 | range 2026-07-10/..
后天之前给我答复 | date 2026-07-11 deadline
我下个月15号过生日 | date 2026-08-15
他上周五就走了 | date 2026-07-03
孩子9月1号开学 | date 2026-09-01
我们三年前认识的 | date 2023-07-09
大概两个小时以后到 | datetime 2026-07-09T16:20
明天这个时候 | datetime 2026-07-10T14:20
下周找个时间聊 | range 2026-07-13/2026-07-19
今年中秋是几号 | date 2026-09-25
去年春节我们去了三亚 | date 2025-01-29
去年的销售数据 | range 2025-01-01/2025-12-31
二月十四号 | date 2027-02-14
七月份去旅游 | month 2026-07
五一前能发货吗 | date 2027-05-01 deadline
初一拜年 | date 2027-02-06
星期六上午 | date 2026-07-11 morning
上星期天 | date 2026-07-05
下星期一上午九点 | datetime 2026-07-13T09:00
本周六晚上 | date 2026-07-11 evening
今天下班前 | date 2026-07-09 deadline
一个小时之内 | range 2026-07-09T14:20/2026-07-09T15:20
这个周三 | date 2026-07-08
上个季度 | range 2026-04-01/2026-06-30
今年第一季度 | range 2026-01-01/2026-03-31
这个季度末 | date 2026-09-30
明年一月初 | range 2027-01-01/2027-01-10 ?
每个月底 | none
去年底 | date 2025-12-31
今年底 | date 2026-12-31
本周末前 | range 2026-07-11/2026-07-12 deadline
9月前 | month 2026-09 deadline
2026年底 | date 2026-12-31
2025年初 | range 2025-01-01/2025-03-31 ?
2025年国庆 | date 2025-10-01
2024-12 | month 2024-12
2024/12/25 | date 2024-12-25
12/25 | date 2026-12-25
12月25 | date 2026-12-25
12.25号 | date 2026-12-25
20:30 | time 20:30
明天20:30 | datetime 2026-07-10T20:30
周五19:00 | datetime 2026-07-10T19:00
7:30起床 | time 07:30
晚上7:30 | time 19:30
19点30 | time 19:30
十九点三十分 | time 19:30
下午一点 | time 13:00
一点半 | time 13:30 ?
中午一点 | time 13:00
中午十一点半 | time 11:30
晚上一点 | time 01:00
凌晨12点 | time 00:00
早晨六点一刻 | time 06:15
夜里三点 | time 03:00
明天夜里一点 | datetime 2026-07-11T01:00 ?
周三凌晨两点 | datetime 2026-07-15T02:00
"""


def test_reads_what_a_speaker_of_chinese_means() -> None:
    check_rows(((row, "zh", NOW) for row in ROWS.strip().splitlines()), check_row)
