// SPDX-License-Identifier: Apache-2.0
// Calls of kernels without a TPipe that must not compile, each beside one that does.
#include "kernel_operator.h"
#include "refused.h"

using namespace AscendC;

// Global memory is nothing an allocator hands out.
// expect: LocalMemAllocator: legal are Hardware::UB, L1, L0A, L0B, L0C, BIAS and FIXBUF
__aicore__ void allocator_of_global_memory() {
    REFUSED(LocalMemAllocator<Hardware::GM> allocator);
    LEGAL(LocalMemAllocator<Hardware::UB> allocator);
    allocator.GetCurAddr();
}

// The position stands before the type.
// expect: no matching
__aicore__ void allocator_position_behind_the_type(LocalMemAllocator<>& allocator) {
    REFUSED(allocator.Alloc<half, TPosition::VECIN>(64));
    LEGAL(allocator.Alloc<TPosition::VECIN, half>(64));
}
