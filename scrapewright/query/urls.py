"""Finds the addresses in a request: with a scheme, bare domains, and hosts with a port, several of them."""

from __future__ import annotations

import re
from collections.abc import Iterable

import msgspec

from scrapewright.query.lexicon import word_set


class Address(msgspec.Struct, frozen=True):
    """An address at `start:end` of the text; `url` has a scheme."""

    start: int
    end: int
    url: str


_CJK = "\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\uac00-\ud7af\u3000-\u303f\uff00-\uffef"
_TAIL = r"[^\s<>\"“”„«»`\\^{|}\ue000]"

_SCHEME = re.compile(rf"https?://(?=[\w\[]){_TAIL}+", re.IGNORECASE)
_LABEL = r"[^\W_](?:[\w-]{0,61}[^\W_])?"
_BARE = re.compile(
    rf"(?<![\w.@/:-])(?P<host>localhost|\d{{1,3}}(?:\.\d{{1,3}}){{3}}"
    rf"|(?:{_LABEL}\.){{1,6}}(?P<last>[a-z]{{2,24}}|рф|xn--[a-z0-9-]{{2,40}}))(?![\w@]|\.\d)"
    rf"(?P<port>:\d{{1,5}})?(?P<path>(?:[/?#]{_TAIL}*)?)",
    re.IGNORECASE,
)

# A word with a dot in it is taken for an address only if it starts with www. or goes on with a path, or ends in one of
# the generic names in wide use or in two letters (a country) that are no English word and no file ending.
_GENERIC = word_set(
    """com org net edu gov mil int info biz name pro aero coop museum jobs mobi travel tel cat asia post xxx app
    blog book cloud club design dev digital eco events expert film fun games global group guide health help
    host house ink land law legal life link live local market media museum news online page photo photos place
    plus press review reviews rocks school science shop site social software space store stream studio style
    systems team tech tips today tools top tours town training tube university video vip watch website wiki
    work works world wtf xyz zone arpa example test invalid"""
)
_NO_COUNTRY = word_set("an ed eg ex go he hi if ip ok op or oz pp ps re sd tb up vs we xx")
_FILE_ENDINGS = word_set(
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
        found.append(Address(match.start(), end, text[match.start() : end]))
    masked, full = without(text, found, "\ue000"), bool(found)
    for match in _BARE.finditer(masked):
        alone, named = not (match["port"] or match["path"]), match["last"] is not None
        end = _trim(masked, match.start(), match.end())
        if end < match.end("host") or (alone and full and not match["host"].lower().startswith("www.")):
            continue
        if _is_domain(match) if named else _is_own(match["host"], alone=alone):
            full = full or not alone
            found.append(Address(match.start(), end, f"http{'s' * named}://{text[match.start() : end]}"))
    return sorted(found, key=lambda address: address.start)


def without(text: str, addresses: Iterable[Address], filler: str) -> str:
    """The text with a filler in place of each letter of the addresses."""
    letters = list(text)
    for address in addresses:
        letters[address.start : address.end] = filler * (address.end - address.start)
    return "".join(letters)


def _is_own(host: str, *, alone: bool) -> bool:
    """Whether a host without a domain is one: four numbers, or "localhost" with more behind it."""
    return not alone if host.lower() == "localhost" else all(int(part) < 256 for part in host.split("."))


def _is_domain(match: re.Match[str]) -> bool:
    labels, last = match["host"].lower().split("."), match["last"].lower()
    if labels[0] == "www" and len(labels) > 2:
        return True
    country = last == "рф" or (len(last) == 2 and last not in _NO_COUNTRY)
    if not country and last not in _GENERIC and not last.startswith("xn--"):
        return False
    if match["port"] or match["path"].startswith("/"):
        return True
    if last in _FILE_ENDINGS or (not match["last"].islower() and not match["host"].isupper()):
        return False  # "the title.In the list": a sentence that lacks its space
    return all(len(label) > 1 for label in labels[:-1]) or (last in _GENERIC and len(last) > 2)


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
    while end > start and text[end - 1] in ".,;:!?'’‘…*_~" and text[end - 2 : end] not in ("=*", "/*"):
        end -= 1
    if end > start and text[end - 1] in "([{（":
        end -= 1
    return end


_CJK_RUN = re.compile(f"[{_CJK}]+")


def _cut_cjk(text: str, start: int, end: int) -> int:
    spaced = start == 0 or text[start - 1].isspace() or text[start - 1] in "(\"'[<（「"
    for run in _CJK_RUN.finditer(text, start, end):
        joined = text[run.start() - 1] in "/=_-%&.+"
        if not (spaced and joined) or re.search("[\u3000-\u303f\uff00-\uff0f\uff1a-\uff20]", run[0]):
            return run.start()
    return end
