// SPDX-License-Identifier: Apache-2.0
// What a runner of the fork server (sfumato/_fork_server.py) leaves behind when the kernel ends its process.
#pragma once

#include <nanobind/nanobind.h>

#include <cstdint>
#include <string>

#include "sfumato/jit.h"
#include "sfumato/launch.h"

namespace sfumato::python {

// Around the launch of a runner: crashes of the kernel, and a launch that cannot be stopped, end the process with a
// report as its last words. In other processes it does nothing.
class LastWords {
public:
    LastWords(LaunchOptions& options, const std::string& source, uint32_t line, const GlobalMemory& memory);
    ~LastWords();
    LastWords& operator=(LastWords&&) = delete;
    // After it: ends what the kernel left running, and reports it.
    void AddLeftBehind(LaunchResult& result) const;

private:
    std::string chip_, kernel_, source_;
    uint32_t line_;
};

// A result as bytes, for another process of the same version.
std::string Pack(const LaunchResult& result);
LaunchResult Unpack(std::string_view bytes);

}  // namespace sfumato::python
