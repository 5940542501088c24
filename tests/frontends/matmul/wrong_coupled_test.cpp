// SPDX-License-Identifier: Apache-2.0
// Matmul on Ascend310P: what it cannot do there, and what it needs.
#include "wrong_programs.h"

namespace sfumato::matmul_test {
namespace {

template <class T, bool trans = false>
using GmOf = MatmulType<TPosition::GM, CubeFormat::ND, T, trans>;
using InUb = MatmulType<TPosition::VECOUT, CubeFormat::ND, half>;
using BsngdIn = MatmulType<TPosition::GM, CubeFormat::ND, half, false, LayoutMode::BSNGD>;

using BatchRow = MatmulType<TPosition::GM, CubeFormat::ND, float, false, LayoutMode::NORMAL>;
constexpr MatmulConfig OneBias() {
    MatmulConfig config = GetNormalConfig();
    config.isBiasBatch = false;
    return config;
}
constexpr MatmulConfig kOneBias = OneBias();

void CopyIn(const LocalTensor<int8_t>&, const void*, int, int, int, int, const uint64_t, const uint64_t) {}

// A Matmul that is only given its tiling.
template <class A, class B, class C, class Bias = C, class CallBack = MatmulCallBackFunc<>>
std::function<void(World&)> Given() {
    return [](World& w) {
        TCubeTiling tiling = w.tiling;
        tiling.isBias = 1;
        TPipe pipe;
        Matmul<A, B, C, Bias, CFG_NORM, CallBack> mm;
        REGIST_MATMUL_OBJ(&pipe, GetSysWorkSpacePtr(), mm, &tiling);
    };
}
// One with scratch; body sets the rest.
template <class A, class C, class Body>
std::function<void(World&)> WithScratch(const Body& body, uint32_t bytes = 32 * 48 * 4) {
    return [body, bytes](World& w) {
        TPipe pipe;
        Matmul<A, In, C> mm;
        REGIST_MATMUL_OBJ(&pipe, GetSysWorkSpacePtr(), mm, &w.tiling);
        TBuf<TPosition::VECCALC> scratch;
        if (bytes) {
            pipe.InitBuffer(scratch, bytes);
            mm.SetLocalWorkspace(scratch.Get<uint8_t>());
        }
        body(mm, w, pipe);
    };
}

// A of half, B of int8_t; body gives the scale.
template <class Body>
std::function<void(World&)> Widened(const Body& body) {
    return [body](World& w) {
        TPipe pipe;
        Matmul<In, MatmulType<TPosition::VECOUT, CubeFormat::ND, int8_t>, Out> mm;
        REGIST_MATMUL_OBJ(&pipe, GetSysWorkSpacePtr(), mm, &w.tiling);
        TBuf<TPosition::VECCALC> scratch;
        pipe.InitBuffer(scratch, 32 * 48 * 4);
        mm.SetLocalWorkspace(scratch.Get<uint8_t>());
        mm.SetTensorA(Gm<half>(w.a));
        mm.SetTensorB(Gm<int8_t>(w.b));
        body(mm, w, pipe);
        mm.IterateAll(Gm<float>(w.c));
    };
}

std::vector<Program> Programs() {
    std::vector<Program> programs = {
        {"float", Given<GmOf<float>, GmOf<float>, GmOf<float>>()},
        {"bfloat16_result", Given<In, In, GmOf<bfloat16_t>, GmOf<float>>()},
        {"half_bias", Given<In, In, Out, GmOf<half>>()},
        {"half_with_int8_without_scale", Widened([](auto&, World&, TPipe&) {})},
        {"half_with_int8_in_ub", Widened([](auto& mm, World&, TPipe& pipe) {
             TBuf<TPosition::VECCALC> b;
             pipe.InitBuffer(b, 64 * 48);
             mm.SetAntiQuantScalar(half(0), half(1));
             mm.SetTensorB(b.Get<int8_t>());
         })},
        {"scales_of_too_few_columns", Widened([](auto& mm, World&, TPipe& pipe) {
             TBuf<TPosition::VECCALC> row;
             pipe.InitBuffer(row, 32 * 2);
             mm.SetAntiQuantVector(row.Get<half>(), row.Get<half>());
         })},
        {"scale_of_halves", WithScratch<In, Out>([](auto& mm, World&, TPipe&) { mm.SetAntiQuantScalar(half(0), half(1)); })},
        {"int8_a_transposed", Given<GmOf<int8_t, true>, GmOf<int8_t, true>, Int32Row>()},
        {"callback", Given<In, In, Out, Out, MatmulCallBackFunc<nullptr, CopyIn, nullptr>>()},
        {"attention_layout", Given<BsngdIn, BsngdIn, Out>()},
        {"scalar", WithScratch<In, Out>([](auto& mm, World& w, TPipe&) {
             mm.SetTensorA(half(1));
             mm.SetTensorB(Gm<half>(w.b));
             mm.IterateAll(Gm<float>(w.c));
         })},
        {"rows_in_ub", WithScratch<InUb, Out>([](auto& mm, World& w, TPipe& pipe) {
             TBuf<TPosition::VECCALC> a;
             pipe.InitBuffer(a, 32 * 64 * 2);
             mm.SetTail(-1, -1, 40);
             mm.SetTensorA(a.Get<half>());
             mm.SetTensorB(Gm<half>(w.b));
             mm.IterateAll(Gm<float>(w.c));
         })},
        {"small_in_ub", WithScratch<InUb, Out>([](auto& mm, World& w, TPipe& pipe) {
             TBuf<TPosition::VECCALC> a;
             pipe.InitBuffer(a, 2048);
             mm.SetTensorA(a.Get<half>());
             mm.SetTensorB(Gm<half>(w.b));
             mm.IterateAll(Gm<float>(w.c));
         })},
        {"rows_of_the_result", WithScratch<In, Out>([](auto& mm, World& w, TPipe&) {
             mm.SetTail(-1, 45);
             Set(mm, w);
             mm.IterateAll(Gm<float>(w.c));
         })},
        {"filled_rows_in_the_matrix", WithScratch<In, MatmulType<TPosition::GM, CubeFormat::ND_ALIGN, float>>([](auto& mm, World& w, TPipe&) {
             mm.SetTail(-1, 45);
             Set(mm, w);
             mm.IterateAll(Gm<float>(w.c));
         })},
        {"turned_in_little_scratch",
         [](World& w) {
             TPipe pipe;
             w.tiling.baseM = w.tiling.baseN = 16;
             Matmul<GmOf<int8_t>, GmOf<int8_t>, Int32Row> mm;
             REGIST_MATMUL_OBJ(&pipe, GetSysWorkSpacePtr(), mm, &w.tiling);
             TBuf<TPosition::VECCALC> scratch;
             pipe.InitBuffer(scratch, 1024);
             mm.SetLocalWorkspace(scratch.Get<uint8_t>());
             mm.SetTensorA(Gm<int8_t>(w.a));
             mm.SetTensorB(Gm<int8_t>(w.b));
             mm.IterateAll(Gm<int32_t>(w.c));
         }},
        {"rows_in_ub_of_the_result", WithScratch<In, OutUb>([](auto& mm, World& w, TPipe& pipe) {
             TBuf<TPosition::VECCALC> c;
             pipe.InitBuffer(c, 32 * 48 * 4);
             Set(mm, w);
             mm.Iterate();
             mm.GetTensorC(c.Get<float>());
         })},
        {"all_to_ub", WithScratch<In, OutUb>([](auto& mm, World& w, TPipe& pipe) {
             TBuf<TPosition::VECCALC> c;
             pipe.InitBuffer(c, 32 * 48 * 4);
             Set(mm, w);
             mm.IterateAll(c.Get<float>());
         })},
        {"no_scratch", WithScratch<In, Out>([](auto& mm, World& w, TPipe&) { Set(mm, w), mm.IterateAll(Gm<float>(w.c)), mm.End(); }, 0)},
        {"small_scratch",
         WithScratch<In, Out>([](auto& mm, World& w, TPipe&) { Set(mm, w), mm.IterateAll(Gm<float>(w.c)); }, 4096)},
        {"a_in_l1", Given<MatmulType<TPosition::TSCM, CubeFormat::NZ, half>, In, Out>()},
        {"bias_in_l1", Given<In, In, Out, MatmulType<TPosition::TSCM, CubeFormat::ND, float>>()},
        {"result_in_l0c", Given<In, In, MatmulType<TPosition::CO1, CubeFormat::NZ, float>>()},
        {"a_as_a_vector", Given<MatmulType<TPosition::GM, CubeFormat::VECTOR, half>, In, Out>()},
        {"a_as_a_number", Given<MatmulType<TPosition::GM, CubeFormat::SCALAR, half>, In, Out>()},
        {"added_in_ub", WithScratch<In, MatmulType<TPosition::VECIN, CubeFormat::NZ, float>>([](auto& mm, World& w, TPipe& pipe) {
             TBuf<TPosition::VECCALC> c;
             pipe.InitBuffer(c, 32 * 48 * 4);
             Set(mm, w);
             mm.Iterate();
             mm.GetTensorC(c.Get<float>(), 1);
         })},
        {"one_bias_for_all_products",
         [](World& w) {
             TPipe pipe;
             Matmul<BatchIn, BatchIn, BatchRow, BatchRow, kOneBias> mm;
             w.tiling.isBias = 1;
             REGIST_MATMUL_OBJ(&pipe, GetSysWorkSpacePtr(), mm, &w.tiling);
             Set(mm, w);
             mm.SetBias(Gm<float>(w.b));
             mm.IterateBatch(Gm<float>(w.c), 2, 2, false);
         }},
        {"scales_in_ub", WithScratch<In, Out>([](auto& mm, World& w, TPipe& pipe) {
             TBuf<TPosition::VECCALC> words;
             pipe.InitBuffer(words, 48 * 8);
             Set(mm, w);
             mm.SetQuantVector(words.Get<uint64_t>());
             mm.IterateAll(Gm<float>(w.c));
         })},
    };
    for (Program& program : programs) program.core = CoreChoice::kDefault, program.chip = "Ascend310P3";
    return programs;
}

class WrongCoupled : public ::testing::TestWithParam<Program> {};
TEST_P(WrongCoupled, GivesItsReport) { GivesItsReport(GetParam()); }
INSTANTIATE_TEST_SUITE_P(All, WrongCoupled, ::testing::ValuesIn(Programs()), NameOf);

}  // namespace
}  // namespace sfumato::matmul_test
