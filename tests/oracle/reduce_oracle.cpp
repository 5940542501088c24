// SPDX-License-Identifier: Apache-2.0
// Trees over optional values: a lane that is not active is no value at all.
#include "oracle/reduce_oracle.h"

#include <cmath>
#include <optional>

#include "oracle/atomic_oracle.h"
#include "oracle/lanes.h"
#include "oracle/mmad_oracle.h"

namespace sfumato::oracle {
namespace {

using isa::Opcode;
using isa::Record;
using Lane = std::optional<uint64_t>;
using Lanes = std::vector<Lane>;

enum class Kind { kSum, kMax, kMin };
enum class Group { kRepeat, kBlock, kPair };

Kind KindOf(Opcode op) {
    if (op == Opcode::vcmax || op == Opcode::vcgmax || op == Opcode::vec_reduce_max) return Kind::kMax;
    return op == Opcode::vcmin || op == Opcode::vcgmin || op == Opcode::vec_reduce_min ? Kind::kMin : Kind::kSum;
}
Group GroupOf(Opcode op) {
    if (op == Opcode::vcpadd) return Group::kPair;
    return op == Opcode::vcgadd || op == Opcode::vcgmax || op == Opcode::vcgmin ? Group::kBlock : Group::kRepeat;
}

// Arithmetic on the bits of one element.
class Elements {
public:
    Elements(DataType type, Overflow overflow) : type_(type), overflow_(overflow) {}

    uint64_t Policy(uint64_t bits, bool* replaced) const {
        if (type_ == DataType::kInt16) return bits;
        return BitsOfFloat(type_, FloatOfBits(type_, bits), overflow_, replaced);
    }
    uint64_t Sum(uint64_t a, uint64_t b, bool* replaced) const {
        Bytes one(8);
        Put(one, 0, 0, BitsOf(type_), a);
        Store({AtomicMode::Kind::kAdd, type_, overflow_}, one, 0, BitsOf(type_), b, replaced);
        return Get(one, 0, 0, BitsOf(type_));
    }
    // True when a comes before b as a result, whatever their places.
    bool Beats(Kind kind, uint64_t a, uint64_t b) const {
        if (type_ == DataType::kInt16) {
            const auto x = static_cast<int16_t>(a), y = static_cast<int16_t>(b);
            return kind == Kind::kMax ? x > y : x < y;
        }
        const float x = FloatOfBits(type_, a), y = FloatOfBits(type_, b);
        if (std::isnan(y)) return false;
        if (std::isnan(x)) return true;
        if (x == 0 && y == 0)
            return kind == Kind::kMax ? std::signbit(y) && !std::signbit(x) : std::signbit(x) && !std::signbit(y);
        return kind == Kind::kMax ? x > y : x < y;
    }
    // A tree of neighbours; no value when there is none.
    Lane Tree(Lanes lanes, bool* replaced) const {
        while (lanes.size() > 1) {
            Lanes next;
            for (size_t i = 0; i < lanes.size(); i += 2) {
                const Lane a = lanes[i], b = i + 1 < lanes.size() ? lanes[i + 1] : Lane();
                if (a && b) {
                    next.push_back(Sum(*a, *b, replaced));
                } else if (a || b) {
                    next.push_back(Policy(a ? *a : *b, replaced));
                } else {
                    next.push_back({});
                }
            }
            lanes = next;
        }
        return lanes.at(0);
    }
    // Place of the first extreme; none when there is no lane.
    std::optional<size_t> First(Kind kind, const Lanes& lanes) const {
        std::optional<size_t> best;
        for (size_t i = 0; i < lanes.size(); ++i) {
            if (lanes[i] && (!best || Beats(kind, *lanes[i], *lanes[*best]))) best = i;
        }
        return best;
    }

private:
    DataType type_;
    Overflow overflow_;
};

// The lanes of every repeat of the source.
struct Source : LaneWalk {
    uint32_t bits;
    uint64_t per_repeat, per_block, repeats;

    explicit Source(const Record& record)
        : LaneWalk{record, 2048 / BitsOf(record.src0().type)},
          bits(BitsOf(record.src0().type)),
          per_repeat(lanes),
          per_block(256 / bits),
          repeats(Repeats()) {}
    Lanes Of(const Bytes& ub, uint64_t repeat) const {
        Lanes values(per_repeat);
        for (uint64_t lane = 0; lane < per_repeat; ++lane) {
            if (Active(repeat, lane)) values[lane] = Read(ub, 1, repeat, lane);
        }
        return values;
    }
};

void LeaveExtreme(Bytes& registers, uint64_t value, uint64_t index) {
    Put(registers, 32, 0, 32, value);
    Put(registers, 36, 0, 32, index);
}

uint64_t Infinity(DataType type, bool negative) {
    const uint64_t bits = type == DataType::kHalf ? 0x7BFF : 0x7F800000;  // half: the largest number
    return bits | (negative ? uint64_t{1} << (BitsOf(type) - 1) : 0);
}

}  // namespace

bool ExpectReduce(const Record& r, const ReduceMemory& memory) {
    const auto& p = r.As<isa::Reduce>();
    const Kind kind = KindOf(r.op);
    const Group group = GroupOf(r.op);
    const DataType type = r.src0().type;
    const Elements elements(type, r.control.overflow);
    const Source source(r);
    const uint32_t bits = source.bits;
    const uint64_t size = bits / 8;
    bool replaced = false;
    Lanes values;
    std::vector<uint64_t> indices;
    for (uint64_t repeat = 0; repeat < source.repeats; ++repeat) {
        const Lanes lanes = source.Of(memory.ub, repeat);
        if (group == Group::kRepeat && kind != Kind::kSum) {
            const size_t lane = elements.First(kind, lanes).value();
            bool ignored = false;
            const bool stores_value = p.order != isa::ReduceOrder::kOnlyIndex;
            const uint64_t value = elements.Policy(*lanes[lane], stores_value ? &replaced : &ignored);
            const uint64_t step = p.order == isa::ReduceOrder::kOnlyValue   ? size
                                  : p.order == isa::ReduceOrder::kOnlyIndex ? 4
                                                                            : 2 * size;
            const uint64_t at = r.dst().offset + repeat * r.dst().repeat_stride * step;
            switch (p.order) {
                case isa::ReduceOrder::kOnlyIndex: Put(memory.expected, at, 0, 32, lane); break;
                case isa::ReduceOrder::kOnlyValue: Put(memory.expected, at, 0, bits, value); break;
                case isa::ReduceOrder::kIndexValue:
                    Put(memory.expected, at, 0, bits, lane);
                    Put(memory.expected, at, 1, bits, value);
                    break;
                default:
                    Put(memory.expected, at, 0, bits, value);
                    Put(memory.expected, at, 1, bits, lane);
                    break;
            }
            values.push_back(value);
            indices.push_back(repeat * source.per_repeat + lane);
            continue;
        }
        const uint64_t width = group == Group::kRepeat  ? source.per_repeat
                               : group == Group::kBlock ? source.per_block
                                                        : 2;
        const uint64_t results = source.per_repeat / width;
        const uint64_t pitch = group == Group::kRepeat ? size : group == Group::kBlock ? 8 * size : 128;
        for (uint64_t g = 0; g < results; ++g) {
            const Lanes part(lanes.begin() + static_cast<std::ptrdiff_t>(g * width),
                             lanes.begin() + static_cast<std::ptrdiff_t>((g + 1) * width));
            Lane result;
            if (kind == Kind::kSum) {
                result = elements.Tree(part, &replaced);
            } else if (const auto first = elements.First(kind, part)) {
                result = elements.Policy(*part[*first], &replaced);
            }
            if (!result && p.fill_masked) result = kind == Kind::kSum ? 0 : Infinity(type, kind == Kind::kMax);
            const uint64_t at = r.dst().offset + repeat * r.dst().repeat_stride * pitch + g * size;
            if (result) Put(memory.expected, at, 0, bits, *result);
        }
    }
    if (!values.empty()) {
        const size_t best = elements.First(kind, values).value();
        LeaveExtreme(memory.registers, *values[best], indices[best]);
    }
    return replaced;
}

bool ExpectReduceTensor(const Record& r, const ReduceMemory& memory) {
    const auto& p = r.As<isa::ReduceTensor>();
    const Kind kind = KindOf(r.op);
    const Elements elements(r.src0().type, r.control.overflow);
    const Source source(r);
    const uint32_t bits = source.bits;
    bool replaced = false;
    Lanes values;
    std::vector<uint64_t> lanes_of, places;
    for (uint64_t repeat = 0; repeat < source.repeats; ++repeat) {
        const Lanes lanes = source.Of(memory.ub, repeat);
        if (kind == Kind::kSum) {
            values.push_back(elements.Tree(lanes, &replaced).value());
            continue;
        }
        const size_t lane = elements.First(kind, lanes).value();
        values.push_back(elements.Policy(*lanes[lane], &replaced));
        lanes_of.push_back(lane);
        places.push_back((source.ByteOf(1, repeat, lane) - r.src0().offset) * 8 / bits);
    }
    if (values.empty()) return replaced;
    // A last partial repeat has no place of its own: the pages size the tensor by whole repeats, to 32 bytes.
    const uint64_t whole =
        r.mask.mode == isa::MaskMode::kCount ? std::max<uint64_t>(1, r.mask.count / source.per_repeat) : source.repeats;
    const auto room = [&](uint64_t n) { return CeilTo(n, source.per_block); };
    if (kind == Kind::kSum) {
        if (p.group == 1 && r.operand_count > 2) {
            for (uint64_t i = 0; i < std::min<uint64_t>(values.size(), room(whole)); ++i) {
                Put(memory.expected, r.operand[2].offset, i, bits, *values[i]);
            }
        }
        Lanes groups;
        const uint64_t group = p.group == 0 ? values.size() : p.group;
        for (size_t i = 0; i < values.size(); ++i) {
            if (i % group == 0) {
                groups.push_back(values[i]);
            } else {
                groups.back() = elements.Sum(*groups.back(), *values[i], &replaced);
            }
        }
        const uint64_t sum = elements.Tree(groups, &replaced).value();
        Put(memory.expected, r.dst().offset, 0, bits, sum);
        if (p.group != 1) Put(memory.registers, 24, 0, 64, sum);
        return replaced;
    }
    const uint64_t n1 = 2 * whole, n2 = 2 * CeilDiv(n1, source.per_repeat), n3 = 2 * CeilDiv(n2, source.per_repeat);
    const uint64_t all = p.index ? room(n1) + room(n2) + (n2 > 2 ? room(n3) : 0) : room(n1);
    for (uint64_t i = 0; i < 2 * values.size() && i < all; ++i) {
        Put(memory.expected, r.operand[2].offset, i, bits, i % 2 ? lanes_of[i / 2] : *values[i / 2]);
    }
    const size_t best = elements.First(kind, values).value();
    Put(memory.expected, r.dst().offset, 0, bits, *values[best]);
    if (p.index) Put(memory.expected, r.dst().offset, 1, bits, places[best]);
    LeaveExtreme(memory.registers, *values[best], 0xFFFFFFFF);
    return replaced;
}

void ExpectTransposeSquares(const Record& r, const ReduceMemory& memory) {
    const auto& p = r.As<isa::TransposeSquares>();
    Bytes now = memory.ub;
    for (uint64_t repeat = 0; repeat < p.repeats; ++repeat) {
        const Bytes before = now;
        for (uint64_t i = 0; i < 16; ++i) {
            for (uint64_t j = 0; j < 16; ++j) {
                const uint64_t value = Get(before, r.src0().offset + repeat * p.src_stride * 512, i * 16 + j, 16);
                Put(now, r.dst().offset + repeat * p.dst_stride * 512, j * 16 + i, 16, value);
            }
        }
    }
    memory.expected = now;
}

void ExpectTransposeBlocks(const Record& r, const ReduceMemory& memory) {
    const auto& p = r.As<isa::TransposeBlocks>();
    const uint32_t bits = BitsOf(r.dst().type);
    Bytes now = memory.ub;
    for (uint64_t n = 0; n < p.repeats; ++n) {
        const uint64_t step = p.repeats == 1 ? 1 : n;
        const Bytes before = now;
        const auto source = [&](uint64_t block, uint64_t element) {
            return Get(before, p.src[block] + step * p.src_stride * 32, element, bits);
        };
        const auto store = [&](uint64_t block, uint64_t element, uint64_t value) {
            Put(now, p.dst[block] + step * p.dst_stride * 32, element, bits, value);
        };
        // Block by block: the last of two that share bytes stays.
        for (uint64_t i = 0; i < (bits == 32 ? 8 : 16); ++i) {
            for (uint64_t k = 0; k < 16; ++k) {
                switch (bits) {
                    case 8: store(i, (p.dst_high ? 16 : 0) + k, source(k, (p.src_high ? 16 : 0) + i)); break;
                    case 16: store(i, k, source(k, i)); break;
                    default: store(2 * i + k / 8, k % 8, source(k, i)); break;
                }
            }
        }
    }
    memory.expected = now;
}

void ExpectTransposeChannels(const Record& r, const ReduceMemory& memory) {
    const auto& p = r.As<isa::TransposeChannels>();
    const uint32_t bits = BitsOf(r.dst().type);
    for (uint64_t n = 0; n < p.n; ++n) {
        const uint64_t image = n * p.channels * p.pixels;
        for (uint64_t c = 0; c < p.channels; ++c) {
            for (uint64_t x = 0; x < p.pixels; ++x) {
                const uint64_t planar = image + c * p.pixels + x, packed = image + x * p.channels + c;
                Put(memory.expected, r.dst().offset, p.to_last ? packed : planar, bits,
                    Get(memory.ub, r.src0().offset, p.to_last ? planar : packed, bits));
            }
        }
    }
}

}  // namespace sfumato::oracle
