#!/bin/bash
# Builds the caller and runs it, with the toolkit where such scripts look for it.
cd "$(dirname "${BASH_SOURCE[0]}")" || exit 1
toolkit=@TOOLKIT@
[ -n "$ASCEND_HOME_DIR" ] && toolkit=$ASCEND_HOME_DIR
source "$toolkit/bin/setenv.bash"
export DDK_PATH=$toolkit NPU_HOST_LIB=$toolkit/$(arch)-linux/lib64
rm -rf build && mkdir build && cd build || exit 1
cmake .. -DCMAKE_SKIP_RPATH=TRUE > log.txt 2>&1 && make >> log.txt 2>&1 || { cat log.txt; exit 1; }
export LD_LIBRARY_PATH=$ASCEND_OPP_PATH/vendors/@VENDOR@/op_api/lib:$LD_LIBRARY_PATH
cd .. && build/caller
