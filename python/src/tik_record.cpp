// SPDX-License-Identifier: Apache-2.0
// Recording a TIK program from Python: expressions, declarations, statements, and freezing it.
//
// `where` may be left out of the calls that make expressions.
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <optional>
#include <vector>

#include "tik_program.h"
#include "tik_values.h"

namespace nb = nanobind;

namespace sfumato::python {
namespace {

using nb::arg;
using tik::ExprId, tik::RefId, tik::ScalarId, tik::TensorId;
using Class = nb::class_<PythonProgram>;
using P = PythonProgram;
using H = nb::handle;
using Shape = std::vector<int64_t>;

ExprId Immediate(P& p, H value, H type, Where where) {
    const tik::Number number = ToNumber(value);
    return type.is_none() ? p.Immediate(number, where) : p.Immediate(number, nb::cast<const char*>(type), where);
}

// init_value: None, a number that fills the tensor, or the flat bytes of its elements.
TensorId MakeTensor(P& p, const char* type, const Shape& shape, const char* scope, const char* name, Where where,
                    bool is_workspace, bool is_atomic_add, bool is_global_tensor, H max_mem_size, H start_addr,
                    H init_value) {
    tik::TensorOptions o;
    o.is_workspace = is_workspace;
    o.is_atomic_add = is_atomic_add;
    o.is_global_tensor = is_global_tensor;
    if (!max_mem_size.is_none()) o.max_mem_size = nb::cast<int64_t>(max_mem_size);
    if (!start_addr.is_none()) o.start_addr = nb::cast<int64_t>(start_addr);
    if (IsNumber(init_value)) {
        o.has_init_fill = true;
        o.init_fill = nb::cast<double>(init_value);
    } else if (!init_value.is_none()) {
        const auto bytes = nb::cast<Bytes>(init_value);
        o.has_init = true;
        o.init.assign(bytes.data(), bytes.data() + bytes.size());
    }
    return p.Tensor(type, shape, scope, name, o, where);
}

// refs: the tensor arguments in the order of the signature, without those given by name.
void Call(P& p, const char* name, H refs, const nb::dict& params, Where where) {
    std::vector<RefId> ids;
    for (H h : nb::borrow<nb::sequence>(refs)) ids.push_back(h.is_none() ? RefId{} : ToId<RefId>(h));
    tik::Params values;
    for (auto [key, value] : params) values.emplace_back(nb::cast<const char*>(key), ToValue(value));
    p.Call(name, ids, values, where);
}

void Printf(P& p, const char* format, H values, Where where) {
    std::vector<ExprId> exprs;
    for (H v : nb::borrow<nb::sequence>(values)) exprs.push_back(ToExpr(p, v, where));
    p.Printf(format, exprs, where);
}

std::vector<P::Argument> ToArguments(H list) {
    std::vector<P::Argument> arguments;
    for (H h : nb::borrow<nb::sequence>(list)) {
        if (Is<ScalarId>(h)) {
            arguments.emplace_back(ToId<ScalarId>(h));
        } else {
            arguments.emplace_back(ToId<TensorId>(h));
        }
    }
    return arguments;
}

void Build(P& p, const char* kernel, H inputs, const std::vector<TensorId>& outputs, H flowtable, Where where) {
    p.Build(kernel, ToArguments(inputs), outputs, ToArguments(flowtable), where);
}

nb::dict Info(const P& p) {
    const tik::ProgramInfo info = p.Info();
    nb::dict d;
    d["kernel"] = info.kernel;
    d["block_dim"] = info.block_dim;
    d["core_type"] = info.core_type;
    d["workspaces"] = info.workspaces;
    d["statements"] = info.statements;
    nb::list parameters;
    for (const tik::Parameter& parameter : info.parameters) {
        nb::dict one;
        one["name"] = parameter.name;
        one["kind"] = parameter.kind;
        one["dtype"] = NumpyName(parameter.type);
        one["shape"] = parameter.shape;
        one["bytes"] = parameter.bytes;
        parameters.append(one);
    }
    d["parameters"] = parameters;
    return d;
}

void BindExpressions(Class& c) {
    const auto where = arg("where").none() = nb::none();
    c.def("imm", &Immediate, arg("value"), arg("dtype").none() = nb::none(), where);
    c.def(
        "var", [](P& p, ScalarId s, Where w) { return p.Variable(s, w); }, arg("scalar"), where);
    c.def(
        "element_of_array", [](P& p, ScalarId a, H index, Where w) { return p.Element(a, ToExpr(p, index, w), w); },
        arg("array"), arg("index"), where);
    c.def(
        "unary", [](P& p, const char* op, H a, Where w) { return p.Unary(op, ToExpr(p, a, w), w); }, arg("op"),
        arg("a"), where);
    c.def(
        "binary",
        [](P& p, const char* op, H a, H b, Where w) { return p.Binary(op, ToExpr(p, a, w), ToExpr(p, b, w), w); },
        arg("op"), arg("a"), arg("b"), where);
    c.def(
        "convert", [](P& p, H a, const char* type, Where w) { return p.Convert(ToExpr(p, a, w), type, w); }, arg("a"),
        arg("dtype"), where);
    c.def(
        "reinterpret", [](P& p, H a, const char* type, Where w) { return p.Reinterpret(ToExpr(p, a, w), type, w); },
        arg("a"), arg("dtype"), where);
    c.def(
        "load", [](P& p, RefId ref, Where w) { return p.Load(ref, w); }, arg("ref"), where);
    c.def("type_of", [](P& p, ExprId e) { return p.TypeOf(e); });
    c.def("constant", [](P& p, ExprId e) -> nb::object {
        tik::Number value;
        return p.Constant(e, &value) ? ToPython(value) : nb::none();
    });
}

void BindDeclarations(Class& c) {
    c.def(
        "scalar", [](P& p, const char* type, const char* name, Where w) { return p.Scalar(type, name, w); },
        arg("dtype"), arg("name"), arg("where"));
    c.def(
        "scalar_array",
        [](P& p, const char* type, int64_t length, const char* name, Where w) {
            return p.ScalarArray(type, length, name, w);
        },
        arg("dtype"), arg("length"), arg("name"), arg("where"));
    c.def(
        "input_scalar", [](P& p, const char* type, const char* name, Where w) { return p.InputScalar(type, name, w); },
        arg("dtype"), arg("name"), arg("where").none() = nb::none());
    c.def("tensor", &MakeTensor, arg("dtype"), arg("shape"), arg("scope"), arg("name"), arg("where"), nb::kw_only(),
          arg("is_workspace") = false, arg("is_atomic_add") = false, arg("is_global_tensor") = false,
          arg("max_mem_size").none() = nb::none(), arg("start_addr").none() = nb::none(),
          arg("init_value").none() = nb::none());
    c.def(
        "ref",
        [](P& p, TensorId tensor, H offset, const char* type, Where w) {
            return p.Ref(tensor, ToExpr(p, offset, w), type, w);
        },
        arg("tensor"), arg("offset"), arg("dtype"), arg("where").none() = nb::none());
    c.def("available", [](const P& p, const char* scope) { return p.Available(scope); });
}

void BindStatements(Class& c) {
    const auto where = arg("where");
    c.def(
        "set_scalar", [](P& p, ScalarId s, H value, Where w) { p.SetScalar(s, ToExpr(p, value, w), w); }, arg("scalar"),
        arg("value"), where);
    c.def(
        "set_array",
        [](P& p, ScalarId array, H index, H value, Where w) {
            p.SetElement(array, ToExpr(p, index, w), ToExpr(p, value, w), w);
        },
        arg("array"), arg("index"), arg("value"), where);
    c.def(
        "store", [](P& p, RefId ref, H value, Where w) { p.Store(ref, ToExpr(p, value, w), w); }, arg("ref"),
        arg("value"), where);
    c.def(
        "begin_for",
        [](P& p, H begin, H end, const char* name, const char* type, int64_t thread_num, H block_num, Where w) {
            return p.BeginFor(ToExpr(p, begin, w), ToExpr(p, end, w), name, type, thread_num, ToExpr(p, block_num, w),
                              w);
        },
        arg("begin"), arg("end"), arg("name"), arg("dtype"), arg("thread_num"), arg("block_num"), where);
    c.def("begin_if", [](P& p, H condition, Where w) { p.BeginIf(ToExpr(p, condition, w), w); });
    c.def("begin_elif", [](P& p, H condition, Where w) { p.BeginElif(ToExpr(p, condition, w), w); });
    c.def("begin_else", [](P& p, Where w) { p.BeginElse(w); });
    c.def("begin_scope", [](P& p, bool disable_sync, Where w) { p.BeginScope(disable_sync, w); });
    c.def(
        "end", [](P& p, Where w) { p.End(w); }, arg("where").none() = nb::none());
    c.def("brk", [](P& p, Where w) { p.Break(w); });
    c.def("cont", [](P& p, Where w) { p.Continue(w); });
    c.def("ret", [](P& p, Where w) { p.Return(w); });
    c.def("block_barrier", [](P& p, RefId workspace, Where w) { p.BlockBarrier(workspace, w); });
    c.def("call", &Call, arg("name"), arg("refs"), arg("params"), where);
    c.def("printf", &Printf);
    c.def(
        "mark", [](P& p, Where w, std::string call) { p.Mark(w, std::move(call)); }, nb::arg("where"),
        nb::arg("call") = "");
    c.def_prop_ro("statements", [](const P& p) { return p.Statements(); });
}

}  // namespace

void BindRecording(Class& c) {
    c.def(nb::init<const char*>(), arg("chip"));
    BindExpressions(c);
    BindDeclarations(c);
    BindStatements(c);
    c.def("build", &Build, arg("kernel_name"), arg("inputs"), arg("outputs"), arg("flowtable"),
          arg("where").none() = nb::none());
    c.def("info", &Info);
}

}  // namespace sfumato::python
