"""The words by which behaviour shows, by language. Data and how it is matched; no decisions."""

from __future__ import annotations

import re
from dataclasses import dataclass

from schemas.vocabulary import Device


@dataclass(frozen=True, slots=True)
class Cues:
    """Expressions of one language. All are linear: no nested repetition."""

    courtesy: re.Pattern[str]
    """Thanks, greetings and fillers, which say nothing about the task."""
    close: re.Pattern[str]
    """Ends a conversation."""
    chat: re.Pattern[str]
    """Small talk."""
    request: re.Pattern[str]
    """Asks for something to be done or told."""
    open: re.Pattern[str]
    """Opens another task."""
    update: re.Pattern[str]
    """Changes or adds to the present task."""
    question: re.Pattern[str]
    """A question."""
    asked: re.Pattern[str]
    """The assistant asks for something."""
    need: re.Pattern[str]
    """The start of a need inside a message."""
    chain: re.Pattern[str]
    """A need that stands on the one before it."""
    devices: tuple[tuple[Device, re.Pattern[str]], ...]
    """Words that point back, strongest first."""
    resume: re.Pattern[str]
    """Takes up something said long before."""
    word: re.Pattern[str]
    """A unit of length: a word, or about as much."""

    def without_courtesy(self, text: str) -> str:
        """The text less thanks, greetings and fillers."""
        return self.courtesy.sub(" ", text).strip(" \n\t,.!?;:~，。！？；：～、…-")

    def length(self, text: str) -> int:
        """Words, or what amounts to them."""
        return len(self.word.findall(text))

    def closes(self, text: str) -> bool:
        """Ends the conversation?"""
        return bool(self.close.search(text))

    def chats(self, text: str) -> bool:
        """Small talk?"""
        return bool(self.chat.search(text))

    def requests(self, text: str) -> bool:
        """Asks for something?"""
        return bool(self.request.search(text) or self.question.search(text))

    def opens(self, text: str) -> bool:
        """Opens another task?"""
        return bool(self.open.search(text))

    def updates(self, text: str) -> bool:
        """Changes the present task?"""
        return bool(self.update.search(text))

    def questions(self, text: str) -> bool:
        """A question?"""
        return bool(self.question.search(text))

    def asks(self, assistant: str) -> bool:
        """Does the assistant's message ask for something, at its end?"""
        return bool(self.asked.search(assistant[-300:]))

    def needs(self, text: str) -> int:
        """Needs in one message."""
        return len(self.need.findall(text))

    def chained(self, text: str) -> bool:
        """Does one need stand on another?"""
        return bool(self.chain.search(text))


def _en(expression: str) -> re.Pattern[str]:
    return re.compile(expression, re.IGNORECASE)


_EN_VERB = (
    r"(?:find|book|check|search|get|show|tell|give|look up|play|buy|order|reserve|rent|send|pay|transfer|convert|"
    r"translate|recommend|suggest|schedule|compare|calculate|list|track|cancel|add|set|make|write|explain|define|"
    r"plan|pick|help|remind|share|call|watch)"
)

EN = Cues(
    courtesy=_en(
        r"\b(?:thanks?(?: you| a lot| so much| again| very much)?|thank you|thx|ty|cheers|please|pls|plz|hi|hey|hello|"
        r"good (?:morning|afternoon|evening|day|night)|ok(?:ay)?|alright|great|cool|perfect|awesome|nice|lol|haha+|hmm+|"
        r"um+|uh+|oh|yeah|yep|yes|no|nope|sure|sounds good|that'?s (?:great|good|fine|perfect|all|it)|got it|bye|goodbye|"
        r"see (?:you|ya)|have a (?:good|nice|great) (?:day|one|night|evening|weekend))\b"
    ),
    close=_en(
        r"\b(?:bye|goodbye|see (?:you|ya)|that'?s (?:all|it)|that is all|(?:nothing|no,? nothing) else|all set|"
        r"thanks?|thank you|thx|cheers|have a (?:good|nice|great) (?:day|one|night|evening|weekend)|no,? that)\b"
    ),
    chat=_en(
        r"\b(?:how are you|who (?:are|made) you|are you (?:a |an )?(?:human|bot|robot|real|ai)|tell me a joke|you'?re "
        r"(?:funny|the best|great|so)|i love you|what'?s up|i'?m (?:so )?(?:bored|tired|sad|happy|exhausted)|do you (?:like|"
        r"ever|have feelings|dream)|my (?:day|boss|dog|cat|kid|kids|wife|husband) (?:was|is|are|has|just)|lol|lmao|haha)\b"
    ),
    request=_en(
        rf"\b{_EN_VERB}\b|\b(?:i (?:need|want|would like|wanna|'?d like)|can you|could you|would you|let'?s|"
        r"looking for|how (?:do|can|much|many|long|far))\b"
    ),
    open=_en(
        r"\b(?:also|another thing|by the way|btw|next|now (?:i|can|find|let)|i (?:also )?(?:need|want|would like|wanna)|"
        r"i'?d (?:also )?like|can you (?:also )?(?:help|find|book|search|get|look)|could you (?:also )?(?:help|find|book|"
        r"search|get|look)|help me|looking for|(?:find|book|reserve|rent|search for|buy|order|play|transfer|schedule) (?:me )?"
        r"(?:a|an|some|the|two|one|\d)|going to|plan(?:ning)? (?:a|to)|different (?:question|topic))\b"
    ),
    update=_en(
        r"\b(?:instead|rather|actually|change (?:it|that|the)|make (?:it|that)|same but|but (?:for|with|on|in)|"
        r"any(?:thing)? (?:else|other|cheaper|earlier|later|closer)|something (?:else|cheaper|different|closer)|"
        r"(?:what|how) about|and (?:on|for|in|at|with)|only|without|at least|no more than|under|not that|wait|"
        r"prefer|don'?t want|doesn'?t work)\b"
    ),
    question=_en(
        r"\?|^(?:and |so |but )?(?:what|which|who|where|when|why|how|is|are|was|do|does|did|can|could|will|would|should|any)\b"
    ),
    asked=_en(
        r"\?\s*$|\?|\b(?:which|what|when|where|how many) .{0,60}(?:you|your)\b|\bplease (?:tell|provide|confirm|give|let)|"
        r"\bcould you (?:tell|give|confirm|provide)|\blet me know\b|\bi (?:also )?need (?:your|the|a|to know)\b"
    ),
    need=_en(
        rf"(?:^|[.!?;\n]\s*|,\s*|\b(?:and|then|also|plus|oh|after that)\s+)(?:(?:can|could|would) you |please |pls |i (?:need|want)"
        rf"(?: you)? (?:to )?|i'?d like (?:to )?|help me )?(?:also |then )?(?:{_EN_VERB}|(?:what|how|where|when|which|is|are|will) )\b"
    ),
    chain=_en(
        r"\b(?:and then|then (?:use|send|book|tell|convert|check|find|get|give)|after that|once (?:you|that|it)|based on|"
        r"with (?:the|that) (?:result|one|info)|(?:near|around|close to) (?:it|there|that)|for (?:it|them|that one)|"
        r"if (?:so|it|not|there)|depending on|its (?:address|price|number|id|author))\b"
    ),
    devices=(
        (Device.REVERSE_ORDINAL, _en(r"\bthe (?:last|second[- ]to[- ]last|final|bottom) (?:one|option|item|\w+)\b")),
        (
            Device.ORDINAL,
            _en(
                r"\b(?:the )?(?:first|second|third|fourth|fifth|1st|2nd|3rd|4th|former|latter)(?: one| option| \w+)?\b|\b(?:option|number|#) ?\d\b"
            ),
        ),
        (
            Device.DESCRIPTION,
            _en(
                r"\bthe (?:cheap|expensive|near|clos|earl|late|fast|short|high|larg|small|other|same|red|blue)\w* (?:one|option)\b|\bthe other (?:one|\w+)\b|\bthe same \w+\b|\bsame (?:as|for|but|date|day|place|time)\b"
            ),
        ),
        (
            Device.INTERROGATIVE,
            _en(r"^(?:and |so |or )?(?:what|how) about\b|\bwhich (?:one|of (?:them|those|these))\b"),
        ),
        (
            Device.DEMONSTRATIVE,
            _en(
                r"\b(?:that|this|those|these) (?:one|ones|day|date|night|city|place|area|time|hotel|movie|film|song|restaurant|event|flight|bus|train|car|doctor|book|\w{3,})\b|\b(?:there|then)\b"
            ),
        ),
        (Device.PRONOUN, _en(r"\b(?:it|its|them|they|their|him|her|his|he|she|both|one of them)\b")),
        (
            Device.OMITTED_SUBJECT,
            _en(
                r"^(?:and |but |or )(?:on|in|at|for|with|from|to|tomorrow|tonight|next|by)\b|^(?:and|or) (?!(?:i|can|could|what|how|where)\b)\w+[\w ]{0,20}\??$"
            ),
        ),
    ),
    resume=_en(
        r"\b(?:back to|as i (?:said|mentioned)|i (?:said|mentioned|told you)|earlier|from before|you (?:said|mentioned|told|"
        r"found)|(?:mentioned|said|asked) (?:before|earlier|above)|going back|the (?:original|initial|first) (?:plan|idea|"
        r"question|request))\b"
    ),
    word=re.compile(r"[\w'’]+"),
)

ZH = Cues(
    courtesy=re.compile(
        r"(?:非常|太|十分)?(?:感谢|谢谢|谢了|多谢|麻烦)(?:你|您|啦|了|哈)*|你好呀?|您好|嗨|哈+|嗯+|哦+|噢|好的?(?:呀|吧|啊|哒|嘞)?|行(?:吧|啊)?|可以(?:的|啊)?|"
        r"不错|明白了?|知道了|了解了?|收到|再见|拜拜|ok(?:ay)?|OK|早上好|晚上好|下午好|晚安|辛苦了?|请问?|哎+|唉+|呵+"
    ),
    close=re.compile(
        r"再见|拜拜|没(?:有)?(?:别的)?(?:了|事了|其他)|就这些|就这样|(?:感谢|谢谢|谢了|多谢)|晚安|不用了|没问题了|回头见|下次"
    ),
    chat=re.compile(
        r"你是(?:谁|机器人|真人|人)|讲个笑话|说个笑话|好无聊|累死|烦死|开心|难过|哈哈哈|你真(?:好|棒|逗|厉害)|你(?:吃|睡|会累)|今天好(?:累|烦|热|冷)|我(?:妈|爸|老板|同事|女朋友|男朋友)(?:又|说|真|就)|"
        r"心情|聊聊|陪我"
    ),
    request=re.compile(
        r"帮(?:我|忙)|查(?:一?下|询|查|个|找)|推荐|找(?:一?下|个|家|找)|订|预订|买|看看|告诉|我想|我要|我需要|想(?:去|吃|看|听|找|问)|给我|来(?:个|首|张)|算(?:一?下)|翻译|播放|介绍|安排|对比|转(?:账|给)|发给|提醒|设置"
    ),
    open=re.compile(
        r"另外|还有(?:个|一件|件)?事|对了|顺便|再(?:帮我|给我|查|找|推荐|订)|帮我(?:推荐|找|查|订|看|选)|我(?:还)?(?:想|要|需要|打算)(?:找|去|吃|住|订|看|听|买|问)|想(?:找|去|吃|住|订)|换个(?:话题|问题)|"
        r"附近有|有没有.{0,12}(?:推荐|的)|推荐(?:一?个|一?家|几)|然后(?:帮|再|去)|接下来"
    ),
    update=re.compile(
        r"换(?:一?个|一?家|成|到|掉)|改(?:成|为|到|一下)|不要|还是|要(?:便宜|近|贵|大|小|早|晚)|(?:便宜|近|早|晚|大|小)(?:一?点|些)|别的|其他的|除了|必须|只要|不超过|以内|以上|以下|加上|去掉|算了|等等|不对|错了|那.{1,10}呢"
    ),
    question=re.compile(
        r"[?？]|吗|呢|多少|几(?:点|个|号|楼|天|公里)|什么|怎么|哪(?:里|儿|个|家|些|天|位)|谁|是否|能不能|可不可以|有没有|多(?:远|久|大|高|长)|啥"
    ),
    asked=re.compile(
        r"[?？]|请(?:问|告诉|提供|确认|补充|说)|(?:哪|什么|多少|几).{0,12}(?:呢|呀|吗)|需要(?:您|你)?(?:的|提供|知道)|方便(?:说|告诉|提供)"
    ),
    need=re.compile(
        r"(?:^|[，,。！!；;？?\n\s]|然后|再|顺便|另外|还有|并且?|也)(?:请|麻烦|你|您|可以|能)?(?:帮(?:我|忙)|给我|我想|我要|想)?(?:再)?"
        r"(?:查|找|推荐|订|买|看|告诉|算|翻译|播放|介绍|安排|问|发|转|提醒|设|有没有|多少|怎么|哪)"
    ),
    chain=re.compile(
        r"然后(?:用|把|再|发|告诉|查|订)|再(?:用|把|根据|按)|根据|按(?:这个|结果)|如果.{0,15}(?:就|的话)|(?:它|那里|那儿|那边|该.{1,4})(?:附近|周边|的)|查到.{0,6}(?:再|后|就)|之后再|完了再"
    ),
    devices=(
        (Device.REVERSE_ORDINAL, re.compile(r"(?:倒数第[一二三四五\d]|最后(?:一)?(?:个|家|首|本|部|款|张|趟|班|条))")),
        (
            Device.ORDINAL,
            re.compile(r"第(?:[一二三四五六七八九十]|\d{1,2})(?:个|家|首|本|部|款|张|趟|班|条|种)?|前者|后者"),
        ),
        (
            Device.DESCRIPTION,
            re.compile(
                r"(?:最)?(?:便宜|贵|近|远|早|晚|快|大|小|高|低|新|评分高)的?(?:那|这)(?:个|家|首|本|部|款|张|趟|班|条)|另(?:外)?一?(?:个|家|首|本|部|款|张|趟|班|条)|同一?(?:个|家|天)|一样的"
            ),
        ),
        (Device.INTERROGATIVE, re.compile(r"(?:那|呢).{0,10}呢[?？]?$|哪一?(?:个|家|首|本|部|款|张|趟|班|条)")),
        (
            Device.DEMONSTRATIVE,
            re.compile(
                r"(?:这|那|该)(?:个|家|首|本|部|款|张|趟|班|条|里|儿|边|天|时候|地方|些|座|位|片|店|酒店|景点|餐馆|电影)|这|那(?!么)"
            ),
        ),
        (Device.PRONOUN, re.compile(r"它们?|他们?|她们?|其(?!他|它|实|中)|两者|都")),
        (
            Device.OMITTED_SUBJECT,
            re.compile(
                r"^(?:那)?(?:地址|电话|评分|票价|门票|人均|价格|几点|多少|周边|附近|游玩|营业|有没有|是(?:什么|哪|谁|多少)|在(?:哪|什么)|叫什么|怎么|什么时候|多久|多大|多高|主演|导演|歌手|作者)"
            ),
        ),
    ),
    resume=re.compile(r"刚才|刚刚|之前|前面|上面|一开始|最(?:开始|初)|开头|回到|说(?:过|的那)|提到|早些时候"),
    word=re.compile(r"[a-zA-Z0-9]+|[一-鿿]{2}|[一-鿿]"),
)

CUES: dict[str, Cues] = {"en": EN, "zh": ZH}
"""Cues by language; other languages are read with the English ones, of which few then match."""
