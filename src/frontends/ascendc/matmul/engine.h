// SPDX-License-Identifier: Apache-2.0
// What a cube core does for a Matmul: base blocks of C by basic instructions, with flags of its own between the pipes
// (adv.md 2.10).
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "frontends/ascendc/framework.h"
#include "sfumato/ascendc/matmul/object.h"

namespace sfumato::ascendc::mm {

// A base block of C in the piece: its place and its size.
struct Block {
    int32_t m = 0, n = 0;  // first element
    int32_t rows = 0, columns = 0;
    int32_t k = 0, k_end = 0;  // the part of K that is multiplied
};
// isPartialOutput: a block for each step of baseK (adv.md 2.7), k inner.
int64_t BlockCount(const Object& object);
Block BlockAt(const Object& object, int64_t index);
// Fractals of 16 x 16 that hold the block in L0C.
struct Fractals {
    uint32_t down, across;
};
Fractals FractalsOf(const Block& block);
// Whether the object's policy leaves the block out.
bool IsSkipped(const Object& object, const Block& block);

// One of the two factors as it lies in memory: rows of storage, in elements as they are moved (int4b_t: bytes).
struct Factor {
    DataType type, moved;  // moved: int8_t for int4b_t
    uint32_t bytes;        // of an element moved
    uint32_t packed;       // elements of the type in one moved
    uint32_t c0;           // elements moved in a row of a fractal
    uint32_t square;       // what the rows of a block in L1 are rounded up to
    bool turned;           // rows of storage are k: the fractals turn on their way to L0
    bool turned_in_ub;     // the same, but no load turns them: pipe V does, before L1
    bool is_a;
    bool widened = false;  // B of int8_t that pipe V makes half on its way to L1
};
// A of half and B of int8_t: B is made half.
inline bool Widens(const Kind& kind) { return kind.a.type == DataType::kHalf && kind.b.type == DataType::kInt8; }
Factor FactorOf(const Object& object, bool is_a, bool through_ub);
bool InUb(const runtime::Core& core, const LocalView& view);

struct Place;

// A matrix of the engine's memory, with the flag that says it may be filled again.
struct Slot {
    LocalView view;
    OwnFlag free;
};
// Slots used in turn.
struct Ring {
    std::vector<Slot> slots;
    size_t next = 0;
    Slot& Take() { return slots[next++ % slots.size()]; }
};

class Engine {
public:
    Engine(Framework& framework, runtime::Core& core) : framework_(framework), core_(core) {}
    static Engine& Of(runtime::Core& core);

    // From here on until the next Begin, records belong to a call of this object for this client (0, 1: the vector core
    // of the block it works for). False: reported.
    bool Begin(const Object& object, uint32_t client, uint32_t clients, Where where);
    // Other matrices: nothing in L1 is read again.
    void NewMatrices();
    // The block of L0C leaves no room for that of the other client.
    bool TakesAll() const { return takes_all_; }
    // Bytes of a client's half of L1 that its tensors in TSCM take.
    void Reserve(uint32_t client, uint64_t bytes) { reserved_[client & 1] = bytes; }
    runtime::Core& core() { return core_; }
    // One base block to L0C: C = A x B (+ bias), or C += A x B. co1: the caller's own, or null. next: the block behind
    // it, or null.
    void Compute(const Object& object, const Block& block, bool accumulate, const LocalView* co1 = nullptr,
                 const Block* next = nullptr);
    // It leaves L0C.
    void Store(const Object& object, const Block& block, const Output& output);
    // Waits on every pipe for what the engine's memory is still used by.
    void Release();
    // Event ids are everybody's again.
    void ForgetIds();

private:
    // What a slot of L1 holds of a factor.
    struct Held {
        uint64_t row = ~uint64_t{0}, column = 0;  // of storage; row ~0: nothing
        std::vector<uint64_t> parts;              // bytes from the slot's start of the base blocks that are there
        bool ahead = false;                       // moved before its turn: pipe MTE1 has not waited for it
    };
    struct Side1 {
        Ring ring;
        std::vector<Held> held;
        Slot* current = nullptr;  // pipe MTE1 reads it
    };
    // Base blocks in a slot of L1: stepM or stepN by stepKa or stepKb. MDL moves them at once, the other templates one
    // by one.
    struct Step {
        uint32_t outer = 1, k = 1;
        bool at_once = false;
        bool operator==(const Step&) const = default;
    };
    struct Sizes {
        uint32_t a1 = 0, b1 = 0, c1 = 0, q1 = 0, a2 = 0, b2 = 0, c2 = 0, co1 = 0;  // bytes of a slot
        uint32_t a1_count = 0, b1_count = 0, a2_count = 0, b2_count = 0, c2_count = 0, co1_count = 0;
        Step a_step, b_step;
        uint64_t l1_from = 0, l0c_from = 0, l0c_bytes = 0;
        uint64_t ub_from = 0;  // where C passes UB
        uint32_t ub_out = 0, ub_words = 0;
        bool operator==(const Sizes&) const = default;
    };
    bool Plan(const Object& object, uint32_t client, uint32_t clients, Sizes* sizes);
    // Bytes behind s->l1_from that the engine may take.
    uint64_t FindRoomInL1(Sizes* s) const;
    bool CheckFits(const Object& o, const Sizes& s, uint64_t in_l1, uint64_t l1);
    Step StepOf(const Object& object, const Factor& factor) const;
    void Carve(const Sizes& sizes);
    void CarveResults(const Sizes& sizes);
    template <class Visit>
    void VisitFlags(const Visit& visit);
    Slot MakeSlot(AscendC::TPosition position, uint64_t offset, uint32_t bytes) const;

    struct Window {  // of storage, in moved elements
        uint64_t row, column;
        uint32_t rows, columns, pitch;
    };
    // outer, count: rows of A or columns of B.
    Window WindowOf(const Factor& factor, uint64_t outer, uint32_t count, uint32_t k, uint32_t depth) const;
    // The base block in L1, moved there with those around it if it is not. pitch: from one column of fractals to the
    // next.
    LocalView Load1(const Object& object, const Factor& factor, const Block& block, uint32_t k, uint32_t depth,
                    uint32_t* pitch);
    // doMTE2Preload: a block's load before its turn, where a slot is free and holds all of K.
    void Preload(const Object& object, const Factor& factor, const Block& block);
    // The slot's window, around a base block.
    Window Around(const Object& object, const Factor& factor, const Block& block, uint32_t k, uint32_t depth) const;
    // The slot that holds a window; as many as there are where none does.
    static size_t IndexOf(const Side1& side, const Window& window);
    // The slot that holds a window, or one that may be filled with it.
    size_t SlotFor(Side1* side, const Window& window);
    // Whatever pipe MTE1 has been given reads its slot before it is filled again.
    void Leave(Side1* side);
    void MoveToL1(const Object& object, const Factor& factor, const Step& step, const Window& window,
                  const LocalView& dst);
    void MoveNd(const Factor& factor, const GlobalView& gm, uint64_t pitch, const Window& window, const LocalView& dst);
    // ends: the source, at the window's first element. rows: from one column of fractals to the next.
    void MoveNz(const Factor& factor, const Ends& ends, uint64_t rows, const Window& window, const LocalView& dst);
    // outer: rows of A or columns of B. A vector: a single row of A that lies as one.
    void Load2(const Factor& factor, const LocalView& dst, const LocalView& src, uint32_t pitch, uint32_t outer,
               uint32_t depth);
    // The block's part of a row: `words` elements of `type` for each column.
    void MoveRow(const Input& row, DataType type, uint32_t words, const Block& block, const LocalView& dst);
    // One Mmad into c; frees what it read. bias: null, or what c begins with.
    void Multiply(DataType type, Slot& a2, Slot& b2, Slot* bias, const AscendC::MmadParams& params, const LocalView& c);
    // The product of zeros, and a bias or none: what C is made of where no matrix gives it.
    void MultiplyZeros(DataType type, AscendC::MmadParams params, Slot* bias, const LocalView& c);
    // Zeros behind the columns of C in rows that are filled up.
    void FillRows(const Object& object, const Block& block, const Place& place, const Output& output);
    Slot& LoadBias(const Object& object, const Block& block);

    // Where pipe V reads L0C (coupled.cpp).
    bool ThroughUb() const { return core_.chip().fixpipe.empty(); }
    bool PlanUb(const Object& object, uint64_t rows, uint64_t columns, Sizes* sizes);
    void CarveUb(const Sizes& sizes);
    // whole: the pitch of the matrix, elements of a row, or rows of NZ.
    void LoadFromUb(const Factor& factor, const Side& side, const LocalView& ub, uint32_t whole, const Window& window,
                    const LocalView& dst);
    // The window of a factor that is turned in UB. whole: as above, of storage.
    void LoadTurned(const Factor& factor, const Side& side, const Input& input, uint32_t whole, const Window& window,
                    const LocalView& dst);
    // The window of B that is widened in UB. whole: as above, of storage.
    void LoadWidened(const Object& object, const Factor& factor, uint32_t whole, const Window& window,
                     const LocalView& dst);
    void BeginWithBias(const Object& object, const Block& block, const LocalView& c);
    void FractalsToUb(const Object& object, const Block& block, const LocalView& c, const LocalView& ub,
                      uint64_t pitch);
    void StoreThroughUb(const Object& object, const Block& block, const Output& output, const LocalView& c);
    void StoreByCall(const Object& o, const Block& block, const Output& output, const Place& place, const LocalView& c);
    void StoreByFixpipe(const Object& o, const Block& block, const Output& output, const Place& place,
                        const LocalView& c);
    // Zeros behind the columns of the block, up to 32 bytes of each row.
    void FillRowsInUb(const Object& object, const Block& block, uint64_t pitch);

    Framework& framework_;
    runtime::Core& core_;
    Where where_;
    uint32_t client_ = 0;
    bool takes_all_ = false;
    std::array<uint64_t, 2> reserved_{};
    Sizes sizes_;
    Side1 a1_, b1_;
    Ring c1_, q1_, a2_, b2_, c2_;
    Slot out_, words_;  // in UB
    // Of each client.
    struct Results {
        Ring ring;
        uint64_t from = 0;
        uint32_t bytes = 0;  // of a slot
        Slot* current = nullptr;
        const Object* owner = nullptr;  // whose block it is
        bool stored = true;
    };
    std::array<Results, 2> results_;
};

}  // namespace sfumato::ascendc::mm
