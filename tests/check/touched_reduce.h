// SPDX-License-Identifier: Apache-2.0
// The bytes reductions and transposes touch, from the formulas of vector_instructions.md 6 and 7, and random records of
// them, mostly legal. Written without isa/reductions.h.
#pragma once

#include "check/touched.h"

namespace sfumato::isa {

// Active lanes by repeat, as (repeat, lane).
inline std::vector<std::vector<uint64_t>> ActiveLanes(const Record& r) {
    const uint64_t lanes = 2048 / BitsOf(r.src0().type);
    const bool total = r.mask.mode == MaskMode::kCount || r.mask.mode == MaskMode::kCounter;
    std::vector<std::vector<uint64_t>> active(total ? (r.mask.count + lanes - 1) / lanes : r.repeat);
    for (uint64_t repeat = 0; repeat < active.size(); ++repeat) {
        for (uint64_t lane = 0; lane < lanes; ++lane) {
            const bool on = total                                  ? repeat * lanes + lane < r.mask.count
                            : r.mask.mode == MaskMode::kContinuous ? lane < r.mask.count
                                                                   : (r.mask.bits[lane / 64] >> (lane % 64)) & 1;
            if (on) active[repeat].push_back(lane);
        }
    }
    return active;
}

template <class Add>
void TouchReducedSource(const Record& r, Add add) {
    const uint64_t size = BitsOf(r.src0().type) / 8, per_block = 32 / size;
    const auto active = ActiveLanes(r);
    for (uint64_t repeat = 0; repeat < active.size(); ++repeat) {
        for (const uint64_t lane : active[repeat]) {
            if (r.mask.mode == MaskMode::kCount) {
                add(repeat * 256 + lane * size, size);
            } else {
                add(repeat * r.src0().repeat_stride * 32 + lane / per_block * r.src0().block_stride * 32 +
                        lane % per_block * size,
                    size);
            }
        }
    }
}

template <class Add>
void TouchLanes(const Record& r, const Reduce& s, int operand, Add add) {
    if (operand != 0) return TouchReducedSource(r, add);
    const uint64_t size = BitsOf(r.dst().type) / 8;
    const bool pairs = r.op == Opcode::vcpadd;
    const bool blocks = r.op == Opcode::vcgadd || r.op == Opcode::vcgmax || r.op == Opcode::vcgmin;
    const bool extreme = r.op == Opcode::vcmax || r.op == Opcode::vcmin;
    const auto active = ActiveLanes(r);
    for (uint64_t repeat = 0; repeat < active.size(); ++repeat) {
        const uint64_t stride = repeat * r.dst().repeat_stride;
        if (pairs || blocks) {
            const uint64_t group = pairs ? 2 : 32 / size, unit = pairs ? 128 : 8 * size;
            if (s.fill_masked) add(stride * unit, pairs ? 128 : 8 * size);
            for (const uint64_t lane : active[repeat]) add(stride * unit + lane / group * size, size);
        } else {
            const uint64_t bytes = !extreme || s.order == ReduceOrder::kOnlyValue ? size
                                   : s.order == ReduceOrder::kOnlyIndex           ? 4
                                                                                  : 2 * size;
            add(stride * bytes, bytes);
        }
    }
}

template <class Add>
void TouchLanes(const Record& r, const ReduceTensor& s, int operand, Add add) {
    const uint64_t size = BitsOf(r.dst().type) / 8;
    if (operand == 0) return add(0, s.index ? 2 * size : size);
    if (operand == 1) return TouchReducedSource(r, add);
    // A result of each whole repeat at least: value and index of an extreme.
    const uint64_t lanes = 2048 / BitsOf(r.src0().type), n = r.op == Opcode::vec_reduce_add ? 1 : 2;
    const uint64_t whole = r.mask.mode == MaskMode::kCount ? r.mask.count / lanes : ActiveLanes(r).size();
    add(0, std::max<uint64_t>(whole, 1) * n * size);
}

template <class Add>
void TouchLanes(const Record&, const TransposeSquares& s, int operand, Add add) {
    for (uint64_t i = 0; i < s.repeats; ++i) add(i * (operand == 0 ? s.dst_stride : s.src_stride) * 512, 512);
}

template <class Add>
void TouchLanes(const Record& r, const TransposeBlocks& s, int operand, Add add) {
    const bool eight = BitsOf(r.dst().type) == 8;
    for (uint64_t i = 0; i < s.repeats; ++i) {
        const uint64_t step = s.repeats == 1 ? 1 : i;
        for (int k = 0; k < 16; ++k) {
            const uint64_t at =
                operand == 0 ? s.dst[k] + step * s.dst_stride * 32 : s.src[k] + step * s.src_stride * 32;
            const bool high = eight && (operand == 0 ? s.dst_high : s.src_high);
            add(at - r.operand[static_cast<size_t>(operand)].offset + (high ? 16 : 0), eight ? 16 : 32);
        }
    }
}

template <class Add>
void TouchLanes(const Record& r, const TransposeChannels& s, int, Add add) {
    add(0, uint64_t{s.n} * s.channels * s.pixels * (BitsOf(r.dst().type) / 8));
}

inline Record RandomReduction(RandomRecords& random) {
    using T = DataType;
    const auto below = [&](uint32_t n) { return static_cast<uint32_t>(random.Below(n)); };
    const auto to = [&](uint32_t n) { return 1 + below(n); };
    Record r;
    r.Become(static_cast<Opcode>(static_cast<int>(Opcode::vcadd) + below(13)));
    r.operand_count = 2;
    T type = random.Pick({T::kHalf, T::kHalf, T::kFloat});
    r.repeat = to(9);
    r.mask.mode = static_cast<MaskMode>(1 + below(3));
    r.mask.count = to(64);
    r.mask.bits = {random.Below(~uint64_t{0}) | 1, type == T::kHalf ? random.Below(~uint64_t{0}) : 0};
    switch (Info(r.op).form) {
        case Form::kReduce:
            r.Set(Reduce{r.op == Opcode::vcmax || r.op == Opcode::vcmin ? static_cast<ReduceOrder>(below(4))
                                                                        : ReduceOrder::kValueIndex,
                         below(3) == 0});
            break;
        case Form::kReduceTensor:
            r.operand_count = 3;
            if (below(2)) r.mask = {MaskMode::kCount, to(2000), {}};
            r.Set(ReduceTensor{r.op != Opcode::vec_reduce_add && below(2) != 0, 1});
            break;
        case Form::kTransposeSquares:
            type = T::kHalf;
            r.Set(TransposeSquares{below(6), below(4), below(4)});
            break;
        case Form::kTransposeBlocks: {
            TransposeBlocks s;
            for (uint32_t& at : s.dst) at = 16384 + below(64) * 32;
            for (uint32_t& at : s.src) at = (below(8) ? 0 : 15000) / 32 * 32 + below(64) * 32;
            s.repeats = below(6);
            s.dst_stride = below(20);
            s.src_stride = below(20);
            s.dst_high = below(2);
            s.src_high = below(2);
            if (below(8) == 0) s.src_room = below(4000);
            type = random.Pick({T::kHalf, T::kInt8, T::kFloat});
            r.Set(s);
            break;
        }
        default:
            type = random.Pick({T::kHalf, T::kInt8, T::kFloat});
            r.Set(TransposeChannels{below(2) != 0, to(3), to(20), to(3) * (below(4) ? 32 : 8)});
            break;
    }
    for (uint32_t i = 0; i < r.operand_count; ++i) {
        Operand& o = r.operand[i];
        o.memory = Memory::kUb;
        o.type = type;
        o.limit = 1 << 20;
        o.offset = i == 0 ? 16384 + below(8) * (below(4) ? 32 : 4) : i == 1 ? below(3) * (below(8) ? 32 : 9000) : 40960;
        o.block_stride = i == 1 ? below(4) : 1;
        o.repeat_stride = below(10);
    }
    if (const auto* s = r.If<TransposeBlocks>()) {
        r.operand[0].offset = *std::min_element(s->dst.begin(), s->dst.end());
        r.operand[1].offset = *std::min_element(s->src.begin(), s->src.end());
    }
    return r;
}

}  // namespace sfumato::isa
