// SPDX-License-Identifier: Apache-2.0
// The readings of chips/behaviours.toml as --rests-on knows them: every one can come up, or says that none does.
#include "soc/behaviours.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <iterator>
#include <random>
#include <string>

#include "report/rules.h"
#include "soc/tags.h"

namespace sfumato::soc {
namespace {

namespace fs = std::filesystem;
using isa::Record;

// A record of an instruction, its fields small and random.
class RandomRecord {
public:
    Record Next(isa::Opcode op, isa::Api api) {
        Record r(op);
        r.api = api;
        r.core_kind = static_cast<isa::CoreKind>(Below(3));
        r.operand_count = 4;
        for (isa::Operand& o : r.operand) {
            o.memory = static_cast<isa::Memory>(1 + Below(8));
            o.type = static_cast<DataType>(Below(kDataTypeCount));
            o.offset = 32 * Below(2);
            o.limit = o.elements = 1 << 16;
            o.repeat_stride = static_cast<uint32_t>(Below(9));
        }
        r.half_block = static_cast<isa::HalfBlock>(Below(3));
        r.mask.mode = static_cast<isa::MaskMode>(Below(4));
        r.mask.count = 1 + Below(64);
        r.mask.bits = {Below(2) ? ~uint64_t{0} : 5, Below(2) ? ~uint64_t{0} : 0};
        r.rounding = static_cast<Rounding>(Below(static_cast<uint64_t>(Rounding::kCount)));
        r.control.atomic = static_cast<isa::Atomic>(Below(4));
        r.control.deq = static_cast<isa::DeqScale>(Below(4));
        r.control.deq_word = Below(2) << 46;
        r.immediate = Below(2) ? 0x7BFF : 1;
        isa::VisitForm(const_cast<isa::Parameters&>(r.parameters()), [&](auto& p) { Fill(&p); });
        return r;
    }
    uint64_t Below(uint64_t n) { return std::uniform_int_distribution<uint64_t>(0, n - 1)(random_); }

private:
    // Of the forms that conditions speak of.
    void Fill(isa::Select* p) { p->mode = static_cast<isa::Select::Mode>(Below(3)); }
    void Fill(isa::MovePad* p) { p->compact = Below(2); }
    void Fill(isa::MergeQueues* p) { p->suspend = Below(2); }
    void Fill(isa::SortGroups* p) { p->repeats = 1; }
    void Fill(isa::ProposalField* p) { p->repeats = 1; }
    void Fill(isa::Load2D* p) { p->decrement = Below(2); }
    void Fill(isa::Load3Dv1* p) {
        p->boundary = static_cast<uint32_t>(Below(2));
        p->jump_stride = static_cast<uint32_t>(Below(3));
        p->fetch_w = static_cast<uint32_t>(Below(3));
        p->filter.stride_w = 2;
        p->left_top_w = static_cast<int32_t>(Below(2));
        p->small_channels = Below(2);
    }
    void Fill(isa::Load3Dv2* p) {
        p->boundary = static_cast<uint32_t>(Below(2));
        p->channels = static_cast<uint32_t>(Below(33));
        p->m_extension = p->k_extension = static_cast<uint32_t>(Below(33));
        p->repeats = static_cast<uint32_t>(1 + Below(2));
    }
    void Fill(isa::Matmul* p) {
        p->m = p->n = p->k = static_cast<uint32_t>(1 + Below(32));
        p->initial = static_cast<isa::Matmul::Initial>(Below(3));
        p->hf32 = static_cast<isa::Matmul::Hf32>(Below(3));
        p->vector_a = Below(2);
        p->unit_flag = static_cast<uint8_t>(Below(2));
    }
    void Fill(isa::Fixpipe* p) {
        p->n = static_cast<uint32_t>(1 + Below(32));
        p->quant = static_cast<isa::Quant>(Below(static_cast<uint64_t>(isa::Quant::kCount)));
        p->word = Below(16) << 35;
        p->relu = Below(2);
        p->unit_flag = static_cast<uint8_t>(Below(2));
    }
    void Fill(isa::MatrixMove* p) {
        p->block = static_cast<isa::MatrixMove::Block>(Below(3));
        p->deq = static_cast<isa::MatrixMove::Deq>(Below(static_cast<uint64_t>(isa::MatrixMove::Deq::kCount)));
        p->relu = Below(2);
    }
    template <class P>
    void Fill(P*) {}

    std::mt19937_64 random_{7};
};

// Whether some record of an instruction of its pages makes the conditions hold. Names of calls are those of the text.
bool CanHold(const Behaviour& b, const Behaviours& all, RandomRecord* random) {
    constexpr int kTries = 3000;
    constexpr const char* kCalls[] = {
        nullptr, "matmul", "conv2d", "fixpipe", "vec_rec_high_preci", "vec_ln_high_preci"};
    for (int o = 0; o < isa::kOpcodeCount; ++o) {
        const auto op = static_cast<isa::Opcode>(o);
        if (!IsOfTik(b) && !StandsOn(b, InstructionOf(all, op))) continue;
        for (int i = 0; i < kTries; ++i) {
            const Chip& chip = Families()[random->Below(Families().size())];
            const auto api = static_cast<isa::Api>(random->Below(2));
            if (!b.when.Possible(chip, api)) continue;
            Record record = random->Next(op, api);
            record.call = kCalls[random->Below(std::size(kCalls))];
            if (b.when.Hold({record, chip, ~0u})) return true;
        }
    }
    return false;
}

std::string SourcesOfTheFrontEnds() {
    std::string text;
    for (const char* folder : {"src/frontends", "include/sfumato", "python/sfumato"}) {
        for (const auto& entry : fs::recursive_directory_iterator(fs::path(SFUMATO_SOURCE_DIR) / folder)) {
            if (!entry.is_regular_file()) continue;
            std::ifstream file(entry.path());
            text.append(std::istreambuf_iterator<char>(file), {});
        }
    }
    return text;
}

TEST(Readings, EveryOneCanComeUpOrSaysThatNoneDoes) {
    const Behaviours& all = ReadBehaviours();
    RandomRecord random;
    size_t open = 0;
    for (const Behaviour& b : all.behaviours) {
        if (b.documented() || b.when.never()) continue;
        ++open;
        if (!b.when.findings().empty() || !b.calls.empty()) continue;
        EXPECT_TRUE(CanHold(b, all, &random)) << b.text;
    }
    EXPECT_GE(open, 100u);
}

TEST(Readings, TagsAreKnownAndConditionsAreThoseOfOpenReadings) {
    for (const Behaviour& b : ReadBehaviours().behaviours) {
        EXPECT_TRUE(IsTag(b.tag)) << b.text;
        const bool asks = b.when.never() || b.when.values() != 0 || !b.when.findings().empty() || !b.calls.empty();
        EXPECT_FALSE(b.documented() && asks) << b.text;
    }
}

TEST(Readings, NameRulesAndCallsThatExist) {
    const std::string sources = SourcesOfTheFrontEnds();
    for (const Behaviour& b : ReadBehaviours().behaviours) {
        for (const std::string& rule : b.when.findings()) EXPECT_TRUE(FindRule(rule)) << rule;
        for (const std::string& call : b.calls) {
            const std::string family = '"' + call.substr(0, call.rfind('_') + 1) + '{';  // of an f-string
            EXPECT_TRUE(sources.find('"' + call + '"') != std::string::npos ||
                        sources.find(family) != std::string::npos)
                << call;
        }
    }
}

TEST(Conditions, AreRefusedWhenUnknown) {
    for (const char* text : {"", "soon", "type=int", "chip=Ascend1", "mask=", "result=small", "not", "source=zero",
                             "finding=a or part", "call=", "core=gpu", "part or later"}) {
        Conditions conditions;
        EXPECT_THROW(conditions.Add(text), Error) << text;
    }
}

TEST(Conditions, AllMustHoldAndOneAlternativeIsEnough) {
    const Chip& chip = FindChip("Ascend910B1");
    Record record(isa::Opcode::vadd);
    record.operand_count = 3;
    for (isa::Operand& o : record.operand) o.type = DataType::kFloat;
    const auto holds = [&](std::initializer_list<const char*> texts, uint32_t values = 0) {
        Conditions conditions;
        for (const char* text : texts) conditions.Add(text);
        return conditions.Possible(chip, record.api) && conditions.Hold({record, chip, values});
    };
    EXPECT_TRUE(holds({}));
    EXPECT_TRUE(holds({"type=half|float", "chip=Ascend910B", "api=ascendc"}));
    EXPECT_FALSE(holds({"type=half", "chip=Ascend910B"}));
    EXPECT_FALSE(holds({"type=float", "not chip=Ascend910B"}));
    EXPECT_TRUE(holds({"type=half or dst=float"}));
    EXPECT_FALSE(holds({"never"}));
    EXPECT_FALSE(holds({"result=nan"}));
    EXPECT_TRUE(holds({"result=nan|zero"}, kResultZero));
    EXPECT_FALSE(holds({"part"}));
    record.mask = {isa::MaskMode::kContinuous, 63, {}};
    EXPECT_TRUE(holds({"part", "mask=continuous"}));
    record.mask.count = 64;
    EXPECT_FALSE(holds({"part"}));
    EXPECT_TRUE(holds({"not part"}));
}

}  // namespace
}  // namespace sfumato::soc
