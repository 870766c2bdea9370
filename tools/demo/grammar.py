"""Small helpers the story forms share: weighted choice, articles, capital letters."""

import random

from words import ANIMALS, PEOPLE


class Dice(random.Random):
    """Choices fall off slowly along a list, so every slot has a clear favourite.

    A uniform choice would leave the model with ties, and a tie is decided by rounding noise.
    """

    def pick(self, items):
        items = list(items)
        return self.choices(items, [1.0 / (i + 2.5) for i in range(len(items))])[0]

    def one_of(self, *items):
        return self.pick(items)

    def pick2(self, items):
        first = self.pick(items)
        return first, self.pick([x for x in items if x != first])

    def chance(self, p):
        return self.random() < p

    def person(self):
        return self.pick(PEOPLE)

    def two_people(self):
        return self.pick2(PEOPLE)

    def animal(self):
        return self.pick(ANIMALS)

    def two_animals(self):
        return self.pick2(ANIMALS)


def cap(text):
    return text[0].upper() + text[1:]


def a(noun):
    """The noun with its indefinite article."""
    return ("an " if noun[0] in "aeiou" else "a ") + noun


def size_word(dice, animal):
    return dice.pick(["little", "small", "young"] if animal.size == "small" else ["big", "strong", "old"])
