// SPDX-License-Identifier: Apache-2.0
// Runs of programs, and the comparison with their references.
#include "runtime/world/programs.h"

namespace sfumato::world_test {

std::vector<Run> EveryRun(const Program& program) {
    const std::vector<std::string> all = {"eager", "late",   "skew",   "torn",  "torn:1",
                                          "ahead", "seed:1", "seed:2", "seed:3"};
    const std::vector<std::string> some = {"eager", "late", "skew", "torn", "seed:1"};
#if defined(__SANITIZE_THREAD__) || defined(__SANITIZE_ADDRESS__)
    const std::vector<uint32_t> sizes = {2, 8};
#else
    const std::vector<uint32_t> sizes = {1, 2, 3, 8, 16, 32, 64};
#endif
    std::vector<Run> runs;
    for (const uint32_t ranks : sizes) {
        if (ranks > program.most_ranks) continue;
        for (const auto& schedule : ranks <= 3 ? all : some) {
            if (ranks < 32 || schedule == "eager" || schedule == "torn") runs.push_back({ranks, schedule});
        }
        if (ranks > 1 && ranks <= 8) runs.push_back({ranks, "skew:" + std::to_string(ranks - 1)});
    }
    return runs;
}

std::string Wrong(const Program& program, const Run& run) {
    Ranks on(run.ranks, runtime::RankOrder::Parse(run.schedule, run.ranks), kWindowBytes);
    on.adjust = [&program](uint32_t, LaunchOptions& options) { options.check = program.check; };
    std::vector<uint8_t*> out(run.ranks);
    for (uint32_t r = 0; r < run.ranks; ++r) {
        out[r] = on.memories[r]->Allocate(2 * kMostOut * 4, "out");
        std::memset(out[r], 0, 2 * kMostOut * 4);
        if (program.prepare) program.prepare(out[r], r);
    }
    for (uint32_t launch = 0; launch < program.launches; ++launch) {
        for (uint32_t r = 0; r < run.ranks; ++r) {
            const auto kernel = [&program, &on, &out, r, launch] {
                Device device(on, r, out[r]);
                program.kernel(device, launch);
            };
            on.Submit(r, program.blocks, kernel, program.named, run.schedule, program.core);
        }
    }
    on.Wait();
    if (const std::string told = on.Told(); !told.empty()) return told;
    for (uint32_t r = 0; r < run.ranks; ++r) {
        const std::vector<int32_t> want = program.want(run.ranks, r);
        std::vector<int32_t> got(want.size());
        if (!got.empty()) std::memcpy(got.data(), out[r], got.size() * 4);
        for (size_t i = 0; i < want.size(); ++i) {
            if (got[i] == want[i]) continue;
            return "rank " + std::to_string(r) + ": element " + std::to_string(i) + " of the result is " +
                   std::to_string(got[i]) + ", not " + std::to_string(want[i]);
        }
    }
    return "";
}

void Check(const Program& program) {
    for (const Run& run : EveryRun(program))
        ASSERT_EQ(Wrong(program, run), "") << program.name << ": " << run.ranks << " ranks, " << run.schedule;
}

}  // namespace sfumato::world_test
