// SPDX-License-Identifier: Apache-2.0
// Registers and words of AscendC::Reg (arch950.md 2.1 to 2.5).
#pragma once

#include <concepts>
#include <cstdint>
#include <type_traits>

#include "sfumato/ascendc/reduce_types.h"
#include "sfumato/ascendc/types.h"
#include "sfumato/register_call.h"
#include "sfumato/small_float_types.h"

namespace AscendC {

// Of this namespace, and of AscendC::Reg.
enum class SpecialPurposeReg : uint8_t { AR = 0 };

}  // namespace AscendC

// A byte of two elements of 4 bits.
struct int4x2_t {
    int4x2_t() = default;
    template <class T, class = std::enable_if_t<std::is_arithmetic_v<T>>>
    constexpr int4x2_t(T both) : bits(static_cast<uint8_t>((static_cast<int>(both) & 0xF) * 0x11)) {}
    uint8_t bits;
};

namespace AscendC::Reg {

namespace sfumato_ = sfumato::ascendc;
using sfumato::VectorRegister;

// Of templates whose element type is that of the registers.
struct DefaultType {};

enum class RegTraitNum : uint8_t { ONE = 1, TWO = 2 };
struct RegTrait {
    int REG_NUM = 1;
};
inline constexpr RegTrait RegTraitNumOne{1};
inline constexpr RegTrait RegTraitNumTwo{2};

// A vector register, or two of them. Copies copy the register.
template <class T, const RegTrait& regTrait = RegTraitNumOne>
struct RegTensor {
    using ActualT = T;
    static constexpr RegTrait trait = regTrait;
    static constexpr uint8_t kRegisters = static_cast<uint8_t>(regTrait.REG_NUM);
    VectorRegister reg[kRegisters];
};

template <class R>
struct IsRegTensor : std::false_type {};
template <class T, const RegTrait& trait>
struct IsRegTensor<RegTensor<T, trait>> : std::true_type {};
template <class R>
concept Register = IsRegTensor<std::remove_cvref_t<R>>::value;

struct MaskReg : sfumato::MaskRegister {};
// Bytes.
struct AddrReg {
    uint32_t offset = 0;
};
struct UnalignRegForLoad : sfumato::UnalignedLoad {};
struct UnalignRegForStore : sfumato::UnalignedStore {};
struct UnalignReg : UnalignRegForLoad, UnalignRegForStore {};

enum class MaskMergeMode : uint8_t { ZEROING = 0, MERGING, UNKNOWN };
enum class MaskPattern : uint8_t { ALL = 0, VL1, VL2, VL3, VL4, VL8, VL16, VL32, VL64, VL128, M3, M4, H, Q, ALLF = 15 };
enum class MaskDist : uint8_t { DIST_NORM = 0, DIST_US, DIST_DS, DIST_PACK };
enum class LoadDist : uint8_t {
    DIST_NORM = 0,
    DIST_BRC_B8,
    DIST_BRC_B16,
    DIST_BRC_B32,
    DIST_US_B8,
    DIST_US_B16,
    DIST_DS_B8,
    DIST_DS_B16,
    DIST_UNPACK_B8,
    DIST_UNPACK_B16,
    DIST_UNPACK_B32,
    DIST_UNPACK4_B8,
    DIST_BLK,
    DIST_E2B_B16,
    DIST_E2B_B32,
    DIST_DINTLV_B8,
    DIST_DINTLV_B16,
    DIST_DINTLV_B32
};
enum class StoreDist : uint8_t {
    DIST_NORM = 0,
    DIST_NORM_B8,
    DIST_NORM_B16,
    DIST_NORM_B32,
    DIST_FIRST_ELEMENT_B8,
    DIST_FIRST_ELEMENT_B16,
    DIST_FIRST_ELEMENT_B32,
    DIST_PACK_B16,
    DIST_PACK_B32,
    DIST_PACK_B64,
    DIST_PACK4_B32,
    DIST_INTLV_B8,
    DIST_INTLV_B16,
    DIST_INTLV_B32
};
enum class PostLiteral : uint8_t { POST_MODE_NORMAL = 0, POST_MODE_UPDATE };
enum class DataCopyMode : uint8_t { NORM = 0, DATA_BLOCK_COPY };
enum class RegLayout : uint8_t { ZERO = 0, ONE, TWO, THREE, UNKNOWN };
enum class SatMode : uint8_t { NO_SAT = 0, SAT, UNKNOWN };
enum class HighLowPart : uint8_t { LOWEST = 0, HIGHEST };
enum class IndexOrder : uint8_t { INCREASE_ORDER = 0, DECREASE_ORDER };
enum class GatherMaskMode : uint8_t { NO_STORE_REG = 0, STORE_REG };
using AscendC::ReduceType;
enum class PairReduce : uint8_t { SUM = 0 };
enum class HistogramsBinType : uint8_t { BIN0 = 0, BIN1 };
enum class HistogramsType : uint8_t { FREQUENCY = 0, ACCUMULATE };
using AscendC::SpecialPurposeReg;
enum class MemType : uint8_t { VEC_STORE = 0, VEC_LOAD, SCALAR_STORE, SCALAR_LOAD, VEC_ALL, SCALAR_ALL };

struct CastTrait {
    RegLayout layoutMode = RegLayout::UNKNOWN;
    SatMode satMode = SatMode::UNKNOWN;
    MaskMergeMode mrgMode = MaskMergeMode::UNKNOWN;
    RoundMode roundMode = RoundMode::CAST_NONE;
};
inline constexpr CastTrait castTrait{RegLayout::ZERO, SatMode::NO_SAT, MaskMergeMode::ZEROING, RoundMode::CAST_NONE};

enum class DivAlgo : uint8_t {
    INTRINSIC = 0,
    DIFF_COMPENSATION,
    PRECISION_1ULP_FTZ_TRUE,
    PRECISION_0ULP_FTZ_TRUE,
    PRECISION_0ULP_FTZ_FALSE,
    PRECISION_1ULP_FTZ_FALSE
};
enum class SqrtAlgo : uint8_t {
    INTRINSIC = 0,
    FAST_INVERSE,
    PRECISION_1ULP_FTZ_TRUE,
    PRECISION_0ULP_FTZ_FALSE,
    PRECISION_1ULP_FTZ_FALSE
};
enum class ExpAlgo : uint8_t { INTRINSIC = 0, PRECISION_1ULP_FTZ_TRUE, PRECISION_1ULP_FTZ_FALSE };
using LnAlgo = ExpAlgo;
using LogAlgo = ExpAlgo;
using Log2Algo = ExpAlgo;
using Log10Algo = ExpAlgo;
struct DivSpecificMode {
    MaskMergeMode mrgMode = MaskMergeMode::ZEROING;
    bool precisionMode = false;
    DivAlgo algo = DivAlgo::INTRINSIC;
};
struct SqrtSpecificMode {
    MaskMergeMode mrgMode = MaskMergeMode::ZEROING;
    bool precisionMode = false;
    SqrtAlgo algo = SqrtAlgo::INTRINSIC;
};
struct ExpSpecificMode {
    MaskMergeMode mrgMode = MaskMergeMode::ZEROING;
    ExpAlgo algo = ExpAlgo::INTRINSIC;
};
struct LnSpecificMode : ExpSpecificMode {};
struct LogSpecificMode : ExpSpecificMode {};
struct Log2SpecificMode : ExpSpecificMode {};
struct Log10SpecificMode : ExpSpecificMode {};

}  // namespace AscendC::Reg

namespace sfumato::ascendc {

// Tensors hold these as bytes and words: registers alone compute with them.
template <DataType type>
struct TypeOf<SmallFloat8<type>> {
    static constexpr DataType value = DataType::kUint8;
};
template <>
struct TypeOf<int4x2_t> {
    static constexpr DataType value = DataType::kUint8;
};
template <>
struct TypeOf<AscendC::complex32> {
    static constexpr DataType value = DataType::kUint32;
};
template <>
struct TypeOf<AscendC::complex64> {
    static constexpr DataType value = DataType::kUint64;
};

// The element type of a register.
template <class T>
constexpr DataType RegisterTypeOf() {
    using E = std::remove_cv_t<T>;
    if constexpr (IsSmallFloat8<E>) {
        return E::kType;
    } else if constexpr (std::is_same_v<E, int4x2_t>) {
        return DataType::kInt4;
    } else if constexpr (std::is_same_v<E, AscendC::complex32>) {
        return DataType::kComplex32;
    } else if constexpr (std::is_same_v<E, AscendC::complex64>) {
        return DataType::kComplex64;
    } else {
        return kTypeOf<E>;
    }
}
// That of a call: T where the program names one.
template <class T, class R>
using ElementOfCall =
    std::conditional_t<std::is_same_v<T, AscendC::Reg::DefaultType>, typename std::remove_cvref_t<R>::ActualT, T>;

template <class T>
uint64_t ScalarBits(T value) {
    uint64_t bits = 0;
    __builtin_memcpy(&bits, &value, sizeof(value));
    return bits;
}

}  // namespace sfumato::ascendc
