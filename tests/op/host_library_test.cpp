// SPDX-License-Identifier: Apache-2.0
// Definition, inference and tiling of small operators.
#include "op/host_library.h"

#include <gtest/gtest.h>

#include "support/raised.h"

namespace sfumato::op {
namespace {

std::string PathOf(const char* name) { return std::string(SFUMATO_OP_HOST_FOLDER) + "/libop_host_" + name + ".so"; }

Tensor TensorOf(std::vector<int64_t> shape, int type) { return {{std::move(shape), type, 2}, nullptr}; }

TEST(HostLibrary, ReadsInfersAndTilesAddCustom) {
    const HostLibrary library(PathOf("add_custom"));
    EXPECT_EQ(library.names(), std::vector<std::string>{"AddCustom"});
    const Definition definition = library.DefinitionFor("AddCustom", "Ascend910B1", true);
    ASSERT_EQ(definition.inputs.size(), 2u);
    EXPECT_EQ(definition.inputs[1].name, "y");
    EXPECT_EQ(definition.columns, 2u);
    EXPECT_EQ(definition.outputs[0].types, (std::vector<int>{1, 0}));
    EXPECT_EQ(definition.chips, (std::vector<std::string>{"ascend910b", "ascend310p"}));
    ASSERT_EQ(library.TilingClasses("AddCustom").size(), 1u);
    EXPECT_EQ(library.TilingClasses("AddCustom")[0].bytes, 8u);

    Call call;
    call.chip = "Ascend910B1";
    call.inputs = {{TensorOf({8, 2048}, 1)}, {TensorOf({8, 2048}, 1)}};
    ASSERT_TRUE(library.Infer(definition, call));
    EXPECT_EQ(call.outputs[0][0].spec.shape, (std::vector<int64_t>{8, 2048}));
    EXPECT_EQ(call.outputs[0][0].spec.type, 1);
    const Tiling tiling = library.Tile(definition, call);
    EXPECT_EQ(tiling.blocks, 8u);
    EXPECT_EQ(tiling.workspaces, std::vector<uint64_t>{0});
    EXPECT_EQ(tiling.data, std::string("\x00\x40\x00\x00\x08\x00\x00\x00", 8));
}

}  // namespace
}  // namespace sfumato::op
