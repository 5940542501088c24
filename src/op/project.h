// SPDX-License-Identifier: Apache-2.0
// The files of an operator project: which are the host's, which the kernel's, and where they find their includes
// (clients.md 6.6, 6.7).
#pragma once

#include <exception>
#include <string>
#include <vector>

#include "sfumato/op.h"

namespace sfumato::op {

// A source of host code that is no part of it here, and the error about it.
struct LeftOut {
    std::string source;
    std::exception_ptr why;
};

struct Project {
    std::string folder;                     // the one with op_host and op_kernel
    std::vector<std::string> host_sources;  // sorted
    std::vector<std::string> include_dirs;  // of op_host, op_kernel, and what the folders above share
    std::vector<LeftOut> left_out;
    bool registers = false;  // for a chip that works on registers: folders named arch35 belong to it
};

// The folder itself, or those below it, that have op_host and op_kernel.
std::vector<std::string> ProjectFolders(const std::string& folder);

// The project in a folder or below it; of several the one whose sources name `op`. Throws KernelError: op-project, and
// opdev-unsupported or comm-unsupported where a source includes what is out of scope. A source that does not mention
// the operator which is asked for is left out then. registers: see Project.
Project FindProject(const std::string& folder, const std::string& op, bool registers = false);

// Whether the code of a file has the name, or a string with it. Of no name: true, any file may concern it.
bool Mentions(const std::string& file, const std::string& op);

// op_kernel/<file>.cpp, or <file>_apt.cpp where the chip works on registers and there is one (arch950.md). Throws
// KernelError: op-kernel, with the sources there are.
std::string FindKernelSource(const Project& project, const Definition& definition);

// What the kernel of an operator has to include for GET_TILING_DATA: the headers of op_host that define its tiling data
// by macros, but for those the kernel includes itself (`read`: its files), those of whose name it includes another, and
// those that no source of the host includes. Where a source defines them they are copied to a header in `folder`.
std::vector<std::string> TilingHeaders(const Project& project, const std::string& op,
                                       const std::vector<std::string>& read, const std::string& folder);

}  // namespace sfumato::op
