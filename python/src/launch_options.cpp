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

void SetTime(LaunchOptions& options, nb::handle words) {
    if (words.is_none() || words.is(Py_False)) return;
    TimeOptions time;
    if (!words.is(Py_True)) {
        for (auto [key, value] : nb::cast<nb::dict>(words)) {
            const auto name = nb::cast<std::string>(key);
            if (name == "l2") {
                time.l2_warm = Choose<bool>("l2", nb::cast<std::string>(value), {{"cold", false}, {"warm", true}});
            } else if (name == "launch") {
                time.launch_cold =
                    Choose<bool>("launch", nb::cast<std::string>(value), {{"usual", false}, {"cold", true}});
            } else if (name == "gains") {
                using Gains = TimeOptions::Gains;
                time.gains = Choose<Gains>("gains", nb::cast<std::string>(value),
                                           {{"small", Gains::kSmall}, {"all", Gains::kAll}, {"none", Gains::kNone}});
            } else if (name == "scalar_cycles") {
                time.scalar_cycles = nb::cast<double>(value);
                if (!(time.scalar_cycles >= 0)) throw Error("scalar_cycles: give cycles of at least 0");
            } else if (name == "skip_data") {
                options.skip_data = nb::cast<bool>(value);
            } else {
                throw Error("time: '" + name + "' is not known; legal: l2, launch, scalar_cycles, gains, skip_data");
            }
        }
    }
    options.time = time;
}

LaunchOptions LaunchOptionsOf(Route route, const nb::dict& o) {
    LaunchOptions options;
    options.route = route;
    options.core = Choose<CoreChoice>("core", Get<std::string>(o, "core"),
                                      {{"default", CoreChoice::kDefault},
                                       {"aiv", CoreChoice::kVector},
                                       {"aic", CoreChoice::kCube},
                                       {"mix", CoreChoice::kMix}});
    options.overflow = OverflowOf(Get<std::optional<std::string>>(o, "overflow"));
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
    options.trace = Get<std::optional<std::string>>(o, "trace").value_or("");
    options.log_order = LogOrderOf(Get<std::string>(o, "log_order"));
    SetTime(options, o["time"]);
    return options;
}

void CheckLaunchOptions(const std::string& chip, const nb::dict& words) {
    LaunchOptions options = LaunchOptionsOf(Route::kJudge, words);
    options.chip = chip;
    options.trace.clear();
    GlobalMemory memory;
    const nb::gil_scoped_release others;
    Launch(options, 1, memory, [] {});  // who would run a kernel says what is wrong
}

}  // namespace sfumato::python
