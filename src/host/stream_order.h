// SPDX-License-Identifier: Apache-2.0
// Which work of streams comes before which, under streams=check (clients.md 3.3), and in programs with communicators of
// several ranks, for the buffers of their collectives (ranks.md 5). Work runs when it is submitted; what is kept here
// is what a board would order: a vector clock for every stream and for the host, and for every block of the device who
// last wrote and read each of its bytes.
#pragma once

#include <atomic>
#include <cstdint>
#include <map>
#include <mutex>
#include <set>
#include <string>
#include <tuple>
#include <vector>

#include "report/finding.h"
#include "runtime/memory/touched_memory.h"

namespace sfumato::host {

// Who does a piece of work. All threads of the host are one.
struct Doer {
    bool is_host;
    const void* stream = nullptr;  // nullptr: the default stream
    auto operator<=>(const Doer&) const = default;
};
constexpr Doer kTheHost{true};
constexpr Doer OnStream(const void* stream) { return {false, stream}; }

// Of SFUMATO_OPTIONS. Throws Error for words that are not legal.
struct StreamsOption {
    bool check = false, strict = false;
};
StreamsOption StreamsOptionOfEnvironment();

class StreamOrder {
public:
    static StreamOrder& The();

    // As SFUMATO_OPTIONS says from the first call on, until Enable.
    bool on() const { return on_; }
    // The order of streams is kept, and copies of the host and collectives are submitted: of pairs with a collective it
    // tells without `on`, too.
    bool keeps() const { return on_ || comms_; }
    void KeepForComms() { comms_ = true; }
    bool strict() const { return strict_; }
    void Enable(bool on, bool strict);

    enum class Of : uint8_t { kStreams, kComms };
    // A piece of work, behind what its stream and the host waited for. `call`: as the user wrote it ("add<<<>>>"). A
    // finding for each earlier piece that nothing orders and that touched the same bytes, one of the two writing them;
    // once for each pair of places. Memory of the host is not watched.
    std::vector<Report> Submit(const Doer& doer, const std::string& call, Where where,
                               const std::vector<runtime::TouchedBytes>& touched, Of of = Of::kStreams);

    // Streams are numbered as they are made.
    void Made(const void* stream);
    // A new block lies at p: nobody has touched it.
    void MadeBlock(const void* p);

    void Recorded(const void* event, const void* stream);
    void Waits(const void* stream, const void* event);
    void Forget(const void* event);
    // The host goes on behind all that was submitted: to a stream, before an event, to any stream.
    void SynchronizedWith(const void* stream);
    void SynchronizedWithEvent(const void* event);
    void SynchronizedWithAll();

private:
    StreamOrder();

    using Clock = std::map<Doer, uint64_t>;
    struct Moment {
        Doer doer;
        uint64_t time = 0;  // 0: never
        uint32_t place = 0;
        bool operator==(const Moment&) const = default;
    };
    // The bytes up to `end` of a block, from its key on.
    struct Piece {
        uint64_t end = 0;
        Moment written;
        std::map<Doer, Moment> read;  // since then
    };
    using Pieces = std::map<uint64_t, Piece>;
    struct Place {
        Doer doer;
        std::string call, file;
        uint32_t line;
        Of of;
        auto operator<=>(const Place&) const = default;
    };
    struct Access {
        uintptr_t block;
        std::string name;
        uint64_t begin, end;
        bool write;
    };

    static void Join(Clock& clock, const Clock& other);
    static void Split(Pieces& pieces, uint64_t at);
    std::vector<Access> AccessesOf(const std::vector<runtime::TouchedBytes>& touched) const;
    void Apply(const Access& access, const Moment& now, const Clock& clock, std::vector<Report>& reports);
    void Tell(const Moment& earlier, bool earlier_wrote, const Moment& now, const Access& access, uint64_t begin,
              uint64_t end, std::vector<Report>& reports);
    std::string NameOf(const Doer& doer) const;

    std::atomic<bool> on_ = false, strict_ = false, comms_ = false;
    mutable std::mutex mutex_;
    std::map<const void*, uint32_t> numbers_;  // of streams
    std::map<Doer, Clock> clocks_;
    std::map<const void*, Clock> events_;
    std::map<uintptr_t, Pieces> blocks_;  // by base
    std::map<Place, uint32_t> place_numbers_;
    std::vector<Place> places_;
    std::set<std::tuple<uint32_t, bool, uint32_t, bool>> told_;
};

}  // namespace sfumato::host
