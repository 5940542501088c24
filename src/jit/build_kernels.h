// SPDX-License-Identifier: Apache-2.0
// Compiles a source in the ways that it may need: kernels renamed, ASSERTs left out, the other compiler.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "jit/build_defines.h"
#include "jit/cache.h"
#include "jit/compile_kinds.h"
#include "jit/compiler.h"
#include "jit/kernel_finder.h"
#include "sfumato/jit.h"
#include "soc/chip.h"

namespace sfumato::jit {

// What a source is built of.
struct KernelSources {
    const CompileOptions& options;
    const std::string& text;
    const soc::Chip& chip;
    const Compiler& compiler;
    const std::vector<std::string>& flags;
    const std::string& library;
    Cache& cache;
    const std::string& key;
    int64_t started;
    const Mentions& mentions;
    const std::vector<FoundKernel>& found;
    const std::vector<std::string>& extra;
};

// `defines`: those flags that every compiler gets. Throws CompileError with what the source's own compiler said.
Built BuildKernels(const KernelSources& s, const std::vector<std::string>& defines);

}  // namespace sfumato::jit
