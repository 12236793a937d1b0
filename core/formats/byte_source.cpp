// SPDX-License-Identifier: GPL-3.0-or-later
#include "formats/byte_source.h"

#include "foundation/error.h"
#include "foundation/progress.h"

#include <zlib.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <cstring>
#include <fstream>
#include <string_view>
#include <type_traits>

namespace credence {
namespace {

class MemorySource final : public ByteSource {
public:
    MemorySource(std::string name, std::span<const std::uint8_t> bytes) : ByteSource(std::move(name)), bytes_(bytes) {}

    std::size_t read(std::span<std::uint8_t> out) override
    {
        const std::size_t n = std::min(out.size(), bytes_.size() - at_);
        if (n > 0)
            std::memcpy(out.data(), bytes_.data() + at_, n);
        at_ += n;
        return n;
    }
    void rewind() override { at_ = 0; }
    void skip(std::uint64_t n) override
    {
        at_ += static_cast<std::size_t>(std::min<std::uint64_t>(n, bytes_.size() - at_));
    }
    std::uint64_t length(std::uint64_t limit) override { return std::min<std::uint64_t>(bytes_.size(), limit + 1); }
    bool seekable() const override { return true; }

private:
    std::span<const std::uint8_t> bytes_;
    std::size_t at_ = 0;
};

class FileSource final : public ByteSource {
public:
    FileSource(const std::filesystem::path& path, std::string name, std::uint64_t first, std::uint64_t length)
        : ByteSource(std::move(name)), file_(path, std::ios::binary), first_(first), length_(length)
    {
        if (!file_)
            throw Error(this->name() + ": cannot be opened, expected a readable file.");
        file_.seekg(static_cast<std::streamoff>(first_));
    }

    std::size_t read(std::span<std::uint8_t> out) override
    {
        stop_point();
        const auto n = static_cast<std::size_t>(std::min<std::uint64_t>(out.size(), length_ - at_));
        file_.read(reinterpret_cast<char*>(out.data()), static_cast<std::streamsize>(n));
        if (file_.bad())
            throw Error(name() + ": reading failed, expected a file that is readable to its end.");
        const auto got = static_cast<std::size_t>(file_.gcount());
        at_ += got;
        return got;
    }
    void rewind() override
    {
        file_.clear();
        file_.seekg(static_cast<std::streamoff>(first_));
        at_ = 0;
    }
    void skip(std::uint64_t n) override
    {
        at_ += std::min(n, length_ - at_);
        file_.clear();
        file_.seekg(static_cast<std::streamoff>(first_ + at_));
    }
    std::uint64_t length(std::uint64_t limit) override { return std::min(length_, limit + 1); }
    bool seekable() const override { return true; }

private:
    std::ifstream file_;
    std::uint64_t first_, length_, at_ = 0;
};

/// zlib's inflate over another source, because libarchive does not check the checksum of gzip data.
/// A gzip file can have several members in sequence; bytes after the last one are ignored.
class InflateSource final : public ByteSource {
public:
    explicit InflateSource(std::unique_ptr<ByteSource> packed) : ByteSource(packed->name()), packed_(std::move(packed))
    {
        constexpr int window = 15, with_gzip_header = 16;
        if (inflateInit2(&stream_, window + with_gzip_header) != Z_OK)
            throw Error(name() + ": zlib has not enough memory to unpack it.");
    }
    ~InflateSource() override { inflateEnd(&stream_); }

    std::size_t read(std::span<std::uint8_t> out) override
    {
        std::size_t filled = 0;
        while (filled < out.size() && !finished_) {
            stop_point();
            const auto piece  = static_cast<uInt>(std::min<std::size_t>(out.size() - filled, 1u << 20));
            stream_.next_out  = out.data() + filled;
            stream_.avail_out = piece;
            step();
            filled += piece - stream_.avail_out;
        }
        return filled;
    }

    void rewind() override
    {
        packed_->rewind();
        inflateReset(&stream_);
        stream_.avail_in = 0;
        finished_        = false;
    }

private:
    bool refill()
    {
        if (stream_.avail_in > 0)
            return true;
        stream_.next_in  = buffer_.data();
        stream_.avail_in = static_cast<uInt>(packed_->read(buffer_));
        return stream_.avail_in > 0;
    }

    void step()
    {
        const bool more = refill();   // after all input is consumed, output can still be pending
                                      // inside zlib
        const int status = inflate(&stream_, Z_NO_FLUSH);
        if (status == Z_STREAM_END) {
            const bool another = refill() && *stream_.next_in == 0x1f;
            if (another)
                inflateReset(&stream_);
            else
                finished_ = true;
        } else if (!more && status == Z_BUF_ERROR) {
            throw Error(name() + ": found the end of the file in the middle of its gzip data, expected more.");
        } else if (status != Z_OK && status != Z_BUF_ERROR) {
            throw Error(name() + ": found damaged gzip data"
                        + (stream_.msg ? " (" + std::string(stream_.msg) + ")" : "") + ", expected a whole download.");
        }
    }

    std::unique_ptr<ByteSource> packed_;
    z_stream stream_{};
    std::array<std::uint8_t, 1 << 16> buffer_{};
    bool finished_ = false;
};

std::unique_ptr<ByteSource> unpacked_if_gzip(std::unique_ptr<ByteSource> source)
{
    std::array<std::uint8_t, 2> head{};
    const bool gzip = source->read(head) == 2 && head[0] == 0x1f && head[1] == 0x8b;
    source->rewind();
    return gzip ? unpacked(std::move(source)) : std::move(source);
}

}   // namespace

void ByteSource::skip(std::uint64_t n)
{
    std::vector<std::uint8_t> piece(static_cast<std::size_t>(std::min<std::uint64_t>(n, 1 << 16)));
    while (n > 0) {
        const std::size_t got = read(
            std::span(piece).first(static_cast<std::size_t>(std::min<std::uint64_t>(n, piece.size()))));
        if (got == 0)
            return;
        n -= got;
    }
}

std::uint64_t ByteSource::length(std::uint64_t limit)
{
    rewind();
    std::vector<std::uint8_t> piece(1 << 16);
    std::uint64_t n = 0;
    while (n <= limit) {
        const std::size_t got = read(piece);
        n += got;
        if (got < piece.size())
            break;
    }
    rewind();
    return std::min(n, limit + 1);
}

std::unique_ptr<ByteSource> open_file(const std::filesystem::path& path)
{
    const std::string name = path.filename().string();
    std::error_code failed;
    if (std::filesystem::is_directory(path, failed))
        throw Error(name + ": found a folder, expected a file.");
    const std::uintmax_t length = std::filesystem::file_size(path, failed);
    if (failed)
        throw Error(name + ": cannot be opened, expected a readable file.");
    return unpacked_if_gzip(std::make_unique<FileSource>(path, name, 0, length));
}

std::unique_ptr<ByteSource> open_memory(std::string name, std::span<const std::uint8_t> bytes)
{
    return unpacked_if_gzip(std::make_unique<MemorySource>(std::move(name), bytes));
}

std::unique_ptr<ByteSource> file_range(const std::filesystem::path& path, std::string name, std::uint64_t first,
                                       std::uint64_t length)
{
    return std::make_unique<FileSource>(path, std::move(name), first, length);
}

std::unique_ptr<ByteSource> memory_range(std::string name, std::span<const std::uint8_t> bytes)
{
    return std::make_unique<MemorySource>(std::move(name), bytes);
}

std::unique_ptr<ByteSource> unpacked(std::unique_ptr<ByteSource> packed)
{
    return std::make_unique<InflateSource>(std::move(packed));
}

void read_exactly(ByteSource& source, std::span<std::uint8_t> out, const std::string& what)
{
    const std::size_t got = source.read(out);
    if (got == 0 && !out.empty() && source.length(0) == 0)
        throw Error(source.name() + ": found an empty file, expected " + what + ".");
    if (got < out.size())
        throw Error(source.name() + ": found " + std::to_string(got) + " bytes, expected " + std::to_string(out.size())
                    + " of " + what + ".");
}

std::string looks_like(std::span<const std::uint8_t> head)
{
    const std::string_view text(reinterpret_cast<const char*>(head.data()), head.size());
    const auto word = text.substr(std::min(text.find_first_not_of(" \t\r\n\xEF\xBB\xBF"), text.size()));
    constexpr std::string_view pointer = "version https://git-lfs";
    if (text.size() >= 8 && pointer.starts_with(text.substr(0, pointer.size())))
        return "a Git LFS pointer instead of the file (“git lfs pull” downloads it)";
    if (word.starts_with('<'))
        return "a web page (HTML)";
    if (text.size() >= 2 && text[0] == '\x80' && text[1] >= 2 && text[1] <= 5)
        return "a Python pickle (never executed here; save its arrays with np.savez)";
    if (text.starts_with("\x89HDF"))
        return "an HDF5 file";
    if (text.starts_with("PAR1"))
        return "a Parquet file";
    if (text.starts_with("\xD0\xCF\x11\xE0"))
        return "an old Excel or Word file";
    if (text.starts_with("PK\x03\x04"))
        return "a zip archive";
    if (text.starts_with("\x1F\x8B"))
        return "a gzip file";
    if (text.starts_with("\xFD"
                         "7zXZ"))
        return "an xz file";
    if (text.starts_with("\x93NUMPY"))
        return "an NPY array";
    if (text.starts_with("\x89PNG"))
        return "a PNG image";
    if (text.starts_with("\xFF\xD8\xFF"))
        return "a JPEG image";
    constexpr char digits[] = "0123456789ABCDEF";
    std::string bytes       = "the bytes";
    for (const std::uint8_t byte : head.first(std::min<std::size_t>(head.size(), 4)))
        (bytes += ' ').append({digits[byte >> 4], digits[byte & 15]});
    return bytes;
}

std::uint64_t byte_count(const std::string& file, const std::vector<std::size_t>& shape, std::size_t size_of_number)
{
    if (std::find(shape.begin(), shape.end(), 0u) != shape.end())
        return 0;
    constexpr std::uint64_t most = std::uint64_t{1} << 62;
    std::uint64_t bytes          = size_of_number;
    for (const std::size_t n : shape) {
        if (n > most / bytes)
            throw Error(file + ": announces " + shape_text(shape)
                        + " numbers, expected no more than the file "
                          "contains.");
        bytes *= n;
    }
    return bytes;
}

void require_length(ByteSource& source, std::uint64_t header, std::uint64_t body, const std::vector<std::size_t>& shape)
{
    const std::uint64_t found = source.length(header + body);
    if (found != header + body)
        throw Error(source.name() + ": found "
                    + (found > header + body ? "more than " + std::to_string(header + body) : std::to_string(found))
                    + " bytes, expected " + std::to_string(header) + " of header and " + std::to_string(body)
                    + " of numbers (" + shape_text(shape) + ").");
    source.rewind();
    std::vector<std::uint8_t> passed_over(static_cast<std::size_t>(header));
    read_exactly(source, passed_over, "the header");
}

void read_numbers(ByteSource& source, std::size_t n, std::endian order, NumberArray::Values& values)
{
    std::visit(
        [&](auto& v) {
        using Number = typename std::decay_t<decltype(v)>::value_type;
        v.resize(n);
        const std::span bytes(reinterpret_cast<std::uint8_t*>(v.data()), n * sizeof(Number));
        read_exactly(source, bytes, "its numbers");
        if (order != std::endian::native && sizeof(Number) > 1)
            for (std::size_t i = 0; i < n; ++i)
                std::ranges::reverse(bytes.subspan(i * sizeof(Number), sizeof(Number)));
        },
        values);
}

}   // namespace credence
