// SPDX-License-Identifier: Apache-2.0
// Status, element types and formats of the graph engine (docs/spec/clients.md 6.3, framework.md 4.8).
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <string>

#include "sfumato/api.h"
#include "sfumato/host/shape.h"
#include "sfumato/op/holders.h"
#include "sfumato/type_macros_off.inc"

// Host code of projects takes these for granted, by using namespace ge and without an include of its own.
using UINT32 = uint32_t;

namespace ge {

using std::string;
using graphStatus = uint32_t;
using Status = uint32_t;
using char_t = char;
using float32_t = float;
using float64_t = double;
constexpr graphStatus GRAPH_SUCCESS = 0;
constexpr graphStatus GRAPH_FAILED = 0xFFFFFFFF;
constexpr graphStatus GRAPH_NOT_CHANGED = 1343242304;
constexpr graphStatus GRAPH_PARAM_INVALID = 50331649;
constexpr graphStatus GRAPH_NODE_WITHOUT_CONST_INPUT = 50331648;
constexpr graphStatus GRAPH_NODE_NEED_REPASS = 50331647;
constexpr Status SUCCESS = 0;
constexpr Status FAILED = 0xFFFFFFFF;
constexpr int64_t UNKNOWN_DIM = -1, UNKNOWN_DIM_NUM = -2;

// The number of a format is in its low 8 bits; groups stand above them.
constexpr Format GetPrimaryFormat(int32_t format) { return static_cast<Format>(static_cast<uint32_t>(format) & 0xff); }
constexpr int32_t GetSubFormat(int32_t format) {
    return static_cast<int32_t>((static_cast<uint32_t>(format) >> 8) & 0xffff);
}
constexpr bool HasSubFormat(int32_t format) { return GetSubFormat(format) > 0; }
constexpr int32_t GetFormatFromSub(int32_t primary, int32_t sub) {
    return static_cast<int32_t>((static_cast<uint32_t>(primary) & 0xff) | ((static_cast<uint32_t>(sub) & 0xffff) << 8));
}

// Types of less than a byte have kDataTypeSizeBitOffset and their bits.
constexpr int kDataTypeSizeBitOffset = 1000;
// Bytes of an element; -1: the type has none.
SFUMATO_API int GetSizeByDataType(DataType type);
// Bytes of `count` elements, rounded up; -1: the type has no size, or the count is negative.
SFUMATO_API int64_t GetSizeInBytes(int64_t count, DataType type);

class AscendString {
public:
    AscendString() = default;
    AscendString(const char* text) : text_(text) {}
    AscendString(const char* text, size_t length) : text_(text ? std::string(text, length) : std::string()) {}

    const char* GetString() const { return text_.c_str(); }
    size_t GetLength() const { return text_.size(); }
    size_t Find(const AscendString& part) const { return text_.str().find(part.text_.str()); }
    size_t Hash() const { return std::hash<std::string>()(text_.str()); }
    bool operator==(const AscendString& other) const { return text_ == other.text_; }
    bool operator!=(const AscendString& other) const { return text_ != other.text_; }
    bool operator<(const AscendString& other) const { return text_ < other.text_; }
    bool operator>(const AscendString& other) const { return other.text_ < text_; }
    bool operator<=(const AscendString& other) const { return !(other.text_ < text_); }
    bool operator>=(const AscendString& other) const { return !(text_ < other.text_); }
    bool operator==(const char* text) const { return text != nullptr && text_ == text; }
    bool operator!=(const char* text) const { return !(*this == text); }

private:
    sfumato::op::Text text_;
};

// Names as the vendor's type_utils.h spells them: "DT_FLOAT16", "ND".
class SFUMATO_API TypeUtils {
public:
    static std::string DataTypeToSerialString(DataType type) { return sfumato_word(type); }
    static DataType SerialStringToDataType(const std::string& text) { return sfumato_type(text.c_str()); }
    static std::string FormatToSerialString(Format format) { return sfumato_word(format); }
    static Format SerialStringToFormat(const std::string& text) { return sfumato_format(text.c_str()); }
    static AscendString DataTypeToAscendString(const DataType& type) { return sfumato_word(type); }
    static DataType AscendStringToDataType(const AscendString& text) { return sfumato_type(text.GetString()); }
    static AscendString FormatToAscendString(const Format& format) { return sfumato_word(format); }
    static Format AscendStringToFormat(const AscendString& text) { return sfumato_format(text.GetString()); }
    static bool IsDataTypeValid(DataType type);
    static bool IsFormatValid(Format format);
    static bool GetDataTypeLength(DataType type, uint32_t& length);

    static const char* sfumato_word(DataType type);
    static const char* sfumato_word(Format format);
    static DataType sfumato_type(const char* word);
    static Format sfumato_format(const char* word);
};

}  // namespace ge

#ifdef SFUMATO_TYPE_MACROS
#include "sfumato/type_macros.h"
#endif
