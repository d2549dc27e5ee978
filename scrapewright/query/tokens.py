"""A request as tokens: words, numbers, dates, quoted texts, addresses and marks, each with its place in the text.

Phrases are matched against `Tokens.line`: one item a token, words replaced by the English word of the lexicon that
they stand for, and what has a value by a capital letter: U an address, Q a quoted text, N a number, D a date, F a file
name, X what was read already.
"""

from __future__ import annotations

import re
import unicodedata
from bisect import bisect_left
from collections.abc import Callable, Iterator, Sequence
from functools import cache

import msgspec

from scrapewright.query.lexicon import CANONICAL, GRAMMAR, MONTHS, NUMBERS, SHORT, SMALL, fold, month_of
from scrapewright.query.numerals import numerals, scale_after
from scrapewright.query.urls import Address, find_addresses, without

_QUOTES = ['""', "“”", "„“", "„”", "«»", "»«", "「」", "『』", "``", "‘’"]
"""Opening and closing marks."""
_CLOSERS = {")": "(", "]": "[", "}": "{"}
_WIDE = str.maketrans("：，（）；？！．。【】［］＝｜、؟،؛　\u00a0\u202f", ":,();?!..[][]=|,?,;   ")
_EASTERN = "\u3005\u3040-\u30fa\u30fc-\u30ff\u3400-\u9fff\uac00-\ud7af"
EASTERN = re.compile("[\u0590-\u06ff\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]")
"""A letter of a script whose words have no forms that share a beginning, or no blanks between them."""
_HAN_OR_KATAKANA = "\u3005\u30a1-\u30fa\u30fc\u3400-\u9fff"
_JOINTS = {
    "ja": re.compile(
        f"(?<=[{_HAN_OR_KATAKANA}])(?:を|(?:から|まで|だけ|など)(?!の)|[はがにでともへや](?=[{_HAN_OR_KATAKANA}]|$))|(?<=な)のは"
        f"|^(?:から|にある|[のをはがにでと])(?=[{_HAN_OR_KATAKANA}]|$)"
    ),
    "zh": re.compile(
        "(?<=..)(?:以及|还有|還有|(?<![共饱飽总總温溫缓緩])和(?![国國平谐諧])|(?<![普涉埃以])及|(?<![参參赠贈])[与與])(?=..)"
        "|^(?:需要|包括|包含|欄位為|栏位为|字段[为是]|列[为是])"
    ),
    "ko": re.compile("(?<=..)(?:으로|이랑|까지|[을를와]|(?<![도경산프진])로|(?<![결학효성내외료치안초통제사])과)$"),
}
"""By language, the particles that stand between names which nothing else separates; not behind signs that make a word
with them, as in 共和 and 학과."""
_NAMES = {name for names in MONTHS.values() for name in names}
_MONTH = "|".join(sorted(_NAMES | {name[:3] for name in _NAMES} | {"sept"}, key=len, reverse=True))
_QUOTED = "|".join(f"{pair[0]}[^{pair}\n]{{1,200}}{pair[1]}" for pair in _QUOTES)
_LETTER = rf"[^\W{_EASTERN}]"
"""A letter, digit or underscore of another script."""
_GROUPED = r"(?:\d{1,3}(?:[,.' ]\d{3})+|\d+\.\d+)"
_NUMBER = re.compile(rf"{_GROUPED}|\d+")
_TOKEN = re.compile(
    rf"(?P<Q>{_QUOTED}|(?<!\w)'[^'\n]{{1,80}}'(?!\w))"
    r"|(?P<F>(?<![\w.])[\w-]{1,80}\.(?:csv|jsonl?|ndjson)(?!\w))"
    rf"|(?P<D>(?<!{_LETTER})(?:"
    r"\d{4}-\d\d-\d\d|\d{1,2}\.\d{1,2}\.\d{4}|(?:1[3-9]|2\d|3[01])/\d{1,2}/\d{4}"
    rf"|\d{{1,2}}(?:\.|st|nd|rd|th|er|º)?(?: de| of)? (?:{_MONTH})\.?,?(?: del?| of)? \d{{4}}"
    rf"|(?:{_MONTH})\.?(?: \d{{1,2}}(?:st|nd|rd|th)?,?| del?| of)? \d{{4}})(?!{_LETTER}))"
    rf"|(?P<N>(?<![\w.])(?:{_GROUPED}|\d+)(?!\w))"
    # beside Eastern letters a number is a word, so that it can be a part of a name
    rf"|(?P<W>HH:MM(?::SS)?(?!\w)|[{_EASTERN}]+"
    rf"|(?<=[{_EASTERN}]){_GROUPED}(?!{_LETTER})|(?<![\w.]){_GROUPED}(?=[{_EASTERN}])"
    rf"|{_LETTER}+(?:(?:['’\u200c]|-(?!>)){_LETTER}+)*)"
    r"|(?P<B>\n[ \t]*(?:(?:[-*•·–+]|\(?(?:\d{1,2}|[a-z])[.)])[ \t]+|・))|(?P<M>\n|<=|>=|!=|->|=>|[^\s])",
    re.IGNORECASE,
)


class Token(msgspec.Struct):
    """`text` is as it was written, `word` the item of the line. `depth`: how many brackets enclose it."""

    start: int
    end: int
    kind: str
    text: str
    word: str
    depth: int = 0


class Tokens:
    """The tokens of a request, and the views of them that patterns are matched with."""

    def __init__(self, text: str) -> None:
        self.raw = unicodedata.normalize("NFC", text).replace("\r\n", "\n").replace("\r", "\n")
        self.addresses = find_addresses(self.raw)
        self.language = language_of(without(self.raw, self.addresses, " ").lower())
        self.all = list(_tokens(self.raw, self.addresses, self.language))
        self.closes = _brackets(self.all)
        self.used = [token.kind == "U" for token in self.all]
        self._line = ""
        self._starts: list[int] = []
        at = 0
        for token in self.all:
            self._starts.append(at)
            at += len(token.word) + 1

    @property
    def line(self) -> str:
        """The words of the tokens with spaces between them; what was read is filled with X, so places keep."""
        if not self._line:
            words = ("X" * len(token.word) if self._is_read(n) else token.word for n, token in enumerate(self.all))
            self._line = "".join(f"{word} " for word in words)
        return self._line

    def _is_read(self, n: int) -> bool:
        return self.used[n] and self.all[n].kind != "U"

    def use(self, start: int, end: int) -> None:
        """Marks the tokens as read."""
        self.used[start:end] = [True] * (end - start)
        self._line = ""

    def taken(self, *patterns: str) -> Iterator[tuple[re.Match[str], int, int]]:
        """The matches of phrases with the tokens they cover, those of the first phrase first, without those of which
        something was read meanwhile."""
        for pattern in patterns:
            for match in phrase(pattern).finditer(self.line):
                start, end = (bisect_left(self._starts, at) for at in match.span())
                if not any(map(self._is_read, range(start, end))):
                    yield match, start, end

    def named(self, match: re.Match[str]) -> Token | None:
        """The token that the first of the groups captured."""
        at = next((match.start(group) for group in match.groupdict() if match[group]), None)
        return None if at is None else self.all[bisect_left(self._starts, at)]

    def after(self, n: int, count: int = 10) -> str:
        """The words from a token on, as in the line."""
        return "".join(f"{token.word} " for token in self.all[n : n + count])

    def said(self, start: int, end: int) -> str:
        """The text of some tokens as it was written."""
        return self.raw[self.all[start].start : self.all[end - 1].end].strip() if start < end else ""

    def pieces(self, parts: Callable[[int], bool]) -> Iterator[tuple[int, int]]:
        """The tokens between those by number of which `parts` holds, and the ends of sentences."""
        start = 0
        for n in range(len(self.all) + 1):
            if n == len(self.all) or parts(n) or self.ends_sentence(n):
                if start < n:
                    yield start, n
                start = n + 1

    def ends_sentence(self, at: int) -> bool:
        """Whether a sentence ends with this token."""
        token = self.all[at]
        if token.word in {"\n", "?", "!"}:
            return True
        if token.word != "." or self._shortens(token):
            return False
        after = self.raw[token.end : token.end + 1]
        return not after or after.isspace() or after in "\"')”»" or ord(after) > 0x2E7F or self.raw[token.start] == "。"

    def _shortens(self, stop: Token) -> bool:
        near = _SHORTENED.finditer(self.raw, max(stop.start - 4, 0), stop.end + 3)
        return any(match.start() < stop.start < match.end() for match in near)


_SHORTENED = re.compile(r"(?<!\w)\w\. ?\w\.")
""" "e.g." and "z. B.", whose stops end no sentence."""
_ARTICLES = "the|an|la|le|les|los|las|el|il|lo|gli|i|o|os|as|de|die|der|das|den|dem|het"
_ATOMS = {"W": r"[^\W\d]\w*", "ANY": r"\S+", "THE": f"(?:{_ARTICLES})", "END": r"(?:[.,;:!?()\n•–—-]|X+|U)"}


@cache
def phrase(*patterns: str) -> re.Pattern[str]:
    """A regular expression for the line. A pattern is a row of elements: words with "|" between alternatives and "_"
    between the words of one, a suffix ? * +, a name and ":" in front of what is to be captured, "!" in front of what
    must not follow and "=" in front of what must. W is any word, ANY any item, THE an article, END where a phrase ends.
    """
    return re.compile(rf"(?<!\S)(?:{'|'.join(''.join(map(_element, pattern.split())) for pattern in patterns)})")


_TIMES = {"*": "{0,6}", "+": "{1,6}"}
"""Bounded, so that no text takes a time that grows with its square."""


def _element(text: str) -> str:
    found = re.fullmatch(r"(?:(?P<name>\w+):)?(?P<look>[!=]?)(?P<words>\S+?)(?P<times>[?*+]?)", text)
    assert found is not None
    words = "|".join(
        " ".join(_ATOMS.get(word, re.escape(word)) for word in alternative.split("_"))
        for alternative in found["words"].split("|")
    )
    if found["look"]:
        ahead = f"(?:{words})(?: |$)" + ("|$" if found["look"] == "=" else "")
        return f"(?{found['look']}{ahead})"
    inner = f"(?P<{found['name']}>{words})" if found["name"] else f"(?:{words})"
    return f"(?:{inner} ){_TIMES.get(found['times'], found['times'])}"


_STEM = 6
"""Letters by which a word that the lexicon does not know is known again in its other forms."""


def stems(token: Token) -> Iterator[str]:
    """What a token counts as where words are weighed: the grammar's word, pairs of letters of an Eastern text, the
    beginning of another word."""
    if token.kind != "W" or token.word == "N" or token.word in GRAMMAR:
        yield token.word
    elif EASTERN.search(token.text):
        yield from {token.text[at : at + 2] for at in range(max(1, len(token.text) - 1))}
    else:
        yield fold(token.text)[:_STEM]


def is_participle(word: str) -> bool:
    """English only: "published", "sold"."""
    return re.fullmatch(r"\w{3,}ed|held|sold", word.lower()) is not None


def number_of(token: Token) -> float:
    """The value of a token of kind N."""
    low = token.text.lower()
    if low in NUMBERS:
        return float(NUMBERS[low])
    return sum(one.scale * float(re.sub(r"[,.' ](?=\d{3}(?!\d))", "", one.text)) for one in numerals(low))


def number_text(token: Token) -> str:
    """The same in digits, without zeros at its end: "1,200" is 1200."""
    return f"{number_of(token):f}".rstrip("0").rstrip(".")


def date_of(token: Token) -> str:
    """The value of a token of kind D in ISO form, with as much as it says: "2018", "2018-03", "2018-03-01"."""
    low = token.text.lower()
    if re.fullmatch(r"\d{4}-\d\d-\d\d", low):
        return low
    if match := re.fullmatch(r"(\d+)[./](\d+)[./](\d{4})", low):
        return f"{match[3]}-{int(match[2]):02d}-{int(match[1]):02d}"
    month = next(filter(None, map(month_of, re.findall(r"[^\W\d_]{3,}", low))))
    numbers = [int(n) for n in re.findall(r"\d+", low)]
    return f"{numbers[-1]:04d}-{month:02d}" + (f"-{numbers[0]:02d}" if len(numbers) > 1 else "")


def unquoted(token: Token) -> str:
    """The text between the quotes."""
    return token.text[1:-1].strip() if token.kind == "Q" else token.text


def only_quoted(text: str) -> str:
    """What a text quotes, where it quotes one thing, also in quotes of its own: of 'the "New Arrivals" box' New
    Arrivals. Else the text."""
    quoted = [match["Q"][1:-1].strip() for match in _TOKEN.finditer(text) if match["Q"]]
    return only_quoted(quoted[0]) if len(quoted) == 1 and quoted[0] else text


def language_of(text: str) -> str:
    """A two-letter code (ISO 639-1); "en" where nothing tells. `text` in lower case, without addresses."""
    sample = text[:4000]
    for code, script in (("ko", "[\uac00-\ud7af]"), ("ja", "[\u3040-\u30ff]"), ("zh", "[\u3400-\u9fff]")):
        if len(re.findall(script, sample)) >= 2:
            return code
    no_words = {"a", "z", "csv", "json", "jsonl"}  # "a to z" is English, and names of formats are of any language
    words = [word for word in re.findall(r"[^\W\d_]+", sample) if word not in no_words]
    counts = {language: sum(word in small for word in words) for language, small in SMALL.items()}
    best = max((language for language in counts if language != "en"), key=lambda language: counts[language])
    return best if counts[best] >= max(counts["en"], 1 + sample.isascii()) else "en"


def _is_quoted(raw: str, address: Address) -> bool:
    """Whether quotes stand around an address, as in code: they quote nothing else."""
    return address.start > 0 and raw[address.start - 1] + raw[address.end : address.end + 1] in {*_QUOTES, "''"}


def _tokens(raw: str, addresses: Sequence[Address], language: str) -> Iterator[Token]:
    quoted = [Address(one.start - 1, one.end + 1, one.url) for one in addresses if _is_quoted(raw, one)]
    masked = without(raw, [*addresses, *quoted], "\n")
    masked = re.sub("。(?=[A-Za-z])", "!", masked).translate(_WIDE)  # "。CSV" ends a sentence and is no file's name
    places = {address.start: address.end for address in addresses}
    at = 0
    for start in [*sorted(places), len(masked)]:
        while match := _TOKEN.search(masked, at, start):
            kind, at = str(match.lastgroup), match.end()
            for first, last in _pieces(match, language):
                word = _word(kind, masked[first:last], language)
                if _NUMBER.fullmatch(masked, first, last):
                    at = last = _with_scale(masked, first, last)
                    word = "N"
                yield Token(first, last, kind, raw[first:last], word)
        if start in places:
            yield Token(start, places[start], "U", raw[start : places[start]], "U")
            at = places[start]


def _pieces(match: re.Match[str], language: str) -> Iterator[tuple[int, int]]:
    """Where the parts of a token are: of words without blanks between them also the particles."""
    at = match.start()
    joints = _JOINTS[language].finditer(match[0]) if match.lastgroup == "W" and language in _JOINTS else ()
    for joint in joints:
        first, last = (match.start() + place for place in joint.span())
        if first > at:
            yield at, first
        yield first, last
        at = last
    if at < match.end():
        yield at, match.end()


def _with_scale(text: str, start: int, end: int) -> int:
    """Where a number ends with the words that surely scale it: "5 million", "3万5千"."""
    while True:
        _, sure, word = scale_after(text, start, end)
        if not word or not sure:
            return end
        end = text.index(word, end) + len(word)
        further = _NUMBER.match(text, end)
        if further is None:
            return end
        start, end = further.span()


def _word(kind: str, text: str, language: str) -> str:
    low = text.lower()
    if kind == "B":
        return "•"
    if kind == "M":
        return CANONICAL.get(low, low)
    if kind != "W":
        return kind
    if NUMBERS.get(low, 0) > 1:
        return "N"
    return SHORT.get(language, {}).get(low) or CANONICAL.get(low, low)


def _brackets(tokens: list[Token]) -> dict[int, int]:
    """Opening brackets with their closing ones, by number; `depth` is set in the tokens between."""
    pairs: dict[int, int] = {}
    stack: list[int] = []
    for n, token in enumerate(tokens):
        if token.word in {"(", "[", "{"} and len(stack) < 20:
            stack.append(n)
        elif token.word in _CLOSERS and stack and tokens[stack[-1]].word == _CLOSERS[token.word]:
            pairs[stack.pop()] = n
    for start, end in pairs.items():
        for token in tokens[start : end + 1]:
            token.depth += 1
    return pairs
