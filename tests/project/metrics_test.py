#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""tools/metrics.py counts what it says, in texts written for it. Standard library only."""

import sys
import tempfile
import unittest
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
sys.path.append(str(ROOT / "tools"))
import metrics  # noqa: E402

FUNCTIONS = """\
// int Not() {
#define MACRO(x) { x; }
namespace a {
struct S : T<int> {
    S(int a, int b) : a_{a},
          b_(b) {
        use("}");
    }
    bool operator==(const S&) const = default;
    int a_ = 1, b_{2};
};
const int kTable[] = {
    1, 2};
const auto kCalls = Rows({{1, [](int x) { return x; }}});
template <class T>
    requires(sizeof(T) > 1)
auto F(T x = {}) -> std::vector<T> {
    if (x) {
        return {x};
    }
    return {};
}
TEST(Suite, Case) {
    EXPECT_TRUE(true);
}
}  // namespace a
"""
BLOCK = [f"value_{i} = call(first, {i}) + other_{i}[{i}];{' more();' * i}" for i in range(metrics.BLOCK)]


class Metrics(unittest.TestCase):
    def test_functions_of_cpp(self):
        self.assertEqual([(5, 4), (15, 8), (23, 3)], metrics.cpp_functions(FUNCTIONS))

    def test_functions_of_python(self):
        text = "class A:\n    def f(self):\n        def g():\n            pass\n        return g\n"
        self.assertEqual([(2, 4), (3, 2)], metrics.python_functions(text))

    def test_pairs(self):
        text = "\n".join(BLOCK)
        other = text.replace("first", "second")
        files = {name: metrics.shapes(Path(name), words) for name, words in
                 {"a.cpp": text, "b.cpp": f"int here;\n// no line\n{text}", "c.cpp": other, "d.cpp": text[:-90]}.items()}  # fmt: skip
        self.assertEqual([("a.cpp:1", "b.cpp:3")], metrics.pairs(files, 1, 1))
        self.assertEqual([("a.cpp:1", "b.cpp:3"), ("b.cpp:3", "c.cpp:1")], metrics.pairs(files, 2, metrics.KINDS))

    def test_rows_of_a_table_are_no_pair(self):
        rows = "\n".join(f"row({i}, word_{i});" for i in range(20))
        self.assertEqual([], metrics.pairs({"a.cpp": metrics.shapes(Path("a.cpp"), rows)}, 2, metrics.KINDS))

    def test_cycles(self):
        self.assertEqual([["a", "b", "c"]], metrics.circles({"a": {"b"}, "b": {"c"}, "c": {"a", "d"}, "d": set()}))
        with tempfile.TemporaryDirectory() as folder:
            package = Path(folder, "python", "sfumato")
            package.mkdir(parents=True)
            texts = {
                "__init__": "from . import one\n",
                "one": "def f():\n    from .two import g\n",
                "two": "from .one import f\n",
            }
            for name, text in texts.items():
                (package / f"{name}.py").write_text(text, encoding="utf-8")
            names = [f"python/sfumato/{name}.py" for name in texts]
            found = [metrics.circles(metrics.import_arrows(Path(folder), names, lazy)) for lazy in (False, True)]
        self.assertEqual([[], [["sfumato.one", "sfumato.two"]]], found)

    def test_rooms(self):
        self.assertEqual("src/check", metrics.room("src/check/mask.cpp"))
        self.assertEqual("tests", metrics.room("tests/check/rules_test.cpp"))
        self.assertTrue(metrics.GENERATED.search("docs/instructions/Add.md"))


if __name__ == "__main__":
    sys.exit(unittest.main())
