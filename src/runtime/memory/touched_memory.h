// SPDX-License-Identifier: Apache-2.0
// Launches that tell which bytes of global memory they touched.
#pragma once

#include <cstdint>
#include <functional>
#include <vector>

#include "sfumato/launch.h"

namespace sfumato::runtime {

// Bytes of an allocation that some core read, or wrote.
struct TouchedBytes {
    const uint8_t* begin;
    uint64_t bytes;
    bool write;
};

// As sfumato::Launch. `touched` gets the bytes that instructions and scalar code touched, sorted, each run once as read
// and once as written.
LaunchResult LaunchTouching(const LaunchOptions& options, uint32_t blocks, GlobalMemory& memory,
                            const std::function<void()>& kernel, std::vector<TouchedBytes>& touched);

}  // namespace sfumato::runtime
