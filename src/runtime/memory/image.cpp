// SPDX-License-Identifier: Apache-2.0
// Copies of global memory, their comparison, and elements as people read them.
#include "runtime/memory/image.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>

#include "sfumato/half.h"

namespace sfumato::runtime {

Image::Image(const GlobalMemory& memory) : impl_(*memory.impl()) {
    std::lock_guard lock(impl_.mutex);
    for (size_t i = 0; i < impl_.allocations.size(); ++i) {
        const auto& a = impl_.allocations[i];
        if (a.live && a.block) blocks_.push_back({i, {a.block, a.block + a.block_bytes}});
    }
}

void Image::Restore() const {
    std::lock_guard lock(impl_.mutex);
    for (const Block& block : blocks_)
        std::memcpy(impl_.allocations[block.allocation].block, block.bytes.data(), block.bytes.size());
}

std::optional<GmByte> Image::FirstDifference() const {
    std::optional<GmByte> first;
    ForEachDifferent([&](uint32_t allocation, const uint8_t* before, const uint8_t* now, uint64_t bytes) {
        const auto at = std::mismatch(before, before + bytes, now).first - before;
        first = GmByte{allocation, static_cast<uint64_t>(at)};
        return false;
    });
    return first;
}

void Image::ForEachDifferent(
    const std::function<bool(uint32_t, const uint8_t*, const uint8_t*, uint64_t)>& visit) const {
    std::lock_guard lock(impl_.mutex);
    for (const Block& block : blocks_) {
        const auto& a = impl_.allocations[block.allocation];
        if (a.role == GlobalMemory::Role::kWorkspace || a.bytes == 0) continue;
        const uint8_t* before = BaseOf(block);
        if (std::memcmp(before, a.base, a.bytes) == 0) continue;
        if (!visit(static_cast<uint32_t>(block.allocation), before, a.base, a.bytes)) return;
    }
}

std::vector<uint8_t> Image::BytesAt(const GmByte& at, uint64_t size) const {
    for (const Block& block : blocks_) {
        if (block.allocation != at.allocation) continue;
        const uint8_t* from = BaseOf(block) + at.offset;
        return {from, from + std::min(size, impl_.allocations[block.allocation].bytes - at.offset)};
    }
    return {};
}

const uint8_t* Image::BaseOf(const Block& block) const {
    const auto& a = impl_.allocations[block.allocation];
    return block.bytes.data() + (a.base - a.block);
}

namespace {

template <class T>
T As(const std::vector<uint8_t>& bytes) {
    T value;
    std::memcpy(&value, bytes.data(), sizeof value);
    return value;
}

// "0x3f800000 (1)".
template <class Bits>
std::string Real(Bits bits, float value) {
    return fmt::format("{:#0{}x} ({})", bits, 2 + 2 * sizeof bits, value);
}

}  // namespace

std::string ValueText(std::optional<DataType> type, const std::vector<uint8_t>& bytes) {
    if (type && bytes.size() * 8 == BitsOf(*type)) {
        switch (*type) {
            case DataType::kHalf: return Real(As<uint16_t>(bytes), half::FromBits(As<uint16_t>(bytes)));
            case DataType::kBfloat16: return Real(As<uint16_t>(bytes), bfloat16_t::FromBits(As<uint16_t>(bytes)));
            case DataType::kFloat: return Real(As<uint32_t>(bytes), As<float>(bytes));
            case DataType::kInt8: return fmt::format("{}", As<int8_t>(bytes));
            case DataType::kUint8: return fmt::format("{}", As<uint8_t>(bytes));
            case DataType::kInt16: return fmt::format("{}", As<int16_t>(bytes));
            case DataType::kUint16: return fmt::format("{}", As<uint16_t>(bytes));
            case DataType::kInt32: return fmt::format("{}", As<int32_t>(bytes));
            case DataType::kUint32: return fmt::format("{}", As<uint32_t>(bytes));
            case DataType::kInt64: return fmt::format("{}", As<int64_t>(bytes));
            case DataType::kUint64: return fmt::format("{}", As<uint64_t>(bytes));
            default: break;
        }
    }
    std::string text = "0x";
    for (const uint8_t byte : bytes) text += fmt::format("{:02x}", byte);
    return text;
}

}  // namespace sfumato::runtime
