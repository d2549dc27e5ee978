"""Finds the addresses in a request: with a scheme, bare domains, and hosts with a port, several of them."""

from __future__ import annotations

import re
from collections.abc import Iterable

import msgspec


def _words(text: str) -> frozenset[str]:
    return frozenset(text.split())


class Address(msgspec.Struct, frozen=True):
    """An address at `start:end` of the text; `url` has a scheme."""

    start: int
    end: int
    url: str


_CJK = "\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\uac00-\ud7af\u3000-\u303f\uff00-\uffef"
_TAIL = r"[^\s<>\"“”„«»`\\^{|}\ue000]"
_HOST_END = r"(?![\w@])"

_SCHEME = re.compile(rf"https?://{_TAIL}+", re.IGNORECASE)
_IPV4 = re.compile(rf"(?<![\w.@/:-])\d{{1,3}}(?:\.\d{{1,3}}){{3}}(?::\d{{1,5}})?(?![\w.]*\d)(?:[/?#]{_TAIL}*)?")
_LOCAL = re.compile(rf"(?<![\w.@/:-])localhost(?::\d{{1,5}})?(?:[/?#]{_TAIL}*)?(?![\w@])", re.IGNORECASE)
_LABEL = r"[^\W_](?:[\w-]{0,61}[^\W_])?"
_BARE = re.compile(
    rf"(?<![\w.@/:=-])((?:{_LABEL}\.){{1,6}})([a-z]{{2,24}}|рф"
    rf"|xn--[a-z0-9-]{{2,40}}){_HOST_END}(:\d{{1,5}})?((?:[/?#]{_TAIL}*)?)",
    re.IGNORECASE,
)

# A word with a dot in it is taken for an address only if it starts with www. or goes on with a path, or ends in one of
# the generic names in wide use or in two letters (a country) that are no English word and no file ending.
_GENERIC = _words(
    """com org net edu gov mil int info biz name pro aero coop museum jobs mobi travel tel cat asia post xxx app
    blog book cloud club design dev digital eco events expert film fun games global group guide health help
    host house ink land law legal life link live local market media museum news online page photo photos place
    plus press review reviews rocks school science shop site social software space store stream studio style
    systems team tech tips today tools top tours town training tube university video vip watch website wiki
    work works world wtf xyz zone arpa example test invalid"""
)
_NO_COUNTRY = _words("an ed eg ex go he hi if ip ok op or oz pp ps re sd tb up vs we xx")
_FILE_ENDINGS = _words(
    """csv json jsonl ndjson tsv txt html htm xml pdf py js ts css md yaml yml xlsx xls zip gz png jpg jpeg gif
    svg php asp aspx jsp ini log sql db doc docx rb sh rs"""
)
_CLOSERS = {")": "(", "]": "[", "}": "{", "）": "（", "】": "【", "」": "「"}


def find_addresses(text: str) -> list[Address]:
    """All addresses, in the order of the text, without overlaps. Linear in the length of the text.

    A host alone ("shop.example") is one only where no address is written in full: beside one it is a word about it.
    """
    found: list[Address] = []
    for match in _SCHEME.finditer(text):
        end = _trim(text, match.start(), match.end())
        url = text[match.start() : end]
        if re.match(r"https?://[\w\[]", url, re.IGNORECASE):
            found.append(Address(match.start(), end, url))
    masked = without(text, found, "\ue000")
    for match in _IPV4.finditer(masked):
        end = _trim(masked, match.start(), match.end())
        if all(int(part) < 256 for part in re.split(r"[:/?#]", match[0])[0].split(".")):
            found.append(Address(match.start(), end, "http://" + text[match.start() : end]))
    for match in _LOCAL.finditer(masked):
        end = _trim(masked, match.start(), match.end())
        if end - match.start() > len("localhost"):
            found.append(Address(match.start(), end, "http://" + text[match.start() : end]))
    full = bool(found)
    masked = without(text, found, "\ue000")
    for match in _BARE.finditer(masked):
        end = _trim(masked, match.start(), match.end())
        word = full and not (match[3] or match[4]) and not match[1].lower().startswith("www.")
        if not word and _is_domain(match) and "." in text[match.start() : end].strip("."):
            found.append(Address(match.start(), end, "https://" + text[match.start() : end]))
    return sorted(found, key=lambda a: a.start)


def without(text: str, addresses: Iterable[Address], filler: str) -> str:
    """The text with a filler in place of each letter of the addresses."""
    letters = list(text)
    for address in addresses:
        letters[address.start : address.end] = filler * (address.end - address.start)
    return "".join(letters)


def _is_domain(match: re.Match[str]) -> bool:
    labels = match[1].lower().rstrip(".").split(".")
    last, port, path = match[2].lower(), match[3], match[4]
    if labels[0] == "www" and len(labels) > 1:
        return True
    if last in _FILE_ENDINGS and not (path.startswith("/") or port):
        return False
    country = last == "рф" or (len(last) == 2 and last not in _NO_COUNTRY)
    if not country and last not in _GENERIC and not last.startswith("xn--"):
        return False
    if port or path.startswith("/"):
        return True
    if any(c.isupper() for c in match[2]) and not match[1].isupper():
        return False  # "the title.In the list": a sentence that lacks its space
    return all(len(label) > 1 for label in labels) or (last in _GENERIC and len(last) > 2)


def _trim(text: str, start: int, end: int) -> int:
    """Cuts what belongs to the sentence and not to the address: punctuation, a closing bracket, text in a script
    that needs no space before it."""
    end = _cut_cjk(text, start, end)
    opened = dict.fromkeys(_CLOSERS.values(), 0)
    for at in range(start, end):
        char = text[at]
        if char in opened:
            opened[char] += 1
        elif char in _CLOSERS:
            if opened[_CLOSERS[char]] == 0:
                end = at
                break
            opened[_CLOSERS[char]] -= 1
    while end > start and text[end - 1] in ".,;:!?'’‘…*_~" and not _is_wildcard(text, start, end):
        end -= 1
    if end > start and text[end - 1] in "([{（":
        end -= 1
    return end


def _is_wildcard(text: str, start: int, end: int) -> bool:
    return text[end - 1] == "*" and end - 2 > start and text[end - 2] in "=/"


_CJK_RUN = re.compile(f"[{_CJK}]+")


def _cut_cjk(text: str, start: int, end: int) -> int:
    spaced = start == 0 or text[start - 1].isspace() or text[start - 1] in "(\"'[<（「"
    for run in _CJK_RUN.finditer(text, start, end):
        joined = text[run.start() - 1] in "/=_-%&.+"
        letters = not re.search("[\u3000-\u303f\uff00-\uff0f\uff1a-\uff20]", run[0])
        if not (spaced and joined and letters and run.end() < end + 1 and _ends_cleanly(text, run.end())):
            return run.start()
    return end


def _ends_cleanly(text: str, at: int) -> bool:
    return at >= len(text) or not re.match(r"\w", text[at]) or text[at].isascii()
