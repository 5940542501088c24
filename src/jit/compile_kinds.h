// SPDX-License-Identifier: Apache-2.0
// Runs the compiler on the wrapper of a source: once, or once for each kind of core where the source chooses by it.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "jit/build_defines.h"
#include "jit/cache.h"
#include "jit/compiler.h"
#include "jit/host_code.h"
#include "sfumato/jit.h"
#include "soc/chip.h"

namespace sfumato::jit {

struct BuildRequest {
    const CompileOptions& options;
    const soc::Chip& chip;
    const Compiler& compiler;
    const std::vector<std::string>& flags;
    const std::string& wrapper;
    const std::string& text;     // of the source
    const std::string& library;  // to link with; empty: none
    const Cache& cache;
    const std::string& key;  // of the manifest
    int64_t started;         // ns since the epoch, before the source was read
    const Mentions& mentions;
    const HostCode& host;
};

struct Built {
    std::vector<std::string> objects;          // one, or that of cube cores and that of vector cores
    std::vector<std::string> private_objects;  // those of them that are in no cache: the caller removes them
    std::vector<std::string> warnings;         // what the compiler said
};

// Throws CompileError with the compiler's messages.
Built Build(const BuildRequest& request);

}  // namespace sfumato::jit
