// SPDX-License-Identifier: Apache-2.0
// The generated documentation: one page an instruction and a call, the chips, what is supported.
#include <fmt/format.h>

#include <algorithm>
#include <stdexcept>

#include "behaviours.h"
#include "soc/facts.h"
#include "tablegen.h"
#include "tik_calls.h"

namespace sfumato::tablegen {
namespace {

using isa::Api;
using isa::Memory;
using soc::Chip;
using soc::ConversionRow;

bool Shares(const std::vector<std::string>& a, const std::vector<std::string>& b) {
    return std::find_first_of(a.begin(), a.end(), b.begin(), b.end()) != a.end();
}

// Whether a form of the call has the name of an instruction: readers look for a name, not for a layer.
bool HasName(const soc::Call& call, const std::string& name) {
    const auto begins = [&](const std::string& form) {
        return form.starts_with(name) && form.find_first_of("<(") == name.size();
    };
    return std::ranges::any_of(call.ascendc, begins);
}

template <class Wanted>
std::string BehaviourTable(const Behaviours& all, const Wanted& wanted) {
    std::string out = "\n## Behaviour\n\n" + Head({"behaviour", "tag", "source", "switch"});
    for (const Behaviour& b : all.behaviours) {
        if (wanted(b)) out += Line({b.text, b.tag, b.source, b.option.empty() ? "-" : b.option});
    }
    return out;
}

// How the pages of instructions and calls end. none: what stands there without rules; before: what, with some.
template <class Wanted>
std::string ReportsAndSources(const std::vector<std::string>& sources, const char* none, const char* before,
                              const Wanted& wanted) {
    std::string rules, out = "\n## Reports it can raise\n\n";
    for (const RuleInfo& rule : kRules) {
        if (wanted(rule)) rules += RuleLine(rule);
    }
    out += rules.empty() ? none : before + Head({"rule", "severity", "when"}) + rules;
    out += "\n## Source\n\n";
    for (const std::string& source : sources) out += "- " + source + "\n";
    return out;
}

std::string InstructionPage(const Instruction& instruction, isa::Opcode opcode, const Behaviours& all) {
    const isa::InstructionInfo& info = isa::Info(opcode);
    std::string out = fmt::format("{}# {}\n\n## Summary\n\n{}\n\n## Execution unit\n\n{}\n\n## Syntax\n\n", kGenerated,
                                  instruction.title, instruction.summary,
                                  info.pipe == isa::Pipe::kByOperands ? instruction.unit : isa::Name(info.pipe));
    out += instruction.ascendc.empty() ? "Ascend C has no such call.\n"
                                       : fmt::format("Ascend C:\n\n```cpp\n{}\n```\n", Join(instruction.ascendc, "\n"));
    for (const soc::Call& call : all.calls) {
        if (!HasName(call, instruction.name)) continue;
        out += fmt::format("\nA high-level call has this name, too: [{}](../calls/{}.md).\n", call.name, call.name);
    }
    const std::vector<std::string> tik = TikSyntax(instruction, opcode);
    out += tik.empty() ? "\nTIK has no such call.\n" : fmt::format("\nTIK:\n\n```python\n{}\n```\n", Join(tik, "\n"));
    out += LegalTables(opcode);
    out += BehaviourTable(all, [&](const Behaviour& b) { return StandsOn(b, instruction); });

    std::string mistakes;
    for (const Mistake& m : all.mistakes) {
        if (Shares(m.groups, instruction.groups)) mistakes += Line({m.page, m.printed, m.right});
    }
    if (!mistakes.empty()) {
        out +=
            "\n## Mistakes in the pages, and the reading that wins\n\n" + Head({"page", "printed", "right"}) + mistakes;
    }

    return out + ReportsAndSources(instruction.sources, "None of its own.\n", "",
                                   [&](const RuleInfo& rule) { return StandsOn(rule, instruction); });
}

std::string CallPage(const soc::Call& call, const Behaviours& all) {
    std::string out = fmt::format("{}# {}\n\n## Summary\n\n{}\n\n## Syntax\n\n```cpp\n{}\n```\n\n## Types\n\n{}\n",
                                  kGenerated, call.name, call.summary, Join(call.ascendc, "\n"), call.types);
    for (const Instruction& instruction : all.instructions) {
        if (!HasName(call, instruction.name)) continue;
        out += fmt::format("\nAn instruction has this name, too: [{}](../instructions/{}.md).\n", instruction.title,
                           instruction.name);
    }
    if (!call.policy.empty()) out += fmt::format("\n## How it rounds\n\nEach step rounds {}.\n", call.policy);
    if (!call.steps.empty()) out += "\n## Steps\n\n";
    for (const std::string& step : call.steps) out += "1. " + step + "\n";
    out += BehaviourTable(all, [&](const Behaviour& b) { return soc::StandsOn(b, call); });
    return out + ReportsAndSources(call.sources, "Those of its steps.\n", "Besides those of its steps:\n\n",
                                   [&](const RuleInfo& rule) { return SharesGroup(rule, call.groups); });
}

std::string Bytes(uint64_t bytes) { return bytes == 0 ? "-" : fmt::format("{} KiB", bytes / 1024); }

// The value of a fact as a cell.
std::string Cell(const ChipFact& fact) {
    if (!fact.applies) return "-";
    if (const bool* flag = std::get_if<bool>(&fact.value)) return *flag ? "yes" : "no";
    if (const uint64_t* number = std::get_if<uint64_t>(&fact.value)) return std::to_string(*number);
    if (const std::string* text = std::get_if<std::string>(&fact.value)) {
        return text->starts_with("__") ? fmt::format("`{}`", *text) : *text;
    }
    const auto& list = std::get<std::vector<std::string>>(fact.value);
    return list.empty() ? "none" : Join(list, ", ");
}

// A line per value, a column per family.
template <typename Value>
std::string ByFamily(const std::string& title, Value value) {
    std::vector<std::string> cells = {title};
    for (const Chip& chip : soc::Families()) cells.push_back(value(chip));
    return Line(cells);
}

std::string FamilyHead(const std::string& title) {
    std::vector<std::string> titles = {title};
    for (const Chip& chip : soc::Families()) titles.push_back(chip.name);
    return Head(titles);
}

std::string ChipsPage() {
    std::string out = fmt::format(
        "{}# Chips\n\nEverything here is read from `chips/*.toml`. A family's name stands for its first-named default "
        "product; "
        "names are taken in any case.\n\n## Families and products\n\n",
        kGenerated);
    out += Head({"family", "known as", "architecture", "front ends", "products (cube cores / vector cores)"});
    for (const Chip& chip : soc::Families()) {
        std::vector<std::string> products;
        for (const soc::Product& p : chip.products) {
            products.push_back(fmt::format("{}{} ({}/{})", p.name, p.name == chip.default_product ? " (default)" : "",
                                           p.cube_cores, p.vector_cores));
        }
        const char* front_ends = !chip.ascendc ? "TIK only" : chip.tik ? "Ascend C, TIK" : "Ascend C";
        out += Line({chip.name, chip.title, chip.arch, front_ends, Join(products, ", ")});
    }
    for (const Chip& chip : soc::Families()) {
        if (!chip.note.empty()) out += fmt::format("\n{}: {}\n", chip.name, chip.note);
    }
    out +=
        "\n## Boards\n\nWhat is sold with these, and what its page says. A launch on a board is a launch on its "
        "product: `--chip`, "
        "`PlatformAscendC` and `aclrtGetSocName` take and tell the product.\n\n";
    out += Head({"board", "product", "what it has", "tag", "source"});
    for (const Chip& chip : soc::Families()) {
        for (const soc::Board& board : chip.boards) {
            out += Line({board.name,
                         board.product.empty() ? chip.name : fmt::format("{} ({})", board.product, board.product_tag),
                         Join(board.has, "; "), board.claim.tag, board.claim.source});
        }
    }
    out += "\n## Memories\n\n" + FamilyHead("memory");
    for (int m = static_cast<int>(Memory::kUb); m <= static_cast<int>(Memory::kFb); ++m) {
        const Memory memory = static_cast<Memory>(m);
        out += ByFamily(isa::Name(memory), [&](const Chip& chip) { return Bytes(chip.Bytes(memory)); });
    }
    out += "\n## Positions\n\nThe memory behind each TPosition.\n\n" + FamilyHead("position");
    for (size_t p = 0; p < soc::Families().front().position.size(); ++p) {
        out += ByFamily(std::string(soc::PositionName(p)), [&](const Chip& chip) {
            return std::string(chip.position[p] == Memory::kNone ? "-" : isa::Name(chip.position[p]));
        });
    }
    out +=
        "\n## Facts\n\nBy their keys in `chips/*.toml`. `-`: it means nothing there. Legal types, conversions and "
        "paths "
        "are on the pages of the [instructions](instructions/README.md); `sfumato chips --json` has all of it.\n\n";
    std::vector<std::string> titles = {"key", "what it says"};
    for (const Chip& chip : soc::Families()) titles.push_back(chip.name);
    titles.push_back("source");
    out += Head(titles);
    const std::vector<ChipFact> rows = soc::ScalarFacts(soc::Families().front());
    for (size_t i = 0; i < rows.size(); ++i) {
        std::vector<std::string> cells = {fmt::format("`{}`", rows[i].key), rows[i].words};
        for (const Chip& chip : soc::Families()) cells.push_back(Cell(soc::ScalarFacts(chip)[i]));
        cells.push_back(rows[i].source);
        out += Line(cells);
    }
    return out;
}

std::string ReportsPage(const Behaviours& all) {
    std::string out = fmt::format(
        "{}# Reports\n\nEvery finding has a stable id. A *fault* stops the launch or is collected, and the instruction "
        "writes nothing; a "
        "*warning* is a defined result of a suspicious program (`--strict` makes it a fault); a *note* is "
        "information. *Early*: types and forms of arguments alone decide, and TIK refuses the call while the program "
        "is "
        "built, even when values are computed later. *Whose*: the program's where nothing else is said; `sfumato` is "
        "not there, or untested; `documentation` is silent, or against itself ([contract](contract.md)).\n\n",
        kGenerated);
    out += Head({"rule", "severity", "when", "early", "whose", "source", "instructions"});
    std::vector<RuleInfo> rules(std::begin(kRules), std::end(kRules));
    std::ranges::sort(rules, [](const RuleInfo& a, const RuleInfo& b) { return std::string_view(a.id) < b.id; });
    for (const RuleInfo& rule : rules) {
        std::vector<std::string> names;
        const OwnerInfo* owner = OwnerOf(*FindRule(rule.id));
        for (const Instruction& i : all.instructions) {
            if (StandsOn(rule, i)) names.push_back(Link(i));
        }
        if (rule.finder == Finder::kTik) names.emplace_back("[TIK](tik-reference.md)");
        out += Line({fmt::format("`{}`", rule.id), Name(rule.severity), rule.sentence,
                     rule.known == Known::kTypes ? "yes" : "-", owner ? Name(owner->whose) : "-", rule.source,
                     names.empty() ? "-" : Join(names, " ")});
    }
    return out;
}

std::string SupportPage(const Behaviours& all) {
    std::vector<const Chip*> chips;
    std::vector<std::string> titles = {"Ascend C"};
    for (const Chip& chip : soc::Families()) {
        if (!chip.ascendc) continue;
        chips.push_back(&chip);
        titles.push_back(chip.name);
    }
    std::string out = fmt::format(
        "{}# What is supported\n\nLegal element types of Ascend C by chip family; each name leads to its instruction, "
        "whose page "
        "says what is documented, recorded, decided and assumed. TIK has [a table of its own](tik-reference.md).\n\n",
        kGenerated);
    out += Head(titles);
    std::vector<std::string> cells = {Link(InstructionOf(all, isa::Opcode::vconv))};
    for (const Chip* chip : chips) {
        size_t rows = 0, pairs = 0;
        for (const ConversionRow& row : chip->conversions) {
            rows += row.api == Api::kAscendC;
            pairs += row.api == Api::kAscendC ? row.mode_names.size() : 0;
        }
        cells.push_back(fmt::format("{} conversions, {} with their round modes", rows, pairs));
    }
    out += Line(cells);
    for (int i = 0; i < isa::kOpcodeCount; ++i) {
        const auto op = static_cast<isa::Opcode>(i);
        if (!isa::Converts(isa::Info(op).form) || op == isa::Opcode::vconv || !*isa::Info(op).ascendc) continue;
        cells = {Link(InstructionOf(all, op))};
        for (const Chip* chip : chips) {
            std::vector<std::string> list;
            for (const ConversionRow& row : chip->Own(Api::kAscendC, op))
                list.push_back(fmt::format("{} to {}", CName(row.src), CName(row.dst)));
            cells.push_back(list.empty() ? "-" : Join(list, ", "));
        }
        out += Line(cells);
    }

    cells = {Link(InstructionOf(all, isa::Opcode::mmad))};
    for (const Chip* chip : chips) {
        std::vector<std::string> list;
        for (const soc::MatmulRow& row : chip->mmad) {
            if (row.api != Api::kAscendC) continue;
            list.push_back(fmt::format("{} x {} to {}", CName(row.a), CName(row.b), CName(row.c)));
        }
        cells.push_back(list.empty() ? "-" : Join(list, ", "));
    }
    out += Line(cells);

    // Instructions with the same types share a line, in the table's order.
    std::vector<std::pair<std::vector<std::string>, std::vector<std::string>>> lines;  // types by chip, instructions
    for (int op = 0; op < isa::kOpcodeCount; ++op) {
        std::vector<std::string> types;
        uint16_t any = 0;
        for (const Chip* chip : chips) {
            const uint16_t mask = chip->types[static_cast<size_t>(Api::kAscendC)][static_cast<size_t>(op)];
            any = static_cast<uint16_t>(any | mask);
            types.push_back(mask == 0 ? "-" : soc::TypeList(mask, Api::kAscendC));
        }
        if (any == 0) continue;
        auto line = std::ranges::find_if(lines, [&](const auto& l) { return l.first == types; });
        if (line == lines.end()) line = lines.insert(lines.end(), {types, {}});
        line->second.push_back(Link(InstructionOf(all, static_cast<isa::Opcode>(op))));
    }
    for (const auto& [types, instructions] : lines) {
        cells = {Join(instructions, ", ")};
        cells.insert(cells.end(), types.begin(), types.end());
        out += Line(cells);
    }
    return out;
}

}  // namespace

std::map<std::string, std::string> BuiltPages() {
    const Behaviours all = ReadBehaviours();
    std::map<std::string, std::string> pages;
    for (int i = 0; i < isa::kOpcodeCount; ++i) {
        const isa::Opcode op = static_cast<isa::Opcode>(i);
        const Instruction& instruction = InstructionOf(all, op);
        pages["instructions/" + instruction.name + ".md"] = InstructionPage(instruction, op, all);
    }
    for (const soc::Call& call : all.calls) pages["calls/" + call.name + ".md"] = CallPage(call, all);
    pages.merge(Indexes(pages, all, Where::kBuilt));
    return pages;
}

std::map<std::string, std::string> Pages() {
    const Behaviours all = ReadBehaviours();
    std::map<std::string, std::string> pages = Indexes(BuiltPages(), all, Where::kTracked);
    pages["support.md"] = SupportPage(all);
    pages["chips.md"] = ChipsPage();
    pages["timing-constants.md"] = TimingConstantsPage();
    pages["overflow.md"] = OverflowPage();
    pages["reports.md"] = ReportsPage(all);
    pages["tik-reference.md"] = TikReference(all);
    return pages;
}

std::string ReadmeSummary() {
    size_t ascendc = 0, families = 0, products = 0;
    for (const Chip& chip : soc::Families()) {
        ++families;
        products += chip.products.size();
    }
    for (const isa::InstructionInfo& info : isa::kInstructions)
        ascendc += *info.ascendc && !(info.traits & isa::kHighLevel);
    return fmt::format(
        "{} instructions of Ascend C and {} calls of TIK, on {} chip families with {} products:\n"
        "[their types by chip](docs/support.md), [a page for each](docs/instructions/README.md), "
        "[the calls of TIK](docs/tik-reference.md), [the chips](docs/chips.md).\n",
        ascendc, TikCalls().size(), families, products);
}

}  // namespace sfumato::tablegen
