"""Stories about people: each function returns the sentences of one story."""

from grammar import a, cap
from places import PLACES, WEATHER
from words import COLOURS, CONTAINERS, FAMILY, FOODS, GROWN_UPS, PETS, PET_NAMES, SPOTS, THINGS


def visit(d):
    """A day out, with the weather that fits it."""
    p, place = d.person(), d.pick(PLACES)
    i = d.pick(range(len(place.did)))
    j = d.pick([k for k in range(len(place.did)) if k != i])
    out = [
        d.one_of(
            f"{p.start} went to {place.name}.",
            f"One day {p.name} went to {place.name}.",
            f"In the morning {p.name} walked to {place.name}.",
            f"{p.start} wanted to {place.do[i]}, so {p.he} went to {place.name}.",
        )
    ]
    out.append(d.one_of(f"There {p.he} saw {d.pick(place.saw)}.", f"{p.He} saw {d.pick(place.saw)} there."))
    member = d.pick(FAMILY)
    if d.chance(0.5):
        out.append(f"{p.He} {place.did[i]} with {p.his} {member}.")
        out.append(f"Then they {place.did[j]}.")
        out.append(
            d.one_of(
                "They had a very good day.",
                "In the evening they were tired and happy.",
                "They came home late in the evening.",
            )
        )
    else:
        out.append(f"{p.He} {place.did[i]}, and then {p.he} {place.did[j]}.")
        out.append(
            d.one_of(
                f"In the evening {p.he} was tired but happy.",
                f"{p.He} came home and told {p.his} {member} about it.",
                f"It was a good day for {p.name}.",
            )
        )
    return out


def lost(d):
    """Something is lost, looked for and found."""
    p, thing, colour = d.person(), d.pick(THINGS), d.pick(COLOURS)
    wrong, right = d.pick2(SPOTS)
    out = [
        d.one_of(
            f"{p.start} could not find {p.his} {colour} {thing}.",
            f"{p.start} had {a(colour)} {thing}. One day the {thing} was gone.",
            f"Once {p.name} lost {p.his} {colour} {thing}.",
        )
    ]
    if d.chance(0.6):
        out.append(d.one_of(f"{p.He} was sad.", f"{p.He} looked everywhere.", f"{p.He} began to cry."))
    out.append(d.one_of(f"{p.He} looked {wrong}, but it was not there.", f"It was not {wrong}."))
    kind = d.one_of("self", "family", "friend", "pet")
    if kind == "self":
        out.append(f"Then {p.he} looked {right}, and there it was.")
    elif kind == "family":
        m = d.pick(FAMILY)
        out += [f'"Where is my {thing}?" {p.he} asked {p.his} {m}.', f'"It is {right}," said {p.his} {m}.']
    elif kind == "friend":
        q = d.pick([x for x in d.two_people() if x != p])
        out += [
            f"{p.His} friend {q.name} helped {p.him}.",
            f"{q.start} found the {thing} {right}.",
            f'"Thank you, {q.name}," said {p.name}.',
        ]
    else:
        pet = d.pick(PETS)
        out += [f"Then {p.his} {pet.kind} {pet.moved} into the room.", f"It had found the {thing} {right}."]
    out.append(
        d.one_of(
            f"Now {p.name} was happy again.",
            f"{p.start} was very glad.",
            f"{p.He} put the {thing} in {p.his} {d.pick([c for c in CONTAINERS if c != thing])}.",
        )
    )
    return out


def meal(d):
    """Hunger, food, thanks."""
    p, food = d.person(), d.pick(FOODS)
    need = "thirsty" if food.base == "drink" else "hungry"
    out = [
        d.one_of(
            f"{p.start} was {need}.",
            f"After a long walk {p.name} was {need}.",
            f"{p.start} came home and was very {need}.",
        )
    ]
    how = d.one_of("kitchen", "market", "family")
    if how == "kitchen":
        out.append(
            d.one_of(
                f"{p.He} went to the kitchen and found {food.some}.",
                (
                    f"There was {food.some} on the table."
                    if food.it == "it"
                    else f"There were {food.some} on the table."
                ),
            )
        )
    elif how == "market":
        out.append(f"{p.He} went to the market and bought {food.some}.")
    else:
        m = d.pick(FAMILY)
        out.append(f"{p.His} {m} gave {p.him} {food.some}.")
    out.append(
        d.one_of(
            f"{p.He} {food.verb} {food.the} and felt better.",
            f"{p.He} {food.verb} {food.it} with a smile.",
            f"{p.He} {food.verb} all of {food.it}.",
        )
    )
    if how == "family":
        out.append(f'"Thank you," said {p.name}.')
    else:
        q = d.pick([x for x in d.two_people() if x != p])
        out.append(
            d.one_of(
                f"Then {p.he} was not {need} any more.",
                f"{p.He} gave some of {food.it} to {q.name}.",
                f"Then {p.he} went out to play.",
            )
        )
    return out


def weather(d):
    """What the weather makes people do."""
    w, p = d.pick(WEATHER), d.person()
    out = [d.one_of(f"It was {w.day}.", f"One morning it was {w.day}."), d.pick(w.sky)]
    do = d.pick(w.did)
    q = d.pick([x for x in d.two_people() if x != p])
    if w.outdoors:
        out.append(
            d.one_of(
                f"{p.start} wanted to {do}.",
                f'"Let us {do}," said {p.name}.',
                f"{p.start} and {q.name} went out to {do}.",
            )
        )
    else:
        out.append(
            d.one_of(
                f"{p.start} could not go outside, so {p.he} stayed at home.",
                f"{p.start} stayed in the house.",
                f"{p.start} wanted to play outside, but it was too {w.day.split()[1]}.",
            )
        )
        out.append(d.one_of(f'"We can {do}," said {p.his} {d.pick(FAMILY)}.', f"{p.He} decided to {do}."))
    out.append(d.pick(list(w.end) + [f"{p.start} was happy."]))
    return out


def gift(d):
    """A birthday and a present."""
    p, q = d.two_people()
    thing, colour = d.pick(THINGS), d.pick(COLOURS)
    out = [
        d.one_of(
            f"Today was the birthday of {p.name}.",
            f"It was the birthday of {p.name}.",
            f"{p.start} had a birthday.",
        )
    ]
    out.append(
        f"{p.His} friend {q.name} came to the house with {d.one_of('a big box', 'a small box', 'a basket')}."
    )
    out.append(d.one_of(f'"What is it?" asked {p.name}.', f"{p.start} opened it."))
    out.append(d.one_of(f"It was {a(colour)} {thing}.", f"There was {a(colour)} {thing} in it."))
    out.append(
        d.one_of(f'"I like this {thing} very much," said {p.name}.', f'"Thank you, {q.name}," said {p.name}.')
    )
    out.append(
        d.one_of(
            "They ate some cake and played all day.",
            f"Then {p.his} {d.pick(FAMILY)} made a cake for them.",
            f"{p.start} and {q.name} were happy.",
        )
    )
    return out


def pet(d):
    """Somebody gets, has or looks for a pet."""
    p, pet_, name = d.person(), d.pick(PETS), d.pick(PET_NAMES)
    colour, food = d.pick(pet_.colours), d.pick(pet_.foods)
    out = [
        d.one_of(
            f"{p.start} had {a(colour)} {pet_.kind}. Its name was {name}.",
            f"{p.start} had {a(pet_.kind)} with the name {name}.",
            f"{p.start} got a little {pet_.kind} from {p.his} {d.pick(FAMILY)}. {p.He} called it {name}.",
        )
    ]
    out.append(
        d.one_of(
            f"Every day {p.he} gave {name} {food.some}.",
            f"{name} could {pet_.skill}.",
            (
                f"{name} liked {food.the.replace('the ', '')}."
                if food.some.startswith("some")
                else f"{name} loved to play."
            ),
        )
    )
    if d.chance(0.5):
        out.append(f"One day {name} was not in the house.")
        out.append(f"{p.start} looked for {name} {d.pick(SPOTS)} and {d.pick([x.at for x in PLACES])}.")
        out.append(
            f"At last {p.he} found {name} {d.one_of('in the garden', 'by the river', 'in a warm basket', 'under a big tree')}."
        )
        out.append(d.one_of(f'"There you are, {name}!" said {p.name}.', f"{p.start} took {name} home."))
    else:
        out.append(
            d.one_of(
                f"{name} slept next to the bed of {p.name}.",
                f"{p.start} and {name} played in the garden every day.",
            )
        )
        out.append(d.one_of("They were good friends.", f"{p.start} loved {name} very much."))
    return out


def help_someone(d):
    """A child helps a grown-up."""
    p, g = d.person(), d.pick(GROWN_UPS)
    job, done = d.one_of(
        ("carry a heavy bag", "carried the bag"),
        ("clean the house", "cleaned the house"),
        ("cut the wood", "cut the wood"),
        ("pick the apples", "picked the apples"),
        ("find a lost key", "found the key"),
        ("wash the windows", "washed the windows"),
    )
    out = [
        d.one_of(f"{g.start} had to {job}.", f"One day {g.name} had to {job}."),
        d.one_of(f"{g.He} was tired and could not do it alone.", "It was hard work.", f"{g.He} needed help."),
        d.one_of(f'"I can help you," said {p.name}.', f"{p.start} came and helped {g.him}."),
        d.one_of(f"Together they {done}.", f"{p.start} {done} for {g.him}."),
    ]
    food = d.pick(FOODS)
    out.append(
        d.one_of(
            f"{g.start} thanked {p.name} and gave {p.him} {food.some}.",
            f'"You are very kind, {p.name}," said {g.name}.',
            f"{cap(g.name)} was happy, and {p.name} was happy too.",
        )
    )
    return out


def cause(d):
    """One small thing leads to another."""
    p = d.person()
    m = d.pick(FAMILY)
    start, then, end = d.one_of(
        (
            "forgot {his} umbrella.",
            "It began to rain, and {he} got wet.",
            "{His} {m} gave {him} dry clothes and hot tea.",
        ),
        ("ran too fast and fell down.", "{His} knee hurt.", "{His} {m} washed it, and soon it was better."),
        (
            "went to bed very late.",
            "In the morning {he} was tired.",
            "{He} fell asleep at school, and the teacher laughed.",
        ),
        ("dropped a cup.", "The cup broke into many pieces.", "{He} told {his} {m} that {he} was sorry."),
        (
            "left the door open.",
            "The wind came in, and the house became cold.",
            "{He} closed the door and made a fire.",
        ),
        (
            "planted a small seed.",
            "{He} watered it every day.",
            "In the summer there was a tall yellow flower.",
        ),
        (
            "ate too many cookies.",
            "Then {his} stomach hurt.",
            "{His} {m} gave {him} some water and put {him} to bed.",
        ),
        ("did not wear a coat.", "It was snowing, and {he} was cold.", "{He} went home and sat by the fire."),
        (
            "read a book about the stars.",
            "At night {he} looked at the sky.",
            "{He} saw the moon and many bright stars.",
        ),
        (
            "heard a noise at night.",
            "{He} was afraid and called {his} {m}.",
            "It was only the wind in the trees.",
        ),
        ("missed the bus.", "{He} had to walk to school.", "{He} was late, but the teacher was not angry."),
        (
            "built a little boat of wood.",
            "{He} put it on the water, and it swam.",
            "{His} {m} was very proud of {him}.",
        ),
    )
    f = {"he": p.he, "He": p.He, "his": p.his, "His": p.His, "him": p.him, "m": m}
    return [
        d.one_of(f"{p.start} ", f"One day {p.name} ", f"Yesterday {p.name} ") + start.format(**f),
        then.format(**f),
        end.format(**f),
    ]
