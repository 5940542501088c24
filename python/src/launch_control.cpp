// SPDX-License-Identifier: Apache-2.0
// The handler of SIGINT while a launch runs, and the calls of `progress`.
#include "launch_control.h"

#include <signal.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <string>

#include "report/rules.h"
#include "system/threads.h"

namespace nb = nanobind;

namespace sfumato::python {
namespace {

// What the handler sees: only lock-free atomics, and the handler that was there before.
std::atomic<std::atomic<bool>*> g_stop = nullptr;
std::atomic<bool> g_ends = false;  // the next Ctrl-C ends the process
struct sigaction g_before;

static_assert(std::atomic<bool>::is_always_lock_free && std::atomic<std::atomic<bool>*>::is_always_lock_free);

void Handle(int signal, siginfo_t* info, void* context) {
    const int saved = errno;
    if (g_ends.load()) {
        struct sigaction plain {};
        plain.sa_handler = SIG_DFL;
        sigaction(SIGINT, &plain, nullptr);
        raise(SIGINT);  // comes when the handler returns
    } else {
        if (std::atomic<bool>* const stop = g_stop.load()) stop->store(true);
        if (g_before.sa_flags & SA_SIGINFO) {
            g_before.sa_sigaction(signal, info, context);
        } else {
            g_before.sa_handler(signal);
        }
    }
    errno = saved;
}

bool HasHandler(const struct sigaction& action) {
    return (action.sa_flags & SA_SIGINFO) || (action.sa_handler != SIG_DFL && action.sa_handler != SIG_IGN);
}

void SayStuck(const Report& report, bool on_main) {
    const std::string text = "sfumato: " + report.message +
                             ", but is in code without instructions, where it cannot be stopped; " +
                             (on_main ? report.rule == Rule::kInterrupted ? "press Ctrl-C again to end the process\n"
                                                                          : "press Ctrl-C to end the process\n"
                                      : "end the process, or launch with isolated=True\n");
    if (write(STDERR_FILENO, text.data(), text.size()) < 0) return;  // nobody listens
}

}  // namespace

LaunchControl::LaunchControl(LaunchOptions& options, nb::object progress, bool by_signal)
    : progress_(std::move(progress)) {
    options.interrupt = &stop_;
    if (!progress_.is_none()) options.progress = [this](const LaunchProgress& p) { Tell(p); };
    if (!by_signal) return;
    if (system::IsMainThread() && g_stop.load() == nullptr && sigaction(SIGINT, nullptr, &g_before) == 0 &&
        HasHandler(g_before)) {
        g_ends = false;
        g_stop = &stop_;
        struct sigaction action {};
        action.sa_sigaction = Handle;
        action.sa_flags = SA_SIGINFO | (g_before.sa_flags & (SA_ONSTACK | SA_RESTART));
        sigemptyset(&action.sa_mask);
        installed_ = sigaction(SIGINT, &action, nullptr) == 0;
        if (!installed_) g_stop = nullptr;
    }
    // One that came before ours was there would be seen only after the launch.
    if (PyErr_CheckSignals() != 0) {
        Uninstall();
        throw nb::python_error();
    }
    options.stuck = [on_main = installed_](const Report& report) {
        g_ends = on_main;
        SayStuck(report, on_main);
    };
}

LaunchControl::~LaunchControl() { Uninstall(); }

void LaunchControl::Uninstall() {
    if (!installed_) return;
    // Somebody who put a handler of their own on top meanwhile keeps it.
    struct sigaction now {};
    if (sigaction(SIGINT, nullptr, &now) == 0 && (now.sa_flags & SA_SIGINFO) && now.sa_sigaction == Handle)
        sigaction(SIGINT, &g_before, nullptr);
    g_stop = nullptr;
    g_ends = false;
}

void LaunchControl::Tell(const LaunchProgress& progress) {
    const nb::gil_scoped_acquire acquire;
    if (failed_) return;
    try {
        progress_(progress.cores_ended, progress.cores, progress.records);
    } catch (...) {
        failed_ = std::current_exception();
        stop_ = true;
    }
}

void LaunchControl::Rethrow(const LaunchResult& result) const {
    if (failed_) std::rethrow_exception(failed_);
    if (PyErr_CheckSignals() == 0) return;
    const nb::python_error error;
    const bool interrupted = std::any_of(result.findings.begin(), result.findings.end(),
                                         [](const Report& r) { return r.rule == Rule::kInterrupted; });
    if (interrupted) {
        const nb::object type = nb::module_::import_("sfumato._errors").attr("KernelError");
        PyException_SetCause(error.value().ptr(), type(nb::cast(result)).release().ptr());
    }
    throw error;
}

}  // namespace sfumato::python
