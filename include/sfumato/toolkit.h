// SPDX-License-Identifier: Apache-2.0
// The toolkit folder: what programs written for the vendor's toolkit find by their environment (docs/toolkit.md,
// docs/spec/clients.md 2).
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "sfumato/build.h"
#include "sfumato/report.h"

namespace sfumato::toolkit {

// The folder beside the running library. Throws KernelError: toolkit-missing.
SFUMATO_API std::string Folder();

// The folder that stands for /usr/local/Ascend: links on that folder under all names of an installed toolkit, for this
// user and this installation. Makes it. Throws KernelError (toolkit-missing), Error where it cannot be made.
SFUMATO_API std::string LinkFolder();

// The same links in a folder where programs look for a toolkit, e.g. /usr/local/Ascend. They are made where nothing
// else stands. Throws Error: a toolkit of somebody else's is there, or links cannot be made; KernelError as Folder.
struct Linked {
    size_t count = 0;
    std::vector<std::string> left;  // paths where something else stands
};
SFUMATO_API Linked Link(const std::string& folder);
// Takes the links away that Link made there, and what is empty then. How many; 0: there are none of ours.
SFUMATO_API size_t Unlink(const std::string& folder);

struct EnvironmentOptions {
    std::string chip;         // family or product; empty: SFUMATO_CHIP, else Ascend910B1
    bool torch = false;       // the folder of torch_npu, too
    std::string command_dir;  // folder of the command `sfumato`, added at the end of PATH
};
using Setting = std::pair<std::string, std::string>;

// The variables and their values, from the environment as it is: with them set the same comes out. Makes the user's
// folder of operator packages. Throws KernelError (toolkit-missing), Error for a chip that there is not.
SFUMATO_API std::vector<Setting> Environment(const EnvironmentOptions& options);

// A finding for each variable that is set and leads elsewhere.
SFUMATO_API std::vector<Report> CheckEnvironment();

// The folder of operator packages: $ASCEND_OPP_PATH where that is one of ours, else the user's.
SFUMATO_API std::string OppFolder();

// op::ConfigWord of a chip, as CMakePresets.json has it. Throws Error for a chip that there is not, KernelError
// (chip-mismatch) where SFUMATO_CHIP is of another family.
SFUMATO_API std::string ComputeUnit(const std::string& chip);

struct BuildOpOptions {
    std::string folder = ".";
    std::string out;                          // empty: <folder>/build_out
    std::vector<std::string> defines;         // "vendor_name=mine", over CMakePresets.json
    std::vector<std::string> kernel_options;  // "ALL:-DX=1", "AddCustom:-DY", besides those of op_kernel/CMakeLists.txt
    bool autogen = false;                     // only the text of the aclnn functions, to `out`
};
// Compiles an operator project for its ASCEND_COMPUTE_UNIT, generates its aclnn functions (op_api/lib/libcust_opapi.so)
// and packs it as <out>/custom_opp_<os>_<machine>.run. Throws nothing for what is wrong with the project.
SFUMATO_API BuildResult BuildOp(const BuildOpOptions& options);

// op_build of the toolkit folder: for the operators that a shared object of host code registers, aclnn_<op>.h and .cpp,
// op_proto.h and .cc and aic-<unit>-ops-info.ini into the folder `out`. The sources are those of OP_ADD, found again.
SFUMATO_API BuildResult BuildTexts(const std::string& library, const std::string& out);

struct OpcOptions {
    std::string source;       // what the build calls the operator's implementation
    std::string input_param;  // JSON: the operator, and the types and formats of its parameters
    std::string soc_version, output;
};
// opc of the toolkit folder: compiles the kernel for one combination of types and formats, and describes it in
// <output>/<name>.json, beside <name>.o. The project is the one whose build folder the files stand in.
SFUMATO_API BuildResult CompileCombination(const OpcOptions& options);

}  // namespace sfumato::toolkit
