// SPDX-License-Identifier: Apache-2.0
// Calls that must not compile, each beside one that does, and what the compiler must say of it.
#include "kernel_operator.h"
#include "sfumato/kernel_entry.h"
#include "refused.h"

using namespace AscendC;

int Returns(GM_ADDR) { return 0; }
void Nothing(GM_ADDR) {}
void ByReference(GM_ADDR, int&) {}
void ByValue(GM_ADDR, int) {}

// Abs under a mask of a type no chip takes.
// expect: Abs: no chip has this type; it takes int16_t, half, int32_t, float
__aicore__ void abs_masked(LocalTensor<uint32_t> a, LocalTensor<float> legal) {
    REFUSED(Abs(a, a, 64, 1, {1, 1, 8, 8}));
    LEGAL(Abs(legal, legal, 64, 1, {1, 1, 8, 8}));
}

// Add of two types.
// expect: no matching function for call to
__aicore__ void add_mixed_types(LocalTensor<half> a, LocalTensor<float> b) {
    REFUSED(Add(a, a, b, 64));
    LEGAL(Add(a, a, a, 64));
}

// Add of a type no chip adds.
// expect: Add: no chip has this type; it takes int16_t, half, int32_t, float
__aicore__ void add_type(LocalTensor<int64_t> a, LocalTensor<int32_t> legal) {
    REFUSED(Add(a, a, a, 64));
    LEGAL(Add(legal, legal, legal, 64));
}

// Axpy into a narrower type.
// expect: Axpy: dst and src have one type, or dst is float and src is half
__aicore__ void axpy_types(LocalTensor<half> narrow, LocalTensor<float> wide) {
    REFUSED(Axpy(narrow, wide, 2.0f, 64));
    LEGAL(Axpy(wide, narrow, half(2), 64));
}

// A barrier of the scalar pipe.
// expect: PipeBarrier: PIPE_S is in order by itself; legal are PIPE_V, PIPE_M, PIPE_MTE1, PIPE_MTE2, PIPE_MTE3, PIPE_FIX, PIPE_ALL
__aicore__ void barrier_of_scalar_pipe() {
    REFUSED(PipeBarrier<PIPE_S>());
    LEGAL(PipeBarrier<PIPE_V>());
}

// Bits in elements that are half a byte.
// expect: Compare: dst holds bits, in elements of whole bytes
__aicore__ void bits_of_half_bytes(LocalTensor<int4b_t> wrong, LocalTensor<uint16_t> legal, LocalTensor<float> a) {
    REFUSED(Compare(wrong, a, a, CMPMODE::LT, 64));
    LEGAL(Compare(legal, a, a, CMPMODE::LT, 64));
}

// BroadCast of a type it does not take.
// expect: BroadCast: the element types are int8_t, uint8_t, half and float
__aicore__ void broadcast_type(LocalTensor<int32_t> integers, LocalTensor<float> legal) {
    const uint32_t to[] = {8}, from[] = {1};
    REFUSED(BroadCast<int32_t, 1, 0>(integers, integers, to, from));
    LEGAL(BroadCast<float, 1, 0>(legal, legal, to, from));
}

// SelectWithBytesMask with a mask of a type it does not take.
// expect: SelectWithBytesMask: the mask is of bool or of integers up to 32 bits
__aicore__ void byte_mask_type(LocalTensor<float> legal, LocalTensor<uint8_t> mask) {
    REFUSED(SelectWithBytesMask(legal, legal, 0.0f, legal, mask, SelectWithBytesMaskShapeInfo{1, 8, 32}));
    LEGAL(SelectWithBytesMask(legal, legal, 0.0f, mask, mask, SelectWithBytesMaskShapeInfo{1, 8, 32}));
}

// CastDeq to a type it does not give.
// expect: CastDeq: no chip converts int16_t to this type; from int16_t it goes to int8_t, uint8_t
__aicore__ void cast_deq_destination(LocalTensor<int16_t> src, LocalTensor<int8_t> legal, LocalTensor<half> dst) {
    REFUSED(CastDeq(dst, src, 64));
    LEGAL(CastDeq(legal, src, 64));
}

// Cast to a type no chip converts the source to.
// expect: Cast: no chip converts int64_t to this type; from int64_t it goes to int32_t, float
__aicore__ void cast_destination(LocalTensor<int64_t> src, LocalTensor<int32_t> legal, LocalTensor<half> dst) {
    REFUSED(Cast(dst, src, RoundMode::CAST_NONE, 64));
    LEGAL(Cast(legal, src, RoundMode::CAST_NONE, 64));
}

// The form with a mask checks the pair too.
// expect: Cast: no chip converts bfloat16_t to this type; from bfloat16_t it goes to half, int32_t, float
__aicore__ void cast_masked(LocalTensor<bfloat16_t> src, LocalTensor<float> legal, LocalTensor<int16_t> dst) {
    REFUSED(Cast(dst, src, RoundMode::CAST_NONE, uint64_t{64}, 1, UnaryRepeatParams()));
    LEGAL(Cast(legal, src, RoundMode::CAST_NONE, uint64_t{64}, 1, UnaryRepeatParams()));
}

// Cast from a type no chip converts.
// expect: Cast: no chip converts from uint64_t; the sources of Cast are int4b_t, int8_t, uint8_t, int16_t, uint16_t, half, bfloat16_t, int32_t, uint32_t, float, int64_t
__aicore__ void cast_source(LocalTensor<uint64_t> src, LocalTensor<int16_t> legal, LocalTensor<half> dst) {
    REFUSED(Cast(dst, src, RoundMode::CAST_NONE, 64));
    LEGAL(Cast(dst, legal, RoundMode::CAST_NONE, 64));
}

// Compare of a type no chip compares.
// expect: Compare: no chip has this type; it takes half, int32_t, float
__aicore__ void compare_type(LocalTensor<uint8_t> bits, LocalTensor<uint16_t> a, LocalTensor<float> legal) {
    REFUSED(Compare(bits, a, a, CMPMODE::LT, 64));
    LEGAL(Compare(bits, legal, legal, CMPMODE::LT, 64));
}

// ConfusionTranspose of a type it does not take.
// expect: ConfusionTranspose: the element types have 16 or 32 bits
__aicore__ void confusion_transpose_type(LocalTensor<int8_t> bytes, LocalTensor<half> legal) {
    constexpr ConfusionTransposeTiling tiling = {};
    REFUSED(ConfusionTranspose(bytes, bytes, TransposeType::TRANSPOSE_ND2ND_ONLY, tiling));
    LEGAL(ConfusionTranspose(legal, legal, TransposeType::TRANSPOSE_ND2ND_ONLY, tiling));
}

// Bits the control register does not have.
// expect: SetCtrlSpr: bits startBit..endBit lie in 0..63
__aicore__ void control_bits() {
    REFUSED(SetCtrlSpr<48, 64>(1));
    LEGAL(SetCtrlSpr<48, 48>(1));
}

// A field of the control register that ends before it starts.
// expect: GetCtrlSpr: bits startBit..endBit lie in 0..63
__aicore__ void control_bits_read() {
    REFUSED(GetCtrlSpr<48, 47>());
    LEGAL(GetCtrlSpr<48, 48>());
}

// CumSum with an algorithm of a later chip.
// expect: CumSum: the algorithm SKLANSKY is one of Ascend950
__aicore__ void cumsum_algorithm(LocalTensor<float> legal) {
    static constexpr CumSumConfig config = {true, false, false, CumSumAlgorithm::CUMSUM_ALGORITHM_SKLANSKY};
    REFUSED(CumSum<float, config>(legal, legal, legal, CumSumInfo{8, 16}));
    LEGAL(CumSum(legal, legal, legal, CumSumInfo{8, 16}));
}

// DataCopy between tensors of two types.
// expect: no matching function for call to
__aicore__ void data_copy_mixed_types(LocalTensor<half> a, GlobalTensor<half> legal, GlobalTensor<float> src) {
    REFUSED(DataCopy(a, src, 64));
    LEGAL(DataCopy(a, legal, 64));
}

// The words of a scale in a tensor of another type.
// expect: SetDeqScale: the tensor holds 16 words of uint64_t
__aicore__ void deqscale_tensor_type(LocalTensor<float> words, LocalTensor<uint64_t> legal) {
    REFUSED(SetDeqScale(words));
    LEGAL(SetDeqScale(legal));
}

// AscendDequant with a scale of another type than its result takes.
// expect: AscendDequant: half takes a tensor of uint64_t, float and bfloat16_t take float or bfloat16_t
__aicore__ void dequant_types(LocalTensor<int32_t> integers, LocalTensor<half> halves, LocalTensor<float> legal) {
    REFUSED(AscendDequant<half, float>(halves, integers, legal, DequantParams{1, 8, 8}));
    LEGAL(AscendDequant<float, float>(legal, integers, legal, DequantParams{1, 8, 8}));
}

// Duplicate of 8-bit elements.
// expect: Duplicate: no chip has this type; it takes int16_t, uint16_t, half, bfloat16_t, int32_t, uint32_t, float
__aicore__ void duplicate_type(LocalTensor<int8_t> a, LocalTensor<int16_t> legal) {
    REFUSED(Duplicate(a, 1, 64));
    LEGAL(Duplicate(legal, 1, 64));
}

// A flag between two pipes no event joins.
// expect: MTE1_MTE1
__aicore__ void flag_without_event() {
    REFUSED(SetFlag<HardEvent::MTE1_MTE1>(0));
    LEGAL(SetFlag<HardEvent::MTE1_MTE2>(0));
}

// A context of a domain that no server has.
// expect: SetHcclContext: the communication domain is 0 or 1
__aicore__ void hccl_context_of_no_domain(GM_ADDR context) {
    REFUSED(SetHcclContext<2>(context));
    LEGAL(SetHcclContext<1>(context));
}

// A communication domain that does not exist.
// expect: GetHcclContext: the communication domain is 0 or 1
__aicore__ void hccl_domain() {
    REFUSED(GetHcclContext<2>());
    LEGAL(GetHcclContext<1>());
}

// A reference to half a byte.
// expect: operator(): an int4b_t element is half a byte and has no address
__aicore__ void int4_reference(LocalTensor<int4b_t> a, LocalTensor<int8_t> legal) {
    REFUSED(a(0));
    LEGAL(legal(0) = 1);
}

// A kernel takes its parameters by value.
// expect: a kernel's parameters are passed by value: a reference cannot be one
__aicore__ void kernel_reference() {
    REFUSED([[maybe_unused]] constexpr auto entry = sfumato::entry::Export<&ByReference>("kernel", "", "kernel"));
    LEGAL([[maybe_unused]] constexpr auto entry = sfumato::entry::Export<&ByValue>("kernel", "", "kernel"));
}

// A kernel returns nothing.
// expect: a kernel is a function that returns void
__aicore__ void kernel_result() {
    REFUSED([[maybe_unused]] constexpr auto entry = sfumato::entry::Export<&Returns>("kernel", "", "kernel"));
    LEGAL([[maybe_unused]] constexpr auto entry = sfumato::entry::Export<&Nothing>("kernel", "", "kernel"));
}

// Muls of a type no chip multiplies.
// expect: Muls: no chip has this type; it takes int16_t, half, int32_t, float
__aicore__ void muls_type(LocalTensor<uint32_t> a, LocalTensor<int32_t> legal) {
    REFUSED(Muls(a, a, 2, 64));
    LEGAL(Muls(legal, legal, 2, 64));
}

// RmsNorm of a type it does not take.
// expect: norms: the elements are half or float
__aicore__ void norm_type(LocalTensor<int32_t> integers, LocalTensor<float> legal) {
    RmsNormTiling tiling;
    REFUSED(RmsNorm<int32_t>(integers, integers, integers, 1, tiling));
    LEGAL(RmsNorm<float>(legal, legal, legal, 1, tiling));
}

// Normalize with a gamma less precise than the data.
// expect: Normalize: gamma and beta have the type of inputX, or float
__aicore__ void normalize_type(LocalTensor<half> narrow, LocalTensor<float> wide) {
    REFUSED(Normalize<half, float>(wide, wide, wide, wide, wide, narrow, narrow, 1e-3f, NormalizePara{}));
    LEGAL(Normalize<float, half>(narrow, wide, wide, wide, narrow, wide, wide, 1e-3f, NormalizePara{}));
}

// A comparison of tensors gives bits: no tensor of half.
// expect: a comparison of tensors gives a tensor of int8_t or uint8_t
__aicore__ void order_into_half(LocalTensor<half> a, LocalTensor<uint8_t> legal) {
    REFUSED(a = a < a);
    LEGAL(legal = a < a);
}

// Pad of a type it does not take.
// expect: Pad, UnPad: the element types are int16_t, uint16_t, half, int32_t, uint32_t and float
__aicore__ void pad_type(LocalTensor<int8_t> bytes, LocalTensor<half> legal) {
    REFUSED(Pad(bytes, bytes, PadParams{}, PadTiling{}));
    LEGAL(Pad(legal, legal, PadParams{}, PadTiling{}));
}

// GetPhyAddr of a local tensor is a number.
// expect: uint64_t
__aicore__ void physical_address(LocalTensor<half> a) {
    REFUSED(half* p = a.GetPhyAddr());
    LEGAL(half* p = reinterpret_cast<half*>(a.GetPhyAddr()));
}

// There is one TPipe.
// expect: deleted
__aicore__ void pipe_copied() {
    TPipe pipe;
    REFUSED(TPipe copy = pipe);
    LEGAL(TPipe* same = &pipe);
}

// Power of a type it does not take.
// expect: Power: the element types are half, float, int32_t
__aicore__ void power_type(LocalTensor<int16_t> integers, LocalTensor<float> legal) {
    REFUSED(Power(integers, integers, integers, 64));
    LEGAL(Power(legal, legal, 2.0f, 64));
}

// An offset that is no integer.
// expect: DataCachePreload: cacheOffset is a number of bytes
__aicore__ void preload_by_no_number(GlobalTensor<uint64_t> gm) {
    REFUSED(DataCachePreload(gm, 64.0f));
    LEGAL(DataCachePreload(gm, int64_t{64}));
}

// printf of a class.
// expect: printf: an argument must be a number, a string or a pointer
__aicore__ void printf_argument(LocalTensor<half> a) {
    REFUSED(AscendC::printf("%d", a));
    LEGAL(AscendC::printf("%d", a.GetSize()));
}

// AscendQuant of a type it does not take.
// expect: AscendQuant: the source is of half or float
__aicore__ void quant_type(LocalTensor<int8_t> bytes, LocalTensor<int32_t> integers, LocalTensor<float> legal) {
    REFUSED(AscendQuant(bytes, integers, 1.0f, 0.0f, 64));
    LEGAL(AscendQuant(bytes, legal, 1.0f, 0.0f, 64));
}

// A copy of a queue would have a state of its own.
// expect: deleted
__aicore__ void queue_copied() {
    TQue<TPosition::VECIN, 1> queue;
    REFUSED(auto copy = queue);
    LEGAL(auto& same = queue);
}

// A reduction with a pattern of a type it does not take.
// expect: ReduceSum: the element types are float
__aicore__ void reduce_pattern_type(LocalTensor<half> halves, LocalTensor<float> legal) {
    const uint32_t shape[] = {8, 16};
    REFUSED(ReduceSum<half, Pattern::Reduce::AR>(halves, halves, shape, true));
    LEGAL(ReduceSum<float, Pattern::Reduce::AR>(legal, legal, shape, true));
}

// WholeReduceSum of a type no chip sums.
// expect: WholeReduceSum: no chip has this type; it takes half, float
__aicore__ void reduce_type(LocalTensor<int32_t> a, LocalTensor<float> legal) {
    REFUSED(WholeReduceSum(a, a, 64, 1, 1, 1, 8));
    LEGAL(WholeReduceSum(legal, legal, 64, 1, 1, 1, 8));
}

// ScalarCast of a pair the scalar unit does not have.
// expect: ScalarCast: float to half with CAST_ODD, or float to int32_t with CAST_ROUND, CAST_CEIL, CAST_FLOOR or CAST_RINT
__aicore__ void scalar_cast_types() {
    REFUSED(ScalarCast<float, half, RoundMode::CAST_RINT>(1.0f));
    LEGAL(ScalarCast<float, half, RoundMode::CAST_ODD>(1.0f));
}

// A count of bits that are neither 0 nor 1.
// expect: ScalarGetCountOfValue: countValue is 0 or 1
__aicore__ void scalar_count_value() {
    REFUSED(ScalarGetCountOfValue<2>(7));
    LEGAL(ScalarGetCountOfValue<1>(7));
}

// SoftMax with a sum narrower than its data.
// expect: softmax: sum and maximum have the type of the data, or float with half data
__aicore__ void softmax_side_type(LocalTensor<half> side, LocalTensor<float> legal) {
    constexpr SoftMaxTiling tiling = {};
    REFUSED(SoftMax<float>(legal, side, side, legal, tiling));
    LEGAL(SoftMax<float>(legal, legal, legal, legal, tiling));
}

// SoftMax of a type it does not take.
// expect: softmax: data are half or float
__aicore__ void softmax_type(LocalTensor<int32_t> integers, LocalTensor<float> legal) {
    constexpr SoftMaxTiling tiling = {};
    REFUSED(SoftMax<int32_t>(integers, integers, tiling));
    LEGAL(SoftMax<float>(legal, legal, tiling));
}

// Sort of a type no chip sorts.
// expect: sorts: they take half and float
__aicore__ void sort_type(LocalTensor<int32_t> a, LocalTensor<float> legal, LocalTensor<uint32_t> index) {
    REFUSED(Sort<int32_t, true>(a, a, index, a, 1));
    LEGAL(Sort<float, true>(legal, legal, index, legal, 1));
}

// Sum of a type it does not take.
// expect: Sum, Mean: the elements are half or float
__aicore__ void sum_type(LocalTensor<int32_t> integers, LocalTensor<float> legal) {
    REFUSED(Sum(integers, integers, SumParams{1, 8, 8}));
    LEGAL(Sum(legal, legal, SumParams{1, 8, 8}));
}

// Tanh of a type it does not take.
// expect: Tanh: the element types are half, float
__aicore__ void tanh_type(LocalTensor<int16_t> integers, LocalTensor<float> legal) {
    REFUSED(Tanh(integers, integers, 64));
    LEGAL(Tanh(legal, legal, 64));
}

// A tensor of a type no chip has.
// expect: no tensor holds this type
__aicore__ void tensor_type() {
    REFUSED(LocalTensor<long double> a);
    LEGAL(LocalTensor<double> a);
    a.GetValue(0);
}

// TopK of a type it does not take.
// expect: TopK: the elements are of half or float
__aicore__ void topk_type(LocalTensor<int32_t> integers, LocalTensor<float> legal, LocalTensor<bool> finish) {
    constexpr TopkTiling tiling = {};
    REFUSED(TopK<int32_t>(integers, integers, integers, integers, finish, 1, tiling, TopKInfo{1, 32, 32}));
    LEGAL(TopK<float>(legal, integers, legal, integers, finish, 1, tiling, TopKInfo{1, 32, 32}));
}

// ReduceXorSum of a type it does not take.
// expect: ReduceXorSum: the elements are int16_t
__aicore__ void xor_sum_type(LocalTensor<uint16_t> words, LocalTensor<int16_t> legal) {
    REFUSED(ReduceXorSum(words, words, words, 16));
    LEGAL(ReduceXorSum(legal, legal, legal, 16));
}
