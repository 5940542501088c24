// SPDX-License-Identifier: Apache-2.0
// What a call of host code that fails becomes.
#include "op/run_host.h"

#include <cxxabi.h>
#include <dlfcn.h>
#include <fmt/format.h>
#include <signal.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <exception>
#include <filesystem>
#include <utility>

#include "host/device.h"
#include "op/crash_guard.h"
#include "runtime/code/process_taker.h"
#include "runtime/code/source_lines.h"
#include "runtime/code/unwinding.h"
#include "sfumato/jit.h"

namespace sfumato::op {
namespace {

constexpr uintptr_t kNullPage = 65536;   // addresses of members of an object at null
constexpr uintptr_t kStackStep = 65536;  // bytes that a call takes from the stack

std::string StatusText(ge::graphStatus status) {
    if (status == ge::GRAPH_FAILED) return "GRAPH_FAILED (4294967295)";
    if (status == ge::GRAPH_PARAM_INVALID) return "GRAPH_PARAM_INVALID (50331649)";
    return fmt::format("{}", status);
}

// exit, abort and the like; host code may catch what this throws: the fault is kept.
void TakeProcessEnd(const char* name, int status, const char* file, unsigned line) {
    const bool abort = std::strcmp(name, "abort") == 0;
    Fault({CurrentSaid()->rule, "", "host code cannot end the process",
           abort ? "abort()" : fmt::format("{}({})", name, status), "",
           CurrentSaid()->rule == Rule::kOpProject ? "" : "log an error, and return GRAPH_FAILED"},
          name, {file, line});
}

const char* ModuleOf(const void* address) {
    Dl_info info;
    return dladdr(address, &info) && info.dli_fname ? info.dli_fname : "";
}

// The innermost line of an instruction that stands in none of our headers, nor of the system's; line 0: none.
runtime::CodeFrame UserFrameAt(const void* instruction, const char* source) {
    static const auto* own = new std::vector<std::string>(LocateIncludeDirs());
    std::vector<runtime::CodeFrame> frames = runtime::FramesAt(instruction);
    std::erase_if(frames, [](const runtime::CodeFrame& frame) {
        const std::string path = std::filesystem::path(frame.file).lexically_normal();
        return frame.line == 0 || std::any_of(own->begin(), own->end(),
                                              [&](const std::string& dir) { return path.starts_with(dir + "/"); });
    });
    return runtime::UserFrame(frames, source);
}

// malloc and the like give no memory: whoever goes through the null pointer would be told of that alone.
void TakeNoMemory(const char* found, const void* at) {
    Said& said = *CurrentSaid();
    const runtime::CodeFrame frame = UserFrameAt(static_cast<const uint8_t*>(at) - 1, "");
    try {
        Fault({said.rule, "", "the host has no memory for what the host code asks",
               fmt::format("{}: Cannot allocate memory", found), "", ""},
              "malloc", {frame.file.c_str(), frame.line});
    } catch (const KernelError&) {
    }
    Leave();
}

// Ends of the process, and of its memory, are taken while host code runs.
class TakeEnds {
public:
    TakeEnds()
        : process_(std::exchange(runtime::CurrentProcessTaker(), TakeProcessEnd)),
          memory_(std::exchange(runtime::CurrentMemoryTaker(), TakeNoMemory)) {}
    ~TakeEnds() {
        runtime::CurrentProcessTaker() = process_;
        runtime::CurrentMemoryTaker() = memory_;
    }
    TakeEnds& operator=(TakeEnds&&) = delete;

private:
    runtime::ProcessTaker process_;
    runtime::MemoryTaker memory_;
};

// Where the crash is, in the sources of the operator. The name of the registration's file lies in their library.
Where PlaceOf(const Crash& crash, const std::string& its_module, std::string& file, Where otherwise) {
    const std::string module = its_module.empty() ? ModuleOf(otherwise.file) : its_module;
    for (int i = 0; i < crash.depth; ++i) {
        // A caller's address is behind its call.
        const void* instruction = static_cast<const char*>(crash.callers[static_cast<size_t>(i)]) - (i == 0 ? 0 : 1);
        if (module != ModuleOf(instruction)) continue;
        const runtime::CodeFrame frame = UserFrameAt(instruction, otherwise.file);
        if (frame.line == 0) continue;
        file = frame.file;
        return {file.c_str(), frame.line};
    }
    return otherwise;
}

// Where the exception that is being handled was thrown; one that a library threw has no place.
Where PlaceOfThrow(std::string& file, Where otherwise) {
    // An exception_ptr is a pointer to the exception, in libstdc++ and in libc++.
    const std::exception_ptr caught = std::current_exception();
    const void* object = nullptr;
    std::memcpy(&object, &caught, sizeof(object));
    const runtime::Thrown& thrown = runtime::LastThrown();
    if (object != thrown.object) return otherwise;
    const runtime::CodeFrame frame = UserFrameAt(static_cast<const uint8_t*>(thrown.at) - 1, otherwise.file);
    if (frame.line == 0) return otherwise;
    file = frame.file;
    return {file.c_str(), frame.line};
}

// What tiling libraries say while host code runs goes to its log; what was said before stays unread.
class Messages {
public:
    Messages() {
        if (const char* text = host::Device::TakeMessage()) before_ = text;
    }
    ~Messages() {
        if (!before_.empty()) host::Device::Say(before_);
    }
    Messages& operator=(Messages&&) = delete;

    void Collect(Said& said, Where where) const {
        const char* text = host::Device::TakeMessage();
        if (text == nullptr) return;
        said.log += fmt::format("error: {}\n", text);
        said.errors.push_back({where.file, where.line, text});
    }

private:
    std::string before_;
};

}  // namespace

void RunHost(Rule rule, const std::string& op, const char* what, Said& said, Where where,
             const std::function<ge::graphStatus()>& function) {
    const Messages messages;
    const auto refuse = [&](const std::string& message, const std::string& found, Where place) {
        messages.Collect(said, where);
        Report report = Stamped(ToReport({rule, "", message, found, "", ""}, op, place), said.chip);
        report.related = said.errors;
        for (const Report& f : said.findings)
            report.related.push_back({f.file, f.line, fmt::format("[{}] {}", Name(f.rule), f.message)});
        if (!said.null_call.empty() && message.find("null pointer") != std::string::npos)
            report.related.push_back({said.null_where.file, said.null_where.line, said.null_call + " gave nullptr"});
        throw KernelError(std::move(report));
    };
    said.rule = rule;
    const SayTo scope(said);
    const TakeEnds ends;
    ge::graphStatus status = ge::GRAPH_SUCCESS;
    Crash crash;
    bool whole = true;
    try {
        whole = Guarded([&] { status = function(); }, crash);
    } catch (const KernelError&) {
        if (said.fault) throw KernelError(*said.fault);
        throw;
    } catch (const std::exception& error) {
        if (said.fault) throw KernelError(*said.fault);
        std::string file;
        refuse(fmt::format("{} threw an exception", what), error.what(), PlaceOfThrow(file, where));
    } catch (...) {
        if (said.fault) throw KernelError(*said.fault);
        const std::type_info* type = abi::__cxa_current_exception_type();
        std::string file;
        refuse(fmt::format("{} threw an exception", what), type ? NameOf(*type) : "of no type",
               PlaceOfThrow(file, where));
    }
    if (said.fault) throw KernelError(*said.fault);  // the host code caught it
    if (!whole) {
        const auto address = reinterpret_cast<uintptr_t>(crash.address);
        std::string file;
        const Where place = PlaceOf(crash, said.module, file, where);
        if (crash.signal == SIGABRT)
            refuse(fmt::format("{} ends the process", what),
                   "abort of a library: a failed check, an exception that nothing catches", place);
        if (crash.signal == SIGILL || crash.signal == SIGTRAP)
            refuse(fmt::format("{} runs into an illegal instruction", what),
                   "a trap, or the end of a function that returns nothing", place);
        if (crash.signal == SIGFPE) refuse(fmt::format("{} divides by zero", what), "an integer divided by 0", place);
        const auto stack = reinterpret_cast<uintptr_t>(crash.stack);
        if (address + kStackStep > stack && address < stack + kStackStep)
            refuse(fmt::format("{} uses up the stack", what), "calls without end, or a large array", place);
        if (address < kNullPage)
            refuse(fmt::format("{} goes through a null pointer", what), fmt::format("address {}", address), place);
        refuse(fmt::format("{} reaches memory that is not there", what), fmt::format("address {:#x}", address), place);
    }
    if (status != ge::GRAPH_SUCCESS) refuse(fmt::format("{} failed", what), StatusText(status), where);
    messages.Collect(said, where);
}

}  // namespace sfumato::op

// What assert of <cassert> calls in host code (host_compile.cpp); it is declared as not to throw.
extern "C" [[noreturn]] SFUMATO_API void SfumatoAssertFail(const char* expression, const char* file, unsigned line,
                                                           const char* function) noexcept {
    using namespace sfumato::op;
    if (Said* said = CurrentSaid()) {
        try {
            Fault({said->rule, "", "an assertion of the host code fails", expression, "",
                   "log an error, and return GRAPH_FAILED"},
                  "assert", {file, line});
        } catch (const sfumato::KernelError&) {
        }
        Leave();
    }
    std::fprintf(stderr, "%s:%u: %s: Assertion `%s' failed.\n", file, line, function, expression);
    std::abort();
}
