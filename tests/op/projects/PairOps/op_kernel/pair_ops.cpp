// SPDX-License-Identifier: Apache-2.0
// Both kernels of the project; which one runs, the definition says.
#include "copy_any.h"
#include "kernel_operator.h"
#include "pair_tiling.h"

using namespace AscendC;

struct Subtract {
    template <typename T>
    __aicore__ static inline void Do(LocalTensor<T>& y, LocalTensor<T>& a, LocalTensor<T>& b, uint32_t count) {
        Sub(y, a, b, count);
    }
};
struct Larger {
    template <typename T>
    __aicore__ static inline void Do(LocalTensor<T>& y, LocalTensor<T>& a, LocalTensor<T>& b, uint32_t count) {
        Max(y, a, b, count);
    }
};

template <typename Op, typename T>
class PairKernel {
public:
    __aicore__ inline void Run(GM_ADDR x1, GM_ADDR x2, GM_ADDR y, const PairTilingData& t) {
        GlobalTensor<T> a, b, c;
        a.SetGlobalBuffer((__gm__ T*)x1, t.length);
        b.SetGlobalBuffer((__gm__ T*)x2, t.length);
        c.SetGlobalBuffer((__gm__ T*)y, t.length);
        TPipe pipe;
        pipe.InitBuffer(first_, 2, t.tile * sizeof(T));
        pipe.InitBuffer(second_, 2, t.tile * sizeof(T));
        pipe.InitBuffer(result_, 2, t.tile * sizeof(T));
        for (uint64_t at = uint64_t(GetBlockIdx()) * t.tile; at < t.length; at += uint64_t(GetBlockNum()) * t.tile) {
            const uint32_t count = t.length - at < t.tile ? t.length - at : t.tile;
            auto x = Load(first_, a[at], count), z = Load(second_, b[at], count);
            auto out = result_.template AllocTensor<T>();
            Op::Do(out, x, z, count);
            first_.FreeTensor(x);
            second_.FreeTensor(z);
            result_.EnQue(out);
            out = result_.template DeQue<T>();
            CopyOutAny(c[at], out, count);
            result_.FreeTensor(out);
        }
    }

private:
    __aicore__ inline LocalTensor<T> Load(TQue<TPosition::VECIN, 2>& queue, const GlobalTensor<T>& from,
                                          uint32_t count) {
        auto local = queue.template AllocTensor<T>();
        CopyInAny(local, from, count);
        queue.EnQue(local);
        return queue.template DeQue<T>();
    }
    TQue<TPosition::VECIN, 2> first_, second_;
    TQue<TPosition::VECOUT, 2> result_;
};

extern "C" __global__ __aicore__ void pair_sub(GM_ADDR x1, GM_ADDR x2, GM_ADDR y, GM_ADDR workspace, GM_ADDR tiling) {
    REGISTER_TILING_DEFAULT(PairTilingData);
    GET_TILING_DATA(t, tiling);
    PairKernel<Subtract, DTYPE_X1> kernel;
    kernel.Run(x1, x2, y, t);
}

extern "C" __global__ __aicore__ void pair_max(GM_ADDR x1, GM_ADDR x2, GM_ADDR y, GM_ADDR workspace, GM_ADDR tiling) {
    REGISTER_TILING_DEFAULT(PairTilingData);
    GET_TILING_DATA(t, tiling);
    PairKernel<Larger, DTYPE_X1> kernel;
    kernel.Run(x1, x2, y, t);
}
