// SPDX-License-Identifier: Apache-2.0
// The task types that code declares, known from the moment it is loaded: a launch chooses its cores before any kernel
// code runs.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>

#include "sfumato/launch.h"

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

// One declaration. `owner` lies in the module that makes it and names it for Forget.
struct TaskTypeNote {
    const void* owner;
    std::string function;  // qualified, of people: "ops::kernel", "kernel<3, true>", "main::{lambda()#1}::operator()"
    TaskType type;
    std::optional<uint64_t> key;  // none: for every tiling key
};
void NoteTaskType(TaskTypeNote note);
void ForgetTaskType(const void* owner);

// The function a mangled name of a closure type lies in, as TaskTypeNote::function wants it.
std::string EnclosingFunction(const char* closure_type);

// The task type the kernel's code declares for a tiling key: that of the key, else the one for every key. A kernel of a
// compiled source that declares nothing itself has, unless the host chose cores, what the functions of the source that
// are no kernels declare: it may call them. None when there is nothing, or when declarations contradict each other.
std::optional<TaskType> DeclaredTaskType(const LaunchOptions& options, const std::function<void()>& kernel);

}  // namespace sfumato::runtime
