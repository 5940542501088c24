# The functions of the project. Host code is compiled as such projects do: C++11, and the older std::string.
set(TOOLKIT ${ASCEND_CANN_PACKAGE_PATH})
if(DEFINED ENV{DDK_PATH} AND NOT EXISTS "${TOOLKIT}")
  set(TOOLKIT $ENV{DDK_PATH})
endif()
set(HOST_OPTIONS -std=c++11 -fPIC -D_GLIBCXX_USE_CXX11_ABI=0 -fvisibility=hidden -I${TOOLKIT}/include)
set(HOST_LIBRARIES -L${TOOLKIT}/lib64 -lexe_graph -lregister -ltiling_api)

function(opbuild)
  cmake_parse_arguments(OPBUILD "" "OUT_DIR" "OPS_SRC" ${ARGN})
  execute_process(COMMAND ${CMAKE_CXX_COMPILER} ${HOST_OPTIONS} -shared ${OPBUILD_OPS_SRC} ${HOST_LIBRARIES} -o ${OPBUILD_OUT_DIR}/all_ops.so
    RESULT_VARIABLE code ERROR_VARIABLE messages)
  if(code)
    message(FATAL_ERROR "the host code does not compile\n${messages}")
  endif()
  execute_process(COMMAND ${TOOLKIT}/toolkit/tools/opbuild/op_build ${OPBUILD_OUT_DIR}/all_ops.so ${OPBUILD_OUT_DIR}
    RESULT_VARIABLE code OUTPUT_VARIABLE messages ERROR_VARIABLE messages)
  if(code)
    message(FATAL_ERROR "op_build: ${messages}")
  endif()
endfunction()

# A library of host code, named in the package.
function(add_host_library name)
  add_library(${name} SHARED ${ARGN})
  target_compile_options(${name} PRIVATE ${HOST_OPTIONS})
  target_include_directories(${name} PRIVATE ${AUTOGEN} ${PROJECT_SOURCE_DIR}/op_host)
  target_link_libraries(${name} PRIVATE ${HOST_LIBRARIES} -lnnopbase -lascendcl -Wl,--whole-archive rt2_registry -Wl,--no-whole-archive)
endfunction()

# What the operators of a unit are, as JSON, and a script for each combination that calls opc.
function(add_unit_targets unit)
  set(out ${CMAKE_CURRENT_BINARY_DIR}/${unit})
  execute_process(COMMAND ${ASCEND_PYTHON_EXECUTABLE} ${PROJECT_SOURCE_DIR}/cmake/info.py ${AUTOGEN}/aic-${unit}-ops-info.ini ${unit} ${out}
    RESULT_VARIABLE code OUTPUT_VARIABLE scripts ERROR_VARIABLE messages OUTPUT_STRIP_TRAILING_WHITESPACE)
  if(code)
    message(FATAL_ERROR "${messages}")
  endif()
  string(REPLACE "\n" ";" scripts "${scripts}")
  foreach(script IN LISTS scripts)
    get_filename_component(name ${script} NAME_WE)
    add_custom_target(binary_${unit}_${name} COMMAND bash ${script} VERBATIM)
    add_dependencies(binary binary_${unit}_${name})
  endforeach()
  install(DIRECTORY ${out}/kernel DESTINATION packages/vendors/${vendor_name}/op_impl/ai_core/tbe OPTIONAL)
  install(FILES ${out}/aic-${unit}-ops-info.json DESTINATION packages/vendors/${vendor_name}/op_impl/ai_core/tbe/config/${unit})
endfunction()

# The target package: a script that unpacks what is installed, and calls install.sh there.
function(make_package name)
  install(PROGRAMS ${PROJECT_SOURCE_DIR}/scripts/install.sh DESTINATION .)
  add_custom_target(package
    COMMAND ${CMAKE_COMMAND} --build ${PROJECT_BINARY_DIR}
    COMMAND ${CMAKE_COMMAND} --install ${PROJECT_BINARY_DIR} --prefix ${PROJECT_BINARY_DIR}/packed
    COMMAND bash ${PROJECT_SOURCE_DIR}/cmake/pack.sh ${PROJECT_BINARY_DIR}/packed ${PROJECT_BINARY_DIR}/${name} ${vendor_name}
    VERBATIM)
endfunction()
