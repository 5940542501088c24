// SPDX-License-Identifier: Apache-2.0
// Every ordered pair of MTE1, MTE2, MTE3, M and FIX of a cube core without its flag (framework.md 2.2), in each
// direction that two pipes can meet. Nothing is inserted there (2.5).
#include "sanitize/pairs/cube_tiles.h"

namespace sfumato::pairs {
namespace {

// MTE2 to MTE1

__aicore__ void fractal_before_its_load(GM_ADDR* gm, bool wrong) {
    CubeTiles t(gm);
    t.Right();
    DataCopy(t.a1, t.x, kFractal);
    if (!wrong) Sync<HardEvent::MTE2_MTE1>();
    LoadData(t.a2, t.a1, kOneFractal);
    Sync<HardEvent::MTE1_M>();
    Mmad(t.c, t.a2, t.b2, kProduct);
    t.Out();
}

__aicore__ void second_matrix_after_the_flag(GM_ADDR* gm, bool wrong) {
    CubeTiles t(gm);
    DataCopy(t.a1, t.x, kFractal);
    if (wrong) Sync<HardEvent::MTE2_MTE1>();
    DataCopy(t.b1, t.y, kFractal);
    if (!wrong) Sync<HardEvent::MTE2_MTE1>();
    LoadData(t.a2, t.a1, kOneFractal);
    LoadData(t.b2, t.b1, kOneFractal);
    Sync<HardEvent::MTE1_M>();
    Mmad(t.c, t.a2, t.b2, kProduct);
    t.Out();
}

__aicore__ void nd2nz_load_before_its_flag(GM_ADDR* gm, bool wrong) {
    CubeTiles t(gm);
    t.Right();
    DataCopy(t.a1, t.x, Nd2NzParams(1, kSide, kSide, 0, kSide, kSide, 1, 0));
    if (!wrong) Sync<HardEvent::MTE2_MTE1>();
    LoadData(t.a2, t.a1, kOneFractal);
    Sync<HardEvent::MTE1_M>();
    Mmad(t.c, t.a2, t.b2, kProduct);
    t.Out();
}

__aicore__ void load_into_l0_twice(GM_ADDR* gm, bool wrong) {
    CubeTiles t(gm);
    t.Right();
    DataCopy(t.a1, t.x, kFractal);
    Sync<HardEvent::MTE2_MTE1>();
    LoadData(t.a2, t.x[kFractal], kOneFractal);
    if (!wrong) Sync<HardEvent::MTE2_MTE1>(3);
    LoadData(t.a2, t.a1, kOneFractal);
    Sync<HardEvent::MTE1_M>();
    Mmad(t.c, t.a2, t.b2, kProduct);
    t.Out();
}

// MTE1 to MTE2

__aicore__ void next_load_before_the_fractal_is_out(GM_ADDR* gm, bool wrong) {
    CubeTiles t(gm);
    t.Right();
    DataCopy(t.a1, t.x, kFractal);
    Sync<HardEvent::MTE2_MTE1>();
    LoadData(t.a2, t.a1, kOneFractal);
    if (!wrong) Sync<HardEvent::MTE1_MTE2>();
    DataCopy(t.a1, t.x[kFractal], kFractal);
    Sync<HardEvent::MTE2_MTE1>();
    LoadData(t.a2[kFractal], t.a1, kOneFractal);
    Sync<HardEvent::MTE1_M>();
    Mmad(t.c, t.a2, t.b2, kProduct);
    PipeBarrier<PIPE_M>();
    Mmad(t.c, t.a2[kFractal], t.b2, kSum);
    t.Out();
}

__aicore__ void direct_load_over_a_fill(GM_ADDR* gm, bool wrong) {
    CubeTiles t(gm);
    t.Right();
    Fill(t.a2, {1, 1, 0, half(0)});
    if (!wrong) Sync<HardEvent::MTE1_MTE2>();
    LoadData(t.a2, t.x, kOneFractal);
    Sync<HardEvent::MTE2_M>();
    Sync<HardEvent::MTE1_M>();
    Mmad(t.c, t.a2, t.b2, kProduct);
    t.Out();
}

// MTE1 to M

__aicore__ void product_before_its_left_matrix(GM_ADDR* gm, bool wrong) {
    CubeTiles t(gm);
    t.Right();
    DataCopy(t.a1, t.x, kFractal);
    Sync<HardEvent::MTE2_MTE1>();
    LoadData(t.a2, t.a1, kOneFractal);
    if (!wrong) Sync<HardEvent::MTE1_M>();
    Mmad(t.c, t.a2, t.b2, kProduct);
    t.Out();
}

__aicore__ void product_before_its_right_matrix(GM_ADDR* gm, bool wrong) {
    CubeTiles t(gm);
    DataCopy(t.a1, t.x, kFractal);
    DataCopy(t.b1, t.y, kFractal);
    Sync<HardEvent::MTE2_MTE1>();
    LoadData(t.a2, t.a1, kOneFractal);
    if (wrong) Sync<HardEvent::MTE1_M>();
    LoadDataWithTranspose(t.b2, t.b1, LoadData2dTransposeParams(0, 1, 0, 0, 0));
    if (!wrong) Sync<HardEvent::MTE1_M>();
    Mmad(t.c, t.a2, t.b2, kProduct);
    t.Out();
}

__aicore__ void product_before_its_bias(GM_ADDR* gm, bool wrong) {
    CubeTiles t(gm, 4);
    TBuf<TPosition::C1> far;
    TBuf<TPosition::C2> near;
    t.pipe.InitBuffer(far, kSide * sizeof(float));
    t.pipe.InitBuffer(near, kSide * sizeof(float));
    LocalTensor<float> c1 = far.Get<float>(), c2 = near.Get<float>();
    t.Both();
    DataCopy(c1, Gm<float>(gm[2], kSide), kSide);
    Sync<HardEvent::MTE2_MTE1>();
    DataCopy(c2, c1, kSide);
    if (!wrong) Sync<HardEvent::MTE1_M>();
    Mmad(t.c, t.a2, t.b2, c2, MmadParams(kSide, kSide, kSide, 0, false, false));
    t.Out();
}

// M to MTE1

__aicore__ void next_fractal_before_the_product_has_read(GM_ADDR* gm, bool wrong) {
    CubeTiles t(gm);
    t.Right();
    DataCopy(t.a1, t.x, 2 * kFractal);
    Sync<HardEvent::MTE2_MTE1>();
    LoadData(t.a2, t.a1, kOneFractal);
    Sync<HardEvent::MTE1_M>();
    Mmad(t.c, t.a2, t.b2, kProduct);
    if (!wrong) Sync<HardEvent::M_MTE1>();
    LoadData(t.a2, t.a1[kFractal], kOneFractal);
    Sync<HardEvent::MTE1_M>();
    PipeBarrier<PIPE_M>();
    Mmad(t.c, t.a2, t.b2, kSum);
    t.Out();
}

// A loop over k with one buffer: the load of the next part.
__aicore__ void loop_over_k_loads_too_early(GM_ADDR* gm, bool wrong) {
    CubeTiles t(gm);
    t.Right();
    DataCopy(t.a1, t.x, 2 * kFractal);
    Sync<HardEvent::MTE2_MTE1>();
    for (uint32_t k = 0; k < 2; ++k) {
        if (!wrong && k > 0) Sync<HardEvent::M_MTE1>();
        LoadData(t.a2, t.a1[k * kFractal], kOneFractal);
        Sync<HardEvent::MTE1_M>();
        PipeBarrier<PIPE_M>();
        Mmad(t.c, t.a2, t.b2, k == 0 ? kProduct : kSum);
    }
    t.Out();
}

// MTE2 to M, M to MTE2: global memory to L0

__aicore__ void product_before_its_direct_load(GM_ADDR* gm, bool wrong) {
    CubeTiles t(gm);
    t.Right();
    LoadData(t.a2, t.x, kOneFractal);
    if (!wrong) Sync<HardEvent::MTE2_M>();
    Mmad(t.c, t.a2, t.b2, kProduct);
    t.Out();
}

__aicore__ void direct_load_before_the_product_has_read(GM_ADDR* gm, bool wrong) {
    CubeTiles t(gm);
    t.Right();
    LoadData(t.a2, t.x, kOneFractal);
    Sync<HardEvent::MTE2_M>();
    Mmad(t.c, t.a2, t.b2, kProduct);
    if (!wrong) Sync<HardEvent::M_MTE2>();
    LoadData(t.a2, t.x[kFractal], kOneFractal);
    Sync<HardEvent::MTE2_M>();
    PipeBarrier<PIPE_M>();
    Mmad(t.c, t.a2, t.b2, kSum);
    t.Out();
}

// M to FIX, FIX to M

__aicore__ void result_before_the_product(GM_ADDR* gm, bool wrong) {
    CubeTiles t(gm);
    t.Both();
    Mmad(t.c, t.a2, t.b2, kProduct);
    if (!wrong) Sync<HardEvent::M_FIX>();
    Fixpipe(t.z, t.c, kToRows);
}

__aicore__ void half_result_before_the_product(GM_ADDR* gm, bool wrong) {
    CubeTiles t(gm);
    t.Both();
    Mmad(t.c, t.a2, t.b2, kProduct);
    if (!wrong) Sync<HardEvent::M_FIX>();
    Fixpipe(Gm<half>(gm[2], kFractal), t.c, kToHalf);
}

__aicore__ void next_product_before_the_result_is_out(GM_ADDR* gm, bool wrong) {
    CubeTiles t(gm);
    t.Both();
    Mmad(t.c, t.a2, t.b2, kProduct);
    t.Out();
    if (!wrong) Sync<HardEvent::FIX_M>();
    PipeBarrier<PIPE_M>();
    Mmad(t.c, t.a2, t.b2, kProduct);
    Sync<HardEvent::M_FIX>();
    Fixpipe(t.z[kFractal], t.c, kToRows);
}

__aicore__ void sum_before_the_result_is_out(GM_ADDR* gm, bool wrong) {
    CubeTiles t(gm);
    t.Both();
    Mmad(t.c, t.a2, t.b2, kProduct);
    t.Out();
    if (!wrong) Sync<HardEvent::FIX_M>();
    PipeBarrier<PIPE_M>();
    Mmad(t.c, t.a2, t.b2, kSum);
    Sync<HardEvent::M_FIX>();
    Fixpipe(t.z[kFractal], t.c, kToRows);
}

__aicore__ void result_taken_without_its_unit_flag(GM_ADDR* gm, bool wrong) {
    CubeTiles t(gm);
    t.Both();
    Mmad(t.c, t.a2, t.b2, MmadParams(kSide, kSide, kSide, 2, false, true));
    PipeBarrier<PIPE_M>();
    Mmad(t.c, t.a2, t.b2, MmadParams(kSide, kSide, kSide, 3, false, false));
    if (wrong) Sync<HardEvent::M_FIX>();
    FixpipeParamsV220 out = kToRows;
    out.unitFlag = wrong ? 0 : 3;
    Fixpipe(t.z, t.c, out);
}

std::vector<Pair> Basic() {
    return {
        {"fractal_before_its_load", "race", fractal_before_its_load, Matrices()},
        {"next_load_before_the_fractal_is_out", "race", next_load_before_the_fractal_is_out, Matrices(2)},
        {"product_before_its_left_matrix", "race", product_before_its_left_matrix, Matrices()},
        {"next_fractal_before_the_product_has_read", "race", next_fractal_before_the_product_has_read, Matrices(2)},
        {"product_before_its_direct_load", "race", product_before_its_direct_load, Matrices()},
        {"result_before_the_product", "race", result_before_the_product, Matrices()},
        {"next_product_before_the_result_is_out", "race", next_product_before_the_result_is_out, Matrices(1, 2)},
    };
}

}  // namespace

std::vector<Pair> AicPipePairs() {
    const Memory x = Input<half>("x", kFractal), y = Input<half>("y", kFractal), z = Output<float>("z", kFractal);
    const Memory half_z = Output<half>("z", kFractal), workspace = Workspace<half>("workspace", kFractal);
    return Together(
        {On("Ascend310B1", Basic()), OnCube(Basic()),
         OnCube({
             {"result_taken_without_its_unit_flag", "unit-flag-left", result_taken_without_its_unit_flag, Matrices()},
             {"second_matrix_after_the_flag", "race", second_matrix_after_the_flag, Matrices()},
             {"nd2nz_load_before_its_flag", "race", nd2nz_load_before_its_flag, Matrices()},
             {"load_into_l0_twice", "race", load_into_l0_twice, Matrices(2)},
             {"direct_load_over_a_fill", "race", direct_load_over_a_fill, Matrices()},
             {"product_before_its_right_matrix", "race", product_before_its_right_matrix, Matrices()},
             {"product_before_its_bias", "race", product_before_its_bias, {x, y, Input<float>("bias", kSide), z}},
             {"loop_over_k_loads_too_early", "race", loop_over_k_loads_too_early, Matrices(2)},
             {"direct_load_before_the_product_has_read", "race", direct_load_before_the_product_has_read, Matrices(2)},
             {"half_result_before_the_product", "race", half_result_before_the_product, {x, y, half_z}},
             {"sum_before_the_result_is_out", "race", sum_before_the_result_is_out, Matrices(1, 2)},
         })});
}

}  // namespace sfumato::pairs
