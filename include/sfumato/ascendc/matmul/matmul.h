// SPDX-License-Identifier: Apache-2.0
// AscendC::Matmul and MatmulImpl: C = A x B + bias in blocks (adv.md 2). The templates only say the types; each call is
// one function of the library.
#pragma once

#include <type_traits>

#include "sfumato/ascendc/macros.h"
#include "sfumato/ascendc/matmul/object.h"
#include "sfumato/ascendc/matmul/static_tiling.h"
#include "sfumato/ascendc/queue.h"

#define MATMUL_POLICY_DEFAULT_OF(DEFAULT) \
    template <const auto&, typename...>   \
    class MATMUL_POLICY = AscendC::Impl::Detail::DEFAULT

namespace sfumato::ascendc::mm {

template <class T>
constexpr Side SideOf() {
    return {T::pos, T::format, kTypeOf<typename T::T>, T::isTrans, T::layout, T::ibShare};
}

template <class A, class B, class C, class Bias, const auto& config, class CallBack,
          AscendC::Impl::Detail::Skipped skipped, bool direct>
inline constexpr Kind kKind = {SideOf<A>(),
                               SideOf<B>(),
                               SideOf<C>(),
                               SideOf<Bias>(),
                               &ConfigOf(config),
                               ConstantsOf(config),
                               CallBack::kCopyOut,
                               CallBack::kCopyA1,
                               CallBack::kCopyB1,
                               skipped,
                               direct};

// A and B, bias, C (adv.md 2.2).
constexpr bool Multiplies(DataType a, DataType b, DataType bias, DataType c) {
    using D = DataType;
    const bool whole = a == D::kInt8 || a == D::kInt4;
    if (a == D::kHalf && b == D::kInt8) return bias == D::kFloat && c == D::kFloat;
    if (a != b) return false;
    if (whole) return bias == D::kInt32 && (c == D::kInt32 || c == D::kHalf || (c == D::kInt8 && a == D::kInt8));
    if (a != D::kHalf && a != D::kBfloat16 && a != D::kFloat) return false;
    const bool narrow = c == D::kInt8 && a != D::kFloat && bias == D::kFloat;
    return (bias == D::kFloat || bias == D::kHalf) && (c == D::kFloat || c == D::kHalf || c == D::kBfloat16 || narrow);
}
constexpr DataType BiasOf(DataType a, DataType bias) {
    // Without a bias of its own a Matmul names C; then it has none that the table could refuse.
    const bool whole = a == DataType::kInt8 || a == DataType::kInt4;
    const bool fits = whole ? bias == DataType::kInt32 : bias == DataType::kFloat || bias == DataType::kHalf;
    return fits ? bias : whole ? DataType::kInt32 : DataType::kFloat;
}

}  // namespace sfumato::ascendc::mm

namespace AscendC {

template <class A_TYPE, class B_TYPE, class C_TYPE, class BIAS_TYPE = C_TYPE, const auto& MM_CFG = CFG_NORM,
          class MM_CB = MatmulCallBackFunc<nullptr, nullptr, nullptr>, MATMUL_POLICY_DEFAULT_OF(MatmulPolicy)>
class MatmulImpl {
    using ElementA = typename A_TYPE::T;
    using ElementB = typename B_TYPE::T;
    using ElementC = typename C_TYPE::T;
    using ElementBias = typename BIAS_TYPE::T;
    using Output = sfumato_::mm::Output;
    using Input = sfumato_::mm::Input;
    using Which = sfumato_::mm::Which;
    static constexpr auto& kConfig = sfumato_::mm::ConfigOf(MM_CFG);
    static_assert(sfumato_::mm::Multiplies(sfumato_::kTypeOf<ElementA>, sfumato_::kTypeOf<ElementB>,
                                           sfumato_::mm::BiasOf(sfumato_::kTypeOf<ElementA>,
                                                                sfumato_::kTypeOf<ElementBias>),
                                           sfumato_::kTypeOf<ElementC>),
                  "Matmul: no such combination of types. A and B float, half or bfloat16_t: C "
                  "float, half, bfloat16_t "
                  "(half and bfloat16_t: int8_t too); int8_t: ElementC int32_t, half, int8_t; int4b_t: ElementC "
                  "int32_t, half; half "
                  "with int8_t: ElementC float");

public:
    MatmulImpl()
        : MatmulImpl(
              &sfumato_::mm::kKind<A_TYPE, B_TYPE, C_TYPE, BIAS_TYPE, MM_CFG, MM_CB,
                                   MATMUL_POLICY<MM_CFG, void, A_TYPE, B_TYPE, C_TYPE, BIAS_TYPE>::kSkipped, true>) {}
    MatmulImpl(const MatmulImpl&) = delete;
    MatmulImpl& operator=(const MatmulImpl&) = delete;

    void Init(const TCubeTiling* tiling, TPipe* tpipe = nullptr, SFUMATO_AT) {
        static_cast<void>(tpipe);
        sfumato_::mm::Init(&object_, tiling, where);
    }
    void SetSubBlockIdx(uint8_t) {}  // the core knows it

    void SetOrgShape(int orgM, int orgN, int orgK, SFUMATO_AT) {
        sfumato_::mm::SetOrgShape(&object_, orgM, orgN, orgK, orgK, 0, where);
    }
    void SetOrgShape(int orgM, int orgN, int orgKa, int orgKb, int orgKc = 0, SFUMATO_AT) {
        sfumato_::mm::SetOrgShape(&object_, orgM, orgN, orgKa, orgKb, orgKc, where);
    }
    void SetSingleShape(int singleM, int singleN, int singleK, SFUMATO_AT) {
        sfumato_::mm::SetSingleShape(&object_, singleM, singleN, singleK, "SetSingleShape", where);
    }
    void SetTail(int tailM = -1, int tailN = -1, int tailK = -1, SFUMATO_AT) {
        sfumato_::mm::SetSingleShape(&object_, tailM, tailN, tailK, "SetTail", where);
    }

    template <template <class> class Tensor>
    void SetTensorA(const Tensor<ElementA>& tensor, bool isTransposeA = false, SFUMATO_AT) {
        Set(Which::kA, tensor, isTransposeA, where);
    }
    void SetTensorA(ElementA aScalar, SFUMATO_AT) { SetScalar(Which::kA, aScalar, where); }
    template <template <class> class Tensor>
    void SetTensorB(const Tensor<ElementB>& tensor, bool isTransposeB = false, SFUMATO_AT) {
        Set(Which::kB, tensor, isTransposeB, where);
    }
    void SetTensorB(ElementB bScalar, SFUMATO_AT) { SetScalar(Which::kB, bScalar, where); }
    template <template <class> class Tensor>
    void SetBias(const Tensor<ElementBias>& bias, SFUMATO_AT) {
        Set(Which::kBias, bias, false, where);
    }
    void DisableBias(SFUMATO_AT) { sfumato_::mm::DisableBias(&object_, "DisableBias", where); }
    void ClearBias(SFUMATO_AT) { sfumato_::mm::DisableBias(&object_, "ClearBias", where); }
    void SetQuantScalar(const uint64_t quantScalar, SFUMATO_AT) {
        sfumato_::mm::SetQuantWord(&object_, quantScalar, where);
    }
    template <template <class> class Tensor>
    void SetQuantVector(const Tensor<uint64_t>& quantTensor, SFUMATO_AT) {
        Set(Which::kQuant, quantTensor, false, where);
    }
    void SetHF32(bool enableHF32 = false, int32_t transMode = 0, SFUMATO_AT) {
        sfumato_::mm::SetHf32(&object_, enableHF32, transMode, where);
    }
    void SetUserDefInfo(const uint64_t tilingPtr, SFUMATO_AT) { sfumato_::mm::SetInfo(&object_, tilingPtr, where); }
    void SetSelfDefineData(const uint64_t dataPtr, SFUMATO_AT) { sfumato_::mm::SetData(&object_, dataPtr, where); }
    // UB of chips whose results pass there (adv.md 2.5); others ignore it.
    void SetLocalWorkspace(const LocalTensor<uint8_t>& tmpBuffer) { object_.scratch = tmpBuffer.view(); }
    template <class T>
    void SetWorkspace(GlobalTensor<T>& addr, SFUMATO_AT) {
        sfumato_::mm::SetWorkspace(&object_, {addr.view().address, addr.view().size * sizeof(T)}, where);
    }
    // size: in elements of T.
    template <class T>
    void SetWorkspace(const __gm__ T* addr, int size, SFUMATO_AT) {
        const auto bytes = reinterpret_cast<uint8_t*>(const_cast<T*>(addr));
        sfumato_::mm::SetWorkspace(&object_, {bytes, static_cast<uint64_t>(size) * sizeof(T)}, where);
    }
    void SetBatchNum(int32_t batchA, int32_t batchB, SFUMATO_AT) {
        sfumato_::mm::SetBatchNum(&object_, static_cast<uint32_t>(batchA), static_cast<uint32_t>(batchB), where);
    }

    template <bool sync = true>
    bool Iterate(bool enPartialSum = false, SFUMATO_AT) {
        return sfumato_::mm::Iterate(&object_, sync, enPartialSum, nullptr, where);
    }
    template <bool sync = true, class T>
    bool Iterate(bool enPartialSum, const LocalTensor<T>& localCMatrix, SFUMATO_AT) {
        static_assert(sizeof(T) == 4, "Iterate: the tensor in CO1 holds float or int32_t");
        return sfumato_::mm::Iterate(&object_, sync, enPartialSum, &localCMatrix.view(), where);
    }
    template <bool sync = true, template <class> class Tensor>
    void GetTensorC(const Tensor<ElementC>& c, uint8_t enAtomic = 0, bool enSequentialWrite = false, SFUMATO_AT) {
        sfumato_::mm::GetTensor(&object_, sync, To(c, enAtomic, enSequentialWrite), where);
    }
    template <bool sync = true>
    void GetTensorC(const GlobalTensor<ElementC>& gm, const LocalTensor<ElementC>& co2Local, uint8_t enAtomic = 0,
                    bool enSequentialWrite = false, SFUMATO_AT) {
        Output output = To(gm, enAtomic, enSequentialWrite);
        Lay(&output, co2Local.view());
        sfumato_::mm::GetTensor(&object_, sync, output, where);
    }
    template <bool sync = true>
    GlobalTensor<ElementC> GetTensorC(uint8_t enAtomic = 0, bool enSequentialWrite = false, SFUMATO_AT) {
        static_assert(!sync, "GetTensorC: without a tensor it fetches what Iterate<false> computed: GetTensorC<false>");
        static_cast<void>(enAtomic), static_cast<void>(enSequentialWrite);
        const auto view = sfumato_::mm::NextTensor(&object_, where);
        GlobalTensor<ElementC> tensor;
        tensor.SetGlobalBuffer(reinterpret_cast<ElementC*>(view.address), view.size, where);
        return tensor;
    }
    void AsyncGetTensorC(const LocalTensor<ElementC>& c, SFUMATO_AT) { GetTensorC<false>(c, 0, false, where); }
    void WaitGetTensorC(SFUMATO_AT) { sfumato_::mm::WaitFor(&object_, "WaitGetTensorC", true, where); }
    MatrixOffset GetOffsetC() { return {}; }  // reserved (adv.md 2.7)

    template <bool sync = true>
    void IterateAll(const GlobalTensor<ElementC>& gm, uint8_t enAtomic = 0, bool enSequentialWrite = false,
                    bool waitIterateAll = false, bool fakeMsg = false, SFUMATO_AT) {
        sfumato_::mm::IterateAll(&object_, sync, To(gm, enAtomic, enSequentialWrite), waitIterateAll, fakeMsg, where);
    }
    template <bool sync = true>
    void IterateAll(const LocalTensor<ElementC>& ubCmatrix, uint8_t enAtomic = 0, SFUMATO_AT) {
        sfumato_::mm::IterateAll(&object_, sync, To(ubCmatrix, enAtomic, false), false, false, where);
    }
    void WaitIterateAll(SFUMATO_AT) { sfumato_::mm::WaitFor(&object_, "WaitIterateAll", false, where); }

    template <bool sync = true, bool waitIterateBatch = false>
    void IterateBatch(const GlobalTensor<ElementC>& gm, uint32_t batchA, uint32_t batchB, bool enSequentialWrite,
                      const uint32_t matrixStrideA = 0, const uint32_t matrixStrideB = 0,
                      const uint32_t matrixStrideC = 0, const bool enPartialSum = false, const uint8_t enAtomic = 0,
                      SFUMATO_AT) {
        sfumato_::mm::IterateBatch(&object_, sync, To(gm, enAtomic, enSequentialWrite),
                                   {batchA, batchB, matrixStrideA, matrixStrideB, matrixStrideC}, enPartialSum,
                                   waitIterateBatch, where);
    }
    template <bool sync = true>
    void IterateBatch(const LocalTensor<ElementC>& ubCmatrix, uint32_t batchA, uint32_t batchB, bool enSequentialWrite,
                      const uint32_t matrixStrideA = 0, const uint32_t matrixStrideB = 0,
                      const uint32_t matrixStrideC = 0, const bool enPartialSum = false, const uint8_t enAtomic = 0,
                      SFUMATO_AT) {
        sfumato_::mm::IterateBatch(&object_, sync, To(ubCmatrix, enAtomic, enSequentialWrite),
                                   {batchA, batchB, matrixStrideA, matrixStrideB, matrixStrideC}, enPartialSum, false,
                                   where);
    }
    // The counts of SetBatchNum.
    template <class Flag>
    requires std::is_same_v<Flag, bool>  // a number is the batchA of the form above
    void IterateBatch(const GlobalTensor<ElementC>& gm, Flag enPartialSum, uint8_t enAtomic, bool enSequentialWrite,
                      const uint32_t matrixStrideA = 0, const uint32_t matrixStrideB = 0,
                      const uint32_t matrixStrideC = 0, SFUMATO_AT) {
        sfumato_::mm::IterateBatch(&object_, true, To(gm, enAtomic, enSequentialWrite),
                                   {object_.batch.a, object_.batch.b, matrixStrideA, matrixStrideB, matrixStrideC},
                                   enPartialSum, false, where);
    }
    void WaitIterateBatch(SFUMATO_AT) { sfumato_::mm::WaitFor(&object_, "WaitIterateBatch", false, where); }

    // Out of scope (adv.md 15): a fault that says so.
    template <bool sync = true, bool waitIterateBatch = false>
    void IterateNBatch(uint32_t, uint32_t, uint32_t, bool, uint32_t = 0, uint32_t = 0, uint32_t = 0, SFUMATO_AT) {
        sfumato_::mm::OutOfScope("IterateNBatch", "call IterateBatch in a loop", where);
    }
    void SetAntiQuantScalar(const ElementA offsetScalar, const ElementA scaleScalar, SFUMATO_AT) {
        sfumato_::mm::SetAntiQuant(&object_, Scalar(offsetScalar), Scalar(scaleScalar), "SetAntiQuantScalar", where);
    }
    void SetAntiQuantVector(const LocalTensor<ElementA>& offsetTensor, const LocalTensor<ElementA>& scaleTensor,
                            SFUMATO_AT) {
        Input offset, scale;
        Lay(&offset, offsetTensor.view()), Lay(&scale, scaleTensor.view());
        sfumato_::mm::SetAntiQuant(&object_, offset, scale, "SetAntiQuantVector", where);
    }

    void End(SFUMATO_AT) { sfumato_::mm::End(&object_, where); }

protected:
    explicit MatmulImpl(const sfumato_::mm::Kind* kind) { object_.kind = kind; }

private:
    static void Lay(Input* input, const sfumato_::GlobalView& view) {
        input->from = Input::From::kGlobal, input->gm = view;
    }
    static void Lay(Input* input, const sfumato_::LocalView& view) {
        input->from = Input::From::kLocal, input->local = view;
    }
    template <class Tensor>
    void Set(Which which, const Tensor& tensor, bool transposed, sfumato::Where where) {
        Input input;
        Lay(&input, tensor.view());
        input.transposed = transposed;
        sfumato_::mm::SetInput(&object_, which, input, where);
    }
    template <class T>
    static Input Scalar(T scalar) {
        Input input;
        input.from = Input::From::kScalar;
        input.scalar = sfumato_::ToBits(scalar);
        return input;
    }
    template <class T>
    void SetScalar(Which which, T scalar, sfumato::Where where) {
        sfumato_::mm::SetInput(&object_, which, Scalar(scalar), where);
    }
    static void Lay(Output* output, const sfumato_::GlobalView& view) { output->to_gm = true, output->gm = view; }
    static void Lay(Output* output, const sfumato_::LocalView& view) { output->to_local = true, output->local = view; }
    template <class Tensor>
    static Output To(const Tensor& tensor, uint8_t atomic, bool sequential) {
        Output output;
        Lay(&output, tensor.view());
        output.atomic = atomic;
        if (sequential) output.layout = sfumato_::mm::Layout::kSequential;
        return output;
    }

    sfumato_::mm::Object object_;
};

#ifdef ASCENDC_CUBE_ONLY
template <class A_TYPE, class B_TYPE, class C_TYPE, class BIAS_TYPE = C_TYPE, const auto& MM_CFG = CFG_NORM,
          class MM_CB = MatmulCallBackFunc<nullptr, nullptr, nullptr>, MATMUL_POLICY_DEFAULT_OF(MatmulPolicy)>
using Matmul = MatmulImpl<A_TYPE, B_TYPE, C_TYPE, BIAS_TYPE, MM_CFG, MM_CB, MATMUL_POLICY>;
#else
template <class A_TYPE, class B_TYPE, class C_TYPE, class BIAS_TYPE = C_TYPE, const auto& MM_CFG = CFG_NORM,
          class MM_CB = MatmulCallBackFunc<nullptr, nullptr, nullptr>, MATMUL_POLICY_DEFAULT_OF(MatmulPolicy)>
class Matmul : public MatmulImpl<A_TYPE, B_TYPE, C_TYPE, BIAS_TYPE, MM_CFG, MM_CB, MATMUL_POLICY> {
public:
    Matmul()
        : MatmulImpl<A_TYPE, B_TYPE, C_TYPE, BIAS_TYPE, MM_CFG, MM_CB, MATMUL_POLICY>(
              &sfumato_::mm::kKind<A_TYPE, B_TYPE, C_TYPE, BIAS_TYPE, MM_CFG, MM_CB,
                                   MATMUL_POLICY<MM_CFG, void, A_TYPE, B_TYPE, C_TYPE, BIAS_TYPE>::kSkipped, false>) {}
};
#endif

}  // namespace AscendC

namespace sfumato::ascendc::mm {

template <class Object>
void InitAll(AscendC::TPipe* pipe, Where where, Object& object) {
    static_cast<void>(pipe), static_cast<void>(where), static_cast<void>(object);  // Init gives it a tiling
}
template <class Object, class Tiling, class... Rest>
void InitAll(AscendC::TPipe* pipe, Where where, Object& object, Tiling&& tiling, Rest&... rest) {
    object.Init(tiling, pipe, where);
    if constexpr (sizeof...(rest) != 0) InitAll(pipe, where, rest...);
}

template <bool cube_only, class... Arguments>
bool RegistAll(Where where, AscendC::TPipe* pipe, const void* workspace, Arguments&&... arguments) {
    constexpr uint32_t kObjects = (sizeof...(arguments) + 1) / 2;
    if constexpr (cube_only) {
        Regist(pipe, workspace, kObjects, true, where);
    } else {
        if (RegistMatmulClient(pipe, workspace, kObjects, where)) return true;
    }
    InitAll(pipe, where, arguments...);
    return false;
}

}  // namespace sfumato::ascendc::mm

// obj [, tiling] [, obj2, tiling2 ...]. On the cube core of a kernel of both kinds: serves the vector cores until all
// have ended, then returns from the function around it (adv.md 2.5).
#ifdef ASCENDC_CUBE_ONLY
#define SFUMATO_CUBE_ONLY true
#else
#define SFUMATO_CUBE_ONLY false
#endif
#define REGIST_MATMUL_OBJ(tpipe, workspace, ...)                                                                       \
    if (::sfumato::ascendc::mm::RegistAll<SFUMATO_CUBE_ONLY>(::sfumato::Where::Here(), tpipe, workspace, __VA_ARGS__)) \
    return

// Older programs.
namespace matmul {
using namespace AscendC;
}
