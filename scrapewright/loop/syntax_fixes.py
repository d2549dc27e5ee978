"""Fixes for common syntax errors: each a pure function from source to source."""

from __future__ import annotations

import re
import textwrap
from collections.abc import Callable

from scrapewright.loop.parsing import without_warnings

_FENCE = re.compile(r"^[ \t]*(```+|~~~+)[ \t]*([\w+#.-]*)[^\n]*$", re.M)
_CODE_START = re.compile(
    r"^(import\s+\w|from\s+[\w.]+\s+import\b|def\s+\w+\s*\(|async\s+def\s|class\s+\w+|@\w|#|\"\"\"|'''|try:\s*$"
    r"|(if|for|while|with)\s+.+:\s*$"
    r"|[A-Za-z_][\w.\[\]\"', ]*\s*(:\s*[\w.\[\], |]+)?[-+*/|]?=[^=]|\w[\w.]*\(.*\)\s*(#.*)?$)"
)
_LOOKALIKES = {
    "“": '"', "”": '"', "„": '"', "‟": '"', "‘": "'", "’": "'", "‚": "'", "‛": "'", "–": "-", "—": "-", "−": "-",
    "（": "(", "）": ")", "，": ",", "：": ":", "；": ";", "［": "[", "］": "]", "＝": "=",
    "\u00a0": " ", "\u3000": " ",
    "\u200b": "", "\u200c": "", "\u200d": "", "\u2060": "", "\ufeff": "", "\u2009": " ", "\u202f": " ",
}  # fmt: skip
_HEAD = re.compile(r"\s*(if|elif|while|for|with|def|class)\b")
_CLOSERS = {"(": ")", "[": "]", "{": "}"}
MAX_ROUNDS = 40


def syntax_error(code: str) -> SyntaxError | None:
    """What compiling the program would raise, or None. Never runs anything."""
    try:
        with without_warnings():
            compile(code, "scraper.py", "exec", dont_inherit=True)
    except SyntaxError as error:
        return error
    except (ValueError, RecursionError, MemoryError, OverflowError) as error:
        return SyntaxError(str(error) or type(error).__name__)
    return None


def fix_syntax(code: str) -> tuple[str, list[str]]:
    """The fixed program, and what was fixed. A program that compiles is returned unchanged.

    A fix stays only where the program then compiles or its first error moves further down.
    """
    done: list[str] = []
    error = syntax_error(code)
    for _ in range(MAX_ROUNDS):
        if error is None:
            break
        for message, fix in FIXES:
            changed = fix(code, error)
            if changed is None or changed == code:
                continue
            after = syntax_error(changed)
            if after is None or _place(after, changed) > _place(error, code) or _shorter(message, after, error):
                code, error = changed, after
                if message not in done:
                    done.append(message)
                break
        else:
            break
    return code, done


def _place(error: SyntaxError, code: str) -> tuple[int, int]:
    """How much of the program is understood: lines from its end count, so that cutting prose is no loss."""
    total = code.count("\n") + 1
    return (-(total - (error.lineno or 1)), error.offset or 0)


def _shorter(message: str, after: SyntaxError, before: SyntaxError) -> bool:
    return message in (PROSE, FENCES) and (after.lineno or 0) >= 1 and after.msg != before.msg


def unfence(code: str, error: SyntaxError) -> str | None:
    """Extracts the program from a Markdown reply: the longest fenced block, by preference one marked as Python."""
    marks = list(_FENCE.finditer(code))
    if not marks:
        return None
    blocks: list[tuple[bool, int, str]] = []
    start: re.Match[str] | None = None
    for mark in marks:
        if start is None:
            start = mark
        elif mark[1][0] == start[1][0] and len(mark[1]) >= len(start[1]) and not mark[2]:
            text = code[start.end() + 1 : mark.start()]
            blocks.append((start[2].lower() in ("python", "py", "python3"), len(text), text))
            start = None
    if start is not None:
        rest = code[start.end() + 1 :]
        if start[2] or not blocks:
            blocks.append((start[2].lower() in ("python", "py", "python3"), len(rest), rest))
        if not rest.strip():  # a closing fence alone: the program is before it
            blocks = [(True, start.start(), code[: start.start()])]
    blocks = [block for block in blocks if block[2].strip()]
    if not blocks:
        return None
    best = max(blocks)[2]
    return best if best.endswith("\n") else best + "\n"


def cut_prose(code: str, error: SyntaxError) -> str | None:
    """Drops the prose before the first line that looks like code and after the last one."""
    lines = code.splitlines(keepends=True)
    at = (error.lineno or 1) - 1
    first = next((i for i, line in enumerate(lines) if _CODE_START.match(line)), None)
    if first is None:
        return None
    if at < first:
        return "".join(lines[first:])
    if 0 < at < len(lines) and not any(
        _CODE_START.match(line) or line[:1] in " \t)]}" for line in lines[at:] if line.strip()
    ):
        return "".join(lines[:at]).rstrip() + "\n"
    return None


def ascii_marks(code: str, error: SyntaxError) -> str | None:
    """Typographic quotes, dashes, blanks and full-width marks in the code of the line at fault (not inside strings)."""
    lines = code.splitlines(keepends=True)
    at = (error.lineno or 1) - 1
    if not 0 <= at < len(lines) or not any(c in _LOOKALIKES for c in lines[at]):
        return None
    out: list[str] = []
    quote = ""
    i = 0
    line = lines[at]
    while i < len(line):
        char = line[i]
        if quote:
            if char == "\\" and i + 1 < len(line):
                out.append(line[i : i + 2])
                i += 2
                continue
            if char == quote:
                quote = ""
            out.append(char)
        elif char in "\"'":
            quote = char
            out.append(char)
        else:
            out.append(_LOOKALIKES.get(char, char))
        i += 1
    lines[at] = "".join(out)
    return "".join(lines)


def straighten_indent(code: str, error: SyntaxError) -> str | None:
    """A whole program that is indented, tabs among blanks, or a line that returns to no level there is."""
    message = error.msg or ""
    if isinstance(error, TabError) or "inconsistent use of tabs" in message:
        trials = [_expand(code, width) for width in (4, 8, 2)]
        return next((trial for trial in trials if syntax_error(trial) is None), trials[0])
    if "unexpected indent" in message:
        flat = textwrap.dedent(code)
        if flat != code:
            return flat
        lines = code.splitlines(keepends=True)
        at = (error.lineno or 1) - 1
        before = next((lines[i] for i in range(at - 1, -1, -1) if lines[i].strip()), "")
        if 0 <= at < len(lines) and not before.rstrip().endswith(("(", "[", "{", ",", "\\", ":")):
            width = len(before) - len(before.lstrip())
            off = len(lines[at]) - len(lines[at].lstrip()) - width
            if 0 < off <= 3:  # a stray blank or two; more is a block whose head is lost
                lines[at] = lines[at][off:]
                return "".join(lines)
        return None
    if "unindent does not match" in message:
        lines = code.splitlines(keepends=True)
        at = (error.lineno or 1) - 1
        if not 0 <= at < len(lines):
            return None
        levels = {len(line) - len(line.lstrip(" ")) for line in lines[:at] if line.strip()}
        width = len(lines[at]) - len(lines[at].lstrip(" "))
        near = min(levels, key=lambda level: (abs(level - width), level), default=width)
        lines[at] = " " * near + lines[at].lstrip(" ")
        return "".join(lines)
    return None


def _expand(code: str, width: int) -> str:
    return re.sub(r"^[ \t]+", lambda m: m[0].expandtabs(width), code, flags=re.M)


def add_colon(code: str, error: SyntaxError) -> str | None:
    """The colon that the head of a block wants."""
    if "expected ':'" not in (error.msg or ""):
        return None
    lines = code.splitlines(keepends=True)
    at = (error.lineno or 1) - 1
    if not 0 <= at < len(lines):
        return None
    body, end = lines[at].rstrip("\r\n"), lines[at][len(lines[at].rstrip("\r\n")) :]
    head, comment = _split_comment(body)
    lines[at] = f"{head.rstrip()}:{'  ' + comment if comment else ''}{end}"
    return "".join(lines)


def close_brackets(code: str, error: SyntaxError) -> str | None:
    """A bracket never closed: at the end of its line, else at the end of the program; or one too many taken out."""
    message = error.msg or ""
    lines = code.splitlines(keepends=True)
    at = (error.lineno or 1) - 1
    found = re.search(r"'([(\[{])' was never closed", message)
    if found and 0 <= at < len(lines):
        closer = _CLOSERS[found[1]]
        line = lines[at].rstrip("\r\n")
        head, comment = _split_comment(line)
        colon = ":" if head.rstrip().endswith(":") and _HEAD.match(head) else ""
        stem = head.rstrip()[: -len(colon) or None]
        trial = [*lines]
        trial[at] = f"{stem}{closer}{colon}{'  ' + comment if comment else ''}\n"
        joined = "".join(trial)
        after = syntax_error(joined)
        if after is None or (after.lineno or 0) > at + 1:
            return joined
        joined = code.rstrip() + closer + "\n"
        return (
            joined
            if syntax_error(joined) is None or "never closed" in (syntax_error(joined) or SyntaxError()).msg
            else None
        )
    if re.search(r"unmatched '([)\]}])'", message) and 0 <= at < len(lines) and error.offset:
        line = lines[at]
        place = error.offset - 1
        if place < len(line) and line[place] in ")]}":
            lines[at] = line[:place] + line[place + 1 :]
            return "".join(lines)
    return None


def call_print(code: str, error: SyntaxError) -> str | None:
    """`print x` as it was written before Python 3."""
    if "Missing parentheses in call to 'print'" not in (error.msg or ""):
        return None
    lines = code.splitlines(keepends=True)
    at = (error.lineno or 1) - 1
    found = re.match(r"^(\s*(?:.*:\s+)?)print\s+(.*?)\s*$", lines[at])
    if not found:
        return None
    lines[at] = f"{found[1]}print({found[2]})\n"
    return "".join(lines)


def fill_block(code: str, error: SyntaxError) -> str | None:
    """A block that holds nothing but a comment."""
    found = re.search(r"expected an indented block after .* on line (\d+)", error.msg or "")
    if not found:
        return None
    lines = code.splitlines(keepends=True)
    head = int(found[1]) - 1
    at = (error.lineno or len(lines)) - 1
    if not any(line.strip().startswith("#") for line in lines[head + 1 : at]):
        return None  # the body may have lost its indentation: no telling how much of it
    width = len(lines[head]) - len(lines[head].lstrip())
    lines.insert(head + 1, " " * (width + 4) + "pass\n")
    return "".join(lines)


def _split_comment(line: str) -> tuple[str, str]:
    """The code of a line and its comment."""
    quote = ""
    i = 0
    while i < len(line):
        char = line[i]
        if quote:
            if char == "\\":
                i += 1
            elif char == quote:
                quote = ""
        elif char in "\"'":
            quote = char
        elif char == "#":
            return line[:i], line[i:]
        i += 1
    return line, ""


FENCES = "took the program out of its Markdown fence"
PROSE = "cut the prose around the program"

FIXES: tuple[tuple[str, Callable[[str, SyntaxError], str | None]], ...] = (
    (FENCES, unfence),
    ("replaced typographic marks in code", ascii_marks),
    ("put the indentation right", straighten_indent),
    ("added a missing colon", add_colon),
    ("balanced the brackets", close_brackets),
    ("made print a call", call_print),
    ("filled an empty block", fill_block),
    (PROSE, cut_prose),
)
