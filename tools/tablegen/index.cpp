// SPDX-License-Identifier: Apache-2.0
// The indexes of the pages that builds write, with what stands in git of these: a digest of every claim.
#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <sstream>

#include "behaviours.h"
#include "tablegen.h"
#include "tik_calls.h"

namespace sfumato::tablegen {
namespace {

using Texts = std::map<std::string, std::string>;

// FNV-1a, of which 24 bits tell two texts of one claim apart.
std::string Digest(std::string_view text) {
    uint64_t hash = 0xCBF29CE484222325u;
    for (const unsigned char c : text) hash = (hash ^ c) * 0x100000001B3u;
    return fmt::format("{:06x}", (hash ^ (hash >> 32)) & 0xFFFFFF);
}

// How many claims of each tag a page makes; in a comment behind that the digest of each, and of all else on the page.
std::string Claims(const std::string& page, Where where) {
    std::map<std::string_view, std::vector<std::string>> digests;
    std::string rest;
    std::istringstream lines(page);
    for (std::string line; std::getline(lines, line);) {
        const auto* tag = std::ranges::find_if(soc::kClaimTags, [&](const soc::Tag& t) {
            return line.find(fmt::format(" | {} | ", t.word)) != std::string::npos;
        });
        if (tag != std::end(soc::kClaimTags)) {
            digests[tag->word].push_back(Digest(line));
        } else if (!line.starts_with(kGeneratedMark)) {
            rest += line + "\n";
        }
    }
    std::vector<std::string> counts;
    std::string comment;
    for (const soc::Tag& tag : soc::kClaimTags) {
        if (digests[tag.word].empty()) continue;
        counts.push_back(fmt::format("{} {}", digests[tag.word].size(), tag.word));
        comment += fmt::format("{}: {}; ", tag.word, Join(digests[tag.word], " "));
    }
    const std::string cell = counts.empty() ? "-" : Join(counts, ", ");
    return where == Where::kBuilt ? cell : fmt::format("{} <!-- {}rest: {} -->", cell, comment, Digest(rest));
}

// A row: the name, a link where the page lies beside the index, further cells, the claims of the page.
std::string Row(const std::string& folder, const std::string& name, const std::string& title,
                std::vector<std::string> cells, const Texts& built, Where where) {
    const std::string shown = where == Where::kBuilt ? fmt::format("[{}]({}.md)", title, name) : title;
    cells.insert(cells.begin(), fmt::format("<a id=\"{}\"></a>{}", Anchor(name), shown));
    cells.push_back(Claims(built.at(fmt::format("{}/{}.md", folder, name)), where));
    return Line(cells);
}

// How an index begins.
std::string Begin(const std::string& title, const std::string& words, Where where) {
    if (where == Where::kBuilt) return fmt::format("{}# {}\n\n{}\n\n", kGenerated, title, words);
    return fmt::format(
        "{}# {}\n\n{}\n\nEach has a page, which builds make of `chips/*.toml`: `make docs` shows them as a site, the "
        "target `sfumato_pages` writes them into `docs/` of the build folder, and an installation has them in "
        "`share/doc/sfumato`. In the source of this page a digest of every claim stands behind their numbers, so that "
        "a changed claim shows in review.\n\n",
        kGenerated, title, words);
}

std::vector<std::string> TikNames(isa::Opcode op) {
    std::vector<std::string> names;
    for (const TikCall& call : TikCalls()) {
        if (call.op == op) names.push_back(fmt::format("`{}`", call.name));
    }
    const std::string other = isa::Info(op).tik;
    if (names.empty() && !other.empty()) names.push_back(fmt::format("`{}`", other));
    return names;
}

}  // namespace

Texts Indexes(const Texts& built, const Behaviours& all, Where where) {
    std::string instructions = Begin(
        "Instructions",
        "What each instruction accepts and does, and where that is known from. Tags: " + TagsInWords() + ".", where);
    instructions += Head({"Ascend C", "TIK", "what it does", "claims"});
    for (int i = 0; i < isa::kOpcodeCount; ++i) {
        const auto op = static_cast<isa::Opcode>(i);
        const Instruction& instruction = InstructionOf(all, op);
        const std::vector<std::string> tik = TikNames(op);
        instructions += Row("instructions", instruction.name, instruction.title,
                            {tik.empty() ? "-" : Join(tik, " "), instruction.summary}, built, where);
    }
    std::string calls =
        Begin("High-level calls",
              "What the calls above the instructions compute, and from where that is known. Each is made of "
              "[instructions](../instructions/README.md) in a fixed order, so its bits do not depend on buffers or "
              "tiling.",
              where);
    calls += Head({"call", "what it does", "claims"});
    for (const soc::Call& call : all.calls) calls += Row("calls", call.name, call.name, {call.summary}, built, where);
    return {{"instructions/README.md", instructions}, {"calls/README.md", calls}};
}

}  // namespace sfumato::tablegen
