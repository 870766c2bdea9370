"""Where the stories happen, the weather there, and the seasons."""

from dataclasses import dataclass


@dataclass(frozen=True)
class Place:
    name: str
    at: str  # "in the park"
    did: tuple  # what people did there
    saw: tuple  # what there is to see there
    do: tuple  # the same as `did` after "to"


def _place(name, prep, did, do, saw):
    return Place(f"the {name}", f"{prep} the {name}", did, saw, do)


PLACES = [
    _place(
        "park",
        "in",
        ("played with a ball", "sat under a big tree", "fed the ducks"),
        ("play with a ball", "sit under a big tree", "feed the ducks"),
        ("a red kite", "many flowers", "a small pond"),
    ),
    _place(
        "forest",
        "in",
        ("picked berries", "looked for mushrooms", "listened to the birds"),
        ("pick berries", "look for mushrooms", "listen to the birds"),
        ("a quiet owl", "an old tree", "a little fox"),
    ),
    _place(
        "beach",
        "at",
        ("built a castle of sand", "swam in the sea", "looked for shells"),
        ("build a castle of sand", "swim in the sea", "look for shells"),
        ("a big ship", "a white bird", "many shells"),
    ),
    _place(
        "garden",
        "in",
        ("watered the flowers", "planted a tree", "picked some apples"),
        ("water the flowers", "plant a tree", "pick some apples"),
        ("a yellow butterfly", "red roses", "a small bird"),
    ),
    _place(
        "lake",
        "by",
        ("swam in the cold water", "caught a big fish", "sailed a small boat"),
        ("swim in the cold water", "catch a big fish", "sail a small boat"),
        ("two white ducks", "a green frog", "a small boat"),
    ),
    _place(
        "market",
        "at",
        ("bought fresh bread", "looked at the flowers", "talked to the baker"),
        ("buy fresh bread", "look at the flowers", "talk to the baker"),
        ("many people", "a man with a drum", "red apples"),
    ),
    _place(
        "farm",
        "on",
        ("fed the hens", "rode a horse", "helped the farmer"),
        ("feed the hens", "ride a horse", "help the farmer"),
        ("a brown cow", "a big barn", "many sheep"),
    ),
    _place(
        "library",
        "in",
        ("read a book about ships", "looked at old maps", "found a good story"),
        ("read a book about ships", "look at old maps", "find a good story"),
        ("many old books", "a big map", "a kind teacher"),
    ),
    _place(
        "hill",
        "on",
        ("flew a kite", "looked at the stars", "ran in the grass"),
        ("fly a kite", "look at the stars", "run in the grass"),
        ("the whole village", "a long train", "a flock of birds"),
    ),
    _place(
        "river",
        "by",
        ("threw stones into the water", "built a small bridge", "watched the boats"),
        ("throw stones into the water", "build a small bridge", "watch the boats"),
        ("a green frog", "a silver fish", "an old bridge"),
    ),
]


@dataclass(frozen=True)
class Weather:
    day: str  # "a sunny day"
    sky: tuple
    outdoors: bool
    did: tuple
    end: tuple


WEATHER = [
    Weather(
        "a sunny day",
        ("The sky was blue.", "The sun was warm.", "There was not a cloud in the sky."),
        True,
        ("play outside", "go for a walk", "eat in the garden"),
        ("It was a lovely day.", "In the evening the sky was red."),
    ),
    Weather(
        "a rainy day",
        ("The rain fell on the roof.", "The streets were wet.", "The sky was dark and grey."),
        False,
        ("read a book", "bake a cake", "draw a picture"),
        ("In the evening the rain stopped.", "Then there was a rainbow in the sky."),
    ),
    Weather(
        "a windy day",
        ("The wind blew through the trees.", "The leaves danced in the air.", "The clouds moved fast."),
        True,
        ("fly a kite", "watch the clouds", "run with the wind"),
        ("At night the wind was quiet again.", "The kite flew very high."),
    ),
    Weather(
        "a snowy day",
        ("The snow was deep and white.", "Everything was white.", "The air was cold and clear."),
        True,
        ("build a snowman", "throw snowballs", "ride on a sled"),
        ("Then it was time for hot tea.", "At night more snow fell."),
    ),
    Weather(
        "a hot day",
        ("The sun was very strong.", "The air did not move.", "The grass was dry."),
        True,
        ("swim in the lake", "eat ice cream", "sit in the shade"),
        ("In the evening it was cool again.", "At night they slept with open windows."),
    ),
    Weather(
        "a stormy day",
        ("There was thunder and lightning.", "The wind was very strong.", "The waves were high."),
        False,
        ("stay by the fire", "tell stories", "play a game"),
        ("In the morning the storm was over.", "Soon the storm went away."),
    ),
    Weather(
        "a cold day",
        ("There was ice on the lake.", "The wind was icy.", "The fields were white with frost."),
        False,
        ("drink hot tea", "sit by the fire", "make a warm soup"),
        ("The house was warm and quiet.", "At night the stars were bright."),
    ),
]

SEASONS = {
    "spring": (
        "the flowers open and the birds build their nests",
        "the days get longer",
        "the farmer plants new seeds",
    ),
    "summer": ("the days are long and warm", "the children swim in the lake", "the fruit grows on the trees"),
    "autumn": (
        "the leaves turn red and yellow",
        "the wind blows and the apples are ripe",
        "the squirrel hides its nuts",
    ),
    "winter": ("the nights are long and cold", "the snow covers the fields", "the bear sleeps in its cave"),
}
