# The compiler of the language ASC: bisheng of the toolkit folder.
if(NOT CMAKE_ASC_COMPILER)
  find_program(CMAKE_ASC_COMPILER bisheng HINTS "${SFUMATO_TOOLKIT_DIR}/bin" NO_DEFAULT_PATH REQUIRED)
endif()
set(CMAKE_ASC_COMPILER_ENV_VAR "ASC_COMPILER")
mark_as_advanced(CMAKE_ASC_COMPILER)
configure_file(${CMAKE_CURRENT_LIST_DIR}/CMakeASCCompiler.cmake.in ${CMAKE_PLATFORM_INFO_DIR}/CMakeASCCompiler.cmake @ONLY)
