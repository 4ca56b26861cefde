"""Wrong items, parties, codes, questions, days and directions, planted into sessions in both languages; good ones pass."""

from __future__ import annotations

from typing import Any

import pytest

from tests.validation.findings import found
from wildtool.language.party import party_said
from wildtool.schemas.session import Answer, Ask, Call, Session, Task

TRAINS = [{"train": "R-410", "price": 31, "departs": "08:10"}, {"train": "R-422", "price": 24, "departs": "06:55"},
          {"train": "R-437", "price": 45, "departs": "12:30"}]  # fmt: skip


def tool(called: str, needs: str, /, **properties: tuple[str, str]) -> dict[str, Any]:
    schema = {key: {"type": kind, "description": text} for key, (kind, text) in properties.items()}
    parameters = {"type": "object", "properties": schema, "required": needs.split()}
    return {"type": "function", "function": {"name": called, "description": called, "parameters": parameters}}


TOOLS = [
    tool("find_trains", "origin destination", origin=("string", "Place of departure."), destination=("string", "Place of arrival."),
         date=("string", "Day of travel, YYYY-MM-DD."), start_date=("string", "First day, YYYY-MM-DD.")),
    tool("book_train", "train", train=("string", "The train's id."), passengers=("integer", "Number of passengers.")),
    tool("buy", "show tickets", show=("string", "Name of the show."), tickets=("integer", "Number of tickets.")),
    tool("renew", "loan_id", loan_id=("string", "Id of the loan."), weeks=("integer", "By how many weeks.")),
    tool("singer", "name", name=("string", "Name of the singer.")),
]  # fmt: skip


def reasons(language: str, *tasks: Task) -> set[str]:
    session = Session.for_plan("pointed", language=language, now="2025-03-05T10:00:00+00:00", tool_list="tls_pointed",
                               category="Travel", subcategory="trains", tools=TOOLS, tasks=tasks)  # fmt: skip
    return set(found([session])) - {"judged"}


def done(user: str, text: str, *calls: tuple[str, dict[str, Any], Any], topology: str | None = None) -> Task:
    made = [Call(name=name, arguments=arguments, observation=seen) for name, arguments, seen in calls]
    answer = Answer(text=text, depends_on=tuple(range(len(made))))
    return Task(user=user, type="single" if len(made) == 1 else "multi", topology=topology, actions=(*made, answer))


SHOWN = {
    "en": done("Trains from Lyon to Turin, please.", "Three.",
               ("find_trains", {"origin": "Lyon", "destination": "Turin"}, {"trains": TRAINS})),
    "zh": done("帮我查里昂到都灵的火车。", "有三趟。", ("find_trains", {"origin": "里昂", "destination": "都灵"}, {"trains": TRAINS})),
}  # fmt: skip


@pytest.mark.parametrize(
    ("language", "user", "right"),
    [
        ("en", "Book the cheapest one.", 1), ("en", "I'll take the most expensive of them.", 2), ("en", "The earliest, please", 1),
        ("en", "Book the latest one for me.", 2), ("en", "Book the one before last.", 1), ("en", "Book the final one.", 2),
        ("en", "Book number three.", 2), ("zh", "订最便宜的那趟。", 1), ("zh", "就订最贵的那趟吧", 2), ("zh", "订最早的一班。", 1),
        ("zh", "订头一班。", 0), ("zh", "订倒数第二趟", 1), ("en", "Book the third from the end.", 0),
        ("en", "Book the second cheapest.", 0),
    ],
)  # fmt: skip
def test_superlatives_and_ordinals_point_at_one_item(language: str, user: str, right: int) -> None:
    for at, item in enumerate(TRAINS):
        rules = reasons(
            language, SHOWN[language], done(user, "Ok.", ("book_train", {"train": item["train"]}, {"ok": True}))
        )
        assert ("ordinals" in rules) is (at != right), (at, rules)


@pytest.mark.parametrize(
    ("language", "user"), [("en", "Book R-422, as I did last week."), ("zh", "订R-422，第二天再出发。")]
)
def test_last_week_and_the_second_day_are_no_items(language: str, user: str) -> None:
    for item in TRAINS:
        task = done(user.replace("R-422", "that one" if language == "en" else "那趟"), "Ok.",
                    ("book_train", {"train": item["train"]}, {"ok": True}))  # fmt: skip
        assert "ordinals" not in reasons(language, SHOWN[language], task)


@pytest.mark.parametrize(
    "user",
    [
        "Book the cheapest direct train.",
        "Of the trains with a bar, the cheapest one.",
        "Book it and find the cheapest hotel.",
        "直达里最便宜的那趟",
    ],
)
def test_a_narrowed_superlative_is_left_to_people(user: str) -> None:
    language = "en" if user.isascii() else "zh"
    assert "ordinals" not in reasons(
        language, SHOWN[language], done(user, "Ok.", ("book_train", {"train": "R-437"}, 1))
    )


@pytest.mark.parametrize(
    ("text", "people"),
    [
        ("我和我老婆还有两个孩子", 4), ("me and my three kids", 4), ("我们五个人", 5), ("我和女朋友", 2), ("me and my mum", 2),
        ("a family of four", 4), ("my wife, two kids and me", 4), ("一家四口", 4), ("我和几个朋友", None), ("me and some friends", None),
        ("my friends and I", None), ("two tickets please", None), ("我先生说要两间房", None),
    ],
)  # fmt: skip
def test_parties_are_added_up_only_where_everybody_is_named(text: str, people: int | None) -> None:
    assert party_said(text) == people


@pytest.mark.parametrize("user", ["Book R-422 for me and my three kids.", "R-422 for a family of four."])
def test_a_party_says_how_many_travel(user: str) -> None:
    for passengers in (3, 4, 5):
        call = ("book_train", {"train": "R-422", "passengers": passengers}, {"ok": True})
        assert ("counts" in reasons("en", SHOWN["en"], done(user, "Ok.", call))) is (passengers != 4)


@pytest.mark.parametrize(("loan", "good"), [("LN-3021", True), ("ln 3021", True), ("LN3021", True), ("LN-3012", False),
                                           ("LN-302", False), ("LN-9999", False), ("XX-3021", False)])  # fmt: skip
def test_a_code_is_said_as_a_whole(loan: str, good: bool) -> None:
    task = done("Renew loan LN-3021 by a fortnight", "Ok.", ("renew", {"loan_id": loan, "weeks": 2}, {"ok": True}))
    assert ("grounding" not in reasons("en", task)) is good


@pytest.mark.parametrize(
    ("question", "good"),
    [
        ("How many tickets do you need?", True), ("For how many people?", True), ("Tell me the number of seats, please.", True),
        ("One or two?", True), ("请问要几张票？", True), ("一共多少位？", True),
        ("Which seat category?", False), ("In which city?", False), ("Okay.", False),
        ("请问您在哪个城市？", False), ("好的。", False), ("请问是哪场演出？", False),
    ],
)  # fmt: skip
def test_a_question_asks_for_its_slot(question: str, good: bool) -> None:
    def task(user: str, reply: str) -> Task:
        ask = Ask(tool="buy", slots=("tickets",), question=question, reply=reply)
        call = Call(name="buy", arguments={"show": "Hamlet", "tickets": 4}, observation={"ok": True}, depends_on=(0,))
        return Task(user=user, type="clarify", actions=(ask, call, Answer(text="Ok.", depends_on=(0, 1))))

    assert ("slots" not in reasons("en", task("Tickets for Hamlet", "four"))) is good
    assert "slots" in reasons("en", task("I want 4 tickets for Hamlet", "four"))


@pytest.mark.parametrize(
    ("user", "right", "wrong"),
    [
        ("From Lyon to Turin on 1 April for ten days", "2025-04-01", "2025-04-11"),
        ("From Lyon to Turin the day after tomorrow for ten days", "2025-03-07", "2025-03-06"),
        ("From Lyon to Turin this weekend, Saturday and Sunday", "2025-03-08", "2025-03-07"),
    ],
)
def test_a_length_names_no_start(user: str, right: str, wrong: str) -> None:
    for day in (right, wrong):
        call = ("find_trains", {"origin": "Lyon", "destination": "Turin", "start_date": day}, {"trains": []})
        assert ("dates" in reasons("en", done(user, "Ok.", call))) is (day == wrong)


@pytest.mark.parametrize(
    ("language", "user", "right", "wrong"),
    [
        ("en", "Which trains went from Lyon to Turin last Friday?", "2025-02-28", "2025-03-07"),
        ("en", "From Lyon to Turin a week from today", "2025-03-12", "2025-03-05"),
        ("zh", "上周五里昂到都灵有哪些车？", "2025-02-28", "2025-03-07"),
    ],
)
def test_days_that_two_readers_read_differently(language: str, user: str, right: str, wrong: str) -> None:
    places = ("Lyon", "Turin") if language == "en" else ("里昂", "都灵")
    for day in (right, wrong):
        call = ("find_trains", {"origin": places[0], "destination": places[1], "date": day}, {"trains": []})
        assert ("dates" in reasons(language, done(user, "Ok.", call))) is (day == wrong)


@pytest.mark.parametrize(("language", "user", "a", "b"), [
    ("en", "Trains from Lyon to Turin", "Lyon", "Turin"), ("en", "Lyon → Turin please", "Lyon", "Turin"),
    ("zh", "成都飞上海的", "成都", "上海"), ("zh", "我从成都去上海", "成都", "上海"),
])  # fmt: skip
def test_the_way_goes_where_the_user_says(language: str, user: str, a: str, b: str) -> None:
    for origin, destination in ((a, b), (b, a)):
        call = ("find_trains", {"origin": origin, "destination": destination}, {"trains": []})
        assert ("grounding" in reasons(language, done(user, "Ok.", call))) is (origin == b)


def test_digits_in_a_text_may_be_said_in_words() -> None:
    call = ("singer", {"name": "12000"}, {"ok": True})
    assert "grounding" not in reasons("zh", done("查一万二的那个", "好。", call))
    assert "grounding" in reasons("zh", done("查一万三的那个", "好。", call))
