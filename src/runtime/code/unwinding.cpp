// SPDX-License-Identifier: Apache-2.0
// Reads the tables of each frame as the C++ runtime does (Itanium C++ ABI: Exception Handling, 2.5.2; the Linux
// Standard Base, .eh_frame_hdr).
#include "runtime/code/unwinding.h"

#include <cxxabi.h>
#include <dlfcn.h>
#include <unwind.h>

#include <array>
#include <cstdint>
#include <cstring>

#include "runtime/cores/core.h"
#include "runtime/cores/of_thread.h"
#include "sfumato/code_calls.h"
#include "system/modules.h"

extern "C" {
void __register_frame(void* begin) __attribute__((weak));
// Where the entry of an instruction lies in the tables, in `bases` what its addresses count from; of libgcc.
struct dwarf_eh_bases {
    void *text, *data, *function;
};
const void* _Unwind_Find_FDE(void* at, dwarf_eh_bases* bases) __attribute__((weak));
void __gxx_personality_v0();
void __gcc_personality_v0() __attribute__((weak));
}

namespace sfumato::runtime {
namespace {

class TableBytes {
public:
    explicit TableBytes(const uint8_t* at) : at_(at) {}
    const uint8_t* at() const { return at_; }

    uint8_t Byte() { return *at_++; }
    template <class T>
    T Value() {
        T value;
        std::memcpy(&value, at_, sizeof value);
        at_ += sizeof value;
        return value;
    }
    uint64_t Unsigned() {
        uint64_t value = 0;
        for (unsigned shift = 0;; shift += 7) {
            const uint8_t byte = Byte();
            value |= uint64_t{byte & 0x7fu} << shift;
            if (byte < 0x80) return value;
        }
    }
    int64_t Signed() {
        uint64_t value = 0;
        for (unsigned shift = 0;;) {
            const uint8_t byte = Byte();
            value |= uint64_t{byte & 0x7fu} << shift;
            shift += 7;
            if (byte >= 0x80) continue;
            return static_cast<int64_t>(byte & 0x40 && shift < 64 ? value | ~uint64_t{0} << shift : value);
        }
    }
    // A pointer: its lower four bits say how it is written, 0x10 that it counts from itself, 0x80 that it is of one.
    uint64_t Pointer(uint8_t encoding) {
        const auto self = reinterpret_cast<uintptr_t>(at_);
        uint64_t value = 0;
        switch (encoding & 0xf) {
            case 0x1: value = Unsigned(); break;
            case 0x2: value = Value<uint16_t>(); break;
            case 0x3: value = Value<uint32_t>(); break;
            case 0x9: value = static_cast<uint64_t>(Signed()); break;
            case 0xa: value = static_cast<uint64_t>(Value<int16_t>()); break;
            case 0xb: value = static_cast<uint64_t>(Value<int32_t>()); break;
            default: value = Value<uint64_t>();
        }
        if (value == 0) return 0;
        if ((encoding & 0x70) == 0x10) value += self;
        if (encoding & 0x80) std::memcpy(&value, reinterpret_cast<const void*>(value), sizeof value);
        return value;
    }

private:
    const uint8_t* at_;
};

size_t SizeOf(uint8_t encoding) {
    const uint8_t form = encoding & 0x7;
    return form == 2 ? 2 : form == 3 ? 4 : 8;
}

enum class Fate : uint8_t { kPasses, kCaught, kEnds };

// What happens at a call whose actions begin here.
Fate OfActions(const uint8_t* action, const uint8_t* types, uint8_t encoding, const std::type_info& thrown) {
    for (;;) {
        TableBytes bytes(action);
        const int64_t filter = bytes.Signed();
        const uint8_t* const next = bytes.at();
        if (filter < 0) return Fate::kEnds;
        if (filter > 0) {
            TableBytes type(types - static_cast<size_t>(filter) * SizeOf(encoding));
            const auto* caught = reinterpret_cast<const std::type_info*>(type.Pointer(encoding));
            if (caught == nullptr || *caught == thrown) return Fate::kCaught;
        }
        const int64_t step = bytes.Signed();
        if (step == 0) return Fate::kPasses;
        action = next + step;
    }
}

// In a frame at `at`, which lies `offset` bytes behind the beginning of its function. No call site: noexcept.
Fate InFrame(const uint8_t* tables, uint64_t offset, const std::type_info& thrown) {
    TableBytes bytes(tables);
    constexpr uint8_t kAbsent = 0xff;
    if (const uint8_t encoding = bytes.Byte(); encoding != kAbsent) bytes.Pointer(encoding);
    const uint8_t type_encoding = bytes.Byte();
    const uint8_t* types = nullptr;
    if (type_encoding != kAbsent) {
        const uint64_t distance = bytes.Unsigned();
        types = bytes.at() + distance;
    }
    const uint8_t site_encoding = bytes.Byte();
    const uint64_t length = bytes.Unsigned();
    const uint8_t* const actions = bytes.at() + length;
    while (bytes.at() < actions) {
        const uint64_t begin = bytes.Pointer(site_encoding), size = bytes.Pointer(site_encoding);
        const uint64_t pad = bytes.Pointer(site_encoding), action = bytes.Unsigned();
        if (offset < begin) break;  // they are in order
        if (offset >= begin + size) continue;
        if (pad == 0 || action == 0) return Fate::kPasses;
        return OfActions(actions + action - 1, types, type_encoding, thrown);
    }
    return Fate::kEnds;
}

// dlopen of one of the vendor's libraries brings this one as what it filters. glibc keeps such a library out of what
// _dl_find_object finds, which the unwinder asks: it is told here. The part of this library with its
// code, if so.
system::Addresses TellUnwinder() {
    system::Addresses told;
    void* const here = reinterpret_cast<void*>(&TellUnwinder);
    // In glibc 2.35 and newer, which need not be the one this was built with. It fills 8 to 16 words.
    using FindObject = int (*)(void* address, void* found);
    const auto find = reinterpret_cast<FindObject>(dlsym(RTLD_DEFAULT, "_dl_find_object"));
    std::array<uint64_t, 32> found;
    if (find == nullptr || find(here, found.data()) == 0 || __register_frame == nullptr) return told;
    system::VisitModules([&](const system::Module& module) {
        told = module.PartWith(reinterpret_cast<uintptr_t>(here));
        if (told.bytes == 0) return false;
        const uint8_t* const header = module.frame_table();
        if (header != nullptr && header[0] == 1) {
            TableBytes bytes(header + 4);  // behind its version and three encodings
            __register_frame(reinterpret_cast<void*>(bytes.Pointer(header[1])));
        }
        return true;
    });
    return told;
}

const system::Addresses g_told = TellUnwinder();

// Who unwinds the frame at `at`; 0: nobody, or it is not known (DWARF Exception Header: Common Information Entry).
uintptr_t PersonalityAt(uintptr_t at) {
    dwarf_eh_bases bases = {};
    if (_Unwind_Find_FDE == nullptr) return 0;
    const auto* entry = static_cast<const uint8_t*>(_Unwind_Find_FDE(reinterpret_cast<void*>(at), &bases));
    if (entry == nullptr) return 0;
    const uint8_t* const link = entry + 4;  // behind the length
    TableBytes bytes(link - TableBytes(link).Value<int32_t>() + 8);
    const uint8_t version = bytes.Byte();
    const auto* augmentation = reinterpret_cast<const char*>(bytes.at());
    if (*augmentation != 'z') return 0;
    while (bytes.Byte() != 0) {
    }
    bytes.Unsigned(), bytes.Signed();  // alignments
    version == 1 ? bytes.Byte() : bytes.Unsigned();
    bytes.Unsigned();
    for (const char* c = augmentation + 1; *c != 0; ++c) {
        if (*c == 'P') return bytes.Pointer(bytes.Byte());
        if (*c == 'R' || *c == 'L') bytes.Byte();
    }
    return 0;
}

// A C++ runtime of its own, linked into the library whose frame it is, cannot unwind for this one.
bool IsOurs(uintptr_t personality) {
    return personality == 0 || personality == reinterpret_cast<uintptr_t>(&__gxx_personality_v0) ||
           personality == reinterpret_cast<uintptr_t>(&__gcc_personality_v0);
}

struct TableWalk {
    const std::type_info& thrown;
    bool caught = false;
};

_Unwind_Reason_Code VisitTables(_Unwind_Context* context, void* data) {
    auto& walk = *static_cast<TableWalk*>(data);
    int before = 0;
    const uintptr_t at = _Unwind_GetIPInfo(context, &before) - (before ? 0 : 1);
    // A libgcc that is linked into other code was not told: that code cannot pass an exception on to this library.
    if (g_told.bytes != 0 && !g_told.Hold(at)) return _URC_END_OF_STACK;
    const auto* tables = reinterpret_cast<const uint8_t*>(_Unwind_GetLanguageSpecificData(context));
    if (tables != nullptr && !IsOurs(PersonalityAt(at))) return _URC_END_OF_STACK;
    const Fate fate = tables ? InFrame(tables, at - _Unwind_GetRegionStart(context), walk.thrown) : Fate::kPasses;
    walk.caught = fate == Fate::kCaught;
    return fate == Fate::kPasses ? _URC_NO_REASON : _URC_END_OF_STACK;
}

}  // namespace

bool IsCaught(const std::type_info& thrown) {
    TableWalk walk{thrown};
    _Unwind_Backtrace(VisitTables, &walk);
    return walk.caught;
}

const Thrown& LastThrown() { return OfThread<Thrown>(); }

}  // namespace sfumato::runtime

void SfumatoThrow(void* object, void* type, void (*destroy)(void*), const void* at) {
    if (sfumato::runtime::Core* core = sfumato::runtime::CurrentCore()) {
        core->stopping().thrown_at = at, core->stopping().thrown = object;
    } else {
        sfumato::runtime::OfThread<sfumato::runtime::Thrown>() = {object, at};
    }
    abi::__cxa_throw(object, static_cast<std::type_info*>(type), destroy);
}
