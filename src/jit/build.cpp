// SPDX-License-Identifier: Apache-2.0
// Rewrites the sources that need it, runs the compiler on each, and links.
#include "sfumato/build.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <map>
#include <utility>

#include "jit/build_options.h"
#include "jit/compiler.h"
#include "jit/exports.h"
#include "jit/keep_calls.h"
#include "jit/kernel_finder.h"
#include "jit/kernel_names.h"
#include "jit/launch_rewriter.h"
#include "jit/launch_stubs.h"
#include "jit/missing_names.h"
#include "jit/other_compiler.h"
#include "jit/process.h"
#include "jit/scratch_folder.h"
#include "jit/source_file.h"
#include "jit/source_overlay.h"
#include "jit/toolkit_options.h"
#include "sfumato/jit.h"
#include "soc/chip.h"

namespace sfumato {
namespace fs = std::filesystem;
namespace jit {
namespace {

std::string ReadFile(const std::string& path) {
    std::optional<std::string> text = ReadText(path);
    if (!text) throw Error(fmt::format("cannot read {}: {}", path, std::strerror(errno)));
    RefuseWideText(path, *text);
    return std::move(*text);
}

// Left alone when it holds the text already, so that what was made from it stays up to date.
void WriteFile(const std::string& path, const std::string& text) {
    if (ReadText(path) == text) return;
    std::ofstream out(path, std::ios::binary);
    out << text;
    if (!out.flush()) throw Error(fmt::format("cannot write {}: {}", path, std::strerror(errno)));
}

// By its name a source of kernels.
bool IsMarked(const std::string& path) {
    const std::string suffix = fs::path(path).extension();
    return suffix == ".asc" || suffix == ".cce";
}

bool IsSource(const std::string& path) {
    const std::string suffix = fs::path(path).extension();
    return suffix == ".cpp" || suffix == ".cc" || suffix == ".cxx" || suffix == ".C" || suffix == ".c" ||
           IsMarked(path);
}

// Messages that end with a newline. The text is that of sources with kernels; empty: there are none.
std::string Explained(std::string messages, const std::string& text) {
    const std::string notes = NoteMissingOperators(messages);
    if (!text.empty()) {
        if (const auto explained = ExplainMissingNames(messages, {text, {}})) messages = *explained + "\n";
    }
    return messages + notes;
}

// `sfumato build --compiler c++ ...`: what build systems put before a compiler.
BuildResult RunCompiler(const std::vector<std::string>& words) {
    if (words.empty()) throw Error("--compiler: no command follows");
    const std::vector<std::string> command = WithoutToolkitOptions(words);
    const ProcessResult done = CompileKeepingCalls(command);
    if (done.exit_code == 0) return {0, done.output};
    std::string text;
    for (const std::string& word : command) {
        if (IsSource(word)) text += ReadText(word).value_or("");
    }
    return {done.exit_code, Explained(done.output, text)};
}

class Builder {
public:
    explicit Builder(BuildOptions options)
        : options_(std::move(options)),
          chip_(soc::FindChip(options_.chip.empty() ? soc::kDefaultChip : options_.chip)),
          compiler_(FindCompiler()),
          include_dirs_(LocateIncludeDirs()) {
        if (!chip_.ascendc) throw Error(fmt::format("{} has no Ascend C: it is programmed in TIK only", chip_.name));
        if (include_dirs_.empty()) throw Error("cannot find Sfumato's headers: set SFUMATO_INCLUDE to their folder");
    }

    BuildResult Run() {
        for (const std::string& option : options_.ignored) Note(fmt::format("{} means nothing here", option));
        std::vector<std::string> objects;
        for (const BuildInput& input : options_.inputs) {
            const bool source = input.language.empty() || input.language == "none" ? IsSource(input.path) : true;
            objects.push_back(source ? Compile(input, objects.size()) : input.path);
        }
        const bool links = options_.mode != BuildMode::kObject && options_.mode != BuildMode::kSource;
        if (links && result_.exit_code == 0) Link(objects);
        return std::move(result_);
    }

private:
    void Note(const std::string& text) {
        if (options_.verbose) result_.messages += text + "\n";
    }
    // `files`: copies, which messages shall not name. kernels: the text of a source with kernels.
    bool Execute(const std::vector<std::string>& command, const Copies& files = {}, const std::string& kernels = "") {
        Note(fmt::format("{}", fmt::join(command, " ")));
        const ProcessResult done = CompileKeepingCalls(command);
        std::string messages = WithKernelNames(WithOriginals(done.output, files));
        if (done.exit_code != 0) messages = Explained(std::move(messages), kernels);
        result_.messages += messages;
        if (done.exit_code == 0) return true;
        result_.exit_code = 1;
        if (const std::string full = FullDisk(done.output, {(fs::current_path() / options_.output).parent_path(),
                                                            "the output", "name another with -o"});
            !full.empty())
            result_.messages += fmt::format("sfumato build: error: {}\n", full);
        return false;
    }

    // What is to be compiled in place of a source.
    struct Source {
        std::string path, text;
        Copies copies;
        std::vector<std::string> includes;
        LinesOfFiles left_out;
        bool refused = false;  // and said so
    };

    // The object's path.
    std::string Compile(const BuildInput& input, size_t number) {
        const bool keep = options_.mode == BuildMode::kObject;
        const std::string stem = fs::path(input.path).stem();
        const std::string object = !keep                     ? scratch_.File(number, ".o")
                                   : options_.output.empty() ? stem + ".o"
                                                             : options_.output;
        const bool by_content = input.language.empty() || input.language == "none";
        const bool marked = by_content ? IsMarked(input.path) : input.language == "asc";
        const std::string text = marked || by_content ? ReadFile(input.path) : "";
        if (!marked && IsPlain(text)) {
            CompilePlain(input, object);
            return object;
        }
        const bool emits = options_.mode == BuildMode::kSource;
        if (emits && options_.output.empty()) throw Error("--emit-source needs -o FILE");
        const std::vector<FoundKernel> kernels = KernelsOf(input.path, text);
        RefuseKeywords(kernels, input.path);
        TakenNames taken = TakenByLibraries(kernels);
        const auto by_headers = [&] { return TakenByHeaders(kernels, input.path, AscendFlags(input.path), compiler_); };
        if (emits) {
            taken.merge(by_headers());
            Emit(Rewrite(input.path, text, options_.output, kernels, taken));
            return object;
        }
        const std::string scratch = scratch_.File(number, ".cpp");
        const BuildResult before = result_;
        Source source = Rewrite(input.path, text, scratch, kernels, taken);
        if (CompileRewritten(source, scratch, object)) return object;
        // The preprocessor takes its time, and names of headers do not compile: it is asked then.
        TakenNames more = by_headers();
        more.merge(TakenNames(taken));
        if (more != taken) {
            result_ = before;
            source = Rewrite(input.path, text, scratch, kernels, more);
            if (CompileRewritten(source, scratch, object)) return object;
        }
        const TakenNames& names = more == taken ? taken : more;
        const auto rewrite = [&](const LinesOfFiles& wrong) {
            return Rewrite(input.path, text, scratch, kernels, names, wrong);
        };
        if (!CompileWithoutAsserts(source, scratch, object, before, rewrite))
            CompileWithOther(source, scratch, object, before);
        return object;
    }

    // Without the ASSERTs that the errors point at, as in builds for boards.
    template <class Again>
    bool CompileWithoutAsserts(const Source& refused_source, const std::string& scratch, const std::string& object,
                               const BuildResult& before, const Again& rewrite) {
        const BuildResult refused = result_;
        LinesOfFiles wrong, left_out = refused_source.left_out;
        for (;;) {
            for (auto& [file, lines] : ErrorLines(result_.messages.substr(before.messages.size())))
                wrong[file].merge(lines);
            result_ = before;
            const Source source = rewrite(wrong);
            if (source.refused || source.left_out == left_out) break;
            left_out = source.left_out;
            for (const std::string& note : LeftOutNotes(left_out)) result_.messages += note + "\n";
            if (CompileRewritten(source, scratch, object)) return true;
        }
        result_ = refused;
        return false;
    }

    // With the compiler of the other kind, where it takes what this one does not.
    void CompileWithOther(const Source& source, const std::string& scratch, const std::string& object,
                          const BuildResult& before) {
        const BuildResult refused = result_;
        const std::string said = refused.messages.substr(before.messages.size());
        const auto other = OtherCompiler(compiler_, said);
        if (other) {
            const Compiler own = std::exchange(compiler_, *other);
            result_ = before;
            result_.messages += TakenByOther(source.path, *other, own, said) + "\n";
            const bool takes = CompileRewritten(source, scratch, object);
            compiler_ = own;
            if (takes) return;
            result_ = refused;
        } else if (const std::string needs = NeedsOther(compiler_, said); !needs.empty()) {
            result_.messages += needs + "\n";
        }
    }

    // Of the source and the files it includes.
    std::vector<FoundKernel> KernelsOf(const std::string& path, const std::string& text) {
        SourceOverlay overlay(scratch_.File(0, ".scan"), IncludeDirsOf(options_.compile));
        overlay.Rewrite(path, text);
        std::vector<FoundKernel> kernels = FindKernels(text);
        for (const auto& [file, included] : overlay.texts()) {
            const std::vector<FoundKernel> more = FindKernels(included);
            kernels.insert(kernels.end(), more.begin(), more.end());
        }
        return kernels;
    }

    // `out`: beside it are the copies of what is included.
    Source Rewrite(const std::string& path, const std::string& text, const std::string& out,
                   const std::vector<FoundKernel>& kernels, const TakenNames& taken, const LinesOfFiles& wrong = {}) {
        SourceOverlay overlay(out + ".includes", IncludeDirsOf(options_.compile), taken, wrong);
        const Rewritten rewritten = overlay.Rewrite(path, text);
        for (const Diagnostic& d : rewritten.errors) {
            result_.messages +=
                fmt::format("{}:{}:{}: error: {} [sfumato-{}]\n", d.file, d.line, d.column, d.message, Name(d.rule));
            result_.exit_code = 1;
        }
        Source source{path, "", overlay.copies(), {}, overlay.left_out(), !rewritten.errors.empty()};
        if (source.refused) return source;
        const std::string notes = QualifierNotes(path, text, overlay.texts());
        source.refused = result_.exit_code != 0;
        if (source.refused) return source;
        source.text = WithStubs(path, text, rewritten, taken) + notes;
        const std::string macros = RefuseMacros(taken, kernels);
        if (!macros.empty()) source.text += "#line 1 \"names of kernels\"\n" + macros;
        for (const auto& [file, unused] : overlay.texts()) source.includes.push_back(file);
        return source;
    }

    void Emit(const Source& source) {
        if (source.refused) return;
        std::ofstream(options_.output) << source.text;
        std::ofstream(options_.output + ".d")
            << fmt::format("{}: {}\n", options_.output, fmt::join(source.includes, " "));
    }

    bool CompileRewritten(const Source& source, const std::string& scratch, const std::string& object) {
        if (source.refused) return true;
        WriteFile(scratch, source.text);
        std::vector<std::string> command = compiler_.command;
        const std::vector<std::string> flags = AscendFlags(source.path);
        command.insert(command.end(), flags.begin(), flags.end());
        command.insert(command.end(), {"-x", "c++", "-c", scratch, "-o", object});
        Copies files = source.copies;
        files.emplace_back(scratch, source.path);
        if (!Execute(command, files, source.text)) return false;
        if (!options_.dependencies.empty())
            WriteFile(options_.dependencies, WithOriginals(ReadFile(options_.dependencies), files));
        return true;
    }

    static bool IsPlain(const std::string& text) {
        const Rewritten rewritten = RewriteLaunches(text);
        return !rewritten.has_kernel && rewritten.launches == 0 && !rewritten.changed && rewritten.errors.empty();
    }
    void CompilePlain(const BuildInput& input, const std::string& object) {
        if (options_.mode == BuildMode::kSource)
            return WriteFile(options_.output, "#include \"" + fs::absolute(input.path).string() + "\"\n");
        std::vector<std::string> command = compiler_.command;
        command.insert(command.end(), options_.compile.begin(), options_.compile.end());
        for (const std::string& dir : include_dirs_) command.insert(command.end(), {"-isystem", dir});
        if (options_.mode == BuildMode::kShared) command.push_back("-fPIC");
        command.insert(command.end(),
                       {"-x", input.language == "c++" || fs::path(input.path).extension() != ".c" ? "c++" : "c", "-c",
                        input.path, "-o", object});
        Execute(command);
    }

    // The compiler counts lines of the text as the user's.
    std::string WithStubs(const std::string& path, const std::string& source, const Rewritten& rewritten,
                          const TakenNames& taken) {
        std::string text =
            fmt::format("{}#line 1 \"{}\"\n{}\n", ImpliesHeader(path, source) ? "#include \"kernel_operator.h\"\n" : "",
                        path, rewritten.text);
        if (options_.launch_headers.empty()) return text;
        fs::create_directories(options_.launch_headers);
        text += "#line 1 \"aclrtlaunch\"\n";
        std::string shown;  // by the preprocessor, which knows what macros make and what #if leaves out
        auto kernels = PreprocessedKernels(path, AscendFlags(path), compiler_, &shown);
        if (!kernels) kernels = FindKernels(source);
        for (const LaunchStub& stub :
             WriteLaunchStubs(*kernels, shown.empty() ? source : shown, options_.Defines("HAVE_WORKSPACE"),
                              options_.Defines("HAVE_TILING"), taken)) {
            WriteFile(fmt::format("{}/aclrtlaunch_{}.h", options_.launch_headers, stub.kernel), stub.header);
            text += stub.definition;
        }
        return text;
    }

    // Tells launches what the qualifiers of the kernels declare, which the compiler does not see.
    std::string QualifierNotes(const std::string& path, const std::string& source,
                               std::map<std::string, std::string> texts) {
        texts[path] = source;
        std::map<std::string, std::string> declared;  // by the kernel's name
        std::string marked;                           // a note for each workspace, each constant table
        for (const auto& [file, text] : texts) {
            for (const std::string& table : ConstantTables(text))
                marked += fmt::format("    {{\"{}\", \"__gm__ const\"}},\n", table);
            for (const FoundKernel& kernel : FindKernels(text)) {
                const std::string refused = RefusedQualifier(kernel.QualifiedName(), kernel.qualifier);
                if (!refused.empty()) {
                    result_.messages += fmt::format("{}:{}: error: {}\n", file, kernel.line, refused);
                    result_.exit_code = 1;
                }
                if (!kernel.qualifier.empty()) declared[kernel.QualifiedName()] = kernel.qualifier;
                if (kernel.workspace >= 0)
                    marked += fmt::format("    {{\"{}\", \"__kfc_workspace__ {}\"}},\n", kernel.QualifiedName(),
                                          kernel.workspace);
            }
        }
        std::string notes = marked;
        for (const auto& [name, qualifier] : declared) {
            notes += fmt::format("    {{\"{}\", \"{}\"}},\n", name, qualifier);
        }
        if (notes.empty()) return notes;
        return fmt::format(
            "#line 1 \"qualifiers\"\n[[maybe_unused]] static const ::sfumato::host::QualifierNote "
            "sfumato_qualifiers[] = {{\n{}}};\n",
            notes);
    }

    std::vector<std::string> AscendFlags(const std::string& source) const {
        std::vector<std::string> flags = options_.compile;
        flags.insert(flags.begin(), {NoUnrollWarning(compiler_), kTemplateDepth});
        const std::vector<std::string> language = LanguageFlags(compiler_);
        flags.insert(flags.end(), language.begin(), language.end());
        flags.insert(flags.end(), {"-ffp-contract=off", "-pthread", "-fPIC", "-DSFUMATO_DIRECT_LAUNCH",
                                   fmt::format("-DSFUMATO_CHIP=\"{}\"", chip_.product)});
        if (!options_.launch.empty()) flags.push_back(fmt::format("-DSFUMATO_BUILD_OPTIONS=\"{}\"", options_.launch));
        for (const std::string& macro : ArchitectureMacros(chip_)) flags.push_back("-D" + macro);
        const std::string dir = fs::path(source).parent_path();
        flags.insert(flags.end(), {"-iquote", dir.empty() ? "." : dir});
        IncludeFirst(include_dirs_, {"sfumato/process.h", "sfumato/host/launch.h"}, &flags);
        if (options_.raw) {
            const std::vector<std::string> raw = RawFlags(compiler_, false);
            flags.insert(flags.end(), raw.begin(), raw.end());
            flags.insert(flags.end(), {"-g1", "-gdwarf-4"});
        }
        for (const std::string& own : include_dirs_) flags.insert(flags.end(), {"-isystem", own});
        flags.push_back("-ffunction-sections");  // as CompileFlags has it: a kernel's cores are derived from its calls
        return flags;
    }

    void Link(const std::vector<std::string>& objects) {
        const std::string output = options_.output.empty() ? "a.out" : options_.output;
        std::vector<std::string> command;
        if (options_.mode == BuildMode::kStatic) {
            command = {"ar", "rcs", output};
            command.insert(command.end(), objects.begin(), objects.end());
            std::error_code ignored;
            fs::remove(output, ignored);
            Execute(command);
            return;
        }
        const RunningLibrary library = LocateLibrary();
        if (!library.shared) throw Error("linking needs libsfumato as a shared library, which is not running here");
        command = compiler_.command;
        for (const std::string& flag : options_.compile) {
            if (flag.starts_with("-f") || flag.starts_with("-g") || flag.starts_with("-O") || flag.starts_with("-m"))
                command.push_back(flag);
        }
        if (options_.mode == BuildMode::kShared) command.insert(command.end(), {"-shared", kOwnFunctions});
        command.insert(command.end(), objects.begin(), objects.end());
        command.insert(command.end(), options_.link.begin(), options_.link.end());
        command.insert(command.end(), {library.path, "-Wl,-rpath," + fs::path(library.path).parent_path().string(),
                                       "-pthread", "-rdynamic", kOwnRuntime, "-o", output});
        if (!Strips(options_.link) && !Strips(options_.compile)) command.push_back("-Wl,--emit-relocs");
        const std::vector<std::string> wraps = WrapFlags();
        command.insert(command.end(), wraps.begin(), wraps.end());
        Execute(command);
    }

    BuildOptions options_;
    soc::Chip chip_;
    Compiler compiler_;
    std::vector<std::string> include_dirs_;
    ScratchFolder scratch_;
    BuildResult result_;
};

// Build systems ask a compiler what it is before they use it: the one behind this answers.
bool IsQuestion(const std::vector<std::string>& arguments) {
    constexpr const char* kQuestions[] = {"-v", "--version", "-dumpversion", "-dumpfullversion", "-dumpmachine"};
    return !arguments.empty() && std::ranges::all_of(arguments, [&](const std::string& word) {
        return std::ranges::find(kQuestions, word) != std::end(kQuestions);
    });
}
BuildResult Answer(const std::vector<std::string>& questions) {
    std::vector<std::string> command = FindCompiler().command;
    command.insert(command.end(), questions.begin(), questions.end());
    const ProcessResult done = RunProcess(command, "");
    return {done.exit_code == 0 ? 0 : 1, done.output};
}

}  // namespace
}  // namespace jit

BuildResult Build(const std::vector<std::string>& arguments) {
    try {
        if (jit::IsQuestion(arguments)) return jit::Answer(arguments);
        if (!arguments.empty() && arguments[0] == "--compiler")
            return jit::RunCompiler({arguments.begin() + 1, arguments.end()});
        jit::BuildOptions options = jit::ReadBuildOptions(arguments);
        if (options.help) return {0, jit::BuildHelp()};
        return jit::Builder(std::move(options)).Run();
    } catch (const jit::BuildError& error) {
        return {1, fmt::format("sfumato build: error: {} [sfumato-{}]\n", error.what(), Name(error.rule))};
    } catch (const UnsupportedError& error) {
        return {1, fmt::format("sfumato build: error: {} [sfumato-build-option]\n", error.what())};
    } catch (const std::exception& error) {
        return {1, fmt::format("sfumato build: error: {}\n", error.what())};
    }
}

}  // namespace sfumato
