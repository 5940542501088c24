// SPDX-License-Identifier: Apache-2.0
// (A x B) x B, the first product rounded to half and brought back to L0A: by Fixpipe through L1, by Fixpipe through
// global memory, or from UB through L1. And the same without the flag that says it is there.
#include "frontends/kernels_cube.h"

namespace sfumato::frontends_test {
namespace {

using namespace AscendC;

constexpr uint32_t kTiles = 4;
constexpr uint16_t kSide = 32;
constexpr uint32_t kElements = kSide * kSide;
constexpr uint8_t kFractals = kElements / 256;

enum class Back { kL1, kGm, kUb };

// full, empty: the flags of the half product on its way back.
template <HardEvent full, HardEvent empty>
__global__ __aicore__ void product_of_product(GM_ADDR x, GM_ADDR y, GM_ADDR work, GM_ADDR z, Back back, bool omit) {
    GlobalTensor<half> xg = ShareOfTiles<half>(x, kTiles, kElements), yg = ShareOfTiles<half>(y, kTiles, kElements);
    GlobalTensor<half> work_g = ShareOfTiles<half>(work, kTiles, kElements);
    GlobalTensor<float> zg = ShareOfTiles<float>(z, kTiles, kElements);
    TPipe pipe;
    TBuf<TPosition::A1> a1_buffer, middle_buffer;
    TBuf<TPosition::B1> b1_buffer;
    TBuf<TPosition::A2> a2_buffer;
    TBuf<TPosition::B2> b2_buffer;
    TBuf<TPosition::CO1> co1_buffer;
    TBuf<TPosition::CO2> co2_buffer;
    pipe.InitBuffer(a1_buffer, kElements * sizeof(half));
    pipe.InitBuffer(middle_buffer, kElements * sizeof(half));
    pipe.InitBuffer(b1_buffer, kElements * sizeof(half));
    pipe.InitBuffer(a2_buffer, kElements * sizeof(half));
    pipe.InitBuffer(b2_buffer, kElements * sizeof(half));
    pipe.InitBuffer(co1_buffer, kElements * sizeof(float));
    if (back == Back::kUb) pipe.InitBuffer(co2_buffer, kElements * sizeof(float));
    LocalTensor<half> a1 = a1_buffer.Get<half>(), middle = middle_buffer.Get<half>(), b1 = b1_buffer.Get<half>();
    LocalTensor<half> a2 = a2_buffer.Get<half>(), b2 = b2_buffer.Get<half>();
    LocalTensor<float> co1 = co1_buffer.Get<float>();

    const HardEvent none = HardEvent::MAX;
    const bool fixpipe = back != Back::kUb;
    const uint32_t tiles = static_cast<uint32_t>(zg.GetSize()) / kElements;
    Handover<HardEvent::MTE2_MTE1, HardEvent::MTE1_MTE2> l1(none, back == Back::kGm ? 2 * tiles : tiles);
    Handover<HardEvent::MTE1_M, HardEvent::M_MTE1> l0(none, 2 * tiles);
    Handover<HardEvent::M_FIX, HardEvent::FIX_M> l0c_fix(none, 2 * tiles);
    Handover<HardEvent::M_V, HardEvent::V_M> l0c_v(none, 2 * tiles);
    Handover<HardEvent::V_MTE3, HardEvent::MTE3_V> ub(none, 2 * tiles);
    Handover<full, empty> returned(omit ? full : none, tiles);

    const MmadParams square(kSide, kSide, kSide, 0, false, true);
    const LoadData2DParams all(0, kFractals, 1, 0, 0, false, 0);
    const auto multiply = [&] {
        fixpipe ? l0c_fix.Claim() : l0c_v.Claim();
        Mmad(co1, a2, b2, square);
        l0.Release();
        fixpipe ? l0c_fix.Hand() : l0c_v.Hand();
    };
    const auto to_ub = [&](auto dst) {
        ub.Claim();
        DataCopy(dst, co1, DataCopyParams(1, kFractals, 0, 0), ByFractals());
        l0c_v.Release();
        ub.Hand();
    };
    for (uint32_t at = 0; at < zg.GetSize(); at += kElements) {
        l1.Claim();
        DataCopy(a1, xg[at], kElements);
        DataCopy(b1, yg[at], kElements);
        l1.Hand();
        l0.Claim();
        LoadData(a2, a1, all);
        LoadData(b2, b1, all);
        l0.Hand();
        l1.Release();
        multiply();

        returned.Claim();
        const FixpipeParamsV220 to_half(kSide, kSide, kSide, kSide, false, F322F16);
        if (back == Back::kL1) Fixpipe<half, float, CFG_NZ>(middle, co1, to_half);
        if (back == Back::kGm) Fixpipe<half, float, CFG_NZ>(work_g[at], co1, to_half);
        if (fixpipe) {
            l0c_fix.Release();
        } else {
            LocalTensor<half> halves = co2_buffer.Get<half>();
            to_ub(halves);
            DataCopy(middle, halves, kElements);
            ub.Release();
        }
        returned.Hand();
        if (back == Back::kGm) {
            l1.Claim();
            DataCopy(middle, work_g[at], kElements);
            returned.Release();
            l1.Hand();
        }
        l0.Claim();
        for (uint32_t row = 0; row < kSide / 16; ++row) {  // columns of fractals to rows
            LoadData(a2[row * kSide * 16], middle,
                     LoadData2DParams(static_cast<uint16_t>(row), kSide / 16, kSide / 16, 0, 0, false, 0));
        }
        l0.Hand();
        back == Back::kGm ? l1.Release() : returned.Release();
        multiply();

        if (fixpipe) {
            Fixpipe(zg[at], co1, FixpipeParamsV220(kSide, kSide, kSide, kSide, false));
            l0c_fix.Release();
        } else {
            LocalTensor<float> floats = co2_buffer.Get<float>();
            to_ub(floats);
            DataCopy(zg[at], floats, kElements);
            ub.Release();
        }
    }
}

Program ChainProgram(Back back, bool omit) {
    const Matrices a = RandomMatrices(kTiles, kSide, 61), b = RandomMatrices(kTiles, kSide, 62);
    const Matrices middle = Multiply(a, b), c = Multiply(middle, b);
    const bool fixpipe = back != Back::kUb;
    const auto halves = HalvesIn(Order::kNz, middle);
    const std::vector<uint16_t> unused(halves.size(), kFill * 0x0101u);
    const auto kernel = back == Back::kL1   ? product_of_product<HardEvent::FIX_MTE1, HardEvent::MTE1_FIX>
                        : back == Back::kGm ? product_of_product<HardEvent::FIX_MTE2, HardEvent::MTE2_FIX>
                                            : product_of_product<HardEvent::MTE3_MTE1, HardEvent::MTE1_MTE3>;
    return {back == Back::kL1   ? "cube_chain_l1"
            : back == Back::kGm ? "cube_chain_gm"
                                : "cube_chain_ub",
            fixpipe ? kWithFixpipe : std::vector<std::string>{"Ascend310P"},
            {In(HalvesIn(Order::kZz, a)), In(HalvesIn(Order::kZn, b)), Out(back == Back::kGm ? halves : unused),
             Out(FloatsIn(fixpipe ? Order::kRows : Order::kNz, c))},
            [=](uint8_t* const* gm) { kernel(gm[0], gm[1], gm[2], gm[3], back, omit); },
            false,
            fixpipe ? CoreChoice::kCube : CoreChoice::kDefault};
}

}  // namespace

std::vector<Program> CubeChainPrograms() {
    return {ChainProgram(Back::kL1, false), ChainProgram(Back::kGm, false), ChainProgram(Back::kUb, false)};
}

std::vector<BrokenProgram> BrokenCubeChainPrograms() {
    return {{"flag FIX_MTE1", "ahead", ChainProgram(Back::kL1, true)},
            {"flag FIX_MTE2 through global memory", "ahead", ChainProgram(Back::kGm, true)},
            {"flag MTE3_MTE1", "ahead", ChainProgram(Back::kUb, true)}};
}

}  // namespace sfumato::frontends_test
