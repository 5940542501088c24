# Installed together with the package: nothing to try.
set(CMAKE_ASC_COMPILER_WORKS 1)
