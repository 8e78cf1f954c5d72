# SPDX-License-Identifier: MIT
"""js_api.py TYPES: writes the npm package's reference as Markdown from build/PRESET/js/index.d.ts."""

import re
import sys
from pathlib import Path

COMMENT = r"(?:/\*\*(?P<comment>.*?)\*/\s*)?"
DECLARATION = re.compile(rf"^{COMMENT}(?:export )?(?:declare )?(?:abstract )?(?P<kind>class|interface|function|type) (?P<name>\w+)"
                         r"(?P<rest>.*?)(?=^(?:/\*\*|export|declare|//)|\Z)", re.M | re.S)
MEMBER = re.compile(rf"^  {COMMENT}(?P<code>[^\s/*].*?[;,{{])$", re.M | re.S)


def prose(comment):
    lines = [re.sub(r"^\s*\* ?", "", line).strip() for line in (comment or "").splitlines()]
    return "\n".join(lines).strip().replace("<", "&lt;")


def code(text):
    return f"```ts\n{text.strip()}\n```\n"


def members(body):
    """Prints members without a comment together after the others."""
    plain = []
    for member in MEMBER.finditer(body):
        declaration = re.sub(r"^get (\w+)\(\): ", r"\1: ", re.sub(r"\s*\n\s*", " ", member["code"]))
        if declaration.startswith("set "):
            continue
        if not member["comment"]:
            plain.append(declaration)
            continue
        name = re.match(r"(?:readonly |static |get |abstract )*([\w\[\].]+)", declaration)[1]
        print(f"### {name}\n\n{code(declaration)}\n{prose(member['comment'])}\n")
    if plain:
        print(code("\n".join(plain)))


text = Path(sys.argv[1]).read_text()
print("# JavaScript reference\n\nThe types of the npm package. The [guide](../guide/javascript.md) has what surrounds them.\n")
found = {}
for match in DECLARATION.finditer(text):
    found.setdefault(match["name"], match)
for name, match in sorted(found.items(), key=lambda item: (item[1]["kind"] != "class", item[0])):
    head, brace, body = match["rest"].partition("{\n")
    print(f"## {name}\n\n{prose(match['comment'])}\n")
    if match["kind"] in ("type", "function"):
        print(code(f"{match['kind']} {name}{match['rest']}"))
        continue
    print(code(f"{match['kind']} {name}{head}".strip()))
    members(body)
