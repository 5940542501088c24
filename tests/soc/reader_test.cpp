// SPDX-License-Identifier: Apache-2.0
// Wrong chip data is refused with file, line and reason.
#include "soc/reader.h"

#include <gtest/gtest.h>

namespace sfumato::soc {
namespace {

constexpr std::string_view kGood = R"(order = 1
name = "X"
title = "X"
arch = "x"
default_product = "X1"
products = [{ name = "X1", cube_cores = 1, vector_cores = 2 }]
[memories]
UB = 1024
[positions]
VECIN = "UB"
[tik.types]
vec_add = { types = ["float16"], tag = "documented", source = "s" }
[tik]
conversions = [
    { src = "float16", dst = "int32", modes = ["round"] },
]
)";

// With the cube unit: appended to the good text, whose last table is [tik].
constexpr std::string_view kCube =
    R"(mmad = [{ a = "float16", b = "float16", c = "float32", tag = "decided", source = "s" }]
[tik.paths]
data_move = ["GM to UB", "UB to GM"]
)";

// The good text with one line (counted from 1) replaced.
std::string With(int line, std::string_view replacement) {
    std::string out;
    size_t begin = 0;
    for (int i = 1; begin < kGood.size(); ++i) {
        const size_t end = kGood.find('\n', begin) + 1;
        out += i == line ? std::string(replacement) + "\n" : std::string(kGood.substr(begin, end - begin));
        begin = end;
    }
    return out;
}

std::string ErrorOf(const std::string& text) {
    try {
        ReadChip("chips/x.toml", text);
    } catch (const Error& error) {
        return error.what();
    }
    return "accepted";
}

TEST(Reader, TakesAGoodFile) {
    const OrderedChip read = ReadChip("chips/x.toml", kGood);
    EXPECT_EQ(read.order, 1);
    EXPECT_EQ(read.chip.vector_cores, 2u);
    EXPECT_TRUE(read.chip.tik);
    EXPECT_FALSE(read.chip.ascendc);
    EXPECT_NE(read.chip.Conversion(isa::Api::kTik, DataType::kHalf, DataType::kInt32), nullptr);
}

TEST(Reader, TakesTheCubeUnit) {
    const std::string top = R"(gemv = true
load2d_dst_gap = false
load3dv2_extended = true
load_boundary = true
fill_blocks = false
atomic_add = ["half", "float"]
fixpipe = [{ src = "float", dst = "half", modes = ["F322F16"] }]
tensor_mov = [{ src = "int32_t", dst = "half", modes = ["deq", "vdeq16"] }]
)";
    const Chip chip = ReadChip("chips/x.toml", top + std::string(kGood) + std::string(kCube)).chip;
    EXPECT_TRUE(chip.gemv);
    EXPECT_FALSE(chip.load2d_dst_gap);
    EXPECT_TRUE(chip.load3dv2_extended);
    EXPECT_TRUE(chip.load_boundary);
    EXPECT_FALSE(chip.fill_blocks);
    EXPECT_EQ(TypeList(chip.atomic_add, isa::Api::kAscendC), "half, float");
    EXPECT_EQ(chip.atomic_compare, 0);
    ASSERT_EQ(chip.fixpipe.size(), 1u);
    EXPECT_EQ(chip.fixpipe[0].src, DataType::kFloat);
    EXPECT_EQ(chip.fixpipe[0].dst, DataType::kHalf);
    EXPECT_EQ(chip.fixpipe[0].modes, 1u << static_cast<int>(isa::Quant::kF322F16));
    ASSERT_EQ(chip.tensor_mov.size(), 1u);
    EXPECT_EQ(chip.tensor_mov[0].modes, 1u << static_cast<int>(isa::MatrixMove::Deq::kDeq) |
                                            1u << static_cast<int>(isa::MatrixMove::Deq::kVDeq16));
    const MatmulRow* row = chip.Mmad(isa::Api::kTik, DataType::kHalf, DataType::kHalf, DataType::kFloat);
    ASSERT_NE(row, nullptr);
    EXPECT_EQ(row->tag, "decided");
    EXPECT_EQ(chip.Mmad(isa::Api::kAscendC, DataType::kHalf, DataType::kHalf, DataType::kFloat), nullptr);
    using isa::Memory;
    EXPECT_TRUE(chip.HasPath(isa::Api::kTik, isa::Opcode::data_move, Memory::kGm, Memory::kUb));
    EXPECT_FALSE(chip.HasPath(isa::Api::kTik, isa::Opcode::data_move, Memory::kUb, Memory::kUb));
    EXPECT_FALSE(chip.HasPath(isa::Api::kAscendC, isa::Opcode::data_move, Memory::kGm, Memory::kUb));
}

TEST(Reader, RefusesAWrongCubeUnit) {
    const struct {
        const char* text;  // behind the good text, from line 17
        const char* error;
    } kCases[] = {
        {"mmad = [{ a = \"float16\", b = \"float16\", tag = \"decided\", source = \"s\" }]",
         "17: mmad: missing key 'c'"},
        {"mmad = [{ a = \"half\", b = \"float16\", c = \"float32\", tag = \"decided\", source = \"s\" }]",
         "17: unknown type 'half'"},
        {"mmad = [{ a = \"int8\", b = \"int8\", c = \"int32\", tag = \"sure\", source = \"s\" }]",
         "17: unknown tag 'sure'"},
        {"mmad = [{ a = \"int8\", b = \"int8\", c = \"int32\", tag = \"decided\", source = \"s\" },\n"
         "{ a = \"int8\", b = \"int8\", c = \"int32\", tag = \"decided\", source = \"s\" }]",
         "18: mmad: int8_t x int8_t into int32_t stands twice"},
        {"[tik.paths]\nDataCopy = [\"GM to UB\"]", "18: paths: unknown instruction 'DataCopy'"},
        {"[tik.paths]\ndata_move = [\"GM, UB\"]", "18: 'GM, UB' is not a path such as 'GM to UB'"},
        {"[tik.paths]\ndata_move = [\"GM to L7\"]", "18: paths: unknown memory 'L7'"},
        {"[tik.paths]\ndata_move = [\"GM to L1\"]", "18: paths: 'GM to L1' uses L1, whose size is missing"},
        {"[tik.paths]\ndata_move = [\"GM to UB\", \"GM to UB\"]", "18: paths: 'GM to UB' stands twice"},
        {"[tik.paths]\ndata_move = \"GM to UB\"", "18: 'data_move' must be an array"},
    };
    for (const auto& c : kCases) {
        EXPECT_EQ(ErrorOf(std::string(kGood) + c.text + "\n"),
                  std::string("internal error in the chip data: chips/x.toml:") + c.error)
            << c.text;
    }
    EXPECT_EQ(ErrorOf("fixpipe = [{ src = \"float\", dst = \"half\", modes = [\"QUICK\"] }]\n" + std::string(kGood)),
              "internal error in the chip data: chips/x.toml:1: fixpipe: unknown mode 'QUICK'");
    EXPECT_EQ(
        ErrorOf("tensor_mov = [{ src = \"float\", dst = \"half\", modes = [\"NoQuant\"] }]\n" + std::string(kGood)),
        "internal error in the chip data: chips/x.toml:1: tensor_mov: unknown mode 'NoQuant'");
}

TEST(Reader, RefusesWhatItDoesNotKnow) {
    const struct {
        int line;
        const char* text;
        const char* error;
    } kCases[] = {
        {3, "titel = \"X\"", "1: chips/x.toml: missing key 'title'"},
        {5, "default_product = \"X1\"\nevents = 4", "6: chips/x.toml: unknown key 'events'"},
        {5, "default_product = \"X2\"", "5: 'X2' is not among the products"},
        {6, "products = [{ name = \"X1\", cube_cores = 1, vector_cores = 2, tag = \"decided\" }]",
         "6: products: missing key 'source'"},
        {5,
         "default_product = \"X1\"\nboards = [{ name = \"B\", product = \"X3\", product_tag = \"decided\", has = [], "
         "tag = \"decided\", source = \"s\" }]",
         "6: boards: 'X3' is not among the products"},
        {5,
         "default_product = \"X1\"\nboards = [{ name = \"B\", product = \"X1\", has = [], tag = \"decided\", source = "
         "\"s\" }]",
         "6: boards: 'B' does not say how sure its product is"},
        {5, "default_product = \"X1\"\nboards = [{ name = \"B\", has = [] }]", "6: boards: missing key 'tag'"},
        {1, "order = \"first\"", "1: 'order' must be an integer"},
        {1, "order = -1", "1: 'order' must fit 32 bits without sign"},
        {8, "L1 = 1024", "7: memories: missing memory 'UB'"},
        {8, "UB = 1024\nL9 = 1", "9: memories: unknown memory 'L9'"},
        {10, "VECIN = \"XB\"", "10: positions: unknown memory 'XB'"},
        {10, "VECIN = \"L1\"", "10: positions: VECIN is in L1, whose size is missing"},
        {10, "VECINN = \"UB\"", "10: positions: unknown position 'VECINN'"},
        {12, "vec_sum = { types = [], tag = \"decided\", source = \"s\" }", "12: types: unknown instruction 'vec_sum'"},
        {12, "vec_add = { types = [\"half\"], tag = \"decided\", source = \"s\" }", "12: unknown type 'half'"},
        {12, "vec_add = { types = [], tag = \"sure\", source = \"s\" }", "12: unknown tag 'sure'"},
        {12, "vec_add = { types = [], tag = \"decided\" }", "12: vec_add: missing key 'source'"},
        {15, "    { src = \"float16\", dst = \"int32\", modes = [\"up\"] },", "15: unknown round mode 'up'"},
        {15, "    { src = \"float16\", dst = \"int32\", modes = [], deq = \"x\" },", "15: unknown deq 'x'"},
        {15, "    { src = \"int8\", dst = \"half\", modes = [] },", "15: unknown type 'half'"},
        {15, "    { src = \"int8\", modes = [] },", "15: conversions: missing key 'dst'"},
    };
    for (const auto& c : kCases) {
        EXPECT_EQ(ErrorOf(With(c.line, c.text)),
                  std::string("internal error in the chip data: chips/x.toml:") + c.error)
            << c.text;
    }
}

TEST(Reader, RefusesARowTwice) {
    const std::string row = "    { src = \"float16\", dst = \"int32\", modes = [\"round\"] },";
    EXPECT_EQ(ErrorOf(With(15, row + "\n" + row)),
              "internal error in the chip data: chips/x.toml:13: tik: half to int32_t stands twice");
}

TEST(Reader, NamesTheLineOfASyntaxError) {
    EXPECT_EQ(ErrorOf(With(2, "name = ")).rfind("internal error in the chip data: chips/x.toml:2: ", 0), 0u);
}

}  // namespace
}  // namespace sfumato::soc
