// SPDX-License-Identifier: Apache-2.0
// The arguments of the first phase, by the declarations of the operator.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "aclnn/executor.h"
#include "host/type_bits.h"
#include "op/fractals.h"
#include "report/finding.h"

namespace sfumato::aclnn {
namespace {

constexpr const char* kKindNames[] = {"aclTensor",   "aclTensorList", "aclScalar",   "aclScalarList",
                                      "aclIntArray", "aclFloatArray", "aclBoolArray"};

[[noreturn]] void Refuse(const Function& f, Finding finding) {
    throw KernelError(ToReport(std::move(finding), f.prepare, {}));
}

// The object behind an argument, null when none was given.
template <class T>
const T* ObjectOf(const Function& f, const char* name, const Value& value) {
    const auto* object = static_cast<const T*>(value.object);
    if (object && !IsLive(object)) {
        Refuse(f, {Rule::kAclHandle, name, fmt::format("the argument is no {}", kTypeName<T>), WhatIs(object),
                   fmt::format("an {} that is alive, or nullptr for an optional one", kTypeName<T>),
                   "callers that look the function up check no types: compare with aclnn_<op>.h"});
    }
    return object;
}

// Host values as elements of the type: 64-bit integers exactly.
template <class T>
std::string BytesAs(int type, const std::vector<T>& values) {
    std::string bytes;
    host::VisitType(type, [&]<class Element>(Element) {
        for (const T v : values) {
            Element e;
            if constexpr (std::is_integral_v<Element> && sizeof(Element) == 8) {
                e = static_cast<Element>(v);
            } else {
                e = host::ElementOf<Element>(static_cast<double>(v));
            }
            bytes.append(reinterpret_cast<const char*>(&e), sizeof e);
        }
    });
    return bytes;
}

Slot TensorSlot(const op::Param& param, const aclTensor& tensor) {
    Slot slot;
    slot.name = param.name;
    slot.tensor = tensor;
    return slot;
}

// Values of the host, in one dimension or none.
Slot HostSlot(const op::Param& param, aclDataType type, const std::vector<int64_t>& view, std::string values) {
    aclTensor tensor;
    tensor.view = tensor.storage = view;
    tensor.strides.assign(view.size(), 1);
    tensor.type = type;
    Slot slot = TensorSlot(param, tensor);
    slot.on_host = true;
    slot.values = std::move(values);
    return slot;
}

// An array of the host, of the declared type it can be.
template <class T>
Slot ArraySlot(const op::Param& param, const std::vector<T>& values, std::initializer_list<aclDataType> types) {
    const auto* found = std::ranges::find_first_of(types, param.types);
    const aclDataType type = found == types.end() ? *types.begin() : *found;
    return HostSlot(param, type, {static_cast<int64_t>(values.size())}, BytesAs(type, values));
}

std::string BytesOf(const aclScalar& scalar) { return {scalar.bytes.begin(), scalar.bytes.end()}; }

// The elements of a list, none of which is null.
template <class List>
auto ElementsOf(const Function& f, const char* name, const Value& value, const char* what) {
    const List* list = ObjectOf<List>(f, name, value);
    auto elements = list ? list->values : decltype(list->values)();
    if (std::ranges::find(elements, nullptr) != elements.end()) {
        Refuse(f, {Rule::kOpInput, name, fmt::format("a {} of the list is null", what), "nullptr",
                   what == std::string_view("tensor") ? "an aclTensor" : "an aclScalar", ""});
    }
    return elements;
}

std::vector<Slot> SlotsOf(const Function& f, const op::Param& param, const char* name, const Value& value) {
    std::vector<Slot> slots;
    switch (value.kind) {
        case Kind::kTensor:
            if (const auto* t = ObjectOf<aclTensor>(f, name, value)) slots.push_back(TensorSlot(param, *t));
            break;
        case Kind::kTensorList:
            for (const aclTensor* t : ElementsOf<aclTensorList>(f, name, value, "tensor"))
                slots.push_back(TensorSlot(param, *t));
            break;
        case Kind::kScalar:
            if (const auto* s = ObjectOf<aclScalar>(f, name, value))
                slots.push_back(HostSlot(param, s->type, {}, BytesOf(*s)));
            break;
        case Kind::kScalarList:
            if (ObjectOf<aclScalarList>(f, name, value)) {
                const auto scalars = ElementsOf<aclScalarList>(f, name, value, "scalar");
                std::string values;
                for (const aclScalar* s : scalars) values += BytesOf(*s);
                const aclDataType type = scalars.empty() ? ACL_DT_UNDEFINED : scalars.back()->type;
                slots.push_back(HostSlot(param, type, {static_cast<int64_t>(scalars.size())}, std::move(values)));
            }
            break;
        case Kind::kIntArray:
            if (const auto* a = ObjectOf<aclIntArray>(f, name, value))
                slots.push_back(ArraySlot(
                    param, a->values, {ACL_INT64, ACL_INT32, ACL_UINT64, ACL_UINT32, ACL_INT16, ACL_INT8, ACL_UINT8}));
            break;
        case Kind::kFloatArray:
            if (const auto* a = ObjectOf<aclFloatArray>(f, name, value))
                slots.push_back(ArraySlot(param, a->values, {ACL_FLOAT, ACL_FLOAT16, ACL_BF16, ACL_DOUBLE}));
            break;
        case Kind::kBoolArray:
            if (const auto* a = ObjectOf<aclBoolArray>(f, name, value))
                slots.push_back(ArraySlot(param, a->values, {ACL_BOOL}));
            break;
        default: break;
    }
    if (slots.empty() && !value.object && param.type == op::ParamType::kRequired) {
        Refuse(f, {Rule::kOpInput, name, "a required tensor is null", "nullptr",
                   fmt::format("an {}", kKindNames[static_cast<size_t>(value.kind)]), ""});
    }
    return slots;
}

op::AttrValue AttrOf(const Function& f, const char* name, const Value& value, const op::Attr& attr) {
    if (value.kind == Kind::kBool) return value.number != 0;
    if (value.kind == Kind::kInt) return value.number;
    if (value.kind == Kind::kFloat) return static_cast<float>(value.real);
    if (value.kind == Kind::kString) {
        if (!value.object)
            Refuse(f, {Rule::kOpAttr, name, "a text is null", "nullptr", "characters with a zero at the end", ""});
        return std::string(static_cast<const char*>(value.object));
    }
    if (value.kind == Kind::kIntArray) {
        if (const auto* a = ObjectOf<aclIntArray>(f, name, value)) return a->values;
    } else if (value.kind == Kind::kFloatArray) {
        if (const auto* a = ObjectOf<aclFloatArray>(f, name, value)) return a->values;
    } else if (value.kind == Kind::kBoolArray) {
        if (const auto* a = ObjectOf<aclBoolArray>(f, name, value))
            return std::vector<bool>(a->values.begin(), a->values.end());
    }
    if (attr.required) Refuse(f, {Rule::kOpAttr, name, "a required list is null", "nullptr", "an array", ""});
    return attr.value;
}

// Lists of lists: the values one after another, and how many each list has.
op::AttrValue ListsOf(const Function& f, const Parameter* p, const Value* value, const op::Attr& attr) {
    const auto* all = ObjectOf<aclIntArray>(f, p[0].name, value[0]);
    const auto* lengths = ObjectOf<aclIntArray>(f, p[1].name, value[1]);
    if (!all && !lengths && !attr.required) return attr.value;
    if (!all || !lengths)
        Refuse(f, {Rule::kOpAttr, p[all ? 1 : 0].name, "an array of a list of lists is null", "nullptr",
                   "an aclIntArray of all values, and one of the lists' lengths", ""});
    std::vector<std::vector<int64_t>> lists;
    auto at = all->values.begin();
    bool fit = true;
    for (const int64_t length : lengths->values) {
        fit = fit && length >= 0 && length <= all->values.end() - at;
        if (!fit) break;
        lists.emplace_back(at, at + length);
        at += length;
    }
    if (!fit || at != all->values.end())
        Refuse(f, {Rule::kOpAttr, p[1].name, "the lengths are not those of lists in the values",
                   fmt::format("[{}] for {} values", fmt::join(lengths->values, ", "), all->values.size()),
                   "0 or more each, their sum the number of values", ""});
    return lists;
}

}  // namespace

void Arguments::Read(const Function& f, const op::Definition& d, const Value* values) {
    inputs.resize(d.inputs.size());
    outputs.resize(d.outputs.size());
    for (uint32_t i = 0; i < f.count; ++i) {
        const Parameter& p = f.parameters[i];
        error = values[i].object ? ACLNN_ERR_PARAM_INVALID : ACLNN_ERR_PARAM_NULLPTR;
        if (p.role == Role::kLengths) continue;  // read with its values
        if (p.role == Role::kAttr) {
            const op::Attr& attr = d.attrs.at(p.index);
            const bool lists = attr.type == op::AttrType::kListListInt;
            if (lists && values[i].object && !values[i + 1].object) error = ACLNN_ERR_PARAM_NULLPTR;
            attrs.emplace_back(attr.name,
                               lists ? ListsOf(f, &p, &values[i], attr) : AttrOf(f, p.name, values[i], attr));
            continue;
        }
        const op::Param& param = p.role == Role::kOutput ? d.outputs.at(p.index) : d.inputs.at(p.index);
        std::vector<Slot> slots = SlotsOf(f, param, p.name, values[i]);
        if (param.value_required && values[i].kind == Kind::kTensor && !slots.empty())
            Refuse(f, {Rule::kOpInput, p.name, "host code needs the values of this input", "an aclTensor",
                       "ValueDepend(OPTIONAL), or the function that takes an array", ""});
        if (p.role == Role::kInOut) outputs.at(p.output) = slots;
        (p.role == Role::kOutput ? outputs : inputs).at(p.index) = std::move(slots);
    }
    error = ACLNN_ERR_PARAM_INVALID;
    const bool some = std::ranges::any_of(d.inputs, [](const op::Param& p) { return p.auto_contiguous; });
    for (size_t i = 0; i < inputs.size(); ++i) {
        for (Slot& slot : inputs[i]) {
            if (slot.tensor.IsContiguous() || d.inputs[i].ignore_contiguous) continue;
            slot.gathers = some;
            if (some) continue;
            Refuse(f, {Rule::kOpNotContiguous, slot.name,
                       "the tensor has gaps, and the operator does not say what to do with them",
                       fmt::format("[{}] elements, strides [{}]", fmt::join(slot.tensor.view, ", "),
                                   fmt::join(slot.tensor.strides, ", ")),
                       "a tensor without gaps, AutoContiguous() or IgnoreContiguous()",
                       "make a copy without gaps, or declare the input with AutoContiguous()"});
        }
    }
    for (size_t i = 0; i < outputs.size(); ++i) {
        for (Slot& slot : outputs[i]) slot.gathers = slot.scatters = !slot.tensor.IsContiguous();
    }
}

std::vector<std::vector<op::Tensor>> Arguments::Tensors(const Slots& slots) {
    std::vector<std::vector<op::Tensor>> all(slots.size());
    for (size_t i = 0; i < slots.size(); ++i) {
        for (const Slot& slot : slots[i]) {
            op::Tensor t;
            const aclTensor& a = slot.tensor;
            // Of a format that lays elements out anew, the memory's dimensions are what the kernel sees; those of a
            // matrix in FRACTAL_NZ may be told as one number, and are as its view has them then.
            const bool laid_out =
                a.format == ACL_FORMAT_FRACTAL_NZ || a.format == ACL_FORMAT_NC1HWC0 || a.format == ACL_FORMAT_FRACTAL_Z;
            t.spec = {laid_out ? a.storage : a.view, static_cast<int>(a.type), static_cast<int>(a.format), {}};
            if (a.format == ACL_FORMAT_FRACTAL_NZ && a.view.size() >= 2 && a.storage != a.view) {
                t.spec.origin = a.view;
                if (a.storage.size() == 1) t.spec.shape = op::NzShape(a.view, op::FractalColumns(t.spec.type));
            }
            // Host code does not see memory of the device: an input that depends on values has none then.
            if (slot.on_host) t.values = slot.values.data();
            all[i].push_back(std::move(t));
        }
    }
    return all;
}

}  // namespace sfumato::aclnn
