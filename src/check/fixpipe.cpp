// SPDX-License-Identifier: Apache-2.0
// The ways out of L0C: Fixpipe, and DataCopy between CO1 and UB (cube.md 5).
#include <fmt/format.h>

#include "check/parameters.h"
#include "numeric/convert.h"

namespace sfumato::check {
namespace {

using isa::Fixpipe;
using isa::MatrixMove;
using isa::Memory;
using isa::Quant;
using isa::Record;
using Rows = std::vector<soc::QuantRow>;

constexpr Parameter<Fixpipe> kFixpipe[] = {
    {"nSize", nullptr, SFUMATO_VALUE(Fixpipe, n), 1, 4095, true},
    {"mSize", nullptr, SFUMATO_VALUE(Fixpipe, m), 1, 65535, true},
    {"ndNum", nullptr, SFUMATO_VALUE(Fixpipe, nd_count), 1, 65535, true},
    {"srcStride", nullptr, SFUMATO_VALUE(Fixpipe, src_stride), 0, 65535, false,
     SFUMATO_USED(Fixpipe, s.n > isa::kL0CColumns)},
    {"srcNdStride", nullptr, SFUMATO_VALUE(Fixpipe, src_nd_stride), 0, 512, false,
     SFUMATO_USED(Fixpipe, s.nd_count > 1)},
    {"dstNdStride", nullptr, SFUMATO_VALUE(Fixpipe, dst_nd_stride), 0, 65535, false,
     SFUMATO_USED(Fixpipe, s.nd_count > 1)},
};

constexpr Parameter<MatrixMove> kMatrixMove[] = {
    {"blockCount", "nburst", SFUMATO_VALUE(MatrixMove, block_count), 1, 4095, true},
    {"blockLen", "burst_len", SFUMATO_VALUE(MatrixMove, block_len), 1, 65535, true},
    {"srcStride", "src_stride", SFUMATO_VALUE(MatrixMove, src_gap), 0, 65535, false,
     SFUMATO_USED(MatrixMove, s.block_count > 1)},
    {"dstStride", "dst_stride", SFUMATO_VALUE(MatrixMove, dst_gap), 0, 65535, false,
     SFUMATO_USED(MatrixMove, s.block_count > 1)},
    {"sidStoreMode", "sid_store_mode", SFUMATO_VALUE(MatrixMove, sid_store_mode), 0, 2},
};

// Ascend C API page BroadCastVecToMM.
constexpr Parameter<MatrixMove> kBroadcast[] = {
    {"blockCount", "nburst", SFUMATO_VALUE(MatrixMove, block_count), 1, 255, true},
    {"blockLen", "burst_len", SFUMATO_VALUE(MatrixMove, block_len), 1, 255, true},
    {"srcGap", "src_stride", SFUMATO_VALUE(MatrixMove, src_gap), 0, 255, false,
     SFUMATO_USED(MatrixMove, s.block_count > 1)},
    {"dstGap", "dst_stride", SFUMATO_VALUE(MatrixMove, dst_gap), 0, 255, false,
     SFUMATO_USED(MatrixMove, s.block_count > 1)},
};

// How an instruction converts: the chip's rows, and its mode among their bits.
struct Conversion {
    Rows soc::Chip::*rows;
    int mode, modes;
    const char* (*name)(int);
    const char* field;        // of the mode
    uint32_t widest = 64;     // bits of the results this destination takes
    uint32_t never_half = 0;  // modes, as bits, that the front end never chooses for results of half

    bool Fits(const soc::QuantRow& row, DataType src) const { return row.src == src && BitsOf(row.dst) <= widest; }
    const soc::QuantRow* Find(const soc::Chip& chip, DataType src, DataType dst) const {
        for (const soc::QuantRow& row : chip.*rows) {
            if (Fits(row, src) && row.dst == dst) return &row;
        }
        return nullptr;
    }
    std::string Modes(const soc::QuantRow& row) const {
        std::string text;
        for (int i = 0; i < modes; ++i) {
            if (row.dst == DataType::kHalf && ((never_half >> i) & 1)) continue;
            if ((row.modes >> i) & 1) text += fmt::format("{}{}", text.empty() ? "" : ", ", name(i));
        }
        return text;
    }
};

SFUMATO_COLD bool ConversionUnsupported(const Record& r, const Context& c, const Conversion& way) {
    const DataType src = r.src0().type, dst = r.dst().type;
    std::string legal;
    for (const soc::QuantRow& row : c.chip->*way.rows) {
        if (!way.Fits(row, src)) continue;
        legal += fmt::format("{}{} ({})", legal.empty() ? "" : ", ", TypeName(r, row.dst), way.Modes(row));
    }
    const std::string chips = OtherChips(c, [&](const soc::Chip& chip) { return way.Find(chip, src, dst); });
    return Tell(
        r, c,
        {Rule::kConversionUnsupported, "dst",
         fmt::format("the conversion is not supported on {} from L0C to {}", c.chip->name, isa::Name(r.dst().memory)),
         fmt::format("{} to {}", TypeName(r, src), TypeName(r, dst)),
         legal.empty() ? fmt::format("nothing from {}", TypeName(r, src))
                       : fmt::format("from {}: {}", TypeName(r, src), legal),
         ChooseChip(chips, "this conversion")});
}

SFUMATO_COLD bool QuantMode(const Record& r, const Context& c, const char* field, const char* found,
                            std::string legal) {
    return Tell(
        r, c,
        {Rule::kQuantMode, field,
         fmt::format("{} to {} is not converted in this mode", TypeName(r, r.src0().type), TypeName(r, r.dst().type)),
         found, std::move(legal),
         Spelling(r, "choose the mode by the types of dst and src", "choose deqscale by the types of dst and src")});
}

bool CheckWay(const Record& r, const Context& c, const Conversion& way) {
    const soc::QuantRow* row = way.Find(*c.chip, r.src0().type, r.dst().type);
    if (!row) [[unlikely]]
        return ConversionUnsupported(r, c, way);
    return ((row->modes >> way.mode) & 1) || QuantMode(r, c, way.field, way.name(way.mode), way.Modes(*row));
}

SFUMATO_COLD bool Missing(const Record& r, const Context& c, Rows soc::Chip::*rows) {
    return InstructionUnsupported(r, c, OtherChips(c, [&](const soc::Chip& chip) {
                                      return !(chip.*rows).empty() &&
                                             chip.HasPath(r.api, r.op, Memory::kL0C, r.dst().memory);
                                  }));
}

SFUMATO_COLD bool Layout(const Record& r, const Context& c, const char* name, std::string found, const char* legal,
                         const char* hint) {
    return Tell(r, c,
                {Rule::kFixpipeOutput, name, "the result cannot have this layout", std::move(found), legal, hint});
}

bool CheckLayout(const Record& r, const Context& c, const Fixpipe& s) {
    const bool floats = r.src0().type == DataType::kFloat && r.dst().type == DataType::kFloat;
    if (s.channel_split && (!floats || s.row_major)) {
        return Layout(r, c, "isChannelSplit",
                      fmt::format("{} to {}, {}", TypeName(r, r.src0().type), TypeName(r, r.dst().type),
                                  s.row_major ? "row major" : "NZ"),
                      "float to float, NZ", "switch the channel split off");
    }
    if (s.row_major && r.dst().memory == Memory::kL1) {
        return Layout(r, c, "config", "row major into L1", "NZ", "use CFG_NZ, or write to GM");
    }
    constexpr uint32_t kMostRows = 8192;
    if (s.row_major) {
        return s.m <= kMostRows ||
               ParameterRange(r, c, "mSize", s.m, fmt::format("1..{} with row major output", kMostRows), kSplitWork);
    }
    const uint32_t unit = s.channel_split ? 8 : 16;
    return s.n % unit == 0 || ParameterAlignment(r, c, "nSize", s.n, unit, ", unless the output is row major");
}

// The words of the V modes: a tensor in L1 or the Fixpipe buffer.
bool CheckWords(const Record& r, const Context& c, const Fixpipe& s) {
    constexpr int kWords = 2;
    const bool given = r.operand_count > kWords, vector = isa::IsVectorQuant(s.quant);
    if (given != vector) {
        return Tell(r, c,
                    {Rule::kQuantWords, isa::OperandName(r, kWords),
                     vector ? "the mode needs a word for each column" : "the mode takes one word for all columns",
                     fmt::format("{} {} a tensor", Name(s.quant), given ? "with" : "without"),
                     vector ? "a uint64_t tensor in L1; for DataCopy, in C2PIPE2GM" : "no tensor",
                     vector ? "pass cbufWorkspace to Fixpipe, or call SetFixPipeConfig before DataCopy"
                            : "pass deqScalar in the parameters, without cbufWorkspace"});
    }
    if (!given) return true;
    const isa::Operand& words = r.operand[kWords];
    if (words.memory != Memory::kL1 && words.memory != Memory::kFb) {
        return WrongMemory(r, c, kWords, "L1 (A1, C1) or the Fixpipe buffer", "copy the words to a tensor in A1 first");
    }
    return words.type == DataType::kUint64 || TypeNotHere(r, c, "of the words is not the one of dst", "uint64_t");
}

// 1-8-10 bits (cube.md 5.2): infinite and NaN have the highest exponent, subnormal numbers the lowest.
bool IsScale(uint64_t word) {
    const uint32_t bits = numeric::DeqScaleFloatBits(word) & 0x7FFFFFFF, exponent = bits >> 23;
    return exponent != 0xFF && (exponent != 0 || bits == 0);
}

SFUMATO_COLD bool QuantScale(const Record& r, const Context& c, const char* name, uint64_t word) {
    return Tell(
        r, c,
        {Rule::kQuantScale, name, "the scale is no number the conversion can use",
         fmt::format("{:#010x} in the low half of the word", static_cast<uint32_t>(word)),
         "a normal float32 number or 0",
         r.op == isa::Opcode::fixpipe ? "put the bits of a float32 number into the low half of deqScalar, or of what "
                                        "SetFixpipePreQuantFlag gets"
                                      : "put the bits of a float32 number into the low half"});
}

bool CheckWord(const Record& r, const Context& c, const char* name, uint64_t word) {
    if (!IsScale(word)) return QuantScale(r, c, name, word);
    return BitsOf(r.dst().type) != 8 || numeric::DeqSigned(word) == (r.dst().type == DataType::kInt8) ||
           DeqSign(r, c, name);
}

const char* FixpipeMode(int i) {
    return i < static_cast<int>(Quant::kCount) ? Name(static_cast<Quant>(i)) : "a value that QuantMode_t does not have";
}
const char* MoveMode(int i) { return isa::DeqName(static_cast<MatrixMove::Deq>(i)); }
// What deqscale of TIK is in each mode.
const char* MoveModeTik(int i) {
    constexpr const char* kNames[] = {
        "None",          "a scale",          "a Tensor of scales", "a 64-bit word", "a Tensor of words",
        "a 64-bit word", "a Tensor of words"};
    return kNames[i];
}
using ModeName = const char* (*)(int);
ModeName MoveModes(const Record& r) { return r.api == isa::Api::kTik ? MoveModeTik : MoveMode; }

SFUMATO_COLD bool IntoL0C(const Record& r, const Context& c) {
    return Tell(r, c,
                {Rule::kConversionUnsupported, "dst", "the conversion is not supported on the way to L0C",
                 fmt::format("{} to {}", TypeName(r, r.src0().type), TypeName(r, r.dst().type)),
                 Spelling(r, "the same type, or half to float", "the same type, or float16 to float32"),
                 "convert in UB first"});
}

// UB to L0C copies, and widens half.
bool CheckIntoL0C(const Record& r, const Context& c, const MatrixMove& s) {
    const DataType src = r.src0().type, dst = r.dst().type;
    if (src == dst ? !c.chip->Has(r.api, r.op, dst) : src != DataType::kHalf || dst != DataType::kFloat) {
        return IntoL0C(r, c);
    }
    return s.deq == MatrixMove::Deq::kNone ||
           QuantMode(r, c, Spelling(r, "deqScale", "deqscale"), MoveModes(r)(static_cast<int>(s.deq)),
                     MoveModes(r)(static_cast<int>(MatrixMove::Deq::kNone)));
}

SFUMATO_COLD bool QuantOffset(const Record& r, const Context& c, const char* name, int offset) {
    return Tell(
        r, c,
        {Rule::kQuantOffset, name, "with ReLU, the offset does not begin at the lowest result",
         fmt::format("offset {} with a dst of {}", offset, TypeName(r, r.dst().type)), "-128 for int8, 0 for uint8",
         fmt::format("put it into bits 45 to 37, or leave {} and bit 47 off", Spelling(r, "isRelu", "relu"))});
}

bool CheckOffset(const Record& r, const Context& c, const MatrixMove& s, const char* name) {
    if (BitsOf(r.dst().type) != 8 || !(s.relu || numeric::DeqRelu(s.word))) return true;
    const int offset = numeric::DeqOffset(s.word);
    return offset == (r.dst().type == DataType::kInt8 ? -128 : 0) || QuantOffset(r, c, name, offset);
}

bool CheckMoveWords(const Record& r, const Context& c, const MatrixMove& s) {
    if (s.deq == MatrixMove::Deq::kNone || s.deq == MatrixMove::Deq::kDeq) return true;
    if (!isa::IsVectorDeq(s.deq)) {
        const char* name = Spelling(r, "deqValue", "deqscale");
        return CheckWord(r, c, name, s.word) && CheckOffset(r, c, s, name);
    }
    const isa::Span words = isa::WordsSpan(r);
    return (words.begin % isa::kBlockBytes == 0 && words.end <= c.chip->Bytes(Memory::kUb) &&
            words.begin <= words.end) ||
           DeqAddress(r, c, words);
}

}  // namespace

bool CheckUnitFlag(const Record& r, const Context& c, uint8_t flag) {
    return flag == 0 || flag == 2 || flag == 3 ||
           ParameterRange(r, c, "unitFlag", flag, "0, 2 or 3", "set unitFlag to 0, which is always right");
}

bool Check(const Record& r, const isa::Fixpipe& s, const Context& c) {
    if (c.chip->fixpipe.empty()) return Missing(r, c, &soc::Chip::fixpipe);
    if (!CheckPath(r, c)) return false;
    // Into L1 every result is narrower than in L0C.
    const uint32_t widest = r.dst().memory == Memory::kL1 ? 16 : 64;
    const Conversion way{&soc::Chip::fixpipe,
                         static_cast<int>(s.quant),
                         static_cast<int>(Quant::kCount),
                         FixpipeMode,
                         "quantPre",
                         widest};
    if (!CheckWay(r, c, way) || !CheckParameters(r, c, s, kFixpipe)) return false;
    if (!CheckLayout(r, c, s) || !CheckWords(r, c, s) || !CheckUnitFlag(r, c, s.unit_flag)) return false;
    const bool worded = s.quant >= Quant::kDeqF16 && !isa::IsVectorQuant(s.quant);
    if (worded && !CheckWord(r, c, "deqScalar", s.word)) return false;
    return CheckAtomic(r, c) && CheckRanges(r, c);
}

bool Check(const Record& r, const isa::MatrixMove& s, const Context& c) {
    if (r.op == isa::Opcode::broadcast_ub_to_l0c) {
        return CheckTypes(r, c) && CheckPath(r, c) && CheckParameters(r, c, s, kBroadcast) && CheckRanges(r, c);
    }
    if (c.chip->tensor_mov.empty()) return Missing(r, c, &soc::Chip::tensor_mov);
    if (!CheckPath(r, c)) return false;
    Conversion way{&soc::Chip::tensor_mov, static_cast<int>(s.deq), static_cast<int>(MatrixMove::Deq::kCount),
                   MoveModes(r), Spelling(r, "deqScale", "deqscale")};
    // A scale of TIK is a half for results of half.
    if (r.api == isa::Api::kTik) {
        way.never_half =
            1u << static_cast<int>(MatrixMove::Deq::kDeq16) | 1u << static_cast<int>(MatrixMove::Deq::kVDeq16);
    }
    if (r.dst().memory == Memory::kL0C ? !CheckIntoL0C(r, c, s) : !CheckWay(r, c, way)) return false;
    return CheckParameters(r, c, s, kMatrixMove) && CheckMoveWords(r, c, s) && CheckRanges(r, c);
}

}  // namespace sfumato::check
