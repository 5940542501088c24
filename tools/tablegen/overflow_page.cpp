// SPDX-License-Identifier: Apache-2.0
// The pages of the overflow policy, with the default of each route, and of the figures that estimates of time rest on.
#include <fmt/format.h>

#include "sfumato/route.h"
#include "soc/chip.h"
#include "soc/timing.h"
#include "tablegen.h"

namespace sfumato::tablegen {

std::string OverflowPage() {
    const auto word = [](Overflow policy) {
        return policy == Overflow::kBoard ? "`board`" : policy == Overflow::kInfNan ? "`infnan`" : "`saturate`";
    };
    std::string out = fmt::format(
        "{} from include/sfumato/routes.inc and chips/*.toml. Change the data and build the target docs-pages. -->\n"
        "# Overflow: results beyond their range\n\n"
        "A policy decides what half, bfloat16_t, int16_t and int32_t results do that their type does not hold. It is "
        "bit "
        "48 of the control register.\n\n",
        kGeneratedMark);
    out += Head({"policy", "half, bfloat16_t", "int16_t, int32_t of Add, Sub, Mul and their kin"});
    out += Line({"`saturate`", "an infinity becomes the largest finite value of its sign, NaN becomes +0",
                 "clamped to the nearest end of the range"});
    out += Line({"`infnan`", "IEEE 754: inf and NaN", "the low bits: they wrap"});
    out += Line({"`board`", "as the runtime of a board sets it, by chip", "likewise"});
    out +=
        "\nFloat results are IEEE always. Conversions to integers clamp under every policy, and so do int32_t results "
        "of "
        "Mmad and Fixpipe.\n\n## By chip\n\n";
    out += Head({"chip", "the runtime of a board sets", "others"});
    for (const soc::Chip& chip : soc::Families()) {
        out += Line({chip.name, word(chip.board_overflow),
                     chip.supports_infnan ? "`saturate`, by SetSaturationFlag, SetCtrlSpr or the runtime" : "none"});
    }
    out +=
        "\n## The default, by route\n\nTwo documents speak: the pages of the instructions name the register's reset "
        "value, which saturates; the page of the runtime says that it sets inf and NaN on A2 and A3. So what goes "
        "through "
        "the runtime follows the board, and what runs a kernel alone follows the pages of its language "
        "(*decided*). On Ascend950 every "
        "route follows the board.\n\n";
    out += Head({"route", "default", "why", "to ask for the other"});
    for (const RouteInfo& route : kRoutes) out += Line({route.words, word(route.overflow), route.why, route.option});
    out +=
        "\nAn option wins over the default, aclrtSetDeviceSatMode over it in host programs, SFUMATO_OPTIONS over both, "
        "and "
        "SetSaturationFlag or SetCtrlSpr in a kernel over all, from there on. aclrtGetDeviceSatMode says what launches "
        "follow: INFNAN on Ascend910B and Ascend950 before anyone sets it. Verdicts and rows of a sweep print the "
        "command that "
        "repeats "
        "a run, its policy among the options.\n\n"
        "## The warning\n\nWhere `saturate` is in force because nobody asked, and limits a value that a board would "
        "not, "
        "the warning [`saturated`](reports.md) says so once a line of the program, with what a board gives: inf, -inf, "
        "nan, or the integer that wrapped. It never comes after an option, aclrtSetDeviceSatMode, SetSaturationFlag or "
        "SetCtrlSpr, and never of results made of elements that nobody wrote. With the check "
        "[`numbers`](checks/numbers.md) its findings stand in the place of it.\n";
    return out;
}

std::string TimingConstantsPage() {
    std::string out = fmt::format(
        "{} from chips/*.toml. Change the data and build the target docs-pages. -->\n"
        "# Figures of the model of time\n\n"
        "Every figure that [estimates of time](timing.md) rest on, as the chip's file states it. *published*: a source "
        "states "
        "it; *fitted*: computed from published measurements, as the last column says; *assumed*: no figure was found. "
        "The "
        "sources S1 to S36 are listed in [spec/timing.md](spec/timing.md#1-sources).\n",
        kGeneratedMark);
    for (const soc::Chip& chip : soc::Families()) {
        if (!chip.timing) continue;
        out += fmt::format("\n## {}\n\n### Products\n\n", chip.name) +
               Head({"product", "MHz", "L2 MiB", "global memory TB/s", "tag", "tag of global memory", "source"});
        for (const soc::TimingProduct& p : chip.timing->products)
            out += Line({p.name, fmt::to_string(p.megahertz), fmt::to_string(p.l2_mib), fmt::to_string(p.gm_tbs), p.tag,
                         p.gm_tag, p.source});
        out += "\n### Constants\n\n" + Head({"name", "value", "unit", "tag", "source", "from"});
        for (const soc::TimingFigure& f : chip.timing->figures)
            out += Line({"`" + f.name + "`", fmt::to_string(f.value), f.unit, f.tag, f.source, f.from});
        out += "\n### Rates of vector instructions\n\nElements a cycle of full repeats, by the widest type.\n\n" +
               Head({"calls", "elements a cycle", "tag", "source"});
        for (const soc::TimingFigure& f : chip.timing->rate_rows)
            out += Line({f.name, fmt::format("{:.4g}", f.value), f.tag, f.source});
    }
    return out;
}

}  // namespace sfumato::tablegen
