// SPDX-License-Identifier: Apache-2.0
// Matmul in kernels: calls that the MatmulConfig takes away, that do not pair, or that get tensors they cannot use.
#include "wrong_programs.h"

namespace sfumato::matmul_test {
namespace {

using Int8Turned = MatmulType<TPosition::GM, CubeFormat::ND, int8_t, true>;
using Int4Turned = MatmulType<TPosition::GM, CubeFormat::ND, int4b_t, true>;
using TscmIn = MatmulType<TPosition::TSCM, CubeFormat::NZ, half>;
using UbIn = MatmulType<TPosition::VECOUT, CubeFormat::ND, half>;
using NzOut = MatmulType<TPosition::GM, CubeFormat::NZ, float>;
using Co1Out = MatmulType<TPosition::CO1, CubeFormat::NZ, float>;

template <class Change>
constexpr MatmulConfig Changed(const Change& change) {
    MatmulConfig config = GetNormalConfig();
    change(config);
    return config;
}
constexpr MatmulConfig kNoInit = Changed([](MatmulConfig& c) { c.enableInit = false; });
constexpr MatmulConfig kNoOrg = Changed([](MatmulConfig& c) { c.enableSetOrgShape = false; });
constexpr MatmulConfig kNoTail = Changed([](MatmulConfig& c) { c.enableSetTail = false; });
constexpr MatmulConfig kNoEnd = Changed([](MatmulConfig& c) { c.enableEnd = false; });
constexpr MatmulConfig kNoQuant = Changed([](MatmulConfig& c) { c.enableQuantVector = false; });
constexpr MatmulConfig kNoData = Changed([](MatmulConfig& c) { c.enableSetDefineData = false; });
constexpr MatmulConfig kReorder = Changed([](MatmulConfig& c) { c.enableKdimReorderLoad = true; });
constexpr MatmulConfig kPartSum = Changed([](MatmulConfig& c) { c.intraBlockPartSum = true; });
constexpr MatmulConfig kNBatch = Changed([](MatmulConfig& c) { c.isNBatch = true; });
constexpr MatmulConfig kOnlyBatch = Changed([](MatmulConfig& c) { c.iterateMode = IterateMode::ITERATE_MODE_BATCH; });
constexpr MatmulConfig kOnlyLoop = Changed([](MatmulConfig& c) { c.iterateMode = IterateMode::ITERATE_MODE_NORMAL; });

const auto nothing = [](auto&, World&) {};
// Blocks of 16 x 16: six of them.
const auto small = [](World& w) { w.tiling.baseM = w.tiling.baseN = 16; };
template <class Body>
auto Small(const Body& body) {
    return [body](World& w) {
        small(w);
        Registered<>(body)(w);
    };
}

const std::vector<Program> kPrograms = {
    {"null_tiling",
     [](World&) {
         TPipe pipe;
         Matmul<In, In, Out> mm;
         REGIST_MATMUL_OBJ(&pipe, GetSysWorkSpacePtr(), mm, static_cast<TCubeTiling*>(nullptr));
     }},
    {"two_types",
     [](World& w) {
         TPipe pipe;
         Matmul<In, Int8In, Out> mm;
         REGIST_MATMUL_OBJ(&pipe, GetSysWorkSpacePtr(), mm, &w.tiling);
     }},
    {"reorder", Registered<kReorder>(nothing)},
    {"part_sum", Registered<kPartSum>(nothing)},
    {"n_batch_field", Registered<kNBatch>(nothing)},
    {"removed_init", Registered<kNoInit>(nothing)},
    {"removed_org_shape", Registered<kNoOrg>([](auto& mm, World&) { mm.SetOrgShape(32, 48, 64); })},
    {"removed_tail", Registered<kNoTail>([](auto& mm, World&) { mm.SetTail(16); })},
    {"removed_single_shape", Registered<kNoTail>([](auto& mm, World&) { mm.SetSingleShape(16, 48, 64); })},
    {"removed_end", Registered<kNoEnd>([](auto& mm, World&) { mm.End(); })},
    {"removed_quant", Registered<kNoQuant>([](auto& mm, World& w) { mm.SetQuantVector(Gm<uint64_t>(w.a)); })},
    {"removed_data", Registered<kNoData>([](auto& mm, World&) { mm.SetSelfDefineData(1); })},
    {"only_batches", Registered<kOnlyBatch>([](auto& mm, World& w) { Set(mm, w), mm.IterateAll(Gm<float>(w.c)); })},
    {"only_loops", Registered<kOnlyLoop>([](auto& mm, World& w) { Set(mm, w), mm.IterateAll(Gm<float>(w.c)); })},
    {"data_after_tensor",
     Registered<>([](auto& mm, World& w) { mm.SetTensorA(Gm<half>(w.a)), mm.SetSelfDefineData(1); })},
    {"scale_in_a_round", Registered<CFG_NORM, Int8In, MatmulType<TPosition::GM, CubeFormat::ND, half>>([](auto& mm, World& w) {
         mm.SetTensorA(Gm<int8_t>(w.a)), mm.SetTensorB(Gm<int8_t>(w.b));
         mm.SetQuantScalar(0x3f800000);
         mm.Iterate();
         mm.SetQuantScalar(0x3f000000);
         mm.GetTensorC(Gm<half>(w.c));
         mm.End();
     })},
    {"scales_in_a_round", Registered<CFG_NORM, Int8In, MatmulType<TPosition::GM, CubeFormat::ND, half>>([](auto& mm, World& w) {
         mm.SetTensorA(Gm<int8_t>(w.a)), mm.SetTensorB(Gm<int8_t>(w.b));
         mm.SetQuantScalar(0x3f800000);
         mm.Iterate();
         mm.SetQuantVector(Gm<uint64_t>(w.c + 65536));
         mm.GetTensorC(Gm<half>(w.c));
         mm.End();
     })},
    {"int8_not_turned", Registered<CFG_NORM, Int8Turned, Int32Row>([](auto& mm, World& w) {
         mm.SetTensorA(Gm<int8_t>(w.a));
     })},
    {"int4_turned", Registered<CFG_NORM, Int4Turned, Int32Row>([](auto& mm, World& w) {
         mm.SetTensorA(Gm<int4b_t>(w.a), true);
     })},
    {"b_turned", Registered<>([](auto& mm, World& w) { mm.SetTensorB(Gm<half>(w.b), true); })},
    {"batch_num_on_vector_core", Registered<>([](auto& mm, World&) { mm.SetBatchNum(2, 2); })},
    {"antiquant_scalar", Registered<>([](auto& mm, World&) { mm.SetAntiQuantScalar(half(1), half(2)); })},
    {"antiquant_vector", Registered<>([](auto& mm, World&) {
         LocalTensor<half> offset, scale;
         mm.SetAntiQuantVector(offset, scale);
     })},
    {"no_workspace", Registered<>([](auto& mm, World& w) { Set(mm, w), mm.template Iterate<false>(); })},
    {"small_workspace", Registered<>([](auto& mm, World& w) {
         auto gm = Gm<float>(w.c, 1000);
         mm.SetWorkspace(gm);
         Set(mm, w);
         mm.template Iterate<false>();
     })},
    {"fetch_without_start", Registered<>([](auto& mm, World& w) { Set(mm, w), mm.template GetTensorC<false>(); })},
    {"fetch_too_often", Registered<>([](auto& mm, World& w) {
         auto gm = Gm<float>(w.c, 32 * 48);
         mm.SetWorkspace(gm);
         Set(mm, w);
         mm.template Iterate<false>();
         mm.template GetTensorC<false>();
         mm.template GetTensorC<false>();
     })},
    {"partial_sum_of_blocks", Small([](auto& mm, World& w) { Set(mm, w), mm.Iterate(true); })},
    {"block_taken", Small([](auto& mm, World& w) {
         Set(mm, w);
         mm.Iterate();
         mm.GetTensorC(Gm<float>(w.c));
         mm.GetTensorC(Gm<float>(w.c));
     })},
    {"own_co1_on_vector_core", Registered<CFG_NORM, In, Co1Out>([](auto& mm, World& w) {
         TBuf<TPosition::VECCALC> buffer;
         GetTPipePtr()->InitBuffer(buffer, 32 * 48 * 4);
         Set(mm, w);
         mm.Iterate(false, buffer.Get<float>());
     })},
    {"direct_on_vector_core",
     [](World& w) {
         if ASCEND_IS_AIV {
             TPipe pipe;
             MatmulImpl<In, In, Out> mm;
             mm.Init(&w.tiling, &pipe);
             Set(mm, w);
             mm.IterateAll(Gm<float>(w.c));
         }
     }},
    {"no_a", Registered<>([](auto& mm, World& w) { mm.SetTensorB(Gm<half>(w.b)), mm.IterateAll(Gm<float>(w.c)); })},
    {"nz_columns", Registered<CFG_NORM, NzIn>([](auto& mm, World& w) {
         mm.SetOrgShape(32, 48, 60);
         mm.SetTail(-1, -1, 60);
         Set(mm, w);
         mm.IterateAll(Gm<float>(w.c));
     })},
    {"nz_columns_of_c", Registered<CFG_NORM, In, NzOut>([](auto& mm, World& w) {
         mm.SetOrgShape(32, 40, 64);
         mm.SetTail(-1, 40);
         Set(mm, w);
         mm.IterateAll(Gm<float>(w.c));
     })},
    {"nz_rows_of_c", Registered<CFG_NORM, In, NzOut>([](auto& mm, World& w) {
         mm.SetOrgShape(20, 48, 64);
         mm.SetTail(20);
         Set(mm, w);
         mm.IterateAll(Gm<float>(w.c));
     })},
    {"inner_axis_of_b", Registered<>([](auto& mm, World& w) {
         mm.SetOrgShape(32, 66000, 64);
         Set(mm, w);
         mm.IterateAll(Gm<float>(w.c));
     })},
    {"piece_of_0", Registered<>([](auto& mm, World& w) {
         mm.SetTail(-1, 0);
         Set(mm, w);
         mm.IterateAll(Gm<float>(w.c));
     })},
    {"piece_longer_than_kb", Registered<>([](auto& mm, World& w) {
         mm.SetOrgShape(32, 48, 64, 60);
         Set(mm, w);
         mm.IterateAll(Gm<float>(w.c));
     })},
    {"b_too_small", Registered<>([](auto& mm, World& w) {
         mm.SetTensorA(Gm<half>(w.a));
         mm.SetTensorB(Gm<half>(w.b, 3071));
         mm.IterateAll(Gm<float>(w.c));
     })},
    {"nz_too_small", Registered<CFG_NORM, NzIn>([](auto& mm, World& w) {
         mm.SetTensorA(Gm<half>(w.a, 2047));
         mm.SetTensorB(Gm<half>(w.b));
         mm.IterateAll(Gm<float>(w.c));
     })},
    {"row_of_c_too_long", Registered<>([](auto& mm, World& w) {
         mm.SetOrgShape(32, 48, 64, 64, 100);
         Set(mm, w);
         mm.IterateAll(Gm<float>(w.c, 1536));
     })},
    {"dense_too_small", Small([](auto& mm, World& w) {
         mm.SetTail(20);
         Set(mm, w);
         mm.IterateAll(Gm<float>(w.c, 1200), 0, true);
     })},
    {"small_in_ub", Registered<CFG_NORM, In, OutUb>([](auto& mm, World& w) {
         TBuf<TPosition::VECCALC> buffer;
         GetTPipePtr()->InitBuffer(buffer, 4096);
         Set(mm, w);
         mm.IterateAll(buffer.Get<float>());
     })},
    {"partial_sum_of_nothing", Registered<>([](auto& mm, World& w) { Set(mm, w), mm.Iterate(true); })},
    {"atomic_4", Registered<>([](auto& mm, World& w) { Set(mm, w), mm.IterateAll(Gm<float>(w.c), 4); })},
    {"atomic_in_ub", Registered<CFG_NORM, In, OutUb>([](auto& mm, World& w) {
         TBuf<TPosition::VECCALC> buffer;
         GetTPipePtr()->InitBuffer(buffer, 32 * 48 * 4);
         Set(mm, w);
         mm.IterateAll(buffer.Get<float>(), 1);
     })},
    {"input_in_ub_too_small", Registered<CFG_NORM, UbIn>([](auto& mm, World& w) {
         TBuf<TPosition::VECCALC> buffer;
         GetTPipePtr()->InitBuffer(buffer, 4064);
         mm.SetTensorA(buffer.Get<half>());
         mm.SetTensorB(buffer.Get<half>());
         mm.IterateAll(Gm<float>(w.c));
     })},
    {"l1_is_full",
     [](World& w) {
         TPipe pipe;
         TBuf<TPosition::A1> buffer;
         if ASCEND_IS_AIC {
             pipe.InitBuffer(buffer, 520 * 1024 - 8192 - 1024);
             MatmulImpl<In, In, Out> mm;
             mm.Init(&w.tiling, &pipe);
             Set(mm, w);
             mm.IterateAll(Gm<float>(w.c));
         }
     }},
    {"tscm_above_half", Registered<CFG_NORM, TscmIn>([](auto&, World& w) {
         TBuf<TPosition::TSCM> low, high;
         GetTPipePtr()->InitBuffer(low, 256 * 1024);
         GetTPipePtr()->InitBuffer(high, 4096);
         DataCopy(high.Get<half>(), Gm<half>(w.a), 2048);
     })},
};

class WrongMatmulCall : public ::testing::TestWithParam<Program> {};
TEST_P(WrongMatmulCall, GivesItsReport) { GivesItsReport(GetParam()); }
INSTANTIATE_TEST_SUITE_P(All, WrongMatmulCall, ::testing::ValuesIn(kPrograms), NameOf);

}  // namespace
}  // namespace sfumato::matmul_test
