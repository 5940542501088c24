// SPDX-License-Identifier: Apache-2.0
// The bytes that compares, selects, fills from elements and gathers touch, lane by lane from vector_instructions.md 2
// to 5, and random records of these forms, mostly legal. Written without isa/geometry.h and isa/spans.h.
#pragma once

#include "check/touched.h"
#include "isa/vector_registers.h"

namespace sfumato::isa {

// How many repeats of how many lanes, and which lane of which repeat the mask selects.
struct LaneWalk {
    const Record& r;
    uint64_t lanes;

    bool Total() const { return r.mask.mode == MaskMode::kCount || r.mask.mode == MaskMode::kCounter; }
    uint64_t Repeats() const { return Total() ? (r.mask.count + lanes - 1) / lanes : r.repeat; }
    bool Active(uint64_t repeat, uint64_t lane) const {
        if (Total()) return repeat * lanes + lane < r.mask.count;
        if (r.mask.mode == MaskMode::kContinuous) return lane < r.mask.count;
        return lane < 128 && ((r.mask.bits[lane / 64] >> (lane % 64)) & 1);
    }
    // Calls touch(repeat, lane) for each.
    template <class Touch>
    void ForEach(const Touch& touch) const {
        for (uint64_t repeat = 0; repeat < Repeats(); ++repeat) {
            for (uint64_t lane = 0; lane < lanes; ++lane) {
                if (Active(repeat, lane)) touch(repeat, lane);
            }
        }
    }
};

// Byte of a lane from the start of its operand.
inline uint64_t LaneByte(const Record& r, const Operand& o, uint64_t lanes, uint64_t repeat, uint64_t lane) {
    const uint64_t size = BitsOf(o.type) / 8, per_block = 32 / size;
    if (r.mask.mode == MaskMode::kCount) return (repeat * lanes + lane) * size;
    return repeat * o.repeat_stride * 32 + lane / per_block * o.block_stride * 32 + lane % per_block * size;
}

inline uint64_t ReachedBytes(const Operand& o, uint64_t base) {
    return o.limit > o.offset + base ? o.limit - o.offset - base : 0;
}

template <class AddBytes>
void TouchLanes(const Record& r, const Compare&, int operand, const AddBytes& add) {
    const Operand& o = r.operand[static_cast<size_t>(operand)];
    const uint64_t lanes = 2048 / BitsOf(r.operand[1].type);
    const bool total = r.mask.mode == MaskMode::kCount || r.mask.mode == MaskMode::kCounter;
    const uint64_t repeats = r.op == Opcode::vcmp ? 1 : total ? r.mask.count / lanes : r.repeat;
    if (o.memory == Memory::kRegister) return add(0, 32);
    for (uint64_t repeat = 0; repeat < repeats; ++repeat) {
        if (operand == 0) add(repeat * lanes / 8, lanes / 8);
        for (uint64_t lane = 0; lane < lanes && operand != 0; ++lane)
            add(LaneByte(r, o, lanes, repeat, lane), BitsOf(o.type) / 8);
    }
}

template <class AddBytes>
void TouchLanes(const Record& r, const Select& s, int operand, const AddBytes& add) {
    const Operand& o = r.operand[static_cast<size_t>(operand)];
    const LaneWalk walk{r, 2048 / BitsOf(r.operand[0].type)};
    if (o.memory == Memory::kRegister) return add(0, 32);
    walk.ForEach([&](uint64_t repeat, uint64_t lane) {
        if (operand != r.operand_count - 1) {
            add(LaneByte(r, o, walk.lanes, repeat, lane), BitsOf(o.type) / 8);
        } else if (s.mode == Select::Mode::kCmpMask) {
            add(0, lane / 8 + 1);  // all bits up to the last one go through the register
        } else {
            add((repeat * walk.lanes + lane) / 8, 1);
        }
    });
}

template <class AddBytes>
void TouchLanes(const Record&, const RegisterMove&, int, const AddBytes& add) {
    add(0, 16);
}

template <class AddBytes>
void TouchBlocks(const Record& r, const Operand& o, const AddBytes& add) {
    for (uint64_t repeat = 0; repeat < r.repeat; ++repeat) {
        for (uint64_t block = 0; block < 8; ++block)
            add((repeat * o.repeat_stride + block * std::max(o.block_stride, 1u)) * 32, 32);
    }
}

template <class AddBytes>
void TouchLanes(const Record& r, const Broadcast&, int operand, const AddBytes& add) {
    const Operand& o = r.operand[static_cast<size_t>(operand)];
    if (operand == 0) return TouchBlocks(r, o, add);
    add(0, uint64_t{8} * r.repeat * BitsOf(o.type) / 8);
}

template <class AddBytes>
void TouchLanes(const Record& r, const Padding&, int operand, const AddBytes& add) {
    const Operand& o = r.operand[static_cast<size_t>(operand)];
    const LaneWalk walk{r, 2048 / BitsOf(o.type)};
    const uint64_t per_block = 256 / BitsOf(o.type);
    walk.ForEach([&](uint64_t repeat, uint64_t lane) {
        if (operand == 0) return add(LaneByte(r, o, walk.lanes, repeat, lane), BitsOf(o.type) / 8);
        add(LaneByte(r, o, walk.lanes, repeat, lane / per_block * per_block), 32);
    });
}

template <class AddBytes>
void TouchLanes(const Record& r, const Offsets& s, int operand, const AddBytes& add) {
    const Operand& o = r.operand[static_cast<size_t>(operand)];
    const bool blocks = r.op == Opcode::vgatherb;
    const LaneWalk walk{r, std::min(2048 / BitsOf(r.operand[0].type), 128u)};
    if (operand == (r.op == Opcode::vscatter ? 0 : 1)) {
        if (blocks ? r.repeat > 0 : walk.Repeats() > 0) add(s.base, ReachedBytes(o, s.base));
        return;
    }
    if (blocks && operand == 0) return TouchBlocks(r, o, add);
    if (blocks) return add(0, uint64_t{8} * r.repeat * 4);
    walk.ForEach([&](uint64_t repeat, uint64_t lane) {
        operand == 2 ? add((repeat * walk.lanes + lane) * 4, 4)
                     : add(LaneByte(r, o, walk.lanes, repeat, lane), BitsOf(o.type) / 8);
    });
}

template <class AddBytes>
void TouchLanes(const Record& r, const Interpolate& s, int operand, const AddBytes& add) {
    const Operand& o = r.operand[static_cast<size_t>(operand)];
    const LaneWalk walk{r, 2048 / BitsOf(r.operand[0].type)};
    const uint64_t iterations = walk.Repeats() * s.horizontal;
    if (operand == 0) {
        walk.ForEach(
            [&](uint64_t repeat, uint64_t lane) { add(LaneByte(r, o, walk.lanes, repeat, lane), BitsOf(o.type) / 8); });
    } else if (iterations > 0) {
        const uint64_t weights = iterations * (s.block_weights ? 8 : 1) * BitsOf(o.type) / 8;
        add(0, operand == 1 ? ReachedBytes(o, 0) : operand == 2 ? iterations * 8 * 4 : weights);
    }
}

template <class AddBytes>
void TouchLanes(const Record& r, const GatherMask& s, int operand, const AddBytes& add) {
    const Operand& o = r.operand[static_cast<size_t>(operand)];
    const uint64_t per_repeat = 2048 / BitsOf(r.operand[0].type);
    const bool total = r.mask.mode == MaskMode::kCounter;
    const uint64_t repeats = total ? (r.mask.count + per_repeat - 1) / per_repeat : r.repeat;
    uint64_t kept = 0;
    for (uint64_t repeat = 0; repeat < repeats; ++repeat) {
        for (uint64_t lane = 0; lane < (total ? per_repeat : r.mask.count); ++lane) {
            if (total && repeat * per_repeat + lane >= r.mask.count) continue;
            if (operand == 1) add(LaneByte(r, o, per_repeat, repeat, lane), BitsOf(o.type) / 8);
            if (operand == 2) add(repeat * o.repeat_stride * 32 + lane / 8, 1);
            constexpr unsigned kBits[] = {0, 5, 10, 1, 2, 4, 8, 15};
            kept += (kBits[s.pattern] >> (lane % 4)) & 1;
        }
    }
    if (operand == 0 && repeats > 0) add(0, s.pattern ? kept * BitsOf(o.type) / 8 : ReachedBytes(o, 0));
}

// For a repeat of so many lanes.
inline Mask RandomMask(RandomRecords& random, uint32_t lanes) {
    const auto below = [&](uint32_t n) { return static_cast<uint32_t>(random.Below(n)); };
    switch (below(4)) {
        case 0: return {MaskMode::kCount, below(5 * lanes), {}};
        case 1: return {MaskMode::kCounter, 1 + below(5 * lanes), {}};
        case 2: {
            Mask mask = {MaskMode::kBits, 0, {random.Below(1ull << 40) << below(20), lanes > 64 ? random.Below(9) : 0}};
            if (!(mask.bits[0] | mask.bits[1])) mask.bits[0] = 2;
            return mask;
        }
        default: return {MaskMode::kContinuous, 1 + below(lanes), {}};
    }
}

// A random record of one of these forms; small, so that enumeration stays quick.
inline Record RandomLanes(RandomRecords& random) {
    using T = DataType;
    const auto below = [&](uint32_t n) { return static_cast<uint32_t>(random.Below(n)); };
    Record r;
    r.Become(random.Pick({Opcode::vcmpv, Opcode::vcmpvs, Opcode::vcmp, Opcode::vsel, Opcode::set_cmpmask,
                          Opcode::get_cmpmask, Opcode::vbcb, Opcode::vpadding, Opcode::vgather, Opcode::vgatherb,
                          Opcode::vscatter, Opcode::vbi, Opcode::vreduce}));
    const T type = random.Pick({T::kHalf, T::kHalf, T::kFloat, T::kInt32, T::kUint16, T::kUint32});
    const auto add = [&](T t) {
        Operand& o = r.operand[r.operand_count++];
        o.memory = Memory::kUb;
        o.type = t;
        o.offset = (uint64_t{r.operand_count} * 256 + below(40)) * 32;
        o.limit = o.offset + 4096;
        o.block_stride = below(3) ? 1 : below(4);
        o.repeat_stride = below(3) ? 8 : below(12);
    };
    r.repeat = below(6);
    const uint32_t lanes = 2048 / BitsOf(type);
    r.mask = RandomMask(random, lanes);
    switch (Info(r.op).form) {
        case Form::kCompare:
            add(T::kUint8), add(type);
            if (r.op != Opcode::vcmpvs) add(type);
            if (r.op == Opcode::vcmp) r.operand[0] = RegisterOperand(kCmpMask), r.repeat = 1;
            r.Set(Compare{static_cast<Compare::Mode>(below(6))});
            break;
        case Form::kSelect: {
            const auto mode = static_cast<Select::Mode>(below(3));
            add(type), add(type);
            if (mode != Select::Mode::kTensorScalar) add(type);
            add(T::kUint8);
            if (mode == Select::Mode::kCmpMask && below(2)) r.operand[r.operand_count - 1u] = RegisterOperand(kCmpMask);
            r.Set(Select{mode});
            break;
        }
        case Form::kRegisterMove:
            add(T::kUint8), add(T::kUint8);
            r.operand[r.op == Opcode::get_cmpmask ? 1 : 0] = RegisterOperand(kCmpMask);
            r.Set(RegisterMove{});
            break;
        case Form::kBroadcast:
            add(type), add(type);
            r.mask = {MaskMode::kContinuous, lanes, {}};
            r.Set(Broadcast{});
            break;
        case Form::kPadding:
            add(type), add(type);
            r.Set(Padding{below(3), below(2) != 0});
            break;
        case Form::kGather:
        case Form::kGatherBlocks:
        case Form::kScatter:
            add(type), add(type), add(T::kUint32);
            if (r.op == Opcode::vgatherb) r.mask = {MaskMode::kContinuous, lanes, {}};
            r.operand[r.op == Opcode::vscatter ? 1 : 0].block_stride = 1;
            r.As<Offsets>().base = r.op == Opcode::vgatherb ? 0 : below(20) * 4;
            break;
        case Form::kInterpolate: {
            add(type), add(type), add(T::kUint32), add(type);
            r.operand[0].repeat_stride = 8 + below(12);
            r.Set(Interpolate{r.repeat, 1 + below(5), below(2), r.operand[0].repeat_stride * (256 / BitsOf(type))});
            break;
        }
        default: {
            const auto pattern = static_cast<uint8_t>(below(8));
            add(type), add(type);
            if (pattern == 0) add(BitsOf(type) == 16 ? T::kUint16 : T::kUint32);
            r.mask = {below(2) ? MaskMode::kContinuous : MaskMode::kCounter, 1 + below(3 * lanes), {}};
            r.Set(GatherMask{pattern});
            break;
        }
    }
    r.api = below(4) ? Api::kAscendC : Api::kTik;
    return r;
}

}  // namespace sfumato::isa
