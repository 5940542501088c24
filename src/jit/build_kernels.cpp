// SPDX-License-Identifier: Apache-2.0
// Each way is taken when the one before has failed, as most sources need none.
#include "jit/build_kernels.h"

#include <fmt/format.h>

#include <exception>
#include <memory>
#include <optional>

#include "jit/exports.h"
#include "jit/host_code.h"
#include "jit/kernel_names.h"
#include "jit/other_compiler.h"
#include "jit/source_file.h"
#include "jit/statements.h"
#include "jit/wrapper.h"

namespace sfumato::jit {
namespace {

// What writes the counters of the object to its file and begins anew, and what begins anew; {} are their names.
constexpr const char* kCounts =
    "extern \"C\" void __gcov_dump();\nextern \"C\" void __gcov_reset();\n"
    "extern \"C\" __attribute__((visibility(\"default\"))) void {}() {{ __gcov_dump(); __gcov_reset(); }}\n"
    "extern \"C\" __attribute__((visibility(\"default\"))) void {}() {{ __gcov_reset(); }}\n";

Built BuildWith(const KernelSources& s, const TakenNames& taken, const HostCode& host) {
    std::vector<std::string> headers = host.InPlaceOf(s.options.tiling_headers);
    if (ImpliesHeader(s.options.source, s.text)) headers.insert(headers.begin(), "kernel_operator.h");
    std::string wrapper =
        WriteWrapper(host.source(), s.found, s.extra, {TemplateWords(s.options), s.options.tiling_key}, headers, taken);
    for (const std::string& table : s.mentions.tables) {
        wrapper += fmt::format(
            "[[maybe_unused]] static const bool sfumato_table_{0} = "
            "::sfumato::entry::NoteConstantTable(&sfumato_table_{0}, \"{0}\");\n",
            table);
    }
    if (s.options.coverage) wrapper += fmt::format(kCounts, kWriteCounts, kForgetCounts);
    Built built = Build({s.options, s.chip, s.compiler, s.flags, wrapper, s.text, s.library, s.cache, s.key, s.started,
                         s.mentions, host});
    const std::vector<std::string> notes = LeftOutNotes(host.left_out());
    built.warnings.insert(built.warnings.begin(), notes.begin(), notes.end());
    return built;
}

// ASSERTs that the errors point at are left out, as in the toolkit's builds for boards, where that makes it compile.
Built BuildNamed(const KernelSources& s, const TakenNames& taken) {
    std::exception_ptr first;
    LinesOfFiles wrong;
    for (auto host = std::make_unique<HostCode>(s.options, s.text, taken);;) {
        try {
            return BuildWith(s, taken, *host);
        } catch (const CompileError& error) {
            if (!first) first = std::current_exception();
            for (auto& [file, lines] : ErrorLines(error.messages())) wrong[file].merge(lines);
            auto next = std::make_unique<HostCode>(s.options, s.text, taken, wrong);
            if (next->left_out() == host->left_out()) std::rethrow_exception(first);
            host = std::move(next);
        }
    }
}

Built BuildByNames(const KernelSources& s) {
    const TakenNames taken = TakenByLibraries(s.found);
    try {
        return BuildNamed(s, taken);
    } catch (const CompileError&) {
        // The preprocessor takes its time, and names of headers do not compile: it is asked then.
        TakenNames more = TakenByHeaders(s.found, s.options.source, s.flags, s.compiler);
        more.merge(TakenNames(taken));
        if (more == taken) throw;
        return BuildNamed(s, more);
    }
}

}  // namespace

// The same with the compiler of the other kind, where the source's own does not take it. What it makes is the cache's
// under the key of the first.
Built BuildKernels(const KernelSources& s, const std::vector<std::string>& defines) {
    try {
        return BuildByNames(s);
    } catch (const CompileError& error) {
        const auto other = OtherCompiler(s.compiler, error.messages());
        try {
            if (other) {
                std::vector<std::string> flags = CompileFlags(s.options, s.chip, *other);
                flags.insert(flags.begin(), defines.begin(), defines.end());
                Built built = BuildByNames({s.options, s.text, s.chip, *other, flags, s.library, s.cache, s.key,
                                            s.started, s.mentions, s.found, s.extra});
                built.warnings.insert(built.warnings.begin(),
                                      TakenByOther(s.options.source, *other, s.compiler, error.messages()));
                return built;
            }
        } catch (const CompileError&) {  // neither takes it: what the first said counts
        }
        const std::string needs = NeedsOther(s.compiler, error.messages());
        if (other || needs.empty()) throw;
        const std::string what = error.what();
        throw CompileError(what.substr(0, what.size() - error.messages().size() - 1), error.messages() + "\n" + needs);
    }
}

}  // namespace sfumato::jit
