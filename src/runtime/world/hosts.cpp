// SPDX-License-Identifier: Apache-2.0
// Which threads of the program are blocked.
#include "runtime/world/hosts.h"

#include <fmt/format.h>
#include <pthread.h>

#include <algorithm>

#include "runtime/cores/of_thread.h"

namespace sfumato::runtime {
namespace {

using Clock = std::chrono::steady_clock;
// How long a thread sleeps before it counts as blocked (ranks.md, Amendments 5).
constexpr std::chrono::seconds kAsleep{1};

// The hosts a thread is, one for each world; at its end they are gone.
struct Marks {
    std::vector<std::pair<const Hosts*, std::shared_ptr<Hosts::Host>>> of;
    ~Marks() {
        for (auto& [hosts, host] : of) host->gone = true;
    }
};

}  // namespace

Hosts::Host& Hosts::Mine() {
    auto& marks = OfThread<Marks>().of;
    for (auto& [hosts, host] : marks) {
        if (hosts == this && std::ranges::find(hosts_, host) != hosts_.end()) return *host;
    }
    std::erase_if(marks, [this](const auto& mark) { return mark.first == this; });  // of a world at the same address
    const auto host = std::make_shared<Host>();
    pthread_getcpuclockid(pthread_self(), &host->clock);
    marks.emplace_back(this, host);
    ++outside_;
    return *hosts_.emplace_back(host);
}

void Hosts::Forget() {
    auto& marks = OfThread<Marks>().of;
    const auto mine = std::ranges::find(marks, this, [](const auto& mark) { return mark.first; });
    if (mine == marks.end()) return;
    outside_ -= std::erase(hosts_, mine->second);
    marks.erase(mine);
}

void Hosts::Block(const std::string& call, Where where, const std::function<bool()>* done, Lock& lock) {
    Host& host = Mine();
    host.call = call;
    host.where = where;
    host.done = done;
    host.blocked = true;
    --outside_;
    host.woken.wait(lock, [&host] { return !host.blocked; });
    host.used = std::chrono::nanoseconds{-1};
}

bool Hosts::Sleeps(Host& host) {
    timespec time{};
    if (clock_gettime(host.clock, &time) != 0) return true;  // its thread has ended
    const std::chrono::nanoseconds used = std::chrono::seconds(time.tv_sec) + std::chrono::nanoseconds(time.tv_nsec);
    const auto now = Clock::now();
    if (used != host.used) {
        host.used = used;
        host.since = now;
    }
    return now - host.since >= kAsleep;
}

bool Hosts::AllBlocked() {
    if (outside_ == 0) return true;
    outside_ -= std::erase_if(hosts_, [](const auto& host) { return host->gone && !host->blocked; });
    return std::ranges::all_of(hosts_, [](const auto& host) { return host->blocked || Sleeps(*host); });
}

void Hosts::Release() {
    for (const auto& host : hosts_) {
        if (!host->blocked || !host->done || !(*host->done)()) continue;
        host->blocked = false;
        ++outside_;
        host->woken.notify_one();
    }
}

bool Hosts::ReleaseQueries() {
    bool any = false;
    for (const auto& host : hosts_) {
        if (!host->blocked || host->done) continue;
        host->blocked = false;
        ++outside_;
        host->woken.notify_one();
        any = true;
    }
    return any;
}

std::string Hosts::StateOf(uint32_t rank) const {
    const auto host = std::ranges::find_if(hosts_, [rank](const auto& h) { return h->ranks.contains(rank); });
    if (host == hosts_.end()) return "no host works for it";
    if (!(*host)->blocked) return "its host is outside of calls that wait";
    return (*host)->where.line == 0
               ? fmt::format("its host is in {}", (*host)->call)
               : fmt::format("its host is in {} at {}:{}", (*host)->call, (*host)->where.file, (*host)->where.line);
}

}  // namespace sfumato::runtime
