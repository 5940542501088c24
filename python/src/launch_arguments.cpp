// SPDX-License-Identifier: Apache-2.0
// Python's values as arguments of a kernel.
#include "launch_arguments.h"

#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <cstring>

#include "arrays.h"
#include "data_types.h"

namespace nb = nanobind;

namespace sfumato::python {

namespace {

// "argument 2 (dst)"; the kernel's name for it where it has one.
std::string Label(size_t position, const KernelInfo& kernel) {
    std::string label = "argument " + std::to_string(position + 1);
    if (position < kernel.params.size() && !kernel.params[position].name.empty()) {
        label += " (" + kernel.params[position].name + ")";
    }
    return label;
}

std::string AllocationName(size_t position, const KernelInfo& kernel) {
    if (position < kernel.params.size() && !kernel.params[position].name.empty()) return kernel.params[position].name;
    return "arg" + std::to_string(position);
}

}  // namespace

void ArgumentList::Add(nb::tuple item) {
    if (!item[4].is_none() && !TakesPointer()) item = nb::cast<nb::tuple>(item[4]);
    const auto kind = nb::cast<std::string>(item[0]);
    const auto type_name = nb::cast<std::string>(item[2]);
    const auto type = type_name.empty() ? std::nullopt : FindDataType(type_name);
    if (kind == "array") {
        arguments_.push_back(Argument::Pointer(Copy(item[1], nb::cast<bool>(item[3]), type), type));
    } else if (kind == "null") {
        arguments_.push_back(Argument::Pointer(nullptr));
    } else if (kind == "address") {
        arguments_.push_back(Argument::Pointer(reinterpret_cast<void*>(nb::cast<uintptr_t>(item[1]))));
    } else if (kind == "float") {
        arguments_.push_back(Argument::Floating(nb::cast<double>(item[1]), type));
    } else if (kind == "negative") {
        arguments_.push_back(Argument::Integer(nb::cast<int64_t>(item[1]), type));
    } else if (kind == "integer") {
        arguments_.push_back(Argument::Unsigned(nb::cast<uint64_t>(item[1]), type));
    } else if (kind == "beyond") {
        arguments_.push_back(Argument::Beyond(nb::cast<std::string>(item[1])));
    } else if (kind == "list") {
        AddList(nb::cast<nb::list>(item[1]));
    } else if (kind == "struct") {
        AddStruct(nb::cast<nb::tuple>(item[1]));
    } else {
        const auto bytes = nb::cast<nb::bytes>(item[1]);
        AddBytes(std::string(bytes.c_str(), bytes.size()));
    }
}

std::vector<ArgumentList::Change> ArgumentList::Changes() const {
    std::vector<Change> changes;
    for (const Transfer& t : transfers_) {
        for (const auto& [at, bytes] : memory_.ChangesOf(t.device)) {
            if (t.writable) {
                changes.push_back({t.host + at, bytes, &t.label});
            } else if (std::memcmp(t.host + at, bytes.data(), bytes.size()) != 0) {
                throw Error(t.label + ": the kernel wrote to it, but the array is read-only; pass a writable array. " +
                            "No array was changed.");
            }
        }
    }
    return changes;
}

void ArgumentList::CopyBack() const {
    for (const Change& change : Changes()) CopyOut(change.host, change.bytes);
}

void ArgumentList::Free() {
    for (uint8_t* device : allocated_) memory_.Free(device);
    allocated_.clear();
}

// Of the argument that comes next; one too many does not.
bool ArgumentList::TakesPointer() const {
    const size_t position = arguments_.size();
    return position < kernel_.params.size() && kernel_.params[position].kind == ParamKind::kPointer;
}

// Each tensor is (bytes, writable, shape).
void ArgumentList::AddList(const nb::list& items) {
    std::vector<ListedTensor> tensors;
    for (const nb::handle item : items) {
        const auto tensor = nb::cast<nb::tuple>(item);
        uint8_t* data = Copy(tensor[0], nb::cast<bool>(tensor[1]));
        tensors.push_back({data, nb::cast<std::vector<uint64_t>>(tensor[2])});
    }
    const std::string name = AllocationName(arguments_.size(), kernel_);
    uint8_t* list = memory_.AllocateList(tensors, name);
    allocated_.push_back(list);
    SetRole(list, false);
    arguments_.push_back(Argument::Pointer(list));
}

// (bytes, [(offset, bytes of an array, writable)]): the address of each array stands at its offset.
void ArgumentList::AddStruct(const nb::tuple& value) {
    const auto bytes = nb::cast<nb::bytes>(value[0]);
    std::string data(bytes.c_str(), bytes.size());
    for (const nb::handle item : nb::cast<nb::list>(value[1])) {
        const auto field = nb::cast<nb::tuple>(item);
        const uint8_t* address = Copy(field[1], nb::cast<bool>(field[2]));
        std::memcpy(data.data() + nb::cast<uint64_t>(field[0]), &address, sizeof address);
    }
    AddBytes(std::move(data));
}

// What the array holds is given, also where the kernel may write.
void ArgumentList::SetRole(const uint8_t* device, bool writable, std::optional<DataType> type) {
    memory_.SetRole(device, writable ? GlobalMemory::Role::kInOut : GlobalMemory::Role::kInput, type);
}

// One array passed twice is one allocation; arrays that share only some bytes are refused.
uint8_t* ArgumentList::Copy(nb::handle given, bool writable, std::optional<DataType> type) {
    const auto array = nb::cast<Bytes>(given);
    auto* host = static_cast<uint8_t*>(const_cast<void*>(static_cast<const void*>(array.data())));
    const uint64_t bytes = array.size();
    const std::string label = who_ + Label(arguments_.size(), kernel_);
    for (Transfer& t : transfers_) {
        if (bytes == 0 || t.bytes == 0) continue;
        if (t.host == host && t.bytes == bytes) {
            t.writable = t.writable || writable;
            SetRole(t.device, t.writable, type);
            return t.device;
        }
        if ((writable || t.writable) && host < t.host + t.bytes && t.host < host + bytes) {
            throw Error(label + " and " + t.label +
                        " share memory without being the same array; pass the same array twice, or a copy");
        }
    }
    uint8_t* device = memory_.Borrow(host, bytes, AllocationName(arguments_.size(), kernel_));
    allocated_.push_back(device);
    TellPart(memory_, device, given, array);
    SetRole(device, writable, type);
    transfers_.push_back({host, device, bytes, writable, label});
    return device;
}

// bytes are a struct by value, or a read-only block of global memory where the kernel takes a pointer.
void ArgumentList::AddBytes(std::string value) {
    uint8_t* device = nullptr;
    if (TakesPointer()) {
        device = memory_.Allocate(value.size(), AllocationName(arguments_.size(), kernel_), value.data());
        allocated_.push_back(device);
        SetRole(device, false);
    }
    Argument argument = Argument::Bytes(std::move(value));
    argument.pointer = device;
    arguments_.push_back(std::move(argument));
}

}  // namespace sfumato::python
