"""The verdict on about a hundred rows of a dozen pages, against parsing those pages once with BeautifulSoup."""

from __future__ import annotations

from bs4 import BeautifulSoup

from scrapewright.critics.judge import RowsCritic
from scrapewright.web.page import Page
from tests.bench.reading import best
from tests.unit.critics.shop_pages import BASE, LAYOUTS, PER_PAGE, Row, case, document, teas

PAGES = 12


def main() -> None:
    padding = "".join(f'<p class="x{n % 7}"><span>filler {n}</span> words and more words</p>' for n in range(300))
    pages: dict[str, Page] = {}
    rows: list[Row] = []
    for number in range(PAGES):
        part = [
            {**tea, "name": f"{tea['name']} {number}", "url": f"{tea['url']}-{number}"} for tea in teas()[:PER_PAGE]
        ]
        url = f"{BASE}/teas" if number == 0 else f"{BASE}/teas?page={number + 1}"
        body = document(LAYOUTS["cards"](part, number + 1, PAGES) + padding)
        pages[url] = Page(url, url, 200, {"content-type": "text/html; charset=utf-8"}, body)
        rows += part
    run = case(rows, pages)
    verdict = RowsCritic().judge(run)
    if not verdict.ok:
        raise SystemExit(f"right rows are not trusted: {verdict.findings}")
    parsed = best(lambda: [BeautifulSoup(page.body, "lxml") for page in pages.values()])
    judged = best(lambda: RowsCritic().judge(run))
    print(f"{len(rows)} rows of {len(pages)} pages, {sum(len(page.body) for page in pages.values()) / 1000:.0f} KB")
    print(f"BeautifulSoup alone          {parsed * 1000:6.0f} ms")
    print(f"the verdict                  {judged * 1000:6.0f} ms   {judged / parsed:5.2f}x of it")


if __name__ == "__main__":
    main()
