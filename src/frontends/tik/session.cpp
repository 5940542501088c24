// SPDX-License-Identifier: Apache-2.0
// Stops of a debugged run: which statements, how the threads hand over, what can be read.
#include "frontends/tik/session.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <thread>

#include "frontends/tik/fault.h"
#include "runtime/launch/launch_state.h"

namespace sfumato::tik {
namespace {

using BlockState = DebugStop::BlockState;

size_t Place(int32_t i) { return static_cast<size_t>(i); }

// The others are reached from the statement before, as parts of a with block.
bool MayStop(StatementKind kind) {
    return kind != StatementKind::kEnd && kind != StatementKind::kElif && kind != StatementKind::kElse;
}

class StopHere final : public DebugStop {
public:
    StopHere(const Ir& ir, Frame& frame, const std::vector<std::vector<int64_t>>& shapes)
        : ir_(ir), frame_(frame), shapes_(shapes) {}

    Number Value(ExprId id) const override {
        const Expr& e = ir_.exprs[Place(id.value)];
        RequireOpen(e.scope, "the value reads what");
        const uint64_t bits = Read([&] { return frame_.Evaluate(id.value); });
        return ToNumber(e.condition ? DataType::kInt32 : e.type, bits);
    }

    std::vector<Number> Values(ScalarId array) const override {
        const ScalarNode& node = ir_.scalars[Place(array.value)];
        RequireOpen(node.scope, node.name);
        std::vector<Number> values;
        for (uint32_t i = 0; i < node.length; ++i) values.push_back(ToNumber(node.type, frame_.slots[node.slot + i]));
        return values;
    }

    Output Contents(TensorId id) const override {
        const TensorNode& t = ir_.tensors[Place(id.value)];
        RequireOpen(t.scope, t.name);
        Output out{t.name, t.type, t.shape, {}, nullptr};
        const uint8_t* base = nullptr;
        uint64_t bytes = t.bytes;
        if (t.memory == isa::Memory::kGm) {
            const uint32_t allocation = frame_.Allocation(static_cast<uint32_t>(t.gm));
            out.shape = shapes_[static_cast<size_t>(t.gm)];
            base = frame_.core.GmBase(allocation);
            bytes = frame_.core.Gm(allocation).bytes;
        } else {
            const uint64_t copy = t.copies > 1 ? frame_.trips[Place(t.loop)] % t.copies : 0;
            base = frame_.core.MemoryBase(t.memory) + t.offset + copy * t.pitch;
        }
        uint64_t elements = 1;
        for (const int64_t d : out.shape) elements *= static_cast<uint64_t>(d);
        const auto copied =
            std::make_shared<std::vector<uint8_t>>(base, base + std::min<uint64_t>(bytes, BytesOf(t.type, elements)));
        out.bytes = *copied;
        out.owner = copied;
        return out;
    }

private:
    // A scope is open from its first statement to its end, or to the clause that follows it.
    void RequireOpen(int32_t scope, const std::string& what) const {
        for (int32_t s = scope; s > 0; s = ir_.scopes[Place(s)].parent) {
            const auto begin = static_cast<uint64_t>(ir_.scopes[Place(s)].statement);
            const Statement& opened = ir_.statements[begin];
            if (statement <= begin || statement > static_cast<uint64_t>(opened.next)) {
                throw Error(fmt::format("{} lives in the with block of {}:{} only, which is not running here", what,
                                        opened.where.file, opened.where.line));
            }
        }
    }

    template <class Body>
    uint64_t Read(const Body& body) const {
        frame_.inspected = true;
        const auto say = [](const std::string& message, const std::string& found) {
            return Error(found.empty() ? message : message + ": " + found);
        };
        try {
            const uint64_t value = body();
            frame_.inspected = false;
            return value;
        } catch (const Unreadable& u) {
            frame_.inspected = false;
            throw say(u.report.message, u.report.found);
        } catch (const Refused& refused) {
            frame_.inspected = false;
            throw say(refused.finding.message, refused.finding.found);
        }
    }

    const Ir& ir_;
    Frame& frame_;
    const std::vector<std::vector<int64_t>>& shapes_;
};

}  // namespace

void Session::Run(uint32_t blocks, const std::function<void()>& launch) {
    blocks_.assign(blocks, BlockState::kWaits);
    std::exception_ptr error;
    std::thread runner([&] {
        try {
            launch();
        } catch (...) {
            error = std::current_exception();
        }
        std::lock_guard lock(mutex_);
        done_ = true;
        changed_.notify_all();
    });
    Serve();
    runner.join();
    if (failure_) std::rethrow_exception(failure_);
    if (error) std::rethrow_exception(error);
}

// What the debugger throws ends the run.
template <class Ask>
void Session::Guarded(const Ask& ask) {
    try {
        ask();
    } catch (...) {
        failure_ = std::current_exception();
        quit_ = pause_ = true;
    }
}

void Session::Serve() {
    std::unique_lock lock(mutex_);
    for (;;) {
        changed_.wait_for(lock, std::chrono::milliseconds(50), [&] { return done_ || stop_; });
        if (done_) return;
        const DebugStop* stop = stop_;
        lock.unlock();
        if (!stop) {
            if (!quit_) Guarded([&] { pause_ = debugger_.Interrupted() || pause_; });
        } else {
            Action action = Action::kQuit;
            Guarded([&] { action = debugger_.Stopped(*stop); });
            step_ = action == Action::kNext;
            if (action == Action::kQuit) quit_ = true;
        }
        lock.lock();
        if (!stop) continue;
        stop_ = nullptr;
        changed_.notify_all();
    }
}

void Session::Enter(runtime::Core& core, BlockState state) {
    std::lock_guard lock(mutex_);
    blocks_[core.place().block] = state;
}

void Session::Begin(runtime::Core& core) {
    core.waits().AwaitTurn();
    Enter(core, BlockState::kRuns);
}

void Session::Meet(runtime::Core& core) { Enter(core, BlockState::kAtBarrier); }
void Session::End(runtime::Core& core) { Enter(core, BlockState::kEnded); }

bool Session::Wants(size_t statement) const {
    return MayStop(ir_.statements[statement].kind) && (step_ || pause_ || debugger_.breakpoints.contains(statement));
}

void Session::Stop(size_t statement, Frame& frame) {
    if (!quit_) {
        frame.core.Settle();
        Show(statement, frame, nullptr);
    }
    if (!quit_) return;
    frame.core.launch().cores->StopAbove(frame.core.place().order);
    throw runtime::StopCore{};
}

void Session::End(runtime::Core& core, size_t statement, Frame& frame) {
    const auto& findings = core.findings().all();
    const bool fault = !findings.empty() && findings.back().severity == Severity::kFault;
    if (fault && !quit_) Show(statement, frame, &findings.back());
    End(core);
}

void Session::Show(size_t statement, Frame& frame, const Report* fault) {
    StopHere stop(ir_, frame, *shapes_);
    stop.statement = statement;
    stop.where = fault ? Where{fault->file.c_str(), fault->line} : frame.where;
    stop.block = frame.core.place().block;
    stop.core = frame.core.place().name;
    stop.issued = frame.core.next_index();
    stop.fault = fault;
    for (size_t i = 0; i < statement; ++i) {
        const Statement& s = ir_.statements[i];
        if (s.kind != StatementKind::kFor || statement > Place(s.end)) continue;
        const ForNode& loop = ir_.loops[Place(s.a)];
        const ScalarNode& variable = ir_.scalars[Place(loop.variable)];
        stop.loops.push_back(
            {variable.name, static_cast<int64_t>(frame.slots[variable.slot]), frame.last[Place(s.a)], s.where});
    }
    std::unique_lock lock(mutex_);
    pause_ = false;
    stop.blocks = blocks_;
    stop_ = &stop;
    changed_.notify_all();
    changed_.wait(lock, [&] { return stop_ == nullptr; });
}

}  // namespace sfumato::tik
