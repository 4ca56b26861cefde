"""Generated cases for scrubbing: values made for them (valid check digits, no real person's) in sentences of both languages, and
hard negatives.
"""

# ruff: noqa: E501 - tables read best one entry a line
from __future__ import annotations

import random
import string
from collections.abc import Callable

from wildtool.language import check_digits

Case = tuple[str, str, str | None]
"""Group, text, and the value that must go (None: nothing may go)."""

PER_GROUP = 50


def digits(rng: random.Random, count: int) -> str:
    """A run of digits, the first not 0."""
    return str(rng.randint(1, 9)) + "".join(rng.choice(string.digits) for _ in range(count - 1))


def luhn(body: str) -> str:
    """The body with its check digit."""
    return next(body + digit for digit in string.digits if check_digits.luhn(body + digit))


def card(rng: random.Random) -> str:
    number = luhn(rng.choice(("4", "51", "55")) + digits(rng, 14))[:16]
    number = luhn(number[:15])
    return rng.choice(
        (
            number,
            " ".join(number[i : i + 4] for i in range(0, 16, 4)),
            "-".join(number[i : i + 4] for i in range(0, 16, 4)),
        )
    )


def iban(rng: random.Random) -> str:
    country, length = rng.choice((("DE", 18), ("ES", 20), ("FR", 23)))
    body = digits(rng, length)
    check = 98 - int(body + "".join(str(int(sign, 36)) for sign in country) + "00") % 97
    whole = f"{country}{check:02d}{body}"
    return rng.choice((whole, " ".join(whole[i : i + 4] for i in range(0, len(whole), 4))))


def cn_id(rng: random.Random) -> str:
    body = f"{rng.choice(('110105', '310104', '440106', '510107'))}{rng.randint(1950, 2005)}{rng.randint(1, 12):02d}{rng.randint(1, 28):02d}{rng.randint(1, 999):03d}"
    weights = (7, 9, 10, 5, 8, 4, 2, 1, 6, 3, 7, 9, 10, 5, 8, 4, 2)
    return body + "10X98765432"[sum(int(sign) * weight for sign, weight in zip(body, weights, strict=True)) % 11]


def ssn(rng: random.Random) -> str:
    return f"{rng.choice((rng.randint(1, 665), rng.randint(667, 899))):03d}-{rng.randint(1, 99):02d}-{rng.randint(1, 9999):04d}"


def nino(rng: random.Random) -> str:
    return f"{rng.choice('ABCEHJLMPRSW')}{rng.choice('ABCEHJLMPRSWXYZ')} {rng.randint(10, 99)} {rng.randint(10, 99)} {rng.randint(10, 99)} {rng.choice('ABCD')}".replace(
        "ZZ", "ZA"
    )


def email(rng: random.Random) -> str:
    return f"{rng.choice(FIRST).lower()}{rng.choice(('.', '_', ''))}{rng.choice(LAST).lower()}{rng.choice(('', '88'))}@{rng.choice(('example.org', 'mail.example.com', 'example.co.uk'))}"


def us_phone(rng: random.Random) -> str:
    a, b, c = rng.choice((212, 415, 312, 617)), rng.randint(220, 989), rng.randint(1000, 9999)
    return rng.choice((f"({a}) {b}-{c}", f"{a}-{b}-{c}", f"+1 {a} {b} {c}", f"{a}.{b}.{c}"))


def uk_phone(rng: random.Random) -> str:
    return rng.choice(
        (
            f"+44 20 7946 {rng.randint(1000, 9999)}",
            f"020 7946 {rng.randint(1000, 9999)}",
            f"07700 900{rng.randint(100, 999)}",
        )
    )


def cn_phone(rng: random.Random) -> str:
    tail = f"{rng.randint(1000, 9999)}{rng.randint(1000, 9999)}"
    return rng.choice(
        (f"138{tail}", f"+86 139 {tail[:4]} {tail[4:]}", f"010-6{tail[1:]}", f"186-{tail[:4]}-{tail[4:]}")
    )


def ip(rng: random.Random) -> str:
    return rng.choice(
        (
            f"203.0.113.{rng.randint(1, 254)}",
            f"192.168.{rng.randint(0, 9)}.{rng.randint(1, 254)}",
            f"2001:db8::{rng.randint(1, 9999):x}:{rng.randint(1, 9999):x}",
        )
    )


def mac(rng: random.Random) -> str:
    return rng.choice((":", "-")).join(f"{rng.randint(0, 255):02X}" for _ in range(6))


def key(rng: random.Random) -> str:
    body = "".join(rng.choice(string.ascii_letters + string.digits) for _ in range(36))
    return rng.choice((f"sk-{body}", f"ghp_{body}", f"AKIA{body[:16].upper()}", f"hf_{body}"))


def login(rng: random.Random) -> str:
    return f"https://{rng.choice(FIRST).lower()}:{digits(rng, 6)}@repo.example.org/x"


def born(rng: random.Random) -> str:
    year, month, day = rng.randint(1950, 2008), rng.randint(1, 12), rng.randint(1, 28)
    return rng.choice(
        (
            f"{day:02d}.{month:02d}.{year}",
            f"{year}-{month:02d}-{day:02d}",
            f"{day} March {year}",
            f"April {day}, {year}",
        )
    )


def born_zh(rng: random.Random) -> str:
    return f"{rng.randint(1950, 2008)}年{rng.randint(1, 12)}月{rng.randint(1, 28)}日"


def street(rng: random.Random) -> str:
    return f"{rng.randint(1, 999)} {rng.choice(LAST)} {rng.choice(('Street', 'Road', 'Avenue', 'Lane', 'Drive', 'St', 'Ave'))}"


def street_abroad(rng: random.Random) -> str:
    """With a postcode and a town."""
    number, house = rng.randint(1, 199), rng.choice(("", "a", " B"))
    return rng.choice(
        (
            f"{rng.choice(('Storgata', 'Karl Johans gate', 'Kirkeveien'))} {number}, {rng.randint(1, 9)}{digits(rng, 3)[:3]} Oslo",
            f"{rng.choice(LAST)}{rng.choice(('straße', 'gasse', 'weg', 'platz'))} {number}{house}, {digits(rng, 5)} {rng.choice(('Berlin', 'Bad Tölz'))}",
            f"{number}{rng.choice(('', ' bis'))} {rng.choice(('rue de la Paix', 'avenue Foch', 'boulevard des Capucines', 'place d’Italie'))}, 750{rng.randint(10, 20)} Paris",
            f"Calle {rng.choice(LAST)} {number}, {digits(rng, 5)} Madrid",
            f"Prinsengracht {number}, 1{digits(rng, 3)} {rng.choice(('GV', 'AB'))} Amsterdam",
            f"Drottninggatan {number}, {digits(rng, 3)} {rng.randint(10, 99)} Stockholm",
            f"ul. Długa {number}, 0{rng.randint(0, 9)}-{digits(rng, 3)} Warszawa",
            f"{number} {rng.choice(LAST)} {rng.choice(('Street', 'Road'))}, Leeds LS{rng.randint(1, 9)} {rng.randint(1, 9)}AP",
        )
    )


def street_bare(rng: random.Random) -> str:
    """With a street and a number alone."""
    return f"{rng.choice(('Storgata', 'Lange Voorhout', 'Via Roma', 'Calle Mayor', 'Rua Augusta', 'Hauptstraße'))} {rng.randint(1, 199)}"


def phone_local(rng: random.Random) -> str:
    return rng.choice(
        (
            " ".join(str(rng.randint(10, 99)) for _ in range(4)),
            f"9{digits(rng, 2)} {digits(rng, 2)} {digits(rng, 3)}",
            f"06 {' '.join(str(rng.randint(10, 99)) for _ in range(4))}",
            f"0{digits(rng, 3)} {digits(rng, 5)}",
        )
    )


def phone_coded(rng: random.Random) -> str:
    return rng.choice(
        (
            f"+49 17{rng.randint(0, 9)} {digits(rng, 8)}",
            f"+47 9{digits(rng, 2)} {digits(rng, 2)} {digits(rng, 3)}",
            f"+33 6 {' '.join(str(rng.randint(10, 99)) for _ in range(4))}",
        )
    )


def personal_number(rng: random.Random) -> str:
    return rng.choice(
        (f"{rng.choice('XCL')}{digits(rng, 8)}", digits(rng, 9), f"C-{digits(rng, 5)}", f"MORGA{digits(rng, 6)}SM9IJ")
    )


def street_zh(rng: random.Random) -> str:
    return f"{rng.choice(('海淀区', '浦东新区', '天河区'))}{rng.choice(('建国', '中关村南', '人民', '解放'))}路{rng.randint(1, 300)}号{rng.choice(('', '3号楼502室', '2栋1单元301室'))}"


def name(rng: random.Random) -> str:
    return f"{rng.choice(FIRST)} {rng.choice(LAST)}"


def name_zh(rng: random.Random) -> str:
    return rng.choice("王李张刘陈杨赵黄周吴") + rng.choice(("雪梅", "建国", "伟", "子涵", "晓明", "静"))


def wide(text: str) -> str:
    """The text with full-width digits, letters and at signs, as Chinese input methods write them."""
    return "".join(chr(ord(one) + 0xFEE0) if (one.isalnum() and one.isascii()) or one in "@." else one for one in text)


def spelt(rng: random.Random) -> str:
    """An e-mail address with its signs in words."""
    at, dot = rng.choice(
        ((" at ", " dot "), (" (at) ", " (dot) "), ("(at)", "."), (" [at] ", " [dot] "), (" AT ", " DOT "))
    )
    first, last = rng.choice(FIRST).lower(), rng.choice(LAST).lower()
    local = rng.choice(
        (first, f"{first}{dot if dot != '.' else '.'}{last}", f"{first}{rng.randint(1, 99)}", f"{first}_{last}")
    )
    return f"{local}{at}{rng.choice(('gmail', 'yahoo', 'outlook', 'proton'))}{dot}com"


def spelt_zh(rng: random.Random) -> str:
    local = rng.choice((rng.choice(FIRST).lower(), f"{rng.choice(FIRST).lower()}{rng.randint(1, 999)}", digits(rng, 8)))
    at, dot = rng.choice((("艾特", "点"), (" 艾特 ", " 点 "), ("@", "点"), ("(at)", "点"), ("圈a", "点"), ("#", ".")))
    return f"{local}{at}{rng.choice(('163', 'qq', '126', 'gmail'))}{dot}com"


def phone_words(rng: random.Random) -> str:
    return rng.choice("一幺") + rng.choice("三五七八") + "".join(rng.choice("零一二三四五六七八九") for _ in range(9))


def name_small(rng: random.Random) -> str:
    return rng.choice((rng.choice(SMALL), f"{rng.choice(SMALL)} {rng.choice(LAST).lower()}"))


def name_any_small(rng: random.Random) -> str:
    """A name that no list holds."""
    made = "".join(rng.choice("bdfgklmnprstvz") + rng.choice("aeiou") for _ in range(rng.randint(2, 3)))
    return rng.choice((made, f"{made} {rng.choice(LAST).lower()}"))


def name_familiar_zh(rng: random.Random) -> str:
    return rng.choice((f"小{rng.choice('美丽军芳强')}", f"阿{rng.choice('杰强芬')}", rng.choice(FIRST), name(rng)))


SMALL = ("priya", "anna", "tobias", "nadia", "kwame", "ingrid", "rafael", "mateo", "chloe", "dmitri", "yuki", "fatima")
FIRST = ("Morwenna", "Aurel", "Jacinta", "Tobias", "Nadia", "Kwame", "Ingrid", "Rafael")
LAST = ("Pascoe", "Widmer", "Robledo", "Lindqvist", "Okafor", "Maple", "Hartwell", "Quill")

POSITIVE: dict[str, tuple[Callable[[random.Random], str], tuple[str, ...]]] = {
    "email en": (email, ("mail me at {} please", "my email: {}", "send it to {}, thanks", "is {} in a breach")),
    "email zh": (email, ("我的邮箱是{}", "发到{}就行", "邮箱：{}，谢谢")),
    "phone us": (us_phone, ("call me on {}", "my number is {}", "{} is my cell", "phone {} after six")),
    "phone after other words": (us_phone, ("you can have {}", "give Dave {}", "about my order: ring {}", "for my reservation call {}", "I live here now, {}")),
    "phone uk": (uk_phone, ("ring {} please", "mobile {}", "my phone is {}, thanks")),
    "phone cn": (cn_phone, ("电话{}", "我的手机号是{}", "请联系 {}", "手机：{}，谢谢")),
    "card en": (card, ("card {} exp 09/29", "charge {} please", "my visa is {}")),
    "card zh": (card, ("卡号{}", "我的信用卡是 {}", "用这张卡 {} 付款")),
    "iban en": (iban, ("iban {}", "send it to {} please", "account {} at my bank")),
    "iban zh": (iban, ("收款账号 {}", "IBAN是 {} 谢谢")),
    "cn id zh": (cn_id, ("身份证{}", "我的身份证号是{}", "证件号：{}，订票")),
    "cn id en": (cn_id, ("my chinese id is {}", "id number {} for the ticket")),
    "ssn": (ssn, ("my ssn is {}", "social security number {}", "SSN: {}")),
    "nino": (nino, ("my NI number is {}", "national insurance {}", "NINO {} for the form")),
    "ip en": (ip, ("the box at {} is down", "geolocate {} please", "blocked by {}")),
    "ip zh": (ip, ("查一下 {} 在哪", "服务器 {} 打不开")),
    "mac": (mac, ("mac {} keeps dropping", "what vendor is {}", "设备 {} 连不上")),
    "key en": (key, ("my api key is {}", "token {} leaked", "export KEY={}")),
    "key zh": (key, ("密钥 {} 泄露了", "我的 token 是 {}")),
    "login": (login, ("clone {}", "it fails on {}", "访问 {} 报错")),
    "birth en": (born, ("date of birth {}", "I was born on {}", "dob: {}", "my birthday is {}")),
    "birth zh": (born_zh, ("出生日期{}", "我的生日是{}", "我是{}出生的")),
    "address en": (street, ("I live at {}", "deliver to {}, please", "my address is {}")),
    "address zh": (street_zh, ("我住在{}", "寄到{}", "地址是{}，谢谢")),
    "name en": (name, ("My name is {}", "Hi, I'm {}, a customer", "this is {} speaking", "under the name {}", "Dr. {} treats me")),
    "name zh": (name_zh, ("我叫{}，帮我订票", "我是{}。", "联系人：{}", "姓名是{}，谢谢", "我叫{}想订一张票", "本人{}，申请退款")),
    "name titled": (name, ("this is Mrs. {} from Leeds", "an appointment with Dr {} please", "ask Prof. {} about it", "Mr {} is my landlord")),
    "name small": (name_small, ("my name is {}", "hi i'm {} and i need help", "this is {} from accounting", "i am {}, a customer", "hello, this is {}", "im {}. can you help")),
    "name small, unlisted": (name_any_small, ("my name is {}", "my name is {} and i need a taxi", "hi, my name's {}.", "my full name is {}, thanks")),
    "name familiar zh": (name_familiar_zh, ("我叫{}，你好", "叫我{}就行", "我的名字是{}。")),
    "email spelt": (spelt, ("mail me at {} please", "my email is {}", "it's {}, thanks", "reach me via {}")),
    "email spelt zh": (spelt_zh, ("我的邮箱是{}", "发到{}就行", "邮箱：{}，谢谢")),
    "phone wide zh": (lambda r: wide(f"1{r.choice('3578')}{digits(r, 9)}"), ("电话{}", "我的手机号是{}", "手机：{}，谢谢")),
    "phone words zh": (phone_words, ("电话{}", "我的手机号是{}，谢谢")),
    "email wide zh": (lambda r: wide(email(r)), ("我的邮箱是{}", "发到{}，谢谢")),
    "name answered": (name, ("What name should I put it under?\n\0\0\0\n{}, my number is on file", "Under which name?\n\0\0\0\nPut it under {} please", "The name for the booking?\n\0\0\0\n{}. Thanks!")),
    "name in a form": (name, ("Name: {}\nGuests: 2", "Hi, {} here", "Guest name: {}, two nights", "Good morning, {} here again")),
    "address abroad": (street_abroad, ("I live at {}", "{}", "send it to {} please", "is {} far from here?")),
    "address abroad, announced": (street_bare, ("I live at {}", "my address is {}", "deliver to {}, please", "What is the address?\n\0\0\0\n{}")),
    "phone local": (phone_local, ("call me on {}", "my number is {}", "my phone is {}", "mobile: {}", "May I have your phone number?\n\0\0\0\nsure, {}")),
    "phone with a code": (phone_coded, ("call {}", "my number is {}", "{}")),
    "personal number": (personal_number, ("my passport number is {}", "driving licence number {}", "customer number: {}", "my membership no. {}")),
    "id wide zh": (lambda r: wide(cn_id(r)), ("身份证{}", "证件号：{}，订票")),
}  # fmt: skip

NEGATIVE: dict[str, tuple[Callable[[random.Random], str], tuple[str, ...]]] = {
    "price": (lambda r: f"{r.randint(1, 99)},{r.randint(100, 999)}.{r.randint(10, 99)}", ("it costs ${}", "pay {} euros", "价格{}元")),
    "big amount": (lambda r: str(r.randint(100000, 99999999)), ("a budget of {} yen", "population {}", "预算{}日元")),
    "order number": (lambda r: digits(r, r.choice((8, 10, 12))), ("order {} never came", "tracking number {}", "订单号{}还没到", "快递单号 {}")),
    "booking": (lambda r: f"{r.choice((212, 415, 312))}-{r.randint(220, 989)}-{r.randint(1000, 9999)}", ("booking number {}", "my confirmation code is {}", "reservation {} please", "case no. {}", "预订号 {}")),
    "dashed order": (lambda r: f"{r.randint(100, 999)}-{digits(r, 7)}-{digits(r, 7)}", ("order {} is late", "my order no. {}")),
    "date": (lambda r: f"{r.randint(2023, 2027)}-{r.randint(1, 12):02d}-{r.randint(1, 28):02d}", ("on {} at 10:30", "leave {} please", "{}出发")),
    "date words": (lambda r: f"{r.randint(1, 28)} March 2026", ("arrive {}", "the concert is on {}")),
    "date range": (lambda r: f"2026.{r.randint(1, 9):02d}.{r.randint(10, 28)}-2026.10.{r.randint(10, 28)}", ("hotel for {}", "酒店{}")),
    "version": (lambda r: f"{r.randint(1, 9)}.{r.randint(0, 20)}.{r.randint(0, 30)}", ("upgrade to {}", "python {} fails", "版本{}")),
    "version of four": (lambda r: f"{r.randint(1, 9)}.{r.randint(0, 20)}.{r.randint(0, 30)}.{r.randint(0, 90)}", ("version {} crashes", "updated to v{}")),
    "time": (lambda r: f"{r.randint(1, 23)}:{r.randint(10, 59)}:{r.randint(10, 59)}", ("at {} sharp", "the log says {}")),
    "train": (lambda r: f"G{r.randint(100, 9999)}", ("{}次列车几点到", "train {} on time?")),
    "flight": (lambda r: f"BA{r.randint(100, 9999)}", ("flight {} status", "航班{}延误吗")),
    "coordinates": (lambda r: f"{r.uniform(-80, 80):.4f}, {r.uniform(-170, 170):.4f}", ("what is at {}", "坐标{}")),
    "isbn": (lambda r: f"978-0-{r.randint(10, 99)}-{r.randint(100000, 999999)}-{r.randint(0, 9)}", ("find ISBN {}", "ISBN {} 有货吗")),
    "epoch": (lambda r: str(r.randint(1600000000, 1799999999)), ("timestamp {} to date", "时间戳{}转换")),
    "score": (lambda r: f"{r.randint(0, 9)}-{r.randint(0, 9)}", ("it ended {}", "比分{}")),
    "mood": (lambda r: r.choice(("Fine", "Hungry", "Vegan", "Sure", "Happy", "Late")), ("I'm {} with that", "I am {} today")),
    "way": (lambda r: r.choice(("5 minutes down the road", "2 blocks from the street", "3 ways to drive", "10 best places")), ("it is {}", "show {}")),
    "plain zh": (lambda r: r.choice(("我是说明天", "我是想问价格", "我叫了外卖", "用户名是什么")), ("{}", "{}，谢谢")),
    "password talk": (lambda r: r.choice(("is wrong", "was reset", "does not work", "policy")), ("my password {}", "the token {}")),
    "url": (lambda r: f"https://example.org/{digits(r, 5)}", ("open {}", "链接 {}")),
    "phone model": (lambda r: f"SM-G{r.randint(100, 999)}F", ("case for {}", "手机壳 {}")),
    "wide numbers": (lambda r: wide(r.choice((f"{r.randint(10, 9999)}", f"{r.randint(2020, 2027)}"))), ("一共{}元", "在{}年", "第{}号桌", "房间{}")),
    "at and dot": (lambda r: r.choice((
        "look at amazon dot com", "i bought it at walmart dot com", "meet me at the red dot gallery", "put a dot at the end", "email me at work",
        "shop at example.com", "the dot (at the end) is wrong", "is it open at 5 dot 30", "found it at polka dot dresses", "what does dot dot dot mean",
    )), ("{}", "{} please", "well, {}")),
    "at and dot zh": (lambda r: r.choice(("在微博艾特我一下", "京东点com打不开", "早上8点cctv有什么", "艾特小王看一下", "3点comsol培训开始", "晚上10点cnn直播")), ("{}", "{}，谢谢", "请问{}")),
    "mood small": (lambda r: r.choice((
        "i'm lost", "i'm new here", "i'm vegan", "i'm from lisbon", "this is great", "this is different from the last one", "this is far from perfect",
        "my name is on the list", "my name is misspelled", "my name is not showing", "i'm american", "i'm hungry and tired", "i am so bored",
        "this is the wrong one", "call me a cab", "call me back", "call me when it is done", "im lucky", "i'm rich", "this is april", "this is spam from them",
    )), ("{}", "hi, {}.", "{} today")),
    "titles of works": (lambda r: r.choice(("Dr. Strangelove", "Doctor Who", "the album This is Acting", "Mr. Robot", "Dr. Pepper", "the book Name of the Rose", "if this is Premium Economy", "I'm Canadian")), ("{}", "I know {}", "maybe {}?")),
    "what i am zh": (lambda r: r.choice((
        "我是学生", "我是高中生", "我是武汉人", "我是周五的票", "我是程序员", "我是石家庄的", "我是方便的", "我叫车", "我叫了个外卖", "我是江西人", "我是白领",
        "我是马上要走", "我是老师", "我是小白", "本人马上到", "我是金牌会员", "我是何时下单的", "我是VIP", "我是周末去", "我是韩国人", "我是万分感谢",
    )), ("{}", "{}，谢谢", "你好，{}。")),
    "measures": (lambda r: f"{r.randint(1, 90)} Floor Square", ("Rooms: {} Meters: 109", "{} Feet", "about {} metres")),
    "no name answered": (lambda r: r.choice(("no problem, first the price", "Actually, cancel it", "Sure thing, what for?", "never mind, thanks", "Grand Hotel", "not yet")), ("What name should I put it under?\n\0\0\0\n{}", "May I have your name?\n\0\0\0\n{}", "Name of the hotel?\n\0\0\0\n{}")),
    "capital and number": (lambda r: r.choice((
        f"March {r.randint(1, 28)}, 2026 Oslo", "Windows 11, 2021 Edition", "Summer Games 12, 2024 Paris", "Season 3, 2019 Netflix", "Gate 12", "Terminal 2, 5000 People",
        "flight BA 123, 20000 Feet", "Top 10, 2023 Edition", "in 10 place or so",
    )), ("{}", "it says {}", "deliver to Room 12, {}")),
    "other number": (lambda r: f"{r.randint(10, 99)} {r.randint(10, 99)} {r.randint(10, 99)} {r.randint(10, 99)}", ("my order number is {}", "booking number {}", "the lottery drew {}", "What is your order number?\n\0\0\0\nmy number is {}")),
    "under": (lambda r: r.choice(("Windows", "Linux", "California law", "Settings", "Section 5", "Construction")), ("under {}", "it runs under {}", "look under {}")),
    "film years": (lambda r: f"{r.randint(1960, 1989)}-{r.randint(1990, 2020)}", ("films of {}", "{}年的电影")),
}  # fmt: skip


def suite(seed: int) -> list[Case]:
    """The cases, deterministic from the seed."""
    rng = random.Random(seed)
    cases: list[Case] = []
    for table, positive in ((POSITIVE, True), (NEGATIVE, False)):
        for group, (make, frames) in table.items():
            for number in range(PER_GROUP):
                value = make(rng)
                cases.append((group, frames[number % len(frames)].format(value), value if positive else None))
    return cases
