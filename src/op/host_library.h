// SPDX-License-Identifier: Apache-2.0
// The compiled host code of a project: what it has registered, and its functions on a call (clients.md 6.3).
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "sfumato/op.h"

namespace sfumato::op {

class HostLibrary {
public:
    // Loads a shared object; its registrations are its own. Throws Error when it cannot be loaded.
    explicit HostLibrary(const std::string& path);
    ~HostLibrary();
    HostLibrary& operator=(HostLibrary&&) = delete;

    // Names of OP_ADD, in order of registration.
    std::vector<std::string> names() const;
    // Those of AddConfig; none of a definition that cannot be made. Whether the chip's is one of them.
    std::vector<std::string> Units(const std::string& name) const;
    bool HasUnit(const std::string& name, const std::string& chip) const;
    // With the configuration of the chip. Throws KernelError: op-definition, op-chip, comm-unsupported.
    // strict: see LoadOptions.
    Definition DefinitionFor(const std::string& name, const std::string& chip, bool strict) const;

    // The structs that REGISTER_TILING_DATA_CLASS names for the operator, nested ones left out.
    struct TilingClass {
        std::string key;   // "" for the default, else the text behind the operator's name ("_2")
        std::string name;  // of the struct
        uint64_t bytes;
    };
    std::vector<TilingClass> TilingClasses(const std::string& name) const;

    // Fills call.outputs where they are empty, by InferShape and InferDataType, Follow, or the only type the column
    // has. Inferred: one spec for each required output; false when nothing tells the shapes. Throws KernelError:
    // op-infer.
    bool Infer(const Definition& definition, Call& call) const;
    // Compile information (once a chip), then the tiling function. Throws KernelError.
    Tiling Tile(const Definition& definition, const Call& call) const;

private:
    struct Impl;
    std::unique_ptr<Impl> impl_;
};

// The operators that a shared object registers, whoever compiled it, with the files of OP_ADD: their definitions are
// not made. Throws Error when it cannot be loaded.
struct Registered {
    std::string op, file;
};
std::vector<Registered> RegisteredIn(const std::string& path);

}  // namespace sfumato::op
