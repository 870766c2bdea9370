"""The small world the demo stories are about: who, what they eat, what they own."""

from dataclasses import dataclass


@dataclass(frozen=True)
class Being:
    """Somebody a story can be about. `name` is the form used inside a sentence."""

    name: str
    he: str
    him: str
    his: str

    @property
    def start(self):
        return self.name[0].upper() + self.name[1:]

    @property
    def He(self):
        return self.he.capitalize()

    @property
    def His(self):
        return self.his.capitalize()


GIRLS = [
    Being(n, "she", "her", "her")
    for n in "Anna Mia Lucy Emma Rosa Clara Nina Ella Sara Lily Eva Kate".split()
]
BOYS = [
    Being(n, "he", "him", "his") for n in "Ben Tom Max Leo Sam Jack Paul Oscar Finn Hugo Noah Adam".split()
]
PEOPLE = [p for pair in zip(GIRLS, BOYS) for p in pair]

GROWN_UPS = [
    Being("the farmer", "he", "him", "his"),
    Being("the teacher", "she", "her", "her"),
    Being("the baker", "he", "him", "his"),
    Being("the doctor", "she", "her", "her"),
    Being("the old man", "he", "him", "his"),
    Being("the old woman", "she", "her", "her"),
    Being("the king", "he", "him", "his"),
    Being("the queen", "she", "her", "her"),
    Being("the fisherman", "he", "him", "his"),
    Being("the gardener", "she", "her", "her"),
]

FAMILY = ["mother", "father", "grandmother", "grandfather", "sister", "brother", "aunt", "uncle"]


@dataclass(frozen=True)
class Food:
    """`some` introduces it ("an apple"), `the` takes it up again ("the apple")."""

    some: str
    the: str
    verb: str = "ate"
    base: str = "eat"
    it: str = "it"


def _one(noun, article="a"):
    return Food(f"{article} {noun}", f"the {noun}")


def _much(noun):
    return Food(f"some {noun}", f"the {noun}")


def _many(noun):
    return Food(f"some {noun}", f"the {noun}", it="them")


def _drink(noun):
    return Food(f"some {noun}", f"the {noun}", "drank", "drink")


APPLE, PEAR, CAKE, SANDWICH = _one("apple", "an"), _one("pear"), _one("cake"), _one("sandwich")
BREAD, CHEESE, SOUP, HONEY = _much("bread"), _much("cheese"), _much("soup"), _much("honey")
FISH, GRASS, CORN, RICE, MEAT = _much("fish"), _much("grass"), _much("corn"), _much("rice"), _much("meat")
NUTS, CARROTS, BERRIES, SEEDS = _many("nuts"), _many("carrots"), _many("berries"), _many("seeds")
EGGS, CHERRIES, COOKIES, FLIES = _many("eggs"), _many("cherries"), _many("cookies"), _many("flies")
MILK, TEA, WATER, JUICE = _drink("milk"), _drink("tea"), _drink("water"), _drink("juice")
BONE = _one("bone")
LEAVES = _many("green leaves")
FOODS = [
    APPLE,
    BREAD,
    CAKE,
    SOUP,
    PEAR,
    CHEESE,
    COOKIES,
    MILK,
    SANDWICH,
    CHERRIES,
    JUICE,
    EGGS,
    RICE,
    BERRIES,
]


@dataclass(frozen=True)
class Animal:
    kind: str
    colours: tuple
    home: str  # "in a small house"
    foods: tuple
    skill: str  # what it can do: "climb trees"
    moved: str  # past tense of how it gets about
    fact: str
    size: str = "small"


ANIMALS = [
    Animal(
        "cat",
        ("black", "white", "grey"),
        "in a warm house",
        (MILK, FISH),
        "climb trees",
        "walked",
        "It sleeps a lot and washes its fur.",
    ),
    Animal(
        "dog",
        ("brown", "black", "white"),
        "in a small house",
        (BONE, MEAT),
        "run fast",
        "ran",
        "It is a good friend of people.",
    ),
    Animal(
        "rabbit",
        ("white", "brown", "grey"),
        "under a hill",
        (CARROTS, GRASS),
        "jump high",
        "hopped",
        "It has long ears and soft fur.",
    ),
    Animal(
        "fox",
        ("red", "grey"),
        "in the forest",
        (BERRIES, EGGS),
        "run fast",
        "ran",
        "It has a long tail and it is very clever.",
    ),
    Animal(
        "bear",
        ("brown", "black"),
        "in a cave",
        (HONEY, BERRIES),
        "climb trees",
        "walked",
        "It sleeps all winter.",
        "big",
    ),
    Animal(
        "mouse",
        ("grey", "white", "brown"),
        "in the wall of an old house",
        (CHEESE, BREAD),
        "run fast",
        "ran",
        "It has a long thin tail.",
    ),
    Animal(
        "bird",
        ("blue", "yellow", "red"),
        "in a tall tree",
        (SEEDS, BERRIES),
        "sing songs",
        "flew",
        "It has two wings and it builds a nest.",
    ),
    Animal(
        "duck",
        ("white", "yellow", "brown"),
        "by the lake",
        (CORN, BREAD),
        "swim well",
        "walked",
        "It has two wings and it loves water.",
    ),
    Animal(
        "frog",
        ("green", "brown"),
        "by the river",
        (FLIES,),
        "jump high",
        "hopped",
        "It lives in the water and on the land.",
    ),
    Animal(
        "horse",
        ("brown", "white", "black"),
        "on a farm",
        (GRASS, APPLE),
        "run fast",
        "ran",
        "It is strong and it can carry a man.",
        "big",
    ),
    Animal(
        "cow",
        ("brown", "white"),
        "on a farm",
        (GRASS,),
        "carry heavy things",
        "walked",
        "It gives milk every day.",
        "big",
    ),
    Animal(
        "hen",
        ("white", "brown", "red"),
        "on a farm",
        (CORN, SEEDS),
        "find worms",
        "ran",
        "It lays an egg every day.",
    ),
    Animal(
        "owl",
        ("brown", "white"),
        "in an old tree",
        (MEAT,),
        "see in the dark",
        "flew",
        "It sleeps in the day and wakes up at night.",
    ),
    Animal(
        "sheep",
        ("white", "black"),
        "on a green hill",
        (GRASS,),
        "keep people warm",
        "walked",
        "It gives us warm wool.",
        "big",
    ),
    Animal(
        "squirrel",
        ("red", "grey", "brown"),
        "in a hollow tree",
        (NUTS, SEEDS),
        "climb trees",
        "jumped",
        "It hides nuts for the winter.",
    ),
    Animal(
        "goat",
        ("white", "grey", "brown"),
        "on a high mountain",
        (GRASS, LEAVES),
        "climb rocks",
        "jumped",
        "It has two horns and a short beard.",
        "big",
    ),
    Animal(
        "turtle",
        ("green", "brown"),
        "by the sea",
        (GRASS, LEAVES),
        "swim well",
        "walked",
        "It is slow, but it lives for a very long time.",
    ),
]
PETS = [a for a in ANIMALS if a.kind in ("cat", "dog", "rabbit", "bird", "mouse", "horse", "turtle")]
PET_NAMES = ["Milo", "Luna", "Coco", "Rex", "Bella", "Toby", "Daisy"]


COLOURS = ["red", "blue", "green", "yellow", "white", "black", "brown", "orange"]
THINGS = [
    "ball",
    "hat",
    "book",
    "kite",
    "cup",
    "bag",
    "scarf",
    "key",
    "boat",
    "doll",
    "ring",
    "coat",
    "drum",
    "lamp",
]
SPOTS = [
    "under the table",
    "behind the door",
    "under the bed",
    "on the chair",
    "in the box",
    "next to the window",
    "in the kitchen",
    "behind the big tree",
    "on the stairs",
    "in the grass",
]
CONTAINERS = ["box", "basket", "bag", "drawer"]


THING_FACTS = [
    ("Snow", "is", "white and cold"),
    ("The sun", "is", "bright and warm"),
    ("Grass", "is", "green"),
    ("The sky", "is", "blue on a sunny day"),
    ("Honey", "is", "yellow and sweet"),
    ("Ice", "is", "cold and hard"),
    ("Stones", "are", "hard and heavy"),
    ("Feathers", "are", "soft and light"),
    ("Milk", "is", "white"),
    ("Lemons", "are", "yellow and sour"),
    ("Fire", "is", "hot and bright"),
    ("The night", "is", "dark and quiet"),
    ("Cherries", "are", "red and sweet"),
    ("The sea", "is", "deep and blue"),
    ("Clouds", "are", "white or grey"),
    ("Carrots", "are", "orange"),
    ("Winter", "is", "cold"),
    ("Summer", "is", "warm"),
]
