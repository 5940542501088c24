# The headers of cmake/other_headers.txt, cmake/host_headers.txt and, below lib/ and adv_api/, of the calls of
# chips/calls.toml, as forwarders in the build tree's `generated`. Each
# include path has one file: a forwarder never stands in for a header of include/, and no list names one twice.
function(sfumato_forward header list included)
  if(EXISTS ${PROJECT_SOURCE_DIR}/include/${header})
    message(FATAL_ERROR "${list} names ${header}, which is a header of include/: an installation would hold only one of them")
  endif()
  get_property(known GLOBAL PROPERTY SFUMATO_FORWARDED)
  if(header IN_LIST known)
    message(FATAL_ERROR "${list} names ${header} again")
  endif()
  set_property(GLOBAL APPEND PROPERTY SFUMATO_FORWARDED ${header})
  set(text "#pragma once\n#include \"${included}\"\n")
  # Of logs many projects have a header of their own under the same name, which counts wherever their path has it. Where
  # the next one is this file again, by a link, it is ours after all.
  if(included STREQUAL sfumato/op/log.h)
    string(MAKE_C_IDENTIFIER "SFUMATO_NEXT_${header}" next)
    string(CONCAT text "#if !defined(${next}) && __has_include_next(<${header}>)\n"
      "#define ${next}\n#include_next <${header}>\n#undef ${next}\n#else\n#include \"${included}\"\n#endif\n")
  endif()
  file(CONFIGURE OUTPUT ${PROJECT_BINARY_DIR}/generated/${header} @ONLY CONTENT
"// SPDX-License-Identifier: Apache-2.0
// Generated from ${list}. Do not edit.
${text}")
endfunction()
set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/cmake/other_headers.txt
  ${PROJECT_SOURCE_DIR}/cmake/host_headers.txt ${PROJECT_SOURCE_DIR}/chips/calls.toml)
file(STRINGS ${PROJECT_SOURCE_DIR}/cmake/other_headers.txt other_headers REGEX "^[^#]")
foreach(header IN LISTS other_headers)
  sfumato_forward(${header} cmake/other_headers.txt kernel_operator.h)
endforeach()
# headers = ["math/sin.h", ...] of each call; many calls name the same.
file(STRINGS ${PROJECT_SOURCE_DIR}/chips/calls.toml lines REGEX "^headers = ")
string(REGEX MATCHALL "\"[^\"]+\"" call_headers "${lines}")
list(REMOVE_DUPLICATES call_headers)
foreach(header IN LISTS call_headers)
  string(REPLACE "\"" "" header ${header})
  foreach(folder lib adv_api)
    if(NOT EXISTS ${PROJECT_SOURCE_DIR}/include/${folder}/${header})
      sfumato_forward(${folder}/${header} chips/calls.toml kernel_operator.h)
    endif()
  endforeach()
endforeach()
# Each line: header, and what it is here.
file(STRINGS ${PROJECT_SOURCE_DIR}/cmake/host_headers.txt host_headers REGEX "^[^#]")
foreach(line IN LISTS host_headers)
  string(REPLACE " " ";" words "${line}")
  list(GET words 0 header)
  list(GET words 1 included)
  sfumato_forward(${header} cmake/host_headers.txt ${included})
endforeach()
# A build tree of an earlier version may hold forwarders that no list names any more.
file(GLOB_RECURSE forwarders RELATIVE ${PROJECT_BINARY_DIR}/generated ${PROJECT_BINARY_DIR}/generated/*.h)
list(FILTER forwarders EXCLUDE REGEX "^sfumato/ascendc/")
get_property(known GLOBAL PROPERTY SFUMATO_FORWARDED)
foreach(header IN LISTS forwarders)
  if(NOT header IN_LIST known)
    file(REMOVE ${PROJECT_BINARY_DIR}/generated/${header})
  endif()
endforeach()
