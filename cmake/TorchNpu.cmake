# The package torch_npu: in the toolkit folder, so that programs see it only where PYTHONPATH names its folder
# (`sfumato env --torch`). It is compiled on first use: nothing here needs PyTorch.
set(torch_npu_dir ${CMAKE_INSTALL_DATADIR}/sfumato/ascend/python/torch_npu)
file(RELATIVE_PATH torch_npu_include /${torch_npu_dir} /${CMAKE_INSTALL_INCLUDEDIR}/sfumato)
file(RELATIVE_PATH torch_npu_library /${torch_npu_dir} /${CMAKE_INSTALL_LIBDIR})
configure_file(python/torch_npu/_where.py.in ${PROJECT_BINARY_DIR}/toolkit/torch_npu/_where.py @ONLY)
install(DIRECTORY python/torch_npu/ DESTINATION ${torch_npu_dir}
  FILES_MATCHING PATTERN "*.py" PATTERN "*.h" PATTERN "*.cpp")
install(FILES ${PROJECT_BINARY_DIR}/toolkit/torch_npu/_where.py DESTINATION ${torch_npu_dir})
# `import torch` of PyTorch 2.5 and newer imports what an entry point names: programs that ask torch.npu alone find it.
configure_file(python/torch_npu/METADATA.in ${PROJECT_BINARY_DIR}/toolkit/torch_npu/METADATA @ONLY)
file(WRITE ${PROJECT_BINARY_DIR}/toolkit/torch_npu/entry_points.txt
  "[torch.backends]\ntorch_npu = torch_npu:_autoload\n")
install(FILES ${PROJECT_BINARY_DIR}/toolkit/torch_npu/METADATA ${PROJECT_BINARY_DIR}/toolkit/torch_npu/entry_points.txt
  DESTINATION ${torch_npu_dir}/../sfumato_torch_npu-${PROJECT_VERSION}.dist-info)
# What a linker finds for -ltorch_npu where a build file looks below the folder of Python's packages (`sfumato env --torch`):
# the name alone. A program meets the library that is compiled for its PyTorch, which `import torch_npu` has loaded.
file(WRITE ${PROJECT_BINARY_DIR}/toolkit/torch_npu/name.cpp "")
add_library(sfumato_torch_npu_name SHARED ${PROJECT_BINARY_DIR}/toolkit/torch_npu/name.cpp)
set_target_properties(sfumato_torch_npu_name PROPERTIES OUTPUT_NAME torch_npu
  LIBRARY_OUTPUT_DIRECTORY ${PROJECT_BINARY_DIR}/${torch_npu_dir}/lib)
target_link_options(sfumato_torch_npu_name PRIVATE -nostdlib -Wl,-s)
install(TARGETS sfumato_torch_npu_name LIBRARY DESTINATION ${torch_npu_dir}/lib)
add_dependencies(sfumato_vendor sfumato_torch_npu_name)
