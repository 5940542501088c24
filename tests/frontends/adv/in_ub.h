// SPDX-License-Identifier: Apache-2.0
// Tensors of numbers in UB around one high-level call.
#pragma once

#include <gtest/gtest.h>

#include <cmath>
#include <cstring>
#include <functional>
#include <random>
#include <vector>

#include "kernel_operator.h"
#include "sfumato/launch.h"

namespace sfumato::adv_test {

// Tensors one after another from byte 0; what they leave of UB up to 128 KiB, and the rest, is free.
class InUb {
public:
    // A tensor with these values.
    template <class T>
    AscendC::LocalTensor<T> Of(const std::vector<T>& values) {
        auto tensor = Room<T>(static_cast<uint32_t>(values.size()));
        for (uint32_t i = 0; i < values.size(); ++i) tensor.SetValue(i, values[i]);
        return tensor;
    }
    template <class T>
    AscendC::LocalTensor<T> Room(uint32_t count) {
        AscendC::LocalTensor<T> tensor(AscendC::TPosition::VECCALC, at_, count);
        at_ += (count * static_cast<uint32_t>(sizeof(T)) + 31) / 32 * 32;
        return tensor;
    }
    AscendC::LocalTensor<uint8_t> Tmp(uint32_t bytes) { return Room<uint8_t>(bytes); }

    void Before() { Order<AscendC::HardEvent::S_V>(); }
    void After() { Order<AscendC::HardEvent::V_S>(); }
    template <class T>
    static std::vector<T> Values(const AscendC::LocalTensor<T>& tensor, uint32_t count) {
        std::vector<T> values;
        for (uint32_t i = 0; i < count; ++i) values.push_back(tensor.GetValue(i));
        return values;
    }

private:
    template <AscendC::HardEvent event>
    void Order() {
        AscendC::SetFlag<event>(0);
        AscendC::WaitFlag<event>(0);
    }
    uint32_t at_ = 0;
};

inline void OnCore(const char* name, const std::function<void(InUb&)>& kernel, const char* chip = "Ascend910B1") {
    GlobalMemory memory;
    LaunchOptions options;
    options.chip = chip;
    options.overflow = Overflow::kInfNan;
    options.auto_sync = false;
    options.check = "races,init";
    const LaunchResult result = Launch(options, 1, memory, [&] {
        AscendC::TPipe pipe;
        AscendC::TBuf<AscendC::TPosition::VECCALC> all;
        pipe.InitBuffer(all, 128 * 1024);
        InUb ub;
        kernel(ub);
    });
    for (const Report& finding : result.findings) {
        ADD_FAILURE() << name << ": " << finding.message << " (" << finding.found << ")";
    }
}

template <class T>
void ExpectBits(const std::string& name, const std::vector<T>& got, const std::vector<T>& want) {
    ASSERT_EQ(got.size(), want.size()) << name;
    for (size_t i = 0; i < got.size(); ++i) {
        const float a = static_cast<float>(got[i]), b = static_cast<float>(want[i]);
        if (std::isnan(a) && std::isnan(b)) continue;
        ASSERT_EQ(std::memcmp(&got[i], &want[i], sizeof(T)), 0) << name << " " << i << ": " << a << ", not " << b;
    }
}

template <class T>
std::vector<T> Normal(uint32_t count, float deviation = 3, uint32_t seed = 7) {
    std::mt19937 random(seed);
    std::normal_distribution<float> normal(0, deviation);
    std::vector<T> values;
    for (uint32_t i = 0; i < count; ++i) values.push_back(T(normal(random)));
    return values;
}

template <class T>
std::vector<float> Floats(const std::vector<T>& values) {
    return {values.begin(), values.end()};
}
// Each number `times` in a row, rounded to T.
template <class T>
std::vector<T> Blocks(const std::vector<float>& values, uint32_t times) {
    std::vector<T> blocks;
    for (const float v : values) blocks.insert(blocks.end(), times, T(v));
    return blocks;
}

// The tree of WholeReduceSum in groups of 256 bytes of T, each addition rounded to T (adv.md 4.0).
template <class T>
float TreeSum(const std::vector<float>& values) {
    std::vector<float> row = values;
    constexpr size_t kLanes = 256 / sizeof(T);
    while (row.size() > 1) {
        std::vector<float> sums;
        for (size_t first = 0; first < row.size(); first += kLanes) {
            std::vector<float> group(row.begin() + static_cast<long>(first),
                                     row.begin() + static_cast<long>(std::min(row.size(), first + kLanes)));
            while (group.size() > 1) {
                std::vector<float> half_as_many;
                for (size_t i = 0; i < group.size(); i += 2) {
                    const float sum = i + 1 < group.size() ? group[i] + group[i + 1] : group[i];
                    half_as_many.push_back(static_cast<float>(T(sum)));
                }
                group = half_as_many;
            }
            sums.push_back(group[0]);
        }
        row = sums;
    }
    return row[0];
}

inline float Exp(float x) { return static_cast<float>(std::exp(static_cast<double>(x))); }

}  // namespace sfumato::adv_test
