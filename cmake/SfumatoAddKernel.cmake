# What sources with kernels are compiled with: sfumato_kernel_settings(target PRIVATE|INTERFACE definition...).
function(sfumato_kernel_settings target scope)
  if(ARGN)
    target_compile_definitions(${target} ${scope} ${ARGN})
  endif()
  # a*b+c in a kernel's scalar code is two roundings, as everywhere here. exit and abort on a core become reports.
  target_compile_options(${target} ${scope} -ffp-contract=off "SHELL:-include sfumato/process.h")
  target_include_directories(${target} SYSTEM BEFORE ${scope} ${SFUMATO_INCLUDE_DIR}/sfumato/libc)
  if(scope STREQUAL "INTERFACE")  # nothing stands between the program's compiler and the program
    target_compile_definitions(${target} INTERFACE SFUMATO_ANY_TYPE)
  endif()
  if(scope STREQUAL "PRIVATE")
    sfumato_compiler_of_kernels(${target})
  endif()
endfunction()

# What the compiler says of names it misses comes with what is known of them, options of the toolkit's compiler are no option of
# this one, and each object notes what its kernels call, by which their cores are derived, also in builds without optimisation.
function(sfumato_compiler_of_kernels target)
  get_target_property(launcher ${target} CXX_COMPILER_LAUNCHER)
  if(NOT launcher)
    set(launcher)
  endif()
  sfumato_launcher(launcher "${launcher}")
  set_property(TARGET ${target} PROPERTY CXX_COMPILER_LAUNCHER ${launcher})
endfunction()

# What a launcher of compilers becomes that does this.
function(sfumato_launcher out launcher)
  if(SFUMATO_BIN_DIR)
    find_program(SFUMATO_EXPLAINS sfumato PATHS "${SFUMATO_BIN_DIR}" NO_DEFAULT_PATH)
    if(SFUMATO_EXPLAINS AND NOT launcher MATCHES ";build;--compiler")
      set(launcher ${SFUMATO_EXPLAINS} build --compiler ${launcher})
    endif()
  endif()
  set(${out} "${launcher}" PARENT_SCOPE)
endfunction()

# A shared library calls its own kernels, where another library has a function of the same name. A C++ runtime that is linked
# in stays its own: what libsfumato throws would come to it.
function(sfumato_own_functions target kind)
  if(kind STREQUAL "SHARED")
    target_link_options(${target} PRIVATE -Wl,-Bsymbolic-functions -Wl,--exclude-libs,libstdc++.a:libgcc_eh.a:libgcc.a)
  endif()
endfunction()

# What a program that is installed needs to find libsfumato and libraries of kernels, wherever it is started or copied to: its own
# folder, lib/ beside it, and the folders of the libraries it was linked with. For every target of the folder that includes this, and
# of those below it.
set(CMAKE_INSTALL_RPATH_USE_LINK_PATH ON)
list(FIND CMAKE_INSTALL_RPATH "\$ORIGIN" _sfumato_origin)
if(_sfumato_origin LESS 0)
  list(APPEND CMAKE_INSTALL_RPATH "\$ORIGIN" "\$ORIGIN/../lib")
endif()

# "; did you mean X?" for a name of a chip that there is not, else nothing.
function(sfumato_near_chip name out)
  find_program(SFUMATO_EXPLAINS sfumato PATHS "${SFUMATO_BIN_DIR}" NO_DEFAULT_PATH)
  set(${out} "" PARENT_SCOPE)
  if(SFUMATO_EXPLAINS)
    execute_process(COMMAND ${SFUMATO_EXPLAINS} chips "${name}" OUTPUT_QUIET ERROR_VARIABLE said)
    if(said MATCHES "; did you mean ([^,?]*)")
      set(${out} "; did you mean ${CMAKE_MATCH_1}?" PARENT_SCOPE)
    endif()
  endif()
endfunction()

# The libraries of the vendor's toolkit that projects link by name: all of them are Sfumato.
function(sfumato_runtime_targets)
  foreach(name ${SFUMATO_VENDOR_LIBRARIES} host_intf_pub)
    if(NOT TARGET ${name})
      add_library(${name} INTERFACE IMPORTED GLOBAL)
      target_link_libraries(${name} INTERFACE Sfumato::sfumato)
    endif()
  endforeach()
endfunction()

# sfumato_add_kernel(name [STATIC | SHARED | OBJECT] SOURCES file... CHIP chip): a library of Ascend C kernels compiled for
# one chip, family or product ("Ascend910B1"), static unless said otherwise. The chip's macros reach whoever links it, so
# that tikicpulib.h in the host's program launches on the same chip.
function(sfumato_add_kernel name)
  cmake_parse_arguments(PARSE_ARGV 1 KERNEL "STATIC;SHARED;OBJECT" "CHIP" "SOURCES")
  if(KERNEL_UNPARSED_ARGUMENTS)
    message(FATAL_ERROR "sfumato_add_kernel(${name}): unknown arguments '${KERNEL_UNPARSED_ARGUMENTS}'; "
      "legal: STATIC | SHARED | OBJECT, SOURCES file..., CHIP chip")
  endif()
  if(NOT KERNEL_SOURCES)
    message(FATAL_ERROR "sfumato_add_kernel(${name}): SOURCES names no file")
  endif()
  if(NOT KERNEL_CHIP)
    message(FATAL_ERROR "sfumato_add_kernel(${name}): CHIP is missing; legal: ${SFUMATO_CHIP_NAMES}")
  endif()
  string(TOLOWER "${KERNEL_CHIP}" chip)
  if(NOT DEFINED SFUMATO_CHIP_MACROS_${chip})
    sfumato_near_chip("${KERNEL_CHIP}" near)
    message(FATAL_ERROR "sfumato_add_kernel(${name}): no chip with Ascend C is called '${KERNEL_CHIP}'${near}; "
      "legal: ${SFUMATO_CHIP_NAMES}")
  endif()

  set(kind STATIC)
  foreach(other SHARED OBJECT)
    if(KERNEL_${other})
      set(kind ${other})
    endif()
  endforeach()
  add_library(${name} ${kind} ${KERNEL_SOURCES})
  sfumato_own_functions(${name} ${kind})
  target_link_libraries(${name} PUBLIC Sfumato::sfumato)
  sfumato_kernel_settings(${name} PRIVATE)
  target_compile_definitions(${name} PUBLIC ASCENDC_CPU_DEBUG=1 __CCE_KT_TEST__=1 ${SFUMATO_CHIP_MACROS_${chip}}
    SFUMATO_CHIP="${KERNEL_CHIP}")
  set_target_properties(${name} PROPERTIES POSITION_INDEPENDENT_CODE ON)
endfunction()
