// SPDX-License-Identifier: Apache-2.0
// Launch options of values of Python, by the rows of their table.
#include "launch_options.h"

#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <optional>

#include "report/exit_code.h"

namespace nb = nanobind;

namespace sfumato::python {
namespace {

// The value of one row; none where Python says None.
std::optional<OptionValue> ValueOf(const LaunchOption& option, nb::handle value) {
    OptionValue given;
    if (value.is_none()) return std::nullopt;
    switch (option.kind) {
        case OptionKind::kSwitch: given.on = nb::cast<bool>(value); return given;
        case OptionKind::kNumber: given.number = nb::cast<uint64_t>(value); return given;
        case OptionKind::kSeconds: given.seconds = nb::cast<double>(value); return given;
        case OptionKind::kCycles:
            given.seconds = nb::cast<double>(value);
            if (!(given.seconds >= 0)) throw Error(std::string(option.name) + ": give cycles of at least 0");
            return given;
        default: break;
    }
    const auto word = nb::cast<std::string>(value);
    if (const auto parsed = option.Parse(word)) return parsed;
    std::string legal;
    for (const std::string& one : option.Words()) legal += (legal.empty() ? "'" : ", '") + one + "'";
    throw Error(std::string(option.name) + "='" + word + "' is not known; legal: " + legal);
}

// `time` of Python: True, a dictionary of the options of an estimate, or, for none, None or False.
void SetTime(LaunchOptions& options, nb::handle words) {
    if (words.is_none() || words.is(Py_False)) return;
    options.time.emplace();
    if (words.is(Py_True)) return;
    for (auto [key, value] : nb::cast<nb::dict>(words)) {
        const auto name = nb::cast<std::string>(key);
        if (!SetOption(options, kEstimate, name, value))
            throw Error("time: '" + name + "' is not known; legal: " + OptionNames(kEstimate));
    }
}

}  // namespace

bool SetOption(LaunchOptions& options, uint16_t routes, const std::string& name, nb::handle value) {
    const LaunchOption* option = FindLaunchOption(name);
    if (!option || !option->Has(routes)) return false;
    if (name == "time") {
        SetTime(options, value);
    } else if (option->set) {
        if (const auto given = ValueOf(*option, value)) option->set(options, *given);
    }
    return true;
}

std::string OptionNames(uint16_t routes) {
    std::string names;
    for (const LaunchOption& option : AllLaunchOptions()) {
        if (option.Has(routes)) names += (names.empty() ? "" : ", ") + std::string(option.name);
    }
    return names;
}

LaunchOptions LaunchOptionsOf(Route route, const nb::dict& words) {
    LaunchOptions options;
    options.route = route;
    for (auto [key, value] : words) SetOption(options, kPython, nb::cast<std::string>(key), value);
    return options;
}

nb::object OptionOfText(const std::string& name, const std::string& text, const std::string& flag) {
    const LaunchOption& option = *FindLaunchOption(name);
    const std::optional<OptionValue> value = option.Parse(text);
    if (!value) throw Error(flag + " '" + text + "' is not legal; legal: " + option.Legal());
    switch (option.kind) {
        case OptionKind::kSwitch: return nb::cast(value->on);
        case OptionKind::kNumber: return nb::cast(value->number);
        case OptionKind::kSeconds:
        case OptionKind::kCycles: return nb::cast(value->seconds);
        default: return nb::cast(text);
    }
}

nb::list OptionTable() {
    nb::list table;
    for (const LaunchOption& option : AllLaunchOptions()) {
        constexpr const char* kKinds[] = {"text", "word", "switch", "number", "seconds", "cycles", "other"};
        static_assert(std::size(kKinds) == static_cast<size_t>(OptionKind::kOther) + 1);
        table.append(nb::make_tuple(option.name, kKinds[static_cast<int>(option.kind)], option.Words(), option.Legal(),
                                    option.standard, option.routes, option.sentence));
    }
    return table;
}

nb::dict ExitCodes() {
    nb::dict codes;
#define SFUMATO_EXIT_CODE(name, text, code) codes[text] = code;
    SFUMATO_EXIT_CODES(SFUMATO_EXIT_CODE)
#undef SFUMATO_EXIT_CODE
    return codes;
}

void CheckLaunchOptions(const std::string& chip, const nb::dict& words) {
    LaunchOptions options = LaunchOptionsOf(Route::kJudge, words);
    options.chip = chip;
    options.trace.clear();  // nobody asked for this launch's timeline
    GlobalMemory memory;
    const nb::gil_scoped_release others;
    Launch(options, 1, memory, [] {});  // the launch itself refuses what is wrong, before it runs anything
}

}  // namespace sfumato::python
