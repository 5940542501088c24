#include "op/cmake_files.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

#include "jit/scratch_folder.h"

namespace sfumato::op {
namespace {
namespace fs = std::filesystem;

TEST(CMakeFiles, CallsWithoutCommentsAndQuotes) {
    const auto commands = ReadCMake("# include(a)\nset(A \"x y\" z) # b(\nfoo (\n  1;2 # 3\n)\n");
    ASSERT_EQ(commands.size(), 2u);
    EXPECT_EQ(commands[0].name, "set");
    EXPECT_EQ(commands[0].words, (std::vector<std::string>{"A", "x y", "z"}));
    EXPECT_EQ(commands[1].name, "foo");
    EXPECT_EQ(commands[1].words, (std::vector<std::string>{"1", "2"}));
}

// A project below a folder with a CMake file and headers that several projects share.
class HostFolders : public testing::Test {
protected:
    void SetUp() override {
        root_ = fs::canonical(scratch_.path());
        for (const char* folder : {"shared/cmake", "shared/logs", "shared/kernels", "op/op_host/inc"})
            fs::create_directories(root_ / folder);
    }
    void Write(const char* file, const char* text) { std::ofstream(root_ / file) << text; }
    std::vector<std::string> Found() {
        std::vector<std::string> found;
        for (const std::string& dir : HostIncludeDirs(root_ / "op/op_host/CMakeLists.txt"))
            found.push_back(fs::relative(dir, root_));
        return found;
    }
    jit::ScratchFolder scratch_;
    fs::path root_;
};

TEST_F(HostFolders, OfTheFileAndOfWhatItIncludes) {
    Write("shared/cmake/func.cmake", "set(HERE \"${CMAKE_CURRENT_LIST_DIR}\")\ninclude_directories(${HERE}/../logs)\n");
    Write("op/op_host/CMakeLists.txt",
          "include(../../shared/cmake/func.cmake)\n"
          "target_include_directories(cust_optiling PRIVATE ${CMAKE_CURRENT_SOURCE_DIR}/inc ../../shared/kernels)\n");
    EXPECT_EQ(Found(), (std::vector<std::string>{"shared/logs", "op/op_host/inc", "shared/kernels"}));
}

TEST_F(HostFolders, NoneWhereAWordIsUnknownOrNoFolder) {
    Write("op/op_host/CMakeLists.txt",
          "include_directories(${ASCEND_CANN_PACKAGE_PATH}/include absent \"\")\ninclude(absent.cmake)\ninclude()\n"
          "include(CMakeLists.txt)\ntarget_include_directories()\nset(A)\n");
    EXPECT_EQ(Found(), std::vector<std::string>());
    fs::remove(root_ / "op/op_host/CMakeLists.txt");
    EXPECT_EQ(Found(), std::vector<std::string>());
}

}  // namespace
}  // namespace sfumato::op
