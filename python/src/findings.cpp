// SPDX-License-Identifier: Apache-2.0
// Findings for other programs: the texts of sfumato.reports.
#include "sfumato/findings.h"

#include <nanobind/stl/pair.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <utility>

#include "module.h"
#include "data_types.h"
#include "report/finding.h"

namespace nb = nanobind;

namespace sfumato::python {
namespace {

// What Python knows of a run: names of RunFindings to their values.
RunFindings RunOf(const nb::dict& about, std::vector<Report> findings) {
    RunFindings run;
    const auto text = [&about](const char* name) { return nb::cast<std::string>(about[name]); };
    run.name = text("name");
    run.source = text("source");
    run.chip = text("chip");
    run.kernel = text("kernel");
    run.schedule = text("schedule");
    run.task_type = text("task_type");
    run.task_type_from = text("task_type_from");
    run.error_kind = text("error_kind");
    run.error = text("error");
    run.judged = nb::cast<bool>(about["judged"]);
    run.again = text("again");
    run.date = text("date");
    if (!about["seconds"].is_none()) run.seconds = nb::cast<double>(about["seconds"]);
    run.line = nb::cast<uint32_t>(about["line"]);
    run.blocks = nb::cast<uint32_t>(about["blocks"]);
    run.records = nb::cast<uint64_t>(about["records"]);
    run.checked = nb::cast<std::vector<std::string>>(about["checked"]);
    run.ranks = nb::cast<uint32_t>(about["ranks"]);
    run.groups = nb::cast<std::vector<std::string>>(about["groups"]);
    run.findings = std::move(findings);
    if (!about["rests_on"].is_none()) run.rests_on = nb::cast<std::vector<Reading>>(about["rests_on"]);
    return run;
}

std::string FindingsText(const std::string& format,
                         const std::vector<std::pair<nb::dict, std::vector<Report>>>& given) {
    std::vector<RunFindings> runs;
    for (const auto& [about, findings] : given) runs.push_back(RunOf(about, findings));
    if (format == "sarif") return SarifOf(runs);
    return format == "junit" ? JunitOf(runs) : JsonOf(Together(runs));
}

// The report of its JSON, read by Python.
Report ReportOf(const nb::dict& fields) {
    const auto text = [&fields](const char* name) {
        const nb::object value = fields.attr("get")(name);
        return value.is_none() ? std::string() : nb::cast<std::string>(value);
    };
    const auto number = [&fields](const char* name) {
        const nb::object value = fields.attr("get")(name);
        return value.is_none() ? uint64_t{0} : nb::cast<uint64_t>(value);
    };
    const std::optional<Rule> rule = FindRule(text("rule"));
    if (!rule) throw Error("report: there is no rule '" + text("rule") + "'; docs/reports.md lists them");
    Report report = Stamped(sfumato::ReportOf(*rule), text("chip"), text("kernel"));
    const std::string severity = text("severity");
    for (const Severity s : {Severity::kFault, Severity::kWarning, Severity::kNote}) {
        if (severity == Name(s)) report.severity = s;
    }
    report.core = text("core");
    report.instruction = text("instruction");
    report.index = number("index");
    report.operand = text("operand");
    report.message = text("message");
    report.found = text("found");
    report.legal = text("legal");
    report.hint = text("hint");
    report.file = text("file");
    report.line = static_cast<uint32_t>(number("line"));
    if (!fields.contains("related")) return report;
    for (const nb::handle place : fields["related"]) {
        const auto other = nb::cast<nb::dict>(place);
        report.related.push_back({nb::cast<std::string>(other["file"]), nb::cast<uint32_t>(other["line"]),
                                  nb::cast<std::string>(other["note"])});
    }
    return report;
}

}  // namespace

void BindFindings(nb::module_& m) {
    nb::class_<RelatedPlace>(m, "RelatedPlace", "Another line that a finding is about.")
        .def_ro("file", &RelatedPlace::file)
        .def_ro("line", &RelatedPlace::line)
        .def_ro("note", &RelatedPlace::note, "What happened there, e.g. \"DataCopy writes it, on PIPE_MTE2\".")
        .def("__repr__",
             [](const RelatedPlace& p) { return "<" + p.file + ":" + std::to_string(p.line) + ", " + p.note + ">"; });
    m.def("findings_text", &FindingsText, nb::arg("format"), nb::arg("runs"));
    m.def("report_of", &ReportOf, nb::arg("fields"), "The report of its JSON as a dict.");
    m.def(
        "utc", [] { return ThisTool().date; }, "The present, as reports have it.");
    m.def("compile_findings", &CompileFindings, nb::arg("messages"), nb::arg("source"), nb::arg("chip"));
    m.def("check_names", &CheckNames, nb::arg("check"), "What a text of check turns on.");
}

}  // namespace sfumato::python
