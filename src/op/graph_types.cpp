// SPDX-License-Identifier: Apache-2.0
// Names and sizes of the graph engine's types and formats.
#include <algorithm>
#include <array>

#include "host/type_bits.h"
#include "sfumato/op/types.h"

namespace ge {
namespace {

struct Word {
    const char* word;
    int number;
};
#define SFUMATO_X(word, number, ...) {"DT_" #word, number},
constexpr Word kTypes[] = {SFUMATO_TYPE_NUMBERS(SFUMATO_X) SFUMATO_GRAPH_TYPE_NUMBERS(SFUMATO_X)};
#undef SFUMATO_X
#define SFUMATO_X(word, number) {#word, number},
constexpr Word kFormats[] = {SFUMATO_FORMAT_NUMBERS(SFUMATO_X) SFUMATO_GRAPH_FORMAT_NUMBERS(SFUMATO_X)};
#undef SFUMATO_X

const char* Find(const auto& words, int number, const char* otherwise) {
    const auto* end = std::end(words);
    const auto* found = std::find_if(std::begin(words), end, [&](const Word& w) { return w.number == number; });
    return found == end ? otherwise : found->word;
}
int Find(const auto& words, const std::string& text, int otherwise) {
    const auto* end = std::end(words);
    const auto* found = std::find_if(std::begin(words), end, [&](const Word& w) { return text == w.word; });
    return found == end ? otherwise : found->number;
}

}  // namespace

int GetSizeByDataType(DataType type) {
    const auto bits = static_cast<int>(sfumato::host::TypeBits(type));
    return bits == 0 ? -1 : bits < 8 ? kDataTypeSizeBitOffset + bits : bits / 8;
}

int64_t GetSizeInBytes(int64_t count, DataType type) {
    const auto bits = static_cast<int>(sfumato::host::TypeBits(type));
    return bits == 0 || count < 0 ? -1 : (count * bits + 7) / 8;
}

std::string TypeUtils::DataTypeToSerialString(DataType type) { return Find(kTypes, type, "UNDEFINED"); }
DataType TypeUtils::SerialStringToDataType(const std::string& text) {
    return static_cast<DataType>(Find(kTypes, text, DT_UNDEFINED));
}
std::string TypeUtils::FormatToSerialString(Format format) {
    return Find(kFormats, GetPrimaryFormat(format), "RESERVED");
}
Format TypeUtils::SerialStringToFormat(const std::string& text) {
    return static_cast<Format>(Find(kFormats, text, FORMAT_RESERVED));
}
AscendString TypeUtils::DataTypeToAscendString(const DataType& type) { return DataTypeToSerialString(type).c_str(); }
DataType TypeUtils::AscendStringToDataType(const AscendString& text) {
    return SerialStringToDataType(text.GetString());
}
AscendString TypeUtils::FormatToAscendString(const Format& format) { return FormatToSerialString(format).c_str(); }
Format TypeUtils::AscendStringToFormat(const AscendString& text) { return SerialStringToFormat(text.GetString()); }
bool TypeUtils::IsDataTypeValid(DataType type) {
    return type != DT_UNDEFINED && Find(kTypes, type, static_cast<const char*>(nullptr)) != nullptr;
}
bool TypeUtils::IsFormatValid(Format format) {
    return format != FORMAT_RESERVED &&
           Find(kFormats, GetPrimaryFormat(format), static_cast<const char*>(nullptr)) != nullptr;
}
bool TypeUtils::GetDataTypeLength(DataType type, uint32_t& length) {
    const auto bits = static_cast<int>(sfumato::host::TypeBits(type));
    if (bits < 8) return false;
    length = static_cast<uint32_t>(bits / 8);
    return true;
}

}  // namespace ge
