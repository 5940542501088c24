// SPDX-License-Identifier: Apache-2.0
// vcbd: integers to integers of another width, saturated (tik.md 1.7). Plain loops, which compilers turn into vectors.
#include <algorithm>
#include <limits>
#include <type_traits>

#include "exec/runs.h"

namespace sfumato::exec {
namespace {

template <typename To, typename From>
bool ChangeDepth(const RunArgs& args) {
    const From* src = static_cast<const From*>(args.src0);
    To* dst = static_cast<To*>(args.dst);
    for (size_t i = 0; i < args.n; ++i) {
        dst[i] = static_cast<To>(
            std::clamp<int64_t>(src[i], std::numeric_limits<To>::min(), std::numeric_limits<To>::max()));
    }
    return false;
}

template <typename From>
RunFn DepthRunFrom(DataType dst) {
    switch (dst) {
        case DataType::kInt8: return ChangeDepth<int8_t, From>;
        case DataType::kUint8: return ChangeDepth<uint8_t, From>;
        case DataType::kInt16: return ChangeDepth<int16_t, From>;
        case DataType::kUint16: return ChangeDepth<uint16_t, From>;
        case DataType::kInt32: return ChangeDepth<int32_t, From>;
        case DataType::kUint32: return ChangeDepth<uint32_t, From>;
        default: return nullptr;
    }
}

}  // namespace

RunFn FindDepthRun(DataType dst, DataType src) {
    switch (src) {
        case DataType::kInt8: return DepthRunFrom<int8_t>(dst);
        case DataType::kUint8: return DepthRunFrom<uint8_t>(dst);
        case DataType::kInt16: return DepthRunFrom<int16_t>(dst);
        case DataType::kUint16: return DepthRunFrom<uint16_t>(dst);
        case DataType::kInt32: return DepthRunFrom<int32_t>(dst);
        case DataType::kUint32: return DepthRunFrom<uint32_t>(dst);
        default: return nullptr;
    }
}

}  // namespace sfumato::exec
