// SPDX-License-Identifier: Apache-2.0
// Kernels of test_tiling.py: what they read of their arguments goes to `out`.
#include "kernel_operator.h"
#include "tiling_key.h"

#define MADE(name, number) \
    extern "C" __global__ __aicore__ void name##_made(__gm__ int32_t* out) { out[0] = number; }
MADE(first, 1)
MADE(second, 2)

namespace ops {
struct Small {
    uint32_t count;
};
struct Large {
    uint32_t unused, count;
};
struct Pointers {
    __gm__ half* x;
    uint32_t n;
    float scale;
    uint64_t y;
};
}  // namespace ops

extern "C" __global__ __aicore__ void by_pointers(ops::Pointers p, __gm__ float* out) {
    for (uint32_t i = 0; i < p.n; ++i) out[i] = float(p.x[i]) * p.scale;
    out[p.n] = p.y == 0;
    p.x[0] = half(9.0f);
}

extern "C" __global__ __aicore__ void of_list(GM_ADDR tensors, GM_ADDR flags, __gm__ int64_t* out) {
    AscendC::ListTensorDesc list(tensors);
    uint64_t shape[8];
    AscendC::TensorDesc<int32_t> desc;
    desc.SetShapeAddr(shape);
    for (uint32_t i = 0; i < list.GetSize(); ++i) {
        list.GetDesc(desc, i);
        out[2 * i] = int64_t(desc.GetShape(0)) * 100 + desc.GetDataPtr()[1];
        out[2 * i + 1] = flags[i];
        desc.GetDataPtr()[0] = 5;
    }
}

extern "C" __global__ __aicore__ void keyed(__gm__ int64_t* out, GM_ADDR workspace, GM_ADDR tiling) {
    REGISTER_TILING_DEFAULT(ops::Small);
#ifdef KEYED
    REGISTER_TILING_FOR_TILINGKEY("TILING_KEY_VAR >= 10", ops::Large);
#endif
    GET_TILING_DATA(data, tiling);
    out[0] = data.count;
    out[1] = GetUserWorkspace(workspace) == workspace && GetSysWorkSpacePtr() != nullptr;
    out[2] = TILING_KEY_IS(0) || TILING_KEY_IS(3) ? 1 : TILING_KEY_IS(10) ? 2 : 3;
}

template <typename T, int MODE, bool FAST>
__global__ __aicore__ void templated(__gm__ int64_t* out) {
    out[0] = sizeof(T);
    out[1] = MODE;
    out[2] = FAST;
    out[3] = ASCEND_IS_AIC ? 1 : 0;
}
