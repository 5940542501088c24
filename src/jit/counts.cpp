// SPDX-License-Identifier: Apache-2.0
#include "jit/counts.h"

#include <dlfcn.h>
#include <pthread.h>

#include <mutex>

#include "jit/wrapper.h"

namespace sfumato::jit {
namespace {

// Threads and exit handlers outlive statics. The mutex is held while a process is forked.
std::vector<void*>& Counting() {
    static std::vector<void*>& handles = *new std::vector<void*>;
    return handles;
}
std::mutex& Guard() {
    static std::mutex& mutex = *new std::mutex;
    return mutex;
}

}  // namespace

void CallOf(const std::vector<void*>& handles, const char* function) {
    for (void* handle : handles) {
        if (void* symbol = dlsym(handle, function)) reinterpret_cast<void (*)()>(symbol)();
    }
}

void Count(const std::vector<void*>& handles) {
    static std::once_flag once;
    std::call_once(once, [] {
        pthread_atfork([] { Guard().lock(); }, [] { Guard().unlock(); },
                       [] {
                           CallOf(Counting(), kForgetCounts);
                           Guard().unlock();
                       });
    });
    const std::lock_guard lock(Guard());
    Counting().insert(Counting().end(), handles.begin(), handles.end());
}

void CountNoMore(const std::vector<void*>& handles) {
    const std::lock_guard lock(Guard());
    for (void* handle : handles) std::erase(Counting(), handle);
}

}  // namespace sfumato::jit
