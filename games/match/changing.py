"""A copy of a frozen value with some fields changed, at a tenth of the cost of dataclasses.replace."""

from typing import TYPE_CHECKING, Any, TypeVar

T = TypeVar("T")

if TYPE_CHECKING:
    # The type checker knows the names and types of the fields that `replace` accepts.
    from dataclasses import replace as changed
else:

    def changed(value: T, **changes: Any) -> T:
        """For dataclasses without slots, whose fields need no check of their own.

        Every event makes two new states of nearly thirty fields, and a long match is folded from
        hundreds of events when a process takes it over.
        """
        copy = object.__new__(type(value))
        fields = copy.__dict__
        fields.update(value.__dict__)
        fields.update(changes)
        return copy


__all__ = ["changed"]
