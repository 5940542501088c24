// SPDX-License-Identifier: Apache-2.0
// Results as bytes, and the last words of a process that a kernel ends.
#include "runner.h"

#include <nanobind/stl/string.h>
#include <unistd.h>

#include <cstring>
#include <memory>
#include <optional>
#include <string_view>
#include <type_traits>

#include "module.h"
#include "report/exit_code.h"
#include "report/finding.h"
#include "runtime/code/crash.h"
#include "runtime/code/left_behind.h"

namespace nb = nanobind;

namespace sfumato::python {
namespace {

int g_last_words = -1;  // a pipe; -1: this process is no runner

template <class Visit, class T>
void Fields(Visit& visit, T& value);

// Writes or reads the fields of a value one after another: numbers as they lie in memory, a length before what has one.
class Writer {
public:
    void operator()(const std::string& text) {
        (*this)(uint64_t{text.size()});
        bytes += text;
    }
    template <class T>
    requires std::is_arithmetic_v<T> || std::is_enum_v<T>
    void operator()(const T& value) { bytes.append(reinterpret_cast<const char*>(&value), sizeof value); }
    template <class T>
    void operator()(const std::vector<T>& values) {
        (*this)(uint64_t{values.size()});
        for (const T& value : values) Fields(*this, value);
    }
    std::string bytes;
};

class Reader {
public:
    explicit Reader(std::string_view bytes) : rest_(bytes) {}
    void operator()(std::string& text) { text = Take(Size()); }
    template <class T>
    requires std::is_arithmetic_v<T> || std::is_enum_v<T>
    void operator()(T& value) { std::memcpy(&value, Take(sizeof value).data(), sizeof value); }
    template <class T>
    void operator()(std::vector<T>& values) {
        values.clear();
        for (uint64_t n = Size(); n > 0; --n) Fields(*this, values.emplace_back());
    }
    bool done() const { return rest_.empty(); }

private:
    uint64_t Size() {
        uint64_t size = 0;
        (*this)(size);
        return size;
    }
    std::string_view Take(uint64_t n) {
        if (n > rest_.size()) throw Error("a result that another process sent is cut short");
        const std::string_view taken = rest_.substr(0, n);
        rest_.remove_prefix(n);
        return taken;
    }
    std::string_view rest_;
};

template <class Visit, class T>
void Fields(Visit& visit, T& value) {
    using Type = std::remove_const_t<T>;
    if constexpr (std::is_same_v<Type, RelatedPlace>) {
        visit(value.file), visit(value.line), visit(value.note);
    } else if constexpr (std::is_same_v<Type, Reading>) {
        visit(value.call), visit(value.reading), visit(value.tag), visit(value.source), visit(value.option);
        visit(value.file), visit(value.line), visit(value.count);
    } else if constexpr (std::is_same_v<Type, Report>) {
        visit(value.severity), visit(value.rule), visit(value.chip), visit(value.kernel), visit(value.core);
        visit(value.instruction), visit(value.index), visit(value.operand), visit(value.message), visit(value.found);
        visit(value.legal), visit(value.hint), visit(value.file), visit(value.line), visit(value.related);
    } else {
        static_assert(std::is_same_v<Type, LaunchResult>);
        visit(value.findings), visit(value.records), visit(value.task_type), visit(value.task_type_from);
        visit(value.cost.bytes_gm_read), visit(value.cost.bytes_gm_written), visit(value.cost.vector_elements);
        visit(value.cost.mac);
        visit(value.rests_on), visit(value.trace), visit(value.trace_error);
    }
}

void TellLast(const Report& report) {
    LaunchResult result;
    result.findings.push_back(report);
    const std::string bytes = Pack(result);
    for (size_t at = 0; at < bytes.size();) {
        const ssize_t n = write(g_last_words, bytes.data() + at, bytes.size() - at);
        if (n <= 0) return;  // nobody listens
        at += static_cast<size_t>(n);
    }
}

CrashContext ContextOf(const LaunchOptions& options, const std::string& source) {
    CrashContext context{options.chip, options.kernel, source};
    context.host = reinterpret_cast<const void*>(&TellLast);
    context.tell = TellLast;
    context.exit_code = kFault;
    return context;
}

// The report of a runner that left no words; without `found` of one that was interrupted before it began.
LaunchResult Lost(const std::string& chip, const std::string& kernel, const std::string& found) {
    LaunchResult result;
    Report& report = result.findings.emplace_back(
        Stamped(ReportOf(found.empty() ? Rule::kInterrupted : Rule::kProcessLost), chip, kernel));
    if (found.empty()) {
        report.message = "the launch was interrupted";
        report.found = "it had not begun";
        report.legal = "a launch that is left alone until it ends";
        report.hint = "launch it again: nothing it wrote was kept";
        return result;
    }
    report.message = "the process that ran the kernel is gone: no array was changed";
    report.found = found;
    report.legal = "a kernel that returns";
    report.hint = "with too little memory, run fewer blocks at once or smaller arrays";
    return result;
}

}  // namespace

std::string Pack(const LaunchResult& result) {
    Writer writer;
    Fields(writer, result);
    return writer.bytes;
}

LaunchResult Unpack(std::string_view bytes) {
    LaunchResult result;
    Reader reader(bytes);
    Fields(reader, result);
    if (!reader.done()) throw Error("a result that another process sent is too long");
    return result;
}

LastWords::LastWords(LaunchOptions& options, const std::string& source, uint32_t line, const GlobalMemory& memory)
    : chip_(options.chip), kernel_(options.kernel), source_(source), line_(line) {
    if (g_last_words < 0) return;
    CrashContext context = ContextOf(options, source);
    context.kernel_line = line;
    context.memory = &memory;
    InstallCrashHandlers(context);
    options.stuck = [=](Report report) {
        report.file = source;
        report.line = line;
        TellLast(report);
        _exit(kFault);
    };
}

LastWords::~LastWords() {
    if (g_last_words >= 0) InstallCrashHandlers(ContextOf({}, ""));
}

void LastWords::AddLeftBehind(LaunchResult& result) const {
    if (g_last_words < 0) return;
    std::optional<Report> left = FindLeftBehind();
    if (!left) return;
    left->file = source_;
    left->line = line_;
    result.findings.push_back(Stamped(std::move(*left), chip_, kernel_));
}

void BindRunner(nb::module_& m) {
    m.def("become_runner", [](int last_words, const std::string& chip, const std::string& source) {
        static AlternateStack* stack = new AlternateStack;
        (void)stack;
        g_last_words = last_words;
        AdoptOrphans();
        LaunchOptions options;
        options.chip = chip;
        InstallCrashHandlers(ContextOf(options, source));
    });
    m.def("pack_result", [](const LaunchResult& result) {
        const std::string bytes = Pack(result);
        return nb::bytes(bytes.data(), bytes.size());
    });
    m.def("unpack_result", [](const nb::bytes& bytes) { return Unpack({bytes.c_str(), bytes.size()}); });
    m.def("lost_result", &Lost);
}

}  // namespace sfumato::python
