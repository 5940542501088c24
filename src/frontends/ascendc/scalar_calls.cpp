// SPDX-License-Identifier: Apache-2.0
// Scalar calls on plain values (language.md 1).
#include "sfumato/ascendc/scalar_calls.h"

#include <fmt/format.h>

#include <cmath>

#include "frontends/ascendc/context.h"
#include "numeric/convert.h"
#include "runtime/launch/launch_state.h"

namespace sfumato::ascendc {

void RequireScalarCall(ScalarCall kind, const char* call, Where where) {
    const auto has = [kind](const soc::Chip& chip) {
        return kind == ScalarCall::kBits ? chip.scalar_bits : chip.scalar_bfloat16;
    };
    runtime::Core& core = ThisCore(call);
    RequireChip(core, call, where, has, Rule::kCallUnsupported, "does not have the call",
                "write it in C++: the scalar unit has integers, float and shifts on every chip");
}

uint64_t ConvertScalar(float value, DataType type, Rounding rounding, Where where) {
    runtime::Core& core = ThisCore("ScalarCast");
    const auto converted = [&](Overflow overflow) {
        return numeric::Convert(DataType::kFloat, type, rounding, overflow, __builtin_bit_cast(uint32_t, value)).bits;
    };
    const uint64_t bits = converted(core.launch().overflow);
    if (!core.execution().LimitsUnasked() || bits == converted(Overflow::kInfNan)) return bits;
    Find(core, "ScalarCast", where,
         {Rule::kSaturated, "valueIn", "a result overflowed and was saturated",
          fmt::format("{} as {}; a board gives {}", value, CName(type),
                      std::isnan(value) ? "nan"
                      : value < 0       ? "-inf"
                                        : "inf"),
          fmt::format("nobody asked for a policy, and saturate is the default; the runtime of {} keeps inf and "
                      "NaN",
                      core.chip().name),
          fmt::format("for what a board gives: {}; with saturate in its place the values stay",
                      Info(core.launch().options.route).option)});
    return bits;
}

}  // namespace sfumato::ascendc
