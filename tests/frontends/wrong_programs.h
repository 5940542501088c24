// SPDX-License-Identifier: Apache-2.0
// Wrong Ascend C programs and the exact report each must give. Tables in wrong_*.cpp, the runner in wrong_test.cpp.
#pragma once

#include <string>
#include <vector>

#include "kernel_operator.h"
#include "sfumato/launch.h"

namespace sfumato::wrong {

using namespace AscendC;

// Without a message the words are those of reports/, in the file with the name of the program's file: so for new
// programs (docs/adding.md, "A rule").
struct Expected {
    Severity severity = Severity::kFault;
    const char* rule = "";
    const char* instruction = "";
    const char* operand = "";
    const char* message = "";
    const char* found = "";  // {earlier} stands for the place Earlier() marked
    const char* legal = "";
    const char* hint = "";
    const char* core = "aiv0";
    bool in_source = true;  // the report names the line Wrong() marked
    bool of_result = false;  // told of what the call has written
    bool in_text() const { return !*message; }
};

// gm has 4096 bytes, tail 40. The wrong call is the last that writes anything.
struct Program {
    const char* name;
    void (*kernel)(GM_ADDR gm, GM_ADDR tail);
    Expected report;
    const char* chip = "Ascend910B1";
    CoreChoice core = CoreChoice::kDefault;
    std::vector<const char*> others = {};  // rules of the findings besides the report
};

// Stands on the line of the wrong call, before it: keeps the line and a picture of all memories.
void Wrong(Where where = Where::Here());
// Stands on the line a report refers back to.
void Earlier(Where where = Where::Here());

// A tensor at a byte offset of UB.
template <class T>
LocalTensor<T> Ub(uint32_t byte_offset, uint32_t count) {
    return LocalTensor<T>(TPosition::VECCALC, byte_offset, count);
}

// A tensor at a byte offset of the memory behind a position.
template <class T>
LocalTensor<T> At(TPosition position, uint32_t count, uint32_t byte_offset = 0) {
    return LocalTensor<T>(position, byte_offset, count);
}

template <class T>
GlobalTensor<T> Gm(GM_ADDR address, uint64_t count) {
    GlobalTensor<T> tensor;
    tensor.SetGlobalBuffer(reinterpret_cast<T*>(address), count);
    return tensor;
}

std::vector<Program> VectorPrograms();
std::vector<Program> MaskPrograms();
std::vector<Program> LanguagePrograms();
std::vector<Program> HandoverPrograms();
std::vector<Program> SelectPrograms();
std::vector<Program> MovePrograms();
std::vector<Program> TensorPrograms();
std::vector<Program> QueuePrograms();
std::vector<Program> SyncPrograms();
std::vector<Program> CubePrograms();
std::vector<Program> LoadPrograms();
std::vector<Program> Load3Dv1Programs();
std::vector<Program> Load3Dv2Programs();
std::vector<Program> MmadPrograms();
std::vector<Program> FixpipePrograms();
std::vector<Program> Co2Programs();
std::vector<Program> CubeMovePrograms();
std::vector<Program> CubeSyncPrograms();
std::vector<Program> ReducePrograms();
std::vector<Program> SortPrograms();
std::vector<Program> AdvPrograms();
std::vector<Program> AdvRowPrograms();      // softmax, reductions, norms
std::vector<Program> AdvNormPrograms();
std::vector<Program> AdvFunctionPrograms();
std::vector<Program> AdvDataPrograms();
std::vector<Program> AdvOperandPrograms();  // V1 to V4 and V7 of every family
std::vector<Program> WholePrograms();
std::vector<Program> KernelPrograms();
std::vector<Program> ArgumentPrograms();

}  // namespace sfumato::wrong
