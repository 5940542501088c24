// SPDX-License-Identifier: Apache-2.0
// docs/calls-by-chip.md: every high-level call, with each type, on the chips with one core of both kinds. What a cell
// says is what the tests of the rows of oracle/calls.inc compare; SFUMATO_REWRITE=1 in the environment writes the page.
#include <fmt/format.h>

#include <map>
#include <regex>
#include <set>

#include "frontends/adv/calls.h"
#include "soc/behaviours.h"
#include "support/golden.h"

namespace sfumato::adv_test {
namespace {

// What a chip does with a call of a type; nothing: no test runs it.
struct Cell {
    bool runs = false;
    std::set<std::string> refuses;
};
using Cells = std::map<std::string, std::map<std::string, Cell>>;  // by call and type

template <class List>
void Add(Cells* cells, const char* chip, const char* call, Chips chips) {
    for (const On& on : chips) {
        if (std::string_view(on.chip) != chip) continue;
        List::Each([&](auto zero) {
            Cell& cell = (*cells)[call][CName(kTypeOf<decltype(zero)>)];
            cell.runs |= *on.refuses == 0 || on.some;
            if (*on.refuses) cell.refuses.insert(on.refuses);
        });
    }
}

Cells CellsOn(const char* chip) {
    Cells cells;
#define SFUMATO_ELEMENTWISE(call, form, types, chips, format, edges, x, y, oracle) \
    Add<types>(&cells, chip, #call, chips);
#define SFUMATO_CALL(group, call, types, chips, oracle) Add<types>(&cells, chip, #call, chips);
#include "oracle/calls.inc"
    // Of tests beside this: whole_sort_test.cpp and select_test.cpp.
    for (const char* call : {"Sort", "Concat", "Extract"}) Add<HalfFloat>(&cells, chip, call, Every);
    Add<Types<half, int32_t>>(&cells, chip, "ArithProgression", Every);
    return cells;
}

enum State { kRight, kNoted, kRefused, kOpen };
constexpr const char* kStates[] = {"right", "noted", "refused", "open"};

State StateOf(const Cell& cell, bool listed) {
    if (cell.runs) return listed ? kRight : kNoted;
    return cell.refuses.empty() ? kOpen : kRefused;
}

// Of calls that have the name of an instruction: the form that the rows are about.
std::string Form(const std::string& call) {
    static const std::map<std::string, const char*> forms = {{"Exp", " with taylorExpandLevel"},
                                                             {"ReduceMax", " with a pattern"},
                                                             {"ReduceMin", " with a pattern"},
                                                             {"ReduceSum", " with a pattern"}};
    const auto form = forms.find(call);
    return form == forms.end() ? call : call + form->second;
}

std::string Words(const std::string& call, const Cell& cell, State state) {
    std::string words = kStates[state];
    for (const std::string& what : cell.refuses) {
        if (what == call) continue;  // the report names the call itself
        const std::string list = std::regex_replace(what, std::regex(" "), ", ");
        words += fmt::format("{}{}", state == kRefused ? ": " : "; some refused: ", list);
    }
    return words;
}

constexpr const char* kHead = R"(<!-- Written by tests/frontends/adv/cells_test.cpp from tests/oracle/calls.inc and chips/*.toml. -->
# High-level calls by chip

Each high-level call, with each type of its page, on the chips whose one core has both units. `right`: pages list the
call for the chip, and a test compares what it gives there with its reference. `noted`: no page lists it, the chip has
its instructions: it runs, is compared, too, and has the note `unlisted-on-chip`. `refused`: what a report names, an
instruction or a form that the chip lacks; where it names none, the chip lacks the call, in the form of the row. `open`:
nothing of these yet. Ascend910B, where all of them are compared, is the page of [the calls](calls/README.md).

)";

TEST(Cells, OfEveryCallAndType) {
    constexpr const char* kBoards[] = {kChips[1], kChips[2]};
    Cells cells[2];
    std::map<std::string, std::set<std::string>> types;
    for (int i = 0; i < 2; ++i) cells[i] = CellsOn(kBoards[i]);
    for (const Cells& some : {cells[0], cells[1], CellsOn(kChips[0])}) {
        for (const auto& [call, row] : some) {
            for (const auto& [type, cell] : row) types[call].insert(type);
        }
    }
    std::string lines;
    int count[2][4] = {};
    for (const auto& [call, of_call] : types) {
        for (const std::string& type : of_call) {
            lines += fmt::format("| {} | {} |", Form(call), type);
            for (int i = 0; i < 2; ++i) {
                const Cell& cell = cells[i][call][type];
                const bool listed = soc::FindChip(kBoards[i]).high_level.Lists(call);
                const State state = StateOf(cell, listed);
                EXPECT_FALSE(listed && state == kOpen) << call << " of " << type << " on " << kBoards[i];
                ++count[i][state];
                lines += fmt::format(" {} |", Words(call, cell, state));
            }
            lines += "\n";
        }
    }
    std::string page = std::string(kHead) + "| cells | Ascend310P | Ascend310B |\n|---|---|---|\n";
    for (int state = kRight; state <= kOpen; ++state)
        page += fmt::format("| {} | {} | {} |\n", kStates[state], count[0][state], count[1][state]);
    page += "\n| call | type | Ascend310P | Ascend310B |\n|---|---|---|---|\n" + lines;
    for (const auto& row : count)
        EXPECT_LE(20 * row[kOpen], row[kRight] + row[kNoted] + row[kRefused] + row[kOpen]) << "5 percent may be open";
    ExpectFile(SFUMATO_DOCS "/calls-by-chip.md", page);
}

}  // namespace
}  // namespace sfumato::adv_test
