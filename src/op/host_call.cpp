// SPDX-License-Identifier: Apache-2.0
// A call's tensors and attributes for host functions, and what a wrong index becomes.
#include "op/host_call.h"

#include <fmt/format.h>

#include <algorithm>

#include "op/fractals.h"

namespace sfumato::op {
namespace {

gert::Tensor ToTensor(const op::Tensor& tensor) {
    gert::Shape origin, storage;
    for (const int64_t dim : OriginOf(tensor.spec)) origin.AppendDim(dim);
    for (const int64_t dim : tensor.spec.shape) storage.AppendDim(dim);
    const auto format = static_cast<ge::Format>(tensor.spec.format);
    const ge::Format of_origin = tensor.spec.format == kFractalNz ? ge::FORMAT_ND : format;
    return {gert::StorageShape(origin, storage), gert::StorageFormat(of_origin, format, {}), gert::kOnHost,
            static_cast<ge::DataType>(tensor.spec.type), const_cast<void*>(tensor.values)};
}

std::string NumberText(size_t index) {
    const auto number = static_cast<int64_t>(index);
    return number < 0 ? fmt::format("{}", number) : fmt::format("{}", index);
}

}  // namespace

AttrStore::AttrStore(const Definition& definition, const std::vector<AttrValue>& values) {
    for (size_t i = 0; i < definition.attrs.size(); ++i) {
        Entry& entry = entries.emplace_back();
        entry.name = definition.attrs[i].name;
        entry.value = i < values.size() ? values[i] : definition.attrs[i].value;
        const auto list = [&](auto* elements) {
            if (elements) entry.list = {elements->data(), elements->size()};
        };
        list(std::get_if<std::vector<int64_t>>(&entry.value));
        list(std::get_if<std::vector<float>>(&entry.value));
        if (const auto* bits = std::get_if<std::vector<bool>>(&entry.value)) {
            entry.bools = std::make_unique<bool[]>(bits->size());
            std::copy(bits->begin(), bits->end(), entry.bools.get());
            entry.list = {entry.bools.get(), bits->size()};
        }
        if (auto* lists = std::get_if<std::vector<std::vector<int64_t>>>(&entry.value)) {
            for (auto& one : *lists) entry.lists.emplace_back(one.data(), one.size());
            entry.list_of_lists = {entry.lists.data(), entry.lists.size()};
        }
    }
}

HostSide::HostSide(const char* its_word, const std::vector<Param>& declared,
                   const std::vector<std::vector<op::Tensor>>& given)
    : word(its_word), params(&declared) {
    for (size_t i = 0; i < declared.size(); ++i) {
        const auto start = static_cast<uint32_t>(tensors.size());
        for (size_t k = 0; i < given.size() && k < given[i].size(); ++k) {
            const gert::Tensor& tensor = tensors.emplace_back(ToTensor(given[i][k]));
            descs.emplace_back(tensor.GetDataType(), tensor.GetFormat());
        }
        anchors.emplace_back(start, static_cast<uint32_t>(tensors.size()) - start);
    }
}

// The plain number counts otherwise than the declarations when an absent one lies before a given one.
size_t HostSide::Plain(const char* call, size_t index, Where where) const {
    size_t absent = 0, misleading = kNone;
    for (size_t i = 0; i < anchors.size(); ++i) {
        if (anchors[i].GetInstanceNum() != 0) continue;
        ++absent;
        const size_t start = anchors[i].GetInstanceStart();
        if (misleading == kNone && start <= index && tensors.size() > start) misleading = i;
    }
    if (index >= tensors.size() + absent) {
        std::string names;
        for (const Param& param : *params) names += (names.empty() ? "" : ", ") + param.name;
        Fault({Rule::kOpIndex, "", fmt::format("there is no {} {}", word, NumberText(index)), NumberText(index),
               tensors.empty() ? fmt::format("none: no {} is given", word)
                               : fmt::format("0 to {}; declared are {}", tensors.size() - 1, names),
               ""},
              call, where);
    }
    if (misleading != kNone) {
        const std::string counted = index < tensors.size()
                                        ? fmt::format("{} {} of those given", word, index)
                                        : fmt::format("{} {}, of only {} given", word, index, tensors.size());
        Warn({Rule::kOpIndex, "",
              fmt::format("{} {} counts the given ones, and `{}` before it is absent", word, index,
                          (*params)[misleading].name),
              counted, "", fmt::format("use the call with Optional, Required or Dynamic: it counts declarations")},
             call, where);
    }
    if (index >= tensors.size()) {
        if (Said* said = CurrentSaid()) said->null_call = call, said->null_where = where;
        return kNone;
    }
    return index;
}

const gert::AnchorInstanceInfo& HostSide::Anchor(const char* call, size_t ir_index, Where where) const {
    if (ir_index < anchors.size()) return anchors[ir_index];
    Fault({Rule::kOpIndex, "", fmt::format("no {} {} is declared", word, NumberText(ir_index)), NumberText(ir_index),
           anchors.empty() ? fmt::format("none: no {} is declared", word) : fmt::format("0 to {}", anchors.size() - 1),
           ""},
          call, where);
}

size_t HostSide::Declared(const char* call, size_t ir_index, size_t relative_index, Where where) const {
    const gert::AnchorInstanceInfo& anchor = Anchor(call, ir_index, where);
    if (relative_index < anchor.GetInstanceNum()) return anchor.GetInstanceStart() + relative_index;
    if (Said* said = CurrentSaid()) said->null_call = call, said->null_where = where;
    return kNone;
}

HostCall::HostCall(const Definition& its_definition, const Call& call)
    : definition(its_definition),
      platform{call.chip},
      deterministic(call.deterministic),
      inputs("input", definition.inputs, call.inputs),
      outputs("output", definition.outputs, call.outputs),
      store(definition, call.attrs),
      data(kTilingBytes, call.strict ? kUnsetByte : 0) {
    workspaces.fill(kUnsetWorkspace);
}

void SayNoData(Where where) {
    if (Said* said = CurrentSaid())
        said->null_call = "GetData, of a tensor without ValueDepend or InputsDataDependency,", said->null_where = where;
}

namespace {

Finding DimRange(const std::string& message, size_t index, const int64_t* dims, size_t count, const char* hint) {
    std::string shape;
    for (size_t i = 0; i < count; ++i) shape += fmt::format("{}{}", i ? ", " : "", dims[i]);
    return {Rule::kOpDimRange,
            "",
            message,
            fmt::format("dimension {} of ({})", NumberText(index), shape),
            count == 0 ? "none: the shape has no dimensions" : fmt::format("0 to {}", count - 1),
            hint};
}

}  // namespace

void NoDim(const char* call, size_t index, const int64_t* dims, size_t count, Where where) {
    Fault(DimRange(fmt::format("the shape has no dimension {}", NumberText(index)), index, dims, count, ""), call,
          where);
}

void PastDims(const char* call, size_t index, const int64_t* dims, size_t count, Where where) {
    Warn(DimRange(fmt::format("the shape has no dimension {}, and 0 is read", NumberText(index)), index, dims, count,
                  ""),
         call, where);
}

void BehindDims(const char* call, size_t index, const int64_t* dims, size_t count, Where where) {
    Warn(DimRange(fmt::format("the shape has no dimension {} until SetDimNum says so", index), index, dims, count,
                  "AppendDim, or SetDimNum before it"),
         call, where);
}

void TooManyDims(const char* call, size_t count, Where where) {
    Fault({Rule::kOpDimRange, "", "a shape has no more than 25 dimensions", fmt::format("{} dimensions", count),
           "0 to 25", ""},
          call, where);
}

}  // namespace sfumato::op
