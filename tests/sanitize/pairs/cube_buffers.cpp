// SPDX-License-Identifier: Apache-2.0
// Buffers of the cube unit that are used again: two of them in turn, flags between two readers, the bias table and the
// Fixpipe buffer (cube.md 3 to 5).
#include "sanitize/pairs/cube_tiles.h"

namespace sfumato::pairs {
namespace {

// A word a column for int8_t: the scale 1.
Memory Scales(const char* name) {
    Memory words = Input<uint64_t>(name, kSide);
    const uint64_t one = (uint64_t{1} << 46) | 0x3F800000;
    for (uint32_t i = 0; i < kSide; ++i) std::memcpy(words.bytes.data() + i * sizeof(one), &one, sizeof(one));
    return words;
}

// A row in L1 and in the bias table.
struct BiasTiles : CubeTiles {
    explicit __aicore__ BiasTiles(GM_ADDR* gm) : CubeTiles(gm), bias(Gm<float>(gm[3], 2 * kSide)) {
        pipe.InitBuffer(c1_buffer, 2 * kSide * sizeof(float));
        pipe.InitBuffer(c2_buffer, kSide * sizeof(float));
        c1 = c1_buffer.Get<float>(), c2 = c2_buffer.Get<float>();
    }
    TBuf<TPosition::C1> c1_buffer;
    TBuf<TPosition::C2> c2_buffer;
    LocalTensor<float> c1, c2;
    GlobalTensor<float> bias;
};
std::vector<Memory> Biased(uint32_t out) {
    std::vector<Memory> gm = Matrices(1, out);
    gm.push_back(Input<float>("bias", 2 * kSide));
    return gm;
}

__aicore__ void second_l0_buffer_that_is_the_first(GM_ADDR* gm, bool wrong) {
    CubeTiles t(gm);
    t.Right();
    DataCopy(t.a1, t.x, 2 * kFractal);
    Sync<HardEvent::MTE2_MTE1>();
    for (uint32_t i = 0; i < 2; ++i) {
        LocalTensor<half> a2 = t.a2[wrong ? 0 : i * kFractal];
        LoadData(a2, t.a1[i * kFractal], kOneFractal);
        Sync<HardEvent::MTE1_M>(static_cast<TEventID>(i + 2));
        Mmad(t.c[i * kFractal], a2, t.b2, kProduct);
    }
    Sync<HardEvent::M_FIX>();
    for (uint32_t i = 0; i < 2; ++i) Fixpipe(t.z[i * kFractal], t.c[i * kFractal], kToRows);
}

__aicore__ void second_result_buffer_that_is_the_first(GM_ADDR* gm, bool wrong) {
    CubeTiles t(gm);
    t.Right();
    DataCopy(t.a1, t.x, 2 * kFractal);
    Sync<HardEvent::MTE2_MTE1>();
    for (uint32_t i = 0; i < 2; ++i) LoadData(t.a2[i * kFractal], t.a1[i * kFractal], kOneFractal);
    Sync<HardEvent::MTE1_M>();
    for (uint32_t i = 0; i < 2; ++i) {
        LocalTensor<float> c = t.c[wrong ? 0 : i * kFractal];
        Mmad(c, t.a2[i * kFractal], t.b2, kProduct);
        Sync<HardEvent::M_FIX>(static_cast<TEventID>(i));
        Fixpipe(t.z[i * kFractal], c, kToRows);
    }
}

// The flag back is set when one of two loads has read L1.
__aicore__ void l1_released_between_two_loads(GM_ADDR* gm, bool wrong) {
    CubeTiles t(gm);
    t.Right();
    DataCopy(t.a1, t.x, kFractal);
    Sync<HardEvent::MTE2_MTE1>();
    LoadData(t.a2, t.a1, kOneFractal);
    if (wrong) SetFlag<HardEvent::MTE1_MTE2>(0);
    LoadData(t.a2[kFractal], t.a1, kOneFractal);
    if (!wrong) SetFlag<HardEvent::MTE1_MTE2>(0);
    WaitFlag<HardEvent::MTE1_MTE2>(0);
    DataCopy(t.a1, t.x[kFractal], kFractal);
    Sync<HardEvent::MTE1_M>();
    for (uint32_t i = 0; i < 2; ++i) Mmad(t.c[i * kFractal], t.a2[i * kFractal], t.b2, kProduct);
    Sync<HardEvent::M_FIX>();
    for (uint32_t i = 0; i < 2; ++i) Fixpipe(t.z[i * kFractal], t.c[i * kFractal], kToRows);
}

// The right matrix stays for two products; its flag back is set after the first.
__aicore__ void right_matrix_released_between_two_products(GM_ADDR* gm, bool wrong) {
    CubeTiles t(gm);
    t.Right();
    DataCopy(t.a1, t.x, 2 * kFractal);
    Sync<HardEvent::MTE2_MTE1>();
    for (uint32_t i = 0; i < 2; ++i) LoadData(t.a2[i * kFractal], t.a1[i * kFractal], kOneFractal);
    Sync<HardEvent::MTE1_M>();
    Mmad(t.c, t.a2, t.b2, kProduct);
    if (wrong) SetFlag<HardEvent::M_MTE1>(0);
    Mmad(t.c[kFractal], t.a2[kFractal], t.b2, kProduct);
    if (!wrong) SetFlag<HardEvent::M_MTE1>(0);
    WaitFlag<HardEvent::M_MTE1>(0);
    LoadData(t.b2, t.a1, kOneFractal);
    Sync<HardEvent::MTE1_M>();
    Sync<HardEvent::M_FIX>();
    for (uint32_t i = 0; i < 2; ++i) Fixpipe(t.z[i * kFractal], t.c[i * kFractal], kToRows);
}

__aicore__ void result_taken_between_two_products(GM_ADDR* gm, bool wrong) {
    CubeTiles t(gm);
    t.Right();
    DataCopy(t.a1, t.x, 2 * kFractal);
    Sync<HardEvent::MTE2_MTE1>();
    for (uint32_t i = 0; i < 2; ++i) LoadData(t.a2[i * kFractal], t.a1[i * kFractal], kOneFractal);
    Sync<HardEvent::MTE1_M>();
    Mmad(t.c, t.a2, t.b2, kProduct);
    if (wrong) Sync<HardEvent::M_FIX>();
    Mmad(t.c[kFractal], t.a2[kFractal], t.b2, kProduct);
    if (!wrong) Sync<HardEvent::M_FIX>();
    Fixpipe(t.z, t.c, kToRows);
    Fixpipe(t.z[kFractal], t.c[kFractal], kToRows);
}

__aicore__ void bias_table_copied_before_its_load(GM_ADDR* gm, bool wrong) {
    BiasTiles t(gm);
    t.Right();
    DataCopy(t.a1, t.x, kFractal);
    if (!wrong) DataCopy(t.c1, t.bias, kSide);
    Sync<HardEvent::MTE2_MTE1>();
    if (wrong) DataCopy(t.c1, t.bias, kSide);
    LoadData(t.a2, t.a1, kOneFractal);
    DataCopy(t.c2, t.c1, kSide);
    Sync<HardEvent::MTE1_M>();
    Mmad(t.c, t.a2, t.b2, t.c2, kSum);
    t.Out();
}

__aicore__ void bias_table_filled_again_before_it_was_read(GM_ADDR* gm, bool wrong) {
    BiasTiles t(gm);
    DataCopy(t.c1, t.bias, 2 * kSide);
    t.Both();
    DataCopy(t.c2, t.c1, kSide);
    Sync<HardEvent::MTE1_M>();
    Mmad(t.c, t.a2, t.b2, t.c2, kSum);
    if (!wrong) Sync<HardEvent::M_MTE1>();
    DataCopy(t.c2, t.c1[kSide], kSide);
    Sync<HardEvent::MTE1_M>(3);
    Mmad(t.c[kFractal], t.a2, t.b2, t.c2, kSum);
    Sync<HardEvent::M_FIX>();
    for (uint32_t i = 0; i < 2; ++i) Fixpipe(t.z[i * kFractal], t.c[i * kFractal], kToRows);
}

// The words of a vector scale come to the Fixpipe buffer by FIX itself.
__aicore__ void fixpipe_buffer_read_while_it_is_filled(GM_ADDR* gm, bool wrong) {
    CubeTiles t(gm);
    TBuf<TPosition::C1> words_buffer;
    TBuf<TPosition::C2PIPE2GM> table_buffer;
    t.pipe.InitBuffer(words_buffer, kSide * sizeof(uint64_t));
    t.pipe.InitBuffer(table_buffer, kSide * sizeof(uint64_t));
    LocalTensor<uint64_t> words = words_buffer.Get<uint64_t>(), table = table_buffer.Get<uint64_t>();
    DataCopy(words, Gm<uint64_t>(gm[3], kSide), kSide);
    t.Multiply();
    Sync<HardEvent::MTE1_FIX>();
    DataCopy(table, words, DataCopyParams(1, 1, 0, 0));
    if (!wrong) PipeBarrier<PIPE_FIX>();
    SetFixPipeConfig(table);
    SetFixpipeNz2ndFlag(1, 1, 1);
    DataCopy(Gm<int8_t>(gm[2], kFractal), t.c,
             DataCopyCO12DstParams(kSide, kSide, kSide, kSide, VQF322B8_PRE, 0, false, true));
}

}  // namespace

std::vector<Pair> CubeBufferPairs() {
    const Memory x = Input<half>("x", kFractal), y = Input<half>("y", kFractal), z = Output<int8_t>("z", kFractal);
    return OnCube({
        {"second_l0_buffer_that_is_the_first", "race", second_l0_buffer_that_is_the_first, Matrices(2, 2)},
        {"second_result_buffer_that_is_the_first", "race", second_result_buffer_that_is_the_first, Matrices(2, 2)},
        {"l1_released_between_two_loads", "race", l1_released_between_two_loads, Matrices(2, 2)},
        {"right_matrix_released_between_two_products", "race", right_matrix_released_between_two_products,
         Matrices(2, 2)},
        {"result_taken_between_two_products", "race", result_taken_between_two_products, Matrices(2, 2)},
        {"bias_table_copied_before_its_load", "race", bias_table_copied_before_its_load, Biased(1)},
        {"bias_table_filled_again_before_it_was_read", "race", bias_table_filled_again_before_it_was_read, Biased(2)},
        {"fixpipe_buffer_read_while_it_is_filled",
         "race",
         fixpipe_buffer_read_while_it_is_filled,
         {x, y, z, Scales("scales")}},
    });
}

}  // namespace sfumato::pairs
