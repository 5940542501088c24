# The vendor's libraries by name, for programs that link or open them so: small libraries that have the names of our functions
# and need libsfumato. Linkers take the names from them, for they do not from what a library needs; the loader passes over
# names whose value is 0 and finds the functions in libsfumato.
file(STRINGS ${CMAKE_CURRENT_LIST_DIR}/vendor_libraries.txt SFUMATO_VENDOR_LIBRARIES)
set_property(DIRECTORY ${PROJECT_SOURCE_DIR} APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${CMAKE_CURRENT_LIST_DIR}/vendor_libraries.txt)

# vendor_libraries(folder): in the build tree, and where `cmake --install` puts them.
function(vendor_libraries folder)
  set(names ${PROJECT_BINARY_DIR}/vendor_names.cpp)
  add_custom_command(OUTPUT ${names}
    COMMAND ${CMAKE_COMMAND} -DNM=${CMAKE_NM} -DLIBRARY=$<TARGET_FILE:sfumato> -DOUTPUT=${names} -P ${PROJECT_SOURCE_DIR}/cmake/VendorNames.cmake
    DEPENDS sfumato ${PROJECT_SOURCE_DIR}/cmake/VendorNames.cmake COMMENT "Listing the functions of libsfumato" VERBATIM)
  add_library(sfumato_vendor_names OBJECT ${names})
  # The linker's script has a place for names alone; a sanitizer adds code to every object.
  target_compile_options(sfumato_vendor_names PRIVATE -fno-sanitize=all)
  file(RELATIVE_PATH to_library /${folder} /${CMAKE_INSTALL_LIBDIR})
  foreach(library IN LISTS SFUMATO_VENDOR_LIBRARIES)
    add_library(sfumato_vendor_${library} SHARED $<TARGET_OBJECTS:sfumato_vendor_names>)
    add_dependencies(sfumato_vendor_${library} sfumato)
    set_target_properties(sfumato_vendor_${library} PROPERTIES OUTPUT_NAME ${library} LINKER_LANGUAGE CXX
      LIBRARY_OUTPUT_DIRECTORY ${PROJECT_BINARY_DIR}/${folder} INSTALL_RPATH "$ORIGIN/${to_library}:$ORIGIN"
      LINK_DEPENDS ${PROJECT_SOURCE_DIR}/cmake/vendor_names.ld)
    # $ORIGIN alone is for a link to the library, which stands beside one to libsfumato (src/toolkit/layout.cpp).
    target_link_options(sfumato_vendor_${library} PRIVATE -nostdlib -Wl,-s -Wl,-T,${PROJECT_SOURCE_DIR}/cmake/vendor_names.ld)
    target_link_libraries(sfumato_vendor_${library} PRIVATE -Wl,--no-as-needed sfumato)
    install(TARGETS sfumato_vendor_${library} LIBRARY DESTINATION ${folder})
    list(APPEND targets sfumato_vendor_${library})
  endforeach()
  # Projects name two of them as archives, by their paths: scripts of the linker that lead to the libraries beside them.
  foreach(library ascendc_runtime tiling_api)
    set(archive ${PROJECT_BINARY_DIR}/${folder}/lib${library}.a)
    file(WRITE ${archive} "INPUT(AS_NEEDED(lib${library}.so))\n")
    install(FILES ${archive} DESTINATION ${folder})
  endforeach()
  add_custom_target(sfumato_vendor DEPENDS ${targets})
endfunction()
