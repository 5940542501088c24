// SPDX-License-Identifier: Apache-2.0
// Attributes as host code reads them.
#include "sfumato/op/attrs.h"

#include <fmt/format.h>

#include "op/host_call.h"

namespace gert {
namespace {

using sfumato::Rule;
using sfumato::op::AttrRead;
using sfumato::op::AttrStore;
using sfumato::op::AttrType;

// Of a type: its name in the definition, how its reading is called, and how its elements are read.
struct Kind {
    const char *name, *legal;
    AttrRead read, element;
    size_t bytes;  // of an element of a list
};
constexpr Kind kKinds[] = {
    {"Bool", "bool", AttrRead::kBool, AttrRead::kOther, 0},
    {"Int", "an integer", AttrRead::kInteger, AttrRead::kOther, 0},
    {"Float", "float", AttrRead::kFloat, AttrRead::kOther, 0},
    {"String", "char", AttrRead::kString, AttrRead::kOther, 0},
    {"ListBool", "ContinuousVector, TypedContinuousVector<bool>", AttrRead::kList, AttrRead::kBool, sizeof(bool)},
    {"ListInt", "ContinuousVector, TypedContinuousVector<int64_t>", AttrRead::kList, AttrRead::kInteger,
     sizeof(int64_t)},
    {"ListFloat", "ContinuousVector, TypedContinuousVector<float>", AttrRead::kList, AttrRead::kFloat, sizeof(float)},
    {"ListListInt", "ContinuousVectorVector", AttrRead::kListOfLists, AttrRead::kOther, 0},
};

std::string Words(AttrRead read, AttrRead element, size_t bytes) {
    switch (read) {
        case AttrRead::kInteger: return fmt::format("an integer of {} byte{}", bytes, bytes == 1 ? "" : "s");
        case AttrRead::kBool: return "bool";
        case AttrRead::kFloat: return "float";
        case AttrRead::kDouble: return "double";
        case AttrRead::kString: return "char";
        case AttrRead::kList:
            if (element == AttrRead::kInteger) return fmt::format("a list of integers of {} bytes", bytes);
            return element == AttrRead::kOther ? "a list" : "a list of " + Words(element, AttrRead::kOther, bytes);
        case AttrRead::kListOfLists: return "a list of lists";
        default: return "another type";
    }
}

}  // namespace

size_t RuntimeAttrs::GetAttrNum() const { return store_->entries.size(); }

const void* RuntimeAttrs::At(const char* call, size_t index, AttrRead read, AttrRead element, size_t bytes,
                             Where where) const {
    // As boards have it: nullptr, which host code may test.
    if (index >= store_->entries.size()) {
        if (sfumato::op::Said* said = sfumato::op::CurrentSaid()) {
            said->null_call =
                fmt::format("{}({}), of {} attributes,", call, static_cast<int64_t>(index), store_->entries.size());
            said->null_where = where;
        }
        return nullptr;
    }
    const AttrStore::Entry& entry = store_->entries[index];
    const Kind& kind = kKinds[entry.value.index()];
    const bool untyped = read == AttrRead::kList && element == AttrRead::kOther;
    const bool same_element = kind.element == element && (read != AttrRead::kList || kind.bytes == bytes);
    if (read != kind.read || (!untyped && !same_element)) {
        sfumato::op::Fault(
            {Rule::kOpAttrType, entry.name, fmt::format("attribute {} is declared as {}", index, kind.name),
             "read as " + Words(read, element, bytes), kind.legal, ""},
            call, where);
    }
    switch (static_cast<AttrType>(entry.value.index())) {
        case AttrType::kBool: return &std::get<bool>(entry.value);
        case AttrType::kInt: return &std::get<int64_t>(entry.value);
        case AttrType::kFloat: return &std::get<float>(entry.value);
        case AttrType::kString: return std::get<std::string>(entry.value).c_str();
        case AttrType::kListListInt: return &entry.list_of_lists;
        default: return &entry.list;
    }
}

}  // namespace gert
