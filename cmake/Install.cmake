# What `cmake --install` and `pip install` put where. A prefix gets lib, include/sfumato, bin and lib/cmake/Sfumato;
# a wheel the same below the Python package, with the command among the scripts.
include(CMakePackageConfigHelpers)
include(VendorLibraries)
set(package_dir ${CMAKE_INSTALL_LIBDIR}/cmake/Sfumato)

install(TARGETS sfumato EXPORT SfumatoTargets LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR})
install(DIRECTORY include/ DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/sfumato)
install(DIRECTORY ${PROJECT_BINARY_DIR}/generated/ DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/sfumato
  FILES_MATCHING PATTERN "*.h" PATTERN "*.inc")

# The macros of every chip name, from the chip data.
set(chips_file ${PROJECT_BINARY_DIR}/SfumatoChips.cmake)
add_custom_command(OUTPUT ${chips_file}
  COMMAND sfumato::tablegen cmake-chips > ${chips_file}
  DEPENDS sfumato::tablegen COMMENT "Generating SfumatoChips.cmake" VERBATIM)
add_custom_target(sfumato_cmake_chips ALL DEPENDS ${chips_file})

set(include_dir ${CMAKE_INSTALL_INCLUDEDIR}/sfumato)
set(bin_dir ${CMAKE_INSTALL_BINDIR})
configure_package_config_file(cmake/SfumatoConfig.cmake.in ${PROJECT_BINARY_DIR}/SfumatoConfig.cmake
  INSTALL_DESTINATION ${package_dir} PATH_VARS include_dir bin_dir)
write_basic_package_version_file(${PROJECT_BINARY_DIR}/SfumatoConfigVersion.cmake COMPATIBILITY SameMinorVersion)
install(EXPORT SfumatoTargets NAMESPACE Sfumato:: DESTINATION ${package_dir})
install(FILES ${PROJECT_BINARY_DIR}/SfumatoConfig.cmake ${PROJECT_BINARY_DIR}/SfumatoConfigVersion.cmake ${chips_file}
  cmake/SfumatoAddKernel.cmake cmake/SfumatoTikicpulib.cmake cmake/SfumatoAscendc.cmake cmake/SfumatoOpPackage.cmake DESTINATION ${package_dir})
include(Toolkit)
include(TorchNpu)

if(SKBUILD)
  # A wheel holds no symbolic links: one file, no versioned names.
  set_property(TARGET sfumato PROPERTY VERSION)
  set_property(TARGET sfumato PROPERTY SOVERSION)
  set_property(TARGET sfumato_python PROPERTY INSTALL_RPATH "$ORIGIN/${CMAKE_INSTALL_LIBDIR}")
  install(TARGETS sfumato_python LIBRARY DESTINATION .)
  # From a scripts folder to the package, in the layouts pip uses: a prefix or venv, Debian's /usr/local, `--target`.
  # A wheel of the stable ABI serves later versions of Python, too.
  set(minors ${Python_VERSION_MINOR})
  if(SKBUILD_SABI_VERSION)
    math(EXPR last "${Python_VERSION_MINOR} + 5")
    string(REGEX REPLACE ".*\\." "" first ${SKBUILD_SABI_VERSION})
    set(minors "")
    foreach(one RANGE ${first} ${last})
      list(APPEND minors ${one})
    endforeach()
  endif()
  foreach(one IN LISTS minors)
    set(python python${Python_VERSION_MAJOR}.${one})
    foreach(packages ../lib/${python}/site-packages ../lib64/${python}/site-packages ../lib/${python}/dist-packages
                     ../local/lib/${python}/dist-packages)
      list(APPEND command_rpath "$ORIGIN/${packages}/sfumato/${CMAKE_INSTALL_LIBDIR}")
    endforeach()
  endforeach()
  list(APPEND command_rpath "$ORIGIN/../sfumato/${CMAKE_INSTALL_LIBDIR}")
  set_property(TARGET sfumato_command PROPERTY INSTALL_RPATH "${command_rpath}")
  install(TARGETS sfumato_command RUNTIME DESTINATION ${SKBUILD_SCRIPTS_DIR})
elseif(TARGET sfumato_command)
  file(RELATIVE_PATH to_library /${CMAKE_INSTALL_BINDIR} /${CMAKE_INSTALL_LIBDIR})
  set_property(TARGET sfumato_command PROPERTY INSTALL_RPATH "$ORIGIN/${to_library}")
  install(TARGETS sfumato_command RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR})
endif()

# Where no wheel is made, the Python package lies below the prefix; the command finds it there by itself.
if(TARGET sfumato_python AND NOT SKBUILD)
  set(SFUMATO_PYTHON_DIR lib/python${Python_VERSION_MAJOR}.${Python_VERSION_MINOR}/site-packages CACHE STRING "Where the Python package is installed")
  file(RELATIVE_PATH to_library /${SFUMATO_PYTHON_DIR}/sfumato /${CMAKE_INSTALL_LIBDIR})
  set_property(TARGET sfumato_python PROPERTY INSTALL_RPATH "$ORIGIN/${to_library}")
  install(TARGETS sfumato_python LIBRARY DESTINATION ${SFUMATO_PYTHON_DIR}/sfumato)
  install(DIRECTORY python/sfumato python/sfumato_pytest DESTINATION ${SFUMATO_PYTHON_DIR} FILES_MATCHING
    PATTERN "*.py" PATTERN "*.pyi" PATTERN py.typed PATTERN "*.tsv" PATTERN "*.csv" PATTERN "kit/*" PATTERN __pycache__ EXCLUDE)
endif()

if(TARGET sfumato_command)
  if(SKBUILD)
    set(share ${SKBUILD_DATA_DIR}/share)
  else()
    set(share ${CMAKE_INSTALL_DATAROOTDIR})
  endif()
  install(DIRECTORY ${PROJECT_BINARY_DIR}/docs/ DESTINATION ${share}/doc/sfumato FILES_MATCHING PATTERN "*.md")
  install(FILES tools/sfumato/man/sfumato.1 DESTINATION ${share}/man/man1)
  install(FILES tools/sfumato/completion/sfumato.bash DESTINATION ${share}/bash-completion/completions RENAME sfumato)
  install(FILES tools/sfumato/completion/_sfumato DESTINATION ${share}/zsh/site-functions)
  install(FILES tools/sfumato/completion/sfumato.fish DESTINATION ${share}/fish/vendor_completions.d)
endif()
