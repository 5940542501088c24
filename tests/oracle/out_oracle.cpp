// SPDX-License-Identifier: Apache-2.0
// The formulas of cube.md 5.2 and 5.4 for single elements, and the layouts around them.
#include "oracle/out_oracle.h"

#include <algorithm>
#include <bit>
#include <cmath>

#include "oracle/conversion_oracle.h"
#include "oracle/mmad_oracle.h"

namespace sfumato::oracle {
namespace {

// The parameter word of cube.md 5.2.
struct Word {
    explicit Word(uint64_t q)
        : scale(std::bit_cast<float>(static_cast<uint32_t>(q) & 0xFFFFE000u)),
          shift(static_cast<int>(q >> 32 & 15) + 1),
          shifts((q >> 36 & 1) != 0),
          offset(static_cast<int>(q >> 37 & 0x1FF)),
          relu((q >> 47 & 1) != 0) {
        if (offset >= 256) offset -= 512;
    }
    float scale;  // 1-8-10 bits
    int shift;
    bool shifts;
    int offset;
    bool relu;  // tensor_mov only
};

int64_t Clamp16(int64_t x) { return std::clamp<int64_t>(x, -32768, 32767); }

// x / 2^shift, rounded down.
int64_t Shifted(int64_t x, int shift) {
    const int64_t divisor = int64_t{1} << shift;
    return x >= 0 ? x / divisor : -((-x + divisor - 1) / divisor);
}

int64_t ClampTo(DataType type, int64_t x) {
    switch (type) {
        case DataType::kInt8: return std::clamp<int64_t>(x, -128, 127);
        case DataType::kUint8: return std::clamp<int64_t>(x, 0, 255);
        default: return Clamp16(x);
    }
}

// The value of an L0C element on its way, after the optional shift: a float, or an int32 rounded to one.
float Arriving(DataType type, uint64_t bits, const Word& word) {
    if (type != DataType::kInt32) return FloatOfBits(type, bits);
    int64_t x = IntegerAt<DataType::kInt32>(bits);
    if (word.shifts) x = Clamp16(Shifted(x, word.shift));
    const uint64_t low = static_cast<uint64_t>(x) & 0xFFFFFFFFu;
    return FloatOfBits(DataType::kFloat, ConvertIeee<DataType::kInt32, DataType::kFloat, Rounding::kRint>(low));
}

uint64_t ToByte(DataType src, DataType dst, uint64_t bits, const Word& word, bool relu) {
    const float x = Arriving(src, bits, word);
    const float t = relu && x < 0 ? 0.0f : RoundedProduct(x, word.scale);
    int64_t integer = 0;
    if (!std::isnan(t)) {
        const float clamped = std::clamp(t, -256.0f, 255.0f);
        const float below = std::floor(clamped), rest = clamped - below;
        integer = static_cast<int64_t>(below);
        if (rest > 0.5f || (rest == 0.5f && integer % 2 != 0)) ++integer;
    }
    return static_cast<uint64_t>(ClampTo(dst, integer + word.offset)) & 0xFF;
}

// The exact product of a finite x, rounded once.
uint64_t ProductAsHalf(float x, float scale) {
    using H = Grid<DataType::kHalf>;
    const bool negative = std::signbit(x) != std::signbit(scale);
    if (std::isnan(scale) || (std::isinf(scale) && x == 0)) return H::kNan;
    if (std::isinf(scale)) return InfinityAt<DataType::kHalf>(negative);
    const auto exact = [](float f) { return Grid<DataType::kFloat>::Value(std::bit_cast<uint32_t>(std::fabs(f))); };
    const Exact a = exact(x), b = exact(scale);
    const int64_t magnitude = Round<H, Rounding::kRint>({a.m * b.m, a.e + b.e});
    return BitsAt<DataType::kHalf>(negative ? -magnitude : magnitude, negative);
}

uint64_t ToHalf(DataType src, uint64_t bits, const Word& word, bool relu, Overflow overflow, bool* replaced) {
    const float x = Arriving(src, bits, word);
    const uint64_t result = relu && x < 0 ? 0 : ProductAsHalf(x, word.scale);
    if (overflow != Overflow::kSaturate) return result;
    const uint64_t saturated = Saturated<DataType::kHalf>(result);
    if (saturated != result) *replaced = true;
    return saturated;
}

// A value that keeps its type or is only rounded.
uint64_t Plain(DataType src, DataType dst, uint64_t bits, bool relu, Overflow overflow, bool* replaced) {
    if (src == DataType::kInt32 || src == DataType::kUint32) {
        return relu && IntegerAt<DataType::kInt32>(bits) < 0 ? 0 : bits;
    }
    if (src == dst && !relu) return bits;
    float x = FloatOfBits(src, bits);
    if (relu && x <= 0) x = 0.0f;
    return BitsOfFloat(dst, x, overflow, replaced);
}

uint64_t Quantised(isa::Quant quant, const OutCase& c, uint64_t bits, uint64_t q, bool relu, bool* replaced) {
    switch (quant) {
        case isa::Quant::kDeqF16:
        case isa::Quant::kVDeqF16: return ToHalf(c.src, bits, Word(q), relu, c.overflow, replaced);
        case isa::Quant::kQF322B8:
        case isa::Quant::kVQF322B8:
        case isa::Quant::kReq8:
        case isa::Quant::kVReq8: return ToByte(c.src, c.dst, bits, Word(q), relu);
        default: return Plain(c.src, c.dst, bits, relu, c.overflow, replaced);
    }
}

}  // namespace

// cube.md 5.1
bool ExpectFixpipe(const isa::Fixpipe& p, const OutCase& c, Source src, Target dst) {
    const uint32_t bits = BitsOf(c.dst);
    const uint64_t size = bits / 8;
    bool replaced = false;
    for (uint64_t q = 0; q < p.nd_count; ++q) {
        for (uint64_t m = 0; m < p.m; ++m) {
            for (uint64_t n = 0; n < p.n; ++n) {
                const uint64_t element = q * p.src_nd_stride * 256 + n / 16 * p.src_stride * 16 + m * 16 + n % 16;
                const uint64_t word = isa::IsVectorQuant(p.quant) ? Get(c.words.image, c.words.at, n, 64) : p.word;
                const uint64_t value =
                    Quantised(p.quant, c, Get(src.image, src.at, element, 32), word, p.relu, &replaced);
                uint64_t byte = 0;
                if (p.row_major) {
                    byte = (q * p.dst_nd_stride + m * p.dst_stride + n) * size;
                } else if (p.channel_split) {
                    byte = n / 8 * p.dst_stride * 32 + m * 32 + n % 8 * 4;
                } else if (bits == 8) {
                    const bool narrow = CeilDiv(p.n, 16) % 2 != 0 && n / 32 == (p.n - 1) / 32;
                    byte = n / 32 * p.dst_stride * 32 + (narrow ? m * 16 + n % 16 : m * 32 + n % 32);
                } else {
                    byte = n / 16 * p.dst_stride * 32 + m * 16 * size + n % 16 * size;
                }
                Store(c.atomic, dst.image, dst.at + byte, bits, value, &replaced);
            }
        }
    }
    return replaced;
}

namespace {

// Elements of a block of tensor_mov: whole fractals, or their first rows.
uint64_t UnitElements(const isa::MatrixMove& p) { return p.block == isa::MatrixMove::Block::kMatrix ? 256 : 16; }

// half x half, exact, rounded once to half; int32 x half likewise.
uint64_t TimesHalf(const OutCase& c, uint64_t bits, uint64_t scale_bits, bool relu, bool* replaced) {
    const uint16_t scale = static_cast<uint16_t>(scale_bits);
    uint64_t result = 0;
    if (c.src == DataType::kInt32) {
        result = ConvertInt32ToHalfIeee(static_cast<int32_t>(IntegerAt<DataType::kInt32>(bits)), scale);
    } else {  // 22 bits: exact in a float
        const float product = RoundedProduct(FloatOfBits(c.src, bits), FloatOfBits(DataType::kHalf, scale));
        bool ignored = false;
        result = BitsOfFloat(DataType::kHalf, product, Overflow::kInfNan, &ignored);
    }
    if (c.overflow == Overflow::kSaturate) {
        const uint64_t saturated = Saturated<DataType::kHalf>(result);
        if (saturated != result) *replaced = true;
        result = saturated;
    }
    // ReLU comes last here, as in AddDeqRelu.
    return relu && FloatOfBits(DataType::kHalf, result) <= 0 ? 0 : result;
}

uint64_t Dequantised(const isa::MatrixMove& p, const OutCase& c, uint64_t bits, uint64_t q, bool* replaced) {
    using Deq = isa::MatrixMove::Deq;
    const Word word(q);
    switch (p.deq) {
        case Deq::kDeq:
        case Deq::kVDeq: return TimesHalf(c, bits, q, p.relu, replaced);
        case Deq::kDeq8:
        case Deq::kVDeq8: return ToByte(c.src, c.dst, bits, word, p.relu || word.relu);
        case Deq::kDeq16:
        case Deq::kVDeq16:
            if (c.dst == DataType::kInt16) {  // shifted alone, whatever bit 36 says
                const int64_t x = Clamp16(Shifted(IntegerAt<DataType::kInt32>(bits), word.shift));
                if (p.relu && x < 0) return 0;
                return static_cast<uint64_t>(x) & 0xFFFF;
            }
            return ToHalf(c.src, bits, word, p.relu, c.overflow, replaced);
        default: return Plain(c.src, c.dst, bits, p.relu, c.overflow, replaced);
    }
}

// Bytes of UB a fractal, or its first row, takes up: 8-bit rows of 16 stand in halves of 32 bytes unless they are
// paired.
uint64_t UnitBytes(const isa::MatrixMove& p, uint32_t dst_bits) {
    return UnitElements(p) * (dst_bits == 8 && p.sid_store_mode < 2 ? 2 : dst_bits / 8);
}

// Where element e of fractal f of a block goes. In store mode 2 two fractals stand side by side; a last one without a
// neighbour stays 16 wide (decided, as Fixpipe's channel merge).
uint64_t ByteInBlock(const isa::MatrixMove& p, uint32_t dst_bits, uint64_t f, uint64_t e) {
    const uint64_t unit = UnitBytes(p, dst_bits);
    if (dst_bits != 8) return f * unit + e * dst_bits / 8;
    if (p.sid_store_mode < 2) return f * unit + e / 16 * 32 + (p.sid_store_mode == 1 ? 16 : 0) + e % 16;
    if (f % 2 == 0 && f + 1 == p.block_len) return f * unit + e;
    return f / 2 * 2 * unit + e / 16 * 32 + f % 2 * 16 + e % 16;
}

}  // namespace

// cube.md 5.4
bool ExpectMatrixOut(const isa::MatrixMove& p, const OutCase& c, Source src, Target dst) {
    using Deq = isa::MatrixMove::Deq;
    const uint32_t src_bits = BitsOf(c.src), dst_bits = BitsOf(c.dst);
    const uint64_t unit = UnitElements(p);
    bool replaced = false;
    uint64_t block_at = 0;  // byte in dst
    for (uint64_t b = 0; b < p.block_count; ++b) {
        for (uint64_t f = 0; f < p.block_len; ++f) {
            for (uint64_t e = 0; e < unit; ++e) {
                const uint64_t fractal = b * (uint64_t{p.block_len} + p.src_gap) + f;
                uint64_t word = p.word;
                if (p.deq == Deq::kVDeq) {
                    word = Get(c.words.image, c.words.at + b * 32, e % 16, 16);
                } else if (p.deq == Deq::kVDeq8 || p.deq == Deq::kVDeq16) {
                    word = Get(c.words.image, c.words.at + b * 128, e % 16, 64);
                }
                const uint64_t value =
                    Dequantised(p, c, Get(src.image, src.at, fractal * 256 + e, src_bits), word, &replaced);
                const uint64_t at = ByteInBlock(p, dst_bits, f, e);
                Put(dst.image, dst.at + block_at + at, 0, dst_bits, value);
            }
        }
        block_at += p.block_len * UnitBytes(p, dst_bits) + uint64_t{p.dst_gap} * 32;
    }
    return replaced;
}

void ExpectMatrixIn(const isa::MatrixMove& p, const OutCase& c, Source src, Target dst) {
    const uint32_t src_bits = BitsOf(c.src), dst_bits = BitsOf(c.dst);
    const uint64_t unit = UnitElements(p);
    bool ignored = false;
    for (uint64_t b = 0; b < p.block_count; ++b) {
        const uint64_t block_at = b * (p.block_len * unit * src_bits / 8 + uint64_t{p.src_gap} * 32);
        for (uint64_t f = 0; f < p.block_len; ++f) {
            for (uint64_t e = 0; e < unit; ++e) {
                const uint64_t bits = Get(src.image, src.at + block_at, f * unit + e, src_bits);
                const uint64_t fractal = b * (uint64_t{p.block_len} + p.dst_gap) + f;
                Put(dst.image, dst.at, fractal * 256 + e, dst_bits,
                    Plain(c.src, c.dst, bits, p.relu, c.overflow, &ignored));
            }
        }
    }
}

void ExpectBroadcastIn(const isa::MatrixMove& p, uint32_t bits, Source src, Target dst) {
    for (uint64_t b = 0; b < p.block_count; ++b) {
        const uint64_t from = b * (uint64_t{p.block_len} * 2 * bits + uint64_t{p.src_gap} * 32);  // bytes
        const uint64_t to = b * (uint64_t{p.block_len} + p.dst_gap) * 256;                        // elements
        for (uint64_t e = 0; e < uint64_t{p.block_len} * 256; ++e) {
            Put(dst.image, dst.at, to + e, bits, Get(src.image, src.at + from, e / 256 * 16 + e % 16, bits));
        }
    }
}

// cube.md 4: the bias table holds entries of 4 bytes.
void ExpectBiasMove(const BiasMove& p, DataType src_type, DataType dst_type, Source src, Target dst) {
    bool ignored = false;
    for (uint64_t b = 0; b < p.blocks; ++b) {
        for (uint64_t e = 0; e < p.block_bytes * 8 / BitsOf(src_type); ++e) {
            const uint64_t bits = Get(src.image, src.at + b * p.src_pitch, e, BitsOf(src_type));
            Put(dst.image, dst.at + b * p.dst_pitch, e, BitsOf(dst_type),
                src_type == dst_type
                    ? bits
                    : BitsOfFloat(DataType::kFloat, FloatOfBits(src_type, bits), Overflow::kInfNan, &ignored));
        }
    }
}

}  // namespace sfumato::oracle
