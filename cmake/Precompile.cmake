# Precompiled headers: the standard library and what is installed, so that an edit of ours rebuilds what includes it and no more.
# One set for libraries and one for programs, whose code is compiled with other flags.
set(SFUMATO_PRECOMPILED <algorithm> <array> <atomic> <bit> <cmath> <cstring> <functional> <map> <memory> <mutex> <optional>
  <string> <string_view> <variant> <vector> <fmt/format.h>)
file(WRITE ${PROJECT_BINARY_DIR}/empty.cpp "")

# sfumato_headers(name LIBRARY|PROGRAM HEADERS... LINK targets...): what sfumato_precompile() shares.
function(sfumato_headers name)
  cmake_parse_arguments(ARG "PROGRAM" "" "HEADERS;LINK" ${ARGN})
  add_library(${name} OBJECT EXCLUDE_FROM_ALL ${PROJECT_BINARY_DIR}/empty.cpp)
  if(ARG_PROGRAM)
    set_target_properties(${name} PROPERTIES POSITION_INDEPENDENT_CODE OFF)
    target_compile_options(${name} PRIVATE ${CMAKE_CXX_COMPILE_OPTIONS_PIE})
  endif()
  target_link_libraries(${name} PRIVATE sfumato_flags ${ARG_LINK})
  target_precompile_headers(${name} PRIVATE ${ARG_HEADERS})
endfunction()

sfumato_headers(sfumato_library_headers HEADERS ${SFUMATO_PRECOMPILED} LINK sfumato_fmt)
sfumato_headers(sfumato_program_headers PROGRAM HEADERS ${SFUMATO_PRECOMPILED} LINK sfumato_fmt)
