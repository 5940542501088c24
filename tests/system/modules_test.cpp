// SPDX-License-Identifier: Apache-2.0
// Where addresses of this program and of the C library lie.
#include "system/modules.h"

#include <dlfcn.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <string>

#include "system/processes.h"

namespace sfumato::system {
namespace {

namespace fs = std::filesystem;

int Here() { return 1; }
const auto* const kHere = reinterpret_cast<const void*>(&Here);
thread_local int of_thread = 1;

uintptr_t At(const void* p) { return reinterpret_cast<uintptr_t>(p); }

TEST(Modules, AnAddressHasItsFile) {
    const ModuleFile own = ModuleAt(kHere), other = ModuleAt(dlsym(RTLD_DEFAULT, "getpid"));
    ASSERT_TRUE(own.path && other.path);
    EXPECT_TRUE(fs::equivalent(own.path, OwnProgram()));
    EXPECT_FALSE(fs::equivalent(own.path, other.path));
    Dl_info info{};
    ASSERT_NE(dladdr(kHere, &info), 0);
    EXPECT_EQ(own.first, At(info.dli_fbase));
    EXPECT_LE(own.base, At(kHere));
}

TEST(Modules, OtherAddressesHaveNone) {
    int local = 0;
    for (const void* address : {static_cast<const void*>(nullptr), static_cast<const void*>(&local)}) {
        const ModuleFile none = ModuleAt(address);
        EXPECT_EQ(none.path, nullptr);
        EXPECT_EQ(none.base, 0u);
        EXPECT_EQ(none.first, 0u);
    }
}

TEST(Modules, TheProgramIsVisitedFirst) {
    int visited = 0;
    EXPECT_TRUE(VisitModules([&](const Module& module) {
        ++visited;
        EXPECT_EQ(module.base(), ModuleAt(kHere).base);
        EXPECT_TRUE(module.PartWith(At(kHere)).Hold(At(kHere)));
        EXPECT_NE(module.frame_table(), nullptr);
        return true;
    }));
    EXPECT_EQ(visited, 1);
}

TEST(Modules, OneAloneHasAnAddress) {
    int holders = 0, visited = 0;
    EXPECT_FALSE(VisitModules([&](const Module& module) {
        ++visited;
        bool holds = false;
        for (size_t i = 0; i < module.parts(); ++i) holds = holds || module.part(i).Hold(At(kHere));
        EXPECT_EQ(holds, module.PartWith(At(kHere)).bytes != 0);
        holders += holds;
        return false;
    }));
    EXPECT_EQ(holders, 1);
    EXPECT_GT(visited, 1);
}

TEST(Modules, VariablesOfTheThreadAreTheirModules) {
    of_thread = 2;
    int holders = 0;
    VisitModules([&](const Module& module) {
        const bool holds = module.variables().Hold(At(&of_thread), sizeof of_thread);
        EXPECT_TRUE(!holds || module.base() == ModuleAt(kHere).base);
        holders += holds;
        return false;
    });
    EXPECT_EQ(holders, 1);
}

TEST(Modules, AddressesHoldWhatLiesWhollyInThem) {
    const Addresses ten{100, 10};
    EXPECT_TRUE(ten.Hold(100) && ten.Hold(109) && ten.Hold(100, 10) && ten.Hold(105, 5));
    EXPECT_FALSE(ten.Hold(99) || ten.Hold(110) || ten.Hold(105, 6) || ten.Hold(105, UINTPTR_MAX) || ten.Hold(99, 2));
    EXPECT_FALSE(Addresses{}.Hold(0));
}

}  // namespace
}  // namespace sfumato::system
