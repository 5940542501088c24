# The sources of a folder are compiled together: what takes the time is headers and templates, which one compilation
# reads and makes once. A source's own names are therefore its folder's. Where this is off, an edit compiles one source,
# and each must include what it uses: the preset `dev`.
option(SFUMATO_UNITY "Compile the sources of a folder together" ON)

# sfumato_unity(target): for all its sources. Those that Highway compiles once for each SIMD target are together apart.
function(sfumato_unity target)
  if(NOT SFUMATO_UNITY)
    return()
  endif()
  get_target_property(sources ${target} SOURCES)
  list(FILTER sources INCLUDE REGEX "\\.cpp$")
  foreach(source IN LISTS sources)
    cmake_path(ABSOLUTE_PATH source)
    cmake_path(GET source PARENT_PATH folder)
    cmake_path(GET folder FILENAME folder)
    file(STRINGS ${source} for_simd LIMIT_COUNT 1 REGEX "^#include \"hwy/foreach_target.h\"")
    if(for_simd)
      set_source_files_properties(${source} PROPERTIES HEADER_FILE_ONLY ON)
      string(APPEND simd_${folder} "#include \"${source}\"\n")
      list(APPEND simd_folders ${folder})
    else()
      set_source_files_properties(${source} PROPERTIES UNITY_GROUP ${folder})
    endif()
  endforeach()
  list(REMOVE_DUPLICATES simd_folders)
  foreach(folder IN LISTS simd_folders)
    set(whole ${CMAKE_CURRENT_BINARY_DIR}/simd_${folder}.cpp)
    file(CONFIGURE OUTPUT ${whole} @ONLY CONTENT
"#include \"exec/targets.h\"
#define HWY_TARGET_INCLUDE \"${whole}\"
#include \"hwy/foreach_target.h\"
${simd_${folder}}")
    target_sources(${target} PRIVATE ${whole})
  endforeach()
  set_target_properties(${target} PROPERTIES UNITY_BUILD ON UNITY_BUILD_MODE GROUP)
endfunction()
