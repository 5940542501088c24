// SPDX-License-Identifier: Apache-2.0
// Collectives: tables of calls that differ; copies and reductions between the buffers of ranks.
#include "runtime/world/collective.h"
#include "runtime/world/rank_texts.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <numeric>

namespace sfumato::runtime {
namespace {

constexpr CommType kCommTypes[] = {
    {"int8", 1, DataType::kInt8},     {"int16", 2, DataType::kInt16},   {"int32", 4, DataType::kInt32},
    {"fp16", 2, DataType::kHalf},     {"fp32", 4, DataType::kFloat},    {"int64", 8, DataType::kInt64},
    {"uint64", 8, DataType::kCount},  {"uint8", 1, DataType::kCount},   {"uint16", 2, DataType::kCount},
    {"uint32", 4, DataType::kCount},  {"fp64", 8, DataType::kCount},    {"bfp16", 2, DataType::kBfloat16},
    {"int128", 16, DataType::kCount}, {nullptr, 0, DataType::kCount},   {"hif8", 1, DataType::kCount},
    {"fp8e4m3", 1, DataType::kCount}, {"fp8e5m2", 1, DataType::kCount}, {"fp8e8m0", 1, DataType::kCount}};

constexpr const char* kOpNames[] = {"sum", "prod", "max", "min"};

uint64_t BytesOfCall(const Collective& call) { return CommTypeOf(call.type)->bytes; }

// The part of a buffer that concerns a rank, where it has parts.
Part PartFor(const std::vector<Part>& parts, size_t place, const Collective& call) {
    return parts.empty() ? Part{0, call.count.value_or(0)} : parts[place];
}

std::string TableOf(std::span<const Collective> calls, std::span<const uint32_t> ranks) {
    std::vector<std::pair<uint32_t, std::string>> texts;
    for (size_t i = 0; i < calls.size(); ++i) texts.emplace_back(ranks[i], calls[i].Text());
    return TextOfRanks(texts);
}

// What of the calls differs; null: nothing.
const char* DifferenceOf(const Collective& a, const Collective& b) {
    if (a.kind != b.kind || a.call != b.call) return "do not make the same call";
    if (a.type != b.type) return "give different types";
    if (a.op != b.op) return "give different operations";
    if (a.root != b.root) return "give different roots";
    if (a.count != b.count) return "give different counts";
    if (a.matrix != b.matrix) return "give different matrices of counts";
    if (a.repeat != b.repeat) return "prepare different numbers of tasks";
    return nullptr;
}

struct Counts {
    uint64_t sent, expected;
    size_t from, to;
};

// Elements that a rank sends and another does not expect.
std::optional<Counts> UnequalCounts(std::span<const Collective> calls) {
    for (size_t i = 0; i < calls.size(); ++i) {
        for (size_t j = 0; j < calls.size(); ++j) {
            const Collective &from = calls[i], &to = calls[j];
            uint64_t sent = 0, expected = 0;
            switch (from.kind) {
                case CollectiveKind::kAlltoAll: sent = from.sends[j].count, expected = to.recvs[i].count; break;
                case CollectiveKind::kAllGather:
                    sent = PartFor(from.sends, 0, from).count, expected = to.recvs[i].count;
                    break;
                case CollectiveKind::kReduceScatter:
                    sent = from.sends[j].count, expected = PartFor(to.recvs, 0, to).count;
                    break;
                default: return std::nullopt;
            }
            if (sent != expected) return Counts{sent, expected, i, j};
        }
    }
    return std::nullopt;
}

}  // namespace

const CommType* CommTypeOf(int number) {
    const bool known = number >= 0 && number < static_cast<int>(std::size(kCommTypes)) && kCommTypes[number].name;
    return known ? &kCommTypes[number] : nullptr;
}

std::vector<Part> EvenParts(size_t n, uint64_t count, uint64_t stride) {
    std::vector<Part> parts(n);
    for (size_t i = 0; i < n; ++i) parts[i] = {i * stride, count};
    return parts;
}

std::string Collective::Text() const {
    std::string text;
    const auto add = [&text](const std::string& word) { text += (text.empty() ? "" : ", ") + word; };
    if (count && kind != CollectiveKind::kBarrier) add(fmt::format("count {}", *count));
    if (kind != CollectiveKind::kBarrier) add(CommTypeOf(type)->name);
    if (op) add(kOpNames[static_cast<int>(*op)]);
    if (root) add(fmt::format("root {}", *root));
    if (repeat != 1) add(fmt::format("repeat {}", repeat));
    return fmt::format("{}({})", call, text);
}

std::optional<Finding> MismatchOf(std::span<const Collective> calls, std::span<const uint32_t> ranks) {
    for (const Collective& call : calls) {
        if (const char* differs = DifferenceOf(calls[0], call)) {
            return Finding{Rule::kCollectiveMismatch,
                           "",
                           fmt::format("the ranks {}", differs),
                           TableOf(calls, ranks),
                           "the same call, type, operation, root and count on all ranks, in the same order",
                           "make one of them as the others"};
        }
    }
    const std::optional<Counts> counts = UnequalCounts(calls);
    if (!counts) return std::nullopt;
    return Finding{Rule::kCountMismatch,
                   "",
                   "a rank does not expect as many elements as another sends to it",
                   fmt::format("rank {} sends {} to rank {}, which expects {} from it", ranks[counts->from],
                               counts->sent, ranks[counts->to], counts->expected),
                   "for each pair of ranks the same count on both",
                   "the counts that a rank receives are those that the others send to it"};
}

namespace {

// Buffers of a collective, with what is read of those that the same call writes put aside.
class Buffers {
public:
    explicit Buffers(std::span<const Collective> calls) : calls_(calls), aside_(calls.size()) {}

    const uint8_t* Send(size_t place) const {
        return aside_[place].empty() ? calls_[place].send : aside_[place].data();
    }
    // Of a rank whose receive buffer overlaps what it sends.
    void PutAside() {
        for (size_t i = 0; i < calls_.size(); ++i) {
            const Collective& call = calls_[i];
            const uint64_t sent = Extent(call.sends, call), got = Extent(call.recvs, call);
            if (call.send >= call.recv + got || call.recv >= call.send + sent) continue;
            aside_[i].assign(call.send, call.send + sent);
        }
    }

private:
    static uint64_t Extent(const std::vector<Part>& parts, const Collective& call) {
        uint64_t end = parts.empty() ? call.count.value_or(0) : 0;
        for (const Part& part : parts) end = std::max(end, part.offset + part.count);
        return end * BytesOfCall(call);
    }
    std::span<const Collective> calls_;
    std::vector<std::vector<uint8_t>> aside_;
};

void CopyPart(const Collective& to, Part at, const uint8_t* from, Part of) {
    const uint64_t bytes = BytesOfCall(to);
    if (at.count != 0) std::memmove(to.recv + at.offset * bytes, from + of.offset * bytes, at.count * bytes);
}

// To all ranks, or to the root; the elements of one rank's part of kReduceScatter alone.
void Reduce(std::span<const Collective> calls, numeric::CollectiveOrder order) {
    const Collective& first = calls[0];
    const uint64_t bytes = BytesOfCall(first);
    std::vector<const uint8_t*> from(calls.size());
    std::vector<std::vector<uint8_t>> results;  // nothing is written while other parts are still to be read
    const size_t parts = first.kind == CollectiveKind::kReduceScatter ? calls.size() : 1;
    for (size_t p = 0; p < parts; ++p) {
        const Part part = PartFor(first.sends, p, first);
        for (size_t i = 0; i < calls.size(); ++i)
            from[i] = calls[i].send + PartFor(calls[i].sends, p, calls[i]).offset * bytes;
        results.emplace_back(part.count * bytes);
        if (part.count == 0) continue;
        const auto chunk = parts > 1 ? std::optional(static_cast<uint32_t>(p)) : std::nullopt;
        numeric::Collect(*first.op, CommTypeOf(first.type)->reduced, from, results[p].data(), part.count, order, chunk);
    }
    for (size_t i = 0; i < calls.size(); ++i) {
        if (first.root && *first.root != i) continue;
        const std::vector<uint8_t>& result = results[parts > 1 ? i : 0];
        if (!result.empty()) std::memcpy(calls[i].recv, result.data(), result.size());
    }
}

}  // namespace

void Perform(std::span<const Collective> calls, numeric::CollectiveOrder order) {
    Buffers buffers(calls);
    const Collective& first = calls[0];
    const size_t n = calls.size();
    switch (first.kind) {
        case CollectiveKind::kBarrier: return;
        case CollectiveKind::kAllReduce:
        case CollectiveKind::kReduce:
        case CollectiveKind::kReduceScatter: return Reduce(calls, order);
        case CollectiveKind::kBroadcast:
            for (const Collective& to : calls) CopyPart(to, {0, *to.count}, calls[*first.root].send, {});
            return;
        case CollectiveKind::kScatter:
            buffers.PutAside();
            for (size_t i = 0; i < n; ++i)
                CopyPart(calls[i], {0, *first.count}, buffers.Send(*first.root), calls[*first.root].sends[i]);
            return;
        case CollectiveKind::kAllGather:
            buffers.PutAside();
            for (const Collective& to : calls) {
                for (size_t i = 0; i < n; ++i) CopyPart(to, to.recvs[i], buffers.Send(i), {});
            }
            return;
        case CollectiveKind::kAlltoAll:
            buffers.PutAside();
            for (size_t j = 0; j < n; ++j) {
                for (size_t i = 0; i < n; ++i)
                    CopyPart(calls[j], calls[j].recvs[i], buffers.Send(i), calls[i].sends[j]);
            }
            return;
    }
}

}  // namespace sfumato::runtime
