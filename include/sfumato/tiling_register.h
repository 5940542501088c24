// SPDX-License-Identifier: Apache-2.0
// Which struct GET_TILING_DATA reads: what the source has registered before it, and for which keys
// (framework.md 4.5, 4.6).
#pragma once

#include <type_traits>
#include <utility>

#include "sfumato/tiling_key_expression.h"

namespace sfumato::tiling {

enum class Registration : uint8_t { kAbsent, kDefault, kForKeys, kNone, kClass, kClassForKey, kNested };

template <Registration kRegistration, class Struct, Text kCondition>
struct Entry {
    using Type = Struct;
    static constexpr Registration kKind = kRegistration;
    static constexpr bool Holds([[maybe_unused]] uint64_t key) {
        if constexpr (kKind == Registration::kForKeys || kKind == Registration::kClassForKey)
            return KeyExpression::Evaluate(kCondition.View(), key) != 0;
        return true;
    }
};

#if defined(__GNUC__) && !defined(__clang__)
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wnon-template-friend"
#endif
// A registration takes the next value of __COUNTER__ as its slot, and making Enter defines the slot's function. What
// stands behind it in the file sees it: a registration may stand in a function with C linkage, where no overload can.
template <int kSlot>
struct Slot {
    friend constexpr auto SfumatoTilingSlot(Slot<kSlot>);
};
template <int kSlot, class NewEntry>
struct Enter {
    friend constexpr auto SfumatoTilingSlot(Slot<kSlot>) { return NewEntry{}; }
    static constexpr bool kDone = true;
};
#if defined(__GNUC__) && !defined(__clang__)
#pragma GCC diagnostic pop
#endif

template <int kSlot>
concept Entered = requires {
    SfumatoTilingSlot(Slot<kSlot>{});
};

// What a slot holds, as a value.
struct Holding {
    Registration kind = Registration::kAbsent;
    bool holds = false;  // for the key asked for
};
template <int kSlot>
constexpr Holding HoldingOf([[maybe_unused]] uint64_t key) {
    if constexpr (Entered<kSlot>) {
        using Held = decltype(SfumatoTilingSlot(Slot<kSlot>{}));
        return {Held::kKind, Held::Holds(key)};
    } else {
        return {};
    }
}

enum class Answer : uint8_t { kFound, kUnregistered, kNoDefault, kTwo, kManyClasses, kKeyUnknown, kNone };

struct Choice {
    Answer answer = Answer::kUnregistered;
    int slot = -1;
};

template <int... kSlots>
constexpr Choice Choose(bool key_known, uint64_t key, std::integer_sequence<int, kSlots...>) {
    const Holding slots[] = {HoldingOf<kSlots>(key)..., Holding{}};
    int default_slot = -1, class_slot = -1, key_slot = -1, classes = 0, matches = 0;
    // GET_TILING_DATA takes an operator's own class, and those of its keys by their names alone (its page).
    bool own = false, by_key = false, none = false;
    for (const Holding& slot : slots)
        own = own || slot.kind == Registration::kClass || slot.kind == Registration::kDefault;
    for (int i = 0; i < static_cast<int>(sizeof...(kSlots)); ++i) {
        const Registration kind = slots[i].kind;
        none = none || kind == Registration::kNone;
        if (kind == Registration::kDefault) default_slot = i;  // the latest: each kernel of a file may have its own
        if (kind == Registration::kClass && slots[i].holds) class_slot = i, ++classes;
        if (kind != Registration::kForKeys && (own || kind != Registration::kClassForKey)) continue;
        by_key = true;
        if (slots[i].holds) key_slot = i, ++matches;
    }
    if (none) return {Answer::kNone, -1};
    if (by_key && default_slot < 0 && classes == 0) return {Answer::kNoDefault, -1};
    if (by_key && !key_known) return {Answer::kKeyUnknown, -1};
    if (matches > 1) return {Answer::kTwo, -1};
    if (matches == 1) return {Answer::kFound, key_slot};
    if (default_slot >= 0) return {Answer::kFound, default_slot};
    if (classes > 1) return {Answer::kManyClasses, -1};
    return classes == 1 ? Choice{Answer::kFound, class_slot} : Choice{};
}

// The struct of GET_TILING_DATA for a key; kEnd is the __COUNTER__ of the call.
template <int kEnd, bool kKeyKnown, uint64_t kKey>
struct Chosen {
    static constexpr Choice kChoice = Choose(kKeyKnown, kKey, std::make_integer_sequence<int, kEnd>{});
    static_assert(
        kChoice.answer != Answer::kUnregistered,
        "GET_TILING_DATA: no tiling struct is registered: write REGISTER_TILING_DEFAULT(Struct) before it, use "
        "GET_TILING_DATA_WITH_STRUCT, or name the struct with --tiling-struct or its header with "
        "--tiling-header");
    static_assert(kChoice.answer != Answer::kNoDefault,
                  "GET_TILING_DATA: REGISTER_TILING_FOR_TILINGKEY needs a REGISTER_TILING_DEFAULT(Struct) besides, for "
                  "the other keys");
    static_assert(kChoice.answer != Answer::kTwo,
                  "GET_TILING_DATA: two REGISTER_TILING_FOR_TILINGKEY hold for this tiling key: a key has one struct");
    static_assert(kChoice.answer != Answer::kManyClasses,
                  "GET_TILING_DATA: several REGISTER_TILING_DATA_CLASS are included: name the struct with "
                  "--tiling-struct, or use GET_TILING_DATA_WITH_STRUCT");
    static_assert(kChoice.answer != Answer::kKeyUnknown,
                  "GET_TILING_DATA: the struct depends on the tiling key, so the key is needed when the source is "
                  "compiled: --tiling-key N, sfumato.compile(tiling_key=N), or -DTILING_KEY_VAR=N");
    static_assert(kChoice.answer != Answer::kNone,
                  "GET_TILING_DATA: after REGISTER_NONE_TILING only GET_TILING_DATA_WITH_STRUCT, "
                  "GET_TILING_DATA_MEMBER and GET_TILING_DATA_PTR_WITH_STRUCT read the tiling");
    static constexpr bool kFound = kChoice.answer == Answer::kFound;

    template <bool kIsFound, int kSlot>
    struct TypeOf {
        using Type = decltype(SfumatoTilingSlot(Slot<kSlot>{}));
    };
    template <int kSlot>
    struct TypeOf<false, kSlot> {
        using Type = Entry<Registration::kAbsent, char, "">;  // reported above
    };
    using Type = typename TypeOf<kFound, kChoice.slot>::Type::Type;
};

// True when a registration of one of the kinds stands before slot kEnd.
template <int... kSlots>
constexpr bool AnyOf([[maybe_unused]] Registration a, [[maybe_unused]] Registration b,
                     std::integer_sequence<int, kSlots...>) {
    return ((HoldingOf<kSlots>(0).kind == a || HoldingOf<kSlots>(0).kind == b) || ...);
}
template <int kSlot, class NewEntry>
constexpr bool Register() {
    constexpr bool kNone = NewEntry::kKind == Registration::kNone;
    constexpr bool kClash =
        kNone ? AnyOf(Registration::kDefault, Registration::kForKeys, std::make_integer_sequence<int, kSlot>{})
              : AnyOf(Registration::kNone, Registration::kNone, std::make_integer_sequence<int, kSlot>{});
    static_assert(!kClash, "REGISTER_NONE_TILING: no other tiling struct may be registered in the file");
    return Enter<kSlot, NewEntry>::kDone;
}

// REGISTER_TILING_DATA_CLASS(Op, S): a nested struct is registered as S + "Op", one for a key as Op_key.
constexpr Registration KindOfClass(std::string_view op, std::string_view name) {
    if (op.size() == name.size() + 2 && op.starts_with(name) && op.ends_with("Op")) return Registration::kNested;
    const size_t last = op.find_last_not_of("0123456789");
    return last + 1 < op.size() && op[last] == '_' ? Registration::kClassForKey : Registration::kClass;
}
// "TILING_KEY_VAR==<key>" for Op_key.
constexpr bool IsKeyOfClass(std::string_view op, uint64_t key) {
    return KeyExpression::Evaluate(op.substr(op.find_last_not_of("0123456789") + 1), 0) == key;
}
template <Text kOp, class Struct, Text kName>
struct ClassEntry {
    using Type = Struct;
    static constexpr Registration kKind = KindOfClass(kOp.View(), kName.View());
    static constexpr bool Holds([[maybe_unused]] uint64_t key) {
        if constexpr (kKind == Registration::kClassForKey) return IsKeyOfClass(kOp.View(), key);
#ifdef SFUMATO_TILING_OPERATOR  // whose kernel this is
        return kOp.View() == SFUMATO_TILING_OPERATOR;
#endif
        return true;
    }
};

}  // namespace sfumato::tiling
