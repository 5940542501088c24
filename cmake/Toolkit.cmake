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

foreach(folder ${CMAKE_INSTALL_LIBDIR}/cmake/ASC ${toolkit_dir}/lib/cmake/ASC)
  string(MAKE_C_IDENTIFIER ${folder} id)
  configure_package_config_file(cmake/toolkit/ASCConfig.cmake.in ${PROJECT_BINARY_DIR}/toolkit/${id}/ASCConfig.cmake
    INSTALL_DESTINATION ${folder} PATH_VARS package_dir toolkit_dir NO_CHECK_REQUIRED_COMPONENTS_MACRO NO_SET_AND_CHECK_MACRO)
  install(FILES ${PROJECT_BINARY_DIR}/toolkit/${id}/ASCConfig.cmake DESTINATION ${folder})
endforeach()
install(DIRECTORY cmake/asc DESTINATION ${package_dir})

file(RELATIVE_PATH toolkit_to_bin /${toolkit_dir}/bin /${CMAKE_INSTALL_BINDIR})
foreach(compiler bisheng ccec)
  configure_file(cmake/toolkit/compiler.in ${PROJECT_BINARY_DIR}/toolkit/bin/${compiler} @ONLY)
  install(PROGRAMS ${PROJECT_BINARY_DIR}/toolkit/bin/${compiler} DESTINATION ${toolkit_dir}/bin)
endforeach()
install(FILES cmake/toolkit/set_env.sh DESTINATION ${toolkit_dir})
install(FILES cmake/toolkit/set_env.sh DESTINATION ${toolkit_dir}/bin RENAME setenv.bash)
install(DIRECTORY include/acl DESTINATION ${toolkit_dir}/include)

# The vendor's libraries by name are links to ours. A wheel holds no links: there the compiler above leaves the names out.
if(NOT SKBUILD)
  file(RELATIVE_PATH toolkit_to_library /${toolkit_dir}/lib64 /${CMAKE_INSTALL_LIBDIR})
  foreach(library ascendcl acl_rt runtime ascendc_runtime)
    install(CODE "set(folder \"\$ENV{DESTDIR}\${CMAKE_INSTALL_PREFIX}/${toolkit_dir}/lib64\")
      file(MAKE_DIRECTORY \"\${folder}\")
      file(CREATE_LINK ${toolkit_to_library}/libsfumato.so \"\${folder}/lib${library}.so\" SYMBOLIC)")
  endforeach()
endif()
