# What src/reference/operators.txt becomes: the headers of aclnnop/ (and of aclnnop/level2, as earlier toolkits had
# them) in the build tree's `generated`; declarations and the table for src/reference; exported functions for src/aclnn.

# Ends the operator that was read.
macro(reference_finish)
  if(operator)
    set(first_phase "aclnnStatus ${operator}GetWorkspaceSize(${declared}uint64_t* workspaceSize, aclOpExecutor** executor)")
    set(second_phase "aclnnStatus ${operator}(void* workspace, uint64_t workspaceSize, aclOpExecutor* executor, aclrtStream stream)")
    string(APPEND header_${header} "// ${page}\nSFUMATO_ACL ${first_phase};\nSFUMATO_ACL ${second_phase};\n")
    string(APPEND parameters "constexpr Parameter k_${operator}[] = {\n${rows}};\n")
    string(APPEND table "    {\"${operator}\", ${body}, k_${operator}},\n")
    string(APPEND functions "\n${first_phase} {\n    const Value values[] = {${values}};\n"
      "    return PrepareReference(${count}, values, workspaceSize, executor);\n}\n${second_phase} {\n"
      "    return RunReference(${count}, workspace, workspaceSize, executor, stream);\n}\n")
    math(EXPR count "${count} + 1")
  endif()
endmacro()

# Adds a parameter to it: role, types, C type, name.
macro(reference_parameter text)
  string(STRIP "${text}" words)
  string(REPLACE " " ";" words "${words}")
  list(POP_FRONT words first second)
  list(POP_BACK words name)
  list(JOIN words " " type)
  if(NOT DEFINED role_of_${first} OR NOT DEFINED bits_of_${second} OR name STREQUAL "")
    message(FATAL_ERROR "${reference_list}: this is no parameter: ${text}")
  endif()
  string(APPEND declared "${type} ${name}, ")
  string(REGEX REPLACE "^const |\\*$" "" object "${type}")
  string(APPEND rows "    {\"${name}\", \"${object}\", Role::${role_of_${first}}, ${bits_of_${second}}},\n")
  # Every integer is one of 64 bits to those who read it.
  if(type MATCHES "int[0-9]+_t$|aclDataType$")
    set(name "static_cast<int64_t>(${name})")
  endif()
  string(APPEND values "${name}, ")
endmacro()

function(sfumato_reference_operators)
  set(reference_list ${PROJECT_SOURCE_DIR}/src/reference/operators.txt)
  set(reference_dir ${PROJECT_BINARY_DIR}/reference_table)
  set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${reference_list})

  set(reference_note "// SPDX-License-Identifier: Apache-2.0\n// Generated from src/reference/operators.txt. Do not edit.\n")
  set(number_of_float32 0)
  set(number_of_float16 1)
  set(number_of_int8 2)
  set(number_of_int32 3)
  set(number_of_uint8 4)
  set(number_of_int16 6)
  set(number_of_uint16 7)
  set(number_of_uint32 8)
  set(number_of_int64 9)
  set(number_of_uint64 10)
  set(number_of_float64 11)
  set(number_of_bool 12)
  set(number_of_bfloat16 27)
  set(bits_of_- 0)
  set(role_of_in kInput)
  set(role_of_optional kOptional)
  set(role_of_out kOutput)
  set(role_of_optional-out kOptionalOutput)
  set(role_of_inout kInOut)
  set(role_of_attr kAttr)

  set(count 0)
  set(operator "")
  file(STRINGS ${reference_list} reference_lines REGEX "^[^#]")
  foreach(line IN LISTS reference_lines)
    string(REPLACE " " ";" words "${line}")
    list(POP_FRONT words first second)
    if(first STREQUAL types)
      set(bits_of_${second} "")
      foreach(type IN LISTS words)
        if(NOT DEFINED number_of_${type})
          message(FATAL_ERROR "${reference_list}: there is no element type ${type}: ${line}")
        endif()
        string(APPEND bits_of_${second} " | uint64_t{1} << ${number_of_${type}}")
      endforeach()
      string(SUBSTRING "${bits_of_${second}}" 3 -1 bits_of_${second})
    elseif(first STREQUAL op)
      reference_finish()
      set(operator ${second})
      list(GET words 0 header)
      list(GET words 1 body)
      list(GET words 2 page)
      list(APPEND headers ${header})
      list(APPEND bodies ${body})
      set(declared "")
      set(rows "")
      set(values "")
    elseif(line MATCHES "^ ")
      string(REGEX REPLACE ", *$" "" line "${line}")
      string(REPLACE ", " ";" parameters_of_line "${line}")
      foreach(parameter IN LISTS parameters_of_line)
        reference_parameter("${parameter}")
      endforeach()
    else()
      message(FATAL_ERROR "${reference_list}: this is no line of the table: ${line}")
    endif()
  endforeach()
  reference_finish()

  list(REMOVE_DUPLICATES headers)
  list(REMOVE_DUPLICATES bodies)
  foreach(header IN LISTS headers)
    file(CONFIGURE OUTPUT ${PROJECT_BINARY_DIR}/generated/aclnnop/${header} @ONLY CONTENT
"${reference_note}// Reference operators: their results are not the board's bits (docs/reference-operators.md).
#pragma once
#include \"aclnn/aclnn_base.h\"

${header_${header}}")
    file(CONFIGURE OUTPUT ${PROJECT_BINARY_DIR}/generated/aclnnop/level2/${header} @ONLY CONTENT
"${reference_note}#pragma once
#include \"aclnnop/${header}\"
")
    set_property(GLOBAL APPEND PROPERTY SFUMATO_FORWARDED aclnnop/${header} aclnnop/level2/${header})
    string(APPEND includes "#include \"aclnnop/${header}\"\n")
  endforeach()
  foreach(body IN LISTS bodies)
    string(APPEND declarations "void ${body}(Call& c);\n")
  endforeach()
  file(CONFIGURE OUTPUT ${reference_dir}/reference/functions.h @ONLY CONTENT
"${reference_note}#pragma once
#include \"reference/call.h\"

namespace sfumato::reference {
${declarations}}
")
  file(CONFIGURE OUTPUT ${reference_dir}/reference/operators.inc @ONLY CONTENT
"${reference_note}${parameters}constexpr Operator kTable[] = {
${table}};
")
  file(CONFIGURE OUTPUT ${reference_dir}/reference_functions.cpp @ONLY CONTENT
"${reference_note}#include \"aclnn/reference.h\"
#include \"sfumato/host/aclnn.h\"
${includes}
using namespace sfumato::aclnn;
${functions}")
endfunction()
sfumato_reference_operators()
