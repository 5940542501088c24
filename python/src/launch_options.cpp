// SPDX-License-Identifier: Apache-2.0
// Words and numbers of a dictionary.
#include "launch_options.h"

#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>

#include "options.h"

namespace nb = nanobind;

namespace sfumato::python {
namespace {

template <class T>
T Get(const nb::dict& options, const char* name) {
    return nb::cast<T>(options[name]);
}

}  // namespace

LaunchOptions LaunchOptionsOf(const nb::dict& o) {
    LaunchOptions options;
    options.core = Choose<CoreChoice>("core", Get<std::string>(o, "core"),
                                      {{"default", CoreChoice::kDefault},
                                       {"aiv", CoreChoice::kVector},
                                       {"aic", CoreChoice::kCube},
                                       {"mix", CoreChoice::kMix}});
    options.overflow = OverflowOf(Get<std::string>(o, "overflow"));
    options.schedule = Get<std::string>(o, "schedule");
    options.check = Get<std::string>(o, "check");
    options.auto_sync = Get<bool>(o, "auto_sync");
    options.strict = Get<bool>(o, "strict");
    options.collect = Get<bool>(o, "collect");
    options.rests_on = Get<bool>(o, "rests_on");
    options.cost = Get<bool>(o, "cost");
    options.cast_round_ties = CastRoundTies(Get<std::string>(o, "cast_round"));
    options.flags = FlagsOf(Get<std::string>(o, "flags"));
    options.mmad_order = MmadOrderOf(Get<std::string>(o, "mmad_order"));
    options.fill = Get<uint8_t>(o, "fill");
    options.workers = Get<uint32_t>(o, "workers");
    options.timeout = Get<std::optional<double>>(o, "timeout");
    options.log_order = LogOrderOf(Get<std::string>(o, "log_order"));
    return options;
}

}  // namespace sfumato::python
