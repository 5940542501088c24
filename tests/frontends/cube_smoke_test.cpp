// SPDX-License-Identifier: Apache-2.0
// The front end of LoadData, Mmad, their registers and the queues of the cube unit: every overload compiles, and
// the smallest product comes out right on every way into L0A.
#include <gtest/gtest.h>

#include "frontends/kernels.h"

namespace sfumato::frontends_test {
namespace {

using namespace AscendC;

constexpr uint16_t kM = 16, kN = 16, kK = 32;
constexpr uint8_t kNoPads[4] = {0, 0, 0, 0};
constexpr IsResetLoad3dConfig kFromRegisters = {false, false};

// C = A x B by one Mmad: A is 16 x 32 as two fractals, B 32 x 16 as two. `load` brings A to L0A; C leaves by Fixpipe,
// or through UB on chips without it.
template <bool fixpipe, class Load, class Multiply>
__aicore__ inline void Product(GM_ADDR const* gm, const Load& load, const Multiply& multiply) {
    GlobalTensor<half> a_gm, b_gm;
    GlobalTensor<float> c_gm;
    a_gm.SetGlobalBuffer((__gm__ half*)gm[0], kM * kK);
    b_gm.SetGlobalBuffer((__gm__ half*)gm[1], kK * kN);
    c_gm.SetGlobalBuffer((__gm__ float*)gm[2], kM * kN);
    TPipe pipe;
    TQue<TPosition::A1, 1> a1_queue;
    TQue<TPosition::A2, 1> a2_queue;
    TQue<TPosition::B1, 1> b1_queue;
    TQue<TPosition::B2, 1> b2_queue;
    TQue<TPosition::CO1, 1> co1_queue;
    pipe.InitBuffer(a1_queue, 1, kM * kK * sizeof(half));
    pipe.InitBuffer(a2_queue, 1, kM * kK * sizeof(half));
    pipe.InitBuffer(b1_queue, 1, kK * kN * sizeof(half));
    pipe.InitBuffer(b2_queue, 1, kK * kN * sizeof(half));
    pipe.InitBuffer(co1_queue, 1, kM * kN * sizeof(float));

    LocalTensor<half> a1 = a1_queue.AllocTensor<half>();
    LocalTensor<half> b1 = b1_queue.AllocTensor<half>();
    DataCopy(a1, a_gm, kM * kK);
    DataCopy(b1, b_gm, kK * kN);
    a1_queue.EnQue(a1);
    b1_queue.EnQue(b1);

    a1 = a1_queue.DeQue<half>();
    b1 = b1_queue.DeQue<half>();
    LocalTensor<half> a2 = a2_queue.AllocTensor<half>();
    LocalTensor<half> b2 = b2_queue.AllocTensor<half>();
    load(a2, a1);
    LoadData(b2, b1, {0, 2, 1, 0, 0, false, 0});
    a2_queue.EnQue(a2);
    b2_queue.EnQue(b2);
    a1_queue.FreeTensor(a1);
    b1_queue.FreeTensor(b1);

    a2 = a2_queue.DeQue<half>();
    b2 = b2_queue.DeQue<half>();
    LocalTensor<float> co1 = co1_queue.AllocTensor<float>();
    multiply(co1, a2, b2, gm[3]);
    co1_queue.EnQue(co1);
    a2_queue.FreeTensor(a2);
    b2_queue.FreeTensor(b2);

    co1 = co1_queue.DeQue<float>();
    if constexpr (fixpipe) {
        Fixpipe(c_gm, co1, FixpipeParamsV220(kN, kM, kM, kN, false));
        co1_queue.FreeTensor(co1);
    } else {
        TQue<TPosition::CO2, 1> co2_queue;
        pipe.InitBuffer(co2_queue, 1, kM * kN * sizeof(float));
        LocalTensor<float> co2 = co2_queue.AllocTensor<float>();
        DataCopyEnhancedParams enhanced;
        enhanced.blockMode = BlockMode::BLOCK_MODE_MATRIX;
        DataCopy(co2, co1, DataCopyParams(1, 1, 0, 0), enhanced);
        co2_queue.EnQue(co2);
        co1_queue.FreeTensor(co1);
        co2 = co2_queue.DeQue<float>();
        DataCopy(c_gm, co2, kM * kN);
        co2_queue.FreeTensor(co2);
    }
}

void Plain(LocalTensor<float>& c, LocalTensor<half>& a, LocalTensor<half>& b, GM_ADDR) {
    Mmad(c, a, b, {kM, kN, kK, 0, false, true});
}

using A2 = LocalTensor<half>&;
void ByFractals(A2 dst, A2 src) { LoadData(dst, src, LoadData2DParams(0, 2, 1, 0, 0, false, 0)); }
void ByTransposedFractals(A2 dst, A2 src) { LoadData(dst, src, {0, 2, 1, 0, 0, true, 0}); }
void BySquares(A2 dst, A2 src) { LoadDataWithTranspose(dst, src, {0, 2, 1, 0, 0}); }
void ByImageV1(A2 dst, A2 src) {
    LoadData(dst, src, {kNoPads, 1, kM, 0, 0, 0, 0, 0, 1, 1, 1, 1, 1, 1, 1, 0, 2, 0, half(0)});
}
void ByImageV2(A2 dst, A2 src) {
    LoadData(dst, src, {kNoPads, 1, kM, kK, kK, kM, 0, 0, 1, 1, 1, 1, 1, 1, false, false, half(0)});
}
void ByRegisters(A2 dst, A2 src) {
    SetFmatrix(1, kM, kNoPads, FmatrixMode::FMATRIX_LEFT);
    SetLoadDataPaddingValue(half(0));
    LoadData3DParamsV2<half> params;
    params.channelSize = kK;
    params.kExtension = kK;
    params.mExtension = kM;
    LoadData<half, kFromRegisters>(dst, src, params);
}
void ByWords(A2 dst, A2 src) {
    SetFmatrix(1, kM, kNoPads, FmatrixMode::FMATRIX_LEFT);
    SetLoadDataPaddingValue(half(0));
    LoadData3DParamsV2Pro params;
    params.channelSize = kK;
    params.extConfig = (uint64_t{kM} << 16) | kK;
    LoadData(dst, src, params);
}

struct Product16 {
    LaunchResult result;
    std::vector<float> c;
};

float BiasOf(int column) { return static_cast<float>(column * 100 - 700); }

// transposed: A's fractals lie transposed in global memory.
template <class Load, class Multiply>
Product16 Execute(const std::string& chip, const std::string& schedule, const Load& load, const Multiply& multiply,
            bool transposed = false) {
    GlobalMemory memory;
    uint8_t* gm[4] = {memory.Allocate(kM * kK * 2, "a"), memory.Allocate(kK * kN * 2, "b"),
                      memory.Allocate(kM * kN * 4, "c"), memory.Allocate(kN * 4, "bias")};
    for (int j = 0; j < kN; ++j) {
        const float bias = BiasOf(j);
        std::memcpy(gm[3] + 4 * j, &bias, 4);
    }
    for (int i = 0; i < kM; ++i) {
        for (int k = 0; k < kK; ++k) {
            const int row = transposed ? k % 16 : i, column = transposed ? i : k % 16;
            const uint16_t a = HalfBits((i * 7 + k * 3) % 11 - 5), b = HalfBits((i * 5 + k) % 13 - 6);
            std::memcpy(gm[0] + 2 * (k / 16 * 256 + row * 16 + column), &a, 2);
            std::memcpy(gm[1] + 2 * (k / 16 * 256 + i * 16 + k % 16), &b, 2);  // i: the column of B
        }
    }
    const bool fixpipe = chip == "Ascend910B" || chip == "Ascend310B";
    LaunchOptions options;
    options.chip = chip;
    options.schedule = schedule;
    options.core = chip == "Ascend910B" ? CoreChoice::kCube : CoreChoice::kDefault;
    Product16 run;
    run.result = Launch(options, 1, memory, [&] {
        fixpipe ? Product<true>(gm, load, multiply) : Product<false>(gm, load, multiply);
    });
    run.c.resize(kM * kN);
    std::memcpy(run.c.data(), gm[2], kM * kN * 4);
    return run;
}

std::vector<float> Expected() {
    std::vector<float> c;
    for (int i = 0; i < kM; ++i) {
        for (int j = 0; j < kN; ++j) {
            int sum = 0;
            for (int k = 0; k < kK; ++k) sum += ((i * 7 + k * 3) % 11 - 5) * ((j * 5 + k) % 13 - 6);
            c.push_back(static_cast<float>(sum));
        }
    }
    return c;
}

using LoadFn = void (*)(A2, A2);
struct Way {
    const char* name;
    LoadFn load;
    std::vector<std::string> chips;
    bool transposed = false;
};

const Way kWays[] = {
    {"Load2D", ByFractals, kAllChips},
    {"Load2D with ifTranspose", ByTransposedFractals, kAllChips, true},
    {"LoadDataWithTranspose", BySquares, {"Ascend910B", "Ascend310B"}, true},
    {"Load3Dv1", ByImageV1, {"Ascend910", "Ascend310P"}},
    {"Load3Dv2", ByImageV2, kNot910},
    {"Load3Dv2 from registers", ByRegisters, kNot910},
    {"Load3Dv2Pro", ByWords, kNot910},
};

TEST(CubeSmoke, EveryWayIntoL0AGivesTheProduct) {
    for (const Way& way : kWays) {
        for (const std::string& chip : way.chips) {
            for (const char* schedule : {"eager", "late", "ahead", "seed:7"}) {
                const Product16 run = Execute(chip, schedule, way.load, Plain, way.transposed);
                EXPECT_TRUE(Quiet(run.result)) << way.name << " on " << chip << " under " << schedule << "\n"
                                               << run.result.findings.front().Text();
                EXPECT_EQ(run.c, Expected()) << way.name << " on " << chip << " under " << schedule;
            }
        }
    }
}

TEST(CubeSmoke, TheSecondMmadAddsToTheFirst) {
    const auto twice = [](LocalTensor<float>& c, LocalTensor<half>& a, LocalTensor<half>& b, GM_ADDR) {
        Plain(c, a, b, nullptr);
        PipeBarrier<PIPE_M>();
        Mmad(c, a, b, {kM, kN, kK, 0, false, false});
    };
    for (const std::string& chip : kAllChips) {
        const Product16 run = Execute(chip, "late", ByFractals, twice);
        EXPECT_TRUE(Quiet(run.result)) << run.result.findings.front().Text();
        std::vector<float> expected = Expected();
        for (float& v : expected) v *= 2;
        EXPECT_EQ(run.c, expected) << chip;
    }
}

// GM to C1 to C2, then the row is added to every row of the product: as a tensor, and as the bias table's first row.
template <bool tensor>
void WithBias(LocalTensor<float>& c, LocalTensor<half>& a, LocalTensor<half>& b, GM_ADDR bias) {
    GlobalTensor<float> bias_gm;
    bias_gm.SetGlobalBuffer((__gm__ float*)bias, kN);
    TQue<TPosition::C1, 1> c1_queue;
    TQue<TPosition::C2, 1> c2_queue;
    GetTPipePtr()->InitBuffer(c1_queue, 1, kN * sizeof(float));
    GetTPipePtr()->InitBuffer(c2_queue, 1, kN * sizeof(float));
    LocalTensor<float> c1 = c1_queue.AllocTensor<float>();
    DataCopy(c1, bias_gm, kN);
    c1_queue.EnQue(c1);
    c1 = c1_queue.DeQue<float>();
    LocalTensor<float> c2 = c2_queue.AllocTensor<float>();
    DataCopy(c2, c1, kN);
    c2_queue.EnQue(c2);
    c1_queue.FreeTensor(c1);
    c2 = c2_queue.DeQue<float>();
    if constexpr (tensor) {
        Mmad(c, a, b, c2, {kM, kN, kK, 0, false, false});
    } else {
        Mmad(c, a, b, {kM, kN, kK, 0, true, false});
    }
    c2_queue.FreeTensor(c2);
}

TEST(CubeSmoke, BiasFromTheTable) {
    std::vector<float> expected = Expected();
    for (size_t i = 0; i < expected.size(); ++i) expected[i] += BiasOf(static_cast<int>(i % kN));
    for (const char* schedule : {"eager", "late", "ahead", "seed:7"}) {
        for (const auto multiply : {WithBias<true>, WithBias<false>}) {
            const Product16 run = Execute("Ascend910B", schedule, ByFractals, multiply);
            EXPECT_TRUE(Quiet(run.result)) << run.result.findings.front().Text();
            EXPECT_EQ(run.c, expected) << schedule;
        }
    }
}

// C as its own bias is what C starts from, and unit flags that SetFixPipeConfig clears are nobody's.
TEST(CubeSmoke, AddsToItself) {
    std::vector<float> expected = Expected();
    for (float& value : expected) value *= 2;
    const auto twice = [](LocalTensor<float>& c, LocalTensor<half>& a, LocalTensor<half>& b, GM_ADDR) {
        Mmad(c, a, b, {kM, kN, kK, 2, false, true});
        PipeBarrier<PIPE_M>();
        Mmad(c, a, b, c, {kM, kN, kK, 3, false, false});
        PipeBarrier<PIPE_ALL>();
        SetFixPipeConfig(LocalTensor<uint64_t>(TPosition::C2PIPE2GM, 0, 16), true);
    };
    for (const char* schedule : {"eager", "late", "ahead", "seed:7"}) {
        const Product16 run = Execute("Ascend910B", schedule, ByFractals, twice);
        EXPECT_TRUE(Quiet(run.result)) << run.result.findings.front().Text();
        EXPECT_EQ(run.c, expected) << schedule;
    }
}

// Not run: every overload, and the positions of the cube unit as types.
template <class T>
__aicore__ inline void Overloads(LocalTensor<T> local, GlobalTensor<T> global, LocalTensor<float> c,
                                 LocalTensor<T> a, LocalTensor<T> b) {
    LoadData(local, global, LoadData2dParams());
    LoadData(local, local, LoadData2DParams());
    LoadData<T>(local, local, LoadData3DParamsV1<T>());
    LoadData<T, kFromRegisters>(local, local, LoadData3DParamsV1<T>());
    LoadData(local, local, LoadData3DParamsV2<T>());
    LoadData(local, local, LoadData3DParamsV2Pro());
    LoadDataWithTranspose(local, local, LoadData2dTransposeParams(0, 1, 0, 0, 0, 1));
    SetLoadDataPaddingValue(T());
    SetLoadDataRepeat(LoadDataRepeatParam());
    SetLoadDataBoundary(0);
    SetHF32Mode(true);
    SetHF32TransMode(HF32TransMode::NEAREST_EVEN);
    SetMMRowMajor();
    SetMMColumnMajor();
    SetMMLayoutTransform(true);
    Mmad(c, a, b, MmadParams(16, 16, 16, false, 0, false, false, false));
    Mmad(c, a, b, c, MmadParams());
    TPipe pipe;
    TQue<TPosition::C1, 1> c1;
    TQue<TPosition::C2, 1> c2;
    TQueBind<TPosition::VECOUT, TPosition::A1, 1> to_a1;
    TQueBind<TPosition::CO2, TPosition::VECIN, 1> to_vecin;
    TSCM<TPosition::VECIN, 1> tscm;
    TBuf<TPosition::A1> l1;
    TBuf<TPosition::CO1> l0c;
    pipe.InitBuffer(c1, 1, 64);
    pipe.InitBuffer(c2, 1, 64);
    pipe.InitBuffer(to_a1, 1, 512);
    pipe.InitBuffer(to_vecin, 1, 512);
    pipe.InitBuffer(tscm, 1, 512);
    pipe.InitBuffer(l1, 512);
    pipe.InitBuffer(l0c, 1024);
}
template void Overloads<half>(LocalTensor<half>, GlobalTensor<half>, LocalTensor<float>, LocalTensor<half>,
                              LocalTensor<half>);
template void Overloads<int8_t>(LocalTensor<int8_t>, GlobalTensor<int8_t>, LocalTensor<float>, LocalTensor<int8_t>,
                                LocalTensor<int8_t>);
template void Overloads<int4b_t>(LocalTensor<int4b_t>, GlobalTensor<int4b_t>, LocalTensor<float>,
                                 LocalTensor<int4b_t>, LocalTensor<int4b_t>);

}  // namespace
}  // namespace sfumato::frontends_test
