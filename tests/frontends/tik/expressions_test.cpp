// SPDX-License-Identifier: Apache-2.0
// Typing of expressions and what the scalar unit computes (tik.md 3.10).
#include "script.h"

namespace sfumato::tik {
namespace {

constexpr const char* kTypes[] = {"int8",  "uint8",  "int16", "uint16", "int32",
                                  "uint32", "int64", "uint64", "float16", "float32"};

int Bits(const std::string& type) {
    const std::string digits = type.substr(type.find_first_of("0123456789"));
    return std::stoi(digits);
}
bool Floats(const std::string& type) { return type[0] == 'f'; }

TEST(TikTyping, EveryPairOfTypes) {
    for (const std::string a : kTypes) {
        for (const std::string b : kTypes) {
            Script s;
            const ExprId sum = s.Binary("+", s.Var(s.NewScalar(a.c_str())), s.Var(s.NewScalar(b.c_str())));
            const std::string expected = Floats(a) != Floats(b)  ? (Floats(a) ? a : b)
                                         : Bits(a) != Bits(b)    ? (Bits(a) > Bits(b) ? a : b)
                                         : a[0] == 'i'           ? b
                                                                 : a;
            EXPECT_EQ(s.program.TypeOf(sum), expected) << a << " + " << b;
        }
    }
}

TEST(TikTyping, NumbersTakeTheTypeOfTheOtherSide) {
    for (const std::string type : kTypes) {
        Script s;
        const ExprId scalar = s.Var(s.NewScalar(type.c_str()));
        EXPECT_EQ(s.program.TypeOf(s.Binary("+", scalar, s.Imm(int64_t{1}))), type);
        EXPECT_EQ(s.program.TypeOf(s.Binary("*", s.Imm(2.0), scalar)), type);
        EXPECT_EQ(s.program.TypeOf(s.Binary("*", scalar, s.Imm(2.5))), Floats(type) ? type : "float32");
    }
}

TEST(TikTyping, TypesOfNumbers) {
    Script s;
    EXPECT_EQ(s.program.TypeOf(s.Imm(int64_t{INT32_MAX})), "int32");
    EXPECT_EQ(s.program.TypeOf(s.Imm(int64_t{INT32_MAX} + 1)), "int64");
    EXPECT_EQ(s.program.TypeOf(s.program.Immediate(UINT64_MAX, s.where)), "uint64");
    EXPECT_EQ(s.program.TypeOf(s.Imm(0.5)), "float32");
    EXPECT_EQ(s.program.TypeOf(s.Typed(int64_t{70000}, "float16")), "float16");
    Number n;
    ASSERT_TRUE(s.program.Constant(s.Typed(int64_t{70000}, "float16"), &n));
    EXPECT_EQ(std::get<double>(n), 65504);
}

TEST(TikTyping, ComparisonsGiveConditions) {
    Script s;
    const ExprId a = s.Var(s.NewScalar("int64"));
    const ExprId less = s.Binary("<", a, s.Imm(int64_t{3}));
    EXPECT_EQ(s.program.TypeOf(less), "bool");
    EXPECT_EQ(s.program.TypeOf(s.Binary("and", less, less)), "bool");
    EXPECT_EQ(s.program.TypeOf(s.program.Unary("not", less, s.where)), "bool");
}

TEST(TikTyping, Refused) {
    Script s;
    s.At(7);
    const ExprId half = s.Var(s.NewScalar("float16")), word = s.Var(s.NewScalar("uint32"));
    const ExprId brain = s.Var(s.NewScalar("bfloat16")), real = s.Var(s.NewScalar("float32"));
    const Report compare = RefusedBy([&] { s.Binary("<", half, half); });
    EXPECT_EQ(compare.rule, "expr-type");
    EXPECT_EQ(compare.line, 7u);
    EXPECT_EQ(compare.file, "script.py");
    EXPECT_EQ(RefusedBy([&] { s.Binary("==", s.Imm(1.0), half); }).rule, "expr-type");
    EXPECT_EQ(RefusedBy([&] { s.Binary("+", brain, brain); }).rule, "expr-type");
    EXPECT_EQ(RefusedBy([&] { s.Binary("%", real, real); }).rule, "expr-type");
    EXPECT_EQ(RefusedBy([&] { s.Binary("<<", real, s.Imm(int64_t{1})); }).rule, "expr-type");
    EXPECT_EQ(RefusedBy([&] { s.program.Unary("neg", word, s.where); }).rule, "expr-type");
    EXPECT_EQ(RefusedBy([&] { s.program.Unary("~", real, s.where); }).rule, "expr-type");
    EXPECT_EQ(RefusedBy([&] { s.Binary("//", word, s.Imm(int64_t{0})); }).rule, "division-by-zero");
    EXPECT_EQ(s.program.TypeOf(s.Binary("<", real, real)), "bool");
    Script old("Ascend310");
    const ExprId f = old.Var(old.NewScalar("float32"));
    EXPECT_EQ(RefusedBy([&] { old.Binary("<", f, f); }).rule, "expr-type");
}

// The same operation folded, and computed from scalars by a running kernel.
void ExpectValue(const char* op, const char* a_type, Number a, const char* b_type, Number b, const char* type,
                 int64_t expected) {
    const std::string what = std::string(a_type) + " " + op + " " + b_type;
    Script folded;
    Number n;
    ASSERT_TRUE(folded.program.Constant(folded.Binary(op, folded.Typed(a, a_type), folded.Typed(b, b_type)), &n)) << what;
    EXPECT_EQ(std::holds_alternative<uint64_t>(n) ? static_cast<int64_t>(std::get<uint64_t>(n)) : std::get<int64_t>(n),
              expected)
        << what;
    Script run;
    const ExprId x = run.Var(run.NewScalar(a_type, run.Typed(a, a_type)));
    const ExprId y = run.Var(run.NewScalar(b_type, run.Typed(b, b_type)));
    const ExprId result = run.Binary(op, x, y);
    EXPECT_EQ(run.program.TypeOf(result), type) << what;
    EXPECT_EQ(Evaluate<int64_t>(run, result, "int64"), expected) << what;
}

TEST(TikArithmetic, AsCompiledC) {
    const auto n = [](int64_t v) { return Number(v); };
    ExpectValue("//", "int32", n(-7), "int32", n(2), "int32", -3);
    ExpectValue("/", "int32", n(-7), "int32", n(2), "int32", -3);
    ExpectValue("%", "int32", n(-7), "int32", n(2), "int32", -1);
    ExpectValue("%", "int32", n(7), "int32", n(-2), "int32", 1);
    ExpectValue("//", "int32", n(INT32_MIN), "int32", n(-1), "int32", INT32_MIN);
    ExpectValue("+", "int32", n(INT32_MAX), "int32", n(1), "int32", INT32_MIN);
    ExpectValue("*", "int16", n(300), "int16", n(300), "int16", static_cast<int16_t>(90000));
    ExpectValue("-", "uint8", n(3), "uint8", n(5), "uint8", 254);
    ExpectValue("+", "int32", n(-1), "uint32", n(0), "uint32", 0xFFFFFFFF);
    ExpectValue("<<", "int32", n(3), "int32", n(30), "int32", static_cast<int32_t>(3u << 30));
    ExpectValue(">>", "int32", n(-9), "int32", n(1), "int32", -5);
    ExpectValue(">>", "uint32", n(0xFFFFFFF0), "uint32", n(4), "uint32", 0xFFFFFFF);
    ExpectValue("&", "int64", n(0xFF), "int32", n(-16), "int64", 0xF0);
    ExpectValue("|", "uint16", n(0x0F), "uint16", n(0xF0), "uint16", 0xFF);
    ExpectValue("^", "uint16", n(0x0F), "uint16", n(0xFF), "uint16", 0xF0);
    ExpectValue("min", "int32", n(-4), "int32", n(3), "int32", -4);
    ExpectValue("max", "uint32", n(-4), "uint32", n(3), "uint32", 0xFFFFFFFC);
    ExpectValue("<", "uint32", n(-4), "uint32", n(3), "bool", 0);
    ExpectValue("<", "int32", n(-4), "int32", n(3), "bool", 1);
    ExpectValue(">=", "int64", n(3), "int64", n(3), "bool", 1);
}

TEST(TikArithmetic, FloatsRoundToTheirType) {
    Script s;
    const ExprId a = s.Var(s.NewScalar("float16", s.Imm(2048.0)));
    const ExprId sum = s.Binary("+", a, s.Imm(1.0));  // 2049 is a tie in half: 2048
    EXPECT_EQ(static_cast<float>(half::FromBits(Evaluate<uint16_t>(s, sum, "float16"))), 2048.0f);
    Script t;
    const ExprId third = t.Binary("/", t.Var(t.NewScalar("float32", t.Imm(1.0))), t.Imm(3.0));
    EXPECT_EQ(Evaluate<float>(t, third, "float32"), 1.0f / 3.0f);
}

TEST(TikArithmetic, IntegerWithFractionIsFloat) {
    Script s;
    const ExprId e = s.Binary("*", s.Var(s.NewScalar("int32", s.Imm(int64_t{5}))), s.Imm(0.5));
    EXPECT_EQ(s.program.TypeOf(e), "float32");
    EXPECT_EQ(Evaluate<float>(s, e, "float32"), 2.5f);
}

TEST(TikArithmetic, ReinterpretKeepsTheBits) {
    Script s;
    const ExprId e = s.program.Reinterpret(s.Var(s.NewScalar("float32", s.Imm(1.0))), "int32", s.where);
    EXPECT_EQ(Evaluate<int32_t>(s, e, "int32"), 0x3F800000);
}

TEST(TikScalars, StoringConvertsIntegersOnly) {
    Script s;
    const ScalarId byte = s.NewScalar("uint8"), half = s.NewScalar("float16");
    s.program.SetScalar(byte, s.Var(s.NewScalar("int64", s.Imm(int64_t{300}))), s.where);
    EXPECT_EQ(RefusedBy([&] { s.program.SetScalar(half, s.Var(byte), s.where); }).rule, "scalar-type");
    EXPECT_EQ(RefusedBy([&] { s.program.SetScalar(byte, s.Imm(1.5), s.where); }).rule, "scalar-type");
    EXPECT_EQ(RefusedBy([&] { s.program.SetScalar(half, s.Var(s.NewScalar("float32")), s.where); }).rule,
              "scalar-type");
    EXPECT_EQ(Evaluate<uint8_t>(s, s.Var(byte), "uint8"), 44);
}

TEST(TikScalars, ConversionsOfTheScalarUnit) {
    const struct {
        const char *mode, *from, *to;
        double value, expected;
    } cases[] = {{"round", "float32", "int32", 2.5, 2},   {"floor", "float32", "int32", -2.5, -3},
                 {"ceil", "float32", "int32", -2.5, -2},  {"away-zero", "float32", "int32", -2.5, -3},
                 {"to-zero", "float32", "int32", -2.5, -2}, {"none", "int32", "float32", 7, 7},
                 {"", "float32", "float16", 2049, 2048},  {"odd", "float32", "float16", 2049, 2050},
                 {"none", "float16", "float32", 0.5, 0.5}};
    for (const auto& c : cases) {
        Script s;
        const ScalarId src = s.NewScalar(c.from, std::string(c.from) == "int32"
                                                     ? s.Imm(static_cast<int64_t>(c.value)) : s.Imm(c.value));
        const ScalarId dst = s.NewScalar(c.to);
        s.program.Call("scalar_conv", {}, {{"round_mode", std::string(c.mode)}, {"dst", s.Var(dst)}, {"src", s.Var(src)}},
                       s.where);
        const std::string to = c.to;
        const double got = to == "int32"     ? Evaluate<int32_t>(s, s.Var(dst), c.to)
                           : to == "float32" ? Evaluate<float>(s, s.Var(dst), c.to)
                                             : static_cast<float>(half::FromBits(Evaluate<uint16_t>(s, s.Var(dst), c.to)));
        EXPECT_EQ(got, c.expected) << c.from << " to " << c.to << " " << c.mode;
    }
    Script s;
    const ScalarId a = s.NewScalar("float16"), b = s.NewScalar("int32");
    EXPECT_EQ(RefusedBy([&] {
                  s.program.Call("scalar_conv", {},
                                 {{"round_mode", std::string("round")}, {"dst", s.Var(b)}, {"src", s.Var(a)}}, s.where);
              }).rule,
              "conversion-unsupported");
}

TEST(TikScalars, CallsOfTheScalarUnit) {
    const auto call = [](const char* name, const char* type, std::vector<int64_t> sources) {
        Script s;
        const ScalarId dst = s.NewScalar(type);
        Params params{{"dst", s.Var(dst)}};
        const char* names[] = {sources.size() == 2 ? "src0" : "src", "src1"};
        for (size_t i = 0; i < sources.size(); ++i) {
            params.emplace_back(names[i], s.Var(s.NewScalar(type, s.Imm(sources[i]))));
        }
        s.program.Call(name, {}, params, s.where);
        return Evaluate<int64_t>(s, s.Var(dst), type);
    };
    EXPECT_EQ(call("scalar_max", "int64", {-3, 5}), 5);
    EXPECT_EQ(call("scalar_min", "int64", {-3, 5}), -3);
    EXPECT_EQ(call("scalar_abs", "int64", {-3}), 3);
    EXPECT_EQ(call("scalar_sqrt", "int64", {99}), 9);
    EXPECT_EQ(call("scalar_countbit0", "uint64", {7}), 61);
    EXPECT_EQ(call("scalar_countbit1", "uint64", {7}), 3);
    EXPECT_EQ(call("scalar_countleading0", "uint64", {7}), 61);
}

TEST(TikScalars, ArraysHoldElements) {
    Script s;
    const ScalarId array = s.program.ScalarArray("int32", 4, "a", s.where);
    const ScalarId i = s.For(s.Imm(int64_t{0}), s.Imm(int64_t{4}));
    s.program.SetElement(array, s.Var(i), s.Binary("*", s.Var(i), s.Var(i)), s.where);
    s.End();
    const ExprId third = s.program.Element(array, s.Imm(int64_t{3}), s.where);
    EXPECT_EQ(RefusedBy([&] { s.program.Element(array, s.Imm(int64_t{4}), s.where); }).rule, "scalar-index");
    EXPECT_EQ(Evaluate<int32_t>(s, third, "int32"), 9);
}

}  // namespace
}  // namespace sfumato::tik
