// SPDX-License-Identifier: Apache-2.0
// `sfumato run`: a child process compiles, loads and runs the kernel; the parent puts the outputs in place when it went
// well.
#include <fmt/format.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <sstream>

#include "crash.h"
#include "findings.h"
#include "npy.h"
#include "options.h"

namespace sfumato::command {
namespace fs = std::filesystem;
namespace {

// Outputs are written beside their final place, so that the rename cannot cross file systems.
std::string TemporaryName(const std::string& output, pid_t parent) {
    return fmt::format("{}.sfumato-{}.tmp", output, parent);
}

// One argument with its GM allocation and what is needed to save it.
struct Bound {
    const ArgumentSpec* spec;
    std::optional<NpyFile> file;
    std::string bytes;  // kTiling
    DataType type = DataType::kUint8;
    std::vector<uint64_t> shape;
    uint8_t* gm = nullptr;
};

std::string ReadBytes(const std::string& path) {
    std::error_code error;
    if (fs::is_directory(path, error)) throw Error(fmt::format("{} is a directory", path));
    std::ifstream in(path, std::ios::binary);
    std::stringstream text;
    text << in.rdbuf();
    if (!in) throw Error(fmt::format("{}: cannot be read: {}", path, std::strerror(errno)));
    return text.str();
}

// The file must hold the stated type, or raw elements of its size: packed int4 in bytes, bfloat16 in uint16.
void CheckStatedType(const ArgumentSpec& spec, const NpyFile& file) {
    if (!spec.type || *spec.type == file.type()) return;
    const bool raw = (*spec.type == DataType::kInt4 && BitsOf(file.type()) == 8) ||
                     (*spec.type == DataType::kBfloat16 && file.type() == DataType::kUint16);
    if (!raw) {
        throw Error(fmt::format("argument '{}': {} holds {} ('{}'), not {}", spec.text, spec.input,
                                NumpyName(file.type()), file.descr(), NumpyName(*spec.type)));
    }
}

// Everything that can be wrong before the source is compiled.
std::vector<Bound> OpenArguments(const std::vector<ArgumentSpec>& specs) {
    using Kind = ArgumentSpec::Kind;
    std::vector<Bound> bound;
    std::vector<fs::path> outputs;
    for (const ArgumentSpec& spec : specs) {
        Bound b{&spec, std::nullopt, {}, spec.type.value_or(DataType::kUint8), spec.shape, nullptr};
        if (spec.kind == Kind::kInput || spec.kind == Kind::kInOut) {
            b.file.emplace(spec.input);
            CheckStatedType(spec, *b.file);
            b.type = spec.type.value_or(b.file->type());
            b.shape = b.file->shape();
        } else if (spec.kind == Kind::kTiling) {
            b.bytes = ReadBytes(spec.input);
        }
        if (!spec.output.empty()) {
            const fs::path path = fs::weakly_canonical(fs::absolute(spec.output));
            if (fs::is_directory(path))
                throw Error(fmt::format("argument '{}': {} is a directory", spec.text, spec.output));
            if (access(path.parent_path().c_str(), W_OK) != 0) {
                throw Error(fmt::format("argument '{}': cannot write into {}: {}", spec.text,
                                        path.parent_path().string(), std::strerror(errno)));
            }
            if (std::find(outputs.begin(), outputs.end(), path) != outputs.end()) {
                throw Error(
                    fmt::format("argument '{}': {} is already the file of another output", spec.text, spec.output));
            }
            outputs.push_back(path);
        }
        bound.push_back(std::move(b));
    }
    return bound;
}

// Allocates and fills GM in the order of the arguments; `names` are the kernel's parameters.
std::vector<Argument> Allocate(std::vector<Bound>& bound, const KernelInfo& kernel, GlobalMemory& memory) {
    using Kind = ArgumentSpec::Kind;
    std::vector<Argument> arguments;
    for (size_t i = 0; i < bound.size(); ++i) {
        Bound& b = bound[i];
        const ArgumentSpec& spec = *b.spec;
        const bool named = i < kernel.params.size() && !kernel.params[i].name.empty();
        const std::string name = named ? kernel.params[i].name : fmt::format("arg{}", i);
        Argument a;
        if (spec.kind == Kind::kInteger) {
            a.kind = Argument::Kind::kInteger;
            a.negative = spec.negative;
            a.magnitude = spec.magnitude;
            a.type = spec.type;
        } else if (spec.kind == Kind::kFloating) {
            a = Argument::Floating(spec.floating, spec.type);
        } else if (spec.kind == Kind::kTiling) {
            a = Argument::Bytes(b.bytes);
            a.pointer = memory.Allocate(b.bytes.size(), name);
            std::memcpy(a.pointer, b.bytes.data(), b.bytes.size());
        } else {
            b.gm = memory.Allocate(b.file ? b.file->bytes() : spec.bytes, name);
            if (b.file) b.file->Read(b.gm);
            a = Argument::Pointer(b.gm);
            if (spec.kind != Kind::kWorkspace) a.type = b.type;
        }
        a.text = spec.text;
        arguments.push_back(std::move(a));
    }
    return arguments;
}

class LogFile {
public:
    explicit LogFile(const std::optional<std::string>& name) {
        if (!name) return;
        file_ = *name == "-" ? stderr : std::fopen(name->c_str(), "w");
        if (!file_) throw Error(fmt::format("cannot write the log {}: {}", *name, std::strerror(errno)));
    }
    ~LogFile() {
        if (file_ && file_ != stderr) std::fclose(file_);
    }
    LogFile(const LogFile&) = delete;
    LogFile& operator=(const LogFile&) = delete;

    std::FILE* file() const { return file_; }

private:
    std::FILE* file_ = nullptr;
};

int RunInChild(const RunOptions& given, pid_t parent) {
    RunOptions options = given;
    Findings findings(options);
    AlternateStack stack;
    std::vector<Bound> bound = OpenArguments(options.arguments);
    CrashContext context{&findings, &options, nullptr};
    InstallCrashHandlers(context);
    const std::shared_ptr<CompiledKernels> kernels = Compile(options.compile);
    for (const std::string& w : kernels->warnings()) Say(Severity::kWarning, w);
    const KernelInfo& kernel = kernels->Find(options.kernel);
    options.launch.kernel = kernel.name;
    options.kernel_line = kernel.line;

    GlobalMemory::Options memory_options;
    memory_options.fill = options.launch.fill;
    GlobalMemory memory(memory_options);
    const std::function<void()> call = BindArguments(kernels, kernel, Allocate(bound, kernel, memory));

    const LogFile log(options.log);
    if (log.file()) {
        options.launch.log = [&log](std::string_view line) { fmt::print(log.file(), "{}\n", line); };
    }
    if (options.json == "-") {  // standard output belongs to the findings
        options.launch.print = [](std::string_view text) { fmt::print(stderr, "{}", text); };
    }
    context.memory = &memory;
    InstallCrashHandlers(context);
    const LaunchResult result = Launch(options.launch, options.blocks, memory, [&call] {
        AlternateStack thread_stack;
        call();
    });
    for (const Report& r : result.findings) findings.Add(r);
    const bool fault = findings.HasFault();
    for (const Bound& b : bound) {
        if (!fault && !b.spec->output.empty()) WriteNpy(TemporaryName(b.spec->output, parent), b.type, b.shape, b.gm);
    }
    findings.Show(result.records);
    return fault ? kFault : kOk;
}

// The exceptions' texts and exit codes, in one place.
int Guarded(const RunOptions& options, pid_t parent) {
    const Findings findings(options);
    try {
        return RunInChild(options, parent);
    } catch (const CompileError& e) {
        SayError(e.what());
        findings.ShowError("compile", e.what());
        return kCompile;
    } catch (const KernelError& e) {
        Findings one(options);
        one.Add(e.report());
        one.Show(0);
        return kFault;
    } catch (const std::exception& e) {
        SayError(e.what());
        findings.ShowError("usage", e.what());
        return kUsage;
    }
}

int WaitFor(pid_t child) {
    int status = 0;
    while (waitpid(child, &status, 0) < 0) {
        if (errno != EINTR) return kFault;
    }
    if (WIFEXITED(status)) return WEXITSTATUS(status);
    const int signal = WTERMSIG(status);
    if (signal == SIGINT || signal == SIGTERM) return 128 + signal;
    SayError(fmt::format("the process that ran the kernel was ended by signal {} ({}): no output is written{}", signal,
                         strsignal(signal), signal == SIGKILL ? " (was the machine out of memory?)" : ""));
    return kFault;
}

}  // namespace

int Run(const RunOptions& options) {
    const pid_t parent = getpid();
    std::fflush(nullptr);
    const pid_t child = fork();
    if (child < 0) {
        SayError(fmt::format("cannot start a process: {}", std::strerror(errno)));
        return kUsage;
    }
    if (child == 0) {
        prctl(PR_SET_PDEATHSIG, SIGKILL);
        const int code = Guarded(options, parent);
        std::fflush(nullptr);
        _exit(code);
    }
    // Ctrl-C reaches the child as well; the parent stays to clean up.
    ::signal(SIGINT, SIG_IGN);
    int code = WaitFor(child);
    for (const ArgumentSpec& spec : options.arguments) {
        if (spec.output.empty()) continue;
        const std::string temporary = TemporaryName(spec.output, parent);
        std::error_code error;
        if (code == kOk) {
            fs::rename(temporary, spec.output, error);
            if (error) {
                SayError(fmt::format("cannot write {}: {}", spec.output, error.message()));
                code = kUsage;
            }
        }
        fs::remove(temporary, error);
    }
    return code;
}

}  // namespace sfumato::command
