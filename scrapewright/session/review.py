"""A model's review of rows: what it says of each column, from a few rows beside the text of their records."""

from __future__ import annotations

from typing import Literal

import msgspec

Judgement = Literal["right", "wrong", "unsure"]


class ColumnReview(msgspec.Struct, frozen=True, omit_defaults=True):
    """One column. `reason` says why it is wrong, or what can't be determined; `rows` are the wrong ones, 0-based row
    numbers of those that were shown, empty where it said none.
    """

    column: str
    says: Judgement
    reason: str = ""
    rows: tuple[int, ...] = ()


class Review(msgspec.Struct, frozen=True, omit_defaults=True):
    """`rows` are the numbers of the rows that were shown, from 0. A column that is not in `columns` is unsure."""

    rows: tuple[int, ...] = ()
    columns: tuple[ColumnReview, ...] = ()

    def called(self, judgement: Judgement) -> tuple[str, ...]:
        """The columns that it says this of."""
        return tuple(column.column for column in self.columns if column.says == judgement)
