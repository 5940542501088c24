// SPDX-License-Identifier: Apache-2.0
// The arguments of a kernel with their files, and their global memory.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "argument_spec.h"
#include "npy.h"
#include "output.h"
#include "sfumato/jit.h"

namespace sfumato::command {

// One argument with its GM allocation and what is needed to save it.
struct Bound {
    const ArgumentSpec* spec;
    std::optional<NpyFile> file;
    std::string bytes;  // kTiling, and kWindow that is read
    DataType type = DataType::kUint8;
    std::vector<uint64_t> shape;
    uint8_t* gm = nullptr;     // of kContext and kWindow its caller sets it
    OutputTarget target;       // when there is an output
    std::vector<Bound> items;  // kList
};

// Everything that can be wrong before the source is compiled. Throws Error.
std::vector<Bound> OpenArguments(const std::vector<ArgumentSpec>& specs, const std::string& chip);
// Of each argument of the kernel; a list has that of its first array.
std::vector<std::optional<DataType>> TypesOf(std::span<const Bound> bound);
// Allocates and fills global memory in the order of the arguments. Throws Error.
std::vector<Argument> Allocate(std::span<Bound> bound, const KernelInfo& kernel, GlobalMemory& memory);

}  // namespace sfumato::command
