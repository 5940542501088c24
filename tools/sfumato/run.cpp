// SPDX-License-Identifier: Apache-2.0
// `sfumato run` and `sfumato check`: a child process compiles, loads and runs the kernel; the parent puts the outputs
// in place when it went well.
#include <fmt/format.h>
#include <signal.h>
#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <sstream>

#include "child.h"
#include "findings.h"
#include "jit/scratch_folder.h"
#include "npy.h"
#include "options.h"
#include "output.h"
#include "progress_line.h"
#include "report/finding.h"
#include "runtime/code/crash.h"
#include "runtime/code/left_behind.h"
#include "sfumato/tiling/tiling_of.h"

namespace sfumato::command {
namespace fs = std::filesystem;
namespace {

// Shared with the child, which sets it when every output is written: its exit code alone does not tell, as code of the
// source may end the process with any.
class Completeness {
public:
    Completeness() : flag_(mmap(nullptr, 1, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0)) {
        if (flag_ == MAP_FAILED) throw Error(fmt::format("cannot share memory: {}", std::strerror(errno)));
    }
    ~Completeness() { munmap(flag_, 1); }
    Completeness(const Completeness&) = delete;
    Completeness& operator=(const Completeness&) = delete;

    explicit operator bool() const { return *static_cast<volatile uint8_t*>(flag_) != 0; }
    void Set() { *static_cast<volatile uint8_t*>(flag_) = 1; }

private:
    void* flag_;
};

// One argument with its GM allocation and what is needed to save it.
struct Bound {
    const ArgumentSpec* spec;
    std::optional<NpyFile> file;
    std::string bytes;  // kTiling
    DataType type = DataType::kUint8;
    std::vector<uint64_t> shape;
    uint8_t* gm = nullptr;
    OutputTarget target;       // when there is an output
    std::vector<Bound> items;  // kList
};

[[noreturn]] void Refuse(const ArgumentSpec& spec, const std::string& why) {
    throw Error(fmt::format("argument '{}': {}", spec.text, why));
}

std::string ReadBytes(const ArgumentSpec& spec) {
    const std::string& path = spec.input;
    std::error_code error;
    if (fs::is_directory(path, error)) Refuse(spec, fmt::format("{} is a directory", path));
    std::ifstream in(path, std::ios::binary);
    std::string bytes;
    if (const uint64_t size = fs::file_size(path, error); !error && size > 0) {
        try {
            bytes.resize(size);
        } catch (const std::exception&) {
            Refuse(spec, fmt::format("the file is too large: the machine cannot allocate {} bytes", size));
        }
        in.read(bytes.data(), static_cast<std::streamsize>(size));
    } else {
        bytes.assign(std::istreambuf_iterator<char>(in), {});  // a pipe does not tell its size
    }
    if (!in) Refuse(spec, fmt::format("{}: cannot be read: {}", path, std::strerror(errno)));
    return bytes;
}

std::string TilingBytes(const ArgumentSpec& spec, const std::string& chip) {
    try {
        return tiling::TilingOf(chip, spec.tiling_of).bytes;
    } catch (const Error& e) {
        Refuse(spec, e.what());
    }
}

// The file must hold the stated type, or raw elements of its size: packed int4 in bytes, bfloat16 in uint16.
void CheckStatedType(const ArgumentSpec& spec, const NpyFile& file) {
    if (!spec.type || *spec.type == file.type()) return;
    const bool raw = (*spec.type == DataType::kInt4 && BitsOf(file.type()) == 8) ||
                     (*spec.type == DataType::kBfloat16 && file.type() == DataType::kUint16);
    if (!raw) {
        Refuse(spec, fmt::format("{} holds {} ('{}'), not {}", spec.input, NumpyName(file.type()), file.descr(),
                                 NumpyName(*spec.type)));
    }
}

// Everything that can be wrong before the source is compiled. `outputs`: the files of the arguments before.
Bound OpenArgument(const ArgumentSpec& spec, const std::string& chip, std::vector<fs::path>* outputs) {
    using Kind = ArgumentSpec::Kind;
    Bound b{&spec, std::nullopt, {}, spec.type.value_or(DataType::kUint8), spec.shape, nullptr, {}, {}};
    if (spec.kind == Kind::kInput || spec.kind == Kind::kInOut) {
        b.file.emplace(spec.input);
        CheckStatedType(spec, *b.file);
        b.type = spec.type.value_or(b.file->type());
        b.shape = b.file->shape();
    } else if (spec.kind == Kind::kTiling) {
        b.bytes = spec.tiling_of.empty() ? ReadBytes(spec) : TilingBytes(spec, chip);
    }
    for (const ArgumentSpec& item : spec.items) b.items.push_back(OpenArgument(item, chip, outputs));
    if (spec.output.empty()) return b;
    try {
        b.target = ResolveOutput(spec.output);
    } catch (const Error& e) {
        Refuse(spec, e.what());
    }
    const fs::path& path = b.target.real;
    if (b.target.replaced() && access(path.parent_path().c_str(), W_OK) != 0) {
        Refuse(spec, fmt::format("cannot write into {}: {}", path.parent_path().string(), std::strerror(errno)));
    }
    if (b.target.replaced() && std::find(outputs->begin(), outputs->end(), path) != outputs->end()) {
        Refuse(spec, fmt::format("{} is already the file of another output", spec.output));
    }
    outputs->push_back(path);
    return b;
}

std::vector<Bound> OpenArguments(const std::vector<ArgumentSpec>& specs, const std::string& chip) {
    std::vector<Bound> bound;
    std::vector<fs::path> outputs;
    for (const ArgumentSpec& spec : specs) bound.push_back(OpenArgument(spec, chip, &outputs));
    return bound;
}

// Of each argument; a list has that of its first array.
std::vector<std::optional<DataType>> TypesOf(const std::vector<Bound>& bound) {
    using Kind = ArgumentSpec::Kind;
    std::vector<std::optional<DataType>> types;
    for (const Bound& b : bound) {
        const Bound& array = b.items.empty() ? b : b.items.front();
        const Kind kind = array.spec->kind;
        const bool typed = kind == Kind::kInput || kind == Kind::kOutput || kind == Kind::kInOut;
        types.push_back(typed ? std::optional(array.type) : std::nullopt);
    }
    return types;
}

std::shared_ptr<CompiledKernels> CompileFor(RunOptions& options, const std::vector<Bound>& bound) {
    options.compile.check = options.launch.check;
    DeriveTypes(options.compile, options.kernel, TypesOf(bound));
    return Compile(options.compile);
}

// Allocates and fills GM in the order of the arguments; `names` are the kernel's parameters.
std::vector<Argument> Allocate(std::vector<Bound>& bound, const KernelInfo& kernel, GlobalMemory& memory) {
    using Kind = ArgumentSpec::Kind;
    const auto allocate = [&](const ArgumentSpec& spec, uint64_t bytes, const std::string& name) {
        try {
            return memory.Allocate(bytes, name);
        } catch (const Error& e) {
            Refuse(spec, e.what());
        }
    };
    using Role = GlobalMemory::Role;
    const auto array = [&](Bound& b, const std::string& name) {
        b.gm = allocate(*b.spec, b.file ? b.file->bytes() : b.spec->bytes, name);
        if (b.file) b.file->Read(b.gm);
        const bool workspace = b.spec->kind == Kind::kWorkspace;
        memory.SetRole(b.gm,
                       workspace                ? Role::kWorkspace
                       : b.spec->output.empty() ? Role::kInput
                       : b.file                 ? Role::kInOut
                                                : Role::kOutput,
                       workspace ? std::nullopt : std::optional(b.type));
    };
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
            a.pointer = allocate(spec, b.bytes.size(), name);
            std::memcpy(a.pointer, b.bytes.data(), b.bytes.size());
            memory.SetRole(a.pointer, Role::kInput);
        } else if (spec.kind == Kind::kList) {
            std::vector<ListedTensor> tensors;
            for (Bound& item : b.items) {
                array(item, fmt::format("{}[{}]", name, tensors.size()));
                tensors.push_back({item.gm, item.shape});
            }
            a = Argument::Pointer(memory.AllocateList(tensors, name));
            memory.SetRole(a.pointer, Role::kInput);
        } else {
            array(b, name);
            a = Argument::Pointer(b.gm);
            if (spec.kind != Kind::kWorkspace) a.type = b.type;
        }
        a.text = spec.text;
        arguments.push_back(std::move(a));
    }
    return arguments;
}

// Grows while the kernel runs, in place: it is most wanted when the kernel does not end well.
class LogFile {
public:
    explicit LogFile(const std::optional<std::string>& name) : name_(name.value_or("")) {
        if (!name) return;
        if (name_ != "-") ResolveOutput(name_);  // says what cannot be one
        file_ = name_ == "-" ? stderr : std::fopen(name_.c_str(), "w");
        if (!file_) throw Error(fmt::format("cannot write the log {}: {}", name_, std::strerror(errno)));
    }
    ~LogFile() {
        if (file_ && file_ != stderr) std::fclose(file_);
    }
    LogFile(const LogFile&) = delete;
    LogFile& operator=(const LogFile&) = delete;

    explicit operator bool() const { return file_ != nullptr; }
    void Write(std::string_view line) const {
        std::fwrite(line.data(), 1, line.size(), file_);
        std::fputc('\n', file_);
    }
    // After the last line.
    void Finish() {
        if (!file_ || file_ == stderr) return;
        const bool failed = std::ferror(file_) != 0;
        if (std::fclose(std::exchange(file_, nullptr)) != 0 || failed) {
            SayError(fmt::format("cannot write all of the log {}", name_));
            ReportLost();
        }
    }

private:
    std::string name_;
    std::FILE* file_ = nullptr;
};

void TellTrace(const std::string& wanted, const LaunchResult& result) {
    if (!result.trace_error.empty()) {
        SayError(result.trace_error);
        ReportLost();
    } else if (result.trace != wanted) {
        Say(Severity::kNote, fmt::format("the trace is large: it is compressed, in {}", result.trace));
    }
}

// Ctrl-C while the kernel runs.
std::atomic<bool> g_interrupted = false;

bool IsInterrupted(const std::vector<Report>& findings) {
    return std::any_of(findings.begin(), findings.end(), [](const Report& r) { return Is(r, Rule::kInterrupted); });
}

// The launch ends at Ctrl-C and at its timeout; where it cannot, the process does.
LaunchResult LaunchHere(RunOptions& options, GlobalMemory& memory, const std::function<void()>& call,
                        Findings& findings) {
    options.launch.interrupt = &g_interrupted;
    options.launch.stuck = [&](Report report) {
        report.file = options.compile.source;
        report.line = options.kernel_line;
        findings.Add(report);
        findings.Show({});
        std::fflush(nullptr);
        NoteReturn();
        _exit(IsInterrupted({report}) ? kInterrupted : kFault);
    };
    ProgressLine progress(options.launch.kernel);
    if (progress.wanted()) options.launch.progress = [&](const LaunchProgress& p) { progress.Show(p); };
    ::signal(SIGINT, [](int) { g_interrupted = true; });
    LaunchResult result = Launch(options.launch, options.blocks, memory, call);
    ::signal(SIGINT, SIG_DFL);
    return result;
}

int RunInChild(const RunOptions& given, pid_t parent, Completeness& complete) {
    RunOptions options = given;
    Findings findings(options);
    AlternateStack stack;
    std::vector<Bound> bound = OpenArguments(options.arguments, options.compile.chip);
    CrashContext context{options.launch.chip, options.launch.kernel, options.compile.source};
    context.host = reinterpret_cast<const void*>(&OpenArguments);
    context.exit_code = kFault;
    context.tell = [&findings](const Report& report) {
        findings.Add(report);
        findings.Show({});
        NoteReturn();
    };
    InstallCrashHandlers(context);
    const std::shared_ptr<CompiledKernels> kernels = CompileFor(options, bound);
    if (kernels->tiling_key()) options.launch.tiling_key = *kernels->tiling_key();
    options.launch.system_workspace = kernels->system_workspace();
    for (const std::string& w : kernels->warnings()) Say(Severity::kWarning, w);
    const KernelInfo& kernel = kernels->Find(options.kernel);
    options.launch.kernel = kernel.name;
    options.kernel_line = kernel.line;

    GlobalMemory::Options memory_options;
    memory_options.fill = options.launch.fill;
    GlobalMemory memory(memory_options);
    const std::function<void()> call = BindArguments(kernels, kernel, Allocate(bound, kernel, memory));

    LogFile log(options.log);
    if (log) options.launch.log = [&log](std::string_view line) { log.Write(line); };
    // With --json, standard output belongs to the findings.
    options.launch.print = options.files.on_stdout() ? PrintError : PrintOut;
    context.kernel = kernel.name;
    context.kernel_line = kernel.line;
    context.memory = &memory;
    InstallCrashHandlers(context);
    const LaunchResult result = LaunchHere(options, memory, call, findings);
    log.Finish();
    TellTrace(options.launch.trace, result);
    for (const Report& r : result.findings) findings.Add(r);
    if (std::optional<Report> left = options.debugged ? std::nullopt : FindLeftBehind()) {
        left->chip = options.launch.chip;
        left->kernel = kernel.name;
        left->file = options.compile.source;
        left->line = kernel.line;
        findings.Add(*left);
    }
    const bool fault = findings.HasFault();
    const auto write = [&](const Bound& b) {
        if (!b.spec->output.empty()) WriteNpy(b.target.Writable(parent), b.type, b.shape, b.gm);
    };
    for (const Bound& b : bound) {
        if (fault || options.launch.skip_data) break;
        write(b);
        std::for_each(b.items.begin(), b.items.end(), write);
    }
    if (!fault) complete.Set();
    findings.Show(result);
    if (result.estimate) ShowEstimate(options, *result.estimate);
    if (IsInterrupted(result.findings)) return kInterrupted;
    return findings.Fails() ? kFault : kOk;
}

// The exceptions' texts and exit codes, in one place.
int Guarded(const RunOptions& options, pid_t parent, Completeness& complete) {
    Findings findings(options);
    try {
        return RunInChild(options, parent, complete);
    } catch (const CompileError& e) {
        SayError(e.what());
        for (Report& r : CompileFindings(e.what(), options.compile.source, options.compile.chip))
            findings.Add(std::move(r));
        findings.ShowError("compile", e.what());
        return kCompile;
    } catch (const KernelError& e) {
        findings.Add(e.report());
        findings.Show({});
        return kFault;
    } catch (const std::exception& e) {
        SayError(e.what());
        findings.ShowError("usage", e.what());
        return kUsage;
    }
}

// What is known of a process that did not come to the end of its run.
Report LostProcess(const ChildEnd& end, const RunOptions& options) {
    using How = ChildEnd::How;
    const auto signal = [&] { return fmt::format("signal {} ({})", end.number, strsignal(end.number)); };
    Report report = ReportOf(Rule::kProcessLost);
    report.chip = options.launch.chip;
    report.kernel = options.kernel;
    report.legal = "a kernel that returns";
    const char* const words = "the process that ran the kernel {}: no output is written";
    if (end.how == How::kSignalled) {
        report.message = fmt::format(fmt::runtime(words), "was ended by " + signal());
        report.found =
            end.number == SIGKILL ? "somebody killed it, or the machine was out of memory" : "nothing else is known";
        report.hint = "with too little memory, run fewer blocks at once or smaller arrays";
        return report;
    }
    report.hint = "look for calls that end, stop or replace a process: exec, exit_group, kill, raise";
    switch (end.how) {
        case How::kStopped:
            report.message = fmt::format(fmt::runtime(words), "was stopped by " + signal());
            report.found = "it did not go on, and was killed";
            break;
        case How::kReplaced:
            report.message = fmt::format(fmt::runtime(words), "became another program");
            report.found = "a call of the exec family; the program was killed";
            break;
        default:
            report.message = fmt::format(fmt::runtime(words), "ended itself");
            report.found = fmt::format("exit code {} before the run was over", end.number);
    }
    return report;
}

int CodeOf(const ChildEnd& end, const RunOptions& options) {
    if (end.how == ChildEnd::How::kReturned) return end.number;
    if (end.interrupted && end.number == SIGINT) return kInterrupted;
    Findings findings(options);
    const Report report = LostProcess(end, options);
    findings.Add(report);
    PrintError(report.Text() + "\n");
    findings.ShowError("killed", report.message);
    return kFault;
}

// Puts the outputs in place when they are complete, and removes what is not.
int Settle(const RunOptions& options, pid_t parent, bool complete, int code) {
    for (const ArgumentSpec* spec : Arrays(options.arguments)) {
        if (spec->output.empty()) continue;
        try {
            const OutputTarget target = ResolveOutput(spec->output);
            if (complete) target.Commit(parent);
            target.Discard(parent);
        } catch (const Error& e) {
            if (!complete) continue;
            SayError(e.what());
            code = kUsage;
        }
    }
    return code;
}

}  // namespace

std::shared_ptr<CompiledKernels> CompileFor(RunOptions& options) {
    return CompileFor(options, OpenArguments(options.arguments, options.compile.chip));
}

int Run(const RunOptions& options) {
    const pid_t parent = getpid();
    Completeness written;
    std::fflush(nullptr);
    if (options.debugged) {
        const int code = Guarded(options, parent, written);
        return Settle(options, parent, static_cast<bool>(written), code);
    }
    const ChildEnd end = RunInProcess([&] { return Finished(Guarded(options, parent, written)); });
    if (end.how != ChildEnd::How::kReturned) jit::RemoveTemporaries(end.process, options.compile.cache_dir);
    const int code = CodeOf(end, options);
    const bool complete = static_cast<bool>(written) && !options.launch.skip_data &&
                          (code == kOk || code == kUnwritten || code == kFault);
    return Settle(options, parent, complete, code);
}

}  // namespace sfumato::command
