// SPDX-License-Identifier: Apache-2.0
// Refusals of tiling functions: what aclGetRecentErrMsg returns, or what is printed when the program ends.
#pragma once

#include "host/device.h"
#include "sfumato/report.h"
#include "sfumato/tiling/vector_planner.h"

namespace sfumato::host {

// 0, or -1 after an Error, whose text is said.
template <class Call>
int32_t Tried(const Call& call) {
    try {
        call();
        return 0;
    } catch (const Error& error) {
        Device::Say(error.what());
        return -1;
    }
}

// The sizes, or 0 and 0 after a refusal; whether there was none.
template <class Sizes>
bool SizesOrZero(uint32_t& max, uint32_t& min, const Sizes& sizes) {
    tiling::TmpSizes found;
    const bool done = Tried([&] { found = sizes(); }) == 0;
    max = found.max, min = found.min;
    return done;
}

}  // namespace sfumato::host
