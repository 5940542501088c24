// SPDX-License-Identifier: Apache-2.0
// Names that follow from an operator's, and words for numbers of types and formats (clients.md 6.3, 6.6).
#include "sfumato/op.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <cctype>
#include <type_traits>
#include <vector>

#include "host/type_bits.h"
#include "sfumato/letters.h"
#include "sfumato/tiling/type_words.h"
#include "soc/chip.h"

namespace sfumato::op {
namespace {

struct TypeRow {
    int number;
    const char* name;
};
// Of ge::DataType (clients.md 6.3).
constexpr TypeRow kTypes[] = {{0, "float32"},      {1, "float16"},      {2, "int8"},         {3, "int32"},
                              {4, "uint8"},        {6, "int16"},        {7, "uint16"},       {8, "uint32"},
                              {9, "int64"},        {10, "uint64"},      {11, "float64"},     {12, "bool"},
                              {13, "string"},      {16, "complex64"},   {17, "complex128"},  {27, "bfloat16"},
                              {29, "int4"},        {30, "uint1"},       {31, "int2"},        {32, "uint2"},
                              {33, "complex32"},   {34, "hifloat8"},    {35, "float8_e5m2"}, {36, "float8_e4m3fn"},
                              {37, "float8_e8m0"}, {40, "float4_e2m1"}, {41, "float4_e1m2"}};

const TypeRow* RowOf(int type) {
    for (const TypeRow& row : kTypes) {
        if (row.number == type) return &row;
    }
    return nullptr;
}

bool IsUpper(char c) { return std::isupper(static_cast<unsigned char>(c)) != 0; }
bool IsLower(char c) { return std::islower(static_cast<unsigned char>(c)) != 0; }

template <class T>
std::string Word(const T& value) {
    if constexpr (std::is_same_v<T, bool>) {
        return value ? "True" : "False";
    } else if constexpr (std::is_same_v<T, std::string>) {
        return "'" + value + "'";
    } else if constexpr (std::is_arithmetic_v<T>) {
        return fmt::format("{}", value);
    } else {
        std::string text;
        for (const auto& item : value) text += (text.empty() ? "" : ", ") + Word<typename T::value_type>(item);
        return "[" + text + "]";
    }
}

}  // namespace

std::string SnakeName(std::string_view name) {
    std::string snake;
    for (size_t i = 0; i < name.size(); ++i) {
        const bool behind_small = i > 0 && !IsUpper(name[i - 1]);
        const bool before_small = i > 0 && i + 1 < name.size() && IsUpper(name[i - 1]) && IsLower(name[i + 1]);
        if (IsUpper(name[i]) && (behind_small || before_small)) snake += '_';
        snake += static_cast<char>(std::tolower(static_cast<unsigned char>(name[i])));
    }
    return snake;
}

std::string TypeName(int type) {
    const TypeRow* row = RowOf(type);
    return row ? row->name : fmt::format("type {}", type);
}
uint32_t TypeBits(int type) { return RowOf(type) ? host::TypeBits(type) : 0; }

int TypeNumber(std::string_view name) {
    for (const TypeRow& row : kTypes) {
        if (name == row.name) return row.number;
    }
    return tiling::NumberOfType(name);
}
uint64_t BytesOf(const Spec& spec) {
    uint64_t bits = TypeBits(spec.type);
    for (const int64_t d : spec.shape) bits *= static_cast<uint64_t>(d);
    return (bits + 7) / 8;
}

int FormatNumber(std::string_view name) {
    if (name == "NZ") name = "FRACTAL_NZ";
#define SFUMATO_X(word, number) \
    if (name == #word) return number;
    SFUMATO_FORMAT_NUMBERS(SFUMATO_X)
#undef SFUMATO_X
    return -1;
}
std::string FormatName(int format) {
    switch (format) {
#define SFUMATO_X(word, number) \
    case number: return #word;
        SFUMATO_FORMAT_NUMBERS(SFUMATO_X)
#undef SFUMATO_X
        default: return fmt::format("format {}", format);
    }
}

std::string Describe(const Spec& spec) {
    const std::string format = spec.format == 2 ? "" : " " + FormatName(spec.format);
    return fmt::format("{}[{}]{}", TypeName(spec.type), fmt::join(spec.shape, ", "), format);
}

const char* AttrTypeName(AttrType type) {
    constexpr const char* kNames[] = {"bool",         "int",         "float",         "string",
                                      "list of bool", "list of int", "list of float", "list of lists of int"};
    return kNames[static_cast<int>(type)];
}

std::string Describe(const AttrValue& value) {
    return std::visit([](const auto& v) { return Word<std::decay_t<decltype(v)>>(v); }, value);
}

std::string ConfigWord(const std::string& name) {
    const soc::Chip& chip = soc::FindChip(name);
    const std::string word = chip.product.starts_with("Ascend910_93") ? "ascend910_93" : chip.name;
    return Lower(word.substr(0, word.find('-')));
}

}  // namespace sfumato::op
