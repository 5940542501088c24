// SPDX-License-Identifier: Apache-2.0
// The bank rule of UB: groups by the bits 5 to 8 of an address, banks in a group by its bits above 16.
#include <algorithm>
#include <array>
#include <numeric>

#include "isa/geometry.h"
#include "timing/cost.h"

namespace sfumato::timing {
namespace {

constexpr uint64_t kGroups = 16;

// Blocks of 32 bytes an operand touches in a repeat.
struct Blocks {
    uint64_t first = 0, step = 1, repeat_step = 8;
    uint32_t count = 8;
    uint64_t At(uint64_t repeat, uint32_t block) const { return first + repeat * repeat_step + block * step; }
};

Blocks BlocksOf(const isa::Record& r, int operand, uint32_t shift, uint32_t lanes) {
    const isa::Walk walk = isa::WalkOf(r, operand, shift);
    Blocks blocks;
    blocks.first = walk.start / isa::kBlockBytes;
    blocks.step = walk.block_pitch / isa::kBlockBytes;
    blocks.repeat_step = walk.repeat_pitch / isa::kBlockBytes;
    const uint32_t per_block = 1u << walk.lane_shift;
    blocks.count = blocks.step == 0 ? 1 : std::min<uint32_t>(8, (lanes + per_block - 1) / per_block);
    return blocks;
}

struct Repeat {
    double read_read = 0, write_write = 0, read_write = 0;
};

}  // namespace

BankCost BankConflicts(const soc::TimingConstants& c, const isa::Record& r, uint64_t repeats) {
    BankCost cost;
    const isa::MadeOf made_of = Info(r.form()).made_of;
    if (!IsInLanes(made_of) || repeats == 0) return cost;
    const uint32_t shift = isa::LanesShift(r);
    const isa::Lanes lanes = isa::LanesOf(r, shift);
    const uint32_t all = 1u << shift;
    std::array<Blocks, 5> operands;
    int sources = 0;
    for (int i = 1; i < r.operand_count && sources < 3; ++i) {
        if (r.operand[static_cast<size_t>(i)].memory == isa::Memory::kUb &&
            !(made_of == isa::MadeOf::kLaneChoice && i == 3))
            operands[static_cast<size_t>(++sources)] = BlocksOf(r, i, shift, all);
    }
    const bool writes = r.dst().memory == isa::Memory::kUb && made_of != isa::MadeOf::kLaneBit;
    if (writes) operands[0] = BlocksOf(r, 0, shift, std::max(lanes.end, 1u));

    // Until an operand crosses into the next bank, repeats behave alike with this period.
    uint64_t period = 1;
    for (int i = writes ? 0 : 1; i <= sources; ++i) {
        const uint64_t step = operands[static_cast<size_t>(i)].repeat_step % kGroups;
        period = std::max(period, kGroups / std::gcd(kGroups, step == 0 ? kGroups : step));
    }
    const uint64_t bank_blocks = static_cast<uint64_t>(c.vec_bank_bytes) / isa::kBlockBytes;
    const auto evaluate = [&](uint64_t repeat) {
        Repeat found;
        std::array<uint8_t, kGroups> read{}, written{};
        for (int i = 1; i <= sources; ++i) {
            const Blocks& o = operands[static_cast<size_t>(i)];
            for (uint32_t b = 0; b < o.count; ++b) ++read[o.At(repeat, b) % kGroups];
        }
        if (sources > 0) found.read_read = std::max(0, *std::ranges::max_element(read) - 1);
        if (!writes) return found;
        for (uint32_t b = 0; b < operands[0].count; ++b) ++written[operands[0].At(repeat, b) % kGroups];
        found.write_write = *std::ranges::max_element(written);
        if (found.read_read > 0 || repeat == 0) return found;
        for (uint32_t b = 0; b < operands[0].count && found.read_write == 0; ++b) {
            const uint64_t block = operands[0].At(repeat - 1, b), group = block % kGroups;
            if (read[group] == 0) continue;
            for (int i = 1; i <= sources && found.read_write == 0; ++i) {
                const Blocks& o = operands[static_cast<size_t>(i)];
                for (uint32_t s = 0; s < o.count; ++s) {
                    const uint64_t source = o.At(repeat, s);
                    if (source % kGroups == group && source / bank_blocks == block / bank_blocks)
                        found.read_write = c.vec_rw_extra;
                }
            }
        }
        return found;
    };
    double extra = 0, floor = 0;
    for (uint64_t begin = 0; begin < repeats;) {
        // The first repeat stands alone: nothing was written before it.
        uint64_t end = begin == 0 ? 1 : repeats;
        if (begin != 0) {
            for (int i = writes ? 0 : 1; i <= sources; ++i) {
                const Blocks& o = operands[static_cast<size_t>(i)];
                if (o.repeat_step == 0) continue;
                const uint64_t left = bank_blocks - o.At(begin - (i == 0), 0) % bank_blocks;
                end = std::min(end, begin + std::max<uint64_t>(1, (left + o.repeat_step - 1) / o.repeat_step));
            }
        }
        const uint64_t classes = std::min(end - begin, period);
        for (uint64_t k = 0; k < classes; ++k) {
            const Repeat one = evaluate(begin + k);
            const double times = static_cast<double>((end - begin - k + classes - 1) / classes);
            extra += times * (one.read_read * c.vec_rr_extra + one.read_write);
            floor += times * one.write_write * c.vec_ww_block;
        }
        begin = end;
    }
    cost.extra = extra;
    cost.write_floor = floor / static_cast<double>(repeats);
    return cost;
}

}  // namespace sfumato::timing
