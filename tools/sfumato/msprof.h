// SPDX-License-Identifier: Apache-2.0
// `sfumato msprof`: the vendor's profiler by its command lines, with estimates for what it measures.
#pragma once

#include <filesystem>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

namespace sfumato::command {

// What a command line asks for.
struct Profiling {
    bool op = false, simulator = false;  // `msprof op`, `msprof op simulator`
    std::string output = ".", soc;
    std::vector<std::string> kernels;  // beginnings of names; empty: all
    size_t skip = 0, count = 0;        // launches; 0: all
    std::vector<std::string> program;
    std::vector<std::string> unused;  // options that say nothing to an estimate
};

// Throws Error. Its message stands behind the tool's name.
Profiling ReadMsprof(const std::vector<std::string>& words);

// The folder with the files, made below `output`; its path. Launches are objects of SFUMATO_OPTIONS=estimates=FILE.
// Throws Error.
std::string WriteProfile(const Profiling& asked, const std::vector<nlohmann::ordered_json>& launches);

// "add_custom  8 blocks  12.34 us": a line for each launch.
std::string ProfileTable(const std::vector<nlohmann::ordered_json>& launches);

}  // namespace sfumato::command
