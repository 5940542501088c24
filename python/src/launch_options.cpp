// SPDX-License-Identifier: Apache-2.0
// Launch options of values of Python, by the rows of their table.
#include "launch_options.h"

#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <cmath>
#include <optional>
#include <string_view>

#include "report/exit_code.h"

namespace nb = nanobind;

namespace sfumato::python {
namespace {

// The value of one row; none where Python says None, or what is no text and no number. Throws Error for one that is not
// legal; what the text of a check or the like may say, and how long a timeout may be, the launch knows.
std::optional<OptionValue> ValueOf(const LaunchOption& option, nb::handle value, const std::string& where) {
    const std::string_view name = option.name;
    const auto said = [&] { return std::string(name) + "=" + nb::repr(value).c_str(); };
    const auto refuse = [&](const std::string& legal) { throw Error(where + ": " + said() + " must be " + legal); };
    OptionValue given;
    if (value.is_none() && *option.standard == '\0' && name != "check") return std::nullopt;
    const bool is_bool =
        PyBool_Check(value.ptr()) || nb::isinstance(value, nb::module_::import_("numpy").attr("bool_"));
    switch (option.kind) {
        case OptionKind::kSwitch:
            if (!is_bool) refuse("True or False");
            given.on = PyObject_IsTrue(value.ptr()) == 1;
            return given;
        case OptionKind::kNumber: {
            const uint64_t most = option.Parse(option.legal)->number;
            const bool number = !is_bool && PyIndex_Check(value.ptr()) && nb::try_cast(value, given.number);
            if (!number || given.number > most) refuse("an int in [0, " + std::to_string(most) + "]");
            return given;
        }
        case OptionKind::kSeconds: return nb::try_cast(value, given.seconds) ? std::optional(given) : std::nullopt;
        case OptionKind::kCycles: {
            const bool number = !is_bool && (PyFloat_Check(value.ptr()) || PyIndex_Check(value.ptr()));
            if (!number || !nb::try_cast(value, given.seconds) || !(given.seconds >= 0) || std::isinf(given.seconds))
                refuse(option.Legal());
            return given;
        }
        case OptionKind::kText:
        case OptionKind::kWord: break;
        case OptionKind::kOther:
            if ((name == "log" || name == "print") && !PyCallable_Check(value.ptr()))
                refuse("a function that takes a text, or None");
            if (name == "time" && !is_bool && !nb::isinstance<nb::dict>(value))
                refuse("True, or a dict of options of `sfumato time`");
            return std::nullopt;
    }
    if (!nb::isinstance<nb::str>(value)) {
        if (name != "trace") refuse("a string");
        return std::nullopt;
    }
    if (const auto parsed = option.Parse(nb::cast<std::string>(value))) return parsed;
    std::string legal;
    for (const std::string& one : option.Words()) legal += (legal.empty() ? "'" : ", '") + one + "'";
    throw Error(said() + " is not known; legal: " + legal);
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
        if (const auto given =
                value.is_none() ? std::nullopt : ValueOf(*option, value, routes == kEstimate ? "time" : "options"))
            option->set(options, *given);
    }
    return true;
}

void CheckOptions(const nb::dict& given, const std::string& where) {
    for (auto [key, value] : given) {
        if (const LaunchOption* option = FindLaunchOption(nb::cast<std::string>(key))) ValueOf(*option, value, where);
    }
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

nb::dict NumericsOfWords(const nb::dict& words) {
    const Numerics numerics = NumericsOf(LaunchOptionsOf(Route::kJudge, words));
    nb::dict said;
    said["numerics"] = numerics.numerics;
    said["estimate"] = numerics.estimate;
    said["div"] = numerics.div;
    said["mmad_order"] = numerics.mmad_order;
    return said;
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
