// SPDX-License-Identifier: Apache-2.0
// Wrong programs: Nd2Nz, Nz2Nd, Fill, BroadCastVecToMM, moves to the bias table and the Fixpipe buffer, paths of
// DataCopy, and atomic stores (framework.md 3.3, 3.5, 3.7, 3.9, 3.10).
#include "wrong_programs.h"

namespace sfumato::wrong {
namespace {

// One matrix of 16 x 16 half elements.
Nd2NzParams Rows() { return {1, 16, 16, 0, 16, 16, 1, 0}; }
Nz2NdParamsFull Fractal() { return {1, 16, 16, 1, 16, 16, 256}; }

template <auto kField, uint16_t kValue, uint16_t kColumns = 16>
__aicore__ void WithRows(GM_ADDR gm, GM_ADDR) {
    auto a1 = At<half>(TPosition::A1, 256);
    Nd2NzParams params = Rows();
    params.dValue = kColumns, params.*kField = kValue;
    Wrong(), DataCopy(a1, Gm<half>(gm, 2048), params);
}
template <auto kField, uint16_t kValue, uint16_t kMatrices = 1, uint16_t kColumns = 16>
__aicore__ void WithFractal(GM_ADDR gm, GM_ADDR) {
    auto out = At<half>(TPosition::VECOUT, 1024);
    Nz2NdParamsFull params = Fractal();
    params.ndNum = kMatrices, params.dValue = kColumns, params.*kField = kValue;
    Wrong(), DataCopy(Gm<half>(gm, 2048), out, params);
}
template <class T, TPosition kTo, uint16_t kRepeats, uint16_t kBlocks, uint16_t kGap, uint32_t kOffset = 0>
__aicore__ void Filled(GM_ADDR, GM_ADDR) {
    auto to = At<T>(kTo, 1024, kOffset);
    Wrong(), Fill(to, {kRepeats, kBlocks, kGap, T(0)});
}
template <class T, class U, TPosition kTo, uint32_t kOffset, uint16_t kLength>
__aicore__ void ToTable(GM_ADDR, GM_ADDR) {
    auto to = At<T>(kTo, 64, kOffset);
    auto c1 = At<U>(TPosition::A1, 64);
    Wrong(), DataCopy(to, c1, {1, kLength, 0, 0});
}
template <class T, TPosition kTo, TPosition kFrom>
__aicore__ void Local(GM_ADDR, GM_ADDR) {
    auto to = At<T>(kTo, 256), from = At<T>(kFrom, 256);
    Wrong(), DataCopy(to, from, 256);
}
template <class T, class U, int32_t kCount, uint8_t kLength, uint32_t kOffset = 0>
__aicore__ void Broadcast(GM_ADDR, GM_ADDR) {
    auto c = At<T>(TPosition::CO1, 512, kOffset);
    auto row = At<U>(TPosition::VECIN, 64);
    Wrong(), BroadCastVecToMM(c, row, kCount, kLength, 0, 0);
}

}  // namespace

using Nd = Nd2NzParams;
using Nz = Nz2NdParamsFull;

const Table<Program> kCubeMove = {
    {"nd2nz_on_910", "instruction-unsupported", WithRows<&Nd::ndNum, 1>, {.chip = "Ascend910A"}},
    {"nd2nz_of_no_matrices", "nothing-to-do", WithRows<&Nd::ndNum, 0>, {.core = CoreChoice::kCube}},
    {"nd2nz_of_no_rows", "nothing-to-do", WithRows<&Nd::nValue, 0>, {.core = CoreChoice::kCube}},
    {"nd2nz_too_many_matrices", "parameter-range", WithRows<&Nd::ndNum, 4096>, {.core = CoreChoice::kCube}},
    {"nd2nz_too_many_rows", "parameter-range", WithRows<&Nd::nValue, 16385>, {.chip = "Ascend310P3"}},
    {"nd2nz_source_of_no_width", "parameter-range", WithRows<&Nd::srcDValue, 0>, {.core = CoreChoice::kCube}},
    {"nd2nz_column_stride_zero", "parameter-range",
     WithRows<&Nd::dstNzC0Stride, 0, 32>, {.core = CoreChoice::kCube}},
    {"nd2nz_row_stride_too_large", "parameter-range", WithRows<&Nd::dstNzNStride, 16385>, {.chip = "Ascend310B1"}},
    {"nd2nz_writes_past_its_l1_tensor", "out-of-buffer", WithRows<&Nd::dValue, 17>, {.core = CoreChoice::kCube}},
    {"nd2nz_reads_past_gm", "gm-out-of-range", WithRows<&Nd::srcDValue, 200>, {.core = CoreChoice::kCube}},
    {"nd2nz_into_l0a", "memory-path", [](GM_ADDR gm, GM_ADDR) __aicore__ {
         auto a2 = At<half>(TPosition::A2, 256);
         Wrong(), DataCopy(a2, Gm<half>(gm, 256), Rows());
     }, {.core = CoreChoice::kCube}},
    {"nd2nz_a1_misaligned", "l1-alignment", [](GM_ADDR gm, GM_ADDR) __aicore__ {
         auto a1 = At<half>(TPosition::A1, 512);
         Wrong(), DataCopy(a1[8], Gm<half>(gm, 256), Rows());
     }, {.core = CoreChoice::kCube}},
    {"nz2nd_on_310b", "instruction-unsupported", WithFractal<&Nz::nValue, 16>, {.chip = "Ascend310B1"}},
    {"nz2nd_of_no_columns", "nothing-to-do", WithFractal<&Nz::dValue, 0>},
    {"nz2nd_too_many_rows", "parameter-range", WithFractal<&Nz::nValue, 8193>, {.chip = "Ascend310P3"}},
    {"nz2nd_of_a_part_of_a_fractal", "parameter-alignment", WithFractal<&Nz::dValue, 24>, {.chip = "Ascend310P3"}},
    {"nz2nd_column_stride_too_large", "parameter-range", WithFractal<&Nz::srcNStride, 4097, 1, 32>},
    {"nz2nd_row_stride_zero", "parameter-range", WithFractal<&Nz::dstDStride, 0>},
    {"nz2nd_matrices_in_one_place", "parameter-range", WithFractal<&Nz::dstNdMatrixStride, 0, 2>},
    {"nz2nd_writes_past_gm", "gm-out-of-range", WithFractal<&Nz::dstDStride, 160>, {.chip = "Ascend310P3"}},
    {"fill_of_nothing", "nothing-to-do", Filled<half, TPosition::A1, 0, 1, 0>, {.core = CoreChoice::kCube}},
    {"fill_of_no_blocks", "nothing-to-do", Filled<half, TPosition::A1, 1, 0, 0>, {.core = CoreChoice::kCube}},
    {"fill_too_often", "parameter-range", Filled<half, TPosition::A2, 32768, 1, 0>, {.core = CoreChoice::kCube}},
    {"fill_gap_too_large", "parameter-range", Filled<half, TPosition::B1, 2, 1, 32768>, {.chip = "Ascend310B1"}},
    {"fill_of_ub", "memory-path", Filled<half, TPosition::VECCALC, 1, 1, 0>, {.chip = "Ascend310B1"}},
    {"fill_of_l0c", "memory-path", Filled<float, TPosition::CO1, 1, 1, 0>, {.core = CoreChoice::kCube}},
    {"fill_of_bytes", "type-unsupported", Filled<int8_t, TPosition::A1, 1, 1, 0>, {.core = CoreChoice::kCube}},
    {"fill_of_int16_on_910", "type-unsupported", Filled<int16_t, TPosition::A2, 1, 0, 0>, {.chip = "Ascend910A"}},
    {"fill_of_blocks_on_310p", "fill-blocks-ignored",
     Filled<half, TPosition::A2, 2, 1, 1>, {.chip = "Ascend310P3"}},
    {"fill_a2_misaligned", "l0-alignment", Filled<half, TPosition::A2, 1, 1, 0, 64>, {.core = CoreChoice::kCube}},
    {"fill_writes_past_its_l0b_tensor", "out-of-buffer",
     Filled<half, TPosition::B2, 2, 2, 1>, {.core = CoreChoice::kCube}},
    {"bias_misaligned", "bt-alignment", ToTable<float, float, TPosition::C2, 32, 1>, {.core = CoreChoice::kCube}},
    {"bias_that_stays_half", "type-unsupported",
     ToTable<half, half, TPosition::C2, 0, 1>, {.core = CoreChoice::kCube}},
    {"bias_of_int8", "type-unsupported", ToTable<int32_t, int8_t, TPosition::C2, 0, 1>, {.chip = "Ascend310B1"}},
    {"bias_longer_than_its_tensor", "out-of-buffer",
     ToTable<float, half, TPosition::C2, 0, 5>, {.core = CoreChoice::kCube}},
    {"bias_of_nothing", "move-nothing", ToTable<float, float, TPosition::C2, 0, 0>, {.core = CoreChoice::kCube}},
    {"bias_in_blocks_without_gaps", "bias-gap", [](GM_ADDR, GM_ADDR) __aicore__ {
         auto c2 = At<float>(TPosition::C2, 64), c1 = At<float>(TPosition::C1, 64);
         Wrong(), DataCopy(c2, c1, {2, 1, 0, 0});
     }, {.core = CoreChoice::kCube}},
    {"fixpipe_words_of_float", "type-unsupported",
     ToTable<float, float, TPosition::C2PIPE2GM, 0, 1>, {.core = CoreChoice::kCube}},
    {"fixpipe_words_misaligned", "fb-alignment",
     ToTable<uint64_t, uint64_t, TPosition::C2PIPE2GM, 64, 1>, {.core = CoreChoice::kCube}},
    {"fixpipe_buffer_on_310p", "static-tensor",
     [](GM_ADDR, GM_ADDR) __aicore__ { Wrong(), LocalTensor<uint64_t>(TPosition::C2PIPE2GM, 0, 16); },
     {.chip = "Ascend310P3"}},
    {"l1_tensor_larger_than_l1", "static-tensor",
     [](GM_ADDR, GM_ADDR) __aicore__ { Wrong(), LocalTensor<half>(TPosition::A1, 0, 300000); },
     {.core = CoreChoice::kCube}},
    {"copy_ub_to_l1_on_910b", "memory-path", Local<half, TPosition::A1, TPosition::VECOUT>},
    {"copy_l1_to_ub_on_910", "memory-path", Local<half, TPosition::VECIN, TPosition::A1>, {.chip = "Ascend910A"}},
    {"copy_l1_to_l0a", "memory-path", Local<half, TPosition::A2, TPosition::A1>, {.core = CoreChoice::kCube}},
    {"copy_l1_to_gm_on_310p", "memory-path", [](GM_ADDR gm, GM_ADDR) __aicore__ {
         auto a1 = At<half>(TPosition::A1, 256);
         Wrong(), DataCopy(Gm<half>(gm, 256), a1, 256);
     }, {.chip = "Ascend310P3"}},
    {"broadcast_on_910", "instruction-unsupported", Broadcast<half, half, 1, 1>, {.chip = "Ascend910A"}},
    {"broadcast_of_int16", "type-unsupported", Broadcast<int16_t, int16_t, 1, 1>, {.chip = "Ascend310P3"}},
    {"broadcast_of_another_type", "type-mismatch", Broadcast<float, half, 1, 1>, {.chip = "Ascend310P3"}},
    {"broadcast_into_a_fractal", "l0c-alignment", Broadcast<float, float, 1, 1, 512>, {.chip = "Ascend310P3"}},
    {"broadcast_of_nothing", "nothing-to-do", Broadcast<half, half, 1, 0>, {.chip = "Ascend310P3"}},
    {"broadcast_of_too_many", "parameter-range", Broadcast<half, half, 256, 1>, {.chip = "Ascend310P3"}},
    {"broadcast_past_its_tensor", "out-of-buffer", Broadcast<half, half, 1, 3>, {.chip = "Ascend310P3"}},
    {"copy_gm_to_l0c", "memory-path", [](GM_ADDR gm, GM_ADDR) __aicore__ {
         auto c = At<float>(TPosition::CO1, 256);
         Wrong(), DataCopy(c, Gm<float>(gm, 256), 256);
     }, {.chip = "Ascend910A"}},
    {"copy_l1_reads_past_its_tensor", "out-of-buffer", [](GM_ADDR gm, GM_ADDR) __aicore__ {
         auto a1 = At<half>(TPosition::A1, 256);
         Wrong(), DataCopy(Gm<half>(gm, 2048), a1, 512);
     }, {.core = CoreChoice::kCube}},
    {"atomic_add_of_half_on_910", "atomic-unsupported",
     [](GM_ADDR, GM_ADDR) __aicore__ { Wrong(), SetAtomicAdd<half>(); }, {.chip = "Ascend910A"}},
    {"atomic_add_of_int32_on_310p", "atomic-unsupported",
     [](GM_ADDR, GM_ADDR) __aicore__ { Wrong(), SetAtomicAdd<int32_t>(); }, {.chip = "Ascend310P3"}},
    {"atomic_max_on_310b", "atomic-unsupported",
     [](GM_ADDR, GM_ADDR) __aicore__ { Wrong(), SetAtomicMax<float>(); }, {.chip = "Ascend310B1"}},
    {"atomic_min_of_uint8", "atomic-unsupported",
     [](GM_ADDR, GM_ADDR) __aicore__ { Wrong(), SetAtomicMin<uint8_t>(); }},
    {"atomic_type_of_int64", "atomic-unsupported", [](GM_ADDR, GM_ADDR) __aicore__ {
         SetAtomicAdd<float>();
         Wrong(), SetAtomicType<int64_t>();
         SetAtomicNone();
     }},
    {"store_of_another_type_than_the_atomic_mode", "atomic-type", [](GM_ADDR gm, GM_ADDR) __aicore__ {
         auto out = At<half>(TPosition::VECOUT, 256);
         SetAtomicAdd<float>();
         Wrong(), DataCopy(Gm<half>(gm, 256), out, 256);
         SetAtomicNone();
     }, {.chip = "Ascend310P3"}},
    {"atomic_mode_left_on", "atomic-left-on",
     [](GM_ADDR, GM_ADDR) __aicore__ { Earlier(), Wrong(), SetAtomicAdd<float>(); }, {.chip = "Ascend910A"}},
};

}  // namespace sfumato::wrong
