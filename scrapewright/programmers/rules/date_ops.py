"""The steps (see `ops`) that turn a text into a date, or into a length of time."""

from __future__ import annotations

import re
from datetime import UTC, date, datetime
from email.utils import parsedate_to_datetime
from typing import Any

from scrapewright.programmers.rules.literals import literal, raw_literal
from scrapewright.programmers.rules.op import Inline, Op


def _written(moment: str, form: str, time: bool) -> str:
    if form and form != "%Y-%m-%d":
        return f"{moment}.strftime({literal(form)})"
    return f"{moment}.isoformat()" if time else f"{moment}.date().isoformat()"


def _spelt(moment: datetime, form: str, time: bool) -> str:
    if form and form != "%Y-%m-%d":
        return moment.strftime(form)
    return moment.isoformat() if time else moment.date().isoformat()


class ParseDate(Inline, frozen=True):
    """A date by a strptime format; `into` is the strftime format asked for, empty for ISO."""

    form: str
    into: str = ""
    time: bool = False

    def apply(self, value: str) -> str:
        return _spelt(datetime.strptime(value, self.form), self.into, self.time)

    def code(self, value: str) -> str:
        return _written(f"datetime.strptime({value}, {literal(self.form)})", self.into, self.time)

    @property
    def imports(self) -> tuple[str, ...]:
        return ("from datetime import datetime",)


class IsoDate(Inline, frozen=True):
    """An ISO 8601 date or moment."""

    into: str = ""
    time: bool = False

    def apply(self, value: str) -> str:
        return _spelt(datetime.fromisoformat(value), self.into, self.time)

    def code(self, value: str) -> str:
        return _written(f"datetime.fromisoformat({value})", self.into, self.time)

    @property
    def imports(self) -> tuple[str, ...]:
        return ("from datetime import datetime",)


class MailDate(Inline, frozen=True):
    """The date form of feeds and HTTP (RFC 2822)."""

    into: str = ""
    time: bool = False

    def apply(self, value: str) -> str:
        return _spelt(parsedate_to_datetime(value), self.into, self.time)

    def code(self, value: str) -> str:
        return _written(f"parsedate_to_datetime({value})", self.into, self.time)

    @property
    def imports(self) -> tuple[str, ...]:
        return ("from email.utils import parsedate_to_datetime",)


class UnixDate(Inline, frozen=True):
    """Seconds since 1970."""

    into: str = ""
    time: bool = False

    def apply(self, value: Any) -> str:
        return _spelt(datetime.fromtimestamp(int(value), UTC), self.into, self.time)

    def code(self, value: str) -> str:
        return _written(f"datetime.fromtimestamp(int({value}), UTC)", self.into, self.time)

    @property
    def imports(self) -> tuple[str, ...]:
        return ("from datetime import UTC", "from datetime import datetime")


class NamedMonth(Op, frozen=True):
    """A date whose month is a word that strptime does not know. `pattern` has the groups day, month and year."""

    pattern: str
    months: tuple[tuple[str, int], ...]
    optional: bool = False

    def apply(self, value: str) -> str | None:
        match = re.search(self.pattern, value)
        if match is None and self.optional:
            return None
        if match is None:
            raise TypeError("no date in the text")
        found = match.groupdict()
        month = dict(self.months)[found["month"].lower()]
        return date(int(found["year"]), month, int(found["day"])).isoformat()

    def statements(self, value: str) -> tuple[list[str], str]:
        lines = [f"match = re.search({raw_literal(self.pattern)}, {value})"]
        if self.optional:
            lines += ["if match is None:", "    return None"]
        lines.append('month = MONTHS[match["month"].lower()]')
        return lines, 'date(int(match["year"]), month, int(match["day"])).isoformat()'

    @property
    def imports(self) -> tuple[str, ...]:
        return ("import re", "from datetime import date")

    @property
    def constants(self) -> dict[str, str]:
        listed = ", ".join(f"{literal(word)}: {number}" for word, number in self.months)
        return {"MONTHS": f"{{{listed}}}"}


class Minutes(Op, frozen=True):
    """A length of time in minutes, from parts such as PT1H30M or "1 h 30 min". The patterns have one group each."""

    hours: str
    minutes: str

    def apply(self, value: str) -> int:
        total = 0
        for pattern, size in ((self.hours, 60), (self.minutes, 1)):
            match = re.search(pattern, value)
            if match:
                total += size * int(match[1])
        return total

    def statements(self, value: str) -> tuple[list[str], str]:
        return [
            f"hours = re.search({raw_literal(self.hours)}, {value})",
            f"minutes = re.search({raw_literal(self.minutes)}, {value})",
        ], "60 * int(hours[1] if hours else 0) + int(minutes[1] if minutes else 0)"

    @property
    def imports(self) -> tuple[str, ...]:
        return ("import re",)


class Between(Op, frozen=True):
    """Minutes from one time of day to the next, over midnight where that is the earlier. `pattern` finds the times,
    `form` is their strptime format. Not two of them: no value."""

    pattern: str
    form: str

    def apply(self, value: str) -> int | None:
        times = re.findall(self.pattern, value)
        if len(times) != 2:
            return None
        start, end = (datetime.strptime(time, self.form) for time in times)
        return (end - start).seconds // 60

    def statements(self, value: str) -> tuple[list[str], str]:
        return [
            f"times = re.findall({raw_literal(self.pattern)}, {value})",
            "if len(times) != 2:",
            "    return None",
            f"start, end = (datetime.strptime(time, {literal(self.form)}) for time in times)",
        ], "(end - start).seconds // 60"

    @property
    def imports(self) -> tuple[str, ...]:
        return ("import re", "from datetime import datetime")
