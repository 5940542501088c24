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

std::vector<Program> Programs() {
    return {
        {"null_tiling",
         [](World&) {
             TPipe pipe;
             Matmul<In, In, Out> mm;
             REGIST_MATMUL_OBJ(&pipe, GetSysWorkSpacePtr(), mm, static_cast<TCubeTiling*>(nullptr));
         },
         "fault [matmul-unset] Init: Init: the tiling is a null pointer; tiling; no tiling, and no static one with all sizes; a TCubeTiling; pass the tiling the host computed; aiv0"},
        {"two_types",
         [](World& w) {
             TPipe pipe;
             Matmul<In, Int8In, Out> mm;
             REGIST_MATMUL_OBJ(&pipe, GetSysWorkSpacePtr(), mm, &w.tiling);
         },
         "fault [matmul-refused] Init: Init: this part of Matmul is out of scope; A, B; half x int8_t; one type of A and B; convert B to half before the product; aiv0"},
        {"reorder", Registered<kReorder>(nothing), "fault [matmul-refused] Init: Init: this part of Matmul is out of scope; enableKdimReorderLoad; enableKdimReorderLoad true; false; leave the field false: k ascends on every core; aiv0"},
        {"part_sum", Registered<kPartSum>(nothing), "fault [matmul-refused] Init: Init: this part of Matmul is out of scope; intraBlockPartSum; intraBlockPartSum true; false; add the two results with enAtomic 1; aiv0"},
        {"n_batch_field", Registered<kNBatch>(nothing), "fault [matmul-refused] Init: Init: this part of Matmul is out of scope; isNBatch; isNBatch true; false; call IterateBatch in a loop; aiv0"},
        {"removed_init", Registered<kNoInit>(nothing), "fault [matmul-removed] Init: Init: the MatmulConfig removes the call; ; enableInit false; enableInit true; leave the field at its default, or the call out; aiv0"},
        {"removed_org_shape", Registered<kNoOrg>([](auto& mm, World&) { mm.SetOrgShape(32, 48, 64); }), "fault [matmul-removed] SetOrgShape: SetOrgShape: the MatmulConfig removes the call; ; enableSetOrgShape false; enableSetOrgShape true; leave the field at its default, or the call out; aiv0"},
        {"removed_tail", Registered<kNoTail>([](auto& mm, World&) { mm.SetTail(16); }), "fault [matmul-removed] SetTail: SetTail: the MatmulConfig removes the call; ; enableSetTail false; enableSetTail true; leave the field at its default, or the call out; aiv0"},
        {"removed_single_shape", Registered<kNoTail>([](auto& mm, World&) { mm.SetSingleShape(16, 48, 64); }), "fault [matmul-removed] SetSingleShape: SetSingleShape: the MatmulConfig removes the call; ; enableSetTail false; enableSetTail true; leave the field at its default, or the call out; aiv0"},
        {"removed_end", Registered<kNoEnd>([](auto& mm, World&) { mm.End(); }), "fault [matmul-removed] End: End: the MatmulConfig removes the call; ; enableEnd false; enableEnd true; leave the field at its default, or the call out; aiv0"},
        {"removed_quant", Registered<kNoQuant>([](auto& mm, World& w) { mm.SetQuantVector(Gm<uint64_t>(w.a)); }), "fault [matmul-removed] SetQuantVector: SetQuantVector: the MatmulConfig removes the call; ; enableQuantVector false; enableQuantVector true; leave the field at its default, or the call out; aiv0"},
        {"removed_data", Registered<kNoData>([](auto& mm, World&) { mm.SetSelfDefineData(1); }), "fault [matmul-removed] SetSelfDefineData: SetSelfDefineData: the MatmulConfig removes the call; ; enableSetDefineData false; enableSetDefineData true; leave the field at its default, or the call out; aiv0"},
        {"only_batches", Registered<kOnlyBatch>([](auto& mm, World& w) { Set(mm, w), mm.IterateAll(Gm<float>(w.c)); }), "fault [matmul-removed] IterateAll: IterateAll: the MatmulConfig removes the call; ; iterateMode ITERATE_MODE_BATCH; ITERATE_MODE_ALL, ITERATE_MODE_DEFAULT; leave iterateMode at its default, or the call out; aiv0"},
        {"only_loops", Registered<kOnlyLoop>([](auto& mm, World& w) { Set(mm, w), mm.IterateAll(Gm<float>(w.c)); }), "fault [matmul-removed] IterateAll: IterateAll: the MatmulConfig removes the call; ; iterateMode ITERATE_MODE_NORMAL; ITERATE_MODE_ALL, ITERATE_MODE_DEFAULT; leave iterateMode at its default, or the call out; aiv0"},
        {"data_after_tensor",
         Registered<>([](auto& mm, World& w) { mm.SetTensorA(Gm<half>(w.a)), mm.SetSelfDefineData(1); }), "warning [matmul-order] SetSelfDefineData: SetSelfDefineData: SetSelfDefineData stands behind the tensors; ; SetTensorA or SetTensorB before it; SetSelfDefineData, then the tensors; move it up; aiv0"},
        {"scale_in_a_round", Registered<CFG_NORM, Int8In, MatmulType<TPosition::GM, CubeFormat::ND, half>>([](auto& mm, World& w) {
             mm.SetTensorA(Gm<int8_t>(w.a)), mm.SetTensorB(Gm<int8_t>(w.b));
             mm.SetQuantScalar(0x3f800000);
             mm.Iterate();
             mm.SetQuantScalar(0x3f000000);
             mm.GetTensorC(Gm<half>(w.c));
             mm.End();
         }),
         "warning [matmul-order] SetQuantScalar: SetQuantScalar: SetQuantScalar stands in a round of Iterate; ; 1 blocks before it; before the first Iterate; move it up, or begin another round with SetTensorA; aiv0"},
        {"scales_in_a_round", Registered<CFG_NORM, Int8In, MatmulType<TPosition::GM, CubeFormat::ND, half>>([](auto& mm, World& w) {
             mm.SetTensorA(Gm<int8_t>(w.a)), mm.SetTensorB(Gm<int8_t>(w.b));
             mm.SetQuantScalar(0x3f800000);
             mm.Iterate();
             mm.SetQuantVector(Gm<uint64_t>(w.c + 65536));
             mm.GetTensorC(Gm<half>(w.c));
             mm.End();
         }),
         "warning [matmul-order] SetQuantVector: SetQuantVector: SetQuantVector stands in a round of Iterate; ; 1 blocks before it; before the first Iterate; move it up, or begin another round with SetTensorA; aiv0"},
        {"int8_not_turned", Registered<CFG_NORM, Int8Turned, Int32Row>([](auto& mm, World& w) {
             mm.SetTensorA(Gm<int8_t>(w.a));
         }),
         "fault [matmul-transpose] SetTensorA: SetTensorA: the flag is not what ISTRANS of MatmulType says; isTransposeA; false, ISTRANS true; the same in both: only half and bfloat16_t may differ; set ISTRANS of MatmulType, and the host's SetAType or SetBType; aiv0"},
        {"int4_turned", Registered<CFG_NORM, Int4Turned, Int32Row>([](auto& mm, World& w) {
             mm.SetTensorA(Gm<int4b_t>(w.a), true);
         }),
         "fault [matmul-transpose] SetTensorA: SetTensorA: a matrix of int4b_t is never transposed as A; isTransposeA; true, ISTRANS true; false; set ISTRANS of MatmulType, and the host's SetAType or SetBType; aiv0"},
        {"b_turned", Registered<>([](auto& mm, World& w) { mm.SetTensorB(Gm<half>(w.b), true); }), "fault [matmul-transpose] SetTensorB: SetTensorB: the flag is not what ISTRANS of MatmulType says; isTransposeB; true, ISTRANS false; false, or ISTRANS true; set ISTRANS of MatmulType, and the host's SetAType or SetBType; aiv0"},
        {"batch_num_on_vector_core", Registered<>([](auto& mm, World&) { mm.SetBatchNum(2, 2); }), "fault [matmul-cube-only] SetBatchNum: SetBatchNum: the call exists on the cube core only; ; aiv0; a cube core, under ASCENDC_CUBE_ONLY; define ASCENDC_CUBE_ONLY before the include; aiv0"},
        {"antiquant_scalar", Registered<>([](auto& mm, World&) { mm.SetAntiQuantScalar(half(1), half(2)); }), "fault [matmul-refused] SetAntiQuantScalar: SetAntiQuantScalar: this part of Matmul is out of scope; ; SetAntiQuantScalar; the other calls of Matmul; convert B to half before the product; aiv0"},
        {"antiquant_vector", Registered<>([](auto& mm, World&) {
             LocalTensor<half> offset, scale;
             mm.SetAntiQuantVector(offset, scale);
         }),
         "fault [matmul-refused] SetAntiQuantVector: SetAntiQuantVector: this part of Matmul is out of scope; ; SetAntiQuantVector; the other calls of Matmul; convert B to half before the product; aiv0"},
        {"no_workspace", Registered<>([](auto& mm, World& w) { Set(mm, w), mm.template Iterate<false>(); }), "fault [matmul-unset] Iterate: Iterate: an asynchronous Iterate needs a workspace; ; no SetWorkspace before it; SetWorkspace first; give it singleM x singleN elements of C; aiv0"},
        {"small_workspace", Registered<>([](auto& mm, World& w) {
             auto gm = Gm<float>(w.c, 1000);
             mm.SetWorkspace(gm);
             Set(mm, w);
             mm.template Iterate<false>();
         }),
         "fault [matmul-destination] Iterate: Iterate: the destination is too small; C; 1000 elements; 1536 elements; check SetOrgShape and SetTail, or give SetGlobalBuffer the size it has; aiv0"},
        {"fetch_without_start", Registered<>([](auto& mm, World& w) { Set(mm, w), mm.template GetTensorC<false>(); }), "fault [matmul-pairing] GetTensorC: GetTensorC: there is no block to fetch; ; no Iterate<false> before it; as many GetTensorC<false> as the piece has base blocks; count the blocks of the piece; aiv0"},
        {"fetch_too_often", Registered<>([](auto& mm, World& w) {
             auto gm = Gm<float>(w.c, 32 * 48);
             mm.SetWorkspace(gm);
             Set(mm, w);
             mm.template Iterate<false>();
             mm.template GetTensorC<false>();
             mm.template GetTensorC<false>();
         }),
         "fault [matmul-pairing] GetTensorC: GetTensorC: there is no block to fetch; ; the 1 blocks are fetched; as many GetTensorC<false> as the piece has base blocks; count the blocks of the piece; aiv0"},
        {"partial_sum_of_blocks", Small([](auto& mm, World& w) { Set(mm, w), mm.Iterate(true); }), "fault [matmul-pairing] Iterate: Iterate: L0C holds one block, and the piece has several; ; enPartialSum with 6 base blocks; a piece of at most baseM x baseN; make the piece one base block, or let Iterate run over the whole K; aiv0"},
        {"block_taken", Small([](auto& mm, World& w) {
             Set(mm, w);
             mm.Iterate();
             mm.GetTensorC(Gm<float>(w.c));
             mm.GetTensorC(Gm<float>(w.c));
         }),
         "fault [matmul-pairing] GetTensorC: GetTensorC: there is no block to fetch; ; no Iterate that returned true since the last GetTensorC; one GetTensorC for each Iterate that returns true; call it in the loop of Iterate; aiv0"},
        {"own_co1_on_vector_core", Registered<CFG_NORM, In, Co1Out>([](auto& mm, World& w) {
             TBuf<TPosition::VECCALC> buffer;
             GetTPipePtr()->InitBuffer(buffer, 32 * 48 * 4);
             Set(mm, w);
             mm.Iterate(false, buffer.Get<float>());
         }),
         "fault [matmul-cube-only] Iterate: Iterate: a tensor in CO1 belongs to the cube core; localCMatrix; aiv0; a cube core, under ASCENDC_CUBE_ONLY; define ASCENDC_CUBE_ONLY before the include; aiv0"},
        {"direct_on_vector_core",
         [](World& w) {
             if ASCEND_IS_AIV {
                 TPipe pipe;
                 MatmulImpl<In, In, Out> mm;
                 mm.Init(&w.tiling, &pipe);
                 Set(mm, w);
                 mm.IterateAll(Gm<float>(w.c));
             }
         },
         "fault [matmul-kernel] IterateAll: IterateAll: the call runs where it is written, and a vector core has no cube unit; ; aiv0; a cube core; AscendC::Matmul without ASCENDC_CUBE_ONLY on a vector core; guard the call with ASCEND_IS_AIC, or use Matmul in a KERNEL_TYPE_MIX_AIC_1_2; aiv0"},
        {"no_a", Registered<>([](auto& mm, World& w) { mm.SetTensorB(Gm<half>(w.b)), mm.IterateAll(Gm<float>(w.c)); }), "fault [matmul-unset] IterateAll: IterateAll: the matrix A is not set; A; no SetTensorA before it; SetTensorA first; set both matrices before the product; aiv0"},
        {"nz_columns", Registered<CFG_NORM, NzIn>([](auto& mm, World& w) {
             mm.SetOrgShape(32, 48, 60);
             mm.SetTail(-1, -1, 60);
             Set(mm, w);
             mm.IterateAll(Gm<float>(w.c));
         }),
         "fault [matmul-nz] IterateAll: IterateAll: K of A in NZ is no multiple of its fractal; A; 60; a multiple of 16; pad the matrix, and pass the padded sizes to SetOrgShape; aiv0"},
        {"nz_columns_of_c", Registered<CFG_NORM, In, NzOut>([](auto& mm, World& w) {
             mm.SetOrgShape(32, 40, 64);
             mm.SetTail(-1, 40);
             Set(mm, w);
             mm.IterateAll(Gm<float>(w.c));
         }),
         "fault [matmul-nz] IterateAll: IterateAll: N of C in NZ is no multiple of its fractal; C; 40; a multiple of 16; pad the matrix, and pass the padded sizes; aiv0"},
        {"nz_rows_of_c", Registered<CFG_NORM, In, NzOut>([](auto& mm, World& w) {
             mm.SetOrgShape(20, 48, 64);
             mm.SetTail(20);
             Set(mm, w);
             mm.IterateAll(Gm<float>(w.c));
         }),
         "fault [matmul-nz] IterateAll: IterateAll: M of C in NZ is no multiple of its fractal; C; 20; a multiple of 16; pad the matrix, and pass the padded sizes; aiv0"},
        {"inner_axis_of_b", Registered<>([](auto& mm, World& w) {
             mm.SetOrgShape(32, 66000, 64);
             Set(mm, w);
             mm.IterateAll(Gm<float>(w.c));
         }),
         "fault [matmul-inner] IterateAll: IterateAll: the inner axis of B is too long for one move; B; 66000 elements; below 65535, or intrinsicsCheck true in the MatmulConfig; use GetNormalConfig(true) or GetMDLConfig(true); aiv0"},
        {"piece_of_0", Registered<>([](auto& mm, World& w) {
             mm.SetTail(-1, 0);
             Set(mm, w);
             mm.IterateAll(Gm<float>(w.c));
         }),
         "fault [matmul-range] IterateAll: IterateAll: N of the piece is out of range; N; 0; 1 to 48, the size of the whole; pass the sizes of the whole to SetOrgShape, those of the piece to SetSingleShape or SetTail; aiv0"},
        {"piece_longer_than_kb", Registered<>([](auto& mm, World& w) {
             mm.SetOrgShape(32, 48, 64, 60);
             Set(mm, w);
             mm.IterateAll(Gm<float>(w.c));
         }),
         "fault [matmul-range] IterateAll: IterateAll: K of the piece is out of range; K; 64; 1 to 60, the size of the whole; pass the sizes of the whole to SetOrgShape, those of the piece to SetSingleShape or SetTail; aiv0"},
        {"b_too_small", Registered<>([](auto& mm, World& w) {
             mm.SetTensorA(Gm<half>(w.a));
             mm.SetTensorB(Gm<half>(w.b, 3071));
             mm.IterateAll(Gm<float>(w.c));
         }),
         "fault [matmul-range] IterateAll: IterateAll: the piece of B reads past the tensor; B; element 3071 of 3071; a GlobalTensor of 3072 elements from the piece's first one; check SetOrgShape, SetTail, and the offset of the tensor; aiv0"},
        {"nz_too_small", Registered<CFG_NORM, NzIn>([](auto& mm, World& w) {
             mm.SetTensorA(Gm<half>(w.a, 2047));
             mm.SetTensorB(Gm<half>(w.b));
             mm.IterateAll(Gm<float>(w.c));
         }),
         "fault [matmul-range] IterateAll: IterateAll: the piece of A reads past the tensor; A; element 2047 of 2047; a GlobalTensor of 2048 elements from the piece's first one; check SetOrgShape, SetTail, and the offset of the tensor; aiv0"},
        {"row_of_c_too_long", Registered<>([](auto& mm, World& w) {
             mm.SetOrgShape(32, 48, 64, 64, 100);
             Set(mm, w);
             mm.IterateAll(Gm<float>(w.c, 1536));
         }),
         "fault [matmul-destination] IterateAll: IterateAll: the destination is too small; C; 1536 elements; 3148 elements; check SetOrgShape and SetTail, or give SetGlobalBuffer the size it has; aiv0"},
        {"dense_too_small", Small([](auto& mm, World& w) {
             mm.SetTail(20);
             Set(mm, w);
             mm.IterateAll(Gm<float>(w.c, 1200), 0, true);
         }),
         "fault [matmul-destination] IterateAll: IterateAll: the destination is too small; C; 1200 elements; 1344 elements; check SetOrgShape and SetTail, or give SetGlobalBuffer the size it has; aiv0"},
        {"small_in_ub", Registered<CFG_NORM, In, OutUb>([](auto& mm, World& w) {
             TBuf<TPosition::VECCALC> buffer;
             GetTPipePtr()->InitBuffer(buffer, 4096);
             Set(mm, w);
             mm.IterateAll(buffer.Get<float>());
         }),
         "fault [matmul-destination] IterateAll: IterateAll: the destination is too small; C; 1024 elements; 1536 elements; give the buffer behind it as many in InitBuffer; aiv0"},
        {"partial_sum_of_nothing", Registered<>([](auto& mm, World& w) { Set(mm, w), mm.Iterate(true); }), "fault [matmul-pairing] Iterate: Iterate: there is no block to add to; enPartialSum; no Iterate of this object before it whose block L0C still holds; Iterate(false) first; pass enPartialSum from the second part of K on; aic0"},
        {"atomic_4", Registered<>([](auto& mm, World& w) { Set(mm, w), mm.IterateAll(Gm<float>(w.c), 4); }), "fault [matmul-destination] IterateAll: IterateAll: no such atomic mode; enAtomic; 4; 0 none, 1 add, 2 max, 3 min; use a GlobalTensor, or add in UB; aiv0"},
        {"atomic_in_ub", Registered<CFG_NORM, In, OutUb>([](auto& mm, World& w) {
             TBuf<TPosition::VECCALC> buffer;
             GetTPipePtr()->InitBuffer(buffer, 32 * 48 * 4);
             Set(mm, w);
             mm.IterateAll(buffer.Get<float>(), 1);
         }),
         "fault [matmul-destination] IterateAll: IterateAll: results in UB are not combined with what is there; enAtomic; 1; 0; use a GlobalTensor, or add in UB; aiv0"},
        {"input_in_ub_too_small", Registered<CFG_NORM, UbIn>([](auto& mm, World& w) {
             TBuf<TPosition::VECCALC> buffer;
             GetTPipePtr()->InitBuffer(buffer, 4064);
             mm.SetTensorA(buffer.Get<half>());
             mm.SetTensorB(buffer.Get<half>());
             mm.IterateAll(Gm<float>(w.c));
         }),
         "fault [matmul-range] IterateAll: IterateAll: the piece reads past the tensor; A; 4064 bytes; 4096 bytes; give the buffer behind it as many in InitBuffer; aiv0"},
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
         },
         "fault [matmul-tiling] Matmul: Matmul: a base block does not fit: A1, B1 and C1 in L1; tiling; 10240 bytes of 1024, with baseM 32, baseN 48, baseK 64; at most 1024 bytes; use smaller base blocks, or fewer buffers of the program's own there; aic0"},
        {"tscm_above_half", Registered<CFG_NORM, TscmIn>([](auto&, World& w) {
             TBuf<TPosition::TSCM> low, high;
             GetTPipePtr()->InitBuffer(low, 256 * 1024);
             GetTPipePtr()->InitBuffer(high, 4096);
             DataCopy(high.Get<half>(), Gm<half>(w.a), 2048);
         }),
         "fault [memory-full] DataCopy: DataCopy: TSCM of a vector core is half of the block's L1; dst; bytes up to 266240; 262144 bytes; use smaller buffers in TSCM; aiv0"},
    };
}

class WrongMatmulCall : public ::testing::TestWithParam<Program> {};
TEST_P(WrongMatmulCall, GivesItsReport) { GivesItsReport(GetParam()); }
INSTANTIATE_TEST_SUITE_P(All, WrongMatmulCall, ::testing::ValuesIn(Programs()), NameOf);

}  // namespace
}  // namespace sfumato::matmul_test
