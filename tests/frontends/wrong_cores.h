// SPDX-License-Identifier: Apache-2.0
// Wrong programs of several cores.
#pragma once

#include <vector>

#include "wrong_programs.h"

namespace sfumato::wrong {

struct LaunchedCores {
    uint32_t blocks = 1;
    CoreChoice core = CoreChoice::kDefault;
    const char* chip = "Ascend910B1";
    const char* function = nullptr;  // the kernel's name, when it declares its type
    bool one_worker = false;         // what it does depends on which of two cores is faster
    const char* reports = "aiv0";    // the core that does
};

// gm has 64 KiB of zeros at a multiple of 512. Reports stand in reports/, as those of wrong_programs.h.
struct CoresProgram {
    const char* name;
    const char* rule;
    void (*kernel)(GM_ADDR gm);
    LaunchedCores launched = {};
};

inline void Also() {}  // as Earlier()

// The workspace of the calls through memory, and as much of UB as any of them needs.
inline GlobalTensor<int32_t> Slots(GM_ADDR gm) { return Gm<int32_t>(gm + 32768, 8192); }
inline LocalTensor<int32_t> Work() { return Ub<int32_t>(0, 1024); }

}  // namespace sfumato::wrong
