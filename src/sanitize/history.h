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
    bool in_place = false;     // a read of bytes that the record may write next

    // To global memory, through the cache of the scalar unit or past it.
    bool IsScalarStore() const { return by_scalar && !listed && kind == Kind::kWrite; }

    // The same doer and way; the later one stands for both, because order covers what is before it in its pipe.
    bool Replaces(const Access& o) const { return core == o.core && pipe == o.pipe && kind == o.kind; }
    // One that nothing tells from this; but the tick.
    bool Is(const Access& o) const { return tick == o.tick && IsButForTick(o); }
    bool IsButForTick(const Access& o) const {
        return Replaces(o) && call == o.call && where.line == o.where.line && where.file == o.where.file &&
               few_bytes == o.few_bytes && by_scalar == o.by_scalar && listed == o.listed &&
               long_matmul == o.long_matmul && unit_flag == o.unit_flag;
    }
};

// The past of one byte: its last plain write, and the reads and atomic stores since.
struct Past {
    Access write;
    bool written = false;
    std::vector<Access> others;
    // Plain writes that `write` and nothing orders, and that left the same bytes: behind one of them a read sees what
    // all wrote.
    std::vector<Access> equals;
};

// Pasts, shared by all the bytes that have the same one. A handle is 0 for "untouched".
class Pasts {
public:
    using Handle = uint32_t;

    const Past& operator[](Handle h) const { return slots_[h].past; }
    // One that is like another (or untouched), to be changed before others share it.
    Handle Like(Handle h, uint32_t uses);
    Past& Change(Handle h) { return slots_[h].past; }
    uint64_t uses(Handle h) const { return slots_[h].uses; }
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

// Of one memory or allocation. A tree of 32 branches a node: a node whose bytes all have one past is a leaf.
class History {
public:
    // Bytes that have one past, from the one on where an access meets it.
    class Stretch {
    public:
        Stretch(const History& history, Pasts::Handle past, isa::Span within)
            : history_(history), past_(past), within_(within) {}
        // Walks them: for reports.
        isa::Span Bytes() const { return {within_.begin, history_.EndOf(past_, within_.begin, within_.end)}; }
        bool Written() const { return history_.pasts_[past_].written; }

    private:
        const History& history_;
        const Pasts::Handle past_;
        const isa::Span within_;
    };

    // Judges an access against an earlier one on the same bytes: called once for each past it meets.
    class Judge {
    public:
        virtual ~Judge() = default;
        virtual void Meet(const Access& earlier, const Stretch& stretch) = 0;
        // A read meets a write of the bytes that one it is behind left, too.
        virtual void MeetEqual(const Access& /*earlier*/, const Stretch&) {}
        virtual bool IsBehind(const Access& /*earlier*/) { return false; }
        // Which of two plain writes that race stays in memory of later ones.
        virtual bool Keeps(const Access& /*earlier*/) { return false; }
    };
    // Of accesses that meet nothing that is to be judged.
    class NoJudge final : public Judge {
        void Meet(const Access&, const Stretch&) override {}
    };

    History(Pasts* pasts, uint64_t bytes) : pasts_(*pasts), bytes_(bytes), roots_((bytes + kRoot - 1) / kRoot) {}
    ~History();
    History& operator=(History&&) = delete;

    // One access, run by run: what its runs meet is judged once for all of them. Nothing else may touch any history of
    // the same pasts while it lives.
    class Walk;
    // Bytes past the end of the memory are left out.
    void Touch(isa::Span bytes, const Access& access, Judge& judge);
    // The same of an access that is this one run, where its bytes have a past that no other byte has: it becomes the
    // new one where it stands. False: they have not, and nothing is done.
    bool TouchAlone(isa::Span run, const Access& access, Judge& judge);
    // Two plain writes of these bytes, which nothing orders, left the same.
    void AreEqual(isa::Span bytes, const Access& one, const Access& other);
    // nullptr: untouched.
    const Past* At(uint64_t byte) const;

private:
    static constexpr int kBits = 5;  // shifts: a division takes longer than all else
    static constexpr uint64_t kBranches = uint64_t{1} << kBits, kRoot = kBranches * kBranches;  // bytes of a root
    static constexpr uint32_t kSplit = 1u << 31;  // its branches differ: an index of splits_, else the past of all
    using Node = uint32_t;
    using Split = std::array<Node, kBranches>;

    Pasts::Handle HandleAt(uint64_t byte) const;
    uint64_t EndOf(Pasts::Handle past, uint64_t from, uint64_t end) const;
    // The past of these bytes and no others, or 0.
    Pasts::Handle PastOf(isa::Span run) const;
    // What becomes of the node of 1 << bits bytes at `begin`; `part` lies in it.
    Node Touched(Node node, uint64_t begin, int bits, isa::Span part, Walk& walk);
    Node NewSplit(Node node);
    Node Joined(Node node, uint64_t branches, Walk& walk);
    void Leave(Node node);

    Pasts& pasts_;
    uint64_t bytes_;
    std::vector<Node> roots_;
    std::vector<Split> splits_;
    std::vector<uint32_t> free_splits_;
};

class History::Walk {
public:
    // equal: nothing is touched; where one of the two is the last plain write, the other left the same bytes.
    Walk(History& history, const Access& access, Judge& judge, const Access* equal = nullptr)
        : history_(history), pasts_(history.pasts_), access_(access), judge_(judge), equal_(equal) {}
    ~Walk();
    Walk& operator=(Walk&&) = delete;

    void Touch(isa::Span run);

private:
    friend class History;
    static constexpr size_t kMost = 16;

    // The past of `count` bytes or cells that had this one.
    Pasts::Handle Of(Pasts::Handle before, uint64_t first_byte) {
        if (last_ < count_ && before_[last_] == before) return ++moved_, after_[last_];
        return Another(before, first_byte);
    }
    // One block, of a node whose branches differ. False: something else, and nothing is done.
    bool TouchBlock(isa::Span run);
    Pasts::Handle Another(Pasts::Handle before, uint64_t first_byte);
    // Counts what has moved from the last past to the one after it.
    void Settle() {
        if (moved_ == 0) return;
        pasts_.Use(after_[last_], moved_);
        pasts_.Leave(before_[last_], moved_);
        moved_ = 0;
    }
    Pasts::Handle Step(Pasts::Handle before, uint64_t first_byte);
    Pasts::Handle StepEqual(Pasts::Handle before);
    // Whether the write that is there stays.
    bool Meets(const Past& past, const Stretch& bytes);
    void MeetWrites(const Past& past, const Stretch& bytes);
    // Makes it the past behind the access.
    void Change(Past& past, bool keeps) const;
    // The latest comes last.
    void Add(std::vector<Access>& others) const;

    History& history_;
    Pasts& pasts_;
    const Access& access_;
    Judge& judge_;
    const Access* const equal_;
    uint64_t end_ = 0;  // of the run
    // Pasts met, and what becomes of them; each is held once while the walk lives.
    std::array<Pasts::Handle, kMost> before_, after_;
    size_t count_ = 0, last_ = 0;
    uint32_t moved_ = 0;
    Pasts::Handle written_ = 0;
};

}  // namespace sfumato::sanitize
