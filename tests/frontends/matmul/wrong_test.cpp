// SPDX-License-Identifier: Apache-2.0
// Matmul in kernels: what its calls refuse.
#include "wrong_programs.h"

namespace sfumato::matmul_test {
namespace {

constexpr MatmulConfig OnlyAll() {
    MatmulConfig config = GetNormalConfig();
    config.iterateMode = IterateMode::ITERATE_MODE_ALL;
    return config;
}
constexpr MatmulConfig NoGet() {
    MatmulConfig config = GetNormalConfig();
    config.enableGetTensorC = false;
    return config;
}
constexpr MatmulConfig kOnlyAll = OnlyAll(), kNoGet = NoGet();
constexpr MatmulConfig kDual = GetNormalConfig(false, false, false, BatchMode::BATCH_LESS_THAN_L1, true,
                                               IterateOrder::UNDEF, ScheduleType::INNER_PRODUCT, true, true);
constexpr MatmulConfig kBase = GetMMConfig<MatmulConfigMode::CONFIG_NORM>(MatmulShapeParams{0, 0, 0, 16, 48, 64});
constexpr auto kStatic = GetMatmulApiTiling<In, In, Out, Out>(kBase);

const std::vector<Program> kPrograms = {
    {"workspace_null",
     [](World& w) {
         TPipe pipe;
         Matmul<In, In, Out> mm;
         REGIST_MATMUL_OBJ(&pipe, nullptr, mm, &w.tiling);
     }},
    {"five_objects",
     [](World& w) {
         TPipe pipe;
         Matmul<In, In, Out> a, b, c, d, e;
         REGIST_MATMUL_OBJ(&pipe, GetSysWorkSpacePtr(), a, &w.tiling, b, &w.tiling, c, &w.tiling, d, &w.tiling, e,
                           &w.tiling);
     }},
    {"buffer_before_regist",
     [](World& w) {
         TPipe pipe;
         TBuf<TPosition::VECCALC> buffer;
         if ASCEND_IS_AIV {
             pipe.InitBuffer(buffer, 1024);
         }
         Matmul<In, In, Out> mm;
         REGIST_MATMUL_OBJ(&pipe, GetSysWorkSpacePtr(), mm, &w.tiling);
     }},
    {"nz_rows", Registered<CFG_NORM, NzIn>([](auto& mm, World& w) {
         mm.SetOrgShape(20, 48, 64);
         mm.SetTail(20);
         Set(mm, w);
         mm.IterateAll(Gm<float>(w.c));
     })},
    {"static_base", Registered<kStatic>([](auto&, World&) {})},
    {"inner_axis", Registered<>([](auto& mm, World& w) {
         mm.SetOrgShape(32, 48, 70000);
         Set(mm, w);
         mm.IterateAll(Gm<float>(w.c));
     })},
    {"removed_iterate", Registered<kOnlyAll>([](auto& mm, World& w) { Set(mm, w), mm.Iterate(); })},
    {"removed_get", Registered<kNoGet>([](auto& mm, World& w) { Set(mm, w), mm.Iterate(), mm.GetTensorC(Gm<float>(w.c)); })},
    {"shape_after_tensor", Registered<>([](auto& mm, World& w) {
         mm.SetTensorA(Gm<half>(w.a));
         mm.SetOrgShape(32, 48, 64);
     })},
    {"destination_small", Registered<>([](auto& mm, World& w) { Set(mm, w), mm.IterateAll(Gm<float>(w.c, 1000)); })},
    {"destination_rows", Registered<CFG_NORM, In, OutUb>([](auto& mm, World& w) {
         TPipe* pipe = GetTPipePtr();
         TBuf<TPosition::VECCALC> buffer;
         pipe->InitBuffer(buffer, 32 * 48 * 4);
         mm.SetTail(-1, 45);
         Set(mm, w);
         mm.IterateAll(buffer.Get<float>());
     })},
    {"shared_counts", Registered<CFG_IBSHARE_NORM, SharedIn>([](auto& mm, World& w) {
         Set(mm, w);
         if (GetSubBlockIdx() == 0) mm.IterateAll(Gm<float>(w.c));
         mm.End();
     }), CoreChoice::kMix},
    {"get_without_iterate", Registered<>([](auto& mm, World& w) { Set(mm, w), mm.GetTensorC(Gm<float>(w.c)); })},
    {"two_objects_at_once",
     [](World& w) {
         TPipe pipe;
         Matmul<In, In, Out> one, two;
         REGIST_MATMUL_OBJ(&pipe, GetSysWorkSpacePtr(), one, &w.tiling, two, &w.tiling);
         Set(one, w), Set(two, w);
         one.Iterate();
         two.Iterate();
         one.GetTensorC(Gm<float>(w.c));
     }},
    {"no_end_between",
     [](World& w) {
         TPipe pipe;
         Matmul<In, In, Out> one, two;
         REGIST_MATMUL_OBJ(&pipe, GetSysWorkSpacePtr(), one, &w.tiling, two, &w.tiling);
         Set(one, w), Set(two, w);
         one.IterateAll(Gm<float>(w.c));
         two.IterateAll(Gm<float>(w.c + 65536));
         two.End();
         one.IterateAll(Gm<float>(w.c));
         one.End();
     }},
    {"no_end_on_the_cube_core",
     [](World& w) {
         TPipe pipe;
         MatmulImpl<In, In, Out> one, two;
         one.Init(&w.tiling, &pipe), two.Init(&w.tiling, &pipe);
         for (int i = 0; i < 2; ++i) {
             Set(one, w), Set(two, w);
             while (one.Iterate()) one.GetTensorC(Gm<float>(w.c));
             one.End();
             two.IterateAll(Gm<float>(w.c));
         }
         two.End();
     }, CoreChoice::kCube},
    {"get_skipped", Registered<>([](auto& mm, World& w) {
         Set(mm, w);
         for (int i = 0; mm.Iterate(); ++i) {
             if (i != 0) mm.GetTensorC(Gm<float>(w.c));
         }
     })},
    {"last_get_skipped", Registered<>([](auto& mm, World& w) {
         Set(mm, w);
         mm.Iterate();
         mm.End();
     })},
    {"iterate_after_end", Registered<>([](auto& mm, World& w) {
         Set(mm, w);
         while (mm.Iterate()) mm.GetTensorC(Gm<float>(w.c));
         mm.Iterate();
     })},
    {"wait_for_nothing", Registered<>([](auto& mm, World&) { mm.WaitIterateAll(); })},
    {"wait_left_out", Registered<>([](auto& mm, World& w) {
         Set(mm, w);
         mm.template IterateAll<false>(Gm<float>(w.c), 0, false, true);
         mm.End();
     })},
    {"batches", Registered<CFG_NORM, BatchIn>([](auto& mm, World& w) { Set(mm, w), mm.IterateBatch(Gm<float>(w.c), 2, 3, false); })},
    {"no_scale",
     [](World& w) {
         TPipe pipe;
         Matmul<Int8In, Int8In, HalfOut, Int32Row> mm;
         REGIST_MATMUL_OBJ(&pipe, GetSysWorkSpacePtr(), mm, &w.tiling);
         mm.SetTensorA(Gm<int8_t>(w.a));
         mm.SetTensorB(Gm<int8_t>(w.b));
         mm.IterateAll(Gm<half>(w.c));
     }},
    {"transposed", Registered<>([](auto& mm, World& w) { mm.SetTensorA(Gm<half>(w.a), true); })},
    {"bias_not_planned", Registered<>([](auto& mm, World& w) { mm.SetBias(Gm<float>(w.b)); })},
    {"bias_not_set",
     [](World& w) {
         TCubeTiling tiling = w.tiling;
         tiling.isBias = 1;
         TPipe pipe;
         Matmul<In, In, Out> mm;
         REGIST_MATMUL_OBJ(&pipe, GetSysWorkSpacePtr(), mm, &tiling);
         Set(mm, w);
         mm.IterateAll(Gm<float>(w.c));
     }},
    {"more_pieces_than_cores",
     [](World& w) {
         w.tiling.usedCoreNum = 5;
         Registered<>([](auto&, World&) {})(w);
     }, CoreChoice::kMix},
    {"more_pieces_than_cube_cores",
     [](World& w) {
         w.tiling.usedCoreNum = 2;
         TPipe pipe;
         MatmulImpl<In, In, Out> mm;
         mm.Init(&w.tiling, &pipe);
     }, CoreChoice::kCube},
    {"base_m",
     [](World& w) {
         TCubeTiling tiling = w.tiling;
         tiling.baseM = 24;
         TPipe pipe;
         Matmul<In, In, Out> mm;
         REGIST_MATMUL_OBJ(&pipe, GetSysWorkSpacePtr(), mm, &tiling);
     }},
    {"base_too_large",
     [](World& w) {
         TCubeTiling tiling = w.tiling;
         tiling.baseM = 256, tiling.baseK = 128;
         TPipe pipe;
         Matmul<In, In, Out> mm;
         REGIST_MATMUL_OBJ(&pipe, GetSysWorkSpacePtr(), mm, &tiling);
     }},
    {"piece_too_large", Registered<>([](auto& mm, World& w) { mm.SetTail(33), Set(mm, w), mm.IterateAll(Gm<float>(w.c)); })},
    {"tensor_too_small", Registered<>([](auto& mm, World& w) {
         mm.SetTensorA(Gm<half>(w.a, 2000));
         mm.SetTensorB(Gm<half>(w.b));
         mm.IterateAll(Gm<float>(w.c));
     })},
    {"hf32_on_vector_core", Registered<>([](auto& mm, World&) { mm.SetHF32(true); })},
    {"used_on_the_cube_core",
     [](World& w) {
         if ASCEND_IS_AIC {
             TPipe pipe;
             Matmul<In, In, Out> mm;
             mm.Init(&w.tiling, &pipe);
             Set(mm, w);
             mm.IterateAll(Gm<float>(w.c));
         }
     }},
    {"no_cube_core", Registered<>([](auto& mm, World& w) { Set(mm, w), mm.IterateAll(Gm<float>(w.c)); }),
     CoreChoice::kVector},
    {"no_tiling",
     [](World& w) {
         TPipe pipe;
         Matmul<In, In, Out> mm;
         REGIST_MATMUL_OBJ(&pipe, GetSysWorkSpacePtr(), mm);
         Set(mm, w);
         mm.IterateAll(Gm<float>(w.c));
     }},
    {"no_matrix", Registered<>([](auto& mm, World& w) { mm.SetTensorA(Gm<half>(w.a)), mm.IterateAll(Gm<float>(w.c)); })},
    {"dual_master", Registered<kDual>([](auto&, World&) {})},
    {"n_batch", Registered<>([](auto& mm, World&) { mm.IterateNBatch(1, 2, 2, false); })},
    {"chip_without", Registered<>([](auto&, World&) {}), CoreChoice::kDefault, "Ascend910A"},
    {"waits_for_code_behind",
     [](World& w) {
         TPipe pipe;
         Matmul<In, In, Out> mm;
         REGIST_MATMUL_OBJ(&pipe, GetSysWorkSpacePtr(), mm, &w.tiling);
         if ASCEND_IS_AIV {
             CrossCoreWaitFlag(3);
         } else {
             CrossCoreSetFlag<2, PIPE_FIX>(3);
         }
     }},
};

class WrongMatmul : public ::testing::TestWithParam<Program> {};
TEST_P(WrongMatmul, GivesItsReport) { GivesItsReport(GetParam()); }
INSTANTIATE_TEST_SUITE_P(All, WrongMatmul, ::testing::ValuesIn(kPrograms), NameOf);

}  // namespace
}  // namespace sfumato::matmul_test
