# Flags every target shares. -ffp-contract=off keeps a*b+c two roundings on every host (docs/README.md, "What faithful means here").
add_library(sfumato_flags INTERFACE)
target_compile_options(sfumato_flags INTERFACE -Wall -Wextra -Wshadow -Wno-missing-field-initializers -ffp-contract=off -fno-math-errno)
# g++ sees overruns after inlining where there are none: in moves of part of a vector, in sums of strings.
if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
  target_compile_options(sfumato_flags INTERFACE -Wno-array-bounds -Wno-stringop-overflow -Wno-stringop-overread -Wno-restrict)
endif()
# g++ clears a record with "rep stos" otherwise, which alone takes longer than the checks of a short instruction.
include(CheckCXXCompilerFlag)
set(memset_strategy -mmemset-strategy=vector_loop:512:noalign,libcall:-1:noalign)
check_cxx_compiler_flag(${memset_strategy} SFUMATO_HAS_MEMSET_STRATEGY)
if(SFUMATO_HAS_MEMSET_STRATEGY)
  target_compile_options(sfumato_flags INTERFACE ${memset_strategy})
endif()
# sfumato_seldom(target): what runs once a command, over words and not over data: less of the optimiser's time. Nothing that
# calls a kernel: at -O1 its static functions are frames without a name in backtraces of a stripped library.
function(sfumato_seldom target)
  target_compile_options(${target} PRIVATE $<$<CONFIG:Release>:-O1>)
endfunction()
target_include_directories(sfumato_flags INTERFACE ${PROJECT_SOURCE_DIR}/include ${PROJECT_SOURCE_DIR}/src ${PROJECT_BINARY_DIR}/generated)
# ccache takes precompiled headers only when told to.
if(CMAKE_CXX_COMPILER_LAUNCHER MATCHES "ccache$")
  set(CMAKE_CXX_COMPILER_LAUNCHER env CCACHE_SLOPPINESS=pch_defines,time_macros ${CMAKE_CXX_COMPILER_LAUNCHER})
endif()
if(SFUMATO_SANITIZE)
  add_compile_options(-fsanitize=${SFUMATO_SANITIZE} -fno-omit-frame-pointer -fno-sanitize-recover=all)
  add_link_options(-fsanitize=${SFUMATO_SANITIZE})
endif()
