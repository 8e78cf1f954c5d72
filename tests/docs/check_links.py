# SPDX-License-Identifier: MIT
"""check_links.py ROOT DOCUMENT... checks links, named source files and overviews; check_links.py FOLDER a website.

Documents in results may name source files of earlier commits."""

import os
import re
import sys
import unicodedata
from functools import cache
from html import unescape
from pathlib import Path
from urllib.parse import unquote, urlsplit

exists, is_folder, urlsplit = map(cache, (os.path.exists, os.path.isdir, urlsplit))  # a site has 100,000 links
FENCED = re.compile(r"^```.*?^```", re.M | re.S)


def anchors_of(markdown):
    """Returns the headings' anchors by the rules of GitHub and MkDocs."""
    anchors, counts = set(), {}
    for title in re.findall(r"^#+ +(.*)$", FENCED.sub("", markdown), re.M):
        title = re.sub(r"\[([^]]*)\]\([^)]*\)", r"\1", title).replace("`", "")
        kept = "".join(c for c in unicodedata.normalize("NFKC", title).lower() if c.isalnum() or c in "-_ ")
        anchor = kept.strip().replace(" ", "-")
        count = counts[anchor] = counts.get(anchor, -1) + 1
        anchors.add(f"{anchor}-{count}" if count else anchor)
    return anchors


class Page:

    def __init__(self, path):
        text = path.read_text(errors="replace")
        self.links = [unescape(link) for link in re.findall(r'<[^<>]*\s(?:href|src)="([^"]+)"', text)]
        self.anchors = {unescape(anchor) for anchor in re.findall(r'<[^<>]*\s(?:id|name)="([^"]+)"', text)}


def problems_of(root, document, links, anchors_at, is_site=False):
    folder = os.path.dirname(document)
    for link in links:
        target = urlsplit(link)
        if target.scheme or target.netloc or link.startswith("/"):
            continue
        path = os.path.normpath(os.path.join(folder, unquote(target.path))) if target.path else str(document)
        if is_site and is_folder(path):
            path = os.path.join(path, "index.html")
        if not exists(path) or os.path.commonpath([root, path]) != str(root):
            yield f"{document}: {link}: no such file"
        elif target.fragment and path.endswith((".md", ".html")) and unquote(target.fragment) not in anchors_at(path):
            yield f"{document}: {link}: no such anchor"


SOURCE = re.compile(r"`<?([\w/.-]+\.(?:h|cpp|c|ts|py|cmake|mjs|def))>?`")
PLACEHOLDER = re.compile(r"[A-Z]{4,}|^my_|^chipmunk/chipmunk\.h|^cp[A-Z]\w+\.c$")


def check_documents(root, names):
    folders = [folder for folder in root.iterdir() if folder.is_dir() and folder.name not in ("build", ".git")]
    sources = {str(path) for folder in folders for path in folder.rglob("*.*")}

    @cache
    def anchors_at(path):
        return anchors_of(Path(path).read_text())

    for name in names:
        document = root / name
        text = re.sub(r"`[^`\n]*`", "", FENCED.sub("", document.read_text()))
        links = re.findall(r"\]\(([^)\s]+)\)", text)
        own = re.findall(r"^<!-- file: (\S+) -->$", document.read_text(), re.M)
        for source in SOURCE.findall(document.read_text() if "results/" not in name else ""):
            if source not in own and not PLACEHOLDER.search(source) and not any(path.endswith(f"/{source}") for path in sources):
                yield f"{document}: {source}: no such file"
        yield from problems_of(root, document, links, anchors_at)


GENERATED = {"cpp_api.md", "js_api.md", "options.md", "python_api.md"}  # by scripts/docs


def check_overviews(root):
    pages = {path for path in (root / "docs").rglob("*.md")}
    overviews = [path for path in pages if path.name == "README.md"]
    linked = {(overview.parent / link.partition("#")[0]).resolve()
              for overview in overviews for link in re.findall(r"\]\(([^)\s]+)\)", overview.read_text())}
    entries = {(root / entry).resolve() for entry in re.findall(r": (\S+\.md)$", (root / "docs/site/mkdocs.yml").read_text(), re.M)}
    yield from (f"{page}: no README.md of docs links to it" for page in sorted(pages - linked) if page != root / "docs/README.md")
    yield from (f"{page}: not in docs/site/mkdocs.yml" for page in sorted(pages - entries))
    yield from (f"docs/site/mkdocs.yml: {page}: no such file" for page in sorted(entries) if not page.exists() and page.name not in GENERATED)


def check_site(root):
    pages = {str(path): Page(path) for path in root.rglob("*.html")}
    for path, page in pages.items():
        # Doxygen omits this anchor if all nested classes are private.
        links = [link for link in page.links if link != "#nested-classes"]
        yield from problems_of(root, path, links, lambda other: pages[other].anchors | {""}, is_site=True)


root = Path(sys.argv[1]).resolve()
problems = [*check_documents(root, sys.argv[2:]), *check_overviews(root)] if sys.argv[2:] else list(check_site(root))
print("\n".join(problems) or f"{root}: no dead links")
sys.exit(1 if problems else 0)
