# find_package(tikicpulib): CPU mode. tikicpulib::<chip> for every chip with Ascend C, ascendcl for the acl calls
# (docs/existing-programs.md). A chip may be spelled as the vendor's products are, or in small letters.
include("${CMAKE_CURRENT_LIST_DIR}/SfumatoConfig.cmake")
string(REPLACE ", " ";" chips "${SFUMATO_CHIP_NAMES}")
foreach(chip IN LISTS chips)
  string(TOLOWER ${chip} lower)
  foreach(name ${chip} ${lower})
    if(NOT TARGET tikicpulib::${name})
      add_library(tikicpulib::${name} INTERFACE IMPORTED)
      sfumato_kernel_settings(tikicpulib::${name} INTERFACE ASCENDC_CPU_DEBUG=1 __CCE_KT_TEST__=1
        ${SFUMATO_CHIP_MACROS_${lower}} SFUMATO_CHIP="${chip}")
      target_link_libraries(tikicpulib::${name} INTERFACE Sfumato::sfumato)
    endif()
  endforeach()
endforeach()
sfumato_runtime_targets()
