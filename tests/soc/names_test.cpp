// SPDX-License-Identifier: Apache-2.0
// Family and product names, and the exact error for others.
#include <gtest/gtest.h>

#include "soc/chip.h"

namespace sfumato::soc {
namespace {

constexpr const char* kList = R"(
families and their products (either name will do, in any case):
  Ascend310         Ascend310
  Ascend910         Ascend910A, Ascend910ProA, Ascend910ProB, Ascend910PremiumA
  Ascend310P        Ascend310P1, Ascend310P3, Ascend310P5, Ascend310P7
  Ascend310P-Vector Ascend310P1-Vector, Ascend310P3-Vector, Ascend310P5-Vector, Ascend310P7-Vector
  Ascend910B        Ascend910B1, Ascend910B2, Ascend910B2C, Ascend910B3, Ascend910B4, Ascend910B4-1, Ascend910_9362, Ascend910_9372, Ascend910_9381, Ascend910_9382, Ascend910_9391, Ascend910_9392
  Ascend310B        Ascend310B1, Ascend310B2, Ascend310B3, Ascend310B4
  Ascend950         Ascend950PR, Ascend950DT, Ascend950PR_9599, Ascend950PR_958a, Ascend950PR_9589, Ascend950PR_958b, Ascend950PR_9579, Ascend950PR_957b, Ascend950PR_957bx, Ascend950PR_957c, Ascend950PR_957d, Ascend950PR_950z, Ascend950DT_950x, Ascend950DT_950y, Ascend950DT_95A1, Ascend950DT_95A2, Ascend950DT_9591, Ascend950DT_9592, Ascend950DT_9595, Ascend950DT_9596, Ascend950DT_9581, Ascend950DT_9582, Ascend950DT_9582x, Ascend950DT_9583, Ascend950DT_9584, Ascend950DT_9585, Ascend950DT_9586, Ascend950DT_9587, Ascend950DT_9588, Ascend950DT_9571, Ascend950DT_9572, Ascend950DT_9573, Ascend950DT_9574, Ascend950DT_9575, Ascend950DT_9576, Ascend950DT_9577, Ascend950DT_9578)";

std::string ErrorOf(std::string_view name) {
    try {
        FindChip(name);
    } catch (const UnsupportedError& error) {
        return error.what();
    }
    return "found";
}

TEST(Names, FamiliesInOrder) {
    std::vector<std::string> names;
    for (const Chip& chip : Families()) names.push_back(chip.name);
    EXPECT_EQ(names, (std::vector<std::string>{"Ascend310", "Ascend910", "Ascend310P", "Ascend310P-Vector",
                                               "Ascend910B", "Ascend310B", "Ascend950"}));
}

TEST(Names, EveryFamilyAndProductIsFoundInAnyCase) {
    for (const Chip& family : Families()) {
        EXPECT_EQ(FindChip(family.name).name, family.name);
        EXPECT_EQ(FindChip(family.name).product, family.default_product);
        for (const Product& product : family.products) {
            std::string lower = product.name, upper = product.name;
            for (char& c : lower) c = static_cast<char>(tolower(c));
            for (char& c : upper) c = static_cast<char>(toupper(c));
            for (const std::string& name : {product.name, lower, upper}) {
                const Chip chip = FindChip(name);
                EXPECT_EQ(chip.name, family.name);
                EXPECT_EQ(chip.product, product.name);
                EXPECT_EQ(chip.cube_cores, product.cube_cores);
                EXPECT_EQ(chip.vector_cores, product.vector_cores);
            }
        }
    }
}

TEST(Names, ProductsOfTheSpecification) {
    EXPECT_EQ(FindChip("Ascend910B1").name, "Ascend910B");
    EXPECT_EQ(FindChip("Ascend910_9392").name, "Ascend910B");
    EXPECT_EQ(FindChip("Ascend310P3").name, "Ascend310P");
    EXPECT_EQ(FindChip("Ascend910A").name, "Ascend910");
    EXPECT_EQ(FindChip("Ascend310B1").name, "Ascend310B");
    for (const char* name : {"Ascend950", "ascend950", "Ascend950PR", "ascend950pr_9599", "Ascend950DT_95A1"})
        EXPECT_EQ(FindChip(name).name, "Ascend950") << name;
    EXPECT_EQ(FindChip("Ascend950").product, "Ascend950PR");
    // The vendor's full name without a digit is read as the A2 family, and a note says so.
    EXPECT_EQ(FindChip("Ascend910B").arch, "dav-2201");
    EXPECT_NE(FindChip("Ascend910B").note.find("older part"), std::string::npos);
}

TEST(Names, ErrorsListTheLegalNames) {
    EXPECT_EQ(ErrorOf("Ascend910B9"), std::string("unknown chip 'Ascend910B9'; did you mean Ascend910B?") + kList);
    EXPECT_EQ(ErrorOf("910b2"), std::string("unknown chip '910b2'; did you mean Ascend910B2?") + kList);
    EXPECT_EQ(ErrorOf("Ascend910_939"),
              std::string("unknown chip 'Ascend910_939'; did you mean Ascend910_9391?") + kList);
    // Boards: no such product, though its neighbours are.
    EXPECT_EQ(ErrorOf("Ascend310B5"), std::string("unknown chip 'Ascend310B5'; did you mean Ascend310B?") + kList);
    EXPECT_EQ(ErrorOf("ASCEND310P2"), std::string("unknown chip 'ASCEND310P2'; did you mean Ascend310P?") + kList);
    EXPECT_EQ(ErrorOf("gpu"), std::string("unknown chip 'gpu'") + kList);
    EXPECT_EQ(ErrorOf(""), std::string("no chip was named") + kList);
}

TEST(Names, WhatProductsAreSoldInLeadsToTheirNames) {
    const std::string a3 =
        "; the chips of Atlas A3 are Ascend910_9362, Ascend910_9372, Ascend910_9381, Ascend910_9382, Ascend910_9391, "
        "Ascend910_9392: npu-smi info shows which one a board has";
    for (const std::string& name :
         {"Ascend910C", "ascend 910c", "910C", "A3", "Atlas A3", "Atlas 800T A3", "ascend910_93"})
        EXPECT_EQ(ErrorOf(name), "unknown chip '" + name + "'" + a3 + kList);
    for (const std::string& name : {"Atlas 350", "Ascend910_95"})
        EXPECT_EQ(ErrorOf(name), "unknown chip '" + name +
                                     "'; the chips of Ascend950 are Ascend950PR, Ascend950DT: npu-smi info shows which "
                                     "one a board has" +
                                     kList);
    EXPECT_EQ(
        ErrorOf("Atlas 800I A2"),
        std::string("unknown chip 'Atlas 800I A2'; the chips of Atlas A2 are Ascend910B1, Ascend910B2, Ascend910B2C, "
                    "Ascend910B3, Ascend910B4, Ascend910B4-1: npu-smi info shows which one a board has") +
            kList);
}

TEST(Names, KeysOfTheDataAreNoNames) {
    EXPECT_NE(ErrorOf("dav-2201"), "found");
    EXPECT_NE(ErrorOf("CAST_RINT"), "found");
}

}  // namespace
}  // namespace sfumato::soc
