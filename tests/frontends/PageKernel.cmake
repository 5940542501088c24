# Extracts the pages' own kernels into the build tree when the specification lies next to the project: page text is not
# part of it.

# The text from the first include of kernel_operator.h after the last `heading` up to the next `end`; `variable` becomes
# the file, and stays unset where there is no page.
function(sfumato_page_kernel variable number heading end)
  file(GLOB page ${PROJECT_SOURCE_DIR}/../shared/spec/pages/${number}_*.txt)
  if(NOT page)
    return()
  endif()
  set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${page})
  file(READ ${page} text)
  string(FIND "${text}" "\n${heading}\n" begin REVERSE)
  string(SUBSTRING "${text}" ${begin} -1 text)
  string(FIND "${text}" "#include \"kernel_operator.h\"" begin)
  string(SUBSTRING "${text}" ${begin} -1 text)
  string(FIND "${text}" "\n${end}\n" length)
  string(SUBSTRING "${text}" 0 ${length} text)
  set(file ${CMAKE_CURRENT_BINARY_DIR}/page_kernel_${number}.cpp)
  file(WRITE ${file} "${text}\n")
  set(${variable} ${file} PARENT_SCOPE)
endfunction()

sfumato_page_kernel(SFUMATO_PAGE_KERNEL 004 样例模板 更多样例)
sfumato_page_kernel(SFUMATO_LOAD_PAGE_KERNEL 001 调用示例 搜索结果)
