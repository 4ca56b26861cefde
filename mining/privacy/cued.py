"""Patterns of what the words before it announce: an address, a card, a number, a password, an account, a place on the map.

Keys and tokens follow the rules of gitleaks (MIT) for the services that users paste most.
"""

# ruff: noqa: E501 - tables read best one entry a line
from __future__ import annotations

import re
from math import log2

from wildtool.mining.privacy.pattern import Clues, Pattern, PersonalData, holds_any

_P = PersonalData
_WORD = r"[\w.'’/-]{1,24}"
_CAPITAL = r"[A-ZÀ-ÖØ-ÞĀ-Ž][\w.'’-]{1,24}"
_UNIT = r"(?i:apt|apartment|flat|unit|suite|ste|floor|fl|room|rm|piso|puerta|étage|appartement|wohnung|stock|#)\.?\s?#?\w{1,6}"
_STREETS = (
    r"(?:stra(?:ß|ss)e|str\.?|weg|gasse|platz|allee|ufer|damm|ring|chaussee|gata|gatan|vägen|väg|vej|vejen|gade|vænget|plads|veien|"
    r"katu|kuja|tie|polku|utca|u\.|tér|út|útja|körút|ulica|ulice|ul\.|náměstí|laan|straat|plein|dreef|kade|gracht|weg|utca|sokak|caddesi|"
    r"street|st|avenue|ave|road|rd|lane|ln|drive|dr|boulevard|blvd|court|ct|place|pl|terrace|crescent|close|square|way|row|grove|mews|"
    r"parkway|pkwy|highway|hwy|quay|wharf|walk|parade|circle|cir|trail|trl|loop|alley|path|pike|circuit|esplanade|rise|vale|broadway|teig|götu|gata|stien|stigen|vegen|bakken|svingen|haugen|toppen|backen|gränd|torg|torget|allé|bakke|torv|høj|lunden|parken|markt|"
    r"steenweg|singel|hof|graben|promenade|zeile|kai|strasse|stræti|stræde|braut|holt|puistotie|ranta|köz|sor|rakpart|trg|cesta|ulice|nábřeží|venue)"
)
_LEADING = (
    r"(?:calle|c/|avenida|av\.?|avda\.?|plaza|paseo|carrer|camino|rua|travessa|largo|praça|via|viale|piazza|corso|vicolo|largo|rue|avenue|"
    r"boulevard|bd|allée|chemin|impasse|place|quai|chaussée|ul\.|ulica|al\.|pl\.|os\.|strada|str\.|bulevardul|jalan|jl\.)"
)
_STATE = r"[A-Z]{2}"
_ZIP = r"(?:\d{5}(?:-\d{4})?|\d{4,6}|[A-Z]{1,2}\d[A-Z\d]? ?\d[A-Z]{2}|[A-Z]\d[A-Z] ?\d[A-Z]\d|\d{2,3}[- ]\d{2,3}|\d{5}-\d{3})"
_TAIL = rf"(?:[,.]?\s{{1,3}}{_UNIT})?(?:[,.]?\s{{0,3}}\n?\s?(?:{_CAPITAL},?\s){{0,3}}{_CAPITAL}?,?\s?(?:{_STATE}\s)?{_ZIP}\b(?:,?\s{{1,3}}{_CAPITAL}(?:\s{_CAPITAL})?)?)?"


_ID_WORDS = (
    "social", "ssn", "ni number", "insurance", "nino", "aadha", "pan card", "dni", "nie", "curp", "cpf", "cnpj", "codice", "partita", "sécu", "secu",
    "nir", "sozial", "steuer", "ausweis", "bsn", "pesel", "tax id", "nif", "nhs", "medicare", "passport", "reisepass", "pasaporte", "passeport",
    "passaporto", "id ", "licen", "マイナンバー", "通行证", "护照", "医保", "社保", "军官证", "驾驶证", "学号", "工号", "身份证",
)  # fmt: skip
_ACCOUNTS = (
    "user", "login", "handle", "insta", "twitter", "snap", "telegram", "tiktok", "discord", "skype", "steam", "gamertag", "psn", "github", "reddit",
    "line id", "kakao", "微信", "wechat", "qq", "微博", "支付宝", "抖音", "小红书",
)  # fmt: skip
_PLATES = ("licen", "number", "registration", "reg", "parking", "plate", "kennzeichen", "matr", "targa", "placa")
_TOKEN = re.compile(r"[A-Za-z0-9_-]{16}")
_FIVE = re.compile(r"\d(?:\D{0,2}\d){4}")


def _house(clues: Clues) -> bool:
    return clues.digit


def _entropy(text: str) -> float:
    return -sum(text.count(each) / len(text) * log2(text.count(each) / len(text)) for each in set(text))


def _random(value: str) -> bool:
    """Does a text look drawn at random: letters and digits, and more than three bits a sign?"""
    return any(c.isdigit() for c in value) and any(c.isalpha() for c in value) and _entropy(value) > 3.0


def _digits(text: str) -> int:
    return sum(c.isdigit() for c in text)


_PLAIN: frozenset[str] = frozenset(
    "is the a my your not wrong correct required reset changed expired incorrect invalid needed weak strong protected policy and or for to please".split()
)
"""What stands after "password is" and is none."""

CUED = (
    Pattern(
        _P.KEY,
        re.compile(
            r"(?<![\w-])(?:glpat-[\w-]{16,}|gldt-[\w-]{16,}|(?:sk|rk|pk|whsec)_(?:live|test)?_?[A-Za-z0-9]{12,}|npm_[A-Za-z0-9]{20,}"
            r"|pypi-[\w-]{20,}|SG\.[\w-]{16,}\.[\w-]{16,}|github_pat_\w{20,}|dckr_pat_[\w-]{16,}|ya29\.[\w-]{16,}|EAA[A-Za-z0-9]{20,}"
            r"|AC[0-9a-f]{32}|key-[0-9a-f]{24,}|shp(?:at|ss|ca)_[0-9a-f]{20,}|lin_api_\w{20,}|sq0[a-z]{3}-[\w-]{16,}|dop_v1_[0-9a-f]{20,}"
            r"|[0-9]{8,10}:AA[\w-]{30,}|AGE-SECRET-KEY-\w{20,}|ASIA[0-9A-Z]{12,}|LTAI\w{12,}|AKID\w{12,}|r8_\w{20,}|xai-\w{20,}|gsk_\w{20,})"
        ),
        hint=lambda clues: clues.digit and _TOKEN.search(clues.text) is not None,
    ),
    Pattern(
        _P.KEY,
        re.compile(
            r"(?i)(?:passwor[dt]|passwd|passcode|passphrase|passwort|contrase[ñn]a|mot de passe|senha|clave|pwd|密码|口令|wifi[ -]?(?:key|code))"
            r"\s{0,3}(?:is|=|:|：|是|为|ist|es|est|é)\s{0,3}[\"'`“]?(?P<v>[^\s\"'`”，。]{5,100})"
        ),
        holds=lambda value: value.lower().strip(".,!?") not in _PLAIN and not value.endswith("?"),
        hint=lambda clues: holds_any(clues.lower, ("passw", "passc", "passp", "contrase", "mot de passe", "senha", "clave", "pwd", "密码", "口令", "wifi")),
    ),
    Pattern(
        _P.KEY,
        re.compile(r"(?i)(?:api|access|secret|auth|private|bearer|token|key)[\w -]{0,20}?[\s:=]{1,3}[\"'`]?(?P<v>[A-Za-z0-9_\-+/=.]{20,200})"),
        holds=_random,
        hint=lambda clues: clues.digit and holds_any(clues.lower, ("api", "secret", "token", "bearer", "key", "auth")),
    ),
    Pattern(
        _P.URL,
        re.compile(r"https?://\S*?(?:[?&](?:sig|signature|token|access_token|key|api_key|user|email|auth|code|password|sid|session)=)[^\s\"'<>]+"),
        hint=lambda clues: "http" in clues.lower and "=" in clues.text,
    ),
    Pattern(
        _P.EMAIL,
        re.compile(r"(?<![\w.+-])[\w.+-]{2,40}@[\w-]+(?:\.[\w-]+)+", re.UNICODE),
        hint=lambda clues: "@" in clues.text,
    ),
    Pattern(
        _P.CARD,
        re.compile(
            r"(?i)\b(?:credit card|debit card|card(?: number| no\.?| #)?|cc|visa|mastercard|amex|karte(?:nnummer)?|tarjeta|carte|cartão|carta)\b"
            r"[^\d\n]{0,24}?(?P<v>\d(?:[ -]?\d){11,18})(?!\d)"
        ),
        hint=lambda clues: bool(clues.numbers),
    ),
    Pattern(_P.CARD, re.compile(r"(?<![\d.-])(?P<v>\d{12,19})(?= (?:transactions?|card|credit|debit))"), hint=lambda clues: bool(clues.numbers)),
    Pattern(
        _P.IBAN,
        re.compile(r"(?i)\biban\b[^\dA-Z\n]{0,12}(?:is|:|no\.?|number)?\s{0,3}(?P<v>[A-Z]{2}\d{2}(?: ?[A-Z0-9]){10,30})\b"),
        hint=lambda clues: "iban" in clues.lower,
    ),
    Pattern(
        _P.IBAN,
        re.compile(r"(?i)\b(?:sort code|account(?: number| no\.?)?|acct|routing(?: number)?|bsb|konto(?:nummer)?|cuenta|compte|conto|conta)[\s:#is]{1,6}(?P<v>\d[\d -]{5,16}\d)"),
        holds=lambda value: _digits(value) >= 6,
        hint=lambda clues: clues.digit and holds_any(clues.lower, ("sort code", "account", "acct", "routing", "bsb", "konto", "cuenta", "compte", "conto", "conta")),
    ),
    Pattern(
        _P.ID,
        re.compile(
            r"(?i)(?:\bsocial security(?: number| no\.?)?|\bssn\b|\bni number|\bnational insurance(?: number| no\.?)?|\bnino\b|\baadhaar|\baadhar|\bpan card|\bdni\b|\bnie\b|\bcurp\b"
            r"|\bcpf\b|\bcnpj\b|\bcodice fiscale|\bpartita iva|num[ée]ro de s[ée]cu\w*(?: sociale)?|\bnir\b|\bsozialversicherungs\w*|\bsteuer-?id\w*|\bpersonalausweis\w*|\bbsn\b|\bpesel\b|\btax id\w*|\bnif\b"
            r"|\bnhs\b(?: number)?|\bmedicare(?: number)?|\bpassport(?: number| no\.?)?|\breisepass\w*|\bpasaporte|\bpasseport|\bpassaporto|\bid(?: card)? (?:number|no\.?)|\bdriver'?s? licen[cs]e|\blicen[cs]e (?:number|no\.?)"
            r"|マイナンバー|港澳通行证|通行证|护照|医保卡?|社保卡?|军官证|驾驶证|学号|工号|身份证)"
            r"(?:号码?|号|卡号)?[^\dA-Za-z\n]{0,8}(?:is|no|number|num|ist|es|est|é|是|为|nr|n°)?[^\dA-Za-z\n]{0,6}"
            r"(?P<v>(?-i:(?:[A-Z]{1,6}[ ]?)?\d[\dA-Z]{0,6}(?:[ ./-]?[\dA-Z]{1,11}){0,8}))(?![\w])"
        ),
        holds=lambda value: _digits(value) >= 5,
        hint=lambda clues: clues.digit and _FIVE.search(clues.text) is not None and holds_any(clues.lower, _ID_WORDS),
    ),
    Pattern(
        _P.ACCOUNT,
        re.compile(
            r"(?i)(?:\b(?:user ?name|login|handle|insta(?:gram)?|twitter|snap(?:chat)?|telegram|tiktok|discord|skype|steam|gamertag|psn|github|reddit|line id|kakao(?:talk)?)\b"
            r"|微信号?|wechat(?: id)?|qq(?:号码?|号)?|微博|支付宝(?:账号)?|抖音号?|小红书号?)\s{0,2}(?:id|name|account|handle|号码?)?\s{0,2}(?:is|:|：|=|是|为)\s{0,2}@?(?P<v>[A-Za-z0-9][\w.#-]{3,40})"
        ),
        holds=lambda value: any(c in "_.#-" or c.isdigit() for c in value),
        hint=lambda clues: holds_any(clues.lower, _ACCOUNTS),
    ),
    Pattern(_P.ACCOUNT, re.compile(r"(?<![\w@./])@(?P<v>[A-Za-z][\w.]{3,30}[\w])(?![\w@]|\.\w)"), holds=lambda value: "_" in value or any(c.isdigit() for c in value), hint=lambda clues: "@" in clues.text),
    Pattern(
        _P.BIRTH,
        re.compile(
            r"(?i)(?:\bborn(?: on)?|\bbirthday(?: is)?|\bdate of birth|\bdob\b|\bgeboren(?: am)?|\bgeburtsdatum|\bnac[ií] el|\bnée? le|\bnascid[oa] em|\bnat[oa] il)"
            r"[^\d\n]{0,14}?(?P<v>\d{1,2}(?:st|nd|rd|th|\.|er)?\s(?:of\s|de\s|di\s)?[A-Za-zéûäç]{3,10}(?:,?\s(?:de\s)?\d{4})?|\d{1,4}[./-]\d{1,2}[./-]\d{1,4})"
        ),
        hint=lambda clues: clues.digit and holds_any(clues.lower, ("born", "birth", "dob", "geb", "nac", "né", "nasc", "nat")),
    ),
    Pattern(
        _P.PLATE,
        re.compile(
            r"(?i)(?:\b(?:licen[cs]e|number|registration|reg|parking|plate|kennzeichen|matr[ií]cula|immatriculation|targa|placa)\b[^\n\d]{0,24}?)"
            r"(?P<v>(?-i:[A-Z]{1,3}[- ][A-Z]{1,2}[- ]?\d{1,4}[EH]?|[A-Z]{2}\d{2} ?[A-Z]{3}|\d{4} ?[A-Z]{3}|[A-Z]{2}-\d{3}-[A-Z]{2}|[A-Z]{3}[- ]?\d{3,4}|\d[A-Z]{3}\d{3}))\b"
        ),
        hint=lambda clues: clues.digit and holds_any(clues.lower, _PLATES),
    ),
    Pattern(
        _P.ADDRESS,
        re.compile(
            r"(?i)\b(?:i['’]?m|i am|we['’]?re|we are|me|my \w{3,9}|home|live|lives|house|pick me up|located|location|coordinates|gps)\b[^\d\n]{0,24}?"
            r"(?P<v>-?\d{1,2}\.\d{4,8},\s?-?\d{1,3}\.\d{4,8}(?![\d.])"
            r"|\d{1,3}°\s?\d{1,2}['′]\s?[\d.]{1,8}[\"″]?\s?[NS][,\s]{0,3}\d{1,3}°\s?\d{1,2}['′]\s?[\d.]{1,8}[\"″]?\s?[EW])"
        ),
        hint=lambda clues: clues.digit and ("." in clues.text or "°" in clues.text) and _FIVE.search(clues.text) is not None,
    ),
    Pattern(_P.ADDRESS, re.compile(r"(?i)\b(?:USNS|USNV|USS|USCGC|PSC|CMR|Unit)\b[^\n]{1,34}\n?\s?[AFD]PO [A-Z]{2} \d{5}"), hint=_house),
    Pattern(
        _P.ADDRESS,
        re.compile(r"(?im)^\d{1,6}(?: \d{1,5})? (?:[^\W\d_][\w.'’-]{1,20} ){1,3}(?:street|avenue|road|lane|boulevard|drive|ave|rd|blvd)\b(?! (?:from|away|food|trip|test))"),
        hint=_house,
    ),
    Pattern(
        _P.ADDRESS,
        re.compile(r"(?<![\w$€£.,-])(?:\d{1,6} )?[^\W\d_][\w.'’-]{2,24}(?: [^\W\d_][\w.'’-]{1,24}){0,3} \d{1,4}[A-Za-z]?\s?\n\s?[^\W\d_][\w .'’-]{1,30},? (?:[A-Za-z]{2,3} )?\d{4,6}\b"),
        hint=_house,
    ),
    Pattern(_P.ADDRESS, re.compile(r"(?i)\bp\.?\s?o\.?\s?box\s#?\d{1,6}(?:,?\s(?-i:[A-Z][\w.]{1,20},?\s){0,3}(?-i:[A-Z]{2})\s\d{5})?|\bPSC \d{1,5},? Box \d{1,5}\s+[AF]PO [A-Z]{2} \d{5}|\bUnit \d{1,5} Box \d{1,5}\s+[ADF]PO [A-Z]{2} \d{5}"), hint=_house),
    Pattern(
        _P.ADDRESS,
        re.compile(
            r"(?i)\b(?:(?:home |new |billing |shipping |postal |mailing |delivery |street |current |old |full |my |his |her |their |our )*address"
            r"(?: (?:is|was|to|as|below|here))?(?: now)?|(?:i |we |he |she |they )?(?:live|lives|living|lived|reside[sd]?|staying|moved|moving) (?:at|to|in)|located at|"
            r"(?:be sent|sent|ship|deliver|send|mail|post|come|bring|pick me up|drop)(?: it| them| this| the \w+)? (?:to|at|from)|adresse|anschrift|direcci[óo]n|indirizzo|endere[çc]o|wohne? in(?: der)?|vivo en(?: la)?|habite(?: au)?|moro na)"
            r"(?:\?\s{0,3}(?:(?:user|customer|me)\s?:)?\s{0,2}(?:it(?:['’]?s| is))?)?\s{0,2}(?:is|ist|es|est|é|[:：-])?\s{0,3}(?P<v>(?-i:(?:the corner of )?(?:[A-ZÀ-ÖØ-ÞĀ-Ž#\d])[^\n?!;]{3,90}?\d[^\n?!;.]{0,60}|\d{1,6}\s[^\n?!;]{4,80}))(?=[\n?!;.]|$)"
        ),
        holds=lambda value: _digits(value) > 0 and not re.match(r"(?i)(?:room|gate|terminal|platform|seat|table|desk|zone)\b|\d{1,3}(?:\.\d{1,3}){3}|[\w.]+@|https?:", value),
        hint=_house,
    ),
    Pattern(
        _P.ADDRESS,
        re.compile(rf"(?<![\w$€£.,-])\d{{1,5}}[A-Za-z]?,?\s(?:{_CAPITAL}\s){{0,4}}(?:{_CAPITAL}\s(?i:{_STREETS})|[A-ZÀ-ÖØ-ÞĀ-Ž][\w'’.-]{{1,24}}(?i:{_STREETS}))\b\.?(?!-)(?! (?i:met(?:er|re)s?|feet|foot|ft|miles?|inch(?:es)?|footage|km)\b)(?:\s\d{{1,4}}[A-Za-z]?\b\.?)?{_TAIL}"),
        hint=_house,
    ),
    Pattern(
        _P.ADDRESS,
        re.compile(rf"(?<![\w$€£.,-])(?:{_CAPITAL}[\s-]){{0,3}}[A-ZÀ-ÖØ-ÞĀ-Ž][\w'’.-]{{0,24}}(?i:{_STREETS})\.?\s\d{{1,4}}\s?[A-Za-z]?\b{_TAIL}"),
        hint=_house,
    ),
    Pattern(
        _P.ADDRESS,
        re.compile(rf"(?<![\w$€£.,-])(?:\d{{1,5}}[A-Za-z]?,?\s)?(?i:{_LEADING})\s(?:(?:de|del|la|las|los|di|da|do|des|du|van|der)\s){{0,2}}(?:{_CAPITAL}\s?){{1,4}},?\s?\d{{0,5}}(?:[ºª°]\w?)?{_TAIL}"),
        holds=lambda value: _digits(value) > 0,
        hint=_house,
    ),
    Pattern(
        _P.ADDRESS,
        re.compile(rf"(?<![\w$€£.,:/-])\d{{1,6}}\s(?:{_CAPITAL}\s?){{1,4}}\d{{0,4}}(?:,?\s{_UNIT})?(?:,|\n|\s\n)\s{{0,3}}(?:{_UNIT}[,\n\s]{{1,4}})?(?:{_CAPITAL}[,\s\n]{{1,3}}){{1,4}}(?:{_STATE}[,\s]{{1,2}})?(?:{_ZIP}\b(?:[,\s]{{1,3}}{_CAPITAL})?)"),
        hint=_house,
    ),
    Pattern(
        _P.ADDRESS,
        re.compile(r"[一-鿿]{2,9}(?:省|市|自治区|区|县)[一-鿿A-Za-z0-9]{1,16}?(?:路|街|大道|胡同|巷|弄|村|段|道)\s?\d{0,5}\s?(?:号院?|弄)?[一-鿿A-Za-z0-9]{0,14}?\d{1,4}\s?(?:号楼|号|栋|幢|座|单元|层|室|楼)(?:\s?\d{1,4}\s?(?:单元|层|室|楼|号))*"),
        hint=lambda clues: clues.han and clues.digit,
    ),
)  # fmt: skip
"""In order, after the patterns whose form alone is enough."""


PHONES = (
    Pattern(
        _P.PHONE,
        re.compile(
            r"(?i)(?:\b(?:phone|mobile|cell(?:phone)?|tel(?:ephone)?|fax|call|text|sms|whatsapp|handy|móvil|telefon\w*|teléfono|numéro|cellulare|messages to|desk|office|home|work|reach me (?:at|on)|ring|dial|contact)\b\.?|电话|手机|联系方式|号码)"
            r"[^\d\n+(]{0,24}?(?P<v>[+(]?\d[\d\s().\\/-]{5,18}\d)(?![\d%])"
        ),
        holds=lambda value: 7 <= _digits(value) <= 15,
        hint=lambda clues: bool(clues.numbers),
    ),
    Pattern(
        _P.PHONE,
        re.compile(r"(?<![\w.,+])[+(]?\d[\d ()./-]{5,18}\d(?=\s?-?\s?(?:Office|Fax|Mobile|Cell|Home|Work|Desk)\b)"),
        holds=lambda value: 7 <= _digits(value) <= 15,
        hint=lambda clues: bool(clues.numbers),
    ),
    Pattern(
        _P.PHONE,
        re.compile(r"(?<![\w.,-])(?:\+\d{1,3}[ .-]?(?:\(0\)[ .-]?)?)\(?\d{1,4}\)?(?:[ .-]?\d{2,4}){2,4}(?![\w-])"),
        holds=lambda value: 8 <= _digits(value) <= 15,
        hint=lambda clues: "+" in clues.text,
    ),
    Pattern(
        _P.PHONE,
        re.compile(r"(?<![\w.,$€£-])(?<!number )(?<!number: )(?<!nummer )(?:\(0?\d{2,4}\)\s?\d{3,4}[ -]\d{3,4}|0\d{2,4}[ /-]\d{3}[ -]?\d{3,4}(?:[ -]\d{2,4})?|0\d(?:[. ]\d{2}){4}|\d{2}(?:[-.]\d{2}){3})(?![\w-])"),
        holds=lambda value: 8 <= _digits(value) <= 13,
        hint=lambda clues: bool(clues.numbers),
    ),
    Pattern(
        _P.PHONE,
        re.compile(r"(?i)(?:number|phone|call|mobile)[^.\n]{0,12}?(?P<v>(?:\b(?:zero|oh|o|one|two|three|four|five|six|seven|eight|nine|double|triple)\b[\s,-]{1,3}){6,15}\b(?:zero|oh|one|two|three|four|five|six|seven|eight|nine)\b)"),
        hint=lambda clues: holds_any(clues.lower, ("five", "seven", "four", "three", "nine", "eight", "zero")),
    ),
)  # fmt: skip
"""Telephone numbers by what is said before them, or by a form that nothing else has; asked after ``phonenumbers``."""

_LEFT = re.compile(r"(?:\b(?:Suite|Apt\.?|Unit|Flat) \w{1,5},? )?(?<![\w.,-])\d{1,6}[A-Za-z]?,? $")
_RIGHT = re.compile(
    rf"[,.]?[ \t]{{0,2}}(?:\n[^\w\0]{{0,6}})?(?:{_UNIT}|(?:[^\W\d_][\w.'’-]{{1,24}}[ ]){{0,3}}(?:[^\W\d_][\w.'’-]{{1,24}})(?:,? [A-Za-z]{{2,3}})?(?:,? {_ZIP}\b)?|{_ZIP}\b)"
)
MOST_PARTS = 5


def grown(text: str, start: int, end: int) -> tuple[int, int]:
    """Return an address with the number before it and the lines after it that belong to it, up to the last that holds a digit."""
    before = _LEFT.search(text, max(0, start - 24), start)
    start = before.start() if before is not None else start
    at = last = end
    for _ in range(MOST_PARTS):
        hit = _RIGHT.match(text, at)
        if (
            hit is None
            or not hit.group().strip(" ,.\n")
            or (text[at : at + 1] not in (",", "\n", ".", " ") or text[at : at + 2] in (". ", "? "))
        ):
            break
        part = hit.group()
        if "\n\n" in part or ":" in text[hit.end() : hit.end() + 1] or "@" in text[hit.end() : hit.end() + 1]:
            break
        at = hit.end()
        if any(c.isdigit() for c in part):
            last = at
    return start, last
