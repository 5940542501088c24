#include "register/register.h"

namespace domi {
REGISTER_CUSTOM_OP("@OP@").FrameworkType(TENSORFLOW).OriginOpType("@OP@").ParseParamsByOperatorFn(AutoMappingByOpFn);
}
