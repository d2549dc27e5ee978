"""A request as text that can be cut: addresses masked, brackets and quotes known, sentences found.

All views have the length of the original, so a position in one is a position in every other.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator

from scrapewright.query.pattern import Pattern
from scrapewright.query.urls import Address, find_addresses

URL = "\ue000"
"""Stands for every character of an address in the masked views."""

_PLAIN = str.maketrans("：，、（）；？！．【】［］｛｝＝＂＇，﹐﹑　\u00a0\u202f", ":,,();?!.()[]{}=\"',,,   ")
_PAIRS = {"(": ")", "[": "]", "{": "}", "“": "”", "„": "“", "«": "»", "「": "」", "『": "』", "»": "«", "‘": "’"}
_BULLET = Pattern(r"\n[ \t]*(?:[-*•·–‣]|\d{1,2}[.)])[ \t]+")
_INLINE = Pattern(r"(?<=[\s:])1[.)] (?=[^\W\d]).{1,200}?[\s,;]2[.)] (?=[^\W\d])")
_NUMBERED = Pattern(r"(?<=[\s:])\d{1,2}[.)](?= [^\W\d])")
_SLASHED = Pattern(r"(?<![\w/.:])[^\W\d]\w{0,40}(?:/[^\W\d]\w{0,40}){2,}(?![\w/.])")
_SINGLE = Pattern(r"(?<!\w)'([^'\n]{1,80})'(?!\w)")
_STOP = Pattern(r"[.!?。\n]")
_ABBREVIATION = Pattern(
    r"(?:^|[\s(,])(?:e\. ?g|i\. ?e|z\. ?b|d\. ?h|u\. ?a|p\. ?ej|p\. ?ex|т\. ?е|т\. ?д|t\. ?j|o\. ?a|etc|bzw"
    r"|ca|inkl|incl|approx|max|min"
    r"|nr|no|vs|v|np|tzn|tj|ok|resp|bv|o|z|e|i|d|u|p|т|dr|mr|mrs|ms|st|co|inc|ltd|ggf|evtl|vgl|cf|fig|sog|örn"
    r"|pl|napr)$"
)


class Text:
    """The views of one request. `low` is lower case; `depth` counts brackets and quotes around each character."""

    def __init__(self, raw: str) -> None:
        raw = unicodedata.normalize("NFC", raw).replace(URL, " ").replace("\r\n", "\n").replace("\r", "\n")
        self.raw = raw
        self.addresses: list[Address] = find_addresses(raw)
        chars = list(raw.translate(_PLAIN))
        for address in self.addresses:
            chars[address.start : address.end] = URL * (address.end - address.start)
        self.plain = _break_runs(_join_lists("".join(chars)))
        self._last = len(self.plain.rstrip())
        self.low = "".join(_lower(c) for c in self.plain)
        self.depth, self.pairs = _depths(self.plain)

    def sentences(self) -> list[tuple[int, int]]:
        """Spans of the sentences, cut at full stops and the like that stand outside brackets and quotes."""
        spans: list[tuple[int, int]] = []
        start = 0
        for match in _STOP.finditer(self.plain):
            at = match.start()
            if self.depth[at] == 0 and self._ends_sentence(at, start):
                spans.append((start, at))
                start = at + 1
        spans.append((start, len(self.plain)))
        return [(a, b) for a, b in spans if self.plain[a:b].strip()]

    def _ends_sentence(self, at: int, start: int) -> bool:
        char = self.plain[at]
        if char == "\n":
            before = self.plain[max(start, at - 200) : at].rstrip()[-1:]
            after = self.plain[at + 1 : at + 2]
            return not (before in ",:(" or (after.islower() and before not in ".!?"))
        if char != ".":
            return True
        if at + 1 < len(self.plain) and not self.plain[at + 1].isspace() and self.plain[at + 1] not in "\"')”»":
            return False
        tail = self.low[max(start, at - 12) : at]
        if at + 1 >= self._last:
            return True
        last = re.search(r"(\w+)$", self.plain[max(start, at - 40) : at])
        if last and len(last[1]) == 1 and last[1].isupper() and last[1].isascii():
            return False
        return not _ABBREVIATION.search(tail)

    def top(self, pattern: Pattern, start: int, end: int, deep: bool = False) -> Iterator[re.Match[str]]:
        """Matches in the lower-case view that begin outside brackets and quotes (anywhere, with `deep`)."""
        for match in pattern.finditer(self.low, start, end):
            if deep or self.depth[match.start()] == 0:
                yield match

    def said(self, start: int, end: int) -> str:
        """The text itself, without the white space around it."""
        return self.raw[start:end].strip()


def _lower(char: str) -> str:
    low = char.lower()
    return low if len(low) == 1 else ("i" if char == "İ" else char)


_RUN = Pattern(f"[^\\s{URL}]{{120,}}")


def _break_runs(text: str) -> str:
    """Puts a space into runs that are longer than any word, so that no pattern below has to walk far."""
    return _RUN.sub(lambda m: re.sub(r"(.{99}).", r"\1 ", m[0], flags=re.DOTALL), text)


def _join_lists(text: str) -> str:
    """Makes a list that is written one item a line into one that is written with commas, at the same length."""
    text = _SLASHED.sub(lambda m: m[0].replace("/", ","), text)
    text = _BULLET.sub(lambda m: "," + " " * (len(m[0]) - 1), text)
    if _INLINE.search(text):
        text = _NUMBERED.sub(lambda m: "," + " " * (len(m[0]) - 1), text)
    if ":\n" not in text:
        return text
    out: list[str] = []
    joining = False
    for line in text.split("\n"):
        bare = line.strip()
        joining = joining and bool(bare) and len(bare) <= 60 and bare[-1] not in ".!?:"
        if out:
            out.append("," if joining else "\n")
        out.append(line)
        if bare.endswith(":"):
            joining = True
    return "".join(out)


def _depths(text: str) -> tuple[list[int], dict[int, int]]:
    """How many pairs stand around each character (the marks themselves count as inside), and the pairs by start."""
    pairs: dict[int, int] = {}
    stack: list[tuple[str, int]] = []
    quote = -1
    for at, char in enumerate(text):
        if char == '"':
            if quote < 0:
                quote = at
            else:
                pairs[quote] = at
                quote = -1
        elif quote >= 0 and char == "\n":
            quote = -1
        elif stack and char == stack[-1][0]:
            pairs[stack.pop()[1]] = at
        elif char in _PAIRS:
            if len(stack) < 12:
                stack.append((_PAIRS[char], at))
        elif char in ")]}" and any(char == want for want, _ in stack):
            while stack and stack[-1][0] != char:
                stack.pop()
            pairs[stack.pop()[1]] = at
    for match in _SINGLE.finditer(text):
        pairs[match.start()] = match.end() - 1
    change = [0] * (len(text) + 1)
    for start, end in pairs.items():
        change[start] += 1
        change[end + 1] -= 1
    depth: list[int] = []
    level = 0
    for at in range(len(text)):
        level += change[at]
        depth.append(level)
    return depth, pairs
