// SPDX-License-Identifier: Apache-2.0
// The arguments of a launch: Python's values as Argument, arrays lent to global memory and changed afterwards.
#pragma once

#include <nanobind/nanobind.h>

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "sfumato/jit.h"
#include "sfumato/launch.h"

namespace sfumato::python {

// Arrays are allocations of `memory` until Free, or its end. Needs the GIL.
class ArgumentList {
public:
    // who: in front of messages, "rank 3: ".
    ArgumentList(GlobalMemory& memory, const KernelInfo& kernel, std::string who = "")
        : memory_(memory), kernel_(kernel), who_(std::move(who)) {}

    // `item` is (kind, value, type name or "", writable, the item of the number that an array without dimensions is).
    void Add(nanobind::tuple item);
    const std::vector<Argument>& arguments() const { return arguments_; }

    // A change of one of the caller's arrays.
    struct Change {
        uint8_t* host;  // where its first byte goes
        std::span<const uint8_t> bytes;
        const std::string* label;  // "argument 2 (dst)"
    };
    // What the kernel wrote to the caller's arrays. Throws Error when one is read-only.
    std::vector<Change> Changes() const;
    // Copies that: all of it, or nothing.
    void CopyBack() const;
    // Gives back what it allocated: no launch uses it any more.
    void Free();

private:
    // One array of the caller and its copy in global memory.
    struct Transfer {
        uint8_t* host;
        uint8_t* device;
        uint64_t bytes;
        bool writable;
        std::string label;  // for messages
    };
    bool TakesPointer() const;
    void AddList(const nanobind::list& items);
    void AddStruct(const nanobind::tuple& value);
    void AddBytes(std::string value);
    void SetRole(const uint8_t* device, bool writable, std::optional<DataType> type = {});
    uint8_t* Copy(nanobind::handle given, bool writable, std::optional<DataType> type = {});

    GlobalMemory& memory_;
    const KernelInfo& kernel_;
    const std::string who_;
    std::vector<Argument> arguments_;
    std::vector<Transfer> transfers_;
    std::vector<uint8_t*> allocated_;
};

}  // namespace sfumato::python
