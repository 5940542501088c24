// SPDX-License-Identifier: Apache-2.0
// From the functions of the front end that code reaches to the cores it needs.
#include "runtime/code/code_use.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <iterator>
#include <map>

#include "isa/opcode.h"
#include "report/finding.h"
#include "runtime/code/source_lines.h"
#include "system/modules.h"

namespace sfumato::runtime {
namespace {

using Entries = std::set<std::string>;

const std::map<std::string_view, isa::Pipe>& Instructions() {
    static const auto* pipes = [] {
        auto* map = new std::map<std::string_view, isa::Pipe>;
        for (const isa::InstructionInfo& i : isa::kInstructions) map->emplace(i.opcode, i.pipe);
        return map;
    }();
    return *pipes;
}

const std::map<std::string_view, Side>& Exceptions() {
    static const auto* sides = [] {
        auto* map = new std::map<std::string_view, Side>;
#define SFUMATO_ENTRY(side, ...) \
    for (const std::string_view name : {__VA_ARGS__}) map->emplace(name, Side::side);
#include "runtime/code/entry_sides.inc"
#undef SFUMATO_ENTRY
        return map;
    }();
    return *sides;
}

// Instructions and cross-core calls: what code does, without where it asks and what it prepares.
Entries Doing(const Entries& entries) {
    Entries doing;
    std::ranges::copy_if(entries, std::inserter(doing, doing.end()), [](const std::string& e) {
        return Instructions().contains(e) || SideOf(e).value_or(Side::kNeutral) != Side::kNeutral;
    });
    return doing;
}

}  // namespace

std::optional<Side> SideOf(std::string_view entry) {
    if (const auto it = Exceptions().find(entry); it != Exceptions().end()) return it->second;
    const auto it = Instructions().find(entry);
    if (it == Instructions().end()) {
        // Raw code has a conversion for each pair of types, and a comparison for each mode.
        for (const std::string_view family : {"vconv_", "vcmp_", "vcmpv_"}) {
            if (entry.starts_with(family)) return Side::kVector;
        }
        return std::nullopt;
    }
    switch (it->second) {
        case isa::Pipe::kV: return Side::kVector;
        case isa::Pipe::kM:
        case isa::Pipe::kMte1:
        case isa::Pipe::kFix: return Side::kCube;
        default: return Side::kNeutral;
    }
}

Entries EntriesOf(const std::set<std::string>& mangled) {
    constexpr std::string_view kNamespace = "_ZN7sfumato7ascendc", kGlobal = "_Z";
    Entries entries;
    for (const std::string_view name : mangled) {
        if (!name.starts_with(kGlobal)) continue;
        size_t at = name.starts_with(kNamespace) ? kNamespace.size() : kGlobal.size(), length = 0;
        for (; at < name.size() && name[at] >= '0' && name[at] <= '9'; ++at) {
            length = 10 * length + static_cast<size_t>(name[at] - '0');
        }
        if (length > 0) entries.emplace(name.substr(at, length));
    }
    return entries;
}

CodeUse UseOf(const Entries& entries) {
    CodeUse use;
    for (const std::string& entry : entries) {
        const Side side = SideOf(entry).value_or(Side::kNeutral);
        use.cube = use.cube || side == Side::kCube;
        use.vector = use.vector || side == Side::kVector;
        use.cross_core = use.cross_core || side == Side::kCrossCore;
    }
    return use;
}

CodeUse UseOf(const Entries& on_cube, const Entries& on_vector) {
    const Entries cube = Doing(on_cube), vector = Doing(on_vector);
    if (cube == vector) return UseOf(cube);
    Entries both = cube;
    both.insert(vector.begin(), vector.end());
    return {!cube.empty(), !vector.empty(), UseOf(both).cross_core};
}

std::optional<Report> UnoptimisedReport(const Entries& entries) {
    const auto of = [&](Side side) {
        std::vector<std::string_view> names;
        for (const std::string& entry : entries) {
            if (SideOf(entry) == side) names.push_back(entry);
        }
        constexpr size_t kShown = 3;
        const size_t shown = std::min(names.size(), kShown);
        return fmt::format("{}{}", fmt::join(names.begin(), names.begin() + static_cast<ptrdiff_t>(shown), ", "),
                           names.size() > shown ? ", ..." : "");
    };
    const std::string cube = of(Side::kCube), vector = of(Side::kVector);
    if (cube.empty() || vector.empty()) return std::nullopt;
    return ToReport({Rule::kCoresDerivedUnoptimised, "",
                     "the kernel runs on cube and vector cores because its unoptimised code calls both units; calls "
                     "that never run count, too",
                     fmt::format("calls of the cube unit ({}) and of the vector unit ({})", cube, vector),
                     "cores that the source declares, or that are derived from optimised code",
                     "declare KERNEL_TASK_TYPE_DEFAULT in the kernel, or build with -O2"},
                    "", {});
}

std::optional<Report> VariableReport(const CodeGraph::Variable& variable) {
    const std::string& mangled = variable.name;
    for (const std::string_view special : {"_ZGV", "_ZTV", "_ZTI", "_ZTS", "_ZTT", "__", "DW.ref.", "sfumato_"}) {
        if (mangled.starts_with(special)) return std::nullopt;
    }
    std::string name = Demangled(mangled.c_str());
    for (const std::string_view own : {"sfumato::", "AscendC::", "std::", "__gnu_cxx::"}) {
        if (name.starts_with(own)) return std::nullopt;
    }
    // The static of a function: "kernel(unsigned char*)::counter".
    const bool in_function = mangled.starts_with("_ZZ");
    const char* kind = variable.is_thread_local ? "thread_local" : in_function ? "static" : "global";
    return ToReport({Rule::kMutableGlobal, std::move(name), fmt::format("the kernel uses a {} variable", kind),
                     fmt::format("{} byte{} that {}", variable.bytes, variable.bytes == 1 ? "" : "s",
                                 variable.is_thread_local ? "each core has for itself here"
                                                          : "all cores share here, and that outlive the launch"),
                     "const and constexpr data; cores of a board share nothing but global memory",
                     "declare it in the kernel, or in its class, and pass it on; const where nothing writes it"},
                    "", {});
}

ModuleCode::ModuleCode(const void* address) {
    const system::ModuleFile module = system::ModuleAt(address);
    base_ = module.base;
    if (!module.path) return;
    path_ = module.path;
    graph_ = CodeGraph::Read(path_);
    notes_ = CallNotes::In(path_);
    unoptimised_ = CodeGraph::ContentOf(path_, kUnoptimisedSection).has_value();
}

std::optional<CallNotes::Note> ModuleCode::NoteOf(const void* address) const {
    if (notes_.empty()) return std::nullopt;
    return notes_.Of(CodeGraph::FunctionAt(path_, reinterpret_cast<uintptr_t>(address) - base_));
}

std::string FunctionName(const void* address) {
    const system::ModuleFile module = system::ModuleAt(address);
    if (!module.path) return "";
    const std::string name = CodeGraph::FunctionAt(module.path, reinterpret_cast<uintptr_t>(address) - module.base);
    const std::string text = name.empty() ? "" : Demangled(name.c_str());
    // "void ops::add<float, 0>(unsigned char*)": of a template, the result stands before it.
    int angles = 0;
    size_t begin = 0, end = text.size();
    for (size_t i = 0; i < text.size() && end == text.size(); ++i) {
        angles += text[i] == '<' ? 1 : text[i] == '>' ? -1 : 0;
        if (angles == 0 && text[i] == ' ') begin = i + 1;
        if (angles == 0 && text[i] == '(') end = i;
    }
    return text.substr(begin, end - begin);
}

std::optional<Entries> ModuleCode::EntriesFrom(const void* address) const {
    if (const auto note = NoteOf(address)) return EntriesOf(note->reached);
    if (!graph_) return std::nullopt;
    Entries entries = EntriesOf(graph_->ReachedFrom(reinterpret_cast<uintptr_t>(address) - base_));
    // A program with the library linked into it imports nothing of it.
    if (entries.empty() && !graph_->precise()) return std::nullopt;
    return entries;
}

bool ModuleCode::IsUnoptimised(const void* address) const {
    const auto note = NoteOf(address);
    return note ? note->unoptimised : unoptimised_;
}

std::vector<CodeGraph::Variable> ModuleCode::VariablesFrom(const void* address) const {
    if (!graph_) return {};
    return graph_->VariablesFrom(reinterpret_cast<uintptr_t>(address) - base_);
}

}  // namespace sfumato::runtime
