// SPDX-License-Identifier: Apache-2.0
// Legality of conversions: every row and mode of tests/data/conversion_support.csv, and nothing else.
#include <gtest/gtest.h>

#include <fstream>
#include <map>
#include <set>
#include <sstream>

#include "soc/chip.h"
#include "soc/reader.h"

namespace sfumato::soc {
namespace {

using isa::Api;

struct CsvRow {
    Api api;
    std::string chip, product;
    DataType src, dst;
    std::vector<std::string> modes;
    std::string deq, half_block;
};

std::vector<CsvRow> ReadCsv() {
    std::ifstream file(SFUMATO_TEST_DATA "/conversion_support.csv");
    std::vector<CsvRow> rows;
    std::string line;
    std::getline(file, line);
    EXPECT_EQ(line, "api,chip,product,src,dst,round_modes,deqscale,ldst_high_half");
    while (std::getline(file, line)) {
        std::vector<std::string> cells;
        std::stringstream stream(line);
        for (std::string cell; std::getline(stream, cell, ',');) cells.push_back(cell);
        EXPECT_EQ(cells.size(), 8u) << line;
        CsvRow row{cells[0] == "Cast" ? Api::kAscendC : Api::kTik, cells[1], cells[2], {}, {}, {}, cells[6], cells[7]};
        EXPECT_TRUE(ParseType(cells[3], row.api, &row.src)) << line;
        EXPECT_TRUE(ParseType(cells[4], row.api, &row.dst)) << line;
        std::stringstream modes(cells[5]);
        for (std::string mode; modes >> mode;) row.modes.push_back(mode == "''" ? "" : mode);
        rows.push_back(row);
    }
    return rows;
}

// Written out here, apart from the reader's own tables.
const std::map<std::string, Rounding> kModes = {{"CAST_NONE", Rounding::kNone},   {"CAST_RINT", Rounding::kRint},
                                                {"CAST_FLOOR", Rounding::kFloor}, {"CAST_CEIL", Rounding::kCeil},
                                                {"CAST_ROUND", Rounding::kRound}, {"CAST_TRUNC", Rounding::kTrunc},
                                                {"CAST_ODD", Rounding::kOdd},     {"", Rounding::kNone},
                                                {"none", Rounding::kNone},        {"round", Rounding::kRint},
                                                {"floor", Rounding::kFloor},      {"ceil", Rounding::kCeil},
                                                {"ceiling", Rounding::kCeil},     {"away-zero", Rounding::kRound},
                                                {"to-zero", Rounding::kTrunc},    {"odd", Rounding::kOdd}};

const std::map<std::string, DeqKind> kDeqs = {{"None", DeqKind::kNone},
                                              {"Scalar(float16)/Imm(float)", DeqKind::kHalfScale},
                                              {"SetDeqScale(half)", DeqKind::kHalfScale},
                                              {"Imm(int)/Tensor(uint64)/Scalar(uint64)/Expr(uint64)", DeqKind::kWord}};

TEST(Conversions, EveryRowOfTheTableIsThere) {
    const auto rows = ReadCsv();
    ASSERT_EQ(rows.size(), 205u);
    size_t pairs = 0;
    for (const CsvRow& csv : rows) {
        const Chip chip = FindChip(csv.chip);
        const ConversionRow* row = chip.Conversion(csv.api, csv.src, csv.dst);
        ASSERT_NE(row, nullptr) << csv.chip << " " << CName(csv.src) << " to " << CName(csv.dst);
        EXPECT_EQ(row->api, csv.api);
        EXPECT_EQ(row->src, csv.src);
        EXPECT_EQ(row->dst, csv.dst);
        EXPECT_EQ(row->mode_names, csv.modes);
        EXPECT_EQ(row->deq, kDeqs.at(csv.deq));
        EXPECT_EQ(row->half_block, csv.half_block == "True/False");
        uint16_t modes = 0;
        for (const std::string& mode : csv.modes) {
            ++pairs;
            modes = static_cast<uint16_t>(modes | 1u << static_cast<int>(kModes.at(mode)));
        }
        if (csv.chip == "Ascend910" && csv.api == Api::kAscendC && (modes >> static_cast<int>(Rounding::kRound) & 1)) {
            modes = static_cast<uint16_t>(modes | 1u << static_cast<int>(Rounding::kAway));
        }
        EXPECT_EQ(row->modes, modes) << csv.chip << " " << CName(csv.src) << " to " << CName(csv.dst);
        // The title may name more products (A3), never other ones.
        EXPECT_TRUE(chip.title.starts_with(csv.product)) << chip.title;
    }
    EXPECT_EQ(pairs, 714u);
}

TEST(Conversions, RowsKeepThePagesOrder) {
    std::map<std::pair<Api, std::string>, std::vector<std::pair<DataType, DataType>>> expected, found;
    for (const CsvRow& csv : ReadCsv()) expected[{csv.api, csv.chip}].emplace_back(csv.src, csv.dst);
    for (const Chip& chip : Families()) {
        for (const ConversionRow& row : chip.conversions) found[{row.api, chip.name}].emplace_back(row.src, row.dst);
    }
    EXPECT_EQ(found, expected);
}

TEST(Conversions, NothingElseIsLegal) {
    std::set<std::tuple<std::string, Api, DataType, DataType>> legal;
    for (const CsvRow& csv : ReadCsv()) legal.insert({csv.chip, csv.api, csv.src, csv.dst});
    for (const Chip& chip : Families()) {
        for (const Api api : {Api::kAscendC, Api::kTik}) {
            for (int s = 0; s < kDataTypeCount; ++s) {
                for (int d = 0; d < kDataTypeCount; ++d) {
                    const DataType src = static_cast<DataType>(s), dst = static_cast<DataType>(d);
                    EXPECT_EQ(chip.Conversion(api, src, dst) != nullptr, legal.contains({chip.name, api, src, dst}))
                        << chip.name << " " << CName(src) << " to " << CName(dst);
                }
            }
        }
    }
}

TEST(Conversions, ListsForReports) {
    const Chip a910 = FindChip("Ascend910");
    EXPECT_EQ(ConversionList(a910, Api::kAscendC, DataType::kFloat),
              "half (CAST_NONE, CAST_ODD), int32_t (CAST_RINT, CAST_FLOOR, CAST_CEIL, CAST_ROUND, CAST_TRUNC)");
    EXPECT_EQ(ConversionList(a910, Api::kTik, DataType::kFloat),
              "int32 (round, floor, ceil, ceiling, away-zero, to-zero), float16 ('', none, odd)");
    EXPECT_EQ(ConversionList(a910, Api::kAscendC, DataType::kInt64), "");
    EXPECT_EQ(ModeList(*a910.Conversion(Api::kTik, DataType::kFloat, DataType::kHalf)), "'', none, odd");
    EXPECT_EQ(ModeList(*a910.Conversion(Api::kAscendC, DataType::kFloat, DataType::kHalf)), "CAST_NONE, CAST_ODD");
}

TEST(Conversions, CastDeq) {
    const Chip b910 = FindChip("Ascend910B"), p310 = FindChip("Ascend310P");
    ASSERT_NE(b910.OwnConversion(Api::kAscendC, isa::Opcode::vconv_deq, DataType::kInt32, DataType::kHalf), nullptr);
    EXPECT_EQ(b910.OwnConversion(Api::kAscendC, isa::Opcode::vconv_deq, DataType::kInt32, DataType::kHalf)->deq,
              DeqKind::kHalfScale);
    EXPECT_EQ(p310.OwnConversion(Api::kAscendC, isa::Opcode::vconv_deq, DataType::kInt32, DataType::kHalf), nullptr);
    for (const Chip* chip : {&b910, &p310}) {
        for (const DataType dst : {DataType::kInt8, DataType::kUint8}) {
            const ConversionRow* row =
                chip->OwnConversion(Api::kAscendC, isa::Opcode::vconv_deq, DataType::kInt16, dst);
            ASSERT_NE(row, nullptr);
            EXPECT_EQ(row->deq, DeqKind::kWord);
            EXPECT_TRUE(row->half_block);
        }
    }
    EXPECT_TRUE(FindChip("Ascend910").Own(Api::kAscendC, isa::Opcode::vconv_deq).empty());
    EXPECT_TRUE(FindChip("Ascend310B").Own(Api::kAscendC, isa::Opcode::vconv_deq).empty());
}

}  // namespace
}  // namespace sfumato::soc
