// SPDX-License-Identifier: Apache-2.0
// Reads chips/behaviours.toml and chips/calls.toml.
#include "soc/behaviours.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>

#include "soc/embedded.h"
#include "soc/scope.h"

namespace sfumato::soc {
namespace {

constexpr EmbeddedFile kFiles[] = {
#include "behaviours.inc"
};

std::vector<std::string> ListOf(Scope& entry, std::string_view key) {
    std::vector<std::string> list;
    for (const toml::node& item : entry.ArrayOrNone(key)) list.push_back(ReadText(item, key));
    return list;
}

std::vector<std::string> Needed(Scope& entry, std::string_view key) {
    entry.Need(key);
    return ListOf(entry, key);
}

Conditions ReadConditions(Scope& entry) {
    Conditions all;
    for (const toml::node& item : entry.ArrayOrNone("when")) {
        try {
            all.Add(ReadText(item, "when"));
        } catch (const Error& error) {
            Fail(item.source(), error.what());
        }
    }
    return all;
}

template <typename Take>
void ForEach(Scope& root, std::string_view key, Take take) {
    for (const toml::node& node : root.ArrayOrNone(key)) {
        Scope entry(ReadTable(node, key), key);
        take(entry);
        entry.Done();
    }
}

void ReadFile(const EmbeddedFile& file, Behaviours* to) {
    toml::table table;
    try {
        table = toml::parse(file.text, file.name);
    } catch (const toml::parse_error& error) {
        Fail(error.source(), std::string(error.description()));
    }
    Behaviours& all = *to;
    Scope root(table, file.name);
    ForEach(root, "instruction", [&](Scope& e) {
        all.instructions.push_back({e.Text("name"), e.Text("title", ""), e.Text("summary"), e.Text("unit", ""),
                                    Needed(e, "groups"), ListOf(e, "ascendc"), ListOf(e, "tik"), Needed(e, "sources")});
        Instruction& instruction = all.instructions.back();
        if (instruction.title.empty()) instruction.title = instruction.name;
    });
    ForEach(root, "call", [&](Scope& e) {
        all.calls.push_back({e.Text("name"), e.Text("summary"), e.Text("types"), e.Text("policy", ""),
                             ListOf(e, "headers"), Needed(e, "groups"), Needed(e, "ascendc"), ListOf(e, "steps"),
                             Needed(e, "sources")});
    });
    ForEach(root, "behaviour", [&](Scope& e) {
        all.behaviours.push_back({Needed(e, "groups"), e.Text("text"), e.ReadTag(), e.Text("source"),
                                  e.Text("switch", ""), ListOf(e, "unless"), e.Text("topic", ""), ListOf(e, "calls"),
                                  ReadConditions(e)});
    });
    ForEach(root, "mistake", [&](Scope& e) {
        all.mistakes.push_back({Needed(e, "groups"), e.Text("page"), e.Text("printed"), e.Text("right")});
    });
    root.Done();
}

bool Shares(const std::vector<std::string>& a, const std::vector<std::string>& b) {
    return std::find_first_of(a.begin(), a.end(), b.begin(), b.end()) != a.end();
}

Behaviours ReadAll() {
    Behaviours all;
    for (const EmbeddedFile& file : kFiles) ReadFile(file, &all);
    for (Behaviour& behaviour : all.behaviours) {
        if (!behaviour.calls.empty()) continue;  // named one by one
        // Where an instruction has it, its records show the use.
        const bool of_records = std::any_of(all.instructions.begin(), all.instructions.end(),
                                            [&](const Instruction& i) { return StandsOn(behaviour, i); });
        if (behaviour.documented() || of_records) continue;
        for (const Call& call : all.calls) {
            if (StandsOn(behaviour, call)) behaviour.calls.push_back(call.name);
        }
    }
    return all;
}

}  // namespace

const Behaviours& ReadBehaviours() {
    static const Behaviours all = ReadAll();
    return all;
}

const Instruction& InstructionOf(const Behaviours& all, isa::Opcode op) {
    for (const Instruction& i : all.instructions) {
        if (i.name == isa::AscendCKey(op)) return i;
    }
    throw Error(fmt::format("chips/behaviours.toml: no [[instruction]] named '{}'", isa::AscendCKey(op)));
}

bool StandsOn(const Behaviour& behaviour, const Instruction& instruction) {
    return Shares(behaviour.groups, instruction.groups) && !Shares(behaviour.unless, instruction.groups);
}

bool StandsOn(const Behaviour& behaviour, const Call& call) {
    return Shares(behaviour.groups, call.groups) && !Shares(behaviour.unless, call.groups);
}

bool IsOfTik(const Behaviour& behaviour) {
    return std::find(behaviour.groups.begin(), behaviour.groups.end(), kTikGroup) != behaviour.groups.end();
}

}  // namespace sfumato::soc
