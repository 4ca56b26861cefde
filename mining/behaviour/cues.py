"""The words by which behaviour shows, one table a language and one meaning a field: the rules know no language."""

# ruff: noqa: E501 - a pattern reads best whole
from __future__ import annotations

import re
from dataclasses import dataclass

from schemas.vocabulary import Device

Pattern = re.Pattern[str]


@dataclass(frozen=True, slots=True)
class Cues:
    """Patterns of one language."""

    close: Pattern
    """The user ends: a farewell, "that's all", "no, thanks"."""
    thanks: Pattern
    """Thanks, which end a conversation only where nothing else is said."""
    greeting: Pattern
    """A whole message that only greets."""
    small_talk: Pattern
    """Talk with no need: about the assistant, feelings, the weather of the soul."""
    filler: Pattern
    """Words that carry no need: acknowledgements and politeness; what is left of a message without them is what it says."""
    request: Pattern
    """A need is put: "find me", "I want to", "can you"."""
    opens: Pattern
    """A search or a plan is put, stronger than ``request``: "find me a", "I'm looking for", "I want to go to"."""
    attribute: Pattern
    """A property of what was found is asked for: its address, its price, whether it has parking."""
    question: Pattern
    """A question is asked."""
    alternative: Pattern
    """Something else of the same kind: "any other", "what about", "instead". (What else lies around a place is a
    question on that place.)"""
    change: Pattern
    """A value said before is taken back: "no, make it three"."""
    affirm: Pattern
    """A message that begins by agreeing."""
    negate: Pattern
    """A message that begins by refusing."""
    also: Pattern
    """A further need is announced: "also", "now", "one more thing"."""
    act: Pattern
    """An action is ordered on what was found: "book it", "reserve", "play that"."""
    choose: Pattern
    """A find is accepted: "sounds good", "that works"."""
    asks: Pattern
    """Of the assistant: a value is asked for."""
    offers: Pattern
    """Of the assistant: an action is offered, "shall I book it?"."""
    confirms: Pattern
    """Of the assistant: values are read back for confirmation."""
    anything_else: Pattern
    """Of the assistant: "anything else?"."""
    devices: tuple[tuple[Device, Pattern], ...]
    """Words that point back, the surest first."""
    ellipsis: Pattern
    """A whole message, or its beginning, that has lost its subject or verb: "and on Sunday?"."""
    joints: Pattern
    """Words between two needs in one message."""
    chained: Pattern
    """Words that make the later need wait for the earlier: "then", "if so", "and send it"."""
    values: Pattern
    """Values that calls need: names, numbers, dates, times, amounts."""


_I = re.IGNORECASE

_EN_ORDINALS = r"first|second|third|fourth|fifth|sixth|1st|2nd|3rd|4th|5th|6th"
_MONTHS = r"jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?|sept?(?:ember)?|oct(?:ober)?|nov(?:ember)?|dec(?:ember)?"
_DAYS = r"(?:mon|tues?|wed(?:nes)?|thu(?:rs)?|fri|sat(?:ur)?|sun)(?:day)?|today|tonight|tomorrow|tmrw|weekend"

ENGLISH = Cues(
    close=re.compile(
        r"\b(?:good ?bye|bye+|see (?:you|ya)|that'?s (?:all|it|everything)|thats (?:all|it)|that (?:is|will be|would be|'?ll be) (?:all|it|everything)|that'?ll (?:be all|do(?: it)?)|"
        r"nothing (?:else|more)|no more|i'?m (?:all )?(?:good|set|done)(?! (?:with|to|at|for))|all set|have a (?:nice|good|great|lovely|wonderful)|take care|"
        r"all i (?:need(?:ed)?|want(?:ed)?)|won'?t be necessary|not (?:right now|at the moment|needed|now)|i don'?t need (?:anything|any)|(?:no|not) for now|good ?night|cheers|"
        r"i (?:don'?t|do not) (?:want|need) to (?:book|buy|reserve|purchase|make|do) (?:it|that|one|any|the|a)|just wanted the info)\b",
        _I,
    ),
    thanks=re.compile(
        r"\b(?:thanks?|thank (?:you|u)|thx|ty|tysm|appreciate|grateful|very helpful|great help|you'?ve been|you'?re (?:a (?:life ?saver|star|legend)|the best|awesome))\b",
        _I,
    ),
    greeting=re.compile(
        r"(?:\W|\b(?:hi+|hello+|hey+|heya|yo|greetings|good (?:morning|afternoon|evening|day)|there|ai|bot|assistant|siri|alexa|to you|dear|sir|madam|folks|how are you(?: doing)?(?: today)?)\b)*",
        _I,
    ),
    small_talk=re.compile(
        r"\b(?:how are you|how'?s it going|what'?s up|are you (?:a|an|human|real|there|alive|sentient|serious|kidding|sure you)|who (?:are|made) you|do you (?:like|love|feel|have feelings|dream|think i|ever)|"
        r"tell me a joke|have you (?:ever )?(?:heard|seen|read|been|watched|tried|met)|i love you|i(?:'m| am) (?:bored|sad|lonely|kidding|joking|so (?:nervous|excited|tired|happy))|just kidding|lol|lmao|haha+|hehe|you(?:'re| are) (?:funny|cute|smart|stupid|useless|dumb|welcome|so)|"
        r"what do you think|my (?:boss|wife|husband|mom|mum|kid|dog|cat|girlfriend|boyfriend) (?:is|will|would|just|hates|loves)|oh (?:darn|dear|god|my)|wow|omg|never ?mind|shame|pity|hm+)\b",
        _I,
    ),
    filler=re.compile(
        r"\b(?:ok(?:ay)?|okey|k|yes|yeah|yep|yup|ya|sure|no|nope|nah|well|so|oh|ah|um+|uh+|hm+|great|good|nice|cool|fine|perfect|awesome|excellent|wonderful|fantastic|amazing|lovely|alright|all right|right|"
        r"correct|exactly|got it|i see|please|pls|plz|thanks?|thank you|thx|very|much|that'?s|thats|that|is|it'?s|it|sounds|looks|seems|works|will work|for me|to me|then|a lot|so much|really|just|yet|"
        r"absolutely|definitely|of course|certainly|indeed|true|do|does|like|i|love|you|the|this|one|with|me)\b|[^\w]+",
        _I,
    ),
    request=re.compile(
        r"\b(?:find|search|look(?:ing)? (?:for|up|into)|show (?:me|us)|get me|give me|book|reserve|schedule|order|buy|purchase|rent|play|transfer|send|pay|set|add|check|tell me|recommend|suggest|help|"
        r"i(?:'d| would|'ll)? (?:need|want|like|love)|i wanna|need(?: to)?|can (?:you|u|i|we)|could (?:you|u|i|we)|would you|will you|may i|is there (?:a|any)|are there (?:a|any)|let'?s|make|create|write|"
        r"translate|convert|calculate|compare|plan|remind|explain|list|i am looking|i'm looking|in the mood|i have to|i gotta|please|pls|plz|cancel|change|update|track|report|arrange|organi[sz]e|where can|how (?:can|do|to))\b",
        _I,
    ),
    opens=re.compile(
        r"\b(?:(?:find|search(?: for)?|look(?:ing)?(?: up| for| into)|show me|get me|recommend|suggest|book|reserve|schedule|order|buy|purchase|rent|transfer|plan|organi[sz]e|arrange|play|set up|make|check)(?: me| us)? (?:a|an|some|any|the|my|two|one|\d+|something|somewhere|flights?|tickets?|hotels?|cars?|buses|trains?|weather|movies?|songs?|music)\b|"
        r"i(?:'m| am)? (?:also |now |just |still )?(?:looking (?:for|to)|planning|trying to|going to (?:need|go|visit)|in the mood|interested in|in need of)|i(?:'d| would)?(?: also| now)? (?:need|want|like) (?:to (?:find|book|go|see|eat|watch|visit|know|get|buy|make|check|travel|fly|rent|reserve|schedule|order|listen|play|stay|plan|transfer|attend)|a|an|some|help)\b|"
        r"help me (?:find|with|book|get|to)?|is there (?:a|any)\b|are there any\b|need (?:a|an|some|to (?:find|book|get))\b)",
        _I,
    ),
    attribute=re.compile(
        r"\b(?:what(?:'?s| is| are| was| time| kind| type)|where(?:'?s| is| are)|when|how (?:much|many|long|far|big|old|expensive|is)|is (?:it|there|this|that|he|she)|are (?:they|there|pets)|do(?:es)? (?:it|they|the|this|that|he|she)|can i (?:get|bring|have)|who(?:'?s| is)|"
        r"(?:tell|give|send|text) me (?:the|its|their|more|what|how|if|about)|(?:what|which) (?:day|date|genre|city|airport|address|number))\b",
        _I,
    ),
    question=re.compile(
        r"\?|^(?:\W|\b(?:and|so|ok|okay|yes|great|cool|also|but)\b)*(?:what|whats|where|wheres|when|who|whos|whose|which|why|how|hows|is|are|was|were|do|does|did|can|could|will|would|should|has|have)\b",
        _I,
    ),
    alternative=re.compile(
        r"\b(?:any(?:thing| ?one)? (?:other|else|different|more)|another(?: one)?|other (?:ones?|options?|choices?|places?|restaurants?|hotels?|movies?|films?|events?|flights?|buses|cars?|songs?|days?|times?|dates?|suggestions?)|"
        r"something (?:else|different|cheaper|closer|better|later|earlier|more|less)|(?:what|how) about|what (?:other|else)|instead|rather|different (?:one|place|time|day|date|hotel|restaurant)|else (?:is|do|you)|alternatives?|"
        r"cheaper|more expensive|closer|earlier|higher|lower|next one|too far|too expensive|not (?:that|this) one|don'?t like (?:it|that|this))\b",
        _I,
    ),
    change=re.compile(
        r"\b(?:actually|changed? (?:my|that|it|the)|make (?:it|that)|instead|rather|i meant?|i mean|correction|not .{1,20} but|sorry,? (?:i|it)|wait|switch|update (?:it|the|my)|should be|oops)\b|^\W*no\b.{3,}",
        _I,
    ),
    affirm=re.compile(
        r"^\W*(?:(?:ok(?:ay)?|well|oh|um|great|alright|cool|nice|good|perfect|thanks?),?\W+)*(?:yes|yeah|yep|yup|yah|ya|sure|correct|right|exactly|absolutely|definitely|of course|certainly|please do|go ahead|do it|ok(?:ay)?|that'?s (?:right|correct|fine|good|great)|"
        r"sounds? (?:good|great|right|fine|nice|perfect)|(?:that|it) (?:works|sounds|is (?:right|correct|fine|good|great|perfect))|fine|perfect|works for me|looks good|indeed|alright|all right|great)\b",
        _I,
    ),
    negate=re.compile(
        r"^\W*(?:(?:oh|well|um|ok(?:ay)?|sorry),?\W+)*(?:no|nope|nah|not|don'?t|never|nothing|none|negative|wrong|incorrect)\b",
        _I,
    ),
    also=re.compile(
        r"\b(?:also|too|as well|now|next|another thing|one more thing|one other thing|while (?:we|you|i)|in addition|additionally|besides|plus|after(?:wards?| that)?|then|by the way|btw|meanwhile|next up|back to|moving on|other than that|in the meantime)\b",
        _I,
    ),
    act=re.compile(
        r"\b(?:book|reserve|buy|purchase|order|schedule|play|watch|rent|pay|add|send|transfer|make (?:a|an|the|me a|the) (?:reservation|booking|appointment|order|transfer|payment)|get (?:me )?(?:the |a |\d+ |one |two )?tickets?|"
        r"go (?:ahead|with)|take it|sign me up|confirm|arrange|set (?:it|that|this) up|share|cancel|call them)\b",
        _I,
    ),
    choose=re.compile(
        r"\b(?:sounds? (?:good|great|nice|perfect|fine|interesting|like)|looks? (?:good|great|nice)|works? (?:for me|well|perfectly|great|good|fine)?|i(?:'ll| will)? (?:like|love|take|go (?:with|for)|choose|pick)|that'?s (?:good|great|fine|perfect|nice|the one|awesome)|that one|is (?:good|great|perfect|fine|nice|ok|okay))\b",
        _I,
    ),
    asks=re.compile(
        r"\b(?:what|which|when|where|who|whose|how (?:many|much|long|old|far|big|large|often))\b[^.!?]*\?|\b(?:please|could you|can you|can i|may i|could i|kindly)(?: \w+){0,2} (?:provide|tell|give|specify|share|enter|state|let me know|get|have|choose|select|type)\b|"
        r"\b(?:do you (?:have|need|want|prefer)|would you (?:like|prefer)|are you|is (?:this|that|it) for|any (?:preference|preferred|particular|specific|special|minimum|maximum))\b[^.!]*\?|\b(?:let me know|tell me|i(?:'ll| will)? need (?:your|to know|the|some))\b|\bfor (?:when|what|which|how many)\b|\bas well,? please\b",
        _I,
    ),
    offers=re.compile(
        r"\b(?:(?:would|do|did) you (?:like|want|wish|need|care)(?: me| for me)?(?: to)?|shall i|should i|can i|may i|want me to|like me to|do i|i can) [^.?!]{0,80}?\b(?:book|reserve|buy|purchase|order|play|schedule|transfer|get|make|add|watch|rent|set|send|start|find|arrange|pay|help you with that|do (?:that|it|this))\b[^.!?]*\?",
        _I,
    ),
    confirms=re.compile(
        r"\b(?:confirm|is (?:that|this|it|everything|all(?: of)? (?:that|this)) (?:right|correct|okay|ok|accurate|good|fine|alright)|correct\?|right\?|is that (?:it|what)|just to (?:be sure|make sure|clarify|double)|to (?:recap|verify|double[- ]check)|verify|you(?:'d| would)? (?:want|like|are looking|'re (?:booking|looking))[^?]*\?$|did i get|does that (?:look|sound)|okay\?|ok\?)",
        _I,
    ),
    anything_else=re.compile(
        r"\b(?:anything else|something else|any ?thing more|else (?:i|that i|can i|you)|any other (?:thing|question|way)|what else|further assist|other help|can i (?:help|assist)|how (?:may|can|could) i (?:help|assist|be)|need any(?:thing| other| more))\b",
        _I,
    ),
    devices=(
        (
            Device.REVERSE_ORDINAL,
            re.compile(
                r"\b(?:the (?:last|latter|final|bottom)(?: (?:one|two|option|of))?|second[- ]to[- ]last|(?:last|latter) (?:one|option))\b(?! (?:name|time|week|month|year|night|minute|digits?|4|four))",
                _I,
            ),
        ),
        (
            Device.ORDINAL,
            re.compile(
                rf"\b(?:the (?:{_EN_ORDINALS}|former|top|middle)(?: (?:one|two|option|choice|place|hotel|restaurant|movie|flight|of (?:those|them)))?|(?:option|number|no\.?|choice) ?(?:\d|one|two|three)\b|(?:{_EN_ORDINALS}) (?:one|option|choice))(?! (?:of (?:{_MONTHS}|next|this)|time|name|class|floor|week|day|person|thing|try|street|avenue|{_MONTHS}))\b",
                _I,
            ),
        ),
        (
            Device.DESCRIPTION,
            re.compile(
                r"\b(?:the (?:other|same|\w+(?:er|est)|\w+) ones?|(?:the|that|those) \w+ (?:you|we|i) (?:\w+ )?(?:mentioned|said|found|suggested|told|recommended|gave|listed|booked|talked|discussed|wanted)|the (?:above|previous|earlier|aforementioned)|(?:as|like) (?:before|i said|earlier|previously)|same (?:place|day|time|date|city|area|as|location|price|number|name|one|for)|the other (?:one|two|place|hotel|restaurant|flight|day)|(?:my|the) (?:new|current|upcoming) (?:booking|reservation|appointment|place))\b",
                _I,
            ),
        ),
        (Device.INTERROGATIVE, re.compile(r"\bwhich (?:one|ones|of (?:them|those|these|the))\b", _I)),
        (
            Device.DEMONSTRATIVE,
            re.compile(
                r"\b(?:(?:this|that|these|those)(?! (?:is (?:all|it|everything|\w+ing)|will be all|would be (?:all|great|nice|good|perfect)|sounds|works|week|weekend|month|year|morning|evening|afternoon|time|all))(?: (?:one|ones|place|hotel|restaurant|movie|film|song|event|date|day|flight|car|bus|time|city|area|address|property|apartment|doctor|salon|show|concert|attraction|ride|table|room|\w+))?|the (?:date|day|time|location|place|city|address|amount|price|event|movie|song|restaurant|hotel|flight|house|property|apartment|show|concert|reservation|booking|tickets?|appointment|theater|venue)(?! (?:of|for|in|to)\b))\b",
                _I,
            ),
        ),
        (
            Device.PRONOUN,
            re.compile(
                r"\b(?:it(?!'?s (?:ok|okay|fine|good|great|me|for|a |an |my|on the|at|in |\d))|its|they|them|their|theirs|there(?! (?:is|are|a|an|any|was|were|be|'s|anything|something|another|other))|he|him|his|she|her|hers|one(?= (?:please|for|with|that))|both|either|neither|all of them)\b",
                _I,
            ),
        ),
    ),
    ellipsis=re.compile(
        r"^\W*(?:(?:ok(?:ay)?|yes|yeah|great|cool|nice|good|thanks?|thank you|so|hmm+|oh|i see|alright|got it|perfect)\W+)*(?:and(?! (?:i|can|could|please|find|book|what is|where is|i'?m|also i))|but|what about|how about|or|for|on|in|at|with|from|to|around|near|only|just|not|maybe|plus|under|over|between|after|before|how much|how long|how far|when|where|who|why|which|cheaper|more|less|same|any (?:other|else|more)|another|other|what (?:time|day|price|kind|type|else|other)|what'?s? (?:is |are |was )?(?:the|its|their|a)|is there|are there|do they|does (?:it|he|she|that|this)|is it|can (?:i|we|it)|will (?:it|they))\b",
        _I,
    ),
    joints=re.compile(
        r"(?:[.;!?]\s+|,?\s+)(?:and(?: (?:also|then|can you|could you|please|i(?:'d| want| need| would)?|how|what|where|when|book|find|tell|show|send|get|add|give|is|are|does|do|which|who|check))|also|then|plus|as well as|after that|afterwards|oh and)\b|\?\s+(?=\w)|[;&]\s|\b(?:both|along with)\b",
        _I,
    ),
    chained=re.compile(
        r"\b(?:then|if so|if (?:it|there|they|that|not|yes|the|i)|after (?:that|which|wards)|once|when (?:you|it|that)|based on|accordingly|whichever|the (?:cheapest|best|nearest|first|closest|cheaper|highest|shortest) (?:one|of)|and (?:book|reserve|send|add|share|convert|translate|play|buy|order|tell|call|email|text|remind|save|put|pick) (?:it|that|them|me|one|the)|with (?:the result|that)|so (?:i|that))\b",
        _I,
    ),
    values=re.compile(
        rf"\[[A-Z_]+_\d+\]|\$ ?\d[\d,.]*|\d+(?::\d\d)?(?: ?(?:am|pm|a\.m\.|p\.m\.|o'?clock|%|usd|eur|euros?|dollars?|credits?|people|persons?|ppl|guests?|tickets?|nights?|days?|rooms?|beds?|bedrooms?|stars?))?\b|"
        rf"\b(?:{_DAYS}|(?:{_MONTHS})(?: \d{{1,2}}(?:st|nd|rd|th)?)?|\d{{1,2}}(?:st|nd|rd|th)|morning|afternoon|evening|noon|midnight|(?:one|two|three|four|five|six|seven|eight|nine|ten)(?= (?:people|persons?|of us|tickets?|rooms?|nights?|days?|seats?|beds?|guests?|adults?|for))|cheap|moderate|expensive|economy|business|premium)\b|"
        r"(?-i:(?<![.!?] )(?<!^)\b[A-Z][\w'’&-]+(?: (?:of|the|de|la|at|and|&|in) (?=[A-Z])| (?=[A-Z]))?(?:[A-Z][\w'’&-]+(?: (?=[A-Z]))?)*)",
        _I,
    ),
)

_ZH_THING = "家|个|间|座|处|位|部|首|款|条|趟|班|种|本|张|里|儿|边|天|些|样|两家|几家|两个|几个|三个|三家|所|场|道"

CHINESE = Cues(
    close=re.compile(
        r"再见|拜拜|白白|886|88了|没有(?:别的)?(?:其他|其它)?(?:问题|事|什么)了|没(?:别的)?(?:问题|事)了|就(?:这些|这样)(?:吧|了)?|不用了|不需要了|没有了|没了|先这样|暂时(?:不|没)|回头见|下次(?:再)?(?:聊|见)|晚安|完美[!！。]?$|够了"
    ),
    thanks=re.compile(r"谢谢|多谢|感谢|谢了|谢啦|辛苦|thx|thanks|太好了|麻烦你了"),
    greeting=re.compile(
        r"(?:\W|你好|您好|嗨|哈喽|hello|hi|早上好|下午好|晚上好|早|在吗|在不在|有人吗|请问|亲|呀|啊|哦)*", _I
    ),
    small_talk=re.compile(
        r"你(?:是谁|叫什么|几岁|喜欢|觉得(?!哪)|会不会|有没有(?:感情|朋友)|知道(?:吗|么)|真(?:聪明|棒|好|可爱|厉害)|是(?:人|机器))|(?:知道|听过|听说过|看过|去过|认识|喜欢|读过|玩过|了解)(?!.*(?:怎么|什么|哪|多少|几|天气|气温)).{0,24}(?:吗|么|吧|没有?)|去过(?:吗|么|没)|讲个?笑话|哈哈|呵呵|嘿嘿|我(?:好|很|太|真)(?:无聊|难过|开心|高兴|累|喜欢|羡慕|佩服)|"
        r"是啊|对啊|是的呢|真的(?:吗|假的)|不错(?:啊|呢|哦)|厉害|好看|感人|经典|我(?:也)?(?:觉得|喜欢|知道|看过|听过|听说|去过|记得)|可不是|那(?:是|肯定|当然)|怪不得|原来如此|没错|无语|好吧"
    ),
    filler=re.compile(
        r"好的|好呀|好啊|好吧|好嘞|好滴|行啊|行吧|可以的?|没问题|嗯+|哦+|噢|啊|呀|呢|吧|嘛|的|了|收到|知道|明白|清楚|记住|记下|我|你|您|谢谢|多谢|感谢|太|真是|非常|很|好|行|是|对|不错|那|就|这|也|都|去|来|还|挺|满意|合适|适合|帮助|这儿|它|这里|[^\w]+"
    ),
    request=re.compile(
        r"帮我|请(?!问)|给我|我(?:们)?(?:想|要|需要|打算|准备|得|希望)|想(?:要|找|去|吃|看|订|住|听|问|知道|了解)|推荐|介绍|找(?:一|个|家|间|下|点)|查(?:一|下|查|询|找)|搜|预订|预定|订(?:一|个|张|间|位)|叫(?:一|辆|个|车)|安排|麻烦|能不能|可不可以|能(?:否|帮)|可以(?:帮|给|告诉|推荐|查)|告诉|打算|翻译|换算|计算|提醒|播放|写(?:一|个|封|首)|求"
    ),
    opens=re.compile(
        r"推荐|找(?:一|个|家|间|点|寻|下)|(?:我|想|要|得|再|去)找|搜|想(?:要)?(?:去|吃|住|玩|看|听|订|坐|买|知道.{0,3}天气)|(?:要|打算|准备|得)(?:去|吃|住|玩|到|坐|订|买|呼叫|叫)|(?:叫|呼叫|打)(?:一|辆|个)?.{0,3}(?:车|出租)|坐地铁|乘(?:坐)?地铁|出租|打车|预订|预定|订(?:一|个|张|间|位)|翻译|换算|计算|提醒|播放|写(?:一|个|封|首)|查(?:一)?(?:下|查)?.{0,6}(?:天气|航班|车次|汇率|股|新闻)"
    ),
    attribute=re.compile(
        r"地址|电话|评分|价格|多少钱|人均|营业|门票|周边|附近|旁边|四周|设施|服务|车牌|车型|在哪|几点|多久|多长|怎么样|咋样|有没有|有什么|游玩时"
    ),
    question=re.compile(
        r"[?？]|吗|么(?![\u4e00-\u9fff])|呢[?？。!！]?$|什么|多少|几(?:点|个|家|号|分|天|楼|路|块)|哪|怎么|如何|是否|有没有|能不能|可不可以|多(?:远|久|大|长)|为什么|谁"
    ),
    alternative=re.compile(
        r"^(?!.*(?:周边|附近|四周|旁边|那儿).{0,10}(?:别的|其他|其它|还有)).*?(?:别的|其他|其它|另外(?:一|的|再)?|换(?:一|个|家|成)|再.{0,6}(?:推荐|介绍|找|换|来)|有没有(?:更|便宜|其他|别)|更(?:便宜|近|好|高|低)|那(?:.{1,8})呢[?？]?$|不(?:喜欢|太喜欢|想去)(?:这|那)|太(?:贵|远|晚|早)了|哪(?:家|个|间|些).{0,12}(?:评分|价格|人均|门票|游玩|消费)|以上这|这(?:几|两|三|些).{0,4}(?:中|里|当中)?.{0,3}(?:哪|有))"
    ),
    change=re.compile(
        r"改成|改为|改到|换成|不对|说错|搞错|应该是|不是.{1,12}(?:是|而是)|算了|还是(?:去|要|订|选|改|换)|等等|等一下|重新"
    ),
    affirm=re.compile(
        r"^\W*(?:好|行|可以|是的?|对|嗯|没错|没问题|当然|要的?|需要|ok|OK|okay|确认|就(?:它|这|那)|好呀|是啊)"
    ),
    negate=re.compile(r"^\W*(?:不|没|别|算了|否)"),
    also=re.compile(
        r"再(?!见)|还(?:想|要|需要|得|有)|另外|顺便|然后|接下来|接着|之后|完(?:了|后|之后)?|同时|此外|对了|还得|又|晚上|中午|下午|第二天|回来"
    ),
    act=re.compile(
        r"订(?!单)|预订|预定|下单|叫(?:一|辆|车|个)|购买|买|播放|支付|付款|转账|安排|取消|添加|发送|确认|打车"
    ),
    choose=re.compile(r"就(?:它|这|那|去|选|订|定)|听起来|听着|不错|挺好|喜欢|满意|合适|可以|适合|太好了|完美"),
    asks=re.compile(
        r"请问|请(?:提供|告诉|告知|说明|输入)|您(?:想|要|需要|希望|打算|是要|的).{0,20}[?？]|(?:哪|几|多少|什么|什么时候|谁).{0,16}[?？]|有(?:什么|没有).{0,6}要求|方便(?:提供|告诉)"
    ),
    offers=re.compile(r"(?:需要|要不要|要|用|是否|可以).{0,4}(?:我|帮|为您|给您).{0,16}[?？吗]"),
    confirms=re.compile(r"(?:确认|是吗|对吗|对吧|是吧|没错吧|可以吗|行吗|是不是)"),
    anything_else=re.compile(r"还(?:有|需要)(?:什么|其他|别的|啥)|(?:其他|别的)(?:问题|需要)"),
    devices=(
        (Device.REVERSE_ORDINAL, re.compile(r"最后(?:那|一)?(?:家|个|间|首|部)|后者|倒数第[一二三]|后面那?(?:家|个)")),
        (
            Device.ORDINAL,
            re.compile(rf"第[一二三四五六七八九\d](?:{_ZH_THING})|前者|前(?:面)?(?:两|三|几)(?:个|家)|头一(?:个|家)"),
        ),
        (
            Device.DESCRIPTION,
            re.compile(
                r"(?:刚才|刚刚|之前|前面|上面|上述|以上|先前)(?:说|提|推荐|讲|查|看)?(?:的|到的|过的)?.{0,4}|另(?:外)?一(?:家|个|间)|同(?:一|样的?)(?:家|个|天|时间|地方)?|(?:便宜|贵|近|远|大|小|好|高|早|晚)(?:一点|点|些)?的那(?:家|个|间)|(?:你|您)(?:说|推荐|提到|讲)的.{0,4}|(?:便宜|贵|近|远|最高|最低|最近)的(?=[，。！？\s]|$)|原来的|老样子|还是那"
            ),
        ),
        (
            Device.INTERROGATIVE,
            re.compile(
                r"(?:其中|这些|这几|那些|里面|当中|中).{0,4}哪|哪(?:一)?(?:家|个|间|款|部|首)(?=.{0,10}(?:评分|价格|便宜|好|人均|近|高|低))"
            ),
        ),
        (
            Device.DEMONSTRATIVE,
            re.compile(
                rf"(?:这|那|该|本|此)(?:一)?(?:{_ZH_THING})|(?:这|那|该)(?:酒店|餐馆|餐厅|景点|地方|电影|歌|店|公园|人|车|路|饭店|艺术区|地铁站|出租|药|航班|公司)|此(?:处|地|店)|这(?!样|么|次|周|个月|就)|那(?!么|就|样|好|行|我|你|您|请|再|还|有没有|能|可以|麻烦|帮|，|。|,|怎么|是)"
            ),
        ),
        (
            Device.PRONOUN,
            re.compile(r"它们?|他们?(?:家|那)?(?!国)|她们?|那里|那儿|那边|这里|这儿|这边|其(?!他|它|实|中|余)|人家"),
        ),
    ),
    ellipsis=re.compile(
        r"^\W*(?:(?:好的?|嗯+|哦+|行|谢谢|知道了|可以|不错|ok|那|好呀|是吗|太好了|这样啊|明白了?|收到|好吧|对了|没问题)[\s，,。！!~、；;]*)*(?:那|还|再)?(?:请问)?(?:一下)?(?:地址|电话|价格|多少|评分|门票|人均|营业|几点|周边|附近|周围|有(?:没有|什么|哪些|电话|停车|几)|怎么|在哪|是哪|什么时候|能|可以|游玩|消费|推荐菜|明天|后天|周[一二三四五六日末]|下周|换|改|为什么|多久|多远|是什么|贵不贵|远不远|车牌|车型|酒店(?:设施|服务)|.{1,10}呢[?？]?$)"
    ),
    joints=re.compile(
        r"[，,；;。？?！!]\s*(?:还有|另外|顺便|然后|再(?!见)|并且|同时|以及|也|接着|最好再|麻烦再|还(?:想|要)|并)|以及|[?？](?=.{3,}[?？])|顺便|和(?=.{1,8}(?:是多少|吗|呢|告诉|分别|都))|、(?=.{1,10}(?:是多少|告诉|分别|都|吗))|分别|[，,](?=[^，,]{0,12}(?:多少|吗|么|哪|什么|几|怎么|如何|有没有))"
    ),
    chained=re.compile(
        r"然后|如果|要是|的话|再(?:帮|把|给|订|叫|查)|之后|接着|根据|从中|里面(?:挑|选|最)|最(?:便宜|近|好)的(?:那|一)?|并(?:且)?(?:把|发|订|加|帮)|其中"
    ),
    values=re.compile(
        r"\[[A-Z_]+_\d+\]|\d+(?:[.:：-]\d+)*(?:元|块|分|点|人|位|天|晚|间|张|小时|号|月|日|岁|公里|级|星)?(?:以上|以下|以内|左右)?|[一二三四五六七八九十两]+(?:个人|位|天|晚|间|张|小时|点半?|号|月|星级?)|今天|明天|后天|大后天|今晚|周[一二三四五六日末]|星期[一二三四五六日天]|下周.?|上午|下午|晚上|中午|早上|免费|经济型|舒适型|高档型|豪华型|[\u4e00-\u9fff]{2,12}(?:酒店|宾馆|饭店|餐厅|餐馆|公园|博物馆|景区|寺|宫|店\)|店）|大学|车站|机场|广场|路|街|区|市)"
    ),
)

CUES: dict[str, Cues] = {"en": ENGLISH, "zh": CHINESE}
"""Cues by language."""
