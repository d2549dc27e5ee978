"""Reads conditions on the kind of a file: "only the .tar.gz files", "PDF files only"."""

from __future__ import annotations

from collections.abc import Iterator

from scrapewright.query.model import Field, Filter
from scrapewright.query.pattern import Pattern
from scrapewright.query.text import Text
from scrapewright.query.wordlist import word_set

_ENDING = r"(?:\.[a-z][a-z0-9]{0,9}){1,2}"
_KIND_OF_FILE = r"pdfs?|zips?|csvs?|jsons?|xmls?|xlsx?|docx?|mp3s?|epubs?|jpe?gs?|pngs?|gifs?|svgs?|isos?|debs?|rpms?"
_FILE_WORD = r"files?|archives?|downloads?|links?|documents?|dateien?|fichiers?|archivos?|file"
ENDINGS = Pattern(
    rf"(?<!\w)(?:only|just|nur|uniquement|seulement|solo|sólo|alleen)(?: the| die| les| los| i| de)? "
    rf"(?:(?P<dotted>{_ENDING})(?!\w)|(?P<kind>{_KIND_OF_FILE})(?= (?:{_FILE_WORD})(?!\w)))(?: (?:{_FILE_WORD})(?!\w))?"
    rf"|(?P<dotted2>(?<=[\s(]){_ENDING}) (?:{_FILE_WORD})(?: only(?!\w)|(?= (?:in|on|from|at|under)(?!\w)))"
    rf"|(?<!\w)(?P<kind2>{_KIND_OF_FILE}) (?:{_FILE_WORD}) only(?!\w)"
)
_NAMES_OF_FILES = word_set("name file filename datei dateiname fichier archivo nom nombre")


def find_files(text: Text, fields: tuple[Field, ...]) -> Iterator[tuple[int, int, Filter]]:
    """ "only the .tar.gz files", "PDF files only": what the link ends with, or else the name."""
    link = next((f.name for f in fields if f.type == "url"), "")
    name = link or next((f.name for f in fields if _NAMES_OF_FILES & {f.name.lower(), *f.words}), "")
    for match in text.top(ENDINGS, 0, len(text.low)) if name else ():
        kind = match["kind"] or match["kind2"]
        ending = match["dotted"] or match["dotted2"] or f".{kind.removesuffix('s')}"
        yield *match.span(), Filter(text=text.said(*match.span()), field=name, op="ends", value=ending)
