// SPDX-License-Identifier: Apache-2.0
// Memory for frameworks: given back, used until it is given out again, and what a launch is told of it.
#include "sfumato/host/caching.h"

#include <gtest/gtest.h>

#include <cstdlib>
#include <cstring>
#include <vector>

#include "acl/acl.h"
#include "host/message.h"
#include "kernel_operator.h"
#include "sfumato/host/launch.h"
#include "sfumato/host/watch.h"

namespace sfumato {
namespace {

__global__ void StoreBlock(__gm__ int32_t* x) { x[AscendC::GetBlockIdx()] = 7; }

__global__ void Nothing(__gm__ int32_t*) {}

struct Watcher : host::LaunchWatcher {
    Watcher() { host::WatchLaunches(this); }
    ~Watcher() override { host::WatchLaunches(nullptr); }
    void Launched(const host::LaunchNote& note) override { kernel = note.kernel, blocks = note.blocks, ++launched; }
    void FaultKept() override { ++kept; }
    void FaultsCollected() override { ++collected; }
    void Referenced(const char*) override {}
    std::string kernel;
    uint32_t blocks = 0;
    int launched = 0, kept = 0, collected = 0;
};

TEST(Caching, ABlockIsAsAclrtMallocGivesThem) {
    auto* p = static_cast<uint8_t*>(host::TakeCached(100));
    EXPECT_EQ(reinterpret_cast<uintptr_t>(p) % 512, 0u);
    EXPECT_EQ(std::vector<uint8_t>(p, p + 100), std::vector<uint8_t>(100, 0xFE));
    SFUMATO_LAUNCH(StoreBlock).On(3, nullptr, nullptr)(p + 4);
    EXPECT_EQ(aclrtSynchronizeDevice(), 0);
    EXPECT_EQ(p[12], 7);
    EXPECT_EQ(aclrtFree(p), ACL_ERROR_INVALID_PARAM);
    Message();
    host::ReturnCached(p);
}

TEST(Caching, ABlockGivenBackKeepsItsBytesUntilItIsTakenAgain) {
    host::ReleaseCached();
    auto* p = static_cast<uint8_t*>(host::TakeCached(5000));
    std::memset(p, 3, 5000);
    host::ReturnCached(p);
    EXPECT_EQ(p[4999], 3);
    SFUMATO_LAUNCH(StoreBlock).On(1, nullptr, nullptr)(p);
    EXPECT_EQ(aclrtSynchronizeDevice(), 0);
    EXPECT_EQ(p[0], 7);
    // Too small for it: another. Then it itself, with the pattern and its own end.
    void* other = host::TakeCached(100);
    EXPECT_NE(other, p);
    EXPECT_EQ(host::TakeCached(4700), p);
    EXPECT_EQ(p[0], 0xFE);
    EXPECT_EQ(aclrtMemset(p, 4700, 0, 4700), 0);
    EXPECT_EQ(aclrtMemset(p, 4701, 0, 4701), ACL_ERROR_INVALID_PARAM);
    Message();
    host::ReturnCached(p);
    host::ReturnCached(other);
}

TEST(Caching, AReleasedBlockIsFreed) {
    void* p = host::TakeCached(64);
    host::ReturnCached(p);
    host::ReturnCached(p);  // twice changes nothing
    host::ReleaseCached();
    SFUMATO_LAUNCH(StoreBlock).On(1, nullptr, nullptr)(p);
    EXPECT_EQ(host::CollectFaults().find("fault [freed-block-used]"), 0u);
}

TEST(Caching, StrictNotesABlockThatWasGivenBack) {
    void* p = host::TakeCached(64);
    host::ReturnCached(p);
    setenv("SFUMATO_OPTIONS", "strict=1", 1);
    testing::internal::CaptureStderr();
    SFUMATO_LAUNCH(Nothing).On(1, nullptr, nullptr)(p);
    unsetenv("SFUMATO_OPTIONS");
    const std::string said = testing::internal::GetCapturedStderr();
    EXPECT_EQ(host::CollectFaults(), "");
    EXPECT_NE(said.find("note [freed-block-used]"), std::string::npos) << said;
    EXPECT_NE(said.find("the kernel gets memory that was given back to the caching allocator"), std::string::npos);
}

TEST(Caching, Counts) {
    host::ReleaseCached();
    const host::CachingStats before = host::StatsOfCache();
    void* a = host::TakeCached(1000);
    void* b = host::TakeCached((uint64_t{9} << 20) + 1);
    host::CachingStats now = host::StatsOfCache();
    EXPECT_EQ(now.allocated - before.allocated, 1000 + (uint64_t{9} << 20) + 1);
    EXPECT_EQ(now.reserved - before.reserved, 1024 + (uint64_t{10} << 20));
    EXPECT_EQ(now.blocks - before.blocks, 2u);
    host::ReturnCached(a);
    host::ReturnCached(b);
    now = host::StatsOfCache();
    EXPECT_EQ(now.allocated, before.allocated);
    EXPECT_EQ(now.reserved - before.reserved, 1024 + (uint64_t{10} << 20));
    EXPECT_GE(now.peak_allocated, before.allocated + 1000);
    host::ReleaseCached();
    host::ResetCachePeaks();
    EXPECT_EQ(host::StatsOfCache().peak_reserved, before.reserved);
}

TEST(Watch, LaunchesAndFaultsAreTold) {
    Watcher watcher;
    void* p = host::TakeCached(64);
    SFUMATO_LAUNCH(StoreBlock).On(2, nullptr, nullptr)(p);
    ASSERT_EQ(watcher.launched, 1);
    EXPECT_EQ(watcher.kernel, "StoreBlock");
    EXPECT_EQ(watcher.blocks, 2u);
    EXPECT_EQ(watcher.kept, 0);
    int32_t on_host = 0;
    SFUMATO_LAUNCH(StoreBlock).On(1, nullptr, nullptr)(&on_host);
    EXPECT_EQ(watcher.kept, 1);
    EXPECT_EQ(watcher.collected, 0);
    EXPECT_EQ(host::LastFault()->rule, "host-pointer");
    EXPECT_EQ(host::CollectFaults().find("fault [host-pointer]"), 0u);
    EXPECT_EQ(watcher.collected, 1);
    EXPECT_EQ(host::CollectFaults(), "");
    EXPECT_EQ(watcher.collected, 1);
    host::ReturnCached(p);
}

}  // namespace
}  // namespace sfumato
