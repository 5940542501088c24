# The headers of cmake/other_headers.txt and cmake/host_headers.txt, as forwarders beside the generated ones.
function(sfumato_forward header list included)
  file(CONFIGURE OUTPUT ${PROJECT_BINARY_DIR}/generated/${header} @ONLY CONTENT
"// SPDX-License-Identifier: Apache-2.0
// Generated from cmake/${list}. Do not edit.
#pragma once
#include \"${included}\"
")
endfunction()
set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/cmake/other_headers.txt
  ${PROJECT_SOURCE_DIR}/cmake/host_headers.txt)
file(STRINGS ${PROJECT_SOURCE_DIR}/cmake/other_headers.txt other_headers REGEX "^[^#]")
foreach(header IN LISTS other_headers)
  sfumato_forward(${header} other_headers.txt kernel_operator.h)
endforeach()
# Each line: header, and what it is here.
file(STRINGS ${PROJECT_SOURCE_DIR}/cmake/host_headers.txt host_headers REGEX "^[^#]")
foreach(line IN LISTS host_headers)
  string(REPLACE " " ";" words "${line}")
  list(GET words 0 header)
  list(GET words 1 included)
  sfumato_forward(${header} host_headers.txt ${included})
endforeach()
