// SPDX-License-Identifier: Apache-2.0
// The documented results for the ends of ranges, zeros, inf and NaN (docs/spec/reg_edge_values.tsv): Cast, ExpSub,
// MulsCast and Arange. Rows with a note are read otherwise; so are those of kOtherwise, each for the reason given.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <fstream>
#include <map>
#include <set>
#include <sstream>
#include <string>
#include <vector>

#include "exec/registers/conversions.h"
#include "exec/registers/register_fixture.h"
#include "numeric/format_values.h"

namespace sfumato::exec {
namespace {

using enum DataType;
using format_values::ValueOf;

// op, types, in0, in1 as the pages have them.
const std::set<std::string> kOtherwise = {
    "Cast s32/f32 MAX 65535",  // of s32/u16: another row says 2147483647
    "Cast e4m3/f32 inf inf",   // e4m3 has no inf
    "Cast e4m3/f32 -inf -inf",
    "Cast e8m0/bf16 MIN 1.57772e-30",  // 2^-99; the least e8m0 is 2^-127
    "ExpSub f16/f32 -inf -inf 0.0",    // -inf - -inf is NaN; the same row of f32 is marked
    "MulsCast f32/f16 inf -inf inf",   // the line of ExpSub: inf times these is -inf or NaN, as the line of -inf has it
    "MulsCast f32/f16 inf MIN inf",   "MulsCast f32/f16 inf 0.0 inf",
    "MulsCast f32/f16 inf -0.0 inf",  "MulsCast f32/f16 inf inf nan",
};

struct ConversionEdge {
    std::string op, types, in0, in1, keeps, saturates, note;
};
std::vector<ConversionEdge> RowsOf(const std::string& op) {
    std::ifstream file(SFUMATO_EDGE_VALUES);
    std::vector<ConversionEdge> rows;
    for (std::string line; std::getline(file, line);) {
        std::vector<std::string> cell;
        std::stringstream cells(line);
        for (std::string c; std::getline(cells, c, '\t');) cell.push_back(c);
        if (cell.size() == 8 && cell[0] == op)
            rows.push_back({cell[0], cell[2], cell[3], cell[4], cell[5], cell[6], cell[7]});
    }
    return rows;
}

std::vector<std::string> PartsOf(const std::string& text, char by) {
    std::vector<std::string> parts;
    std::stringstream stream(text);
    for (std::string s; std::getline(stream, s, by);) {
        const size_t first = s.find_first_not_of(' ');
        if (first != std::string::npos) parts.push_back(s.substr(first));
    }
    return parts;
}

// The pages' spellings of one operand.
std::string Plain(std::string s) {
    std::transform(s.begin(), s.end(), s.begin(), ::toupper);
    if (s == "0") return "0.0";
    if (s == "-0") return "-0.0";
    if (s == "MAX" || s == "MIN") return s;
    std::transform(s.begin(), s.end(), s.begin(), ::tolower);
    return s;
}

DataType TypeOf(const std::string& name) {
    static const std::map<std::string, DataType> types = {
        {"s4", kInt4},      {"s8", kInt8},       {"u8", kUint8},     {"s16", kInt16},
        {"u16", kUint16},   {"s32", kInt32},     {"u32", kUint32},   {"s64", kInt64},
        {"f16", kHalf},     {"bf16", kBfloat16}, {"f32", kFloat},    {"e4m3", kFp8E4m3},
        {"e5m2", kFp8E5m2}, {"e8m0", kFp8E8m0},  {"e2m1", kFp4E2m1}, {"e1m2", kFp4E1m2}};
    return types.at(name);
}
bool IsWhole(DataType t) { return t < kCount && !IsFloating(t); }

uint64_t BitsFor(DataType t, const std::string& name) {
    const uint64_t ones = ~uint64_t{0} >> (64 - BitsOf(t));
    const bool is_unsigned = t == kUint8 || t == kUint16 || t == kUint32;
    if (IsWhole(t)) {
        if (name == "MAX") return is_unsigned ? ones : ones >> 1;
        if (name == "MIN") return is_unsigned ? 0 : (ones >> 1) + 1;
        return static_cast<uint64_t>(std::stoll(name)) & ones;
    }
    const uint64_t sign = ones / 2 + 1;
    if (t == kFp8E8m0) return name == "MIN" ? 0 : name == "nan" ? 0xFF : 0xFE;
    if (name == "nan") return ones >> 1;
    const uint64_t magnitude = name == "0.0" || name == "-0.0"   ? 0
                               : name == "inf" || name == "-inf" ? (t == kHalf       ? 0x7C00
                                                                    : t == kFloat    ? 0x7F800000
                                                                    : t == kBfloat16 ? 0x7F80
                                                                                     : 0x7C)
                               : BitsOf(t) == 4                  ? 7
                               : t == kFp8E4m3                   ? 0x7E
                               : t == kFp8E5m2                   ? 0x7B
                               : t == kHalf                      ? 0x7BFF
                               : t == kBfloat16                  ? 0x7F7F
                                                                 : 0x7F7FFFFF;
    return magnitude | (name == "MIN" || name[0] == '-' ? sign : 0);
}

double NumberOf(DataType t, uint64_t bits) {
    return t == kInt64 ? static_cast<double>(static_cast<int64_t>(bits)) : ValueOf(t, bits);
}

// Whether a result is what the page prints: numbers to its digits, MIN and MAX of the result's type or the source's.
bool Prints(DataType to, uint64_t bits, const std::string& printed, DataType from) {
    const double v = NumberOf(to, bits);
    if (printed == "nan") return std::isnan(v);
    if (printed == "inf" || printed == "-inf") return v == (printed == "inf" ? 1 : -1) * format_values::kInfinity;
    const auto close = [v](double x) { return std::fabs(v - x) <= std::fabs(x) * 2e-3; };
    if (printed == "MIN" || printed == "MAX") {
        return close(NumberOf(to, BitsFor(to, printed))) || close(NumberOf(from, BitsFor(from, printed)));
    }
    const double x = std::stod(printed);
    if (x != 0) return close(x);
    if (to == kFp8E8m0) return bits == 0;
    return v == 0 && (IsWhole(to) || std::signbit(v) == std::signbit(x));
}

struct Tally {
    int equal = 0, otherwise = 0, noted = 0;
};

void CheckEdge(const RegisterCall& call, const ConversionEdge& row, const std::string& what, Tally* tally) {
    if (row.note != "-") {
        ++tally->noted;
        return;
    }
    if (kOtherwise.contains(what + " " + row.keeps)) {
        ++tally->otherwise;
        return;
    }
    for (const bool saturates : {false, true}) {
        const std::string& printed = saturates ? row.saturates : row.keeps;
        if (printed == "-") continue;
        RunCall(call, {.ieee = !saturates, .low_bits = !saturates});
        uint64_t bits = 0;
        std::memcpy(&bits, call.dst->bytes.data(), 8);
        bits &= ~uint64_t{0} >> (64 - BitsOf(call.to));
        EXPECT_TRUE(Prints(call.to, bits, printed, call.type))
            << what << ", saturates " << saturates << ": " << std::hex << bits << ", not " << printed;
        ++tally->equal;
    }
}

TEST(RegisterEdges, Cast) {
    Tally tally;
    for (const ConversionEdge& row : RowsOf("Cast")) {
        for (const std::string& pair : PartsOf(row.types, ',')) {
            const std::vector<std::string> types = PartsOf(pair, '/');
            const DataType from = TypeOf(types[0]), to = TypeOf(types[1]);
            ASSERT_TRUE(CastsRegisters(from, to)) << pair;
            RegisterPair src, dst;
            src.Set(BitsOf(from), 0, BitsFor(from, row.in0));
            CheckEdge({.op = RegisterOp::kCast, .type = from, .to = to, .dst = dst.data(), .src0 = src.data()}, row,
                      "Cast " + pair + " " + row.in0, &tally);
        }
    }
    EXPECT_EQ(tally.equal, 343);
    EXPECT_EQ(tally.otherwise, 4);
    EXPECT_EQ(tally.noted, 3);
}

void CheckPairs(RegisterOp op, const std::string& name, Tally* tally) {
    for (const ConversionEdge& row : RowsOf(name)) {
        const std::vector<std::string> types = PartsOf(row.types, '/');
        const DataType from = TypeOf(types[0]), to = TypeOf(types.back());
        for (const std::string& x : PartsOf(row.in0, '/')) {
            for (const std::string& y : PartsOf(row.in1, '/')) {
                RegisterPair a, b, dst;
                a.Set(BitsOf(from), 0, BitsFor(from, Plain(x)));
                const uint64_t second = BitsFor(from, Plain(y));
                b.Set(BitsOf(from), 0, second);
                const bool scalar = op == RegisterOp::kMulsCast;
                CheckEdge({.op = op,
                           .type = from,
                           .to = to,
                           .dst = dst.data(),
                           .src0 = a.data(),
                           .src1 = scalar ? nullptr : b.data(),
                           .scalar = second},
                          row, name + " " + row.types + " " + Plain(x) + " " + Plain(y), tally);
            }
        }
    }
}

TEST(RegisterEdges, ExpSub) {
    Tally tally;
    CheckPairs(RegisterOp::kExpSub, "ExpSub", &tally);
    EXPECT_EQ(tally.equal, 170);
    EXPECT_EQ(tally.otherwise, 1);
    EXPECT_EQ(tally.noted, 12);
}

TEST(RegisterEdges, MulsCast) {
    Tally tally;
    CheckPairs(RegisterOp::kMulsCast, "MulsCast", &tally);
    EXPECT_EQ(tally.equal, 80);
    EXPECT_EQ(tally.otherwise, 5);
    EXPECT_EQ(tally.noted, 0);
}

// "0~127", "16 x 65504, rest inf", "127, -128~126", or one value of all lanes.
std::vector<std::string> LanesOfText(const std::string& text, uint32_t lanes) {
    std::vector<std::string> values;
    const std::vector<std::string> parts = PartsOf(text, ',');
    for (const std::string& part : parts) {
        const size_t run = part.find(" x "), range = part.find('~');
        if (run != std::string::npos) {
            values.insert(values.end(), std::stoul(part), part.substr(run + 3));
        } else if (range != std::string::npos) {
            for (int64_t v = std::stoll(part); v <= std::stoll(part.substr(range + 1)); ++v)
                values.push_back(std::to_string(v));
        } else if (part.starts_with("rest ") || parts.size() == 1) {
            values.resize(lanes, part.substr(part.starts_with("rest ") ? 5 : 0));
        } else {
            values.push_back(part);
        }
    }
    return values;
}

TEST(RegisterEdges, Arange) {
    int checked = 0;
    for (const ConversionEdge& row : RowsOf("Arange")) {
        const DataType type = TypeOf(row.types);
        const uint32_t lanes = 2048 / BitsOf(type);
        for (const std::string& start :
             row.in0 == "0/-0" ? std::vector<std::string>{"0.0", "-0.0"} : std::vector{row.in0}) {
            for (const bool saturates : {false, true}) {
                const std::vector<std::string> values = LanesOfText(saturates ? row.saturates : row.keeps, lanes);
                ASSERT_EQ(values.size(), lanes) << row.types << " " << row.in0;
                RegisterPair dst;
                RunCall({.op = RegisterOp::kArange,
                         .type = type,
                         .to = type,
                         .dst = dst.data(),
                         .scalar = BitsFor(type, start)},
                        {.ieee = !saturates});
                for (uint32_t i = 0; i < lanes; ++i) {
                    const uint64_t bits = dst.Get(BitsOf(type), i);
                    const double v = NumberOf(type, bits);
                    const bool number = values[i].find_first_of("0123456789") != std::string::npos;
                    const bool same = number ? v == std::stod(values[i]) : Prints(type, bits, values[i], type);
                    EXPECT_TRUE(same) << row.types << " " << start << " lane " << i << ": " << v << ", not "
                                      << values[i];
                    ++checked;
                }
            }
        }
    }
    EXPECT_EQ(checked, 4480);
}

}  // namespace
}  // namespace sfumato::exec
