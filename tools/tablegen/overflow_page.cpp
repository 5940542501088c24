// SPDX-License-Identifier: Apache-2.0
// The page of the overflow policy: the default of each route.
#include <fmt/format.h>

#include "markdown.h"
#include "sfumato/route.h"
#include "soc/chip.h"
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
        "(*decided*).\n\n";
    out += Head({"route", "default", "why", "to ask for the other"});
    for (const RouteInfo& route : kRoutes) out += Line({route.words, word(route.overflow), route.why, route.option});
    out +=
        "\nAn option wins over the default, aclrtSetDeviceSatMode over it in host programs, SFUMATO_OPTIONS over both, "
        "and "
        "SetSaturationFlag or SetCtrlSpr in a kernel over all, from there on. aclrtGetDeviceSatMode says what launches "
        "follow: INFNAN on Ascend910B before anyone sets it. Verdicts and rows of a sweep print the command that "
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

}  // namespace sfumato::tablegen
