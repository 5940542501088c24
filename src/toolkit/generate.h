// SPDX-License-Identifier: Apache-2.0
// The texts that a package has of its operators, as files of one folder: aclnn_<op>.h and .cpp, op_proto.h and .cc,
// aic-<unit>-ops-info.ini (clients.md 2.4).
#pragma once

#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "op/host_library.h"
#include "op/project.h"
#include "toolkit/settings.h"

namespace sfumato::toolkit {

// A product of a unit of AddConfig: that of SFUMATO_CHIP where it is one, else the one its family's name stands for; ""
// where nothing here is one.
std::string ProductOf(const std::string& unit);
// "ascend310p, ascend910b ..."
std::string KnownUnits();

// Compiles what calls of the operator on the chip would: the kernel for every combination of types and formats, or for
// the column. Nothing where the tiling key decides what is compiled. Throws as Operator::Load does.
void CompileKernels(const std::string& folder, const std::string& op, const std::string& chip,
                    const ChosenOptions& chosen, std::optional<size_t> column = {});

class Generator {
public:
    explicit Generator(std::filesystem::path folder) : folder_(std::move(folder)) {}

    // Those of the operators that run on a chip; others are noted. chips: products that come first.
    void Add(const op::Project& project, const op::HostLibrary& library, const std::vector<std::string>& names,
             const std::vector<KernelOptions>& options, const std::vector<std::string>& chips = {});
    // What is one file for all. Throws Error.
    void Finish();

    const std::vector<std::string>& operators() const { return operators_; }
    std::vector<std::filesystem::path> Files(const char* suffix) const;  // the aclnn_<op> of them
    const std::string& notes() const { return notes_; }                  // lines

private:
    void AddUnits(const op::HostLibrary& library, const std::string& name, const op::Definition& any);

    std::filesystem::path folder_;
    std::vector<std::string> operators_;
    std::vector<op::Definition> definitions_;
    std::map<std::string, std::string> infos_;  // by unit
    std::string notes_;
};

}  // namespace sfumato::toolkit
