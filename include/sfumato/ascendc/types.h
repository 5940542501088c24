// SPDX-License-Identifier: Apache-2.0
// Enumerations and parameter structs of Ascend C: names, values and member order programs rely on.
#pragma once

#include <cstdint>
#include <type_traits>

#include "sfumato/ascendc/hard_event.h"
#include "sfumato/ascendc/position.h"
#include "sfumato/data_type.h"
#include "sfumato/half.h"
#include "sfumato/report.h"

// The last parameter of a call: where it is written.
#define SFUMATO_AT sfumato::CallSite where = sfumato::CallSite::Here()

// Pipes and event ids have global names in the language.
enum pipe_t {
    PIPE_S = 0,
    PIPE_V,
    PIPE_M,
    PIPE_MTE1,
    PIPE_MTE2,
    PIPE_MTE3,
    PIPE_ALL,
    PIPE_MTE4,
    PIPE_MTE5,
    PIPE_V2,
    PIPE_FIX
};
enum event_t { EVENT_ID0 = 0, EVENT_ID1, EVENT_ID2, EVENT_ID3, EVENT_ID4, EVENT_ID5, EVENT_ID6, EVENT_ID7 };

using TEventID = int8_t;

namespace sfumato::ascendc {

// The strides of DataCopyExtParams: on Ascend950 they may be negative, or reach further (arch950.md 1.3).
#if __NPU_ARCH__ == 3510
using CopyStride = int64_t;
#else
using CopyStride = uint32_t;
#endif

// The element type of a C++ type.
template <class T>
struct TypeOf {
    static_assert(!sizeof(T),
                  "no tensor holds this type; element types are int4b_t, half, bfloat16_t, float and the integers of 8 "
                  "to 64 bits");
    static constexpr DataType value = DataType::kCount;
};
#define SFUMATO_TYPE_OF(T, kType)                          \
    template <>                                            \
    struct TypeOf<T> {                                     \
        static constexpr DataType value = DataType::kType; \
    };
SFUMATO_TYPE_OF(int4b_t, kInt4)
SFUMATO_TYPE_OF(int8_t, kInt8)
SFUMATO_TYPE_OF(uint8_t, kUint8)
SFUMATO_TYPE_OF(bool, kUint8)
SFUMATO_TYPE_OF(int16_t, kInt16)
SFUMATO_TYPE_OF(uint16_t, kUint16)
SFUMATO_TYPE_OF(half, kHalf)
SFUMATO_TYPE_OF(bfloat16_t, kBfloat16)
SFUMATO_TYPE_OF(int32_t, kInt32)
SFUMATO_TYPE_OF(uint32_t, kUint32)
SFUMATO_TYPE_OF(float, kFloat)
SFUMATO_TYPE_OF(int64_t, kInt64)
SFUMATO_TYPE_OF(uint64_t, kUint64)
SFUMATO_TYPE_OF(double, kUint64)  // moved as 64-bit words only
#undef SFUMATO_TYPE_OF
template <class T>
inline constexpr DataType kTypeOf = TypeOf<std::remove_cv_t<T>>::value;

template <class T, class... Listed>
inline constexpr bool kOneOf = (std::is_same_v<T, Listed> || ...);

// Ends the core with the fault type-unsupported; `takes` is "Call: the types it takes".
[[noreturn]] SFUMATO_API void RefuseType(const char* takes, DataType found, Where where);

}  // namespace sfumato::ascendc

// The element types of a call: a type T for which the condition does not hold stops the compiler. With
// SFUMATO_ANY_TYPE, which the build of a kernel defines where nothing else stops it, T is a fault when the call runs.
#ifdef SFUMATO_ANY_TYPE
#define SFUMATO_TYPES(T, takes, ...) \
    if constexpr (!(__VA_ARGS__)) sfumato::ascendc::RefuseType(takes, sfumato::ascendc::kTypeOf<T>, where)
#else
#define SFUMATO_TYPES(T, takes, ...) static_assert(__VA_ARGS__, takes " [type-unsupported]")
#endif

namespace AscendC {

namespace sfumato_ = sfumato::ascendc;  // the library's side of the calls

using sfumato::bfloat16_t;
using sfumato::half;
using sfumato::int4b_t;

enum class HardEvent : uint8_t {
#define SFUMATO_HARD_EVENT(from, to) from##_##to,
    SFUMATO_HARD_EVENTS
#undef SFUMATO_HARD_EVENT
        MAX
};

enum class RoundMode {
    CAST_NONE = 0,
    CAST_RINT,
    CAST_FLOOR,
    CAST_CEIL,
    CAST_ROUND,
    CAST_TRUNC,
    CAST_ODD,
    CAST_HYBRID = 8,  // to hifloat8_t alone
#if __NPU_ARCH__ == 3510
    CAST_ZERO = CAST_TRUNC,  // this and the next occur in programs, and no page has them: decided
    CAST_EVEN = CAST_RINT,
#endif
    UNKNOWN = 0xFF  // of CastTrait: the conversion does not round
};

enum class MaskMode : uint8_t { NORMAL = 0, COUNTER };
enum class SaturationMode : uint8_t { FLOAT = 0, CAST };
enum class DataFormat : uint8_t { ND = 0, NZ, NCHW, NC1HWC0, NHWC };
enum class CacheMode : uint8_t { CACHE_MODE_DISABLE = 0, CACHE_MODE_NORMAL = 1, CACHE_MODE_PERSISTENT = 4 };
enum class CacheRwMode : uint8_t { READ = 1, WRITE = 2, RW = 3 };

constexpr uint64_t MASK_PLACEHOLDER = 0;
constexpr uint64_t MASK_PLACEHOLDER_LIST[2] = {0, 0};
constexpr int32_t K_MAX_DIM = 8;
constexpr int32_t DEFAULT_BLK_NUM = 8, DEFAULT_BLK_STRIDE = 1, DEFAULT_REPEAT_STRIDE = 8, ONE_BLK_SIZE = 32,
                  ONE_REPEAT_BYTE_SIZE = 256;

enum class CMPMODE : uint8_t { LT = 0, GT, EQ, LE, GE, NE };
enum class SELMODE : uint8_t { VSEL_CMPMASK_SPR = 0, VSEL_TENSOR_SCALAR_MODE, VSEL_TENSOR_TENSOR_MODE };

struct GatherRepeatParams {
    constexpr GatherRepeatParams() = default;
    constexpr GatherRepeatParams(uint8_t dst_blk, uint8_t dst_rep) : dstBlkStride(dst_blk), dstRepStride(dst_rep) {}
    uint32_t blockNumber = DEFAULT_BLK_NUM;
    uint16_t dstBlkStride = DEFAULT_BLK_STRIDE;
    uint8_t dstRepStride = DEFAULT_REPEAT_STRIDE;
};

// Lengths and gaps in blocks of 32 bytes, gaps end to start (framework.md 3.3).
struct DataCopyParams {
    constexpr DataCopyParams() = default;
    constexpr DataCopyParams(uint16_t count, uint16_t len, uint16_t src, uint16_t dst)
        : blockCount(count), blockLen(len), srcStride(src), dstStride(dst) {}
    uint16_t blockCount = 1;
    uint16_t blockLen = 0;
    union {
        uint16_t srcStride = 0;
        uint16_t srcGap;
    };
    union {
        uint16_t dstStride = 0;
        uint16_t dstGap;
    };
};

struct ShapeInfo {
    constexpr ShapeInfo() = default;
    constexpr ShapeInfo(uint8_t dim, const uint32_t* sizes, DataFormat format = DataFormat::ND)
        : ShapeInfo(dim, sizes, dim, sizes, format) {}
    constexpr ShapeInfo(uint8_t dim, const uint32_t* sizes, uint8_t original_dim, const uint32_t* original,
                        DataFormat format = DataFormat::ND)
        : shapeDim(dim), originalShapeDim(original_dim), dataFormat(format) {
        for (int i = 0; i < K_MAX_DIM; ++i) {
            shape[i] = i < dim ? sizes[i] : 0;
            originalShape[i] = i < original_dim ? original[i] : 0;
        }
    }
    uint8_t shapeDim = 0;
    uint8_t originalShapeDim = 0;
    uint32_t shape[K_MAX_DIM] = {};
    uint32_t originalShape[K_MAX_DIM] = {};
    DataFormat dataFormat = DataFormat::ND;
};

// Product of the shape's dimensions.
constexpr int GetShapeSize(const ShapeInfo& info) {
    int size = 1;
    for (int i = 0; i < info.shapeDim; ++i) size *= static_cast<int>(info.shape[i]);
    return size;
}

}  // namespace AscendC

#include "sfumato/ascendc/calls/params.h"
