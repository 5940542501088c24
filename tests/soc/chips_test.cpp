// SPDX-License-Identifier: Apache-2.0
// Memories, positions, macros, limits and the types of each instruction, against values written out here.
#include <gtest/gtest.h>

#include "soc/chip.h"

namespace sfumato::soc {
namespace {

using isa::Api;
using isa::Memory;
using isa::Opcode;

TEST(Chips, Memories) {
    constexpr uint64_t kK = 1024;
    const struct {
        const char* chip;
        uint64_t ub, l1, l0a, l0b, l0c, bt, fb;
    } kExpected[] = {{"Ascend310", 248 * kK, 1024 * kK, 64 * kK, 64 * kK, 256 * kK, 0, 0},
                     {"Ascend910", 256 * kK, 1024 * kK, 64 * kK, 64 * kK, 256 * kK, 0, 0},
                     {"Ascend310P", 256 * kK, 1024 * kK, 64 * kK, 64 * kK, 256 * kK, 0, 0},
                     {"Ascend310P-Vector", 256 * kK, 0, 0, 0, 0, 0, 0},
                     {"Ascend910B", 192 * kK, 512 * kK, 64 * kK, 64 * kK, 128 * kK, 1 * kK, 7 * kK},
                     {"Ascend310B", 248 * kK, 1024 * kK, 64 * kK, 64 * kK, 128 * kK, 1 * kK, 6 * kK},
                     {"Ascend950", 248 * kK, 512 * kK, 64 * kK, 64 * kK, 256 * kK, 4 * kK, 4 * kK}};
    for (const auto& e : kExpected) {
        const Chip chip = FindChip(e.chip);
        EXPECT_EQ(chip.Bytes(Memory::kUb), e.ub) << e.chip;
        EXPECT_EQ(chip.Bytes(Memory::kL1), e.l1) << e.chip;
        EXPECT_EQ(chip.Bytes(Memory::kL0A), e.l0a) << e.chip;
        EXPECT_EQ(chip.Bytes(Memory::kL0B), e.l0b) << e.chip;
        EXPECT_EQ(chip.Bytes(Memory::kL0C), e.l0c) << e.chip;
        EXPECT_EQ(chip.Bytes(Memory::kBt), e.bt) << e.chip;
        EXPECT_EQ(chip.Bytes(Memory::kFb), e.fb) << e.chip;
    }
}

TEST(Chips, Positions) {
    enum {
        kGm,
        kA1,
        kA2,
        kB1,
        kB2,
        kC1,
        kC2,
        kCo1,
        kCo2,
        kVecIn,
        kVecOut,
        kVecCalc,
        kSpm,
        kTscm,
        kC2Pipe2Gm,
        kC2Pipe2Local
    };
    const auto memory = [](const char* chip, int position) {
        return FindChip(chip).position[static_cast<size_t>(position)];
    };
    for (const Chip& chip : Families()) {
        EXPECT_EQ(chip.position[kGm], Memory::kGm);
        for (const int p : {kVecIn, kVecOut, kVecCalc})
            EXPECT_EQ(chip.position[static_cast<size_t>(p)], Memory::kUb) << chip.name;
    }
    for (const char* chip : {"Ascend310", "Ascend910", "Ascend310P"}) {
        EXPECT_EQ(memory(chip, kCo2), Memory::kUb);
        EXPECT_EQ(memory(chip, kC1), Memory::kUb);
        EXPECT_EQ(memory(chip, kC2), Memory::kL0C);
        EXPECT_EQ(memory(chip, kC2Pipe2Gm), Memory::kNone);
        EXPECT_EQ(memory(chip, kSpm), Memory::kL1);
    }
    for (const char* chip : {"Ascend910B", "Ascend950"}) {
        EXPECT_EQ(memory(chip, kCo2), Memory::kGm);
        EXPECT_EQ(memory(chip, kC1), Memory::kL1);
        EXPECT_EQ(memory(chip, kC2), Memory::kBt);
        EXPECT_EQ(memory(chip, kC2Pipe2Gm), Memory::kFb);
        EXPECT_EQ(memory(chip, kSpm), Memory::kGm);
    }
    EXPECT_EQ(memory("Ascend310B", kCo2), Memory::kGm);
    EXPECT_EQ(memory("Ascend310B", kC1), Memory::kUb);
    EXPECT_EQ(memory("Ascend310B", kC2), Memory::kBt);
    EXPECT_EQ(memory("Ascend310B", kSpm), Memory::kNone);
    EXPECT_EQ(memory("Ascend310P-Vector", kA1), Memory::kNone);
    for (const char* chip : {"Ascend910", "Ascend310P", "Ascend910B", "Ascend310B", "Ascend950"}) {
        EXPECT_EQ(memory(chip, kA1), Memory::kL1);
        EXPECT_EQ(memory(chip, kB1), Memory::kL1);
        EXPECT_EQ(memory(chip, kTscm), Memory::kL1);
        EXPECT_EQ(memory(chip, kA2), Memory::kL0A);
        EXPECT_EQ(memory(chip, kB2), Memory::kL0B);
        EXPECT_EQ(memory(chip, kCo1), Memory::kL0C);
        EXPECT_EQ(memory(chip, kC2Pipe2Local), Memory::kNone);
    }
}

TEST(Chips, MacrosLimitsAndPolicies) {
    const struct {
        const char* chip;
        uint32_t npu, cce;
        const char* dav;
        uint32_t events, buffers;
        bool ascendc, split, infnan, directed, counter;
    } kExpected[] = {{"Ascend310", 0, 0, "", 8, 8, false, false, false, false, false},
                     {"Ascend910", 1001, 100, "__DAV_C100__", 4, 4, true, false, false, true, false},
                     {"Ascend310P", 2002, 200, "__DAV_M200__", 8, 8, true, false, false, false, true},
                     {"Ascend310P-Vector", 0, 0, "", 8, 8, false, false, false, false, true},
                     {"Ascend910B", 2201, 220, "__DAV_C220__", 8, 8, true, true, true, false, true},
                     {"Ascend310B", 3002, 300, "__DAV_M300__", 8, 8, true, false, false, false, true},
                     {"Ascend950", 3510, 310, "__DAV_C310__", 8, 8, true, true, true, false, true}};
    for (const auto& e : kExpected) {
        const Chip chip = FindChip(e.chip);
        EXPECT_EQ(chip.npu_arch, e.npu) << e.chip;
        EXPECT_EQ(chip.cce_aicore, e.cce) << e.chip;
        EXPECT_EQ(chip.dav_macro, e.dav) << e.chip;
        EXPECT_EQ(chip.event_ids, e.events) << e.chip;
        EXPECT_EQ(chip.buffers_per_position, e.buffers) << e.chip;
        EXPECT_EQ(chip.ascendc, e.ascendc) << e.chip;
        EXPECT_EQ(chip.tik, std::string_view(e.chip) != "Ascend950") << e.chip;
        EXPECT_EQ(chip.split_cores, e.split) << e.chip;
        EXPECT_EQ(chip.supports_infnan, e.infnan) << e.chip;
        EXPECT_EQ(chip.ctrl_spr, e.infnan) << e.chip;
        EXPECT_EQ(chip.board_overflow, e.infnan ? Overflow::kInfNan : Overflow::kSaturate) << e.chip;
        EXPECT_EQ(chip.directed_cast_round, e.directed) << e.chip;
        EXPECT_EQ(chip.counter_mode, e.counter) << e.chip;
        EXPECT_EQ(chip.vector_only, std::string_view(e.chip) == "Ascend310P-Vector") << e.chip;
        EXPECT_EQ(chip.vector_registers, std::string_view(e.chip) == "Ascend950") << e.chip;
        EXPECT_EQ(chip.reserved_ub_bytes, std::string_view(e.chip) == "Ascend950" ? 8192u : 0u) << e.chip;
    }
    EXPECT_EQ(FindChip("Ascend910B").max_blocks_aic, 25u);
    EXPECT_EQ(FindChip("Ascend910B").max_blocks_aiv, 50u);
    for (const char* chip : {"Ascend310B", "Ascend950"}) EXPECT_EQ(FindChip(chip).max_blocks_aic, 65535u);
}

std::string Types(const char* chip, Api api, Opcode op) {
    return TypeList(FindChip(chip).types[static_cast<size_t>(api)][static_cast<size_t>(op)], api);
}

TEST(Chips, TypesOfAscendC) {
    for (const Opcode op : {Opcode::vadd, Opcode::vsub, Opcode::vmul, Opcode::vmax, Opcode::vmin}) {
        EXPECT_EQ(Types("Ascend910", Api::kAscendC, op), "half, int32_t, float");
        for (const char* chip : {"Ascend310P", "Ascend910B", "Ascend310B", "Ascend950"}) {
            EXPECT_EQ(Types(chip, Api::kAscendC, op), "int16_t, half, int32_t, float") << chip;
        }
    }
    for (const Opcode op : {Opcode::vadds, Opcode::vmuls}) {
        EXPECT_EQ(Types("Ascend910", Api::kAscendC, op), "half, float");
        for (const char* chip : {"Ascend310P", "Ascend910B", "Ascend310B", "Ascend950"}) {
            EXPECT_EQ(Types(chip, Api::kAscendC, op), "int16_t, half, int32_t, float") << chip;
        }
    }
    for (const char* chip : {"Ascend910", "Ascend310P"}) {
        EXPECT_EQ(Types(chip, Api::kAscendC, Opcode::vector_dup), "int16_t, uint16_t, half, int32_t, uint32_t, float");
        EXPECT_EQ(Types(chip, Api::kAscendC, Opcode::data_move),
                  std::string("int8_t, uint8_t, int16_t, uint16_t, half, int32_t, uint32_t, float") +
                      (std::string_view(chip) == "Ascend310P" ? ", int64_t, uint64_t" : ""));
        EXPECT_EQ(Types(chip, Api::kAscendC, Opcode::data_move_pad), "none");
    }
    const char* all =
        "int8_t, uint8_t, int16_t, uint16_t, half, bfloat16_t, int32_t, uint32_t, float, int64_t, uint64_t";
    for (const char* chip : {"Ascend910B", "Ascend310B", "Ascend950"}) {
        EXPECT_EQ(Types(chip, Api::kAscendC, Opcode::vector_dup),
                  "int16_t, uint16_t, half, bfloat16_t, int32_t, uint32_t, float");
        EXPECT_EQ(Types(chip, Api::kAscendC, Opcode::data_move), all);
    }
    for (const char* chip : {"Ascend910B", "Ascend950"})
        EXPECT_EQ(Types(chip, Api::kAscendC, Opcode::data_move_pad), all);
    EXPECT_EQ(Types("Ascend310B", Api::kAscendC, Opcode::data_move_pad),
              "int8_t, uint8_t, int16_t, uint16_t, half, bfloat16_t, int32_t, uint32_t, float");
    EXPECT_FALSE(FindChip("Ascend310").Has(Api::kAscendC, Opcode::vadd, DataType::kHalf));
    EXPECT_TRUE(FindChip("Ascend310").Has(Api::kTik, Opcode::vadd, DataType::kHalf));
}

TEST(Chips, TypesOfTik) {
    EXPECT_EQ(Types("Ascend310", Api::kTik, Opcode::vadd), "float16, int32, float32");
    EXPECT_EQ(Types("Ascend310", Api::kTik, Opcode::vadds), "float16, float32");
    EXPECT_EQ(Types("Ascend910", Api::kTik, Opcode::vmuls), "float16, float32");
    EXPECT_EQ(Types("Ascend310P-Vector", Api::kTik, Opcode::vmuls), "int16, float16, int32, float32");
    EXPECT_EQ(Types("Ascend310B", Api::kTik, Opcode::vadd), "int8, uint8, int16, float16, int32, float32");
    EXPECT_EQ(Types("Ascend310B", Api::kTik, Opcode::vmul), "int16, float16, int32, float32");
    EXPECT_EQ(Types("Ascend910B", Api::kTik, Opcode::data_move_pad),
              "int8, uint8, int16, uint16, float16, bfloat16, int32, uint32, float32");
    EXPECT_EQ(Types("Ascend310P", Api::kTik, Opcode::data_move_pad), "none");
}

TEST(Chips, TypesOfElementwiseInstructions) {
    const char *f16_f32 = "half, float", *logic = "int16_t, uint16_t";
    for (const char* chip : {"Ascend910", "Ascend310P", "Ascend910B", "Ascend310B", "Ascend950"}) {
        for (const Opcode op :
             {Opcode::vexp, Opcode::vln, Opcode::vrec, Opcode::vsqrt, Opcode::vrsqrt, Opcode::vdiv, Opcode::vaxpy}) {
            EXPECT_EQ(Types(chip, Api::kAscendC, op), f16_f32) << chip;
        }
        for (const Opcode op : {Opcode::vnot, Opcode::vand, Opcode::vor}) {
            EXPECT_EQ(Types(chip, Api::kAscendC, op), logic) << chip;
        }
        const bool old = std::string_view(chip) == "Ascend910", small = std::string_view(chip) == "Ascend310B";
        const char* none = "none";
        EXPECT_EQ(Types(chip, Api::kAscendC, Opcode::vabs), small ? "int16_t, half, int32_t, float" : f16_f32) << chip;
        EXPECT_EQ(Types(chip, Api::kAscendC, Opcode::vrelu), old ? "half" : "half, int32_t, float") << chip;
        EXPECT_EQ(Types(chip, Api::kAscendC, Opcode::vmaxs), old ? none : "int16_t, half, int32_t, float") << chip;
        EXPECT_EQ(Types(chip, Api::kAscendC, Opcode::vlrelu), old ? none : f16_f32) << chip;
        EXPECT_EQ(Types(chip, Api::kAscendC, Opcode::vmadd), old ? none : f16_f32) << chip;
        EXPECT_EQ(Types(chip, Api::kAscendC, Opcode::vaddrelu), old     ? none
                                                                : small ? f16_f32
                                                                        : "int16_t, half, float")
            << chip;
        EXPECT_EQ(Types(chip, Api::kAscendC, Opcode::vmla), old ? none
                                                            : small
                                                                ? "int16_t, uint16_t, half, int32_t, uint32_t, float"
                                                                : f16_f32)
            << chip;
        const Chip data = FindChip(chip);
        const auto widens = [&](Opcode op) { return data.widens[0][static_cast<size_t>(op)]; };
        EXPECT_TRUE(widens(Opcode::vaxpy)) << chip;
        EXPECT_EQ(widens(Opcode::vmla), !old && !small) << chip;
        EXPECT_FALSE(widens(Opcode::vmadd)) << chip;
        EXPECT_EQ(data.shift_round, !small) << chip;
    }
    for (const Opcode op : {Opcode::vshl, Opcode::vshr}) {
        EXPECT_EQ(Types("Ascend910B", Api::kAscendC, op), "int16_t, uint16_t, int32_t, uint32_t");
        EXPECT_EQ(Types("Ascend310P", Api::kAscendC, op), "none");
        EXPECT_EQ(Types("Ascend310P", Api::kTik, op), "none");
        EXPECT_EQ(Types("Ascend310P-Vector", Api::kTik, op), "int16, uint16, int32, uint32");
    }
    EXPECT_EQ(Types("Ascend950", Api::kAscendC, Opcode::vscatter),
              "int8_t, uint8_t, int16_t, uint16_t, half, bfloat16_t, int32_t, uint32_t, float");
    EXPECT_EQ(Types("Ascend950", Api::kTik, Opcode::vadd), "none");
    EXPECT_EQ(Types("Ascend310", Api::kTik, Opcode::vexp), "float16");
    EXPECT_EQ(Types("Ascend310", Api::kTik, Opcode::vdiv), "none");
    EXPECT_EQ(Types("Ascend310", Api::kTik, Opcode::vmaddrelu), "float16, float32");
    EXPECT_EQ(Types("Ascend310B", Api::kTik, Opcode::vmaddrelu), "none");
    EXPECT_EQ(Types("Ascend310B", Api::kTik, Opcode::vand), "int8, uint8, int16, uint16");
    EXPECT_EQ(Types("Ascend910B", Api::kTik, Opcode::vsubrelu), "none");
    EXPECT_TRUE(FindChip("Ascend310").widens[1][static_cast<size_t>(Opcode::vmla)]);
    EXPECT_FALSE(FindChip("Ascend310B").widens[1][static_cast<size_t>(Opcode::vaxpy)]);
}

TEST(Chips, EveryListOfTypesSaysWhereItComesFrom) {
    for (const Chip& chip : Families()) {
        for (size_t api = 0; api < 2; ++api) {
            for (size_t op = 0; op < isa::kOpcodeCount; ++op) {
                EXPECT_EQ(chip.types[api][op] != 0, !chip.claims[api][op].source.empty())
                    << chip.name << " " << isa::kInstructions[op].opcode;
            }
        }
    }
}

}  // namespace
}  // namespace sfumato::soc
