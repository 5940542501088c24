// SPDX-License-Identifier: Apache-2.0
// Command lines, and which of them: chosen from the source, and from the headers the compiler says it read.
#include "jit/compile_kinds.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <future>

#include "jit/choices.h"
#include "jit/core_kinds.h"
#include "jit/dependencies.h"
#include "jit/keep_calls.h"
#include "jit/missing_names.h"
#include "jit/precompiled.h"
#include "jit/prefix_folder.h"
#include "jit/process.h"
#include "jit/scratch_folder.h"
#include "jit/second_try.h"
#include "jit/source_file.h"
#include "jit/wrapper.h"

namespace sfumato::jit {
namespace fs = std::filesystem;
namespace {

struct Compiled {
    CodeFor kind;
    int exit_code;
    std::string object, messages;
    std::vector<std::string> files;  // it read
    std::vector<PrefixFor> lacked;   // it would have been done sooner with these
};

Compiled CompileWith(const BuildRequest& r, CodeFor kind, const std::vector<std::string>& all_flags,
                     const std::optional<FoundPrefix>& prefix) {
    const std::string stem = r.cache.NewPath(""), object = stem + ".so", list = stem + ".d";
    const std::vector<std::string> flags = prefix ? WithPrefix(all_flags, prefix->header) : all_flags;
    // "-x none" ends "-x c++": what follows is for the linker.
    std::vector<std::string> linked = {"-x", "none"};
    if (!r.library.empty()) {
        linked.insert(linked.end(), {r.library, "-Wl,--no-undefined", "-Xlinker", "-rpath", "-Xlinker",
                                     fs::path(r.library).parent_path().string()});
    }
    const ScratchFolder temporary;  // of the compiler: what a killed one leaves goes with it
    const auto run = [&](const std::vector<std::string>& options, const std::vector<std::string>& more,
                         const std::string& input) {
        std::vector<std::string> command = r.compiler.command;
        for (const auto* words : {&options, &more}) command.insert(command.end(), words->begin(), words->end());
        return RunCompilerOnce(command, input, temporary.path());
    };
    const std::string made = r.options.coverage ? stem + ".o" : object;
    std::vector<std::string> words = {"-MD", "-MF", list, "-MT", "object", "-o", made, "-x", "c++", "-"};
    ProcessResult result;
    if (!r.options.coverage) {
        words.insert(words.end(), linked.begin(), linked.end());
        result = run(flags, words, r.wrapper);
    } else {
        // Compilers agree on where the notes of an object file lie, but not on where those of a library do.
        words.emplace_back("-c");
        result = run(WithoutLinking(flags), words, r.wrapper);
        linked.insert(linked.begin(), {"-o", object, made});
        if (result.exit_code == 0) {
            const ProcessResult link = run(flags, linked, "");
            result = {link.exit_code, result.output + link.output};
        }
    }
    Compiled compiled{kind,
                      result.exit_code,
                      object,
                      FilterMessages(r.host.WithOriginals(result.output), r.options.source),
                      ParseDependencies(r.host.WithOriginals(ReadText(list).value_or(""))),
                      {}};
    if (result.exit_code == 0 && IsUnoptimised(flags)) {
        compiled.messages += KeepCalls(object, r.options.source, true, [&](const std::string& twin) {
            const auto again = CompiledAgain(WithoutLinking(all_flags), twin, {"-O1"});  // as without these options
            return run(again, {"-c", "-x", "c++", "-"}, r.wrapper);
        });
    }
    if (prefix) {
        std::erase_if(compiled.files, [&](const std::string& file) { return file.starts_with(prefix->header); });
        compiled.files.insert(compiled.files.end(), prefix->files.begin(), prefix->files.end());
    }
    std::error_code ignored;
    fs::remove(list, ignored);
    if (result.exit_code != 0) fs::remove(object, ignored);
    return compiled;
}

Compiled CompileFor(const BuildRequest& r, CodeFor kind) {
    std::optional<PrefixFor> made;
    if (!r.options.coverage && r.host.flags().empty() && BeginsWithPrefix(r.options, r.text))
        made = PrefixFor::Of(r.options, r.chip, kind, r.compiler, r.flags);
    if (made && PrecompilingAsked() == Precompiling::kNow) MakePrefix(*made, r.cache.dir());
    const std::optional<FoundPrefix> prefix = made ? FindPrefix(*made, r.cache.dir()) : std::nullopt;
    std::vector<std::string> flags;
    for (const std::string& macro : KindMacros(r.chip, kind)) flags.push_back("-D" + macro);
    for (const auto* more : {&r.flags, &r.host.flags()}) flags.insert(flags.end(), more->begin(), more->end());
    Compiled compiled = CompileWith(r, kind, flags, prefix);
    // Messages read as they do without.
    if (prefix && (NamesPrefix(compiled.messages) || (compiled.exit_code != 0 && compiled.messages.empty())))
        compiled = CompileWith(r, kind, flags, std::nullopt);
    std::string warnings;
    while (compiled.exit_code != 0) {
        const SecondTry again = TryAgain(compiled.messages, flags);
        if (again.options.empty()) break;
        flags.insert(flags.end(), again.options.begin(), again.options.end());
        warnings += again.warnings;
        compiled = CompileWith(r, kind, flags, std::nullopt);
    }
    compiled.messages = warnings + compiled.messages;
    if (made && !prefix) compiled.lacked.push_back(*made);
    return compiled;
}

std::vector<Compiled> CompileForEachKind(const BuildRequest& r) {
    std::future<Compiled> vector = std::async(std::launch::async, [&r] { return CompileFor(r, CodeFor::kVector); });
    std::vector<Compiled> both = {CompileFor(r, CodeFor::kCube)};
    both.push_back(vector.get());
    return both;
}

// A user's -D of such a macro is a choice.
bool UserChose(const CompileOptions& options) {
    return std::ranges::any_of(options.defines, [](const auto& define) { return ChoosesByKind(define.first); });
}

// Whether `says` holds of the source or of a header that is neither Sfumato's nor the system's.
bool AnyFile(const BuildRequest& r, const std::vector<std::string>& files, bool (*says)(std::string_view)) {
    if (says(r.text)) return true;
    std::vector<std::string> foreign = LocateIncludeDirs();
    foreign.insert(foreign.end(), {"/usr/include", "/usr/lib", "/usr/local/include"});
    return std::ranges::any_of(files, [&](const std::string& file) {
        return std::ranges::none_of(foreign, [&](const std::string& dir) { return file.starts_with(dir + "/"); }) &&
               says(ReadText(file).value_or(""));
    });
}

bool Worked(const std::vector<Compiled>& runs) {
    return std::ranges::all_of(runs, [](const Compiled& c) { return c.exit_code == 0; });
}

void Remove(const std::vector<Compiled>& runs) {
    std::error_code ignored;
    for (const Compiled& c : runs) fs::remove(c.object, ignored);
}

std::vector<Compiled> Run(const BuildRequest& r) {
    const bool may_choose = r.chip.split_cores && !UserChose(r.options);
    if (may_choose && ChoosesByKind(r.text)) return CompileForEachKind(r);
    std::vector<Compiled> runs = {CompileFor(r, CodeFor::kBoth)};
    // What does not compile may be a constant expression we did not recognise.
    const auto says = Worked(runs) ? ChoosesByKind : MentionsKind;
    if (!may_choose || !AnyFile(r, runs[0].files, says)) return runs;
    std::vector<Compiled> both = CompileForEachKind(r);
    if (!Worked(runs) && !Worked(both)) {
        Remove(both);
        return runs;
    }
    Remove(runs);
    both[0].lacked.insert(both[0].lacked.end(), runs[0].lacked.begin(), runs[0].lacked.end());
    return both;
}

[[noreturn]] void Refuse(const BuildRequest& r, const std::vector<Compiled>& runs) {
    Remove(runs);
    const auto failed = std::ranges::find_if(runs, [](const Compiled& c) { return c.exit_code != 0; });
    const bool all = std::ranges::all_of(
        runs, [&](const Compiled& c) { return c.exit_code != 0 && c.messages == failed->messages; });
    if (const std::string full = FullDisk(failed->messages, {r.cache.dir()}); !full.empty())
        throw Error(fmt::format("{} cannot be compiled: {}", r.options.source, full));
    const std::string missing = MissingTypes(r.options, r.mentions, failed->messages);
    throw CompileError(fmt::format("{} does not compile for {}{} ({} ended with {}){}{}", r.options.source,
                                   r.options.chip, all ? std::string() : fmt::format("'s {}", Name(failed->kind)),
                                   r.compiler.command[0], failed->exit_code, missing.empty() ? "" : ": ", missing),
                       missing.empty()
                           ? ExplainMissingNames(failed->messages, {r.text, failed->files}).value_or(failed->messages)
                           : failed->messages);
}

}  // namespace

Built Build(const BuildRequest& request) {
    const std::vector<Compiled> runs = Run(request);
    if (!Worked(runs)) Refuse(request, runs);
    Built built;
    std::vector<std::string> objects, files;
    std::vector<PrefixFor> lacked;
    for (const Compiled& c : runs) {
        lacked.insert(lacked.end(), c.lacked.begin(), c.lacked.end());
        objects.push_back(c.object);
        for (const std::string& file : c.files) {
            if (std::ranges::find(files, file) == files.end()) files.push_back(file);
        }
        const bool is_new = std::ranges::find(built.warnings, c.messages) == built.warnings.end();
        if (!c.messages.empty() && is_new) built.warnings.push_back(c.messages);
    }
    built.objects = request.cache.Store(request.key, objects, files, request.started);
    MakePrefixesLater(lacked, request.cache);
    for (size_t i = 0; i < objects.size(); ++i) {
        if (built.objects[i] == objects[i]) built.private_objects.push_back(objects[i]);
    }
    return built;
}

}  // namespace sfumato::jit
