// SPDX-License-Identifier: Apache-2.0
// What code_use_test.cpp reads: functions that reach calls of the front end in every way code can. Never run.
namespace sfumato::ascendc {
void vadd(), mmad(), SyncAllCores(), data_move(), SetDeqScaleHalf(), BlockIdx();
}
using namespace sfumato::ascendc;
void vconv_f322f16(int), elsewhere();  // a C intrinsic, and what is none of the front end

#define EXPORT extern "C" __attribute__((visibility("default"), used)) void
#define APART __attribute__((noinline, noipa))

namespace {

APART void Vector() { vadd(); }
APART void Cube() { mmad(); }

using Function = void (*)();
Function g_table[] = {Vector, Cube};
Function g_other[] = {SyncAllCores};

}  // namespace

struct Base {
    virtual void Run() = 0;
};
struct Derived : Base {
    APART void Run() override { mmad(); }
};
APART void Call(Base& b) { b.Run(); }

struct Other {
    virtual void First() {}
};
// Its thunk may lie in the section of Run, without a relocation: the table of virtual functions has both.
struct Second : Other, Base {
    int keeps_the_function_out_of_the_thunk = 0;
    APART void Run() override { mmad(), ++keeps_the_function_out_of_the_thunk; }
};

// Variables: some that code can write, a constant, a pointer the loader writes.
namespace variables {
int global = 1;
thread_local int local = 2;
extern const int constant[2] = {3, 4};
extern void (*const relocated)() = Vector;
APART void Inner() { ++local; }
}  // namespace variables

EXPORT writes_global() { ++variables::global; }
EXPORT writes_static() {
    static volatile long long calls = 1;
    calls = calls + 1;
}
EXPORT writes_local() { variables::Inner(); }
EXPORT reads_constants(int i, volatile int* to) { *to = variables::constant[i], variables::relocated(); }

EXPORT nothing() { BlockIdx(); }
EXPORT moves() { data_move(); }
EXPORT intrinsic() { vconv_f322f16(1), elsewhere(); }
EXPORT direct() { vadd(), data_move(); }
EXPORT by_function() { Cube(); }
EXPORT by_pointer(int i) { g_table[i](); }
EXPORT by_virtual_call() {
    Derived d;
    Call(d);
}
EXPORT by_thunk() {
    Second s;
    Call(s);
}
EXPORT by_switch(int i) {
    switch (i) {
        case 0: Vector(); break;
        case 1: BlockIdx(); break;
        case 2: data_move(); break;
        case 3: SyncAllCores(); break;
        case 4: Vector(), BlockIdx(); break;
        case 5: data_move(), BlockIdx(); break;
        case 6: SyncAllCores(), BlockIdx(); break;
    }
}
EXPORT by_another_switch(int i) {
    switch (i) {
        case 0: BlockIdx(); break;
        case 1: SetDeqScaleHalf(); break;
        case 2: data_move(); break;
        case 3: BlockIdx(), data_move(); break;
        case 4: SetDeqScaleHalf(), data_move(); break;
        case 5: data_move(), BlockIdx(); break;
        case 6: SetDeqScaleHalf(), BlockIdx(); break;
    }
}
EXPORT by_recursion(int n) {
    if (n > 0) by_recursion(n - 1), BlockIdx();
    Cube();
}
EXPORT unused(int i) { g_other[i](); }
