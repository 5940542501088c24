// SPDX-License-Identifier: Apache-2.0
// Products without a TPipe: every memory of the cube unit handed out by hand, and a kernel of both kinds of core.
#include "frontends/static_kernels.h"
#include "frontends/kernels_cube.h"

namespace sfumato::frontends_test {
namespace {

using namespace AscendC;

constexpr uint32_t kTiles = 4, kSide = 32, kElements = kSide * kSide, kFractals = kElements / 256;

__aicore__ inline void Multiply(const LocalTensor<float>& c, const LocalTensor<half>& a, const LocalTensor<half>& b,
                                bool first = true) {
    Mmad(c, a, b, MmadParams(kSide, kSide, kSide, 0, false, first));
}
__aicore__ inline LoadData2DParams All() { return LoadData2DParams(0, kFractals, 1, 0, 0, false, 0); }
__aicore__ inline FixpipeParamsV220 Rows() { return FixpipeParamsV220(kSide, kSide, kSide, kSide, false); }

// One buffer of each memory, at its first byte.
__global__ __aicore__ void product_single(GM_ADDR x, GM_ADDR y, GM_ADDR z) {
    InitSocState();
    const Pieces<half> xg(x, kTiles, kElements), yg(y, kTiles, kElements);
    const Pieces<float> zg(z, kTiles, kElements);
    LocalTensor<half> a1(TPosition::A1, 0, kElements), b1(TPosition::B1, 2048, kElements);
    LocalTensor<half> a2(TPosition::A2, 0, kElements), b2(TPosition::B2, 0, kElements);
    LocalTensor<float> c(TPosition::CO1, 0, kElements);
    for (uint32_t i = 0; i < zg.count; ++i) {
        DataCopy(a1, xg[i], kElements);
        DataCopy(b1, yg[i], kElements);
        Sync<HardEvent::MTE2_MTE1>();
        LoadData(a2, a1, All());
        LoadData(b2, b1, All());
        Sync<HardEvent::MTE1_M>();
        Multiply(c, a2, b2);
        Sync<HardEvent::M_FIX>();
        Fixpipe(zg[i], c, Rows());
        Sync<HardEvent::FIX_M>();
        Sync<HardEvent::M_MTE1>();
        Sync<HardEvent::MTE1_MTE2>();
    }
    PipeBarrier<PIPE_ALL>();
}

// Two buffers of L1, L0A, L0B and L0C each: while one is multiplied the other is filled.
__global__ __aicore__ void product_double(GM_ADDR x, GM_ADDR y, GM_ADDR z) {
    InitSocState();
    const Pieces<half> xg(x, kTiles, kElements), yg(y, kTiles, kElements);
    const Pieces<float> zg(z, kTiles, kElements);
    LocalMemAllocator<Hardware::L1> l1;
    LocalMemAllocator<Hardware::L0A> l0a;
    LocalMemAllocator<Hardware::L0B> l0b;
    LocalMemAllocator<Hardware::L0C> l0c;
    LocalTensor<half> a1[2], b1[2], a2[2], b2[2];
    LocalTensor<float> c[2];
    for (int32_t id = 0; id < 2; ++id) {
        a1[id] = l1.Alloc<TPosition::A1, half, kElements>();
        b1[id] = l1.Alloc<TPosition::B1, half>(kElements);
        a2[id] = l0a.Alloc<half, kElements>();
        b2[id] = l0b.Alloc<half>(kElements);
        c[id] = l0c.Alloc<float, kElements>();
        SetFlag<HardEvent::MTE1_MTE2>(id);
        SetFlag<HardEvent::M_MTE1>(id);
        SetFlag<HardEvent::FIX_M>(id);
    }
    for (uint32_t i = 0; i < zg.count; ++i) {
        const int32_t id = static_cast<int32_t>(i % 2);
        WaitFlag<HardEvent::MTE1_MTE2>(id);
        DataCopy(a1[id], xg[i], kElements);
        DataCopy(b1[id], yg[i], kElements);
        Sync<HardEvent::MTE2_MTE1>(id);
        WaitFlag<HardEvent::M_MTE1>(id);
        LoadData(a2[id], a1[id], All());
        LoadData(b2[id], b1[id], All());
        SetFlag<HardEvent::MTE1_MTE2>(id);
        Sync<HardEvent::MTE1_M>(id);
        WaitFlag<HardEvent::FIX_M>(id);
        Multiply(c[id], a2[id], b2[id]);
        SetFlag<HardEvent::M_MTE1>(id);
        Sync<HardEvent::M_FIX>(id);
        Fixpipe(zg[i], c[id], Rows());
        SetFlag<HardEvent::FIX_M>(id);
    }
    for (int32_t id = 0; id < 2; ++id) {
        WaitFlag<HardEvent::MTE1_MTE2>(id);
        WaitFlag<HardEvent::M_MTE1>(id);
        WaitFlag<HardEvent::FIX_M>(id);
    }
    PipeBarrier<PIPE_ALL>();
}

// All tiles added up in L0C, and a bias from BT in front.
__global__ __aicore__ void sum_of_products(GM_ADDR x, GM_ADDR y, GM_ADDR bias, GM_ADDR z) {
    InitSocState();
    const Pieces<half> xg(x, kTiles, kElements), yg(y, kTiles, kElements);
    GlobalTensor<float> bg, zg;
    bg.SetGlobalBuffer((__gm__ float*)bias, kSide);
    zg.SetGlobalBuffer((__gm__ float*)z, kElements);
    LocalMemAllocator<Hardware::L1> l1;
    LocalMemAllocator<Hardware::L0A> l0a;
    LocalMemAllocator<Hardware::L0B> l0b;
    LocalMemAllocator<Hardware::L0C> l0c;
    LocalMemAllocator<Hardware::BIAS> bt;
    const auto a1 = l1.Alloc<half, kElements>(), b1 = l1.Alloc<TPosition::B1, half, kElements>();
    const auto bias1 = l1.Alloc<TPosition::C1, float, kSide>();
    const auto a2 = l0a.Alloc<half, kElements>(), b2 = l0b.Alloc<half, kElements>();
    const auto c = l0c.Alloc<float, kElements>(), bias2 = bt.Alloc<float, kSide>();
    DataCopy(bias1, bg, kSide);
    for (uint32_t i = 0; i < xg.count; ++i) {
        DataCopy(a1, xg[i], kElements);
        DataCopy(b1, yg[i], kElements);
        Sync<HardEvent::MTE2_MTE1>();
        LoadData(a2, a1, All());
        LoadData(b2, b1, All());
        if (i == 0) DataCopy(bias2, bias1, kSide);
        Sync<HardEvent::MTE1_M>();
        if (i == 0) {
            Mmad(c, a2, b2, bias2, MmadParams(kSide, kSide, kSide, 0, false, false));
        } else {
            PipeBarrier<PIPE_M>();
            Multiply(c, a2, b2, false);
        }
        Sync<HardEvent::M_MTE1>();
        Sync<HardEvent::MTE1_MTE2>();
    }
    Sync<HardEvent::M_FIX>();
    Fixpipe(zg, c, Rows());
    PipeBarrier<PIPE_ALL>();
}

// The cube core multiplies, its vector cores add 1 to a half of each product.
__global__ __aicore__ void product_and_more(GM_ADDR x, GM_ADDR y, GM_ADDR w, GM_ADDR z) {
    KERNEL_TASK_TYPE_DEFAULT(KERNEL_TYPE_MIX_AIC_1_2);
    InitSocState();
    constexpr uint16_t kDone = 4;
    if ASCEND_IS_AIC {
        LocalTensor<half> a1(TPosition::A1, 0, kElements), b1(TPosition::B1, 4096, kElements);
        LocalTensor<half> a2(TPosition::A2, 0, kElements), b2(TPosition::B2, 0, kElements);
        LocalTensor<float> c(TPosition::CO1, 4096, kElements);
        GlobalTensor<half> xg, yg;
        GlobalTensor<float> wg;
        xg.SetGlobalBuffer((__gm__ half*)x + GetBlockIdx() * kElements, kElements);
        yg.SetGlobalBuffer((__gm__ half*)y + GetBlockIdx() * kElements, kElements);
        wg.SetGlobalBuffer((__gm__ float*)w + GetBlockIdx() * kElements, kElements);
        DataCopy(a1, xg, kElements);
        DataCopy(b1, yg, kElements);
        Sync<HardEvent::MTE2_MTE1>();
        LoadData(a2, a1, All());
        LoadData(b2, b1, All());
        Sync<HardEvent::MTE1_M>();
        Multiply(c, a2, b2);
        Sync<HardEvent::M_FIX>();
        Fixpipe(wg, c, Rows());
        CrossCoreSetFlag<2, PIPE_FIX>(kDone);
    }
    if ASCEND_IS_AIV {
        constexpr uint32_t kHalf = kElements / 2;
        LocalMemAllocator ub;
        const auto in = ub.Alloc<TPosition::VECIN, float, kHalf>(), out = ub.Alloc<TPosition::VECOUT, float, kHalf>();
        GlobalTensor<float> wg, zg;
        wg.SetGlobalBuffer((__gm__ float*)w + GetBlockIdx() * kHalf, kHalf);
        zg.SetGlobalBuffer((__gm__ float*)z + GetBlockIdx() * kHalf, kHalf);
        CrossCoreWaitFlag(kDone);
        DataCopy(in, wg, kHalf);
        Sync<HardEvent::MTE2_V>();
        Adds(out, in, 1.0f, kHalf);
        Sync<HardEvent::V_MTE3>();
        DataCopy(zg, out, kHalf);
    }
    PipeBarrier<PIPE_ALL>();
}

}  // namespace

std::vector<StaticProgram> StaticCubePrograms() {
    const Matrices x = RandomMatrices(kTiles, kSide, 21), y = RandomMatrices(kTiles, kSide, 22);
    const Matrices products = frontends_test::Multiply(x, y);
    const auto a = In(HalvesIn(frontends_test::Order::kZz, x)), b = In(HalvesIn(frontends_test::Order::kZn, y));
    const auto bias = Floats(kSide, -9, 9, 1, 23);
    std::vector<float> single, sum(kElements), more;
    for (const int v : products.values) single.push_back(static_cast<float>(v)), more.push_back(static_cast<float>(v + 1));
    for (size_t i = 0; i < sum.size(); ++i) {
        sum[i] = bias[i % kSide];
        for (uint32_t t = 0; t < kTiles; ++t) sum[i] += single[t * kElements + i];
    }
    const auto on = [](const char* name, std::vector<Argument> arguments, CoreChoice core, std::vector<uint32_t> blocks,
                       std::function<void(uint8_t* const*)> kernel) {
        return StaticProgram{{name, kSeparate, std::move(arguments), std::move(kernel), false, core}, std::move(blocks)};
    };
    return {
        on("static_product_single", {a, b, Out(single)}, CoreChoice::kCube, {1, 4}, [](auto gm) { product_single(gm[0], gm[1], gm[2]); }),
        on("static_product_double", {a, b, Out(single)}, CoreChoice::kCube, {1, 2}, [](auto gm) { product_double(gm[0], gm[1], gm[2]); }),
        on("static_sum_of_products", {a, b, In(bias), Out(sum)}, CoreChoice::kCube, {1}, [](auto gm) { sum_of_products(gm[0], gm[1], gm[2], gm[3]); }),
        on("static_product_and_more", {a, b, Out(single), Out(more)}, CoreChoice::kMix, {4}, [](auto gm) { product_and_more(gm[0], gm[1], gm[2], gm[3]); }),
    };
}

}  // namespace sfumato::frontends_test
