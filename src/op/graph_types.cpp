// SPDX-License-Identifier: Apache-2.0
// Names and sizes of the graph engine's types and formats.
#include <algorithm>
#include <array>
#include <string_view>

#include "host/type_bits.h"
#include "sfumato/op/types.h"

namespace ge {
namespace {

struct Word {
    const char* word;
    int number;
};
#define SFUMATO_X(word, number, ...) {"DT_" #word, number},
constexpr Word kTypes[] = {SFUMATO_TYPE_NUMBERS(SFUMATO_X) SFUMATO_SMALL_FLOAT_NUMBERS(SFUMATO_X)
                               SFUMATO_GRAPH_TYPE_NUMBERS(SFUMATO_X)};
#undef SFUMATO_X
#define SFUMATO_X(word, number) {#word, number},
constexpr Word kFormats[] = {SFUMATO_FORMAT_NUMBERS(SFUMATO_X) SFUMATO_GRAPH_FORMAT_NUMBERS(SFUMATO_X)};
#undef SFUMATO_X

const char* Find(const auto& words, int number, const char* otherwise) {
    const auto* end = std::end(words);
    const auto* found = std::find_if(std::begin(words), end, [&](const Word& w) { return w.number == number; });
    return found == end ? otherwise : found->word;
}
int Find(const auto& words, std::string_view text, int otherwise) {
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

const char* TypeUtils::sfumato_word(DataType type) { return Find(kTypes, type, "UNDEFINED"); }
DataType TypeUtils::sfumato_type(const char* word) { return static_cast<DataType>(Find(kTypes, word, DT_UNDEFINED)); }
const char* TypeUtils::sfumato_word(Format format) { return Find(kFormats, GetPrimaryFormat(format), "RESERVED"); }
Format TypeUtils::sfumato_format(const char* word) {
    return static_cast<Format>(Find(kFormats, word, FORMAT_RESERVED));
}
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
