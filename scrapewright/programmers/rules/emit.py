"""From a plan to the program: plain requests and BeautifulSoup, as one would write it by hand."""

from __future__ import annotations

from scrapewright.programmers.rules.conditions import expression, iso_body
from scrapewright.programmers.rules.flow import FlowWriter, hidden
from scrapewright.programmers.rules.ops import literal
from scrapewright.programmers.rules.plan import Plan
from scrapewright.programmers.rules.program import Program
from scrapewright.query.lexicon import plural
from scrapewright.query.reading import Order
from scrapewright.survey.embedded import is_json


def emit(plan: Plan) -> str:
    """The program's text. It runs alone and writes `plan.filename` into its working directory."""
    what = plural(plan.noun).replace("_", " ")
    written = plan.filename.replace("\\", "/").replace('"', "'")
    program = Program(f"Scrape {what} and write them to {written}.")
    urls = (plan.endpoint,) if plan.endpoint else plan.urls
    start = "ENDPOINT" if plan.endpoint else "START_URL"
    if len(urls) == 1 and not plan.endpoint:
        program.constant("START_URL", literal(urls[0]))
    elif not plan.endpoint:
        program.constant("START_URLS", "[" + ", ".join(map(literal, urls)) + "]")
    program.constant("OUTPUT", literal(plan.filename))
    program.constant("USER_AGENT", '"Mozilla/5.0 (compatible; scraper)"')
    if plan.limit is not None:
        program.constant("LIMIT", str(plan.limit))
    FlowWriter(program, plan).write()
    carried = [column for column in plan.columns if column.carried]
    if carried:
        program.function("fill_down(rows, name)", "Give rows without a value the one of the row above.", [
            "last = None",
            "for row in rows:",
            "    last = row[name] = row[name] or last",
        ])  # fmt: skip
    keeps = _keep(program, plan)
    unwanted = [f"    del row[{literal(column.name)}]" for column in plan.columns if column.hidden]
    _save(program, plan)
    rows = f"scrape(session, {start})"
    if len(urls) > 1:
        rows = "[row for url in START_URLS for row in scrape(session, url)]"
    body = [
        "with requests.Session() as session:",
        '    session.headers["User-Agent"] = USER_AGENT',
        f"    rows = {rows}",
        *(f"fill_down(rows, {literal(column.name)})" for column in carried),
        *_defaults(plan),
        *keeps,
        *_distinct(plan),
        *_sorting(plan),
        *(["rows = rows[:LIMIT]"] if plan.limit is not None else []),
        *(["for row in rows:", *unwanted] if unwanted else []),
        "save(rows)",
        f'print(f"{{len(rows)}} {what} written to {{OUTPUT}}")',
    ]  # fmt: skip
    program.function("main()", "", body)
    return program.text()


def _defaults(plan: Plan) -> list[str]:
    """The numbers that the request gives for what a record lacks."""
    given = {literal(column.name): column.field.said.default for column in plan.columns if column.slot is not None}
    tests = [
        line
        for name, number in given.items()
        if number is not None
        for line in (f"    if row[{name}] is None:", f"        row[{name}] = {number}")
    ]
    return ["for row in rows:", *tests] if tests else []


def _keep(program: Program, plan: Plan) -> list[str]:
    """The filters: one readable condition each in a function of its own."""
    if not plan.keep:
        return []
    readers: dict[str, str] = {}  # functions that read dates, by their form
    for form in dict.fromkeys(keep.form for keep in plan.keep if keep.form):
        readers[form] = program.name("iso_of")
        program.function(f"{readers[form]}(text)", "The date in the ISO way.", iso_body(form))
    tests = [
        expression(keep, f"row[{literal(keep.column or hidden(keep))}]", readers.get(keep.form, ""))
        for keep in plan.keep
    ]
    body = [line for test in tests[:-1] for line in (f"if not ({test}):", "    return False")]
    program.function("wanted(row)", "Whether the request asks for the row.", [*body, f"return {tests[-1]}"])
    lines = ["rows = [row for row in rows if wanted(row)]"]
    for key in dict.fromkeys(hidden(keep) for keep in plan.keep if keep.slot is not None):
        lines += ["for row in rows:", f"    del row[{literal(key)}]"]
    return lines


def _distinct(plan: Plan) -> list[str]:
    if not plan.distinct:
        return []
    lists = {column.name for column in plan.columns if column.field.type == "list"}
    cells = {name: f"row[{literal(name)}]" for name in plan.distinct}
    key = ", ".join(f"tuple({cell} or ())" if name in lists else cell for name, cell in cells.items())
    key = key if len(plan.distinct) == 1 else f"({key})"
    return ["unique = {}", "for row in rows:", f"    unique.setdefault({key}, row)", "rows = list(unique.values())"]


def _sorting(plan: Plan) -> list[str]:
    """Sorted by the last key first: sorting is stable. Rows without a value go to the end."""
    lines = []
    types = {column.name: column.field.type for column in plan.columns}
    json = is_json(plan.group)
    for order in reversed(plan.order):
        key = _sort_key(order, types.get(order.field, "text"), json)
        lines.append(f"rows.sort(key=lambda row: {key}{', reverse=True' if order.descending else ''})")
    return lines


def _joined(value: str, json: bool) -> str:
    """A list as one text; what JSON lists need not be text."""
    return f'"; ".join(map(str, {value} or []))' if json else f'"; ".join({value} or [])'


def _sort_key(order: Order, kind: str, json: bool) -> str:
    value = f"row[{literal(order.field)}]"
    if kind == "text":
        return f'({value} or "").casefold()'
    if kind == "list":
        return _joined(value, json)
    test = "is not None" if order.descending else "is None"
    return f"({value} {test}, {value})"


def _save(program: Program, plan: Plan) -> None:
    names = [column.name for column in plan.shown]
    lists = [column.name for column in plan.shown if column.field.type == "list"]
    newline, body = "", ['    file.writelines(json.dumps(row, ensure_ascii=False) + "\\n" for row in rows)']
    if plan.format == "csv":
        fields = program.constant("FIELDS", "[" + ", ".join(map(literal, names)) + "]")
        newline = ', newline=""'
        body = [f"    writer = csv.DictWriter(file, fieldnames={fields})", "    writer.writeheader()"]
        if lists:
            json = is_json(plan.group) or any(column.slot and column.slot.data for column in plan.columns)
            joined = ", ".join(f"{literal(name)}: {_joined(f'row[{literal(name)}]', json)}" for name in lists)
            body += ["    for row in rows:", f"        writer.writerow({{**row, {joined}}})"]
        else:
            body.append("    writer.writerows(rows)")
    elif plan.format != "jsonl":
        what = "rows[0] if rows else {}" if plan.single else "rows"
        body = [f"    json.dump({what}, file, ensure_ascii=False, indent=2)", '    file.write("\\n")']
    program.function("save(rows)", "", [f'with open(OUTPUT, "w", encoding="utf-8"{newline}) as file:', *body])
