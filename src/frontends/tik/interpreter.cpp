// SPDX-License-Identifier: Apache-2.0
// Statements in program order; instruction calls become records.
#include "frontends/tik/interpreter.h"

#include <fmt/format.h>

#include <variant>
#include <vector>

#include "frontends/tik/fault.h"
#include "frontends/tik/print.h"
#include "runtime/launch/launch_state.h"

namespace sfumato::tik {
namespace {

constexpr const char* kNames[] = {"set_as",        "set_as",     "set_as",         "for_range",      "if_scope",
                                  "elif_scope",    "else_scope", "new_stmt_scope", "for_range",      "tik_break",
                                  "tik_continue",  "tik_return", "call",           "set_atomic_add", "set_register",
                                  "block_barrier", "printf",     "debug_print"};
static_assert(std::size(kNames) == static_cast<size_t>(StatementKind::kMark) + 1);

class Interpreter {
public:
    Interpreter(const Ir& ir, runtime::Core& core, const Inputs& inputs, bool probe, Session* session)
        : ir_(ir), core_(core), frame_(ir, core, inputs.allocations), session_(session), probe_(probe) {
        // A memory is filled on first use; records take it as it is.
        for (const TensorNode& t : ir.tensors) {
            if (t.memory != isa::Memory::kGm) core.MemoryBase(t.memory);
        }
        for (const auto& [scalar, value] : inputs.scalars) frame_.slots[Nth(ir.scalars, scalar).slot] = value;
        declared_.resize(ir.statements.size());
        for (const TensorNode& t : ir.tensors) {
            const int32_t statement = ir.scopes[Place(t.scope)].statement;
            if (t.memory == isa::Memory::kGm) continue;
            statement < 0 ? Declare(t) : declared_[Place(statement)].push_back(&t);
        }
    }

    int64_t Run() {
        if (!session_) return RunAll();
        session_->Begin(core_);
        try {
            RunAll();
            core_.Settle();
        } catch (const runtime::StopCore&) {
            session_->End(core_, at_, frame_);
            throw;
        }
        session_->End(core_);
        return 0;
    }

private:
    int64_t RunAll() {
        while (pc_ < ir_.statements.size()) {
            try {
                Execute();
            } catch (const Refused& refused) {
                Skip();
                const Statement& s = ir_.statements[at_];
                Report report = ToReport(refused.finding, Call(s), s.where);
                report.index = core_.next_index();
                core_.findings().Add(std::move(report));
            } catch (const SkipStatement&) {
                Skip();
            }
        }
        if (core_.registers().control.atomic != isa::Atomic::kNone) AtomicLeftOn();
        return blocks_;
    }

    const Statement& At(size_t i) const { return ir_.statements[i]; }
    static size_t Place(int32_t i) { return static_cast<size_t>(i); }
    const char* Call(const Statement& s) const {
        return s.kind == StatementKind::kCall ? ir_.calls[Place(s.a)].info->name : Nth(kNames, s.kind);
    }

    // A statement whose fault was collected does nothing: a loop or condition is left out.
    void Skip() {
        const Statement& s = At(at_);
        const bool block =
            s.kind == StatementKind::kFor || s.kind == StatementKind::kIf || s.kind == StatementKind::kElif;
        pc_ = block ? Place(s.end) + 1 : at_ + 1;
    }

    void Execute() {
        while (pc_ < ir_.statements.size()) {
            at_ = pc_;
            const Statement& s = At(pc_);
            frame_.where = s.where;
            frame_.statement = Nth(kNames, s.kind);
            if (session_ && session_->Wants(at_)) [[unlikely]]
                session_->Stop(at_, frame_);
            ++pc_;
            switch (s.kind) {
                case StatementKind::kSetScalar:
                    frame_.slots[ir_.scalars[Place(s.a)].slot] = frame_.Evaluate(s.b);
                    break;
                case StatementKind::kSetElement: {
                    const uint64_t value = frame_.Evaluate(s.c);
                    frame_.Element(s.a, frame_.Evaluate(s.b)) = value;
                    break;
                }
                case StatementKind::kStore: Store(s); break;
                case StatementKind::kFor:
                    if (!Begin(s)) return;
                    break;
                case StatementKind::kIf: Choose(); break;
                // Reached from the clause before, which has run.
                case StatementKind::kElif:
                case StatementKind::kElse: pc_ = Place(s.end) + 1; break;
                case StatementKind::kScope: Enter(at_); break;
                case StatementKind::kEnd:
                    if (At(Place(s.a)).kind == StatementKind::kFor) {
                        core_.stopping().IfAsked(Nth(kNames, StatementKind::kFor), At(Place(s.a)).where);
                        Repeat(At(Place(s.a)), Place(s.a));
                    }
                    break;
                case StatementKind::kBreak: pc_ = Place(At(Place(s.a)).end) + 1; break;
                case StatementKind::kContinue: pc_ = Place(At(Place(s.a)).end); break;
                case StatementKind::kReturn: pc_ = ir_.statements.size(); return;
                case StatementKind::kCall: Issue(ir_.calls[Place(s.a)], s); break;
                case StatementKind::kSetAtomic: SetAtomic(s); break;
                case StatementKind::kSetRegister: SetRegister(s); break;
                case StatementKind::kBarrier: Barrier(s); break;
                case StatementKind::kPrintf: Print(ir_.printfs[Place(s.a)]); break;
                case StatementKind::kMark:
                    if (s.a >= 0) core_.Called(ir_.marks[Place(s.a)], s.where);
                    break;
            }
        }
    }

    // False: the program ends here, because a probe has seen what it looks for.
    bool Begin(const Statement& s) {
        const ForNode& loop = ir_.loops[Place(s.a)];
        const auto first = static_cast<int64_t>(frame_.Evaluate(loop.begin));
        const auto last = static_cast<int64_t>(frame_.Evaluate(loop.end));
        uint64_t& variable = frame_.slots[ir_.scalars[Place(loop.variable)].slot];
        frame_.trips[Place(s.a)] = 0;
        if (loop.block_num >= 0) {
            if (probe_) {
                blocks_ = last;
                pc_ = ir_.statements.size();
                return false;
            }
            const auto block = static_cast<int64_t>(core_.place().block);
            variable = static_cast<uint64_t>(block);
            frame_.last[Place(s.a)] = block + 1;
            block >= last ? Leave(s) : Enter(at_);
            return true;
        }
        variable = static_cast<uint64_t>(first);
        frame_.last[Place(s.a)] = last;
        first >= last ? Leave(s) : Enter(at_);
        return true;
    }

    void Leave(const Statement& s) { pc_ = Place(s.end) + 1; }

    // The tensors that the scope of this statement declares begin anew.
    void Enter(size_t statement) {
        for (const TensorNode* t : declared_[statement]) Declare(*t);
    }
    void Declare(const TensorNode& t) {
        const uint64_t copy = t.copies > 1 ? frame_.trips[Place(t.loop)] % t.copies : 0;
        const uint64_t begin = t.offset + copy * t.pitch;
        core_.Marks({.as = events::Marked::As::kRenewed,
                     .memory = t.memory,
                     .bytes = {begin, begin + t.bytes},
                     .call = "Tensor",
                     .where = t.where});
    }

    void Repeat(const Statement& s, size_t at) {
        const ForNode& loop = ir_.loops[Place(s.a)];
        uint64_t& variable = frame_.slots[ir_.scalars[Place(loop.variable)].slot];
        const int64_t next = static_cast<int64_t>(variable) + 1;
        if (next >= frame_.last[Place(s.a)]) return;
        variable = static_cast<uint64_t>(next);
        ++frame_.trips[Place(s.a)];
        pc_ = at + 1;
        Enter(at);
    }

    // At an if_scope: goes into the first clause whose condition holds.
    void Choose() {
        for (;;) {
            const Statement& s = At(at_);
            frame_.where = s.where;
            const bool taken =
                s.kind == StatementKind::kElse || s.kind == StatementKind::kEnd || frame_.Evaluate(s.a) != 0;
            if (taken) break;
            at_ = Place(s.next);
        }
        pc_ = at_ + 1;
        Enter(at_);
    }

    bool InOrder(const Statement& s) const { return s.sync && core_.auto_sync(); }

    void Store(const Statement& s) {
        isa::Record r(isa::Opcode::scalar_store);
        r.api = isa::Api::kTik;
        r.pipe = isa::Pipe::kS;
        r.operand_count = 1;
        const uint64_t value = frame_.Evaluate(s.b);
        r.operand[0] = frame_.OperandOf(s.a);
        const RefNode& ref = ir_.refs[Place(s.a)];
        ElementSpan(frame_, r.operand[0], ir_.tensors[Place(ref.tensor)]);
        r.immediate = ToMemory(r.operand[0].type, value);
        r.mask.count = 1;
        r.where = s.where;
        core_.Issue(r, InOrder(s));
        if (InOrder(s)) core_.pipes().DrainPipe(isa::Pipe::kS);
    }

    void Issue(const CallNode& call, const Statement& s) {
        const isa::Control& control = core_.registers().control;
        if (call.fixed >= 0) {
            isa::Record r = ir_.fixed[Place(call.fixed)];
            for (int i = 0; i < r.operand_count; ++i) {
                isa::Operand& o = r.operand[Place(i)];
                if (o.memory == isa::Memory::kGm) o.allocation = frame_.Allocation(o.allocation);
            }
            r.control.TakeOverflow(control);
            r.control.atomic = control.atomic;
            r.control.atomic_type = control.atomic_type;
            SetOverflow(&r);
            return core_.Issue(r, InOrder(s));
        }
        isa::Record r(call.info->op);
        r.api = isa::Api::kTik;
        r.where = s.where;
        r.call = call.info->name;
        r.control = control;
        frame_.statement = call.info->name;
        const CallValues values(ir_, call, core_.chip(), &frame_);
        if (call.info->expand) return IssueSteps(values, r);
        call.info->build(values, &r);
        SetOverflow(&r);
        core_.Issue(r, InOrder(s));
    }

    // The records of one call keep their order, whatever the scope around it says.
    void IssueSteps(const CallValues& values, const isa::Record& first) {
        std::vector<isa::Record> records;
        values.call().info->expand(values, first, &records);
        for (isa::Record& r : records) {
            for (int i = 0; i < r.operand_count; ++i) {
                const isa::Memory memory = r.operand[Place(i)].memory;
                if (memory != isa::Memory::kGm && core_.chip().Bytes(memory) > 0) core_.MemoryBase(memory);
            }
            core_.Issue(r, true);
        }
    }

    // set_fp2fp_mode decides for conversions of float32 to float16 alone.
    void SetOverflow(isa::Record* r) const {
        if (!frame_.converts_by_mode || r->op != isa::Opcode::vconv) return;
        if (r->src0().type != DataType::kFloat || r->dst().type != DataType::kHalf) return;
        const bool limited = Nth(frame_.controls, ControlRegister::kFp2Fp) == 0;
        r->control.AskOverflow(limited ? Overflow::kSaturate : Overflow::kInfNan);
    }

    void SetRegister(const Statement& s) {
        const auto which = static_cast<ControlRegister>(s.a);
        frame_.controls[Place(s.a)] = static_cast<uint64_t>(s.b);
        if (which == ControlRegister::kFp2Fp) {
            frame_.converts_by_mode = true;
            core_.Called("set_fp2fp_mode", s.where);
        }
        if (which == ControlRegister::kOverflowStatus) {
            core_.Drain();
            core_.execution().ClearOverflow();
        }
    }

    void SetAtomic(const Statement& s) {
        runtime::Registers& regs = core_.registers();
        regs.control.atomic = s.a ? isa::Atomic::kAdd : isa::Atomic::kNone;
        if (s.a) regs.control.atomic_type = static_cast<DataType>(s.b);
        regs.atomic_where = s.where;
    }

    void Barrier(const Statement& s) {
        core_.Drain();
        if (session_) session_->Meet(core_);
        const char* missing = core_.waits().MeetOthers();
        if (!missing) {
            if (session_) session_->Begin(core_);
            return;
        }
        frame_.Fault(ToReport({Rule::kBarrier, "", "the barrier would wait for ever", missing,
                               "every block reaches every block_barrier, and there are no more blocks than cores",
                               "call it in all branches, or lower block_num"},
                              "block_barrier", s.where));
    }

    void Print(const PrintfNode& node) {
        std::vector<PrintValue> values;
        for (const int32_t e : node.values) {
            const Expr& expr = ir_.exprs[Place(e)];
            values.push_back({expr.condition ? DataType::kInt32 : expr.type, frame_.Evaluate(e)});
        }
        const auto& print = core_.launch().options.print;
        if (!print) return;
        const std::string text = FormatText(node.format, values);
        std::lock_guard lock(core_.launch().mutex);
        print(text);
    }

    void AtomicLeftOn() {
        runtime::Registers& regs = core_.registers();
        regs.control.atomic = isa::Atomic::kNone;
        Report report =
            ToReport({Rule::kAtomicLeftOn, "", "the kernel ends in an atomic mode", "an atomic mode that is on",
                      "set_atomic_add(0) after the last atomic store: the mode stays on for the next kernel",
                      "add set_atomic_add(0)"},
                     "set_atomic_add", regs.atomic_where);
        report.index = core_.next_index();
        core_.findings().Add(std::move(report));
    }

    const Ir& ir_;
    runtime::Core& core_;
    Frame frame_;
    Session* const session_;  // of a debugged run
    const bool probe_;
    int64_t blocks_ = 0;
    size_t pc_ = 0, at_ = 0;                                // the next statement, the one that runs
    std::vector<std::vector<const TensorNode*>> declared_;  // on-chip tensors, by the statement that opens their scope
};

}  // namespace

int64_t RunBlock(const Ir& ir, runtime::Core& core, const Inputs& inputs, bool probe, Session* session) {
    return Interpreter(ir, core, inputs, probe, session).Run();
}

}  // namespace sfumato::tik
