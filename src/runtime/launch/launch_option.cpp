// SPDX-License-Identifier: Apache-2.0
// The rows of launch_options.inc, and how their texts are read.
#include "sfumato/launch_option.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <type_traits>

namespace sfumato {
namespace {

TimeOptions& of(LaunchOptions& o) { return o.time ? *o.time : o.time.emplace(); }

constexpr OptionKind kText = OptionKind::kText, kWord = OptionKind::kWord, kSwitch = OptionKind::kSwitch,
                     kNumber = OptionKind::kNumber, kSeconds = OptionKind::kSeconds, kCycles = OptionKind::kCycles,
                     kOther = OptionKind::kOther;

constexpr LaunchOption kOptions[] = {
#define SFUMATO_OPTION(name, kind, legal, standard, routes, sentence, ...) \
    {#name,                                                                \
     kind,                                                                 \
     legal,                                                                \
     standard,                                                             \
     static_cast<uint16_t>(routes),                                        \
     sentence,                                                             \
     kind == kOther ? nullptr                                              \
                    : +[]([[maybe_unused]] LaunchOptions& o, [[maybe_unused]] const OptionValue& v) { __VA_ARGS__; }},
#include "sfumato/launch_options.inc"
#undef SFUMATO_OPTION
};

// The whole text as a number, or none.
template <class T, class... Base>
std::optional<T> NumberOf(std::string_view text, Base... base) {
    T value{};
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value, base...);
    if (error != std::errc() || end != text.data() + text.size() || text.empty()) return std::nullopt;
    return value;
}

std::optional<uint64_t> UnsignedOf(std::string_view text) {
    const bool hexadecimal = text.starts_with("0x") || text.starts_with("0X");
    return hexadecimal ? NumberOf<uint64_t>(text.substr(2), 16) : NumberOf<uint64_t>(text, 10);
}

}  // namespace

std::span<const LaunchOption> AllLaunchOptions() { return kOptions; }

const LaunchOption* FindLaunchOption(std::string_view name) {
    const auto* at = std::ranges::find_if(kOptions, [&](auto& o) { return name == o.name; });
    return at == std::end(kOptions) ? nullptr : at;
}

std::vector<std::string> LaunchOption::Words() const {
    if (kind == kSwitch) return {"on", "off"};
    std::vector<std::string> words;
    for (std::string_view rest = legal; !rest.empty();) {
        const size_t end = std::min(rest.find('|'), rest.size());
        words.emplace_back(rest.substr(0, end));
        rest.remove_prefix(std::min(end + 1, rest.size()));
    }
    return words;
}

std::string LaunchOption::Legal() const {
    switch (kind) {
        case kNumber: return fmt::format("0 to {}", legal);
        case kSeconds: return "seconds above 0";
        case kCycles: return "cycles of at least 0";
        case kSwitch: return "on, off, 1, 0";
        case kText:
        case kOther: return "";
        default: return fmt::format("{}", fmt::join(Words(), ", "));
    }
}

std::optional<OptionValue> LaunchOption::Parse(std::string_view text) const {
    OptionValue value;
    value.text = text;
    switch (kind) {
        case kText: return value;
        case kWord:
        case kSwitch: {
            const std::vector<std::string> words = Words();
            const auto at = std::ranges::find(words, text);
            value.word = static_cast<size_t>(at - words.begin());
            value.on = value.word == 0;
            if (at != words.end()) return value;
            if (kind == kWord || (text != "1" && text != "0")) return std::nullopt;
            value.on = text == "1";
            return value;
        }
        case kNumber: {
            const std::optional<uint64_t> number = UnsignedOf(text);
            if (!number || *number > *UnsignedOf(legal)) return std::nullopt;
            value.number = *number;
            return value;
        }
        case kSeconds:
        case kCycles: {
            const std::optional<double> number = NumberOf<double>(text);
            if (!number || !std::isfinite(*number) || *number < 0 || (kind == kSeconds && *number == 0))
                return std::nullopt;
            value.seconds = *number;
            return value;
        }
        case kOther: break;
    }
    return std::nullopt;
}

}  // namespace sfumato
