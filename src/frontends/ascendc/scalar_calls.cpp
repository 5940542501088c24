// SPDX-License-Identifier: Apache-2.0
// Scalar calls on plain values (language.md 1).
#include "sfumato/ascendc/scalar_calls.h"

#include <fmt/format.h>

#include "frontends/ascendc/context.h"
#include "numeric/convert.h"
#include "runtime/launch_state.h"

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

}  // namespace sfumato::ascendc
