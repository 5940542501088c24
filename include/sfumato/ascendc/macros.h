// SPDX-License-Identifier: Apache-2.0
// The language of Ascend C sources as a stock compiler sees it (compat.md, "Compile-time macros").
#pragma once

#include <cstdint>

// A source with <<<>>> is compiled as for a board: these macros choose its other half.
#ifndef SFUMATO_DIRECT_LAUNCH
#ifndef ASCENDC_CPU_DEBUG
#define ASCENDC_CPU_DEBUG 1
#endif
#ifndef __CCE_KT_TEST__
#define __CCE_KT_TEST__ 1
#endif
#endif

#if !defined(__OPTIMIZE__) && !defined(SFUMATO_FIND_KERNELS)
// Tells launches that calls which optimisation removes stand in this code (src/runtime/code/call_notes.h), also where
// the linker drops what nothing names (--gc-sections).
#if __has_attribute(retain)
#define SFUMATO_RETAINED used, retain
#else
#define SFUMATO_RETAINED used
#endif
namespace sfumato::ascendc {
__attribute__((section("sfumato_unoptimised"), SFUMATO_RETAINED)) static const char kUnoptimised = 1;
}
#undef SFUMATO_RETAINED
#endif

#define __aicore__
#ifndef SFUMATO_FIND_KERNELS  // then it is left standing for who looks for kernels in the preprocessor's output
#define __global__ __attribute__((visibility("default"), used))
#endif
#define __gm__
#define __ubuf__
#define __cbuf__
#define __ca__
#define __cb__
#define __cc__
#define __fbuf__
#define __biasbuf__
#define __inout_pipe__
#define __in_pipe__
#define __out_pipe__
#define __cube__
#define __vector__
#define __mix__(...)
#define __schedmode__(...)
#define __simd_vf__
// What the build puts at the begin of such a function's body (reg/call.h, where the chip has registers).
#define SFUMATO_VECTOR_FUNCTION(name)
#define __simd_callee__
#define __local_mem__
#ifndef SFUMATO_FIND_KERNELS  // as __global__
#define __kfc_workspace__
#endif
// A variable outside functions of which every core has its own.
#define __BLOCK_LOCAL__ thread_local
#ifndef __inline__
#define __inline__ inline
#endif

// Sources that say inline beside it lose that: g++ takes no second (src/jit/qualifiers.h).
#define __forceinline__ inline __attribute__((always_inline))

#define GM_ADDR __gm__ uint8_t*

// SFUMATO_CORE_KIND: a compiler makes code for one kind of core, numbered as AscendC::CoreType: MIX has both parts.
#ifdef SFUMATO_CORE_KIND
#define ASCEND_IS_AIV (SFUMATO_CORE_KIND != 1)
#define ASCEND_IS_AIC (SFUMATO_CORE_KIND != 2)
#else
#define ASCEND_IS_AIV (::sfumato::ascendc::IsVectorCore())
#define ASCEND_IS_AIC (::sfumato::ascendc::IsCubeCore())
#endif
