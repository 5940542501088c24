// SPDX-License-Identifier: Apache-2.0
// Matmul on Ascend310B: what it does not have there; plain_test.cpp has what is right. The last programs are
// for Ascend310P, which has some of it.
#include "wrong_programs.h"

namespace sfumato::matmul_test {
namespace {

template <class T, CubeFormat format = CubeFormat::ND>
using InUbOf = MatmulType<TPosition::VECOUT, format, T>;
constexpr MatmulConfig kMdl = GetMDLConfig();

void CopyIn(const LocalTensor<int8_t>&, const void*, int, int, int, int, const uint64_t, const uint64_t) {}

template <class A, class C, const auto& config = CFG_NORM, class Bias = float, class CallBack = MatmulCallBackFunc<>>
std::function<void(World&)> Given(bool bias = false) {
    return [bias](World& w) {
        TCubeTiling tiling = w.tiling;
        tiling.isBias = bias;
        TPipe pipe;
        Matmul<A, A, C, MatmulType<TPosition::GM, CubeFormat::ND, Bias>, config, CallBack> mm;
        REGIST_MATMUL_OBJ(&pipe, nullptr, mm, &tiling);
    };
}
template <class Body>
std::function<void(World&)> With(const Body& body) {
    return [body](World& w) {
        TPipe pipe;
        Matmul<In, In, Out> mm;
        REGIST_MATMUL_OBJ(&pipe, nullptr, mm, &w.tiling);
        body(mm, w);
    };
}

std::vector<Program> Programs() {
    std::vector<Program> programs = {
        {"a_in_ub", Given<InUbOf<half>, Out>()},
        {"c_in_ub", Given<In, OutUb>()},
        {"aligned_rows", Given<In, MatmulType<TPosition::GM, CubeFormat::ND_ALIGN, float>>()},
        {"bytes_of_half_products", Given<In, MatmulType<TPosition::GM, CubeFormat::ND, int8_t>>()},
        {"half_bias_of_half_results", Given<In, HalfOut, CFG_NORM, half>(true)},
        {"loads_of_many_blocks", Given<In, Out, kMdl>()},
        {"layout_of_batches", Given<BatchIn, MatmulType<TPosition::GM, CubeFormat::ND, float, false, LayoutMode::NORMAL>>()},
        {"shared", Given<SharedIn, Out>()},
        {"callback", Given<In, Out, CFG_NORM, float, MatmulCallBackFunc<nullptr, CopyIn, nullptr>>()},
        {"data_for_callbacks", With([](auto& mm, World&) { mm.SetSelfDefineData(1); })},
        {"tiling_for_callbacks", With([](auto& mm, World&) { mm.SetUserDefInfo(1); })},
        {"scalar", With([](auto& mm, World&) { mm.SetTensorA(half(1)); })},
        {"added_parts", With([](auto& mm, World& w) { Set(mm, w), mm.Iterate(true); })},
        {"not_awaited", With([](auto& mm, World& w) { Set(mm, w), mm.template IterateAll<false>(Gm<float>(w.c)); })},
        {"one_behind_the_other", With([](auto& mm, World& w) {
             Set(mm, w);
             mm.Iterate();
             mm.GetTensorC(Gm<float>(w.c), 0, true);
         })},
        {"scales_in_ub",
         [](World& w) {
             TPipe pipe;
             Matmul<Int8In, Int8In, HalfOut> mm;
             REGIST_MATMUL_OBJ(&pipe, nullptr, mm, &w.tiling);
             TBuf<TPosition::VECCALC> words;
             pipe.InitBuffer(words, 48 * 8);
             mm.SetTensorA(Gm<int8_t>(w.a));
             mm.SetTensorB(Gm<int8_t>(w.b));
             mm.SetQuantVector(words.Get<uint64_t>());
             mm.IterateAll(Gm<half>(w.c));
         }},
        {"without_a_scale",
         [](World& w) {
             TPipe pipe;
             Matmul<Int8In, Int8In, HalfOut> mm;
             REGIST_MATMUL_OBJ(&pipe, nullptr, mm, &w.tiling);
             mm.SetTensorA(Gm<int8_t>(w.a));
             mm.SetTensorB(Gm<int8_t>(w.b));
             mm.IterateAll(Gm<half>(w.c));
         }},
        {"half_with_int8", With([](auto& mm, World&) { mm.SetAntiQuantScalar(half(0), half(1)); })},
        {"own_l0c",
         [](World& w) {
             TPipe pipe;
             Matmul<In, In, MatmulType<TPosition::CO1, CubeFormat::NZ, float>> mm;
             REGIST_MATMUL_OBJ(&pipe, nullptr, mm, &w.tiling);
         }},
        {"hf32", With([](auto& mm, World&) { mm.SetHF32(true); })},
        {"workspace", With([](auto& mm, World& w) { mm.SetWorkspace(reinterpret_cast<float*>(w.c), 1024); })},
    };
    for (Program& program : programs) program.core = CoreChoice::kDefault, program.chip = "Ascend310B1";
    programs.push_back({"data_for_callbacks_through_ub", With([](auto& mm, World&) { mm.SetSelfDefineData(1); }),
                        CoreChoice::kDefault, "Ascend310P3"});
    programs.push_back({"not_awaited_through_ub", With([](auto& mm, World& w) { Set(mm, w), mm.template Iterate<false>(); }),
                        CoreChoice::kDefault, "Ascend310P3"});
    return programs;
}

class WrongPlain : public ::testing::TestWithParam<Program> {};
TEST_P(WrongPlain, GivesItsReport) { GivesItsReport(GetParam()); }
INSTANTIATE_TEST_SUITE_P(All, WrongPlain, ::testing::ValuesIn(Programs()), NameOf);

}  // namespace
}  // namespace sfumato::matmul_test
