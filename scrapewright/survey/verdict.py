"""Whether a fetched page can be worked with: block pages, pages that only JavaScript fills, errors, no records at all.

The block-page classifier has three tiers, as crawl4ai's has: markers of known vendors count on a page of any size,
phrases of a generic kind only on a small one, and a bare structure only on a very small one.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from http.client import responses

from scrapewright.query.reading import Reading
from scrapewright.survey import css
from scrapewright.survey.decode import Document
from scrapewright.survey.dom import FRAME, Element, own_text, text_of
from scrapewright.survey.model import Group, PageVerdict
from scrapewright.survey.pagewords import is_more
from scrapewright.survey.rank import serve
from scrapewright.web.page import RENDER, Page

_VENDORS = {
    "Cloudflare": (
        b"cf-browser-verification", b"cf_chl_opt", b"/cdn-cgi/challenge-platform/h/", b"cf-error-details",
        b"<title>just a moment...</title>", b"attention required! | cloudflare",
    ),
    "DataDome": (b"geo.captcha-delivery.com", b"captcha-delivery.com/captcha"),
    "PerimeterX": (
        b"px-captcha", b"_pxappid=", b"_pxappid =", b"press & hold to confirm", b"press &amp; hold to confirm",
    ),
    "Imperva": (b"_incapsula_resource", b"incapsula incident id"),
    "Akamai": (b"reference&#32;&#35;", b"errors.edgesuite.net"),
    "AWS WAF": (b"awswafcookiedomainlist", b"aws-waf-token", b"gokuprops"),
    "Kasada": (b"/149e9513-01fa-4fb0-aad4-566afd725d1b/", b"ips.js?kp_uidz"),
    "Sucuri": (b"sucuri website firewall - access denied", b"sucuri_cloudproxy_js"),
    "Anubis": (b"making sure you're not a bot", b"making sure you&#39;re not a bot"),
}  # fmt: skip
"""What their block pages say, in small letters."""
_PHRASES = re.compile(
    r"access (?:to this page )?(?:has been )?denied|request (?:has been |was )?blocked|"
    r"you have been blocked|unusual traffic|are you (?:a )?(?:robot|human)|"
    r"verify (?:that )?you are (?:a )?human|not a robot|complete the (?:captcha|security check)|"
    r"enter the characters you see|automated (?:access|requests|queries)|"
    r"rate limit exceeded|too many requests|bot detection|security check to access|please enable cookies|"
    r"pardon our interruption|"
    r"zugriff verweigert|accès refusé|acceso denegado|доступ (?:запрещ[её]н|ограничен)|"
    r"アクセスが拒否|访问被拒绝|访问验证|"
    r"g-recaptcha|h-captcha|hcaptcha\.com|cf-turnstile",
    re.I,
)
_MOUNTS = re.compile(
    r"""<(?:div|main|app-root|section)\b[^>]*\bid=["']?(?:root|app|__next|__nuxt|___gatsby|main-app|react-root|ember-app"""
    r"""|svelte|q-app)["'\s>]|<app-root\b|ng-app=|data-reactroot""",
    re.I,
)
_NEEDS_SCRIPT = re.compile(
    r"(?:enable|activate|turn on|requires?|need(?:s)?(?: to enable)?)\s+java\s?script|"
    r"java\s?script (?:is |to be )?(?:disabled|required|enabled)|"
    r"javascript (?:aktivieren|activé|activado|attivare)|включите javascript|javascript を有効|启用 ?javascript",
    re.I,
)
_LOGIN = re.compile(
    r"\b(?:log|sign)[ -]?(?:in|on)\b|\bmembers? only\b|\banmeld(?:en|ung)\b|\beinloggen\b|\bconne(?:xion|ctez)\b|"
    r"\bidentifi(?:ez|cation)|\b(?:iniciar?|inicio de) ses|\baccedi\b|\binloggen\b|\baanmelden\b|\bzaloguj|"
    r"\blogga in\b|\bpřihlá|\bbejelentkez|\bentrar\b|\boturum aç|войти|вход|ログイン|登录|登入|로그인",
    re.I,
)
LITTLE = 600
"""Characters of text that a page around a form of login alone has at most."""
SMALL = 10_000


def of_fetch(page: Page) -> tuple[PageVerdict, str] | None:
    """What can be said without looking at the body: no answer, or a status of failure. None where there is more."""
    if page.error:
        return "error", page.message or page.error
    vendor = _vendor(page)
    if page.status in (401, 403, 407, 429, 503) and vendor:
        return "blocked", f"a block page by {vendor} ({page.status})"
    if page.status >= 500:
        return "error", f"the server failed ({page.status})"
    if page.status >= 400:
        said = f"the server answered: {responses.get(page.status, 'no page')} ({page.status})"
        return "blocked" if page.status in (403, 429, 451) else "error", said
    return None


def of_document(page: Page, document: Document, groups: Sequence[Group]) -> tuple[PageVerdict, str]:
    """The verdict on a page that was answered with success. `groups` are what was found on it."""
    if not page.body.strip():
        return "empty", "the answer has no body"
    if document.kind == "other":
        return "not-html", f"the answer is {page.media_type or 'of an unknown type'}, not HTML, XML or JSON"
    if document.kind in ("json", "xml"):
        return ("ok", "") if groups else ("empty", f"the {document.kind.upper()} holds no records")
    text = visible_text(document)
    usable = any(group.count >= 3 and group.kind in ("list", "table", "json") for group in groups) and len(text) > 400
    if not usable and (vendor := _vendor(page)):
        return "blocked", f"a block page by {vendor}"
    markup = document.text
    small = len(page.body) < SMALL and len(text) < 1500 and not usable
    if small and _PHRASES.search(f"{document.title} {text} {markup[:SMALL]}"):
        return "blocked", f'it reads like a block page: "{(document.title or text)[:80]}"'
    rows = any(group.kind == "json" and group.count >= 1 for group in groups)
    drawn = RENDER.lower() in page.headers
    if not rows and document.scripts and not drawn and _is_shell(markup, text, groups):
        return "javascript", "the page is filled by JavaScript: its markup holds next to nothing"
    if not text and not groups:
        return "empty", "the page has no text"
    return "ok", ""


def looks_drawn(document: Document, outcome: PageVerdict, groups: Sequence[Group]) -> bool:
    """Whether the page holds no records as it was sent, and scripts that may draw some: it does not say that there are
    none, and is neither a block page nor an error."""
    if document.kind != "html" or not document.scripts:
        return False
    bare = outcome == "empty" or (outcome == "ok" and not groups)
    return outcome == "javascript" or (bare and message(document) is None)


def asks_login(document: Document) -> bool:
    """The page is there to log in: a form takes a password, and its title, a heading or a button says so, or the page
    says little else. Whether it holds records all the same is not looked at."""
    if document.kind != "html" or document.root is None:
        return False
    if not document.root.xpath('//form//input[@type="password" or @type="Password"]'):
        return False
    heads = [text_of(element) for element in document.root.iter("h1", "h2", "legend")]
    return len(visible_text(document)) < LITTLE or any(_LOGIN.search(said[:80]) for said in (document.title, *heads))


def visible_text(document: Document) -> str:
    """Text of the body, without what is in noscript."""
    body = document.root.find("body") if document.root is not None else None
    if body is None:
        return ""
    hidden = " ".join(text_of(element) for element in body.iter("noscript"))
    whole = text_of(body)
    return whole.replace(hidden, "") if hidden else whole


def _vendor(page: Page) -> str:
    markup = page.body[:200_000].lower()
    return next((name for name, marks in _VENDORS.items() if any(mark in markup for mark in marks)), "")


def _is_shell(markup: str, text: str, groups: Sequence[Group]) -> bool:
    lists = any(group.kind in ("list", "table") and group.region not in FRAME and group.count >= 3 for group in groups)
    if lists and len(text) > 600:
        return False
    if _MOUNTS.search(markup):
        return len(text) < 600
    bare = len(text) < 150 and markup.lower().count("<script") >= 2 and not lists
    return bare or (len(text) < 600 and _NEEDS_SCRIPT.search(markup) is not None)


# A page that was asked for a list has none: it says so, or all that repeats on it is the site's own frame. A page
# without results still has its menus, filters, footers and suggestions, and each of them repeats like records do.

SAYING = 240
"""A message of no results is short: characters of the element that holds it."""

_THINGS = (
    r"results?|products?|articles?|hits?|matches|match|records?|entries|listings?|posts?|jobs?|vacanc(?:y|ies)|"
    r"events?|books?|offers?|properties|documents?|files|recipes?|courses?|people|news|images|videos|data"
)
_NONE = (
    r"no|0|zero|keine?n?|nichts|aucune?s?|sin|não|nenhuma?|nessun[ao]?|non|geen|brak|nie|nebyl[yoia]?|neboli|žádné|"
    r"nincs(?:enek)?|ingen|inga|ei|niciun|nu|не|нет|няма"
)
_FOUND = (
    r"found|results?|matches|gefunden|ergebnisse|treffer|einträge|artikel|produkte|trouvée?s?|résultats?|"
    r"encontr(?:ad[oa]s?|aron|ó)|resultados?|productos|produtos|entradas|artículos|trovat[oaie]|risultat[oi]|"
    r"gevonden|resultaten|producten|znaleziono|wyników|produktów|wpisów|nalezen\w*|nájdené|výsledky|produkty|položky|"
    r"találat|eredmény|termék|hittades|träffar|fundet|funnet|treff|resultat(?:er)?|produkter|tuloksia|osumia|tuotteita|"
    r"găsite?|rezultate?|найдено|знайдено|результатов|товаров|записей|совпадений|резултати"
)
_SAYS = re.compile(
    "|".join(
        (
            rf"(?<![\w.,])(?:{_NONE})\s+(?:\w+\s+){{0,2}}?(?:{_FOUND})\b",
            rf"\b(?:no|0|zero)\s+(?:\w+\s+){{0,2}}?(?:{_THINGS}|items)\s+(?:\w+\s+){{0,3}}?"
            r"(?:found|matched|match|available|to (?:show|display)|yet|returned)\b",
            rf"^(?:there (?:are|were) )?(?:currently )?(?:no|0) (?:\w+ )?(?:{_THINGS})\b(?:.{{0,60}}[.!])?$",
            r"\bnothing (?:was |has been )?(?:found|matched|here yet|to (?:show|see|display))\b",
            r"\b(?:did not|didn[’']t|does not|doesn[’']t) (?:match|return|yield|find) any",
            r"\bwe (?:could not|couldn[’']t) find any|^this list is (?:currently )?empty",
            r"\b(?:sonuç|ürün|kayıt) bulunamadı\b|δεν βρέθηκαν|לא נמצאו|لا توجد (?:نتائج|منتجات)|لم يتم العثور",
            r"見つかりません|該当(?:する\S{0,12})?(?:は)?(?:ありません|なし)|結果(?:は|が)?(?:ありません|0件)",
            r"[没沒]有(?:找到|[结結]果|符合)|未找到|暂无|找不到|결과가 없|없습니다|ไม่พบ",
            r"không tìm thấy|tidak (?:ada hasil|ditemukan)",
        )
    ),
    re.I,
)
_FRAME_NAMES = (
    r"men[uü]s?|navigation|nav|navbar|navi|sidebars?|footers?|fußzeile|seitenleiste|breadcrumbs?|filters?|facets?"
)
_LINKS = (
    r"links?|liens?|enlaces|categor(?:y|ies)|kategorien?|catégories?|categor[ií]as?|categorie|tags?|brands?|"
    r"marken|marques|archives?|blogroll|sections?|topics|themen|departments?|languages?|sprachen"
)
_ALL = r"(?:all|every|alle|tous|todos)\s+(?:\w+\s+)?"
_COUNT = re.compile(r"\s*(?:[(\[]\s*\d[\d.,]*\s*[)\]]|\s\d+$)")


def message(document: Document) -> Element | None:
    """The element in which the page says that it has nothing to list. None where it does not, or where it is hidden."""
    body = document.root.find("body") if document.kind == "html" and document.root is not None else None
    if body is None or not _SAYS.search(text_of(body)):
        return None
    found: list[tuple[str, Element]] = []
    for element in body.iter():
        if not isinstance(element.tag, str) or element.tag in ("script", "style", "template", "noscript", "option"):
            continue
        text = text_of(element) if own_text(element) else ""
        if len(text) <= SAYING and _SAYS.search(text) and _is_shown(element):
            found.append((text, element))
    # "0 results" above and a whole sentence below: the sentence is what a person would read out.
    return max(found[:3], key=lambda pair: len(pair[0]))[1] if found else None


_HIDDEN = re.compile(
    r"(?:^|[-_\s])(?:hidden|hide|d-none|is-hidden|invisible|cart|basket|minicart|dropdown|modal)(?:$|[-_\s])"
)


def _is_shown(element: Element) -> bool:
    """Not in the frame of the page, where a basket is empty, and not kept back for a script to show."""
    for e in (element, *element.iterancestors()):
        if e.tag in ("nav", "header", "footer", "aside", "template", "noscript", "dialog", "select", "a", "button"):
            return False
        style = (e.get("style") or "").replace(" ", "").lower()
        if e.get("hidden") is not None or e.get("aria-hidden") == "true" or "display:none" in style:
            return False
        names = f"{e.get('class') or ''} {e.get('id') or ''}".lower()
        if _HIDDEN.search(names):
            return False
    return True


def asks_for_frame(query: Reading) -> bool:
    """The request itself is about menus, categories, tags, links: what else is the frame of a page."""
    said = " ".join(query.subject) or re.sub(r"\S+://\S+", " ", query.text)
    return bool(re.search(rf"(?i)\b(?:{_FRAME_NAMES}|{'' if query.subject else _ALL}(?:{_LINKS}))\b", said))


def empty(query: Reading, document: Document, groups: Sequence[Group]) -> str:
    """Why there is nothing to read on a page that can be read; "" where there is."""
    if query.single or document.kind != "html" or asks_for_frame(query):
        return ""
    plural = [group for group in groups if group.kind in ("list", "table", "json") and group.count >= 2]
    held = [[] if group.source else css.select_all(document.root, group.selector)[:40] for group in plural]
    content = [pair for pair in zip(plural, held, strict=True) if not _is_frame(*pair)]
    said = message(document)
    if said is not None:
        real = any(serve(query, group) >= 0.35 for group, found in content if not _beside(said, found))
        return "" if real else f"no records: the page says “{text_of(said)[:120]}”"
    alone = max((serve(query, group) for group in groups if group.kind == "page"), default=0.0)
    if plural and not content and alone < 0.5 and not query.section:  # who names a part may mean the frame
        return "no records: all that repeats on the page is navigation"
    return ""


def _is_frame(group: Group, found: Sequence[Element]) -> bool:
    """Links of the page's frame: in a landmark of it, and holding little beside links."""
    return not group.source and group.region in FRAME and bool(found) and linked_share(found) >= 0.7


def linked_share(found: Sequence[Element]) -> float:
    """Share of the elements' text that is in links; a count behind a link ("Boards (12)") is no text."""
    whole = sum(len(_COUNT.sub("", text_of(element))) for element in found)
    linked = sum(
        len(_COUNT.sub("", text_of(a)))
        for element in found
        for a in ([element] if element.tag == "a" else element.iter("a"))
    )
    return min(1.0, linked / whole) if whole else 1.0


def _beside(said: Element, found: Sequence[Element]) -> bool:
    """Beside the message, not what it is about: short links as of a menu, suggestions, boxes one of which says it."""
    if not found:
        return False
    if is_more(found[0]) or any(
        (e is said or e in said.iterancestors()) and len(text_of(e)) <= 1.5 * len(text_of(said)) for e in found
    ):
        return True
    average = sum(len(text_of(element)) for element in found) / len(found)
    return linked_share(found) >= 0.9 and average <= 30
