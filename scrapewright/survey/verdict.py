"""Whether a fetched page can be worked with: block pages, pages that only JavaScript fills, errors, nothing at all.

The block-page classifier has three tiers, as crawl4ai's has: markers of known vendors count on a page of any size,
phrases of a generic kind only on a small one, and a bare structure only on a very small one.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from scrapewright.survey import empty_pages
from scrapewright.survey.decode import Document
from scrapewright.survey.dom import FRAME, text_of
from scrapewright.survey.model import Group, PageVerdict
from scrapewright.web.page import RENDER, Page

_VENDORS = {
    "Cloudflare": r"cf-browser-verification|cf_chl_opt|/cdn-cgi/challenge-platform/h/|"
    r"<title>Just a moment\.\.\.</title>|cf-error-details|Attention Required! \| Cloudflare",
    "DataDome": r"geo\.captcha-delivery\.com|captcha-delivery\.com/captcha",
    "PerimeterX": r"px-captcha|_pxAppId\s*=|Press &(?:amp;)? Hold to confirm",
    "Imperva": r"_Incapsula_Resource|Incapsula incident ID",
    "Akamai": r"Reference&#32;&#35;\d|errors\.edgesuite\.net",
    "AWS WAF": r"awsWafCookieDomainList|aws-waf-token|gokuProps",
    "Kasada": r"/149e9513-01fa-4fb0-aad4-566afd725d1b/|ips\.js\?KP_UIDz",
    "Sucuri": r"Sucuri WebSite Firewall - Access Denied|sucuri_cloudproxy_js",
    "Anubis": r"Making sure you(?:'|&#39;)re not a bot",
}
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
_STATUS = {
    401: "the page asks for a login (401)",
    403: "the server refuses the page (403)",
    404: "there is no such page (404)",
    407: "a proxy asks for a login (407)",
    410: "the page is gone (410)",
    429: "the server asks to slow down (429)",
    451: "the page is withheld for legal reasons (451)",
}
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
        if page.status in (403, 429, 451):
            return "blocked", _STATUS[page.status]
        return "error", _STATUS.get(page.status, f"the server answered {page.status}")
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
    return outcome == "javascript" or (bare and empty_pages.message(document) is None)


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
    markup = page.body[:200_000].decode("latin-1")
    return next((name for name, pattern in _VENDORS.items() if re.search(pattern, markup, re.I)), "")


def _is_shell(markup: str, text: str, groups: Sequence[Group]) -> bool:
    lists = any(group.kind in ("list", "table") and group.region not in FRAME and group.count >= 3 for group in groups)
    if lists and len(text) > 600:
        return False
    if _MOUNTS.search(markup):
        return len(text) < 600
    return (len(text) < 600 and _NEEDS_SCRIPT.search(markup) is not None) or (
        len(text) < 150 and markup.lower().count("<script") >= 2 and not lists
    )
