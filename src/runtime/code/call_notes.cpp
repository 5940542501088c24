// SPDX-License-Identifier: Apache-2.0
// Notes are lines of text: "sfumato calls 1 optimised" begins those of an object, "=name" names what is called, and
// "function 0 2" says that a function reaches the first and the third of these.
#include "runtime/code/call_notes.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <vector>

#include "runtime/code/code_graph.h"
#include "runtime/code/code_use.h"
#include "sfumato/report.h"

namespace sfumato::runtime {
namespace {

constexpr std::string_view kBegin = "sfumato calls 1 ", kOptimised = "optimised", kUnoptimised = "unoptimised";

// Functions of the standard library and of Sfumato are no kernels; thunks that start kernels are of sfumato::entry.
bool MayBeKernel(std::string_view mangled) {
    if (mangled.starts_with("_ZZ")) mangled.remove_prefix(1);  // of a function: a lambda in it
    if (mangled.starts_with("_ZSt") || mangled.starts_with("ZSt")) return false;
    const size_t nested = mangled.find("ZN");
    if (nested > 1) return true;
    mangled.remove_prefix(nested + 2);
    while (!mangled.empty() && std::string_view("KVrRO").find(mangled[0]) != std::string_view::npos)
        mangled.remove_prefix(1);
    if (mangled.starts_with("7sfumato5entry")) return true;
    constexpr std::string_view kOthers[] = {"7sfumato", "7AscendC", "S", "9__gnu_cxx", "10__cxxabiv1"};
    return std::ranges::none_of(kOthers, [&](std::string_view other) { return mangled.starts_with(other); });
}

bool CallsSfumato(const CallsOf& calls) {
    return std::ranges::any_of(calls, [](const auto& call) {
        if (std::ranges::any_of(call.second, [](const auto& name) { return name.starts_with("_ZN7sfumato"); }))
            return true;
        return std::ranges::any_of(EntriesOf(call.second), [](const auto& e) { return SideOf(e).has_value(); });
    });
}

}  // namespace

CallsOf CallsIn(const std::string& path) {
    const auto graph = CodeGraph::Read(path);
    if (!graph || !graph->precise()) return {};
    CallsOf calls;
    for (const CodeGraph::Constant& function : CodeGraph::FunctionsIn(path)) {
        if (!MayBeKernel(function.name)) continue;
        calls[function.name].merge(graph->ReachedFrom(function.address));
    }
    return CallsSfumato(calls) ? calls : CallsOf();
}

std::string CallsText(const CallsOf& calls, bool unoptimised) {
    std::map<std::string_view, size_t> numbers;
    std::string names, functions;
    for (const auto& [function, reached] : calls) {
        functions += function;
        for (const std::string& name : reached) {
            const auto [it, is_new] = numbers.emplace(name, numbers.size());
            if (is_new) names += fmt::format("={}\n", name);
            functions += fmt::format(" {}", it->second);
        }
        functions += '\n';
    }
    return fmt::format("{}{}\n{}{}", kBegin, unoptimised ? kUnoptimised : kOptimised, names, functions);
}

CallNotes::CallNotes(std::string_view text) {
    std::vector<std::string> names;
    bool unoptimised = false;
    const auto refuse = [](std::string_view line) {
        throw Error(
            fmt::format("section {}: '{}' is no note of this version: compile the kernels again", kCallsSection, line));
    };
    while (!text.empty()) {
        std::string_view line = text.substr(0, text.find('\n'));
        text.remove_prefix(std::min(text.size(), line.size() + 1));
        line.remove_prefix(std::min(line.size(), line.find_first_not_of('\0')));  // between objects
        if (line.empty()) continue;
        if (line.starts_with(kBegin)) {
            names.clear();
            unoptimised = line.substr(kBegin.size()) == kUnoptimised;
        } else if (line.starts_with('=')) {
            names.emplace_back(line.substr(1));
        } else {
            size_t at = std::min(line.find(' '), line.size());
            Note& note = notes_[std::string(line.substr(0, at))];
            note.unoptimised = note.unoptimised || unoptimised;
            while (at < line.size()) {
                size_t number = 0;
                const auto [end, error] = std::from_chars(line.data() + at + 1, line.data() + line.size(), number);
                if (error != std::errc() || number >= names.size()) refuse(line);
                note.reached.insert(names[number]);
                at = static_cast<size_t>(end - line.data());
            }
        }
    }
}

CallNotes CallNotes::In(const std::string& path) {
    return CallNotes(CodeGraph::ContentOf(path, kCallsSection).value_or(""));
}

std::optional<CallNotes::Note> CallNotes::Of(const std::string& function) const {
    if (!notes_.contains(function)) return std::nullopt;
    Note all;
    std::set<std::string_view> seen;
    std::vector<std::string_view> open = {function};
    while (!open.empty()) {
        const auto it = notes_.find(open.back());
        open.pop_back();
        if (it == notes_.end() || !seen.insert(it->first).second) continue;
        all.unoptimised = all.unoptimised || it->second.unoptimised;
        for (const std::string& name : it->second.reached) {
            all.reached.insert(name);
            open.push_back(name);
        }
    }
    return all;
}

}  // namespace sfumato::runtime
