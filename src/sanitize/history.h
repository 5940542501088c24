// SPDX-License-Identifier: Apache-2.0
// Who touched which bytes of a memory last: exact, and one step for each stretch of equal past.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "isa/record.h"

namespace sfumato::sanitize {

struct Access {
    enum class Kind : uint8_t { kRead, kWrite, kAtomic };
    uint64_t tick = 0;
    Where where;
    const char* call = "";
    uint32_t core = 0;  // order in the launch
    isa::Pipe pipe = isa::Pipe::kS;
    Kind kind = Kind::kRead;
    bool by_scalar = false;    // of the scalar unit
    bool listed = false;       // and one that auto_sync knows (framework.md 2.5)
    bool long_matmul = false;  // Mmad on 10 fractals or more: the cube unit orders it behind another
    bool few_bytes = false;    // as polls have, of global memory
    bool unit_flag = false;    // Mmad and Fixpipe that hand over C fractal by fractal

    // The same doer and way; the later one stands for both, because order covers what is before it in its pipe.
    bool Replaces(const Access& o) const { return core == o.core && pipe == o.pipe && kind == o.kind; }
};

// The past of one byte: its last plain write, and the reads and atomic stores since.
struct Past {
    Access write;
    bool written = false;
    std::vector<Access> others;
};

// Pasts, shared by all the bytes that have the same one. A handle is 0 for "untouched".
class Pasts {
public:
    using Handle = uint32_t;

    const Past& operator[](Handle h) const { return slots_[h].past; }
    // One that is like another (or untouched), to be changed before others share it.
    Handle Like(Handle h, uint32_t uses);
    Past& Change(Handle h) { return slots_[h].past; }
    size_t in_use() const { return slots_.size() - 1 - free_.size(); }
    void Use(Handle h, uint32_t uses) {
        if (h) slots_[h].uses += uses;
    }
    void Leave(Handle h, uint32_t uses) {
        if (h && (slots_[h].uses -= uses) == 0) free_.push_back(h);
    }

private:
    struct Slot {
        Past past;
        uint64_t uses = 0;
    };
    std::vector<Slot> slots_{1};
    std::vector<Handle> free_;
};

// Of one memory or allocation.
class History {
public:
    // Judges an access against an earlier one on the same bytes: called once for each stretch with the same past.
    class Judge {
    public:
        virtual ~Judge() = default;
        // bytes: the first stretch where the two meet.
        virtual void Meet(const Access& earlier, isa::Span bytes) = 0;
        // Which of two plain writes that race stays in memory of later ones.
        virtual bool Keeps(const Access& /*earlier*/) { return false; }
    };

    History(Pasts* pasts, uint64_t bytes) : pasts_(*pasts), bytes_(bytes), cells_((bytes + kCell - 1) / kCell) {}
    ~History();
    History(const History&) = delete;
    History& operator=(const History&) = delete;

    // Bytes past the end of the memory are left out.
    void Touch(isa::Span bytes, const Access& access, Judge& judge);
    // nullptr: untouched.
    const Past* At(uint64_t byte) const;

private:
    static constexpr uint64_t kCell = 32;
    static constexpr uint32_t kSplit = 1u << 31;  // the cell's bytes differ: an index of splits_
    using Split = std::array<Pasts::Handle, kCell>;

    // The steps of one Touch: a past before, and after it.
    class Steps;
    Pasts::Handle HandleAt(uint64_t byte) const;
    // Where bytes of this past, from `from` on, end.
    uint64_t EndOf(Pasts::Handle past, uint64_t from, uint64_t end) const;
    void TouchPart(uint32_t& cell, uint64_t cell_begin, uint64_t first, uint64_t end, Steps& steps);

    Pasts& pasts_;
    uint64_t bytes_;
    std::vector<uint32_t> cells_;
    std::vector<Split> splits_;
    std::vector<uint32_t> free_splits_;
};

}  // namespace sfumato::sanitize
