"""What a need is about: topics finer than the taxonomy, each under one of its minor categories.

They serve three ends: to see that a user turns to something else, to file a cluster under the taxonomy, and to name
the tools that a scenario needs. Words are stems of everyday use, none is taken from a corpus.
"""

# ruff: noqa: E501 - word lists read best whole
from __future__ import annotations

import re
from collections import Counter
from dataclasses import dataclass
from functools import lru_cache

from wildtool.language.phrase_tree import tree
from wildtool.schemas.vocabulary import Language


@dataclass(frozen=True, slots=True)
class Topic:
    """A topic, its words and the tools it needs, in both languages."""

    name: str
    """Key, and English name."""
    zh: str
    """Chinese name."""
    subcategory: str
    """Minor category of the taxonomy."""
    words: dict[Language, tuple[str, ...]]
    """Words that show it; phrases of several words are allowed."""
    needs: dict[Language, tuple[str, ...]]
    """Capabilities, as short phrases."""


def _topic(name: str, zh: str, minor: str, words: str, words_zh: str, needs: str, needs_zh: str) -> Topic:
    return Topic(
        name,
        zh,
        minor,
        {
            Language.EN: tuple(word.replace("_", " ") for word in words.split()),
            Language.ZH: tuple(words_zh.split()),
        },
        {Language.EN: tuple(needs.split("; ")), Language.ZH: tuple(needs_zh.split("；"))},
    )


TOPICS: tuple[Topic, ...] = (
    _topic("weather", "天气", "weather and astronomy",
           "weather rain raining rainy snow snowing sunny forecast temperature degrees humidity wind windy cloudy storm umbrella hot_outside cold_outside precipitation thunderstorm celsius fahrenheit",
           "天气 下雨 下雪 气温 温度 预报 晴天 多云 带伞 降雨 台风 湿度 刮风 几度 冷不冷 热不热",
           "weather forecast by place and day", "按地点和日期查天气预报"),
    _topic("astronomy", "天文", "weather and astronomy",
           "sunrise sunset moon eclipse meteor planet planets astronomy telescope aurora constellation spaceship",
           "日出 日落 月亮 月食 日食 流星 行星 天文 星座 极光",
           "times of sun, moon and sky events", "查日月与天象时间"),
    _topic("air quality", "空气质量", "air quality and carbon",
           "aqi air_quality pollution pollen smog pm2.5 carbon emissions co2 footprint",
           "空气质量 雾霾 污染 pm2.5 PM2.5 花粉 碳排放 碳足迹",
           "air quality by place; carbon footprint of an activity", "查空气质量；计算碳排放"),
    _topic("animals and nature", "动物与自然", "animals and nature",
           "dog cat puppy kitten bird birds species animal animals plant plants flower tree breed pet vet wildlife fish insect garden hedgehog",
           "狗 猫 宠物 动物 植物 鸟 品种 花草 物种 养花 昆虫",
           "facts on a species or breed", "查物种或品种信息"),
    _topic("places and directions", "地点与路线", "geocoding and places",
           "directions route navigate address coordinates map distance how_far walk_to get_to nearest nearby latitude longitude postcode zip_code",
           "怎么走 路线 导航 地址 坐标 地图 距离 多远 附近 周边 经纬度 邮编 怎么去",
           "geocode an address; route between two places; places nearby", "地址解析；两地路线；附近地点"),
    _topic("sights", "景点", "geocoding and places",
           "museum attraction attractions landmark sightseeing monument park gallery castle tourist zoo",
           "景点 景区 博物馆 公园 游玩 名胜 古迹 旅游 门票 参观 动物园 游览",
           "search sights by place, price and rating", "按地点、票价和评分查景点"),
    _topic("train and transit", "铁路与公交", "rail and transit",
           "train trains bus buses metro subway tram station platform timetable railway coach ticket_to departures line_delay tgv",
           "火车 高铁 动车 地铁 公交 公交车 车站 车次 时刻表 班车 地铁站 换乘",
           "departures between two stations; book a seat", "查两地车次；订票"),
    _topic("ride", "打车", "flights, airports and road",
           "taxi cab uber lyft ride pick_me_up driver chauffeur carpool",
           "打车 出租 出租车 网约车 叫车 司机 车牌",
           "order a ride; status of a ride", "叫车；查询行程状态"),
    _topic("car rental", "租车", "flights, airports and road",
           "rental_car rent_a_car car_rental rent_car hatchback suv sedan dropoff pickup_date",
           "租车 自驾 还车 取车",
           "search cars for hire by place and date", "按地点和日期查租车"),
    _topic("road", "路况", "flights, airports and road",
           "traffic parking toll petrol gas_station gas_price charging_station highway roadworks fuel ev_charger drive_time",
           "路况 堵车 停车 停车场 加油 加油站 高速 充电桩 油价 限行",
           "traffic on a route; parking and fuel nearby", "查路况；附近停车与加油"),
    _topic("flight", "航班", "flights, airports and road",
           "flight flights airport airline airlines fly flying plane boarding layover departure_gate one-way round_trip nonstop baggage luggage",
           "航班 机票 飞机 机场 航空 登机 直飞 转机 行李 起飞",
           "search flights; status of a flight", "查航班；查询航班动态"),
    _topic("stocks", "股票", "stocks and crypto",
           "stock stocks share_price shares ticker nasdaq dividend portfolio bitcoin btc crypto ethereum eth coin etf",
           "股票 股价 大盘 基金 比特币 加密货币 涨跌 A股 港股 行情",
           "quote of a stock or coin; price history", "查股票或币价；历史行情"),
    _topic("currency", "汇率", "currency, budgets and payments",
           "exchange_rate currency convert euros dollars pounds yen usd eur gbp sek pesos yuan",
           "汇率 换算 美元 欧元 人民币 日元 英镑 外币 兑换",
           "exchange rate; convert an amount", "查汇率；金额换算"),
    _topic("banking", "银行", "currency, budgets and payments",
           "bank balance transfer checking savings account fraud transaction transactions iban payment paypal venmo charged refund_to invoice pay_my budget loan mortgage interest tax",
           "银行 余额 转账 账户 支付 信用卡 账单 贷款 利率 预算 理财 付款 记账 税",
           "balance of an account; transfer money; report a transaction", "查账户余额；转账；申报交易"),
    _topic("companies", "企业", "company and economic data",
           "company ceo revenue earnings market_cap gdp inflation unemployment interest_rate economy startup vat_number quarterly",
           "公司 企业 营收 财报 市值 GDP 通胀 失业率 经济 工商",
           "facts on a company; an economic series", "查企业信息；查经济指标"),
    _topic("news", "新闻", "news",
           "news headline headlines article articles breaking latest_on report journalist",
           "新闻 头条 报道 热点 资讯 时事",
           "headlines by subject", "按主题查新闻"),
    _topic("translation", "翻译", "dictionaries and text",
           "translate translation meaning_of synonym definition define word spell spelling grammar rephrase rewrite proofread paraphrase pronounce in_spanish in_french in_german summarize summarise essay write_an_email draft_an_email",
           "翻译 意思 近义词 成语 语法 改写 润色 拼写 怎么读 英文怎么说 定义 造句 总结 作文 写一封",
           "translate a text; look up a word", "翻译文本；查词义"),
    _topic("books", "图书", "books, quotes and poems",
           "book_by novel author poem poems poet quote quotes library isbn chapter read_next writer literature audiobook who_said",
           "小说 作者 诗 诗词 诗句 名言 图书 图书馆 出版 谁写的 出处 读书 书籍",
           "search books, quotes or poems", "查图书、名言或诗词"),
    _topic("music", "音乐", "music and audio",
           "song songs music album artist playlist band playback lyrics listen concert_by podcast spotify genre track radio singer",
           "歌 歌曲 音乐 专辑 歌手 播放 听歌 歌词 乐队 播客 演唱 作曲",
           "search songs; play a song", "查歌曲；播放歌曲"),
    _topic("film", "影视", "film, anime and images",
           "movie movies film films cinema theater showtime showtimes series episode actor actress director anime netflix stream subtitles tv_show picture_of photo image trailer showing",
           "电影 影院 导演 演员 电视剧 动漫 主演 影片 上映 字幕 图片 剧集 票房 番剧",
           "search films and series; showtimes; play", "查影视；场次；播放"),
    _topic("games", "游戏", "games, sports and social",
           "game games quiz trivia riddle steam playstation xbox nintendo chess minecraft video_game",
           "游戏 谜语 猜谜 手游 问答 棋",
           "facts on a game; a quiz question", "查游戏信息；出题"),
    _topic("sports", "体育", "games, sports and social",
           "match score scores team league football soccer basketball nba tennis baseball playoffs goal fixtures f1 olympics standings",
           "比赛 比分 球队 联赛 足球 篮球 NBA 世界杯 赛程 排名 奥运",
           "fixtures and results of a team", "查球队赛程与比分"),
    _topic("social", "社交", "games, sports and social",
           "post tweet instagram followers hashtag reddit tiktok subreddit mastodon message_to feed rsvp party guests host_a birthday_party",
           "微博 朋友圈 粉丝 关注 发帖 抖音 小红书 聚会 派对 嘉宾",
           "posts by subject; invitations to a party", "按话题查帖子；聚会邀请"),
    _topic("law", "选举与法律", "elections and law",
           "election vote senator congress law legal bill motion tenant landlord deposit_back visa passport court parliament regulation rights sue contract",
           "法律 选举 合同 签证 护照 法院 条例 规定 维权 劳动法 投诉 押金",
           "text of a law; elected officials by place", "查法律条文；查民意代表"),
    _topic("statistics", "统计", "statistics",
           "population statistics census dataset percentage average_income per_capita survey data_on birth_rate",
           "人口 统计 普查 数据集 占比 平均工资 人均收入",
           "a statistic by place and year", "按地区和年份查统计数据"),
    _topic("health", "健康", "health",
           "doctor doctors appointment dentist hospital clinic symptoms symptom medicine dose ibuprofen pharmacy therapist allergy vaccine fever headache calories exercise workout prescription dermatologist gynecologist psychologist",
           "医生 医院 挂号 症状 药 牙医 诊所 过敏 疫苗 发烧 头疼 感冒 体检 卡路里 健身 预约门诊",
           "find a doctor; book an appointment; facts on a medicine", "找医生；预约就诊；查药品信息"),
    _topic("restaurant", "餐馆", "food and drink",
           "restaurant restaurants table dinner lunch brunch eat food cuisine menu pizza sushi vegan vegetarian steakhouse bistro diner burger ramen indian_food chinese_food reservation_for_dinner hungry",
           "餐馆 餐厅 饭店 吃饭 菜 美食 订位 订座 火锅 烤鸭 小吃 人均 推荐菜 晚饭 午饭 聚餐 外卖",
           "search restaurants; book a table", "查餐馆；订座"),
    _topic("coffee and drinks", "咖啡与饮品", "food and drink",
           "coffee latte cappuccino espresso mocha americano cortado tea bar pub wine beer cocktail cocktails drink drinks cafe",
           "咖啡 奶茶 茶 酒吧 红酒 啤酒 鸡尾酒 饮料 拿铁",
           "menu of a café; order a drink", "查饮品单；点饮品"),
    _topic("recipes", "菜谱", "food and drink",
           "recipe recipes cook cooking bake baking ingredients oven nutrition dish meal_plan protein flour",
           "菜谱 做法 食材 烹饪 烘焙 怎么做菜 营养 烤箱",
           "recipes by ingredient", "按食材查菜谱"),
    _topic("shopping", "购物", "shopping and orders",
           "buy cheapest price_of order delivery shipping parcel tracking return_it shoes laptop phone_case discount coupon amazon ebay store shop product size_chart refund warranty",
           "买 购买 价格 快递 物流 订单 发货 退货 优惠券 淘宝 京东 鞋 电脑 商品 售后 换货 运费",
           "search products by price; status of an order", "按价格查商品；查订单状态"),
    _topic("hotel", "酒店", "jobs, holidays and activities",
           "hotel hotels room rooms check-in check-out check_in hostel airbnb stay_in bed_and_breakfast bnb suite lodging accommodation resort inn campsite",
           "酒店 宾馆 住宿 民宿 房间 入住 退房 旅馆 客房 酒店式公寓 标间 大床房",
           "search hotels; book a room", "查酒店；订房"),
    _topic("homes", "租房", "jobs, holidays and activities",
           "apartment apartments rent house_to home_to property bedroom bedrooms flat lease tenant_viewing visit_the_property realtor",
           "租房 房租 公寓 房子 看房 小区 二手房 买房 户型",
           "search homes; arrange a viewing", "查房源；预约看房"),
    _topic("events", "活动", "jobs, holidays and activities",
           "event events concert concerts festival theatre tickets_for exhibition gig comedy_show things_to_do workshop class",
           "活动 演唱会 音乐节 展览 话剧 演出 周末去哪 讲座 亲子",
           "events by place and day; buy tickets", "按地点和日期查活动；购票"),
    _topic("jobs", "求职", "jobs, holidays and activities",
           "job jobs salary resume cv interview hiring vacancy vacancies career remote_work internship cover_letter",
           "工作 招聘 求职 简历 面试 工资 薪资 实习 职位 跳槽",
           "search vacancies by place and pay", "按地点和薪资查职位"),
    _topic("holidays", "节假日", "jobs, holidays and activities",
           "holiday holidays vacation bank_holiday public_holiday days_off long_weekend itinerary trip travel",
           "放假 假期 节日 调休 国庆 春节 假日 行程 年假",
           "public holidays of a country and year", "按国家和年份查节假日"),
    _topic("salon", "美容", "jobs, holidays and activities",
           "salon hairdresser haircut stylist barber unisex beauty nails massage spa",
           "理发 美发 美容 美甲 按摩 剪头发",
           "find a salon; book a slot", "查美容美发店；预约"),
    _topic("network", "域名与网络", "URL, domain and IP",
           "domain dns whois ip_address url website hosting ssl certificate ping server_down shorten_link redirect mx_record subnet",
           "域名 网址 IP 网站 证书 服务器 解析 短链接 备案",
           "look up a domain or address", "查域名或 IP"),
    _topic("security", "安全", "security and identity",
           "password passwords breach hacked phishing 2fa malware virus leaked vulnerability cve encrypt hash scam",
           "密码 泄露 被盗 钓鱼 病毒 漏洞 加密 诈骗 验证码",
           "check a leak; make a password", "查泄露；生成密码"),
    _topic("calendar", "日程", "utilities and documents",
           "calendar meeting schedule_a reminder remind alarm agenda timer time_zone timezone what_time_is_it appointment_in_my",
           "日历 会议 提醒 闹钟 日程 安排 时区 倒计时 几点了",
           "events in a calendar; add an event or reminder", "查日程；添加日程或提醒"),
    _topic("documents and code", "文档与代码", "utilities and documents",
           "pdf document file spreadsheet excel csv qr_code barcode code python javascript regex json script function bug error sql docker git convert_file unit_conversion calculate",
           "文档 表格 文件 二维码 代码 脚本 报错 函数 程序 正则 格式转换 计算 Excel PDF",
           "convert or read a document; make a code", "文档转换与读取；生成条码"),
)  # fmt: skip
"""Topics, in the order of the taxonomy."""

TOPIC_BY_NAME = {topic.name: topic for topic in TOPICS}

_WORD = re.compile(r"[a-z0-9][a-z0-9.'-]*[a-z0-9]|[a-z]")


@lru_cache(maxsize=1)
def _tables() -> tuple[dict[str, str], re.Pattern[str], dict[str, str], re.Pattern[str]]:
    single: dict[str, str] = {}
    phrases: dict[str, str] = {}
    han: dict[str, str] = {}
    for topic in TOPICS:
        for word in topic.words[Language.EN]:
            (phrases if " " in word else single).setdefault(word, topic.name)
        for word in topic.words[Language.ZH]:
            han.setdefault(word, topic.name)
    return single, re.compile(rf"\b{tree(phrases)}\b"), {**phrases, **han}, re.compile(tree(han))


@lru_cache(maxsize=20_000)
def topics_in(text: str) -> Counter[str]:
    """Topics whose words stand in a text, with how many. Phrases count twice: they are surer than words."""
    single, phrase_pattern, names, han_pattern = _tables()
    lowered = text.lower()
    found: Counter[str] = Counter()
    for word in _WORD.findall(lowered):
        topic = single.get(word) or (single.get(word[:-1]) if word.endswith("s") else None)
        if topic is not None:
            found[topic] += 1
    for phrase in phrase_pattern.findall(lowered):
        found[names[phrase]] += 2
    if not lowered.isascii():
        for word in han_pattern.findall(text):
            found[names[word]] += 2 if len(word) > 1 else 1
    return found
