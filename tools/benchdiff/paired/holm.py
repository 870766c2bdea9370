"""Holm's adjustment: the chance of any false alarm among all rows stays below the level."""


def adjusted(p_values: list[float]) -> list[float]:
    """In the order given: compare each with the level of the whole family (Holm 1979, step-down, no independence)."""
    order = sorted(range(len(p_values)), key=lambda i: p_values[i])
    found = [1.0] * len(p_values)
    highest = 0.0
    for step, i in enumerate(order):
        highest = max(highest, min(1.0, (len(p_values) - step) * p_values[i]))
        found[i] = highest
    return found
