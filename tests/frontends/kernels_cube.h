// SPDX-License-Identifier: Apache-2.0
// What the programs of the cube unit share: the flags of a buffer, the fractals of a matrix, small products.
#pragma once

#include "frontends/kernels.h"

namespace sfumato::frontends_test {

inline const std::vector<std::string> kWithFixpipe = {"Ascend910B", "Ascend310B"};
inline const std::vector<std::string> kWithoutFixpipe = {"Ascend910", "Ascend310P"};

// Buffers that one pipe fills and another uses up, in turn: a flag forward, and one back that says a buffer is free for
// the next of the `turns`. `omit` is the event whose flags a broken program leaves out.
template <AscendC::HardEvent full, AscendC::HardEvent empty>
class Handover {
public:
    __aicore__ inline Handover(AscendC::HardEvent omit, uint32_t turns, uint32_t buffers = 1)
        : omit_(omit), turns_(turns), buffers_(buffers) {}
    // Before the filling pipe writes; gives the number of the buffer.
    __aicore__ inline uint32_t Claim() const {
        if (omit_ != empty && turn_ >= buffers_) AscendC::WaitFlag<empty>(Id(turn_ - buffers_));
        return turn_ % buffers_;
    }
    __aicore__ inline void Hand() const {
        if (omit_ == full) return;
        AscendC::SetFlag<full>(Id(turn_));
        AscendC::WaitFlag<full>(Id(turn_));
    }
    // After the other pipe has used it.
    __aicore__ inline void Release() {
        if (omit_ != empty && turn_ + buffers_ < turns_) AscendC::SetFlag<empty>(Id(turn_));
        ++turn_;
    }

private:
    // Ascend910 has 4. Different ones for neighbours, so that a missing flag gives wrong bytes before a flag set twice.
    __aicore__ inline static int32_t Id(uint32_t turn) { return static_cast<int32_t>(turn % 4); }
    const AscendC::HardEvent omit_;
    const uint32_t turns_, buffers_;
    uint32_t turn_ = 0;
};

// `tiles` square matrices, row by row.
struct Matrices {
    uint32_t tiles, side;
    std::vector<int> values;

    int At(uint32_t tile, uint32_t row, uint32_t column) const { return values[(tile * side + row) * side + column]; }
};
inline Matrices RandomMatrices(uint32_t tiles, uint32_t side, uint64_t seed) {
    return {tiles, side, Integers<int>(size_t{tiles} * side * side, -3, 3, seed)};
}
// Tile by tile; bias: a value a column of each tile, or none.
inline Matrices Multiply(const Matrices& a, const Matrices& b, const std::vector<int>& bias = {}) {
    Matrices c{a.tiles, a.side, {}};
    for (uint32_t t = 0; t < a.tiles; ++t) {
        for (uint32_t m = 0; m < a.side; ++m) {
            for (uint32_t n = 0; n < a.side; ++n) {
                int sum = bias.empty() ? 0 : bias[t * a.side + n];
                for (uint32_t k = 0; k < a.side; ++k) sum += a.At(t, m, k) * b.At(t, k, n);
                c.values.push_back(sum);
            }
        }
    }
    return c;
}

// Orders of the 16 x 16 fractals and of the elements inside (cube.md 2). kZz is of `parts` matrices, each with its share
// of the columns.
enum class Order { kRows, kZz, kZn, kNz };
template <class T, class Store>
std::vector<T> InOrder(const Matrices& x, Order order, const Store& store, uint32_t parts = 1) {
    const uint32_t side = x.side, blocks = side / 16;
    std::vector<T> out(x.values.size());
    for (uint32_t t = 0; t < x.tiles; ++t) {
        for (uint32_t row = 0; row < side; ++row) {
            for (uint32_t column = 0; column < side; ++column) {
                const uint32_t r = row / 16, c = column / 16, inside = row % 16 * 16 + column % 16;
                const uint32_t wide = blocks / parts;
                uint32_t at = row * side + column;
                if (order == Order::kZz) at = ((c / wide * blocks + r) * wide + c % wide) * 256 + inside;
                if (order == Order::kZn) at = (r * blocks + c) * 256 + column % 16 * 16 + row % 16;
                if (order == Order::kNz) at = (c * blocks + r) * 256 + inside;
                out[t * side * side + at] = store(x.At(t, row, column));
            }
        }
    }
    return out;
}
inline std::vector<uint16_t> HalvesIn(Order order, const Matrices& x, uint32_t parts = 1) {
    return InOrder<uint16_t>(x, order, [](int v) { return HalfBits(v); }, parts);
}
inline std::vector<float> FloatsIn(Order order, const Matrices& x) {
    return InOrder<float>(x, order, [](int v) { return static_cast<float>(v); });
}

// The fractals of C leave L0C for UB as they lie.
__aicore__ inline AscendC::DataCopyEnhancedParams ByFractals() {
    AscendC::DataCopyEnhancedParams params;
    params.blockMode = AscendC::BlockMode::BLOCK_MODE_MATRIX;
    return params;
}

// This block's share of `tiles` matrices of `elements` each.
template <class T>
__aicore__ inline AscendC::GlobalTensor<T> ShareOfTiles(GM_ADDR p, uint32_t tiles, uint32_t elements) {
    const uint32_t mine = tiles / static_cast<uint32_t>(AscendC::GetBlockNum());
    AscendC::GlobalTensor<T> tensor;
    tensor.SetGlobalBuffer((__gm__ T*)p + uint64_t{mine} * elements * static_cast<uint32_t>(AscendC::GetBlockIdx()),
                           uint64_t{mine} * elements);
    return tensor;
}

}  // namespace sfumato::frontends_test
