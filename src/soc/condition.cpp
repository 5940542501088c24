// SPDX-License-Identifier: Apache-2.0
// The words of `when`, and what they ask of a record.
#include "soc/condition.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>

#include "sfumato/report.h"

namespace sfumato::soc {
namespace {

using isa::Memory;
using isa::Record;

bool Contains(uint64_t set, uint64_t i) { return i < 64 && ((set >> i) & 1) != 0; }

// A key with values: how one is read (its bit, or -1), and the values a record has, as bits.
struct Key {
    const char* name;
    int (*read)(std::string_view value);
    uint64_t (*of)(const Record& r);
};

template <class Enum, class Name>
int Find(std::string_view value, int count, Name name) {
    for (int i = 0; i < count; ++i) {
        if (value == name(static_cast<Enum>(i))) return i;
    }
    return -1;
}

template <size_t n>
int FindIn(const char* const (&names)[n], std::string_view value) {
    const auto* found = std::find(std::begin(names), std::end(names), value);
    return found == std::end(names) ? -1 : static_cast<int>(found - names);
}

int ReadTypeName(std::string_view value) { return Find<DataType>(value, kDataTypeCount, CName); }
int ReadMemory(std::string_view value) {
    return Find<Memory>(value, isa::kMemoryCount, [](Memory m) { return isa::Name(m); });
}
uint64_t Bit(uint64_t i) { return uint64_t{1} << i; }
template <class Enum>
uint64_t Bit(Enum e) {
    return Bit(static_cast<uint64_t>(e));
}
uint64_t TypeOf(const Record& r, size_t operand) {
    return operand < r.operand_count ? Bit(r.operand[operand].type) : 0;
}
uint64_t MemoryOf(const Record& r, size_t operand) {
    return operand < r.operand_count ? Bit(r.operand[operand].memory) : 0;
}

constexpr const char* kApis[] = {"ascendc", "tik"};
constexpr const char* kCores[] = {"aicore", "cube", "vector"};
constexpr const char* kMasks[] = {"count", "continuous", "bits", "counter"};
constexpr const char* kAtomics[] = {"none", "add", "max", "min"};
// Behind the modes of Fixpipe those between L0C and UB.
constexpr int kDeqs = static_cast<int>(isa::Quant::kCount);

constexpr Key kKeys[] = {
    {"api", [](std::string_view v) { return FindIn(kApis, v); }, [](const Record& r) { return Bit(r.api); }},
    {"core", [](std::string_view v) { return FindIn(kCores, v); }, [](const Record& r) { return Bit(r.core_kind); }},
    {"form",
     [](std::string_view v) {
         constexpr const char* kForms[] = {
#define SFUMATO_FORM(form, ...) #form,
#include "isa/forms.inc"
#undef SFUMATO_FORM
         };
         return FindIn(kForms, v);
     },
     [](const Record& r) { return Bit(r.form()); }},
    {"type", ReadTypeName,
     [](const Record& r) {
         uint64_t types = 0;
         for (size_t i = 0; i < r.operand_count; ++i) types |= TypeOf(r, i);
         return types;
     }},
    {"dst", ReadTypeName, [](const Record& r) { return TypeOf(r, 0); }},
    {"src", ReadTypeName, [](const Record& r) { return TypeOf(r, 1); }},
    {"src1", ReadTypeName, [](const Record& r) { return TypeOf(r, 2); }},
    {"from", ReadMemory, [](const Record& r) { return MemoryOf(r, 1); }},
    {"to", ReadMemory, [](const Record& r) { return MemoryOf(r, 0); }},
    {"mask", [](std::string_view v) { return FindIn(kMasks, v); }, [](const Record& r) { return Bit(r.mask.mode); }},
    {"rounding",
     [](std::string_view v) {
         return Find<Rounding>(v, static_cast<int>(Rounding::kCount), [](Rounding m) { return Name(m); });
     },
     [](const Record& r) { return Bit(r.rounding); }},
    {"atomic", [](std::string_view v) { return FindIn(kAtomics, v); },
     [](const Record& r) { return isa::IsAtomic(r) ? Bit(r.control.atomic) : 0; }},
    {"quant",
     [](std::string_view v) {
         const int quant = Find<isa::Quant>(v, kDeqs, [](isa::Quant q) { return isa::Name(q); });
         const int deq = Find<isa::MatrixMove::Deq>(v, static_cast<int>(isa::MatrixMove::Deq::kCount), isa::DeqName);
         return quant >= 0 ? quant : deq >= 0 ? kDeqs + deq : -1;
     },
     [](const Record& r) {
         if (const auto* p = r.If<isa::Fixpipe>()) return Bit(p->quant);
         const auto* p = r.If<isa::MatrixMove>();
         return p ? Bit(static_cast<uint64_t>(kDeqs) + static_cast<uint64_t>(p->deq)) : 0;
     }},
    {"block",
     [](std::string_view v) {
         return Find<isa::MatrixMove::Block>(v, 3, [](isa::MatrixMove::Block b) { return isa::Name(b); });
     },
     [](const Record& r) {
         const auto* p = r.If<isa::MatrixMove>();
         return p ? Bit(p->block) : 0;
     }},
};

// A word for itself: what a record has or not.
struct Word {
    const char* name;
    bool (*holds)(const Record& r);
};

// holds(parameters), of a record of the form P.
template <class P, class Test>
bool Of(const Record& r, const Test& test) {
    const P* p = r.If<P>();
    return p && test(*p);
}

// Whether the mask leaves out lanes of a repeat.
bool Part(const Record& r) {
    const uint32_t lanes = isa::LanesPerRepeat(r);
    switch (r.mask.mode) {
        case isa::MaskMode::kCount: return false;
        case isa::MaskMode::kContinuous: return r.mask.count < lanes;
        case isa::MaskMode::kCounter: return r.mask.count % lanes != 0;
        default: break;
    }
    for (uint32_t i = 0; i < std::min(lanes, 128u); ++i) {
        if (!Contains(r.mask.bits[i / 64], i % 64)) return true;
    }
    return false;
}

bool InPlace(const Record& r) {
    for (int i = 1; i < r.operand_count; ++i) {
        const isa::Operand& source = r.operand[static_cast<size_t>(i)];
        if (source.memory == r.dst().memory && source.allocation == r.dst().allocation &&
            isa::SpanOf(r, 0).Overlaps(isa::SpanOf(r, i))) {
            return true;
        }
    }
    return false;
}

constexpr uint64_t kSignBit = 46, kOffsetBit = 37, kOffsetMask = 0x1FF, kShiftBit = 32, kShiftMask = 0xF;

constexpr Word kWords[] = {
    {"part", Part},
    {"in-place", InPlace},
    {"converts", [](const Record& r) { return r.operand_count > 1 && r.dst().type != r.src0().type; }},
    {"strided", [](const Record& r) { return r.operand_count > 1 && r.src0().repeat_stride != isa::kBlocksPerRepeat; }},
    {"half-block", [](const Record& r) { return r.half_block != isa::HalfBlock::kDense; }},
    // A word whose bit 46 disagrees with the destination.
    {"sign-disagrees",
     [](const Record& r) {
         return r.control.deq == isa::DeqScale::kWord &&
                Contains(r.control.deq_word, kSignBit) != (r.dst().type == DataType::kInt8);
     }},
    // A number of half at the end of its range.
    {"clamped-number",
     [](const Record& r) { return r.dst().type == DataType::kHalf && (r.immediate & 0x7FFF) == 0x7BFF; }},
    {"chosen-by-register",
     [](const Record& r) {
         return Of<isa::Select>(r, [](const auto& p) { return p.mode == isa::Select::Mode::kCmpMask; });
     }},
    {"compact", [](const Record& r) { return Of<isa::MovePad>(r, [](const auto& p) { return p.compact; }); }},
    {"suspends", [](const Record& r) { return Of<isa::MergeQueues>(r, [](const auto& p) { return p.suspend; }); }},
    {"falling", [](const Record& r) { return Of<isa::Load2D>(r, [](const auto& p) { return p.decrement; }); }},
    {"boundary",
     [](const Record& r) {
         return Of<isa::Load3Dv1>(r, [](const auto& p) { return p.boundary != 0; }) ||
                Of<isa::Load3Dv2>(r, [](const auto& p) { return p.boundary != 0; });
     }},
    {"jumps",
     [](const Record& r) {
         return Of<isa::Load3Dv1>(r, [](const auto& p) { return p.repeat_mode == 0 && p.jump_stride != 1; });
     }},
    {"past-filter",
     [](const Record& r) {
         return Of<isa::Load3Dv1>(
             r, [](const auto& p) { return p.fetch_w >= p.filter.width || p.fetch_h >= p.filter.height; });
     }},
    {"off-grid",
     [](const Record& r) {
         return Of<isa::Load3Dv1>(r, [](const auto& p) {
             return (p.left_top_w + p.map.left) % static_cast<int32_t>(std::max(1u, p.filter.stride_w)) != 0 ||
                    (p.left_top_h + p.map.top) % static_cast<int32_t>(std::max(1u, p.filter.stride_h)) != 0;
         });
     }},
    {"small-channels",
     [](const Record& r) { return Of<isa::Load3Dv1>(r, [](const auto& p) { return p.small_channels; }); }},
    {"channel-tail",
     [](const Record& r) {
         return Of<isa::Load3Dv2>(r, [&](const auto& p) { return p.channels % (256 / BitsOf(r.dst().type)) != 0; });
     }},
    {"repeated", [](const Record& r) { return Of<isa::Load3Dv2>(r, [](const auto& p) { return p.repeats > 1; }); }},
    // The last fractals of a matrix are not full.
    {"matrix-tail",
     [](const Record& r) {
         return Of<isa::Load3Dv2>(r,
                                  [&](const auto& p) {
                                      return p.m_extension % 16 != 0 ||
                                             p.k_extension % (256 / BitsOf(r.dst().type)) != 0;
                                  }) ||
                Of<isa::Matmul>(r, [](const auto& p) { return p.m % 16 != 0 || p.n % 16 != 0; }) ||
                Of<isa::Fixpipe>(r, [](const auto& p) { return p.n % 16 != 0; });
     }},
    {"row-major", [](const Record& r) { return Of<isa::Fixpipe>(r, [](const auto& p) { return p.row_major; }); }},
    {"several-k", [](const Record& r) { return Of<isa::Matmul>(r, [](const auto& p) { return p.k > 1; }); }},
    {"bias",
     [](const Record& r) {
         return Of<isa::Matmul>(r, [](const auto& p) { return p.initial == isa::Matmul::Initial::kBias; });
     }},
    {"gemv", [](const Record& r) { return Of<isa::Matmul>(r, [](const auto& p) { return p.vector_a; }); }},
    {"hf32",
     [](const Record& r) {
         return Of<isa::Matmul>(r, [](const auto& p) { return p.hf32 != isa::Matmul::Hf32::kOff; });
     }},
    {"unit-flag",
     [](const Record& r) {
         return Of<isa::Matmul>(r, [](const auto& p) { return p.unit_flag != 0; }) ||
                Of<isa::Fixpipe>(r, [](const auto& p) { return p.unit_flag != 0; });
     }},
    {"relu",
     [](const Record& r) {
         return Of<isa::Fixpipe>(r, [](const auto& p) { return p.relu; }) ||
                Of<isa::MatrixMove>(r, [](const auto& p) { return p.relu; });
     }},
    // The word of a mode with one word for all columns; of the others, which lie in memory, each may.
    {"word-offset",
     [](const Record& r) {
         return Of<isa::Fixpipe>(
             r, [](const auto& p) { return isa::IsVectorQuant(p.quant) || (p.word >> kOffsetBit & kOffsetMask) != 0; });
     }},
    {"word-shift",
     [](const Record& r) {
         return Of<isa::Fixpipe>(
             r, [](const auto& p) { return isa::IsVectorQuant(p.quant) || (p.word >> kShiftBit & kShiftMask) != 0; });
     }},
};

constexpr const char* kSources[] = {"nan", "minus-zero", "subnormal"};
constexpr uint32_t kSourceBits[] = {kSourceNan, kSourceMinusZero, kSourceSubnormal};
constexpr const char* kResults[] = {"nan", "limit", "zero", "subnormal", "twice"};
constexpr uint32_t kResultBits[] = {kResultNan, kResultLimit, kResultZero, kResultSubnormal, kResultTwice};

// Keys of a Term: the tables' rows one after another, then these.
constexpr size_t kKeyCount = std::size(kKeys), kWordCount = std::size(kWords);
constexpr uint8_t kChip = kKeyCount + kWordCount, kCall = kChip + 1, kData = kChip + 2, kFinding = kChip + 3;

std::vector<std::string> Split(std::string_view text, std::string_view separator) {
    std::vector<std::string> parts;
    for (size_t at = 0;;) {
        const size_t end = text.find(separator, at);
        parts.emplace_back(text.substr(at, end == std::string_view::npos ? end : end - at));
        if (end == std::string_view::npos) return parts;
        at = end + separator.size();
    }
}

[[noreturn]] void UnknownCondition(std::string_view text) { throw Error(fmt::format("unknown condition '{}'", text)); }

}  // namespace

Conditions::Term Conditions::Parse(std::string_view text) {
    const std::string_view whole = text;
    Term term{};
    if (text.starts_with("not ")) {
        term.wanted = false;
        text.remove_prefix(4);
    }
    const size_t equals = text.find('=');
    const std::string_view name = text.substr(0, equals);
    if (equals == std::string_view::npos) {
        for (size_t i = 0; i < kWordCount; ++i) {
            if (name != kWords[i].name) continue;
            term.key = static_cast<uint8_t>(kKeyCount + i);
            return term;
        }
        UnknownCondition(whole);
    }
    const std::vector<std::string> values = Split(text.substr(equals + 1), "|");
    if (name == "chip" || name == "call" || name == "finding") {
        term.key = name == "chip" ? kChip : name == "call" ? kCall : kFinding;
        term.names = values;
        for (const std::string& value : values) {
            const auto& families = Families();
            const bool known =
                std::any_of(families.begin(), families.end(), [&](const Chip& chip) { return chip.name == value; });
            if (value.empty() || (term.key == kChip && !known)) UnknownCondition(whole);
        }
        return term;
    }
    const auto read = [&](const auto& reader) {
        for (const std::string& value : values) {
            const int i = reader(value);
            if (i < 0) UnknownCondition(whole);
            term.set |= Bit(static_cast<uint64_t>(i));
        }
    };
    if (name == "source" || name == "result") {
        term.key = kData;
        uint64_t bits = 0;
        read([&](std::string_view v) {
            const int i = name == "source" ? FindIn(kSources, v) : FindIn(kResults, v);
            if (i >= 0) bits |= name == "source" ? kSourceBits[i] : kResultBits[i];
            return i;
        });
        term.set = bits;
        return term;
    }
    for (size_t i = 0; i < kKeyCount; ++i) {
        if (name != kKeys[i].name) continue;
        term.key = static_cast<uint8_t>(i);
        read(kKeys[i].read);
        return term;
    }
    UnknownCondition(whole);
}

void Conditions::Add(const std::string& text) {
    if (text == "never") {
        never_ = true;
        return;
    }
    std::vector<Term> alternatives;
    for (const std::string& part : Split(text, " or ")) {
        alternatives.push_back(Parse(part));
        const Term& term = alternatives.back();
        if (term.key == kData) values_ |= static_cast<uint32_t>(term.set);
        if (term.key == kFinding) findings_.insert(findings_.end(), term.names.begin(), term.names.end());
    }
    const bool finding = alternatives[0].key == kFinding;
    if (finding && alternatives.size() > 1) UnknownCondition(text);
    if (!finding) all_.push_back(std::move(alternatives));
}

bool Conditions::Holds(const Term& term, const Use& use) {
    const auto named = [&](std::string_view name) {
        return std::find(term.names.begin(), term.names.end(), name) != term.names.end();
    };
    bool holds = false;
    if (term.key < kKeyCount) {
        holds = (kKeys[term.key].of(use.record) & term.set) != 0;
    } else if (term.key < kKeyCount + kWordCount) {
        holds = kWords[term.key - kKeyCount].holds(use.record);
    } else if (term.key == kChip) {
        holds = named(use.chip.name);
    } else if (term.key == kCall) {
        holds = named(isa::CallName(use.record));
    } else {
        holds = (use.values & term.set) != 0;
    }
    return holds == term.wanted;
}

bool Conditions::Possible(const Chip& chip, isa::Api api) const {
    if (never_) return false;
    Record record;
    record.api = api;
    const Use use{record, chip};
    const auto fixed = [](const Term& term) {
        return term.key == kChip || (term.key < kKeyCount && std::string_view(kKeys[term.key].name) == "api");
    };
    return std::all_of(all_.begin(), all_.end(), [&](const std::vector<Term>& alternatives) {
        return std::any_of(alternatives.begin(), alternatives.end(),
                           [&](const Term& term) { return !fixed(term) || Holds(term, use); });
    });
}

bool Conditions::Hold(const Use& use) const {
    return std::all_of(all_.begin(), all_.end(), [&](const std::vector<Term>& alternatives) {
        return std::any_of(alternatives.begin(), alternatives.end(),
                           [&](const Term& term) { return Holds(term, use); });
    });
}

}  // namespace sfumato::soc
