// SPDX-License-Identifier: Apache-2.0
// Contexts, clients and windows used as they must not be: the exact report, and the twin that is right.
#include "frontends/ranks/groups.h"
#include "support/golden.h"
#include "support/raised.h"

namespace sfumato {
namespace {


// What rank 0 of two is told. `groups`: of the launch.
class Wrong {
public:
    explicit Wrong(uint32_t ranks = 2) : on(ranks) {}
    void Run(const std::function<void()>& kernel, std::vector<std::string> groups = {"tp"},
             const char* chip = nullptr) {
        on.Submit(0, kernel, std::move(groups), 1, chip);
        on.Wait();
    }
    // Its one finding stands in reports/; there is none.
    void Expect(const std::string& name) const {
        const std::vector<Report> findings = on.Findings();
        ASSERT_EQ(findings.size(), 1u) << name << on.Told();
        EXPECT_EQ(findings[0].rank, 0u);
        Raised(Name(findings[0].rule));
        ExpectReports(__FILE__, name, findings);
    }
    void ExpectNone(const std::string& name) const { EXPECT_EQ(on.Told(), "") << name; }
    void ExpectIf(bool wrong, const std::string& name) const { wrong ? Expect(name) : ExpectNone(name); }

    OnRanks on;
};

const TilingOfRanks& Filled() {
    static const TilingOfRanks tiling = TilingFor("tp");
    return tiling;
}

TEST(WrongContexts, GroupsOfLaunches) {
    for (const bool wrong : {true, false}) {
        Wrong unknown, outside, three, chip;
        const auto nothing = [] {};
        unknown.Run(nothing, {wrong ? "pp" : "tp"});
        unknown.ExpectIf(wrong, "unknown_group");
        const auto other = outside.on.Make("other", {1});
        outside.Run(nothing, {wrong ? "other" : "tp"});
        outside.ExpectIf(wrong, "group_of_other_ranks");
        const auto a = three.on.Make("a", {0}), b = three.on.Make("b", {0});
        three.Run(nothing, wrong ? std::vector<std::string>{"tp", "a", "b"} : std::vector<std::string>{"tp", "a"});
        three.ExpectIf(wrong, "three_groups");
        chip.Run(nothing, {"tp"}, wrong ? kA2 : kA3);
        chip.ExpectIf(wrong, "group_of_another_chip");
    }
}

TEST(WrongContexts, ContextsOfClients) {
    for (const bool wrong : {true, false}) {
        Wrong missing, null, other, window, twice;
        missing.Run(
            [] {
                Hccl hccl;
                hccl.InitV2(GetHcclContext<0>(), &Filled());
            },
            wrong ? std::vector<std::string>{} : std::vector<std::string>{"tp"});
        missing.ExpectIf(wrong, "group_missing");

        null.Run([context = wrong ? nullptr : null.on.group->Context(0)] {
            Hccl hccl;
            hccl.Init(context);
        });
        null.ExpectIf(wrong, "context_null");

        other.Run([context = other.on.group->Context(wrong ? 1 : 0)] {
            Hccl hccl;
            hccl.InitV2(context, &Filled());
        });
        other.ExpectIf(wrong, "context_of_another_rank");

        window.Run([context = wrong ? window.on.group->In(0) + 64 : window.on.group->Context(0)] {
            Hccl hccl;
            hccl.InitV2(context, &Filled());
        });
        window.ExpectIf(wrong, "window_as_context");

        const auto second = twice.on.Make("second", {0, 1});
        twice.Run(
            [wrong] {
                Hccl one, two;
                one.InitV2(GetHcclContext<0>(), &Filled());
                two.InitV2(wrong ? GetHcclContext<0>() : GetHcclContext<1>(), &Filled());
            },
            {"tp", "second"});
        twice.ExpectIf(wrong, "context_used_twice");
    }
}

TEST(WrongContexts, TilingsOfClients) {
    for (const bool wrong : {true, false}) {
        Wrong gm, stack, missing, empty;
        uint8_t* tiling = gm.on.memories[0]->Allocate(sizeof(TilingOfRanks), "tiling", &Filled());
        gm.Run([=] {
            Hccl hccl;
            const TilingOfRanks copy = *reinterpret_cast<const TilingOfRanks*>(tiling);
            hccl.InitV2(GetHcclContext<0>(), wrong ? static_cast<const void*>(tiling) : &copy);
        });
        gm.ExpectIf(wrong, "tiling_in_gm");

        tiling = stack.on.memories[0]->Allocate(sizeof(TilingOfRanks), "tiling", &Filled());
        stack.Run([=] {
            Hccl hccl;
            hccl.Init(GetHcclContext<0>(), wrong ? const_cast<TilingOfRanks*>(&Filled()) : static_cast<void*>(tiling));
        });
        // The address of the stack differs from run to run.
        ASSERT_EQ(stack.on.Findings().size(), wrong ? 1u : 0u);
        if (wrong) {
            EXPECT_EQ(stack.on.Findings()[0].message, "Init: the tiling does not lie in global memory");
            EXPECT_EQ(stack.on.Findings()[0].hint, "use InitV2 for a tiling on the stack");
        }

        missing.Run([wrong] {
            Hccl hccl;
            hccl.InitV2(GetHcclContext<0>(), wrong ? nullptr : &Filled());
        });
        missing.ExpectIf(wrong, "tiling_missing");

        empty.Run([wrong] {
            Hccl hccl;
            TilingOfRanks copy = Filled();
            if (wrong) std::memset(&copy, 0, sizeof copy);
            hccl.InitV2(GetHcclContext<0>(), &copy);
        });
        empty.ExpectIf(wrong, "tiling_not_filled");
    }
}

TEST(WrongContexts, TilingsOfOperations) {
    for (const bool wrong : {true, false}) {
        Wrong offset, name, operation;
        offset.Run([wrong] {
            Hccl hccl;
            hccl.InitV2(GetHcclContext<0>(), &Filled());
            hccl.SetCcTilingV2(wrong ? offsetof(TilingOfRanks, gather) + 8 : offsetof(TilingOfRanks, gather));
        });
        offset.ExpectIf(wrong, "wrong_offset");

        const TilingOfRanks of_other = TilingFor(wrong ? "other" : "tp");
        name.Run([&of_other] {
            Hccl hccl;
            hccl.InitV2(GetHcclContext<0>(), &of_other);
            hccl.SetCcTilingV2(offsetof(TilingOfRanks, gather));
        });
        name.ExpectIf(wrong, "tiling_of_another_group");

        const auto alone = operation.on.Make("alone", {0});
        const TilingOfRanks of_alone = TilingFor("alone");
        uint8_t* data = operation.on.memories[0]->Allocate(256, "data");
        operation.Run(
            [wrong, data, &of_alone] {
                Hccl hccl;
                hccl.InitV2(GetHcclContext<0>(), &of_alone);
                hccl.SetCcTilingV2(wrong ? offsetof(TilingOfRanks, gather) : offsetof(TilingOfRanks, reduce));
                hccl.AllReduce<true>(data, data + 128, 16, HCCL_DATA_TYPE_FP16, HCCL_REDUCE_SUM);
            },
            {"alone"});
        operation.ExpectIf(wrong, "operation_without_tiling");
    }
}

TEST(WrongContexts, NineTilingsAreOneTooMany) {
    struct Many {
        Mc2InitTiling init;
        Mc2CcTiling of[9];
    };
    Many many{};
    AscendC::Mc2CcTilingConfig config("tp", kAllGather, "");
    config.GetTiling(many.init);
    for (auto& tiling : many.of) config.GetTiling(tiling);
    for (const bool wrong : {true, false}) {
        Wrong on;
        on.Run([wrong, &many] {
            Hccl hccl;
            hccl.InitV2(GetHcclContext<0>(), &many);
            for (uint64_t i = 0; i < (wrong ? 9 : 8); ++i)
                hccl.SetCcTilingV2(offsetof(Many, of) + i * sizeof(Mc2CcTiling));
        });
        on.ExpectIf(wrong, "nine_tilings");
    }
}

TEST(WrongContexts, WindowsAndCollectives) {
    for (const bool wrong : {true, false}) {
        Wrong rank, before, after;
        rank.Run([wrong] {
            Hccl hccl;
            hccl.InitV2(GetHcclContext<0>(), &Filled());
            hccl.GetWindowsInAddr(wrong ? 2 : 1);
        });
        rank.ExpectIf(wrong, "window_of_no_rank");

        before.Run([wrong] {
            Hccl hccl;
            if (!wrong) hccl.InitV2(GetHcclContext<0>(), &Filled());
            hccl.GetWindowsOutAddr(0);
        });
        before.ExpectIf(wrong, "window_before_init");

        after.Run([wrong] {
            Hccl hccl;
            hccl.InitV2(GetHcclContext<0>(), &Filled());
            if (wrong) hccl.Finalize();
            hccl.GetWindowsOutAddr(0);
        });
        after.ExpectIf(wrong, "window_after_finalize");
    }
}

TEST(WrongContexts, NobodyStoresToAContext) {
    for (const bool wrong : {true, false}) {
        Wrong copy, value;
        const auto target = [wrong](const Wrong& of) { return wrong ? of.on.group->Context(0) : of.on.group->Exp(0); };
        copy.Run([to = target(copy)] {
            Ub ub;
            auto zeros = ub.At(0, 8);
            Duplicate(zeros, 0, 8);
            PipeBarrier<PIPE_ALL>();
            DataCopy(Gm<int32_t>(to, 8), zeros, 8);
        });
        copy.ExpectIf(wrong, "copy_to_context");
        value.Run([to = target(value)] { Put(Gm<int32_t>(to, 16), 0, 1); });
        value.ExpectIf(wrong, "value_to_context");
    }
}

TEST(WrongContexts, MembersOfTilingsHaveLimits) {
    AscendC::Mc2CcTilingConfig config("tp", kAllGather, "AllGather=level0:doublering");
    EXPECT_EQ(config.SetReduceType(3, 4, 4), 0u);
    EXPECT_EQ(config.SetStepSize(1), 0u);
    EXPECT_EQ(config.SetSkipLocalRankCopy(1), 0u);
    EXPECT_EQ(config.SetSkipBufferWindowCopy(2), 0u);
    EXPECT_EQ(config.SetDebugMode(4), 0u);
    EXPECT_EQ(config.SetCommBlockNum(24), 0u);
    EXPECT_EQ(config.SetQueueNum(40), 0u);
    EXPECT_EQ(config.SetCommEngine(3), 0u);
    EXPECT_EQ(config.SetGroupName(std::string(128, 'a')), 0u);
    Mc2CcTiling tiling;
    ASSERT_EQ(config.GetTiling(tiling), 0u);
    tiling::Mc2Cc words;
    ASSERT_TRUE(tiling::ReadMc2(&tiling, &words));
    EXPECT_EQ(words.op_type, kAllGather);
    EXPECT_EQ(std::string(words.group, 128), std::string(128, 'a'));
    EXPECT_STREQ(words.algorithm, "AllGather=level0:doublering");
    EXPECT_EQ(words.reduce_type, 3);
    EXPECT_EQ(words.step_size, 1);
    EXPECT_EQ(words.skip_local_copy, 1);
    EXPECT_EQ(words.skip_window_copy, 2);
    EXPECT_EQ(words.queues, 40);

    const auto refused = static_cast<uint32_t>(-1);
    const auto fresh = [] { return AscendC::Mc2CcTilingConfig("tp", kAllGather, ""); };
    EXPECT_EQ(fresh().SetOpType(0), refused);
    EXPECT_EQ(fresh().SetOpType(21), refused);
    EXPECT_EQ(fresh().SetGroupName(std::string(129, 'a')), refused);
    EXPECT_EQ(fresh().SetGroupName(""), refused);
    EXPECT_EQ(fresh().SetAlgConfig(std::string(129, 'a')), refused);
    EXPECT_EQ(fresh().SetReduceType(4), refused);
    EXPECT_EQ(fresh().SetSkipLocalRankCopy(2), refused);
    EXPECT_EQ(fresh().SetSkipBufferWindowCopy(3), refused);
    EXPECT_EQ(fresh().SetDebugMode(0), refused);
    EXPECT_EQ(fresh().SetDebugMode(5), refused);
    EXPECT_EQ(fresh().SetQueueNum(41), refused);
    auto wrong = fresh();
    wrong.SetReduceType(4);
    Mc2InitTiling init;
    EXPECT_EQ(wrong.GetTiling(init), refused);
    EXPECT_EQ(wrong.GetTiling(tiling), refused);
}

}  // namespace
}  // namespace sfumato
