// SPDX-License-Identifier: Apache-2.0
// Where am I, kernel types (framework.md 4.1, 4.2).
#pragma once

#include <typeinfo>

#include "sfumato/ascendc/issue.h"

namespace AscendC {

enum CoreType { MIX = 0, AIC, AIV };

}  // namespace AscendC

// framework.md 4.2, in this order
enum KernelMetaType {
    KERNEL_TYPE_AIV_ONLY,
    KERNEL_TYPE_AIC_ONLY,
    KERNEL_TYPE_MIX_AIV_1_0,
    KERNEL_TYPE_MIX_AIC_1_0,
    KERNEL_TYPE_MIX_AIC_1_1,
    KERNEL_TYPE_MIX_AIC_1_2,
    KERNEL_TYPE_AICORE,
    KERNEL_TYPE_VECTORCORE,
    KERNEL_TYPE_MIX_AICORE,
    KERNEL_TYPE_MIX_VECTOR_CORE,
    KERNEL_TYPE_MAX
};
namespace AscendC {
using ::KernelMetaType;
}

namespace sfumato::ascendc {

// Objects that read as the calling core's number: programs use them as plain globals.
struct BlockIdxValue {
    operator int64_t() const { return RawBlockIdx(); }
};
struct BlockNumValue {
    operator int64_t() const { return BlockNum(); }
};
struct SubBlockIdxValue {
    operator int64_t() const { return SubBlockIdx(); }
};
struct CoreTypeValue {
    operator int() const { return IsVectorCore() ? (IsCubeCore() ? AscendC::MIX : AscendC::AIV) : AscendC::AIC; }
};

// The declaration of a function that has a closure of type Closure, which tells the line. Using `note` makes it exist
// from load time on.
template <class Closure, int kType, bool kEveryKey, uint64_t kKey>
struct [[gnu::visibility("hidden")]] TaskTypeDeclaration {
    static const TaskTypeNote note;
};
template <class Closure, int kType, bool kEveryKey, uint64_t kKey>
const TaskTypeNote TaskTypeDeclaration<Closure, kType, kEveryKey, kKey>::note{typeid(Closure).name(), kType, kEveryKey,
                                                                              kKey, Closure{}()};

template <int kType, bool kEveryKey, uint64_t kKey, class Closure>
void KernelTaskType(Closure where) {
    [[maybe_unused]] const volatile auto* note = &TaskTypeDeclaration<Closure, kType, kEveryKey, kKey>::note;
    if (kEveryKey || TilingKey() == kKey) DeclareTaskType(kType, where());
}

}  // namespace sfumato::ascendc

inline constexpr sfumato::ascendc::BlockIdxValue block_idx{};
inline constexpr sfumato::ascendc::BlockNumValue block_num{};
inline constexpr sfumato::ascendc::SubBlockIdxValue sub_block_idx{};
#ifdef SFUMATO_CORE_KIND
inline constexpr int g_coreType = SFUMATO_CORE_KIND;  // compiled for one kind of core
#else
inline constexpr sfumato::ascendc::CoreTypeValue g_coreType{};
#endif

#define KERNEL_TASK_TYPE_DEFAULT(type) \
    ::sfumato::ascendc::KernelTaskType<static_cast<int>(type), true, 0>([] { return ::sfumato::Where::Here(); })
#define KERNEL_TASK_TYPE(key, type)                                                                 \
    (::sfumato::ascendc::KernelTaskType<static_cast<int>(type), false, static_cast<uint64_t>(key)>( \
        [] { return ::sfumato::Where::Here(); }))
