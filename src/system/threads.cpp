// SPDX-License-Identifier: Apache-2.0
// sched(7), pthreads(7) with its calls in _np.
#include "system/threads.h"

#include <pthread.h>
#include <sched.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <thread>

namespace sfumato::system {

uint32_t Processors() {
    cpu_set_t set;
    if (sched_getaffinity(0, sizeof set, &set) == 0) return static_cast<uint32_t>(CPU_COUNT(&set));
    return std::max(1u, std::thread::hardware_concurrency());  // more than the set has room for
}

void NameThread(const std::string& name) { pthread_setname_np(pthread_self(), name.substr(0, 15).c_str()); }

bool IsMainThread() { return syscall(SYS_gettid) == getpid(); }

ThreadStack StackOfThread() {
    pthread_attr_t attributes;
    if (pthread_getattr_np(pthread_self(), &attributes) != 0) return {};
    void* base = nullptr;
    size_t size = 0, guard = 0;
    pthread_attr_getstack(&attributes, &base, &size);
    pthread_attr_getguardsize(&attributes, &guard);
    pthread_attr_destroy(&attributes);
    return {reinterpret_cast<uintptr_t>(base), guard};
}

}  // namespace sfumato::system
