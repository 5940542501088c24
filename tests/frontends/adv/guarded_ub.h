// SPDX-License-Identifier: Apache-2.0
// Runs one high-level call on data of the scalar unit, and compares all of what it left bit for bit.
#pragma once

#include <gtest/gtest.h>

#include <functional>
#include <random>
#include <vector>

#include "kernel_operator.h"
#include "sfumato/launch.h"

namespace sfumato::adv_test {

using namespace AscendC;

inline LaunchResult OnChip(const char* chip, const std::function<void()>& kernel) {
    GlobalMemory memory;
    LaunchOptions options;
    options.chip = chip;
    options.overflow = Overflow::kBoard;
    options.auto_sync = false;
    options.check = "races,init";
    return Launch(options, 1, memory, kernel);
}

// Tensors of a test one after another, each with a block of guards behind it.
class GuardedUb {
public:
    template <class T>
    LocalTensor<T> Put(const std::vector<T>& values) {
        LocalTensor<T> tensor = Take<T>(values.size());
        for (uint32_t i = 0; i < values.size(); ++i) tensor.SetValue(i, values[i]);
        return tensor;
    }
    template <class T>
    LocalTensor<T> Take(uint64_t count) {
        const auto at = next_;
        next_ = static_cast<uint32_t>((at + count * sizeof(T) + 63) / 32 * 32);
        return LocalTensor<T>(TPosition::VECCALC, at, static_cast<uint32_t>(count));
    }
    uint32_t used() const { return next_; }

private:
    uint32_t next_ = 0;
};

inline void ScalarsToVectors() {
    SetFlag<HardEvent::S_V>(0);
    WaitFlag<HardEvent::S_V>(0);
}
inline void VectorsToScalars() {
    SetFlag<HardEvent::V_S>(0);
    WaitFlag<HardEvent::V_S>(0);
}

template <class T>
void ExpectElements(const char* name, const LocalTensor<T>& got, const std::vector<T>& want) {
    for (uint32_t i = 0; i < want.size(); ++i) {
        const T value = got.GetValue(i);
        ASSERT_EQ(sfumato::ascendc::ToBits(value), sfumato::ascendc::ToBits(want[i]))
            << name << " " << i << ": " << static_cast<float>(value) << ", not " << static_cast<float>(want[i]);
    }
}

inline void ExpectNoFindings(const char* name, const LaunchResult& result) {
    for (const Report& finding : result.findings) {
        ADD_FAILURE() << name << ": " << finding.message << " (" << finding.found << "; " << finding.legal << ")";
    }
}

template <class T>
std::vector<T> Numbers(uint64_t count, uint32_t seed, float scale = 50) {
    std::mt19937 random(seed);
    std::uniform_real_distribution<float> uniform(-scale, scale);
    std::vector<T> values;
    for (uint64_t i = 0; i < count; ++i) values.push_back(static_cast<T>(uniform(random)));
    return values;
}

inline constexpr const char* kChips[] = {"Ascend910B1", "Ascend310P3"};

}  // namespace sfumato::adv_test
