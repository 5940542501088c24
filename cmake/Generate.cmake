# sfumato_embed(target header FILES...): rows of {"folder/name", "text"} for the files, to be included in an array
# initialiser as <header> by a source of the target. Rewritten when a file changes.
function(sfumato_embed target header)
  set(out ${CMAKE_CURRENT_BINARY_DIR}/embedded/${header})
  list(JOIN ARGN "|" files)
  add_custom_command(OUTPUT ${out}
    COMMAND ${CMAKE_COMMAND} "-DOUT=${out}" "-DFILES=${files}" -P ${PROJECT_SOURCE_DIR}/cmake/Embed.cmake
    DEPENDS ${ARGN} ${PROJECT_SOURCE_DIR}/cmake/Embed.cmake
    COMMENT "Embedding ${header}" VERBATIM)
  target_sources(${target} PRIVATE ${out})
  target_include_directories(${target} PRIVATE ${CMAKE_CURRENT_BINARY_DIR}/embedded)
endfunction()
