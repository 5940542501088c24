// SPDX-License-Identifier: Apache-2.0
// Reads conversion_support.csv.
#include "conformance/conversion_table.h"

#include <algorithm>
#include <fstream>
#include <map>
#include <sstream>
#include <stdexcept>

namespace sfumato::conformance {
namespace {

DataType TypeOf(const std::string& word) {
    for (int i = 0; i < kDataTypeCount; ++i) {
        const auto t = static_cast<DataType>(i);
        if (word == CName(t) || word == NumpyName(t)) return t;
    }
    throw std::runtime_error("unknown data type '" + word + "'");
}

// Source: conversions.md, "Round modes": CAST_ROUND of Cast on Ascend910 is the directed mode.
Rounding RoundingOf(const std::string& word, const std::string& api, const std::string& chip) {
    static const std::map<std::string, Rounding> kWords = {
        {"''", Rounding::kNone},         {"none", Rounding::kNone},        {"round", Rounding::kRint},
        {"floor", Rounding::kFloor},     {"ceil", Rounding::kCeil},        {"ceiling", Rounding::kCeil},
        {"away-zero", Rounding::kRound}, {"to-zero", Rounding::kTrunc},    {"odd", Rounding::kOdd},
        {"CAST_NONE", Rounding::kNone},  {"CAST_RINT", Rounding::kRint},   {"CAST_FLOOR", Rounding::kFloor},
        {"CAST_CEIL", Rounding::kCeil},  {"CAST_ROUND", Rounding::kRound}, {"CAST_TRUNC", Rounding::kTrunc},
        {"CAST_ODD", Rounding::kOdd},
    };
    const auto found = kWords.find(word);
    if (found == kWords.end()) throw std::runtime_error("unknown round mode '" + word + "'");
    const bool directed = word == "CAST_ROUND" && api == "Cast" && chip == "Ascend910";
    return directed ? Rounding::kAway : found->second;
}

std::vector<std::string> Split(const std::string& line, char separator) {
    std::vector<std::string> fields;
    std::istringstream in(line);
    for (std::string field; std::getline(in, field, separator);) fields.push_back(field);
    return fields;
}

}  // namespace

Table ReadTable(const std::string& path) {
    std::ifstream file(path);
    if (!file) throw std::runtime_error("cannot read " + path);
    Table table;
    std::string line;
    std::getline(file, line);
    for (int number = 2; std::getline(file, line); ++number) {
        try {
            const std::vector<std::string> f = Split(line, ',');
            if (f.size() != 8) throw std::runtime_error("expected 8 fields, found " + std::to_string(f.size()));
            for (const std::string& word : Split(f[5], ' ')) {
                ++table.row_mode_pairs;
                const Case c{TypeOf(f[3]), TypeOf(f[4]), RoundingOf(word, f[0], f[1]), f[6] != "None"};
                if (std::find(table.cases.begin(), table.cases.end(), c) == table.cases.end()) table.cases.push_back(c);
            }
        } catch (const std::runtime_error& error) {
            throw std::runtime_error(path + ":" + std::to_string(number) + ": " + error.what());
        }
    }
    return table;
}

std::string Name(const Case& c) {
    const char* mode = c.rounding == Rounding::kAway ? "CAST_ROUND_directed" : sfumato::Name(c.rounding);
    return std::string(NumpyName(c.src)) + "_" + NumpyName(c.dst) + "_" + mode + (c.scaled ? "_scaled" : "");
}

}  // namespace sfumato::conformance
