// SPDX-License-Identifier: Apache-2.0
// Kernels of int32 run under every schedule, one worker or two, and what cores leave for each other in global memory.
#pragma once
#include <gtest/gtest.h>

#include <cstring>
#include <functional>
#include <string>
#include <vector>

#include "kernel_operator.h"
#include "sfumato/launch.h"

namespace sfumato {

using namespace AscendC;

struct Way {
    std::string schedule;
    uint32_t workers;
};

// polls: the program reads memory that another core writes, which ThreadSanitizer calls a race: one core at a time there.
inline std::vector<Way> EveryWay([[maybe_unused]] bool polls = false) {
    std::vector<Way> ways;
    for (const uint32_t workers : {1u, 2u}) {
        for (const char* schedule : {"eager", "serial", "late", "ahead"}) ways.push_back({schedule, workers});
        for (int seed = 0; seed < 10; ++seed) ways.push_back({"seed:" + std::to_string(seed), workers});
    }
#ifdef __SANITIZE_THREAD__
    if (polls) std::erase_if(ways, [](const Way& way) { return way.schedule == "eager"; });
#endif
    return ways;
}

inline LaunchOptions On(const Way& way, CoreChoice core = CoreChoice::kDefault, const char* chip = "Ascend910B1") {
    LaunchOptions options;
    options.chip = chip;
    options.core = core;
    options.schedule = way.schedule;
    options.workers = way.workers;
    options.kernel = "kernel";
    return options;
}

inline std::string Told(const LaunchResult& result) {
    std::string text;
    for (const Report& r : result.findings) text += r.Text() + "\n";
    return text;
}

template <class T>
GlobalTensor<T> Gm(uint8_t* p, uint64_t count) {
    GlobalTensor<T> tensor;
    tensor.SetGlobalBuffer(reinterpret_cast<T*>(p), count);
    return tensor;
}

// Values of the scalar units: each in a cache line of its own, and cleaned, as other cores shall see them.
constexpr uint64_t kApart = 16;
inline void Put(GlobalTensor<int32_t> values, uint64_t place, int32_t value) {
    auto line = values[place * kApart];
    line.SetValue(0, value);
    DataCacheCleanAndInvalid<int32_t, CacheLine::SINGLE_CACHE_LINE, DcciDst::CACHELINE_OUT>(line);
}
inline int32_t Taken(GlobalTensor<int32_t> values, uint64_t place) {
    auto line = values[place * kApart];
    DataCacheCleanAndInvalid<int32_t, CacheLine::SINGLE_CACHE_LINE, DcciDst::CACHELINE_OUT>(line);
    return line.GetValue(0);
}
inline std::vector<int32_t> Apart(const std::vector<int32_t>& values) {
    std::vector<int32_t> apart(values.size() * kApart);
    for (size_t i = 0; i < values.size(); ++i) apart[i * kApart] = values[i];
    return apart;
}

// UB of a core, handed out by hand.
struct Ub {
    Ub() { pipe.InitBuffer(buffer, 64 << 10); }
    LocalTensor<int32_t> At(uint32_t element, uint32_t count) {
        LocalTensor<int32_t> tensor = buffer.Get<int32_t>()[element];
        tensor.SetSize(count);
        return tensor;
    }
    TPipe pipe;
    TBuf<> buffer;
};

// Runs a kernel of int32 in every way, over fresh zeroed memory of `count` elements; the same bytes each time.
inline void SameInEveryWay(uint32_t blocks, uint64_t count, const std::vector<int32_t>& want, const std::function<void(uint8_t*)>& kernel,
                    CoreChoice core = CoreChoice::kDefault, const char* chip = "Ascend910B1", bool polls = false) {
    for (const Way& way : EveryWay(polls)) {
        GlobalMemory memory;
        uint8_t* gm = memory.Allocate(count * 4, "gm");
        std::memset(gm, 0, count * 4);
        const LaunchResult result = Launch(On(way, core, chip), blocks, memory, [&] { kernel(gm); });
        ASSERT_EQ(Told(result), "") << way.schedule << ' ' << way.workers;
        std::vector<int32_t> got(want.size());
        std::memcpy(got.data(), gm, want.size() * 4);
        ASSERT_EQ(got, want) << way.schedule << ' ' << way.workers;
    }
}

}  // namespace sfumato
