# find_package(tikicpulib): CPU mode. tikicpulib::<chip> for every chip with Ascend C, ascendcl for the acl calls
# (docs/existing-programs.md), for every folder of the project, wherever the package was looked for.
include("${CMAKE_CURRENT_LIST_DIR}/SfumatoConfig.cmake")
string(REPLACE ", " ";" chips "${SFUMATO_CHIP_NAMES}")
foreach(chip IN LISTS chips)
  # Programs spell chips as products are (Ascend910B1), in letters of one size, and with one small or one large letter.
  string(TOLOWER ${chip} lower)
  string(TOUPPER ${chip} upper)
  string(REGEX REPLACE "^a" "A" first_large ${lower})
  string(REGEX REPLACE "^A" "a" first_small ${chip})
  foreach(name ${chip} ${lower} ${upper} ${first_large} ${first_small})
    if(NOT TARGET tikicpulib::${name})
      add_library(tikicpulib::${name} INTERFACE IMPORTED GLOBAL)
      sfumato_kernel_settings(tikicpulib::${name} INTERFACE ASCENDC_CPU_DEBUG=1 __CCE_KT_TEST__=1
        SFUMATO_DECLARES_TOTAL_VEC_LOCAL_SIZE=1
        ${SFUMATO_CHIP_MACROS_${lower}} SFUMATO_CHIP="${chip}")
      target_link_libraries(tikicpulib::${name} INTERFACE Sfumato::sfumato)
    endif()
  endforeach()
endforeach()
sfumato_runtime_targets()
# Targets of CPU mode are the project's own: those of this folder and below it that it makes from here on. ascendc_library says it
# of its targets itself.
if(NOT SFUMATO_OF_ASCENDC)
  sfumato_launcher(CMAKE_CXX_COMPILER_LAUNCHER "${CMAKE_CXX_COMPILER_LAUNCHER}")
endif()
# The project would link tikicpulib::${SOC_VERSION}, and CMake's own sentence does not say what the matter is.
if(SOC_VERSION AND NOT TARGET tikicpulib::${SOC_VERSION})
  sfumato_near_chip("${SOC_VERSION}" _sfumato_near)
  message(WARNING "tikicpulib: SOC_VERSION: no chip with Ascend C is called '${SOC_VERSION}'${_sfumato_near}; legal: ${SFUMATO_CHIP_NAMES}")
endif()
