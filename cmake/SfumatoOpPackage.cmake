# npu_op_package() and its sisters, as CMake projects of operators call them (docs/spec/clients.md 2.3): the package is what
# `sfumato build-op` makes of the project's op_host and op_kernel.
find_program(SFUMATO_COMMAND sfumato HINTS "${SFUMATO_BIN_DIR}" REQUIRED)

# Projects that do not choose a folder for generated code name that of the toolkit.
if(NOT DEFINED ASCEND_AUTOGEN_PATH)
  set(ASCEND_AUTOGEN_PATH ${CMAKE_BINARY_DIR}/autogen)
endif()

# The folder with op_host and op_kernel: the one that calls, or above it.
function(_sfumato_op_project out)
  set(folder ${CMAKE_CURRENT_SOURCE_DIR})
  while(NOT (IS_DIRECTORY ${folder}/op_host AND IS_DIRECTORY ${folder}/op_kernel))
    cmake_path(GET folder PARENT_PATH above)
    if(above STREQUAL folder)
      message(FATAL_ERROR "npu_op_package: no folder from ${CMAKE_CURRENT_SOURCE_DIR} upwards has op_host and op_kernel")
    endif()
    set(folder ${above})
  endwhile()
  set(${out} ${folder} PARENT_SCOPE)
endfunction()

function(_sfumato_op_settings out)
  set(settings)
  foreach(name vendor_name ASCEND_COMPUTE_UNIT)
    if(DEFINED ${name})
      list(APPEND settings "-D${name}=${${name}}")
    endif()
  endforeach()
  string(REPLACE ";ascend" ",ascend" settings "${settings}")
  set(${out} ${settings} PARENT_SCOPE)
endfunction()

# npu_op_package(name TYPE RUN [CONFIG option value ...] [INSTALL_PATH folder]): target `name` makes custom_opp_*.run there.
function(npu_op_package package)
  cmake_parse_arguments(PARSE_ARGV 1 PACKAGE "" "TYPE;INSTALL_PATH" "CONFIG")
  if(NOT PACKAGE_TYPE)
    set(PACKAGE_TYPE RUN)
  endif()
  if(NOT PACKAGE_TYPE STREQUAL "RUN")
    message(FATAL_ERROR "npu_op_package(${package}): TYPE is '${PACKAGE_TYPE}'; legal: RUN")
  endif()
  if(NOT PACKAGE_INSTALL_PATH)
    set(PACKAGE_INSTALL_PATH ${CMAKE_BINARY_DIR})
  endif()
  if(NOT DEFINED vendor_name)
    set(vendor_name ${package})
  endif()
  _sfumato_op_project(project)
  _sfumato_op_settings(settings)
  add_custom_target(${package} ALL
    COMMAND ${SFUMATO_COMMAND} build-op ${project} --out=${PACKAGE_INSTALL_PATH} ${settings}
      "$<$<BOOL:$<TARGET_PROPERTY:${package},SFUMATO_KERNEL_OPTIONS>>:--kernel-options=$<JOIN:$<TARGET_PROPERTY:${package},SFUMATO_KERNEL_OPTIONS>,;--kernel-options=>>"
    COMMENT "Building the operators of ${package}" COMMAND_EXPAND_LISTS VERBATIM)
  # build.sh of such projects asks for kernels, then for the package: one command makes both.
  foreach(name binary package)
    if(NOT TARGET ${name})
      add_custom_target(${name} DEPENDS ${package})
    endif()
  endforeach()
endfunction()

# npu_op_package_add(package LIBRARY library... [FILES ...]): what the libraries say about options holds for the package.
function(npu_op_package_add package)
  cmake_parse_arguments(PARSE_ARGV 1 ADD "" "" "LIBRARY;FILES;TARGET_DIR;PACKAGE_PATH")
  foreach(library IN LISTS ADD_LIBRARY)
    get_property(options GLOBAL PROPERTY SFUMATO_KERNEL_OPTIONS_${library})
    set_property(TARGET ${package} APPEND PROPERTY SFUMATO_KERNEL_OPTIONS ${options})
  endforeach()
endfunction()

# npu_op_code_gen(SRC source... PACKAGE name OUT_DIR folder ...): aclnn_<op>.h and .cpp, now.
function(npu_op_code_gen)
  cmake_parse_arguments(PARSE_ARGV 0 GEN "" "PACKAGE;OUT_DIR" "SRC;COMPILE_OPTIONS;COMPILE_DEFINITIONS;OPTIONS")
  if(NOT GEN_OUT_DIR)
    message(FATAL_ERROR "npu_op_code_gen: OUT_DIR is missing")
  endif()
  _sfumato_op_project(project)
  _sfumato_op_settings(settings)
  execute_process(COMMAND ${SFUMATO_COMMAND} build-op ${project} --autogen --out=${GEN_OUT_DIR} ${settings}
    RESULT_VARIABLE code ERROR_VARIABLE messages OUTPUT_QUIET)
  if(NOT code EQUAL 0)
    message(FATAL_ERROR "npu_op_code_gen: ${messages}")
  endif()
endfunction()

# npu_op_library(name TILING|ACLNN|GRAPH source...): a target to hang options on; build-op compiles the sources.
function(npu_op_library library kind)
  if(NOT kind MATCHES "^(TILING|ACLNN|GRAPH)$")
    message(FATAL_ERROR "npu_op_library(${library}): the kind is '${kind}'; legal: TILING, ACLNN, GRAPH")
  endif()
  file(CONFIGURE OUTPUT ${CMAKE_CURRENT_BINARY_DIR}/${library}.cpp CONTENT "// The package has the code.\n")
  add_library(${library} STATIC EXCLUDE_FROM_ALL ${CMAKE_CURRENT_BINARY_DIR}/${library}.cpp)
endfunction()

# npu_op_kernel_library(name SRC_BASE folder TILING_LIBRARY library): the same for kernels.
function(npu_op_kernel_library library)
  add_custom_target(${library})
endfunction()
function(npu_op_kernel_sources library)
endfunction()

# npu_op_kernel_options(library ALL|Op [COMPUTE_UNIT unit...] OPTIONS option...).
function(npu_op_kernel_options library op)
  cmake_parse_arguments(PARSE_ARGV 2 KERNEL "" "" "COMPUTE_UNIT;OPTIONS")
  list(TRANSFORM KERNEL_OPTIONS PREPEND "${op}:")
  set_property(GLOBAL APPEND PROPERTY SFUMATO_KERNEL_OPTIONS_${library} ${KERNEL_OPTIONS})
endfunction()

# Nothing is built of what a graph engine or a framework would load.
foreach(name npu_op_device_tiling_library npu_op_tf_plugin npu_op_onnx_plugin)
  cmake_language(EVAL CODE "function(${name})
    message(STATUS \"${name}: nothing is built here\")
  endfunction()")
endforeach()
