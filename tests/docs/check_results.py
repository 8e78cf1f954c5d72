# SPDX-License-Identifier: MIT
"""check_results.py ROOT: sections with tables in docs/results name a date and commits, which exist."""

import re
import subprocess
import sys
from pathlib import Path

root = Path(sys.argv[1])
has_history = subprocess.run(["git", "-C", root, "rev-parse", "--verify", "-q", "HEAD~20"], capture_output=True).returncode == 0
documents = sorted((root / "docs/results").rglob("*.md"))
problems, commits = [], set()
for document in documents:
    for section in re.split(r"^## ", document.read_text(), flags=re.M)[1:]:
        named = {word for word in re.findall(r"\b[0-9a-f]{7}\b", section) if not word.isdigit() or f"commit {word}" in section}
        commits |= named
        if document.parent.name == "results" and "|---" in section and not (named and re.search(r"\b20\d\d-\d\d-\d\d\b", section)):
            problems.append(f"{document}: {section.splitlines()[0]}: a table without a commit and a date")
if has_history:  # archives and shallow clones lack it
    for commit in sorted(commits):
        if subprocess.run(["git", "-C", root, "cat-file", "-e", f"{commit}^{{commit}}"], capture_output=True).returncode != 0:
            problems.append(f"no commit {commit}")
print("\n".join(problems) or f"{len(documents)} documents, {len(commits)} commits")
sys.exit(1 if problems else 0)
