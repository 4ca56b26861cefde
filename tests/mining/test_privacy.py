"""Privacy: what must go, what must stay, and equal placeholders for equal values."""

from __future__ import annotations

import pytest

from benchmarks.mining_privacy import measure
from benchmarks.privacy_cases import suite
from wildtool.mining.privacy import Scrubber, scrub, scrub_texts
from wildtool.schemas.conversation import Conversation, Message

GOES = [
    ("mail me at jo.bloggs@example.com please", "EMAIL"),
    ("call +44 20 7946 0321 tonight", "PHONE"),
    ("call (208) 555-0142 tonight", "PHONE"),
    ("我的手机号是13800138000", "PHONE"),
    ("card 4111 1111 1111 1111 exp 09/27", "CARD"),
    ("iban DE89 3704 0044 0532 0130 00", "IBAN"),
    ("身份证 11010519491231002X", "ID"),
    ("my ssn is 219-09-9999", "ID"),
    ("the box at 203.0.113.77 is down", "IP"),
    ("mac 00:00:5E:00:53:AF", "MAC"),
    ("I live at 221 Maple Hollow Road", "ADDRESS"),
    ("寄到北京市海淀区中关村南路12号院3号楼502室", "ADDRESS"),
    ("https://deploy:hunter2@stock.example.org/x", "URL"),
    ("my key sk-test-0000FAKE1111fake2222", "KEY"),
    ("date of birth 14.07.1989", "BIRTH"),
    ("My name is Morwenna Pascoe", "NAME"),
    ("我叫李雪梅，帮我订票", "NAME"),
    ("我的微信号 tangyuan_0815x", "ACCOUNT"),
    ("车牌京AD00521", "PLATE"),
    ("电话１３８００１３８０００", "PHONE"),
    ("我的手机号是一三八零零一三八零零零", "PHONE"),
    ("邮箱ａｎｎａ＠ｅｘａｍｐｌｅ．ｃｏｍ", "EMAIL"),
    ("mail anna dot berg at gmail dot com", "EMAIL"),
    ("it is anna (at) posteo (dot) net", "EMAIL"),
    ("我的邮箱是anna艾特163点com", "EMAIL"),
    ("hi, i'm priya and i need a taxi", "NAME"),
    ("my name is priya sharma", "NAME"),
    ("this is anna from accounting", "NAME"),
    ("This is Mrs. Nadia Okafor from Leeds", "NAME"),
    ("我叫王小明想订票", "NAME"),
    ("叫我小李就行", "NAME"),
    ("I live at Storgata 14, 0184 Oslo", "ADDRESS"),
    ("to Hauptstraße 5, 10115 Berlin", "ADDRESS"),
    ("12 rue de la Paix, 75002 Paris", "ADDRESS"),
    ("I live at Lange Voorhout 74", "ADDRESS"),
    ("call me on 22 33 44 55", "PHONE"),
    ("my number is 912 34 567", "PHONE"),
    ("my phone is 06 12 34 56 78", "PHONE"),
    ("my passport number is X1234567", "ID"),
    ("customer number: C-48213", "ID"),
    ("deliver to 56-15 Northern Blvd Suite 4, Dayton, OH 45402", "ADDRESS"),
]

STAYS = [
    "order 4111111111111112 never came",
    "order number 208-555-01421 is late",
    "it costs 1,299.00 euros or 14999 yen",
    "upgrade to version 10.0.3.14159",
    "python 3.11.7 or 3.12",
    "on 2026-03-14 at 10:30",
    "G1234次列车几点到",
    "订单号 202603141592653589 还没到",
    "ISBN 978-0-14-103614-4",
    "I'm Going to bed",
    "我是说明天",
    "the score was 3-1 and then 4-2",
    "2024年3月5日到上海",
    "一共１２８元，在第３页",
    "look at amazon dot com, or the red dot gallery",
    "i'm lost, and this is different from the last one",
    "my name is on the list but it is misspelled",
    "my name is not shown",
    "we saw Dr. Strangelove and a hit from This is Acting",
    "its name is Grand Central",
    "我是学生，我是周五的票，我是石家庄的",
    "Rooms: 3 Floor Square Meters: 109",
]


WHOLE = [
    ("12 Maple Street, Leeds LS1 4AP", "[ADDRESS_1]"),
    ("ring +49 176 1234 5678 now", "ring [PHONE_1] now"),
    ("I live at Karl Johans gate 22, 0159 Oslo.", "I live at [ADDRESS_1]."),
    ("we live at Rua Augusta 1508, 01304-001 São Paulo", "we live at [ADDRESS_1]"),
    ("a Boeing 737, 20000 Feet up", "a Boeing 737, 20000 Feet up"),
]


@pytest.mark.parametrize(("text", "left"), WHOLE)
def test_nothing_of_a_value_stays_beside_its_placeholder(text: str, left: str) -> None:
    assert Scrubber()(text) == left


def test_what_was_asked_for_needs_no_cue() -> None:
    assert scrub_texts(["What is the delivery address?", "Storgata 14"]).texts[1] == "[ADDRESS_1]"
    assert scrub_texts(["What's your phone number?", "sure, 22 33 44 55"]).texts[1] == "sure, [PHONE_1]"
    assert scrub_texts(["What's your order number?", "my number is 912 34 567"]).texts[1] == "my number is 912 34 567"


NAMED = [
    ("What name should I put it under?", "Henrike Osterkamp, my number is on file", "[NAME_1], my number is on file"),
    ("Could I get the name for the reservation?", "Put it under Osterkamp please", "Put it under [NAME_1] please"),
    ("May I have your name?", "anna berg, and I need a taxi", "[NAME_1], and I need a taxi"),
    ("May I have your name?", "no problem, first tell me the price", "no problem, first tell me the price"),
    ("What name should I use?", "Actually, cancel it", "Actually, cancel it"),
    ("What's the name of the hotel?", "Hilton Garden", "Hilton Garden"),
    ("What name is on the door?", "Grand Hotel", "Grand Hotel"),
    ("", "Name: Henrike Osterkamp\nGuests: 2", "Name: [NAME_1]\nGuests: 2"),
    ("", "Name: Grand Hotel\nGuests: 2", "Name: Grand Hotel\nGuests: 2"),
    ("", "Name: Waterloo", "Name: Waterloo"),
    ("", "Hi, Henrike Osterkamp here", "Hi, [NAME_1] here"),
    ("", "Good morning, Is Anyone here", "Good morning, Is Anyone here"),
    ("", "Hello World here", "Hello World here"),
    ("", "我叫小红，想订票", "我叫[NAME_1]，想订票"),
    ("", "我叫小红书给我推荐", "我叫小红书给我推荐"),
]


@pytest.mark.parametrize(("asked", "said", "left"), NAMED)
def test_names_in_answers_forms_and_greetings(asked: str, said: str, left: str) -> None:
    assert scrub_texts([asked, said]).texts[1] == left


def test_spans_of_behaviour_cut_through_no_placeholder() -> None:
    from wildtool.mining.behaviour.references import SPAN_CHARS, _short

    for before in range(SPAN_CHARS + 2):
        said = "x" * before + " [PHONE_12] and so on" + "." * SPAN_CHARS
        span = _short(said)
        assert len(span) <= SPAN_CHARS
        assert "[" not in span or "[PHONE_12]" in span


@pytest.mark.parametrize(("text", "kind"), GOES)
def test_personal_data_goes(text: str, kind: str) -> None:
    assert f"[{kind}_1]" in Scrubber()(text)


@pytest.mark.parametrize("text", STAYS)
def test_look_alikes_stay(text: str) -> None:
    assert Scrubber()(text) == text


def test_equal_values_get_equal_placeholders_within_a_conversation() -> None:
    scrubber = Scrubber()
    first = scrubber("write to jo@example.com or al@example.com")
    second = scrubber("not JO@example.com")
    assert first == "write to [EMAIL_1] or [EMAIL_2]"
    assert second == "not [EMAIL_1]"


def test_wide_signs_that_are_not_personal_stay_as_they_were_written() -> None:
    assert Scrubber()("第３位：电话１３８００１３８０００，共５元。") == "第３位：电话[PHONE_1]，共５元。"


def test_a_wide_value_is_the_same_as_a_narrow_one() -> None:
    scrubber = Scrubber()
    assert scrubber("１３８００１３８０００") == scrubber("13800138000") == "[PHONE_1]"


def test_a_name_that_is_asked_for_needs_no_cue() -> None:
    texts = ["I need a ride", "May I have your name, please?", "angela", "Thanks, Angela. And your phone?", "later"]
    assert scrub_texts(texts).texts[2:] == ("[NAME_1]", "Thanks, [NAME_1]. And your phone?", "later")
    assert scrub_texts(["hi", "May I have your name, please?", "no thanks"]).texts[2] == "no thanks"
    assert scrub_texts(["订票", "请问您的姓名？", "王建国"]).texts[2] == "[NAME_1]"


def test_words_before_a_chinese_address_stay() -> None:
    assert Scrubber()("我家的地址是在北京市海淀区中关村南大街12号") == "我家的地址是在[ADDRESS_1]"


def test_what_is_scrubbed_stays_scrubbed() -> None:
    scrubber = Scrubber()
    once = scrubber("My name is Morwenna Pascoe, phone +44 20 7946 0321")
    assert scrubber(once) == once


def test_a_name_once_given_is_replaced_wherever_it_stands() -> None:
    texts = ["my name is Morwenna Pascoe", "Thanks, Morwenna. Shall I book?", "yes, under Pascoe"]
    messages = [
        Message(role=role, content=text) for role, text in zip(("user", "assistant", "user"), texts, strict=True)
    ]  # type: ignore[arg-type]
    chat = Conversation.of(source_id="x", source="x", line=1, user="u", language="en", messages=messages)
    scrubbed = [message.content for message in scrub(chat).messages]
    assert scrubbed == ["my name is [NAME_1]", "Thanks, [NAME_1]. Shall I book?", "yes, under [NAME_1]"]


def test_the_generated_suite_of_3900_cases() -> None:
    report = measure(suite(seed=3))
    assert report["cases"] == 3900
    assert report["recall"] >= 0.99
    assert report["precision"] >= 0.99


def test_nothing_is_lost_between_messages() -> None:
    texts = [
        "我家住南京市鼓楼区青柳路26号院5栋1803室50",
        "\n",
        "",
        "a\n",
        "\nb",
        "I'm Bob",
        "\0",
        "my key is",
        "abc123def",
    ]
    scrubbed = scrub_texts(texts).texts
    assert len(scrubbed) == len(texts)
    assert scrubbed[1:6] == ("\n", "", "a\n", "\nb", "I'm [NAME_1]")
    assert scrubbed[8] == "abc123def"


def test_a_model_may_find_more_names() -> None:
    texts = ["with Zebediah at noon", "thanks, Zebediah"]

    def finder(text: str) -> list[tuple[int, int]]:
        start = text.find("Zebediah")
        return [(start, start + 8)]

    assert scrub_texts(texts, names=finder).texts == ("with [NAME_1] at noon", "thanks, [NAME_1]")


def test_more_phone_numbers_than_are_verified_all_go() -> None:
    text = ", ".join(f"+44 20 7946 {number:04}" for number in range(700))
    scrubbed = scrub_texts([text]).texts[0]
    assert "7946" not in scrubbed
    assert "[PHONE_700]" in scrubbed


def test_a_secret_named_in_one_word_with_an_underscore() -> None:
    said = "see https://api.example.com/v1?access_token=abCD1234efGH5678 and client_secret: q9w8e7r6t5"
    (scrubbed,) = scrub_texts([said]).texts
    assert scrubbed == "see https://api.example.com/v1?access_token=[KEY_1] and client_secret: [KEY_2]"


def test_numbers_are_found_wherever_they_stand() -> None:
    """Patterns of numbers look at long numbers alone: at the edges of a text, beside each other, after a replacement."""
    card, phone, mobile = "4111 1111 1111 1111", "555-0142", "13800138000"
    for text in (
        card,
        f"{card}\n{phone}",
        f"x {phone}{' ' * 5}{card}.",
        f"({phone}), +86 {mobile}",
        f"a@b.org {mobile}，{card}",
        f"{'word ' * 400}{phone} {'word ' * 400}{mobile}",
    ):
        left = scrub_texts([text]).texts[0]
        assert not any(number in left for number in (card, phone, mobile)), left


@pytest.mark.parametrize(
    "text", ["10:30, 11:45, 12:15 and 9:05", "2024-07-12 to 2024-07-15, 3-4 of us", "a::b", "12:34:56"]
)
def test_times_and_dates_are_no_addresses_of_machines(text: str) -> None:
    assert scrub_texts([text]).texts == (text,)
