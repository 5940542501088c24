// SPDX-License-Identifier: Apache-2.0
// How vector functions begin (arch950.md 2.1, amendment 1): __VEC_SCOPE__, asc_vf_call, VF_CALL; a direct call of a
// __simd_vf__ function becomes one by what the build of a kernel puts at the head of its body.
#pragma once

#include <utility>

#include "sfumato/ascendc/reg/issue.h"

#undef SFUMATO_VECTOR_FUNCTION
#define SFUMATO_VECTOR_FUNCTION(name) \
    const ::sfumato::ascendc::reg::VectorFunction sfumato_function(name, ::sfumato::Where::Here())
#define __VEC_SCOPE__                                                                                      \
    for (::sfumato::ascendc::reg::VectorFunction sfumato_scope("__VEC_SCOPE__", ::sfumato::Where::Here()); \
         sfumato_scope.Once();)

namespace sfumato::ascendc::reg {

template <auto function, class... Args>
void CallVectorFunction(const char* call, Args&&... args) {
    const VectorFunction scope(call, Where());
    function(std::forward<Args>(args)...);
}

}  // namespace sfumato::ascendc::reg

template <auto funcPtr, typename... Args>
void asc_vf_call(Args&&... args) {
    sfumato::ascendc::reg::CallVectorFunction<funcPtr>("asc_vf_call", std::forward<Args>(args)...);
}
namespace AscendC {
// Bytes of a vector register.
constexpr uint32_t GetVecLen() { return sfumato::kRegisterBytes; }
// Bytes of UB that programs have (arch950.md 1.1; memory_sizes.h needs a chip), and of those what the launch has left.
constexpr uint32_t GetUBSizeInBytes() { return 253952; }
constexpr uint32_t GetRuntimeUBSize() { return GetUBSizeInBytes(); }

using ::asc_vf_call;
template <auto funcPtr, typename... Args>
void VF_CALL(Args&&... args) {
    sfumato_::reg::CallVectorFunction<funcPtr>("VF_CALL", std::forward<Args>(args)...);
}
}  // namespace AscendC
