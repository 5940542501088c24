// SPDX-License-Identifier: Apache-2.0
// Undefined bits through vector instructions that compute: an element depends on the elements of its lane.
#include <array>
#include <cstring>

#include "isa/parts.h"
#include "isa/reductions.h"
#include "isa/vector_registers.h"
#include "sanitize/init_flow.h"

namespace sfumato::sanitize {
namespace {

using isa::Integers;
using isa::Record;
using isa::Walk;

constexpr uint32_t kMostLanes = 256;

// One operand's elements, in bits of its memory's shadow.
struct Elements {
    Walk walk;
    uint8_t* shadow;
    uint32_t bits;

    Elements(const Flow& flow, int operand, uint32_t shift)
        : walk(WalkOf(flow.record, operand, shift)), shadow(flow.Memory(operand)), bits(1u << walk.log2_bits) {}
    uint64_t BitOf(uint64_t repeat, uint32_t lane) const {
        const uint32_t in_block = lane & ((1u << walk.lane_shift) - 1);
        const uint64_t block = (lane >> walk.lane_shift) * walk.block_pitch;
        return (walk.start + repeat * walk.repeat_pitch + block) * 8 + (uint64_t{in_block} << walk.log2_bits);
    }
    bool Any(uint64_t repeat, uint32_t lane) const { return AnyUndefined(shadow, BitOf(repeat, lane), bits); }
    void Set(uint64_t repeat, uint32_t lane, bool undefined) const {
        SetUndefined(shadow, BitOf(repeat, lane), bits, undefined);
    }
    // The hull of these lanes.
    isa::Span Hull(const Record& r, uint64_t repeat, uint32_t first, uint32_t end) const {
        const isa::Span span = RepeatSpan(r, walk, first, end);
        const uint64_t at = walk.start + repeat * walk.repeat_pitch;
        return {at + span.begin, at + span.end};
    }
    bool Clean(const Record& r, uint64_t repeat, uint32_t first, uint32_t end) const {
        const isa::Span span = Hull(r, repeat, first, end);
        const uint8_t* byte = shadow + span.begin;
        return *byte == 0 && std::memcmp(byte, byte + 1, span.end - span.begin - 1) == 0;
    }
};

// The lanes of one repeat, as pieces [first, end); every piece of a repeat is read before one is written.
// skip(repeat, lanes of it): nothing undefined comes to it, and it has said so.
template <class Read, class Write, class Skip>
void EachRepeat(const Record& r, const Read& read, const Write& write, const Skip& skip) {
    const isa::Lanes lanes = LanesOf(r, LanesShift(r));
    const auto both = [&](uint64_t repeat, const auto& visit) {
        isa::Lanes one = lanes;
        one.repeats = 1;
        if (repeat + 1 != lanes.repeats) one.last_end = lanes.end;
        ForEachLaneRun(r, one, [&](uint64_t, uint32_t first, uint32_t end) {
            for (uint32_t lane = first; lane < end; ++lane) visit(repeat, lane);
        });
    };
    for (uint64_t repeat = 0; repeat < lanes.repeats; ++repeat) {
        if (skip(repeat, lanes.first, repeat + 1 == lanes.repeats ? lanes.last_end : lanes.end)) continue;
        both(repeat, read);
        both(repeat, write);
    }
}
template <class Read, class Write>
void EachRepeat(const Record& r, const Read& read, const Write& write) {
    EachRepeat(r, read, write, [](uint64_t, uint32_t, uint32_t) { return false; });
}

// The bits of a source that go on, by themselves or because the other source does not decide them.
uint8_t BitwiseByte(Integers of, uint8_t a, uint8_t a_undefined, uint8_t b, uint8_t b_undefined) {
    const auto undefined = static_cast<uint8_t>(a_undefined | b_undefined);
    if (of == Integers::kAnd) {
        return static_cast<uint8_t>(undefined & ~((~a & ~a_undefined) | (~b & ~b_undefined)));
    }
    if (of == Integers::kOr) return static_cast<uint8_t>(undefined & ~((a & ~a_undefined) | (b & ~b_undefined)));
    return undefined;
}

void Bitwise(const Flow& flow) {
    const Record& r = flow.record;
    const uint32_t shift = LanesShift(r);
    const bool two = r.operand_count == 3;
    const Elements dst(flow, 0, shift), a(flow, 1, shift), b(flow, two ? 2 : 1, shift);
    // Where a repeat reads what one before wrote, the memory does not yet hold it: both sources count.
    const bool values = dst.walk.repeat_pitch != 0 && two;
    const uint8_t* a_data = flow.Data(1) - r.src0().offset;
    const uint8_t* b_data = two ? flow.Data(2) - r.src1().offset : a_data;
    const uint64_t size = dst.bits / 8;
    std::array<uint64_t, kMostLanes> result;
    EachRepeat(
        r,
        [&](uint64_t repeat, uint32_t lane) {
            const uint64_t x = a.BitOf(repeat, lane) / 8, y = b.BitOf(repeat, lane) / 8;
            std::array<uint8_t, 8> bytes{};
            for (uint64_t i = 0; i < size; ++i) {
                bytes[i] = BitwiseByte(values ? MakesOf(r).integers : Integers::kCopy, a_data[x + i], a.shadow[x + i],
                                       b_data[y + i], b.shadow[y + i]);
            }
            std::memcpy(&result[lane], bytes.data(), sizeof(uint64_t));
        },
        [&](uint64_t repeat, uint32_t lane) {
            std::memcpy(dst.shadow + dst.BitOf(repeat, lane) / 8, &result[lane], size);
        });
}

bool IsBitwise(const Record& r) {
    const Integers of = MakesOf(r).integers;
    const bool bitwise = of == Integers::kAnd || of == Integers::kOr || of == Integers::kNot || of == Integers::kCopy;
    return bitwise && BitsOf(r.dst().type) >= 8;
}

bool IsActive(const Record& r, uint32_t lane) {
    switch (r.mask.mode) {
        case isa::MaskMode::kBits: return lane < 128 && ((r.mask.bits[lane / 64] >> (lane % 64)) & 1);
        case isa::MaskMode::kContinuous: return lane < r.mask.count;
        case isa::MaskMode::kCount:
        case isa::MaskMode::kCounter: break;
    }
    return true;
}

void SetBytes(uint8_t* to, uint64_t bytes, bool undefined) { std::memset(to, undefined ? 0xFF : 0, bytes); }

void SetRegister(const Flow& flow, const isa::Span& span, bool undefined) {
    if (span.begin != span.end) SetBytes(flow.Register(span.begin), span.end - span.begin, undefined);
}

}  // namespace

void Flows(const Flow& flow, const isa::Elementwise&) {
    const Record& r = flow.record;
    if (IsBitwise(r)) return Bitwise(flow);
    const uint32_t shift = LanesShift(r);
    const Elements dst(flow, 0, shift), a(flow, 1, shift), b(flow, r.operand_count == 3 ? 2 : 1, shift);
    const bool reads_dst = Has(r.op, isa::kReadsDst);
    const isa::Span words = WordsSpan(r);
    const uint8_t* word =
        words.begin == words.end ? nullptr : flow.shadow.base[static_cast<int>(isa::Memory::kUb)] + words.begin;
    // A repeat's destination has no gaps.
    const bool dense = !reads_dst && !word && dst.bits >= 8 && r.mask.mode != isa::MaskMode::kBits &&
                       dst.walk.block_pitch == isa::kBlockBytes && r.half_block == isa::HalfBlock::kDense;
    std::array<bool, kMostLanes> undefined{};
    EachRepeat(
        r,
        [&](uint64_t repeat, uint32_t lane) {
            undefined[lane] = a.Any(repeat, lane) || b.Any(repeat, lane) || (reads_dst && dst.Any(repeat, lane)) ||
                              (word && AnyUndefined(word, lane % 16 * 64, 64));
        },
        [&](uint64_t repeat, uint32_t lane) { dst.Set(repeat, lane, undefined[lane]); },
        [&](uint64_t repeat, uint32_t first, uint32_t end) {
            if (!dense || !a.Clean(r, repeat, first, end) || !b.Clean(r, repeat, first, end)) return false;
            const isa::Span span = dst.Hull(r, repeat, first, end);
            std::memset(dst.shadow + span.begin, 0, span.end - span.begin);
            return true;
        });
}

void Flows(const Flow& flow, const isa::Compare&) {
    const Record& r = flow.record;
    const uint32_t shift = LanesShift(r), lanes = 1u << shift;
    const bool to_register = r.dst().memory == isa::Memory::kRegister;
    const Elements a(flow, 1, shift), b(flow, r.operand_count == 2 ? 1 : 2, shift);
    uint8_t* dst = to_register ? flow.Register(isa::kCmpMask.at) : flow.Bits(0);
    const uint64_t repeats = to_register ? 1 : CompareRepeats(r);
    for (uint64_t repeat = 0; repeat < repeats; ++repeat, dst += lanes / 8) {
        std::array<uint8_t, kMostLanes / 8> bits{};
        for (uint32_t lane = 0; lane < lanes; ++lane) {
            const bool active = IsActive(r, lane);
            if (!active && !to_register) continue;  // it becomes 0
            SetUndefined(bits.data(), lane, 1,
                         active ? a.Any(repeat, lane) || b.Any(repeat, lane) : AnyUndefined(dst, lane, 1));
        }
        std::memcpy(dst, bits.data(), lanes / 8);
    }
}

void Flows(const Flow& flow, const isa::Select& p) {
    const Record& r = flow.record;
    const uint32_t shift = LanesShift(r);
    const bool scalar = r.operand_count == 3, same = p.mode == isa::Select::Mode::kCmpMask;
    const int last = r.operand_count - 1;
    const isa::Span loaded = RegisterWritten(r);
    if (loaded.begin != loaded.end) {
        std::memcpy(flow.Register(isa::kCmpMask.at), flow.Bits(last), (LanesOf(r, shift).end + 7) / 8);
    }
    const Elements dst(flow, 0, shift), a(flow, 1, shift), b(flow, scalar ? 1 : 2, shift);
    std::array<std::array<uint8_t, 8>, kMostLanes> result{};
    EachRepeat(
        r,
        [&](uint64_t repeat, uint32_t lane) {
            const uint64_t bit = (same ? 0 : repeat << shift) + lane;
            if (AnyUndefined(flow.Bits(last), bit, 1)) return result[lane].fill(0xFF);
            const bool first = (flow.Data(last)[bit / 8] >> (bit % 8)) & 1;
            result[lane].fill(0);
            if (!first && scalar) return;
            const Elements& from = first ? a : b;
            std::memcpy(result[lane].data(), from.shadow + from.BitOf(repeat, lane) / 8, from.bits / 8);
        },
        [&](uint64_t repeat, uint32_t lane) {
            std::memcpy(dst.shadow + dst.BitOf(repeat, lane) / 8, result[lane].data(), dst.bits / 8);
        });
}

void Flows(const Flow& flow, const isa::Reduce&) {
    const Record& r = flow.record;
    const uint32_t shift = LanesShift(r), group = isa::WidthShift(isa::WidthOf(r.op), isa::Log2Bits(r.src0().type));
    const isa::Lanes lanes = LanesOf(r, shift);
    const isa::Results results = ResultsOf(r);
    const bool whole = isa::WidthOf(r.op) == isa::ReduceWidth::kRepeat;
    const uint64_t size = whole ? results.bytes : BytesOf(r.dst().type, 1);
    const Elements src(flow, 1, shift);
    bool any = false;
    for (uint64_t repeat = 0; repeat < lanes.repeats; ++repeat) {
        uint64_t undefined = 0;
        const uint32_t end = repeat + 1 == lanes.repeats ? lanes.last_end : lanes.end;
        for (uint32_t lane = lanes.first; lane < end; ++lane) {
            if (IsActive(r, lane) && src.Any(repeat, lane)) undefined |= uint64_t{1} << (whole ? 0 : lane >> group);
        }
        any = any || undefined != 0;
        uint8_t* to = flow.Bits(0) + repeat * r.dst().repeat_stride * results.unit;
        const uint64_t stored = whole ? 1 : StoredResults(r, end);
        for (uint64_t i = 0; i < 64; ++i) {
            if ((stored >> i) & 1) SetBytes(to + i * size, size, (undefined >> i) & 1);
        }
    }
    SetRegister(flow, ReductionRegister(r), any);
}

void Flows(const Flow& flow, const isa::ReduceTensor&) {
    const Record& r = flow.record;
    const Elements src(flow, 1, LanesShift(r));
    bool any = false;
    EachRepeat(
        r, [&](uint64_t repeat, uint32_t lane) { any = any || src.Any(repeat, lane); }, [](uint64_t, uint32_t) {});
    for (const int operand : {0, 2}) {
        if (operand >= r.operand_count) continue;
        const isa::Span span = SpanOf(r, operand);
        SetBytes(flow.Memory(operand) + span.begin, span.end - span.begin, any);
    }
    SetRegister(flow, ReductionRegister(r), any);
}

void Flows(const Flow& flow, const isa::Interpolate& s) {
    const Record& r = flow.record;
    const uint32_t shift = LanesShift(r);
    const Elements dst(flow, 0, shift);
    const uint32_t bits = dst.bits, per_block = 1u << dst.walk.lane_shift;
    std::array<bool, kMostLanes> undefined{};
    EachRepeat(
        r,
        [&](uint64_t repeat, uint32_t lane) {
            undefined[lane] = false;
            for (uint32_t h = 0; h < s.horizontal; ++h) {
                const uint64_t iteration = repeat * s.horizontal + h, block = iteration * 8 + lane / per_block;
                uint32_t offset;
                std::memcpy(&offset, flow.Data(2) + block * sizeof(offset), sizeof(offset));
                const uint64_t at = offset * uint64_t{8} + lane % per_block * uint64_t{bits};
                undefined[lane] = undefined[lane] || AnyUndefined(flow.Bits(1), at, bits) ||
                                  AnyUndefined(flow.Bits(3), (s.block_weights ? block : iteration) * bits, bits);
            }
        },
        [&](uint64_t repeat, uint32_t lane) { dst.Set(repeat, lane, undefined[lane]); });
}

}  // namespace sfumato::sanitize
