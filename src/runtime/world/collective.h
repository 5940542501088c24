// SPDX-License-Identifier: Apache-2.0
// One collective call of all ranks of a domain: whether their calls go together, and what it does to their buffers
// (ranks.md 7.1, 8, 9.2). Calls of hosts and of kernels alike.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "numeric/collective.h"
#include "report/finding.h"

namespace sfumato::runtime {

// An element type by the number of HcclDataType.
struct CommType {
    const char* name;  // "fp16"
    uint32_t bytes;    // of an element
    DataType reduced;  // kCount: copied only
};
// Null: no type has the number.
const CommType* CommTypeOf(int number);

enum class CollectiveKind : uint8_t {
    kAllReduce,
    kReduce,
    kReduceScatter,
    kAllGather,
    kBroadcast,
    kScatter,
    kAlltoAll,
    kBarrier
};

// Elements of a buffer that go to, or come from, one rank.
struct Part {
    uint64_t offset = 0, count = 0;
    bool operator==(const Part&) const = default;
};
// n parts of the same count, `stride` elements from one to the next.
std::vector<Part> EvenParts(size_t n, uint64_t count, uint64_t stride);

// A rank's side of it.
struct Collective {
    CollectiveKind kind{};
    std::string call;  // "HcclAllReduce"
    const uint8_t* send = nullptr;
    uint8_t* recv = nullptr;
    int type = 0;
    std::optional<numeric::CollectiveOp> op = {};
    std::optional<uint32_t> root = {};
    // Elements, where each rank must give the same; of calls with counts for each rank it is none.
    std::optional<uint64_t> count = {};
    // Of `send` by the rank that gets it: kReduceScatter, kScatter (at the root), kAlltoAll. Otherwise all of it is one
    // part; none: `count`.
    std::vector<Part> sends = {};
    // Of `recv` by the rank that gave it: kAllGather, kAlltoAll. Otherwise all of it is one part; none: `count`.
    std::vector<Part> recvs = {};
    std::vector<uint64_t> matrix = {};  // of counts, that all ranks must give alike
    uint32_t repeat = 1;                // tasks of one kind that a kernel prepares together

    // "HcclAllReduce(count 16, fp32, sum)"
    std::string Text() const;
};

// Why the calls of all ranks of a domain, by place, are not one collective: collective-mismatch or count-mismatch with
// a table of what each rank calls. `ranks`: their numbers in reports.
std::optional<Finding> MismatchOf(std::span<const Collective> calls, std::span<const uint32_t> ranks);

// Does it. The calls go together. `recv` may be `send` where the operation has the same place for both.
void Perform(std::span<const Collective> calls, numeric::CollectiveOrder order);

}  // namespace sfumato::runtime
