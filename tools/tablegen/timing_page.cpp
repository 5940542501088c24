// SPDX-License-Identifier: Apache-2.0
// The page of the figures that estimates of time rest on.
#include <fmt/format.h>

#include "markdown.h"
#include "soc/chip.h"
#include "soc/timing.h"
#include "tablegen.h"

namespace sfumato::tablegen {

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
