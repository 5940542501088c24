// SPDX-License-Identifier: Apache-2.0
// Scalar calls on plain values, and the communication context that does not exist (language.md 1 and 6).
#include "sfumato/ascendc/scalar_calls.h"

#include <fmt/format.h>

#include "frontends/ascendc/context.h"
#include "numeric/convert.h"
#include "runtime/launch_state.h"
#include "sfumato/ascendc/compat.h"

namespace sfumato::ascendc {

void RequireScalarCall(ScalarCall kind, const char* call, Where where) {
    const auto has = [kind](const soc::Chip& chip) {
        return kind == ScalarCall::kBits ? chip.scalar_bits : chip.scalar_bfloat16;
    };
    runtime::Core& core = ThisCore(call);
    if (has(core.chip())) return;
    Find(core, call,
         {.rule = Rule::kCallUnsupported,
          .message = fmt::format("{} does not have the call", core.chip().name),
          .found = call,
          .legal = AscendCFamilies(has),
          .hint = "write it in C++: the scalar unit has integers, float and shifts on every chip"},
         where);
}

uint64_t ConvertScalar(float value, DataType type, Rounding rounding, Where) {
    const Overflow overflow = ThisCore("ScalarCast").launch().overflow;
    return numeric::Convert(DataType::kFloat, type, rounding, overflow, __builtin_bit_cast(uint32_t, value)).bits;
}

uint8_t* HcclContext(uint32_t index, Where where) {
    Find(ThisCore("GetHcclContext"), "GetHcclContext",
         {.rule = Rule::kHcclContext,
          .message = "there is no communication domain: one chip runs, alone",
          .found = fmt::format("GetHcclContext<{}>()", index),
          .legal = "kernels that do not communicate",
          .hint = "test the computation in a kernel of its own, or give the data that other chips would send as an "
                  "argument"},
         where);
    return nullptr;
}

}  // namespace sfumato::ascendc
