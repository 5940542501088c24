// SPDX-License-Identifier: Apache-2.0
// Matmul objects of kernels: tensors of UB that an asynchronous product still reads, and products without an End.
#include "lib/matmul_intf.h"
#include "sanitize/pairs/cube_tiles.h"

namespace sfumato::pairs {
namespace {

using InGm = MatmulType<TPosition::GM, CubeFormat::ND, half>;
using InUb = MatmulType<TPosition::VECOUT, CubeFormat::ND, half>;
using OutGm = MatmulType<TPosition::GM, CubeFormat::ND, float>;

// One fractal by another.
TCubeTiling Plan() {
    TCubeTiling t;
    t.usedCoreNum = 1;
    for (int32_t* side :
         {&t.M, &t.N, &t.Ka, &t.Kb, &t.singleCoreM, &t.singleCoreN, &t.singleCoreK, &t.baseM, &t.baseN, &t.baseK})
        *side = kSide;
    t.stepM = t.stepN = t.stepKa = t.stepKb = t.depthA1 = t.depthB1 = 1;
    t.dbL0A = t.dbL0B = t.dbL0C = 1;
    return t;
}

// A vector core's product of a matrix in UB, `ub`, and one in global memory. `change` stores into the former.
template <class Left, class Right, class Set, class Change>
__aicore__ void Asynchronous(GM_ADDR* gm, bool wrong, const Set& set, const Change& change) {
    TPipe pipe;
    Matmul<Left, Right, OutGm> mm;
    const TCubeTiling plan = Plan();
    REGIST_MATMUL_OBJ(&pipe, GetSysWorkSpacePtr(), mm, &plan);
    TBuf<> buffer;
    pipe.InitBuffer(buffer, kFractal * sizeof(half));
    LocalTensor<half> ub = buffer.Get<half>();
    DataCopy(ub, Gm<half>(gm[0], kFractal), kFractal);
    PipeBarrier<PIPE_ALL>();
    set(mm, ub);
    mm.template IterateAll<false>(Gm<float>(gm[2], kFractal), 0, false, true);
    if (!wrong) mm.WaitIterateAll();
    change(ub);
    if (wrong) mm.WaitIterateAll();
    PipeBarrier<PIPE_ALL>();
    DataCopy(Gm<half>(gm[3], kFractal), ub, kFractal);
    mm.End();
}
__aicore__ void left_matrix_scaled_while_it_is_read(GM_ADDR* gm, bool wrong) {
    Asynchronous<InUb, InGm>(
        gm, wrong,
        [gm](auto& mm, const LocalTensor<half>& ub) {
            mm.SetTensorA(ub);
            mm.SetTensorB(Gm<half>(gm[1], kFractal));
        },
        [](const LocalTensor<half>& ub) { Muls(ub, ub, half(2), kFractal); });
}
__aicore__ void right_matrix_loaded_over_while_it_is_read(GM_ADDR* gm, bool wrong) {
    Asynchronous<InGm, InUb>(
        gm, wrong,
        [gm](auto& mm, const LocalTensor<half>& ub) {
            mm.SetTensorA(Gm<half>(gm[1], kFractal));
            mm.SetTensorB(ub);
        },
        [gm](const LocalTensor<half>& ub) { DataCopy(ub, Gm<half>(gm[1], kFractal), kFractal); });
}

// On Ascend310P a product passes UB on its way out.
struct Scratch {
    template <class M>
    __aicore__ void For(TPipe& pipe, M& mm) {
        pipe.InitBuffer(buffer, 4 * kFractal * sizeof(float));
        mm.SetLocalWorkspace(buffer.Get<uint8_t>());
    }
    TBuf<> buffer;
};

__aicore__ void product_without_its_end(GM_ADDR* gm, bool wrong) {
    TPipe pipe;
    Matmul<InGm, InGm, OutGm> mm;
    const TCubeTiling plan = Plan();
    REGIST_MATMUL_OBJ(&pipe, GetSysWorkSpacePtr(), mm, &plan);
    Scratch scratch;
    scratch.For(pipe, mm);
    mm.SetTensorA(Gm<half>(gm[0], kFractal));
    mm.SetTensorB(Gm<half>(gm[1], kFractal));
    mm.IterateAll(Gm<float>(gm[2], kFractal));
    if (!wrong) mm.End();
}
__aicore__ void blocks_without_their_end(GM_ADDR* gm, bool wrong) {
    TPipe pipe;
    Matmul<InGm, InGm, OutGm> mm;
    const TCubeTiling plan = Plan();
    REGIST_MATMUL_OBJ(&pipe, GetSysWorkSpacePtr(), mm, &plan);
    Scratch scratch;
    scratch.For(pipe, mm);
    mm.SetTensorA(Gm<half>(gm[0], kFractal));
    mm.SetTensorB(Gm<half>(gm[1], kFractal));
    while (mm.Iterate()) mm.GetTensorC(Gm<float>(gm[2], kFractal));
    if (!wrong) mm.End();
}
// The next object takes its turn before the first has ended.
__aicore__ void turn_of_another_product(GM_ADDR* gm, bool wrong) {
    TPipe pipe;
    Matmul<InGm, InGm, OutGm> one, two;
    const TCubeTiling plan = Plan();
    REGIST_MATMUL_OBJ(&pipe, GetSysWorkSpacePtr(), one, &plan, two, &plan);
    Scratch scratch[2];
    for (auto* mm : {&one, &two}) {
        scratch[mm == &two].For(pipe, *mm);
        mm->SetTensorA(Gm<half>(gm[0], kFractal));
        mm->SetTensorB(Gm<half>(gm[1], kFractal));
        mm->IterateAll(Gm<float>(gm[mm == &one ? 2 : 3], kFractal));
        if (!wrong || mm == &two) mm->End();
    }
}

std::vector<Memory> TwoOutputs() {
    std::vector<Memory> gm = Matrices();
    gm.push_back(Output<float>("second", kFractal));
    return gm;
}
std::vector<Pair> Held() {
    std::vector<Memory> gm = Matrices();
    gm.push_back(Output<half>("last", kFractal));
    return {{"left_matrix_scaled_while_it_is_read", "race", left_matrix_scaled_while_it_is_read, gm},
            {"right_matrix_loaded_over_while_it_is_read", "race", right_matrix_loaded_over_while_it_is_read, gm}};
}
std::vector<Pair> Ends() {
    return {{"product_without_its_end", "matmul-end", product_without_its_end, Matrices()},
            {"blocks_without_their_end", "matmul-end", blocks_without_their_end, Matrices()},
            {"turn_of_another_product", "matmul-end", turn_of_another_product, TwoOutputs()}};
}
// The same without a vector core.
std::vector<Pair> Alone() {
    return {{"product_of_a_cube_core_without_its_end", "matmul-end", product_without_its_end, Matrices()},
            {"blocks_of_a_cube_core_without_their_end", "matmul-end", blocks_without_their_end, Matrices()}};
}
// On a vector core, which a cube core serves.
std::vector<Pair> Served(std::vector<Pair> pairs) {
    for (Pair& pair : pairs) pair.core = CoreChoice::kMixOneToOne;
    return pairs;
}
std::vector<Pair> WithSystemWorkspace(std::vector<Pair> pairs) {
    for (Pair& pair : pairs) pair.system_workspace = true;
    return pairs;
}

}  // namespace

std::vector<Pair> MatmulPairs() {
    return WithSystemWorkspace(Together({Served(Held()), Served(Ends()), OnCube(Alone()), On("Ascend310P3", Ends())}));
}

}  // namespace sfumato::pairs
