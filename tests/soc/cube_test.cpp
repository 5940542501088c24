// SPDX-License-Identifier: Apache-2.0
// The cube unit's data by chip: paths, types of Mmad, conversions out of L0C, against values written out here.
#include <gtest/gtest.h>

#include <algorithm>

#include "isa/geometry.h"
#include "soc/chip.h"

namespace sfumato::soc {
namespace {

using isa::Api;
using isa::Form;
using isa::Memory;
using isa::Opcode;

constexpr Api kApis[] = {Api::kAscendC, Api::kTik};
constexpr const char* kCubeChips[] = {"Ascend310", "Ascend910", "Ascend310P", "Ascend910B", "Ascend310B", "Ascend950"};

bool IsAnyMove(Form form) {
    using enum Form;
    constexpr Form kMoves[] = {kMove,  kMovePad, kLoad2D,     kLoadTransposed, kLoad3Dv1, kLoad3Dv2, kNd2Nz,
                               kNz2Nd, kFixpipe, kMatrixMove, kBlockFill,      kDn2Nz,    kNdDma};
    return std::find(std::begin(kMoves), std::end(kMoves), form) != std::end(kMoves);
}

// "GM to L1, L1 to L0A": in order of source, then destination.
std::string Paths(const char* chip, Api api, Opcode op) {
    std::string out;
    const Chip found = FindChip(chip);
    for (int s = 0; s < isa::kMemoryCount; ++s) {
        for (int d = 0; d < isa::kMemoryCount; ++d) {
            if (!found.HasPath(api, op, static_cast<Memory>(s), static_cast<Memory>(d))) continue;
            if (!out.empty()) out += ", ";
            if (static_cast<Memory>(s) != Memory::kNone) out += isa::Name(static_cast<Memory>(s)) + std::string(" ");
            out += std::string("to ") + isa::Name(static_cast<Memory>(d));
        }
    }
    return out;
}

std::string Types(const char* chip, Api api, Opcode op) {
    return TypeList(FindChip(chip).types[static_cast<size_t>(api)][static_cast<size_t>(op)], api);
}

// "int8_t x int8_t to int32_t; ..." in the file's order.
std::string Products(const char* chip, Api api) {
    std::string out;
    for (const MatmulRow& row : FindChip(chip).mmad) {
        if (row.api != api) continue;
        out += (out.empty() ? "" : "; ") + std::string(CName(row.a)) + " " + CName(row.b) + " " + CName(row.c);
    }
    return out;
}

TEST(Cube, KeysAreUniqueAndSayTheName) {
    for (const auto key : {isa::AscendCKey, isa::TikKey}) {
        for (int i = 0; i < isa::kOpcodeCount; ++i) {
            const auto name = key(static_cast<Opcode>(i));
            if (name.empty()) continue;
            for (int j = 0; j < i; ++j) EXPECT_NE(name, key(static_cast<Opcode>(j)));
        }
    }
    EXPECT_EQ(isa::AscendCKey(Opcode::data_move), "DataCopy");
    EXPECT_EQ(isa::AscendCKey(Opcode::nd2nz), "nd2nz");
    EXPECT_EQ(isa::AscendCKey(Opcode::load2d), "LoadData");
    EXPECT_EQ(isa::AscendCKey(Opcode::load3dv1), "load3dv1");
    EXPECT_EQ(isa::TikKey(Opcode::load2d), "load2dv1");
    EXPECT_EQ(isa::TikKey(Opcode::fill), "");
}

TEST(Cube, WhatHasTypesHasPathsAndTheOtherWayRound) {
    for (const Chip& chip : Families()) {
        for (const Api api : kApis) {
            for (size_t op = 0; op < isa::kOpcodeCount; ++op) {
                if (!IsAnyMove(isa::kInstructions[op].form)) continue;
                bool any = false;
                for (const uint16_t to : chip.paths[static_cast<size_t>(api)][op]) any = any || to != 0;
                EXPECT_EQ(any, chip.types[static_cast<size_t>(api)][op] != 0)
                    << chip.name << " " << isa::kInstructions[op].opcode << " " << static_cast<int>(api);
            }
        }
    }
}

TEST(Cube, OnlyMovesHavePaths) {
    for (const Chip& chip : Families()) {
        for (const Api api : kApis) {
            for (size_t op = 0; op < isa::kOpcodeCount; ++op) {
                if (IsAnyMove(isa::kInstructions[op].form)) continue;
                for (const uint16_t to : chip.paths[static_cast<size_t>(api)][op]) EXPECT_EQ(to, 0) << chip.name;
            }
        }
    }
}

TEST(Cube, ConversionsOutOfL0CStartFromTypesOfTheInstruction) {
    const auto mask = [](const std::vector<QuantRow>& rows) {
        uint16_t types = 0;
        for (const QuantRow& row : rows) {
            types = static_cast<uint16_t>(types | 1u << static_cast<int>(row.src));
            EXPECT_NE(row.modes, 0);
        }
        return types;
    };
    for (const Chip& chip : Families()) {
        for (const Api api : kApis) {
            if (!(api == Api::kAscendC ? chip.ascendc : chip.tik)) continue;
            const auto& types = chip.types[static_cast<size_t>(api)];
            EXPECT_EQ(types[static_cast<size_t>(Opcode::fixpipe)], mask(chip.fixpipe)) << chip.name;
            EXPECT_EQ(types[static_cast<size_t>(Opcode::tensor_mov)], mask(chip.tensor_mov)) << chip.name;
        }
    }
}

// Every accumulator can leave L0C on the chip.
TEST(Cube, EveryProductHasAWayOut) {
    for (const Chip& chip : Families()) {
        for (const MatmulRow& row : chip.mmad) {
            bool out = false;
            for (const auto* rows : {&chip.fixpipe, &chip.tensor_mov}) {
                for (const QuantRow& quant : *rows) out = out || quant.src == row.c;
            }
            // TIK's table names accumulators that Fixpipe of Ascend910B and Ascend310B does not take.
            EXPECT_TRUE(out || (row.api == Api::kTik && !chip.fixpipe.empty())) << chip.name << CName(row.c);
            EXPECT_FALSE(row.source.empty());
        }
    }
}

TEST(Cube, PathsOfAscendC) {
    const Api c = Api::kAscendC;
    EXPECT_EQ(Paths("Ascend910", c, Opcode::data_move), "GM to UB, GM to L1, UB to GM, UB to UB");
    EXPECT_EQ(Paths("Ascend310P", c, Opcode::data_move), "GM to UB, GM to L1, UB to GM, UB to UB, UB to L1, L1 to UB");
    EXPECT_EQ(Paths("Ascend910B", c, Opcode::data_move),
              "GM to UB, GM to L1, UB to GM, UB to UB, L1 to GM, L1 to BT, L1 to FB");
    EXPECT_EQ(Paths("Ascend310B", c, Opcode::data_move),
              "GM to UB, GM to L1, UB to GM, UB to UB, L1 to GM, L1 to BT, L1 to FB");
    EXPECT_EQ(Paths("Ascend950", c, Opcode::data_move), "GM to UB, GM to L1, UB to GM, UB to UB, L1 to BT, L1 to FB");
    EXPECT_EQ(Paths("Ascend950", c, Opcode::data_move_pad), "GM to UB, GM to L1, UB to GM");
    EXPECT_EQ(Paths("Ascend950", c, Opcode::fixpipe), "L0C to GM, L0C to L1");
    EXPECT_EQ(Paths("Ascend950", c, Opcode::load2d), "GM to L1, L1 to L0A, L1 to L0B");
    EXPECT_EQ(Paths("Ascend950", c, Opcode::load2d_transpose), "L1 to L0B");
    EXPECT_EQ(Paths("Ascend950", c, Opcode::load3dv2), "L1 to L0A, L1 to L0B");
    EXPECT_EQ(Paths("Ascend950", c, Opcode::fill), "to L1");
    EXPECT_EQ(Paths("Ascend950", c, Opcode::nd2nz), "GM to UB, GM to L1");
    EXPECT_EQ(Paths("Ascend950", c, Opcode::dn2nz), "GM to L1");
    EXPECT_EQ(Paths("Ascend950", c, Opcode::nddma), "GM to UB");
    EXPECT_EQ(Paths("Ascend950", c, Opcode::nz2nd), "UB to GM");
    for (const char* chip : {"Ascend910B", "Ascend310B"}) {
        EXPECT_EQ(Paths(chip, c, Opcode::data_move_pad), "GM to UB, UB to GM");
        EXPECT_EQ(Paths(chip, c, Opcode::fixpipe),
                  std::string_view(chip) == "Ascend310B" ? "L0C to GM, L0C to UB, L0C to L1" : "L0C to GM, L0C to L1");
        EXPECT_EQ(Paths(chip, c, Opcode::tensor_mov), "");
        EXPECT_EQ(Paths(chip, c, Opcode::load2d_transpose), "L1 to L0A, L1 to L0B");
        EXPECT_EQ(Paths(chip, c, Opcode::load3dv1), "");
        EXPECT_EQ(Paths(chip, c, Opcode::load3dv2), "L1 to L0A, L1 to L0B");
    }
    for (const char* chip : {"Ascend910", "Ascend310P"}) {
        EXPECT_EQ(Paths(chip, c, Opcode::tensor_mov), "UB to L0C, L0C to UB");
        EXPECT_EQ(Paths(chip, c, Opcode::fixpipe), "");
        EXPECT_EQ(Paths(chip, c, Opcode::load2d_transpose), "");
        EXPECT_EQ(Paths(chip, c, Opcode::load3dv1), "L1 to UB, L1 to L0A, L1 to L0B");
    }
    EXPECT_EQ(Paths("Ascend910", c, Opcode::load3dv2), "");
    EXPECT_EQ(Paths("Ascend310P", c, Opcode::load3dv2), "L1 to UB, L1 to L0A, L1 to L0B");
    for (const char* chip : {"Ascend910", "Ascend310P", "Ascend910B", "Ascend310B"}) {
        EXPECT_EQ(Paths(chip, c, Opcode::load2d), "GM to L1, GM to L0A, GM to L0B, L1 to L0A, L1 to L0B") << chip;
        EXPECT_EQ(Paths(chip, c, Opcode::fill), "to L1, to L0A, to L0B") << chip;
        const bool layouts = std::string_view(chip) == "Ascend310P" || std::string_view(chip) == "Ascend910B";
        const bool into_l1 = layouts || std::string_view(chip) == "Ascend310B";
        EXPECT_EQ(Paths(chip, c, Opcode::nd2nz), layouts ? "GM to UB, GM to L1" : into_l1 ? "GM to L1" : "") << chip;
        EXPECT_EQ(Paths(chip, c, Opcode::nz2nd), layouts ? "UB to GM" : "") << chip;
    }
}

TEST(Cube, PathsOfTik) {
    const Api t = Api::kTik;
    for (const char* chip : {"Ascend310", "Ascend910", "Ascend310P"}) {
        EXPECT_EQ(Paths(chip, t, Opcode::data_move), "GM to UB, GM to L1, UB to GM, UB to UB, UB to L1, L1 to UB");
        EXPECT_EQ(Paths(chip, t, Opcode::tensor_mov), "UB to L0C, L0C to UB");
        EXPECT_EQ(Paths(chip, t, Opcode::load3dv1), "L1 to UB, L1 to L0A, L1 to L0B");
    }
    EXPECT_EQ(Paths("Ascend310P-Vector", t, Opcode::data_move), "GM to UB, UB to GM, UB to UB");
    EXPECT_EQ(Paths("Ascend910B", t, Opcode::data_move), "GM to UB, GM to L1, UB to GM, UB to UB, L1 to GM, L1 to BT");
    EXPECT_EQ(Paths("Ascend310B", t, Opcode::data_move),
              "GM to UB, GM to L1, UB to GM, UB to UB, UB to L1, L1 to GM, L1 to UB, L1 to BT");
    EXPECT_EQ(Paths("Ascend910B", t, Opcode::nd2nz), "GM to L1");
}

TEST(Cube, TypesOfLoadData) {
    const Api c = Api::kAscendC;
    const char* all = "int8_t, uint8_t, int16_t, uint16_t, half, bfloat16_t, int32_t, uint32_t, float";
    const char* image = "int4b_t, int8_t, uint8_t, half, bfloat16_t, int32_t, uint32_t, float";
    for (const char* chip : {"Ascend910", "Ascend310P"}) {
        EXPECT_EQ(Types(chip, c, Opcode::load2d), "int8_t, uint8_t, int16_t, uint16_t, half");
        EXPECT_EQ(Types(chip, c, Opcode::load3dv1), "int8_t, uint8_t, half");
    }
    EXPECT_EQ(Types("Ascend310P", c, Opcode::load3dv2), "int8_t, uint8_t, half");
    for (const char* chip : {"Ascend910B", "Ascend310B"}) {
        EXPECT_EQ(Types(chip, c, Opcode::load2d), all);
        EXPECT_EQ(Types(chip, c, Opcode::load3dv1), "none");
        EXPECT_EQ(Types(chip, c, Opcode::load3dv2), image);
    }
    EXPECT_EQ(Types("Ascend950", c, Opcode::load2d), all);
    EXPECT_EQ(Types("Ascend950", c, Opcode::load3dv2), std::string(image).substr(sizeof("int4b_t, ") - 1));
    EXPECT_EQ(Types("Ascend910", c, Opcode::fill), "half");
    EXPECT_EQ(Types("Ascend310P", c, Opcode::fill), "int16_t, uint16_t, half");
}

TEST(Cube, TypesOfMmad) {
    EXPECT_EQ(
        Products("Ascend910", Api::kAscendC),
        "uint8_t uint8_t uint32_t; int8_t int8_t int32_t; uint8_t int8_t int32_t; half half half; half half float");
    EXPECT_EQ(Products("Ascend310P", Api::kAscendC),
              "uint8_t uint8_t int32_t; int8_t int8_t int32_t; uint8_t int8_t int32_t; int4b_t int4b_t int32_t; "
              "half half half; half half float");
    for (const char* chip : {"Ascend910B", "Ascend310B"}) {
        EXPECT_EQ(Products(chip, Api::kAscendC),
                  "int8_t int8_t int32_t; int4b_t int4b_t int32_t; half half float; "
                  "bfloat16_t bfloat16_t float; float float float");
    }
    EXPECT_EQ(Products("Ascend950", Api::kAscendC),
              "int8_t int8_t int32_t; half half float; bfloat16_t bfloat16_t float; float float float");
    EXPECT_EQ(Products("Ascend310", Api::kTik), Products("Ascend910", Api::kAscendC));
    EXPECT_EQ(Products("Ascend310P-Vector", Api::kTik), "");
}

TEST(Cube, Switches) {
    for (const char* chip : kCubeChips) EXPECT_TRUE(FindChip(chip).gemv) << chip;
    for (const Chip& chip : Families()) {
        EXPECT_EQ(chip.load2d_dst_gap, chip.name != "Ascend310" && chip.name != "Ascend910") << chip.name;
        const bool newer = chip.name == "Ascend910B" || chip.name == "Ascend310B" || chip.name == "Ascend950";
        EXPECT_EQ(chip.load3dv2_extended, newer) << chip.name;
        EXPECT_EQ(chip.load_boundary, chip.name == "Ascend910B" || chip.name == "Ascend310P") << chip.name;
        EXPECT_EQ(chip.fill_blocks, chip.name != "Ascend910" && chip.name != "Ascend310P") << chip.name;
    }
}

TEST(Cube, AtomicTypes) {
    const auto add = [](const char* chip) { return TypeList(FindChip(chip).atomic_add, Api::kAscendC); };
    const auto compare = [](const char* chip) { return TypeList(FindChip(chip).atomic_compare, Api::kAscendC); };
    EXPECT_EQ(add("Ascend910"), "float");
    EXPECT_EQ(add("Ascend310P"), "int16_t, half, float");
    EXPECT_EQ(add("Ascend310B"), "int16_t, half, int32_t, float");
    EXPECT_EQ(add("Ascend910B"), "int8_t, int16_t, half, bfloat16_t, int32_t, float");
    for (const char* chip : {"Ascend910", "Ascend310P", "Ascend310B"}) EXPECT_EQ(compare(chip), "none") << chip;
    EXPECT_EQ(add("Ascend950"), add("Ascend910B"));
    for (const char* chip : {"Ascend910B", "Ascend950"}) EXPECT_EQ(compare(chip), add(chip)) << chip;
}

}  // namespace
}  // namespace sfumato::soc
