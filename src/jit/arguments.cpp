// SPDX-License-Identifier: Apache-2.0
// Checks arguments against a kernel's parameters and lays their values out for the thunk.
#include <fmt/format.h>

#include <bit>
#include <cmath>
#include <cstdlib>
#include <cstring>

#include "numeric/convert.h"
#include "runtime/cores/core.h"
#include "sfumato/jit.h"
#include "sfumato/kernel_entry.h"
#include "sfumato/launch.h"

namespace sfumato {
namespace {

constexpr size_t kAlignment = entry::kMaxAlignment;

// The values of one call, each aligned for any parameter type.
struct Values {
    struct alignas(kAlignment) Block {
        uint8_t bytes[kAlignment];
    };
    std::vector<std::vector<Block>> blocks;
    std::vector<void*> pointers;

    void Add(const void* data, size_t size) {
        blocks.emplace_back((size + kAlignment - 1) / kAlignment + 1);
        std::memcpy(blocks.back().data(), data, size);
        pointers.push_back(blocks.back().data());
    }
};

// double to float so that a second rounding to fewer bits is exact (round to odd).
float RoundToOdd(double v) {
    float f = static_cast<float>(v);
    if (static_cast<double>(f) == v || std::isnan(v) || std::isinf(v)) return f;
    if (std::fabs(static_cast<double>(f)) > std::fabs(v)) f = std::nextafter(f, 0.0f);
    return std::bit_cast<float>(std::bit_cast<uint32_t>(f) | 1u);
}

class Binder {
public:
    explicit Binder(const KernelInfo& kernel) : kernel_(kernel) {}

    Values Run(const std::vector<Argument>& arguments) {
        const size_t want = kernel_.params.size();
        if (arguments.size() != want) {
            throw Error(fmt::format("{} takes {} argument{}, {} given{}", kernel_.Signature(), want,
                                    want == 1 ? "" : "s", arguments.size(),
                                    arguments.size() < want ? Missing(arguments.size()) : ""));
        }
        Values values;
        for (index_ = 0; index_ < want; ++index_) Add(values, kernel_.params[index_], arguments[index_]);
        return values;
    }

private:
    std::string Missing(size_t given) const {
        std::string text = ": missing";
        for (size_t i = given; i < kernel_.params.size(); ++i) {
            const KernelParam& p = kernel_.params[i];
            text += fmt::format("{} {}", i == given ? "" : ",", p.name.empty() ? p.type : p.type + " " + p.name);
        }
        return text;
    }

    [[noreturn]] void Refuse(const KernelParam& p, const Argument& a, const std::string& why) const {
        throw Error(fmt::format("{}: argument {} ({}{}{}){}: {}", kernel_.Signature(), index_ + 1, p.type,
                                p.name.empty() ? "" : " ", p.name,
                                a.text.empty() ? "" : fmt::format(", given as '{}'", a.text), why));
    }

    static const char* What(const Argument& a) {
        switch (a.kind) {
            case Argument::Kind::kPointer: return "an array (a GM pointer)";
            case Argument::Kind::kInteger: return "an integer value";
            case Argument::Kind::kFloating: return "a floating-point value";
            case Argument::Kind::kBytes: return "bytes";
        }
        return "?";
    }

    void Add(Values& values, const KernelParam& p, const Argument& a) const {
        switch (p.kind) {
            case ParamKind::kPointer: return AddPointer(values, p, a);
            case ParamKind::kInteger: return AddInteger(values, p, a);
            case ParamKind::kFloating: return AddFloating(values, p, a);
            case ParamKind::kStruct: return AddStruct(values, p, a);
        }
    }

    void AddPointer(Values& values, const KernelParam& p, const Argument& a) const {
        const bool bytes = a.kind == Argument::Kind::kBytes && a.pointer != nullptr;
        if (a.kind != Argument::Kind::kPointer && !bytes) {
            Refuse(p, a, fmt::format("the parameter is a pointer to GM, but {} is given: give an array", What(a)));
        }
        // uint8_t and int8_t pointers are how GM_ADDR and raw bytes are declared: they take any array.
        if (a.type && p.data_type && BitsOf(*p.data_type) != 8 && *a.type != *p.data_type &&
            !(*p.data_type == DataType::kInt4 && BitsOf(*a.type) == 8)) {
            Refuse(p, a,
                   fmt::format("the kernel reads {} ({}) there, but the array holds {}", CName(*p.data_type),
                               NumpyName(*p.data_type), NumpyName(*a.type)));
        }
        values.Add(&a.pointer, sizeof a.pointer);
    }

    void CheckStated(const KernelParam& p, const Argument& a) const {
        if (a.type && p.data_type && !p.is_bool && *a.type != *p.data_type) {
            Refuse(p, a,
                   fmt::format("the value is stated as {}, but the parameter is {}", NumpyName(*a.type),
                               NumpyName(*p.data_type)));
        }
    }

    void AddInteger(Values& values, const KernelParam& p, const Argument& a) const {
        if (a.kind != Argument::Kind::kInteger) {
            Refuse(p, a, fmt::format("the parameter is an integer, but {} is given", What(a)));
        }
        CheckStated(p, a);
        const unsigned bits = p.is_bool ? 1 : static_cast<unsigned>(p.size * 8);
        const uint64_t top = p.is_signed  ? (uint64_t{1} << (bits - 1)) - 1
                             : bits == 64 ? ~uint64_t{0}
                                          : (uint64_t{1} << bits) - 1;
        const uint64_t bottom = p.is_signed ? top + 1 : 0;  // magnitude of the least value
        if (a.beyond || a.magnitude > (a.negative ? bottom : top)) {
            const std::string value = a.beyond ? "the value" : fmt::format("{}{}", a.negative ? "-" : "", a.magnitude);
            Refuse(p, a, fmt::format("{} is out of range: legal is {}{} to {}", value, bottom ? "-" : "", bottom, top));
        }
        const uint64_t value = a.negative ? 0 - a.magnitude : a.magnitude;
        values.Add(&value, sizeof value);  // little-endian: the low bytes are the narrower value
    }

    void AddFloating(Values& values, const KernelParam& p, const Argument& a) const {
        if (a.kind != Argument::Kind::kFloating && a.kind != Argument::Kind::kInteger) {
            Refuse(p, a, fmt::format("the parameter is a floating-point number, but {} is given", What(a)));
        }
        CheckStated(p, a);
        const double magnitude = static_cast<double>(a.magnitude);
        const double v = a.beyond                              ? std::strtod(a.text.c_str(), nullptr)
                         : a.kind == Argument::Kind::kFloating ? a.floating
                         : a.negative                          ? -magnitude
                                                               : magnitude;
        double largest = p.size == 8 ? HUGE_VAL : 3.4028234663852886e38;
        if (p.data_type == DataType::kHalf) largest = 65504;
        if (p.data_type == DataType::kBfloat16) largest = 3.3895313892515355e38;
        if (std::isfinite(v) && std::fabs(v) > largest) {
            Refuse(p, a, fmt::format("{} is out of range: the largest {} is {}", v, NumpyName(*p.data_type), largest));
        }
        if (p.size == 8) return values.Add(&v, sizeof v);
        if (p.data_type == DataType::kFloat) {
            const float f = static_cast<float>(v);
            return values.Add(&f, sizeof f);
        }
        const uint64_t bits = numeric::Convert(DataType::kFloat, *p.data_type, Rounding::kRint, Overflow::kInfNan,
                                               std::bit_cast<uint32_t>(RoundToOdd(v)))
                                  .bits;
        values.Add(&bits, sizeof bits);
    }

    void AddStruct(Values& values, const KernelParam& p, const Argument& a) const {
        if (a.kind != Argument::Kind::kBytes) {
            Refuse(p, a,
                   fmt::format("the parameter is a struct of {} bytes passed by value, but {} is given: give its bytes "
                               "(tiling:FILE)",
                               p.size, What(a)));
        }
        if (a.bytes.size() != p.size) {
            Refuse(p, a, fmt::format("the struct has {} bytes, {} are given", p.size, a.bytes.size()));
        }
        values.Add(a.bytes.data(), a.bytes.size());
    }

    const KernelInfo& kernel_;
    size_t index_ = 0;
};

}  // namespace

std::function<void()> BindArguments(std::shared_ptr<const CompiledKernels> owner, const KernelInfo& kernel,
                                    const std::vector<Argument>& arguments) {
    auto values = std::make_shared<const Values>(Binder(kernel).Run(arguments));
    std::vector<std::string> kernels;
    if (owner) {
        for (const KernelInfo& k : owner->kernels()) kernels.push_back(k.name);
    }
    const auto run = [owner = std::move(owner), values, name = kernel.name, by_kind = kernel.by_kind,
                      thunk = kernel.thunk, vector_thunk = kernel.vector_thunk] {
        const bool on_vector = by_kind && runtime::CurrentCore()->place().kind == isa::CoreKind::kVector;
        const KernelInfo::Thunk code = on_vector ? vector_thunk : thunk;
        if (!code) {
            throw Error(
                fmt::format("'{}' has no code for {} cores: every definition stands in a branch of #if for "
                            "the other kind",
                            name, on_vector ? "vector" : "cube"));
        }
        code(values->pointers.data());
    };
    const auto* vector_function = reinterpret_cast<const void*>(kernel.vector_thunk);
    const auto* function = kernel.thunk ? reinterpret_cast<const void*>(kernel.thunk) : vector_function;
    return KernelCall{run,        function,        kernel.name, std::move(kernels), vector_function, kernel.qualifier,
                      kernel.use, kernel.findings, kernel.file, kernel.use_findings};
}

}  // namespace sfumato
