// SPDX-License-Identifier: Apache-2.0
// What code reaches, read from a module that keeps its relocations and from one that does not, and what it needs.
#include "runtime/code/code_use.h"

#include <dlfcn.h>
#include <elf.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <fstream>
#include <sstream>

#include "report/rules.h"

namespace sfumato::runtime {
namespace {

using Entries = std::set<std::string>;

class Module {
public:
    explicit Module(const char* path) : handle_(dlopen(path, RTLD_LAZY | RTLD_LOCAL)) {
        EXPECT_TRUE(handle_) << dlerror();
    }
    ~Module() { dlclose(handle_); }
    std::optional<Entries> From(const char* function) const {
        const void* address = dlsym(handle_, function);
        EXPECT_TRUE(address) << function;
        return ModuleCode(address).EntriesFrom(address);
    }

    std::vector<CodeGraph::Variable> Variables(const char* function) const {
        const void* address = dlsym(handle_, function);
        EXPECT_TRUE(address) << function;
        return ModuleCode(address).VariablesFrom(address);
    }

private:
    void* handle_;
};

TEST(CodeUse, EachFunctionReachesWhatItCalls) {
    const Module module(SFUMATO_KEPT_MODULE);
    const struct {
        const char* function;
        Entries reached;
    } kCases[] = {
        {"nothing", {"BlockIdx"}},
        {"moves", {"data_move"}},
        {"intrinsic", {"elsewhere", "vconv_f322f16"}},
        {"direct", {"data_move", "vadd"}},
        {"by_function", {"mmad"}},
        {"by_pointer", {"mmad", "vadd"}},
        {"by_virtual_call", {"mmad"}},
        {"by_thunk", {"mmad"}},
        {"by_switch", {"BlockIdx", "SyncAllCores", "data_move", "vadd"}},
        {"by_another_switch", {"BlockIdx", "SetDeqScaleHalf", "data_move"}},
        {"by_recursion", {"BlockIdx", "mmad"}},
        {"unused", {"SyncAllCores"}},
    };
    for (const auto& c : kCases) EXPECT_EQ(module.From(c.function), c.reached) << c.function;
}

TEST(CodeUse, EachFunctionReachesTheVariablesItMayWrite) {
    using Variables = std::vector<CodeGraph::Variable>;
    const Module module(SFUMATO_KEPT_MODULE);
    EXPECT_EQ(module.Variables("writes_global"), (Variables{{"_ZN9variables6globalE", 4, false}}));
    EXPECT_EQ(module.Variables("writes_static"), (Variables{{"_ZZ13writes_staticE5calls", 8, false}}));
    EXPECT_EQ(module.Variables("writes_local"), (Variables{{"_ZN9variables5localE", 4, true}}));
    EXPECT_EQ(module.Variables("reads_constants"), Variables());
    EXPECT_EQ(module.Variables("nothing"), Variables());
    EXPECT_EQ(Module(SFUMATO_PLAIN_MODULE).Variables("writes_global"), Variables());
}

TEST(CodeUse, WithoutRelocationsEachReachesWhatTheModuleImports) {
    const Module module(SFUMATO_PLAIN_MODULE);
    const Entries all = {"BlockIdx", "SetDeqScaleHalf", "SyncAllCores", "data_move", "elsewhere", "mmad",
                         "vadd",     "vconv_f322f16"};
    EXPECT_EQ(module.From("nothing"), all);
    EXPECT_EQ(module.From("direct"), all);
}

TEST(CodeUse, AnObjectFileTellsWhatItsFunctionsReach) {
    const CallsOf calls = CallsIn(SFUMATO_PLAIN_OBJECT);
    const struct {
        const char* function;
        Entries reached;
    } kCases[] = {
        {"nothing", {"BlockIdx"}},
        {"direct", {"data_move", "vadd"}},
        {"by_pointer", {"mmad", "vadd"}},
        {"by_virtual_call", {"mmad"}},
        {"by_recursion", {"BlockIdx", "mmad"}},
        {"by_switch", {"BlockIdx", "SyncAllCores", "data_move", "vadd"}},
    };
    for (const auto& c : kCases) {
        ASSERT_TRUE(calls.contains(c.function)) << c.function;
        EXPECT_EQ(EntriesOf(calls.at(c.function)), c.reached) << c.function;
    }
    EXPECT_EQ(CallsIn(__FILE__), CallsOf());
    EXPECT_EQ(CallsIn(SFUMATO_PLAIN_MODULE), CallsOf());
}

TEST(CodeUse, NotesOfCalls) {
    const CallsOf first = {{"_Z1kPh", {"_Z4vaddv", "_Z6helperv"}}, {"_Z5emptyPh", {}}};
    const CallsOf second = {{"_Z6helperv", {"_Z1kPh", "_Z4mmadv"}}, {"_Z5otherPh", {"_Z4vaddv"}}};
    // As a linker puts them behind each other.
    const std::string text = CallsText(first, false) + std::string(3, '\0') + CallsText(second, true);
    const CallNotes notes(text);
    const auto kernel = notes.Of("_Z1kPh"), other = notes.Of("_Z5otherPh"), empty = notes.Of("_Z5emptyPh");
    ASSERT_TRUE(kernel && other && empty);
    EXPECT_EQ(kernel->reached, (Entries{"_Z1kPh", "_Z4mmadv", "_Z4vaddv", "_Z6helperv"}));
    EXPECT_TRUE(kernel->unoptimised);  // by the other object
    EXPECT_EQ(other->reached, Entries{"_Z4vaddv"});
    EXPECT_EQ(empty->reached, Entries());
    EXPECT_FALSE(empty->unoptimised);
    EXPECT_FALSE(notes.Of("_Z7unknownPh").has_value());
    EXPECT_TRUE(CallNotes::In(SFUMATO_PLAIN_MODULE).empty());
    EXPECT_TRUE(CallNotes("").empty());
    EXPECT_THROW(CallNotes("sfumato calls 1 optimised\nf 0\n"), Error);
    EXPECT_THROW(CallNotes("f x\n"), Error);
}

TEST(CodeUse, CallsOfBothUnitsInUnoptimisedCode) {
    EXPECT_FALSE(UnoptimisedReport({"vadd", "BlockIdx"}).has_value());
    EXPECT_FALSE(UnoptimisedReport({"mmad"}).has_value());
    const auto report = UnoptimisedReport({"BlockIdx", "fixpipe", "mmad", "load2d", "SetHf32", "vadd"});
    ASSERT_TRUE(report.has_value());
    EXPECT_EQ(report->rule, Rule::kCoresDerivedUnoptimised);
    EXPECT_EQ(report->severity, Severity::kWarning);
    EXPECT_EQ(report->found, "calls of the cube unit (SetHf32, fixpipe, load2d, ...) and of the vector unit (vadd)");
}

TEST(CodeUse, AModuleThatImportsNothingOfTheFrontEndTellsNothing) {
    EXPECT_EQ(ModuleCode(reinterpret_cast<const void*>(&dlopen)).EntriesFrom(reinterpret_cast<const void*>(&dlopen)),
              std::nullopt);
    EXPECT_EQ(ModuleCode(nullptr).EntriesFrom(nullptr), std::nullopt);
}

TEST(CodeUse, FilesThatAreNoModules) {
    EXPECT_FALSE(CodeGraph::Read("/nowhere").has_value());
    EXPECT_FALSE(CodeGraph::Read(__FILE__).has_value());
}

TEST(CodeUse, WhatEntriesMean) {
    EXPECT_EQ(UseOf(Entries{"data_move", "BlockIdx", "set_flag"}), CodeUse());
    EXPECT_EQ(UseOf(Entries{"vadd"}), (CodeUse{.vector = true}));
    EXPECT_EQ(UseOf(Entries{"vconv_f322f16", "elsewhere"}), (CodeUse{.vector = true}));
    EXPECT_EQ(UseOf(Entries{"load3dv2"}), (CodeUse{.cube = true}));
    EXPECT_EQ(UseOf(Entries{"vadd", "fixpipe", "SyncAllCores"}), (CodeUse{true, true, true}));
}

TEST(CodeUse, CodeForEachKindOfCore) {
    // The same for both: which kind it is for, the instructions say.
    EXPECT_EQ(UseOf(Entries{"vadd", "BlockIdx"}, Entries{"vadd"}), (CodeUse{.vector = true}));
    EXPECT_EQ(UseOf(Entries{"mmad"}, Entries{"mmad"}), (CodeUse{.cube = true}));
    // It chooses, and a move is something to do.
    EXPECT_EQ(UseOf(Entries{"data_move"}, Entries{"data_move", "vadd"}), (CodeUse{.cube = true, .vector = true}));
    EXPECT_EQ(UseOf(Entries{"mmad"}, Entries{"vadd", "wait_flag_dev"}), (CodeUse{true, true, true}));
    // It does nothing on one of them.
    EXPECT_EQ(UseOf(Entries{"BlockIdx"}, Entries{"vadd"}), (CodeUse{.vector = true}));
    EXPECT_EQ(UseOf(Entries{"mmad"}, Entries{}), (CodeUse{.cube = true}));
}

// The names of the library's functions that a kernel may import.
Entries Exported(const char* path) {
    std::stringstream content;
    content << std::ifstream(path, std::ios::binary).rdbuf();
    const std::string bytes = content.str();
    const auto* header = reinterpret_cast<const Elf64_Ehdr*>(bytes.data());
    const auto* sections = reinterpret_cast<const Elf64_Shdr*>(bytes.data() + header->e_shoff);
    Entries mangled;
    for (const Elf64_Shdr* s = sections; s != sections + header->e_shnum; ++s) {
        if (s->sh_type != SHT_DYNSYM) continue;
        const auto* symbols = reinterpret_cast<const Elf64_Sym*>(bytes.data() + s->sh_offset);
        const char* names = bytes.data() + sections[s->sh_link].sh_offset;
        for (size_t i = 0; i < s->sh_size / sizeof(Elf64_Sym); ++i) {
            const bool function = ELF64_ST_TYPE(symbols[i].st_info) == STT_FUNC;
            if (function && symbols[i].st_shndx != SHN_UNDEF) mangled.emplace(names + symbols[i].st_name);
        }
    }
    return EntriesOf(mangled);
}

TEST(CodeUse, EveryFunctionOfTheFrontEndHasItsSide) {
    const Entries exported = Exported(SFUMATO_LIBRARY);
    EXPECT_TRUE(exported.contains("vadd") && exported.contains("mmad") && exported.contains("BlockIdx"));
    for (const std::string& entry : exported) {
        EXPECT_TRUE(SideOf(entry).has_value())
            << entry << ": say in src/runtime/code/entry_sides.inc which cores a kernel that calls it needs";
    }
}

}  // namespace
}  // namespace sfumato::runtime
