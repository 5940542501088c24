// SPDX-License-Identifier: Apache-2.0
// What the templates of the front end call: plain structs in, records out (src/frontends/ascendc). One function an
// instruction, in the vendor's spelling.
#pragma once

#include <cstddef>
#include <cstdint>

#include "sfumato/ascendc/cube_types.h"
#include "sfumato/ascendc/types.h"

namespace sfumato::ascendc {

// The untyped part of a LocalTensor.
struct LocalView {
    uint8_t* address = nullptr;  // host address in the on-chip memory
    uint32_t size = 0;           // elements
    uint32_t room = 0;           // bytes from address to the end of the buffer the tensor lives in
    AscendC::TPosition position = AscendC::TPosition::MAX;
    uint16_t generation = 0;  // of the block, so that a tensor freed earlier is recognised
    int32_t block = -1;       // of a queue; -1 for TBuf and hand-made tensors
};

struct GlobalView {
    uint8_t* address = nullptr;
    uint64_t size = 0;              // elements; 0 = unknown
    const uint8_t* base = nullptr;  // what SetGlobalBuffer was given
};

enum class MaskForm : uint8_t { kCount, kContinuous, kBits, kRegister };

struct VectorOperand {
    const LocalView* tensor = nullptr;
    uint32_t block_stride = 1;
    DataType type = DataType::kHalf;  // between the strides: a load of both at once would wait for the stores of each
    uint32_t repeat_stride = 8;
};

struct VectorCall {
    VectorOperand dst, src0, src1;
    MaskForm form = MaskForm::kCount;
    uint64_t mask[2] = {};  // kContinuous: [0] = n; kCount: [0] = calCount; kRegister: not read
    uint32_t repeat = 1;
    Rounding rounding = Rounding::kNone;  // ShiftRight: kRound for roundEn
    bool half_block = false;              // CastDeq: the half the page calls lower
    bool vector_deq = false;              // CastDeq: isVecDeq
    uint64_t scalar = 0;                  // bit pattern of one element
    Where where;
};

// One function a row of the instruction table that has a C++ form (elementwise.h).
#define SFUMATO_ROW(form, Name, opcode) SFUMATO_API void opcode(const VectorCall& call);
#include "sfumato/ascendc/rows.inc"
#undef SFUMATO_ROW
SFUMATO_API void vconv(const VectorCall& call);
SFUMATO_API void vconv_deq(const VectorCall& call);

// Compare: vcmp takes no dst, vcmpvs the scalar instead of src1.
struct CompareCall : VectorCall {
    const char* name = nullptr;  // as the program spells it
    AscendC::CMPMODE mode = AscendC::CMPMODE::LT;
};
SFUMATO_API void vcmpv(const CompareCall& call);
SFUMATO_API void vcmpvs(const CompareCall& call);
SFUMATO_API void vcmp(const CompareCall& call);
SFUMATO_API void SetCmpMask(const VectorOperand& src, Where where);
SFUMATO_API void GetCmpMask(const VectorOperand& dst, Where where);

// The right side of `dst = a op b` of tensors, until it is assigned. issue: null for the comparison `mode`.
struct TensorExpression {
    using Issue = void (*)(const VectorCall&);
    TensorExpression(Issue i, AscendC::CMPMODE m, const LocalView& left, const LocalView& right, DataType t, Where w)
        : issue(i), mode(m), a(left), b(right), type(t), where(w) {}
    Issue issue;
    AscendC::CMPMODE mode;
    LocalView a, b;
    DataType type;
    Where where;
};
// All elements of dst; a comparison compares all elements of `a`.
SFUMATO_API void Assign(const LocalView& dst, DataType type, const TensorExpression& expression);

// Select. Without src1 the scalar is chosen; without sel, or `from_register`, CMPMASK says what the mode needs
// (vector_instructions.md 3.3).
struct SelectCall : VectorCall {
    VectorOperand sel;
    AscendC::SELMODE mode = AscendC::SELMODE::VSEL_CMPMASK_SPR;
    bool from_register = false;
};
SFUMATO_API void vsel(const SelectCall& call);

// Gather, Gatherb and Scatter; Brcb has no offsets.
struct GatherCall : VectorCall {
    VectorOperand offsets;
    uint64_t base = 0;  // bytes
};
SFUMATO_API void vbcb(const VectorCall& call);
struct PaddingCall : VectorCall {
    uint8_t mode = 0;
    bool right = false;  // padSide
};
SFUMATO_API void vpadding(const PaddingCall& call);
SFUMATO_API void vgather(const GatherCall& call);
SFUMATO_API void vgatherb(const GatherCall& call);
SFUMATO_API void vscatter(const GatherCall& call);

// BilinearInterpolation; VectorCall::repeat is the vertical one.
struct InterpolateCall : GatherCall {
    uint32_t horizontal = 1, vertical_offset = 0;
    bool block_weights = false;
};
SFUMATO_API void vbi(const InterpolateCall& call);

// GatherMask: src1 holds the bits, or pattern is 1 to 7. Returns the number of elements written.
struct GatherMaskCall {
    VectorOperand dst, src0, src1;
    uint8_t pattern = 0;
    bool counter = false;  // reduceMode
    uint32_t mask = 0;
    AscendC::GatherMaskParams params;
    Where where;
};
SFUMATO_API uint64_t vreduce(const GatherMaskCall& call);

// ArithProgression: bit patterns of the first element and of the difference.
SFUMATO_API void FillProgression(const LocalView& dst, DataType type, uint64_t first, uint64_t difference,
                                 int64_t count, Where where);

// The two ends of an instruction that reads one memory and writes another; at most one end is global.
struct Ends {
    const LocalView* dst = nullptr;
    const LocalView* src = nullptr;
    GlobalView gm;  // the end whose pointer above is null
    DataType dst_type = DataType::kHalf, src_type = DataType::kHalf;
    Where where;
};

// A move between GM and a local tensor, or two local tensors.
struct MoveCall : Ends {
    uint32_t block_count = 1;
    uint64_t block_len = 0;            // data_move: 32-byte units, or elements when by_count; data_move_pad: bytes
    int64_t src_gap = 0, dst_gap = 0;  // end to start, units of the form
    bool by_count = false;
    bool compact = false;  // of data_move_pad: PaddingMode::Compact
    bool is_pad = false;
    uint8_t left = 0, right = 0;  // elements
    uint64_t pad_value = 0;
};
SFUMATO_API void data_move(const MoveCall& call);
SFUMATO_API void data_move_pad(const MoveCall& call);

// LoadData. pad: bit pattern of one element.
SFUMATO_API void load2d(const Ends& ends, const AscendC::LoadData2DParams& params);
SFUMATO_API void load2d_transpose(const Ends& ends, const AscendC::LoadData2dTransposeParams& params);
SFUMATO_API void load3dv1(const Ends& ends, const Load3Dv1Params& params, uint64_t pad,
                          const AscendC::IsResetLoad3dConfig& config);
SFUMATO_API void load3dv2(const Ends& ends, const Load3Dv2Params& params, uint64_t pad,
                          const AscendC::IsResetLoad3dConfig& config);
SFUMATO_API void load3dv2(const Ends& ends, const AscendC::LoadData3DParamsV2Pro& params);

struct MatmulOperand {
    const LocalView* tensor = nullptr;
    DataType type = DataType::kHalf;
};
struct MatmulCall {
    MatmulOperand c, a, b, bias;  // bias: null for the form without
    const AscendC::MmadParams* params = nullptr;
    Where where;
};
SFUMATO_API void mmad(const MatmulCall& call);

// Scalar unit: one element of a tensor, as its bit pattern.
SFUMATO_API uint64_t LoadLocal(const LocalView& tensor, DataType type, uint64_t index, const char* call, Where where);
SFUMATO_API void StoreLocal(const LocalView& tensor, DataType type, uint64_t index, uint64_t bits, const char* call,
                            Where where);
// SetL2CacheHint: of the allocation the address lies in; for estimates of time.
SFUMATO_API void HintCache(const void* address, bool cached);
SFUMATO_API uint64_t LoadGlobal(const GlobalView& tensor, DataType type, uint64_t index, Where where);
SFUMATO_API void StoreGlobal(const GlobalView& tensor, DataType type, uint64_t index, uint64_t bits, Where where);
// A reference or pointer is about to be used by the scalar unit: waits as a load and a store would.
SFUMATO_API uint8_t* ScalarPointer(const LocalView& tensor, DataType type, uint64_t index, const char* call,
                                   Where where);
SFUMATO_API uint8_t* ScalarPointer(const GlobalView& tensor, DataType type, uint64_t index, const char* call,
                                   Where where);
// tensor[offset]
SFUMATO_API LocalView Advance(const LocalView& tensor, DataType type, uint64_t offset, Where where);
SFUMATO_API GlobalView Advance(const GlobalView& tensor, DataType type, uint64_t offset, Where where);
// A tensor got its pointer: its elements are taken to be of this type.
SFUMATO_API void GlobalBuffer(const GlobalView& tensor, DataType type, Where where);
// A LocalTensor made by hand: byte offset and count in the memory behind a position.
SFUMATO_API LocalView StaticTensor(AscendC::TPosition position, uint32_t byte_offset, DataType type, uint32_t count,
                                   Where where);
// The same of the constructor, which belongs to kernels without a TPipe.
SFUMATO_API LocalView TensorAt(AscendC::TPosition position, uint32_t byte_offset, DataType type, uint32_t count,
                               Where where);

// LocalTensor::Print, and ToFile, which returns whether the file is written.
SFUMATO_API void PrintLocal(const LocalView& tensor, DataType type, uint32_t count, Where where);
SFUMATO_API bool WriteLocal(const LocalView& tensor, DataType type, const char* path, Where where);

// Registers.
// counter: the mode the call names; the mode in force decides.
SFUMATO_API void SetVectorMask(uint64_t high, uint64_t low, bool counter, Where where);
// element_bits: of the type the mask is for, which bounds the length in normal mode.
SFUMATO_API void SetVectorMaskLength(int64_t length, uint32_t element_bits, bool counter, Where where);
SFUMATO_API void SetMaskMode(bool counter, Where where);
SFUMATO_API void ResetMask();
SFUMATO_API void SetDeqScaleHalf(uint16_t bits, Where where);
SFUMATO_API void SetDeqScaleWord(float scale, int16_t offset, bool sign_mode, Where where);
// With scales: writes the 16 words into the tensor first. Without: the tensor already holds them.
SFUMATO_API void SetDeqScaleVector(const LocalView& tensor, const float* scales, const int16_t* offsets,
                                   const bool* sign_modes, Where where);
SFUMATO_API void SetCtrl(int start, int end, uint64_t value, Where where);
SFUMATO_API uint64_t GetCtrl(int start, int end, Where where);
SFUMATO_API void SetSaturation(bool enable, bool cast_only, Where where);
SFUMATO_API bool GetSaturation(bool cast_only, Where where);
SFUMATO_API void SetPadRegister(uint64_t bits, Where where);

// Registers of the cube unit.
SFUMATO_API void SetFeatureMap(uint16_t height, uint16_t width, const uint8_t* pads, AscendC::FmatrixMode mode,
                               Where where);
// bytes: of the element `bits` is the pattern of.
SFUMATO_API void SetLoadPad(uint64_t bits, size_t bytes);
SFUMATO_API void SetLoadBoundary(uint32_t value, Where where);
SFUMATO_API void SetLoadRepeat(const AscendC::LoadDataRepeatParam& params, Where where);
SFUMATO_API void SetHf32(bool enable, Where where);
SFUMATO_API void SetHf32Rounding(bool away, Where where);

// Flags. event: HardEvent number.
SFUMATO_API void set_flag(uint8_t event, int id, Where where);
SFUMATO_API void wait_flag(uint8_t event, int id, Where where);
SFUMATO_API void pipe_barrier(::pipe_t pipe, Where where);
// The HardEvent of two pipes; kNoEvent, which set_flag and wait_flag ignore, when none joins them and that was
// reported.
constexpr uint8_t kNoEvent = 255;
SFUMATO_API uint8_t EventOf(::pipe_t from, ::pipe_t to, const char* call, Where where);

// Where am I.
SFUMATO_API int64_t BlockIdx();
SFUMATO_API int64_t BlockNum();
SFUMATO_API int64_t RawBlockIdx();
SFUMATO_API int64_t SubBlockIdx();
SFUMATO_API int64_t SubBlockNum();
SFUMATO_API int64_t TaskRatio();
SFUMATO_API bool IsVectorCore();
SFUMATO_API bool IsCubeCore();
SFUMATO_API int64_t SystemCycle();
SFUMATO_API uint64_t TilingKey();
// A KERNEL_TASK_TYPE is reached. number: the enumerator of KernelMetaType.
SFUMATO_API void DeclareTaskType(int number, Where where);
// Makes a KERNEL_TASK_TYPE known as long as the code that holds it is loaded. closure_type: the mangled name of a
// closure type of the function.
class SFUMATO_API TaskTypeNote {
public:
    TaskTypeNote(const char* closure_type, int number, bool every_key, uint64_t key, Where where);
    ~TaskTypeNote();
    TaskTypeNote(const TaskTypeNote&) = delete;
    TaskTypeNote& operator=(const TaskTypeNote&) = delete;
};
// The tiling argument, `bytes` of it for a struct; a tiling smaller than that is a fault.
SFUMATO_API const void* TilingBytes(const void* tiling, uint64_t bytes, const char* call, const char* struct_name,
                                    Where where);
// Whether the launch's tiling key is this one. A kernel that asks, but for no key that holds, is warned of at its end.
SFUMATO_API bool AskTilingKey(uint64_t key, Where where);
// Reports a TILING_KEY_LIST the chip or the kernel's type does not have.
SFUMATO_API void CheckTilingKeyList(Where where);

// Workspaces (framework.md 1.13).
SFUMATO_API void SetSystemWorkspace(const void* workspace, const char* call, Where where);
SFUMATO_API uint8_t* SystemWorkspace(Where where);

// A list of tensors in GM (framework.md 1.12), checked as a whole: null, reported, when it is none.
struct TensorListView {
    const uint64_t* words = nullptr;     // from the start of the list
    const uint64_t* pointers = nullptr;  // one for each tensor
    uint32_t count = 0;
};
SFUMATO_API TensorListView OpenTensorList(const void* list, uint64_t bytes, uint64_t shape_words, Where where);
// The descriptor word of a tensor, its dimensions behind it; null, reported, when there is no such tensor.
SFUMATO_API const uint64_t* TensorOfList(const TensorListView& list, uint32_t index, const char* call, Where where);
SFUMATO_API void ReportShapeAddress(const char* call, const char* found, Where where);
[[noreturn]] SFUMATO_API void Trap(Where where);

}  // namespace sfumato::ascendc
