// SPDX-License-Identifier: Apache-2.0
// The module sfumato._native: what the Python package cannot do itself. Arrays arrive as flat bytes with a type name.
#include "module.h"

#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include "data_types.h"
#include "sfumato/environment.h"
#include "sfumato/host/watch.h"
#include "sfumato/jit.h"
#include "sfumato/report.h"

namespace nb = nanobind;

namespace {

// One dictionary a family: what the package asks for.
nb::list Chips() {
    nb::list chips;
    for (const sfumato::ChipInfo& c : sfumato::Chips()) {
        nb::dict memories, products, chip;
        for (const auto& [name, bytes] : c.memories) memories[name.c_str()] = bytes;
        for (const sfumato::ProductInfo& p : c.products) {
            nb::dict cores;
            cores["cube_cores"] = p.cube_cores;
            cores["vector_cores"] = p.vector_cores;
            products[p.name.c_str()] = cores;
        }
        chip["name"] = c.name;
        chip["title"] = c.title;
        chip["arch"] = c.arch;
        chip["ascendc"] = c.ascendc;
        chip["tik"] = c.tik;
        chip["split_cores"] = c.split_cores;
        chip["supports_infnan"] = c.supports_infnan;
        chip["event_ids"] = c.event_ids;
        chip["buffers_per_position"] = c.buffers_per_position;
        chip["memories"] = memories;
        chip["products"] = products;
        chips.append(chip);
    }
    return chips;
}

}  // namespace

NB_MODULE(_native, m) {
    using sfumato::Report;

    m.attr("__version__") = sfumato::Version();

    // The last registered is tried first, so the general class comes first.
    nb::exception<sfumato::Error> error(m, "Error");
    nb::exception<sfumato::UnsupportedError>(m, "UnsupportedError", error.ptr());
    nb::exception<sfumato::CompileError>(m, "CompileError", error.ptr());

    nb::class_<sfumato::Reading>(m, "Reading",
                                 "A reading of the documentation that a run used. str() is the text a person reads.")
        .def_ro("call", &sfumato::Reading::call, "Of what: \"Exp\"; in TIK \"vec_exp\".")
        .def_ro("reading", &sfumato::Reading::reading, "One or more sentences.")
        .def_ro("tag", &sfumato::Reading::tag, "\"decided\" or \"assumed\".")
        .def_ro("source", &sfumato::Reading::source, "Where it comes from.")
        .def_ro("switch", &sfumato::Reading::option, "The option that chooses another reading, or empty.")
        .def_ro("file", &sfumato::Reading::file, "Of the first call that used it.")
        .def_ro("line", &sfumato::Reading::line)
        .def_ro("count", &sfumato::Reading::count, "Uses by all cores.")
        .def("json", &sfumato::Reading::Json, "The reading as one JSON object, as text.")
        .def("__str__", &sfumato::Reading::Text);
    nb::class_<Report>(m, "Report", "One finding. str() is the text a person reads.")
        .def_prop_ro(
            "severity", [](const Report& r) { return sfumato::Name(r.severity); },
            "\"fault\", \"warning\" or \"note\".")
        .def_prop_ro(
            "rule", [](const Report& r) { return sfumato::Name(r.rule); },
            "A stable name, e.g. \"ub-alignment\"; docs/reports.md lists them.")
        .def_prop_ro("whose", &Report::Whose,
                     "Whose it is to mend: \"program\", \"sfumato\" (not there, or untested) or \"documentation\".")
        .def_ro("chip", &Report::chip, "The family, e.g. \"Ascend910B\".")
        .def_ro("kernel", &Report::kernel, "The name of the kernel; empty when it is not known.")
        .def_ro("core", &Report::core, "\"aiv0\", \"aic3\"; empty before a core runs.")
        .def_ro("instruction", &Report::instruction, "The call as it is written, e.g. \"Cast\".")
        .def_ro("index", &Report::index, "How many instructions this core had issued before.")
        .def_ro("operand", &Report::operand, "\"dst\", \"mask\" ...; may be empty.")
        .def_ro("message", &Report::message, "What is wrong, in one sentence.")
        .def_ro("found", &Report::found, "The value at fault.")
        .def_ro("legal", &Report::legal, "What would be legal.")
        .def_ro("hint", &Report::hint, "What to do; may be empty.")
        .def_ro("file", &Report::file, "Of the call.")
        .def_ro("line", &Report::line)
        .def_ro("related", &Report::related, "The other places: a list of RelatedPlace.")
        .def_ro("rank", &Report::rank, "Of the device where several run, else None.")
        .def("json", &Report::Json, "The finding as one JSON object, as text.")
        .def("__str__", &Report::Text)
        .def("__repr__", [](const Report& r) {
            return std::string("<") + sfumato::Name(r.severity) + " " + sfumato::Name(r.rule) + " at " + r.file + ":" +
                   std::to_string(r.line) + ">";
        });

    m.def(
        "last_report", [] { return sfumato::host::LastFault(); },
        "The report of the last launch by <<<>>> or aclrtlaunch_* that failed or was refused, in this process; None: "
        "there was none.");
    m.def("find_type", [](const std::string& name) -> nb::object {
        const auto t = sfumato::python::FindDataType(name);
        return t ? nb::cast(std::string(sfumato::NumpyName(*t))) : nb::none();
    });
    m.def("type_names", [] {
        std::vector<std::string> names;
        for (int i = 0; i < sfumato::kDataTypeCount; ++i) {
            names.emplace_back(sfumato::NumpyName(static_cast<sfumato::DataType>(i)));
        }
        return names;
    });

    m.def("chips", &Chips, "The chip families: one dict each, with memories in bytes and products with their cores.");

    sfumato::python::BindFindings(m);
    sfumato::python::BindLaunch(m);
    sfumato::python::BindCast(m);
    sfumato::python::BindTiling(m);
    sfumato::python::BindOp(m);
    sfumato::python::BindRunner(m);
    sfumato::python::BindRanks(m);
    sfumato::python::BindTik(m);
}
