// SPDX-License-Identifier: Apache-2.0
// Parameters of reductions and transposes (vector_instructions.md 6 and 7) beyond mask, repeat and strides.
#pragma once

#include <array>
#include <cstdint>

namespace sfumato::isa {

// What vcmax and vcmin store (vector_instructions.md 7.3). The index has the width of the element; alone it has 32
// bits.
enum class ReduceOrder : uint8_t { kValueIndex, kIndexValue, kOnlyValue, kOnlyIndex, kCount };
constexpr const char* Name(ReduceOrder order) {
    constexpr const char* kNames[] = {"ORDER_VALUE_INDEX", "ORDER_INDEX_VALUE", "ORDER_ONLY_VALUE", "ORDER_ONLY_INDEX"};
    return order < ReduceOrder::kCount ? kNames[static_cast<int>(order)] : "?";
}

// One result, eight, or half a repeat of them for each repeat (7.1). The repeat stride of dst counts Results of the
// opcode, not blocks.
struct Reduce {
    ReduceOrder order = ReduceOrder::kValueIndex;  // of vcmax and vcmin
    bool fill_masked = false;  // a block or pair without active lanes stores the operation's identity; else it is kept
};

// One result for all repeats (7.6). Operands: dst, src and, where the form uses it, the work tensor.
struct ReduceTensor {
    bool index = false;  // vec_reduce_max and _min: dst[1] is the index of the first extreme
    // vec_reduce_add: sums of this many repeats are added one after another, then those sums by a tree. 1: all by the
    // tree; 0: all one after another.
    uint32_t group = 1;
};

// 16 x 16 elements of 16 bits each repeat. Strides in units of 512 bytes.
struct TransposeSquares {
    uint32_t repeats = 1;
    uint32_t dst_stride = 1, src_stride = 1;
};

// 16 blocks of 32 bytes to 16 others each repeat (6.3): byte offsets in UB, strides in blocks. operand[0] and [1] hold
// the type, the lowest offset of the list and, as limit, the end of the memory; what each block's tensor has room for
// is the lists' own.
struct TransposeBlocks {
    static constexpr uint32_t kBlocks = 16;
    std::array<uint32_t, kBlocks> dst{}, src{};
    uint32_t dst_room = ~0u, src_room = ~0u;  // bytes: the least that a block's tensor has from the block on
    uint32_t repeats = 1;
    uint32_t dst_stride = 0, src_stride = 0;
    bool dst_high = false, src_high = false;  // elements of 8 bits: which half of the blocks

    // One repeat starts at list + stride, several at the list.
    uint64_t FirstStep() const { return repeats == 1 ? 1 : 0; }
};

// [n][channels][pixels] to [n][pixels][channels], or back.
struct TransposeChannels {
    bool to_last = true;
    uint32_t n = 1, channels = 0, pixels = 0;
};

}  // namespace sfumato::isa
