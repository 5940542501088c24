// SPDX-License-Identifier: Apache-2.0
// The results that pages print for the ends of types, zeros, infinities and NaN (docs/spec/reg_edge_values.tsv), of
// operations element by element and over lanes. Where ours are others, the list below says so.
#include <gtest/gtest.h>

#include <cstdlib>
#include <fstream>
#include <map>
#include <set>
#include <sstream>

#include "exec/registers/lane_oracle.h"
#include "exec/registers/register_fixture.h"

namespace sfumato::exec {
namespace {

using enum DataType;

struct EdgeOp {
    RegisterOp op;
    bool scalar = false;
};
const std::map<std::string, EdgeOp> kOps{
    {"Abs", {RegisterOp::kAbs}},
    {"AbsSub", {RegisterOp::kAbsSub}},
    {"Add", {RegisterOp::kAdd}},
    {"AddC", {RegisterOp::kAddCarry}},
    {"Adds", {RegisterOp::kAdd, true}},
    {"Axpy", {RegisterOp::kAxpy, true}},
    {"Compare", {RegisterOp::kCompare}},
    {"Compares", {RegisterOp::kCompare, true}},
    {"Div", {RegisterOp::kDiv}},
    {"Exp", {RegisterOp::kExp}},
    {"LeakyRelu", {RegisterOp::kPrelu, true}},
    {"Ln", {RegisterOp::kLn}},
    {"Log", {RegisterOp::kLn}},
    {"Log10", {RegisterOp::kLog10}},
    {"Log2", {RegisterOp::kLog2}},
    {"Max", {RegisterOp::kMax}},
    {"Maxs", {RegisterOp::kMax, true}},
    {"Min", {RegisterOp::kMin}},
    {"Mins", {RegisterOp::kMin, true}},
    {"Mul", {RegisterOp::kMul}},
    {"MulAddDst", {RegisterOp::kMulAddDst}},
    {"MulDstAdd", {RegisterOp::kMulDstAdd}},
    {"Mull", {RegisterOp::kMull}},
    {"Muls", {RegisterOp::kMul, true}},
    {"Neg", {RegisterOp::kNeg}},
    {"Prelu", {RegisterOp::kPrelu}},
    {"Relu", {RegisterOp::kRelu}},
    {"Sqrt", {RegisterOp::kSqrt}},
    {"Sub", {RegisterOp::kSub}},
    {"SubC", {RegisterOp::kSubCarry}},
    {"Truncate", {RegisterOp::kTruncate}},
};
const std::map<std::string, RegisterOp> kReductions{
    {"Reduce sum", RegisterOp::kSum},
    {"Reduce max", RegisterOp::kLargest},
    {"Reduce min", RegisterOp::kSmallest},
    {"ReduceDataBlock sum", RegisterOp::kBlockSum},
    {"ReduceDataBlock max", RegisterOp::kBlockLargest},
    {"ReduceDataBlock min", RegisterOp::kBlockSmallest},
    {"PairReduceElem sum", RegisterOp::kPairSum},
};
const std::map<std::string, uint8_t> kModes{{"LT", 0}, {"GT", 1}, {"EQ", 2}, {"LE", 3}, {"GE", 4}, {"NE", 5}};
const std::map<std::string, DataType> kTypes{{"f16", kHalf},  {"f32", kFloat},  {"bf16", kBfloat16}, {"s16", kInt16},
                                             {"s32", kInt32}, {"u32", kUint32}, {"s64", kInt64}};

std::vector<std::string> Split(const std::string& text, const char* at) {
    std::vector<std::string> words;
    for (size_t from = 0; from <= text.size();) {
        const size_t to = std::min(text.find_first_of(at, from), text.size());
        if (to > from) words.push_back(text.substr(from, to - from));
        from = to + 1;
    }
    return words;
}

// Bits of a value as pages print it. Its last digit is rounded; Matches() knows.
uint64_t Parse(DataType t, const std::string& word) {
    const uint64_t sign = lane_oracle::SignOf(t), inf = IsFloating(t) ? lane_oracle::InfOf(t) : 0;
    if (!IsFloating(t)) {
        // A page prints 2^63 for the largest int64.
        return static_cast<uint64_t>(std::strtoll(word.c_str(), nullptr, 10)) & lane_oracle::OnesOf(t);
    }
    if (word == "MAX") return inf - 1;
    if (word == "MIN") return (inf - 1) | sign;
    if (word == "nan" || word == "any") return sign - 1;
    const double v = std::strtod(word.c_str(), nullptr);
    if (std::isinf(v)) return inf | (v < 0 ? sign : 0);
    if (t != kHalf) return lane_oracle::BitsOfFloat(t, static_cast<float>(v));
    const auto fixed = static_cast<lane_oracle::Wide>(std::ldexp(std::fabs(v), 40));
    return lane_oracle::RoundToHalf(std::signbit(v), fixed, 16);
}
bool Matches(DataType t, const std::string& word, uint64_t bits) {
    if (Parse(t, word) == bits) return true;
    // Half a unit of the last digit, where there are digits enough to have been rounded.
    const size_t point = word.find('.'), end = std::min(word.find('E'), word.size());
    if (!IsFloating(t) || point == word.npos || end - point < 3) return false;
    const double exponent = end < word.size() ? std::strtod(word.c_str() + end + 1, nullptr) : 0;
    const double unit = std::pow(10.0, exponent - static_cast<double>(end - point - 1));
    return std::fabs(lane_oracle::FloatOf(t, bits) - std::strtod(word.c_str(), nullptr)) <= 0.5001 * unit;
}
std::string Print(DataType t, uint64_t bits) {
    if (!IsFloating(t)) return std::to_string(static_cast<int64_t>(lane_oracle::IntegerOf(t, bits)));
    const uint64_t inf = lane_oracle::InfOf(t), magnitude = bits & ~lane_oracle::SignOf(t);
    const std::string sign = bits == magnitude ? "" : "-";
    if (magnitude > inf) return "nan";
    if (magnitude == inf - 1) return sign.empty() ? "MAX" : "MIN";
    std::ostringstream out;
    out << lane_oracle::FloatOf(t, bits);
    return out.str();
}

struct EdgeRow {
    std::string op, kind, type, in0, in1, columns[2], note;
};
std::vector<EdgeRow> EdgeRows() {
    std::vector<EdgeRow> rows;
    std::ifstream file(SFUMATO_EDGE_VALUES);
    std::string line;
    std::getline(file, line);
    while (std::getline(file, line)) {
        const auto words = Split(line, "\t");
        EXPECT_EQ(words.size(), 8u) << line;
        rows.push_back({words[0], words[1], words[2], words[3], words[4], {words[5], words[6]}, words[7]});
    }
    return rows;
}

// One register of each operand, full of one value.
struct EdgeCall {
    RegisterPair x, y, dst, high;
    MaskRegister carry, result;
    RegisterCall call;
    RegisterControl control;

    EdgeCall(RegisterOp op, DataType type, bool saturates) {
        call.op = op;
        call.type = call.to = type;
        call.dst = dst.data();
        call.dst1 = high.data();
        call.src0 = x.data();
        call.src1 = y.data();
        call.result = &result;
        control.ieee = !saturates;
        control.clamps = saturates;
    }
    void Fill(RegisterPair& pair, const std::string& word) const {
        for (uint32_t i = 0; i < LanesOf(call.type); ++i) pair.Set(BitsOf(call.type), i, Parse(call.type, word));
    }
    uint64_t Lane(uint32_t i) const { return dst.Get(BitsOf(call.type), i); }
};

// Rows that are not as the page has them: "op type operands: the page's columns; ours", of ours what differs.
class Differences {
public:
    void Check(const EdgeRow& row, DataType t, int column, const std::string& printed, uint64_t bits) {
        ++checked_;
        if (Matches(t, printed, bits)) return;
        const std::string kind = row.kind == "-" ? " " : " " + row.kind + " ";
        const std::string name = row.op + kind + row.type + " " + row.in0 + " | " + row.in1 + ": " + row.columns[0] +
                                 " | " + row.columns[1] + "; ours ";
        Found& found = found_[name];
        found.noted = row.note != "-";
        found.ours[column].insert(Print(t, bits));
    }
    std::set<std::string> Lines() const {
        std::set<std::string> lines;
        for (const auto& [name, found] : found_) {
            std::string line = name;
            for (int column = 0; column < 2; ++column) {
                line += column ? " | " : "";
                for (const std::string& value : found.ours[column]) {
                    line += (value == *found.ours[column].begin() ? "" : ",") + value;
                }
                if (found.ours[column].empty()) line += "-";
            }
            lines.insert(line + (found.noted ? "" : " [no note]"));
        }
        return lines;
    }
    int checked() const { return checked_; }

private:
    struct Found {
        std::set<std::string> ours[2];
        bool noted = false;
    };
    std::map<std::string, Found> found_;
    int checked_ = 0;
};

void CheckElements(const EdgeRow& row, const EdgeOp& op, DataType type, Differences* differences) {
    const bool fused = op.op == RegisterOp::kMulAddDst || op.op == RegisterOp::kMulDstAdd || op.op == RegisterOp::kAxpy;
    const bool compares = op.op == RegisterOp::kCompare;
    std::vector<std::pair<std::string, std::string>> operands;
    for (const std::string& first : Split(row.in0, fused ? "; " : "/")) {
        for (const std::string& second : Split(row.in1, "/")) operands.emplace_back(first, second);
    }
    for (int column = 0; column < 2; ++column) {
        const auto printed = Split(row.columns[column], compares ? "/" : "\t");
        for (size_t i = 0; i < operands.size(); ++i) {
            EdgeCall edge(op.op, type, column == 1);
            const auto& [first, second] = operands[i];
            const auto pair = Split(first, "/");
            const std::string other = fused ? pair.at(1) : second;
            edge.Fill(edge.x, pair[0]);
            edge.Fill(edge.y, other);
            if (fused) edge.Fill(edge.dst, second);
            if (op.scalar) {
                edge.call.src1 = nullptr;
                edge.call.scalar = Parse(type, other);
            }
            if (compares) edge.call.mode = kModes.at(row.kind);
            if (op.op == RegisterOp::kSubCarry) edge.carry.bits.fill(~uint64_t{0});
            if (op.op == RegisterOp::kAddCarry || op.op == RegisterOp::kSubCarry) edge.call.carry = &edge.carry;
            Run(edge.call, edge.control);
            if (compares) {
                differences->Check(row, kInt32, column, printed.at(i % printed.size()), edge.result.bits[0] & 1);
            } else if (op.op == RegisterOp::kMull) {
                differences->Check(row, type, column, printed[0], column ? edge.high.Get(32, 0) : edge.Lane(0));
            } else {
                differences->Check(row, type, column, printed[0], edge.Lane(0));
                EXPECT_EQ(edge.Lane(0), edge.Lane(LanesOf(type) - 1));
            }
        }
    }
}

void CheckReduction(const EdgeRow& row, RegisterOp op, DataType type, Differences* differences) {
    for (int column = 0; column < 2; ++column) {
        EdgeCall edge(op, type, column == 1);
        edge.Fill(edge.x, row.in0);
        Run(edge.call, edge.control);
        differences->Check(row, type, column, row.columns[column], edge.Lane(0));
        const bool blocks = row.op == "ReduceDataBlock";
        EXPECT_EQ(edge.Lane(0), edge.Lane(blocks ? 7 : 0));
    }
}

// Signs that pages leave away or turn round, but for one: the square root of 65504 is 255.9374, nearer to 255.875.
constexpr const char* kDifferences[] = {
    "AbsSub f32 -0.0 | -inf: -inf | -inf; ours inf | inf",
    "AddC u32 4294967295 | 4294967295: 4294967295 | 4294967295; ours 4294967294 | 4294967294",
    "Div f16 -0.0 | MAX/inf: 0.0 | 0.0; ours -0 | -0",
    "Div f16 0.0 | MIN/-inf: 0.0 | 0.0; ours -0 | -0",
    "Div f16 MAX | -inf: 0.0 | 0.0; ours -0 | -0",
    "Div f16 MAX | 0.0: -inf | MIN; ours inf | MAX",
    "Div f16 MIN | 0.0: inf | MAX; ours -inf | MIN",
    "Div f16 MIN | inf: 0.0 | 0.0; ours -0 | -0",
    "Div f32 -0.0 | MAX/inf: 0.0 | 0.0; ours -0 | -0",
    "Div f32 0.0 | MIN/-inf: 0.0 | 0.0; ours -0 | -0",
    "Div f32 MAX | -inf: 0.0 | 0.0; ours -0 | -0",
    "Div f32 MAX | 0.0: -inf | -inf; ours inf | inf",
    "Div f32 MIN | 0.0: inf | inf; ours -inf | -inf",
    "Div f32 MIN | inf: 0.0 | 0.0; ours -0 | -0",
    "LeakyRelu f16 -0.0 | MAX/0.0: 0.0 | 0.0; ours -0 | -0",
    "LeakyRelu f16 MIN | 0.0: 0.0 | 0.0; ours -0 | -0",
    "LeakyRelu f32 -0.0 | MAX/0.0: 0.0 | 0.0; ours -0 | -0",
    "LeakyRelu f32 MIN | 0.0: 0.0 | 0.0; ours -0 | -0",
    "MulAddDst f16 +0/+0; +0/-0; +0/MAX; +0/MIN; -0/-0; -0/MAX; -0/MIN | -0/+0: 0.0 | 0.0; ours -0 | -0",
    "MulAddDst f16 -inf/-inf | +0/-0/MAX/MIN/+inf: -inf | MIN; ours inf | MAX",
    "MulAddDst f32 +0/+0; +0/-0; +0/MAX; +0/MIN; -0/-0; -0/MAX; -0/MIN | -0/+0: 0.0 | 0.0; ours -0 | -0",
    "MulAddDst f32 -inf/-inf | +0/-0/MAX/MIN/+inf: -inf | -inf; ours inf | inf",
    "MulDstAdd f16 -inf/inf | MAX/+inf/0/-0/-inf/nan: nan | +0.0; ours inf | MAX",
    "MulDstAdd f16 MIN/-0 | MAX/+inf: inf | MAX; ours -inf | MIN",
    "MulDstAdd f16 MIN/-0 | MIN/-inf: -inf | MIN; ours inf | MAX",
    "MulDstAdd f16 MIN/MIN | +0/-0: MAX | MAX; ours MIN | MIN",
    "MulDstAdd f16 inf/-inf | MAX/+inf/0/-0/-inf/nan: nan | +0.0; ours -inf | MIN",
    "MulDstAdd f32 -inf/inf | MAX/+inf/0/-0/-inf/nan: nan | nan; ours inf | inf",
    "MulDstAdd f32 MIN/-0 | MAX/+inf: inf | inf; ours -inf | -inf",
    "MulDstAdd f32 MIN/-0 | MIN/-inf: -inf | -inf; ours inf | inf",
    "MulDstAdd f32 MIN/MIN | +0/-0: MAX | MAX; ours MIN | MIN",
    "MulDstAdd f32 inf/-inf | MAX/+inf/0/-0/-inf/nan: nan | nan; ours -inf | -inf",
    "Prelu f32 -0.0 | inf/-inf/nan: nan | 0.0; ours - | nan",
    "Sqrt f16 MAX | -: 256.0 | 256.0; ours 255.875 | 255.875 [no note]",
    "Sub f16 -0.0 | -0.0/0.0: -0.0 | -0.0; ours 0 | 0",
    "Sub f32 -0.0 | 0.0/-0.0: -0.0 | -0.0; ours 0 | 0",
};

TEST(RegisterEdgeValues, AsPagesPrintThem) {
    Differences differences;
    for (const EdgeRow& row : EdgeRows()) {
        const auto type = kTypes.find(row.type.substr(0, row.type.find('/')));
        if (const auto reduction = kReductions.find(row.op + " " + row.kind); reduction != kReductions.end()) {
            CheckReduction(row, reduction->second, type->second, &differences);
        } else if (const auto op = kOps.find(row.op); op != kOps.end()) {
            CheckElements(row, op->second, type->second, &differences);
        }
    }
    std::set<std::string> expected(std::begin(kDifferences), std::end(kDifferences));
    for (const std::string& line : differences.Lines()) {
        if (!expected.erase(line)) ADD_FAILURE() << "\"" << line << "\",";
    }
    for (const std::string& line : expected) ADD_FAILURE() << "is as printed now: " << line;
    EXPECT_GT(differences.checked(), 4000);
    RecordProperty("checked", differences.checked());
}

}  // namespace
}  // namespace sfumato::exec
