// SPDX-License-Identifier: Apache-2.0
// BilinearInterpolation (vector_instructions.md 12): a multiplication and an addition for each block, each rounded.
#include <cstring>

#include "exec/vector/lanes.h"
#include "exec/meaning.h"
#include "exec/runs.h"

namespace sfumato::exec {
namespace {

using isa::kBlockBytes;
using isa::kBlocksPerRepeat;

// Elements of one block of 32 bytes.
struct Block {
    uint8_t bytes[kBlockBytes] = {};
};

// Sums of one destination block.
class Sum {
public:
    explicit Sum(const isa::Record& r)
        : size_(BytesOf(r.dst().type, 1)),
          multiply_(FindRun(isa::Opcode::vmul, r.dst().type)),
          add_(FindRun(isa::Opcode::vadd, r.dst().type)) {
        if (multiply_ == nullptr || add_ == nullptr) {
            Refuse(r, std::string("has no meaning for elements of type ") + CName(r.dst().type) + ".");
        }
        args_.n = kBlockBytes / size_;
        args_.overflow = r.control.overflow;
    }

    // The elements of `lanes` become their products with the weight, or grow by them; the others are 0.
    void Add(bool first, const uint8_t* elements, const uint8_t* weight, uint64_t lanes) {
        Block x, w;
        for (size_t i = 0; i < args_.n; ++i) {
            if (!((lanes >> i) & 1)) continue;
            std::memcpy(x.bytes + i * size_, elements + i * size_, size_);
            std::memcpy(w.bytes + i * size_, weight, size_);
        }
        Run(multiply_, first ? &sum_ : &x, x, w);
        if (!first) Run(add_, &sum_, sum_, x);
    }
    const uint8_t* operator[](size_t i) const { return sum_.bytes + i * size_; }
    bool replaced() const { return replaced_; }

private:
    void Run(RunFn run, Block* dst, const Block& a, const Block& b) {
        args_.dst = dst->bytes;
        args_.src0 = a.bytes;
        args_.src1 = b.bytes;
        replaced_ |= run(args_);
    }

    size_t size_;
    RunFn multiply_, add_;
    RunArgs args_;
    Block sum_;
    bool replaced_ = false;
};

}  // namespace

bool Execute(const isa::Record& r, const isa::Interpolate& shape, const MemoryMap& memory) {
    const uint32_t shift = isa::LanesShift(r), per_block = (1u << shift) / kBlocksPerRepeat;
    const isa::Lanes lanes = isa::LanesOf(r, shift);
    const isa::Walk walk = isa::WalkOf(r, 0, shift);
    const uint64_t size = BytesOf(r.dst().type, 1);
    uint8_t* dst = memory.Address(r.dst());
    const uint8_t *src = memory.Address(r.src0()), *offsets = memory.Address(r.src1());
    const uint8_t* weights = memory.Address(r.operand[3]);
    Sum sum(r);
    for (uint64_t repeat = 0; repeat < lanes.repeats; ++repeat) {
        const ActiveLanes active(r.mask, repeat + 1 == lanes.repeats ? lanes.last_end : lanes.end);
        for (uint32_t block = 0; block < kBlocksPerRepeat; ++block) {
            const uint32_t lane0 = block * per_block;
            const uint64_t kept = active.bits[lane0 / 64] >> (lane0 % 64) & ((uint64_t{1} << per_block) - 1);
            if (kept == 0) continue;
            for (uint64_t h = 0; h < shape.horizontal; ++h) {
                const uint64_t iteration = repeat * shape.horizontal + h, place = iteration * kBlocksPerRepeat + block;
                uint32_t offset;
                std::memcpy(&offset, offsets + place * sizeof(offset), sizeof(offset));
                sum.Add(h == 0, src + offset, weights + (shape.block_weights ? place : iteration) * size, kept);
            }
            for (uint32_t i = 0; i < per_block; ++i) {
                if (!((kept >> i) & 1)) continue;
                std::memcpy(dst + repeat * walk.repeat_pitch + walk.LaneBegin(lane0 + i), sum[i], size);
            }
        }
    }
    return sum.replaced();
}

}  // namespace sfumato::exec
