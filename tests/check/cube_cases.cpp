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
constexpr isa::Dn2Nz kColumns = {.dn_count = 1, .n = 16, .d = 16, .src_d = 16, .dst_c0_stride = 16, .dst_n_stride = 1};
constexpr Nz2Nd kFractals = {.nd_count = 1, .n = 16, .d = 16, .src_n_stride = 16, .dst_d_stride = 16};

// Two rows of 16 elements.
Record Box(DataType type, const isa::NdDma::Loop& outer, uint64_t pad_value = 0, bool nearest = false) {
    isa::NdDma s{.count = 2, .nearest = nearest, .pad_value = pad_value};
    s.loops[0] = {.src_stride = 1, .dst_stride = 1, .size = 16};
    s.loops[1] = outer;
    return Make(Opcode::nddma, {Ub(type, 0), Gm(type, 0)}, s);
}
constexpr isa::NdDma::Loop kTwoRows = {.src_stride = 16, .dst_stride = 16, .size = 2};
constexpr isa::NdDma::Loop kPaddedRows = {.src_stride = 16, .dst_stride = 16, .size = 2, .before = 1};

const std::vector<Case> kCubeCases = {
    {Rule::kInstructionUnsupported, "NdDmaOnAscend910B", "Ascend910B", Box(kF16, kTwoRows)},
    {Rule::kInstructionUnsupported, "Dn2NzOnAscend910B", "Ascend910B",
     Make(Opcode::dn2nz, {At(Memory::kL1, kF16), Gm(kF16, 0)}, kColumns)},
    {Rule::kMemoryPath, "NdDmaToL1", "Ascend950",
     Make(Opcode::nddma, {At(Memory::kL1, kF16), Gm(kF16, 0)}, isa::NdDma{.count = 1})},
    {Rule::kParameterRange, "BoxOfSixDimensions", "Ascend950",
     Make(Opcode::nddma, {Ub(kF16, 0), Gm(kF16, 0)}, isa::NdDma{.count = 6})},
    {Rule::kParameterRange, "BoxPad", "Ascend950", Box(kF16, With(kTwoRows, [](auto& l) { l.behind = 256; }))},
    {Rule::kParameterRange, "ColumnStride", "Ascend950",
     Make(Opcode::dn2nz, {At(Memory::kL1, kF16), Gm(kF16, 0)}, With(kColumns, [](auto& s) { s.src_d = 0; }))},
    {Rule::kPadValue64, "OfABox", "Ascend950", Box(kU64, kPaddedRows, 5)},
    {Rule::kTypeUnsupported, "NearestOf64Bits", "Ascend950", Box(kU64, kPaddedRows, 0, true)},
    {Rule::kNdDmaTwice, "RowsOnEachOther", "Ascend950", Box(kF16, With(kTwoRows, [](auto& l) { l.dst_stride = 15; }))},
    {Rule::kNdDmaTwice, "RowsAtOnePlace", "Ascend950", Box(kF16, With(kTwoRows, [](auto& l) { l.dst_stride = 0; }))},
    {Rule::kGapRange, "TooFarBack", "Ascend950",
     With(Move(Opcode::data_move_pad, Ub(kF16, 0), Gm(kF16, 0), 2, 64),
          [](Record& r) { r.As<isa::Blocks>().src_pitch = ~uint64_t{0}; })},
    {Rule::kNothingToDo, "NoColumnsToFractals", "Ascend950",
     Make(Opcode::dn2nz, {At(Memory::kL1, kF16), Gm(kF16, 0)}, With(kColumns, [](auto& s) { s.d = 0; }))},
    {Rule::kInstructionUnsupported, "FixpipeOnAscend310P", "Ascend310P", Out(kF16, kF32, Square(Quant::kF322F16))},
    {Rule::kInstructionUnsupported, "MmadOnAVectorChip", "Ascend310P-Vector",
     Product(kF16, kF16, kF32, {.m = 16, .n = 16, .k = 16})},
    {Rule::kMmadTypes, "HalfIntoHalfOnAscend910B", "Ascend910B",
     Product(kF16, kF16, kF16, {.m = 16, .n = 16, .k = 16})},
    {Rule::kMemoryPath, "SourceInL1", "Ascend910B",
     Make(Opcode::mmad, {At(Memory::kL0C, kF32), At(Memory::kL1, kF16), At(Memory::kL0B, kF16)},
          Matmul{.m = 16, .n = 16, .k = 16})},
    {Rule::kMemoryPath, "FillOfUb", "Ascend910B",
     Make(Opcode::fill, {At(Memory::kUb, kF16)}, BlockFill{.repeats = 1, .blocks = 1})},
    {Rule::kL0CAlignment, "ResultOfMmad", "Ascend910B",
     Make(Opcode::mmad, {At(Memory::kL0C, kF32, 512), At(Memory::kL0A, kF16), At(Memory::kL0B, kF16)},
          Matmul{.m = 16, .n = 16, .k = 16})},
    {Rule::kL0CAlignment, "SourceOfFixpipe", "Ascend910B",
     Make(Opcode::fixpipe, {Gm(kF32, 0), At(Memory::kL0C, kF32, 32)}, Square())},
    {Rule::kGmAlignment, "FixpipeNz", "Ascend910B",
     Make(Opcode::fixpipe, {Gm(kF32, 16), At(Memory::kL0C, kF32)},
          With(Square(), [](auto& s) { s.row_major = false; }))},
    {Rule::kBtAlignment, "Bias", "Ascend910B", Table(kF32, Memory::kBt, 32, kF32, 64)},
    {Rule::kFbAlignment, "Words", "Ascend910B", Table(kU64, Memory::kFb, 64, kU64, 128)},
    {Rule::kTypeUnsupported, "HalfInTheBiasTable", "Ascend910B", Table(kF16, Memory::kBt, 0, kF16, 64)},
    {Rule::kTypeUnsupported, "FloatInTheFixpipeBuffer", "Ascend910B", Table(kF32, Memory::kFb, 0, kF32, 128)},
    {Rule::kBlockLengthRange, "HalfAUnitOfTheBiasTable", "Ascend910B", Table(kF32, Memory::kBt, 0, kF32, 32)},
    {Rule::kPastMemory, "BiasTable", "Ascend910B", Table(kF32, Memory::kBt, 512, kF16, 512)},
    {Rule::kOutOfBuffer, "WholeFractalsOfC", "Ascend910B",
     Make(Opcode::mmad, {At(Memory::kL0C, kF32, 0, 1024), At(Memory::kL0A, kF16), At(Memory::kL0B, kF16)},
          Matmul{.m = 17, .n = 16, .k = 16})},
    {Rule::kGmOutOfRange, "FixpipeLastRow", "Ascend910B",
     Make(Opcode::fixpipe, {Gm(kF32, 3076), At(Memory::kL0C, kF32)}, Square())},
    {Rule::kNothingToDo, "NoColumns", "Ascend910B", Product(kF16, kF16, kF32, {.m = 16, .n = 0, .k = 16})},
    {Rule::kNothingToDo, "NoMatrices", "Ascend910B", Out(kF32, kF32, With(Square(), [](auto& s) { s.nd_count = 0; }))},
    {Rule::kNothingToDo, "NoBlocks", "Ascend910B",
     Make(Opcode::fill, {At(Memory::kL1, kF16)}, BlockFill{.repeats = 1, .blocks = 0})},
    {Rule::kParameterRange, "MmadK", "Ascend910B", Product(kF16, kF16, kF32, {.m = 16, .n = 16, .k = 4096})},
    {Rule::kParameterRange, "UnitFlag", "Ascend910B",
     Product(kF16, kF16, kF32, {.m = 16, .n = 16, .k = 16, .unit_flag = 1})},
    {Rule::kParameterRange, "KDirectionAlign", "Ascend910B",
     Product(kF16, kF16, kF32, {.m = 16, .n = 16, .k = 16, .k_direction_align = true})},
    {Rule::kParameterRange, "RowMajorRows", "Ascend910B", Out(kF32, kF32, With(Square(), [](auto& s) { s.m = 8193; }))},
    {Rule::kParameterRange, "SidStoreMode", "Ascend310P", ToUb(kF32, kF32, {.block_len = 1, .sid_store_mode = 3})},
    {Rule::kParameterRange, "SourceColumns", "Ascend910B",
     Make(Opcode::nd2nz, {At(Memory::kL1, kF16), Gm(kF16, 0)}, With(kRows, [](auto& s) { s.src_d = 65536; }))},
    {Rule::kParameterAlignment, "Int4K", "Ascend910B", Product(kS4, kS4, kS32, {.m = 16, .n = 16, .k = 33})},
    {Rule::kParameterAlignment, "NzColumns", "Ascend910B",
     Out(kF32, kF32, With(Square(), [](auto& s) { s.row_major = false, s.n = 20; }))},
    {Rule::kParameterAlignment, "Nz2NdColumns", "Ascend910B",
     Make(Opcode::nz2nd, {Gm(kF16, 0), Ub(kF16, 0)}, With(kFractals, [](auto& s) { s.d = 24; }))},
    {Rule::kMmadBias, "None", "Ascend910B",
     Product(kF16, kF16, kF32, {.m = 16, .n = 16, .k = 16, .initial = Matmul::Initial::kBias})},
    {Rule::kMmadBias, "OfInt4", "Ascend910B",
     WithBias(Product(kS4, kS4, kS32, {.m = 16, .n = 16, .k = 32}), At(Memory::kBt, kS32))},
    {Rule::kMmadBias, "WithoutATable", "Ascend310P",
     WithBias(Product(kF16, kF16, kF32, {.m = 16, .n = 16, .k = 16}), At(Memory::kBt, kF32))},
    {Rule::kMmadBias, "OfAnotherType", "Ascend910B",
     WithBias(Product(kF16, kF16, kF32, {.m = 16, .n = 16, .k = 16}), At(Memory::kBt, kS32))},
    {Rule::kMemoryPath, "BiasInUb", "Ascend310P",
     WithBias(Product(kF16, kF16, kF32, {.m = 16, .n = 16, .k = 16}), At(Memory::kUb, kF32))},
    {Rule::kConversionUnsupported, "FloatToInt16", "Ascend910B", Out(kS16, kF32, Square())},
    {Rule::kConversionUnsupported, "FloatToL1", "Ascend910B",
     OutToL1(kF32, kF32, With(Square(), [](auto& s) { s.row_major = false; }))},
    {Rule::kConversionUnsupported, "IntoL0C", "Ascend310P",
     Make(Opcode::tensor_mov, {At(Memory::kL0C, kF16), At(Memory::kUb, kF32)}, MatrixMove{.block_len = 1})},
    {Rule::kL0CAlignment, "Broadcast", "Ascend310P",
     Make(Opcode::broadcast_ub_to_l0c, {At(Memory::kL0C, kF32, 512), At(Memory::kUb, kF32)},
          MatrixMove{.block = MatrixMove::Block::kBroadcast, .block_len = 1})},
    {Rule::kQuantMode, "FloatToHalf", "Ascend910B", Out(kF16, kF32, Square())},
    {Rule::kQuantMode, "Deq8OfFloat", "Ascend310P", ToUb(kF32, kF32, {.block_len = 1, .deq = MatrixMove::Deq::kDeq8})},
    {Rule::kQuantWords, "Missing", "Ascend910B", Out(kF16, kS32, Square(Quant::kVDeqF16))},
    {Rule::kQuantWords, "TooMany", "Ascend910B",
     WithWords(Out(kF16, kS32, Square(Quant::kDeqF16)), At(Memory::kL1, kU64))},
    {Rule::kMemoryPath, "WordsInGm", "Ascend910B", WithWords(Out(kF16, kS32, Square(Quant::kVDeqF16)), Gm(kU64, 0))},
    {Rule::kQuantScale, "Subnormal", "Ascend910B",
     Out(kF16, kS32, With(Square(Quant::kDeqF16), [](auto& s) { s.word = 0x00400000; }))},
    {Rule::kQuantScale, "Infinite", "Ascend310P",
     ToUb(kS8, kS32, {.block_len = 1, .deq = MatrixMove::Deq::kDeq8, .word = 0x7F800000})},
    {Rule::kDeqscaleSign, "Req8", "Ascend910B",
     Out(kS8, kS32, With(Square(Quant::kReq8), [](auto& s) { s.word = kOne; }))},
    {Rule::kQuantOffset, "Deq8", "Ascend310P",
     ToUb(kS8, kS32, {.block_len = 1, .deq = MatrixMove::Deq::kDeq8, .relu = true, .word = kSigned | kOne})},
    {Rule::kDeqscaleAddress, "VDeq8", "Ascend310P",
     ToUb(kS8, kS32, {.block_count = 2, .block_len = 1, .deq = MatrixMove::Deq::kVDeq8, .word = 262016})},
    {Rule::kFixpipeOutput, "ChannelSplitOfHalf", "Ascend910B",
     Out(kF16, kF32, With(Square(Quant::kF322F16), [](auto& s) { s.row_major = false, s.channel_split = true; }))},
    {Rule::kFixpipeOutput, "RowsIntoL1", "Ascend910B", OutToL1(kF16, kF32, Square(Quant::kF322F16))},
    {Rule::kAtomicType, "Fixpipe", "Ascend910B", Atomic(Out(kF16, kF32, Square(Quant::kF322F16)), kF32)},
    {Rule::kAtomicType, "Move", "Ascend910B", Atomic(Move(Opcode::data_move, Gm(kS32, 0), Ub(kS32, 0), 1, 64), kF32)},
};

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

std::vector<Case> CubeCases() { return kCubeCases; }

}  // namespace sfumato::check
