#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The Chinese pages have the headings, the code, the commands, numbers and links of the English ones, and the words of the
glossary; `--update` copies the code."""

import re
import sys
import unittest
from collections import Counter
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
sys.path.append(str(ROOT / "tests" / "support"))
import snippets  # noqa: E402

PAGES = {ROOT / "README.zh.md": ROOT / "README.md"}
PAGES |= {page: ROOT / "docs" / page.name for page in (ROOT / "docs" / "zh").glob("*.md")}

CODE = re.compile(r"^```.*?^```$", re.DOTALL | re.MULTILINE)
HEADING = re.compile(r"^(#+) (.*)$", re.MULTILINE)
LINK = re.compile(r"\]\([^)]*\)")
WORDS = re.compile(r"^## The Chinese pages\n.*?\n\|---\|---\|---\|\n(.*?)(?:\n\n|\Z)", re.DOTALL | re.MULTILINE)


def words():
    """Rows of the glossary's table: English, Chinese, and what is not written instead."""
    table = WORDS.search((ROOT / "docs" / "glossary.md").read_text(encoding="utf-8"))[1]
    for line in table.strip().splitlines():
        english, chinese, others = (cell.strip() for cell in line.strip("|").split("|"))
        yield english.split(", "), chinese, [word for word in others.split("、") if word != "-"]


def headings(text):
    return HEADING.findall(CODE.sub("", text))


def prose(text):
    return LINK.sub("]", re.sub(r"`[^`\n]*`", "", CODE.sub("", text)))


def sections(text):
    """What each section tells in any language: code in its sentences, pages it leads to, numbers, rows and items."""
    text = re.sub(r"<!-- (\w+): begin.*?\1: end -->", "", CODE.sub("", text), flags=re.DOTALL)  # what programs write
    for section in re.split(r"^#+ ", text, flags=re.MULTILINE):
        code = Counter(" ".join(span.split()) for span in re.findall(r"`([^`]+)`", section))
        pages = {
            Path(link.split("#")[0]).name.replace(".zh.md", ".md") for link in re.findall(r"\]\(([^)]*)\)", section)
        }
        numbers = Counter(re.findall(r"(?<![\w.])\d+(?:,\d{3})*(?:\.\d+)?(?!\w)", prose(section)))
        lines = [len(re.findall(rf"^{start}", section, re.MULTILINE)) for start in (r"\|", "- ")]
        yield section.partition("\n")[0], code, pages, numbers, lines


class Chinese(unittest.TestCase):
    maxDiff = None

    def each(self):
        self.assertGreater(len(PAGES), 2)
        for page, original in PAGES.items():
            yield page.read_text(encoding="utf-8"), original.read_text(encoding="utf-8")

    def test_headings_are_those_of_the_english_page(self):
        for chinese, english in self.each():
            self.assertEqual([level for level, _ in headings(chinese)], [level for level, _ in headings(english)])

    def test_code_is_that_of_the_english_page(self):
        for chinese, english in self.each():
            self.assertEqual(CODE.findall(chinese), CODE.findall(english), "run chinese_test.py --update")
            # Each block is the file that the English page says it is.
            self.assertEqual(*(snippets.blocks(snippets.rendered(text)) for text in (chinese, english)))

    def test_sections_tell_what_those_of_the_english_page_tell(self):
        for chinese, english in self.each():
            for here, there in zip(sections(chinese), sections(english), strict=True):
                with self.subTest(section=there[0]):
                    self.assertEqual(here[1], there[1])
                    self.assertLessEqual(there[2] - {"README.md"}, here[2])  # the two READMEs lead to each other
                    self.assertEqual(here[3:], there[3:])

    def test_headings_use_the_words_of_the_glossary(self):
        for chinese, english in self.each():
            for (_, here), (_, there) in zip(headings(chinese), headings(english), strict=True):
                for terms, word, _ in words():
                    if any(re.search(rf"\b{re.escape(term)}\b", there, re.IGNORECASE) for term in terms):
                        self.assertIn(word, here, there)

    def test_words_are_those_of_the_glossary(self):
        text = "".join(prose(chinese) for chinese, _ in self.each())
        for _, word, others in words():
            self.assertIn(word, text)
            for other in others:
                self.assertNotIn(other, text.replace(word, ""), f"the glossary has {word}")


def with_code(chinese, english):
    blocks = iter(CODE.findall(english))
    return CODE.sub(lambda match: next(blocks, match[0]), chinese)


if __name__ == "__main__":
    if "--update" in sys.argv:
        for page, original in PAGES.items():
            page.write_text(
                with_code(page.read_text(encoding="utf-8"), original.read_text(encoding="utf-8")), encoding="utf-8"
            )
    else:
        sys.exit(unittest.main())
