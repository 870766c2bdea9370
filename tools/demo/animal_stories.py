"""Stories about animals, and short texts about how things are."""

from grammar import a, cap, size_word
from places import PLACES, SEASONS
from words import ANIMALS, COLOURS, FOODS, GROWN_UPS, THING_FACTS, THINGS


def _plain(food):
    return food.some.replace("some ", "") if food.some.startswith("some ") else food.some


def hungry(d):
    """An animal looks for food, eats and rests."""
    x = d.animal()
    food, size = d.pick(x.foods), size_word(d, x)
    other = d.pick([k for k in x.colours])
    need = "thirsty" if food.base == "drink" else "hungry"
    out = [
        d.one_of(
            f"The {size} {x.kind} was {need}.",
            f"The {other} {x.kind} was {need}.",
            f"One morning a {size} {x.kind} was very {need}.".replace("a old", "an old"),
        )
    ]
    place = d.pick(PLACES)
    out.append(
        d.one_of(
            f"It {x.moved} to {place.name} and looked for something to {food.base}.",
            f"It looked for {_plain(food)} {place.at}.",
        )
    )
    if d.chance(0.4):
        out.append(d.one_of("First it found nothing.", "It looked for a long time.", "It was not easy."))
    out.append(
        d.one_of(
            f"Then it found {food.some}.",
            f"At last it saw {food.some} {d.one_of('on the ground', 'under a tree', 'behind a stone')}.",
        )
    )
    out.append(f"It {food.verb} {food.the}" + d.one_of(" and was happy.", " and went home.", "."))
    out.append(
        d.one_of(
            "Then it fell asleep in the sun.",
            f"Then it slept {x.home}.",
            f"Now the {x.kind} was not {need} any more.",
        )
    )
    return out


def once(d):
    """Once there was: a wish, a problem, a friend who helps."""
    x, y = d.two_animals()
    size, colour = size_word(d, x), d.pick(x.colours)
    first = a(size) + " " + x.kind if d.chance(0.6) else a(colour) + " " + x.kind
    out = [
        d.one_of(
            f"Once there was {first}.", f"Once upon a time there was {first}.", f"There was once {first}."
        ),
        f"It lived {x.home}.",
    ]
    if d.chance(0.15):
        out = [f"The {size} {x.kind} lived {x.home}."]
    kind = d.one_of("friend", "learn", "lost", "danger")
    if kind == "friend":
        out += [
            "It had no friends and was often sad.",
            f"One day it met {a(d.pick(y.colours))} {y.kind}.",
            d.one_of(
                f'"Do you want to play with me?" asked the {y.kind}.',
                f'"Will you be my friend?" asked the {x.kind}.',
            ),
            d.one_of(
                "They played together all day.", f"They went to {d.pick(PLACES).name} and played there."
            ),
            d.one_of("They were good friends from that day on.", f"The {x.kind} was never sad again."),
        ]
    elif kind == "learn":
        if y.skill == x.skill:
            y = d.pick([k for k in ANIMALS if k.skill != x.skill])
        out += [
            f"It wanted to {y.skill}, but it did not know how.",
            f"So it went to the {y.kind} and asked for help.",
            d.one_of(
                f'"I will show you," said the {y.kind}.',
                f'"It is not easy," said the {y.kind}, "but you can try."',
            ),
            d.one_of(f"The {x.kind} tried every day.", f"The {x.kind} tried again and again."),
            d.one_of(
                f"In the end it could not {y.skill}, but it had a new friend.",
                f"The {y.kind} laughed, and the {x.kind} laughed too.",
            ),
        ]
    elif kind == "lost":
        place = d.pick([p for p in PLACES if p.name.split()[1] not in x.home])
        out += [
            f"One day it went to {place.name} and could not find the way home.",
            d.one_of(
                (
                    "It was dark, and the little one was afraid."
                    if x.size == "small"
                    else "It was dark and cold."
                ),
                "Night came, and it was afraid.",
            ),
            f'{cap(a(y.kind))} heard it and asked, "Why are you sad?"',
            f'"I want to go home," said the {x.kind}.',
            d.one_of(f"The {y.kind} knew the way and went with it.", f"The {y.kind} showed it the way."),
            d.one_of(f"Soon the {x.kind} was home again.", "In the morning they were home."),
        ]
    else:
        out += [
            d.one_of(
                "One night there was a big storm.",
                "One winter there was a lot of snow.",
                "One day there was a fire in the forest.",
            ),
            f"The {x.kind} ran to the house of the {y.kind}.",
            f'"Please let me in," said the {x.kind}.',
            f"The {y.kind} opened the door and gave it {d.pick(x.foods).some}.",
            d.one_of("In the morning the danger was over.", "They waited together until the morning."),
            f'"Thank you, my friend," said the {x.kind}.',
        ]
    return out


def trip(d):
    """A curious animal goes out, sees things and comes home."""
    x = d.animal()
    first, second = d.pick2([p for p in PLACES if p.name.split()[1] not in x.home])
    size = size_word(d, x)
    out = [
        d.one_of(
            f"The {size} {x.kind} wanted to see the world.",
            f"One day the {size} {x.kind} left its home.",
            f"The {size} {x.kind} {x.moved} to {first.name}.",
        )
    ]
    if first.name not in out[0]:
        out.append(f"First it {x.moved} to {first.name}.")
    out.append(f"There it saw {d.pick(first.saw)}.")
    out.append(
        d.one_of(
            f"Then it {x.moved} to {second.name} and saw {d.pick(second.saw)}.",
            f"Then it came to {second.name} and slept there.",
        )
    )
    out.append(
        d.one_of(
            "In the evening it was tired and went home.",
            "The world was big and beautiful.",
            f"At night the {x.kind} was home again.",
        )
    )
    return out


def meeting(d):
    """A walking animal meets another, and they share."""
    x, y = d.two_animals()
    place, food = d.pick(PLACES), d.pick(y.foods)
    out = [
        d.one_of(
            f"The {size_word(d, x)} {x.kind} met {a(y.kind)} {place.at}.",
            f"{cap(a(x.kind))} and {a(y.kind)} lived {place.at}.",
            f"One day {a(x.kind)} and {a(y.kind)} met {place.at}.",
        )
    ]
    out.append(
        d.one_of(
            f'"Hello," said the {x.kind}. "What are you doing?"',
            f'"Good morning," said the {x.kind}. "Where are you going?"',
        )
    )
    if "doing" in out[-1]:
        out.append(f'"I am looking for {_plain(food)}," said the {y.kind}.')
    else:
        out.append(f'"I am going to {d.pick([p for p in PLACES if p != place]).name}," said the {y.kind}.')
    out.append(
        d.one_of(
            f'"I will go with you," said the {x.kind}.',
            f'"May I come with you?" asked the {x.kind}.',
            f'"I can help you," said the {x.kind}.',
        )
    )
    out.append(d.one_of("So they went together.", "So they walked side by side."))
    out.append(
        d.one_of(
            "On the way they sang a song.",
            "It was a long way, but they were not tired.",
            "In the evening they were good friends.",
        )
    )
    return out


def royal(d):
    """A grown-up of the tales, a thing and a wish."""
    g, thing, colour = d.pick(GROWN_UPS), d.pick(THINGS), d.pick(COLOURS)
    noun = g.name.replace("the ", "")
    where = d.one_of("in a small village", "in a big house", "near the sea", "on a high hill")
    x = d.animal()
    return [
        d.one_of(f"Once there was {a(noun)} who lived {where}.", f"{cap(a(noun))} lived {where}."),
        f"{g.He} had {a(colour)} {thing} and {a(x.kind)}.",
        d.one_of(
            f"Every day {g.he} gave the {x.kind} {d.pick(x.foods).some}.", f"The {x.kind} could {x.skill}."
        ),
        d.one_of(
            f"One day the {thing} was gone, and {g.he} was sad.", f"One night somebody took the {thing}."
        ),
        d.one_of(
            f"But the {x.kind} found the {thing} {d.one_of('in the forest', 'by the river', 'under a tree', 'behind the house')}.",
            f"The {x.kind} went out and brought it back.",
        ),
        d.one_of(
            f'"You are a good {x.kind}," said {g.name}.',
            f"After that {g.name} and the {x.kind} were always together.",
        ),
    ]


def animal_facts(d):
    """What an animal is, looks like, eats and can do."""
    x = d.animal()
    colours = list(x.colours)
    c = d.pick2(colours) if len(colours) > 1 else (colours[0], colours[0])
    food = d.pick(x.foods)
    likes = _plain(food) if food.some.startswith("some") else None
    out = [d.one_of(f"{cap(a(x.kind))} is a {x.size} animal.", f"The {x.kind} is a {x.size} animal.")]
    rest = [f"It can be {c[0]} or {c[1]}.", f"It can {x.skill}.", x.fact, f"It lives {x.home}."]
    if likes:
        rest.append(f"It likes {likes}.")
    d.shuffle(rest)
    return out + rest[: d.one_of(3, 4, 2)]


def season(d):
    """One season, and what somebody does in it."""
    name = d.pick(list(SEASONS))
    facts = list(SEASONS[name])
    d.shuffle(facts)
    p = d.person()
    like = {
        "spring": "plants flowers in the garden",
        "summer": "swims in the lake",
        "autumn": "picks apples in the garden",
        "winter": "builds a snowman",
    }[name]
    return [
        f"In {name} {facts[0]}.",
        f"{cap(facts[1])}.",
        d.one_of(f"{p.start} likes the {name}.", f"{p.start} is happy in {name}."),
        d.one_of(f"{p.He} {like}.", f"{p.He} {like} with {p.his} friends."),
    ]


def things(d):
    """A few facts about things."""
    picked = d.sample(THING_FACTS, 3)
    return [f"{noun} {verb} {what}." for noun, verb, what in picked]


def owners(d):
    """Who has what in which colour, then questions with their answers."""
    p, q = d.two_people()
    t, u = d.pick2(THINGS)
    c, e = d.pick2(COLOURS)
    out = [f"{p.start} has {a(c)} {t}.", f"{q.start} has {a(e)} {u}."]
    asked = d.sample([("c", t, c), ("c", u, e), ("w", t, p), ("w", u, q)], 2)
    for kind, thing, answer in asked:
        if kind == "c":
            out += [f"What colour is the {thing}?", f"The {thing} is {answer}."]
        else:
            out += [f"Who has the {thing}?", f"{answer.start} has the {thing}."]
    return out


def likes(d):
    """Two people and what they like, in the present tense."""
    p, q = d.two_people()
    f, g = d.pick2([x for x in FOODS if x.some.startswith("some")])
    place = d.pick(PLACES)
    return [
        f"{p.start} likes {_plain(f)}, but {q.name} likes {_plain(g)}.",
        d.one_of(f"They often meet {place.at}.", f"Today they are {place.at}."),
        d.one_of(f"{p.start} wants to {d.pick(place.do)}.", f"{q.start} wants to {d.pick(place.do)}."),
        f"Then {p.name} {'drinks' if f.base == 'drink' else 'eats'} {f.some}, and {q.name} {'drinks' if g.base == 'drink' else 'eats'} {g.some}.",
    ]
