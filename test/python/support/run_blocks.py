"""Runs blocks of Python, each by itself; prints those that raise, and how many ran.

    python3 run_blocks.py FILE      (a list of texts, in JSON)
"""

import contextlib
import io
import json
import sys
import traceback

with open(sys.argv[1], encoding="utf-8") as file:
    blocks = json.load(file)
count = 0
for block in blocks:
    printed = io.StringIO()
    try:
        with contextlib.redirect_stdout(printed):
            exec(compile(block, "block", "exec"), {"__name__": "__main__"})
        count += 1
        if "print(" in block and not printed.getvalue() and "except" not in block:
            print(f"SILENT {block}")
    except Exception:
        print(f"FAILED {block}\n{traceback.format_exc()}")
print(f"{count} blocks")
