// SPDX-License-Identifier: Apache-2.0
// Wrong programs: tiling, tiling keys, workspaces, lists of tensors.
#include "wrong_programs.h"

namespace sfumato::wrong {
namespace {

struct Tiling {
    uint32_t rows, columns, more[10];
};

}  // namespace

const Table<Program> kArgument = {
    {"tiling_too_small", "tiling-size", [](GM_ADDR, GM_ADDR tail) __aicore__ {
         Wrong(); GET_TILING_DATA_WITH_STRUCT(Tiling, tiling, tail);
         (void)tiling;
     }},
    {"tiling_of_no_memory", "tiling-size", [](GM_ADDR, GM_ADDR) __aicore__ {
         Wrong(); GET_TILING_DATA_PTR_WITH_STRUCT(Tiling, tiling, nullptr);
         (void)tiling;
     }},
    {"registered_tiling_too_small", "tiling-size", [](GM_ADDR, GM_ADDR tail) __aicore__ {
         REGISTER_TILING_DEFAULT(uint64_t[6]);
         Wrong(); COPY_TILING_WITH_ARRAY(uint64_t, 6, tail, numbers);
         (void)numbers;
     }},
    {"tiling_key_of_no_branch", "tiling-key-unused", [](GM_ADDR, GM_ADDR) __aicore__ {
         if (Wrong(), TILING_KEY_IS(3)) {
         } else if (TILING_KEY_IS(7)) {
         }
     }},
    {"key_list_without_a_type", "tiling-key-list",
     [](GM_ADDR, GM_ADDR) __aicore__ { Wrong(), (void)TILING_KEY_LIST(0, 1); }},
    {"key_list_of_coupled_cores", "tiling-key-list",
     [](GM_ADDR, GM_ADDR) __aicore__ { Wrong(), (void)TILING_KEY_LIST(0, 1); }, {.chip = "Ascend310P3"}},
    {"system_workspace_missing", "system-workspace",
     [](GM_ADDR, GM_ADDR) __aicore__ { Wrong(), (void)GetSysWorkSpacePtr(); }},
    {"system_workspace_null", "system-workspace",
     [](GM_ADDR, GM_ADDR) __aicore__ { Wrong(), SetSysWorkspace(nullptr); }},
    {"list_of_no_memory", "tensor-list",
     [](GM_ADDR, GM_ADDR) __aicore__ { Wrong(), (void)ListTensorDesc(nullptr); }},
    {"list_of_an_array", "tensor-list", [](GM_ADDR gm, GM_ADDR) __aicore__ { Wrong(), (void)ListTensorDesc(gm); }},
    {"tensor_past_the_list", "tensor-list",
     [](GM_ADDR, GM_ADDR) __aicore__ { Wrong(), (void)ListTensorDesc().GetDataPtr<half>(2); }},
    {"shape_without_an_address", "tensor-list",
     [](GM_ADDR, GM_ADDR) __aicore__ { Wrong(), (void)TensorDesc<half>().GetShape(0); }},
};

}  // namespace sfumato::wrong
