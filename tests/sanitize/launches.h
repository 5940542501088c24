// SPDX-License-Identifier: Apache-2.0
// Small launches under a check, and what they report.
#pragma once

#include <gtest/gtest.h>

#include <functional>
#include <string>

#include "kernel_operator.h"
#include "sfumato/launch.h"
#include "support/golden.h"
#include "support/raised.h"
#include "support/tensor_at.h"

namespace sfumato::sanitize_test {

using namespace AscendC;
using Role = GlobalMemory::Role;

// A tensor at a byte offset of the memory behind a position, and of UB; not by the constructor, which makes the kernel
// one without a TPipe (static.md 2.1).
template <class T>
LocalTensor<T> At(TPosition position, uint32_t count, uint32_t byte_offset = 0) {
    return TensorAt<T>(position, byte_offset, count);
}
template <class T>
LocalTensor<T> Ub(uint32_t byte_offset, uint32_t count) {
    return At<T>(TPosition::VECCALC, count, byte_offset);
}

template <class T>
GlobalTensor<T> Gm(const void* address, uint64_t count, Where where = Where::Here()) {
    GlobalTensor<T> tensor;
    tensor.SetGlobalBuffer(static_cast<T*>(const_cast<void*>(address)), count, where);
    return tensor;
}

struct Bench {
    explicit Bench(const char* check, const char* chip = "Ascend910B1") {
        options.chip = chip;
        options.kernel = "kernel";
        options.check = check;
    }

    template <class T>
    T* Allocate(const char* name, uint64_t count, Role role, const std::vector<T>& content = {}) {
        uint8_t* p = memory.Allocate(count * sizeof(T), name, content.empty() ? nullptr : content.data());
        memory.SetRole(p, role);
        return reinterpret_cast<T*>(p);
    }
    const std::vector<Report>& Run(uint32_t blocks, const std::function<void()>& kernel) {
        result = Launch(options, blocks, memory, kernel);
        return result.findings;
    }
    // Of all findings, without the paths of the sources, with empty lines between.
    std::string Text() const {
        std::string text;
        for (const Report& report : result.findings) {
            Raised(report.rule);
            text += (text.empty() ? "" : "\n\n") + report.Text();
        }
        const std::string path = __FILE__, folder = path.substr(0, path.rfind('/') + 1);
        for (size_t at; (at = text.find(folder)) != std::string::npos;) text.erase(at, folder.size());
        return text;
    }

    // All findings are those that reports/ has under the name of the test.
    void ExpectPinned(const char* source) const {
        for (const Report& report : result.findings) Raised(report.rule);
        ExpectReports(source, NameOfTest(), result.findings);
    }

    GlobalMemory memory;
    LaunchOptions options;
    LaunchResult result;
};

}  // namespace sfumato::sanitize_test
