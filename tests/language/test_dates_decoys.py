"""Words that look like time and are none."""

from __future__ import annotations

from datetime import datetime

from tests.rows import check_rows
from wildtool.language.dates import read_dates

NOW = datetime(2026, 7, 9, 14, 20)
ENGLISH = """
I sat next to him
he wed her in secret
the sun rises early
my second child
second hand furniture
seconds of fame
third time lucky
first come first served
march on Washington
an august body
she may come
April showers bring may flowers
call me maybe
Wednesday Addams costume
June Carter Cash
August Wilson plays
May Day parade
Chelsea 3-1 Arsenal
flight at gate 12
turn to page 45
bake at 180 for 20 minutes
cook for 3 hours
a 2 hour delay
30 day money back guarantee
7-day free trial
14 day quarantine
two weeks notice
a year's supply
a month's rent
five-year plan
the company is 10 years old
half an hour walk
a three-week course
four day week
weekend getaway ideas
happy hour
rush hour
lunch hour
day trip
day care
night shift
morning person
midnight blue dress
New York Times
Times Square
time flies
big time
long time no see
any time
all the time
at the same time
once a week
twice a day
three times a year
per month
$20 a month
monthly report
weekly meeting
daily standup
annual leave
quarterly numbers
yearly subscription
autumn leaves song
summer dress
spring roll
spring water
fall asleep
winter coat
winter is coming
dr march
mar-a-lago
the 1% rule
24 hours is enough
what's 3/4 of 100
1/2 cup sugar
3/4 inch bolt
10/10 would recommend
win 11 update
12.5 km
5.30 euros
£7.30
model 2026
page 2024
2020 vision
size 10
room 2025
no. 15
1500 calories
3000 steps
2012 (the film)
1917 movie
Blade Runner 2049
Cyberpunk 2077
Agent 007
area 51
9 to 5 by Dolly Parton
working 9 to 5
five a day
one to one meeting
face to face
24-7
the 100
Sunday best
Ruby Tuesday restaurant
TGI Fridays
Mondays suck
Boxing gloves
Easter eggs recipe
Christmas jumper
Valentine's card
half moon
quarter pounder
quarter finals
o'clock
at first
at last
last chance
next door
next level
the other day
in a day or two
these days
nowadays
recently
lately
"""
CHINESE = """
一点意见
三点要求
一下子
第一名
第二天
三号选手
六号线
八一建军路
五一广场怎么走
今日头条打不开
明天会更好这首歌
《昨天》歌词
后天免疫
后天努力
一周年
周一鸣是谁
周末画报
星期五餐厅
双十一路
十一个人
三十个人
两点之间直线最短
五点钟方向
一日为师
一日三餐
半天假
半天没反应
一天两次
每周三次
一周三次
三天两头
一年四季
十年老店
百年孤独
七年之痒
千年等一回
八小时工作制
24小时便利店
7天无理由退货
30天免费试用
三天的假
两小时车程
五分钟路程
半小时路程
开会一小时
等了两小时
睡了八小时
20块钱
5号电池
7号电池
92号汽油
1号店
买一送一
三缺一
一年级
大一
初一学生
初三数学
初中
月饼
月亮
月薪一万
日本
日语
日记
生日快乐
周杰伦
周年庆
年薪
年龄
年级
时间
时候
小时候
天气
天津
春天来了
夏天的味道
冬天很冷
中秋月饼做法
元宵怎么煮
圣诞树
情人节快乐
新年好
国庆快乐
早点睡
晚点再说
早晚会成功
早饭吃啥
晚安
午睡
下午茶
晚会节目单
晚上好
明白了
明显
明星
昨非
今后
前天性
前后左右
之前说过
以后再说
后来
最后
以前
从前
目前
刚才
马上
立刻
现在
等会儿
回头再聊
改日再约
几点了
几号
哪天
多少天
多久
第3季
第5集
版本2.3.1
比分3:2
16:9
1:1
3比2
12306
110
95588
航班CA1234
G1234次
5G
4K
3D
2B
A4纸
iPhone15
618元
520块
315元
10.5折
7.5折
8.5分
一百二十分
九十分
三分之一
二八定律
四六级
985
211
"""


def reads_nothing(text: str, language: str) -> None:
    assert read_dates(text, language, NOW) == ()


def test_english_decoys() -> None:
    check_rows(((text, "en") for text in ENGLISH.strip().splitlines()), reads_nothing)


def test_chinese_decoys() -> None:
    check_rows(((text, "zh") for text in CHINESE.strip().splitlines()), reads_nothing)
