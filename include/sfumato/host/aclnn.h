// SPDX-License-Identifier: Apache-2.0
// What the generated functions aclnn<Op>GetWorkspaceSize and aclnn<Op> call: they hold a description of the operator's
// parameters and pass their arguments on (docs/spec/clients.md 5). C++11, as projects compile them.
#pragma once

#include <cstdint>

#include "aclnn/acl_meta.h"

namespace sfumato {
namespace aclnn {

enum class Kind : uint8_t {
    kTensor,
    kTensorList,
    kScalar,
    kScalarList,
    kIntArray,
    kFloatArray,
    kBoolArray,
    kBool,
    kInt,
    kFloat,
    kString
};

// An argument as it was passed.
struct Value {
    Value(const aclTensor* p) : kind(Kind::kTensor), object(p) {}
    Value(const aclTensorList* p) : kind(Kind::kTensorList), object(p) {}
    Value(const aclScalar* p) : kind(Kind::kScalar), object(p) {}
    Value(const aclScalarList* p) : kind(Kind::kScalarList), object(p) {}
    Value(const aclIntArray* p) : kind(Kind::kIntArray), object(p) {}
    Value(const aclFloatArray* p) : kind(Kind::kFloatArray), object(p) {}
    Value(const aclBoolArray* p) : kind(Kind::kBoolArray), object(p) {}
    Value(const char* p) : kind(Kind::kString), object(p) {}
    Value(bool v) : kind(Kind::kBool), number(v) {}
    Value(int64_t v) : kind(Kind::kInt), number(v) {}
    Value(double v) : kind(Kind::kFloat), real(v) {}

    Kind kind;
    union {
        const void* object;
        int64_t number;
        double real;
    };
};

// kLengths: of the lists in the attribute before it, which is a list of lists.
enum class Role : uint8_t { kInput, kOutput, kInOut, kAttr, kLengths };

// A parameter of the first phase, before the two results; `index` and `output` count declarations of its role.
struct Parameter {
    const char* name;
    Role role;
    uint32_t index;
    uint32_t output;  // of kInOut
};

// A source of an operator project.
struct SourceFile {
    const char *path, *text;  // from the folder of the project
};

// An operator of a package: the library that has its functions has the sources, too, and so runs wherever it is put.
struct Package {
    const char* op;      // "AddCustom"
    const char* chip;    // that it runs on; Ascend910B1 where it does
    const char* folder;  // of the project when the package was built; reports name its files
    const SourceFile* files;
    uint32_t count;
    const char* flags;  // for its compilers, a space between
    bool auto_sync;     // false: --cce-auto-sync=off
};

// A first phase and the second that goes with it.
struct Function {
    const Package& of;
    const char* name;     // "aclnnAddCustom", "aclnnAddCustomV1": the second phase
    const char* prepare;  // the first: "aclnnAddCustomGetWorkspaceSize", "aclnnAddCustomTensorGetWorkspaceSize"
    const Parameter* parameters;
    uint32_t count;
};

// The phases. The codes are those of acl_meta.h; aclGetRecentErrMsg has the report.
SFUMATO_ACL aclnnStatus SfumatoAclnnPrepare(const Function& function, const Value* values, uint64_t* workspace_size,
                                            aclOpExecutor** executor);
SFUMATO_ACL aclnnStatus SfumatoAclnnRun(const Package& package, const char* name, void* workspace,
                                        uint64_t workspace_size, aclOpExecutor* executor, aclrtStream stream);

// Packages that are loaded: calls by an operator's name (acl/acl_op.h) find theirs among them.
SFUMATO_ACL void SfumatoAclnnRegister(const Package& package);
SFUMATO_ACL void SfumatoAclnnForget(const Package& package);
struct Registration {
    explicit Registration(const Package& p) : package(p) { SfumatoAclnnRegister(package); }
    ~Registration() { SfumatoAclnnForget(package); }
    const Package& package;
};

}  // namespace aclnn
}  // namespace sfumato
