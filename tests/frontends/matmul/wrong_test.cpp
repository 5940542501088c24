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

std::vector<Program> Programs() {
    return {
        {"workspace_null",
         [](World& w) {
             TPipe pipe;
             Matmul<In, In, Out> mm;
             REGIST_MATMUL_OBJ(&pipe, nullptr, mm, &w.tiling);
         },
         "fault [matmul-workspace] REGIST_MATMUL_OBJ: REGIST_MATMUL_OBJ: the system workspace is no "
         "global memory; ; a null pointer; GetSysWorkSpacePtr(); pass GetSysWorkSpacePtr(), after "
         "SetSysWorkspace(workspace) where the launch has none; aic0"},
        {"five_objects",
         [](World& w) {
             TPipe pipe;
             Matmul<In, In, Out> a, b, c, d, e;
             REGIST_MATMUL_OBJ(&pipe, GetSysWorkSpacePtr(), a, &w.tiling, b, &w.tiling, c, &w.tiling, d, &w.tiling, e,
                               &w.tiling);
         },
         "fault [matmul-objects] REGIST_MATMUL_OBJ: REGIST_MATMUL_OBJ: more Matmul objects than the cube "
         "core can serve; ; 5 objects; at most 4; use one object for several products, with End between; "
         "aic0"},
        {"buffer_before_regist",
         [](World& w) {
             TPipe pipe;
             TBuf<TPosition::VECCALC> buffer;
             if ASCEND_IS_AIV {
                 pipe.InitBuffer(buffer, 1024);
             }
             Matmul<In, In, Out> mm;
             REGIST_MATMUL_OBJ(&pipe, GetSysWorkSpacePtr(), mm, &w.tiling);
         },
         "warning [matmul-late] REGIST_MATMUL_OBJ: REGIST_MATMUL_OBJ: REGIST_MATMUL_OBJ stands behind an "
         "InitBuffer; ; buffers of the TPipe before it; REGIST_MATMUL_OBJ first; move it to the start of "
         "the kernel, behind the TPipe; aiv0"},
        {"nz_rows", Registered<CFG_NORM, NzIn>([](auto& mm, World& w) {
             mm.SetOrgShape(20, 48, 64);
             mm.SetTail(20);
             Set(mm, w);
             mm.IterateAll(Gm<float>(w.c));
         }),
         "fault [matmul-nz] IterateAll: IterateAll: M of A in NZ is no multiple of its fractal; A; 20; a "
         "multiple of 16; pad the matrix, and pass the padded sizes to SetOrgShape; aiv0"},
        {"static_base", Registered<kStatic>([](auto&, World&) {}), "fault [matmul-static] Init: Init: the constant is not what the tiling says; baseM; 32; 16; let "
         "the host compute the tiling from the same sizes; aiv0"},
        {"inner_axis", Registered<>([](auto& mm, World& w) {
             mm.SetOrgShape(32, 48, 70000);
             Set(mm, w);
             mm.IterateAll(Gm<float>(w.c));
         }),
         "fault [matmul-inner] IterateAll: IterateAll: the inner axis of A is too long for one move; A; "
         "70000 elements; below 65535, or intrinsicsCheck true in the MatmulConfig; use "
         "GetNormalConfig(true) or GetMDLConfig(true); aiv0"},
        {"removed_iterate", Registered<kOnlyAll>([](auto& mm, World& w) { Set(mm, w), mm.Iterate(); }), "fault [matmul-removed] Iterate: Iterate: the MatmulConfig removes the call; ; iterateMode "
         "ITERATE_MODE_ALL; ITERATE_MODE_NORMAL, ITERATE_MODE_DEFAULT; leave iterateMode at its default, "
         "or the call out; aiv0"},
        {"removed_get", Registered<kNoGet>([](auto& mm, World& w) { Set(mm, w), mm.Iterate(), mm.GetTensorC(Gm<float>(w.c)); }),
         "fault [matmul-removed] GetTensorC: GetTensorC: the MatmulConfig removes the call; ; "
         "enableGetTensorC false; enableGetTensorC true; leave the field at its default, or the call "
         "out; aiv0"},
        {"shape_after_tensor", Registered<>([](auto& mm, World& w) {
             mm.SetTensorA(Gm<half>(w.a));
             mm.SetOrgShape(32, 48, 64);
         }),
         "warning [matmul-order] SetOrgShape: SetOrgShape: SetOrgShape stands behind the tensors it is "
         "for; ; SetTensorA or SetTensorB before it; SetOrgShape, then the tensors; move it up; aiv0"},
        {"destination_small", Registered<>([](auto& mm, World& w) { Set(mm, w), mm.IterateAll(Gm<float>(w.c, 1000)); }), "fault [matmul-destination] IterateAll: IterateAll: the destination is too small; C; 1000 "
         "elements; 1536 elements; check SetOrgShape and SetTail, or give SetGlobalBuffer the size it "
         "has; aiv0"},
        {"destination_rows", Registered<CFG_NORM, In, OutUb>([](auto& mm, World& w) {
             TPipe* pipe = GetTPipePtr();
             TBuf<TPosition::VECCALC> buffer;
             pipe->InitBuffer(buffer, 32 * 48 * 4);
             mm.SetTail(-1, 45);
             Set(mm, w);
             mm.IterateAll(buffer.Get<float>());
         }),
         "fault [matmul-destination] IterateAll: IterateAll: rows of the result do not begin at 32 "
         "bytes; C; 180 bytes in a row; a multiple of 32 bytes, or CubeFormat::ND_ALIGN; use ND_ALIGN "
         "for C, or another N; aiv0"},
        {"shared_counts", Registered<CFG_IBSHARE_NORM, SharedIn>([](auto& mm, World& w) {
             Set(mm, w);
             if (GetSubBlockIdx() == 0) mm.IterateAll(Gm<float>(w.c));
             mm.End();
         }),
         "fault [matmul-share] IterateAll: IterateAll: the vector cores of a block share a matrix in L1, "
         "and call IterateAll a different number of times; ; aiv0.0 1 times, aiv0.1 0 times; the same "
         "number; pad with IterateAll(gm, 0, false, false, true): fakeMsg computes nothing; aiv0.1", CoreChoice::kMix},
        {"get_without_iterate", Registered<>([](auto& mm, World& w) { Set(mm, w), mm.GetTensorC(Gm<float>(w.c)); }), "fault [matmul-pairing] GetTensorC: GetTensorC: there is no block to fetch; ; no Iterate that "
         "returned true since the last GetTensorC; one GetTensorC for each Iterate that returns true; "
         "call it in the loop of Iterate; aiv0"},
        {"two_objects_at_once",
         [](World& w) {
             TPipe pipe;
             Matmul<In, In, Out> one, two;
             REGIST_MATMUL_OBJ(&pipe, GetSysWorkSpacePtr(), one, &w.tiling, two, &w.tiling);
             Set(one, w), Set(two, w);
             one.Iterate();
             two.Iterate();
             one.GetTensorC(Gm<float>(w.c));
         },
         "fault [matmul-pairing] GetTensorC: GetTensorC: another Matmul has taken the block's place in L0C; ; an "
         "Iterate of another object between Iterate and GetTensorC; GetTensorC first; fetch the block, and call End, "
         "before another object iterates; aic0"},
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
         },
         "warning [matmul-end] IterateAll: IterateAll: another Matmul has not ended; ; IterateAll of the other, and no "
         "End behind it; End between products of two objects; call End of the other object behind its last result; aiv0"},
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
         },
         "warning [matmul-end] Iterate: Iterate: another Matmul has not ended; ; IterateAll of the other, and no End "
         "behind it; End between products of two objects; call End of the other object behind its last result; aic0",
         CoreChoice::kCube},
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
         }),
         "fault [matmul-pairing] Iterate: Iterate: Iterate goes on after its last block; ; Iterate has "
         "returned false; SetTensorA or SetTensorB before the next round; end the loop when Iterate "
         "returns false; aiv0"},
        {"wait_for_nothing", Registered<>([](auto& mm, World&) { mm.WaitIterateAll(); }), "fault [matmul-pairing] WaitIterateAll: WaitIterateAll: there is nothing to wait for; ; no "
         "asynchronous call before it that says it is waited for; one wait for each IterateAll<false> "
         "with waitIterateAll true, IterateBatch<false, true>; set waitIterateAll, or leave the wait "
         "out; aiv0"},
        {"wait_left_out", Registered<>([](auto& mm, World& w) {
             Set(mm, w);
             mm.template IterateAll<false>(Gm<float>(w.c), 0, false, true);
             mm.End();
         }),
         "fault [matmul-pairing] IterateAll: IterateAll: nobody waits for what an asynchronous call "
         "computes; ; 1 calls that say they are waited for; a wait for each: WaitIterateAll, "
         "WaitIterateBatch; add the wait before the kernel ends; aiv0"},
        {"batches", Registered<CFG_NORM, BatchIn>([](auto& mm, World& w) { Set(mm, w), mm.IterateBatch(Gm<float>(w.c), 2, 3, false); }),
         "fault [matmul-batch] IterateBatch: IterateBatch: the batches of A and B do not pair; ; 2 and "
         "3; at least 1 each, the smaller a divisor of the larger; check batchA and batchB; aiv0"},
        {"no_scale",
         [](World& w) {
             TPipe pipe;
             Matmul<Int8In, Int8In, HalfOut, Int32Row> mm;
             REGIST_MATMUL_OBJ(&pipe, GetSysWorkSpacePtr(), mm, &w.tiling);
             mm.SetTensorA(Gm<int8_t>(w.a));
             mm.SetTensorB(Gm<int8_t>(w.b));
             mm.IterateAll(Gm<half>(w.c));
         },
         "fault [matmul-types] IterateAll: IterateAll: half of int8_t products needs a scale; C; no "
         "SetQuantScalar and no SetQuantVector; SetQuantScalar or SetQuantVector before it; set the word "
         "that the host computed; aiv0"},
        {"transposed", Registered<>([](auto& mm, World& w) { mm.SetTensorA(Gm<half>(w.a), true); }), "fault [matmul-transpose] SetTensorA: SetTensorA: the flag is not what ISTRANS of MatmulType "
         "says; isTransposeA; true, ISTRANS false; false, or ISTRANS true; set ISTRANS of MatmulType, "
         "and the host's SetAType or SetBType; aiv0"},
        {"bias_not_planned", Registered<>([](auto& mm, World& w) { mm.SetBias(Gm<float>(w.b)); }), "fault [matmul-bias] SetBias: SetBias: the tiling has no bias; ; isBias 0; isBias 1; call "
         "EnableBias(true) on the host before GetTiling; aiv0"},
        {"bias_not_set",
         [](World& w) {
             TCubeTiling tiling = w.tiling;
             tiling.isBias = 1;
             TPipe pipe;
             Matmul<In, In, Out> mm;
             REGIST_MATMUL_OBJ(&pipe, GetSysWorkSpacePtr(), mm, &tiling);
             Set(mm, w);
             mm.IterateAll(Gm<float>(w.c));
         },
         "fault [matmul-bias] IterateAll: IterateAll: the tiling has a bias, and nobody has set it; ; "
         "isBias 1; SetBias or DisableBias before it; call SetBias, or EnableBias(false) on the host; "
         "aiv0"},
        {"more_pieces_than_cores",
         [](World& w) {
             w.tiling.usedCoreNum = 5;
             Registered<>([](auto&, World&) {})(w);
         },
         "warning [matmul-cores] Init: Init: the launch has fewer cores that call Matmul than there are pieces; tiling; "
         "usedCoreNum 5, 1 blocks of 2; usedCoreNum up to 2, or 3 blocks; launch the blocks that the tiling asks for, or give SetDim the cores there are; aiv0.0",
         CoreChoice::kMix},
        {"more_pieces_than_cube_cores",
         [](World& w) {
             w.tiling.usedCoreNum = 2;
             TPipe pipe;
             MatmulImpl<In, In, Out> mm;
             mm.Init(&w.tiling, &pipe);
         },
         "warning [matmul-cores] Init: Init: the launch has fewer cores that call Matmul than there are pieces; tiling; "
         "usedCoreNum 2, 1 blocks of 1; usedCoreNum up to 1, or 2 blocks; launch the blocks that the tiling asks for, or give SetDim the cores there are; aic0",
         CoreChoice::kCube},
        {"base_m",
         [](World& w) {
             TCubeTiling tiling = w.tiling;
             tiling.baseM = 24;
             TPipe pipe;
             Matmul<In, In, Out> mm;
             REGIST_MATMUL_OBJ(&pipe, GetSysWorkSpacePtr(), mm, &tiling);
         },
         "fault [matmul-tiling] Init: Init: the tiling breaks a constraint; tiling; baseM is 24; it is a "
         "multiple of 16; let the host's GetTiling compute it; check what SetFixSplit was given; aiv0"},
        {"base_too_large",
         [](World& w) {
             TCubeTiling tiling = w.tiling;
             tiling.baseM = 256, tiling.baseK = 128;
             TPipe pipe;
             Matmul<In, In, Out> mm;
             REGIST_MATMUL_OBJ(&pipe, GetSysWorkSpacePtr(), mm, &tiling);
         },
         "fault [matmul-tiling] Init: Init: the tiling breaks a constraint; tiling; baseM x baseK of half "
         "x dbL0A = 256 x 128 x 2 are 131072 bytes; L0A has 65536; let the host's GetTiling compute it; check what "
         "SetFixSplit was given; aiv0"},
        {"piece_too_large", Registered<>([](auto& mm, World& w) { mm.SetTail(33), Set(mm, w), mm.IterateAll(Gm<float>(w.c)); }), "fault [matmul-range] IterateAll: IterateAll: M of the piece is out of range; M; 33; 1 to 32, "
         "the size of the whole; pass the sizes of the whole to SetOrgShape, those of the piece to "
         "SetSingleShape or SetTail; aiv0"},
        {"tensor_too_small", Registered<>([](auto& mm, World& w) {
             mm.SetTensorA(Gm<half>(w.a, 2000));
             mm.SetTensorB(Gm<half>(w.b));
             mm.IterateAll(Gm<float>(w.c));
         }),
         "fault [matmul-range] IterateAll: IterateAll: the piece of A reads past the tensor; A; element "
         "2000 of 2000; a GlobalTensor of 2048 elements from the piece's first one; check SetOrgShape, "
         "SetTail, and the offset of the tensor; aiv0"},
        {"hf32_on_vector_core", Registered<>([](auto& mm, World&) { mm.SetHF32(true); }), "fault [matmul-cube-only] SetHF32: SetHF32: the call exists on the cube core only; ; aiv0; a "
         "cube core, under ASCENDC_CUBE_ONLY; define ASCENDC_CUBE_ONLY before the include; aiv0"},
        {"used_on_the_cube_core",
         [](World& w) {
             if ASCEND_IS_AIC {
                 TPipe pipe;
                 Matmul<In, In, Out> mm;
                 mm.Init(&w.tiling, &pipe);
                 Set(mm, w);
                 mm.IterateAll(Gm<float>(w.c));
             }
         },
         "fault [matmul-core] IterateAll: IterateAll: in a kernel of both kinds the vector cores call "
         "Matmul; ; aic0; a vector core; a cube core under ASCENDC_CUBE_ONLY; register the object with "
         "REGIST_MATMUL_OBJ, which serves on the cube core; aic0"},
        {"no_cube_core", Registered<>([](auto& mm, World& w) { Set(mm, w), mm.IterateAll(Gm<float>(w.c)); }), "fault [matmul-kernel] REGIST_MATMUL_OBJ: REGIST_MATMUL_OBJ: the launch has no cube core that "
         "could multiply; ; KERNEL_TYPE_AIV_ONLY; KERNEL_TYPE_MIX_AIC_1_1, KERNEL_TYPE_MIX_AIC_1_2; with "
         "ASCENDC_CUBE_ONLY KERNEL_TYPE_AIC_ONLY; declare "
         "KERNEL_TASK_TYPE_DEFAULT(KERNEL_TYPE_MIX_AIC_1_2); aiv0",
         CoreChoice::kVector},
        {"no_tiling",
         [](World& w) {
             TPipe pipe;
             Matmul<In, In, Out> mm;
             REGIST_MATMUL_OBJ(&pipe, GetSysWorkSpacePtr(), mm);
             Set(mm, w);
             mm.IterateAll(Gm<float>(w.c));
         },
         "fault [matmul-unset] IterateAll: IterateAll: the Matmul has no tiling; ; no Init before it; "
         "REGIST_MATMUL_OBJ with a tiling, or Init; pass the tiling to REGIST_MATMUL_OBJ; aiv0"},
        {"no_matrix", Registered<>([](auto& mm, World& w) { mm.SetTensorA(Gm<half>(w.a)), mm.IterateAll(Gm<float>(w.c)); }), "fault [matmul-unset] IterateAll: IterateAll: the matrix B is not set; B; no SetTensorB before "
         "it; SetTensorB first; set both matrices before the product; aiv0"},
        {"dual_master", Registered<kDual>([](auto&, World&) {}), "fault [matmul-refused] Init: Init: this part of Matmul is out of scope; enableMixDualMaster; "
         "enableMixDualMaster true; false; use ASCENDC_CUBE_ONLY, or leave the field false; aiv0"},
        {"n_batch", Registered<>([](auto& mm, World&) { mm.IterateNBatch(1, 2, 2, false); }), "fault [matmul-refused] IterateNBatch: IterateNBatch: this part of Matmul is out of scope; ; "
         "IterateNBatch; the other calls of Matmul; call IterateBatch in a loop; aiv0"},
        {"chip_without", Registered<>([](auto&, World&) {}), "fault [matmul-refused] Init: Init: Matmul does not run on Ascend910; ; Ascend910; "
         "Ascend310P, Ascend910B; write the product with LoadData, Mmad and DataCopy; core0", CoreChoice::kDefault, "Ascend910A"},
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
         },
         "fault [deadlock] REGIST_MATMUL_OBJ: REGIST_MATMUL_OBJ: no core of the launch can go on; ; aic0 "
         "waits for ever: aiv0: waiting in CrossCoreWaitFlag(3); a call or a store that other cores get "
         "to ends every wait; the cube core serves Matmul calls here until its vector cores end; code "
         "behind the macro does not run before; aic0"},
    };
}

class WrongMatmul : public ::testing::TestWithParam<Program> {};
TEST_P(WrongMatmul, GivesItsReport) { GivesItsReport(GetParam()); }
INSTANTIATE_TEST_SUITE_P(All, WrongMatmul, ::testing::ValuesIn(Programs()), NameOf);

}  // namespace
}  // namespace sfumato::matmul_test
