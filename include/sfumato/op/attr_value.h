// SPDX-License-Identifier: Apache-2.0
// ge::AttrValue: a value of one of the types that attributes of operators have.
#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "sfumato/op/holders.h"

namespace ge {

class AttrValue {
public:
    using BOOL = bool;
    using INT = int64_t;
    using FLOAT = float;
    using STR = std::string;
    using LIST_BOOL = std::vector<bool>;
    using LIST_INT = std::vector<int64_t>;
    using LIST_FLOAT = std::vector<float>;
    using LIST_LIST_INT = std::vector<std::vector<int64_t>>;
    // In the order of sfumato::op::AttrType.
    enum Kind { kBool, kInt, kFloat, kString, kListBool, kListInt, kListFloat, kListListInt, kNone };

    AttrValue() = default;
    AttrValue(bool value) : kind_(kBool), integer_(value) {}
    AttrValue(int value) : kind_(kInt), integer_(value) {}
    AttrValue(int64_t value) : kind_(kInt), integer_(value) {}
    AttrValue(float value) : kind_(kFloat), number_(value) {}
    AttrValue(const char* value) : kind_(kString), text_(value) {}
    AttrValue(const std::string& value) : kind_(kString), text_(value) {}
    AttrValue(std::vector<bool> value) : kind_(kListBool), bools_(std::move(value)) {}
    AttrValue(std::vector<int64_t> value) : kind_(kListInt), integers_(std::move(value)) {}
    AttrValue(std::vector<float> value) : kind_(kListFloat), numbers_(std::move(value)) {}
    AttrValue(std::vector<std::vector<int64_t>> value) : kind_(kListListInt), lists_(std::move(value)) {}
    template <class T>
    static AttrValue CreateFrom(const T& value) {
        return AttrValue(value);
    }

    Kind kind() const { return kind_; }
    // GRAPH_FAILED, and nothing written, where the value is of another type.
    uint32_t GetValue(bool& value) const { return Give(kBool, integer_ != 0, value); }
    uint32_t GetValue(int64_t& value) const { return Give(kInt, integer_, value); }
    uint32_t GetValue(int32_t& value) const { return Give(kInt, integer_, value); }
    uint32_t GetValue(uint32_t& value) const { return Give(kInt, integer_, value); }
    uint32_t GetValue(float& value) const { return Give(kFloat, number_, value); }
    uint32_t GetValue(std::string& value) const { return Give(kString, text_.str(), value); }
    uint32_t GetValue(std::vector<bool>& value) const { return Give(kListBool, bools_, value); }
    uint32_t GetValue(std::vector<int64_t>& value) const { return Give(kListInt, integers_, value); }
    uint32_t GetValue(std::vector<float>& value) const { return Give(kListFloat, numbers_, value); }
    uint32_t GetValue(std::vector<std::vector<int64_t>>& value) const { return Give(kListListInt, lists_, value); }
    template <class T>
    uint32_t GetAttrValue(T& value) const {
        return GetValue(value);
    }
    template <class T>
    uint32_t SetAttrValue(const T& value) {
        *this = AttrValue(value);
        return 0;
    }

private:
    template <class From, class To>
    uint32_t Give(Kind kind, const From& from, To& to) const {
        if (kind != kind_) return 0xFFFFFFFF;
        to = static_cast<To>(from);
        return 0;
    }

    Kind kind_ = kNone;
    int64_t integer_ = 0;
    float number_ = 0;
    sfumato::op::Text text_;
    std::vector<bool> bools_;
    std::vector<int64_t> integers_;
    std::vector<float> numbers_;
    std::vector<std::vector<int64_t>> lists_;
};

}  // namespace ge
