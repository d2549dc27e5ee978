"""Repairs from the trace: what failed, with which values, decides which small edit is made.

Each mend is a function from the scene of a failure to a changed program, or None where it does not apply. They are
tried in order. Nothing of the program is ever run here; selectors are tried on the taped pages.
"""

from __future__ import annotations

from collections.abc import Callable

from scrapewright.loop.ports import Brief, Draft
from scrapewright.loop.syntax_fixes import syntax_error
from scrapewright.programmers.rules.mends import absent, paging, text, values
from scrapewright.programmers.rules.scene import Fix, Scene
from scrapewright.programmers.rules.source import same_program

Mend = Callable[[Scene], Fix | None]

MENDS: tuple[Mend, ...] = (
    # what an endless loop dies of in the end is not what is wrong with it
    paging.visited, paging.empty_page, paging.dead_page,
    text.unbound, text.parser, text.selector, text.codec, text.writable, text.writing_codec, text.named_file,
    values.number, values.day,
    absent.single, absent.longer_table, absent.passed_over, absent.reselect, absent.missing, absent.compare,
    values.fetched_link, values.written_links, paging.follow,
    values.renamed, values.typed, values.header, values.sliced, values.arranged,
)  # fmt: skip


def mend(brief: Brief) -> Draft | None:
    """A repair of the last attempt's program, or None where no rule has one.

    What comes back compiles and is none of the programs tried before. Parts of results named in `brief.blank` are
    not looked at.
    """
    if not brief.attempts or syntax_error(brief.attempts[-1].code) is not None:
        return None
    scene = Scene(brief)
    for one in MENDS:
        fix = one(scene)
        if fix is None or syntax_error(fix.code) is not None:
            continue
        if any(same_program(fix.code, attempt.code) for attempt in brief.attempts):
            continue
        return Draft(code=fix.code, diagnosis=fix.diagnosis)
    return None
