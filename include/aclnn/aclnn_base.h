// SPDX-License-Identifier: Apache-2.0
// Objects of aclnn calls, and the two calls around all of them, which do nothing here.
#pragma once

#include "aclnn/acl_meta.h"

SFUMATO_ACL aclnnStatus aclnnInit(const char* configPath);
SFUMATO_ACL aclnnStatus aclnnFinalize(void);
