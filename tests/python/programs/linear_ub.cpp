// SPDX-License-Identifier: Apache-2.0
// Products whose matrices lie in UB: what a vector core computed goes to the cube and comes back.
#include "linear.h"

using namespace programs;

template <class T>
using InUb = MatmulType<TPosition::VECOUT, CubeFormat::ND, T>;
template <class T>
using OutUb = MatmulType<TPosition::VECIN, CubeFormat::ND, T>;

struct ProjectData {
    uint32_t rows, tile;
    float epsilon;
    TCubeTiling mm;  // of a tile
    RmsNormTiling norm;
};

// silu(rms_norm(x) W) in half: the normalised tile is A in UB, the product comes to UB.
extern "C" __global__ __aicore__ void norm_project_silu(GM_ADDR x, GM_ADDR gamma_gm, GM_ADDR w, GM_ADDR y,
                                                        GM_ADDR tiling_gm) {
    KERNEL_TASK_TYPE_DEFAULT(KERNEL_TYPE_MIX_AIC_1_2);
    GET_TILING_DATA_WITH_STRUCT(ProjectData, t, tiling_gm);
    TPipe pipe;
    Matmul<InUb<half>, InGm<half>, OutUb<half>, OutUb<half>> mm;
    REGIST_MATMUL_OBJ(&pipe, GetSysWorkSpacePtr(), mm, &t.mm);
    const uint32_t width = t.mm.Ka, n = t.mm.N;
    TQue<TPosition::VECOUT, 1> normed;
    TQue<TPosition::VECIN, 1> products;
    TBuf<> weights;
    pipe.InitBuffer(normed, 1, t.tile * width * sizeof(half));
    pipe.InitBuffer(products, 1, t.tile * n * sizeof(half));
    pipe.InitBuffer(weights, width * sizeof(half));
    auto gamma = weights.Get<half>();
    Load(gamma, Gm<half>(gamma_gm, width), width);
    Join<HardEvent::MTE2_V>();
    mm.SetTensorB(Gm<half>(w, width * n));
    TQue<TPosition::VECIN, 1> ins;
    TQue<TPosition::VECOUT, 1> outs;
    pipe.InitBuffer(ins, 1, t.tile * width * sizeof(half));
    pipe.InitBuffer(outs, 1, t.tile * n * sizeof(half));
    for (uint32_t row = GetBlockIdx() * t.tile; row < t.rows; row += GetBlockNum() * GetTaskRatio() * t.tile) {
        auto in = ins.AllocTensor<half>();
        DataCopy(in, Gm<half>(x, t.rows * width)[row * width], t.tile * width);
        ins.EnQue(in);
        in = ins.DeQue<half>();
        auto a = normed.AllocTensor<half>();
        RmsNorm<half>(a, in, gamma, half(t.epsilon), t.norm);
        ins.FreeTensor(in);
        normed.EnQue(a);
        a = normed.DeQue<half>();
        auto product = products.AllocTensor<half>();
        mm.SetTensorA(a);
        mm.IterateAll(product);
        normed.FreeTensor(a);
        products.EnQue(product);
        product = products.DeQue<half>();
        auto out = outs.AllocTensor<half>();
        Silu(out, product, t.tile * n);
        products.FreeTensor(product);
        outs.EnQue(out);
        out = outs.DeQue<half>();
        DataCopy(Gm<half>(y, t.rows * n)[row * n], out, t.tile * n);
        outs.FreeTensor(out);
    }
    mm.End();
}

// relu(A x B) block by block while the cube goes on: asynchronous, through a workspace of the program.
extern "C" __global__ __aicore__ void matmul_relu_async(GM_ADDR a, GM_ADDR b, GM_ADDR c, GM_ADDR workspace,
                                                        GM_ADDR tiling_gm) {
    KERNEL_TASK_TYPE_DEFAULT(KERNEL_TYPE_MIX_AIC_1_2);
    GET_TILING_DATA_WITH_STRUCT(TCubeTiling, t, tiling_gm);
    TPipe pipe;
    Matmul<InGm<half>, InGm<half>, OutUb<float>> mm;
    REGIST_MATMUL_OBJ(&pipe, GetSysWorkSpacePtr(), mm, &t);
    const uint32_t row = GetBlockIdx() * t.singleCoreM;
    if (row >= uint32_t(t.M)) return;
    const uint32_t blocks_m = t.singleCoreM / t.baseM, blocks_n = t.N / t.baseN;
    TQue<TPosition::VECIN, 2> ins;
    TQue<TPosition::VECOUT, 2> outs;
    pipe.InitBuffer(ins, 2, t.baseM * t.baseN * sizeof(float));
    pipe.InitBuffer(outs, 2, t.baseM * t.baseN * sizeof(float));
    auto cache = Gm<float>(workspace, t.M * t.N)[row * t.N];
    mm.SetWorkspace(cache);
    mm.SetTensorA(Gm<half>(a, t.M * t.Ka)[row * t.Ka]);
    mm.SetTensorB(Gm<half>(b, t.Kb * t.N));
    mm.template Iterate<false>();
    auto to = Gm<float>(c, t.M * t.N)[row * t.N];
    for (uint32_t i = 0; i < blocks_m * blocks_n; ++i) {
        auto in = ins.AllocTensor<float>();
        mm.template GetTensorC<false>(in, 0, true);
        mm.WaitGetTensorC();
        ins.EnQue(in);
        in = ins.DeQue<float>();
        auto out = outs.AllocTensor<float>();
        Relu(out, in, t.baseM * t.baseN);
        ins.FreeTensor(in);
        outs.EnQue(out);
        out = outs.DeQue<float>();
        StoreRows(to[i % blocks_m * t.baseM * t.N + i / blocks_m * t.baseN], out, t.baseM, t.baseN, t.N);
        outs.FreeTensor(out);
    }
    mm.End();
}
