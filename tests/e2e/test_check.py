"""`scrapewright check`: rows that anything scraped, judged on pages of a real site."""

from __future__ import annotations

import csv
import json
import signal
import subprocess
import sys
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import msgspec
import pytest

from scrapewright.critics import gather
from scrapewright.practice.server import ShopServer
from scrapewright.practice.shop import Shop
from scrapewright.session.verdict import RowsReport
from tests.e2e.site import called, serve

ALL = "Scrape every product on {base}/ (all pages): title, price as float, rating as int, url (absolute)."
COLUMNS = ("title", "price", "rating", "url")


@pytest.fixture(scope="module")
def shop() -> Iterator[ShopServer]:
    with ShopServer(Shop()) as server:
        yield server


def products(shop: ShopServer, *columns: str) -> list[dict[str, Any]]:
    return [{name: row[name] for name in columns or COLUMNS} for row in shop.shop.rows(shop.base)]


def as_csv(path: Path, rows: Sequence[Mapping[str, Any]]) -> str:
    with path.open("w", newline="", encoding="utf-8") as file:
        writer = csv.DictWriter(file, list(rows[0]))
        writer.writeheader()
        writer.writerows(rows)
    return path.name


def judged(done: subprocess.CompletedProcess[str]) -> RowsReport:
    """What --json printed: one object, of the very form that `schema check` says."""
    return msgspec.json.decode(done.stdout, type=RowsReport, strict=True)


def codes(report: RowsReport) -> set[tuple[str, str]]:
    return {(finding.code, finding.column) for finding in report.findings if finding.severity == "error"}


def test_right_rows_are_trusted_and_the_report_says_what_that_rests_on(shop: ShopServer, tmp_path: Path) -> None:
    file = as_csv(tmp_path / "rows.csv", products(shop))
    before = len(shop.requests)
    done = called("check", file, ALL.format(base=shop.base), cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    head, *rest = done.stdout.splitlines()
    assert head.startswith("verdict: right · 9")
    assert "% likely right · 40 rows, 5 pages" in head
    assert any(line.startswith("  checked: 40 of 40 rows against their records on 5 pages; ") for line in rest)
    assert f"page 5: {shop.base}/catalogue/page-5.html" in done.stderr
    asked = [path for _, path in shop.requests[before:] if path != "/robots.txt"]
    assert sorted(asked) == sorted(["/", *(f"/catalogue/page-{n}.html" for n in range(2, 6))]), "each page once"


@pytest.mark.parametrize("name", ["rows.json", pytest.param("rows.jsonl", marks=pytest.mark.full), "rows.data"])
def test_rows_are_read_from_json_and_from_json_lines(shop: ShopServer, tmp_path: Path, name: str) -> None:
    rows = products(shop)
    lines = "".join(json.dumps(row) + "\n" for row in rows)
    (tmp_path / name).write_text(json.dumps(rows) if name.endswith(".json") else lines, encoding="utf-8")
    done = called("check", name, ALL.format(base=shop.base) + " CSV.", "--json", cwd=tmp_path)
    report = judged(done)
    assert (done.returncode, report.exit_code, report.ok) == (0, 0, True), "the file's own format is no finding"
    assert report.probability >= 0.9
    assert (report.rows, report.columns, report.pages) == (40, COLUMNS, 5)
    assert not codes(report)


def test_a_lost_record_and_a_shifted_column_are_found(shop: ShopServer, tmp_path: Path) -> None:
    rows = products(shop)
    file = as_csv(tmp_path / "lost.csv", [row for n, row in enumerate(rows) if n != 11])
    lost = called("check", file, ALL.format(base=shop.base), "--json", cwd=tmp_path)
    assert lost.returncode == 1
    (missing,) = (f for f in judged(lost).findings if f.severity == "error")
    assert "page-2.html" in missing.message
    assert rows[11]["title"] in missing.message

    prices = [row["price"] for row in rows]
    file = as_csv(
        tmp_path / "shifted.csv", [{**r, "price": p} for r, p in zip(rows, prices[1:] + prices[:1], strict=True)]
    )
    shifted = called("check", file, ALL.format(base=shop.base), "--json", cwd=tmp_path)
    assert shifted.returncode == 1
    assert codes(judged(shifted)) == {("shifted-column", "price")}


def test_a_lost_last_page_is_found_though_each_row_is_on_the_others(shop: ShopServer, tmp_path: Path) -> None:
    file = as_csv(tmp_path / "rows.csv", products(shop)[:32])
    done = called("check", file, ALL.format(base=shop.base), "--json", cwd=tmp_path)
    assert done.returncode == 1
    assert codes(judged(done)) & {("page-lost", ""), ("too-few-rows", "")}
    assert "page-5.html" in done.stdout


def test_pages_are_fetched_as_far_as_the_rows_go_where_the_request_does_not_say(
    shop: ShopServer, tmp_path: Path
) -> None:
    file = as_csv(tmp_path / "rows.csv", products(shop)[:16])
    done = called("check", file, f"products on {shop.base}/: title, price as float", "--json", cwd=tmp_path)
    assert done.returncode == 0, done.stdout
    assert judged(done).pages == 2
    file = as_csv(tmp_path / "one.csv", products(shop)[:8])
    done = called("check", file, f"products on {shop.base}/: title, price as float", "--json", cwd=tmp_path)
    assert done.returncode == 0, done.stdout
    assert judged(done).pages == 1
    assert "a next page is there" in judged(done).reason


def test_pages_that_were_looked_at_in_vain_say_nothing_against_the_rows(shop: ShopServer, tmp_path: Path) -> None:
    rows = products(shop, "title", "price")[:8]
    file = as_csv(tmp_path / "rows.csv", [*rows, {"title": "No such thing", "price": 1.23}])
    before = len(shop.requests)
    done = called("check", file, f"products on {shop.base}/: title, price as float", "--json", cwd=tmp_path)
    assert done.returncode == 1
    assert "/catalogue/page-5.html" in [path for _, path in shop.requests[before:]]
    assert codes(judged(done)) == {("ungrounded", "title"), ("ungrounded", "price")}
    assert judged(done).pages == 1


def test_values_of_the_pages_that_records_link_to_are_looked_up_there(shop: ShopServer, tmp_path: Path) -> None:
    rows = products(shop, "title", "code", "shelf")[:16]
    query = f"products on {shop.base}/, the first 2 pages: title, code, shelf"
    file = as_csv(tmp_path / "rows.csv", rows)
    done = called("check", file, query, "--json", cwd=tmp_path)
    assert done.returncode == 0, done.stdout
    right = judged(done)
    assert right.pages == 18

    rows[3]["code"], rows[4]["code"] = rows[4]["code"], rows[3]["code"]
    file = as_csv(tmp_path / "swapped.csv", rows)
    swapped = judged(called("check", file, query, "--json", "--tape", "only", cwd=tmp_path))
    (finding,) = swapped.findings
    assert (finding.column, finding.rows) == ("code", (3, 4))
    assert swapped.probability < right.probability

    codes_of = [row["code"] for row in rows]
    shifted = [{**row, "code": code} for row, code in zip(rows, codes_of[1:] + codes_of[:1], strict=True)]
    file = as_csv(tmp_path / "shifted.csv", shifted)
    done = called("check", file, query, "--json", "--tape", "only", cwd=tmp_path)
    assert done.returncode == 1
    assert {column for _, column in codes(judged(done))} == {"code"}


def test_links_that_hold_nothing_of_the_rows_are_given_up(shop: ShopServer, tmp_path: Path) -> None:
    rows = [{**row, "note": f"made up {n}"} for n, row in enumerate(products(shop, "title"))]
    file = as_csv(tmp_path / "rows.csv", rows)
    query = f"every product on {shop.base}/ (all pages): title, note"
    before = len(shop.requests)
    done = called("check", file, query, "--json", cwd=tmp_path)
    assert done.returncode == 1
    assert codes(judged(done)) == {("ungrounded", "note")}
    assert judged(done).pages == 5
    opened = [path for _, path in shop.requests[before:] if path.startswith("/product/")]
    assert 1 <= len(opened) <= 2 * gather.TRIALS


def test_linked_pages_are_bounded_and_the_report_says_so(
    shop: ShopServer, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(gather, "LINKED_AT_MOST", 5)
    monkeypatch.setattr(gather, "LISTINGS_AT_MOST", 2)
    file = as_csv(tmp_path / "rows.csv", products(shop, "title", "code"))
    query = f"every product on {shop.base}/ (all pages): title, code"
    done = called("check", file, query, "--json", cwd=tmp_path)
    report = judged(done)
    assert done.returncode == 1
    assert report.pages == 7
    said = " · ".join(report.unchecked)
    assert "page-3.html on: 2 pages are the most that are looked at" in said
    assert "more than 5 of the pages that rows link to" in said


def test_a_reading_overrides_the_query(shop: ShopServer, tmp_path: Path) -> None:
    reading = {"columns": [{"name": "title"}, {"name": "price", "type": "float"}], "pages": "all", "urls": [shop.base]}
    (tmp_path / "reading.json").write_text(json.dumps(reading))
    file = as_csv(tmp_path / "rows.csv", products(shop, "title", "price"))
    done = called("check", file, "alles", "--reading", "reading.json", "--json", cwd=tmp_path)
    assert judged(done).rows == 40, done.stderr
    assert not codes(judged(done))
    file = as_csv(tmp_path / "less.csv", products(shop, "title"))
    done = called("check", file, "alles", "--reading", "reading.json", "--json", cwd=tmp_path)
    (finding,) = (f for f in judged(done).findings if f.severity == "error")
    assert (finding.code, finding.column, finding.source) == ("missing-column", "price", "person")
    shown = called("check", file, "alles", "--reading", "reading.json", cwd=tmp_path)
    assert "(by the request as read by a person)" in shown.stdout


def test_a_json_api_is_followed_by_what_its_answers_say(tmp_path: Path) -> None:
    def answer(page: int) -> tuple[int, str, bytes]:
        items = [{"name": f"Mug number {n}", "price": n + 0.5} for n in range(page * 5, page * 5 + 5)]
        following = f"/api?page={page + 1}" if page < 3 else None
        return 200, "application/json", json.dumps({"items": items, "next": following}).encode()

    pages = {"/api": answer(1), **{f"/api?page={n}": answer(n) for n in (2, 3)}}
    rows = [{"name": f"Mug number {n}", "price": n + 0.5} for n in range(5, 20)]
    file = as_csv(tmp_path / "rows.csv", rows)
    with serve(pages) as site:
        done = called("check", file, f"all mugs on {site.base}/api (all pages): name, price", "--json", cwd=tmp_path)
        assert judged(done).pages == 3, done.stderr
        assert done.returncode == 0, done.stdout
        file = as_csv(tmp_path / "less.csv", rows[:12])
        done = called("check", file, f"all mugs on {site.base}/api (all pages): name, price", "--json", cwd=tmp_path)
        assert done.returncode == 1


def test_a_page_that_says_to_come_back_later_is_no_fault_of_the_rows(tmp_path: Path) -> None:
    shop = Shop()
    pages = {shop.page_path(n): (200, "text/html", shop.resource(shop.page_path(n)).body) for n in (1, 2)}
    with serve({**pages, "/catalogue/page-3.html": (503, "text/html", b"later")}) as site:
        file = as_csv(tmp_path / "rows.csv", [{"title": row["title"]} for row in shop.rows(site.base)])
        query = f"every product on {site.base}/ (all pages): title"
        done = called("check", file, query, "--json", cwd=tmp_path)
        unsaid = called("check", file, f"products on {site.base}/: title", "--json", cwd=tmp_path)
    report = judged(done)
    assert (done.returncode, report.exit_code, unsaid.returncode) == (3, 3, 3)
    assert "page-3.html" in report.reason
    assert "503" in report.reason
    assert any("page-3.html: it answers 503" in said for said in judged(unsaid).unchecked)


@pytest.mark.parametrize(
    ("status", "code", "says"),
    [
        (404, 1, "the site has no such page (404)"),
        (403, 1, "(403)"),
        pytest.param(503, 3, "the site answers with an error (503)", marks=pytest.mark.full),
    ],
)
def test_a_site_that_gives_no_page(tmp_path: Path, status: int, code: int, says: str) -> None:
    (tmp_path / "rows.csv").write_text("title\nOne\n")
    with serve({"/": (status, "text/html", b"<h1>Sorry</h1>")}) as site:
        shown = called("check", "rows.csv", f"all books on {site.base}/: title", cwd=tmp_path)
        done = called("check", "rows.csv", f"all books on {site.base}/: title", "--json", cwd=tmp_path)
    assert (shown.returncode, done.returncode) == (code, code)
    assert shown.stdout.startswith("verdict: none\n")
    assert says in shown.stdout
    report = judged(done)
    assert not report.ok
    assert not report.judged
    assert says in report.reason
    assert report.rows == 1


def test_a_name_that_does_not_resolve_is_tried_again_later(tmp_path: Path) -> None:
    (tmp_path / "rows.csv").write_text("title\nOne\n")
    done = called("check", "rows.csv", "all books on https://shop.invalid/: title", cwd=tmp_path)
    assert done.returncode == 3
    assert "could not be resolved" in done.stdout


def test_a_host_that_the_query_does_not_name_is_left_alone_and_reported(tmp_path: Path) -> None:
    facts = {f"/{n}": f"<h1>Mug {n}</h1><p>Fired in kiln K{n}{n}{n}</p>" for n in range(4)}
    with serve(facts) as other, serve({}) as site:
        there = other.base.replace("127.0.0.1", "localhost")
        cards = "".join(f'<li class="mug"><a href="{there}/{n}">Mug number {n}</a></li>' for n in range(4))
        site.pages["/"] = (200, "text/html", f"<h1>Mugs</h1><ul>{cards}</ul>".encode())
        rows = [{"name": f"Mug number {n}", "url": f"{there}/{n}", "kiln": f"kiln K{n}{n}{n}"} for n in range(4)]
        file = as_csv(tmp_path / "rows.csv", rows)
        query = f"all mugs on {site.base}/: name, url, kiln"
        refused = called("check", file, query, "--json", cwd=tmp_path)
        host = there.partition("://")[2]
        assert other.seen == []
        assert refused.returncode == 1
        assert any(f"--allow {host}" in said for said in judged(refused).unchecked)
        allowed = called("check", file, query, "--json", "--allow", host, cwd=tmp_path)
        assert judged(allowed).pages == 5, allowed.stderr
        assert ("ungrounded", "kiln") not in codes(judged(allowed))


@pytest.mark.parametrize(
    ("content", "says"),
    [
        (None, "rows.json can't be read: No such file or directory"),
        (b"{]", "rows.json is no JSON: "),
        (b"PK\x03\x04\x00\x00", "rows.json is no text; rows are read from CSV, JSON and JSON lines in UTF-8"),
    ],
    ids=["no file", "no JSON", "no text"],
)
def test_a_file_without_rows_is_a_usage_error(tmp_path: Path, content: bytes | None, says: str) -> None:
    if content is not None:
        (tmp_path / "rows.json").write_bytes(content)
    done = called("check", "rows.json", "all books on https://shop.invalid/: title", cwd=tmp_path)
    assert done.returncode == 2
    assert says in done.stderr
    assert done.stdout == ""


def test_a_query_without_an_address_is_a_usage_error(tmp_path: Path) -> None:
    (tmp_path / "rows.csv").write_text("title\nOne\n")
    done = called("check", "rows.csv", "all books: title", cwd=tmp_path)
    assert done.returncode == 2
    assert "the query names no address" in done.stderr


def test_no_rows_are_not_trusted(shop: ShopServer, tmp_path: Path) -> None:
    (tmp_path / "rows.csv").write_text("title,price\n")
    done = called("check", "rows.csv", f"products on {shop.base}/: title, price", "--json", cwd=tmp_path)
    assert done.returncode == 1
    assert "no-rows" in {code for code, _ in codes(judged(done))}


@pytest.mark.full
def test_ctrl_c_ends_it(tmp_path: Path) -> None:
    (tmp_path / "rows.csv").write_text("title\nOne\n")
    with serve({"/": lambda handler: handler.state.over.wait(60)}) as site:
        child = subprocess.Popen(
            [sys.executable, "-m", "scrapewright", "check", "rows.csv", f"all books on {site.base}/: title"],
            cwd=tmp_path, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
        )  # fmt: skip
        try:
            assert child.stderr is not None
            assert any(line == "looking at the page\n" for line in child.stderr)
            child.send_signal(signal.SIGINT)
            out, err = child.communicate(timeout=30)
        finally:
            child.kill()
            child.wait()
    assert child.returncode == 130, err
    assert out == ""
    assert "Traceback" not in err
