// SPDX-License-Identifier: Apache-2.0
// __aicore__ of the kernel and __gm__ of its pointers; here both are empty.
#include "jit/declared.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <string_view>

#include "report/finding.h"
#include "sfumato/data_type.h"

namespace sfumato::jit {
namespace {

// A pointer to a type that is no name of the program's, which could stand for one with __gm__.
bool IsPlainPointer(std::string type) {
    if (type.find('*') == std::string::npos) return false;
    for (const std::string_view word : {"const", "volatile"}) {
        for (size_t at; (at = type.find(word)) != std::string::npos;) type.erase(at, word.size());
    }
    std::erase_if(type, [](unsigned char c) { return c == '*' || std::isspace(c); });
    for (const std::string_view known : {"void", "char", "int", "unsigned", "unsignedint", "bool", "double"}) {
        if (type == known) return true;
    }
    for (int i = 0; i < kDataTypeCount; ++i) {
        if (type == CName(static_cast<DataType>(i))) return true;
    }
    return false;
}

Report Lacks(const std::string& source, uint32_t line, std::string operand, std::string message, std::string found,
             std::string hint) {
    Report report = ReportOf(Rule::kKernelDeclared);
    report.file = source;
    report.line = line;
    report.operand = std::move(operand);
    report.message = std::move(message);
    report.found = std::move(found);
    report.legal = "extern \"C\" __global__ __aicore__ void name(GM_ADDR x)";
    report.hint = std::move(hint);
    return report;
}

}  // namespace

std::vector<Report> DeclaredFindings(const std::vector<FoundKernel>& found, const std::string& kernel,
                                     const std::string& source) {
    std::vector<const FoundKernel*> all;
    for (const FoundKernel& k : found) {
        if (k.QualifiedName() == kernel.substr(0, kernel.find('<'))) all.push_back(&k);
    }
    if (all.empty()) return {};
    const FoundKernel& last = *all.back();
    std::vector<Report> reports;
    if (std::none_of(all.begin(), all.end(), [](const FoundKernel* k) { return k->may_be_of_core; })) {
        reports.push_back(Lacks(source, last.line, "", "the kernel is declared without __aicore__",
                                fmt::format("__global__ alone before {}", last.name),
                                "write __global__ __aicore__: the vendor's compiler makes code of the core by it"));
    }
    for (size_t i = 0; i < last.params.size(); ++i) {
        const auto plain = [i](const FoundKernel* k) {
            return i < k->params.size() && IsPlainPointer(k->params[i].type);
        };
        if (!std::all_of(all.begin(), all.end(), plain)) continue;
        const FoundParam& p = last.params[i];
        reports.push_back(
            Lacks(source, last.line, p.name, "a pointer of the kernel is declared without __gm__",
                  fmt::format("{} {}", p.type, p.name),
                  fmt::format("write __gm__ {} {}, or GM_ADDR: it points to global memory", p.type, p.name)));
    }
    return reports;
}

}  // namespace sfumato::jit
