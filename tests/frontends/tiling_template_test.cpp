// SPDX-License-Identifier: Apache-2.0
// ASCENDC_TPL_* on the side of the host: keys, combinations, values as people write them (framework.md 4.7).
#include <gtest/gtest.h>

#include "ascendc/host_api/tiling/template_argument.h"
#include "sfumato/tiling/template_words.h"

ASCENDC_TPL_ARGS_DECL(Page, ASCENDC_TPL_UINT_DECL(MODE, ASCENDC_TPL_8_BW, ASCENDC_TPL_UI_LIST, 0, 3),
                      ASCENDC_TPL_BOOL_DECL(FAST, 0, 1),
                      ASCENDC_TPL_UINT_DECL(TILES, 4, ASCENDC_TPL_UI_MIX, 2, 1, 3, 5, 6, 15),
                      ASCENDC_TPL_DATATYPE_DECL(T, ASCENDC_TPL_INPUT(0)), );
ASCENDC_TPL_SEL(ASCENDC_TPL_ARGS_SEL(ASCENDC_TPL_UINT_SEL(MODE, ASCENDC_TPL_UI_LIST, 0), ASCENDC_TPL_BOOL_SEL(FAST, 0, 1),
                                     ASCENDC_TPL_UINT_SEL(TILES, ASCENDC_TPL_UI_RANGE, 1, 1, 2),
                                     ASCENDC_TPL_DATATYPE_SEL(T, C_DT_FLOAT)),
                ASCENDC_TPL_ARGS_SEL(ASCENDC_TPL_UINT_SEL(MODE, ASCENDC_TPL_UI_LIST, 3), ASCENDC_TPL_BOOL_SEL(FAST, 1),
                                     ASCENDC_TPL_UINT_SEL(TILES, ASCENDC_TPL_UI_LIST, 6, 15),
                                     ASCENDC_TPL_DATATYPE_SEL(T, C_DT_FLOAT16, C_DT_BF16), ), );

namespace sfumato::tiling {
namespace {

struct Context {
    void SetTilingKey(uint64_t value) { key = value; }
    uint64_t key = 0;
};

TEST(TemplateKeys, ValuesSideBySide) {
    EXPECT_EQ(GET_TPL_TILING_KEY(0, false, 1, C_DT_FLOAT), uint64_t{1} << 9);
    EXPECT_EQ(GET_TPL_TILING_KEY(3, true, 15, C_DT_BF16), 3 | 1 << 8 | 15 << 9 | 27 << 13);
    Context context;
    ASCENDC_TPL_SEL_PARAM(&context, 3, 1, 6, C_DT_FLOAT16);
    EXPECT_EQ(context.key, 3u | 1 << 8 | 6 << 9 | 1 << 13);
    for (size_t i = 0; i < 4; ++i) {
        constexpr uint64_t kValues[] = {3, 1, 6, 1};
        EXPECT_EQ(ValueIn(SfumatoTemplateDeclaration.declared, context.key, i), kValues[i]);
    }
}

// framework.md 6.4 Y12.
TEST(TemplateKeys, Refused) {
    const auto refusal = [](auto... values) -> std::string {
        try {
            TemplateKey(SfumatoTemplateDeclaration, SfumatoTemplateSelection, values...);
        } catch (const Error& e) {
            return e.what();
        }
        return "";
    };
    const std::string all =
        "; there are MODE=0 FAST=0|1 TILES=1..2 T=float32; MODE=3 FAST=1 TILES=6|15 T=float16|bfloat16";
    EXPECT_EQ(refusal(3, 0, 6, 1), "GET_TPL_TILING_KEY: Page: no ASCENDC_TPL_ARGS_SEL has MODE=3 FAST=0 TILES=6 T=float16" + all);
    EXPECT_EQ(refusal(4, 0, 6, 1), "GET_TPL_TILING_KEY: Page: MODE=4 is not declared" + all);
    EXPECT_EQ(refusal(3, 1, 4, 1), "GET_TPL_TILING_KEY: Page: TILES=4 is not declared" + all);
    EXPECT_EQ(refusal(3, 1), "GET_TPL_TILING_KEY: Page: 2 values for 4 parameters" + all);
}

TEST(TemplateKeys, Words) {
    const TemplateGroup& declared = SfumatoTemplateDeclaration.declared;
    const ParsedTemplate parsed = ParseTemplate(declared, "T=bfloat16_t,TILES=15,MODE=3,FAST=True");
    EXPECT_EQ(parsed.problem, ParsedTemplate::Problem::kNone);
    EXPECT_EQ(CombinationText(declared, parsed.key), "MODE=3 FAST=1 TILES=15 T=bfloat16");
    const auto at = [&](const char* text) { return std::string(ParseTemplate(declared, text).at); };
    EXPECT_EQ(at("MODE"), "MODE");
    EXPECT_EQ(at("SLOW=1"), "SLOW");
    EXPECT_EQ(at("MODE=x"), "MODE=x");
    EXPECT_EQ(at("MODE="), "MODE=");
    EXPECT_EQ(at("MODE=3,TILES=7"), "TILES=7");
    EXPECT_EQ(at("MODE=3,TILES=6,T=half"), "FAST");
}

}  // namespace
}  // namespace sfumato::tiling
