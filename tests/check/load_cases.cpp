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
constexpr const char* kCheck = "check how the value is computed";

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
        {Rule::kInstructionUnsupported, "Load3Dv1OnAscend910B", "Ascend910B", Image(Small1()), "",
         "LoadData: Ascend910B does not have the form with LoadData3DParamsV1", "Ascend910B", "Ascend910, Ascend310P",
         "use LoadData3DParamsV2"},
        {Rule::kTypeUnsupported, "Load3Dv1OfFloat", "Ascend310P", Image(Small1(), kF32), "dst",
         "LoadData: the element type is not supported on Ascend310P", "float", "int8_t, uint8_t, half",
         "no other chip has this type: convert to a legal type first"},
        {Rule::kTypeUnsupported, "Load3Dv2OfInt8ToL0B", "Ascend910B",
         Image(With(Small2(),
                    [](auto& s) {
                        s.filter = {};
                        s.m_extension = 16;
                        s.k_extension = 32;
                    }),
               kS8, Memory::kL0B),
         "dst", "LoadData: the element type cannot go to L0B", "int8_t", "half, bfloat16_t, int32_t, uint32_t, float",
         "use another destination, or convert to a legal type first"},
        {Rule::kTypeUnsupported, "TransposedInt4ToL0A", "Ascend910B", Squares(kS4, Memory::kL0A, {.repeats = 1}), "dst",
         "LoadDataWithTranspose: the element type can only go to L0B", "int4b_t",
         "int8_t, uint8_t, half, bfloat16_t, int32_t, uint32_t, float",
         "use another destination, or convert to a legal type first"},
        {Rule::kMemoryPath, "L1ToUb", "Ascend910B", Fractals(kF16, Memory::kUb, Memory::kL1, {.repeats = 1}), "dst",
         "LoadData: Ascend910B has no such move", "L1 to UB", "GM to L1, GM to L0A, GM to L0B, L1 to L0A, L1 to L0B",
         "check the positions of the two tensors"},
        {Rule::kMemoryPath, "Load3Dv2ToUb", "Ascend910B", Image(Small2(), kF16, Memory::kUb), "dst",
         "LoadData: Ascend910B has no such move", "L1 to UB", "L1 to L0A, L1 to L0B",
         "this path is there on Ascend310P: is the right chip chosen?"},
        {Rule::kCoreKind, "LoadOnVectorCore", "Ascend910B",
         OnVector(Fractals(kF16, Memory::kL0A, Memory::kL1, {.repeats = 1})), "dst",
         "LoadData: a vector core has no L0A", "the kernel runs on a vector core", "a cube core of Ascend910B",
         "declare KERNEL_TASK_TYPE_DEFAULT(KERNEL_TYPE_AIC_ONLY), run with --core aic, or guard the call with "
         "ASCEND_IS_AIC"},
        {Rule::kL0Alignment, "HalfAFractal", "Ascend910B",
         Make(Opcode::load2d, {At(Memory::kL0B, kF16, 256), At(Memory::kL1, kF16)}, Load2D{.repeats = 1}), "dst",
         "LoadData: the destination is not aligned", "byte offset 256 in L0B", "a multiple of 512",
         "start at an index that is a multiple of 256 elements of half"},
        {Rule::kL1Alignment, "Load3Dv2", "Ascend910B",
         Make(Opcode::load3dv2, {At(Memory::kL0A, kF16), At(Memory::kL1, kF16, 16)}, Small2()), "src",
         "LoadData: the source is not aligned", "byte offset 16 in L1", "a multiple of 32",
         "start at an index that is a multiple of 16 elements of half"},
        {Rule::kL1Alignment, "TikLoad2D", "Ascend910B",
         ByTik(Make(Opcode::load2d, {At(Memory::kL0A, kF16), At(Memory::kL1, kF16, 32)}, Load2D{.repeats = 1})), "src",
         "load2dv1: the source is not aligned", "byte offset 32 in L1", "a multiple of 512",
         "start at an index that is a multiple of 256 elements of float16"},
        {Rule::kOutOfBuffer, "LastFractal", "Ascend910B",
         Make(Opcode::load2d, {At(Memory::kL0A, kF16), At(Memory::kL1, kF16, 0, 4096)},
              Load2D{.start = 1, .repeats = 8, .src_stride = 1}),
         "src", "LoadData: reads past the end of the tensor's buffer", "bytes 512..4608 of L1, 512 bytes too many",
         "up to byte 4096: 2048 elements of half from here",
         "make the buffer larger, or process fewer elements (start, sizes, repeats, strides)"},
        {Rule::kOutOfBuffer, "LastRowOfTheImage", "Ascend910B",
         Make(Opcode::load3dv2, {At(Memory::kL0A, kF16), At(Memory::kL1, kF16, 0, 1023)}, Small2()), "src",
         "LoadData: reads past the end of the tensor's buffer", "bytes 0..1024 of L1, 1 bytes too many",
         "up to byte 1023: 511 elements of half from here",
         "make the buffer larger, or process fewer elements (start, sizes, repeats, strides)"},
        {Rule::kPastMemory, "L0A", "Ascend910B",
         Fractals(kF16, Memory::kL0A, Memory::kL1, {.repeats = 129, .src_stride = 1}), "dst",
         "LoadData: writes past the end of L0A", "bytes 0..66048 of L0A", "65536 bytes on Ascend910B",
         "use less memory, or process the data in parts"},
        {Rule::kNothingToDo, "NoRepeats", "Ascend310P", Fractals(kF16, Memory::kL0A, Memory::kL1, {}), "repeatTimes",
         "LoadData: repeatTimes is 0: nothing is done", "0", "1..255", kCheck},
        {Rule::kNothingToDo, "NoColumns", "Ascend910B", Image(With(Small2(), [](auto& s) { s.k_extension = 0; })),
         "kExtension", "LoadData: kExtension is 0: nothing is done", "0", "1..65535", kCheck},
        {Rule::kParameterRange, "StrideOfZero", "Ascend310P",
         Image(With(Small1(), [](auto& s) { s.filter.stride_w = 0; })), "strideW", "LoadData: strideW is out of range",
         "0", "1..63", kCheck},
        {Rule::kParameterRange, "LeftTop", "Ascend310P", Image(With(Small1(), [](auto& s) { s.left_top_h = -256; })),
         "leftTopH", "LoadData: leftTopH is out of range", "-256", "-255..32767", kCheck},
        {Rule::kParameterRange, "Tik", "Ascend310P", ByTik(Image(With(Small1(), [](auto& s) { s.map.width = 40000; }))),
         "l1_w", "load3dv1: l1_w is out of range", "40000", "1..32767", kCheck},
        {Rule::kParameterRange, "Channels", "Ascend910B", Image(With(Small2(), [](auto& s) { s.channels = 34; })),
         "channelSize", "LoadData: channelSize is out of range", "34", "multiples of 16, and 4 or 8 more (half)",
         "lay the feature map out in L1 with more channels a pixel, the rest 0"},
        {Rule::kParameterRange, "WideFilterOnAscend310P", "Ascend310P",
         Image(With(Small2(),
                    [](auto& s) {
                        s.map.width = 600;
                        s.filter.width = 256;
                    })),
         "filterW", "LoadData: filterW is out of range", "256", "1..255: Ascend310P has no filterSizeW and filterSizeH",
         "leave filterSizeW and filterSizeH false"},
        {Rule::kParameterRange, "RepeatOnAscend310P", "Ascend310P",
         Image(With(Small2(), [](auto& s) { s.repeats = 2; })), "repeatTime (SetLoadDataRepeat)",
         "LoadData: repeatTime (SetLoadDataRepeat) is out of range", "2", "1: Ascend310P has no SetLoadDataRepeat",
         kCheck},
        {Rule::kParameterRange, "FilterLargerThanTheImage", "Ascend910B",
         Image(With(Small2(), [](auto& s) { s.filter.height = 3, s.filter.dilation_h = 2; })), "filterH",
         "LoadData: filterH is out of range", "3",
         "at most 2: the padded feature map has 4 pixels there, the dilation is 2",
         "check the sizes of the map and the filter, the padding and the dilation"},
        {Rule::kParameterRange, "SmallBoundary", "Ascend910B",
         Image(With(Small2(), [](auto& s) { s.boundary = 1000; })), "boundaryValue (SetLoadDataBoundary)",
         "LoadData: boundaryValue (SetLoadDataBoundary) is out of range", "1000", "0, or 1024 bytes and more",
         "the value counts blocks of 32 bytes for LoadData3DParamsV1, bytes for V2"},
        {Rule::kParameterRange, "SourceBehindTheBoundary", "Ascend910B",
         Make(Opcode::load3dv2, {At(Memory::kL0A, kF16), At(Memory::kL1, kF16, 4096)},
              With(Small2(), [](auto& s) { s.boundary = 4096; })),
         "boundaryValue (SetLoadDataBoundary)", "LoadData: boundaryValue (SetLoadDataBoundary) is out of range", "4096",
         "more than 4096, the byte offset of src in L1",
         "the value counts blocks of 32 bytes for LoadData3DParamsV1, bytes for V2"},
        {Rule::kParameterRange, "FallingOutOfL1", "Ascend910B",
         Fractals(kF16, Memory::kL0A, Memory::kL1, {.repeats = 1, .decrement = true}), "addrMode",
         "LoadData: addrMode is out of range", "1", "0; 1 on the way from GM to L1 alone",
         "load in rising order, or reverse the order on the way to L1"},
        {Rule::kParameterRange, "FallingBelowTheTensor", "Ascend910B",
         Fractals(kF16, Memory::kL1, Memory::kGm, {.start = 2, .repeats = 3, .src_stride = 2, .decrement = true}),
         "startIndex", "LoadData: startIndex is out of range", "2", "4 or more: the source address falls that far",
         "start at the highest part of the source"},
        {Rule::kParameterRange, "FallingSquares", "Ascend910B",
         Squares(kF16, Memory::kL0A, {.start = 0, .repeats = 2, .src_stride = 1, .decrement = true}), "startIndex",
         "LoadDataWithTranspose: startIndex is out of range", "0", "1 or more: the source address falls that far",
         "start at the highest part of the source"},
        {Rule::kParameterAlignment, "FirstColumn", "Ascend910B", Image(With(Small2(), [](auto& s) { s.k_start = 8; })),
         "kStartPt", "LoadData: kStartPt is not a multiple of 16", "8", "a multiple of 16 (C0)", "take 0 or 16"},
        {Rule::kParameterAlignment, "Columns", "Ascend910B", Image(With(Small2(), [](auto& s) { s.k_extension = 24; })),
         "kExtension", "LoadData: kExtension is not a multiple of 16", "24",
         "a multiple of 16, unless the window reaches column 128", "take 16 or 32"},
        {Rule::kParameterAlignment, "Rows", "Ascend910B", Image(With(Small2(), [](auto& s) { s.m_extension = 8; })),
         "mExtension", "LoadData: mExtension is not a multiple of 16", "8",
         "a multiple of 16, unless the window reaches row 9", "take 16"},
        {Rule::kTransposeUnsupported, "Load2DOfFloat", "Ascend910B",
         Fractals(kF32, Memory::kL0A, Memory::kL1, {.repeats = 1, .transpose = true}), "ifTranspose",
         "LoadData: the load cannot transpose this", "float, L1 to L0A", "16-bit types, L1 to L0A or L0B",
         "use LoadDataWithTranspose"},
        {Rule::kTransposeUnsupported, "Load3Dv2OfInt8", "Ascend310P",
         Image(With(Small2(),
                    [](auto& s) {
                        s.transpose = true;
                        s.k_extension = 32;
                    }),
               kS8),
         "enTranspose", "LoadData: the load cannot transpose this", "int8_t, L1 to L0A",
         "16-bit and 32-bit types, L1 to L0A", "load without it; transpose the data before it reaches L1"},
        {Rule::kLoadGapIgnored, "Ascend910", "Ascend910",
         Fractals(kF16, Memory::kL0A, Memory::kL1, {.repeats = 2, .src_stride = 1, .ignored_gap = 3}), "dstGap",
         "LoadData: Ascend910 has no gap between destination fractals: they lie end to end", "3", "0",
         "move the fractals with one call each"},
        {Rule::kLoadPastMatrix, "Rows", "Ascend910B", Image(With(Small2(), [](auto& s) { s.m_extension = 32; })),
         "mExtension", "LoadData: whole fractals of the window lie past the matrix", "rows 0..32",
         "the 9 rows of the matrix, rounded up to whole fractals", "make the window smaller"},
        {Rule::kLoadPastMatrix, "Columns", "Ascend910B",
         Image(With(Small2(), [](auto& s) { s.k_start = 64, s.k_extension = 80; })), "kExtension",
         "LoadData: whole fractals of the window lie past the matrix", "columns 64..144",
         "the 128 columns of the matrix, rounded up to whole fractals", "make the window smaller"},
    };
}

}  // namespace sfumato::check
