// SPDX-License-Identifier: Apache-2.0
// Reads chips/behaviours.toml.
#include "behaviours.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <sstream>
#include <stdexcept>

#define TOML_ENABLE_FORMATTERS 0
#include <toml++/toml.h>

#include "markdown.h"
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
        constexpr std::string_view kKnown[] = {"instruction", "behaviour", "mistake"};
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
        all.behaviours.push_back({e.List("groups"), e.Text("text"), e.Text("tag"), e.Text("source"), e.TextOr("switch"),
                                  e.ListOr("unless"), e.TextOr("topic")});
    });
    ForEach(root, "mistake", [&](Entry& e) {
        all.mistakes.push_back({e.List("groups"), e.Text("page"), e.Text("printed"), e.Text("right")});
    });
}

}  // namespace

Behaviours ReadBehaviours() {
    Behaviours all;
    for (const soc::EmbeddedFile& file : kFiles) ReadFile(file, all);
    return all;
}

const Instruction& InstructionOf(const Behaviours& all, isa::Opcode op) {
    for (const Instruction& i : all.instructions) {
        if (i.name == isa::AscendCKey(op)) return i;
    }
    throw std::runtime_error(fmt::format("chips/behaviours.toml: no [[instruction]] named '{}'", isa::AscendCKey(op)));
}

bool StandsOn(const RuleInfo& rule, const Instruction& instruction) {
    std::istringstream groups(rule.groups);
    return std::any_of(std::istream_iterator<std::string>(groups), {}, [&](const std::string& group) {
        return std::find(instruction.groups.begin(), instruction.groups.end(), group) != instruction.groups.end();
    });
}

bool StandsOn(const Behaviour& behaviour, const Instruction& instruction) {
    const auto shares = [&](const std::vector<std::string>& groups) {
        return std::find_first_of(groups.begin(), groups.end(), instruction.groups.begin(), instruction.groups.end()) !=
               groups.end();
    };
    return shares(behaviour.groups) && !shares(behaviour.unless);
}

std::string RuleLine(const RuleInfo& rule) {
    return Line({fmt::format("`{}`", rule.id), Name(rule.severity), rule.sentence});
}

std::string Link(const Instruction& instruction, const char* folder) {
    return fmt::format("[{}]({}{}.md)", instruction.title, folder, instruction.name);
}

}  // namespace sfumato::tablegen
