// SPDX-License-Identifier: Apache-2.0
// `sfumato run` and `sfumato check`: a child process compiles, loads and runs the kernel; the parent puts the outputs
// in place when it went well.
#include <fmt/format.h>
#include <signal.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <chrono>
#include <cstdio>
#include <cstring>

#include "bound_arguments.h"
#include "devices.h"
#include "findings.h"
#include "jit/scratch_folder.h"
#include "npy.h"
#include "options.h"
#include "output.h"
#include "progress_line.h"
#include "report/finding.h"
#include "runtime/code/child.h"
#include "runtime/code/crash.h"
#include "runtime/code/left_behind.h"

namespace sfumato::command {
namespace {

std::shared_ptr<CompiledKernels> CompileFor(RunOptions& options, std::span<const Bound> bound) {
    options.compile.check = options.launch.check;
    const auto types = TypesOf(OfRank(options, bound, 0));
    for (uint32_t rank = 1; rank < options.ranks.count; ++rank) {
        if (TypesOf(OfRank(options, bound, rank)) != types) {
            throw Error(
                fmt::format("the arrays of rank {} have other types than those of rank 0: one source is compiled "
                            "for all ranks",
                            rank));
        }
    }
    DeriveTypes(options.compile, options.kernel, types);
    return Compile(options.compile);
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
    LogFile& operator=(LogFile&&) = delete;

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
    return std::any_of(findings.begin(), findings.end(), [](const Report& r) { return r.rule == Rule::kInterrupted; });
}

// The launch ends at Ctrl-C and at its timeout; where it cannot, the process does.
LaunchResult LaunchHere(RunOptions& options, Devices& device, Findings& findings) {
    options.launch.interrupt = &g_interrupted;
    options.launch.stuck = [&](Report report) {
        report.file = options.compile.source;
        report.line = options.kernel_line;
        findings.Add(report);
        findings.Show({});
        std::fflush(nullptr);
        Notes().returned = 1;
        _exit(IsInterrupted({report}) ? kInterrupted : kFault);
    };
    ProgressLine progress(options.launch.kernel);
    if (progress.wanted() && options.ranks.count == 0)
        options.launch.progress = [&](const LaunchProgress& p) { progress.Show(p); };
    ::signal(SIGINT, [](int) { g_interrupted = true; });
    LaunchResult result = options.ranks.count ? device.LaunchOnRanks(options) : device.Launch(options);
    ::signal(SIGINT, SIG_DFL);
    return result;
}

int RunInChild(const RunOptions& given, pid_t parent) {
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
        Notes().returned = 1;
    };
    InstallCrashHandlers(context);
    const std::shared_ptr<CompiledKernels> kernels = CompileFor(options, bound);
    if (kernels->tiling_key()) options.launch.tiling_key = *kernels->tiling_key();
    options.launch.system_workspace = kernels->system_workspace();
    for (const std::string& w : kernels->warnings()) Say(Severity::kWarning, w);
    const KernelInfo& kernel = kernels->Find(options.kernel);
    options.launch.kernel = kernel.name;
    options.kernel_line = kernel.line;

    Devices devices(options);
    devices.Bind(options, kernels, kernel, bound);

    LogFile log(options.log);
    if (log) options.launch.log = [&log](std::string_view line) { log.Write(line); };
    // With --json, standard output belongs to the findings.
    options.launch.print = options.files.on_stdout() ? PrintError : PrintOut;
    context.kernel = kernel.name;
    context.kernel_line = kernel.line;
    context.memory = devices.memory();
    InstallCrashHandlers(context);
    const auto began = std::chrono::steady_clock::now();
    const LaunchResult result = LaunchHere(options, devices, findings);
    const std::chrono::duration<double> took = std::chrono::steady_clock::now() - began;
    log.Finish();
    TellTrace(options.launch.trace, result);
    for (const Report& r : result.findings) findings.Add(r);
    if (std::optional<Report> left = options.debugged ? std::nullopt : FindLeftBehind()) {
        left->file = options.compile.source;
        left->line = kernel.line;
        findings.Add(Stamped(*left, options.launch.chip, kernel.name));
    }
    const bool fault = findings.HasFault();
    const auto write = [&](const Bound& b) {
        if (b.spec->output.empty()) return;
        const std::string path = b.target.Writable(parent);
        if (b.spec->kind == ArgumentSpec::Kind::kWindow) {
            WriteFile(path, {reinterpret_cast<const char*>(b.gm), devices.window_bytes()});
        } else {
            WriteNpy(path, b.type, b.shape, b.gm);
        }
    };
    for (const Bound& b : bound) {
        if (fault || options.launch.skip_data) break;
        write(b);
        std::for_each(b.items.begin(), b.items.end(), write);
    }
    if (!fault) Notes().complete = 1;  // code of the source may end the process with any exit code
    findings.Show(result, took.count());
    if (result.estimate) ShowEstimate(options, *result.estimate);
    if (IsInterrupted(result.findings)) return kInterrupted;
    return findings.Fails() ? kFault : kOk;
}

// The exceptions' texts and exit codes, in one place.
int Guarded(const RunOptions& options, pid_t parent) {
    Findings findings(options);
    try {
        return RunInChild(options, parent);
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
    Report report = Stamped(ReportOf(Rule::kProcessLost), options.launch.chip, options.kernel);
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
    if (end.how == ChildEnd::How::kSignalled && end.number == SIGINT && g_interrupted) return kInterrupted;
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
    std::fflush(nullptr);
    if (options.debugged) {
        const int code = Guarded(options, parent);
        return Settle(options, parent, Notes().complete != 0, code);
    }
    AdoptOrphans();
    ::signal(SIGINT, [](int) { g_interrupted = true; });  // reaches the child as well; the parent stays to clean up
    const ChildEnd end = RunInProcess([&](int) {
        ::signal(SIGINT, SIG_DFL);
        AdoptOrphans();
        return Finished(Guarded(options, parent));
    });
    EndChildren();
    if (end.how != ChildEnd::How::kReturned) jit::RemoveTemporaries(end.process, options.compile.cache_dir);
    const int code = CodeOf(end, options);
    const bool complete =
        end.complete && !options.launch.skip_data && (code == kOk || code == kUnwritten || code == kFault);
    return Settle(options, parent, complete, code);
}

}  // namespace sfumato::command
