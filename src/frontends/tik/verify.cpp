// SPDX-License-Identifier: Apache-2.0
// What is refused while the script is built: calls whose parameters are known, and the kernel as a whole.
#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "frontends/tik/program.h"
#include "isa/geometry.h"

namespace sfumato::tik {
namespace {

// Turns the first fault into an exception; warnings and notes are for the run.
class FirstFault final : public check::Sink {
public:
    // known: the values of the call, without which only rules of types count.
    FirstFault(const soc::Chip& chip, bool known) : chip_(chip), known_(known) {}
    void Find(const isa::Record& record, Report report) override {
        if (report.severity != Severity::kFault || (!known_ && Info(report.rule).known != Known::kTypes)) return;
        report.instruction = isa::CallName(record);
        report.file = record.where.file;
        report.line = record.where.line;
        throw TikError(Stamped(std::move(report), chip_.name));
    }

private:
    const soc::Chip& chip_;
    const bool known_;
};

bool IsKnown(const Ir& ir, const CallNode& call, const CallArgument& a) {
    const auto known = [&](int32_t e) { return e < 0 || Nth(ir.exprs, e).constant(); };
    switch (a.kind) {
        case CallArgument::Kind::kExpr: return known(a.value);
        case CallArgument::Kind::kRef: return known(Nth(ir.refs, a.value).offset);
        case CallArgument::Kind::kText: return true;
        case CallArgument::Kind::kList:
            for (int i = 0; i < a.count; ++i) {
                if (!IsKnown(ir, call, Nth(call.items, a.value + i))) return false;
            }
            return true;
    }
    return false;
}

}  // namespace

void Program::Impl::VerifySteps(CallNode* call, Where where) {
    call->taken.assign(isa::kMemoryCount, 0);
    for (const TensorNode& t : ir.tensors) {
        if (!IsOpen(t.scope)) continue;
        uint64_t& taken = Nth(call->taken, t.memory);
        taken = std::max(taken, t.offset + (t.copies > 1 ? t.pitch * t.copies : t.bytes));
    }
    isa::Record first;
    first.api = isa::Api::kTik;
    first.where = where;
    first.call = call->info->name;
    std::vector<isa::Record> records;
    try {
        for (const CallArgument& a : call->arguments) {
            if (a.param == Param::extend_params || IsKnown(ir, *call, a)) continue;
            const char* name = Name(a.param);
            Refuse({Rule::kParameterType, name, fmt::format("{} must be known while the script runs", name),
                    "a Scalar or an Expr", "an int", "use a number of Python"});
        }
        // Slices whose start is not known begin at 0: what does not fit there fits nowhere.
        call->info->expand(CallValues(ir, *call, chip, nullptr), first, &records);
    } catch (Refused& refused) {
        Fail(call->info->name, where, std::move(refused.finding));
    }
    FirstFault sink(chip, true);
    for (const isa::Record& r : records) check::CheckRecord(r, {&chip, gm_range.data(), &sink});
}

void Program::Impl::VerifyCall(CallNode* call, Where where) {
    if (call->info->expand) return VerifySteps(call, where);
    bool moves = false;  // a tensor has several copies: its place changes from trip to trip
    bool known = true;
    bool mode_known = true;
    for (const CallArgument& a : call->arguments) {
        known = known && IsKnown(ir, *call, a);
        mode_known = mode_known && (a.param != Param::mode || IsKnown(ir, *call, a));
        moves = moves || a.kind == CallArgument::Kind::kRef;
    }
    for (const int32_t ref : call->refs) {
        if (ref < 0) continue;
        const RefNode& r = Nth(ir.refs, ref);
        known = known && Nth(ir.exprs, r.offset).constant();
        moves = moves || Nth(ir.tensors, r.tensor).copies > 1;
    }
    isa::Record record(call->info->op);
    // The types of a vector call are checked even when values are not known yet, but vsel's mode decides about them.
    const bool typed = isa::Info(record.op).pipe == isa::Pipe::kV;
    if (!known && (!typed || !mode_known)) return;
    record.api = isa::Api::kTik;
    record.where = where;
    record.call = call->info->name;
    try {
        call->info->build(CallValues(ir, *call, chip, nullptr), &record);
    } catch (Refused& refused) {
        if (!known && sfumato::Info(refused.finding.rule).known != Known::kTypes) return;
        Fail(call->info->name, where, std::move(refused.finding));
    }
    FirstFault sink(chip, known);
    check::CheckRecord(record, {&chip, gm_range.data(), &sink});
    if (moves || !known) return;
    call->fixed = static_cast<int32_t>(ir.fixed.size());
    ir.fixed.push_back(std::move(record));
}

void Program::Build(std::string_view kernel, const std::vector<Argument>& inputs, const std::vector<TensorId>& outputs,
                    const std::vector<Argument>& flowtable, Where where) {
    constexpr const char* kCall = "BuildCCE";
    constexpr size_t kMost = 192;
    Impl& p = *impl_;
    where = p.Begin(kCall, where);
    p.CheckName(kCall, kernel, where);
    const auto fail = [&](const char* operand, std::string message, std::string found, std::string legal,
                          const char* hint = "") {
        p.Fail(kCall, where, {Rule::kBuild, operand, std::move(message), std::move(found), std::move(legal), hint});
    };
    if (p.scope != 0)
        fail("", "a `with` block is still open", "an open block", "every block ended", "call it after the loops");
    std::vector<Argument> all = inputs;
    all.insert(all.end(), flowtable.begin(), flowtable.end());
    if (all.size() > kMost) fail("inputs", "there are too many inputs", fmt::format("{}", all.size()), "192");
    std::set<std::string> names;
    const auto take = [&](const char* operand, const TensorNode& t) {
        if (t.memory != isa::Memory::kGm) {
            fail(operand, fmt::format("{} is not in GM", t.name), t.scope_name, "Tensors with scope_gm");
        }
        if (t.options.is_workspace) {
            fail(operand, fmt::format("{} is a workspace", t.name), "is_workspace=True",
                 "a workspace is no input and no output", "leave it out, or make it a plain Tensor");
        }
        if (!names.insert(t.name).second)
            fail(operand, "a name occurs twice", t.name, "names of inputs and outputs differ");
    };
    const auto take_all = [&](const char* operand, const std::vector<Argument>& list) {
        bool scalars = false;
        for (const Argument& a : list) {
            if (const auto* s = std::get_if<ScalarId>(&a)) {
                const ScalarNode& node = Nth(p.ir.scalars, s->value);
                if (node.kind != ScalarKind::kInput)
                    fail(operand, fmt::format("{} is no InputScalar", node.name), "a Scalar",
                         "Tensors and InputScalars");
                if (!names.insert(node.name).second)
                    fail(operand, "a name occurs twice", node.name, "names of inputs and outputs differ");
                scalars = true;
                continue;
            }
            const TensorNode& t = Nth(p.ir.tensors, std::get<TensorId>(a).value);
            if (scalars) fail(operand, "a Tensor follows an InputScalar", t.name, "Tensors first, then InputScalars");
            take(operand, t);
        }
    };
    take_all("inputs", inputs);
    take_all("flowtable", flowtable);
    for (const TensorId id : outputs) {
        const TensorNode& t = Nth(p.ir.tensors, id.value);
        // An operator that works in place names one Tensor on both sides.
        if (std::find(all.begin(), all.end(), Argument(id)) == all.end()) take("outputs", t);
    }
    size_t others = outputs.size();
    for (const int32_t i : p.ir.gm) {
        const TensorNode& t = Nth(p.ir.tensors, i);
        const bool global = t.options.is_workspace || t.options.is_global_tensor || t.options.has_init;
        others += global;
        if (global || names.count(t.name)) continue;
        fail(t.name.c_str(), "a Tensor in GM is neither input nor output nor workspace",
             fmt::format("{}, made at line {}", t.name, t.where.line),
             "one of inputs, outputs, flowtable; or is_workspace=True", "name it in BuildCCE");
    }
    if (others > kMost) fail("outputs", "there are too many outputs and workspaces", fmt::format("{}", others), "192");
    p.ir.kernel = kernel;
    p.ir.inputs = std::move(all);
    p.ir.outputs = outputs;
    p.ir.frozen = true;
}

ProgramInfo Program::Info() const {
    const Impl& p = *impl_;
    ProgramInfo info;
    info.kernel = p.ir.kernel;
    info.statements = p.ir.statements.size();
    if (p.ir.block_loop >= 0) {
        const Expr& e = Nth(p.ir.exprs, Nth(p.ir.loops, p.ir.block_loop).block_num);
        info.block_dim = e.constant() ? static_cast<int64_t>(e.bits) : 0;
    }
    bool cube = false;
    for (const TensorNode& t : p.ir.tensors) {
        cube = cube || (t.memory != isa::Memory::kGm && t.memory != isa::Memory::kUb);
    }
    info.core_type = p.chip.vector_only    ? "VectorCore"
                     : !p.chip.split_cores ? "AiCore"
                     : cube                ? "CubeCore"
                                           : "VectorCore";
    const auto add = [&](const TensorNode& t, const char* kind) {
        info.parameters.push_back({t.name, kind, t.type, t.shape, t.bytes});
    };
    for (const Argument& a : p.ir.inputs) {
        if (const auto* s = std::get_if<ScalarId>(&a)) {
            const ScalarNode& node = Nth(p.ir.scalars, s->value);
            info.parameters.push_back({node.name, "scalar", node.type, {}, BytesOf(node.type, 1)});
        } else {
            add(Nth(p.ir.tensors, std::get<TensorId>(a).value), "input");
        }
    }
    for (const TensorId id : p.ir.outputs) add(Nth(p.ir.tensors, id.value), "output");
    for (const int32_t i : p.ir.gm) {
        const TensorNode& t = Nth(p.ir.tensors, i);
        if (!t.options.is_workspace) continue;
        add(t, "workspace");
        info.workspaces.push_back(t.bytes);
    }
    return info;
}

}  // namespace sfumato::tik
