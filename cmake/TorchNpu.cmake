# The package torch_npu: in the toolkit folder, so that programs see it only where PYTHONPATH names its folder
# (`sfumato env --torch`). It is compiled on first use: nothing here needs PyTorch.
set(torch_npu_dir ${CMAKE_INSTALL_DATADIR}/sfumato/ascend/python/torch_npu)
file(RELATIVE_PATH torch_npu_include /${torch_npu_dir} /${CMAKE_INSTALL_INCLUDEDIR}/sfumato)
file(RELATIVE_PATH torch_npu_library /${torch_npu_dir} /${CMAKE_INSTALL_LIBDIR})
configure_file(python/torch_npu/_where.py.in ${PROJECT_BINARY_DIR}/toolkit/torch_npu/_where.py @ONLY)
install(DIRECTORY python/torch_npu/ DESTINATION ${torch_npu_dir}
  FILES_MATCHING PATTERN "*.py" PATTERN "*.h" PATTERN "*.cpp")
install(FILES ${PROJECT_BINARY_DIR}/toolkit/torch_npu/_where.py DESTINATION ${torch_npu_dir})
