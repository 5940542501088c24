// SPDX-License-Identifier: Apache-2.0
// What the library says about a program: one Report a finding. Owns its strings, so it outlives the kernel's code.
#pragma once

#include <cstdint>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include "sfumato/data_type.h"
#include "sfumato/where.h"

namespace sfumato {

enum class Severity : uint8_t { kNote, kWarning, kFault };

constexpr const char* Name(Severity s) {
    return s == Severity::kFault ? "fault" : s == Severity::kWarning ? "warning" : "note";
}

// The rows of docs/reports.md; src/report/rules.h has the enumerators.
enum class Rule : uint16_t;
// Its stable identifier, e.g. "ub-alignment".
SFUMATO_API const char* Name(Rule rule);
inline bool operator==(Rule rule, std::string_view id) { return Name(rule) == id; }

enum class CoreKind : uint8_t { kAiCore, kCube, kVector };  // coupled core, AIC, AIV

// Another line that a report is about: the other side of a race, where data came from.
struct RelatedPlace {
    std::string file;
    uint32_t line = 0;
    std::string note;          // "DataCopy writes it, on PIPE_MTE2"
    bool reads_first = false;  // bytes that nobody wrote
};

struct Report {
    Severity severity = Severity::kFault;
    Rule rule{};
    std::string chip;         // family, e.g. "Ascend910B"
    std::string kernel;       // name of the kernel function, empty when unknown
    std::string core;         // "aiv0", "aic3", "aiv2.1"; empty before a core runs
    std::string instruction;  // the call as the user wrote it, e.g. "Cast"
    uint64_t index = 0;       // how many instructions this core had issued before this one
    std::string operand;      // "dst", "src0", "mask", "repeatTimes" ...; may be empty
    std::string message;      // what is wrong, one sentence
    std::string found;        // the offending value
    std::string legal;        // what would be legal
    std::string hint;         // what to do; may be empty
    std::string file;         // of the call
    uint32_t line = 0;
    std::vector<RelatedPlace> related;
    std::optional<uint32_t> rank = {};  // of the device, where several run (docs/ranks.md)

    // For the launch, in no file: the core in its order and of which kind, the allocation in global memory; -1: none.
    int64_t core_order = -1, allocation = -1;
    CoreKind core_kind = CoreKind::kAiCore;

    // Whose it is to mend: "program", "sfumato" (not there, or untested) or "documentation" (silent, or against
    // itself).
    SFUMATO_API const char* Whose() const;
    // The report as a person reads it, several lines, no trailing newline.
    SFUMATO_API std::string Text() const;
    // The same as one JSON object.
    SFUMATO_API std::string Json() const;
};

// A reading of the documentation that a run used where no page says, or pages disagree (docs/contract.md).
struct Reading {
    std::string call;     // "Exp", "SyncAll with a workspace"; in TIK "vec_exp"
    std::string reading;  // one or more sentences
    std::string tag;      // "recorded", "decided" or "assumed"
    std::string source;   // where it comes from
    std::string option;   // the switch that chooses another reading; may be empty
    std::string file;     // of the first call that used it: of the lowest core, in program order
    uint32_t line = 0;
    uint64_t count = 0;  // uses by all cores

    // As a person reads it, several lines, no trailing newline; and as one JSON object.
    SFUMATO_API std::string Text() const;
    SFUMATO_API std::string Json() const;
};

// A kernel's fault. what() is Text() of the report.
class SFUMATO_API KernelError : public std::runtime_error {
public:
    explicit KernelError(Report report);
    const Report& report() const { return report_; }

private:
    Report report_;
};

// Misuse of Sfumato's own API: an unknown chip, a wrong option. what() says what is legal.
class SFUMATO_API Error : public std::runtime_error {
public:
    using std::runtime_error::runtime_error;
};

// Something the chip does not have. what() names what it has.
class SFUMATO_API UnsupportedError : public Error {
public:
    using Error::Error;
};

}  // namespace sfumato
