// SPDX-License-Identifier: Apache-2.0
// Small products and what they must be, element by element in ascending k (adv.md 2.9), for the tests of Matmul.
#pragma once

#include <gtest/gtest.h>

#include <cstring>
#include <functional>
#include <random>
#include <string>
#include <vector>

#include "lib/matmul_intf.h"
#include "sfumato/launch.h"

namespace sfumato::matmul_test {

using namespace AscendC;

inline int32_t Rounded(int32_t a, int32_t unit) { return (a + unit - 1) / unit * unit; }

struct Shape {
    int32_t m, n, k;
};

// A legal plan by hand: the whole on one core, in base blocks of these sizes.
inline TCubeTiling Tiling(Shape s, int32_t base_m = 32, int32_t base_n = 48, int32_t base_k = 64) {
    TCubeTiling t;
    t.usedCoreNum = 1;
    t.M = t.singleCoreM = s.m;
    t.N = t.singleCoreN = s.n;
    t.Ka = t.Kb = t.singleCoreK = s.k;
    t.baseM = base_m, t.baseN = base_n, t.baseK = base_k;
    t.stepM = t.stepN = t.stepKa = t.stepKb = 1;
    t.depthA1 = t.depthB1 = 2;
    t.dbL0A = t.dbL0B = 2;
    t.dbL0C = 1;
    return t;
}

template <class T>
float ToFloat(T value) {
    return static_cast<float>(value);
}

template <class T>
std::vector<T> Random(size_t count, uint64_t seed) {
    std::mt19937_64 random(seed);
    std::vector<T> values(count);
    for (T& value : values) {
        if constexpr (std::is_same_v<T, int8_t> || std::is_same_v<T, int32_t>) {
            value = static_cast<T>(static_cast<int>(random() % 255) - 127);
        } else {
            value = T(static_cast<float>(static_cast<int64_t>(random() % 4001) - 2000) / 1024.0f);
        }
    }
    return values;
}

// Row-major; transposed: stored the other way.
template <class T>
struct Matrix {
    int32_t rows, columns;
    bool transposed;
    std::vector<T> stored;
    T At(int32_t r, int32_t c) const {
        return stored[static_cast<size_t>(transposed ? int64_t{c} * rows + r : int64_t{r} * columns + c)];
    }
};
template <class T>
Matrix<T> RandomMatrix(int32_t rows, int32_t columns, bool transposed, uint64_t seed) {
    return {rows, columns, transposed, Random<T>(static_cast<size_t>(rows) * static_cast<size_t>(columns), seed)};
}

// One chain over k that begins with `start`. Acc: float or int32_t.
template <class Acc, class T>
Acc Sum(const Matrix<T>& a, const Matrix<T>& b, int32_t m, int32_t n, Acc start = {}) {
    Acc sum = start;
    for (int32_t k = 0; k < a.columns; ++k) {
        if constexpr (std::is_same_v<Acc, int32_t>) {
            sum += static_cast<int32_t>(a.At(m, k)) * static_cast<int32_t>(b.At(k, n));
        } else {
            const volatile float product = ToFloat(a.At(m, k)) * ToFloat(b.At(k, n));
            const volatile float next = sum + product;
            sum = next;
        }
    }
    return sum;
}

template <class T>
uint8_t* Put(GlobalMemory& memory, const std::vector<T>& values, const char* name) {
    uint8_t* at = memory.Allocate(values.size() * sizeof(T), name);
    std::memcpy(at, static_cast<const void*>(values.data()), values.size() * sizeof(T));
    return at;
}
template <class T>
std::vector<T> Get(const uint8_t* at, size_t count) {
    std::vector<T> values(count);
    std::memcpy(static_cast<void*>(values.data()), at, count * sizeof(T));
    return values;
}

inline std::string Told(const LaunchResult& result) {
    std::string text;
    for (const Report& r : result.findings) text += r.Text() + "\n";
    return text;
}

inline LaunchOptions Options(const std::string& schedule, CoreChoice core, bool auto_sync = false) {
    LaunchOptions options;
    options.chip = "Ascend910B1";
    options.core = core;
    options.schedule = schedule;
    options.auto_sync = auto_sync;
    options.check = "races,init,sync";
    options.kernel = "kernel";
    options.system_workspace = kSystemWorkspaceBytes;
    return options;
}

inline const std::vector<std::string>& Schedules() {
    static const std::vector<std::string> schedules = {"eager", "serial", "late", "ahead", "seed:1", "seed:2", "seed:3"};
    return schedules;
}

template <class T>
GlobalTensor<T> Gm(uint8_t* p, uint64_t count = 0) {
    GlobalTensor<T> tensor;
    tensor.SetGlobalBuffer(reinterpret_cast<T*>(p), count);
    return tensor;
}

// The same bytes, the first difference named.
template <class T>
::testing::AssertionResult SameBytes(const std::vector<T>& got, const std::vector<T>& want, int32_t row) {
    for (size_t i = 0; i < want.size(); ++i) {
        if (std::memcmp(static_cast<const void*>(&got[i]), static_cast<const void*>(&want[i]), sizeof(T)) == 0) continue;
        return ::testing::AssertionFailure() << "row " << i / static_cast<size_t>(row) << ", column " << i % static_cast<size_t>(row) << ": "
                                             << ToFloat(got[i]) << ", not " << ToFloat(want[i]);
    }
    return ::testing::AssertionSuccess();
}

}  // namespace sfumato::matmul_test
