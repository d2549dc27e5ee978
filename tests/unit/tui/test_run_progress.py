"""What is said of a run: pages of the list, their records, and the pages behind these."""

from __future__ import annotations

from pathlib import Path

from scrapewright.session.result import Request
from scrapewright.survey.model import Group, Slot, Survey, SurveyedPage
from scrapewright.tui import run_progress
from scrapewright.tui.run_progress import RunProgress, read_group
from scrapewright.web.tape import Exchange, Tape

SITE = "http://127.0.0.1/"
LINK = Slot("s1", "a", attr="href")
MUGS = Group("g1", "list", "li.mug", 3, (LINK,))
OTHERS = Group("g2", "list", "ul.shelves > li", 2)
SURVEY = Survey((SurveyedPage(SITE, 200),), groups=(MUGS, OTHERS))
CODE = "for mug in soup.select('li.mug'): pass"


def page(*numbers: int) -> bytes:
    return ("<ul>" + "".join(f'<li class="mug"><a href="/mug/{n}">{n}</a></li>' for n in numbers) + "</ul>").encode()


def fetched(folder: Path, pages: dict[str, bytes]) -> list[Request]:
    tape = Tape(folder, "s")
    requests = []
    for number, (path, body) in enumerate(pages.items()):
        url = SITE + path
        exchange = Exchange("GET", url, f"k{number}", f"p{number}", 1.0, 200, headers=(("Content-Type", "text/html"),))
        kept = tape.add(exchange, body)
        requests.append(Request("GET", url, 200, "text/html", len(body), body=kept.body))
    tape.close()
    return requests


def test_pages_records_and_detail_pages_are_counted_apart(tmp_path: Path) -> None:
    survey = Survey(SURVEY.pages, groups=SURVEY.groups, follow_slot="s1")
    requests = fetched(
        tmp_path,
        {
            "": page(1, 2, 3),
            "?page=2": page(4, 5),
            "mug/1": page(7, 8, 9),
            "mug/4": b"<h1>Four</h1>",
            "robots.txt": b"",
        },
    )
    progress = RunProgress(tmp_path, "s", CODE, survey)
    assert progress.summary([]) == ""
    assert not progress.count(requests[:1])
    assert progress.summary(requests[:1]) == "page 1, 3 records, 0 of 3 detail pages"
    assert not progress.count(requests[:2])
    assert not progress.count(requests[:2]), "no page is counted twice"
    assert progress.summary(requests[:2]) == "page 2, 5 records, 0 of 5 detail pages"
    assert not progress.count(requests)
    assert progress.summary(requests) == "page 2, 5 records, 2 of 5 detail pages"


def test_what_is_not_known_is_not_said(tmp_path: Path) -> None:
    requests = fetched(tmp_path, {"": page(1, 2, 3)})
    for code, survey in (("rows = soup.select('tr')", SURVEY), (CODE, None)):
        progress = RunProgress(tmp_path, "s", code, survey)
        assert not progress.count(requests)
        assert progress.summary(requests) == "page 1"
    for tape in (None, tmp_path / "gone"):
        progress = RunProgress(tape, "s", CODE, SURVEY)
        progress.count(requests)
        assert progress.summary(requests) == "page 1"
    progress = RunProgress(tmp_path, "s", CODE, SURVEY)
    progress.count(requests)
    assert progress.summary(requests) == "page 1, 3 records", "no link was followed by the survey"


def test_a_fast_run_is_counted_a_few_pages_at_a_time(tmp_path: Path) -> None:
    count = run_progress.AT_ONCE + 1
    requests = fetched(tmp_path, {f"?page={n}": page(n) for n in range(count)})
    progress = RunProgress(tmp_path, "s", CODE, SURVEY)
    assert progress.count(requests)
    assert not progress.count(requests)
    assert progress.summary(requests) == f"page {count}, {count} records"


def test_the_group_is_the_one_that_the_program_selects() -> None:
    assert read_group(CODE, SURVEY) is MUGS
    assert read_group("soup.select('ul.shelves > li')", SURVEY) is OTHERS
    assert read_group("", SURVEY) is None
