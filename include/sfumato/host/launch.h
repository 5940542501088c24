// SPDX-License-Identifier: Apache-2.0
// What kernel<<<blocks, l2, stream>>>(arguments) becomes: SFUMATO_LAUNCH(kernel).On(blocks, l2, stream)(arguments).
// Included before everything else of a source that `sfumato build` compiles.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <limits>
#include <string_view>
#include <type_traits>

#include "sfumato/host/chip.h"
#include "sfumato/report.h"

#ifndef SFUMATO_BUILD_OPTIONS
#define SFUMATO_BUILD_OPTIONS ""
#endif

namespace sfumato::ascendc {

// Before a kernel, on its core: the bytes of its extern __ubuf__ arrays.
SFUMATO_API void SetDynamicUb(uint64_t bytes);

}  // namespace sfumato::ascendc

namespace sfumato::host {

// The place of a launch. `chip` and `options`: what the source was compiled for and with, the words of SFUMATO_OPTIONS;
// `kernel`: as written before <<<.
struct Site {
    const char* chip;
    const char* options;
    const char* kernel;
    Where where;
};

// The text of a kernel, where its name is taken without what the code has before it (src/jit/kernel_names.h).
constexpr const char* KernelText(const char* text) {
    constexpr std::string_view kPrefix = "sfumato_named_";
    const size_t at = std::string_view(text).find(kPrefix);
    return at == std::string_view::npos ? text : text + at + kPrefix.size();
}

// Runs the kernel on the simulated chip before it returns, in the order of submission (docs/spec/framework.md 5.2).
// What goes wrong is kept and returned by the next synchronising call (aclrtSynchronizeStream and others, with the
// report in aclGetRecentErrMsg), ends the process with 4 at once under SFUMATO_ON_FAULT=exit, and at the end of the
// process when nobody has asked. `function` may be null; `pointers` are the pointers among the arguments, null for the
// others.
SFUMATO_API bool Launch(const Site& site, int64_t blocks, void* stream, const void* function,
                        const std::function<void()>& run, const void* const* pointers, size_t count);

// What the qualifier of a function declares ("ops::kernel", "__mix__(1, 2)"; "HAVE_WORKSPACE 3": the parameter is the
// part of a workspace behind the system's), known as long as its code is loaded.
// `sfumato build` writes one for each such kernel.
class SFUMATO_API QualifierNote {
public:
    QualifierNote(const char* function, const char* qualifier);
    ~QualifierNote();
    QualifierNote& operator=(QualifierNote&&) = delete;
};

// Makes the chip known to aclrtGetSocName before the first launch.
SFUMATO_API bool RegisterChip(const char* chip);
[[maybe_unused]] static const bool kChipRegistered = RegisterChip(SFUMATO_CHIP);

// The part of a workspace behind the system's (framework.md 1.13: 16 MiB, decided).
constexpr size_t kSystemWorkspaceBytes = size_t{16} << 20;
inline void* UserWorkspace(void* workspace) {
    return workspace ? static_cast<uint8_t*>(workspace) + kSystemWorkspaceBytes : nullptr;
}

// Launches convert pointers as the vendor's compiler does: void*, uint8_t* and __gm__ T* are one to a kernel.
struct AnyPointer {
    const void* value;
    template <class T>
    operator T*() const {
        return static_cast<T*>(const_cast<void*>(value));
    }
};
template <class T>
auto Convertible(T value) {
    if constexpr (std::is_pointer_v<T>) {
        return AnyPointer{value};
    } else {
        return value;
    }
}

template <class... Params>
auto PointerTo(void (*function)(Params...), ...) {
    return function;
}

struct GetPointer {};
struct Run {};

// Copies what aclrtlaunch_* was handed for a parameter: the bytes at `address`, of `given` bytes where the caller knows
// (else 0). False, with a fault kept as Launch keeps it, where there are none.
SFUMATO_API bool TakeBytes(const Site& site, size_t argument, const void* address, uint64_t given, void* bytes,
                           uint64_t size);

template <class Function, size_t kIndex>
struct ParameterType;
template <class First, class... Rest, size_t kIndex>
struct ParameterType<void (*)(First, Rest...), kIndex> : ParameterType<void (*)(Rest...), kIndex - 1> {};
template <class First, class... Rest>
struct ParameterType<void (*)(First, Rest...), 0> {
    using Type = std::remove_cv_t<First>;
};

// A parameter of a kernel that aclrtlaunch_* gets by its address.
template <class Function, size_t kIndex>
class Parameter {
public:
    using Type = typename ParameterType<Function, kIndex>::Type;
    static_assert(std::is_trivially_copyable_v<Type>,
                  "a kernel's arguments are copied at the launch: they must be trivially copyable");
    bool Take(const Site& site, size_t argument, const void* address, uint64_t given) {
        if constexpr (std::is_pointer_v<Type>) {  // behind a name that its text does not tell
            if (given == 0) return __builtin_memcpy(bytes_, &address, sizeof address), true;
        }
        return TakeBytes(site, argument, address, given, bytes_, sizeof(Type));
    }
    const Type& Get() const { return *reinterpret_cast<const Type*>(bytes_); }

private:
    alignas(Type) unsigned char bytes_[sizeof(Type)];
};

template <class Call>
class BoundKernel {
public:
    BoundKernel(Site site, Call call, int64_t blocks, uint64_t bytes, void* stream)
        : site_(site), call_(call), blocks_(blocks), bytes_(bytes), stream_(stream) {}

    // By value: a struct is copied at the launch. False when it could not be submitted or failed.
    template <class... Args>
    bool operator()(Args... args) const {
        static_assert((std::is_trivially_copyable_v<Args> && ...),
                      "a kernel's arguments are copied at the launch: they must be trivially copyable");
        const void* const pointers[] = {PointerIn(args)..., nullptr};
        const auto kernel = call_(GetPointer{}, args...);
        const void* function = nullptr;
        if constexpr (std::is_pointer_v<decltype(kernel)>) function = reinterpret_cast<const void*>(kernel);
        return Launch(
            site_, blocks_, stream_, function,
            [kernel, bytes = bytes_, call = call_, args...] {
                if (bytes != 0) ascendc::SetDynamicUb(bytes);
                RunKernel(kernel, call, args...);
            },
            pointers, sizeof...(Args));
    }

private:
    // By the pointer, since a captured launch runs later and the expression may name what is gone by then. An
    // expression that has none names functions.
    template <class Pointer, class... Args>
    static void RunKernel(Pointer kernel, const Call& call, const Args&... args) {
        if constexpr (std::is_invocable_v<Pointer, Args...>) {
            kernel(args...);
        } else if constexpr (std::is_invocable_v<Pointer, decltype(Convertible(args))...>) {
            kernel(Convertible(args)...);
        } else {
            call(Run{}, args...);
        }
    }
    template <class T>
    static const void* PointerIn(const T& value) {
        if constexpr (std::is_pointer_v<T> && !std::is_function_v<std::remove_pointer_t<T>>) return value;
        return nullptr;
    }

    Site site_;
    Call call_;
    int64_t blocks_;
    uint64_t bytes_;
    void* stream_;
};

template <class Call>
class Kernel {
public:
    Kernel(Site site, Call call) : site_(site), call_(call) {}

    // blocks: of any integer type, 1 to 65535. The second word: nullptr, or the bytes of the kernel's extern __ubuf__
    // arrays. stream: an aclrtStream or nullptr.
    template <class Blocks, class... Rest>
    auto On(Blocks blocks, Rest... rest) const {
        static_assert(sizeof...(Rest) == 2,
                      "a launch is kernel<<<blocks, nullptr, stream>>>(arguments): three in <<< >>>");
        static_assert(std::is_integral_v<Blocks> || std::is_enum_v<Blocks>, "the number of blocks is an integer");
        return Bind(Wide(blocks), rest...);
    }

private:
    template <class Blocks>
    static int64_t Wide(Blocks blocks) {
        constexpr auto kMost = std::numeric_limits<int64_t>::max();
        if constexpr (std::is_unsigned_v<Blocks> && sizeof(Blocks) == 8) {
            return blocks > static_cast<uint64_t>(kMost) ? kMost : static_cast<int64_t>(blocks);
        } else {
            return static_cast<int64_t>(blocks);
        }
    }
    template <class Bytes, class Stream>
    BoundKernel<Call> Bind(int64_t blocks, Bytes bytes, Stream stream) const {
        static_assert(std::is_pointer_v<Bytes> || std::is_null_pointer_v<Bytes> || std::is_integral_v<Bytes>,
                      "the second word in <<< >>> is nullptr, or the bytes of extern __ubuf__ arrays");
        uint64_t dynamic = 0;
        if constexpr (std::is_integral_v<Bytes>) dynamic = static_cast<uint64_t>(bytes);
        static_assert(std::is_convertible_v<Stream, void*>,  // streams of other runtimes know theirs
                      "the third word in <<< >>> is a stream or nullptr");
        return {site_, call_, blocks, dynamic, stream};
    }

    Site site_;
    Call call_;
};

}  // namespace sfumato::host

// The expression stands in a lambda, so that overloads and templates are resolved by the arguments of the launch.
#define SFUMATO_SITE(text)                                                                               \
    ::sfumato::host::Site {                                                                              \
        SFUMATO_CHIP, SFUMATO_BUILD_OPTIONS, ::sfumato::host::KernelText(text), ::sfumato::Where::Here() \
    }
#define SFUMATO_LAUNCH(...)                                                                             \
    ::sfumato::host::Kernel(SFUMATO_SITE(#__VA_ARGS__), [&]<class SfumatoTask, class... SfumatoArgs>(   \
                                                            SfumatoTask, SfumatoArgs... sfumato_args) { \
        if constexpr (std::is_same_v<SfumatoTask, ::sfumato::host::GetPointer>) {                       \
            if constexpr (requires { ::sfumato::host::PointerTo(__VA_ARGS__, sfumato_args...); })       \
                return ::sfumato::host::PointerTo(__VA_ARGS__, sfumato_args...);                        \
            else                                                                                        \
                return nullptr;                                                                         \
        } else if constexpr (requires { __VA_ARGS__(sfumato_args...); }) {                              \
            __VA_ARGS__(sfumato_args...);                                                               \
        } else {                                                                                        \
            __VA_ARGS__(::sfumato::host::Convertible(sfumato_args)...);                                 \
        }                                                                                               \
    })
