"""What English speakers say of lists: ``text => answer``; an index, ``list.index``, ``?`` for ambiguous, ``-`` for nothing."""

from typing import Any

LISTS: dict[str, list[tuple[str, list[Any]]]] = {
    "recipes": [
        (
            "recipes",
            [
                {"title": "Chickpea Curry", "minutes": 35, "difficulty": "easy", "vegetarian": True, "calories": 420, "cuisine": "Indian"},
                {"title": "Beef Lasagne", "minutes": 90, "difficulty": "medium", "vegetarian": False, "calories": 780, "cuisine": "Italian"},
                {"title": "Mushroom Risotto", "minutes": 45, "difficulty": "hard", "vegetarian": True, "calories": 560, "cuisine": "Italian"},
                {"title": "Chicken Tacos", "minutes": 25, "difficulty": "easy", "vegetarian": False, "calories": 510, "cuisine": "Mexican"},
            ],
        )
    ],
    "jobs": [
        (
            "job_openings",
            [
                {"job_id": "J-101", "role": "Data Analyst", "company": "Northwind", "salary": 52000, "remote": True, "posted": "2024-06-28"},
                {"job_id": "J-102", "role": "Backend Engineer", "company": "Lumen Labs", "salary": 71000, "remote": False, "posted": "2024-07-03"},
                {"job_id": "J-103", "role": "Product Designer", "company": "Fable", "salary": 64000, "remote": False, "posted": "2024-07-10"},
            ],
        )
    ],
    "films": [
        (
            "films",
            [
                {"title": "Quiet Harbor", "year": 2019, "genre": "drama", "runtime_min": 128, "rating": 7.9, "showtimes": "18:15"},
                {"title": "Robot Picnic", "year": 2023, "genre": "animation", "runtime_min": 94, "rating": 8.3, "showtimes": "15:00"},
                {"title": "The Second Son", "year": 2021, "genre": "thriller", "runtime_min": 141, "rating": 7.1, "showtimes": "21:40"},
                {"title": "Laugh Track", "year": 2016, "genre": "comedy", "runtime_min": 101, "rating": 6.4, "showtimes": "20:10"},
            ],
        )
    ],
    "parcels": [
        (
            "parcels",
            [
                {"tracking": "ZX881", "carrier": "DHL", "status": "delivered", "weight": "2.4 kg", "eta": "2024-07-10"},
                {"tracking": "QT207", "carrier": "UPS", "status": "in transit", "weight": "850 g", "eta": "2024-07-13"},
                {"tracking": "LM455", "carrier": "FedEx", "status": "delayed", "weight": "5.1 kg", "eta": "2024-07-16"},
            ],
        )
    ],
    "doctors": [
        (
            "doctors",
            [
                {"name": "Dr. Anita Rao", "specialty": "dermatology", "gender": "female", "distance_km": 2.4, "next_slot": "2024-07-15T09:20", "fee": 80},
                {"name": "Dr. Paul Meyer", "specialty": "cardiology", "gender": "male", "distance_km": 0.9, "next_slot": "2024-07-17T14:00", "fee": 120},
                {"name": "Dr. Chen Li", "specialty": "dermatology", "gender": "male", "distance_km": 5.0, "next_slot": "2024-07-19T16:45", "fee": 65},
            ],
        )
    ],
    "stocks": [
        (
            "stocks",
            [
                {"ticker": "ACME", "name": "Acme Corp", "price": 48.2, "dividend_yield": 3.1, "sector": "industrial"},
                {"ticker": "BLUM", "name": "Bloom Foods", "price": 112.75, "dividend_yield": 1.2, "sector": "consumer"},
                {"ticker": "ORBT", "name": "Orbit Systems", "price": 301.0, "dividend_yield": 0.0, "sector": "technology"},
            ],
        )
    ],
    "rooms": [
        (
            "rooms",
            [
                {"room": "Standard Twin", "price_per_night": 95, "sleeps": 2, "balcony": False, "breakfast_included": False, "view": "street"},
                {"room": "Deluxe King", "price_per_night": 140, "sleeps": 2, "balcony": True, "breakfast_included": True, "view": "sea"},
                {"room": "Family Suite", "price_per_night": 210, "sleeps": 5, "balcony": True, "breakfast_included": False, "view": "garden"},
            ],
        )
    ],
    "trains": [
        (
            "outbound trains",
            [
                {"train": "IC 204", "departure": "07:32", "arrival": "10:05", "changes": 0, "price": "€49"},
                {"train": "RE 17", "departure": "08:10", "arrival": "12:40", "changes": 2, "price": "€27"},
                {"train": "ICE 88", "departure": "12:02", "arrival": "14:11", "changes": 0, "price": "€79"},
                {"train": "IC 310", "departure": "17:45", "arrival": "20:20", "changes": 1, "price": "€55"},
            ],
        )
    ],
    "two": [
        ("hotels", [{"name": "Grand Plaza", "price": 180, "stars": 5, "pool": True}, {"name": "Park Inn", "price": 95, "stars": 3, "pool": False}]),
        ("restaurants", [{"name": "Osteria Nuova", "rating": 4.6}, {"name": "Curry Leaf", "rating": 4.1}, {"name": "Le Petit Four", "rating": 4.4}]),
    ],
    "shirts": [
        (
            "results",
            [
                {"name": "Oxford Shirt", "color": "white", "size": "M", "price": "$45", "in_stock": True},
                {"name": "Linen Shirt", "color": "light blue", "size": "L", "price": "$60", "in_stock": False},
                {"name": "Flannel Shirt", "color": "red", "size": "XL", "price": "$38", "in_stock": True},
            ],
        )
    ],
    "flats": [
        (
            "apartments",
            [
                {"address": "12 Elm Street", "rent": 1200, "bedrooms": 1, "area_sqm": 48, "furnished": True, "pets_allowed": False},
                {"address": "7 Mill Lane", "rent": 1650, "bedrooms": 2, "area_sqm": 71, "furnished": False, "pets_allowed": True},
                {"address": "31 King's Road", "rent": 1990, "bedrooms": 3, "area_sqm": 95, "furnished": True, "pets_allowed": False},
            ],
        )
    ],
    "tracks": [
        (
            "playlist",
            [
                {"song": "Gold Rush", "artist": "Mira Vale", "length": "3:12", "plays": 120000},
                {"song": "Winter Sun", "artist": "The Hollows", "length": "5:47", "plays": 98000},
                {"song": "Last Train Home", "artist": "Dex", "length": "4:05", "plays": 450000},
                {"song": "Slow Burn", "artist": "Mira Vale", "length": "4:40", "plays": 61000},
            ],
        )
    ],
    "courses": [
        (
            "courses",
            [
                {"title": "Intro to Pottery", "day": "Monday", "start": "18:30", "level": "beginner", "price": 90},
                {"title": "Salsa Basics", "day": "Wednesday", "start": "19:00", "level": "beginner", "price": 75},
                {"title": "Advanced Pottery", "day": "Saturday", "start": "10:00", "level": "advanced", "price": 130},
            ],
        )
    ],
    "cars": [
        (
            "rental cars",
            [
                {"model": "Fiat 500", "seats": 4, "transmission": "manual", "daily_rate": 32, "electric": False},
                {"model": "VW ID.3", "seats": 5, "transmission": "automatic", "daily_rate": 54, "electric": True},
                {"model": "Ford Galaxy", "seats": 7, "transmission": "automatic", "daily_rate": 71, "electric": False},
            ],
        )
    ],
    "events": [
        (
            "events",
            [
                {"name": "Jazz in the Park", "date": "2024-07-19", "price": 0, "outdoor": True},
                {"name": "Comedy Night", "date": "2024-07-20", "price": 18, "outdoor": False},
                {"name": "Food Market", "date": "2024-07-21", "price": 0, "outdoor": True},
            ],
        )
    ],
}

CASES: dict[str, str] = {
    "recipes": """
the quickest one => 3
the easiest => ?
which is the healthiest? let's do that => 0
the second Italian one => 2
something Thai instead? => -
the lasagne please => 1
the one with the fewest calories => 0
the veggie curry => 0
the hard one => 2
the 45 minute one => 2
the one that takes an hour and a half => 1
the vegetarian Italian one => 2
first of all, do you know if I can freeze it? => -
send me the recipe for the tacos => 3
the one under 30 minutes => 3
the longest to cook => 1
what about the last recipe => 3
the Mexican one sounds fun => 3
option 3 please => 2
I made lasagne last week, it was terrible => -
the second to last => 2
not the curry, the other vegetarian one => 2
any of them works => ?
""",
    "jobs": """
apply to the second one => 1
the remote one => 0
the best paid => 1
the highest salary => 1
the designer role => 2
the most recent posting => 2
tell me more about the Lumen Labs one => 1
the engineering job => 1
the oldest posting => 0
my last job was awful => -
J-103 => 2
the one at Fable => 2
the one paying 64000 => 2
the lowest paid one => 0
save the first two => ?
do you have anything in marketing? => -
forget the first one, what about the designer one => 2
the third position please => 2
the data one => 0
""",
    "films": """
the longest one => 2
the newest => 1
the animated one => 1
the oldest film => 3
the funny one => 3
The Second Son => 2
two tickets for the second => 1
the one with the best rating => 1
the comedy, please => 3
the 9:40 one => 2
the one from 2019 => 0
the shortest => 1
the lowest rated one => 3
the last film on the list => 3
it's the second time I've seen it => -
is it suitable for kids? => -
the late one => 2
the afternoon showing => 1
the 2021 thriller => 2
the third => 2
Robot picnic sounds cute => 1
""",
    "parcels": """
where's the second package => 1
the delayed one => 2
the DHL one => 0
the heaviest => 2
the lightest parcel => 1
the one that's still in transit => 1
the one arriving on the 13th => 1
the last parcel => 2
QT207 => 1
the last time it took two weeks => -
the one from FedEx => 2
the one that was already delivered => 0
number 2 => 1
""",
    "doctors": """
the closest one => 1
the cheapest dermatologist => 2
the female doctor => 0
Dr Meyer => 1
the cardiologist => 1
the one on Friday => 2
the earliest appointment => 0
book me with the third doctor => 2
the first dermatologist => 0
the second dermatologist => 2
give me a second => -
the farthest => 2
the one who charges 120 => 1
the Wednesday one => 1
the nearest dermatologist => 0
is Dr. Rao taking new patients? => 0
what's my last name got to do with it => -
the former => ?
""",
    "stocks": """
buy the cheapest => 0
the tech one => 2
the one with the highest dividend yield => 0
ORBT => 2
the most expensive stock => 2
the second stock => 1
sell the last one => 2
how did Bloom Foods do today => 1
the food company => 1
the one at 48.20 => 0
the middle one => 1
I'll take both => ?
""",
    "rooms": """
the one with breakfast => 1
the one with a sea view => 1
the suite => 2
the biggest one => 2
the cheapest with a balcony => 1
the one without a balcony => 0
the room for five => 2
deluxe => 1
the one under 100 => 0
the 140 one => 1
the cheapest room => 0
the second cheapest => 1
the one with the garden view => 2
can we have the room for a second night? => -
the twin, thanks => 0
the first room is too noisy, I'll take the second => 1
Do you have a bigger one? => -
the one overlooking the sea => 1
""",
    "trains": """
the direct one at noon => 2
the earliest train => 0
the cheapest => 1
the last train => 3
the one that leaves at 8:10 => 1
the 5:45 pm one => 3
the fastest => 2
the one with two changes => 1
the one arriving at 14:11 => 2
RE 17 => 1
ICE 88 please => 2
the first direct train => 0
the direct ones => ?
the evening train => 3
the morning one => ?
the one for €55 => 3
the 79 euro one => 2
the second one from the top => 1
""",
    "two": """
the second restaurant => 1.1
the hotel with the pool => 0.0
the second hotel => 0.1
the cheaper hotel => 0.1
the Italian one => 1.0
go back to the hotels, the first one => 0.0
the first one => 1.0
Park Inn => 0.1
the best rated => 1.0
the curry place => 1.1
the last one in the previous list => 0.1
how far is it from the station? => -
the first list, second item => 0.1
the five star one => 0.0
the hotel without a pool => 0.1
""",
    "shirts": """
the red one => 2
the white shirt => 0
the blue one in a medium => 1
the linen one => 1
the one that's sold out => 1
the cheapest one => 2
the $60 one => 1
the largest => 2
the XL one => 2
add the first and the third to my cart => ?
anything but the red one => ?
the penultimate => 1
""",
    "flats": """
the two-bedroom one => 1
the furnished ones => ?
the one that allows pets => 1
the one on Mill Lane => 1
the biggest => 2
the cheapest furnished one => 0
the unfurnished one => 1
the one with 3 bedrooms => 2
the King's Road flat => 2
the first apartment => 0
the smallest => 0
our second child is due in May => -
the one for 1650 => 1
the second furnished one => 2
""",
    "tracks": """
play the last one => 3
Last Train Home => 2
the most played => 2
the longest song => 1
the shortest track => 0
the Dex song => 2
the one by the Hollows => 1
the second Mira Vale song => 3
play the least popular one => 3
skip the first, play the next one => ?
track 2 => 1
the one after Winter Sun => 2
the one before Slow Burn => 2
""",
    "courses": """
the Saturday one => 2
the salsa class => 1
the beginner pottery one => 0
the pottery one => ?
the most expensive course => 2
the one on Wednesdays => 1
the 7pm one => 1
the advanced one => 2
the first class => 0
at first I wanted to dance => -
""",
    "cars": """
the automatic with seven seats => 2
the electric one => 1
the manual => 0
the biggest car => 2
the Fiat => 0
the cheapest automatic => 1
the 7-seater => 2
my second car broke down => -
the last car => 2
the former or the latter? => ?
""",
    "events": """
the free one => ?
the comedy night => 1
the one on the 21st => 2
the Saturday event => 1
the first one => 0
the indoor one => 1
the last => 2
jazz => 0
the earliest => 0
wait a sec => -
""",
}
