"""From a fetched page to a parsed document: encoding, kind, tree."""

from __future__ import annotations

import json
import re
from functools import lru_cache
from typing import Any, Literal
from urllib.parse import urljoin

import msgspec
from lxml import etree
from w3lib import encoding as w3enc

from scrapewright.survey import css
from scrapewright.survey.dom import Element, word_set
from scrapewright.web.page import Page

Kind = Literal["html", "xml", "json", "other"]
Declared = Literal["header", "bom", "meta", "xml", "guess", ""]

_XML_ROOT = re.compile(r"<(?:[\w-]+:)?(rss|feed|rdf|urlset|sitemapindex|opml)\b", re.I)
_HTML_HINT = re.compile(rb"<(?:!doctype\s+html|html|head|body|title|div|table|p|a|span|ul|h[1-6]|meta|script)\b", re.I)
_BINARY = (b"%PDF-", b"PK\x03\x04", b"\x89PNG", b"\xff\xd8\xff", b"GIF8", b"\x1f\x8b", b"Rar!", b"\x00\x00\x01\x00")
_DROP = ("style", "template")


class Decoded(msgspec.Struct, frozen=True):
    """Text, the Python codec that it was read with, and where that codec was said."""

    text: str
    encoding: str
    declared: Declared


class Document(msgspec.Struct):
    """A parsed page. `root` is set for html and xml, `data` for json. Scripts and head are kept apart from the tree."""

    url: str
    base: str
    kind: Kind
    text: str
    encoding: str
    declared: Declared
    root: Any = None
    data: Any = None
    scripts: list[Script] = []
    title: str = ""
    language: str = ""
    script_values: list[tuple[str, Any]] | None = None
    """What `script_data.script_values` found, once it has looked."""


class Script(msgspec.Struct, frozen=True):
    """A script element of the page: its attributes and its text."""

    attrs: dict[str, str]
    text: str


def decode(body: bytes, content_type: str = "") -> Decoded:
    """Reads bytes as a browser would: BOM, then the header, then what the document says, then a guess.

    A declaration that the bytes contradict (undecodable where another one fits) gives way to the one that fits.
    """
    bom_encoding, bom = w3enc.read_bom(body)
    if bom_encoding and bom:
        return Decoded(body[len(bom) :].decode(bom_encoding, "replace"), bom_encoding, "bom")
    claims: list[tuple[str, Declared]] = []
    header = w3enc.http_content_type_encoding(content_type or None)
    if header:
        claims.append((header, "header"))
    inside = w3enc.html_body_declared_encoding(body[:8192])
    if inside:
        claims.append((inside, "xml" if body.lstrip()[:5] == b"<?xml" else "meta"))
    for name, said in (*claims, ("utf-8", "guess")):
        try:
            return Decoded(body.decode(name), name, said)
        except (UnicodeDecodeError, LookupError):
            continue
    name, said = claims[0] if claims else (_guess(body), "guess")
    return Decoded(body.decode(name, "replace"), name, said)


_BROWSERS = word_set(
    """cp1250 cp1251 cp1252 cp1253 cp1254 cp1255 cp1256 cp1257 cp1258 cp866 cp874 iso8859_2 iso8859_5 iso8859_7
    iso8859_15 koi8_r koi8_u cp932 shift_jis euc_jp iso2022_jp cp949 euc_kr gb18030 gbk gb2312 big5 big5hkscs"""
)
"""The legacy encodings that browsers know (https://encoding.spec.whatwg.org/#names-and-labels)."""


def _guess(body: bytes) -> str:
    """Statistics over the bytes. Windows-1252, the web's own default, where it does nearly as well as the best."""
    from charset_normalizer import from_bytes

    matches = list(from_bytes(body[:65536]))
    if any("cp1252" in match.could_be_from_charset and match.chaos <= matches[0].chaos + 0.03 for match in matches):
        return "cp1252"
    return next((match.encoding for match in matches if match.encoding in _BROWSERS), "cp1252")


def parse(page: Page) -> Document:
    """A Document of any page. Never raises for what the page holds: what can't be parsed is of kind "other"."""
    decoded = decode(page.body, page.content_type)
    text = decoded.text.replace("\x00", "")
    kind = _kind(page, text)
    document = Document(page.url, page.url, kind, text, decoded.encoding, decoded.declared)
    try:
        if kind == "json":
            document.data = json.loads(text)
        elif kind == "xml":
            document.root = _xml_root(text)
        elif kind == "html":
            _parse_html(document, text)
    except (ValueError, etree.LxmlError, RecursionError):
        document.kind = "other"
    if document.kind in ("xml", "html") and document.root is None:
        document.kind = "other"
    return document


def _kind(page: Page, text: str) -> Kind:
    """What a page is to be parsed as."""
    media = page.media_type
    head = text[:2048].lstrip().lower()
    if page.body.startswith(_BINARY) or media.startswith(("image/", "audio/", "video/", "font/", "application/pdf")):
        return "other"
    if "json" in media or (head[:1] in ("{", "[") and ("html" not in media or _is_json(text))):
        return "json"
    said = (head.startswith("<?xml") or "xml" in media) and "<html" not in head and "xhtml" not in media
    if said or _XML_ROOT.match(head):
        return "xml"
    if "html" in media or _HTML_HINT.search(page.body[:65536]):
        return "html"
    return "other"


def _is_json(text: str) -> bool:
    try:
        json.loads(text)
    except (ValueError, RecursionError):
        return False
    return True


def _xml_root(text: str) -> Element | None:
    parser = etree.XMLParser(
        encoding="utf-8", recover=True, resolve_entities=False, no_network=True, remove_comments=True, strip_cdata=False
    )
    root: Element | None = etree.fromstring(text.encode("utf-8", "replace"), parser)
    if root is None:
        return None
    for element in root.iter("*"):
        name = (said := css.local_name(element)).rpartition(":")[2]
        if name != said and _sayable(name):
            element.tag = name  # its prefix is declared nowhere; bs4 drops it, too
    _unwrap(root)
    return root


@lru_cache(maxsize=1024)
def _sayable(name: str) -> bool:
    """Whether a name can be used in a selector of CSS and in one of XPath."""
    try:
        return css.is_identifier(name) and etree.QName(name).localname == name
    except ValueError:
        return False


def _unwrap(root: Element) -> None:
    """Takes away elements whose names no selector can say (`<td">`, `<a@b>`, `<o:p>`), and leaves what is in them."""
    odd = {str(element.tag) for element in root.iter("*") if not _sayable(css.local_name(element))}
    if odd:
        etree.strip_tags(root, *odd)


def _gather(root: Element) -> None:
    """What follows </html> is a second root to libxml2 (and to bs4): it is moved to the end of the body."""
    body = root.find("body")
    for other in list(root.itersiblings("html")):
        for part in list(other):
            (body if body is not None else root).extend(list(part) if part.tag in ("body", "head") else [part])


def _parse_html(document: Document, text: str) -> None:
    parser = etree.HTMLParser(encoding="utf-8", remove_comments=True, remove_pis=True)
    data = text.encode("utf-8", "replace")
    root: Element | None = etree.fromstring(data, parser) if text.strip() else None
    if root is None:
        return
    _gather(root)
    _unwrap(root)
    for script in root.iter("script"):
        document.scripts.append(Script({str(k): str(v) for k, v in script.attrib.items()}, script.text or ""))
    etree.strip_elements(root, "script", *_DROP, with_tail=False)
    document.root = root
    title = root.find(".//title")
    document.title = " ".join("".join(map(str, title.itertext())).split())[:300] if title is not None else ""
    document.language = (root.get("lang") or root.get("{http://www.w3.org/XML/1998/namespace}lang") or "").lower()
    base = root.find(".//base[@href]")
    if base is not None:
        document.base = urljoin(document.url, (base.get("href") or "").strip())
