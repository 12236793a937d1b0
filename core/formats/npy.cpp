// SPDX-License-Identifier: GPL-3.0-or-later
#include "formats/npy.h"

#include "formats/byte_source.h"
#include "foundation/error.h"
#include "foundation/text.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cctype>
#include <charconv>
#include <optional>
#include <string_view>
#include <type_traits>

namespace credence {
namespace {

constexpr std::size_t piece = 1 << 15;   // numbers converted at a time

/// Characters of strings of type "<U7" or "|S7"; 0 for other types.
std::size_t characters_of(const std::string& type)
{
    if (type.size() < 3 || (type[1] != 'U' && type[1] != 'S'))
        return 0;
    std::size_t n           = 0;
    const auto [end, error] = std::from_chars(type.data() + 2, type.data() + type.size(), n);
    return error == std::errc() && end == type.data() + type.size() && n <= 4096 ? n : 0;
}

void append_utf8(std::string& text, std::uint32_t c)
{
    if (c > 0x10ffff || (c >= 0xd800 && c < 0xe000))
        c = 0xfffd;
    if (c < 0x80)
        text += static_cast<char>(c);
    else if (c < 0x800)
        text.append({static_cast<char>(0xc0 | c >> 6), static_cast<char>(0x80 | (c & 63))});
    else if (c < 0x10000)
        text.append({static_cast<char>(0xe0 | c >> 12), static_cast<char>(0x80 | (c >> 6 & 63)),
                     static_cast<char>(0x80 | (c & 63))});
    else
        text.append({static_cast<char>(0xf0 | c >> 18), static_cast<char>(0x80 | (c >> 12 & 63)),
                     static_cast<char>(0x80 | (c >> 6 & 63)), static_cast<char>(0x80 | (c & 63))});
}

constexpr std::string_view magic   = "\x93NUMPY";
constexpr std::size_t most_header  = 1 << 16;
constexpr std::size_t most_indices = 32;

/// Reads the Python dictionary {'descr': '<f4', 'fortran_order': False, 'shape': (3, 4), }.
class Dictionary {
public:
    Dictionary(const std::string& file, std::string_view text) : file_(file), all_(text), rest_(text) {}

    NpyHeader read()
    {
        NpyHeader header;
        bool type = false, order = false, shape = false;
        expect("{");
        while (!accept("}")) {
            const std::string key = quoted();
            expect(":");
            if (key == "descr" && !type)
                refuse_fields(), header.type = quoted(), type = true;
            else if (key == "fortran_order" && !order)
                header.fortran = truth(), order = true;
            else if (key == "shape" && !shape)
                header.shape = sizes(), shape = true;
            else
                refuse();
            if (accept("}"))
                break;
            expect(",");
        }
        skip_blanks();
        if (!rest_.empty() || !type || !order || !shape)
            refuse();
        return header;
    }

private:
    [[noreturn]] void refuse() const
    {
        throw Error(file_ + ": found the header " + quoted_text(all_)
                    + ", expected {'descr': …, 'fortran_order': …, 'shape': …}.");
    }
    /// A structured type is a list of fields instead of a name.
    void refuse_fields()
    {
        skip_blanks();
        if (!rest_.starts_with('[') && !rest_.starts_with('('))
            return;
        std::string fields;   // the first string of each pair
        for (std::string_view list = rest_.substr(0, rest_.find("'fortran_order'")); !list.empty();) {
            const auto begin = list.find("('");
            if (begin == list.npos)
                break;
            list.remove_prefix(begin + 2);
            fields += (fields.empty() ? "" : ", ") + std::string(list.substr(0, list.find('\'')));
        }
        throw Error(file_ + ": found records" + (fields.empty() ? "" : " with the fields " + quoted_text(fields))
                    + " (a structured type), expected numbers of one type; save one field as an array of its own.");
    }
    void skip_blanks() { rest_.remove_prefix(std::min(rest_.find_first_not_of(" \t\r\n"), rest_.size())); }
    bool accept(std::string_view word)
    {
        skip_blanks();
        if (!rest_.starts_with(word))
            return false;
        rest_.remove_prefix(word.size());
        return true;
    }
    void expect(std::string_view word)
    {
        if (!accept(word))
            refuse();
    }
    std::string quoted()
    {
        const char quote = accept("'") ? '\'' : accept("\"") ? '"' : '\0';
        const auto end   = quote ? rest_.find(quote) : rest_.npos;
        if (end == rest_.npos)
            refuse();
        std::string text(rest_.substr(0, end));
        rest_.remove_prefix(end + 1);
        return text;
    }
    bool truth()
    {
        if (accept("True"))
            return true;
        expect("False");
        return false;
    }
    std::vector<std::size_t> sizes()
    {
        std::vector<std::size_t> shape;
        expect("(");
        while (!accept(")")) {
            skip_blanks();
            std::size_t n           = 0;
            const auto [end, error] = std::from_chars(rest_.data(), rest_.data() + rest_.size(), n);
            if (error != std::errc() || shape.size() == most_indices)
                refuse();
            rest_.remove_prefix(static_cast<std::size_t>(end - rest_.data()));
            accept("L");   // suffix written by Python 2
            shape.push_back(n);
            if (accept(")"))
                break;
            expect(",");
        }
        return shape;
    }

    const std::string& file_;
    std::string_view all_, rest_;
};

/// Reorders from first index fastest to last index fastest.
template <class Number>
void to_c_order(std::vector<Number>& v, const std::vector<std::size_t>& shape)
{
    std::vector<Number> turned(v.size());
    std::vector<std::size_t> index(shape.size(), 0), stride(shape.size(), 1);
    for (std::size_t d = 1; d < shape.size(); ++d)
        stride[d] = stride[d - 1] * shape[d - 1];
    std::size_t from = 0;
    for (Number& to : turned) {
        to = v[from];
        for (std::size_t d = shape.size(); d-- > 0;) {
            from += stride[d];
            if (++index[d] < shape[d])
                break;
            from -= stride[d] * shape[d];
            index[d] = 0;
        }
    }
    v = std::move(turned);
}

/// The numpy name of the type of `values`, little-endian.
const char* descr_of(const NumberArray::Values& values)
{
    constexpr const char* names[] = {"|u1", "|i1", "<u2", "<i2", "<u4", "<i4", "<u8", "<i8", "<f4", "<f8"};
    return names[values.index()];
}

/// Leaves the source after the header. @throws Error that names the source, if it is not an NPY
/// array
NpyHeader npy_header(ByteSource& source)
{
    source.rewind();
    std::array<std::uint8_t, 8> start{};
    read_exactly(source, start, "NPY data");
    if (!std::equal(magic.begin(), magic.end(), start.begin(),
                    [](char a, std::uint8_t b) { return static_cast<std::uint8_t>(a) == b; }))
        throw Error(source.name() + ": found " + looks_like(start) + ", expected an NPY array.");
    if (start[6] < 1 || start[6] > 3)
        throw Error(source.name() + ": found NPY version " + std::to_string(start[6]) + ", expected 1, 2 or 3.");
    std::array<std::uint8_t, 4> size{};
    const std::size_t width = start[6] == 1 ? 2 : 4;
    read_exactly(source, std::span(size).first(width), "the length of the header");
    const std::size_t length = size[0] | size[1] << 8 | size[2] << 16 | std::size_t{size[3]} << 24;
    if (length > most_header)
        throw Error(source.name() + ": found a header of " + std::to_string(length) + " bytes, expected at most "
                    + std::to_string(most_header) + ".");
    std::vector<std::uint8_t> text(length);
    read_exactly(source, text, "the header");
    NpyHeader header = Dictionary(source.name(), {reinterpret_cast<const char*>(text.data()), text.size()}).read();
    header.length    = start.size() + width + length;
    return header;
}

/// Empty values of the type stored in the file. @throws Error for types that are not real numbers
NumberArray::Values stored_values(const std::string& file, const std::string& descr)
{
    const bool ordered = descr.size() == 3 && std::string_view("<>|=").find(descr[0]) != std::string_view::npos;
    const std::string_view type = ordered ? std::string_view(descr).substr(1) : std::string_view();
    if (type == "u1" || type == "b1")
        return std::vector<std::uint8_t>();
    if (type == "i1")
        return std::vector<std::int8_t>();
    if (type == "u2" || type == "f2")
        return std::vector<std::uint16_t>();
    if (type == "i2")
        return std::vector<std::int16_t>();
    if (type == "u4")
        return std::vector<std::uint32_t>();
    if (type == "i4")
        return std::vector<std::int32_t>();
    if (type == "u8")
        return std::vector<std::uint64_t>();
    if (type == "i8")
        return std::vector<std::int64_t>();
    if (type == "f4")
        return std::vector<float>();
    if (type == "f8")
        return std::vector<double>();
    if (type == "O" || descr == "O")
        throw Error(file
                    + ": found Python objects (a pickle, which is never executed here), expected numbers; save them "
                      "as an "
                      "array of one numeric type, such as np.array(values, dtype=float).");
    if (type == "V2")
        throw Error(file + ": found type " + quoted_text(descr)
                    + " (bfloat16 is saved like this), expected numbers; save them as float32.");
    throw Error(file + ": found numbers of type " + quoted_text(descr)
                + ", expected float16, float32, float64, bool or integers of 1 to 8 bytes.");
}

std::size_t size_of_number(const NumberArray::Values& values)
{
    return std::visit([](const auto& v) { return sizeof(v[0]); }, values);
}

std::endian npy_order(const NpyHeader& header)
{
    return header.type[0] == '>' ? std::endian::big : header.type[0] == '<' ? std::endian::little : std::endian::native;
}

float half_to_float(std::uint16_t bits)
{
    const std::uint32_t sign = std::uint32_t{bits & 0x8000u} << 16, exponent = bits >> 10 & 31u,
                        fraction = bits & 1023u;
    const float small            = static_cast<float>(static_cast<std::int32_t>(fraction))
                        * 0x1p-24f;   // below 2^-14: a multiple of 2^-24, exact in float32
    const std::uint32_t normal = (exponent == 31 ? 0xffu : exponent + 112) << 23 | fraction << 13;
    return std::bit_cast<float>(sign | (exponent == 0 ? std::bit_cast<std::uint32_t>(small) : normal));
}

}   // namespace

NpyStream::NpyStream(std::unique_ptr<ByteSource> source)
    : source_(std::move(source)), header_(npy_header(*source_)), characters_(characters_of(header_.type))
{
    if (header_.type == "|O")
        throw Error(
            name()
            + ": found Python objects (type “|O”), expected numbers, or strings made with np.array(names, dtype=str).");
    if (text())
        bytes_ = characters_ * (header_.type[1] == 'U' ? 4 : 1);
    else
        piece_ = stored_values(name(), header_.type), bytes_ = size_of_number(piece_);
    require_length(*source_, header_.length, byte_count(name(), header_.shape, bytes_), header_.shape);
}

std::size_t NpyStream::size() const { return static_cast<std::size_t>(byte_count(name(), header_.shape, 1)); }

template <class Number>
void NpyStream::read_as(std::size_t first, std::span<Number> out)
{
    if (text())
        throw Error(name() + ": found strings, expected numbers.");
    if (first < at_) {
        source_->rewind();
        source_->skip(header_.length);
        at_ = 0;
    }
    source_->skip(static_cast<std::uint64_t>(first - at_) * bytes_);
    at_ = first;
    while (!out.empty()) {
        const std::size_t n = std::min(out.size(), piece);
        read_numbers(*source_, n, npy_order(header_), piece_);
        std::visit(
            [&](const auto& v) {
            if constexpr (std::is_same_v<std::decay_t<decltype(v)>, std::vector<std::uint16_t>>)
                if (header_.half()) {
                    std::transform(v.begin(), v.end(), out.begin(),
                                   [](std::uint16_t bits) { return static_cast<Number>(half_to_float(bits)); });
                    return;
                }
            std::transform(v.begin(), v.end(), out.begin(), [](auto number) { return static_cast<Number>(number); });
            },
            piece_);
        at_ += n;
        out = out.subspan(n);
    }
}

void NpyStream::read(std::size_t first, std::span<double> out) { read_as(first, out); }
void NpyStream::read(std::size_t first, std::span<float> out) { read_as(first, out); }

NumberArray NpyStream::numbers()
{
    at_ = 0;
    return read_npy(*source_);
}

std::vector<std::string> NpyStream::strings()
{
    if (!text())
        throw Error(name() + ": found numbers, expected strings.");
    source_->rewind();
    source_->skip(header_.length);
    at_             = 0;
    const bool wide = header_.type[1] == 'U', big = header_.type[0] == '>';
    std::vector<std::string> texts(size());
    std::vector<std::uint8_t> bytes(bytes_);
    for (std::string& one : texts) {
        read_exactly(*source_, bytes, "its strings");
        for (std::size_t i = 0; i < characters_; ++i) {
            std::uint32_t c = wide ? 0 : bytes[i];
            for (std::size_t b = 0; wide && b < 4; ++b)
                c |= std::uint32_t{bytes[4 * i + b]} << (8 * (big ? 3 - b : b));
            if (wide)
                append_utf8(one, c);
            else
                one += static_cast<char>(c);
        }
        while (!one.empty() && one.back() == '\0')
            one.pop_back();
    }
    return texts;
}

NumberArray read_npy(ByteSource& source)
{
    NpyHeader header = npy_header(source);
    NumberArray array{header.shape, stored_values(source.name(), header.type)};
    const std::size_t size   = size_of_number(array.values);
    const std::uint64_t body = byte_count(source.name(), header.shape, size);
    require_length(source, header.length, body, header.shape);
    read_numbers(source, static_cast<std::size_t>(body / size), npy_order(header), array.values);
    if (header.half()) {
        const auto bits = std::get<std::vector<std::uint16_t>>(std::move(array.values));
        std::vector<float> numbers(bits.size());
        std::transform(bits.begin(), bits.end(), numbers.begin(), half_to_float);
        array.values = std::move(numbers);
    }
    if (header.fortran && header.shape.size() > 1)
        std::visit([&](auto& v) { to_c_order(v, header.shape); }, array.values);
    return array;
}

NumberArray read_npy(const std::filesystem::path& file) { return read_npy(*open_file(file)); }

std::string npy_head(const std::string& descr, const std::vector<std::size_t>& sizes)
{
    std::string shape;
    for (const std::size_t n : sizes)
        shape += std::to_string(n) + (sizes.size() == 1 ? "," : ", ");
    if (sizes.size() > 1)
        shape.resize(shape.size() - 2);
    std::string text             = "{'descr': '" + descr + "', 'fortran_order': False, 'shape': (" + shape + "), }";
    constexpr std::size_t before = 10, line = 64;
    text.append(line - (before + text.size() + 1) % line, ' ').push_back('\n');

    std::string bytes(magic);
    bytes.append({1, 0, static_cast<char>(text.size() & 0xff), static_cast<char>(text.size() >> 8)}).append(text);
    return bytes;
}

std::string npy_bytes(const NumberArray& array)
{
    std::string bytes = npy_head(descr_of(array.values), array.shape);
    std::visit(
        [&](const auto& v) {
        for (const auto number : v) {
            auto one = std::bit_cast<std::array<char, sizeof(number)>>(number);
            if (std::endian::native == std::endian::big)
                std::ranges::reverse(one);
            bytes.append(one.data(), one.size());
        }
        },
        array.values);
    return bytes;
}

}   // namespace credence
