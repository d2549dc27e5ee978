"""Writes the code that reads one record: an expression for each column, and the functions that convert."""

from __future__ import annotations

import re
from collections.abc import Sequence

from scrapewright.programmers.rules.ops import Count, Lookup, Op, Present, Search, ToFloat, ToInt, literal
from scrapewright.programmers.rules.plan import Column, Plan
from scrapewright.programmers.rules.program import Program, identifier
from scrapewright.survey.model import Slot

_INDEX = re.compile(r"0|-?[1-9][0-9]{0,8}")


def step_of(key: str) -> str:
    """A step of the way to a value in JSON, as code: an index, else a key."""
    return key if _INDEX.fullmatch(key) else literal(key)


class ColumnWriter:
    """Writes columns into a program. Conversions that are the same become one function."""

    def __init__(self, program: Program, plan: Plan) -> None:
        self.program = program
        self.plan = plan
        self._parsers: dict[tuple[tuple[Op, ...], bool], str] = {}

    def expression(self, column: Column, record: str, json: bool = False) -> str:
        """The column's value, from the variable `record`."""
        slot = column.slot
        if slot is None:
            return "None"
        if slot.data:
            record, json = slot.data, True
        first = column.ops[0] if column.ops else None
        if isinstance(first, Present):
            if first.words:
                text = self.read(slot, record, column.joint)
                return f'{literal(first.words)} {"not " if first.absent else ""}in ({text} or "").casefold()'
            tag = f"{_base(slot, record)}.select_one({literal(slot.inner)})"
            found = self.read(slot, record, column.joint) if first.said else tag
            return f"{found} is {'' if first.absent else 'not '}None"
        if isinstance(first, Count):
            return f"len({_base(slot, record)}.select({literal(slot.inner)}))"
        if json:
            found = self._json(slot, record)
            several = found if found.startswith("[") else f"{found} or []"
            if column.field.type == "list" and not column.ops:
                return several
            if isinstance(first, Lookup) and {word for word, _ in first.words} <= {"True", "False"}:
                return found  # true and false themselves
            if slot.many:
                found = f'"; ".join(map(str, {several}))'
        elif slot.many:
            found = self._many(column, slot, record)
            return found if column.field.type == "list" else self._parsed(column, found, json)
        else:
            found = self.read(slot, record, column.joint)
        if column.rest is not None:
            found = f"joined({found}, {self.read(column.rest.slot, record)}, {literal(column.rest.joint)})"
        if column.field.type == "url":
            return f"absolute(page_url, {self._parsed(column, found, json)})"
        return self._parsed(column, found, json)

    def _parsed(self, column: Column, value: str, json: bool) -> str:
        return f"{self.parser(column.ops, column, json)}({value})" if column.ops else value

    def read(self, slot: Slot, record: str, joint: str = "") -> str:
        """The slot's text (or attribute) as an expression that gives None where it is missing."""
        return self._value(slot, self.tag(slot, record), joint)

    def tag(self, slot: Slot, record: str) -> str:
        """The slot's tag as an expression that gives None where it is missing."""
        selector, base = slot.inner, _base(slot, record)
        if slot.above:
            simple = re.fullmatch(r"([a-z][a-z0-9]*)(?:\.([\w-]+))?", selector)
            if simple:
                rest = f", class_={literal(simple[2])}" if simple[2] else ""
                return f"{record}.find_previous({literal(simple[1])}{rest})"
            return f"nearest_before({record}, {literal(selector)})"
        if not selector:
            return base
        if slot.index:
            found = f"nth({base}.select({literal(selector)}), {slot.index})"
        else:
            found = f"{base}.select_one({literal(selector)})"
        return f"{base} and {found}" if slot.steps else found

    def _value(self, slot: Slot, tag: str, joint: str) -> str:
        if slot.attr in ("head", "tail"):
            return f"{slot.attr}_of({tag})"
        if slot.attr == "class":
            return f"classes_of({tag})"
        if slot.attr != "text":
            return f"attribute_of({tag}, {literal(slot.attr)})"
        if slot.own:
            return f"own_text_of({tag})"
        return f"text_of({tag}, {literal(joint)})" if joint else f"text_of({tag})"

    def _many(self, column: Column, slot: Slot, record: str) -> str:
        """All of a slot's values: a list, or one text for a field that is none."""
        base = _base(slot, record)
        tags = f"{base}.select({literal(slot.inner)})"
        if slot.steps:
            tags = f"({tags} if {base} else [])"
        value = self._value(slot, "tag", column.joint)
        if slot.attr in ("href", "src"):
            value = f"absolute(page_url, {value})"
        listed = f"filter(None, [{value} for tag in {tags}])"
        return f"list({listed})" if column.field.type == "list" else f'"; ".join({listed})'

    def _json(self, slot: Slot, record: str) -> str:
        path = slot.selector.split(".") if slot.selector else []
        if not path:
            return record
        if "*" in path:
            at = path.index("*")
            outer = self._reach(record, path[:at])
            inner = self._reach("item", path[at + 1 :])
            return f"[{inner} for item in {outer} or []]"
        return self._reach(record, path)

    def _reach(self, base: str, path: Sequence[str]) -> str:
        if not path:
            return base
        if len(path) == 1 and not _INDEX.fullmatch(path[0]):
            return f"{base}.get({literal(path[0])})"
        return f"dig({base}, {', '.join(map(step_of, path))})"

    def parser(self, ops: tuple[Op, ...], column: Column, json: bool = False) -> str:
        """The name of the function that does the steps; it is written when first asked for."""
        key = (ops, json)
        if key in self._parsers:
            return self._parsers[key]
        name = self.program.name(f"parse_{identifier(column.name, column.field.type)}")
        self._parsers[key] = name
        body: list[str] = ["if text is None:" if json else "if not text:", "    return None"]
        value = "text"
        used: dict[str, str] = {}
        for op in ops:
            if isinstance(op, ToInt | ToFloat) and body[-1].startswith("text = ") and value == "text":
                value = body.pop().removeprefix("text = ")
            for constant, source in op.constants.items():
                used[constant] = self.program.constant(constant, source)
            before, value = op.statements(value)
            body += before
            if value != "text" and op is not ops[-1] and (len(value) > 40 or (isinstance(op, Search) and not before)):
                body.append(f"text = {value}")
                value = "text"
        body.append(f"return {value}")
        body = [_renamed(line, used) for line in body]
        self.program.function(f"{name}(text)", "", body)
        return name


def _renamed(line: str, used: dict[str, str]) -> str:
    for wanted, given in used.items():
        if wanted != given:
            line = re.sub(rf"\b{wanted}\b", given, line)
    return line


def _base(slot: Slot, record: str) -> str:
    """The variable of the tag that a slot's selector counts from."""
    return sibling_name(slot.steps) if slot.steps else record


def sibling_name(steps: int) -> str:
    """The variable for the tag that many siblings after the record."""
    return "following" if steps == 1 else f"following_{steps}"
