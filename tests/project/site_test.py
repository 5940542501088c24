#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The pages' links and anchors lead somewhere and every page is in the navigation; where the generator is installed
(`make docs` installs it), the site builds without a warning and its links are checked, too."""

import importlib.util
import os
import sys
import tempfile
import unittest
from pathlib import Path
from unittest import mock

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "tools" / "docs"))
import build  # noqa: E402
import check_site  # noqa: E402
import cpp_reference  # noqa: E402
import pages  # noqa: E402


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
        text = "# A `b` c\n[x](#a-b-c) [y](#nothing)\n[z](none1.md)\n`[code](c.md)` <!-- [hidden](h.md) -->\n```\n[f](f.md)\n```\n"
        text += "text\n- item\n  - inner\n"
        with tempfile.TemporaryDirectory() as name:
            folder = Path(name)
            (folder / "docs").mkdir()
            (folder / "docs" / "page1.md").write_text(text)
            with mock.patch.object(pages, "ROOT", folder):
                self.assertEqual(
                    pages.check_links()[0],
                    [
                        "docs/page1.md:2: (#nothing): docs/page1.md has no heading #nothing",
                        "docs/page1.md:3: (none1.md): there is no docs/none1.md in the repository",
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
                self.assertRegex(heading, r"^### \w[\w<]*(, (\w+|\.\.\.))*$", path)


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


if __name__ == "__main__":
    sys.exit(unittest.main())
