// SPDX-License-Identifier: Apache-2.0
// The task types that code declares, known from the moment it is loaded: a launch chooses its cores before any kernel
// code runs.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "report/finding.h"
#include "sfumato/launch.h"
#include "soc/chip.h"

namespace sfumato::runtime {

// Which cores a launch starts on a chip with separate cube and vector cores (framework.md 4.2).
enum class TaskType : uint8_t { kAivOnly, kAicOnly, kMixAiv10, kMixAic10, kMixAic11, kMixAic12, kAiCore };

// Cube and vector cores of a block.
struct Shape {
    uint32_t cube = 0, vector = 0;
    uint32_t cores() const { return cube + vector ? cube + vector : 1; }
    bool operator==(const Shape&) const = default;
};
Shape ShapeOf(TaskType type);
// "KERNEL_TYPE_MIX_AIC_1_2"
const char* Name(TaskType type);

// The type a function's qualifiers declare: "__vector__", "__cube__", "__mix__(aic, aiv)" with one blank.
std::optional<TaskType> TaskTypeOfQualifier(std::string_view qualifier);

// What stands before the name of a kernel in compiled code where something else has the name (jit/kernel_names.h).
constexpr std::string_view kKernelPrefix = "sfumato_named_";

// One declaration, by KERNEL_TASK_TYPE or a qualifier. `owner` is an address in the module that makes it;
// ForgetTaskType knows the note by it.
struct TaskTypeNote {
    const void* owner;
    std::string function;  // as people write it: "ops::kernel", "kernel<3, true>", "main::{lambda()#1}::operator()"
    TaskType type;
    std::optional<uint64_t> key;  // none: for every tiling key
    Where where = {};
    std::string qualifier = {};  // "__cube__", where it declares the type
};
void NoteTaskType(TaskTypeNote note);
void ForgetTaskType(const void* owner);

// The function around the closure type of this mangled name, as TaskTypeNote::function wants it.
std::string EnclosingFunction(const char* closure_type);

// Which cores a launch has, and who said so.
struct TaskTypeChoice {
    TaskType type = TaskType::kAiCore;
    bool declared = false;            // by a KERNEL_TASK_TYPE that is known before the launch
    bool by_source = false;           // by that or by a qualifier
    std::string from;                 // "declared by KERNEL_TASK_TYPE", "derived from its code"
    std::vector<Report> faults;       // of the declarations; the kernel does not run
    std::vector<Report> doubts = {};  // warnings about what was derived from its code (KernelCall::use_findings)
};

// On a chip with separate cores, the first of:
// - the KERNEL_TASK_TYPE of the kernel's code for the tiling key, else the one for every key; a kernel of a compiled
//   source that declares nothing itself has, unless the host chose cores, what the functions of the source that are no
//   kernels declare: it may call them. Declarations that contradict each other count as none;
// - the function's qualifier;
// - LaunchOptions::core;
// - what its code needs (KernelCall::use);
// - a vector core.
TaskTypeChoice ChooseTaskType(const soc::Chip& chip, const LaunchOptions& options, const std::function<void()>& kernel);

}  // namespace sfumato::runtime
