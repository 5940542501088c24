// SPDX-License-Identifier: Apache-2.0
// The module sfumato._native.tik: TIK programs for the Python surface.
//
// Ids are ints of classes of their own (ExprId, ScalarId, TensorId, RefId), so that a plain int is always a number.
// `where` is (file, line) and may be left out of the calls that make expressions. A parameter of call() is None, a
// number, an ExprId, a RefId, a str, or a list or dict of these; refs are the tensor arguments in the order of the
// signature, without those given by name. A scalar that a call writes is given as the ExprId of var() or
// element_of_array().
#include "sfumato/tik.h"

#include <nanobind/ndarray.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <cstring>

#include "line_sink.h"
#include "module.h"
#include "options.h"
#include "tik_debug.h"

namespace nb = nanobind;

namespace sfumato::python {
namespace {

using tik::ExprId, tik::RefId, tik::ScalarId, tik::TensorId;
using tik::Number, tik::Program, tik::Value;
using Bytes = nb::ndarray<nb::ro, uint8_t, nb::ndim<1>, nb::c_contig, nb::device::cpu>;

// The Python classes of the ids; owned by the module.
struct IdTypes {
    PyObject *expr, *scalar, *tensor, *ref;
} g_ids;

template <class T>
PyObject* TypeOf() {
    if constexpr (std::is_same_v<T, ExprId>) return g_ids.expr;
    if constexpr (std::is_same_v<T, ScalarId>) return g_ids.scalar;
    if constexpr (std::is_same_v<T, TensorId>) return g_ids.tensor;
    if constexpr (std::is_same_v<T, RefId>) return g_ids.ref;
}

template <class T>
bool Is(nb::handle h) {
    return Py_TYPE(h.ptr()) == reinterpret_cast<PyTypeObject*>(TypeOf<T>());
}

template <class T>
nb::object ToPython(T id) {
    return nb::steal(PyObject_CallFunction(TypeOf<T>(), "i", id.value));
}

template <class T>
T ToId(nb::handle h) {
    if (!Is<T>(h)) {
        throw nb::type_error(
            (std::string("expected ") + nb::type_name(TypeOf<T>()).c_str() + ", got " + nb::repr(h).c_str()).c_str());
    }
    return T{static_cast<int32_t>(PyLong_AsLong(h.ptr()))};
}

Number ToNumber(nb::handle h) {
    if (PyFloat_Check(h.ptr())) return PyFloat_AsDouble(h.ptr());
    int overflow = 0;
    const long long value = PyLong_AsLongLongAndOverflow(h.ptr(), &overflow);
    if (overflow == 0) {
        if (value == -1 && PyErr_Occurred()) throw nb::python_error();
        return int64_t{value};
    }
    const unsigned long long wide = overflow > 0 ? PyLong_AsUnsignedLongLong(h.ptr()) : 0;
    if (overflow < 0 || PyErr_Occurred()) {
        PyErr_Clear();
        throw Error(std::string(nb::repr(h).c_str()) + " fits no 64-bit integer");
    }
    return uint64_t{wide};
}

bool IsNumber(nb::handle h) { return PyFloat_Check(h.ptr()) || PyLong_Check(h.ptr()); }

nb::object ToPython(const Number& n) {
    return std::visit([](auto v) -> nb::object { return nb::cast(v); }, n);
}

// None, or (file, line).
Where ToWhere(nb::handle h) {
    if (h.is_none()) return {};
    const nb::tuple pair = nb::borrow<nb::tuple>(h);
    return {PyUnicode_AsUTF8(nb::handle(pair[0]).ptr()), nb::cast<uint32_t>(pair[1])};
}

std::vector<int64_t> ToShape(nb::handle h) {
    std::vector<int64_t> shape;
    for (nb::handle d : nb::borrow<nb::sequence>(h)) shape.push_back(nb::cast<int64_t>(d));
    return shape;
}

Value ToValue(nb::handle h) {
    if (h.is_none()) return {};
    if (Is<ExprId>(h)) return ToId<ExprId>(h);
    if (Is<RefId>(h)) return ToId<RefId>(h);
    if (Is<ScalarId>(h) || Is<TensorId>(h)) {
        throw nb::type_error("a parameter is an ExprId (var of a scalar) or a RefId (ref of a tensor)");
    }
    if (IsNumber(h)) return std::visit([](auto v) -> Value { return v; }, ToNumber(h));
    if (nb::isinstance<nb::str>(h)) return std::string(nb::cast<const char*>(h));
    if (PyDict_Check(h.ptr())) {
        // Keys and values in turn; of a dict in a dict, its own.
        tik::ValueList flat;
        for (auto [key, value] : nb::borrow<nb::dict>(h)) {
            Value v = ToValue(value);
            if (PyDict_Check(value.ptr())) {
                for (Value& inner : std::get<tik::ValueList>(v)) flat.push_back(std::move(inner));
                continue;
            }
            flat.push_back(std::string(nb::cast<const char*>(key)));
            flat.push_back(std::move(v));
        }
        return flat;
    }
    if (!PyList_Check(h.ptr()) && !PyTuple_Check(h.ptr())) {
        throw nb::type_error((std::string("not a parameter of a TIK call: ") + nb::repr(h).c_str()).c_str());
    }
    tik::ValueList list;
    for (nb::handle item : nb::borrow<nb::sequence>(h)) list.push_back(ToValue(item));
    return list;
}

// An expression or a number.
ExprId ToExpr(Program& p, nb::handle h, Where where) {
    return Is<ExprId>(h) ? ToId<ExprId>(h) : p.Immediate(ToNumber(h), where);
}

nb::object Imm(Program& p, nb::handle value, nb::handle type, nb::handle where) {
    const Where w = ToWhere(where);
    return ToPython(type.is_none() ? p.Immediate(ToNumber(value), w)
                                   : p.Immediate(ToNumber(value), nb::cast<const char*>(type), w));
}

nb::object MakeTensor(Program& p, const char* type, nb::handle shape, const char* scope, const char* name,
                      nb::handle where, const nb::kwargs& flags) {
    tik::TensorOptions o;
    for (auto [key, value] : flags) {
        const std::string_view k = nb::cast<const char*>(key);
        if (k == "is_workspace") {
            o.is_workspace = nb::cast<bool>(value);
        } else if (k == "is_atomic_add") {
            o.is_atomic_add = nb::cast<bool>(value);
        } else if (k == "is_global_tensor") {
            o.is_global_tensor = nb::cast<bool>(value);
        } else if (k == "max_mem_size" && !value.is_none()) {
            o.max_mem_size = nb::cast<int64_t>(value);
        } else if (k == "start_addr" && !value.is_none()) {
            o.start_addr = nb::cast<int64_t>(value);
        } else if (k == "init_value" && !value.is_none()) {
            if (IsNumber(value)) {
                o.has_init_fill = true;
                o.init_fill = nb::cast<double>(value);
            } else {
                const auto bytes = nb::cast<Bytes>(value);  // flat uint8
                o.has_init = true;
                o.init.assign(bytes.data(), bytes.data() + bytes.size());
            }
        }
    }
    return ToPython(p.Tensor(type, ToShape(shape), scope, name, o, ToWhere(where)));
}

std::vector<Program::Argument> ToArguments(nb::handle list) {
    std::vector<Program::Argument> arguments;
    if (list.is_none()) return arguments;
    for (nb::handle h : nb::borrow<nb::sequence>(list)) {
        if (Is<ScalarId>(h)) {
            arguments.emplace_back(ToId<ScalarId>(h));
        } else {
            arguments.emplace_back(ToId<TensorId>(h));
        }
    }
    return arguments;
}

void Call(Program& p, const char* name, nb::handle refs, nb::handle params, nb::handle where) {
    std::vector<RefId> ids;
    for (nb::handle h : nb::borrow<nb::sequence>(refs)) ids.push_back(h.is_none() ? RefId{} : ToId<RefId>(h));
    tik::Params values;
    for (auto [key, value] : nb::borrow<nb::dict>(params)) {
        values.emplace_back(nb::cast<const char*>(key), ToValue(value));
    }
    p.Call(name, ids, values, ToWhere(where));
}

nb::dict Info(const Program& p) {
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

// Options of run() that are a word or a number; what is absent keeps its default.
void SetOption(tik::RunOptions& o, std::string_view key, nb::handle value) {
    const auto text = [&] { return nb::cast<std::string>(value); };
    LaunchOptions& l = o.launch;
    if (key == "schedule") {
        l.schedule = text();
    } else if (key == "overflow") {
        l.overflow = OverflowOf(text());
    } else if (key == "auto_sync") {
        l.auto_sync = nb::cast<bool>(value);
    } else if (key == "strict") {
        l.strict = nb::cast<bool>(value);
    } else if (key == "collect") {
        l.collect = nb::cast<bool>(value);
    } else if (key == "mmad_order") {
        l.mmad_order = MmadOrderOf(text());
    } else if (key == "fill") {
        l.fill = nb::cast<uint8_t>(value);
    } else if (key == "shapes") {
        for (auto [name, shape] : nb::borrow<nb::dict>(value)) o.shapes[nb::cast<std::string>(name)] = ToShape(shape);
    } else if (key != "log" && key != "print") {
        throw Error("run: the option '" + std::string(key) +
                    "' is not known; legal: schedule, overflow, auto_sync, strict, collect, mmad_order, fill, shapes, "
                    "log, print");
    }
}

}  // namespace

nb::object ToArray(const tik::Output& output) {
    const nb::module_ types = nb::module_::import_("sfumato._types"), numpy = nb::module_::import_("numpy");
    const nb::object dtype = types.attr("dtype_of")(NumpyName(output.type));
    nb::list shape;
    for (const int64_t d : output.shape) shape.append(d);
    auto* const keep = new std::shared_ptr<void>(output.owner);
    const nb::capsule owner(keep, [](void* p) noexcept { delete static_cast<std::shared_ptr<void>*>(p); });
    const size_t size = output.bytes.size();
    const nb::object flat =
        nb::cast(nb::ndarray<nb::numpy, uint8_t, nb::ndim<1>>(output.bytes.data(), {size}, owner));
    if (output.type != DataType::kInt4) return flat.attr("view")(dtype).attr("reshape")(nb::tuple(shape));
    const nb::object array = numpy.attr("empty")(nb::tuple(shape), dtype);
    types.attr("unpack_int4")(flat, array);
    return array;
}

namespace {

// One program and the result of its latest run.
struct Built {
    explicit Built(const char* chip) : program(chip) {}
    Program program;
    LaunchResult last;
    bool ran = false;
};

// The feed as native memory: `keep` owns contiguous copies until the run ends.
std::vector<tik::Feed> ToFeed(const tik::ProgramInfo& info, const nb::dict& feed, std::vector<Bytes>& keep) {
    const nb::module_ types = nb::module_::import_("sfumato._types"), numpy = nb::module_::import_("numpy");
    std::vector<tik::Feed> fed;
    for (auto [key, value] : feed) {
        tik::Feed f;
        f.name = nb::cast<std::string>(key);
        const tik::Parameter* parameter = nullptr;
        for (const tik::Parameter& p : info.parameters) {
            if (p.name == f.name) parameter = &p;
        }
        if (parameter && parameter->kind == "scalar") {
            f.is_number = true;
            f.number = ToNumber(nb::hasattr(value, "item") ? nb::object(value.attr("item")()) : nb::borrow(value));
            fed.push_back(std::move(f));
            continue;
        }
        if (!nb::hasattr(value, "dtype") || !nb::hasattr(value, "shape")) {
            throw Error("run: '" + f.name + "' must be a NumPy array, not " + nb::repr(value).c_str());
        }
        const std::string what = "run: '" + f.name + "'";
        const auto type = nb::cast<std::string>(types.attr("require_type")(value.attr("dtype"), what));
        if (parameter && type != NumpyName(parameter->type)) {
            throw Error(what + " is an array of " + type + ", but the tensor is of " + NumpyName(parameter->type) +
                        "; pass array.astype('" + NumpyName(parameter->type) + "')");
        }
        if (parameter) {
            uint64_t fed_size = nb::cast<uint64_t>(value.attr("size")), size = 1;
            for (const int64_t d : parameter->shape) size *= static_cast<uint64_t>(d);
            // A size of 2^31 - 1 and more stands for "given at run time".
            if (size < 0x7FFFFFFF && fed_size != size) {
                throw Error(what + " has " + std::to_string(fed_size) + " elements, but the tensor has " +
                            std::to_string(size) + "; pass an array of the tensor's shape");
            }
        }
        nb::object array = numpy.attr("ascontiguousarray")(value);
        array = type == "int4" ? types.attr("pack_int4")(array) : types.attr("flat_bytes")(array);
        keep.push_back(nb::cast<Bytes>(array));
        f.data = keep.back().data();
        f.bytes = keep.back().size();
        fed.push_back(std::move(f));
    }
    return fed;
}

// debugger: steers the run, or is nullptr.
nb::list Launch(Built& built, const nb::dict& feed, nb::handle option_words, PythonDebugger* debugger) {
    tik::RunOptions options;
    nb::object log = nb::none(), print = nb::none();
    if (!option_words.is_none()) {
        for (auto [key, value] : nb::borrow<nb::dict>(option_words)) {
            const std::string_view name = nb::cast<const char*>(key);
            SetOption(options, name, value);
            if (name == "log") log = nb::borrow(value);
            if (name == "print") print = nb::borrow(value);
        }
    }
    LineSink log_sink(log), print_sink(print);
    options.launch.log = log_sink.function();
    options.launch.print = print_sink.function();
    std::vector<Bytes> keep;
    const std::vector<tik::Feed> fed = ToFeed(built.program.Info(), feed, keep);
    tik::RunResult result;
    {
        nb::gil_scoped_release release;
        result = debugger ? built.program.Debug(fed, options, *debugger, debugger->stop_first())
                          : built.program.Run(fed, options);
    }
    log_sink.Rethrow();
    print_sink.Rethrow();
    built.last = result.launch;
    built.ran = true;
    if (!result.launch.ok()) {
        const nb::object type = nb::module_::import_("sfumato._errors").attr("KernelError");
        const nb::object error = type(nb::cast(result.launch));
        PyErr_SetObject(type.ptr(), error.ptr());
        throw nb::python_error();
    }
    nb::list outputs;
    for (const tik::Output& output : result.outputs) outputs.append(ToArray(output));
    return outputs;
}

nb::list Run(Built& built, const nb::dict& feed, nb::handle option_words) {
    return Launch(built, feed, option_words, nullptr);
}

nb::list Debug(Built& built, const nb::dict& feed, const nb::object& object, nb::handle option_words) {
    PythonDebugger debugger(object);
    return Launch(built, feed, option_words, &debugger);
}

// The exception of build-time mistakes: a subclass of Error whose instances have the fields of their report.
PyObject* g_tik_error;

void RaiseTikError(const Report& report) {
    const nb::object r = nb::cast(report);
    const nb::object error = nb::handle(g_tik_error)(nb::str(report.Text().c_str()));
    for (const char* field : {"severity", "rule", "chip", "kernel", "core", "instruction", "index", "operand",
                              "message", "found", "legal", "hint", "file", "line"}) {
        error.attr(field) = r.attr(field);
    }
    error.attr("report") = r;
    PyErr_SetObject(g_tik_error, error.ptr());
}

PyObject* IdType(nb::module_& m, const char* name) {
    nb::dict members;
    members["__slots__"] = nb::tuple();
    members["__module__"] = "sfumato._native.tik";
    const nb::handle type(reinterpret_cast<PyObject*>(&PyType_Type));
    const nb::handle integer(reinterpret_cast<PyObject*>(&PyLong_Type));
    nb::object made = type(name, nb::make_tuple(integer), members);
    m.attr(name) = made;
    return made.release().ptr();
}

}  // namespace

void BindTik(nb::module_& parent) {
    nb::module_ m = parent.def_submodule("tik", "TIK programs.");
    g_ids = {IdType(m, "ExprId"), IdType(m, "ScalarId"), IdType(m, "TensorId"), IdType(m, "RefId")};
    g_tik_error = PyErr_NewException("sfumato._native.tik.TikError", nb::object(parent.attr("Error")).ptr(), nullptr);
    m.attr("TikError") = nb::handle(g_tik_error);
    nb::register_exception_translator([](const std::exception_ptr& p, void*) {
        try {
            std::rethrow_exception(p);
        } catch (const tik::TikError& e) {
            RaiseTikError(e.report());
        }
    });
    m.def(
        "knows", [](const char* call) { return Program::Knows(call); }, "True when call() has the name.");

    BindTikStop(m);
    const auto none = nb::none();
    using nb::arg;
    using H = nb::handle;
    nb::class_<Built>(m, "Program")
        .def(nb::init<const char*>(), arg("chip"))
        .def(
            "imm", [](Built& b, H v, H type, H w) { return Imm(b.program, v, type, w); }, arg("value"),
            arg("dtype").none() = none, arg("where").none() = none)
        .def(
            "var", [](Built& b, H s, H w) { return ToPython(b.program.Variable(ToId<ScalarId>(s), ToWhere(w))); },
            arg("scalar"), arg("where").none() = none)
        .def(
            "element_of_array",
            [](Built& b, H array, H index, H w) {
                const Where where = ToWhere(w);
                return ToPython(b.program.Element(ToId<ScalarId>(array), ToExpr(b.program, index, where), where));
            },
            arg("array"), arg("index"), arg("where").none() = none)
        .def(
            "unary",
            [](Built& b, const char* op, H a, H w) {
                const Where where = ToWhere(w);
                return ToPython(b.program.Unary(op, ToExpr(b.program, a, where), where));
            },
            arg("op"), arg("a"), arg("where").none() = none)
        .def(
            "binary",
            [](Built& b, const char* op, H x, H y, H w) {
                const Where where = ToWhere(w);
                return ToPython(b.program.Binary(op, ToExpr(b.program, x, where), ToExpr(b.program, y, where), where));
            },
            arg("op"), arg("a"), arg("b"), arg("where").none() = none)
        .def(
            "convert",
            [](Built& b, H a, const char* type, H w) {
                const Where where = ToWhere(w);
                return ToPython(b.program.Convert(ToExpr(b.program, a, where), type, where));
            },
            arg("a"), arg("dtype"), arg("where").none() = none)
        .def(
            "reinterpret",
            [](Built& b, H a, const char* type, H w) {
                const Where where = ToWhere(w);
                return ToPython(b.program.Reinterpret(ToExpr(b.program, a, where), type, where));
            },
            arg("a"), arg("dtype"), arg("where").none() = none)
        .def("type_of", [](Built& b, H e) { return b.program.TypeOf(ToId<ExprId>(e)); })
        .def("constant",
             [](Built& b, H e) -> nb::object {
                 Number value;
                 return b.program.Constant(ToId<ExprId>(e), &value) ? ToPython(value) : nb::none();
             })
        .def(
            "scalar",
            [](Built& b, const char* type, const char* name, H w) {
                return ToPython(b.program.Scalar(type, name, ToWhere(w)));
            },
            arg("dtype"), arg("name"), arg("where"))
        .def(
            "scalar_array",
            [](Built& b, const char* type, int64_t length, const char* name, H w) {
                return ToPython(b.program.ScalarArray(type, length, name, ToWhere(w)));
            },
            arg("dtype"), arg("length"), arg("name"), arg("where"))
        .def(
            "input_scalar",
            [](Built& b, const char* type, const char* name, H w) {
                return ToPython(b.program.InputScalar(type, name, ToWhere(w)));
            },
            arg("dtype"), arg("name"), arg("where").none() = none)
        .def(
            "set_scalar",
            [](Built& b, H s, H value, H w) {
                const Where where = ToWhere(w);
                b.program.SetScalar(ToId<ScalarId>(s), ToExpr(b.program, value, where), where);
            },
            arg("scalar"), arg("value"), arg("where"))
        .def(
            "set_array",
            [](Built& b, H array, H index, H value, H w) {
                const Where where = ToWhere(w);
                b.program.SetElement(ToId<ScalarId>(array), ToExpr(b.program, index, where),
                                     ToExpr(b.program, value, where), where);
            },
            arg("array"), arg("index"), arg("value"), arg("where"))
        .def(
            "tensor",
            [](Built& b, const char* type, H shape, const char* scope, const char* name, H w, const nb::kwargs& flags) {
                return MakeTensor(b.program, type, shape, scope, name, w, flags);
            },
            arg("dtype"), arg("shape"), arg("scope"), arg("name"), arg("where"), arg("flags"))
        .def(
            "ref",
            [](Built& b, H tensor, H offset, const char* type, H w) {
                const Where where = ToWhere(w);
                return ToPython(b.program.Ref(ToId<TensorId>(tensor), ToExpr(b.program, offset, where), type, where));
            },
            arg("tensor"), arg("offset"), arg("dtype"), arg("where").none() = none)
        .def(
            "load", [](Built& b, H ref, H w) { return ToPython(b.program.Load(ToId<RefId>(ref), ToWhere(w))); },
            arg("ref"), arg("where").none() = none)
        .def(
            "store",
            [](Built& b, H ref, H value, H w) {
                const Where where = ToWhere(w);
                b.program.Store(ToId<RefId>(ref), ToExpr(b.program, value, where), where);
            },
            arg("ref"), arg("value"), arg("where"))
        .def(
            "begin_for",
            [](Built& b, H begin, H end, const char* name, const char* type, int64_t thread_num, H block_num, H w) {
                const Where where = ToWhere(w);
                Program& p = b.program;
                return ToPython(p.BeginFor(ToExpr(p, begin, where), ToExpr(p, end, where), name, type, thread_num,
                                           ToExpr(p, block_num, where), where));
            },
            arg("begin"), arg("end"), arg("name"), arg("dtype"), arg("thread_num"), arg("block_num"), arg("where"))
        .def("begin_if",
             [](Built& b, H c, H w) {
                 const Where where = ToWhere(w);
                 b.program.BeginIf(ToExpr(b.program, c, where), where);
             })
        .def("begin_elif",
             [](Built& b, H c, H w) {
                 const Where where = ToWhere(w);
                 b.program.BeginElif(ToExpr(b.program, c, where), where);
             })
        .def("begin_else", [](Built& b, H w) { b.program.BeginElse(ToWhere(w)); })
        .def("begin_scope", [](Built& b, bool disable, H w) { b.program.BeginScope(disable, ToWhere(w)); })
        .def(
            "end", [](Built& b, H w) { b.program.End(ToWhere(w)); }, arg("where").none() = none)
        .def("brk", [](Built& b, H w) { b.program.Break(ToWhere(w)); })
        .def("cont", [](Built& b, H w) { b.program.Continue(ToWhere(w)); })
        .def("ret", [](Built& b, H w) { b.program.Return(ToWhere(w)); })
        .def("block_barrier", [](Built& b, H ref, H w) { b.program.BlockBarrier(ToId<RefId>(ref), ToWhere(w)); })
        .def(
            "call", [](Built& b, const char* name, H refs, H params, H w) { Call(b.program, name, refs, params, w); },
            arg("name"), arg("refs"), arg("params"), arg("where"))
        .def("printf",
             [](Built& b, const char* format, H values, H w) {
                 const Where where = ToWhere(w);
                 std::vector<ExprId> exprs;
                 for (H v : nb::borrow<nb::sequence>(values)) exprs.push_back(ToExpr(b.program, v, where));
                 b.program.Printf(format, exprs, where);
             })
        .def(
            "build",
            [](Built& b, const char* kernel, H inputs, H outputs, H flowtable, H, H w) {
                std::vector<TensorId> out;
                for (H h : nb::borrow<nb::sequence>(outputs)) out.push_back(ToId<TensorId>(h));
                b.program.Build(kernel, ToArguments(inputs), out, ToArguments(flowtable), ToWhere(w));
            },
            arg("kernel_name"), arg("inputs"), arg("outputs"), arg("flowtable").none() = none,
            arg("config").none() = none, arg("where").none() = none)
        .def("run", &Run, arg("feed"), arg("options").none() = none,
             "The outputs in order. Raises KernelError for a fault; `last` has every finding.")
        .def("debug", &Debug, arg("feed"), arg("debugger"), arg("options").none() = none,
             "The same, steered by a debugger; no outputs when it ended the run.")
        .def("mark", [](Built& b, H w) { b.program.Mark(ToWhere(w)); })
        .def_prop_ro("statements", [](const Built& b) { return b.program.Statements(); })
        .def("available", [](const Built& b, const char* scope) { return b.program.Available(scope); })
        .def("info", [](const Built& b) { return Info(b.program); })
        .def_prop_ro("last", [](const Built& b) -> nb::object { return b.ran ? nb::cast(b.last) : nb::none(); });
}

}  // namespace sfumato::python
