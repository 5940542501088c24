# A folder shaped like the vendor's toolkit, for projects that find it by ASCEND_HOME_PATH and its sisters:
# <prefix>/share/sfumato/ascend (docs/existing-programs.md).
set(toolkit_dir ${CMAKE_INSTALL_DATADIR}/sfumato/ascend)

# toolkit_include(folder name file): <folder>/<name> includes a file of the package.
function(toolkit_include folder name toolkit_file)
  string(MAKE_C_IDENTIFIER ${folder}/${name} id)
  configure_package_config_file(cmake/toolkit/include.cmake.in ${PROJECT_BINARY_DIR}/toolkit/${id}/${name}
    INSTALL_DESTINATION ${folder} PATH_VARS package_dir NO_CHECK_REQUIRED_COMPONENTS_MACRO NO_SET_AND_CHECK_MACRO)
  install(FILES ${PROJECT_BINARY_DIR}/toolkit/${id}/${name} DESTINATION ${folder})
endfunction()

foreach(folder ${CMAKE_INSTALL_LIBDIR}/cmake/tikicpulib ${toolkit_dir}/tools/tikicpulib/lib/cmake)
  toolkit_include(${folder} tikicpulib-config.cmake SfumatoTikicpulib.cmake)
endforeach()
foreach(folder tools/tikcpp/ascendc_kernel_cmake compiler/tikcpp/ascendc_kernel_cmake ascendc_devkit/tikcpp/samples/cmake)
  toolkit_include(${toolkit_dir}/${folder} ascendc.cmake SfumatoAscendc.cmake)
endforeach()

file(RELATIVE_PATH toolkit_to_bin /${toolkit_dir}/bin /${CMAKE_INSTALL_BINDIR})
foreach(compiler bisheng ccec)
  configure_file(cmake/toolkit/compiler.in ${PROJECT_BINARY_DIR}/toolkit/bin/${compiler} @ONLY)
  install(PROGRAMS ${PROJECT_BINARY_DIR}/toolkit/bin/${compiler} DESTINATION ${toolkit_dir}/bin)
endforeach()
install(DIRECTORY include/acl DESTINATION ${toolkit_dir}/include)

# The vendor's libraries by name: each is empty and needs libsfumato.
file(RELATIVE_PATH toolkit_to_library /${toolkit_dir}/lib64 /${CMAKE_INSTALL_LIBDIR})
foreach(library ascendcl acl_rt runtime ascendc_runtime)
  add_library(sfumato_as_${library} SHARED ${PROJECT_BINARY_DIR}/empty.cpp)
  target_link_options(sfumato_as_${library} PRIVATE -Wl,--no-as-needed)
  target_link_libraries(sfumato_as_${library} PUBLIC sfumato)
  set_target_properties(sfumato_as_${library} PROPERTIES OUTPUT_NAME ${library} INSTALL_RPATH "$ORIGIN/${toolkit_to_library}"
    LIBRARY_OUTPUT_DIRECTORY ${PROJECT_BINARY_DIR}/toolkit/lib64)
  install(TARGETS sfumato_as_${library} LIBRARY DESTINATION ${toolkit_dir}/lib64)
endforeach()
