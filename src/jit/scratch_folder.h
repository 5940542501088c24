// SPDX-License-Identifier: Apache-2.0
// A temporary folder, removed with what is in it.
#pragma once

#include <cstddef>
#include <string>

namespace sfumato::jit {

class ScratchFolder {
public:
    ScratchFolder();  // in $TMPDIR, else /tmp. Throws Error.
    ~ScratchFolder();
    ScratchFolder(const ScratchFolder&) = delete;
    ScratchFolder& operator=(const ScratchFolder&) = delete;

    std::string File(size_t number, const char* suffix) const;

private:
    std::string path_;
};

}  // namespace sfumato::jit
