// SPDX-License-Identifier: Apache-2.0
// Rewrites launches as `sfumato build` does (framework.md 5.2); one in a branch that is left out does not matter here.
#include "jit/host_code.h"

#include <fmt/format.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <fstream>

namespace sfumato::jit {
namespace fs = std::filesystem;

HostCode::HostCode(const CompileOptions& options, const std::string& text, const TakenNames& taken,
                   const LinesOfFiles& wrong)
    : source_(options.source) {
    auto folder = std::make_unique<ScratchFolder>();
    std::vector<std::string> dirs;
    for (const std::string& dir : options.include_dirs) dirs.insert(dirs.end(), {"-I", dir});
    dirs.insert(dirs.end(), options.flags.begin(), options.flags.end());
    SourceOverlay overlay(folder->File(0, ".includes"), IncludeDirsOf(dirs), taken, wrong);
    const Rewritten rewritten = overlay.Rewrite(options.source, text);
    std::string messages;
    for (const Diagnostic& d : rewritten.errors) {
        if (d.rule == Rule::kHostHalfLost) continue;
        messages += fmt::format("{}{}:{}:{}: error: {} [sfumato-{}]", messages.empty() ? "" : "\n", d.file, d.line,
                                d.column, d.message, Name(d.rule));
    }
    if (!messages.empty()) {
        throw CompileError(fmt::format("{} does not compile for {}", options.source, options.chip), messages);
    }
    left_out_ = overlay.left_out();
    if (!rewritten.changed) return;
    source_ = folder->File(0, ".cpp");
    std::ofstream out(source_, std::ios::binary);
    out << fmt::format("#line 1 \"{}\"\n{}", options.source, rewritten.text);
    if (!out.flush()) throw Error(fmt::format("cannot write {}: {} (set TMPDIR)", source_, std::strerror(errno)));
    files_ = overlay.copies();
    files_.emplace_back(source_, options.source);
    const std::string dir = fs::path(options.source).parent_path();
    // No chip: what the source was compiled for is none of a host program that loads its kernels.
    flags_ = {"-DSFUMATO_CHIP=\"\"", "-iquote", dir.empty() ? "." : dir};
    for (const std::string& own : LocateIncludeDirs()) {
        const std::string header = own + "/sfumato/host/launch.h";
        std::error_code ignored;
        if (fs::exists(header, ignored)) flags_.insert(flags_.end(), {"-include", header});
    }
    folder_ = std::move(folder);
}

std::vector<std::string> HostCode::InPlaceOf(std::vector<std::string> headers) const {
    std::error_code ignored;
    for (std::string& header : headers) {
        const auto same = std::ranges::find_if(
            files_, [&](const auto& file) { return fs::equivalent(file.second, header, ignored); });
        if (same != files_.end()) header = same->first;
    }
    return headers;
}

}  // namespace sfumato::jit
