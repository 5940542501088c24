// SPDX-License-Identifier: Apache-2.0
#include "runtime/process_taker.h"

namespace sfumato::runtime {

ProcessTaker& CurrentProcessTaker() {
    thread_local ProcessTaker taker = nullptr;
    return taker;
}

}  // namespace sfumato::runtime
