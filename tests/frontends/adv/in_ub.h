// SPDX-License-Identifier: Apache-2.0
// One harness of the tests of high-level calls: tensors in UB with guards, and a launch that reports what it finds.
#pragma once

#include <gtest/gtest.h>

#include <cmath>
#include <cstring>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "kernel_operator.h"
#include "sfumato/launch.h"
#include "support/tensor_at.h"

namespace sfumato::adv_test {

using namespace AscendC;

inline constexpr const char* kChips[] = {"Ascend910B1", "Ascend310P3", "Ascend310B1"};

// Tensors one after another from byte 0, a block of guards behind each.
class InUb {
public:
    // A tensor with these values.
    template <class T>
    LocalTensor<T> Of(const std::vector<T>& values) {
        auto tensor = Room<T>(values.size());
        for (uint32_t i = 0; i < values.size(); ++i) tensor.SetValue(i, values[i]);
        return tensor;
    }
    template <class T>
    LocalTensor<T> Room(uint64_t count) {
        const uint32_t at = at_, end = at + static_cast<uint32_t>(count * sizeof(T));
        guards_.push_back(end);
        at_ = (end + 63) / 32 * 32;
        return At<T>(at, static_cast<uint32_t>(count));
    }
    LocalTensor<uint8_t> Tmp(uint32_t bytes) { return Room<uint8_t>(bytes); }
    uint32_t used() const { return at_; }

    // The call stands between these. Guards are those of the tensors before it.
    void Before() {
        written_ = guards_;
        for (const uint32_t at : written_) EachGuard(at, [](auto& guard, uint32_t i) { guard.SetValue(i, kGuard); });
        Order<HardEvent::S_V>();
    }
    void After() {
        Order<HardEvent::V_S>();
        for (const uint32_t at : written_) {
            EachGuard(at, [at](auto& guard, uint32_t i) {
                ASSERT_EQ(guard.GetValue(i), kGuard) << "UB byte " << i << " behind a tensor that ends at " << at;
            });
        }
    }
    template <class T>
    static std::vector<T> Values(const LocalTensor<T>& tensor, uint32_t count) {
        std::vector<T> values;
        for (uint32_t i = 0; i < count; ++i) values.push_back(tensor.GetValue(i));
        return values;
    }

private:
    static constexpr uint8_t kGuard = 0xA5;
    // Not by the constructor, which makes the kernel one without a TPipe (static.md 2.1).
    template <class T>
    static LocalTensor<T> At(uint32_t byte_offset, uint32_t count) {
        return TensorAt<T>(TPosition::VECCALC, byte_offset, count);
    }
    // The bytes from the first whole block behind a tensor on: instructions write whole blocks of some tensors.
    template <class F>
    static void EachGuard(uint32_t end, const F& f) {
        const auto guard = At<uint8_t>((end + 31) / 32 * 32, 32);
        for (uint32_t i = 0; i < 32; i += 8) f(guard, i);
    }
    template <HardEvent event>
    void Order() {
        SetFlag<event>(0);
        WaitFlag<event>(0);
    }
    uint32_t at_ = 0;
    std::vector<uint32_t> guards_, written_;
};

inline LaunchResult OnChip(const char* chip, const std::function<void()>& kernel,
                           Overflow overflow = Overflow::kBoard) {
    GlobalMemory memory;
    LaunchOptions options;
    options.chip = chip;
    options.overflow = overflow;
    options.auto_sync = false;
    options.check = "races,init";
    return Launch(options, 1, memory, kernel);
}
inline void ExpectNoFindings(const char* name, const LaunchResult& result) {
    for (const Report& finding : result.findings) {
        // All of UB is compared, the source that a call gave up, too.
        if (finding.rule == "source-reused") continue;
        ADD_FAILURE() << name << ": " << finding.message << " (" << finding.found << "; " << finding.legal << ")";
    }
}
// The first 128 KiB are the tensors', the rest is free; infinities are kept where the chip can.
inline LaunchResult RunOnCore(const std::function<void(InUb&)>& kernel, const char* chip) {
    const auto with_pipe = [&] {
        TPipe pipe;
        TBuf<TPosition::VECCALC> all;
        pipe.InitBuffer(all, 128 * 1024);
        InUb ub;
        kernel(ub);
    };
    const bool keeps = std::string_view(chip) == kChips[0];  // the others saturate alone
    return OnChip(chip, with_pipe, keeps ? Overflow::kInfNan : Overflow::kBoard);
}
inline void OnCore(const char* name, const std::function<void(InUb&)>& kernel, const char* chip = "Ascend910B1") {
    ExpectNoFindings(name, RunOnCore(kernel, chip));
}

inline void OnChips(const std::string& name, const std::function<void(InUb&)>& kernel) {
    for (const char* chip : {kChips[0], kChips[1]}) OnCore((name + " on " + chip).c_str(), kernel, chip);
}

// The same bits, where any NaN is as good as another.
template <class T>
void ExpectBits(const std::string& name, const std::vector<T>& got, const std::vector<T>& want) {
    ASSERT_EQ(got.size(), want.size()) << name;
    for (size_t i = 0; i < got.size(); ++i) {
        const float a = static_cast<float>(got[i]), b = static_cast<float>(want[i]);
        if (std::isnan(a) && std::isnan(b)) continue;
        ASSERT_EQ(std::memcmp(&got[i], &want[i], sizeof(T)), 0) << name << " " << i << ": " << a << ", not " << b;
    }
}

// Each number `times` in a row, rounded to T.
template <class T>
std::vector<T> Blocks(const std::vector<float>& values, uint32_t times) {
    std::vector<T> blocks;
    for (const float v : values) blocks.insert(blocks.end(), times, T(v));
    return blocks;
}

}  // namespace sfumato::adv_test
