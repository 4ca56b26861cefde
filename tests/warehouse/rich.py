"""Good sessions written by hand, in the words people use: ordinals, limits, dates, counts, units, things left unsaid.

They are what false alarms are counted on; `test_gates_rich.py` plants defects into them.
"""

from __future__ import annotations

from typing import Any

from wildtool.schemas.session import Answer, Ask, Call, HiddenIntent, Provenance, Session, Task
from wildtool.schemas.vocabulary import Language

NOW = "2024-07-12T09:30:00+00:00"  # a Friday

Parameters = dict[str, dict[str, Any]]


def tool(name: str, description: str, **parameters: Any) -> dict[str, Any]:
    """A tool; a parameter is (type, description) or a schema, and is required unless its name ends in ``_``."""
    properties, required = {}, []
    for key, given in parameters.items():
        name_, optional = (key[:-1], True) if key.endswith("_") else (key, False)
        properties[name_] = given if isinstance(given, dict) else {"type": given[0], "description": given[1]}
        if not optional:
            required.append(name_)
    schema = {"type": "object", "properties": properties, "required": required}
    return {"type": "function", "function": {"name": name, "description": description, "parameters": schema}}


def call(name: str, arguments: dict[str, Any], observation: Any = None, *on: int) -> Call:
    return Call(name=name, arguments=arguments, observation=observation, depends_on=on)


def ask(tool_: str, slot: str, question: str, reply: str, *on: int) -> Ask:
    return Ask(tool=tool_, slots=(slot,), question=question, reply=reply, depends_on=on)


def task(user: str, kind: str, *actions: Call | Ask | str, topology: str | None = None, hidden: Any = None) -> Task:
    """A task; its answer is the last text and waits for everything."""
    made: list[Any] = list(actions[:-1])
    made.append(Answer(text=str(actions[-1]), depends_on=tuple(range(len(made)))))
    intent = None if hidden is None else HiddenIntent(kind=hidden[0], piece=hidden[1], said_in=hidden[2])
    return Task(user=user, type=kind, topology=topology, actions=tuple(made), hidden_intent=intent)


def session(name: str, language: Language, tools: list[dict[str, Any]], *tasks: Task) -> Session:
    made = Session.for_plan(
        f"rich {name}",
        language=language,
        now=NOW,
        tool_list=f"tls_{name}",
        category="Shopping & Daily Life",
        subcategory="shopping and orders",
        tools=tools,
        tasks=tasks,
    )
    return made.model_copy(update={"provenance": Provenance(plan=f"rich {name}", labels=("lab_1",))})


REF, PART, LONG = "coreference", "partial_information", "long_range"
EN, ZH = Language.EN, Language.ZH

HOTEL_TOOLS = [
    tool("searchHotels", "Find hotels.", city=("string", "City."), check_in=("string", "Arrival, YYYY-MM-DD."),
         check_out_=("string", "Departure, YYYY-MM-DD."), max_price_=("number", "Highest price a night in euros."),
         min_stars_=("integer", "Fewest stars."), limit_={"type": "integer", "description": "Most results to return. Default is 10.", "default": 10},
         breakfast_=("boolean", "Only with breakfast.")),
    tool("bookHotel", "Book a hotel.", hotel_id=("string", "Id of the hotel."), guests=("integer", "Number of guests."),
         nights=("integer", "Number of nights."), rooms_=("integer", "Number of rooms.")),
    tool("getWeather", "Forecast for a day.", city=("string", "City."), date=("string", "Day, YYYY-MM-DD."),
         units_={"type": "string", "enum": ["metric", "imperial"], "description": "Units: metric for Celsius, imperial for Fahrenheit."}),
]  # fmt: skip
HOTELS = [{"id": "h31", "name": "Azul Inn", "price": 74}, {"id": "h44", "name": "Casa Branca", "price": 68},
          {"id": "h58", "name": "Douro View", "price": 79}]  # fmt: skip
FLIGHT_TOOLS = [
    tool("searchFlights", "Find flights.", origin=("string", "Airport as an IATA code."), destination=("string", "Airport as an IATA code."),
         date=("string", "Day of travel, YYYY-MM-DD."), adults=("integer", "Number of adults."), children_=("integer", "Number of children."),
         max_stops_=("integer", "Most stops.")),
    tool("holdSeat", "Hold seats on a flight.", flight=("string", "Number of the flight."), seats=("integer", "How many."),
         email=("string", "Address for the confirmation.")),
    tool("convert", "Convert money.", amount=("number", "Amount."), source=("string", "Currency, three-letter code."),
         target=("string", "Currency, three-letter code.")),
]  # fmt: skip
FLIGHTS = {
    "flights": [
        {"number": "TP1340", "price": 120},
        {"number": "BA502", "price": 150},
        {"number": "FR1884", "price": 61},
    ]
}
FOOD_TOOLS = [
    tool("findRestaurants", "Find places to eat.", area=("string", "Part of town."), cuisine_=("string", "Kitchen."), radius_=("integer", "Radius in metres."),
         min_rating_=("number", "Lowest rating."), limit_=("integer", "Most results.")),
    tool("reserveTable", "Reserve a table.", restaurant=("string", "Name of the restaurant."), date=("string", "Day, YYYY-MM-DD."),
         time=("string", "Time, HH:MM."), party_size=("integer", "Number of people.")),
    tool("getMenu", "Menu of a restaurant.", restaurant=("string", "Name of the restaurant.")),
]  # fmt: skip
PLACES = [{"name": "Trattoria Fiore", "rating": 4.6}, {"name": "Osteria Luna", "rating": 4.5}, {"name": "Da Gino", "rating": 4.2},
          {"name": "Il Forno", "rating": 4.1}]  # fmt: skip
SHOP_TOOLS = [
    tool("searchProducts", "Search the shop.", query=("string", "What to look for."), max_price_=("number", "Highest price."), min_price_=("number", "Lowest price."),
         sort_={"type": "string", "enum": ["price_asc", "price_desc", "rating"], "description": "Order: price_asc cheapest first, price_desc dearest first, rating best first."},
         page_=("integer", "Page of the results.")),
    tool("addToCart", "Put a product into the cart.", product_id=("integer", "Id."), quantity=("integer", "How many.")),
    tool("trackOrder", "Where an order is.", order_id=("string", "Id of the order.")),
]  # fmt: skip
LAMPS = {"items": [{"product_id": 7710, "title": "Desk lamp Mira", "price": 17}, {"product_id": 7725, "title": "Clip lamp Oro", "price": 19},
                   {"product_id": 7731, "title": "Floor lamp Tove", "price": 48}]}  # fmt: skip

ZH_HOTEL_TOOLS = [
    tool("searchHotels", "查找酒店。", city=("string", "城市名称。"), check_in=("string", "入住日期，格式为YYYY-MM-DD。"),
         max_price_=("number", "每晚最高价格（元）。"), min_stars_=("integer", "最低星级。"), limit_=("integer", "最多返回多少条结果。"),
         sort_={"type": "string", "enum": ["price", "rating"], "description": "排序方式：price 按价格，rating 按评分。"}),
    tool("bookHotel", "预订酒店。", hotel_id=("string", "酒店编号。"), guests=("integer", "入住人数。"), nights=("integer", "入住几晚。"),
         rooms_=("integer", "房间数。")),
    tool("getWeather", "某日天气预报。", city=("string", "城市名称。"), date=("string", "日期，格式为YYYY-MM-DD。")),
]  # fmt: skip
ZH_HOTELS = [{"id": "jd501", "name": "湖畔居", "price": 380}, {"id": "jd502", "name": "云栖客栈", "price": 290},
             {"id": "jd503", "name": "西溪小筑", "price": 350}]  # fmt: skip
ZH_TRAIN_TOOLS = [
    tool("searchTrains", "查询车次。", origin=("string", "出发城市。"), destination=("string", "到达城市。"), date=("string", "乘车日期，格式为YYYY-MM-DD。")),
    tool("bookTrain", "预订车票。", train=("string", "车次。"), tickets=("integer", "票数。"), seat_={"type": "string", "enum": ["second", "first"], "description": "席别：second 二等座，first 一等座。"}),
    tool("refund", "退票。", order_id=("string", "订单号。"), reason=("string", "退票原因。")),
]  # fmt: skip
TRAINS = {
    "trains": [{"number": "G7301", "price": 87}, {"number": "G7305", "price": 87}, {"number": "D2207", "price": 61}]
}
ZH_FOOD_TOOLS = [
    tool("findRestaurants", "查找餐厅。", area=("string", "区域。"), cuisine_=("string", "菜系。"), radius_=("integer", "半径，单位米。"), limit_=("integer", "结果数量上限。"),
         max_price_=("number", "人均消费上限。")),
    tool("reserveTable", "预订餐桌。", restaurant=("string", "餐厅名称。"), date=("string", "日期，格式为YYYY-MM-DD。"), party_size=("integer", "用餐人数。")),
    tool("getMenu", "查看菜单。", restaurant=("string", "餐厅名称。")),
]  # fmt: skip
ZH_PLACES = [{"name": "老灶火锅", "score": 4.7}, {"name": "蜀香园", "score": 4.6}, {"name": "巴适小馆", "score": 4.4}]
ZH_SHOP_TOOLS = [
    tool("searchProducts", "搜索商品。", query=("string", "关键词。"), max_price_=("number", "最高价。"), min_price_=("number", "最低价。"), limit_=("integer", "返回数量。")),
    tool("addToCart", "加入购物车。", product_id=("integer", "商品编号。"), quantity=("integer", "数量。")),
    tool("trackOrder", "查询物流。", order_id=("string", "订单号。")),
]  # fmt: skip
CUPS = {
    "items": [
        {"product_id": 90211, "title": "青瓷杯"},
        {"product_id": 90245, "title": "玻璃杯"},
        {"product_id": 90288, "title": "马克杯"},
    ]
}


def rich_sessions() -> dict[str, Session]:
    """Sessions by name."""
    made = [
        ("hotels", EN, HOTEL_TOOLS,
         task("My sister gets married in Porto, so I need somewhere to sleep there from next Friday, no more than 80 euros a night, three hotels at most.",
              "single", call("searchHotels", {"city": "Porto", "check_in": "2024-07-19", "max_price": 80, "limit": 3}, {"hotels": HOTELS}),
              "Azul Inn, Casa Branca and Douro View fit."),
         task("Take the second one for the two of us, four nights, and tell me whether it'll rain the day we arrive.", "multi",
              call("bookHotel", {"hotel_id": "h44", "guests": 2, "nights": 4}, {"booking": "BX-2201"}),
              call("getWeather", {"city": "Porto", "date": "2024-07-19"}, {"rain": 0.1}), "Booked, and it stays dry.",
              topology="parallel", hidden=(REF, "hotel_id", 0)),
         task("And the forecast for the Sunday after, in Fahrenheit please?", "single",
              call("getWeather", {"city": "Porto", "date": "2024-07-21", "units": "imperial"}, {"high": 81}), "81 °F.", hidden=(PART, "city", 1)),
         task("Lovely, that's all. You saved my weekend!", "chat", "Enjoy the wedding.")),
        ("hotels_stars", EN, HOTEL_TOOLS,
         task("Looking for a place in Ghent on the 20th of August, at least four stars, with breakfast.", "single",
              call("searchHotels", {"city": "Ghent", "check_in": "2024-08-20", "min_stars": 4, "breakfast": True}, {"hotels": HOTELS[:2]}), "Two fit."),
         task("Could you check the weather for it?", "clarify",
              ask("getWeather", "date", "For which day do you want the forecast?", "The 21st, please."),
              call("getWeather", {"city": "Ghent", "date": "2024-08-21"}, {"rain": 0.7}, 0), "Rain is likely.", hidden=(PART, "city", 0)),
         task("Then the last hotel it is: one room for a couple and their baby, for a week.", "single",
              call("bookHotel", {"hotel_id": "h44", "guests": 3, "nights": 7, "rooms": 1}, {"booking": "BX-2310"}), "Done.", hidden=(LONG, "hotel_id", 0)),
         task("Do you like canals?", "chat", "I hear they are lovely.")),
        ("flights", EN, FLIGHT_TOOLS,
         task("Two adults and one child from London Heathrow to Lisbon a week from today, and how much is 250 pounds in euros?", "multi",
              call("searchFlights", {"origin": "LHR", "destination": "LIS", "date": "2024-07-19", "adults": 2, "children": 1}, FLIGHTS),
              call("convert", {"amount": 250, "source": "GBP", "target": "EUR"}, {"result": 296.5}), "Three flights; 296.50 euros.", topology="parallel"),
         task("The third is cheap enough, hold three seats, the confirmation goes to me.", "clarify",
              ask("holdSeat", "email", "Which e-mail address should the confirmation go to?", "mara@example.org"),
              call("holdSeat", {"flight": "FR1884", "seats": 3, "email": "mara@example.org"}, {"held": True}, 0), "Held.", hidden=(REF, "flight", 0)),
         task("What would that same trip look like the day after, direct only? I mean zero stops.", "single",
              call("searchFlights", {"origin": "LHR", "destination": "LIS", "date": "2024-07-20", "adults": 2, "children": 1, "max_stops": 0}, {"flights": []}),
              "There is none.", hidden=(LONG, "destination", 0)),
         task("Then find me tomorrow's flights back to Heathrow for the three of us and turn the price of the first into dollars.", "multi",
              call("searchFlights", {"origin": "LIS", "destination": "LHR", "date": "2024-07-13", "adults": 2, "children": 1}, {"flights": [{"number": "TP1357", "price": 143}, {"number": "BA499", "price": 171}]}),
              call("convert", {"amount": 143, "source": "EUR", "target": "USD"}, {"result": 155.1}, 0), "155 dollars.", topology="sequential", hidden=(LONG, "destination", 0))),
        ("food", EN, FOOD_TOOLS,
         task("Show me four Italian restaurants within 2 km of Marylebone rated 4.0 or higher.", "single",
              call("findRestaurants", {"area": "Marylebone", "cuisine": "Italian", "radius": 2000, "min_rating": 4.0, "limit": 4}, {"restaurants": PLACES}),
              "Trattoria Fiore, Osteria Luna, Da Gino and Il Forno."),
         task("What do the first and the third have on the menu?", "multi", call("getMenu", {"restaurant": "Trattoria Fiore"}, {"dishes": ["risotto"]}),
              call("getMenu", {"restaurant": "Da Gino"}, {"dishes": ["pizza"]}), "Risotto and pizza.", topology="parallel", hidden=(REF, "restaurant", 0)),
         task("Book a table for six at the latter on Thursday week at half past seven in the evening... sorry, on July 25th.", "single",
              call("reserveTable", {"restaurant": "Da Gino", "date": "2024-07-25", "time": "19:30", "party_size": 6}, {"ok": True}), "Reserved.", hidden=(REF, "restaurant", 1)),
         task("And one more table tonight at eight for my wife and me at the penultimate place of your list.", "single",
              call("reserveTable", {"restaurant": "Da Gino", "date": "2024-07-12", "time": "20:00", "party_size": 2}, {"ok": True}), "Reserved.", hidden=(LONG, "restaurant", 0))),
        ("shop", EN, SHOP_TOOLS,
         task("I need lamps between 15 and 50 dollars, cheapest first.", "single",
              call("searchProducts", {"query": "lamps", "max_price": 50, "min_price": 15, "sort": "price_asc"}, LAMPS), "Three lamps."),
         task("Put half a dozen of number two into my cart.", "single", call("addToCart", {"product_id": 7725, "quantity": 6}, {"ok": True}), "Done.", hidden=(REF, "product_id", 0)),
         task("Where's my parcel?", "clarify", ask("trackOrder", "order_id", "What is the order's number?", "It says A-77120 on the receipt."),
              call("trackOrder", {"order_id": "A-77120"}, {"at": "Leeds"}, 0), "In Leeds."),
         task("Let me see page two of those lamps, and add a couple of Clip lamp Oro.", "multi",
              call("searchProducts", {"query": "lamps", "page": 2}, {"items": []}), call("addToCart", {"product_id": 7725, "quantity": 2}, {"ok": True}),
              "Nothing more; added.", topology="parallel")),
        ("shop_chain", EN, SHOP_TOOLS,
         task("Find a clip lamp for less than twenty dollars and put one of it into my cart.", "multi",
              call("searchProducts", {"query": "clip lamp", "max_price": 20}, {"items": [{"product_id": 7725, "title": "Clip lamp Oro", "price": 19}]}),
              call("addToCart", {"product_id": 7725, "quantity": 1}, {"ok": True}, 0), "It is in your cart.", topology="sequential"),
         task("Check orders B-1002 and B-1003, and if the first is late look for a torch.", "multi", call("trackOrder", {"order_id": "B-1002"}, {"late": True}),
              call("trackOrder", {"order_id": "B-1003"}, {"late": False}), call("searchProducts", {"query": "torch"}, LAMPS, 0), "The first is late.", topology="mixed"),
         task("Thank you ever so much", "chat", "With pleasure."),
         task("Now desk lamps, no less than $30, dearest first", "single",
              call("searchProducts", {"query": "desk lamps", "min_price": 30, "sort": "price_desc"}, {"items": [{"product_id": 7731, "title": "Desk lamp Tove", "price": 48}, {"product_id": 7744, "title": "Desk lamp Nils", "price": 34}]}), "Here they are.")),
        ("jiudian", ZH, ZH_HOTEL_TOOLS,
         task("下周五我要去杭州开会，帮我找三家每晚不超过四百元的酒店。", "single",
              call("searchHotels", {"city": "杭州", "check_in": "2024-07-19", "max_price": 400, "limit": 3}, {"hotels": ZH_HOTELS}), "湖畔居、云栖客栈和西溪小筑。"),
         task("就订倒数第二家吧，我和同事两个人，住三晚，再看看到那天会不会下雨。", "multi",
              call("bookHotel", {"hotel_id": "jd502", "guests": 2, "nights": 3}, {"order": "DD8801"}), call("getWeather", {"city": "杭州", "date": "2024-07-19"}, {"rain": 0.6}),
              "订好了，可能下雨。", topology="parallel", hidden=(REF, "hotel_id", 0)),
         task("那后天呢，同一个城市？", "single", call("getWeather", {"city": "杭州", "date": "2024-07-14"}, {"rain": 0}), "不下雨。", hidden=(PART, "city", 1)),
         task("太好了，辛苦你了！", "chat", "祝您旅途愉快。")),
        ("xingji", ZH, ZH_HOTEL_TOOLS,
         task("八月三号住苏州，至少四星，按评分排序。", "single",
              call("searchHotels", {"city": "苏州", "check_in": "2024-08-03", "min_stars": 4, "sort": "rating"}, {"hotels": ZH_HOTELS}), "有三家。"),
         task("查一下那边的天气", "clarify", ask("getWeather", "date", "您想查哪一天？", "到店后的第二天，也就是八月四号"),
              call("getWeather", {"city": "苏州", "date": "2024-08-04"}, {"rain": 0}, 0), "晴。", hidden=(REF, "city", 0)),
         task("一家三口订第一家，两间房，一周。", "single", call("bookHotel", {"hotel_id": "jd501", "guests": 3, "nights": 7, "rooms": 2}, {"order": "DD8802"}), "好了。", hidden=(LONG, "hotel_id", 0)),
         task("你觉得苏州好玩吗？", "chat", "很美。")),
        ("huoche", ZH, ZH_TRAIN_TOOLS,
         task("明天从南京到合肥有哪些车？再帮我看看大后天回来的。", "multi",
              call("searchTrains", {"origin": "南京", "destination": "合肥", "date": "2024-07-13"}, TRAINS),
              call("searchTrains", {"origin": "合肥", "destination": "南京", "date": "2024-07-15"}, {"trains": [{"number": "G7302"}, {"number": "D2208"}]}), "去程三趟，回程两趟。", topology="parallel"),
         task("去的订第三趟，要四张一等座。", "single", call("bookTrain", {"train": "D2207", "tickets": 4, "seat": "first"}, {"order_id": "E55019"}), "订好了。", hidden=(REF, "train", 0)),
         task("退掉刚才那单", "clarify", ask("refund", "reason", "请问退票原因是什么？", "行程有变"),
              call("refund", {"order_id": "E55019", "reason": "行程有变"}, {"ok": True}, 0), "已退。", hidden=(REF, "order_id", 1)),
         task("帮我查本周日从合肥到南京的车，然后买两张最后那趟的票。", "multi",
              call("searchTrains", {"origin": "合肥", "destination": "南京", "date": "2024-07-14"}, {"trains": [{"number": "G7312"}, {"number": "G7316"}]}),
              call("bookTrain", {"train": "G7316", "tickets": 2}, {"order_id": "E55020"}, 0), "买好了。", topology="sequential")),
        ("chifan", ZH, ZH_FOOD_TOOLS,
         task("推荐三家春熙路两公里以内的川菜馆，人均别超过一百二。", "single",
              call("findRestaurants", {"area": "春熙路", "cuisine": "川菜", "radius": 2000, "limit": 3, "max_price": 120}, {"restaurants": ZH_PLACES}), "老灶火锅、蜀香园、巴适小馆。"),
         task("前两家的菜单给我看看", "multi", call("getMenu", {"restaurant": "老灶火锅"}, {"dishes": ["毛肚"]}), call("getMenu", {"restaurant": "蜀香园"}, {"dishes": ["回锅肉"]}),
              "毛肚和回锅肉。", topology="parallel", hidden=(PART, "restaurant", 0)),
         task("后者订个十人桌，这周六。", "single", call("reserveTable", {"restaurant": "蜀香园", "date": "2024-07-13", "party_size": 10}, {"ok": True}), "订好了。", hidden=(REF, "restaurant", 1)),
         task("再帮我爸妈订一桌今晚的，就他们俩。", "clarify", ask("reserveTable", "restaurant", "订哪家餐厅呢？", "巴适小馆"),
              call("reserveTable", {"restaurant": "巴适小馆", "date": "2024-07-12", "party_size": 2}, {"ok": True}, 0), "好的。", hidden=(REF, "party_size", 2))),
        ("gouwu", ZH, ZH_SHOP_TOOLS,
         task("想买杯子，五十到两百块之间的，列十个。", "single", call("searchProducts", {"query": "杯子", "max_price": 200, "min_price": 50, "limit": 10}, CUPS), "找到了。"),
         task("第二个来半打，第三个来两个。", "multi", call("addToCart", {"product_id": 90245, "quantity": 6}, {"ok": True}), call("addToCart", {"product_id": 90288, "quantity": 2}, {"ok": True}),
              "加好了。", topology="parallel", hidden=(REF, "product_id", 0)),
         task("我的快递到哪了？", "clarify", ask("trackOrder", "order_id", "请提供订单号。", "SF20240711"), call("trackOrder", {"order_id": "SF20240711"}, {"at": "武汉"}, 0), "在武汉。"),
         task("再找找三百元以上的茶壶，买一把最便宜的。", "multi", call("searchProducts", {"query": "茶壶", "min_price": 300}, {"items": [{"product_id": 90301, "price": 320}, {"product_id": 90302, "price": 460}]}),
              call("addToCart", {"product_id": 90301, "quantity": 1}, {"ok": True}, 0), "买好了。", topology="sequential")),
    ]  # fmt: skip
    return {name: session(name, language, tools, *tasks) for name, language, tools, *tasks in made}
