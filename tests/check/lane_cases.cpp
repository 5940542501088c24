// SPDX-License-Identifier: Apache-2.0
// Wrong compares, selects, fills and gathers; those whose offsets or bits are wrong are shown to CheckContents.
#include <gtest/gtest.h>

#include <cstring>

#include "check/cases.h"
#include "isa/vector_registers.h"
#include "support/raised.h"

namespace sfumato::check {
namespace {

constexpr DataType kU8 = DataType::kUint8, kU16 = DataType::kUint16, kF16 = DataType::kHalf, kU32 = DataType::kUint32,
                   kS32 = DataType::kInt32, kF32 = DataType::kFloat;
using Mode = isa::Compare::Mode;
using SelectMode = isa::Select::Mode;

isa::Record Comparison(DataType type, Mode mode, uint64_t dst = 4096) {
    return Make(Opcode::vcmpv, {Ub(kU8, dst), Ub(type, 0), Ub(type, 1024)}, isa::Compare{mode});
}

isa::Record Brcb(uint32_t block_stride, uint64_t src) {
    isa::Record r = Make(Opcode::vbcb, {Ub(kF32, 0), Ub(kF32, src)}, isa::Broadcast{});
    r.operand[0].block_stride = block_stride;
    return r;
}

isa::Record Squeeze(uint8_t pattern, uint64_t dst) {
    return Make(Opcode::vreduce, {Ub(kF32, dst), Ub(kF32, 0)}, isa::GatherMask{pattern});
}

// 64 floats at byte 1024 of UB, in a buffer of 256 bytes, by offsets at byte 2048.
isa::Record Gathered(Opcode op, uint64_t base = 0) {
    isa::Record r = Make(op, {Ub(kF32, 0), Ub(kF32, 1024, 1280), Ub(kU32, 2048)});
    r.As<isa::Offsets>().base = base;
    if (op == Opcode::vscatter) std::swap(r.operand[0], r.operand[1]);
    return r;
}

// The finding about offset `offset` at index 5, the others being different and legal.
Outcome WithOffset(const isa::Record& r, uint32_t offset, const char* chip) {
    std::vector<uint8_t> ub(4096);
    const uint32_t piece = r.op == Opcode::vgatherb ? 32 : 4;
    for (uint32_t i = 0; i < 64; ++i) {
        const uint32_t value = i == 5 ? offset : i % (256 / piece) * piece;
        std::memcpy(&ub[2048 + 4 * i], &value, 4);
    }
    KeepingSink sink;
    const Context context{&ChipNamed(chip), kGm, &sink, false};
    const bool ok = CheckRecord(r, context) && CheckContents(r, context, ub.data());
    return {ok, std::move(sink.reports)};
}

void ExpectReport(const Outcome& outcome, const char* rule, const char* operand, const char* message, const char* found,
                  const char* legal) {
    ASSERT_EQ(outcome.reports.size(), 1u) << message;
    const Report& report = outcome.reports.front();
    EXPECT_EQ(report.rule, rule);
    Raised(report.rule);
    EXPECT_EQ(report.operand, operand);
    EXPECT_EQ(report.message, message);
    EXPECT_EQ(report.found, found);
    EXPECT_EQ(report.legal, legal);
    EXPECT_EQ(outcome.ok, report.severity != Severity::kFault);
}

TEST(Contents, Offsets) {
    EXPECT_TRUE(WithOffset(Gathered(Opcode::vgather), 252, "Ascend910B").reports.empty());
    ExpectReport(WithOffset(Gathered(Opcode::vgather), 6, "Ascend910B"), "gather-alignment", "srcOffset",
                 "Gather: an offset is not a multiple of 4", "offset 6 at index 5 of srcOffset",
                 "a multiple of 4 bytes");
    ExpectReport(WithOffset(Gathered(Opcode::vgather, 64), 252, "Ascend910B"), "gather-offset", "srcOffset",
                 "Gather: an offset leads past the end of the buffer of src", "offset 252 at index 5 of srcOffset",
                 "0..188 bytes");
    ExpectReport(WithOffset(ByTik(Gathered(Opcode::vgather)), 1u << 31, "Ascend910B"), "gather-offset", "src_offset",
                 "vgather: an offset leads past the end of src", "offset 2147483648 at index 5 of src_offset",
                 "0..252 bytes");
    ExpectReport(WithOffset(Gathered(Opcode::vgather, 1 << 20), 0, "Ascend910B"), "gather-offset", "srcOffset",
                 "Gather: an offset leads past the end of the buffer of src", "offset 0 at index 0 of srcOffset",
                 "none: the base address lies behind the buffer");
    isa::Record blocks = Gathered(Opcode::vgatherb);
    for (isa::Operand* o : {&blocks.operand[0], &blocks.operand[1]}) o->type = kU32;
    ExpectReport(WithOffset(blocks, 16, "Ascend910B"), "gather-alignment", "offset",
                 "Gatherb: an offset is not a multiple of 32", "offset 16 at index 5 of offset",
                 "a multiple of 32 bytes");
}

TEST(Contents, SourceAndTensorOfAGather) {
    isa::Record small = Gathered(Opcode::vgather);
    small.operand[1].elements = 60;
    ExpectReport(WithOffset(small, 0, "Ascend910B"), "past-tensor", "srcOffset",
                 "Gather: reads past the end of the tensor, inside its buffer", "offset 240 at index 60 of srcOffset",
                 "60 elements (240 bytes)");
    isa::Record shared = Gathered(Opcode::vgather);
    shared.operand[0].offset = 1280 - 32;
    shared.mask.count = 8;
    ExpectReport(WithOffset(shared, 224, "Ascend910B"), "operands-share", "src", "Gather: src and dst share memory",
                 "bytes 1248..1252 and 1248..1280 of UB", "no byte in common");
}

TEST(Contents, BlocksOfAnInterpolation) {
    isa::Record r = Make(Opcode::vbi, {Ub(kF16, 0), Ub(kF16, 1024, 1280), Ub(kU32, 2048), Ub(kF16, 3072)},
                         isa::Interpolate{.horizontal = 4});
    r.mask = {isa::MaskMode::kContinuous, 128, {}};
    const auto with = [&](uint32_t offset) {
        std::vector<uint8_t> ub(4096);
        std::memcpy(&ub[2048 + 4 * 31], &offset, 4);
        KeepingSink sink;
        const Context context{&ChipNamed("Ascend310P"), kGm, &sink, false};
        const bool ok = CheckRecord(r, context) && CheckContents(r, context, ub.data());
        return Outcome{ok, std::move(sink.reports)};
    };
    EXPECT_TRUE(with(224).reports.empty());
    ExpectReport(with(16), "gather-alignment", "src0Offset", "BilinearInterpolation: an offset is not a multiple of 32",
                 "offset 16 at index 31 of src0Offset", "a multiple of 32 bytes");
    ExpectReport(with(256), "gather-offset", "src0Offset",
                 "BilinearInterpolation: an offset leads past the end of the buffer of src0",
                 "offset 256 at index 31 of src0Offset", "0..224 bytes");
}

TEST(Contents, NarrowOffsets) {
    isa::Record r = Gathered(Opcode::vgather);
    r.operand[0].type = r.operand[1].type = kF16;
    r.operand[1] = Ub(kF16, 4096, 200000);
    EXPECT_TRUE(WithOffset(r, 1u << 17, "Ascend910B").reports.empty());
    ExpectReport(WithOffset(r, 1u << 17, "Ascend310B"), "gather-offset", "srcOffset",
                 "Gather: Ascend310B does not take an offset as large", "offset 131072 at index 5 of srcOffset",
                 "0..131071 bytes for elements of this type");
}

TEST(Contents, ScatterTwice) {
    EXPECT_TRUE(WithOffset(Gathered(Opcode::vscatter), 20, "Ascend310P").reports.empty());
    ExpectReport(WithOffset(Gathered(Opcode::vscatter), 8, "Ascend310P"), "scatter-twice", "dstOffset",
                 "Scatter: two elements go to the same place; the last one stays", "offset 8 at index 5 of dstOffset",
                 "different offsets");
}

TEST(Contents, ElementsOutsideAFunctionsRange) {
    isa::Record r = Make(Opcode::vacos, {Ub(kF32, 0), Ub(kF32, 1024)});
    r.mask = {isa::MaskMode::kCount, 64, {}};
    std::vector<uint8_t> ub(4096);
    const auto checked = [&] {
        KeepingSink sink;
        const Context context{&ChipNamed("Ascend910B"), kGm, &sink, false};
        const bool ok = CheckRecord(r, context) && CheckContents(r, context, ub.data());
        return Outcome{ok, std::move(sink.reports)};
    };
    EXPECT_TRUE(checked().reports.empty());
    const float beyond = 1.5f;
    std::memcpy(&ub[1024 + 4 * 7], &beyond, 4);
    ExpectReport(checked(), "input-range", "src", "Acos: an element lies outside the range of the function",
                 "1.5 at index 7 of src", "-1 to 1");
}

TEST(Contents, KeptElements) {
    std::vector<uint8_t> ub(4096, 0);
    isa::Record r = Make(Opcode::vreduce, {Ub(kF32, 0, 64), Ub(kF32, 1024), Ub(kU32, 2048)}, isa::GatherMask{0});
    KeepingSink sink;
    const Context context{&ChipNamed("Ascend910B"), kGm, &sink, false};
    ASSERT_TRUE(CheckRecord(r, context));
    ub[2048] = ub[2049] = 0xFF;
    EXPECT_TRUE(CheckContents(r, context, ub.data()));
    ub[2050] = 1;
    EXPECT_FALSE(CheckContents(r, context, ub.data()));
    ASSERT_EQ(sink.reports.size(), 1u);
    EXPECT_EQ(sink.reports.front().rule, "out-of-buffer");
    EXPECT_EQ(sink.reports.front().found, "bytes 0..68 of UB, 4 bytes too many");
}

}  // namespace

std::vector<Case> LaneCases() {
    isa::Record wrong_offsets = Gathered(Opcode::vgather);
    wrong_offsets.operand[2].type = kS32;
    isa::Record tensor_select = Make(Opcode::vsel, {Ub(kF16, 0), Ub(kF16, 256), Ub(kF16, 512), Ub(kU8, 1024)},
                                     isa::Select{SelectMode::kTensorTensor});
    isa::Record bits_in_dst = tensor_select;
    bits_in_dst.operand[3].offset = 32;
    isa::Record scattered = Gathered(Opcode::vscatter, 2);
    return {
        {Rule::kTypeUnsupported, "CompareOfInt32", "Ascend910B", Comparison(kS32, Mode::kLt)},
        {Rule::kTypeMismatch, "CompareOfTwoTypes", "Ascend910B",
         Make(Opcode::vcmpv, {Ub(kU8, 4096), Ub(kF16, 0), Ub(kF32, 1024)}, isa::Compare{})},
        {Rule::kTypeMismatch, "SignedOffsets", "Ascend910B", wrong_offsets},
        {Rule::kComparePart, "Count", "Ascend910B", WithCount(Comparison(kF32, Mode::kLt), 100)},
        {Rule::kOperandsShare, "CompareInPlaceInTik", "Ascend910B",
         ByTik(WithMask(Comparison(kF32, Mode::kLt, 0), 64, 2))},
        {Rule::kOperandsShare, "BitsInTheDestination", "Ascend910B", bits_in_dst},
        {Rule::kOperandsShare, "Squeeze", "Ascend910B", Squeeze(1, 32)},
        {Rule::kSelectMode, "Ascend910", "Ascend910", tensor_select},
        {Rule::kMemoryPath, "CompareIntoUb", "Ascend910B",
         Make(Opcode::vcmp, {Ub(kU8, 4096), Ub(kF16, 0), Ub(kF16, 1024)}, isa::Compare{})},
        {Rule::kBlockStrideZero, "Brcb", "Ascend910B", Brcb(0, 1024)},
        {Rule::kGatherAlignment, "Base", "Ascend310P", scattered},
        {Rule::kGatherPattern, "SevenOnAscend310P", "Ascend310P", Squeeze(7, 4096)},
        {Rule::kParameterRange, "SqueezeOfNothing", "Ascend910B", WithMask(Squeeze(1, 4096), 0, 1)},
        {Rule::kNothingToDo, "SqueezeOfNoRepeats", "Ascend910B", WithMask(Squeeze(1, 4096), 64, 0)},
    };
}

}  // namespace sfumato::check
