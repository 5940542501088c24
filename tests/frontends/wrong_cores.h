// SPDX-License-Identifier: Apache-2.0
// Wrong programs of several cores, and the exact report each must give in every run.
#pragma once

#include <vector>

#include "wrong_programs.h"

namespace sfumato::wrong {

// gm has 64 KiB of zeros at a multiple of 512. Reports refer to lines by Wrong, Earlier and Also: {wrong}, {earlier} and
// {also} in `found`.
struct CoresProgram {
    const char* name;
    void (*kernel)(GM_ADDR gm);
    Expected report;
    uint32_t blocks = 1;
    CoreChoice core = CoreChoice::kDefault;
    const char* chip = "Ascend910B1";
    std::vector<const char*> others = {};  // rules of the findings besides the report
    const char* function = nullptr;        // the kernel's name, when it declares its type
    bool one_worker = false;               // what it does depends on which of two cores is faster
};

void Also(Where where = Where::Here());

// The workspace of the calls through memory, and as much of UB as any of them needs.
inline GlobalTensor<int32_t> Slots(GM_ADDR gm) { return Gm<int32_t>(gm + 32768, 8192); }
inline LocalTensor<int32_t> Work() { return Ub<int32_t>(0, 1024); }

std::vector<CoresProgram> DeadlockFlagPrograms();
std::vector<CoresProgram> DeadlockMeetingPrograms();
std::vector<CoresProgram> CrossFlagPrograms();
std::vector<CoresProgram> CrossMemoryPrograms();

}  // namespace sfumato::wrong
