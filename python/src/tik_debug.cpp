// SPDX-License-Identifier: Apache-2.0
// Stops of a debugged TIK run, in Python.
#include "tik_debug.h"

#include <nanobind/stl/string.h>

#include "tik_values.h"

namespace nb = nanobind;

namespace sfumato::python {
namespace {

// What Python holds; empty once the run goes on.
struct StopView {
    const tik::DebugStop* stop;
    const tik::DebugStop& operator*() const {
        if (!stop) throw Error("the run has gone on since this stop");
        return *stop;
    }
};

nb::list Loops(const tik::DebugStop& stop) {
    nb::list loops;
    for (const auto& l : stop.loops) loops.append(nb::make_tuple(l.name, l.value, l.end, l.where));
    return loops;
}

nb::list Blocks(const tik::DebugStop& stop) {
    constexpr const char* kNames[] = {"waits", "here", "at the barrier", "ended"};
    nb::list blocks;
    for (const auto state : stop.blocks) blocks.append(kNames[static_cast<size_t>(state)]);
    return blocks;
}

}  // namespace

PythonDebugger::PythonDebugger(nb::object object)
    : object_(std::move(object)), stop_first_(nb::cast<bool>(object_.attr("stop_first"))) {
    TakeBreakpoints();
}

void PythonDebugger::TakeBreakpoints() {
    breakpoints.clear();
    for (nb::handle b : object_.attr("breakpoints")) breakpoints.insert(nb::cast<uint64_t>(b));
}

tik::Debugger::Action PythonDebugger::Stopped(const tik::DebugStop& stop) {
    nb::gil_scoped_acquire acquire;
    const nb::object view = nb::cast(StopView{&stop});
    struct Expire {
        StopView& view;
        ~Expire() { view.stop = nullptr; }
    } expire{nb::cast<StopView&>(view)};
    const auto answer = nb::cast<std::string>(object_.attr("stopped")(view));
    TakeBreakpoints();
    return answer == "next" ? Action::kNext : answer == "continue" ? Action::kContinue : Action::kQuit;
}

bool PythonDebugger::Interrupted() {
    nb::gil_scoped_acquire acquire;
    if (PyErr_CheckSignals() == 0) return false;
    if (!PyErr_ExceptionMatches(PyExc_KeyboardInterrupt)) throw nb::python_error();
    PyErr_Clear();
    object_.attr("interrupted")();
    return true;
}

void BindTikStop(nb::module_& m) {
    nb::class_<StopView>(m, "Stop")
        .def_prop_ro("statement", [](const StopView& v) { return (*v).statement; })
        .def_prop_ro("where", [](const StopView& v) { return (*v).where; })
        .def_prop_ro("block", [](const StopView& v) { return (*v).block; })
        .def_prop_ro("core", [](const StopView& v) { return (*v).core; })
        .def_prop_ro("issued", [](const StopView& v) { return (*v).issued; })
        .def_prop_ro("fault",
                     [](const StopView& v) -> nb::object {
                         const Report* fault = (*v).fault;
                         return fault ? nb::cast(*fault) : nb::none();
                     })
        .def_prop_ro("loops", [](const StopView& v) { return Loops(*v); })
        .def_prop_ro("blocks", [](const StopView& v) { return Blocks(*v); })
        .def("value", [](const StopView& v, int32_t e) { return ToPython((*v).Value(tik::ExprId{e})); })
        .def("value_of",
             [](const StopView& v, int32_t scalar) { return ToPython((*v).Values(tik::ScalarId{scalar}).front()); })
        .def("values",
             [](const StopView& v, int32_t array) {
                 nb::list values;
                 for (const tik::Number& n : (*v).Values(tik::ScalarId{array})) values.append(ToPython(n));
                 return values;
             })
        .def("contents", [](const StopView& v, int32_t t) { return ToArray((*v).Contents(tik::TensorId{t})); });
}

}  // namespace sfumato::python
