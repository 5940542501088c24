// SPDX-License-Identifier: Apache-2.0
// Where undefined bytes come from: whose buffer, since which call, and which write left them out.
#pragma once

#include <map>
#include <mutex>
#include <optional>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "sanitize/launch_view.h"

namespace sfumato::sanitize {

// A write to a part of a buffer.
struct Writer {
    const char* call = nullptr;
    Where where;
    isa::Span bytes;
};

// Bytes that began a life together: what AllocTensor or InitBuffer handed out, a memory or an allocation before.
struct Region {
    isa::Span bytes;
    const char* call = nullptr;  // nullptr: nobody handed them out
    Where where;
    std::vector<Writer> writers = {};  // the last few, while the region is not whole
    size_t next_writer = 0;
};

struct Origin {
    bool stale = false;
    std::string memory;  // "UB", or an allocation's name
    bool gm = false;
    isa::Span gap;  // the first bytes of it that were used
    isa::Span buffer;
    const char* buffer_call = nullptr;
    Where buffer_where;
    Writer reader;                // the first instruction they went into
    Writer writer;                // the one next to the gap; call is nullptr when nobody wrote to the buffer
    std::optional<Report> store;  // where it reached an output, until that is told

    // "bytes 200 to 255 of UB, which nobody wrote", "bytes 0 to 63 of 'workspace', which nobody wrote".
    std::string Found() const;
    // The other lines of a report at `where`.
    std::vector<RelatedPlace> Related(Where where) const;
    std::string Hint() const;
};

// Those of a launch; an index is stable, 0 is none.
class Origins {
public:
    uint32_t Add(Origin origin);
    Origin At(uint32_t index) const;
    bool IsStale(uint32_t index) const;
    // The same origin on its way to an output, one entry for each line that stores it.
    uint32_t Stored(uint32_t index, const Report& report);

private:
    mutable std::mutex mutex_;
    std::vector<Origin> origins_{Origin{}};
    std::map<std::tuple<uint32_t, std::string, uint32_t, int64_t>, uint32_t> stored_;
};

// The regions of one memory of a core.
class Regions {
public:
    explicit Regions(uint64_t bytes) : whole_{{0, bytes}} {}
    void Renew(isa::Span bytes, const char* call, Where where);
    void Write(isa::Span bytes, const char* call, Where where);
    // The one that holds the byte.
    Region& Of(uint64_t at);

private:
    std::map<uint64_t, Region> regions_;  // by their begin; they do not overlap
    Region whole_;
};

// The write nearest to the gap; of bytes nobody handed out, only one that touches it.
Writer WriterNextTo(const Region& region, isa::Span gap);

}  // namespace sfumato::sanitize
