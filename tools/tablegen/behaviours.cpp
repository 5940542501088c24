// SPDX-License-Identifier: Apache-2.0
// Reads chips/behaviours.toml and chips/reports.toml.
#include "behaviours.h"

#include <fmt/format.h>

#include <algorithm>
#include <stdexcept>

#define TOML_ENABLE_FORMATTERS 0
#include <toml++/toml.h>

#include "check/rules.h"
#include "soc/embedded.h"

namespace sfumato::tablegen {
namespace {

constexpr soc::EmbeddedFile kFiles[] = {
#include "behaviours.inc"
};

[[noreturn]] void Fail(const toml::source_region& where, const std::string& what) {
    throw std::runtime_error(fmt::format("{}:{}: {}", *where.path, where.begin.line, what));
}

std::string Text(const toml::node& node) {
    const auto text = node.value_exact<std::string>();
    if (!text) Fail(node.source(), "a string is needed here");
    return *text;
}

// One entry of an array of tables: keys are taken, and what is left over is refused.
class Entry {
public:
    explicit Entry(const toml::node& node) : table_(*node.as_table()) {}
    std::string Text(std::string_view key) { return tablegen::Text(Need(key)); }
    std::string TextOr(std::string_view key) { return table_.contains(key) ? Text(key) : std::string(); }
    std::vector<std::string> ListOr(std::string_view key) {
        return table_.contains(key) ? List(key) : std::vector<std::string>();
    }
    std::vector<std::string> List(std::string_view key) {
        const toml::node& node = Need(key);
        if (!node.is_array()) Fail(node.source(), fmt::format("'{}' must be an array", key));
        std::vector<std::string> list;
        for (const toml::node& item : *node.as_array()) list.push_back(tablegen::Text(item));
        return list;
    }
    void Done() const {
        for (auto&& [key, node] : table_) {
            if (std::find(used_.begin(), used_.end(), key.str()) == used_.end()) {
                Fail(key.source(), fmt::format("unknown key '{}'", key.str()));
            }
        }
    }

private:
    const toml::node& Need(std::string_view key) {
        used_.emplace_back(key);
        const toml::node* node = table_.get(key);
        if (node == nullptr) Fail(table_.source(), fmt::format("missing key '{}'", key));
        return *node;
    }
    const toml::table& table_;
    std::vector<std::string> used_;
};

template <typename Take>
void ForEach(const toml::table& root, std::string_view key, Take take) {
    const toml::array* list = root.get_as<toml::array>(key);
    if (list == nullptr) return;
    for (const toml::node& node : *list) {
        Entry entry(node);
        take(entry);
        entry.Done();
    }
}

void ReadFile(const soc::EmbeddedFile& file, Behaviours& all) {
    toml::table root;
    try {
        root = toml::parse(file.text, file.name);
    } catch (const toml::parse_error& error) {
        Fail(error.source(), std::string(error.description()));
    }
    for (auto&& [key, node] : root) {
        constexpr std::string_view kKnown[] = {"instruction", "behaviour", "mistake", "rule"};
        if (std::find(std::begin(kKnown), std::end(kKnown), key.str()) == std::end(kKnown) ||
            !node.is_array_of_tables()) {
            Fail(key.source(), fmt::format("unknown key '{}'", key.str()));
        }
    }
    ForEach(root, "instruction", [&](Entry& e) {
        all.instructions.push_back({e.Text("name"), e.TextOr("title"), e.Text("summary"), e.TextOr("unit"),
                                    e.List("groups"), e.ListOr("ascendc"), e.ListOr("tik"), e.List("sources")});
        Instruction& instruction = all.instructions.back();
        if (instruction.title.empty()) instruction.title = instruction.name;
    });
    ForEach(root, "behaviour", [&](Entry& e) {
        all.behaviours.push_back(
            {e.List("groups"), e.Text("text"), e.Text("tag"), e.Text("source"), e.TextOr("switch")});
    });
    ForEach(root, "mistake", [&](Entry& e) {
        all.mistakes.push_back({e.List("groups"), e.Text("page"), e.Text("printed"), e.Text("right")});
    });
    ForEach(root, "rule", [&](Entry& e) {
        Rule rule{e.List("groups"), e.Text("id"), e.TextOr("severity"), e.TextOr("text")};
        for (const check::RuleInfo& info : check::kRules) {
            if (rule.id == info.id) rule.severity = Name(info.severity), rule.text = info.sentence;
        }
        all.rules.push_back(std::move(rule));
    });
}

// A rule of the checker that no page lists, or a rule without words, is a forgotten place.
void RequireEveryRule(const std::vector<Rule>& rules) {
    for (const check::RuleInfo& info : check::kRules) {
        if (std::none_of(rules.begin(), rules.end(), [&](const Rule& r) { return r.id == info.id; })) {
            throw std::runtime_error(fmt::format("chips/reports.toml: no [[rule]] with id '{}'", info.id));
        }
    }
    for (const Rule& rule : rules) {
        if (rule.text.empty() || rule.severity.empty()) {
            throw std::runtime_error(fmt::format("chips/reports.toml: rule '{}' needs severity and text", rule.id));
        }
    }
}

}  // namespace

Behaviours ReadBehaviours() {
    Behaviours all;
    for (const soc::EmbeddedFile& file : kFiles) ReadFile(file, all);
    RequireEveryRule(all.rules);
    return all;
}

const Instruction& InstructionOf(const Behaviours& all, isa::Opcode op) {
    for (const Instruction& i : all.instructions) {
        if (i.name == isa::AscendCKey(op)) return i;
    }
    throw std::runtime_error(fmt::format("chips/behaviours.toml: no [[instruction]] named '{}'", isa::AscendCKey(op)));
}

std::string Link(const Instruction& instruction, const char* folder) {
    return fmt::format("[{}]({}{}.md)", instruction.title, folder, instruction.name);
}

}  // namespace sfumato::tablegen
