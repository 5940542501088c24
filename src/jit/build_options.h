// SPDX-License-Identifier: Apache-2.0
// The command line of `sfumato build`, read.
#pragma once

#include <string>
#include <vector>

#include "report/rules.h"

namespace sfumato::jit {

enum class BuildMode : unsigned char { kProgram, kObject, kShared, kStatic, kSource };

struct BuildInput {
    std::string path;
    std::string language;  // of -x: "asc", "c++", "none"; empty: by suffix and content
};

struct BuildOptions {
    BuildMode mode = BuildMode::kProgram;
    std::vector<BuildInput> inputs;
    std::string chip;                  // of --chip, --npu-soc, --npu-arch; empty: the default
    std::string output;                // -o
    std::string launch_headers;        // folder for aclrtlaunch_<kernel>.h; empty: none
    std::vector<std::string> compile;  // passed to the compiler
    std::vector<std::string> link;     // passed to the linker
    std::vector<std::string> macros;   // names of -D
    std::string dependencies;          // -MF
    bool raw = false;                  // --check with raw: the code tells what its pointers do
    std::string launch;                // options of launches, the words of SFUMATO_OPTIONS
    std::vector<std::string> ignored;  // options that mean nothing here
    bool verbose = false;
    bool help = false;

    bool Defines(const std::string& name) const;
};

// A refused option.
struct BuildError : Error {
    BuildError(Rule of, const std::string& text) : Error(text), rule(of) {}
    Rule rule;
};

// Throws BuildError.
BuildOptions ReadBuildOptions(const std::vector<std::string>& arguments);

// What `sfumato build --help` prints.
std::string BuildHelp();

}  // namespace sfumato::jit
