// SPDX-License-Identifier: GPL-3.0-or-later
#include "foundation/png_chunks.h"

#include <gmock/gmock.h>

#include <cstdint>
#include <fstream>
#include <unistd.h>

namespace {

using namespace credence;
using testing::Optional;
namespace fs = std::filesystem;

std::string chunk(const std::string& name, const std::string& content, std::uint32_t claimed)
{
    std::string bytes;
    for (int shift = 24; shift >= 0; shift -= 8)
        bytes += static_cast<char>(claimed >> shift & 255);
    return bytes + name + content + "csum";
}
std::string chunk(const std::string& name, const std::string& content)
{
    return chunk(name, content, static_cast<std::uint32_t>(content.size()));
}

const std::string png("\x89PNG\r\n\x1a\n", 8), end = chunk("IEND", "");

class PngChunks : public testing::Test {
protected:
    void TearDown() override { fs::remove(file); }
    std::optional<std::string> mistake(const std::string& bytes)
    {
        std::ofstream(file, std::ios::binary | std::ios::trunc) << bytes;
        return mistake_in_png_chunks(file);
    }
    const fs::path file = fs::temp_directory_path() / ("png_chunks_" + std::to_string(::getpid()));
};

}   // namespace

TEST_F(PngChunks, WithinTheFileAreValid)
{
    EXPECT_EQ(mistake(png + chunk("IHDR", std::string(13, 'h')) + chunk("IDAT", "pixels") + end), std::nullopt);
    EXPECT_EQ(mistake(png + end + chunk("tEXt", "", 1u << 31)), std::nullopt) << "nothing reads past the end";
    EXPECT_EQ(mistake(png + chunk("IDAT", "") + "cut"), std::nullopt) << "no chunk starts there";
}

TEST_F(PngChunks, LargerThanTheFileAreReported)
{
    EXPECT_THAT(mistake(png + chunk("IHDR", std::string(13, 'h')) + chunk("zTXt", "text", 0x6000007a) + end),
                Optional(std::string("a chunk zTXt claims 1610612858 bytes, of which 16 are there")));
    EXPECT_THAT(mistake(png + chunk(std::string("a\0\nb", 4), "", 1)),
                Optional(std::string("a chunk a??b claims 1 bytes, of which 0 are there")));
    const std::string none_of_it = chunk("IDAT", "", 0xffffffff);
    for (const std::size_t bytes : {12U, 11U, 8U})   // without its check sum, too
        EXPECT_THAT(mistake(png + none_of_it.substr(0, bytes)),
                    Optional(std::string("a chunk IDAT claims 4294967295 bytes, of which 0 are there")));
}

TEST_F(PngChunks, OfOtherFilesAreNotChecked)
{
    EXPECT_EQ(mistake(""), std::nullopt);
    EXPECT_EQ(mistake("\x89PNG"), std::nullopt);
    EXPECT_EQ(mistake("GIF89a" + chunk("zTXt", "", 0x7fffffff)), std::nullopt);
    EXPECT_EQ(mistake_in_png_chunks("/no/such/file.png"), std::nullopt);
}
