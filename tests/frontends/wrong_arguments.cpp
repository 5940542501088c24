// SPDX-License-Identifier: Apache-2.0
// Wrong programs: tiling, tiling keys, workspaces, lists of tensors.
#include "wrong_programs.h"

namespace sfumato::wrong {
namespace {

struct Tiling {
    uint32_t rows, columns, more[10];
};

constexpr const char* kTilingHint =
    "pass tiling:FILE with the struct's bytes in host layout; host and kernel must agree on the struct";
constexpr const char* kListHint = "pass list:A.npy,B.npy, a Python list of arrays, or GlobalMemory::AllocateList";

}  // namespace

std::vector<Program> ArgumentPrograms() {
    return {
        {.name = "tiling_too_small",
         .kernel = [](GM_ADDR, GM_ADDR tail) __aicore__ {
             Wrong(); GET_TILING_DATA_WITH_STRUCT(Tiling, tiling, tail);
             (void)tiling;
         },
         .report = {.rule = "tiling-size", .instruction = "GET_TILING_DATA",
                    .operand = "sfumato::wrong::Tiling",
                    .message = "GET_TILING_DATA: the tiling argument is smaller than the struct",
                    .found = "40 bytes", .legal = "48 bytes", .hint = kTilingHint}},
        {.name = "tiling_of_no_memory",
         .kernel = [](GM_ADDR, GM_ADDR) __aicore__ {
             Wrong(); GET_TILING_DATA_PTR_WITH_STRUCT(Tiling, tiling, nullptr);
             (void)tiling;
         },
         .report = {.rule = "tiling-size", .instruction = "GET_TILING_DATA_PTR_WITH_STRUCT",
                    .operand = "sfumato::wrong::Tiling",
                    .message = "GET_TILING_DATA_PTR_WITH_STRUCT: the tiling argument is smaller than the struct",
                    .found = "a pointer into no global memory", .legal = "48 bytes", .hint = kTilingHint}},
        {.name = "registered_tiling_too_small",
         .kernel = [](GM_ADDR, GM_ADDR tail) __aicore__ {
             REGISTER_TILING_DEFAULT(uint64_t[6]);
             Wrong(); COPY_TILING_WITH_ARRAY(uint64_t, 6, tail, numbers);
             (void)numbers;
         },
         .report = {.rule = "tiling-size", .instruction = "COPY_TILING_WITH_ARRAY", .operand = "long unsigned int [6]",
                    .message = "COPY_TILING_WITH_ARRAY: the tiling argument is smaller than the struct",
                    .found = "40 bytes", .legal = "48 bytes", .hint = kTilingHint}},
        {.name = "tiling_key_of_no_branch",
         .kernel = [](GM_ADDR, GM_ADDR) __aicore__ {
             if (Wrong(), TILING_KEY_IS(3)) {
             } else if (TILING_KEY_IS(7)) {
             }
         },
         .report = {.severity = Severity::kWarning, .rule = "tiling-key-unused", .instruction = "TILING_KEY_IS",
                    .message = "TILING_KEY_IS: none of the keys that the kernel asks for is the launch's: no branch was "
                               "taken",
                    .found = "tiling key 0", .legal = "a key that the kernel has a branch for",
                    .hint = "pass it: --tiling-key N, options(tiling_key=N), LaunchOptions::tiling_key, "
                            "ICPU_SET_TILING_KEY(N)"}},
        {.name = "key_list_without_a_type",
         .kernel = [](GM_ADDR, GM_ADDR) __aicore__ { Wrong(), (void)TILING_KEY_LIST(0, 1); },
         .report = {.rule = "tiling-key-list", .instruction = "TILING_KEY_LIST",
                    .message = "TILING_KEY_LIST: two keys share a branch only in a kernel declared as mixed",
                    .found = "no KERNEL_TASK_TYPE_DEFAULT",
                    .legal = "KERNEL_TASK_TYPE_DEFAULT(KERNEL_TYPE_MIX_AIC_1_1) or MIX_AIC_1_2, on Ascend910B",
                    .hint = "write TILING_KEY_IS(k1) || TILING_KEY_IS(k2)"}},
        {.name = "key_list_of_coupled_cores",
         .kernel = [](GM_ADDR, GM_ADDR) __aicore__ { Wrong(), (void)TILING_KEY_LIST(0, 1); },
         .report = {.rule = "tiling-key-list", .instruction = "TILING_KEY_LIST",
                    .message = "TILING_KEY_LIST: two keys share a branch only in a kernel declared as mixed",
                    .found = "Ascend310P",
                    .legal = "KERNEL_TASK_TYPE_DEFAULT(KERNEL_TYPE_MIX_AIC_1_1) or MIX_AIC_1_2, on Ascend910B",
                    .hint = "write TILING_KEY_IS(k1) || TILING_KEY_IS(k2)", .core = "core0"},
         .chip = "Ascend310P3"},
        {.name = "system_workspace_missing",
         .kernel = [](GM_ADDR, GM_ADDR) __aicore__ { Wrong(), (void)GetSysWorkSpacePtr(); },
         .report = {.rule = "system-workspace", .instruction = "GetSysWorkSpacePtr",
                    .message = "GetSysWorkSpacePtr: there is no system workspace",
                    .found = "no SetSysWorkspace before it, and a launch without one",
                    .legal = "SetSysWorkspace(workspace) before it, or a launch with a system workspace",
                    .hint = "LaunchOptions::system_workspace = sfumato::kSystemWorkspaceBytes"}},
        {.name = "system_workspace_null",
         .kernel = [](GM_ADDR, GM_ADDR) __aicore__ { Wrong(), SetSysWorkspace(nullptr); },
         .report = {.rule = "system-workspace", .instruction = "SetSysWorkspace", .operand = "workspace",
                    .message = "SetSysWorkspace: the system workspace lies in global memory",
                    .found = "a null pointer", .legal = "the kernel's workspace argument",
                    .hint = "pass workspace:BYTES for it"}},
        {.name = "list_of_no_memory",
         .kernel = [](GM_ADDR, GM_ADDR) __aicore__ { Wrong(), (void)ListTensorDesc(nullptr); },
         .report = {.rule = "tensor-list", .instruction = "ListTensorDesc", .operand = "list",
                    .message = "ListTensorDesc: the argument is no list of tensors",
                    .found = "a pointer into no global memory", .legal = "global memory, aligned to 8 bytes",
                    .hint = kListHint}},
        {.name = "list_of_an_array",
         .kernel = [](GM_ADDR gm, GM_ADDR) __aicore__ { Wrong(), (void)ListTensorDesc(gm); },
         .report = {.rule = "tensor-list", .instruction = "ListTensorDesc", .operand = "list",
                    .message = "ListTensorDesc: the argument is no list of tensors",
                    .found = "its pointers begin at byte 18374403900871474942", .legal = "a multiple of 8 from 8 to 4096",
                    .hint = kListHint}},
        {.name = "tensor_past_the_list",
         .kernel = [](GM_ADDR, GM_ADDR) __aicore__ { Wrong(), (void)ListTensorDesc().GetDataPtr<half>(2); },
         .report = {.rule = "tensor-list", .instruction = "GetDataPtr", .operand = "index",
                    .message = "GetDataPtr: the list has no such tensor", .found = "2",
                    .legal = "none: the list is empty or not initialised"}},
        {.name = "shape_without_an_address",
         .kernel = [](GM_ADDR, GM_ADDR) __aicore__ { Wrong(), (void)TensorDesc<half>().GetShape(0); },
         .report = {.rule = "tensor-list", .instruction = "GetShape", .operand = "shape",
                    .message = "GetShape: the descriptor has no such shape", .found = "no SetShapeAddr",
                    .legal = "SetShapeAddr with room for all dimensions before GetDesc; dimensions below GetDim()"}},
    };
}

}  // namespace sfumato::wrong
