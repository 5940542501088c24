// SPDX-License-Identifier: Apache-2.0
// ops::OpDef: what an operator takes, gives and is configured with (docs/spec/clients.md 6.2, 6.3). The chain only
// notes; the library that loads it checks (op-definition).
#pragma once

#include <cstdint>
#include <deque>
#include <memory>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "sfumato/op/graph_operator.h"
#include "sfumato/op/registration.h"

namespace sfumato {
namespace op {

struct DefinitionReader;  // what turns an OpDef into a Definition

}  // namespace op
}  // namespace sfumato

namespace ops {

using sfumato::Where;
using sfumato::op::Text;

enum Option { IGNORE = 0, OPTIONAL = 1, REQUIRED = 2, DYNAMIC = 3, VIRTUAL = 4 };
enum class FormatCheckOption { DEFAULT, STRICT, MAX };
enum class CommentSection { BRIEF, CONSTRAINTS, RESTRICTIONS, SEE, THIRDPARTYFWKCOMPAT, CATEGORY, SECTION_MAX };
enum class FollowType { ALL, DTYPE, FORMAT, SHAPE, INVALID_TYPE };
enum class DependScope { ALL, TILING, INVALID_SCOPE };
enum class InitValueType { INIT_VALUE_UINT64_T, INIT_VALUE_SCALAR_VAR, INIT_VALUE_DEFAULT };
enum class HcclServerType { AICPU, AICORE, CCU, MAX };

enum class ScalarType { UINT64 = 0, INT64, UINT32, INT32, UINT16, INT16, UINT8, INT8, FLOAT32, FLOAT16, INVALID };
union ScalarNum {
    uint64_t value_u64 = 0;
    int64_t value_i64;
    float value_f32;
    ScalarNum() = default;
    explicit ScalarNum(uint64_t value) : value_u64(value) {}
    explicit ScalarNum(int64_t value) : value_i64(value) {}
    explicit ScalarNum(float value) : value_f32(value) {}
};
struct ScalarVar {
    ScalarType scalar_type = ScalarType::INVALID;
    ScalarNum scalar_num;
    ScalarVar() = default;
    template <class T>
    ScalarVar(ScalarType type, T number)
        : scalar_type(type),
          scalar_num(std::is_floating_point<T>::value ? ScalarNum(static_cast<float>(number))
                     : std::is_signed<T>::value       ? ScalarNum(static_cast<int64_t>(number))
                                                      : ScalarNum(static_cast<uint64_t>(number))) {}
    bool operator==(const ScalarVar& other) const {
        return scalar_type == other.scalar_type && scalar_num.value_u64 == other.scalar_num.value_u64;
    }
};

// An input or output.
class OpParamDef {
public:
    OpParamDef(const char* name, Where where) : name_(name), where_(where) {}

    OpParamDef& ParamType(Option type) { return param_type_ = type, *this; }
    // One for each column.
    OpParamDef& DataType(std::vector<ge::DataType> types) { return types_ = std::move(types), *this; }
    OpParamDef& Format(std::vector<ge::Format> formats) { return formats_ = std::move(formats), *this; }
    // Each of them goes with every column.
    OpParamDef& DataTypeList(std::vector<ge::DataType> types) { return type_list_ = std::move(types), *this; }
    OpParamDef& FormatList(std::vector<ge::Format> formats) { return format_list_ = std::move(formats), *this; }
    OpParamDef& ValueDepend(Option type) { return value_depend_ = type, *this; }
    OpParamDef& ValueDepend(Option type, DependScope) { return value_depend_ = type, *this; }
    OpParamDef& AutoContiguous() { return auto_contiguous_ = true, *this; }
    OpParamDef& IgnoreContiguous() { return ignore_contiguous_ = true, *this; }
    OpParamDef& Scalar() { return scalar_ = true, *this; }
    OpParamDef& ScalarList() { return scalar_list_ = true, *this; }
    OpParamDef& Version(uint32_t version) { return version_ = version, *this; }
    OpParamDef& InitValue(uint64_t value) { return initial_ = static_cast<double>(value), *this; }
    OpParamDef& InitValue(const ScalarVar& value) { return initial_ = NumberOf(value), *this; }
    // One for each column; all the same here, or the definition is refused.
    OpParamDef& InitValue(const std::vector<ScalarVar>& values) {
        for (const ScalarVar& value : values) {
            initials_differ_ = initials_differ_ || NumberOf(value) != NumberOf(values.front());
            initial_ = NumberOf(value);
        }
        return *this;
    }
    OpParamDef& Follow(const char* name) { return Follow(name, FollowType::ALL); }
    OpParamDef& Follow(const char* name, FollowType type) { return follow_ = name, follow_type_ = type, *this; }
    // Nothing here depends on these.
    OpParamDef& UnknownShapeFormat(const std::vector<ge::Format>&) { return *this; }
    OpParamDef& DataTypeForBinQuery(const std::vector<ge::DataType>&) { return *this; }
    OpParamDef& FormatForBinQuery(const std::vector<ge::Format>&) { return *this; }
    OpParamDef& To(ge::DataType) { return *this; }
    OpParamDef& To(const char*) { return *this; }
    OpParamDef& OutputShapeDependOnCompute() { return *this; }
    OpParamDef& Comment(const char*) { return *this; }

private:
    friend struct sfumato::op::DefinitionReader;

    static double NumberOf(const ScalarVar& value) {
        const ScalarType type = value.scalar_type;
        if (type == ScalarType::FLOAT32 || type == ScalarType::FLOAT16)
            return static_cast<double>(value.scalar_num.value_f32);
        const bool is_signed = type == ScalarType::INT64 || type == ScalarType::INT32 || type == ScalarType::INT16 ||
                               type == ScalarType::INT8;
        return is_signed ? static_cast<double>(value.scalar_num.value_i64)
                         : static_cast<double>(value.scalar_num.value_u64);
    }

    template <class T>
    using Given = sfumato::op::Given<T>;

    Text name_;
    Where where_;
    Option param_type_ = REQUIRED, value_depend_ = IGNORE;
    Given<std::vector<ge::DataType>> types_, type_list_;
    Given<std::vector<ge::Format>> formats_, format_list_;
    bool auto_contiguous_ = false, ignore_contiguous_ = false, scalar_ = false, scalar_list_ = false;
    uint32_t version_ = 0;
    Given<double> initial_;
    bool initials_differ_ = false;
    Text follow_;
    FollowType follow_type_ = FollowType::INVALID_TYPE;
};

class OpAttrDef {
public:
    OpAttrDef(const char* name, Where where) : name_(name), where_(where) {}

    OpAttrDef& AttrType(Option type) { return attr_type_ = type, *this; }
    OpAttrDef& Bool() { return Set(false); }
    OpAttrDef& Bool(bool value) { return Set(value, true); }
    OpAttrDef& Int() { return Set(int64_t{0}); }
    OpAttrDef& Int(int64_t value) { return Set(value, true); }
    OpAttrDef& Float() { return Set(0.0f); }
    OpAttrDef& Float(float value) { return Set(value, true); }
    OpAttrDef& String() { return Set(""); }
    OpAttrDef& String(const char* value) { return Set(value, true); }
    OpAttrDef& ListBool() { return Set(std::vector<bool>()); }
    OpAttrDef& ListBool(std::vector<bool> value) { return Set(std::move(value), true); }
    OpAttrDef& ListInt() { return Set(std::vector<int64_t>()); }
    OpAttrDef& ListInt(std::vector<int64_t> value) { return Set(std::move(value), true); }
    OpAttrDef& ListFloat() { return Set(std::vector<float>()); }
    OpAttrDef& ListFloat(std::vector<float> value) { return Set(std::move(value), true); }
    OpAttrDef& ListListInt() { return Set(std::vector<std::vector<int64_t>>()); }
    OpAttrDef& ListListInt(std::vector<std::vector<int64_t>> value) { return Set(std::move(value), true); }
    OpAttrDef& Version(uint32_t version) { return version_ = version, *this; }
    OpAttrDef& Comment(const char*) { return *this; }

private:
    friend struct sfumato::op::DefinitionReader;
    template <class T>
    OpAttrDef& Set(T value, bool is_default = false) {
        value_ = ge::AttrValue(std::move(value));
        has_default_ = is_default;
        return *this;
    }

    Text name_;
    Where where_;
    Option attr_type_ = REQUIRED;
    ge::AttrValue value_;  // of no kind: no type was given
    bool has_default_ = false;
    uint32_t version_ = 0;
};

// Configuration of a chip family: inputs and outputs named here take the place of those of the definition.
class OpAICoreConfig {
public:
    OpAICoreConfig() = default;
    explicit OpAICoreConfig(const char* soc) : soc_(soc) {}

    OpParamDef& Input(const char* name, Where where = Where::Here()) {
        return inputs_.emplace_back(name, where), inputs_.back();
    }
    OpParamDef& Output(const char* name, Where where = Where::Here()) {
        return outputs_.emplace_back(name, where), outputs_.back();
    }
    OpAICoreConfig& ExtendCfgInfo(const char* key, const char* value) {
        extended_.emplace_back(key, value);
        return *this;
    }
    // For graph compilers: nothing here depends on them.
    OpAICoreConfig& AsyncFlag(bool) { return *this; }
    OpAICoreConfig& DynamicCompileStaticFlag(bool) { return *this; }
    OpAICoreConfig& DynamicFormatFlag(bool) { return *this; }
    OpAICoreConfig& DynamicRankSupportFlag(bool) { return *this; }
    OpAICoreConfig& DynamicShapeSupportFlag(bool) { return *this; }
    OpAICoreConfig& NeedCheckSupportFlag(bool) { return *this; }
    OpAICoreConfig& PrecisionReduceFlag(bool) { return *this; }
    OpAICoreConfig& RangeLimitValue(const char*) { return *this; }

private:
    friend struct sfumato::op::DefinitionReader;
    Text soc_;
    std::deque<OpParamDef> inputs_, outputs_;
    std::vector<std::pair<Text, Text>> extended_;
};

class OpAICoreDef {
public:
    OpAICoreDef& SetTiling(gert::OpImplRegisterV2::TilingKernelFunc function, Where where = Where::Here()) {
        return tiling_ = function, tiling_where_ = where, *this;
    }
    OpAICoreDef& AddConfig(const char* soc, Where where = Where::Here()) {
        return AddConfig(soc, OpAICoreConfig(soc), where);
    }
    OpAICoreDef& AddConfig(const char* soc, const OpAICoreConfig& config, Where where = Where::Here()) {
        configs_.push_back({soc, config, where});
        return *this;
    }
    // The form of older releases; OP_ADD(Op, T) names the struct it fills.
    OpAICoreDef& SetTilingParse(gert::OpImplRegisterV2::TilingParseFunc function) {
        return tiling_parse_ = function, *this;
    }
    // For graph compilers: not called. They return a graphStatus, in older releases an int.
    template <class Result>
    using Check = Result (*)(const ge::Operator& op, ge::AscendString& result);
    template <class Result>
    OpAICoreDef& SetCheckSupport(Check<Result>) {
        return *this;
    }
    template <class Result>
    OpAICoreDef& SetOpSelectFormat(Check<Result>) {
        return *this;
    }
    template <class Result>
    OpAICoreDef& SetOpSupportInfo(Check<Result>) {
        return *this;
    }
    template <class Result>
    OpAICoreDef& SetOpSpecInfo(Check<Result>) {
        return *this;
    }
    template <class Result>
    OpAICoreDef& SetParamGeneralize(Result (*)(const ge::Operator&, const ge::AscendString&, ge::AscendString&)) {
        return *this;
    }

private:
    friend struct sfumato::op::DefinitionReader;
    struct Config {
        Text soc;
        OpAICoreConfig config;
        Where where;
    };
    gert::OpImplRegisterV2::TilingKernelFunc tiling_ = nullptr;
    gert::OpImplRegisterV2::TilingParseFunc tiling_parse_ = nullptr;
    Where tiling_where_;
    std::vector<Config> configs_;
};

// Communication with other devices: the attributes that name its groups (ranks.md 7.5).
class OpMC2Def {
public:
    OpMC2Def& HcclGroup(const char* name, Where where = Where::Here()) {
        groups_.emplace_back(name);
        where_ = where;
        return *this;
    }
    OpMC2Def& HcclGroup(const std::vector<const char*>& names, Where where = Where::Here()) {
        for (const char* name : names) HcclGroup(name, where);
        return *this;
    }
    // Who moves the data on a board; nothing here depends on it.
    OpMC2Def& HcclServerType(enum HcclServerType, const char* = nullptr) { return *this; }

private:
    friend struct sfumato::op::DefinitionReader;
    std::vector<Text> groups_;
    Where where_;
};

class OpDef {
public:
    explicit OpDef(const char* type) : type_(type) {}
    virtual ~OpDef() = default;

    OpParamDef& Input(const char* name, Where where = Where::Here()) {
        return inputs_.emplace_back(name, where), inputs_.back();
    }
    OpParamDef& Output(const char* name, Where where = Where::Here()) {
        return outputs_.emplace_back(name, where), outputs_.back();
    }
    OpAttrDef& Attr(const char* name, Where where = Where::Here()) {
        return attrs_.emplace_back(name, where), attrs_.back();
    }
    OpDef& SetInferShape(gert::OpImplRegisterV2::InferShapeKernelFunc function, Where where = Where::Here()) {
        return infer_shape_ = function, infer_where_ = where, *this;
    }
    OpDef& SetInferDataType(gert::OpImplRegisterV2::InferDataTypeKernelFunc function, Where where = Where::Here()) {
        return infer_type_ = function, infer_where_ = where, *this;
    }
    OpDef& SetInferShapeRange(gert::OpImplRegisterV2::InferShapeRangeKernelFunc) { return *this; }
    OpAICoreDef& AICore() { return ai_core_; }
    OpMC2Def& MC2() { return mc2_; }
    OpDef& FormatMatchMode(FormatCheckOption) { return *this; }
    OpDef& EnableFallBack() { return *this; }
    OpDef& Comment(CommentSection, const char*) { return *this; }
    OpDef& Comment(const char*) { return *this; }

private:
    friend struct sfumato::op::DefinitionReader;
    Text type_;
    std::deque<OpParamDef> inputs_, outputs_;
    std::deque<OpAttrDef> attrs_;
    gert::OpImplRegisterV2::InferShapeKernelFunc infer_shape_ = nullptr;
    gert::OpImplRegisterV2::InferDataTypeKernelFunc infer_type_ = nullptr;
    Where infer_where_;
    OpAICoreDef ai_core_;
    OpMC2Def mc2_;
};

}  // namespace ops

namespace sfumato {
namespace op {

// What SetTilingParse fills: the second argument of OP_ADD.
struct InfoMaker {
    std::shared_ptr<void> (*make)();
    const std::type_info* type;
};
template <class T>
std::shared_ptr<void> MakeInfo() {
    return std::make_shared<T>();
}
template <class T = void>
struct InfoMakerOf {
    static InfoMaker Make() { return InfoMaker{&MakeInfo<T>, &typeid(T)}; }
};
template <>
struct InfoMakerOf<void> {
    static InfoMaker Make() { return InfoMaker{nullptr, nullptr}; }
};

// Adds an operator to the library that is being loaded; its definition is made when the library is there.
SFUMATO_API bool AddDefinition(const char* name, std::shared_ptr<ops::OpDef> (*make)(const char* name), InfoMaker info,
                               Where where);

}  // namespace op
}  // namespace sfumato

#define OP_ADD(op_type, ...)                                                                                  \
    __attribute__((unused)) static const bool SFUMATO_OP_JOIN(sfumato_definition_of_##op_type, __COUNTER__) = \
        ::sfumato::op::AddDefinition(                                                                         \
            #op_type,                                                                                         \
            [](const char* sfumato_name) -> ::std::shared_ptr<::ops::OpDef> {                                 \
                return ::std::make_shared<op_type>(sfumato_name);                                             \
            },                                                                                                \
            ::sfumato::op::InfoMakerOf<__VA_ARGS__>::Make(), ::sfumato::Where::Here())
