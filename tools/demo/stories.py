"""Writes the text the demo model learns: short, correct, and the same for the same seed."""

import sys

import animal_stories as animals
import people_stories as people
from grammar import Dice

# Every form of story and how often it is told.
FORMS = [
    (people.visit, 12),
    (people.lost, 10),
    (people.meal, 9),
    (people.weather, 8),
    (people.gift, 6),
    (people.pet, 8),
    (people.help_someone, 6),
    (people.cause, 8),
    (animals.hungry, 12),
    (animals.once, 14),
    (animals.meeting, 9),
    (animals.trip, 8),
    (animals.royal, 7),
    (animals.animal_facts, 6),
    (animals.season, 3),
    (animals.things, 2),
    (animals.owners, 5),
    (animals.likes, 4),
]


def story(dice):
    form = dice.choices([f for f, _ in FORMS], [w for _, w in FORMS])[0]
    return " ".join(form(dice))


def stories(seed, count, without=()):
    """`count` different stories, none of them in `without`."""
    dice, seen, out = Dice(seed), set(without), []
    while len(out) < count:
        text = story(dice)
        if text not in seen:
            seen.add(text)
            out.append(text)
    return out


def documents(text):
    """The stories of a file: what stands between blank lines, without the surrounding white space."""
    return [part.strip() for part in text.split("\n\n") if part.strip()]


if __name__ == "__main__":
    seed, count = (int(x) for x in (sys.argv[1:] + ["1", "40"])[:2])
    print("\n\n".join(stories(seed, count)))
