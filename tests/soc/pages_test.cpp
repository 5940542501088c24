// SPDX-License-Identifier: Apache-2.0
// docs/ and the pages that the build wrote are what the data says: a page that differs was edited by hand, or the data
// changed without the target docs-pages.
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <functional>
#include <iterator>
#include <numeric>
#include <set>
#include <sstream>

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
    const auto compare = [](const fs::path& folder, const std::map<std::string, std::string>& pages,
                            const char* target) {
        for (const auto& [name, text] : pages) {
            EXPECT_TRUE(Read(folder / name) == text) << folder / name << " is out of date; build the target " << target;
        }
        EXPECT_EQ(LeftOverPages(folder, pages), std::vector<std::string>()) << "build the target " << target;
    };
    compare(kSource / "docs", Pages(), "docs-pages");
    compare(SFUMATO_PAGES_DIR, BuiltPages(), "sfumato_pages");
}

// The pages are in no diff, but their indexes are.
TEST(Pages, AChangedClaimChangesItsDigestAlone) {
    const Behaviours all = ReadBehaviours();
    const auto words = [&](const std::map<std::string, std::string>& built) {
        std::istringstream text(Indexes(built, all, Where::kTracked).at("instructions/README.md"));
        return std::vector<std::string>(std::istream_iterator<std::string>(text), {});
    };
    const std::map<std::string, std::string> built = BuiltPages();
    for (const char* place : {" | documented | ", " | decided | ", "## Syntax"}) {
        std::map<std::string, std::string> changed = built;
        std::string& page = changed.at("instructions/Add.md");
        page.insert(page.find(place), "x");
        const std::vector<std::string> before = words(built), after = words(changed);
        ASSERT_EQ(before.size(), after.size());
        EXPECT_EQ(
            std::inner_product(before.begin(), before.end(), after.begin(), 0, std::plus<>(), std::not_equal_to<>()), 1)
            << place;
    }
}

TEST(Pages, TheReadmeHoldsTheSummary) {
    const std::string readme = Read(kSource / "README.md");
    if (readme.empty()) GTEST_SKIP() << "no README.md";
    EXPECT_EQ(WithSummary(readme), readme) << "build the target docs-pages";
    EXPECT_THROW(WithSummary("no marks"), std::runtime_error);
}

// The target docs-pages: writes, deletes what it wrote before and makes no more, and leaves other pages alone.
TEST(Pages, AreWrittenAndDeleted) {
    const fs::path root = fs::path(testing::TempDir()) / "sfumato_pages", docs = root / "docs";
    fs::remove_all(root);
    fs::create_directories(docs / "instructions");
    const std::string gone = std::string("Gone") + ".md", hand = std::string("by-hand") + ".md";
    const auto write = [](const fs::path& path, const std::string& text) { std::ofstream(path) << text; };
    write(root / "README.md", "a\n<!-- supported: begin -->\nold\n<!-- supported: end -->\nb\n");
    write(docs / "instructions" / gone, std::string(kGeneratedMark) + " -->\n# Gone\n");
    write(docs / hand, "# By hand\n");
    write(docs / "chips.md", "edited");
    WriteDocs(docs);
    EXPECT_FALSE(fs::exists(docs / "instructions" / gone));
    EXPECT_EQ(Read(docs / hand), "# By hand\n");
    for (const auto& [name, text] : Pages()) EXPECT_EQ(Read(docs / name), text) << name;
    EXPECT_EQ(Read(root / "README.md"),
              "a\n<!-- supported: begin -->\n" + ReadmeSummary() + "<!-- supported: end -->\nb\n");
    fs::remove_all(root);
}

// Two texts of one topic would say two things about it: the general one leaves out (`unless`) what has one of its own.
TEST(Pages, HaveOneTextOfATopic) {
    const Behaviours all = ReadBehaviours();
    std::set<std::string> topics;
    for (const Instruction& i : all.instructions) {
        std::set<std::string> here;
        for (const Behaviour& b : all.behaviours) {
            if (b.topic.empty() || !StandsOn(b, i)) continue;
            EXPECT_TRUE(here.insert(b.topic).second) << i.name << " has two texts of '" << b.topic << "': " << b.text;
            topics.insert(b.topic);
        }
    }
    EXPECT_GE(topics.size(), 3u);
    // A topic of one text alone excludes nothing; an `unless` without it would leave a page without an answer.
    for (const Behaviour& b : all.behaviours) {
        if (b.unless.empty()) continue;
        for (const Instruction& i : all.instructions) {
            Behaviour general = b;
            general.unless.clear();
            if (!StandsOn(general, i) || StandsOn(b, i)) continue;
            const bool answered =
                std::any_of(all.behaviours.begin(), all.behaviours.end(),
                            [&](const Behaviour& other) { return other.topic == b.topic && StandsOn(other, i); });
            EXPECT_TRUE(answered) << i.name << " says nothing of '" << b.topic << "'";
        }
    }
}

// A group that no instruction and no call has would put its behaviours, mistakes or rules on no page.
TEST(Pages, EveryGroupBelongsToAnInstructionOrCall) {
    const Behaviours all = ReadBehaviours();
    std::set<std::string> known;
    known.insert(kTikGroup);
    for (const Instruction& i : all.instructions) known.insert(i.groups.begin(), i.groups.end());
    for (const soc::Call& c : all.calls) known.insert(c.groups.begin(), c.groups.end());
    const auto check = [&](const std::vector<std::string>& groups, const std::string& what) {
        for (const std::string& group : groups) EXPECT_TRUE(known.contains(group)) << group << ": " << what;
    };
    for (const Behaviour& b : all.behaviours) check(b.groups, b.text);
    for (const Mistake& m : all.mistakes) check(m.groups, m.printed);
    for (const RuleInfo& rule : kRules) {
        std::istringstream groups(rule.groups);
        check(std::vector<std::string>(std::istream_iterator<std::string>(groups), {}), rule.id);
    }
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

}  // namespace
}  // namespace sfumato::tablegen
