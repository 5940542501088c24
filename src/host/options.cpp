// SPDX-License-Identifier: Apache-2.0
// What a program that has no command line for us is told by its environment: SFUMATO_CHIP, SFUMATO_OPTIONS,
// SFUMATO_ON_FAULT.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <cstdlib>
#include <functional>
#include <mutex>
#include <sstream>

#include "host/launch.h"
#include "host/stream_order.h"
#include "host/told.h"
#include "soc/chip.h"

namespace sfumato::host {
namespace {

constexpr const char* kDefaultChip = "Ascend910B1";

std::string Setting(const char* name) {
    const char* value = std::getenv(name);
    return value ? value : "";
}

std::mutex registered_mutex;
std::string& Registered() {
    static std::string chip;
    return chip;
}

[[noreturn]] void Refuse(const std::string& key, const std::string& value, const std::string& legal) {
    throw Error(fmt::format("SFUMATO_OPTIONS: {} is '{}'; legal are {}", key, value, legal));
}

// A word of several, as the value it stands for.
template <class T>
T Choose(const std::string& key, const std::string& value, const std::vector<std::pair<const char*, T>>& choices) {
    std::vector<std::string> words;
    for (const auto& [word, meaning] : choices) {
        if (value == word) return meaning;
        words.push_back(word);
    }
    Refuse(key, value, fmt::format("{}", fmt::join(words, ", ")));
}

uint64_t Number(const std::string& key, const std::string& value, uint64_t most) {
    char* end = nullptr;
    const uint64_t number = std::strtoull(value.c_str(), &end, 0);
    if (value.empty() || *end || value[0] == '-' || number > most) Refuse(key, value, fmt::format("0 to {}", most));
    return number;
}

bool OnOff(const std::string& key, const std::string& value) {
    return Choose<bool>(key, value, {{"on", true}, {"off", false}, {"1", true}, {"0", false}});
}

// With what the process does besides launching.
struct HostOptions : LaunchOptions {
    FindingsFiles files;
    std::optional<bool> streams;
};
using Setter = std::function<void(HostOptions&, const std::string& key, const std::string& value)>;

const std::map<std::string, Setter>& Setters() {
    static const std::map<std::string, Setter> setters = {
        {"schedule", [](auto& o, auto&, auto& v) { o.schedule = v; }},
        {"check", [](auto& o, auto&, auto& v) { o.check = v; }},
        {"overflow",
         [](auto& o, auto& k, auto& v) {
             o.overflow = Choose<Overflow>(
                 k, v, {{"saturate", Overflow::kSaturate}, {"infnan", Overflow::kInfNan}, {"board", Overflow::kBoard}});
         }},
        {"auto_sync", [](auto& o, auto& k, auto& v) { o.auto_sync = OnOff(k, v); }},
        {"strict", [](auto& o, auto& k, auto& v) { o.strict = OnOff(k, v); }},
        {"rests_on", [](auto& o, auto& k, auto& v) { o.rests_on = OnOff(k, v); }},
        {"json", [](auto& o, auto&, auto& v) { o.files.json = v; }},
        {"sarif", [](auto& o, auto&, auto& v) { o.files.sarif = v; }},
        {"junit", [](auto& o, auto&, auto& v) { o.files.junit = v; }},
        {"core",
         [](auto& o, auto& k, auto& v) {
             o.core = Choose<CoreChoice>(
                 k, v, {{"aiv", CoreChoice::kVector}, {"aic", CoreChoice::kCube}, {"mix", CoreChoice::kMix}});
         }},
        {"cast_round",
         [](auto& o, auto& k, auto& v) {
             o.cast_round_ties = Choose<bool>(k, v, {{"page", false}, {"ties", true}});
         }},
        {"mmad_order",
         [](auto& o, auto& k, auto& v) {
             o.mmad_order =
                 Choose<MmadOrder>(k, v, {{"sequential", MmadOrder::kSequential}, {"k0-block", MmadOrder::kK0Block}});
         }},
        {"flags",
         [](auto& o, auto& k, auto& v) {
             o.flags = Choose<FlagIdentity>(k, v, {{"event", FlagIdentity::kEvent}, {"setter", FlagIdentity::kSetter}});
         }},
        {"fill", [](auto& o, auto& k, auto& v) { o.fill = static_cast<uint8_t>(Number(k, v, 255)); }},
        {"streams",
         [](auto& o, auto& k, auto& v) {
             o.streams = Choose<bool>(k, v, {{"check", true}, {"off", false}});
         }},
        {"timeout",
         [](auto& o, auto& k, auto& v) {
             char* end = nullptr;
             const double seconds = std::strtod(v.c_str(), &end);
             if (v.empty() || *end || !(seconds > 0)) Refuse(k, v, "seconds above 0");
             o.timeout = seconds;
             // Nobody else can end a loop without instructions.
             o.stuck = [](const Report& report) { EndProcess(kExitFault, report.Text()); };
         }},
        {"workers", [](auto& o, auto& k, auto& v) { o.workers = static_cast<uint32_t>(Number(k, v, 4096)); }},
    };
    return setters;
}

// Words "key=value" with commas between.
void Apply(const std::string& text, HostOptions& options) {
    std::istringstream words(text);
    for (std::string word; std::getline(words, word, ',');) {
        if (word.empty()) continue;
        const size_t equals = word.find('=');
        const std::string key = word.substr(0, equals);
        const auto it = Setters().find(key);
        if (it == Setters().end() || equals == std::string::npos) {
            std::vector<std::string> keys;
            for (const auto& [name, setter] : Setters()) keys.push_back(name + "=...");
            throw Error(fmt::format("SFUMATO_OPTIONS: '{}' is none of {}", word, fmt::join(keys, ", ")));
        }
        it->second(options, key, word.substr(equals + 1));
    }
}

}  // namespace

bool RegisterChip(const char* chip) {
    std::lock_guard lock(registered_mutex);
    if (Registered().empty()) Registered() = chip;
    return true;
}

std::string RegisteredChip() {
    std::lock_guard lock(registered_mutex);
    return Registered();
}

bool ExitOnFault() {
    const std::string value = Setting("SFUMATO_ON_FAULT");
    if (!value.empty() && value != "exit" && value != "keep") {
        EndProcess(kExitUsage, fmt::format("SFUMATO_ON_FAULT is '{}'; legal are exit, keep", value));
    }
    return value == "exit";
}

StreamsOption StreamsOptionOfEnvironment() {
    HostOptions options;
    Apply(Setting("SFUMATO_OPTIONS"), options);
    return {options.streams.value_or(false), options.strict};
}

LaunchOptions OptionsOfEnvironment(Route route, const char* chip, const char* build_options) {
    HostOptions options;
    options.route = route;
    options.chip = Setting("SFUMATO_CHIP");
    const std::string built = chip && *chip ? chip : RegisteredChip();
    if (options.chip.empty()) options.chip = built.empty() ? kDefaultChip : built;
    if (!built.empty()) {
        const soc::Chip wanted = soc::FindChip(options.chip), compiled = soc::FindChip(built);
        if (wanted.npu_arch != compiled.npu_arch) {
            Report report = ReportOf(Rule::kChipMismatch);
            report.message = "the program was compiled for another family of chips than it is to run on";
            report.found = fmt::format("SFUMATO_CHIP {}, of {}", options.chip, wanted.name);
            report.legal = fmt::format("a chip of {}, for which it was compiled", compiled.name);
            report.hint = fmt::format("compile it for {}, or unset SFUMATO_CHIP", options.chip);
            throw KernelError(report);
        }
    }
    if (const auto& overflow = Device::The().overflow) options.overflow = *overflow;
    Apply(build_options, options);
    Apply(Setting("SFUMATO_OPTIONS"), options);
    Told::The().WriteTo(options.files);
    if (options.streams) StreamOrder::The().Enable(*options.streams, options.strict);
    return options;
}

}  // namespace sfumato::host
