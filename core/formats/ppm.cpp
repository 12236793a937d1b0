// SPDX-License-Identifier: GPL-3.0-or-later
#include "formats/image_folder.h"

#include "foundation/error.h"
#include "foundation/files.h"

#include <algorithm>
#include <string_view>

namespace credence {

namespace {

constexpr bool is_ppm_blank(char c) { return c == ' ' || (c >= '\t' && c <= '\r'); }

/// The words of the header in sequence.
class PpmHeader {
public:
    PpmHeader(const std::string& name, std::string_view bytes) : name_(name), bytes_(bytes) {}

    /// A whole number of at most `most`. @throws Error that names `what`
    std::size_t number(const char* what, std::size_t most)
    {
        pass_blanks();
        std::size_t value = 0, digits = 0;
        for (; at_ < bytes_.size() && bytes_[at_] >= '0' && bytes_[at_] <= '9'; ++at_, ++digits)
            value = std::min(most + 1, 10 * value + static_cast<std::size_t>(bytes_[at_] - '0'));
        if (digits == 0 || value == 0 || value > most)
            throw Error(name_ + ": found no " + what + " in the header, expected a number from 1 to "
                        + std::to_string(most) + ".");
        return value;
    }

    /// The position after the one blank that ends the header.
    std::size_t end() const
    {
        if (at_ >= bytes_.size() || !is_ppm_blank(bytes_[at_]))
            throw Error(name_ + ": found no end of the header, expected a blank followed by pixels.");
        return at_ + 1;
    }

private:
    void pass_blanks()
    {
        while (at_ < bytes_.size() && (is_ppm_blank(bytes_[at_]) || bytes_[at_] == '#')) {
            if (bytes_[at_] == '#')
                at_ = std::min(bytes_.find('\n', at_), bytes_.size());
            else
                ++at_;
        }
    }

    const std::string& name_;
    std::string_view bytes_;
    std::size_t at_ = 2;   // after P6
};

}   // namespace

DecodedPicture read_ppm(const std::filesystem::path& file)
{
    constexpr std::size_t longest = 16384;   // pixels per side
    const std::string name        = file.filename().string();
    const std::string bytes       = read_file(file, "a picture in PPM format", std::uint64_t{1} << 30);
    if (!bytes.starts_with("P6"))
        throw Error(name + ": found no P6 at the start, expected a picture in binary PPM format.");
    PpmHeader header(name, bytes);
    DecodedPicture picture{3, 0, 0, {}};
    picture.width              = header.number("width", longest);
    picture.height             = header.number("height", longest);
    const std::size_t greatest = header.number("greatest value of one byte", 255);
    const std::size_t begin = header.end(), n = picture.width * picture.height;
    if (bytes.size() - begin < 3 * n)
        throw Error(name + ": found " + std::to_string(bytes.size() - begin) + " bytes of pixels, expected "
                    + std::to_string(3 * n) + " for " + std::to_string(picture.width) + " × "
                    + std::to_string(picture.height) + " pixels.");
    picture.pixels.resize(3 * n);
    for (std::size_t i = 0; i < 3 * n; ++i) {
        const auto value = std::min<std::size_t>(static_cast<unsigned char>(bytes[begin + i]), greatest);
        picture.pixels[i % 3 * n + i / 3] = static_cast<std::uint8_t>((value * 255 + greatest / 2) / greatest);
    }
    return picture;
}

}   // namespace credence
