// SPDX-License-Identifier: Apache-2.0
// What a call may be.
#include "op/prepare.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <map>
#include <type_traits>

#include "op/fractals.h"

namespace sfumato::op {
namespace {

constexpr int kND = 2;

bool IsPlain(int format) {
    const std::string name = FormatName(format);
    return name == "ND" || name.starts_with("NCHW") || name == "NHWC" || name == "NCL" || name == "NCDHW" ||
           name == "NDHWC";
}

template <class Each>
void ForEach(const Definition& definition, Call& call, const Each& each) {
    for (size_t i = 0; i < definition.inputs.size(); ++i) each(definition.inputs[i], call.inputs[i]);
    for (size_t i = 0; i < definition.outputs.size() && i < call.outputs.size(); ++i)
        each(definition.outputs[i], call.outputs[i]);
}

// by_type: a tensor whose format is not stated (it says ND) may be of any.
bool Matches(const Definition& definition, Call& call, size_t column, bool by_type) {
    bool all = true;
    ForEach(definition, call, [&](const Param& param, const std::vector<Tensor>& tensors) {
        const int type = param.types.at(column), format = param.formats.at(column);
        for (const Tensor& t : tensors) {
            const bool same = t.spec.format == format || (IsPlain(t.spec.format) && IsPlain(format)) ||
                              (by_type && t.spec.format == kND);
            all = all && t.spec.type == type && same;
        }
    });
    return all;
}

std::string TypeAndFormat(int type, int format) {
    return TypeName(type) + (format == kND ? "" : " " + FormatName(format));
}

// "x float16, bias float32 -> y float16"
std::string ColumnText(const Definition& definition, size_t column) {
    const auto side = [&](const std::vector<Param>& params) {
        std::vector<std::string> words;
        for (const Param& p : params)
            words.push_back(p.name + " " + TypeAndFormat(p.types.at(column), p.formats.at(column)));
        return fmt::format("{}", fmt::join(words, ", "));
    };
    return side(definition.inputs) + " -> " + side(definition.outputs);
}

// Converts without loss: an int to a float, an empty list to any list.
std::optional<AttrValue> Converted(const AttrValue& value, AttrType type) {
    if (value.index() == static_cast<size_t>(type)) return value;
    const auto* number = std::get_if<int64_t>(&value);
    if (number && type == AttrType::kFloat) return static_cast<float>(*number);
    const bool empty = std::visit(
        [](const auto& v) {
            using V = std::decay_t<decltype(v)>;
            if constexpr (!std::is_arithmetic_v<V> && !std::is_same_v<V, std::string>) return v.empty();
            return false;
        },
        value);
    if (empty) {
        switch (type) {
            case AttrType::kListBool: return std::vector<bool>();
            case AttrType::kListInt: return std::vector<int64_t>();
            case AttrType::kListFloat: return std::vector<float>();
            case AttrType::kListListInt: return std::vector<std::vector<int64_t>>();
            default: return {};
        }
    }
    const auto* numbers = std::get_if<std::vector<int64_t>>(&value);
    if (numbers && type == AttrType::kListFloat) return std::vector<float>(numbers->begin(), numbers->end());
    return {};
}

std::string Names(const std::vector<Attr>& attrs) {
    std::vector<std::string> words;
    for (const Attr& a : attrs) words.push_back(fmt::format("{} ({})", a.name, AttrTypeName(a.type)));
    return words.empty() ? "no attribute" : fmt::format("{}", fmt::join(words, ", "));
}

// In FRACTAL_NZ the shape is that of the origin, in fractals of its last dimension.
void CheckOrigin(const Definition& definition, const Param& param, const Spec& spec) {
    if (spec.origin.empty() || spec.origin == spec.shape) return;
    const bool is_matrix = spec.format == kFractalNz && spec.origin.size() >= 2;
    const int64_t columns = spec.shape.empty() || spec.shape.back() < 1 ? FractalColumns(spec.type) : spec.shape.back();
    std::vector<int64_t> wanted = spec.origin;
    if (is_matrix) wanted = NzShape(spec.origin, columns);
    if (wanted == spec.shape) return;
    RefuseCall(definition, {Rule::kOpInput, param.name, "the shape is not what its origin has in the format",
                            fmt::format("{} of [{}]", Describe(spec), fmt::join(spec.origin, ", ")),
                            fmt::format("[{}]", fmt::join(wanted, ", ")),
                            is_matrix ? "" : "only a matrix in FRACTAL_NZ has an origin of another shape"});
}

}  // namespace

void RefuseCall(const Definition& definition, Finding finding) {
    Report report = ToReport(std::move(finding), definition.name, {definition.source.c_str(), definition.line});
    throw KernelError(report);
}

void CheckTensors(const Definition& definition, const char* what, const std::vector<Param>& params,
                  std::vector<std::vector<Tensor>>& tensors) {
    const auto list = [&] {
        std::vector<std::string> words;
        for (const Param& p : params) {
            words.push_back(p.name + (p.type == ParamType::kOptional  ? " (optional)"
                                      : p.type == ParamType::kDynamic ? " (a list)"
                                                                      : ""));
        }
        return fmt::format("{}", fmt::join(words, ", "));
    };
    if (tensors.size() > params.size()) {
        RefuseCall(definition, {Rule::kOpInput, fmt::format("{} {}", what, params.size() + 1),
                                fmt::format("there are more {}s than declared", what),
                                fmt::format("{}", tensors.size()), list(), ""});
    }
    tensors.resize(params.size());
    for (size_t i = 0; i < params.size(); ++i) {
        const Param& p = params[i];
        if (p.type == ParamType::kRequired && tensors[i].empty()) {
            RefuseCall(definition,
                       {Rule::kOpInput, p.name, fmt::format("the {} is required", what), "it is absent", list(), ""});
        }
        if (p.type != ParamType::kDynamic && tensors[i].size() > 1) {
            RefuseCall(definition, {Rule::kOpInput, p.name, fmt::format("the {} is no list", what),
                                    fmt::format("{} tensors", tensors[i].size()), "one tensor", ""});
        }
        for (const Tensor& t : tensors[i]) {
            CheckOrigin(definition, p, t.spec);
            const auto negative = std::ranges::find_if(t.spec.shape, [](int64_t d) { return d < 0; });
            if (negative == t.spec.shape.end()) continue;
            RefuseCall(definition, {Rule::kOpInput, p.name, "a dimension is negative", Describe(t.spec),
                                    "dimensions of 0 or more", ""});
        }
    }
}

size_t ChooseColumn(const Definition& definition, Call& call) {
    std::vector<size_t> fitting;
    for (const bool by_type : {false, true}) {
        for (size_t column = 0; column < definition.columns && fitting.empty(); ++column) {
            if (!Matches(definition, call, column, by_type)) continue;
            fitting.push_back(column);
            while (by_type && ++column < definition.columns) {
                if (Matches(definition, call, column, by_type)) fitting.push_back(column);
            }
        }
    }
    if (fitting.size() == 1) {
        ForEach(definition, call, [&](const Param& param, std::vector<Tensor>& tensors) {
            for (Tensor& t : tensors) {
                if (t.spec.format == kND) t.spec.format = param.formats.at(fitting[0]);
            }
        });
        return fitting[0];
    }
    std::vector<std::string> found, legal;
    ForEach(definition, call, [&](const Param& param, const std::vector<Tensor>& tensors) {
        for (const Tensor& t : tensors) found.push_back(param.name + " " + TypeAndFormat(t.spec.type, t.spec.format));
    });
    if (!fitting.empty()) {
        for (const size_t column : fitting) legal.push_back(ColumnText(definition, column));
        RefuseCall(definition, {Rule::kOpCombination, "", "the format decides, and none is stated",
                                fmt::format("{}", fmt::join(found, ", ")), fmt::format("{}", fmt::join(legal, "; ")),
                                "say in which format the elements lie: sfumato.Tensor(array, format)"});
    }
    for (size_t column = 0; column < definition.columns; ++column) legal.push_back(ColumnText(definition, column));
    RefuseCall(definition, {Rule::kOpCombination, "", "no combination of the definition has these types and formats",
                            fmt::format("{}", fmt::join(found, ", ")), fmt::format("{}", fmt::join(legal, "; ")), ""});
}

std::vector<AttrValue> ChooseAttrs(const Definition& definition, const NamedAttrs& named) {
    std::vector<AttrValue> values;
    for (const auto& [name, value] : named) {
        const bool known = std::ranges::any_of(definition.attrs, [&](const Attr& a) { return a.name == name; });
        if (known) continue;
        RefuseCall(definition, {Rule::kOpAttr, name, "the operator has no such attribute", Describe(value),
                                Names(definition.attrs), ""});
    }
    for (const Attr& attr : definition.attrs) {
        const auto given = std::ranges::find_if(named, [&](const auto& pair) { return pair.first == attr.name; });
        if (given == named.end()) {
            if (attr.required) {
                RefuseCall(definition, {Rule::kOpAttr, attr.name, "the attribute is required", "it is not given",
                                        fmt::format("a value of type {}", AttrTypeName(attr.type)), ""});
            }
            values.push_back(attr.value);
            continue;
        }
        std::optional<AttrValue> value = Converted(given->second, attr.type);
        if (!value) {
            RefuseCall(definition,
                       {Rule::kOpAttr, attr.name, "the attribute is of another type", Describe(given->second),
                        fmt::format("a value of type {}", AttrTypeName(attr.type)), ""});
        }
        values.push_back(std::move(*value));
    }
    return values;
}

std::vector<Report> CheckOutputs(const Definition& definition, const Call& call, const Call& inferred) {
    std::vector<Report> warnings;
    for (size_t i = 0; i < definition.outputs.size(); ++i) {
        const Param& param = definition.outputs[i];
        for (size_t j = 0; j < call.outputs[i].size() && j < inferred.outputs[i].size(); ++j) {
            const Spec &given = call.outputs[i][j].spec, &want = inferred.outputs[i][j].spec;
            if (given.shape == want.shape && given.type == want.type) continue;
            Finding finding{Rule::kOpOutputShape, param.name,     "the output is not what the operator infers",
                            Describe(given),      Describe(want), ""};
            if (call.strict || param.follow_shape) RefuseCall(definition, finding);
            finding.hint =
                "the output is taken as it is given, as boards do; what is inferred counts in graphs: correct "
                "InferShape and InferDataType, or give such an output";
            Report report = ToReport(std::move(finding), definition.name, {definition.source.c_str(), definition.line});
            report.severity = Severity::kWarning;
            warnings.push_back(std::move(report));
        }
    }
    return warnings;
}

}  // namespace sfumato::op
