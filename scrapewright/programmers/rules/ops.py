"""The steps that turn a text of the page into a value.

Each step can do it (`apply`, for choosing between readings of a page) and write it (`code`, for the program); a
property test holds the two together. A step raises ValueError, KeyError, IndexError or TypeError on a text it was not
made for: in the program that shows the value in the trace instead of hiding it.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any

from bs4 import BeautifulSoup

from scrapewright.programmers.rules.date_ops import Between, IsoDate, MailDate, Minutes, NamedMonth, ParseDate, UnixDate
from scrapewright.programmers.rules.literals import literal as literal
from scrapewright.programmers.rules.literals import raw_literal as raw_literal
from scrapewright.programmers.rules.op import Inline
from scrapewright.programmers.rules.op import Op as Op


class Trim(Inline, frozen=True):
    """Takes a fixed beginning and end away. Nothing happens where they are missing."""

    prefix: str = ""
    suffix: str = ""

    def apply(self, value: str) -> str:
        return value.removeprefix(self.prefix).removesuffix(self.suffix).strip()

    def code(self, value: str) -> str:
        if self.prefix:
            value += f".removeprefix({literal(self.prefix)})"
        if self.suffix:
            value += f".removesuffix({literal(self.suffix)})"
        return value + ".strip()"


class Part(Inline, frozen=True):
    """The text before or after a separator: the first one met, or the last."""

    separator: str
    after: bool = False
    last: bool = False

    def apply(self, value: str) -> str:
        head, _, tail = value.rpartition(self.separator) if self.last else value.partition(self.separator)
        return (tail if self.after else head).strip()

    def code(self, value: str) -> str:
        method = "rpartition" if self.last else "partition"
        return f"{value}.{method}({literal(self.separator)})[{2 if self.after else 0}].strip()"


class Piece(Inline, frozen=True):
    """The nth of the pieces between separators."""

    separator: str
    index: int

    def apply(self, value: str) -> str:
        return value.split(self.separator)[self.index].strip()

    def code(self, value: str) -> str:
        return f"{value}.split({literal(self.separator)})[{self.index}].strip()"


class Search(Inline, frozen=True):
    """What a regular expression finds: its group, or all of the match. `optional`: no match gives None."""

    pattern: str
    group: int = 0
    optional: bool = False

    def apply(self, value: str) -> str | None:
        match = re.search(self.pattern, value)
        if match is None and self.optional:
            return None
        return match[self.group]  # type: ignore[index]

    def code(self, value: str) -> str:
        return f"re.search({raw_literal(self.pattern)}, {value})[{self.group}]"

    def statements(self, value: str) -> tuple[list[str], str]:
        if not self.optional:
            return [], self.code(value)
        lines = [f"match = re.search({raw_literal(self.pattern)}, {value})", "if match is None:", "    return None"]
        return lines, f"match[{self.group}]"

    @property
    def imports(self) -> tuple[str, ...]:
        return ("import re",)


class Delete(Inline, frozen=True):
    """Takes every match of a regular expression out and closes the gaps."""

    pattern: str

    def apply(self, value: str) -> str:
        return re.sub(self.pattern, "", value).strip()

    def code(self, value: str) -> str:
        return f're.sub({raw_literal(self.pattern)}, "", {value}).strip()'

    @property
    def imports(self) -> tuple[str, ...]:
        return ("import re",)


class Swap(Inline, frozen=True):
    """Replaces one text by another."""

    old: str
    new: str = ""

    def apply(self, value: str) -> str:
        return value.replace(self.old, self.new)

    def code(self, value: str) -> str:
        return f"{value}.replace({literal(self.old)}, {literal(self.new)})"


class Rewrite(Inline, frozen=True):
    """Replaces every match of a regular expression."""

    pattern: str
    new: str

    def apply(self, value: str) -> str:
        return re.sub(self.pattern, self.new, value)

    def code(self, value: str) -> str:
        return f"re.sub({raw_literal(self.pattern)}, {raw_literal(self.new)}, {value})"

    @property
    def imports(self) -> tuple[str, ...]:
        return ("import re",)


class Scaled(Op, frozen=True):
    """A number times what the word behind it says: "1.5 million". `pattern` has two groups, the number and the word.

    `drop` are the marks that group digits, `comma` says that the decimal mark is one. A word that is none of `words`
    does not count. `optional`: no number gives None.
    """

    pattern: str
    words: tuple[tuple[str, int], ...]
    drop: tuple[str, ...] = ()
    comma: bool = False
    whole: bool = False
    optional: bool = False

    def apply(self, value: str) -> float | int | None:
        match = re.search(self.pattern, value)
        if match is None and self.optional:
            return None
        if match is None:
            raise TypeError("no number in the text")
        text = match[1]
        for mark in self.drop:
            text = text.replace(mark, "")
        amount = float(text.replace(",", ".") if self.comma else text)
        scale = dict(self.words).get(match[2], 1)
        return round(amount * scale) if self.whole else round(amount * scale, 6)

    def statements(self, value: str) -> tuple[list[str], str]:
        lines = [f"match = re.search({raw_literal(self.pattern)}, {value})"]
        if self.optional:
            lines += ["if match is None:", "    return None"]
        amount = "match[1]" + "".join(f".replace({literal(mark)}, {literal('')})" for mark in self.drop)
        amount += '.replace(",", ".")' if self.comma else ""
        lines.append(f"amount = float({amount})")
        digits = "" if self.whole else ", 6"
        return lines, f"round(amount * SCALES.get(match[2], 1){digits})"

    @property
    def imports(self) -> tuple[str, ...]:
        return ("import re",)

    @property
    def constants(self) -> dict[str, str]:
        listed = ", ".join(f"{literal(word)}: {size:_}" for word, size in self.words)
        return {"SCALES": f"{{{listed}}}"}


class Blank(Op, frozen=True):
    """Texts that stand for no value ("-", "n/a")."""

    texts: tuple[str, ...]

    def apply(self, value: str) -> str | None:
        return None if value in self.texts else value

    def statements(self, value: str) -> tuple[list[str], str]:
        if len(self.texts) == 1:
            return [f"if {value} == {literal(self.texts[0])}:", "    return None"], value
        listed = ", ".join(literal(text) for text in self.texts)
        return [f"if {value} in ({listed}):", "    return None"], value


class NumberWord(Op, frozen=True):
    """A word that stands for a number: "none yet" for no replies. Looked for without regard to case."""

    word: str
    number: int

    def apply(self, value: str) -> str | int:
        return self.number if self.word.casefold() in value.casefold() else value

    def statements(self, value: str) -> tuple[list[str], str]:
        test = f"if {literal(self.word.casefold())} in {value}.casefold():"
        return [test, f"    return {self.number}"], value


class ToInt(Inline, frozen=True):
    def apply(self, value: Any) -> int:
        return int(value)

    def code(self, value: str) -> str:
        return f"int({value})"


class ToFloat(Inline, frozen=True):
    def apply(self, value: Any) -> float:
        return float(value)

    def code(self, value: str) -> str:
        return f"float({value})"


class Lookup(Inline, frozen=True):
    """A word from a small vocabulary. A word that was not seen raises KeyError. `name` is the constant's name."""

    name: str
    words: tuple[tuple[str, int], ...]

    def apply(self, value: str) -> int:
        return dict(self.words)[value]

    def code(self, value: str) -> str:
        return f"{self.name}[{value}]"

    @property
    def constants(self) -> dict[str, str]:
        listed = ", ".join(f"{literal(word)}: {number}" for word, number in self.words)
        return {self.name: f"{{{listed}}}"}


class Split(Inline, frozen=True):
    """A list from one text."""

    separator: str

    def apply(self, value: str) -> list[str]:
        return [part.strip() for part in value.split(self.separator) if part.strip()]

    def code(self, value: str) -> str:
        separator = literal(self.separator)
        return f"[part.strip() for part in {value}.split({separator}) if part.strip()]"


class Truth(Inline, frozen=True):
    """Whether it says yes: one of the texts seen for yes; another than those seen raises KeyError."""

    yes: tuple[str, ...]
    no: tuple[str, ...]
    name: str = "ANSWERS"

    @property
    def is_plain(self) -> bool:
        """What it reads is true and false themselves, as JSON has them."""
        return {*self.yes, *self.no} <= {"True", "False"}

    def apply(self, value: str) -> bool:
        return {**dict.fromkeys(self.yes, True), **dict.fromkeys(self.no, False)}[value]

    def code(self, value: str) -> str:
        return f"{self.name}[{value}]"

    @property
    def constants(self) -> dict[str, str]:
        pairs = [f"{literal(text)}: True" for text in self.yes] + [f"{literal(text)}: False" for text in self.no]
        return {self.name: "{" + ", ".join(pairs) + "}"}


class Plain(Inline, frozen=True):
    """What markup that is itself a text says, as feeds and JSON hold it: "<p>Fish &amp; chips</p>"."""

    def apply(self, value: str) -> str:
        return " ".join(BeautifulSoup(value, "html.parser").get_text(" ").split())

    def code(self, value: str) -> str:
        return f'" ".join(BeautifulSoup({value}, "html.parser").get_text(" ").split())'

    @property
    def imports(self) -> tuple[str, ...]:
        return ("from bs4 import BeautifulSoup",)


class Count(Inline, frozen=True):
    """How many elements a slot's selector finds in a record; it is the first step. The text is the number."""

    def apply(self, value: str) -> int:
        return int(value)

    def code(self, value: str) -> str:
        return f"int({value})"


class Present(Inline, frozen=True):
    """Whether a slot's selector finds anything in a record (`said`: whether the slot has a text there, and `words`, in
    lower case, are in it); it is the first step. The text is True or False."""

    said: bool = False
    words: str = ""

    def apply(self, value: str) -> bool:
        return value == "True"

    def code(self, value: str) -> str:
        return f'{value} == "True"'


AnyOp = (
    Trim | Part | Piece | Search | Delete | Swap | Blank | ToInt | ToFloat | Lookup | ParseDate | IsoDate
    | MailDate | NumberWord | Count | Present | UnixDate | NamedMonth | Minutes | Between | Split | Truth | Rewrite
    | Scaled | Plain
)  # fmt: skip


def run(ops: Sequence[Op], value: Any) -> Any:
    """The value after all steps; None stays None and an empty text becomes it, as in the program."""
    if value == "":
        return None
    for op in ops:
        if value is None:
            return None
        before, value = value, op.apply(value)
        if isinstance(op, NumberWord) and value is not before:
            return value
    return value


FAILURES = (ValueError, KeyError, IndexError, TypeError, OverflowError)
"""What a step raises on a text that it was not made for."""
