// SPDX-License-Identifier: Apache-2.0
// Fractals of L0C to UB, converted on the way, and back (cube.md 5.4); rows of UB broadcast to fractals.
#include <cstring>

#include "exec/cube/columns.h"
#include "exec/cube/cube.h"
#include "exec/cube/fractal.h"
#include "exec/meaning.h"
#include "exec/runs.h"

namespace sfumato::exec {
namespace {

using isa::MatrixMove;
using Deq = MatrixMove::Deq;

// Rows of 16 elements: a conversion in one run, and ReLU behind it where the run has none.
class Rows {
public:
    Rows(const isa::Record& record, const MemoryMap& memory)
        : move_(record.As<MatrixMove>()), src_(record.src0().type), dst_(record.dst().type) {
        args_.overflow = record.control.overflow;
        args_.deq_words = half_words_;
        if (!Find()) {
            Refuse(record, std::string("has no way from ") + CName(src_) + " in " + isa::Name(record.src0().memory) +
                               " to " + CName(dst_) + " in " + isa::Name(record.dst().memory) + " with deqScale " +
                               isa::DeqName(move_.deq) + ".");
        }
        if (isa::IsVectorDeq(move_.deq)) {
            vector_ = memory.base[static_cast<int>(isa::Memory::kUb)] + move_.word;
        } else {
            SetScales();
        }
    }

    // Before each block: the next 16 scales or words of a V mode.
    void NextBlock() {
        if (vector_ == nullptr) return;
        SetScales();
        vector_ += kBlockColumns * ScaleBytes();
    }

    // Source rows follow each other.
    bool Convert(const uint8_t* src, uint8_t* dst, size_t rows, size_t dst_pitch) {
        if (columns_ != nullptr) {
            ColumnJob job;
            job.src = src;
            job.dst = dst;
            job.dst_pitch = dst_pitch;
            job.rows = static_cast<uint32_t>(rows);
            job.blocks = 1;
            job.words = &words_;
            return columns_(job);
        }
        bool replaced = false;
        for (size_t row = 0; row < rows; ++row, src += BytesOf(src_, kBlockColumns), dst += dst_pitch) {
            if (run_ == nullptr) {
                std::memcpy(dst, src, BytesOf(dst_, kBlockColumns));
            } else {
                replaced |= Run(run_, dst, src, scales_);
            }
            static constexpr uint16_t kZeros[kBlockColumns] = {};
            if (relu_ != nullptr) replaced |= Run(relu_, dst, dst, kZeros);
        }
        return replaced;
    }

private:
    bool HasHalfScales() const { return move_.deq == Deq::kDeq || move_.deq == Deq::kVDeq; }
    size_t ScaleBytes() const { return HasHalfScales() ? sizeof(uint16_t) : sizeof(uint64_t); }

    // The runs of the type pair; false where the mode has none.
    bool Find() {
        using enum DataType;
        if (move_.relu && dst_ == kHalf) relu_ = FindRun(isa::Opcode::vmax, kHalf);
        switch (move_.deq) {
            case Deq::kNone:
                if (src_ == kHalf && dst_ == kHalf) return true;
                if (src_ == kHalf && dst_ == kFloat && !move_.relu) {
                    run_ = ConvertRun({.src = src_, .dst = dst_});
                    return true;
                }
                columns_ = src_ == dst_ || dst_ == kHalf ? FindColumns(false) : nullptr;
                return columns_ != nullptr;
            case Deq::kDeq:
            case Deq::kVDeq:
                if (dst_ != kHalf) return false;
                if (src_ == kHalf) {
                    run_ = FindRun(isa::Opcode::vmul, kHalf);
                } else {
                    run_ = ConvertRun({.src = src_, .dst = dst_, .deq = isa::DeqScale::kVector});
                }
                return run_ != nullptr;
            case Deq::kDeq8:
            case Deq::kVDeq8:
            case Deq::kDeq16:
            case Deq::kVDeq16: {
                const bool to_byte = move_.deq == Deq::kDeq8 || move_.deq == Deq::kVDeq8;
                if (src_ == kInt32 && to_byte == (BitsOf(dst_) == 8)) columns_ = FindColumns(true);
                return columns_ != nullptr;
            }
            default: return false;
        }
    }

    ColumnRun FindColumns(bool by_words) const {
        return FindColumnRun(
            {.src = src_, .dst = dst_, .by_words = by_words, .relu = move_.relu, .overflow = args_.overflow});
    }

    void SetScales() {
        words_.relus = words_.shifts = false;
        for (size_t i = 0; i < kBlockColumns; ++i) {
            uint64_t word = move_.word;
            if (vector_ != nullptr) {
                word = 0;
                std::memcpy(&word, vector_ + i * ScaleBytes(), ScaleBytes());
            }
            scales_[i] = static_cast<uint16_t>(word);
            half_words_[i] = word;
            const bool relu = move_.relu || (BitsOf(dst_) == 8 && numeric::DeqRelu(word));
            words_.Set(i, word, relu, dst_ == DataType::kInt16);
        }
    }

    bool Run(RunFn run, uint8_t* dst, const uint8_t* src0, const uint16_t* src1) {
        args_.dst = dst;
        args_.src0 = src0;
        args_.src1 = src1;
        args_.n = kBlockColumns;
        return run(args_);
    }

    const MatrixMove& move_;
    DataType src_, dst_;
    ColumnRun columns_ = nullptr;  // else run_, else the bytes; then relu_
    RunFn run_ = nullptr;
    RunFn relu_ = nullptr;
    const uint8_t* vector_ = nullptr;  // scales or words of the next block
    ColumnWords words_;
    uint16_t scales_[kBlockColumns] = {};
    uint64_t half_words_[kBlockColumns] = {};
    RunArgs args_;
};

// Rows of UB, each to all rows of its fractal.
void BroadcastRows(const isa::Record& record, const MatrixMove& move, const MemoryMap& memory) {
    const size_t row = BytesOf(record.dst().type, kBlockColumns), fractal = kFractalRows * row;
    const uint8_t* src = memory.Address(record.src0());
    uint8_t* dst = memory.Address(record.dst());
    for (uint32_t block = 0; block < move.block_count; ++block) {
        for (uint32_t i = 0; i < move.block_len; ++i, src += row) {
            for (size_t line = 0; line < kFractalRows; ++line, dst += row) std::memcpy(dst, src, row);
        }
        src += uint64_t{move.src_gap} * isa::kBlockBytes;
        dst += move.dst_gap * fractal;
    }
}

}  // namespace

bool Execute(const isa::Record& record, const isa::MatrixMove& move, const MemoryMap& memory) {
    if (move.block_count == 0 || move.block_len == 0) return false;
    if (move.block == MatrixMove::Block::kBroadcast) return BroadcastRows(record, move, memory), false;
    const bool out = record.src0().memory == isa::Memory::kL0C;
    const isa::Operand& l0c = out ? record.src0() : record.dst();
    const isa::Operand& ub = out ? record.dst() : record.src0();
    const size_t rows = move.block == MatrixMove::Block::kMatrix ? kFractalRows : 1;
    const size_t fractal = BytesOf(l0c.type, kFractalRows * kBlockColumns);
    const size_t row_bytes = BytesOf(ub.type, kBlockColumns);
    // 8-bit results: the low or high half of rows of 32 bytes, or two fractals side by side in them; a last one without
    // a neighbour keeps its rows of 16.
    const bool bytes = BitsOf(ub.type) == 8;
    const bool paired = bytes && move.sid_store_mode == 2;
    const size_t spread = bytes && !paired ? isa::kBlockBytes : row_bytes;  // a row's share of a block
    const size_t high = bytes && move.sid_store_mode == 1 ? kBlockColumns : 0;
    const size_t l0c_pitch = (uint64_t{move.block_len} + (out ? move.src_gap : move.dst_gap)) * fractal;
    const size_t ub_pitch =
        move.block_len * rows * spread + uint64_t{out ? move.dst_gap : move.src_gap} * isa::kBlockBytes;

    Rows converter(record, memory);
    bool replaced = false;
    for (uint32_t block = 0; block < move.block_count; ++block) {
        converter.NextBlock();
        uint8_t* l0c_at = memory.Address(l0c) + block * l0c_pitch;
        uint8_t* ub_block = memory.Address(ub) + block * ub_pitch + high;
        for (size_t i = 0; i < move.block_len; ++i, l0c_at += fractal) {
            const bool has_pair = paired && (i | 1) < move.block_len;
            uint8_t* ub_at = ub_block + i * rows * spread;
            if (has_pair && i % 2 == 1) ub_at -= (rows - 1) * row_bytes;
            replaced |= out ? converter.Convert(l0c_at, ub_at, rows, has_pair ? 2 * row_bytes : spread)
                            : converter.Convert(ub_at, l0c_at, rows, BytesOf(l0c.type, kBlockColumns));
        }
    }
    return replaced;
}

}  // namespace sfumato::exec
