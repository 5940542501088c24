// SPDX-License-Identifier: Apache-2.0
// Global memory: who touched it, who waits for whom, and what data caches hold.
#include "sanitize/races.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <thread>

#include "isa/racy.h"
#include "report/finding.h"
#include "sanitize/race_words.h"

namespace sfumato::sanitize {
namespace {

bool ByBegin(const isa::Span& a, const isa::Span& b) { return a.begin < b.begin; }

// In order, those that touch as one; the first few.
std::vector<isa::Span> Joined(std::vector<isa::Span> spans) {
    constexpr size_t kMost = 16;
    std::ranges::sort(spans, ByBegin);
    std::vector<isa::Span> joined;
    for (const isa::Span& span : spans) {
        if (joined.empty() || span.begin > joined.back().end) {
            if (joined.size() == kMost) break;
            joined.push_back(span);
        } else {
            joined.back().end = std::max(joined.back().end, span.end);
        }
    }
    return joined;
}

}  // namespace

Races::Races(const LaunchView& launch)
    : launch_(launch), running_(launch.cores), gm_(launch.gm.size()), polls_(launch.chip.data_sync_barrier) {
    if (WantsOnChip()) return;
    for (const GmAllocation& a : launch.gm)
        parts_.push_back(a.live && a.bytes > 0 ? std::make_unique<OwnParts>(a.bytes) : nullptr);
}

// Lets the other thread of a processor's core run.
void Pause() {
#if defined(__x86_64__)
    __builtin_ia32_pause();
#elif defined(__aarch64__)
    asm volatile("isb");
#endif
}

// A core that stops at a fault leaves its store as it is: nobody waits for it longer than this.
constexpr auto kPatience = std::chrono::seconds(1);

// It is held for less time than falling asleep takes.
std::unique_lock<std::mutex> Races::Lock() {
    constexpr int kTries = 200;
    std::unique_lock lock(mutex_, std::defer_lock);
    for (int i = 0; i < kTries; ++i) {
        if (lock.try_lock()) return lock;
        Pause();
    }
    lock.lock();
    return lock;
}

std::unique_lock<std::mutex> Races::Turn(uint64_t core) {
    std::unique_lock lock = Lock();
    const auto free = [&] { return alone_ == 0 || alone_ == core + 1; };
    if (!free()) done_.wait_for(lock, kPatience, free);
    return lock;
}

void Races::AwaitDone(const Access& store) const {
    const auto end = std::chrono::steady_clock::now() + kPatience;
    while (IsRunning(store) && std::chrono::steady_clock::now() < end) std::this_thread::yield();
}

void Races::Done(uint64_t core) {
    Runs(core, 0);
    {
        const auto lock = Lock();
        if (alone_ != core + 1) return;
        alone_ = 0;
    }
    done_.notify_all();
}

Known Races::Publish(uint64_t core, const Clock& clock) const {
    auto known = clock.others ? std::make_shared<std::vector<Bounds>>(*clock.others)
                              : std::make_shared<std::vector<Bounds>>(launch_.cores);
    JoinBounds((*known)[core], clock.own);
    return known;
}

uint32_t Races::SiteOf(const Access& access) {
    const auto lock = Lock();
    const auto known = std::ranges::find_if(sites_, [&](const Access& site) { return site.IsButForTick(access); });
    if (known == sites_.end()) return sites_.push_back(access), static_cast<uint32_t>(sites_.size() - 1);
    return static_cast<uint32_t>(known - sites_.begin());
}

void Races::Share(uint32_t allocation, isa::Span bytes) {
    History::NoJudge nothing;  // of one core all
    OwnParts* parts = PartsOf(allocation);
    bytes.end = std::min(bytes.end, launch_.gm[allocation].bytes);
    for (uint64_t part = bytes.begin / OwnParts::kPart; parts && part * OwnParts::kPart < bytes.end; ++part) {
        if (parts->IsShared(part)) continue;
        parts->Share(part, [&](isa::Span kept, uint64_t tick, uint32_t site) {
            Access access = sites_[site];
            access.tick = tick;
            HistoryOf(allocation).Touch(kept, access, nothing);
        });
    }
}

Races::GmTouch::GmTouch(Races& races, const GmAccess& gm, const Clock& clock, const uint8_t* content,
                        History::Judge* own, Outcome* outcome)
    : races_(races),
      gm_(gm),
      clock_(clock),
      content_(content),
      own_(own),
      outcome_(*outcome),
      lock_(races.Turn(gm.access.core)) {
    if (gm.access.kind != Access::Kind::kRead) races_.stores_.fetch_add(1, std::memory_order_release);
}

void Races::GmTouch::Run(isa::Span run, bool only) {
    races_.Share(gm_.allocation, run);
    History& history = races_.HistoryOf(gm_.allocation);
    if (!only || !history.TouchAlone(run, gm_.access, *this)) {
        if (!walk_) walk_.emplace(history, gm_.access, static_cast<History::Judge&>(*this));
        walk_->Touch(run);
    }
    // What is given the older bytes may be a poll: then it reads the line again.
    if (!races_.launch_.chip.clean_cache || !outcome_.not_yet.empty()) return;
    if (gm_.access.by_scalar) {
        races_.lines_.Scalar(gm_.allocation, run, gm_.access, *this);
        if (outcome_.learnt) races_.lines_.IsFresh(gm_.access.core, gm_.allocation, run.begin);
        if (gm_.access.kind != Access::Kind::kRead) JudgeLines(run);
    } else {
        races_.lines_.Pipe(gm_.allocation, run, gm_.access, *this);
    }
}

uint64_t Races::GmTouch::NotAwaited(isa::Span line, Access* last) {
    if (outcome_.learnt) return 0;
    const History& history = races_.HistoryOf(gm_.allocation);
    const Past* before = nullptr;
    bool counts = false;
    uint64_t bytes = 0;
    for (uint64_t byte = line.begin; byte < line.end; ++byte) {
        const Past* past = history.At(byte);
        if (past != before) {
            before = past;
            counts = past && past->written && past->write.core != gm_.access.core && !Ordered(past->write);
            if (counts) *last = past->write;
        }
        if (counts) bytes |= uint64_t{1} << (byte - line.begin);
    }
    return bytes;
}

// What other cores' pipes have stored beside it in its lines: they may come before or after the line is written back.
void Races::GmTouch::JudgeLines(isa::Span run) {
    const isa::Span lines{CacheLines::LineOf(run.begin), CacheLines::LineOf(run.end - 1) + CacheLines::kLine};
    const History& history = races_.HistoryOf(gm_.allocation);
    const Access* last = nullptr;
    for (uint64_t byte = lines.begin; byte < lines.end; ++byte) {
        const Past* past = byte >= run.begin && byte < run.end ? nullptr : history.At(byte);
        const Access* write = past && past->written ? &past->write : nullptr;
        if (!write || write == last) continue;
        last = write;
        if (write->core == gm_.access.core || write->by_scalar || Ordered(*write)) continue;
        const isa::Span line{CacheLines::LineOf(byte), CacheLines::LineOf(byte) + CacheLines::kLine};
        races_.NoteCache(CacheLines::Trouble::kLostWrite, gm_.access, {*write, gm_.allocation, line}, line, false);
    }
}

void Races::GmTouch::End(uint64_t done) {
    if (!gm_.access.few_bytes) return;
    if (gm_.access.kind != Access::Kind::kRead) return races_.polls_.Store(gm_, content_, clock_, done);
    isa::CopyRacy(outcome_.seen.data(), content_, gm_.bytes.end - gm_.bytes.begin);
    for (const GmAccess& posted : races_.polls_.posted()) {
        if (posted.access.core != gm_.access.core && posted.allocation == gm_.allocation &&
            posted.bytes.Overlaps(gm_.bytes) && !Ordered(posted.access))
            MeetStore(posted.access, posted.bytes);
    }
    for (const Access& store : outcome_.not_yet) races_.polls_.PutOlder(store, gm_, outcome_.seen.data());
    outcome_.has_seen = true;
}

uint64_t Races::GmTouch::Settled() const {
    const bool one_line = CacheLines::LineOf(gm_.bytes.begin) == CacheLines::LineOf(gm_.bytes.end - 1);
    if (!gm_.access.few_bytes || gm_.access.kind != Access::Kind::kRead || !one_line) return 0;
    if (!outcome_.not_yet.empty() || outcome_.learnt) return 0;
    if (races_.lines_.IsDirty(gm_.access.core, gm_.allocation, gm_.bytes.begin)) return 0;
    return races_.stores_.load(std::memory_order_relaxed);
}

void Races::GmTouch::Meet(const Access& other, const History::Stretch& stretch) {
    const Access& access = gm_.access;
    const isa::Span bytes = stretch.Bytes();
    if (other.core == access.core) {
        if (own_ && !PollsOwn(other, bytes)) own_->Meet(other, stretch);
        return;
    }
    if (Ordered(other)) return;
    const bool reads = access.kind == Access::Kind::kRead, other_reads = other.kind == Access::Kind::kRead;
    if (reads) {
        MeetStore(other, bytes);
    } else if (!other_reads) {
        outcome_.writes.push_back({other, bytes});
    } else if (!races_.polls_.StoreAfterRead(other, gm_, bytes)) {
        outcome_.reads.push_back({other, bytes, stretch.Written()});
    } else if (!races_.polls_.Waited(other.core, access)) {
        outcome_.reads.push_back({other, bytes, true, true});
    }
}

void Races::GmTouch::MeetEqual(const Access& other, const History::Stretch& stretch) {
    if (other.core == gm_.access.core) {
        if (own_) own_->MeetEqual(other, stretch);
    } else if (!Ordered(other)) {
        races_.NoteLocked(other, gm_.access, gm_.allocation, stretch.Bytes(), true);
    }
}

bool Races::GmTouch::IsBehind(const Access& other) {
    if (other.core != gm_.access.core) return Ordered(other);
    return !own_ || own_->IsBehind(other);
}

// A rank that tells all ranks tells itself, too, and waits for it as for the others: the read is judged as theirs,
// whichever of the two runs first.
bool Races::GmTouch::PollsOwn(const Access& other, isa::Span bytes) {
    const Access& access = gm_.access;
    const bool reads = access.kind == Access::Kind::kRead;
    const Access &read = reads ? access : other, &store = reads ? other : access;
    if (!races_.launch_.gm[gm_.allocation].of_ranks || !read.few_bytes || !store.few_bytes) return false;
    if (read.kind != Access::Kind::kRead || store.kind == Access::Kind::kRead || store.pipe == isa::Pipe::kS ||
        read.pipe == store.pipe || read.tick < store.tick)
        return false;
    if (!reads) return races_.polls_.StoreAfterRead(read, gm_, bytes);
    if (clock_.own[static_cast<size_t>(store.pipe)] > store.tick) {
        races_.polls_.CloseAll(gm_, store);  // a loop's next look is often behind a barrier
    } else if (!races_.polls_.Waited(store.core, store)) {
        MeetStore(store, bytes);
    }
    return true;
}

void Races::GmTouch::MeetStore(const Access& store, isa::Span bytes) {
    // While it runs, memory may still hold the bytes of before.
    if (!races_.IsRunning(store) && races_.polls_.ChangedNothing(store, gm_, content_)) {
        races_.polls_.CloseAll(gm_, store);
        if (store.core == gm_.access.core) return;
        return races_.NoteLocked(store, gm_.access, gm_.allocation, bytes, true);
    }
    const Polls::Answer answer = races_.polls_.Read(gm_, store, bytes);
    if (answer.verdict == Polls::Verdict::kRace) {
        races_.NoteLocked(store, gm_.access, gm_.allocation, bytes, false);
    } else if (answer.clock) {
        outcome_.learnt = JoinKnown(std::move(outcome_.learnt), races_.Publish(store.core, *answer.clock));
    } else {
        outcome_.not_yet.push_back(store);
    }
}

bool Races::GmTouch::Ordered(const Access& other) const {
    const size_t bound = other.IsScalarStore() ? kScalarStores : static_cast<size_t>(other.pipe);
    if (clock_.others && (*clock_.others)[other.core][bound] > other.tick) return true;
    return races_.polls_.Waited(gm_.access.core, other);
}

void Races::GmTouch::Disagrees(CacheLines::Trouble trouble, const Access& other, isa::Span bytes) {
    const bool polls = outcome_.learnt != nullptr || races_.polls_.Waited(gm_.access.core, other);
    races_.NoteCache(trouble, other, gm_, bytes, polls);
}

History& Races::HistoryOf(uint32_t allocation) {
    auto& history = gm_[allocation];
    if (!history) history = std::make_unique<History>(&pasts_, launch_.gm[allocation].bytes);
    return *history;
}

void Races::Posting(const GmAccess& store, const Clock& clock, uint64_t before, uint64_t after) {
    const auto lock = Lock();
    polls_.Post(store, before, after, clock);
    stores_.fetch_add(1, std::memory_order_release);
}

void Races::Cleaned(uint32_t core, const events::Sync::Line* line, uint64_t tick) {
    const auto lock = Lock();
    std::erase_if(polled_, [&](const PolledLine& polled) {
        const auto of_line = [&] { return CacheLines::LineOf(polled.bytes.begin) == CacheLines::LineOf(line->byte); };
        return polled.store.core == core && (!line || (polled.read.allocation == line->allocation && of_line()));
    });
    if (line) {
        lines_.Cleaned(core, line->allocation, line->byte, tick);
    } else {
        lines_.CleanedAll(core, tick);
    }
}

void Races::Note(const Access& a, const Access& b, uint32_t allocation, isa::Span bytes, bool equal) {
    const auto lock = Lock();
    NoteLocked(a, b, allocation, bytes, equal);
}

void Races::AreEqual(const Access& earlier, const Access& write, uint32_t allocation, isa::Span bytes) {
    const auto lock = Lock();
    HistoryOf(allocation).AreEqual(bytes, earlier, write);
}

void Races::PollsNothing(const Access& read, const Access& write) {
    const auto lock = Lock();
    polls_.Close(read, write);
}

void Races::NoteLocked(const Access& a, const Access& b, uint32_t allocation, isa::Span bytes, bool equal) {
    const Access& lower = a.core < b.core ? a : b;
    const Access& higher = a.core < b.core ? b : a;
    const Pair now{lower, higher, allocation, bytes, equal};
    const auto [at, fresh] =
        pairs_.try_emplace({lower.where.file, lower.where.line, higher.where.file, higher.where.line}, now);
    if (fresh) return;
    Pair& pair = at->second;
    // One that changes bytes says more; of those alike, the lowest cores and bytes.
    const auto place = [](const Pair& p) { return std::tuple(p.equal, p.lower.core, p.higher.core, p.allocation); };
    if (place(now) != place(pair)) {
        if (place(now) < place(pair)) pair = now;
        return;
    }
    std::vector<isa::Span> others = std::move(pair.others);
    others.push_back(std::max(pair.bytes, bytes, ByBegin));
    if (bytes.begin < pair.bytes.begin) pair = now;
    pair.others = Joined(std::move(others));
}

std::string Races::BytesOf(const Pair& pair) const {
    constexpr size_t kMost = 2;
    std::string text = Bytes(pair.allocation, pair.bytes);
    std::vector<isa::Span> all = pair.others;
    all.push_back(pair.bytes);
    all = Joined(std::move(all));
    size_t told = 0;
    for (const isa::Span& span : all) {
        if (span.begin <= pair.bytes.begin) continue;
        if (++told > kMost) return text + " and others";
        text += fmt::format(" and {} to {}", span.begin, span.end - 1);
    }
    return text;
}

// Once for all turns of a poll.
void Races::NotePolled(const PolledLine& now) {
    const auto of = [](const PolledLine& p) {
        return std::tuple(p.store.core, p.store.where.line, p.read.access.core, p.read.access.where.line,
                          p.read.allocation, p.bytes.begin);
    };
    const auto same = [&](const PolledLine& p) { return of(p) == of(now); };
    if (std::ranges::none_of(polled_, same)) polled_.push_back(now);
}

void Races::NoteCache(CacheLines::Trouble trouble, const Access& earlier, const GmAccess& later, isa::Span bytes,
                      bool polls) {
    const Access& access = later.access;
    // A board's poll sees the old bytes until the store is cleaned: only what never is counts.
    if (polls && trouble == CacheLines::Trouble::kNotCleaned) return NotePolled({earlier, later, bytes});
    // Two stores into one line disturb each other: which came first is chance.
    const bool turn = trouble == CacheLines::Trouble::kLostWrite && access.by_scalar && access.core < earlier.core;
    const Access &first = turn ? access : earlier, &second = turn ? earlier : access;
    const CachePair now{trouble, first, second, later.allocation, bytes, polls};
    const auto [at, fresh] =
        cache_pairs_.try_emplace({first.where.file, first.where.line, second.where.file, second.where.line}, now);
    const auto place = [](const CachePair& p) {
        return std::tuple(p.trouble, p.earlier.core, p.later.core, p.allocation, p.bytes.begin);
    };
    if (!fresh && place(now) < place(at->second)) at->second = now;
}

std::string Races::Bytes(uint32_t allocation, isa::Span bytes) const {
    return fmt::format("bytes {} to {} of '{}'", bytes.begin, bytes.end - 1, launch_.gm[allocation].name);
}

std::vector<Report> Races::Finish(bool clean) {
    // Where cores stop depends on when they are told to: a fault is mended first.
    if (!clean) return {};
    for (const Polls::Open& open : polls_.open())
        NoteLocked(open.read.access, open.store, open.read.allocation, open.met, false);
    for (const PolledLine& polled : polled_)
        NoteCache(CacheLines::Trouble::kNotCleaned, polled.store, polled.read, polled.bytes, false);
    std::vector<Report> reports;
    for (const auto& [key, pair] : pairs_) {
        if (pair.lower.core == pair.higher.core) {  // a read that was no poll (PollsOwn)
            reports.push_back(RaceReport(pair.lower, pair.higher, isa::Memory::kGm, BytesOf(pair), launch_.auto_sync));
            reports.back().core_order = pair.higher.core;
            reports.back().index = events::RecordAt(pair.higher.tick);
        } else {
            reports.push_back(CoreRaceReport(pair.lower, launch_.name_of(pair.lower.core), pair.higher,
                                             launch_.name_of(pair.higher.core), BytesOf(pair), pair.equal,
                                             launch_.chip));
        }
        reports.back().allocation = pair.allocation;
    }
    for (const auto& [key, pair] : cache_pairs_) {
        const auto& [file, line, other_file, other_line] = key;
        if (pairs_.contains(key) || pairs_.contains({other_file, other_line, file, line})) continue;
        if (pair.polls && pair.trouble == CacheLines::Trouble::kStale) {
            Report report = ToReport(StalePoll(), pair.later.call, pair.later.where);
            report.core_order = pair.later.core;
            report.index = events::RecordAt(pair.later.tick);
            reports.push_back(std::move(report));
            continue;
        }
        reports.push_back(CacheReport(pair.trouble, pair.earlier, launch_.name_of(pair.earlier.core), pair.later,
                                      launch_.name_of(pair.later.core), Bytes(pair.allocation, pair.bytes)));
    }
    return reports;
}

}  // namespace sfumato::sanitize
