// SPDX-License-Identifier: Apache-2.0
// Host code beside kernels: copies of a source and its includes in which the launches are calls and no kernel has a
// name that is taken, so that the kernels compile. Nobody calls the host code.
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "jit/scratch_folder.h"
#include "jit/source_overlay.h"
#include "sfumato/jit.h"

namespace sfumato::jit {

class HostCode {
public:
    // Throws CompileError where a launch is none. Kernels whose name is taken get another; ASSERTs on a `wrong` line
    // are left out.
    HostCode(const CompileOptions& options, const std::string& text, const TakenNames& taken,
             const LinesOfFiles& wrong = {});

    // What to compile in place of the source: a copy, or the source itself where it has no launch.
    const std::string& source() const { return source_; }
    // What to include in place of headers: a file that is copied shall not be read as itself, too.
    std::vector<std::string> InPlaceOf(std::vector<std::string> headers) const;
    const LinesOfFiles& left_out() const { return left_out_; }
    // What the compiler needs besides.
    const std::vector<std::string>& flags() const { return flags_; }
    // A text that names copies, with the files they stand for.
    std::string WithOriginals(std::string text) const {
        return WithKernelNames(jit::WithOriginals(std::move(text), files_));
    }

private:
    std::unique_ptr<ScratchFolder> folder_;
    std::string source_;
    std::vector<std::string> flags_;
    Copies files_;
    LinesOfFiles left_out_;
};

}  // namespace sfumato::jit
