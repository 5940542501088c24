// SPDX-License-Identifier: Apache-2.0
// Marks and pictures of the memories around a wrong call.
#include "wrong_runner.h"

#include <algorithm>
#include <cstring>
#include <exception>

#include "report/rules.h"
#include "runtime/cores/core.h"

namespace sfumato::wrong {
namespace {

constexpr uint64_t kGmBytes = 4096, kTailBytes = 40;
constexpr uint8_t kFill = 0xFE;

// What one run of one program shares with its marks; programs of the tables run on one core.
struct Session {
    uint8_t *gm, *tail;
    Outcome run;
    std::vector<uint8_t> before;
    bool marked = false;
};
Session* current_session = nullptr;

std::vector<uint8_t> Picture(const Session& session) {
    runtime::Core& core = *runtime::CurrentCore();
    std::vector<uint8_t> bytes;
    const auto append = [&bytes](const uint8_t* from, uint64_t count) {
        bytes.resize(bytes.size() + count);
        std::memcpy(bytes.data() + bytes.size() - count, from, count);
    };
    append(session.gm, kGmBytes);
    append(session.tail, kTailBytes);
    for (int i = 0; i < isa::kMemoryCount; ++i) {
        const auto memory = static_cast<isa::Memory>(i);
        const uint8_t* base = memory == isa::Memory::kGm ? nullptr : core.MemoryBase(memory);
        if (base) append(base, core.chip().Bytes(memory));
    }
    return bytes;
}

// Compares the memories when the kernel's body ends, however it ends.
struct Comparison {
    Session& session;
    ~Comparison() {
        if (!session.marked) return;
        if (std::uncaught_exceptions() == 0) runtime::CurrentCore()->DrainNoThrow();
        session.run.wrote_after = Picture(session) != session.before;
    }
};

bool IsFill(const uint8_t* bytes, uint64_t n) {
    return std::all_of(bytes, bytes + n, [](uint8_t b) { return b == kFill; });
}

}  // namespace

void Wrong(Where where) {
    Session& session = *current_session;
    session.run.wrong = where;
    runtime::CurrentCore()->DrainNoThrow();
    session.before = Picture(session);
    session.marked = true;
}

Outcome RunProgram(const Program& program, bool stop) {
    GlobalMemory memory({.fill = kFill});
    Session session{memory.Allocate(kGmBytes, "gm"), memory.Allocate(kTailBytes, "tail"), {}, {}, false};
    current_session = &session;
    LaunchOptions options;
    options.chip = program.launched.chip;
    options.kernel = program.name;
    options.core = program.launched.core;
    options.collect = !stop;
    options.strict = !stop && SeverityOf(program) == Severity::kWarning;
    options.print = [](std::string_view) {};
    const LaunchResult result = Launch(options, 1, memory, std::function<void()>([&] {
        Comparison comparison{session};
        program.kernel(session.gm, session.tail);
    }));
    session.run.findings = result.findings;
    session.run.ok = result.ok();
    session.run.gm_untouched = IsFill(session.gm, kGmBytes) && IsFill(session.tail, kTailBytes);
    current_session = nullptr;
    return session.run;
}

Severity SeverityOf(const Program& program) {
    return program.launched.note ? Severity::kNote : Info(*FindRule(program.rule)).severity;
}

}  // namespace sfumato::wrong
