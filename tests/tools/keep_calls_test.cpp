// SPDX-License-Identifier: Apache-2.0
// When an object is compiled a second time for its calls, how, and what is noted in it.
#include "jit/keep_calls.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

#include "jit/add_section.h"
#include "jit/scratch_folder.h"
#include "jit/source_file.h"
#include "runtime/code/call_notes.h"
#include "runtime/code/code_graph.h"
#include "sfumato/report.h"

namespace sfumato::jit {
namespace {

using Words = std::vector<std::string>;

TEST(KeepCalls, TheLastOptionSaysWhatIsOptimised) {
    EXPECT_TRUE(IsUnoptimised({"g++", "-g", "-c", "k.cpp"}));
    EXPECT_TRUE(IsUnoptimised({"g++", "-O2", "-O0"}));
    EXPECT_TRUE(IsUnoptimised({"g++", "-Og"}));
    EXPECT_FALSE(IsUnoptimised({"g++", "-O0", "-O"}));
    EXPECT_FALSE(IsUnoptimised({"g++", "-Os"}));
}

TEST(KeepCalls, TheSecondCommandWritesOneObjectAlone) {
    EXPECT_EQ(
        CompiledAgain({"g++", "-O0", "-g", "-MD", "-MT", "k.o", "-MF", "k.d", "--coverage", "-o", "k.o", "-c", "k.cpp"},
                      "twin.o", {"-O3"}),
        (Words{"g++", "-O0", "-g", "-c", "k.cpp", "-O3", "-g0", "-w", "-o", "twin.o"}));
}

class KeepCallsOf : public testing::Test {
protected:
    // What g++ makes of a text; its path.
    std::string Compiled(size_t number, const std::string& text) const {
        const std::string source = folder_.File(number, ".cpp"), object = folder_.File(number, ".o");
        std::ofstream(source) << "void vadd(), mmad();\n" << text;
        const ProcessResult done =
            RunProcess({SFUMATO_CXX, "-O0", "-fPIC", "-ffunction-sections", "-c", source, "-o", object}, "");
        EXPECT_EQ(done.exit_code, 0) << done.output;
        return object;
    }
    static std::set<std::string> Noted(const std::string& object, bool unoptimised) {
        const auto note = runtime::CallNotes::In(object).Of("_Z1kv");
        EXPECT_EQ(note && note->unoptimised, unoptimised);
        return note ? note->reached : std::set<std::string>{"no note"};
    }

    const ScratchFolder folder_;
};

constexpr const char* kBoth = "void k() { vadd(), mmad(); }\n";

TEST_F(KeepCallsOf, AVectorKernelIsNotCompiledAgain) {
    const std::string object = Compiled(0, "void k() { vadd(); }\n");
    const auto again = [](const std::string&) -> ProcessResult {
        ADD_FAILURE();
        return {};
    };
    EXPECT_EQ(KeepCalls(object, "k.cpp", true, again), "");
    EXPECT_EQ(Noted(object, false), std::set<std::string>{"_Z4vaddv"});
    const std::string optimised = Compiled(1, kBoth);
    EXPECT_EQ(KeepCalls(optimised, "k.cpp", false, again), "");
    EXPECT_EQ(Noted(optimised, false), (std::set<std::string>{"_Z4mmadv", "_Z4vaddv"}));
    const std::string foreign = Compiled(2, "void k() {}\n");
    EXPECT_EQ(KeepCalls(foreign, "k.cpp", true, again), "");
    EXPECT_FALSE(runtime::CodeGraph::ContentOf(foreign, runtime::kCallsSection).has_value());
}

TEST_F(KeepCallsOf, TheTwinTellsWhatAnUnoptimisedOneCalls) {
    const std::string object = Compiled(0, kBoth), twin = Compiled(1, "void k() { vadd(); }\n");
    const auto again = [&](const std::string& path) -> ProcessResult {
        std::filesystem::copy_file(twin, path);
        return {};
    };
    EXPECT_EQ(KeepCalls(object, "k.cpp", true, again), "");
    EXPECT_EQ(Noted(object, false), std::set<std::string>{"_Z4vaddv"});
    // It links and runs as before, and says so where it is linked.
    const std::string library = folder_.File(2, ".so");
    const ProcessResult done = RunProcess({SFUMATO_CXX, "-shared", "-s", object, "-o", library}, "");
    EXPECT_EQ(done.exit_code, 0) << done.output;
    EXPECT_EQ(Noted(library, false), std::set<std::string>{"_Z4vaddv"});
}

TEST_F(KeepCallsOf, ATwinThatDoesNotCompileIsTold) {
    const std::string object = Compiled(0, kBoth);
    const auto again = [](const std::string&) -> ProcessResult { return {1, "In k.h:\nk.h:3:2: error: no\nmore\n"}; };
    EXPECT_EQ(
        KeepCalls(object, "k.cpp", true, again),
        "k.cpp: warning: it does not compile with optimisation, which is how the cores of its kernels are derived: "
        "k.h:3:2: error: no\n"
        "k.cpp: note: calls that never run count now: a vector kernel whose code has calls of the cube unit runs as "
        "a mixed one; declare KERNEL_TASK_TYPE_DEFAULT, or make the source compile with optimisation\n");
    EXPECT_EQ(Noted(object, true), (std::set<std::string>{"_Z4mmadv", "_Z4vaddv"}));
}

TEST_F(KeepCallsOf, SectionsAreAddedToElfFilesAlone) {
    const std::string path = folder_.File(0, ".txt");
    std::ofstream(path) << std::string(100, 'x');
    EXPECT_THROW(AddSection(path, "s", "text"), Error);
    EXPECT_THROW(AddSection(folder_.File(1, ".o"), "s", "text"), Error);
    EXPECT_EQ(ReadText(path), std::string(100, 'x'));
}

}  // namespace
}  // namespace sfumato::jit
