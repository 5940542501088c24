// SPDX-License-Identifier: Apache-2.0
// The SIMD targets of this build and CPU, and the one in force.
#include "exec/targets.h"

#include <mutex>
#include <string>
#include <vector>

#include "exec/exec.h"
#include "hwy/highway.h"

#if HWY_ARCH_X86
#include <cpuid.h>
#endif

namespace sfumato::exec {

namespace {

constinit PerTargetBase* first = nullptr;
constinit std::mutex update_mutex;
constinit std::atomic<int64_t> forced_target{0};  // 0: the best

// The extensions each target of Highway may use (hwy/detect_targets.h, "HWY_TARGETS").
int64_t Offered() {
#if HWY_ARCH_X86 && !defined(HWY_COMPILE_ONLY_STATIC)
    unsigned a = 0, b = 0, c = 0, d = 0;
    const bool f16c = __get_cpuid(1, &a, &b, &c, &d) && (c & bit_F16C);
    const bool lzcnt = __get_cpuid(0x80000001, &a, &b, &c, &d) && (c & bit_LZCNT);
#if defined(HWY_SSE2)
    int64_t offered = HWY_SSE2;
#else
    int64_t offered = 0;
#endif
    if (!__builtin_cpu_supports("ssse3")) return offered;
    offered |= HWY_SSSE3;
    if (!__builtin_cpu_supports("sse4.1") || !__builtin_cpu_supports("sse4.2") || !__builtin_cpu_supports("aes") ||
        !__builtin_cpu_supports("pclmul")) {
        return offered;
    }
    offered |= HWY_SSE4;
    if (!__builtin_cpu_supports("avx2") || !__builtin_cpu_supports("fma") || !__builtin_cpu_supports("bmi") ||
        !__builtin_cpu_supports("bmi2") || !f16c || !lzcnt) {
        return offered;
    }
    offered |= HWY_AVX2;
    if (!__builtin_cpu_supports("avx512f") || !__builtin_cpu_supports("avx512bw") ||
        !__builtin_cpu_supports("avx512dq") || !__builtin_cpu_supports("avx512vl")) {
        return offered;
    }
    return offered | HWY_AVX3;
#else
    return HWY_STATIC_TARGET;  // the compiler was told what this machine has
#endif
}

// What this build has and the CPU offers, whatever was forced before.
int64_t Usable() {
    static const int64_t usable = Offered() & HWY_TARGETS;
    return usable;
}

const char* NameOf(int64_t target) {
    switch (target) {
#if defined(HWY_SSE2)
        case HWY_SSE2: return "SSE2";
#endif
        case HWY_SSSE3: return "SSSE3";
        case HWY_SSE4: return "SSE4";
        case HWY_AVX2: return "AVX2";
        case HWY_AVX3: return "AVX3";
        case HWY_AVX3_DL: return "AVX3_DL";
        case HWY_NEON: return "NEON";
        default: return "host";
    }
}

}  // namespace

int64_t TargetInForce() {
    const int64_t forced = forced_target.load(std::memory_order_relaxed);
    return forced ? forced : Usable() & -Usable();
}

PerTargetBase::PerTargetBase(Resolve resolve) : resolve_(resolve), next_(first) { first = this; }

const void* PerTargetBase::Update() {
    const std::lock_guard lock(update_mutex);
    if (const void* value = value_.load(std::memory_order_acquire)) return value;
    if (Usable() == 0) {
        throw UnsupportedError(std::string("This CPU lacks ") + NameOf(HWY_STATIC_TARGET) +
                               ", the least this build of Sfumato needs. Build it on this machine with "
                               "-DSFUMATO_SIMD=one.");
    }
    const void* value = resolve_();
    value_.store(value, std::memory_order_release);
    return value;
}

void ForgetTargets() {
    const std::lock_guard lock(update_mutex);
    for (PerTargetBase* p = first; p; p = p->next_) p->value_.store(nullptr, std::memory_order_release);
}

std::vector<std::string> Targets() {
    std::vector<std::string> names;
    for (int64_t rest = Usable(); rest != 0; rest &= rest - 1) names.push_back(NameOf(rest & -rest));
    return names;
}

bool ForceTarget(const std::string& name) {
    int64_t forced = 0;
    for (int64_t rest = Usable(); rest != 0; rest &= rest - 1) {
        if (name == NameOf(rest & -rest)) forced = rest & -rest;
    }
    if (forced == 0 && !name.empty()) return false;
    forced_target.store(forced, std::memory_order_relaxed);
    ForgetTargets();
    return true;
}

std::string CurrentTarget() { return NameOf(TargetInForce()); }

}  // namespace sfumato::exec
