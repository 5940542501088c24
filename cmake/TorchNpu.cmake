# The package torch_npu: in the toolkit folder, so that programs see it only where PYTHONPATH names its folder
# (`sfumato env --torch`), and in the build tree likewise. It is compiled on first use: nothing here needs PyTorch.
set(torch_npu_dir ${CMAKE_INSTALL_DATADIR}/sfumato/ascend/python/torch_npu)
file(RELATIVE_PATH torch_npu_include /${torch_npu_dir} /${CMAKE_INSTALL_INCLUDEDIR}/sfumato)
file(RELATIVE_PATH torch_npu_library /${torch_npu_dir} /${CMAKE_INSTALL_LIBDIR})
configure_file(python/torch_npu/_where.py.in ${PROJECT_BINARY_DIR}/toolkit/torch_npu/_where.py @ONLY)
install(DIRECTORY python/torch_npu/ DESTINATION ${torch_npu_dir}
  FILES_MATCHING PATTERN "*.py" PATTERN "*.h" PATTERN "*.cpp")
install(FILES ${PROJECT_BINARY_DIR}/toolkit/torch_npu/_where.py DESTINATION ${torch_npu_dir})

# The build tree: links, so that an edited file needs no build.
set(torch_npu_include ${PROJECT_SOURCE_DIR}/include)
set(torch_npu_library ${PROJECT_BINARY_DIR}/src)
configure_file(python/torch_npu/_where.py.in ${PROJECT_BINARY_DIR}/${torch_npu_dir}/_where.py @ONLY)
file(GLOB entries CONFIGURE_DEPENDS RELATIVE ${PROJECT_SOURCE_DIR}/python/torch_npu python/torch_npu/*)
list(FILTER entries EXCLUDE REGEX "\\.in$|__pycache__")
foreach(entry IN LISTS entries)
  file(CREATE_LINK ${PROJECT_SOURCE_DIR}/python/torch_npu/${entry} ${PROJECT_BINARY_DIR}/${torch_npu_dir}/${entry} SYMBOLIC)
endforeach()
