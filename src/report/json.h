// SPDX-License-Identifier: Apache-2.0
// Reports and readings as JSON values, for the writers that have them as a part of theirs.
#pragma once

#include <nlohmann/json.hpp>

#include "sfumato/findings.h"

namespace sfumato {

using OrderedJson = nlohmann::ordered_json;

// Texts may hold bytes that are not UTF-8: write them with Written.
OrderedJson ObjectOf(const Report& report);
OrderedJson ObjectOf(const Reading& reading);
// indent: spaces; -1: one line. Bytes that are not UTF-8 are replaced rather than refused.
std::string Written(const OrderedJson& json, int indent = -1);
// The last line of a report in a file: what runs it again. Empty where nothing is known to.
inline std::string AgainOf(const RunFindings& run) {
    return run.again.empty() ? std::string() : "\n  again:  " + run.again;
}

}  // namespace sfumato
