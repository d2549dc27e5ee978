"""Reads which part of the page is meant: "under the heading 'News'", "in the Desserts section", "unter „Preise“"."""

from __future__ import annotations

import re

from scrapewright.query.pattern import Pattern
from scrapewright.query.text import URL, Text
from scrapewright.query.wordlist import word_set

_QUOTED = r"[\"'“„«「『‘](?P<{0}>[^\"'”“»」』’\n]{{2,80}})[\"'”“»」』’]"
_NAMED = (
    r"(?P<{0}>(?:[^\W\d_a-zà-ÿа-яё][\w&'’-]*)(?: (?:and|of|the|for|&|und|et|de|y|e|и) ?)?"
    r"(?: ?[^\W\d_a-zà-ÿа-яё][\w&'’-]*){{0,4}})"
)
_KIND = (
    r"heading|subheading|headline|section|sub-?section|box|table|block|category|caption|tab|sidebar|widget|panel|part"
    r"|überschrift|abschnitt|bereich|rubrik|tabelle|kasten|kategorie|titre|rubrique|section|partie|tableau|encadré"
    r"|catégorie|intertitre|encabezado|título|sección|apartado|tabla|categoría|recuadro|titolo|intestazione|sezione"
    r"|tabella|riquadro|categoria|rubrica|kop|koptekst|sectie|tabel|rubriek|categorie|título|cabeçalho|seção|secção"
    r"|tabela|nagłówkiem|nagłówek|sekcji|sekcja|tabeli|kategorii|nadpisem|nadpis|sekci|sekce|tabulce|kategorii"
    r"|заголовком|заголовок|разделе|раздела|раздел|секции|таблице|таблицы|рубрике|başlığı|bölümü|tablosu|fejléc|szakasz"
)
_CALLED = (
    r"(?: (?:called|named|titled|headed|labelled|labeled|with the title|namens|mit dem titel|intitulée?"
    r"|llamad[oa]|chiamat[oa]|genaamd))?"
)
_UNDER = "under|below|beneath|underneath|unter|unterhalb|sous|bajo|debajo de|sotto|onder|sob|pod|под|alatt|altında"
_IN = (
    r"in|from|of|inside|within|on|im|in|aus|von|auf|dans|de|du|en|del|de|nella|nel|dalla|della|in|uit|van|na|no|da|do"
    r"|w|z|ze|v|ve|в|из|со|с"
)
_THE = r"(?: (?:the|der|dem|den|die|das|la|le|les|l'|el|las|los|il|lo|de|het|a|o))?"
_PATTERNS = (
    Pattern(rf"(?<!\w)(?:{_UNDER}|{_IN}){_THE} ?(?:{_KIND}){_CALLED}:? {_QUOTED.format('q')}(?! ?headings)", re.I),
    Pattern(rf"(?<!grouped )(?<!\w)(?:{_UNDER}){_THE} {_QUOTED.format('q')}(?! ?headings| and )", re.I),
    Pattern(rf"(?<!\w)(?:{_IN}){_THE} {_QUOTED.format('q')}[ -](?:{_KIND})(?!\w)", re.I),
    Pattern(rf"(?<!\w)(?i:{_UNDER}|{_IN}){_THE} ?(?i:{_KIND}){_CALLED}:? {_NAMED.format('q')}"),
    Pattern(rf"(?<!\w)(?i:{_UNDER}){_THE} {_NAMED.format('q')}(?![\w.]| ?[£$€¥%\d])"),
    Pattern(rf"(?<!\w)(?i:in|from|inside|within|im|aus dem){_THE} {_NAMED.format('q')}[ -](?i:{_KIND})(?!\w)"),
    Pattern(
        r"(?<!\w)(?:in|from|inside|within) the (?P<q>[a-z][\w-]+(?: [\w-]+)?)"
        r" (?:section|sidebar|box|widget|panel)(?!\w)"
    ),
    Pattern(r"[「『](?P<q>[^」』\n]{1,40})[」』](?:という)?(?:の)?(?:見出し|セクション|欄|表|コーナー|部分|の下|以下)"),
    Pattern(
        r"[“「『\"](?P<q>[^”」』\"\n]{1,40})[”」』\"](?:这个)?(?:标题|栏目|板块|部分|表格)?(?:下面?|下方|中|里)的?"
    ),
    Pattern(r"[“「『\"'‘](?P<q>[^”」』\"'’\n]{1,40})[”」』\"'’] ?(?:섹션|표|제목|항목) ?(?:의|에서|아래)"),
)
_GENERIC = word_set(
    """main first second third last whole entire top bottom left right middle same following next other data product
    products result results html page pages content article articles listing listings list lists each every all
    relevant corresponding appropriate title titles price prices details detail info information"""
)
_ADDRESS_WORD = Pattern(r"(?:https?|www)\b")


def find_section(text: Text) -> tuple[int, int, str] | None:
    """(start, end, its name as written) of the part of the page that the rows stand in; None where none is named."""
    for pattern in _PATTERNS:
        for match in pattern.finditer(text.plain):
            name = text.raw[match.start("q") : match.end("q")].strip(" .,:;")
            words = name.lower().split()
            if not words or URL in text.plain[match.start() : match.end()] or all(w in _GENERIC for w in words):
                continue
            if _ADDRESS_WORD.match(name.lower()) or _in_brackets(text, match.start()):
                continue
            return match.start(), match.end(), name
    return None


def _in_brackets(text: Text, at: int) -> bool:
    """A quote's own mark counts as inside, so what stands before it tells."""
    return at > 0 and text.depth[at - 1] > 0
