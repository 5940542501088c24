// SPDX-License-Identifier: Apache-2.0
// What the calls of Matmul check (adv.md 2.11).
#pragma once

#include <string>

#include "frontends/ascendc/matmul/engine.h"

namespace sfumato::ascendc::mm {

using AscendC::tiling::TCubeTiling;

// A call that a field of MatmulConfig takes away.
bool Removed(runtime::Core& core, const char* call, bool there, const char* field, Where where);
// A call that iterateMode takes away, because the program said it only makes others.
bool Allowed(runtime::Core& core, const Object& object, AscendC::IterateMode mode, const char* call, Where where);
// The launch has a core for each piece of the tiling (adv.md 3.5).
void CheckCores(runtime::Core& core, const Object& object, Where where);
// Before a product: sizes, tensors, bias, quantisation; another object has ended.
bool CheckProduct(runtime::Core& core, const Object& object, const char* call, Where where);
// What Matmul has where cube and vector cores are apart, and not, or not everywhere, where they are one (adv.md 2.12).
enum class Form : uint8_t {
    kAsync,
    kHf32,
    kWorkspace,
    kShared,
    kScalar,
    kCallbackData,
    kOneBias,
    kPartial,
    kSequential,
    kBatch,
    kUb,
    kTemplate
};
// False: the chip has no such form, which was reported.
bool HasForm(runtime::Core& core, Form form, const char* call, Where where);
// What MatmulType and MatmulConfig say, at Init, where the core has both units.
bool CheckOneCore(runtime::Core& core, const Object& object, Where where);
// The same of the inputs of a product; of its outputs where they pass UB.
bool CheckCoupledProduct(runtime::Core& core, const Object& object, const char* call, Where where);
bool CheckCoupledOutput(runtime::Core& core, const Object& object, const Output& output, const char* call, Where where);
// Before a block, or all of them, leave. end: elements the destination needs.
bool CheckOutput(runtime::Core& core, const Object& object, const Output& output, uint64_t end, const char* call,
                 Where where);

}  // namespace sfumato::ascendc::mm
