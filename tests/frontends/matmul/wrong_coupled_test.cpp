// SPDX-License-Identifier: Apache-2.0
// Matmul on Ascend310P: what it cannot do there, and what it needs.
#include "wrong_programs.h"

namespace sfumato::matmul_test {
namespace {

template <class T, bool trans = false>
using GmOf = MatmulType<TPosition::GM, CubeFormat::ND, T, trans>;
using InUb = MatmulType<TPosition::VECOUT, CubeFormat::ND, half>;
using BsngdIn = MatmulType<TPosition::GM, CubeFormat::ND, half, false, LayoutMode::BSNGD>;

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

std::vector<Program> Programs() {
    std::vector<Program> programs = {
        {"float", Given<GmOf<float>, GmOf<float>, GmOf<float>>(),
         "fault [matmul-types] Init: Init: the cube unit does not multiply the type; A, B; float; half, int8_t; convert A "
         "and B to half; core0"},
        {"bfloat16_result", Given<In, In, GmOf<bfloat16_t>, GmOf<float>>(),
         "fault [matmul-types] Init: Init: the product does not leave L0C in the type; C; bfloat16_t; float, half; take "
         "float, and convert in UB; core0"},
        {"half_bias", Given<In, In, Out, GmOf<half>>(),
         "fault [matmul-types] Init: Init: without a bias table nothing widens the bias; bias; half; float; convert the "
         "bias to float; core0"},
        {"half_with_int8", Given<In, GmOf<int8_t>, Out>(),
         "fault [matmul-refused] Init: Init: this part of Matmul is out of scope; A, B; half x int8_t; one type of A and "
         "B; convert B to half before the product; core0"},
        {"int8_a_transposed", Given<GmOf<int8_t, true>, GmOf<int8_t, true>, Int32Row>(),
         "fault [matmul-transpose] Init: Init: the fractals of A in 8 bits cannot be turned; A; ISTRANS true; false; "
         "store A as M rows of K; core0"},
        {"callback", Given<In, In, Out, Out, MatmulCallBackFunc<nullptr, CopyIn, nullptr>>(),
         "fault [matmul-refused] Init: Init: the page of MatmulCallBackFunc leaves the chip out; MM_CB; callbacks, not on "
         "Ascend310P; none; let Matmul move the blocks; core0"},
        {"attention_layout", Given<BsngdIn, BsngdIn, Out>(),
         "fault [matmul-refused] Init: Init: this part of Matmul is out of scope; LAYOUT; a layout of attention, not on "
         "Ascend310P; NONE, NORMAL; call IterateAll for each product; core0"},
        {"scalar", WithScratch<In, Out>([](auto& mm, World& w, TPipe&) {
             mm.SetTensorA(half(1));
             mm.SetTensorB(Gm<half>(w.b));
             mm.IterateAll(Gm<float>(w.c));
         }),
         "fault [matmul-range] IterateAll: IterateAll: no scalar stands for a matrix here; A; a scalar; a tensor; fill a "
         "tensor; core0"},
        {"rows_in_ub", WithScratch<InUb, Out>([](auto& mm, World& w, TPipe& pipe) {
             TBuf<TPosition::VECCALC> a;
             pipe.InitBuffer(a, 32 * 64 * 2);
             mm.SetTail(-1, -1, 40);
             mm.SetTensorA(a.Get<half>());
             mm.SetTensorB(Gm<half>(w.b));
             mm.IterateAll(Gm<float>(w.c));
         }),
         "fault [matmul-range] IterateAll: IterateAll: rows of a matrix in UB do not begin at 32 bytes; A; 80 bytes in a "
         "row; a multiple of 32 bytes; pad the rows, or keep the matrix in global memory; core0"},
        {"small_in_ub", WithScratch<InUb, Out>([](auto& mm, World& w, TPipe& pipe) {
             TBuf<TPosition::VECCALC> a;
             pipe.InitBuffer(a, 2048);
             mm.SetTensorA(a.Get<half>());
             mm.SetTensorB(Gm<half>(w.b));
             mm.IterateAll(Gm<float>(w.c));
         }),
         "fault [matmul-range] IterateAll: IterateAll: the piece reads past the tensor; A; 2048 bytes; 4096 bytes; give "
         "the buffer behind it as many in InitBuffer; core0"},
        {"rows_of_the_result", WithScratch<In, Out>([](auto& mm, World& w, TPipe&) {
             mm.SetTail(-1, 45);
             Set(mm, w);
             mm.IterateAll(Gm<float>(w.c));
         }),
         "fault [matmul-destination] IterateAll: IterateAll: rows of the result do not begin and end at 32 bytes; C; 180 "
         "bytes in a row; a multiple of 32 bytes; in CubeFormat::ND_ALIGN the last block of a row may be shorter; use "
         "ND_ALIGN for C, another N, or pad the rows of C; core0"},
        {"filled_rows_in_the_matrix", WithScratch<In, MatmulType<TPosition::GM, CubeFormat::ND_ALIGN, float>>([](auto& mm, World& w, TPipe&) {
             mm.SetTail(-1, 45);
             Set(mm, w);
             mm.IterateAll(Gm<float>(w.c));
         }),
         "fault [matmul-destination] IterateAll: IterateAll: rows of the result do not begin and end at 32 bytes; C; 180 "
         "bytes in a row; a multiple of 32 bytes; in CubeFormat::ND_ALIGN the last block of a row may be shorter; use "
         "ND_ALIGN for C, another N, or pad the rows of C; core0"},
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
         },
         "fault [matmul-tiling] Matmul: Matmul: a base block does not fit: C on its way in UB; ; 1024 bytes of "
         "SetLocalWorkspace; 2048 bytes; give SetLocalWorkspace what MatmulGetTmpBufSize says, or use smaller base "
         "blocks; core0"},
        {"rows_in_ub_of_the_result", WithScratch<In, OutUb>([](auto& mm, World& w, TPipe& pipe) {
             TBuf<TPosition::VECCALC> c;
             pipe.InitBuffer(c, 32 * 48 * 4);
             Set(mm, w);
             mm.Iterate();
             mm.GetTensorC(c.Get<float>());
         }),
         "fault [matmul-destination] GetTensorC: GetTensorC: results in UB are NZ here; C; CubeFormat::ND; "
         "CubeFormat::NZ; use NZ for C, or a GlobalTensor; core0"},
        {"all_to_ub", WithScratch<In, OutUb>([](auto& mm, World& w, TPipe& pipe) {
             TBuf<TPosition::VECCALC> c;
             pipe.InitBuffer(c, 32 * 48 * 4);
             Set(mm, w);
             mm.IterateAll(c.Get<float>());
         }),
         "fault [matmul-destination] IterateAll: IterateAll: IterateAll has results in global memory here; C; a "
         "LocalTensor; a GlobalTensor; use Iterate and GetTensorC; core0"},
        {"no_scratch", WithScratch<In, Out>([](auto& mm, World& w, TPipe&) { Set(mm, w), mm.IterateAll(Gm<float>(w.c)), mm.End(); }, 0),
         "warning [matmul-order] IterateAll: IterateAll: C passes UB, and Matmul has no place of its own there; ; no "
         "SetLocalWorkspace before it; SetLocalWorkspace first; give it what MatmulGetTmpBufSize says; free UB behind the "
         "buffers of the TPipe is taken; core0"},
        {"small_scratch",
         WithScratch<In, Out>([](auto& mm, World& w, TPipe&) { Set(mm, w), mm.IterateAll(Gm<float>(w.c)); }, 4096),
         "fault [matmul-tiling] Matmul: Matmul: a base block does not fit: C on its way in UB; ; 4096 bytes of "
         "SetLocalWorkspace; 6144 bytes; give SetLocalWorkspace what MatmulGetTmpBufSize says, or use smaller base "
         "blocks; core0"},
        {"scales_in_ub", WithScratch<In, Out>([](auto& mm, World& w, TPipe& pipe) {
             TBuf<TPosition::VECCALC> words;
             pipe.InitBuffer(words, 48 * 8);
             Set(mm, w);
             mm.SetQuantVector(words.Get<uint64_t>());
             mm.IterateAll(Gm<float>(w.c));
         }),
         "fault [matmul-range] IterateAll: IterateAll: the words of the scales lie in global memory here; quantTensor; a "
         "LocalTensor; a GlobalTensor; pass the words in global memory; core0"},
    };
    for (Program& program : programs) program.core = CoreChoice::kDefault, program.chip = "Ascend310P3";
    return programs;
}

class WrongCoupled : public ::testing::TestWithParam<Program> {};
TEST_P(WrongCoupled, GivesItsReport) { GivesItsReport(GetParam()); }
INSTANTIATE_TEST_SUITE_P(All, WrongCoupled, ::testing::ValuesIn(Programs()), NameOf);

}  // namespace
}  // namespace sfumato::matmul_test
