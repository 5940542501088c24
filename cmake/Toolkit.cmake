# A folder shaped like the vendor's toolkit, for projects that find it by ASCEND_HOME_PATH and its sisters:
# <prefix>/share/sfumato/ascend (docs/toolkit.md). Its files are made in the build tree, in the same places below it.
set(toolkit_dir ${CMAKE_INSTALL_DATADIR}/sfumato/ascend)
set(toolkit_stage ${PROJECT_BINARY_DIR}/${toolkit_dir})

# toolkit_file(template folder name): a file from a template, here and in the build tree. Its paths are relative to it, by
# whatever link it is read.
function(toolkit_file template folder name)
  file(RELATIVE_PATH to_prefix /${folder} /)
  configure_package_config_file(${template} ${PROJECT_BINARY_DIR}/${folder}/${name}
    INSTALL_DESTINATION ${folder} PATH_VARS package_dir toolkit_dir bin_dir NO_CHECK_REQUIRED_COMPONENTS_MACRO NO_SET_AND_CHECK_MACRO)
  install(FILES ${PROJECT_BINARY_DIR}/${folder}/${name} DESTINATION ${folder})
endfunction()
# toolkit_include(folder name file): <folder>/<name> includes a file of the package.
function(toolkit_include folder name toolkit_file)
  toolkit_file(cmake/toolkit/include.cmake.in ${folder} ${name})
endfunction()
# toolkit_program(folder name template): a script that finds the command, whose subcommand is `verb`.
function(toolkit_program folder name template)
  file(RELATIVE_PATH to_bin /${toolkit_dir}/${folder} /${CMAKE_INSTALL_BINDIR})
  set(out ${toolkit_stage}/${folder}/${name})
  configure_file(cmake/toolkit/${template} ${out} @ONLY FILE_PERMISSIONS OWNER_READ OWNER_WRITE OWNER_EXECUTE GROUP_READ
    GROUP_EXECUTE WORLD_READ WORLD_EXECUTE)
  install(PROGRAMS ${out} DESTINATION ${toolkit_dir}/${folder})
endfunction()

foreach(folder ${CMAKE_INSTALL_LIBDIR}/cmake/tikicpulib ${toolkit_dir}/tools/tikicpulib/lib/cmake)
  toolkit_include(${folder} tikicpulib-config.cmake SfumatoTikicpulib.cmake)
endforeach()
foreach(folder tools/tikcpp/ascendc_kernel_cmake compiler/tikcpp/ascendc_kernel_cmake ascendc_devkit/tikcpp/samples/cmake)
  toolkit_include(${toolkit_dir}/${folder} ascendc.cmake SfumatoAscendc.cmake)
  toolkit_file(cmake/toolkit/ASCConfig.cmake.in ${toolkit_dir}/${folder} ASCConfig.cmake)
endforeach()
foreach(folder ${CMAKE_INSTALL_LIBDIR}/cmake/ASC ${toolkit_dir}/lib/cmake/ASC)
  toolkit_file(cmake/toolkit/ASCConfig.cmake.in ${folder} ASCConfig.cmake)
endforeach()
install(DIRECTORY cmake/asc DESTINATION ${package_dir})
# The language CCE, of older projects, is the same under another name.
foreach(file CMakeASCCompiler.cmake.in CMakeASCInformation.cmake CMakeDetermineASCCompiler.cmake CMakeTestASCCompiler.cmake)
  string(REPLACE ASC CCE name ${file})
  file(READ cmake/asc/${file} text)
  string(REPLACE ASC CCE text "${text}")
  string(REPLACE "FILE_EXTENSIONS asc" "FILE_EXTENSIONS cce" text "${text}")
  string(REPLACE "-x asc" "-x cce" text "${text}")
  file(WRITE ${PROJECT_BINARY_DIR}/${package_dir}/asc/${name} "${text}")
  install(FILES ${PROJECT_BINARY_DIR}/${package_dir}/asc/${name} DESTINATION ${package_dir}/asc)
endforeach()

set(verb build)
foreach(compiler bisheng ccec)
  toolkit_program(bin ${compiler} command.in)
  toolkit_program(${CMAKE_SYSTEM_PROCESSOR}-linux/ccec_compiler/bin ${compiler} command.in)
endforeach()
set(verb msopgen)
toolkit_program(bin msopgen command.in)
toolkit_program(python/site-packages/bin msopgen command.in)
toolkit_program(bin atc atc.in)
# Programs that the build files of operator projects call.
set(verb opc)
toolkit_program(bin opc command.in)
set(verb op_build)
toolkit_program(tools/opbuild op_build command.in)
toolkit_program(toolkit/tools/opbuild op_build command.in)
toolkit_program(. set_env.sh set_env.sh.in)
toolkit_program(bin setenv.bash set_env.sh.in)

# What builds and scripts read a version from.
foreach(file version.cfg version.info ascend_toolkit_install.info)
  configure_file(cmake/toolkit/${file}.in ${toolkit_stage}/${file} @ONLY)
  install(FILES ${toolkit_stage}/${file} DESTINATION ${toolkit_dir})
endforeach()

vendor_libraries(${toolkit_dir}/lib64)
# A wheel holds no links.
if(SKBUILD)
  install(DIRECTORY include/ ${PROJECT_BINARY_DIR}/generated/ DESTINATION ${toolkit_dir}/include FILES_MATCHING PATTERN "*.h" PATTERN "*.inc")
else()
  file(RELATIVE_PATH to_include /${toolkit_dir} /${CMAKE_INSTALL_INCLUDEDIR}/sfumato)
  install(CODE "set(folder \"\$ENV{DESTDIR}\${CMAKE_INSTALL_PREFIX}/${toolkit_dir}\")
    file(CREATE_LINK ${to_include} \"\${folder}/include\" SYMBOLIC)")
endif()
