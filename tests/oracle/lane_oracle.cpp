// SPDX-License-Identifier: Apache-2.0
// One element at a time.
#include "oracle/lane_oracle.h"

#include <cmath>
#include <stdexcept>

#include "oracle/conversion_oracle.h"
#include "oracle/elementwise_oracle.h"
#include "oracle/lanes.h"

namespace sfumato::oracle {
namespace {

using isa::MaskMode;
using isa::Opcode;
using isa::Operand;
using isa::Record;

constexpr uint64_t kCmpMaskAt = 64, kRsvdCountAt = 16;

bool Bit(const Bytes& image, uint64_t at, uint64_t i) { return (image.at(at + i / 8) >> (i % 8)) & 1; }
void PutBit(Bytes& image, uint64_t at, uint64_t i, bool value) {
    uint8_t& byte = image.at(at + i / 8);
    byte = static_cast<uint8_t>((byte & ~(1u << (i % 8))) | unsigned{value} << (i % 8));
}

// An element as a number, exact in long double.
long double Number(DataType type, uint64_t bits) {
    switch (type) {
        case DataType::kInt8: return static_cast<int8_t>(bits);
        case DataType::kInt16: return static_cast<int16_t>(bits);
        case DataType::kInt32: return static_cast<int32_t>(bits);
        case DataType::kHalf: {
            const int sign = bits >> 15 ? -1 : 1, exponent = static_cast<int>(bits >> 10) & 31;
            const int fraction = static_cast<int>(bits & 1023);
            if (exponent == 31) return fraction ? NAN : sign * INFINITY;
            return sign * std::ldexp(static_cast<long double>(exponent ? fraction + 1024 : fraction),
                                     (exponent ? exponent : 1) - 25);
        }
        case DataType::kFloat: return std::bit_cast<float>(static_cast<uint32_t>(bits));
        default: return static_cast<long double>(bits);
    }
}

bool IsTrue(isa::Compare::Mode mode, long double a, long double b) {
    using Mode = isa::Compare::Mode;
    if (std::isnan(a) || std::isnan(b)) return false;
    switch (mode) {
        case Mode::kLt: return a < b;
        case Mode::kGt: return a > b;
        case Mode::kEq: return a == b;
        case Mode::kLe: return a <= b;
        case Mode::kGe: return a >= b;
        case Mode::kNe: return a != b;
    }
    return false;
}

void ExpectCompare(const Record& r, const LaneMemory& m) {
    const DataType type = r.operand[1].type;
    const LaneWalk lanes{r, 2048 / BitsOf(type)};
    const auto mode = r.As<isa::Compare>().mode;
    const bool to_register = r.op == Opcode::vcmp;
    // Only whole repeats of a count.
    const uint64_t repeats = to_register ? 1 : lanes.Total() ? r.mask.count / lanes.lanes : r.repeat;
    for (uint64_t repeat = 0; repeat < repeats; ++repeat) {
        for (uint64_t lane = 0; lane < lanes.lanes; ++lane) {
            const uint64_t a = lanes.Read(m.before, 1, repeat, lane);
            const uint64_t b = r.op == Opcode::vcmpvs ? r.immediate : lanes.Read(m.before, 2, repeat, lane);
            const bool result = IsTrue(mode, Number(type, a), Number(type, b));
            const bool active = lanes.Total() && !to_register ? true : lanes.Active(repeat, lane);
            if (!to_register) {
                PutBit(m.ub, r.operand[0].offset, repeat * lanes.lanes + lane, active && result);
            } else if (active) {
                PutBit(m.registers, kCmpMaskAt, lane, result);
            }
        }
    }
}

void ExpectSelect(const Record& r, const LaneMemory& m) {
    const DataType type = r.operand[0].type;
    const LaneWalk lanes{r, 2048 / BitsOf(type)};
    const bool by_register = r.As<isa::Select>().mode == isa::Select::Mode::kCmpMask;
    const Operand& sel = r.operand[r.operand_count - 1u];
    const bool in_ub = sel.memory == isa::Memory::kUb;
    uint64_t used = 0;  // bits
    for (uint64_t repeat = 0; repeat < lanes.Repeats(); ++repeat) {
        for (uint64_t lane = 0; lane < lanes.lanes; ++lane) {
            if (!lanes.Active(repeat, lane)) continue;
            used = std::max(used, lane + 1);
            const uint64_t bit = by_register ? lane : repeat * lanes.lanes + lane;
            const bool first = in_ub ? Bit(m.before, sel.offset, bit) : Bit(m.registers, kCmpMaskAt, bit);
            uint64_t value = r.immediate;
            if (first) value = lanes.Read(m.before, 1, repeat, lane);
            if (!first && r.operand_count == 4) value = lanes.Read(m.before, 2, repeat, lane);
            lanes.Write(m.ub, repeat, lane, value);
        }
    }
    // Bits of UB go through CMPMASK: those up to the last active lane, in whole bytes.
    for (uint64_t byte = 0; by_register && in_ub && byte < CeilDiv(used, 8); ++byte) {
        m.registers.at(kCmpMaskAt + byte) = m.before.at(sel.offset + byte);
    }
}

void ExpectRegisterMove(const Record& r, const LaneMemory& m) {
    const uint64_t bytes = r.operand_count == 1 ? 32 : 16;  // a scalar clears the whole register
    for (uint64_t byte = 0; byte < bytes; ++byte) {
        if (r.op == Opcode::get_cmpmask) {
            m.ub.at(r.operand[0].offset + byte) = m.registers.at(kCmpMaskAt + byte);
        } else if (r.operand_count == 1) {
            m.registers.at(kCmpMaskAt + byte) = byte < 8 ? static_cast<uint8_t>(r.immediate >> (8 * byte)) : 0;
        } else {
            m.registers.at(kCmpMaskAt + byte) = m.before.at(r.operand[1].offset + byte);
        }
    }
}

uint64_t BlockAt(const Operand& o, uint64_t repeat, uint64_t block) {
    const uint64_t stride = o.block_stride == 0 ? 1 : o.block_stride;
    return o.offset + repeat * o.repeat_stride * 32 + block * stride * 32;
}

void ExpectBroadcast(const Record& r, const LaneMemory& m) {
    const uint32_t bits = BitsOf(r.operand[0].type);
    for (uint64_t repeat = 0; repeat < r.repeat; ++repeat) {
        for (uint64_t block = 0; block < 8; ++block) {
            const uint64_t value = Get(m.before, r.operand[1].offset, 8 * repeat + block, bits);
            for (uint64_t e = 0; e < 256 / bits; ++e) Put(m.ub, BlockAt(r.operand[0], repeat, block), e, bits, value);
        }
    }
}

// The page's pictures, a block a..p: what stands on the other side of the edge.
void ExpectPadding(const Record& r, const LaneMemory& m) {
    const auto& s = r.As<isa::Padding>();
    const LaneWalk walk{r, 2048 / BitsOf(r.operand[0].type)};
    const uint64_t n = 256 / BitsOf(r.operand[0].type);
    for (uint64_t repeat = 0; repeat < walk.Repeats(); ++repeat) {
        for (uint64_t lane = 0; lane < walk.lanes; ++lane) {
            if (!walk.Active(repeat, lane)) continue;
            const uint64_t block = lane / n * n, k = lane % n;
            const auto read = [&](uint64_t e) { return walk.Read(m.before, 1, repeat, block + e); };
            uint64_t value = read(s.right ? n - 1 : 0);
            if (s.mode == 1) value = read(n - 1 - k);
            if (s.mode == 2 && !s.right) value = k == 0 ? 0 : read(n - k);
            if (s.mode == 2 && s.right) value = k == n - 1 ? 0 : read(n - 2 - k);
            walk.Write(m.ub, repeat, lane, value);
        }
    }
}

void ExpectGatherBlocks(const Record& r, const LaneMemory& m) {
    for (uint64_t repeat = 0; repeat < r.repeat; ++repeat) {
        for (uint64_t block = 0; block < 8; ++block) {
            const uint64_t offset = Get(m.before, r.operand[2].offset, 8 * repeat + block, 32);
            for (uint64_t byte = 0; byte < 32; ++byte) {
                m.ub.at(BlockAt(r.operand[0], repeat, block) + byte) = m.before.at(r.operand[1].offset + offset + byte);
            }
        }
    }
}

void ExpectGather(const Record& r, const LaneMemory& m) {
    const uint32_t bits = BitsOf(r.operand[0].type);
    const LaneWalk lanes{r, bits == 8 ? 128 : 2048 / bits};
    const uint64_t base = r.As<isa::Offsets>().base;
    for (uint64_t repeat = 0; repeat < lanes.Repeats(); ++repeat) {
        for (uint64_t lane = 0; lane < lanes.lanes; ++lane) {
            if (!lanes.Active(repeat, lane)) continue;
            const uint64_t offset = Get(m.before, r.operand[2].offset, repeat * lanes.lanes + lane, 32);
            if (r.op == Opcode::vgather) {
                lanes.Write(m.ub, repeat, lane, Get(m.before, r.operand[1].offset + base + offset, 0, bits));
            } else {
                Put(m.ub, r.operand[0].offset + base + offset, 0, bits, lanes.Read(m.before, 1, repeat, lane));
            }
        }
    }
}

// vector_instructions.md 12.
bool ExpectInterpolation(const Record& r, const LaneMemory& m) {
    const auto& s = r.As<isa::Interpolate>();
    const DataType type = r.operand[0].type;
    const uint32_t bits = BitsOf(type);
    const LaneWalk lanes{r, 2048 / bits};
    bool replaced = false;
    // dst + a x b, rounded after both.
    const Elementwise step{Opcode::vmla, type, type, r.control.overflow};
    for (uint64_t v = 0; v < lanes.Repeats(); ++v) {
        for (uint64_t lane = 0; lane < lanes.lanes; ++lane) {
            if (!lanes.Active(v, lane)) continue;
            const uint64_t per_block = 256 / bits, block = lane / per_block;
            uint64_t sum = uint64_t{1} << (bits - 1);  // -0: a first product plus it is the product
            for (uint64_t h = 0; h < s.horizontal; ++h) {
                const uint64_t it = v * s.horizontal + h;
                const uint64_t offset = Get(m.before, r.operand[2].offset, 8 * it + block, 32);
                const uint64_t x = Get(m.before, r.operand[1].offset + offset, lane % per_block, bits);
                const uint64_t w = Get(m.before, r.operand[3].offset, s.block_weights ? 8 * it + block : it, bits);
                sum = ExpectElement(step, x, w, sum, &replaced);
            }
            lanes.Write(m.ub, v, lane, sum);
        }
    }
    return replaced;
}

// Patterns 1 to 7 as the page prints them, bit 0 last; four bits each.
bool FixedBit(uint8_t pattern, uint64_t k) {
    constexpr const char* kPatterns[] = {"0101", "1010", "0001", "0010", "0100", "1000", "1111"};
    return kPatterns[pattern - 1][3 - k % 4] == '1';
}

void ExpectGatherMask(const Record& r, const LaneMemory& m) {
    const uint8_t pattern = r.As<isa::GatherMask>().pattern;
    const uint32_t bits = BitsOf(r.operand[0].type);
    const uint64_t per_repeat = 2048 / bits, per_block = 256 / bits;
    const bool total = r.mask.mode == MaskMode::kCounter;
    const uint64_t repeats = total ? CeilDiv(r.mask.count, per_repeat) : r.repeat;
    const Operand& src = r.operand[1];
    uint64_t kept = 0;
    for (uint64_t repeat = 0; repeat < repeats; ++repeat) {
        for (uint64_t lane = 0; lane < (total ? per_repeat : r.mask.count); ++lane) {
            if (total && repeat * per_repeat + lane >= r.mask.count) continue;
            const bool keep = pattern
                                  ? FixedBit(pattern, lane)
                                  : Bit(m.before, r.operand[2].offset + repeat * r.operand[2].repeat_stride * 32, lane);
            if (!keep) continue;
            const uint64_t at = src.offset + repeat * src.repeat_stride * 32 + lane / per_block * src.block_stride * 32;
            Put(m.ub, r.operand[0].offset, kept++, bits, Get(m.before, at, lane % per_block, bits));
        }
    }
    Put(m.registers, kRsvdCountAt, 0, 64, kept);
}

bool ExpectIndices(const Record& r, const LaneMemory& m) {
    const DataType type = r.operand[0].type;
    const LaneWalk lanes{r, 2048 / BitsOf(type)};
    bool replaced = false;
    for (uint64_t repeat = 0; repeat < lanes.Repeats(); ++repeat) {
        for (uint64_t lane = 0; lane < lanes.lanes; ++lane) {
            if (!lanes.Active(repeat, lane)) continue;
            lanes.Write(m.ub, repeat, lane,
                        IndexBits(type, r.control.overflow, r.immediate, repeat * lanes.lanes + lane, &replaced));
        }
    }
    return replaced;
}

// The sum of a float and an integer below 2^24, rounded once to nearest even; an exact 0 is +0.
template <DataType type>
uint64_t SumBits(uint64_t first, uint64_t index) {
    using G = Grid<type>;
    const bool negative = (first & G::kSign) != 0;
    const auto ordinal = static_cast<int64_t>(first & ~G::kSign);
    if (ordinal > G::kLast) return NanAt<type>();
    if (ordinal == G::kLast) return InfinityAt<type>(negative);
    const Exact x = G::Value(negative ? -ordinal : ordinal);
    if (x.m != 0 && (index == 0 || x.e >= 27)) return first;  // the sum is within half a step of the float
    // In units of 2^-71 whose lowest bit says that there is more below: enough to order it among steps and midpoints.
    const int shift = x.e + 70;
    Wide sum = shift >= 0 ? static_cast<Wide>(x.m) * (static_cast<Wide>(1) << shift) : x.m >> std::min(-shift, 63);
    const bool more = shift < 0 && (-shift > 62 ? x.m != 0 : (x.m & ((int64_t{1} << -shift) - 1)) != 0);
    sum = 2 * (sum + (static_cast<Wide>(index) << 70)) + (more ? 1 : 0);
    Wide size = sum < 0 ? -sum : sum;
    int e = -71;
    for (; size >> 62; ++e) size = size >> 1 | (size & 1);
    const auto m = static_cast<int64_t>(sum < 0 ? -size : size);
    return BitsAt<type>(Round<G, Rounding::kRint>({m, e}), sum < 0);
}

}  // namespace

uint64_t IndexBits(DataType type, Overflow overflow, uint64_t first, uint64_t index, bool* replaced) {
    const bool saturates = overflow == Overflow::kSaturate;
    uint64_t ieee = 0, result = 0;
    switch (type) {
        case DataType::kHalf:
            ieee = SumBits<DataType::kHalf>(first, index);
            result = saturates ? Saturated<DataType::kHalf>(ieee) : ieee;
            break;
        case DataType::kFloat: return SumBits<DataType::kFloat>(first, index);
        default: {
            const int64_t exact =
                type == DataType::kInt16 ? static_cast<int16_t>(first) : int64_t{static_cast<int32_t>(first)};
            const int64_t sum = exact + static_cast<int64_t>(index);
            const int64_t most = type == DataType::kInt16 ? INT16_MAX : INT32_MAX;
            ieee = static_cast<uint64_t>(sum);
            result = saturates && sum > most ? static_cast<uint64_t>(most) : ieee;
        }
    }
    *replaced |= result != ieee;
    return result;
}

bool ExpectLanes(const Record& r, const LaneMemory& m) {
    switch (r.op) {
        case Opcode::vcmpv:
        case Opcode::vcmpvs:
        case Opcode::vcmp: ExpectCompare(r, m); break;
        case Opcode::vsel: ExpectSelect(r, m); break;
        case Opcode::set_cmpmask:
        case Opcode::get_cmpmask: ExpectRegisterMove(r, m); break;
        case Opcode::vbcb: ExpectBroadcast(r, m); break;
        case Opcode::vpadding: ExpectPadding(r, m); break;
        case Opcode::vci: return ExpectIndices(r, m);
        case Opcode::vgather:
        case Opcode::vscatter: ExpectGather(r, m); break;
        case Opcode::vgatherb: ExpectGatherBlocks(r, m); break;
        case Opcode::vbi: return ExpectInterpolation(r, m);
        case Opcode::vreduce: ExpectGatherMask(r, m); break;
        default: throw std::logic_error("no oracle for this instruction");
    }
    return false;
}

}  // namespace sfumato::oracle
