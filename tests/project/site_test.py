#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The pages' links and anchors lead somewhere and every page is in the navigation; where the generator is installed
(`make docs` installs it), the site builds without a warning and its links are checked, too."""

import importlib.util
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
import unittest
from collections import defaultdict
from pathlib import Path
from unittest import mock

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "tools" / "docs"))
import build  # noqa: E402
import check_site  # noqa: E402
import cpp_reference  # noqa: E402
import pages  # noqa: E402
import search  # noqa: E402


def installed(module):
    try:
        return importlib.util.find_spec(module) is not None
    except ModuleNotFoundError:
        return False


class Pages(unittest.TestCase):
    maxDiff = None

    def test_links_and_anchors_lead_somewhere(self):
        wrong, count, _ = pages.check_links()
        self.assertEqual(wrong, [])
        self.assertGreater(count, 3000)

    def test_readers_of_markdown_agree_on_the_lists(self):
        self.assertEqual(pages.check_markdown(), [])

    def test_every_page_is_in_the_navigation_once(self):
        sections, wrong = pages.navigation()
        self.assertEqual(wrong, [])
        self.assertEqual([title for title, _ in sections][:4], ["Start", "How to", "Reference", "Design"])

    def test_what_is_wrong_is_found(self):
        text = "# A `b` c\n[x](#a-b-c) [y](#nothing)\n[z](none1.md) [b](built1.md)\n`[code](c.md)` <!-- [hidden](h.md) -->\n```\n[f](f.md)\n```\n"
        text += "text\n- item\n  - inner\n"
        with tempfile.TemporaryDirectory() as name:
            folder = Path(name)
            (folder / "docs").mkdir()
            (folder / "docs" / "page1.md").write_text(text)
            (folder / "build/docs").mkdir(parents=True)
            (folder / "build/docs/built1.md").write_text("# C\n[p](page1.md) [b](built1.md)\n")
            with mock.patch.multiple(pages, ROOT=folder, BUILD=folder / "build"):
                self.assertEqual(
                    pages.check_links()[0],
                    [
                        "docs/page1.md:2: (#nothing): docs/page1.md has no heading #nothing",
                        "docs/page1.md:3: (none1.md): there is no docs/none1.md in the repository",
                        "docs/page1.md:3: (built1.md): there is no docs/built1.md in the repository",
                    ],
                )
                self.assertEqual(
                    pages.check_markdown(),
                    [
                        "docs/page1.md:9: an empty line is missing before the list",
                        "docs/page1.md:10: indent the inner list by four spaces",
                    ],
                )
                self.assertIn("docs/page1.md is in no section of tools/docs/navigation.toml", pages.navigation()[1])


class Search(unittest.TestCase):
    def test_rows_of_tables_have_a_place_for_each_name(self):
        text = "| rule | when |\n| `a-b` | fault | x |\n| [vadd](instructions/README.md#add), vadds | int16 |\n"
        self.assertEqual(
            search.anchored(text),
            '| rule | when |\n| <a id="a-b"></a>`a-b` | fault | x |\n'
            '| <a id="vadd"></a><a id="vadds"></a>[vadd](instructions/README.md#add), vadds | int16 |\n',
        )


class Readme(unittest.TestCase):
    def test_it_has_the_minutes_of_every_target_of_make(self):
        rules = re.findall(r"^([a-z0-9 -]+):.*## ", (ROOT / "Makefile").read_text(encoding="utf-8"), re.MULTILINE)
        targets = {target for rule in rules for target in rule.split()} - {"help"}
        for page in ("README.md", "README.zh.md"):
            rows = re.findall(
                r"^\| `([a-z0-9-]+)` \| .* \| \S.* \|$", (ROOT / page).read_text(encoding="utf-8"), re.MULTILINE
            )
            self.assertEqual(targets - set(rows), set(), page)


class Rooms(unittest.TestCase):
    def test_contributing_names_every_room(self):
        text = (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8")
        hour = text[text.index("## The first hour") : text.index("## Style")]
        self.assertLessEqual(hour.count("\n"), 60)
        folders = {str(Path(path).parent) for path in pages.tracked() if path.startswith(("src/", "python/"))}
        for folder in folders:
            room = (
                Path(folder).parts[2:3]
                if folder.startswith(("src/frontends/", "python/sfumato/"))
                else Path(folder).parts[1:2]
            )
            if room and not room[0].startswith("_"):
                self.assertRegex(hour, rf"\b{room[0]}\b", folder)


class Reference(unittest.TestCase):
    def test_declarations_of_a_header(self):
        text = """// SPDX-License-Identifier: Apache-2.0
// A header.
#pragma once
namespace sfumato {
// What it is.
class SFUMATO_API A {
public:
    int f() const { return 1; }
    struct Impl;

private:
    int x_;
};
namespace detail {
int Hidden();
}  // namespace detail

SFUMATO_API int G(int a,
                  int b);
inline int H() {
    return 2;
}
}  // namespace sfumato
"""
        self.assertEqual(
            list(cpp_reference.declarations(text)),
            [
                ("sfumato", ["// What it is."], ["class A {", "public:", "    int f() const;", "};"]),
                ("sfumato", [], ["int G(int a,", "      int b);", "inline int H();"]),
            ],
        )

    def test_every_public_declaration_has_a_name(self):
        for path, text in cpp_reference.pages():
            headings = [line for line in text.splitlines() if line.startswith("### ")]
            self.assertTrue(headings, path)
            for heading in headings:
                self.assertRegex(heading, r"^### \w[\w<]*(, (\w[\w=]*|\.\.\.))*$", path)


class Site(unittest.TestCase):
    @unittest.skipUnless(installed("griffe"), "the generator is not installed: `make docs` installs it")
    def test_docstrings(self):
        import docstrings

        self.assertEqual(docstrings.native()["Report.legal"], "What would be legal.")
        self.assertEqual(docstrings.native()["Report.severity"], '"fault", "warning" or "note".')
        self.assertEqual(docstrings.native()["Report.whose"][:24], 'Whose it is to mend: "pr')
        self.assertNotIn("Kernels", docstrings.native())
        self.assertEqual(
            docstrings.markdown("Runs <it>.\n\nlib.k[1](x)\n\na   one\n    more\nbc  two_x"),
            "Runs \\<it\\>.\n\n```python\nlib.k[1](x)\n```\n\n- `a`: one\n  more\n- `bc`: two\\_x",
        )

    def test_a_wrong_site_is_found_out(self):
        with tempfile.TemporaryDirectory() as name:
            Path(name, "a.html").write_text(
                '<h1 id="x"></h1><a href="b.html"></a><a href="#x"></a><a href="#y"></a><script src="http://h/s.js"></script>'
            )
            wrong, counts, _ = check_site.check(Path(name))
        self.assertEqual(
            wrong,
            [
                "a.html loads http://h/s.js",
                "a.html links b.html, which is not there",
                "a.html links #y: no such heading",
            ],
        )
        self.assertEqual(counts, {"pages": 1, "links": 3, "anchors": 2, "resources": 1})

    @unittest.skipUnless(all(map(installed, build.NEEDS)), "the generator is not installed: `make docs` installs it")
    def test_the_site_builds_and_its_links_lead_somewhere(self):
        with tempfile.TemporaryDirectory() as name:
            wrong, checked = build.build(Path(name, "site"))
            self.assertEqual(wrong, [])
            self.assertIn(" links, ", checked)
            self.assertTrue(Path(name, "site", "search", "search_index.js").is_file(), os.listdir(name))
            if shutil.which("node"):
                self.names_are_found(Path(name, "site"))

    def names_are_found(self, site):
        """Rules by their ids, instructions and calls by their names, before all else; and how to install."""
        asked = {"install": "index.html#install", "softmax": "docs/calls/SoftMax.html"}
        want = defaultdict(
            set, {name: {page} for name, page in asked.items()}
        )  # some calls are pages of instructions, too
        for page in pages.pages():
            if re.fullmatch(r"docs/(instructions|calls)/(?!README)\w+\.md", page):
                title = pages.read(page).split("\n# ", 1)[1].split("\n", 1)[0]
                want[title].add(page.removesuffix(".md") + ".html")
        rules = re.findall(
            r"^\| `([\w-]+)` \|", (ROOT / "docs" / "reports.md").read_text(encoding="utf-8"), re.MULTILINE
        )
        for rule in rules:
            want[rule].add(f"docs/reports.html#{rule}")
        names = [name for name in want if re.fullmatch(r"[\w-]+", name)]
        self.assertGreater(len(names), 500)
        command = ["node", Path(__file__).with_name("site_search.js"), site, *names]
        done = subprocess.run(command, capture_output=True, text=True, check=True)
        found = [json.loads(line) for line in done.stdout.splitlines()]
        first = {name: (pages_ or [[""]])[0][0] for name, pages_ in zip(names, found, strict=True)}
        self.assertEqual({name: first[name] for name in asked}, asked)
        late = [name for name in names if first[name] not in want[name]]
        self.assertLessEqual(len(late), 3, late)  # words of many texts, such as "Or"


if __name__ == "__main__":
    sys.exit(unittest.main())
