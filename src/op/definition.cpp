// SPDX-License-Identifier: Apache-2.0
// What OpDef says becomes a Definition (clients.md 6.3, 6.7).
#include "op/definition.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cctype>

#include "op/said.h"
#include "sfumato/letters.h"
#include "soc/chip.h"

namespace sfumato::op {
namespace {

constexpr size_t kMostColumns = 65536;

// The words of AddConfig that stand for a chip, the chip's own first.
std::vector<std::string> ConfigNames(const std::string& chip, bool strict) {
    const std::string own = ConfigWord(chip);
    if (strict || own != "ascend910_93") return {own};
    return {own, "ascend910b"};
}

template <class Numbers>
std::vector<int> Ints(const Numbers& numbers) {
    return {numbers.begin(), numbers.end()};
}

// The alternatives of AttrValue are in the order of the kinds.
template <size_t... kKinds>
AttrValue ValueOf(const ge::AttrValue& value, std::index_sequence<kKinds...>) {
    AttrValue result;
    const auto take = [&]<size_t kKind>() {
        if (static_cast<size_t>(value.kind()) == kKind) value.GetValue(result.emplace<kKind>());
    };
    (take.template operator()<kKinds>(), ...);
    return result;
}

}  // namespace

std::vector<std::string> DefinitionReader::Units(const ops::OpDef& def) {
    std::vector<std::string> units;
    for (const auto& config : def.ai_core_.configs_) units.push_back(Lower(config.soc.str()));
    return units;
}

bool DefinitionReader::HasUnit(const ops::OpDef& def, const std::string& chip) {
    const std::vector<std::string> names = ConfigNames(chip, false), units = Units(def);
    return std::ranges::any_of(names, [&](const std::string& name) { return std::ranges::count(units, name) > 0; });
}

void DefinitionReader::AddFunctions(const ops::OpDef& def, const InfoMaker& info, HostFunctions& functions) {
    if (!functions.tiling && def.ai_core_.tiling_) {
        functions.tiling = def.ai_core_.tiling_;
        functions.tiling_where = def.ai_core_.tiling_where_;
    }
    if (!functions.parse && def.ai_core_.tiling_parse_) {
        functions.parse = def.ai_core_.tiling_parse_;
        functions.make_info = [make = info.make] { return make ? make() : std::shared_ptr<void>(); };
        functions.info_type = info.type;
    }
    if (!functions.infer_shape && !functions.infer_type) functions.infer_where = def.infer_where_;
    if (!functions.infer_shape) functions.infer_shape = def.infer_shape_;
    if (!functions.infer_type) functions.infer_type = def.infer_type_;
}

void DefinitionReader::Refuse(Rule rule, const std::string& message, const std::string& found, const std::string& legal,
                              Where at) const {
    Fault({rule, "", message, found, legal, ""}, op, at);
}

Definition DefinitionReader::Read(const ops::OpDef& def, const Registry::Definition& entry, const std::string& chip,
                                  bool strict) {
    const DefinitionReader reader(entry.name, entry.where);
    Definition result;
    result.name = entry.name;
    result.source = entry.where.file;
    result.line = entry.where.line;
    const ops::OpAICoreConfig& config = reader.ConfigFor(def, chip, strict);
    for (const auto& one : def.ai_core_.configs_) result.chips.push_back(one.soc.str());
    for (const auto& [key, value] : config.extended_) {
        if (key == "opFile.value") result.file = value.str();
        if (key == "opInterface.value") result.kernel = value.str();
    }

    const Params inputs = reader.Effective("input", def.inputs_, config.inputs_);
    const Params outputs = reader.Effective("output", def.outputs_, config.outputs_);
    if (inputs.empty() && outputs.empty())
        reader.Refuse(Rule::kOpDefinition, "the operator has neither inputs nor outputs", "none", "one at least",
                      entry.where);
    Params all = inputs;
    all.insert(all.end(), outputs.begin(), outputs.end());
    for (const auto* param : inputs) result.inputs.push_back(reader.Read(*param));
    for (const auto* param : outputs) result.outputs.push_back(reader.Read(*param));
    reader.Expand(result, all);
    reader.Follow(result, all);

    std::set<std::string> names;
    for (const ops::OpAttrDef& attr : def.attrs_) {
        const std::string name = attr.name_.str();
        if (!names.insert(name).second)
            reader.Refuse(Rule::kOpDefinition, "two attributes have one name", "`" + name + "` twice",
                          "names that differ", attr.where_);
        if (std::ranges::any_of(all, [&](const auto* param) { return param->name_ == attr.name_; }))
            reader.Refuse(Rule::kOpDefinition, "an attribute has the name of an input or output", "`" + name + "`",
                          "names that differ: callers name them in one list", attr.where_);
        result.attrs.push_back(reader.Read(attr));
    }
    reader.AddGroups(def, result);
    result.version = reader.LastVersion(inputs, def.attrs_);
    return result;
}

// The attributes that name groups (ranks.md 7.5).
void DefinitionReader::AddGroups(const ops::OpDef& def, Definition& result) const {
    for (const ops::Text& text : def.mc2_.groups_) {
        const std::string name = text.str();
        const auto attr = std::ranges::find(result.attrs, name, &Attr::name);
        if (result.groups.size() == 2) {
            Refuse(Rule::kOpDefinition, "the operator has more groups than a kernel has contexts",
                   fmt::format("{} names in HcclGroup", def.mc2_.groups_.size()), "two names at most", def.mc2_.where_);
        }
        if (attr == result.attrs.end() || attr->type != AttrType::kString || !attr->required) {
            Refuse(Rule::kOpDefinition, "HcclGroup names no attribute that is a required string",
                   attr == result.attrs.end()
                       ? fmt::format("'{}', which no attribute is called", name)
                       : fmt::format("'{}': {} {}", name, attr->required ? "a required" : "an optional",
                                     AttrTypeName(attr->type)),
                   fmt::format("this->Attr(\"{}\").AttrType(REQUIRED).String()", name), def.mc2_.where_);
        }
        result.groups.push_back(name);
    }
}

const ops::OpAICoreConfig& DefinitionReader::ConfigFor(const ops::OpDef& def, const std::string& chip,
                                                       bool strict) const {
    const auto& configs = def.ai_core_.configs_;
    if (configs.empty())
        Refuse(Rule::kOpDefinition, "the operator has no configuration of an AI Core", "no AddConfig",
               "AICore().AddConfig(\"ascend910b\")", where);
    const std::vector<std::string> names = ConfigNames(chip, strict);
    for (const std::string& name : names) {
        const auto found = std::find_if(configs.rbegin(), configs.rend(),
                                        [&](const auto& config) { return Lower(config.soc.str()) == name; });
        if (found != configs.rend()) return found->config;
    }
    std::string legal;
    for (const auto& config : configs) legal += (legal.empty() ? "" : ", ") + config.soc.str();
    Fault({Rule::kOpChip, "", "the operator has no AddConfig for the chip",
           fmt::format("{} ({})", names.front(), soc::FindChip(chip).product), legal,
           names.front() == "ascend910_93" ? "strict=False takes ascend910b for it" : ""},
          op, where);
}

DefinitionReader::Params DefinitionReader::Effective(const char* what, const std::deque<ops::OpParamDef>& of_all,
                                                     const std::deque<ops::OpParamDef>& of_chip) const {
    Params params;
    for (const auto* list : {&of_all, &of_chip}) {
        std::set<std::string> names;
        for (const ops::OpParamDef& param : *list) {
            if (param.name_.empty())
                Refuse(Rule::kOpDefinition, fmt::format("an {} has no name", what), "\"\"", "a name", param.where_);
            if (!names.insert(param.name_.str()).second)
                Refuse(Rule::kOpDefinition, fmt::format("two {}s have one name", what),
                       fmt::format("`{}` twice", param.name_.str()), "names that differ", param.where_);
            const auto same =
                std::ranges::find_if(params, [&](const auto* other) { return other->name_ == param.name_; });
            if (same == params.end()) {
                params.push_back(&param);
            } else {
                *same = &param;
            }
        }
    }
    return params;
}

Param DefinitionReader::Read(const ops::OpParamDef& def) const {
    Param param;
    param.name = def.name_.str();
    switch (def.param_type_) {
        case ops::REQUIRED: param.type = ParamType::kRequired; break;
        case ops::OPTIONAL: param.type = ParamType::kOptional; break;
        case ops::DYNAMIC: param.type = ParamType::kDynamic; break;
        default:
            Refuse(Rule::kOpDefinition, fmt::format("`{}` has no ParamType that is known here", def.name_.str()),
                   def.param_type_ == ops::VIRTUAL ? "VIRTUAL" : "IGNORE", "REQUIRED, OPTIONAL, DYNAMIC", def.where_);
    }
    param.value_depend = def.value_depend_ != ops::IGNORE;
    param.value_required = def.value_depend_ == ops::REQUIRED;
    param.auto_contiguous = def.auto_contiguous_;
    param.ignore_contiguous = def.ignore_contiguous_;
    param.scalar = def.scalar_;
    param.scalar_list = def.scalar_list_;
    if (def.initial_) param.initial = *def.initial_;
    param.version = def.version_;
    if (def.initials_differ_)
        Refuse(Rule::kOpDefinition,
               fmt::format("`{}` has initial values that differ from column to column", def.name_.str()),
               "InitValue of a list", "one value", def.where_);
    return param;
}

Attr DefinitionReader::Read(const ops::OpAttrDef& def) const {
    if (def.value_.kind() == ge::AttrValue::kNone)
        Refuse(Rule::kOpDefinition, fmt::format("attribute `{}` has no type", def.name_.str()), "none",
               "Bool, Int, Float, String, ListBool, ListInt, ListFloat, ListListInt", def.where_);
    Attr attr;
    attr.name = def.name_.str();
    attr.type = static_cast<AttrType>(def.value_.kind());
    attr.required = def.attr_type_ == ops::REQUIRED;
    attr.value = ValueOf(def.value_, std::make_index_sequence<std::variant_size_v<AttrValue>>());
    attr.version = def.version_;
    return attr;
}

// Inputs and attributes count their versions together, from 1 without a gap (documentation of Version).
uint32_t DefinitionReader::LastVersion(const Params& inputs, const std::deque<ops::OpAttrDef>& attrs) const {
    std::set<uint32_t> versions;
    const auto add = [&](const std::string& name, uint32_t version, bool required, Where at) {
        if (version == 0) return;
        versions.insert(version);
        if (required)
            Refuse(Rule::kOpDefinition, fmt::format("`{}` is required, and older aclnn functions do not have it", name),
                   fmt::format("Version({})", version), "OPTIONAL, or no Version", at);
    };
    for (const auto* param : inputs)
        add(param->name_.str(), param->version_, param->param_type_ == ops::REQUIRED, param->where_);
    for (const ops::OpAttrDef& attr : attrs)
        add(attr.name_.str(), attr.version_, attr.attr_type_ == ops::REQUIRED, attr.where_);
    if (!versions.empty() && *versions.rbegin() != versions.size())
        Refuse(Rule::kOpDefinition, "the versions of inputs and attributes leave one out",
               fmt::format("{}", fmt::join(versions, ", ")), "1, 2, ... without a gap", where);
    return versions.empty() ? 0 : *versions.rbegin();
}

size_t DefinitionReader::BaseColumns(const Params& all) const {
    size_t columns = 0;
    std::string first;  // what set the number
    for (const auto* param : all) {
        const auto check = [&](const char* list, size_t size) {
            const std::string name = fmt::format("{} of `{}`", list, param->name_.str());
            if (size == 0)
                Refuse(Rule::kOpDefinition, fmt::format("{} is empty", name), "0", "one at least", param->where_);
            if (columns == 0) columns = size, first = name;
            if (columns != size)
                Refuse(Rule::kOpDefinition, "lists of types and formats are of one length",
                       fmt::format("{}: {}", name, size), fmt::format("{}, as {}", columns, first), param->where_);
        };
        if (param->types_) check("DataType", param->types_->size());
        if (param->formats_) check("Format", param->formats_->size());
    }
    return columns == 0 ? 1 : columns;
}

// Column c of the base goes with every choice of the free lists: the first list changes fastest behind it.
void DefinitionReader::Expand(Definition& result, const Params& all) const {
    const size_t base = BaseColumns(all);
    result.columns = base;
    const auto grow = [&](const ops::OpParamDef& param, const char* list, size_t size) {
        if (size == 0)
            Refuse(Rule::kOpDefinition, fmt::format("{} of `{}` is empty", list, param.name_.str()), "0",
                   "one at least", param.where_);
        const size_t stride = result.columns;
        result.columns *= size;
        if (result.columns > kMostColumns)
            Refuse(Rule::kOpDefinition, "the free lists combine to too many columns",
                   fmt::format("{} columns", result.columns), fmt::format("at most {}", kMostColumns), param.where_);
        return stride;
    };
    struct Choice {
        std::vector<int> values;  // none: see below
        size_t stride;            // 1: by the column of the base
        bool free;
    };
    const auto choose = [&](const ops::OpParamDef& param, const char* list, const auto& fixed, const auto& free) {
        if (fixed) return Choice{Ints(*fixed), 1, false};
        if (free) return Choice{Ints(*free), grow(param, list, free->size()), true};
        return Choice{{}, 1, false};
    };
    std::vector<std::pair<Choice, Choice>> choices;
    for (const auto* param : all)
        choices.emplace_back(choose(*param, "DataTypeList", param->types_, param->type_list_),
                             choose(*param, "FormatList", param->formats_, param->format_list_));
    for (size_t i = 0; i < all.size(); ++i) {
        Param& param = i < result.inputs.size() ? result.inputs[i] : result.outputs[i - result.inputs.size()];
        const auto fill = [&](std::vector<int>& to, const Choice& from) {
            for (size_t c = 0; !from.values.empty() && c < result.columns; ++c)
                to.push_back(from.free ? from.values[c / from.stride % from.values.size()] : from.values[c % base]);
        };
        fill(param.types, choices[i].first);
        fill(param.formats, choices[i].second);
    }
}

// What is not said comes from the input that is followed; formats are ND else (decided).
void DefinitionReader::Follow(Definition& result, const Params& all) const {
    for (size_t i = 0; i < all.size(); ++i) {
        const ops::OpParamDef& def = *all[i];
        Param& param = i < result.inputs.size() ? result.inputs[i] : result.outputs[i - result.inputs.size()];
        const Param* leader = nullptr;
        if (!def.follow_.empty()) {
            std::string names;
            for (const Param& input : result.inputs) {
                if (input.name == def.follow_.str() && &input != &param) leader = &input;
                names += (names.empty() ? "" : ", ") + input.name;
            }
            if (leader == nullptr)
                Refuse(Rule::kOpDefinition, fmt::format("`{}` follows an input that is not declared", def.name_.str()),
                       def.follow_.str(), names, def.where_);
            const ops::FollowType type = def.follow_type_;
            param.follow = def.follow_.str();
            param.follow_shape = type == ops::FollowType::ALL || type == ops::FollowType::SHAPE;
            param.follow_type = type == ops::FollowType::ALL || type == ops::FollowType::DTYPE;
            if (param.types.empty() && param.follow_type) param.types = leader->types;
            if (param.formats.empty() && (type == ops::FollowType::ALL || type == ops::FollowType::FORMAT))
                param.formats = leader->formats;
        }
        if (param.types.empty())
            Refuse(Rule::kOpDefinition, fmt::format("`{}` has no element types", def.name_.str()), "none",
                   "DataType, DataTypeList", def.where_);
        if (param.formats.empty()) param.formats.assign(result.columns, ge::FORMAT_ND);
    }
}

}  // namespace sfumato::op
