"""Methods of lists and sets of ints as plain functions, which are compiled like those of users."""


def insert(items: list[int], place: int, value: int) -> None:
    """`items.insert(place, value)`."""
    length = len(items)
    # A place beyond either end means that end, as in Python.
    place = max(place + length, 0) if place < 0 else min(place, length)
    items.append(value)
    while length > place:
        items[length] = items[length - 1]
        length -= 1
    items[place] = value


def remove_at(items: list[int], place: int) -> int:
    """`items.pop(place)`."""
    value = items[place]
    if place < 0:
        place += len(items)
    for index in range(place, len(items) - 1):
        items[index] = items[index + 1]
    items.pop()
    return value


def index(items: list[int], value: int) -> int:
    """`items.index(value)`."""
    for place in range(len(items)):
        if items[place] == value:
            return place
    raise ValueError("the value is not in the list")


def remove(items: list[int], value: int) -> None:
    """`items.remove(value)`."""
    remove_at(items, index(items, value))


def discard(items: list[int], value: int) -> None:
    """`items.discard(value)` of a set."""
    if value in items:
        remove_at(items, index(items, value))


def count(items: list[int], value: int) -> int:
    """`items.count(value)`."""
    total = 0
    for each in items:
        total += each == value
    return total


def reverse(items: list[int]) -> None:
    """`items.reverse()`."""
    first, last = 0, len(items) - 1
    while first < last:
        items[first], items[last] = items[last], items[first]
        first += 1
        last -= 1


# Insertion sort: stable, as Python's is, without memory of its own, and lists of rules are short.
def sort(items: list[int]) -> None:
    """`items.sort()`: by insertion, the first of equals first."""
    for end in range(1, len(items)):
        value, place = items[end], end
        while place > 0 and items[place - 1] > value:
            items[place] = items[place - 1]
            place -= 1
        items[place] = value


def sort_by(items: list[int], keys: list[int], is_reversed: bool) -> None:
    """`items.sort(key=…, reverse=…)`, by the keys of the items."""
    for end in range(1, len(items)):
        value, key, place = items[end], keys[end], end
        while place > 0 and (keys[place - 1] < key if is_reversed else keys[place - 1] > key):
            items[place], keys[place] = items[place - 1], keys[place - 1]
            place -= 1
        items[place], keys[place] = value, key
