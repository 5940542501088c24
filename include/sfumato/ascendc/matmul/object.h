// SPDX-License-Identifier: Apache-2.0
// The state of one Matmul object as a plain struct, and the functions of the library that its calls become
// (src/frontends/ascendc/matmul).
#pragma once

#include "sfumato/ascendc/matmul/types.h"
#include "sfumato/tiling/cube_tiling.h"

namespace sfumato::ascendc::mm {

// One matrix, as MatmulType says it.
struct Side {
    AscendC::TPosition pos;
    AscendC::CubeFormat format;
    DataType type;
    bool may_transpose;
    AscendC::LayoutMode layout;
    bool shared;  // IBSHARE
};

// What the template parameters of a Matmul say.
struct Kind {
    Side a, b, c, bias;
    const AscendC::MatmulConfig* config;
    const AscendC::tiling::TCubeTiling* constants;  // of a static tiling, 0 where it says nothing; null without
    AscendC::MatmulCopyOut copy_out;
    AscendC::MatmulCopyIn copy_a, copy_b;
    AscendC::Impl::Detail::Skipped skipped;
    bool direct;  // MatmulImpl, or any under ASCENDC_CUBE_ONLY: the calls run where they are written
};

// A matrix that a setter was given.
struct Input {
    enum class From : uint8_t { kNone, kGlobal, kLocal, kScalar } from = From::kNone;
    GlobalView gm;
    LocalView local;
    uint64_t scalar = 0;  // bit pattern
    bool transposed = false;
    int32_t whole_outer = 0, whole_k = 0;  // sizes of the matrix it is part of; 0: those of SetOrgShape
};

// How a base block lies where it goes: at its place in the piece; alone, with the pitch of a whole block; alone, with
// its own pitch, in UB with the rows that ND_ALIGN pads, in the workspace without.
enum class Layout : uint8_t { kInPiece, kSequential, kInUb, kInWorkspace };

// Where a result goes: one of the two, or both.
struct Output {
    GlobalView gm;
    LocalView local;
    bool to_gm = false, to_local = false;
    uint8_t atomic = 0;  // 0 none, 1 add, 2 max, 3 min
    Layout layout = Layout::kInPiece;
};

// Batches of one call (adv.md 2.8). Strides: elements from one matrix to the next, 0 = as the layout has it.
struct Batch {
    uint32_t a = 0, b = 0;
    uint32_t stride_a = 0, stride_b = 0, stride_c = 0;
};

struct Object {
    const Kind* kind = nullptr;
    const Object* self = nullptr;  // copies keep whose they are
    AscendC::tiling::TCubeTiling tiling;
    bool ready = false;   // Init has been called
    bool client = false;  // on a vector core: calls become requests to the cube core
    int32_t org_m = 0, org_n = 0, org_ka = 0, org_kb = 0, org_kc = 0;
    int32_t m = 0, n = 0, k = 0;  // the piece
    Input a, b, bias;
    bool bias_on = false;  // of the tiling, until a setter says otherwise
    enum class Quant : uint8_t { kNone, kScalar, kVector } quant = Quant::kNone;
    uint64_t quant_word = 0;
    Input quant_words;
    Input offset, scale;  // of B of int8_t beside A of half: two scalars, or two rows of N halves in UB
    uint64_t user_info = 0, self_data = 0;
    GlobalView workspace;  // SetWorkspace; its size in bytes
    LocalView scratch;     // SetLocalWorkspace
    Batch batch;           // SetBatchNum
    bool moved = false;    // SetTensorA or B since the last product
    // Iteration: the next block; the block that L0C holds for GetTensorC.
    int64_t next = 0, held = 0;
    uint64_t next_start = 0;  // of that block in the workspace, in elements
    bool ended = false, holds = false;
    bool in_flight = false;    // an asynchronous Iterate has put its blocks into the workspace
    uint32_t to_wait_for = 0;  // asynchronous calls that a wait must follow
    uint64_t request = 0;      // the last one, of a client
};

SFUMATO_API void Init(Object* object, const AscendC::tiling::TCubeTiling* tiling, Where where);
SFUMATO_API void SetOrgShape(Object* object, int m, int n, int ka, int kb, int kc, Where where);
SFUMATO_API void SetSingleShape(Object* object, int m, int n, int k, const char* call, Where where);
enum class Which : uint8_t { kA, kB, kBias, kQuant };
SFUMATO_API void SetInput(Object* object, Which which, const Input& input, Where where);
SFUMATO_API void DisableBias(Object* object, const char* call, Where where);
SFUMATO_API void SetQuantWord(Object* object, uint64_t word, Where where);
// SetAntiQuantScalar, SetAntiQuantVector: B becomes (B + offset) x scale in half (adv.md 2.12).
SFUMATO_API void SetAntiQuant(Object* object, const Input& offset, const Input& scale, const char* call, Where where);
SFUMATO_API void SetHf32(Object* object, bool enable, int32_t mode, Where where);
SFUMATO_API void SetInfo(Object* object, uint64_t tiling, Where where);
SFUMATO_API void SetData(Object* object, uint64_t self_data, Where where);
SFUMATO_API void SetWorkspace(Object* object, const GlobalView& gm, Where where);
SFUMATO_API void SetBatchNum(Object* object, uint32_t a, uint32_t b, Where where);
// co1: the caller's tensor in L0C, or null.
SFUMATO_API bool Iterate(Object* object, bool sync, bool partial, const LocalView* co1, Where where);
SFUMATO_API void GetTensor(Object* object, bool sync, const Output& output, Where where);
// The next block of an asynchronous Iterate, in the workspace.
SFUMATO_API GlobalView NextTensor(Object* object, Where where);
SFUMATO_API void IterateAll(Object* object, bool sync, const Output& output, bool wait, bool fake, Where where);
SFUMATO_API void IterateBatch(Object* object, bool sync, const Output& output, const Batch& batch, bool partial,
                              bool wait, Where where);
SFUMATO_API void WaitFor(Object* object, const char* call, bool of_tensor, Where where);
SFUMATO_API void End(Object* object, Where where);
SFUMATO_API void OutOfScope(const char* call, const char* why, Where where);

// What REGIST_MATMUL_OBJ does before the objects have their tilings. True: the cube core has served its vector cores,
// and returns from the function around the macro. Under ASCENDC_CUBE_ONLY only cube cores call Matmul.
SFUMATO_API bool Regist(void* pipe, const void* workspace, uint32_t objects, bool cube_only, Where where);

}  // namespace sfumato::ascendc::mm

namespace sfumato::ascendc {
// Regist without ASCENDC_CUBE_ONLY: the kernel has vector cores that ask.
SFUMATO_API bool RegistMatmulClient(void* pipe, const void* workspace, uint32_t objects, Where where);
}  // namespace sfumato::ascendc
