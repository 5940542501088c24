// SPDX-License-Identifier: Apache-2.0
// The families, the lookup by name and the lists that reports print.
#include "soc/chip.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <map>
#include <mutex>
#include <optional>
#include <utility>

#include "sfumato/letters.h"
#include "soc/embedded.h"
#include "soc/reader.h"
#include "soc/timing.h"

namespace sfumato::soc {
namespace {

// Each file parsed at most once, when first asked for.
const OrderedChip& Parsed(size_t i) {
    struct Slot {
        std::once_flag once;
        std::optional<OrderedChip> chip;
    };
    static std::vector<Slot> slots(ChipFiles().size());
    Slot& slot = slots[i];
    std::call_once(slot.once, [&] { slot.chip = ReadChip(ChipFiles()[i].name, ChipFiles()[i].text); });
    return *slot.chip;
}

// What the user most likely meant, or "": fewest edits, then longest common start. "910b1" is measured as
// "ascend910b1" too.
std::string Nearest(std::string_view name) {
    const std::string wanted = Lower(std::string(name));
    const size_t limit = std::min<size_t>(3, wanted.size() / 3);  // beyond it a suggestion is a guess
    std::string best;
    std::pair<size_t, size_t> best_score{limit + 1, 0};
    const auto consider = [&](const std::string& candidate, const std::string& as) {
        const std::string lower = Lower(candidate);
        const auto common = std::mismatch(as.begin(), as.end(), lower.begin(), lower.end()).first - as.begin();
        // A cut-off name ("Ascend910_93") is one edit.
        const bool cut_off = as.size() > std::string_view("ascend").size() && lower.starts_with(as);
        const std::pair score{cut_off ? std::min<size_t>(1, lower.size() - as.size()) : EditDistance(as, lower),
                              lower.size() - static_cast<size_t>(common)};
        if (score < best_score) {
            best_score = score;
            best = candidate;
        }
    };
    for (const std::string& as : {wanted, "ascend" + wanted}) {
        for (const Chip& chip : Families()) {
            consider(chip.name, as);
            for (const Product& product : chip.products) consider(product.name, as);
        }
    }
    return best;
}

// Lower letters and digits, without what names may begin with: "910c" of "Ascend 910C", "a3" of "Atlas A3".
std::string Bare(std::string_view name) {
    std::string bare;
    for (const char c : Lower(std::string(name))) {
        if ((c >= 'a' && c <= 'z') || (c >= '0' && c <= '9')) bare += c;
    }
    for (const std::string_view brand : {"ascend", "atlas"}) {
        if (bare.starts_with(brand)) bare.erase(0, brand.size());
    }
    return bare;
}

// The products that are sold under the name, or nullptr.
const Series* SoldAs(std::string_view name) {
    const std::string bare = Bare(name);
    for (size_t i = 0; i < ChipFiles().size(); ++i) {
        for (const Series& series : Parsed(i).series) {
            if (std::ranges::any_of(series.called, [&](const auto& called) { return Bare(called) == bare; }))
                return &series;
        }
    }
    return nullptr;
}

[[noreturn]] void UnknownChip(std::string_view name) {
    std::string text = name.empty() ? "no chip was named" : fmt::format("unknown chip '{}'", name);
    if (const Series* sold = SoldAs(name)) {
        text += fmt::format("; the chips of {} are {}: npu-smi info shows which one a board has", sold->name,
                            fmt::join(sold->products, ", "));
    } else if (const std::string nearest = Nearest(name); !nearest.empty())
        text += fmt::format("; did you mean {}?", nearest);
    text += "\nfamilies and their products (either name will do, in any case):";
    for (const Chip& chip : Families()) {
        std::string products;
        for (const Product& product : chip.products) products += (products.empty() ? "" : ", ") + product.name;
        text += fmt::format("\n  {:<17} {}", chip.name, products);
    }
    throw UnsupportedError(text);
}

}  // namespace

const std::vector<Chip>& Families() {
    static const std::vector<Chip> families = [] {
        std::vector<const OrderedChip*> ordered;
        for (size_t i = 0; i < ChipFiles().size(); ++i) ordered.push_back(&Parsed(i));
        std::sort(ordered.begin(), ordered.end(),
                  [](const OrderedChip* a, const OrderedChip* b) { return a->order < b->order; });
        std::vector<Chip> chips;
        for (const OrderedChip* chip : ordered) chips.push_back(chip->chip);
        return chips;
    }();
    return families;
}

namespace {

Chip SearchChip(std::string_view name, const std::string& wanted) {
    // Parsing is the slow part: only files that hold the name as it is written are read, or all when none does.
    const std::string in_quotes = fmt::format("{}\"", name);
    std::vector<size_t> holders;
    for (size_t i = 0; i < ChipFiles().size(); ++i) {
        if (ChipFiles()[i].text.find(in_quotes) != std::string_view::npos) holders.push_back(i);
    }
    for (size_t i = 0; i < ChipFiles().size(); ++i) {
        if (!holders.empty() && std::find(holders.begin(), holders.end(), i) == holders.end()) continue;
        const Chip& family = Parsed(i).chip;
        if (Lower(family.name) == wanted) return family;
        for (const Product& product : family.products) {
            if (Lower(product.name) != wanted) continue;
            Chip chip = family;
            SelectProduct(chip, product);
            return chip;
        }
    }
    UnknownChip(name);
}

}  // namespace

std::vector<std::string> ChipsWithTiming() {
    std::vector<std::string> names;
    for (size_t i = 0; i < ChipFiles().size(); ++i) {
        if (!Parsed(i).chip.timing) continue;
        for (const TimingProduct& product : Parsed(i).chip.timing->products) names.push_back(product.name);
    }
    return names;
}

const Chip& FindChip(std::string_view name) {
    static std::mutex mutex;
    static std::map<std::string, Chip>& found = *new std::map<std::string, Chip>;  // threads outlive statics
    std::string wanted = Lower(std::string(name));
    std::lock_guard lock(mutex);
    const auto at = found.find(wanted);
    if (at != found.end()) return at->second;
    Chip chip = SearchChip(name, wanted);
    return found.emplace(std::move(wanted), std::move(chip)).first->second;
}

Overflow PolicyOf(const Chip& chip, Overflow asked) {
    if (asked == Overflow::kBoard) return chip.board_overflow;
    if (asked == Overflow::kInfNan && !chip.supports_infnan) {
        throw UnsupportedError(fmt::format(
            "{} has no inf/nan mode: legal overflow policies are saturate and board (which is saturate there)",
            chip.name));
    }
    return asked;
}

Overflow PolicyOf(const Chip& chip, std::optional<Overflow> asked, Overflow otherwise) {
    return PolicyOf(chip, asked.value_or(chip.board_always ? Overflow::kBoard : otherwise));
}

std::string TypeList(uint16_t types, isa::Api api) {
    std::string out;
    for (int i = 0; i < kDataTypeCount; ++i) {
        if (((types >> i) & 1) == 0) continue;
        const DataType type = static_cast<DataType>(i);
        out += fmt::format("{}{}", out.empty() ? "" : ", ", api == isa::Api::kAscendC ? CName(type) : NumpyName(type));
    }
    return out.empty() ? "none" : out;
}

std::string ConversionList(const Chip& chip, isa::Api api, DataType src) {
    std::string out;
    for (const ConversionRow& row : chip.conversions) {
        if (row.api != api || row.src != src) continue;
        out += fmt::format("{}{} ({})", out.empty() ? "" : ", ",
                           api == isa::Api::kAscendC ? CName(row.dst) : NumpyName(row.dst), ModeList(row));
    }
    return out;
}

std::string ModeList(const ConversionRow& row) {
    std::string out;
    for (const std::string& mode : row.mode_names) {
        out += (out.empty() ? "" : ", ") + (mode.empty() ? std::string("''") : mode);
    }
    return out;
}

}  // namespace sfumato::soc
