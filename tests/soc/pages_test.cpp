// SPDX-License-Identifier: Apache-2.0
// docs/ is what the data says: a page that differs was edited by hand, or the data changed without the target
// docs-pages.
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <iterator>
#include <regex>
#include <set>

#include "behaviours.h"
#include "tablegen.h"
#include "tik_calls.h"

namespace sfumato::tablegen {
namespace {

namespace fs = std::filesystem;

std::string Read(const fs::path& path) {
    std::ifstream file(path, std::ios::binary);
    return std::string(std::istreambuf_iterator<char>(file), {});
}

const fs::path kSource = SFUMATO_SOURCE_DIR;

TEST(Pages, AreWhatTheDataSays) {
    for (const auto& [name, text] : Pages()) {
        EXPECT_TRUE(Read(kSource / "docs" / name) == text)
            << "docs/" << name << " is out of date; build the target docs-pages";
    }
}

TEST(Pages, NoneIsLeftOver) {
    const auto pages = Pages();
    for (const auto& entry : fs::directory_iterator(kSource / "docs/instructions")) {
        const std::string name = "instructions/" + entry.path().filename().string();
        EXPECT_TRUE(pages.contains(name)) << "docs/" << name << " is generated from nothing";
    }
}

TEST(Pages, TheReadmeHoldsTheTable) {
    const std::string readme = Read(kSource / "README.md");
    if (readme.empty()) GTEST_SKIP() << "no README.md";
    EXPECT_NE(readme.find(ReadmeTable()), std::string::npos)
        << "README.md does not hold this table (sfumato-tablegen readme-table):\n"
        << ReadmeTable();
}

// A group that no instruction has would put its behaviours, mistakes or rules on no page.
TEST(Pages, EveryGroupBelongsToAnInstruction) {
    const Behaviours all = ReadBehaviours();
    std::set<std::string> known;
    known.insert(kTikGroup);
    for (const Instruction& i : all.instructions) known.insert(i.groups.begin(), i.groups.end());
    const auto check = [&](const std::vector<std::string>& groups, const std::string& what) {
        for (const std::string& group : groups) EXPECT_TRUE(known.contains(group)) << group << ": " << what;
    };
    for (const Behaviour& b : all.behaviours) check(b.groups, b.text);
    for (const Mistake& m : all.mistakes) check(m.groups, m.printed);
    for (const Rule& r : all.rules) check(r.groups, r.id);
}

// The table of calls gives their signatures; the data adds only what is no such call.
TEST(Pages, NoSignatureOfACallIsWrittenByHand) {
    const Behaviours all = ReadBehaviours();
    for (const Instruction& i : all.instructions) {
        for (const std::string& line : i.tik) {
            for (const TikCall& call : TikCalls()) {
                const bool own = InstructionOf(all, call.op).name == i.name;
                EXPECT_FALSE(own && line.starts_with(call.name + "("))
                    << i.name << ": " << line << " in chips/behaviours.toml";
            }
        }
    }
}

TEST(Pages, TagsAreThoseOfTheIndex) {
    for (const Behaviour& b : ReadBehaviours().behaviours) {
        EXPECT_TRUE(b.tag == "documented" || b.tag == "decided" || b.tag == "assumed") << b.text;
        EXPECT_FALSE(b.source.empty()) << b.text;
    }
}

// Every `rule = ...` of the sources, both sides of a choice included.
TEST(Pages, EveryReportOfTheSourcesIsListed) {
    const std::string page = Pages().at("reports.md"), tick = "`";
    const std::regex assignment("\\brule = ([^;,]*\"[a-z0-9-]+\")"), id("\"([a-z0-9-]+)\"");
    for (const auto& entry : fs::recursive_directory_iterator(kSource / "src")) {
        if (entry.path().extension() != ".cpp") continue;
        const std::string text = Read(entry.path());
        for (std::sregex_iterator a(text.begin(), text.end(), assignment), end; a != end; ++a) {
            const std::string names = (*a)[1];
            for (std::sregex_iterator i(names.begin(), names.end(), id); i != end; ++i) {
                EXPECT_NE(page.find(tick + (*i)[1].str() + tick), std::string::npos)
                    << entry.path() << ": rule '" << (*i)[1] << "' is missing in chips/reports.toml";
            }
        }
    }
}

}  // namespace
}  // namespace sfumato::tablegen
