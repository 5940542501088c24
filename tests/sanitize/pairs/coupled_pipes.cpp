// SPDX-License-Identifier: Apache-2.0
// Pipes of coupled cores, where M, MTE1 and V share UB and L0C (framework.md 2.1, cube.md 5.4): L0C to UB on V, UB to
// L1 on MTE3, L1 to UB on MTE1.
#include "sanitize/pairs/cube_tiles.h"

namespace sfumato::pairs {
namespace {

// With the product in UB, and a fractal of halves.
struct CoupledTiles : CubeTiles {
    explicit __aicore__ CoupledTiles(GM_ADDR* gm, uint32_t tensors = 3) : CubeTiles(gm, tensors) {
        pipe.InitBuffer(co2_buffer, 2 * kFractal * sizeof(float));
        pipe.InitBuffer(ub_buffer, 2 * kFractal * sizeof(half));
        co2 = co2_buffer.Get<float>(), ub = ub_buffer.Get<half>();
        by_fractals.blockMode = BlockMode::BLOCK_MODE_MATRIX;
    }
    __aicore__ void Out() {
        Sync<HardEvent::M_V>(1);
        DataCopy(co2, c, {1, 1, 0, 0}, by_fractals);
        Sync<HardEvent::V_MTE3>(1);
        DataCopy(z, co2, kFractal);
    }

    TBuf<TPosition::CO2> co2_buffer;
    TBuf<> ub_buffer;
    LocalTensor<float> co2;
    LocalTensor<half> ub;
    DataCopyEnhancedParams by_fractals;
};

// The ways to L0, as on cube cores

__aicore__ void coupled_fractal_before_its_load(GM_ADDR* gm, bool wrong) {
    CoupledTiles t(gm);
    t.Right();
    DataCopy(t.a1, t.x, kFractal);
    if (!wrong) Sync<HardEvent::MTE2_MTE1>();
    LoadData(t.a2, t.a1, kOneFractal);
    Sync<HardEvent::MTE1_M>();
    Mmad(t.c, t.a2, t.b2, kProduct);
    t.Out();
}

__aicore__ void coupled_product_before_its_matrix(GM_ADDR* gm, bool wrong) {
    CoupledTiles t(gm);
    t.Right();
    DataCopy(t.a1, t.x, kFractal);
    Sync<HardEvent::MTE2_MTE1>();
    LoadData(t.a2, t.a1, kOneFractal);
    if (!wrong) Sync<HardEvent::MTE1_M>();
    Mmad(t.c, t.a2, t.b2, kProduct);
    t.Out();
}

__aicore__ void coupled_fractal_before_the_product_has_read(GM_ADDR* gm, bool wrong) {
    CoupledTiles t(gm);
    t.Both();
    DataCopy(t.a1[kFractal], t.x[kFractal], kFractal);
    Sync<HardEvent::MTE2_MTE1>();
    Mmad(t.c, t.a2, t.b2, kProduct);
    if (!wrong) Sync<HardEvent::M_MTE1>();
    LoadData(t.a2, t.a1[kFractal], kOneFractal);
    Sync<HardEvent::MTE1_M>();
    PipeBarrier<PIPE_M>();
    Mmad(t.c, t.a2, t.b2, kSum);
    t.Out();
}

// M and V

__aicore__ void ub_before_the_product(GM_ADDR* gm, bool wrong) {
    CoupledTiles t(gm);
    t.Both();
    Mmad(t.c, t.a2, t.b2, kProduct);
    if (!wrong) Sync<HardEvent::M_V>();
    DataCopy(t.co2, t.c, {1, 1, 0, 0}, t.by_fractals);
    Sync<HardEvent::V_MTE3>();
    DataCopy(t.z, t.co2, kFractal);
}

__aicore__ void next_product_before_ub_has_the_last(GM_ADDR* gm, bool wrong) {
    CoupledTiles t(gm);
    t.Both();
    Mmad(t.c, t.a2, t.b2, kProduct);
    t.Out();
    if (!wrong) Sync<HardEvent::V_M>();
    PipeBarrier<PIPE_M>();
    Mmad(t.c, t.a2, t.b2, kSum);
    Sync<HardEvent::M_V>();
    DataCopy(t.co2[kFractal], t.c, {1, 1, 0, 0}, t.by_fractals);
    Sync<HardEvent::V_MTE3>();
    DataCopy(t.z[kFractal], t.co2[kFractal], kFractal);
}

__aicore__ void sum_before_its_first_value(GM_ADDR* gm, bool wrong) {
    CoupledTiles t(gm);
    t.Both();
    Duplicate(t.co2, 1.0f, kFractal);
    PipeBarrier<PIPE_V>();
    DataCopy(t.c, t.co2, {1, 1, 0, 0}, t.by_fractals);
    if (!wrong) Sync<HardEvent::V_M>();
    Mmad(t.c, t.a2, t.b2, kSum);
    Sync<HardEvent::M_V>();
    DataCopy(t.co2[kFractal], t.c, {1, 1, 0, 0}, t.by_fractals);
    Sync<HardEvent::V_MTE3>();
    DataCopy(t.z, t.co2[kFractal], kFractal);
}

// V and MTE3 on what comes from L0C

__aicore__ void stored_before_it_left_l0c(GM_ADDR* gm, bool wrong) {
    CoupledTiles t(gm);
    t.Both();
    Mmad(t.c, t.a2, t.b2, kProduct);
    Sync<HardEvent::M_V>();
    DataCopy(t.co2, t.c, {1, 1, 0, 0}, t.by_fractals);
    if (!wrong) Sync<HardEvent::V_MTE3>();
    DataCopy(t.z, t.co2, kFractal);
}

__aicore__ void next_result_over_what_is_stored(GM_ADDR* gm, bool wrong) {
    CoupledTiles t(gm);
    t.Both();
    Mmad(t.c, t.a2, t.b2, kProduct);
    Mmad(t.c[kFractal], t.a2, t.b2, kProduct);
    t.Out();
    if (!wrong) Sync<HardEvent::MTE3_V>();
    DataCopy(t.co2, t.c[kFractal], {1, 1, 0, 0}, t.by_fractals);
    Sync<HardEvent::V_MTE3>();
    DataCopy(t.z[kFractal], t.co2, kFractal);
}

// UB to L1: MTE3 with MTE1 and MTE2

__aicore__ void fractal_before_it_comes_from_ub(GM_ADDR* gm, bool wrong) {
    CoupledTiles t(gm);
    t.Right();
    DataCopy(t.ub, t.x, kFractal);
    Sync<HardEvent::MTE2_MTE3>();
    DataCopy(t.a1, t.ub, kFractal);
    if (!wrong) Sync<HardEvent::MTE3_MTE1>();
    LoadData(t.a2, t.a1, kOneFractal);
    Sync<HardEvent::MTE1_M>();
    Mmad(t.c, t.a2, t.b2, kProduct);
    t.Out();
}

__aicore__ void ub_over_a_fractal_in_use(GM_ADDR* gm, bool wrong) {
    CoupledTiles t(gm);
    t.Both();
    DataCopy(t.ub, t.x[kFractal], kFractal);
    Sync<HardEvent::MTE2_MTE3>();
    if (!wrong) Sync<HardEvent::MTE1_MTE3>();
    DataCopy(t.a1, t.ub, kFractal);
    Sync<HardEvent::MTE3_MTE1>();
    LoadData(t.a2[kFractal], t.a1, kOneFractal);
    Sync<HardEvent::MTE1_M>();
    Mmad(t.c, t.a2, t.b2, kProduct);
    PipeBarrier<PIPE_M>();
    Mmad(t.c, t.a2[kFractal], t.b2, kSum);
    t.Out();
}

// Zeros from UB, then the part that there is.
__aicore__ void load_over_zeros_from_ub(GM_ADDR* gm, bool wrong) {
    CoupledTiles t(gm);
    t.Right();
    Duplicate(t.ub, half(0), 2 * kFractal);
    Sync<HardEvent::V_MTE3>();
    DataCopy(t.a1, t.ub, 2 * kFractal);
    if (!wrong) Sync<HardEvent::MTE3_MTE2>();
    DataCopy(t.a1, t.x, kFractal);
    Sync<HardEvent::MTE2_MTE1>();
    Sync<HardEvent::MTE3_MTE1>();
    LoadData(t.a2, t.a1, LoadData2DParams(0, 2, 1, 0, 0, false, 0));
    Sync<HardEvent::MTE1_M>();
    Mmad(t.c, t.a2, t.b2, kProduct);
    PipeBarrier<PIPE_M>();
    Mmad(t.c, t.a2[kFractal], t.b2, kSum);
    t.Out();
}

// L1 to UB: MTE1 with V and MTE3

__aicore__ void add_before_it_comes_from_l1(GM_ADDR* gm, bool wrong) {
    CoupledTiles t(gm);
    DataCopy(t.a1, t.x, kFractal);
    Sync<HardEvent::MTE2_MTE1>();
    DataCopy(t.ub, t.a1, kFractal);
    if (!wrong) Sync<HardEvent::MTE1_V>();
    Adds(t.ub[kFractal], t.ub, half(1), kFractal);
    Sync<HardEvent::V_MTE3>();
    DataCopy(Gm<half>(gm[2], kFractal), t.ub[kFractal], kFractal);
}

__aicore__ void l1_over_what_the_add_reads(GM_ADDR* gm, bool wrong) {
    CoupledTiles t(gm);
    auto sum = t.co2.ReinterpretCast<half>();
    DataCopy(t.a1, t.x, 2 * kFractal);
    Sync<HardEvent::MTE2_MTE1>();
    DataCopy(t.ub, t.a1, kFractal);
    Sync<HardEvent::MTE1_V>();
    Adds(sum, t.ub, half(1), kFractal);
    if (!wrong) Sync<HardEvent::V_MTE1>();
    DataCopy(t.ub, t.a1[kFractal], kFractal);
    Sync<HardEvent::MTE1_V>();
    Add(sum, sum, t.ub, kFractal);
    Sync<HardEvent::V_MTE3>();
    DataCopy(Gm<half>(gm[2], kFractal), sum, kFractal);
}

__aicore__ void store_before_it_comes_from_l1(GM_ADDR* gm, bool wrong) {
    CoupledTiles t(gm);
    DataCopy(t.a1, t.x, kFractal);
    Sync<HardEvent::MTE2_MTE1>();
    DataCopy(t.ub, t.a1, kFractal);
    if (!wrong) Sync<HardEvent::MTE1_MTE3>();
    DataCopy(Gm<half>(gm[2], kFractal), t.ub, kFractal);
}

__aicore__ void l1_over_what_is_stored(GM_ADDR* gm, bool wrong) {
    CoupledTiles t(gm);
    auto z = Gm<half>(gm[2], 2 * kFractal);
    DataCopy(t.a1, t.x, 2 * kFractal);
    Sync<HardEvent::MTE2_MTE1>();
    DataCopy(t.ub, t.a1, kFractal);
    Sync<HardEvent::MTE1_MTE3>();
    DataCopy(z, t.ub, kFractal);
    if (!wrong) Sync<HardEvent::MTE3_MTE1>();
    DataCopy(t.ub, t.a1[kFractal], kFractal);
    Sync<HardEvent::MTE1_MTE3>();
    DataCopy(z[kFractal], t.ub, kFractal);
}

std::vector<Pair> Products() {
    return {
        {"coupled_fractal_before_its_load", "race", coupled_fractal_before_its_load, Matrices()},
        {"coupled_product_before_its_matrix", "race", coupled_product_before_its_matrix, Matrices()},
        {"coupled_fractal_before_the_product_has_read", "race", coupled_fractal_before_the_product_has_read,
         Matrices(2)},
        {"ub_before_the_product", "race", ub_before_the_product, Matrices()},
        {"next_product_before_ub_has_the_last", "race", next_product_before_ub_has_the_last, Matrices(1, 2)},
        {"sum_before_its_first_value", "race", sum_before_its_first_value, Matrices()},
        {"stored_before_it_left_l0c", "race", stored_before_it_left_l0c, Matrices()},
        {"next_result_over_what_is_stored", "race", next_result_over_what_is_stored, Matrices(1, 2)},
    };
}

}  // namespace

std::vector<Pair> CoupledPipePairs() {
    const Memory x = Input<half>("x", kFractal), two_x = Input<half>("x", 2 * kFractal), y = Input<half>("y", kFractal);
    const Memory z = Output<half>("z", kFractal), two_z = Output<half>("z", 2 * kFractal);
    return Together({
        On("Ascend310P3", Products()),
        On("Ascend910A", Products()),
        On("Ascend310P3",
           {
               {"fractal_before_it_comes_from_ub", "race", fractal_before_it_comes_from_ub, Matrices()},
               {"ub_over_a_fractal_in_use", "race", ub_over_a_fractal_in_use, Matrices(2)},
               {"load_over_zeros_from_ub", "race", load_over_zeros_from_ub, Matrices()},
               {"add_before_it_comes_from_l1", "race", add_before_it_comes_from_l1, {x, y, z}},
               {"l1_over_what_the_add_reads", "race", l1_over_what_the_add_reads, {two_x, y, z}},
               {"store_before_it_comes_from_l1", "race", store_before_it_comes_from_l1, {x, y, z}},
               {"l1_over_what_is_stored", "race", l1_over_what_is_stored, {two_x, y, two_z}},
           }),
    });
}

}  // namespace sfumato::pairs
