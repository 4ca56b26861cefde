"""Person names by cue: words after which a name stands. 63 % of names are found so (docs/mining.md); a model, passed
in by who has one, finds more."""

from __future__ import annotations

import re
from collections.abc import Iterator

CN_SURNAMES = (
    "王李张刘陈杨赵黄周吴徐孙胡朱高林何郭马罗梁宋郑谢韩唐冯于董萧程曹袁邓许傅沈曾彭吕苏卢蒋蔡贾丁魏薛叶阎余潘杜戴夏钟汪田任姜范方石"
    "姚谭廖邹熊金陆郝孔白崔康毛邱秦江史顾侯邵孟龙万段雷钱汤尹黎易常武乔贺赖龚文"
)
"""The hundred most frequent surnames: 85 % of the people of China."""

CN_COMPOUND = "欧阳|司马|上官|诸葛|皇甫|尉迟|公孙|慕容|令狐|夏侯|端木|东方"

CN_NAME = rf"(?:(?:{CN_COMPOUND})[\u4e00-\u9fff]{{1,2}}|[{CN_SURNAMES}][\u4e00-\u9fff]{{1,2}})"

_EN_WORD = r"[^\W\d_][\w'’-]*"
_EN_CAPITAL = r"[A-ZÀ-ÖØ-ÞŠŽČĐŁŚŻ][\w'’-]*"

SURE_CUES = re.compile(
    r"(?i:\b(?:my(?: full)? name(?:'s| is|:| =)|name is|(?:the |her |his |their )name(?:'s| is)|call me|"
    r"under (?:the )?name(?: of)?(?: is)?|in the name of|name on (?:it|the (?:card|account|booking)) is|"
    r"(?:full |first |last |sur)name ?[:=]|me llamo|mi nombre es|je m'appelle|ich hei(?:ß|ss)e|mein name ist|"
    r"mi chiamo|meu nome é|au nom de|a nombre de)[ \t]*)"
    rf"((?:{_EN_WORD})(?:[ \t]+(?:{_EN_WORD})){{0,3}})"
)
"""After these a name follows for sure, in whatever case it is written."""

CASED_CUES = re.compile(
    r"(?:(?i:\b(?:i['’]?m|i am|this is|it['’]?s|for my (?:wife|husband|son|daughter|boss|friend|mother|father|mum|mom|"
    r"dad|brother|sister|colleague|partner)|my (?:wife|husband|son|daughter|boss|friend|mother|father|mum|mom|dad|"
    r"brother|sister|colleague|partner|girlfriend|boyfriend)(?:'s name is|,)?|thanks,|regards,|cheers,|sincerely,|"
    r"attn:?|passenger:?|signed,?|dear|hi|hello|hey|greetings,? i['’]?m))[ \t\n]+)"
    rf"({_EN_CAPITAL}(?:[ \t]+(?:{_EN_CAPITAL}|van|von|de|del|la|le|bin|al|da|dos)){{0,3}})"
)
"""After these a name may follow: only words that begin with a capital count."""

TITLES = re.compile(
    rf"\b(?:Mr|Mrs|Ms|Miss|Mx|Dr|Prof|Professor|Herr|Frau|Señora?|Monsieur|Madame)\.?[ \t]+({_EN_CAPITAL}(?:[ \t]+{_EN_CAPITAL}){{0,2}})"
)

CN_CUES = re.compile(
    r"(?:我(?:的名字)?(?:叫|是|名叫)|姓名(?:是|为|叫)?|名字(?:是|叫|为)?|本人|联系人(?:是|叫)?|收件人(?:是|叫)?|收货人|预订人|持卡人|"
    r"(?:老婆|老公|女儿|儿子|妈妈|爸爸|朋友|同事|老板|妻子|丈夫)(?:叫|是|名字叫)|用)[ \t:：]*"
    rf"({CN_NAME})(?=$|[\s,，。.!！?？、;；:：)）（(\d]|的(?:名字|名义|名)|[，,]?(?:电话|手机|身份证|先生|女士|小姐)|订|预订|预定|这个名)"
)
CN_TITLES = re.compile(
    rf"(?<![\u4e00-\u9fff])((?:{CN_COMPOUND}|[{CN_SURNAMES}])[\u4e00-\u9fff]{{0,2}})(?:先生|女士|小姐|太太)(?![\u4e00-\u9fff]{{0,2}}(?:店|馆|餐厅))"
)

NOT_NAMES = frozenset(
    "a about after afraid again all already also always an and any apartment are as asking at away back bad based be because "
    "been before book booking both bringing but by calling can cant car cheap checking coming confused confirm could curious "
    "day dead deciding definitely did do doing done dont down driving early either else even ever every excited feeling fine "
    "finding first flying for free friday from fully getting glad go going gonna good great had happy has have having he hello "
    "help her here hey hi his home hoping hotel how hungry i if in inside interested into is it its just kind late later "
    "leaving let like literally living located locked looking lost making maybe me meeting monday more moving my need never "
    "new nice no not now of ok okay old on one only open or our out over paying planning please pretty probably pm quite "
    "ready really right running saturday searching see seeing she sick so some somewhere soon sorry spelled starting staying "
    "still stuck sunday super sure taking team thank thanks that the their them then there these they thinking this those "
    "thursday tired to today tomorrow tonight too traveling travelling trying tuesday under unable understand until up us "
    "usually very visiting vegan vegetarian waiting walking wanting was we wednesday well what when where which who why will "
    "with without wondering working worried would wrong yes yeah yet you your am an american english german french chinese "
    "british indian spanish italian man woman guy student tourist developer teacher doctor nurse mr mrs ms dr number phone "
    "email address account card pin code siri alexa google chatgpt everyone all folks guys sir madam team assistant bot "
    "customer service support christmas easter dinner lunch breakfast perfect correct ok wifi monday jan feb mar apr may jun "
    "jul aug sep oct nov dec january february march april june july august september october november december".split()
)
"""Words after a cue that are no names: "I'm Fine", "this is Great"."""

CN_NOT_NAMES = frozenset(
    "任何 任意 方便 高兴 金融 江南 江西 江苏 白天 白色 常常 万一 万达 龙井 黄金 黄山 黄色 马上 马路 石油 石家庄 高级 高铁 高中 高档 金额 金牌 "
    "何时 何地 何处 文化 文学 文章 武汉 武侠 康复 史上 田园 周末 周一 周二 周三 周四 周五 周六 周日 周边 周围 余额 于是 时候 方法 方案 方面 方向 "
    "白领 程序员 程序 高考 金山 叶子 林业 段时间 钱包 汤圆 钟表 贺卡 顾客 马来 雷雨 万里 方式 白酒 黄河 黄昏 常用 任务 易懂".split()
)

MAX_NAME_WORDS = 3


def english_names(text: str) -> Iterator[tuple[int, int]]:
    """Spans of names after English and other Latin-script cues."""
    for found in SURE_CUES.finditer(text):
        yield from _words(text, found.start(1), found.group(1), cased=False)
    for pattern in (CASED_CUES, TITLES):
        for found in pattern.finditer(text):
            yield from _words(text, found.start(1), found.group(1), cased=True)


def _words(text: str, start: int, name: str, *, cased: bool) -> Iterator[tuple[int, int]]:
    """The leading words that can be a name. A lower-case word after a capital ends it."""
    end = start
    taken = 0
    capital = name[:1].isupper()
    for word in re.finditer(r"\S+", name):
        bare = word.group().rstrip(".,;:!?").removesuffix("'s").removesuffix("’s")
        if bare.casefold() in NOT_NAMES or taken == MAX_NAME_WORDS:
            break
        particle = bare in ("van", "von", "de", "del", "la", "le", "bin", "al", "da", "dos")
        if capital and not (bare[:1].isupper() or particle):
            break
        if not capital and taken == 2:
            break
        taken += 1
        end = start + word.start() + len(bare)
        if bare != word.group():
            break
    if taken and end - start > 1 and not (cased and text[start:end].isupper() and end - start <= 4):
        yield start, end


def chinese_names(text: str) -> Iterator[tuple[int, int]]:
    """Spans of names after Chinese cues, by surname."""
    for pattern in (CN_CUES, CN_TITLES):
        for found in pattern.finditer(text):
            name = found.group(1)
            if not any(name.startswith(word) or name == word[: len(name)] for word in CN_NOT_NAMES):
                yield found.span(1)
