// SPDX-License-Identifier: Apache-2.0
// The pool of worker threads.
#include "runtime/cores/workers.h"

#include <fmt/format.h>
#include <pthread.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <condition_variable>
#include <ctime>
#include <memory>
#include <mutex>
#include <string>
#include <system_error>
#include <thread>
#include <utility>
#include <vector>

#include "runtime/code/crash.h"
#include "runtime/cores/of_thread.h"
#include "runtime/cores/core.h"
#include "sfumato/report.h"
#include "system/modules.h"
#include "system/processes.h"
#include "system/threads.h"

namespace sfumato::runtime {
// Mostly a thread goes on with the core that it had, and the system call takes longer than the rest.
void NameThread(const std::string& name) {
    auto& carried = OfThread<std::string>();
    if (carried == name) return;
    carried = name;
    system::NameThread(carried);
}

namespace {

// What one call of RunOnWorkers waits for.
struct Call {
    const std::function<void()>& job;
    std::mutex mutex;
    std::condition_variable done;
    uint32_t running;
};

struct Worker {
    std::mutex mutex;
    std::condition_variable wanted;
    Call* call = nullptr;
};

struct WorkerPool {
    std::mutex mutex;
    std::vector<Worker*> idle;
    std::atomic<size_t> threads = 0;
};

// Never destroyed: its threads outlive the statics of the program.
WorkerPool& TheWorkerPool() {
    static WorkerPool* pool = [] {
        pthread_atfork([] { TheWorkerPool().mutex.lock(); }, [] { TheWorkerPool().mutex.unlock(); },
                       [] {
                           TheWorkerPool().idle.clear();  // their threads stayed behind
                           TheWorkerPool().threads = 0;
                           TheWorkerPool().mutex.unlock();
                       });
        return new WorkerPool;
    }();
    return *pool;
}

constexpr std::chrono::milliseconds kPatience{20};

// Idle threads above this number end.
size_t MostIdle() { return std::max<size_t>(16, 2 * CpuCount()); }

void Serve(Worker* worker) {
    const AlternateStack stack;  // for handlers that report a core's overflow of its stack
    WorkerPool& pool = TheWorkerPool();
    for (;;) {
        Call* call = nullptr;
        {
            std::unique_lock lock(worker->mutex);
            worker->wanted.wait(lock, [&] { return worker->call != nullptr; });
            call = std::exchange(worker->call, nullptr);
        }
        call->job();
        NameThread("sfumato");
        bool stays = false;
        {
            std::lock_guard lock(pool.mutex);
            stays = pool.idle.size() < MostIdle();
            if (stays) pool.idle.push_back(worker);
        }
        {
            // Under the mutex to the end: the call is gone as soon as its owner sees zero.
            std::lock_guard lock(call->mutex);
            if (--call->running == 0) call->done.notify_one();
        }
        if (!stays) break;
    }
    --pool.threads;
    delete worker;
}

// An idle thread, or a new one. Throws std::system_error.
Worker* TakeWorker(WorkerPool& pool) {
    {
        std::lock_guard lock(pool.mutex);
        if (!pool.idle.empty()) {
            Worker* const worker = pool.idle.back();
            pool.idle.pop_back();
            return worker;
        }
    }
    auto worker = std::make_unique<Worker>();
    std::thread(Serve, worker.get()).detach();
    ++pool.threads;
    return worker.release();
}

void Give(Worker* worker, Call* call) {
    std::lock_guard lock(worker->mutex);
    worker->call = call;
    worker->wanted.notify_one();
}

}  // namespace

uint32_t CpuCount() {
    static const uint32_t count = system::Processors();
    return count;
}

namespace {

// Patience is for time of a CPU. A process that gets none, because it stands in a debugger or others have the machine,
// has not shown that it waits; one whose cores sleep gets none either, so without a debugger this ends after half a
// second.
class Standing {
public:
    bool operator()() {
        const std::clock_t before = std::exchange(used_, std::clock());
        const std::chrono::duration<double> run{static_cast<double>(used_ - before) / CLOCKS_PER_SEC};
        if (run >= kPatience / 2) return rounds_ = 0, false;
        return ++rounds_ < kMostRounds || system::IsTraced();
    }

private:
    static constexpr int kMostRounds = 25;
    std::clock_t used_ = std::clock();
    int rounds_ = 0;
};

}  // namespace

void RunOnWorkers(uint32_t count, const std::function<void()>& job, uint32_t least,
                  const std::function<bool()>& another) {
    WorkerPool& pool = TheWorkerPool();
    std::vector<Worker*> workers;
    while (workers.size() < count) {
        try {
            workers.push_back(TakeWorker(pool));
        } catch (const std::system_error& e) {
            if (workers.size() >= least) break;
            std::lock_guard lock(pool.mutex);
            pool.idle.insert(pool.idle.end(), workers.begin(), workers.end());
            throw Error(
                fmt::format("Launch: only {} of {} threads could be started: {}", workers.size(), least, e.what()));
        }
    }
    Call call{job, {}, {}, static_cast<uint32_t>(workers.size())};
    for (Worker* worker : workers) Give(worker, &call);
    std::unique_lock lock(call.mutex);
    const auto ended = [&] { return call.running == 0; };
    if (!another) return call.done.wait(lock, ended);
    Standing standing;
    while (!call.done.wait_for(lock, kPatience, ended)) {
        if (standing() || !another()) continue;
        try {
            Worker* const worker = TakeWorker(pool);
            ++call.running;
            Give(worker, &call);
        } catch (const std::system_error&) {
            continue;  // those that run may still end by themselves
        }
    }
}

size_t WorkerThreads() { return TheWorkerPool().threads; }

void RunOnFreshThread(const std::function<void()>& job) {
    std::thread([&] {
        const AlternateStack stack;  // for handlers that report a core's overflow of its stack
        job();
    }).join();
}

bool HasThreadLocals(const void* code) {
    bool has = false;
    system::VisitModules([&](const system::Module& module) {
        if (module.PartWith(reinterpret_cast<uintptr_t>(code)).bytes == 0) return false;
        // Where the engine is linked statically it is a part of the program: its only one is t_core.
        const system::Addresses variables = module.variables();
        has = variables.bytes > (variables.Hold(reinterpret_cast<uintptr_t>(&t_core)) ? sizeof(t_core) : 0);
        return true;
    });
    return has;
}

}  // namespace sfumato::runtime
