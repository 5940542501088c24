// SPDX-License-Identifier: Apache-2.0
// Programs that a build and a launch tell what to do: tiling structs and keys, template keys, lists of tensors.
#include "programs.h"
#include "tiling.h"

using namespace programs;

// Key 1: y = x * factor; key 2: y = x + offset; key 31: both.
extern "C" __global__ __aicore__ void scale(GM_ADDR x, GM_ADDR y, GM_ADDR tiling) {
    GET_TILING_DATA(t, tiling);
    TPipe pipe;
    EachRow<float, float>(pipe, x, y, t.rows, t.columns, t.columns, [&](auto& out, auto& in, uint32_t) {
        if (TILING_KEY_IS(1)) {
            Muls(out, in, t.factor, t.columns);
        } else if (TILING_KEY_IS(2)) {
            Adds(out, in, t.offset, t.columns);
        } else if (TILING_KEY_IS(31)) {
            Muls(out, in, t.factor, t.columns);
            Adds(out, out, t.offset, t.columns);
        }
    });
}

// Each row of x holds two operands: + for 0, * for 1, max for 2, and the negative of that.
template <typename T, int OPERATION, bool NEGATE>
__global__ __aicore__ void combine(GM_ADDR x, GM_ADDR y, uint32_t rows, uint32_t columns) {
    TPipe pipe;
    EachRow<T, T>(pipe, x, y, rows, 2 * columns, columns, [&](auto& out, auto& in, uint32_t) {
        if constexpr (OPERATION == 0) Add(out, in, in[columns], columns);
        if constexpr (OPERATION == 1) Mul(out, in, in[columns], columns);
        if constexpr (OPERATION == 2) Max(out, in, in[columns], columns);
        if constexpr (NEGATE) Muls(out, out, T(-1), columns);
    });
}

// The tensors of a list, of as many rows each, beside each other.
extern "C" __global__ __aicore__ void concat(GM_ADDR tensors, GM_ADDR y, uint32_t rows, uint32_t columns) {
    TPipe pipe;
    TQueBind<TPosition::VECIN, TPosition::VECOUT, 2> queue;
    pipe.InitBuffer(queue, 2, columns * sizeof(float));
    ListTensorDesc list(tensors);
    auto to = Gm<float>(y, rows * columns);
    uint64_t shape[2];
    TensorDesc<float> desc;
    desc.SetShapeAddr(shape);
    uint32_t column = 0;
    for (uint32_t i = 0; i < list.GetSize(); ++i) {
        list.GetDesc(desc, i);
        const uint32_t width = desc.GetShape(1);
        auto from = Gm<float>((GM_ADDR)list.GetDataPtr<float>(i), rows * width);
        for (uint32_t row = GetBlockIdx(); row < rows; row += GetBlockNum()) {
            auto t = queue.AllocTensor<float>();
            Load(t, from[row * width], width);
            queue.EnQue(t);
            t = queue.DeQue<float>();
            Store(to[row * columns + column], t, width);
            queue.FreeTensor(t);
        }
        column += width;
    }
}

// ys[i] += factor * xs[i] for the tensors of two lists, a tensor to a block. No tensor has more than `most` elements.
extern "C" __global__ __aicore__ void foreach_axpy(GM_ADDR xs, GM_ADDR ys, float factor, uint32_t most) {
    TPipe pipe;
    TBuf<> buffer;
    pipe.InitBuffer(buffer, 2 * Align(most, 8) * sizeof(float));
    auto x = buffer.Get<float>(), y = x[Align(most, 8)];
    ListTensorDesc from(xs), to(ys);
    uint64_t shape[8];
    TensorDesc<float> desc;
    desc.SetShapeAddr(shape);
    for (uint32_t i = GetBlockIdx(); i < from.GetSize(); i += GetBlockNum()) {
        from.GetDesc(desc, i);
        uint32_t count = 1;
        for (uint32_t d = 0; d < desc.GetDim(); ++d) count *= desc.GetShape(d);
        auto result = Gm<float>((GM_ADDR)to.GetDataPtr<float>(i), count);
        Load(x, Gm<float>((GM_ADDR)from.GetDataPtr<float>(i), count), count);
        Load(y, result, count);
        Join<HardEvent::MTE2_V>();
        Axpy(y, x, factor, count);
        Join<HardEvent::V_MTE3>();
        Store(result, y, count);
        Join<HardEvent::MTE3_MTE2>();
    }
}
