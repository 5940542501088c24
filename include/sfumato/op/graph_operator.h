// SPDX-License-Identifier: Apache-2.0
// ge::Operator and ge::TensorDesc: what the functions of SetCheckSupport and its sisters take. Graph compilers call
// those; here nothing does, and sources that have them compile.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "sfumato/op/attr_value.h"
#include "sfumato/op/types.h"
#include "sfumato/type_macros_off.inc"

namespace ge {

class TensorDesc {
public:
    TensorDesc() = default;
    explicit TensorDesc(Shape shape, Format format = FORMAT_ND, DataType type = DT_FLOAT)
        : shape_(shape), origin_(std::move(shape)), format_(format), type_(type) {}
    Shape GetShape() const { return shape_; }
    graphStatus SetShape(const Shape& shape) { return shape_ = shape, GRAPH_SUCCESS; }
    Shape GetOriginShape() const { return origin_; }
    graphStatus SetOriginShape(const Shape& shape) { return origin_ = shape, GRAPH_SUCCESS; }
    Format GetFormat() const { return format_; }
    void SetFormat(Format format) { format_ = format; }
    DataType GetDataType() const { return type_; }
    void SetDataType(DataType type) { type_ = type; }

private:
    Shape shape_, origin_;
    Format format_ = FORMAT_ND;
    DataType type_ = DT_FLOAT;
};

class Operator {
public:
    using AttrValue = ge::AttrValue;

    Operator() = default;
    Operator(const char* name, const char* type) : name_(name), type_(type) {}
    graphStatus GetName(AscendString& name) const { return name = name_.c_str(), GRAPH_SUCCESS; }
    graphStatus GetOpType(AscendString& type) const { return type = type_.c_str(), GRAPH_SUCCESS; }
    size_t GetInputsSize() const { return inputs_.size(); }
    size_t GetOutputsSize() const { return outputs_.size(); }
    // An empty description where there is none of the number or name.
    TensorDesc GetInputDesc(uint32_t index) const { return At(inputs_, index); }
    TensorDesc GetOutputDesc(uint32_t index) const { return At(outputs_, index); }
    TensorDesc GetInputDescByName(const char* name) const { return Of(inputs_, name); }
    TensorDesc GetOutputDescByName(const char* name) const { return Of(outputs_, name); }
    void AddInputDesc(const char* name, const TensorDesc& desc) { inputs_.emplace_back(name, desc); }
    void AddOutputDesc(const char* name, const TensorDesc& desc) { outputs_.emplace_back(name, desc); }
    // GRAPH_FAILED where there is no such attribute, or it is of another type.
    template <class T>
    graphStatus GetAttr(const char* name, T& value) const {
        const auto found = attrs_.find(name);
        return found == attrs_.end() ? GRAPH_FAILED : found->second.GetValue(value);
    }
    graphStatus GetAttr(const char* name, AttrValue& value) const {
        const auto found = attrs_.find(name);
        if (found != attrs_.end()) value = found->second;
        return found == attrs_.end() ? GRAPH_FAILED : GRAPH_SUCCESS;
    }
    Operator& SetAttr(const char* name, AttrValue value) { return attrs_[name] = std::move(value), *this; }

private:
    using Text = sfumato::op::Text;
    using Descs = std::vector<std::pair<Text, TensorDesc>>;
    static TensorDesc At(const Descs& descs, uint32_t index) {
        return index < descs.size() ? descs[index].second : TensorDesc();
    }
    static TensorDesc Of(const Descs& descs, const Text& name) {
        for (const auto& desc : descs) {
            if (desc.first == name) return desc.second;
        }
        return TensorDesc();
    }

    Text name_, type_;
    Descs inputs_, outputs_;
    std::map<Text, AttrValue> attrs_;
};

}  // namespace ge

#ifdef SFUMATO_TYPE_MACROS
#include "sfumato/type_macros.h"
#endif
