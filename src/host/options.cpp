// SPDX-License-Identifier: Apache-2.0
// What a program that has no command line for us is told by its environment: SFUMATO_CHIP, SFUMATO_OPTIONS,
// SFUMATO_ON_FAULT.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cstdlib>
#include <mutex>
#include <sstream>

#include "host/hccl_comms.h"
#include "host/launch.h"
#include "host/ranks.h"
#include "host/stream_order.h"
#include "host/told.h"
#include "sfumato/launch_option.h"
#include "soc/chip.h"

namespace sfumato::host {
namespace {

std::string Setting(const char* name) {
    const char* value = std::getenv(name);
    return value ? value : "";
}

std::mutex registered_mutex;
std::string& Registered() {
    static std::string chip;
    return chip;
}
std::string& Offered() {
    static std::string chip;
    return chip;
}
std::string OfferedChip() {
    std::lock_guard lock(registered_mutex);
    return Offered().empty() ? soc::kDefaultChip : Offered();
}

// With what the process does besides launching.
struct HostOptions : LaunchOptions {
    FindingsFiles files;
    std::optional<bool> streams;
    std::optional<runtime::RankOrder> order;  // of ranks, where it is none of launches
    numeric::CollectiveOrder collective_order = numeric::CollectiveOrder::kRank;
};

// skew, skew:3: of several devices.
bool ApplySkew(const std::string& value, HostOptions& options) {
    const uint32_t ranks = Ranks::The().count();
    if (ranks == 1 || (value != "skew" && !value.starts_with("skew:"))) return false;
    options.order = runtime::RankOrder{runtime::RankOrder::Kind::kSkew, 0};
    if (value == "skew") return true;
    for (uint64_t r = 0; r < ranks; ++r) {
        if (value != fmt::format("skew:{}", r)) continue;
        options.order->number = r;
        return true;
    }
    throw Error(fmt::format("SFUMATO_OPTIONS: schedule is '{}'; legal are skew, skew:0 to skew:{}", value, ranks - 1));
}

// The words that are no options of a launch; true when `key` is one.
bool ApplyOwn(const std::string& key, const std::string& value, HostOptions& options) {
    if (key == "json") return options.files.json = value, true;
    if (key == "sarif") return options.files.sarif = value, true;
    if (key == "junit") return options.files.junit = value, true;
    if (key == "estimates") return options.files.estimates = value, true;
    if (key == "schedule") return ApplySkew(value, options);
    if (key == "collective_order") {
        const auto order = numeric::CollectiveOrderNamed(value.c_str());
        if (!order) {
            throw Error(fmt::format(
                "SFUMATO_OPTIONS: collective_order is '{}'; legal are rank, reverse, ring, tree, wide", value));
        }
        return options.collective_order = *order, true;
    }
    if (key != "streams") return false;
    if (value != "check" && value != "off")
        throw Error(fmt::format("SFUMATO_OPTIONS: streams is '{}'; legal are check, off", value));
    options.streams = value == "check";
    return true;
}

std::vector<std::string> Keys() {
    std::vector<std::string> keys = {"json=...",      "sarif=...",   "junit=...",
                                     "estimates=...", "streams=...", "collective_order=..."};
    for (const LaunchOption& option : AllLaunchOptions()) {
        if (option.Has(kEnvironment)) keys.push_back(fmt::format("{}=...", option.name));
    }
    std::ranges::sort(keys);
    return keys;
}

// Words "key=value" with commas between.
void Apply(const std::string& text, HostOptions& options) {
    std::istringstream words(text);
    for (std::string word; std::getline(words, word, ',');) {
        if (word.empty()) continue;
        const size_t equals = word.find('=');
        const std::string key = word.substr(0, equals), value = equals == word.npos ? "" : word.substr(equals + 1);
        if (equals != std::string::npos && ApplyOwn(key, value, options)) continue;
        const LaunchOption* option = FindLaunchOption(key);
        if (!option || !option->Has(kEnvironment) || equals == std::string::npos)
            throw Error(fmt::format("SFUMATO_OPTIONS: '{}' is none of {}", word, fmt::join(Keys(), ", ")));
        const std::optional<OptionValue> parsed = option->Parse(value);
        if (!parsed) throw Error(fmt::format("SFUMATO_OPTIONS: {} is '{}'; legal are {}", key, value, option->Legal()));
        option->set(options, *parsed);
    }
    // Nobody else can end a loop without instructions.
    if (options.timeout) options.stuck = [](const Report& report) { EndProcess(kFault, report.Text()); };
}

}  // namespace

bool RegisterChip(const char* chip) {
    std::lock_guard lock(registered_mutex);
    if (Registered().empty()) Registered() = chip;
    return true;
}

void OfferChip(const std::string& chip) {
    std::lock_guard lock(registered_mutex);
    if (Offered().empty() || chip == soc::kDefaultChip) Offered() = chip;
}

std::string RegisteredChip() {
    std::lock_guard lock(registered_mutex);
    return Registered();
}

bool ExitOnFault() {
    const std::string value = Setting("SFUMATO_ON_FAULT");
    if (!value.empty() && value != "exit" && value != "keep") {
        EndProcess(kUsage, fmt::format("SFUMATO_ON_FAULT is '{}'; legal are exit, keep", value));
    }
    return value == "exit";
}

StreamsOption StreamsOptionOfEnvironment() {
    HostOptions options;
    Apply(Setting("SFUMATO_OPTIONS"), options);
    return {options.streams.value_or(false), options.strict};
}

runtime::RankOrder RankOrderOfEnvironment() {
    using Kind = runtime::RankOrder::Kind;
    HostOptions options;
    Apply(Setting("SFUMATO_OPTIONS"), options);
    if (options.order) return *options.order;
    constexpr std::string_view kSeed = "seed:";
    if (options.schedule == "late") return {Kind::kLate, 0};
    if (options.schedule.starts_with(kSeed)) return {Kind::kSeed, std::stoull(options.schedule.substr(kSeed.size()))};
    return {};
}

numeric::CollectiveOrder CollectiveOrderOfEnvironment() {
    static const numeric::CollectiveOrder order = [] {
        HostOptions options;
        try {
            Apply(Setting("SFUMATO_OPTIONS"), options);
        } catch (const std::exception& error) {
            EndProcess(kUsage, error.what());
        }
        return options.collective_order;
    }();
    return order;
}

std::string WhyNotTimed(const LaunchOptions& options) {
    if (options.schedule != LaunchOptions().schedule)
        return fmt::format("an estimate of time needs the schedule {}, not {}", LaunchOptions().schedule,
                           options.schedule);
    return WhyNoEstimate(options.chip);
}

LaunchOptions OptionsOfEnvironment(Route route, const char* chip, const char* build_options) {
    HostOptions options;
    options.route = route;
    options.chip = Setting("SFUMATO_CHIP");
    const std::string built = chip && *chip ? chip : RegisteredChip();
    if (options.chip.empty()) options.chip = built.empty() ? OfferedChip() : built;
    if (!built.empty()) {
        const soc::Chip wanted = soc::FindChip(options.chip), compiled = soc::FindChip(built);
        if (wanted.npu_arch != compiled.npu_arch) {
            throw KernelError(ToReport(
                {Rule::kChipMismatch, "", "the program was compiled for another family of chips than it is to run on",
                 fmt::format("SFUMATO_CHIP {}, of {}", options.chip, wanted.name),
                 fmt::format("a chip of {}, for which it was compiled", compiled.name),
                 fmt::format("compile it for {}, or unset SFUMATO_CHIP", options.chip)},
                "", {}));
        }
    }
    if (const auto& overflow = Device::Current().overflow) options.overflow = *overflow;
    Apply(build_options, options);
    Apply(Setting("SFUMATO_OPTIONS"), options);
    if (!options.files.estimates.empty() && !options.time && WhyNotTimed(options).empty())
        options.time.emplace().gains = TimeOptions::Gains::kNone;
    Told::The().WriteTo(options.files);
    if (options.streams) StreamOrder::The().Enable(*options.streams, options.strict);
    return options;
}

}  // namespace sfumato::host
