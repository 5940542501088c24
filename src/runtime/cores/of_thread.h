// SPDX-License-Identifier: Apache-2.0
// A variable of each thread that is no thread_local: of these the engine has one, and programs with others run slower
// (HasThreadLocals).
#pragma once

#include <pthread.h>

namespace sfumato::runtime {

// The thread's own T, made when it is first asked for.
template <class T>
T& OfThread() {
    static const pthread_key_t key = [] {
        pthread_key_t made{};
        pthread_key_create(&made, [](void* value) { delete static_cast<T*>(value); });
        return made;
    }();
    auto* value = static_cast<T*>(pthread_getspecific(key));
    if (value == nullptr) {
        value = new T();
        pthread_setspecific(key, value);
    }
    return *value;
}

}  // namespace sfumato::runtime
