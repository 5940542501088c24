// SPDX-License-Identifier: Apache-2.0
// Wrong records of Mmad, of the ways out of L0C, of layout moves and of moves into the bias table and Fixpipe buffer.
#include "check/cases.h"

namespace sfumato::check {
namespace {

using isa::BlockFill;
using isa::Fixpipe;
using isa::Matmul;
using isa::MatrixMove;
using isa::Nd2Nz;
using isa::Nz2Nd;
using isa::Quant;
using isa::Record;

constexpr DataType kS4 = DataType::kInt4, kS8 = DataType::kInt8, kS16 = DataType::kInt16, kF16 = DataType::kHalf,
                   kS32 = DataType::kInt32, kF32 = DataType::kFloat, kU64 = DataType::kUint64;
constexpr const char* kCheck = "check how the value is computed";
constexpr const char* kSplit = "check how the value is computed, or split the work into several calls";
constexpr uint32_t kOne = 0x3F800000;
constexpr uint64_t kSigned = uint64_t{1} << 46;

Record Product(DataType a, DataType b, DataType to, const Matmul& shape) {
    return Make(Opcode::mmad, {At(Memory::kL0C, to), At(Memory::kL0A, a), At(Memory::kL0B, b)}, shape);
}

Record WithBias(Record r, const isa::Operand& bias) {
    r.operand[r.operand_count++] = bias;
    r.As<Matmul>().initial = Matmul::Initial::kBias;
    return r;
}

// A result of 16 x 16 elements.
Fixpipe Square(Quant quant = Quant::kNone) {
    Fixpipe s;
    s.m = s.n = 16;
    s.src_stride = 16;
    s.dst_stride = 16;
    s.quant = quant;
    return s;
}

Record Out(DataType to, DataType from, const Fixpipe& shape) {
    return Make(Opcode::fixpipe, {Gm(to, 0), At(Memory::kL0C, from)}, shape);
}

Record OutToL1(DataType to, DataType from, const Fixpipe& shape) {
    return Make(Opcode::fixpipe, {At(Memory::kL1, to), At(Memory::kL0C, from)}, shape);
}

Record WithWords(Record r, const isa::Operand& words) {
    r.operand[r.operand_count++] = words;
    return r;
}

Record ToUb(DataType to, DataType from, const MatrixMove& shape) {
    return Make(Opcode::tensor_mov, {At(Memory::kUb, to), At(Memory::kL0C, from)}, shape);
}

template <class Shape, class Change>
Shape With(Shape s, const Change& change) {
    change(s);
    return s;
}

Record Atomic(Record r, DataType type) {
    r.control.atomic = isa::Atomic::kAdd;
    r.control.atomic_type = type;
    return r;
}

Record Table(DataType to, Memory memory, uint64_t offset, DataType from, uint64_t bytes) {
    return Move(Opcode::data_move, At(memory, to, offset), At(Memory::kL1, from), 1, bytes);
}

constexpr Nd2Nz kRows = {.nd_count = 1, .n = 16, .d = 16, .src_d = 16, .dst_c0_stride = 16, .dst_n_stride = 1};
constexpr Nz2Nd kFractals = {.nd_count = 1, .n = 16, .d = 16, .src_n_stride = 16, .dst_d_stride = 16};

}  // namespace

std::vector<Case> CubeCases() {
    return {
        {Rule::kInstructionUnsupported, "FixpipeOnAscend310P", "Ascend310P", Out(kF16, kF32, Square(Quant::kF322F16)),
         "", "Fixpipe: Ascend310P does not have the instruction", "Ascend310P", "Ascend910B, Ascend310B",
         "choose another chip; here DataCopy with DataCopyEnhancedParams takes CO1 to CO2"},
        {Rule::kInstructionUnsupported, "MmadOnAVectorChip", "Ascend310P-Vector",
         Product(kF16, kF16, kF32, {.m = 16, .n = 16, .k = 16}), "",
         "Mmad: Ascend310P-Vector does not have the instruction", "Ascend310P-Vector",
         "Ascend910, Ascend310P, Ascend910B, Ascend310B", "choose another chip or another instruction"},
        {Rule::kMmadTypes, "HalfIntoHalfOnAscend910B", "Ascend910B",
         Product(kF16, kF16, kF16, {.m = 16, .n = 16, .k = 16}), "dst",
         "Mmad: the element types are not supported on Ascend910B", "half x half into half",
         "int8_t x int8_t into int32_t, int4b_t x int4b_t into int32_t, half x half into float, bfloat16_t x "
         "bfloat16_t into float, float x float into float",
         "this combination is there on Ascend910, Ascend310P: is the right chip chosen?"},
        {Rule::kMemoryPath, "SourceInL1", "Ascend910B",
         Make(Opcode::mmad, {At(Memory::kL0C, kF32), At(Memory::kL1, kF16), At(Memory::kL0B, kF16)},
              Matmul{.m = 16, .n = 16, .k = 16}),
         "fm", "Mmad: the operand is in a memory the instruction cannot use", "byte offset 0 in L1", "L0A (A2)",
         "load the matrix to a tensor in A2 first"},
        {Rule::kMemoryPath, "FillOfUb", "Ascend910B",
         Make(Opcode::fill, {At(Memory::kUb, kF16)}, BlockFill{.repeats = 1, .blocks = 1}), "dst",
         "Fill: Ascend910B does not fill this memory", "to UB", "to L1, to L0A, to L0B", "use Duplicate"},
        {Rule::kL0CAlignment, "ResultOfMmad", "Ascend910B",
         Make(Opcode::mmad, {At(Memory::kL0C, kF32, 512), At(Memory::kL0A, kF16), At(Memory::kL0B, kF16)},
              Matmul{.m = 16, .n = 16, .k = 16}),
         "dst", "Mmad: the destination is not aligned", "byte offset 512 in L0C", "a multiple of 1024",
         "start at an index that is a multiple of 256 elements of float"},
        {Rule::kL0CAlignment, "SourceOfFixpipe", "Ascend910B",
         Make(Opcode::fixpipe, {Gm(kF32, 0), At(Memory::kL0C, kF32, 32)}, Square()), "src",
         "Fixpipe: the source is not aligned", "byte offset 32 in L0C", "a multiple of 64",
         "start at an index that is a multiple of 16 elements of float"},
        {Rule::kGmAlignment, "FixpipeNz", "Ascend910B",
         Make(Opcode::fixpipe, {Gm(kF32, 16), At(Memory::kL0C, kF32)},
              With(Square(), [](auto& s) { s.row_major = false; })),
         "dst", "Fixpipe: the destination is not aligned", "byte offset 16 of src in GM", "a multiple of 32",
         "start at an index that is a multiple of 8 elements of float"},
        {Rule::kBtAlignment, "Bias", "Ascend910B", Table(kF32, Memory::kBt, 32, kF32, 64), "dst",
         "DataCopy: the destination is not aligned", "byte offset 32 in BT", "a multiple of 64",
         "start at an index that is a multiple of 16 elements of float"},
        {Rule::kFbAlignment, "Words", "Ascend910B", Table(kU64, Memory::kFb, 64, kU64, 128), "dst",
         "DataCopy: the destination is not aligned", "byte offset 64 in FB", "a multiple of 128",
         "start at an index that is a multiple of 16 elements of uint64_t"},
        {Rule::kTypeUnsupported, "HalfInTheBiasTable", "Ascend910B", Table(kF16, Memory::kBt, 0, kF16, 64), "dst",
         "DataCopy: the element types are not supported on this path", "half to half in BT",
         "half to float, float to float, int32_t to int32_t", "convert the data first, or view it as a legal type"},
        {Rule::kTypeUnsupported, "FloatInTheFixpipeBuffer", "Ascend910B", Table(kF32, Memory::kFb, 0, kF32, 128), "dst",
         "DataCopy: the element types are not supported on this path", "float to float in FB", "uint64_t to uint64_t",
         "convert the data first, or view it as a legal type"},
        {Rule::kBlockLengthRange, "HalfAUnitOfTheBiasTable", "Ascend910B", Table(kF32, Memory::kBt, 0, kF32, 32),
         "blockLen", "DataCopy: the length of a block is not legal", "32 bytes", "0..4194240 bytes, a multiple of 64",
         "the length is in units of 64 bytes: split longer blocks"},
        {Rule::kPastMemory, "BiasTable", "Ascend910B", Table(kF32, Memory::kBt, 512, kF16, 512), "dst",
         "DataCopy: writes past the end of BT", "bytes 512..1536 of BT", "1024 bytes on Ascend910B",
         "use less memory, or process the data in parts"},
        {Rule::kOutOfBuffer, "WholeFractalsOfC", "Ascend910B",
         Make(Opcode::mmad, {At(Memory::kL0C, kF32, 0, 1024), At(Memory::kL0A, kF16), At(Memory::kL0B, kF16)},
              Matmul{.m = 17, .n = 16, .k = 16}),
         "dst", "Mmad: writes past the end of the tensor's buffer", "bytes 0..2048 of L0C, 1024 bytes too many",
         "up to byte 1024: 256 elements of float from here",
         "make the buffer larger, or process fewer elements (start, sizes, repeats, strides)"},
        {Rule::kGmOutOfRange, "FixpipeLastRow", "Ascend910B",
         Make(Opcode::fixpipe, {Gm(kF32, 3076), At(Memory::kL0C, kF32)}, Square()), "dst",
         "Fixpipe: writes past the end of src in global memory", "bytes 3076..4100 of src, 4 bytes too many",
         "the 4096 bytes of src", "check the count, the offset of the block and the size of the argument"},
        {Rule::kNothingToDo, "NoColumns", "Ascend910B", Product(kF16, kF16, kF32, {.m = 16, .n = 0, .k = 16}), "n",
         "Mmad: n is 0: nothing is done", "0", "1..4095", kCheck},
        {Rule::kNothingToDo, "NoMatrices", "Ascend910B",
         Out(kF32, kF32, With(Square(), [](auto& s) { s.nd_count = 0; })), "ndNum",
         "Fixpipe: ndNum is 0: nothing is done", "0", "1..65535", kCheck},
        {Rule::kNothingToDo, "NoBlocks", "Ascend910B",
         Make(Opcode::fill, {At(Memory::kL1, kF16)}, BlockFill{.repeats = 1, .blocks = 0}), "blockNum",
         "Fill: blockNum is 0: nothing is done", "0", "1..32767", kCheck},
        {Rule::kParameterRange, "MmadK", "Ascend910B", Product(kF16, kF16, kF32, {.m = 16, .n = 16, .k = 4096}), "k",
         "Mmad: k is out of range", "4096", "1..4095", kSplit},
        {Rule::kParameterRange, "UnitFlag", "Ascend910B",
         Product(kF16, kF16, kF32, {.m = 16, .n = 16, .k = 16, .unit_flag = 1}), "unitFlag",
         "Mmad: unitFlag is out of range", "1", "0, 2 or 3", "set unitFlag to 0, which is always right"},
        {Rule::kParameterRange, "KDirectionAlign", "Ascend910B",
         Product(kF16, kF16, kF32, {.m = 16, .n = 16, .k = 16, .k_direction_align = true}), "kDirectionAlign",
         "Mmad: kDirectionAlign is out of range", "1", "0; 1 with float alone", "set kDirectionAlign to false"},
        {Rule::kParameterRange, "RowMajorRows", "Ascend910B",
         Out(kF32, kF32, With(Square(), [](auto& s) { s.m = 8193; })), "mSize", "Fixpipe: mSize is out of range",
         "8193", "1..8192 with row major output", kSplit},
        {Rule::kParameterRange, "SidStoreMode", "Ascend310P", ToUb(kF32, kF32, {.block_len = 1, .sid_store_mode = 3}),
         "sidStoreMode", "DataCopy: sidStoreMode is out of range", "3", "0..2", kCheck},
        {Rule::kParameterRange, "SourceColumns", "Ascend910B",
         Make(Opcode::nd2nz, {At(Memory::kL1, kF16), Gm(kF16, 0)}, With(kRows, [](auto& s) { s.src_d = 65536; })),
         "srcDValue", "DataCopy: srcDValue is out of range", "65536", "1..65535", kCheck},
        {Rule::kParameterAlignment, "Int4K", "Ascend910B", Product(kS4, kS4, kS32, {.m = 16, .n = 16, .k = 33}), "k",
         "Mmad: k is not a multiple of 2", "33", "a multiple of 2 (whole bytes of 4-bit elements)", "take 32 or 34"},
        {Rule::kParameterAlignment, "NzColumns", "Ascend910B",
         Out(kF32, kF32, With(Square(), [](auto& s) { s.row_major = false, s.n = 20; })), "nSize",
         "Fixpipe: nSize is not a multiple of 16", "20", "a multiple of 16, unless the output is row major",
         "take 16 or 32"},
        {Rule::kParameterAlignment, "Nz2NdColumns", "Ascend910B",
         Make(Opcode::nz2nd, {Gm(kF16, 0), Ub(kF16, 0)}, With(kFractals, [](auto& s) { s.d = 24; })), "dValue",
         "DataCopy: dValue is not a multiple of 16", "24", "a multiple of 16", "take 16 or 32"},
        {Rule::kMmadBias, "None", "Ascend910B",
         Product(kF16, kF16, kF32, {.m = 16, .n = 16, .k = 16, .initial = Matmul::Initial::kBias}), "bias",
         "Mmad: the bias cannot be used", "no bias row", "a bias row in BT or L0C", "pass a bias tensor"},
        {Rule::kMmadBias, "OfInt4", "Ascend910B",
         WithBias(Product(kS4, kS4, kS32, {.m = 16, .n = 16, .k = 32}), At(Memory::kBt, kS32)), "bias",
         "Mmad: the bias cannot be used", "a bias with int4b_t", "no bias with this type",
         "add the bias after the product"},
        {Rule::kMmadBias, "WithoutATable", "Ascend310P",
         WithBias(Product(kF16, kF16, kF32, {.m = 16, .n = 16, .k = 16}), At(Memory::kBt, kF32)), "bias",
         "Mmad: the bias cannot be used", "a bias table on Ascend310P", "a bias in L0C",
         "C2 is L0C on this chip: check the chip"},
        {Rule::kMmadBias, "OfAnotherType", "Ascend910B",
         WithBias(Product(kF16, kF16, kF32, {.m = 16, .n = 16, .k = 16}), At(Memory::kBt, kS32)), "bias",
         "Mmad: the bias cannot be used", "int32_t", "float, the type of dst",
         "give the bias the type of dst; DataCopy makes float of half on the way to C2"},
        {Rule::kMemoryPath, "BiasInUb", "Ascend310P",
         WithBias(Product(kF16, kF16, kF32, {.m = 16, .n = 16, .k = 16}), At(Memory::kUb, kF32)), "bias",
         "Mmad: the operand is in a memory the instruction cannot use", "byte offset 0 in UB", "BT (C2) or L0C (CO1)",
         "copy the bias to a tensor in C2 first"},
        {Rule::kConversionUnsupported, "FloatToInt16", "Ascend910B", Out(kS16, kF32, Square()), "dst",
         "Fixpipe: the conversion is not supported on Ascend910B from L0C to GM", "float to int16_t",
         "from float: float (NoQuant), half (F322F16), bfloat16_t (F322BF16), int8_t (QF322B8_PRE, VQF322B8_PRE), "
         "uint8_t (QF322B8_PRE, VQF322B8_PRE)",
         "no other chip has this conversion: convert to a legal type first"},
        {Rule::kConversionUnsupported, "FloatToL1", "Ascend910B",
         OutToL1(kF32, kF32, With(Square(), [](auto& s) { s.row_major = false; })), "dst",
         "Fixpipe: the conversion is not supported on Ascend910B from L0C to L1", "float to float",
         "from float: half (F322F16), bfloat16_t (F322BF16), int8_t (QF322B8_PRE, VQF322B8_PRE), uint8_t "
         "(QF322B8_PRE, VQF322B8_PRE)",
         "no other chip has this conversion: convert to a legal type first"},
        {Rule::kConversionUnsupported, "IntoL0C", "Ascend310P",
         Make(Opcode::tensor_mov, {At(Memory::kL0C, kF16), At(Memory::kUb, kF32)}, MatrixMove{.block_len = 1}), "dst",
         "DataCopy: the conversion is not supported on the way to L0C", "float to half",
         "the same type, or half to float", "convert in UB first"},
        {Rule::kL0CAlignment, "Broadcast", "Ascend310P",
         Make(Opcode::broadcast_ub_to_l0c, {At(Memory::kL0C, kF32, 512), At(Memory::kUb, kF32)},
              MatrixMove{.block = MatrixMove::Block::kBroadcast, .block_len = 1}),
         "dst", "BroadCastVecToMM: the destination is not aligned", "byte offset 512 in L0C", "a multiple of 1024",
         "start at an index that is a multiple of 256 elements of float"},
        {Rule::kQuantMode, "FloatToHalf", "Ascend910B", Out(kF16, kF32, Square()), "quantPre",
         "Fixpipe: float to half is not converted in this mode", "NoQuant", "F322F16",
         "choose the mode by the types of dst and src"},
        {Rule::kQuantMode, "Deq8OfFloat", "Ascend310P",
         ToUb(kF32, kF32, {.block_len = 1, .deq = MatrixMove::Deq::kDeq8}), "deqScale",
         "DataCopy: float to float is not converted in this mode", "deq8", "none",
         "choose the mode by the types of dst and src"},
        {Rule::kQuantWords, "Missing", "Ascend910B", Out(kF16, kS32, Square(Quant::kVDeqF16)), "cbufWorkspace",
         "Fixpipe: the mode needs a word for each column", "VDEQF16 without a tensor",
         "a uint64_t tensor in L1; for DataCopy, in C2PIPE2GM",
         "pass cbufWorkspace to Fixpipe, or call SetFixPipeConfig before DataCopy"},
        {Rule::kQuantWords, "TooMany", "Ascend910B",
         WithWords(Out(kF16, kS32, Square(Quant::kDeqF16)), At(Memory::kL1, kU64)), "cbufWorkspace",
         "Fixpipe: the mode takes one word for all columns", "DEQF16 with a tensor", "no tensor",
         "pass deqScalar in the parameters, without cbufWorkspace"},
        {Rule::kMemoryPath, "WordsInGm", "Ascend910B", WithWords(Out(kF16, kS32, Square(Quant::kVDeqF16)), Gm(kU64, 0)),
         "cbufWorkspace", "Fixpipe: the operand is in a memory the instruction cannot use",
         "byte offset 0 of src in GM", "L1 (A1, C1) or the Fixpipe buffer", "copy the words to a tensor in A1 first"},
        {Rule::kQuantScale, "Subnormal", "Ascend910B",
         Out(kF16, kS32, With(Square(Quant::kDeqF16), [](auto& s) { s.word = 0x00400000; })), "deqScalar",
         "Fixpipe: the scale is no number the conversion can use", "0x00400000 in the low half of the word",
         "a normal float32 number or 0",
         "put the bits of a float32 number into the low half of deqScalar, or of what SetFixpipePreQuantFlag gets"},
        {Rule::kQuantScale, "Infinite", "Ascend310P",
         ToUb(kS8, kS32, {.block_len = 1, .deq = MatrixMove::Deq::kDeq8, .word = 0x7F800000}), "deqValue",
         "DataCopy: the scale is no number the conversion can use", "0x7f800000 in the low half of the word",
         "a normal float32 number or 0", "put the bits of a float32 number into the low half"},
        {Rule::kDeqscaleSign, "Req8", "Ascend910B",
         Out(kS8, kS32, With(Square(Quant::kReq8), [](auto& s) { s.word = kOne; })), "deqScalar",
         "Fixpipe: bit 46 of the scale disagrees with dst; the type of dst decides", "bit 46 is 0 with a dst of int8_t",
         "1 for int8, 0 for uint8", "set bit 46"},
        {Rule::kQuantOffset, "Deq8", "Ascend310P",
         ToUb(kS8, kS32, {.block_len = 1, .deq = MatrixMove::Deq::kDeq8, .relu = true, .word = kSigned | kOne}),
         "deqValue", "DataCopy: with ReLU, the offset does not begin at the lowest result",
         "offset 0 with a dst of int8_t", "-128 for int8, 0 for uint8",
         "put it into bits 45 to 37, or leave isRelu and bit 47 off"},
        {Rule::kDeqscaleAddress, "VDeq8", "Ascend310P",
         ToUb(kS8, kS32, {.block_count = 2, .block_len = 1, .deq = MatrixMove::Deq::kVDeq8, .word = 262016}),
         "deqscale", "DataCopy: the 16 words of the scale do not lie in UB as they must", "byte offset 262016 in UB",
         "a multiple of 32, with 256 bytes inside the 262144 bytes of UB", "give a whole uint64 tensor of 16 elements"},
        {Rule::kFixpipeOutput, "ChannelSplitOfHalf", "Ascend910B",
         Out(kF16, kF32, With(Square(Quant::kF322F16), [](auto& s) { s.row_major = false, s.channel_split = true; })),
         "isChannelSplit", "Fixpipe: the result cannot have this layout", "float to half, NZ", "float to float, NZ",
         "switch the channel split off"},
        {Rule::kFixpipeOutput, "RowsIntoL1", "Ascend910B", OutToL1(kF16, kF32, Square(Quant::kF322F16)), "config",
         "Fixpipe: the result cannot have this layout", "row major into L1", "NZ", "use CFG_NZ, or write to GM"},
        {Rule::kAtomicType, "Fixpipe", "Ascend910B", Atomic(Out(kF16, kF32, Square(Quant::kF322F16)), kF32), "dst",
         "Fixpipe: the element type is not the one of the atomic mode", "half", "float",
         "call SetAtomicNone before it, or set the atomic mode for this type"},
        {Rule::kAtomicType, "Move", "Ascend910B",
         Atomic(Move(Opcode::data_move, Gm(kS32, 0), Ub(kS32, 0), 1, 64), kF32), "dst",
         "DataCopy: the element type is not the one of the atomic mode", "int32_t", "float",
         "call SetAtomicNone before it, or set the atomic mode for this type"},
    };
}

namespace {

// Strides between columns, rows and matrices that are not there.
TEST(Cube, ParametersThatACallDoesNotUseMayBeAnything) {
    const auto passes = [](const Record& r) { return Check(r, ChipNamed("Ascend910B"), true).ok; };
    const auto rows = [](const Nd2Nz& shape) {
        return Make(Opcode::nd2nz, {At(Memory::kL1, kF16), Gm(kF16, 0)}, shape);
    };
    EXPECT_TRUE(passes(rows(With(kRows, [](auto& s) { s.dst_c0_stride = 0; }))));
    EXPECT_FALSE(passes(rows(With(kRows, [](auto& s) { s.dst_c0_stride = 0, s.d = 17, s.src_d = 17; }))));
    EXPECT_TRUE(passes(rows(With(kRows, [](auto& s) { s.n = 1, s.src_d = 0, s.dst_n_stride = 0; }))));
    EXPECT_FALSE(passes(rows(With(kRows, [](auto& s) { s.n = 2, s.dst_n_stride = 0; }))));
}

}  // namespace
}  // namespace sfumato::check
