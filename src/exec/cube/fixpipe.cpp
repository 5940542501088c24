// SPDX-License-Identifier: Apache-2.0
// Fixpipe: L0C, 16 columns wide, to GM or L1 in rows or fractals, converted on the way (cube.md 5.1, 5.2).
#include <algorithm>
#include <bit>
#include <cstring>

#include "exec/cube/columns.h"
#include "exec/cube/cube.h"
#include "exec/meaning.h"
#include "isa/record.h"
#include "sfumato/half.h"

namespace sfumato::exec {
namespace {

using isa::Quant;

// The types a mode converts (cube.md 5.2).
bool Fits(Quant quant, DataType src, DataType dst) {
    using enum DataType;
    const bool byte = dst == kInt8 || dst == kUint8;
    switch (quant) {
        case Quant::kNone: return src == dst;
        case Quant::kF322F16: return src == kFloat && dst == kHalf;
        case Quant::kF322BF16: return src == kFloat && dst == kBfloat16;
        case Quant::kDeqF16:
        case Quant::kVDeqF16: return src == kInt32 && dst == kHalf;
        case Quant::kQF322B8:
        case Quant::kVQF322B8: return src == kFloat && byte;
        case Quant::kReq8:
        case Quant::kVReq8: return src == kInt32 && byte;
        default: return false;
    }
}

// Strips of columns on their way out: the columns of a strip are contiguous in a row of dst.
class Mover {
public:
    Mover(const isa::Record& record, const MemoryMap& memory)
        : record_(record), fixpipe_(record.As<isa::Fixpipe>()), element_(BytesOf(record.dst().type, 1)) {
        const bool by_words = fixpipe_.quant > Quant::kF322BF16;
        const ColumnConversion conversion{.src = record.src0().type,
                                          .dst = record.dst().type,
                                          .by_words = by_words,
                                          .relu = fixpipe_.relu,
                                          .overflow = record.control.overflow};
        run_ = Fits(fixpipe_.quant, conversion.src, conversion.dst) ? FindColumnRun(conversion) : nullptr;
        if (run_ == nullptr) {
            Refuse(record, std::string("has no conversion from ") + CName(conversion.src) + " to " +
                               CName(conversion.dst) + " with quantPre " + isa::Name(fixpipe_.quant) + ".");
        }
        job_.words = &words_;
        if (isa::IsVectorQuant(fixpipe_.quant)) {
            column_words_ = memory.Address(record.operand[2]);
        } else if (by_words) {
            for (uint32_t lane = 0; lane < kGroupColumns; ++lane) words_.Set(lane, fixpipe_.word, fixpipe_.relu);
        }
    }

    // Columns [first, first + columns) of the matrix whose L0C begins at src; row r goes to dst + r * pitch.
    bool MoveStrip(const uint8_t* src, uint32_t first, uint32_t columns, uint8_t* dst, size_t pitch) {
        bool replaced = false;
        const uint32_t end = first + columns;
        for (uint32_t at = first; at < end;) {
            const uint32_t lane = at % kBlockColumns;
            const uint32_t whole = lane == 0 ? std::min((end - at) / kBlockColumns, kGroupBlocks) : 0;
            const uint32_t width = whole ? whole * kBlockColumns : std::min(end - at, kBlockColumns - lane);
            SetWords(at, width);
            job_.src = src + uint64_t{at / kBlockColumns} * BlockPitch() + lane * 4;
            job_.src_pitch = BlockPitch();
            job_.blocks = std::max(whole, 1u);
            if (whole && !isa::IsAtomic(record_) && fixpipe_.clip == 0) {
                job_.dst = dst;
                job_.dst_pitch = pitch;
                job_.rows = fixpipe_.m;
                replaced |= run_(job_);
            } else {
                replaced |= MoveStaged(job_.src, width, dst, pitch);
            }
            at += width;
            dst += width * element_;
        }
        return replaced;
    }

private:
    static constexpr uint32_t kStagedRows = 32;

    uint64_t BlockPitch() const { return uint64_t{fixpipe_.src_stride} * kBlockRowBytes; }

    void SetWords(uint32_t at, uint32_t width) {
        if (column_words_ == nullptr) return;
        words_.relus = words_.shifts = false;
        for (uint32_t lane = 0; lane < (width + kBlockColumns - 1) / kBlockColumns * kBlockColumns; ++lane) {
            uint64_t word = 0;
            if (lane < width) std::memcpy(&word, column_words_ + (at + lane) * sizeof(word), sizeof(word));
            words_.Set(lane, word, fixpipe_.relu);
        }
    }

    // Part of a column block, or whole ones into an atomic store: through a buffer. Columns past a part count as 0, so
    // that what lies there decides nothing.
    bool MoveStaged(const uint8_t* src, uint32_t width, uint8_t* dst, size_t pitch) {
        const bool part = width % kBlockColumns != 0;
        alignas(64) uint8_t in[kStagedRows * kBlockRowBytes] = {};
        alignas(64) uint8_t out[kStagedRows * kGroupColumns * 4];
        job_.dst = out;
        job_.dst_pitch = job_.blocks * kBlockColumns * element_;
        bool replaced = false;
        for (uint32_t row = 0; row < fixpipe_.m; row += kStagedRows) {
            job_.rows = std::min(fixpipe_.m - row, kStagedRows);
            job_.src = src + row * kBlockRowBytes;
            if (part) {
                for (uint32_t r = 0; r < job_.rows; ++r) {
                    std::memcpy(in + r * kBlockRowBytes, job_.src + r * kBlockRowBytes, width * 4);
                }
                job_.src = in;
            }
            replaced |= run_(job_);
            if (fixpipe_.clip != 0) Clip(out, job_.rows * kBlockColumns * job_.blocks);
            for (uint32_t r = 0; r < job_.rows; ++r) {
                uint8_t* to = dst + (row + r) * pitch;
                const uint8_t* from = out + r * job_.dst_pitch;
                if (isa::IsAtomic(record_)) {
                    replaced |= StoreAtomic(record_.control, to, from, width * element_);
                } else {
                    std::memcpy(to, from, width * element_);
                }
            }
        }
        return replaced;
    }

    // Behind ReLU bits order numbers as the numbers are; NaN, above infinity, stays.
    void Clip(uint8_t* elements, uint32_t count) const {
        const bool is_half = record_.dst().type == DataType::kHalf;
        const uint32_t infinity = is_half ? 0x7C00 : 0x7F800000;
        const uint32_t bound =
            is_half ? fixpipe_.clip : std::bit_cast<uint32_t>(static_cast<float>(half::FromBits(fixpipe_.clip)));
        for (uint32_t i = 0; i < count; ++i) {
            uint32_t bits = 0;
            std::memcpy(&bits, elements + i * element_, element_);
            if (bits > bound && bits <= infinity) std::memcpy(elements + i * element_, &bound, element_);
        }
    }

    const isa::Record& record_;
    const isa::Fixpipe& fixpipe_;
    size_t element_;
    ColumnRun run_ = nullptr;
    ColumnJob job_;
    ColumnWords words_;
    const uint8_t* column_words_ = nullptr;  // a V mode's
};

}  // namespace

bool Execute(const isa::Record& record, const isa::Fixpipe& f, const MemoryMap& memory) {
    if (f.n == 0 || f.m == 0) return false;
    const size_t element = BytesOf(record.dst().type, 1);
    const uint8_t* src = memory.Address(record.src0());
    uint8_t* dst = memory.Address(record.dst());
    Mover mover(record, memory);
    bool replaced = false;
    if (f.row_major) {
        for (uint32_t q = 0; q < f.nd_count; ++q) {
            replaced |= mover.MoveStrip(src + uint64_t{q} * f.src_nd_stride * 256 * 4, 0, f.n,
                                        dst + uint64_t{q} * f.dst_nd_stride * element, f.dst_stride * element);
        }
        return replaced;
    }
    // Columns of a fractal: 8-bit results are merged to 32 but for a last 16 left alone, split floats are 8.
    const uint32_t columns = element == 1 ? 32 : f.channel_split ? 8 : kBlockColumns;
    for (uint32_t first = 0; first < f.n; first += columns, dst += uint64_t{f.dst_stride} * isa::kBlockBytes) {
        const uint32_t width = std::min(f.n - first, columns);
        const uint32_t row_columns = width <= kBlockColumns ? std::min(columns, kBlockColumns) : columns;
        replaced |= mover.MoveStrip(src, first, width, dst, row_columns * element);
    }
    return replaced;
}

}  // namespace sfumato::exec
