// SPDX-License-Identifier: Apache-2.0
// The generated header: legal pairs compile, others stop the compiler with a message that names the legal ones.
#include "sfumato/ascendc/cast_pairs.h"

#include <gtest/gtest.h>

#include <cstdio>
#include <string>

#include "soc/chip.h"

namespace sfumato::ascendc {
namespace {

// What the compiler says about one statement.
std::string Compile(const std::string& statement) {
    const std::string command =
        "printf '%s' '#include \"sfumato/ascendc/cast_pairs.h\"\nusing namespace sfumato;\nvoid f() { " + statement +
        " }' | " SFUMATO_CXX " -std=c++17 -fsyntax-only -x c++ -I" SFUMATO_SOURCE_DIR
        "/include -I" SFUMATO_GENERATED_DIR " - 2>&1";
    std::string out;
    FILE* pipe = popen(command.c_str(), "r");
    if (pipe == nullptr) return "cannot run the compiler";
    char buffer[4096];
    while (const size_t n = fread(buffer, 1, sizeof buffer, pipe)) out.append(buffer, n);
    pclose(pipe);
    return out;
}

TEST(CastPairs, LegalOnesCompile) {
    EXPECT_EQ(Compile("ascendc::CastFrom<DataType::kHalf>::Check<DataType::kInt32>();"
                      "ascendc::CastFrom<DataType::kInt4>::Check<DataType::kHalf>();"
                      "ascendc::CastDeqFrom<DataType::kInt16>::Check<DataType::kInt8>();"
                      "ascendc::AddRule::Check<DataType::kInt16>();"
                      "ascendc::DuplicateRule::Check<DataType::kBfloat16>();"),
              "");
    EXPECT_EQ(Compile("ascendc::RequireTypeCast<int32_t, half>(); ascendc::RequireTypeCastDeq<int8_t, int16_t>();"
                      "ascendc::RequireTypeAdd<const half>();"),
              "");
}

TEST(CastPairs, OthersNameTheLegalOnes) {
    const struct {
        const char* statement;
        const char* message;
    } kCases[] = {
        {"ascendc::CastFrom<DataType::kInt4>::Check<DataType::kFloat>();",
         "Cast: no chip converts int4b_t to this type; from int4b_t it goes to int16_t, half, bfloat16_t"},
        {"ascendc::CastFrom<DataType::kUint64>::Check<DataType::kFloat>();",
         "Cast: no chip converts from uint64_t; the sources of Cast are "},
        {"ascendc::CastDeqFrom<DataType::kInt16>::Check<DataType::kHalf>();",
         "CastDeq: no chip converts int16_t to this type; from int16_t it goes to int8_t, uint8_t"},
        {"ascendc::AddRule::Check<DataType::kUint8>();",
         "Add: no chip has this type; it takes int16_t, half, int32_t, float"},
    };
    for (const auto& c : kCases)
        EXPECT_NE(Compile(c.statement).find(c.message), std::string::npos) << Compile(c.statement);
}

TEST(CastPairs, MasksAreTheUnionOfTheChips) {
    uint16_t adds = 0, half = 0;
    for (const soc::Chip& chip : soc::Families()) {
        adds = static_cast<uint16_t>(adds | chip.types[0][static_cast<size_t>(isa::Opcode::vadds)]);
        for (int d = 0; d < kDataTypeCount; ++d) {
            if (chip.Conversion(isa::Api::kAscendC, DataType::kHalf, static_cast<DataType>(d)) != nullptr) {
                half = static_cast<uint16_t>(half | 1u << d);
            }
        }
    }
    EXPECT_EQ(AddsRule::kTypes, adds);
    EXPECT_EQ(CastFrom<DataType::kHalf>::kTypes, half);
}

}  // namespace
}  // namespace sfumato::ascendc
