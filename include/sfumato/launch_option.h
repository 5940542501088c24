// SPDX-License-Identifier: Apache-2.0
// The table of launch options, and values of them by their text.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "sfumato/launch.h"

namespace sfumato {

enum class OptionKind : uint8_t {
    kText,     // what the launch itself reads
    kWord,     // one of a few
    kSwitch,   // on or off
    kNumber,   // from 0 to a most, decimal or hexadecimal
    kSeconds,  // above 0
    kCycles,   // from 0
    kOther     // no text: a function, a dictionary; who has it sets it by hand
};

// Who has an option, a bit each.
enum OptionRoute : uint16_t {
    kRunCommand = 1 << 0,  // sfumato run, check, time, gdb
    kTikCommand = 1 << 1,
    kOpCommand = 1 << 2,
    kEnvironment = 1 << 3,  // SFUMATO_OPTIONS of host programs
    kPython = 1 << 4,       // Launcher.options, Operator.options
    kTikRun = 1 << 5,       // run() of a TIK kernel
    kJudge = 1 << 6,        // what the caller of a judge may set
    kSweep = 1 << 7,        // what a case may set
    kEstimate = 1 << 8,     // with an estimate of time, wherever there is one
    kTikRoutes = kTikCommand | kTikRun,
    kCommands = kRunCommand | kTikCommand | kOpCommand,
    kLaunches = kCommands | kEnvironment | kPython | kTikRun,  // all but those who settle it themselves
    kEverywhere = kLaunches | kJudge | kSweep
};

struct OptionValue {
    std::string text;
    size_t word = 0;  // which of the legal ones
    bool on = false;
    uint64_t number = 0;
    double seconds = 0;  // or cycles
};

struct LaunchOption {
    const char* name;
    OptionKind kind;
    const char *legal, *standard;
    uint16_t routes;
    const char* sentence;
    void (*set)(LaunchOptions&, const OptionValue&);  // nullptr: kOther

    SFUMATO_API std::vector<std::string> Words() const;  // of a kWord, or "on" and "off"
    SFUMATO_API std::string Legal() const;               // for errors: "page, ties"; "0 to 255"; "seconds above 0"
    // None where the text is no legal value.
    SFUMATO_API std::optional<OptionValue> Parse(std::string_view text) const;
    bool Has(uint16_t route) const { return (routes & route) != 0; }
};

SFUMATO_API std::span<const LaunchOption> AllLaunchOptions();
// nullptr: there is none of this name.
SFUMATO_API const LaunchOption* FindLaunchOption(std::string_view name);

}  // namespace sfumato
