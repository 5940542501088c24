# The headers of cmake/other_headers.txt, as forwarders beside the generated ones.
set(list ${PROJECT_SOURCE_DIR}/cmake/other_headers.txt)
set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${list})
file(STRINGS ${list} other_headers REGEX "^[^#]")
foreach(header IN LISTS other_headers)
  file(CONFIGURE OUTPUT ${PROJECT_BINARY_DIR}/generated/${header} @ONLY CONTENT
"// SPDX-License-Identifier: Apache-2.0
// Generated from cmake/other_headers.txt. Do not edit.
#pragma once
#include \"kernel_operator.h\"
")
endforeach()
