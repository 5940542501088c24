// SPDX-License-Identifier: Apache-2.0
// Executes every call of the generated table on every chip that has it, in each of its forms and under each overflow
// policy, asked for and as the default of a route, and compares all of UB with the oracles.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <optional>
#include <random>
#include <set>

#include "coverage/calls.h"
#include "oracle/lane_oracle.h"
#include "oracle/reduce_oracle.h"
#include "oracle/vector_oracle.h"
#include "sfumato/launch.h"
#include "soc/chip.h"

namespace sfumato::coverage {
namespace {

using isa::MaskMode;
using isa::Opcode;

std::vector<Call> AllCalls() {
    std::vector<Call> all = kElementwiseCalls;
    all.insert(all.end(), kOtherCalls.begin(), kOtherCalls.end());
    all.insert(all.end(), kRawCalls.begin(), kRawCalls.end());
    return all;
}

const soc::ConversionRow* Conversion(const soc::Chip& chip, const Call& call) {
    if (call.op == Opcode::vconv) return chip.Conversion(isa::Api::kAscendC, call.src, call.dst);
    return chip.OwnConversion(isa::Api::kAscendC, call.op, call.src, call.dst);
}

bool Has(const soc::Chip& chip, const Call& call) {
    // Raw names are those of the chips before; functions of the library convert what came with registers.
    if (call.raw && call.op == Opcode::vconv && chip.vector_registers && !Has(soc::FindChip("Ascend910B"), call))
        return false;
    if (isa::Converts(isa::Info(call.op).form)) return Conversion(chip, call) != nullptr;
    const auto op = static_cast<size_t>(call.op);
    return chip.Has(isa::Api::kAscendC, call.op, call.dst) && (call.dst == call.src || chip.widens[0][op]);
}

bool IsReduce(const Call& call) { return isa::Info(call.op).form == isa::Form::kReduce; }
bool IsGather(const Call& call) { return call.op == Opcode::vgather || call.op == Opcode::vscatter; }
bool IsShift(const Call& call) { return call.op == Opcode::vshl || call.op == Opcode::vshr; }
bool Compares(const Call& call) { return isa::Info(call.op).form == isa::Form::kCompare; }

uint64_t LanesOf(const Call& call) {
    const uint64_t lanes = 2048 / std::max(BitsOf(call.dst), BitsOf(call.src));
    return IsGather(call) ? std::min<uint64_t>(lanes, 128) : lanes;
}

// A finite number of the type, and for shifts a distance.
uint64_t ScalarOf(const Call& call) {
    if (IsShift(call)) return 3;
    if (call.src == DataType::kHalf) return 0x4180;
    if (call.src == DataType::kBfloat16) return 0x4020;
    return call.src == DataType::kFloat ? 0x40300000 : 7;
}

// The masks and strides of one call: whole blocks of 32 bytes of the operands stay apart.
std::vector<Case> CasesOf(const soc::Chip& chip, const Call& call) {
    const uint64_t n = LanesOf(call);
    const auto words = [&](uint64_t low, uint64_t high, Case c) {
        c.bits[0] = n < 64 ? low & ((uint64_t{1} << n) - 1) : low;
        c.bits[1] = n > 64 ? high : 0;
        return c;
    };
    std::vector<Case> cases;
    const Case packed{.repeat = 3},
        strided{.repeat = 2, .dst_block = 2, .dst_repeat = 18, .src_block = 3, .src_repeat = 25};
    const auto add = [&](Form form, uint64_t count, Case c) {
        c.form = form;
        c.count = count;
        c.scalar = ScalarOf(call);
        c.half_block = cases.size() % 2 != 0;
        c.rounds = call.op == Opcode::vshr && chip.shift_round && cases.size() % 2 != 0 &&
                   (call.dst == DataType::kInt16 || call.dst == DataType::kInt32);
        cases.push_back(c);
        c.word = true;
        if (call.words) cases.push_back(c);
    };
    const bool blocks = call.op == Opcode::vbcb || call.op == Opcode::vgatherb;
    const bool copies = isa::Has(call.op, isa::kEachRepeat);
    if (!IsReduce(call) && !blocks && !copies && !call.raw)
        add(Form::kCount, Compares(call) ? 3 * n : 2 * n + n / 2 + 2, {});
    if (blocks || !call.raw) {
        add(Form::kNumber, blocks ? n : n - 2, packed);
        add(Form::kNumber, blocks ? n : n / 2 + 2, strided);
        if (blocks) return cases;
    }
    // Pairs of lanes: of int4 elements both are written or none.
    const Form bits = call.raw ? Form::kRegister : Form::kBits;
    add(bits, 0, words(0xC30FF33CC0000003, 0x3300000FF000FC30, packed));
    add(bits, 0, words(0x0CF000000FFFFF30, 0x00C3C3000FFFF003, strided));
    if (IsGather(call)) return cases;
    add(Form::kRegister, 0, words(0x30FFFF000000300C, 0xF00000FFFFC00030, strided));
    if (chip.counter_mode && !IsReduce(call) && !Compares(call))
        add(Form::kCounter, copies ? n - 3 : n + n / 2, strided);
    return cases;
}

isa::Operand OperandAt(uint32_t offset, DataType type, uint32_t block, uint32_t repeat) {
    isa::Operand o;
    o.memory = isa::Memory::kUb;
    o.type = type;
    o.offset = offset;
    o.limit = kUbBytes;
    o.block_stride = block;
    o.repeat_stride = repeat;
    return o;
}

// What the call must amount to.
isa::Record RecordOf(const soc::Chip& chip, const Call& call, const Case& c, Overflow overflow) {
    isa::Record r(call.op);
    r.repeat = c.repeat;
    r.immediate = c.scalar;
    r.control.overflow = overflow;
    r.rounding = c.rounds ? Rounding::kRound : c.rounding;
    // On Ascend910 CAST_ROUND is directed (conversions.md, "Round modes").
    if (call.op == Opcode::vconv && c.rounding == Rounding::kRound && chip.directed_cast_round)
        r.rounding = Rounding::kAway;
    switch (c.form) {
        case Form::kCount: r.mask = {MaskMode::kCount, c.count, {}}; break;
        case Form::kNumber: r.mask = {MaskMode::kContinuous, c.count, {}}; break;
        case Form::kCounter:
            // Copy counts the elements of each repeat (vector_instructions.md 4.5).
            r.mask = {isa::Has(call.op, isa::kEachRepeat) ? MaskMode::kContinuous : MaskMode::kCounter, c.count, {}};
            break;
        default: r.mask = {MaskMode::kBits, 0, {c.bits[0], c.bits[1]}}; break;
    }
    const isa::Form form = isa::Info(call.op).form;
    const auto source = [&](uint32_t at) { return OperandAt(at, call.src, c.src_block, c.src_repeat); };
    r.operand = {OperandAt(kDst, call.dst, c.dst_block, c.dst_repeat), source(kSrc0), source(kSrc1)};
    r.operand_count = static_cast<uint8_t>(Info(form).operands);
    switch (form) {
        case isa::Form::kCompare:
            r.operand_count = call.op == Opcode::vcmpv ? 3 : 2;
            r.operand[0].type = DataType::kUint8;
            r.Set(isa::Compare{static_cast<isa::Compare::Mode>(c.mode)});
            if (c.form != Form::kCount && !chip.compare_mask) r.mask = {MaskMode::kContinuous, LanesOf(call), {}};
            break;
        case isa::Form::kSelect: r.operand[3] = OperandAt(kThird, DataType::kUint8, 1, 8); break;
        case isa::Form::kGather:
        case isa::Form::kGatherBlocks:
        case isa::Form::kScatter:
            r.operand[2] = OperandAt(kSrc1, DataType::kUint32, 1, 8);
            r.As<isa::Offsets>().base = call.op == Opcode::vgatherb ? 0 : kBase;
            if (call.op == Opcode::vgather) r.operand[0].block_stride = 1;
            if (call.op == Opcode::vscatter) r.operand[1].block_stride = 1;
            break;
        case isa::Form::kPadding: r.Set(isa::Padding{static_cast<uint32_t>(c.mode % 3), c.mode > 2}); break;
        case isa::Form::kReduce:
            r.operand[0].block_stride = 1;
            r.Set(isa::Reduce{static_cast<isa::ReduceOrder>(c.mode), chip.reduce.fill_masked});
            break;
        default: break;
    }
    if (call.op == Opcode::vconv_deq && BitsOf(call.dst) == 8) {
        r.half_block = c.half_block ? isa::HalfBlock::kLow : isa::HalfBlock::kHigh;
    }
    return r;
}

enum class Oracle { kReduce, kLanes, kVector };
constexpr const char* kOracles[] = {"reduce", "lanes", "vector"};

Oracle OracleOf(Opcode op) {
    const isa::Form form = isa::Info(op).form;
    if (form == isa::Form::kReduce) return Oracle::kReduce;
    return op == Opcode::vci || !oracle::IsElementwise(form) ? Oracle::kLanes : Oracle::kVector;
}

bool Expect(const isa::Record& r, oracle::Bytes& ub, oracle::Bytes& registers) {
    const oracle::Bytes before = ub;
    switch (OracleOf(r.op)) {
        case Oracle::kReduce: return oracle::ExpectReduce(r, {before, ub, registers});
        case Oracle::kLanes: return oracle::ExpectLanes(r, {before, ub, registers});
        default: return oracle::ExpectVector(r, ub);
    }
}

// Random bytes, with offsets a gather can take where there must be some.
oracle::Bytes ImageFor(const Call& call, std::mt19937_64& random) {
    oracle::Bytes image(kUbBytes);
    for (size_t at = 0; at < image.size(); at += 8) {
        const uint64_t bits = random();
        std::memcpy(&image[at], &bits, 8);
    }
    std::replace(image.begin(), image.end(), uint8_t{0xFE}, uint8_t{0xFC});  // nothing looks as if nobody wrote it
    if (!isa::Record(call.op).If<isa::Offsets>()) return image;
    for (uint32_t i = 0; i < 1024; ++i) {
        const uint32_t offset = call.op == Opcode::vgatherb ? i * 5 % 128 * 32 : i * 7 % 1024 * BitsOf(call.dst) / 8;
        std::memcpy(&image[kSrc1 + 4 * i], &offset, 4);
    }
    return image;
}

// What a call finds in the registers.
void Prepare(const soc::Chip& chip, const Call& call, const Case& c, isa::Record* r) {
    using namespace AscendC;
    if (c.form == Form::kCounter) SetMaskCount();
    if (c.form == Form::kCounter && call.raw) set_vector_mask(0, c.count);
    if (c.form == Form::kRegister) SetVectorMask<uint8_t>(c.bits[1], c.bits[0]);
    if (!isa::Converts(isa::Info(call.op).form)) return;
    switch (Conversion(chip, call)->deq) {
        case soc::DeqKind::kHalfScale:
            call.raw ? set_deqscale(half::FromBits(0x3C80)) : SetDeqScale(half::FromBits(0x3C80));
            r->control.deq = isa::DeqScale::kHalf;
            r->control.deq_word = 0x3C80;
            break;
        case soc::DeqKind::kWord:
            if (!call.raw) SetDeqScale(0.0078125f, int16_t{-7}, call.dst == DataType::kInt8);
            r->control.deq = isa::DeqScale::kWord;
            r->control.deq_word =
                uint64_t{0x3C000000} | uint64_t{0x1FF & -7} << 37 | uint64_t{call.dst == DataType::kInt8} << 46;
            if (call.raw) set_deqscale(r->control.deq_word);
            break;
        default: break;
    }
}

std::string Text(const Call& call, const Case& c, const std::string& what) {
    constexpr const char* kForms[] = {"count", "number", "bits", "register", "counter"};
    return std::string(call.raw ? "raw " : "") + isa::Info(call.op).ascendc + " (" + isa::Info(call.op).opcode +
           ") of " + CName(call.src) + " to " + CName(call.dst) + ", form " + kForms[static_cast<int>(c.form)] + ": " +
           what;
}

// differs: whether a board, under the runtime's policy, leaves other bytes.
void RunCase(const soc::Chip& chip, const Call& call, const Case& c, Overflow overflow, std::mt19937_64& random,
             bool* differs) {
    isa::Record record = RecordOf(chip, call, c, overflow);
    auto* ub = reinterpret_cast<uint8_t*>(Tensor<uint8_t>(0).GetPhyAddr());
    oracle::Bytes expected = ImageFor(call, random), registers(256);
    std::memcpy(ub, expected.data(), expected.size());
    Prepare(chip, call, c, &record);
    call.run(c);
    AscendC::PipeBarrier<PIPE_ALL>();
    AscendC::SetMaskNorm();
    AscendC::ResetMask();
    oracle::Bytes on_board = expected, others = registers;
    isa::Record as_board = record;
    as_board.control.overflow = chip.board_overflow;
    Expect(as_board, on_board, others);
    Expect(record, expected, registers);
    *differs = on_board != expected;
    if (std::memcmp(ub, expected.data(), expected.size()) == 0) return;
    size_t at = 0;
    while (ub[at] == expected[at]) ++at;
    ADD_FAILURE() << Text(call, c,
                          "UB+" + std::to_string(at) + " differs: found " + std::to_string(ub[at]) + ", expected " +
                              std::to_string(expected[at]))
                  << "\n  " << isa::Print(record);
}

// Modes a case can have.
std::vector<Case> WithModes(const soc::Chip& chip, const Call& call, const Case& c) {
    std::vector<Case> all;
    const auto add = [&](int mode, Rounding rounding) {
        all.push_back(c);
        all.back().mode = mode;
        all.back().rounding = rounding;
    };
    if (call.op == Opcode::vconv) {
        for (int mode = 0; mode <= static_cast<int>(AscendC::RoundMode::CAST_ODD); ++mode) {
            const soc::ConversionRow& row = *Conversion(chip, call);
            // The raw name with a scale has no round mode in it.
            const bool named = !call.raw || row.deq == soc::DeqKind::kNone || mode == 0;
            if (named && ((row.modes >> mode) & 1) != 0) add(0, static_cast<Rounding>(mode));
        }
    } else if (Compares(call)) {
        const bool equal = chip.EqualOnly(isa::Api::kAscendC, call.op, call.src);
        for (int mode = 0; mode < 6; ++mode) {
            if (!equal || mode == static_cast<int>(AscendC::CMPMODE::EQ)) add(mode, Rounding::kNone);
        }
    } else if (call.op == Opcode::vpadding) {
        for (int mode = 0; mode < 6; ++mode) add(mode, Rounding::kNone);
    } else if (call.op == Opcode::vcmax || call.op == Opcode::vcmin) {
        for (int order = 0; order < 4; ++order) {
            if ((chip.reduce.orders >> order) & 1) add(order, Rounding::kNone);
        }
    } else {
        add(0, Rounding::kNone);
    }
    return all;
}

class Chips : public ::testing::TestWithParam<std::string> {};

TEST_P(Chips, EveryCall) {
    const soc::Chip chip = soc::FindChip(GetParam());
    std::mt19937_64 random(7);
    size_t calls = 0, cases = 0;
    struct Policy {
        std::optional<Overflow> asked;
        Route route;
    };
    // Every default is one of the last two.
    for (const Policy& policy : {Policy{Overflow::kSaturate, Route::kLaunch},
                                 {Overflow::kInfNan, Route::kLaunch},
                                 {{}, Route::kLaunch},
                                 {{}, Route::kHost}}) {
        if (policy.asked == Overflow::kInfNan && !chip.supports_infnan) continue;
        const Overflow overflow = soc::PolicyOf(chip, policy.asked, Info(policy.route).overflow);
        for (const Call& call : AllCalls()) {
            if (call.exempt || !Has(chip, call)) continue;
            ++calls;
            for (const Case& form : CasesOf(chip, call)) {
                for (const Case& c : WithModes(chip, call, form)) {
                    ++cases;
                    GlobalMemory memory;
                    LaunchOptions options;
                    options.chip = chip.name;
                    options.overflow = policy.asked;
                    options.route = policy.route;
                    bool differs = false;
                    try {
                        const LaunchResult result =
                            Launch(options, 1, memory,
                                   std::function<void()>([&] { RunCase(chip, call, c, overflow, random, &differs); }));
                        if (!result.ok()) ADD_FAILURE() << Text(call, c, result.findings.front().Text());
                        // The warning comes where a board differs and nobody asked.
                        const auto told = std::count_if(
                            result.findings.begin(), result.findings.end(),
                            [](const Report& r) { return r.rule == "saturated" && r.severity == Severity::kWarning; });
                        EXPECT_EQ(told, !policy.asked && differs) << Text(call, c, Info(policy.route).words);
                    } catch (const std::exception& error) {
                        ADD_FAILURE() << Text(call, c, error.what());
                    }
                }
            }
        }
    }
    std::printf("%s: %zu calls, %zu cases\n", chip.name.c_str(), calls, cases);
    EXPECT_GT(calls, 0u);
}

std::vector<std::string> Names() {
    std::vector<std::string> names;
    for (const soc::Chip& chip : soc::Families()) {
        if (chip.ascendc) names.push_back(chip.name);
    }
    return names;
}
INSTANTIATE_TEST_SUITE_P(Every, Chips, ::testing::ValuesIn(Names()), [](const auto& i) { return i.param; });

// For tests/net/record.py: call, types, oracle and chip of each, into coverage.txt of the folder SFUMATO_NET.
TEST(Table, TellsItsOracles) {
    const char* folder = std::getenv("SFUMATO_NET");
    if (!folder) GTEST_SKIP() << "for tests/net/record.py";
    std::ofstream out(std::string(folder) + "/coverage.txt");
    for (const soc::Chip& chip : soc::Families()) {
        for (const Call& call : AllCalls()) {
            if (!chip.ascendc || !Has(chip, call)) continue;
            out << (call.raw ? "raw " : "") << isa::Info(call.op).ascendc << "\t" << CName(call.src) << " to "
                << CName(call.dst) << "\t"
                << (call.exempt ? call.exempt : kOracles[static_cast<int>(OracleOf(call.op))]) << "\t" << chip.name
                << "\n";
        }
    }
}

// A row of the table with an Ascend C name has a line for each type of each chip, here or with a reason.
TEST(Table, HasEveryRow) {
    std::set<std::tuple<Opcode, DataType, DataType>> there;
    for (const Call& call : AllCalls()) there.insert({call.op, call.dst, call.src});
    for (int i = 0; i < isa::kOpcodeCount; ++i) {
        const auto op = static_cast<Opcode>(i);
        // Steps of high-level calls: tests/frontends/adv has their calls.
        if (!*isa::Info(op).ascendc || isa::Has(op, isa::kHighLevel)) continue;
        const bool any = std::any_of(there.begin(), there.end(), [&](const auto& c) { return std::get<0>(c) == op; });
        EXPECT_TRUE(any) << isa::Info(op).opcode;
        for (const soc::Chip& chip : soc::Families()) {
            for (int t = 0; t < kDataTypeCount; ++t) {
                const auto type = static_cast<DataType>(t);
                if (chip.Has(isa::Api::kAscendC, op, type)) {
                    EXPECT_TRUE(there.contains({op, type, type})) << isa::Info(op).opcode << " " << CName(type);
                }
            }
        }
    }
}

}  // namespace

// What the templates refuse is what no chip has.
TEST(Table, RefusesEveryOtherType) {
    struct Rule {
        const char* name;
        uint16_t types;
    };
#define SFUMATO_CALL(form, Name, opcode, T, U)
#define SFUMATO_CALL_BY_HAND(Name, opcode, T, U)
#define SFUMATO_RULE(Name) {#Name, ascendc::Name##Rule::kTypes},
    constexpr Rule kRules[] = {
#include "calls.inc"
    };
    for (const Rule& rule : kRules) {
        uint16_t types = 0;
        for (int op = 0; op < isa::kOpcodeCount; ++op) {
            if (std::string_view(isa::kInstructions[op].ascendc) != rule.name) continue;
            for (const soc::Chip& chip : soc::Families())
                types = static_cast<uint16_t>(types | chip.types[0][static_cast<size_t>(op)]);
        }
        EXPECT_EQ(rule.types, types) << rule.name;
    }
}

}  // namespace sfumato::coverage
