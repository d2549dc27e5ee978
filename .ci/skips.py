"""skips.py ALLOWED REPORT.xml...: lists the skipped tests with their reasons, and those that failed; exits 1 if one was
skipped that is not allowed to be. (Tests that failed in a report have passed in another one, run alone.)

ALLOWED holds a regular expression a line, matched against "FILE::TEST: REASON". Lines that begin with # are comments.
"""

from __future__ import annotations

import re
import sys
import xml.etree.ElementTree as ET
from collections import Counter
from pathlib import Path


def main() -> int:
    lines = Path(sys.argv[1]).read_text("utf-8").splitlines()
    allowed = [re.compile(line.strip()) for line in lines if line.strip() and not line.startswith("#")]
    ran = failed = skipped = 0
    unexpected = []
    reasons: Counter[str] = Counter()
    for report in sys.argv[2:]:
        for case in ET.parse(report).getroot().iter("testcase"):
            ran += 1
            if case.find("failure") is not None or case.find("error") is not None:
                failed += 1
                print(f"failed among others: {Path(report).stem}: {case.get('classname')}::{case.get('name')}")
            skip = case.find("skipped")
            if skip is None or skip.get("type") == "pytest.xfail":
                continue
            skipped += 1
            name = f"{case.get('classname')}::{case.get('name')}: {skip.get('message')}"
            reasons[f"{Path(report).stem}: {skip.get('message')}"] += 1
            if not any(pattern.search(name) for pattern in allowed):
                unexpected.append(f"{Path(report).stem}: {name}")
    for reason, count in sorted(reasons.items()):
        print(f"{count:5} skipped: {reason}")
    for name in unexpected:
        print(f"not allowed to be skipped: {name}")
    print(f"{ran - failed - skipped} passed, {failed} failed, {skipped} skipped")
    return 1 if unexpected else 0


if __name__ == "__main__":
    raise SystemExit(main())
