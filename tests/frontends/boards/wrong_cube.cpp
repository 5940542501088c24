// SPDX-License-Identifier: Apache-2.0
// Mistakes with the cube unit and Matmul.
#include "wrong.h"

namespace sfumato::boards {
namespace {

// 32 x 64 by 64 x 48 of halves.
TCubeTiling Plan() {
    TCubeTiling t;
    t.usedCoreNum = 1;
    t.M = t.singleCoreM = t.baseM = 32;
    t.N = t.singleCoreN = t.baseN = 16;
    t.Ka = t.Kb = t.singleCoreK = t.baseK = 32;
    t.stepM = t.stepN = t.stepKa = t.stepKb = 1;
    t.depthA1 = t.depthB1 = 1;
    t.dbL0A = t.dbL0B = 2;
    t.dbL0C = 1;
    return t;
}
template <class T>
using InGm = MatmulType<TPosition::GM, CubeFormat::ND, T>;
using InUb = MatmulType<TPosition::VECOUT, CubeFormat::ND, half>;

// What lends UB and sets B; set(mm, pipe) gives A.
template <class A, class T, class Set>
void Multiplied(GM_ADDR x, GM_ADDR y, uint32_t lent, const Set& set) {
    TPipe pipe;
    TCubeTiling t = Plan();
    Matmul<A, InGm<T>, InGm<float>> mm;
    REGIST_MATMUL_OBJ(&pipe, nullptr, mm, &t);
    TBuf<> scratch;
    if (lent) {
        pipe.InitBuffer(scratch, lent);
        mm.SetLocalWorkspace(scratch.Get<uint8_t>());
    }
    set(mm, pipe);
    mm.SetTensorB(Gm<T>(x, 2048)[1024]);
    mm.IterateAll(Gm<float>(y, 512));
    mm.End();
}
constexpr uint32_t kResult = 32 * 16 * 4;

void MatmulWithoutScratch(GM_ADDR x, GM_ADDR y, bool wrong) {
    Multiplied<InGm<half>, half>(x, y, wrong ? 0 : kResult, [=](auto& mm, auto&) { mm.SetTensorA(Gm<half>(x, 1024)); });
}
void MatmulOfFloats(GM_ADDR x, GM_ADDR y, bool wrong) {
    if (wrong)
        Multiplied<InGm<float>, float>(x, y, kResult, [=](auto& mm, auto&) { mm.SetTensorA(Gm<float>(x, 1024)); });
    else
        Multiplied<InGm<half>, half>(x, y, kResult, [=](auto& mm, auto&) { mm.SetTensorA(Gm<half>(x, 1024)); });
}
void MatmulFromUb(GM_ADDR x, GM_ADDR y, bool wrong) {
    if (!wrong) return Multiplied<InGm<half>, half>(x, y, 0, [=](auto& mm, auto&) { mm.SetTensorA(Gm<half>(x, 1024)); });
    TBuf<> a;
    Multiplied<InUb, half>(x, y, 0, [&](auto& mm, TPipe& pipe) {
        pipe.InitBuffer(a, 2048);
        DataCopy(a.Get<half>(), Gm<half>(x, 1024), 1024);
        mm.SetTensorA(a.Get<half>());
    });
}

// Products one behind the other.
constexpr auto kNormal = LayoutMode::NORMAL;
template <class T>
using InBatch = MatmulType<TPosition::GM, CubeFormat::ND, T, false, kNormal>;
void BatchesOn310B(GM_ADDR x, GM_ADDR y, bool wrong) {
    TPipe pipe;
    TCubeTiling t = Plan();
    t.BatchNum = 2;
    const auto a = Gm<half>(x, 4096), b = Gm<half>(x, 4096)[2048];
    const auto c = Gm<float>(y, 1024);
    if (wrong) {
        Matmul<InBatch<half>, InBatch<half>, InBatch<float>> mm;
        REGIST_MATMUL_OBJ(&pipe, nullptr, mm, &t);
        mm.SetTensorA(a);
        mm.SetTensorB(b);
        mm.IterateBatch(c, 2, 2, false);
        mm.End();
        return;
    }
    Matmul<InGm<half>, InGm<half>, InGm<float>> mm;
    REGIST_MATMUL_OBJ(&pipe, nullptr, mm, &t);
    for (uint32_t i = 0; i < 2; ++i) {
        mm.SetTensorA(a[i * 1024]);
        mm.SetTensorB(b[i * 512]);
        mm.IterateAll(c[i * 512]);
    }
    mm.End();
}

// 48 rows by two pieces of 32: the second has 16.
void PieceWithoutTail(GM_ADDR x, GM_ADDR y, bool wrong) {
    TPipe pipe;
    TCubeTiling t = Plan();
    t.M = 48;
    t.usedCoreNum = 2;
    Matmul<InGm<half>, InGm<half>, InGm<float>> mm;
    REGIST_MATMUL_OBJ(&pipe, nullptr, mm, &t);
    const uint32_t m = static_cast<uint32_t>(GetBlockIdx()) * 32;
    TBuf<> scratch;
    pipe.InitBuffer(scratch, kResult);
    mm.SetLocalWorkspace(scratch.Get<uint8_t>());
    mm.SetTensorA(Gm<half>(x, 4096)[m * 32]);
    mm.SetTensorB(Gm<half>(x, 4096)[2048]);
    if (!wrong) mm.SetTail(m == 0 ? 32 : 16);
    mm.IterateAll(Gm<float>(y, kFloats)[kFloats - 48 * 16 + m * 16]);
    mm.End();
}

// L0C holds one such block on Ascend310P, none on Ascend310B.
void PlanOfAnotherBoard(GM_ADDR x, GM_ADDR y, bool wrong) {
    TPipe pipe;
    TCubeTiling t = Plan();
    if (wrong) t.baseM = t.baseN = 256, t.baseK = 32;
    Matmul<InGm<half>, InGm<half>, InGm<float>> mm;
    REGIST_MATMUL_OBJ(&pipe, nullptr, mm, &t);
    mm.SetTensorA(Gm<half>(x, 1024));
    mm.SetTensorB(Gm<half>(x, 2048)[1024]);
    mm.IterateAll(Gm<float>(y, 512));
    mm.End();
}

void HalvesWithoutScale(GM_ADDR x, GM_ADDR y, bool wrong) {
    TPipe pipe;
    TCubeTiling t = Plan();
    Matmul<InGm<int8_t>, InGm<int8_t>, InGm<half>, InGm<int32_t>> mm;
    REGIST_MATMUL_OBJ(&pipe, nullptr, mm, &t);
    mm.SetTensorA(Gm<int8_t>(x, 1024));
    mm.SetTensorB(Gm<int8_t>(x, 2048)[1024]);
    if (!wrong) mm.SetQuantScalar(0x3D800000);  // 0.0625f
    mm.IterateAll(Gm<half>(y, 512));
    mm.End();
}

// All weights at once in L1.
void WeightsInL1(GM_ADDR, GM_ADDR, bool wrong) {
    TPipe pipe;
    TQue<TPosition::A1, 1> a1;
    TQue<TPosition::B1, 2> b1;
    pipe.InitBuffer(a1, 1, 256 * 1024);
    pipe.InitBuffer(b1, wrong ? 2 : 1, 512 * 1024);
}

// L0C of Ascend310B holds half of what that of Ascend310P does.
void WholeL0cOfAnotherBoard(GM_ADDR, GM_ADDR, bool wrong) {
    TPipe pipe;
    TQue<TPosition::CO1, 2> results;
    pipe.InitBuffer(results, 2, wrong ? 128 * 1024 : 64 * 1024);
}

// Queues of the cube unit for one product of 16 x 16 x 16.
struct Product {
    TPipe pipe;
    TQue<TPosition::A1, 1> a1;
    TQue<TPosition::A2, 1> a2;
    TQue<TPosition::B2, 1> b2;
    TQue<TPosition::CO1, 1> co1;
    TQue<TPosition::VECOUT, 1> co2;
    LocalTensor<float> c;

    Product(GM_ADDR x, uint32_t fractals, bool awaits) {
        pipe.InitBuffer(a1, 1, 1024);
        pipe.InitBuffer(a2, 1, 512);
        pipe.InitBuffer(b2, 1, 512);
        pipe.InitBuffer(co1, 1, 1024);
        pipe.InitBuffer(co2, 1, 1024);
        auto l1 = a1.AllocTensor<half>();
        DataCopy(l1, Gm<half>(x, 512), 512);
        a1.EnQue(l1);
        l1 = a1.DeQue<half>();
        auto a = a2.AllocTensor<half>(), b = b2.AllocTensor<half>();
        LoadData(a, l1, LoadData2DParams(0, static_cast<uint8_t>(fractals), 1, 0, 0, false, 0));
        LoadData(b, l1[256], LoadData2DParams(0, 1, 1, 0, 0, false, 0));
        a1.FreeTensor(l1);
        a2.EnQue(a), b2.EnQue(b);
        a = a2.DeQue<half>(), b = b2.DeQue<half>();
        c = co1.AllocTensor<float>();
        Mmad(c, a, b, MmadParams(16, 16, 16, 0, false, true));
        a2.FreeTensor(a), b2.FreeTensor(b);
        if (!awaits) return;
        co1.EnQue(c);
        c = co1.DeQue<float>();
    }
    // Through UB; blocks: fractals.
    void Out(GM_ADDR y, uint16_t blocks) {
        auto ub = co2.AllocTensor<float>();
        DataCopyEnhancedParams of_fractals;
        of_fractals.blockMode = BlockMode::BLOCK_MODE_MATRIX;
        DataCopy(ub, c, DataCopyParams(1, blocks, 0, 0), of_fractals);
        co2.EnQue(ub);
        ub = co2.DeQue<float>();
        DataCopy(Gm<float>(y, 256), ub, 256);
        co2.FreeTensor(ub);
        co1.FreeTensor(c);
    }
};
void ResultNotAwaited(GM_ADDR x, GM_ADDR y, bool wrong) { Product(x, 1, !wrong).Out(y, 1); }
void FractalsInBlocks(GM_ADDR x, GM_ADDR y, bool wrong) { Product(x, 1, true).Out(y, wrong ? 32 : 1); }
void TooManyFractals(GM_ADDR x, GM_ADDR y, bool wrong) { Product(x, wrong ? 2 : 1, true).Out(y, 1); }
void FixpipeOfAnotherBoard(GM_ADDR x, GM_ADDR y, bool wrong) {
    Product product(x, 1, true);
    if (!wrong) return product.Out(y, 1);
    Fixpipe(Gm<float>(y, 256), product.c, FixpipeParamsV220(16, 16, 16, 16, false));
    product.co1.FreeTensor(product.c);
}

// Sums leave as halves.
void HalvesWithoutConversion(GM_ADDR x, GM_ADDR y, bool wrong) {
    Product product(x, 1, true);
    FixpipeParamsV220 p(16, 16, 16, 16, false);
    if (!wrong) p.quantPre = F322F16;
    Fixpipe<half, float>(Gm<half>(y, 256), product.c, p);
    product.co1.FreeTensor(product.c);
}

}  // namespace

std::vector<Wrong> WrongCube() {
    return {
        {"matmul_without_scratch", kOn310P, MatmulWithoutScratch},
        {"matmul_of_floats", kOn310P, MatmulOfFloats},
        {"matmul_from_ub", kOn310B, MatmulFromUb},
        {"batches_on_310b", kOn310B, BatchesOn310B},
        {"piece_without_tail", kOn310P, PieceWithoutTail, {"eager", "", 2}},
        {"plan_of_another_board", kOn310B, PlanOfAnotherBoard},
        {"halves_without_scale", kOn310B, HalvesWithoutScale},
        {"halves_without_conversion", kOn310B, HalvesWithoutConversion},
        {"weights_in_l1", kOn310P, WeightsInL1},
        {"whole_l0c_of_another_board", kOn310B, WholeL0cOfAnotherBoard},
        {"result_not_awaited", kOn310P, ResultNotAwaited, {"all"}},
        {"fractals_in_blocks", kOn310P, FractalsInBlocks},
        {"too_many_fractals", kOn310P, TooManyFractals},
        {"fixpipe_of_another_board", kOn310P, FixpipeOfAnotherBoard},
    };
}

}  // namespace sfumato::boards
