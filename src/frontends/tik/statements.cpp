// SPDX-License-Identifier: Apache-2.0
// Assignments, loops, conditions and blocks.
#include <fmt/format.h>

#include <algorithm>

#include "frontends/tik/arithmetic.h"
#include "frontends/tik/program.h"

namespace sfumato::tik {

int32_t Program::Impl::AddStatement(Statement statement, Where where) {
    statement.where = where;
    statement.sync = !Nth(ir.scopes, scope).disable_sync;
    ir.statements.push_back(statement);
    return static_cast<int32_t>(ir.statements.size() - 1);
}

void Program::Impl::OpenScope(Scope::Kind kind, int32_t statement, bool disable_sync) {
    Scope s;
    s.kind = kind;
    s.parent = scope;
    s.depth = Nth(ir.scopes, scope).depth + 1;
    s.statement = statement;
    s.disable_sync = disable_sync || Nth(ir.scopes, scope).disable_sync;
    scope = static_cast<int32_t>(ir.scopes.size());
    ir.scopes.push_back(s);
    marks.push_back(used);
}

ExprId Program::Impl::ForStore(const char* call, ExprId value, DataType type, std::string_view to, Where where) {
    RequireLive(call, value, where);
    const Expr& e = At(value);
    if (e.literal) {
        const auto* real = std::get_if<double>(&e.number);
        if (real && !IsFloating(type) && *real != std::floor(*real)) {
            Fail(call, where,
                 {Rule::kScalarType, std::string(to), fmt::format("a fraction cannot be stored in {}", NumpyName(type)),
                  fmt::format("{}", *real), "an int", "use // for whole numbers"});
        }
        return ToType(value, type);
    }
    const bool integers = !IsFloating(e.type) && !IsFloating(type);
    if (e.type != type && !integers) {
        Fail(call, where,
             {Rule::kScalarType, std::string(to), "the value has another type",
              fmt::format("{} for {}", NumpyName(e.type), NumpyName(type)),
              IsFloating(type) ? NumpyName(type) : "an integer type", "convert it with scalar_conv"});
    }
    return ToType(value, type);
}

void Program::Impl::SetScalar(const char* call, ScalarId id, ExprId value, Where where) {
    where = Begin(call, where);
    const ScalarNode& s = Nth(ir.scalars, id.value);
    RequireLive(call, s, where);
    if (s.kind == ScalarKind::kLoop || s.kind == ScalarKind::kInput || s.kind == ScalarKind::kArray) {
        Fail(call, where,
             {Rule::kScalarReadOnly, s.name, "this cannot be assigned",
              s.kind == ScalarKind::kLoop    ? "a loop variable"
              : s.kind == ScalarKind::kInput ? "an InputScalar"
                                             : "a ScalarArray",
              s.kind == ScalarKind::kArray ? "an element of it" : "a Scalar", "copy it to a Scalar"});
    }
    value = ForStore(call, value, s.type, s.name, where);
    AddStatement({.kind = StatementKind::kSetScalar, .a = id.value, .b = value.value}, where);
}

void Program::Impl::SetElement(const char* call, ScalarId id, ExprId index, ExprId value, Where where) {
    where = Begin(call, where);
    const ScalarNode& s = Nth(ir.scalars, id.value);
    RequireLive(call, s, where);
    index = RequireInteger(call, "index", index, where);
    value = ForStore(call, value, s.type, s.name, where);
    AddStatement({.kind = StatementKind::kSetElement, .a = id.value, .b = index.value, .c = value.value}, where);
}

void Program::SetScalar(ScalarId scalar, ExprId value, Where where) {
    impl_->SetScalar("set_as", scalar, value, where);
}

void Program::SetElement(ScalarId array, ExprId index, ExprId value, Where where) {
    impl_->SetElement("set_as", array, index, value, where);
}

void Program::Store(RefId id, ExprId value, Where where) {
    constexpr const char* kCall = "set_as";
    Impl& p = *impl_;
    where = p.Begin(kCall, where);
    const RefNode ref = Nth(p.ir.refs, id.value);
    const TensorNode& t = Nth(p.ir.tensors, ref.tensor);
    p.RequireLive(kCall, t, where);
    p.RequireLive(kCall, ExprId{ref.offset}, where);
    const bool gm = t.memory == isa::Memory::kGm;
    if (t.memory != isa::Memory::kUb && !(gm && p.chip.scalar_gm_store)) {
        p.Fail(kCall, where,
               {Rule::kScalarPosition, t.name, "the scalar unit cannot write this memory",
                fmt::format("a Tensor in {}", isa::Name(t.memory)),
                p.chip.scalar_gm_store ? "a Tensor in UB or GM" : "a Tensor in UB", "write to UB, then use data_move"});
    }
    value = p.ForStore(kCall, value, ref.type, t.name, where);
    p.AddStatement({.kind = StatementKind::kStore, .a = id.value, .b = value.value}, where);
}

ScalarId Program::BeginFor(ExprId begin, ExprId end, std::string_view name, std::string_view type, int64_t thread_num,
                           ExprId block_num, Where where) {
    constexpr const char* kCall = "for_range";
    Impl& p = *impl_;
    where = p.Begin(kCall, where);
    begin = p.RequireInteger(kCall, "begint", begin, where);
    end = p.RequireInteger(kCall, "endt", end, where);
    block_num = p.RequireInteger(kCall, "block_num", block_num, where);
    const auto fail = [&](const char* operand, std::string message, std::string found, std::string legal,
                          const char* hint) {
        p.Fail(kCall, where, {Rule::kForRange, operand, std::move(message), std::move(found), std::move(legal), hint});
    };
    constexpr int64_t kMostThreads = 4, kMostBlocks = 65535;
    if (thread_num < 0 || thread_num > kMostThreads) {
        fail("thread_num", "thread_num is out of range", fmt::format("{}", thread_num), "0..4", "use 1 or 2");
    }
    const Expr &blocks = p.At(block_num), &first = p.At(begin), &last = p.At(end);
    const bool multi_core = !blocks.constant() || static_cast<int64_t>(blocks.bits) != 1;
    if (multi_core) {
        const auto count = static_cast<int64_t>(blocks.bits), to = static_cast<int64_t>(last.bits);
        if (blocks.constant() && (count < 1 || count > kMostBlocks)) {
            fail("block_num", "block_num is out of range", fmt::format("{}", count), "1..65535", "");
        }
        if (!first.constant() || first.bits != 0) {
            fail("begint", "a multi-core loop starts at 0",
                 first.constant() ? fmt::format("{}", static_cast<int64_t>(first.bits)) : "an expression", "0", "");
        }
        const bool same = blocks.constant() ? last.constant() && count == to
                                            : blocks.op == last.op && blocks.a == last.a && blocks.b == last.b;
        if (!same) {
            fail("block_num", "block_num must be endt",
                 blocks.constant() && last.constant() ? fmt::format("block_num {}, endt {}", count, to)
                                                      : "block_num and endt differ",
                 last.constant() ? fmt::format("block_num should be 1 or {}", to) : "the same Scalar for both",
                 "divide the work over block_num iterations");
        }
        if (thread_num > 1) {
            fail("thread_num", "a multi-core loop has one thread", fmt::format("{}", thread_num), "0 or 1",
                 "put a loop with thread_num inside");
        }
        if (p.ir.block_loop >= 0) {
            fail("block_num", "the program has a multi-core loop already", "a second one",
                 "one multi-core loop a program", "use block_num=1 here");
        }
        for (int32_t s = p.scope; s > 0; s = Nth(p.ir.scopes, s).parent) {
            if (Nth(p.ir.scopes, s).kind != Scope::Kind::kFor) continue;
            fail("block_num", "a multi-core loop cannot lie inside a loop", "a for_range around it",
                 "the outermost loop", "swap the loops");
        }
    }
    ForNode loop;
    loop.thread_num = std::max<int64_t>(1, thread_num);
    loop.block_num = multi_core ? block_num.value : -1;
    const auto index = static_cast<int32_t>(p.ir.loops.size());
    const int32_t statement = p.AddStatement({.kind = StatementKind::kFor, .a = index}, where);
    p.ir.loops.push_back(loop);
    if (multi_core) p.ir.block_loop = index;
    p.OpenScope(Scope::Kind::kFor, statement, false);
    const ScalarId variable = p.AddScalar(ScalarKind::kLoop, kCall, type, 1, name, where);
    ForNode& made = Nth(p.ir.loops, index);
    made.type = Nth(p.ir.scalars, variable.value).type;
    made.variable = variable.value;
    made.begin = p.ToType(begin, made.type).value;
    made.end = p.ToType(end, made.type).value;
    return variable;
}

void Program::BeginIf(ExprId condition, Where where) {
    Impl& p = *impl_;
    where = p.Begin("if_scope", where);
    condition = p.RequireInteger("if_scope", "cond", condition, where);
    p.OpenScope(Scope::Kind::kIf, p.AddStatement({.kind = StatementKind::kIf, .a = condition.value}, where), false);
}

// An elif or else takes the place of the end of the clause it follows.
static int32_t FollowClause(Program::Impl& p, const char* call, StatementKind kind, int32_t condition, Where where) {
    auto& statements = p.ir.statements;
    const int32_t last = static_cast<int32_t>(statements.size()) - 1;
    const int32_t clause = p.open_chain >= 0 && p.open_chain == last ? Nth(statements, last).a : -1;
    if (clause < 0 || Nth(statements, clause).kind == StatementKind::kElse) {
        p.Fail(call, where,
               {Rule::kElseScope, "", fmt::format("{} can only follow an if_scope or an elif_scope", call),
                "another statement before it", "an if_scope or an elif_scope that has just ended", ""});
    }
    statements.pop_back();
    const int32_t made = p.AddStatement({.kind = kind, .a = condition, .c = clause}, where);
    Nth(statements, clause).next = made;
    return made;
}

void Program::BeginElif(ExprId condition, Where where) {
    Impl& p = *impl_;
    where = p.Begin("elif_scope", where);
    condition = p.RequireInteger("elif_scope", "cond", condition, where);
    p.OpenScope(Scope::Kind::kElif, FollowClause(p, "elif_scope", StatementKind::kElif, condition.value, where), false);
}

void Program::BeginElse(Where where) {
    Impl& p = *impl_;
    where = p.Begin("else_scope", where);
    p.OpenScope(Scope::Kind::kElse, FollowClause(p, "else_scope", StatementKind::kElse, -1, where), false);
}

void Program::BeginScope(bool disable_sync, Where where) {
    Impl& p = *impl_;
    where = p.Begin("new_stmt_scope", where);
    for (int32_t s = p.scope; disable_sync && s > 0; s = Nth(p.ir.scopes, s).parent) {
        if (!Nth(p.ir.scopes, s).disable_sync) continue;
        p.Fail("new_stmt_scope", where,
               {Rule::kStmtScope, "disable_sync", "blocks without synchronisation cannot nest", "one inside another",
                "disable_sync=False", ""});
    }
    const int32_t statement = p.AddStatement({.kind = StatementKind::kScope, .a = disable_sync}, where);
    p.OpenScope(Scope::Kind::kStatements, statement, disable_sync);
}

void Program::End(Where where) {
    Impl& p = *impl_;
    where = p.Keep(where);
    if (p.scope == 0) throw Error("internal: no block to end");
    Scope& closed = Nth(p.ir.scopes, p.scope);
    closed.open = false;
    p.used = p.marks.back();
    p.marks.pop_back();
    p.scope = closed.parent;
    const int32_t end = p.AddStatement({.kind = StatementKind::kEnd, .a = closed.statement}, where);
    auto& statements = p.ir.statements;
    Statement& opened = Nth(statements, closed.statement);
    const bool clause =
        opened.kind == StatementKind::kIf || opened.kind == StatementKind::kElif || opened.kind == StatementKind::kElse;
    p.open_chain = clause ? end : -1;
    opened.next = opened.end = end;
    for (int32_t c = clause ? opened.c : -1; c >= 0; c = Nth(statements, c).c) {
        Nth(statements, c).end = end;
    }
}

// The loop a break or continue belongs to.
static int32_t LoopAround(Program::Impl& p, const char* call, Where where) {
    for (int32_t s = p.scope; s > 0; s = Nth(p.ir.scopes, s).parent) {
        const Scope& around = Nth(p.ir.scopes, s);
        if (around.kind == Scope::Kind::kFor) return around.statement;
    }
    p.Fail(
        call, where,
        {Rule::kBreakScope, "", "there is no loop to leave", "a call outside every for_range", "inside for_range", ""});
}

void Program::Break(Where where) {
    where = impl_->Begin("tik_break", where);
    impl_->AddStatement({.kind = StatementKind::kBreak, .a = LoopAround(*impl_, "tik_break", where)}, where);
}

void Program::Continue(Where where) {
    where = impl_->Begin("tik_continue", where);
    impl_->AddStatement({.kind = StatementKind::kContinue, .a = LoopAround(*impl_, "tik_continue", where)}, where);
}

void Program::Return(Where where) {
    where = impl_->Begin("tik_return", where);
    impl_->AddStatement({.kind = StatementKind::kReturn}, where);
}

void Program::BlockBarrier(RefId id, Where where) {
    constexpr const char* kCall = "block_barrier";
    Impl& p = *impl_;
    where = p.Begin(kCall, where);
    const RefNode& ref = Nth(p.ir.refs, id.value);
    const TensorNode& t = Nth(p.ir.tensors, ref.tensor);
    if (t.memory != isa::Memory::kGm || !t.options.is_workspace || ref.type != DataType::kInt64) {
        p.Fail(kCall, where,
               {Rule::kBarrierWorkspace, "sync_workspace", "the barrier needs a workspace",
                fmt::format("{} of {} in {}", t.name, NumpyName(ref.type), isa::Name(t.memory)),
                "a Tensor of int64 in GM with is_workspace=True", ""});
    }
    if (p.ir.block_loop < 0) {
        p.Fail(kCall, where,
               {Rule::kBarrierLoop, "", "the barrier needs a multi-core loop", "none before it",
                "a for_range with block_num above 1", ""});
    }
    p.AddStatement({.kind = StatementKind::kBarrier, .a = id.value}, where);
}

void Program::Printf(std::string_view format, const std::vector<ExprId>& values, Where where) {
    constexpr const char* kCall = "printf";
    constexpr size_t kMostText = 128, kMostValues = 6;
    Impl& p = *impl_;
    where = p.Begin(kCall, where);
    if (format.size() > kMostText || values.size() > kMostValues) {
        p.Fail(kCall, where,
               {Rule::kPrintf, "format_string", "too much is printed",
                fmt::format("{} characters, {} values", format.size(), values.size()), "128 characters, 6 values", ""});
    }
    PrintfNode node;
    node.format = format;
    for (const ExprId v : values) {
        p.RequireLive(kCall, v, where);
        node.values.push_back(v.value);
    }
    p.AddStatement({.kind = StatementKind::kPrintf, .a = static_cast<int32_t>(p.ir.printfs.size())}, where);
    p.ir.printfs.push_back(std::move(node));
}

void Program::Mark(Where where, std::string call) {
    where = impl_->Begin("debug_print", where);
    const int32_t name = call.empty() ? -1 : static_cast<int32_t>(impl_->ir.marks.size());
    if (name >= 0) impl_->ir.marks.push_back(std::move(call));
    impl_->AddStatement({.kind = StatementKind::kMark, .a = name}, where);
}

uint64_t Program::Statements() const { return impl_->ir.statements.size(); }

}  // namespace sfumato::tik
