// SPDX-License-Identifier: Apache-2.0
// The oracle against exec::Convert, byte by byte.
#include "conformance/comparison.h"

#include <algorithm>
#include <cstdio>
#include <cstring>

#include "oracle/conversion_inputs.h"
#include "oracle/conversion_oracle.h"

namespace sfumato::conformance {
namespace {

constexpr size_t kGuard = 64;
constexpr uint8_t kGuardByte = 0xA5;

std::string Hex(uint64_t bits) {
    char text[24];
    std::snprintf(text, sizeof text, "0x%llX", static_cast<unsigned long long>(bits));
    return text;
}

uint64_t DeqWord(const exec::Conversion& c, size_t i) {
    return c.deq == isa::DeqScale::kVector ? c.deq_words[(c.lane0 + i) % 16] : c.deq_word;
}

}  // namespace

void Differences::Add(uint64_t input, uint64_t expected, uint64_t found, const std::string& detail) {
    if (++count_ > kShown) return;
    shown_.push_back("input " + Hex(input) + detail + ": expected " + Hex(expected) + ", found " + Hex(found));
}

void Differences::AddWrongFlag(size_t elements, bool expected) {
    if (++count_ > kShown) return;
    shown_.push_back("flag of a run of " + std::to_string(elements) + " elements: expected " +
                     (expected ? "true" : "false"));
}

void Differences::Merge(const Differences& other) {
    count_ += other.count_;
    for (const std::string& line : other.shown_) {
        if (shown_.size() < kShown) shown_.push_back(line);
    }
}

std::string Differences::Text(const std::string& what) const {
    if (count_ == 0) return "";
    std::string text = what + ": " + std::to_string(count_) + " differ\n";
    for (const std::string& line : shown_) text += "  " + line + "\n";
    return text;
}

std::vector<Overflow> PoliciesOf(DataType dst) {
    if (dst == DataType::kHalf || dst == DataType::kBfloat16) return {Overflow::kInfNan, Overflow::kSaturate};
    return {Overflow::kSaturate};
}

const char* Name(Overflow overflow) { return overflow == Overflow::kSaturate ? "saturate" : "infnan"; }

exec::Conversion ConversionOf(const Case& c) {
    exec::Conversion conversion{};
    conversion.src = c.src;
    conversion.dst = c.dst;
    conversion.rounding = c.rounding;
    return conversion;
}

Runner::Runner(DataType dst, std::vector<std::string> targets)
    : targets_(std::move(targets)), policies_(PoliciesOf(dst)) {
    differences_.resize(policies_.size() * std::max<size_t>(targets_.size(), 1));
}

void Runner::Run(exec::Conversion conversion, const void* src, size_t n, size_t target_limit, Buffers buffers) {
    const size_t bytes = std::max(BytesOf(conversion.src, n), BytesOf(conversion.dst, n)) + kGuard;
    if (found_.size() < bytes) {
        found_.resize(bytes);
        expected_.resize(bytes);
    }
    Expect(conversion, src, n);
    const size_t target_count = std::max<size_t>(targets_.size(), 1);
    for (size_t p = 0; p < policies_.size(); ++p) {
        conversion.overflow = policies_[p];
        const bool saturates =
            conversion.overflow == Overflow::kSaturate && oracle::SaturateArray(conversion.dst, expected_.data(), n);
        for (size_t t = 0; t < std::min(target_count, target_limit); ++t) {
            if (!targets_.empty()) exec::ForceTarget(targets_[t]);
            Compare(conversion, src, n, saturates, buffers, &differences_[p * target_count + t]);
            elements_ += n;
        }
    }
}

void Runner::Merge(const Runner& other) {
    for (size_t i = 0; i < differences_.size(); ++i) differences_[i].Merge(other.differences_[i]);
    elements_ += other.elements_;
}

std::string Runner::Text(const std::string& what) const {
    std::string text;
    const size_t target_count = std::max<size_t>(targets_.size(), 1);
    for (size_t i = 0; i < differences_.size(); ++i) {
        const std::string target = targets_.empty() ? exec::CurrentTarget() : targets_[i % target_count];
        text += differences_[i].Text(what + ", " + Name(policies_[i / target_count]) + ", " + target);
    }
    return text;
}

// Fills expected_ with the oracle's results under infnan, laid out as exec lays them out.
void Runner::Expect(const exec::Conversion& conversion, const void* src, size_t n) {
    if (conversion.deq == isa::DeqScale::kHalf) {
        const auto* in = static_cast<const uint8_t*>(src);
        const auto scale = static_cast<uint16_t>(conversion.deq_word);
        for (size_t i = 0; i < n; ++i) {
            int32_t value;
            std::memcpy(&value, in + 4 * i, sizeof value);
            const auto result = static_cast<uint16_t>(oracle::ConvertInt32ToHalfIeee(value, scale));
            std::memcpy(expected_.data() + 2 * i, &result, sizeof result);
        }
        return;
    }
    if (conversion.deq != isa::DeqScale::kNone) {
        for (size_t i = 0; i < n; ++i) {
            const auto value = static_cast<int16_t>(oracle::Load(DataType::kInt16, src, i));
            expected_[i] = static_cast<uint8_t>(oracle::ConvertInt16Deq(conversion.dst, value, DeqWord(conversion, i)));
        }
        return;
    }
    const oracle::ArrayFunction convert =
        oracle::FindArrayFunction(conversion.src, conversion.dst, conversion.rounding);
    unpacked_.resize(n);
    if (conversion.src == DataType::kInt4) {
        for (size_t i = 0; i < n; ++i) unpacked_[i] = static_cast<uint8_t>(oracle::Load(DataType::kInt4, src, i));
        src = unpacked_.data();
    }
    if (conversion.dst == DataType::kInt4) {
        convert(src, unpacked_.data(), n);
        for (size_t i = 0; i < n; i += 2) {
            expected_[i / 2] = static_cast<uint8_t>(unpacked_[i] | unpacked_[i + 1] << 4);
        }
    } else {
        convert(src, expected_.data(), n);
    }
}

void Runner::Compare(const exec::Conversion& conversion, const void* src, size_t n, bool saturates, Buffers buffers,
                     Differences* differences) {
    const size_t bytes = BytesOf(conversion.dst, n);
    uint8_t* found = found_.data();
    std::memset(found, kGuardByte, bytes + kGuard);
    if (buffers == Buffers::kInPlace) std::memcpy(found, src, bytes);
    const bool flag = exec::Convert(conversion, buffers == Buffers::kInPlace ? found : src, found, n);
    if (flag != saturates) differences->AddWrongFlag(n, saturates);
    if (std::memcmp(found, expected_.data(), bytes) != 0) {
        for (size_t i = 0; i < n; ++i) {
            const uint64_t e = oracle::Load(conversion.dst, expected_.data(), i);
            const uint64_t f = oracle::Load(conversion.dst, found, i);
            if (e == f) continue;
            const bool scaled = conversion.deq != isa::DeqScale::kNone;
            differences->Add(oracle::Load(conversion.src, src, i), e, f,
                             scaled ? ", scale word " + Hex(DeqWord(conversion, i)) : "");
        }
    }
    for (size_t i = bytes; i < bytes + kGuard; ++i) {
        if (found[i] != kGuardByte) differences->Add(n, kGuardByte, found[i], " elements, guard byte behind them");
    }
}

}  // namespace sfumato::conformance
