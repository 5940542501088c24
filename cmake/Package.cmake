# Debian's package of what `cmake --install` puts under a prefix: `cpack` in a build tree (tools/setup/release.py).
set(CPACK_GENERATOR DEB)
set(CPACK_PACKAGE_NAME sfumato)
set(CPACK_PACKAGE_CONTACT "The authors of Sfumato")
set(CPACK_PACKAGING_INSTALL_PREFIX /usr)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_SECTION devel)
if(CMAKE_SYSTEM_PROCESSOR STREQUAL aarch64)
  set(CPACK_DEBIAN_PACKAGE_ARCHITECTURE arm64)
endif()
# Of the tree that a release is made in (cmake/sysroot.cmake): bullseye's. Kernels are compiled where they run.
set(CPACK_DEBIAN_PACKAGE_DEPENDS "libc6 (>= 2.31), libstdc++6 (>= 10), zlib1g, g++ | clang")
set(CPACK_STRIP_FILES ON)
# What a wheel holds beside it.
if(SFUMATO_BUNDLE AND NOT SFUMATO_BUILD_PYTHON)
  install(FILES LICENSE DESTINATION share/doc/sfumato RENAME copyright)
  install(FILES licenses/THIRD-PARTY.txt DESTINATION share/doc/sfumato)
endif()
include(CPack)
