"""The rooms that a new site starts with. Plain values; the migration and the tests lay them down."""

from typing import Any

PRACTICE: dict[str, Any] = {
    "slug": "practice",
    "name_en": "Practice",
    "name_ru": "Тренировка",
    "name_fi": "Harjoitus",
    "currency": "PLAY",
    "column": "practice",
    "variants": ["backgammon", "long-nardy", "long-nardy-fnr"],
    "longest_series": 25,
    "min_stake": 1,
    "max_stake": 10_000,
    "order": 1,
}
MAIN: dict[str, Any] = {
    "slug": "main",
    "name_en": "Main hall",
    "name_ru": "Главный зал",
    "name_fi": "Pääsali",
    "currency": "USD",
    "column": "main",
    "variants": ["backgammon", "long-nardy", "long-nardy-fnr"],
    "longest_series": 25,
    "min_stake": 10,
    "max_stake": 1_000_000,
    "order": 2,
}
ROOMS = (PRACTICE, MAIN)


def lay_down(room_model: Any) -> None:
    """Makes the rooms that are missing; leaves those alone that staff may have changed."""
    for room in ROOMS:
        values = {name: value for name, value in room.items() if name != "slug"}
        room_model.objects.get_or_create(slug=room["slug"], defaults=values)
