// SPDX-License-Identifier: Apache-2.0
// What global memory holds at one time: to run a launch again from it, and to compare what runs leave.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "runtime/memory/global_memory.h"

namespace sfumato::runtime {

// A byte of global memory.
struct GmByte {
    uint32_t allocation = 0;
    uint64_t offset = 0;
};

// The contents of every live allocation, guards included.
class Image {
public:
    explicit Image(const GlobalMemory& memory);

    void Restore() const;
    // The first byte of an allocation that is not this image's. What a workspace holds is nobody's result.
    std::optional<GmByte> FirstDifference() const;
    // visit(allocation, before, now, bytes) of every allocation that holds other bytes now, workspaces left out, until
    // it returns false.
    void ForEachDifferent(const std::function<bool(uint32_t, const uint8_t*, const uint8_t*, uint64_t)>& visit) const;
    // The `size` bytes from this one on, fewer at the end.
    std::vector<uint8_t> BytesAt(const GmByte& at, uint64_t size) const;
    const std::string& NameOf(uint32_t allocation) const { return impl_.allocations[allocation].name; }

private:
    struct Block {
        size_t allocation;
        std::vector<uint8_t> bytes;
    };
    const uint8_t* BaseOf(const Block& block) const;

    GlobalMemory::Impl& impl_;
    std::vector<Block> blocks_;
};

// "40", "0x3f800000 (1)"; "0xfe" of bytes without a type.
std::string ValueText(std::optional<DataType> type, const std::vector<uint8_t>& bytes);

}  // namespace sfumato::runtime
