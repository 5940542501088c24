// SPDX-License-Identifier: Apache-2.0
// Wrong loads.
#include "check/cases.h"

namespace sfumato::check {
namespace {

using isa::Load2D;
using isa::Load3Dv1;
using isa::Load3Dv2;
using isa::LoadTransposed;
using isa::Record;

constexpr DataType kS4 = DataType::kInt4, kS8 = DataType::kInt8, kF16 = DataType::kHalf, kF32 = DataType::kFloat;

Record Fractals(DataType type, Memory dst, Memory src, const Load2D& shape) {
    return Make(Opcode::load2d, {At(dst, type), src == Memory::kGm ? Gm(type, 0) : At(src, type)}, shape);
}

Record Squares(DataType type, Memory dst, const LoadTransposed& shape) {
    return Make(Opcode::load2d_transpose, {At(dst, type), At(Memory::kL1, type)}, shape);
}

Record OnVector(Record r) {
    r.core_kind = isa::CoreKind::kVector;
    return r;
}

// A 4 x 4 image of 32 channels, 2 x 2 filter: 9 windows, 128 columns of 16-bit data.
Load3Dv1 Small1() {
    Load3Dv1 s;
    s.map = {4, 4, 0, 0, 0, 0};
    s.filter = {1, 1, 2, 2, 1, 1};
    s.repeats = 8;
    return s;
}

Load3Dv2 Small2() {
    Load3Dv2 s;
    s.map = {4, 4, 0, 0, 0, 0};
    s.filter = {1, 1, 2, 2, 1, 1};
    s.channels = 32;
    s.m_extension = 16;
    s.k_extension = 128;
    return s;
}

template <class Shape, class Change>
Shape With(Shape s, const Change& change) {
    change(s);
    return s;
}

Record Image(const Load3Dv1& s, DataType type = kF16) {
    return Make(Opcode::load3dv1, {At(Memory::kL0A, type), At(Memory::kL1, type)}, s);
}

Record Image(const Load3Dv2& s, DataType type = kF16, Memory dst = Memory::kL0A) {
    return Make(Opcode::load3dv2, {At(dst, type), At(Memory::kL1, type)}, s);
}

}  // namespace

std::vector<Case> LoadCases() {
    return {
        {Rule::kInstructionUnsupported, "Load3Dv1OnAscend910B", "Ascend910B", Image(Small1())},
        {Rule::kTypeUnsupported, "Load3Dv1OfFloat", "Ascend310P", Image(Small1(), kF32)},
        {Rule::kTypeUnsupported, "Load3Dv2OfInt8ToL0B", "Ascend910B",
         Image(With(Small2(),
                    [](auto& s) {
                        s.filter = {};
                        s.m_extension = 16;
                        s.k_extension = 32;
                    }),
               kS8, Memory::kL0B)},
        {Rule::kTypeUnsupported, "TransposedInt4ToL0A", "Ascend910B", Squares(kS4, Memory::kL0A, {.repeats = 1})},
        {Rule::kMemoryPath, "L1ToUb", "Ascend910B", Fractals(kF16, Memory::kUb, Memory::kL1, {.repeats = 1})},
        {Rule::kMemoryPath, "Load3Dv2ToUb", "Ascend910B", Image(Small2(), kF16, Memory::kUb)},
        {Rule::kCoreKind, "LoadOnVectorCore", "Ascend910B",
         OnVector(Fractals(kF16, Memory::kL0A, Memory::kL1, {.repeats = 1}))},
        {Rule::kL0Alignment, "HalfAFractal", "Ascend910B",
         Make(Opcode::load2d, {At(Memory::kL0B, kF16, 256), At(Memory::kL1, kF16)}, Load2D{.repeats = 1})},
        {Rule::kL1Alignment, "Load3Dv2", "Ascend910B",
         Make(Opcode::load3dv2, {At(Memory::kL0A, kF16), At(Memory::kL1, kF16, 16)}, Small2())},
        {Rule::kL1Alignment, "TikLoad2D", "Ascend910B",
         ByTik(Make(Opcode::load2d, {At(Memory::kL0A, kF16), At(Memory::kL1, kF16, 32)}, Load2D{.repeats = 1}))},
        {Rule::kOutOfBuffer, "LastFractal", "Ascend910B",
         Make(Opcode::load2d, {At(Memory::kL0A, kF16), At(Memory::kL1, kF16, 0, 4096)},
              Load2D{.start = 1, .repeats = 8, .src_stride = 1})},
        {Rule::kOutOfBuffer, "LastRowOfTheImage", "Ascend910B",
         Make(Opcode::load3dv2, {At(Memory::kL0A, kF16), At(Memory::kL1, kF16, 0, 1023)}, Small2())},
        {Rule::kPastMemory, "L0A", "Ascend910B",
         Fractals(kF16, Memory::kL0A, Memory::kL1, {.repeats = 129, .src_stride = 1})},
        {Rule::kNothingToDo, "LoadOfNoRepeats", "Ascend310P", Fractals(kF16, Memory::kL0A, Memory::kL1, {})},
        {Rule::kNothingToDo, "LoadOfNoColumns", "Ascend910B",
         Image(With(Small2(), [](auto& s) { s.k_extension = 0; }))},
        {Rule::kParameterRange, "StrideOfZero", "Ascend310P",
         Image(With(Small1(), [](auto& s) { s.filter.stride_w = 0; }))},
        {Rule::kParameterRange, "LeftTop", "Ascend310P", Image(With(Small1(), [](auto& s) { s.left_top_h = -256; }))},
        {Rule::kParameterRange, "Tik", "Ascend310P",
         ByTik(Image(With(Small1(), [](auto& s) { s.map.width = 40000; })))},
        {Rule::kParameterRange, "Channels", "Ascend910B", Image(With(Small2(), [](auto& s) { s.channels = 34; }))},
        {Rule::kParameterRange, "WideFilterOnAscend310P", "Ascend310P",
         Image(With(Small2(),
                    [](auto& s) {
                        s.map.width = 600;
                        s.filter.width = 256;
                    }))},
        {Rule::kParameterRange, "RepeatOnAscend310P", "Ascend310P",
         Image(With(Small2(), [](auto& s) { s.repeats = 2; }))},
        {Rule::kParameterRange, "FilterLargerThanTheImage", "Ascend910B",
         Image(With(Small2(), [](auto& s) { s.filter.height = 3, s.filter.dilation_h = 2; }))},
        {Rule::kParameterRange, "SmallBoundary", "Ascend910B",
         Image(With(Small2(), [](auto& s) { s.boundary = 1000; }))},
        {Rule::kParameterRange, "SourceBehindTheBoundary", "Ascend910B",
         Make(Opcode::load3dv2, {At(Memory::kL0A, kF16), At(Memory::kL1, kF16, 4096)},
              With(Small2(), [](auto& s) { s.boundary = 4096; }))},
        {Rule::kParameterRange, "FallingOutOfL1", "Ascend910B",
         Fractals(kF16, Memory::kL0A, Memory::kL1, {.repeats = 1, .decrement = true})},
        {Rule::kParameterRange, "FallingBelowTheTensor", "Ascend910B",
         Fractals(kF16, Memory::kL1, Memory::kGm, {.start = 2, .repeats = 3, .src_stride = 2, .decrement = true})},
        {Rule::kParameterRange, "FallingSquares", "Ascend910B",
         Squares(kF16, Memory::kL0A, {.start = 0, .repeats = 2, .src_stride = 1, .decrement = true})},
        {Rule::kParameterAlignment, "FirstColumn", "Ascend910B", Image(With(Small2(), [](auto& s) { s.k_start = 8; }))},
        {Rule::kParameterAlignment, "Columns", "Ascend910B",
         Image(With(Small2(), [](auto& s) { s.k_extension = 24; }))},
        {Rule::kParameterAlignment, "Rows", "Ascend910B", Image(With(Small2(), [](auto& s) { s.m_extension = 8; }))},
        {Rule::kTransposeUnsupported, "Load2DOfFloat", "Ascend910B",
         Fractals(kF32, Memory::kL0A, Memory::kL1, {.repeats = 1, .transpose = true})},
        {Rule::kTransposeUnsupported, "Load3Dv2OfInt8", "Ascend310P",
         Image(With(Small2(),
                    [](auto& s) {
                        s.transpose = true;
                        s.k_extension = 32;
                    }),
               kS8)},
        {Rule::kLoadGapIgnored, "Ascend910", "Ascend910",
         Fractals(kF16, Memory::kL0A, Memory::kL1, {.repeats = 2, .src_stride = 1, .ignored_gap = 3})},
        {Rule::kLoadPastMatrix, "Rows", "Ascend910B", Image(With(Small2(), [](auto& s) { s.m_extension = 32; }))},
        {Rule::kLoadPastMatrix, "Columns", "Ascend910B",
         Image(With(Small2(), [](auto& s) { s.k_start = 64, s.k_extension = 80; }))},
    };
}

}  // namespace sfumato::check
