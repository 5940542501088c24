// SPDX-License-Identifier: Apache-2.0
// Rows of the table to options of CLI11, and back to LaunchOptions.
#include "launch_words.h"

#include <fmt/format.h>

#include <algorithm>
#include <string_view>

namespace sfumato::command {
namespace {

// --cast-round
std::string FlagOf(std::string_view name) {
    std::string flag = fmt::format("--{}", name);
    std::replace(flag.begin(), flag.end(), '_', '-');
    return flag;
}

// What stands for the value in --help; nullptr: what CLI11 says.
const char* PlaceholderOf(const LaunchOption& option) {
    switch (option.kind) {
        case OptionKind::kSeconds: return "SECONDS";
        case OptionKind::kCycles: return "N";
        case OptionKind::kNumber: return std::string_view(option.standard).starts_with("0x") ? "0xNN" : "N";
        default: return std::string_view(option.name) == "trace" ? "FILE" : nullptr;
    }
}

}  // namespace

void AddLaunchOptions(CLI::App& app, int route, LaunchWords& words) {
    for (const LaunchOption& option : AllLaunchOptions()) {
        if (!option.Has(static_cast<uint16_t>(route)) || !option.set) continue;
        if (option.kind == OptionKind::kSwitch && std::string_view(option.standard) == "off") {
            app.add_flag(FlagOf(option.name), words.switches[option.name], option.sentence);
            continue;
        }
        std::string& text = words.texts[option.name] = option.standard;
        CLI::Option* added = app.add_option(FlagOf(option.name), text, option.sentence);
        if (const char* placeholder = PlaceholderOf(option)) added->type_name(placeholder);
        if (option.kind == OptionKind::kWord || option.kind == OptionKind::kSwitch)
            added->check(CLI::IsMember(option.Words()));
        if (*option.standard) added->capture_default_str();
    }
}

void SetLaunchOptions(LaunchOptions& options, const CLI::App& app, const LaunchWords& words) {
    for (const auto& [name, text] : words.texts) {
        const std::string flag = FlagOf(name);
        const CLI::Option* added = app.get_option_no_throw(flag);  // `words` may serve several verbs
        if (!added || added->count() == 0) continue;
        const LaunchOption& option = *FindLaunchOption(name);
        const std::optional<OptionValue> value = option.Parse(text);
        if (!value) throw Error(fmt::format("{} '{}' is not legal; legal: {}", flag, text, option.Legal()));
        option.set(options, *value);
    }
    for (const auto& [name, on] : words.switches) {
        OptionValue value;
        value.on = on;
        if (on) FindLaunchOption(name)->set(options, value);
    }
}

}  // namespace sfumato::command
