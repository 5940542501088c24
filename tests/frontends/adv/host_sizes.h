// SPDX-License-Identifier: Apache-2.0
// Runs a call with the temporary buffers that the host's functions name, and compares all it wrote.
#pragma once

#include <set>
#include <string>

#include "frontends/adv/in_ub.h"
#include "tiling/tiling_api.h"

namespace sfumato::adv_test {

struct Sizes {
    uint32_t max = 0, min = 0;
};

template <class T>
std::vector<uint8_t> BytesOf(const LocalTensor<T>& tensor) {
    return InUb::Values(tensor.template ReinterpretCast<uint8_t>(), static_cast<uint32_t>(tensor.GetSize() * sizeof(T)));
}

// run(ub, bytes of the temporary buffer): the bytes that the call wrote. No finding: neither a fault nor the warning
// that the buffer is smaller than the minimum.
template <class Run>
void SameBytes(const std::string& name, const Sizes& sizes, const Run& run, const char* chip = "Ascend910B1") {
    EXPECT_LE(sizes.min, sizes.max) << name;
    constexpr uint32_t kRoom = 96 * 1024;
    std::vector<uint8_t> first;
    for (const uint32_t bytes : std::set<uint32_t>{sizes.min, std::min(sizes.min + 352, sizes.max),
                                                   std::max(sizes.min, std::min(sizes.max, kRoom))}) {
        const std::string text = name + " with " + std::to_string(bytes) + " bytes";
        std::vector<uint8_t> got;
        OnCore(text.c_str(), [&](InUb& ub) { got = run(ub, bytes); }, chip);
        EXPECT_FALSE(got.empty()) << text;
        if (first.empty()) first = got;
        EXPECT_TRUE(got == first) << text << ": other bytes than with " << sizes.min;
    }
}

}  // namespace sfumato::adv_test
