// SPDX-License-Identifier: Apache-2.0
// Refusals of tiling functions: what aclGetRecentErrMsg returns, or what is printed when the program ends.
#pragma once

#include "host/device.h"
#include "sfumato/report.h"

namespace sfumato::host {

// 0, or -1 after an Error, whose text is said.
template <class Call>
int32_t Tried(const Call& call) {
    try {
        call();
        return 0;
    } catch (const Error& error) {
        Device::The().Say(error.what());
        return -1;
    }
}

}  // namespace sfumato::host
