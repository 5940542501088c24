// SPDX-License-Identifier: Apache-2.0
// The workspace argument: the part of the user and that of the libraries (framework.md 1.13).
#pragma once

#include "sfumato/ascendc/issue.h"

namespace AscendC {

// The argument of a kernel is its user's part already (framework.md 1.13, decided for every way to launch).
inline uint8_t* GetUserWorkspace(uint8_t* workspace) { return workspace; }
// What SetSysWorkspace was given on this core, else the launch's own; without either a fault.
inline uint8_t* GetSysWorkSpacePtr(SFUMATO_AT) { return sfumato_::SystemWorkspace(where); }
inline void SetSysWorkspace(uint8_t* workspace, SFUMATO_AT) {
    sfumato_::SetSystemWorkspace(workspace, "SetSysWorkspace", where);
}
inline void SetSysWorkspaceForce(uint8_t* workspace, SFUMATO_AT) {
    sfumato_::SetSystemWorkspace(workspace, "SetSysWorkspaceForce", where);
}

}  // namespace AscendC

// Programs write these with and without the namespace.
using AscendC::GetSysWorkSpacePtr;
using AscendC::GetUserWorkspace;
using AscendC::SetSysWorkspace;
using AscendC::SetSysWorkspaceForce;
