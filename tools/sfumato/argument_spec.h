// SPDX-License-Identifier: Apache-2.0
// One argument of `sfumato run` as the user wrote it.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "sfumato/data_type.h"

namespace sfumato::command {

struct ArgumentSpec {
    enum class Kind : uint8_t {
        kInput,
        kOutput,
        kInOut,
        kWorkspace,
        kTiling,
        kInteger,
        kFloating,
        kList,
        kContext,
        kWindow
    };

    Kind kind = Kind::kInput;
    std::string text;                 // as written
    std::string input, output;        // files
    std::string tiling_of;            // kTiling: instead of a file, the words of tiling-of:
    std::optional<DataType> type;     // stated: of the value, of the output, of a raw input
    std::vector<uint64_t> shape;      // kOutput
    uint64_t bytes = 0;               // kOutput, kWorkspace
    bool negative = false;            // kInteger
    uint64_t magnitude = 0;           // kInteger
    double floating = 0;              // kFloating
    std::vector<ArgumentSpec> items;  // kList: inputs, outputs, in and out
    std::string group;                // kContext, kWindow
};

// The arguments with the arrays of lists in their places.
std::vector<const ArgumentSpec*> Arrays(const std::vector<ArgumentSpec>& arguments);

// The forms, one a line, for --help and error texts.
const char* ArgumentForms();

// kContext and kWindow, which is no argument of the kernel, are for ranks alone.
// Throws Error that says what is wrong and what the forms are. Reads no file.
ArgumentSpec ParseArgument(const std::string& text);

// Decimal, or hexadecimal after 0x. Nothing when it is no number or does not fit 64 bits.
std::optional<uint64_t> Unsigned(std::string_view text);

}  // namespace sfumato::command
