# Sources of a folder are compiled together: what takes the time is headers and templates, which one compilation reads and
# makes once. Names of a source's own are therefore its folder's. Without it an edit compiles one source, and each must
# include what it uses: the preset `dev`.
option(SFUMATO_UNITY "Compile the sources of a folder together" ON)

# sfumato_unity(target): for all its sources but those that Highway compiles for several targets, which include themselves.
function(sfumato_unity target)
  get_target_property(sources ${target} SOURCES)
  foreach(source IN LISTS sources)
    cmake_path(ABSOLUTE_PATH source)
    file(STRINGS ${source} own_targets LIMIT_COUNT 1 REGEX "^#include \"hwy/foreach_target.h\"")
    if(NOT own_targets)
      cmake_path(GET source PARENT_PATH folder)
      cmake_path(GET folder FILENAME folder)
      set_source_files_properties(${source} PROPERTIES UNITY_GROUP ${folder})
    endif()
  endforeach()
  set_target_properties(${target} PROPERTIES UNITY_BUILD ${SFUMATO_UNITY} UNITY_BUILD_MODE GROUP)
endfunction()
