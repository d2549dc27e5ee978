"""The prompt. The page's text is data: it is fenced, and declared as data."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from urllib.parse import urlsplit

import msgspec

from scrapewright.loop.failure import classify
from scrapewright.loop.ports import Attempt, Brief
from scrapewright.programmers.model import charset
from scrapewright.programmers.model.accepted import ReplyFormat
from scrapewright.programmers.model.proposals import worth_showing
from scrapewright.programmers.model.record_markup import markup
from scrapewright.programmers.model.request_words import found_by_words
from scrapewright.programmers.model.selector_probe import probe_selectors
from scrapewright.programmers.model.texts import Texts, shipped
from scrapewright.query.reading import Column, Filter, Part, Reading, Source
from scrapewright.query.summary import OPERATORS, PART_NAMES
from scrapewright.session.questions import NONE, Decision
from scrapewright.session.result import PROGRAM_NAME, Frame, RunResult, Step
from scrapewright.session.sanitize import to_json
from scrapewright.session.verdict import Finding, Sample, Verdict
from scrapewright.survey.decode import Document, parse
from scrapewright.survey.digest import digest
from scrapewright.survey.model import Survey

FIRST, REPAIR = 1800, 650
"""Tokens of what the page offers: a repair has the program, what its selectors found, and its rows or the values at
the crash."""
LOCALS = 12
VALUE = 100
STEPS = 6
REQUESTS = 6
SAMPLE = 1500
FINDINGS = 12
ALSO = 3
"""Groups that are shown by their selector alone."""

_RESTS_ON = {
    "pages": "by the page",
    "names": "by what the page calls it",
    "review": "by a model's review of the rows",
    "grammar": "by the grammar's reading",
    "model": "by your reading",
    "person": "by what the person confirmed",
}


_LISTS = ("list", "table", "feed")
_MARKS = {
    r"^  \+ ": '"+ " goes to the record\'s next sibling first',
    r"^  \^ ": '"^ " is the nearest in the document before the record',
    r" \[-?\d+\] @": "[n] is the match of that number, from 0",
    r" all @": "all is every match",
    r"@own text": "@own text leaves out the children's",
    r"@tail": "@tail is the text right behind the element",
    r"@head": "@head is the text before its first child",
}
"""What marks in a digest say that are no CSS."""
_END = re.compile(r"<\s*/\s*(page)", re.IGNORECASE)
_WHERE = {"selector": "at the selector", "example": "a record has the value", "": "as in"}


def messages(
    brief: Brief, reply_format: ReplyFormat, texts: Texts | None = None, conventions: str = ""
) -> list[dict[str, str]]:
    """The chat for a first program or a repair, with the shipped texts if none are given. `conventions` are the
    person's own. Parses pages: call it off the event loop.
    """
    texts = texts or shipped("program")
    parts = [_task(brief.reading)]
    if brief.survey is not None:
        parts += _offered(brief, brief.survey)
    if brief.attempts:
        parts.append(_repair(brief, texts[f"contest.{reply_format}"]))
    else:
        parts.append("Write the complete program that does what the request asks.")
    if brief.reread:
        parts.append(
            "The person has corrected since how the request is read, as it is said above: "
            + ", ".join(PART_NAMES[part] for part in brief.reread)
        )
    if wrong := [_place(decision) for decision in brief.corrections if decision.column]:
        parts.append(
            "The person says that these columns are wrong in your rows, and what they are:\n" + "\n".join(wrong)
        )
    if records := next((d.text for d in brief.decisions if d.kind == "group" and d.text), ""):
        parts.append(f"The person says that the records are those at: {records}")
    known = (d for d in brief.decisions if d.kind == "column" and d not in brief.corrections)
    if said := [_place(decision) for decision in known if decision.text or decision.option == NONE]:
        parts.append("The person says where columns are:\n" + "\n".join(said))
    if brief.hint:
        parts.append(f"The person says: {brief.hint}")
    if brief.strategy and _fell_short(brief):
        parts.append("The ways tried so far led nowhere: take another one (other records, other selectors).")
    if conventions:
        parts.append(f"The person's conventions for programs, to be kept where they leave the choice:\n{conventions}")
    answer = texts[f"{'later' if brief.attempts else 'first'}.{reply_format}"]
    parts.append(answer.replace("{reading}", texts["reading"]))
    return [{"role": "system", "content": texts["contract"]}, {"role": "user", "content": "\n\n".join(parts)}]


def _offered(brief: Brief, survey: Survey) -> Iterator[str]:
    """What the survey proposes, the first record's markup, and what the survey leaves out that the request names."""
    first = not brief.attempts
    shown, also = worth_showing(survey)
    offer = "\n".join([digest(shown, brief.reading, FIRST if first else REPAIR), *also[:ALSO]])
    marks = "; ".join(says for pattern, says in _MARKS.items() if re.search(pattern, offer, re.MULTILINE))
    yield f"What the page offers{f' ({marks})' if marks else ''}:\n{fenced(offer)}"
    pages = {"the page": survey.page, **({"the detail page": survey.detail.page} if survey.detail is not None else {})}
    documents = {}
    for name, surveyed in pages.items():
        if (page := brief.pages.get(surveyed.url)) is not None:
            documents[surveyed.url] = parse(page)
            if said := charset.to_name(page, surveyed):
                yield f"Charset of {name}: {said}"
    if first:
        yield from _records(brief.reading, survey, documents)
    if found := _found_by_words(_of_findings(brief), survey, documents, offer):
        yield "Where the pages have words of the request that are not named above:\n" + fenced("\n".join(found))


def _of_findings(brief: Brief) -> Reading:
    """The reading with those of its columns that something is wrong with, where that is known."""
    faulty = {finding.column for finding in numbered(brief)}
    columns = tuple(column for column in brief.reading.columns if column.name in faulty)
    return msgspec.structs.replace(brief.reading, columns=columns) if columns else brief.reading


def _records(reading: Reading, survey: Survey, documents: dict[str, Document]) -> Iterator[str]:
    """The markup of a record, and of the page behind its link where there is one."""
    shown = [(survey, "A record of group 1")]
    if survey.detail is not None:
        shown.append((survey.detail, "The detail page"))
    for one, name in shown:
        group = one.groups[0] if one.groups else None
        if group is not None and group.sample:
            made = ", made as is said of it" if group.form else ""
            record = markup(group, documents.get(one.page.url), reading, SAMPLE // len(shown))
            yield f"{name}{made} (… stands for what is left out):\n{fenced(record)}"


def _found_by_words(reading: Reading, survey: Survey, documents: dict[str, Document], shown: str) -> list[str]:
    group = survey.groups[0] if survey.groups else None
    listed = group is not None and group.kind in _LISTS and group.count > 2 and not reading.single
    found = {
        url: found_by_words(
            reading, document, shown, several=listed and bool(reading.columns) and url == survey.page.url
        )
        for url, document in documents.items()
    }
    return [f"{line} (on {url})" if url != survey.page.url else line for url in found for line in found[url]]


def _place(decision: Decision) -> str:
    """Where a column is; the values there are the page's."""
    if decision.option == NONE:
        return f"- {decision.column}: leave it empty"
    place = f"- {decision.column}: {_WHERE[decision.how]} {decision.text}"
    return (
        f"{place}, which gives in the first records:\n{fenced(', '.join(decision.values))}"
        if decision.values
        else place
    )


def fenced(text: str) -> str:
    """Text of the site's, fenced so that it can't end its own fence."""
    return "<page>\n" + _END.sub(r"<\\/\1", text) + "\n</page>"


def _task(reading: Reading) -> str:
    """The request's own words first and whole; then how it was read so far, part by part, with who read it."""
    lines = [f"The request, in the person's own words:\n{reading.text}", f"Start at: {', '.join(reading.urls)}"]
    for source, heading in _HEADINGS.items():
        said = [line for part, line in _restated(reading) if reading.sources.get(part, "grammar") == source]
        if said:
            lines += [heading, *said]
    open_ = not reading.format_said and reading.format == "csv"
    other = "" if not open_ else " (rows.json or rows.jsonl where the request asks for one)"
    lines.append(f"Write the rows to: {reading.output_name}{other}")
    return "\n".join(lines)


_HEADINGS: dict[Source, str] = {
    "person": "What the person confirmed or corrected; it is settled:",
    "model": "What you read before:",
    "grammar": "What a simple grammar made of these words. It may be wrong or miss things; the words count:",
}


def _restated(reading: Reading) -> Iterator[tuple[Part, str]]:
    """Lines, each with the part of the reading that it says."""
    if reading.single:
        yield "single", "- one row about the page, not a list"
    elif reading.row_is:
        yield "row_is", f"- a row is: {reading.row_is}"
    if reading.columns:
        # The grammar's notes are words of the request as they stand there.
        notes = reading.sources.get("columns", "grammar") != "grammar"
        yield "columns", f"- columns, in this order: {columns_in_words(reading, notes=notes)}"
    if reading.search:
        yield "search", f"- the results of typing {reading.search!r} into the page's search form"
    if reading.section:
        yield "section", f"- only what is under the heading: {reading.section}"
    if reading.pages == "all":
        yield "pages", "- pages: all of them, following the next-page links to the end"
    elif reading.pages == "first":
        yield "pages", "- pages: only those given"
    elif reading.pages != "unsaid":
        yield "pages", f"- pages: the first {reading.pages}"
    if reading.follow:
        yield "follow", f"- open each record's link: {reading.follow}"
    for wanted in reading.filters:
        yield "filters", f"- rows: {wanted.text}{_condition(wanted)}"
    if reading.order:
        keys = (f"{o.column} {'descending' if o.descending else 'ascending'}" for o in reading.order)
        yield "order", f"- order: {', '.join(keys)}"
    if reading.limit is not None:
        yield "limit", f"- at most {reading.limit} rows"
    if reading.distinct:
        yield "distinct", f"- no two rows with the same {', '.join(reading.distinct)}"
    if reading.format_said:
        yield "format", f"- format: {reading.format}"


def columns_in_words(reading: Reading, *, notes: bool = True) -> str:
    return ", ".join(_column(column, notes=notes) for column in reading.columns)


def _column(column: Column, *, notes: bool) -> str:
    said = [column.type or "", f"as {column.format}" if column.format else "", column.note if notes else ""]
    about = "; ".join(filter(None, said))
    return f"{column.name} ({about})" if about else column.name


def _condition(wanted: Filter) -> str:
    """The comparison behind the request's words; empty where no operator says it."""
    if wanted.op == "other":
        return ""
    return f" ({wanted.column or 'the record'} {OPERATORS[wanted.op]} {wanted.value!r})"


def numbered(brief: Brief) -> list[Finding]:
    """The findings that a repair prompt tells of, in the order of their numbers, from 1."""
    verdict = brief.attempts[-1].verdict if brief.attempts else None
    if verdict is None or verdict.ok:
        return []
    return [finding for finding in verdict.findings if finding.severity != "doubt"][:FINDINGS]


def _fell_short(brief: Brief) -> bool:
    """Whether another way may be asked for: not where nothing but a doubt is known against the rows."""
    verdict = brief.attempts[-1].verdict if brief.attempts else None
    return verdict is None or any(finding.severity == "error" for finding in verdict.findings)


def _judged(attempt: Attempt, verdict: Verdict, findings: list[Finding], contest: str) -> str:
    """What is held against the rows, on what ground, where to contest it, what a review says besides, and rows beside
    their records."""
    lines = [f"Its rows, {verdict.rows} of them, were judged:"]
    for number, finding in enumerate(findings, 1):
        again = "; you contested it, which was weighed" if verdict.dispute(finding) else ""
        lines.append(f"{number}. {finding.message} ({_RESTS_ON.get(finding.source, finding.source)}{again})")
    lines.append(
        "A finding that is mistaken may be contested with a reason and the evidence for it, instead of changing a "
        f"right program: give that back unchanged, and the finding's number in {contest}."
    )
    told = {finding.column for finding in findings if finding.source == "review"}
    reviewed = attempt.review.columns if attempt.review is not None else ()
    reasons = [f"{c.column}: {c.reason}" for c in reviewed if c.says == "wrong" and c.reason and c.column not in told]
    if reasons:
        lines += ["A model's review of the rows says why columns are wrong:", *reasons]
    if verdict.samples:
        lines.append(beside_records(verdict.samples))
    return "\n".join(lines)


def beside_records(samples: Sequence[Sample]) -> str:
    """Rows with the text of their records, counted from 1."""
    shown = (
        f"row {sample.row + 1}: {to_json(sample.values).decode()}\nits record: "
        + (sample.record or "not found on the pages it fetched")
        for sample in samples
    )
    return "Rows, each with the text of its record:\n" + fenced("\n".join(shown))


def _repair(brief: Brief, contest: str) -> str:
    last = brief.attempts[-1]
    parts = ["Your last program:\n```python\n" + last.code.rstrip() + "\n```"]
    if last.problems:
        parts.append("Seen without running it: " + "; ".join(last.problems))
    if last.result is not None:
        parts.append(_what_happened(brief, last, last.result))
    ended = last.result is None or _ended_well(last.result)  # that a crash left no rows is said with it
    if last.verdict is not None and (ended or last.verdict.rows) and (findings := numbered(brief)):
        parts.append(_judged(last, last.verdict, findings, contest))
    found = probe_selectors(last.code, brief.pages)
    if found:
        lines = [
            f"line {p.line}: {p.selector!r} → {p.said}" + (f"; nearest there: {p.nearest}" if p.nearest else "")
            for p in found
        ]
        parts.append("Its selectors on the pages fetched so far (matches by page):\n" + "\n".join(lines))
    earlier = [_in_a_line(a) for a in brief.attempts[:-1]]
    if earlier:
        parts.append("Earlier attempts:\n" + "\n".join(earlier))
    parts.append("Say in three sentences at most what was wrong, then give the whole corrected program.")
    return "\n\n".join(parts)


def _what_happened(brief: Brief, attempt: Attempt, result: RunResult) -> str:
    failure = classify(result, None, brief.pages)
    lines = [f"It ended: {result.status}.", fenced(failure.message)]
    ended_well = _ended_well(result)
    if result.where and not ended_well:
        lines += [f"> {result.where:4} {line}" for line in attempt.code.splitlines()[result.where - 1 : result.where]]
    frame = _program_frame(result)
    if frame is not None and frame.locals and "locals" not in brief.blank:
        values = (f"{name} = {_cut(value)}" for name, value in list(frame.locals.items())[:LOCALS])
        lines += [f"Values there, in {frame.function}:", fenced("\n".join(values))]
    if result.steps and not ended_well and "steps" not in brief.blank:
        lines += ["The last steps:", fenced("\n".join(map(_step, result.steps[-STEPS:])))]
    if asked := [r for r in result.requests if urlsplit(r.url).path != "/robots.txt"][-REQUESTS:]:
        lines.append("Requests:")
        lines += [f"  {r.method} {r.url} → {r.status} {r.media_type} {r.bytes} bytes {r.note}".rstrip() for r in asked]
    if result.stdout.bytes:
        lines.append("It printed:\n" + fenced(result.stdout.text[-400:]))
    return "\n".join(lines)


def _step(step: Step) -> str:
    values = ", ".join(f"{name} = {_cut(value)}" for name, value in step.values.items())
    return f"line {step.line} {step.kind}{': ' + values if values else ''}"


def _ended_well(result: RunResult) -> bool:
    return result.status == "ok" or (result.status == "exit" and not result.exit_code)


def _program_frame(result: RunResult) -> Frame | None:
    frames = result.exception.frames if result.exception is not None else ()
    return next((f for f in reversed(frames) if f.file == PROGRAM_NAME), None)


def _in_a_line(attempt: Attempt) -> str:
    result, verdict = attempt.result, attempt.verdict
    if result is not None and result.exception is not None:
        what = f"{result.exception.type}: {result.exception.message[:100]}"
    elif verdict is not None and (faults := [f for f in verdict.findings if f.severity != "doubt"]):
        what = faults[0].message[:120]
    else:
        what = result.status if result is not None else "not run"
    return f"#{attempt.id} ({attempt.author}): {what}"


def _cut(value: str) -> str:
    """The first and the last of a value: both ends tell more than the first alone."""
    return value if len(value) <= VALUE else f"{value[: VALUE // 2]}…{value[-VALUE // 2 :]}"
