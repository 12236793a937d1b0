// SPDX-License-Identifier: GPL-3.0-or-later
#include "formats/npy.h"

#include "unit/refusal.h"
#include "zip_bytes.h"

#include <gmock/gmock.h>

using namespace credence;
using testing::ElementsAre;

namespace {

/// An NPY file with this header text, padded as NumPy does.
Bytes npy(const std::string& dictionary, const Bytes& body, int version = 1)
{
    std::string text  = dictionary;
    const Bytes start = bytes_of("\x93NUMPY") + Bytes{static_cast<std::uint8_t>(version), 0};
    while ((start.size() + (version == 1 ? 2 : 4) + text.size() + 1) % 64 != 0)
        text += ' ';
    text += '\n';
    const auto size = static_cast<std::uint32_t>(text.size());
    return start + (version == 1 ? little_endian({static_cast<std::uint16_t>(size)}) : little_endian({size}))
           + bytes_of(text) + body;
}

std::string header(const std::string& type, const std::string& shape, const char* fortran = "False")
{
    return "{'descr': '" + type + "', 'fortran_order': " + fortran + ", 'shape': " + shape + ", }";
}

NumberArray read_array(const Bytes& bytes) { return read_npy(*open_memory("x.npy", bytes)); }
std::string why_no_npy(const Bytes& bytes)
{
    return refusal([&] { read_array(bytes); });
}

template <class Number>
NumberArray::Values values(std::initializer_list<Number> numbers)
{
    return std::vector<Number>(numbers);
}

const NumberArray seven{{7}, std::vector<float>{1, 2, 3, 4, 5, 6, 7}};
const NumberArray two_by_three{{2, 3}, std::vector<std::int16_t>{1, -2, 3, -4, 5, -6}};

}   // namespace

TEST(Npy, ReadsEveryTypeInBothByteOrders)
{
    EXPECT_EQ(read_array(npy(header("|u1", "(3,)"), {0, 128, 255})).values, values<std::uint8_t>({0, 128, 255}));
    EXPECT_EQ(read_array(npy(header("|b1", "(3,)"), {0, 1, 1})).values, values<std::uint8_t>({0, 1, 1}));
    EXPECT_EQ(read_array(npy(header("|i1", "(2,)"), {128, 255})).values, values<std::int8_t>({-128, -1}));
    const auto both = [](const char* type, auto number) {
        using Number = decltype(number);
        EXPECT_EQ(read_array(npy(header("<" + std::string(type), "(1,)"), little_endian({number}))).values,
                  values<Number>({number}))
            << type;
        EXPECT_EQ(read_array(npy(header(">" + std::string(type), "(1,)"), big_endian({number}))).values,
                  values<Number>({number}))
            << type;
    };
    both("u2", std::uint16_t{0xfedc});
    both("i2", std::int16_t{-300});
    both("u4", std::uint32_t{0xfedcba98});
    both("i4", std::int32_t{-70000});
    both("u8", std::uint64_t{0xfedcba9876543210});
    both("i8", std::int64_t{-5000000000});
    both("f4", 0.1f);
    both("f8", 0.1);
}

TEST(Npy, ReadsAllThreeVersions)
{
    for (const int version : {1, 2, 3})
        EXPECT_EQ(read_array(npy(header("<f4", "(1,)"), little_endian({2.5f}), version)).values, values({2.5f}))
            << version;
}

TEST(Npy, TurnsFortranOrderIntoCOrder)
{
    const NumberArray plane = read_array(npy(header("|u1", "(2, 3)", "True"), {1, 4, 2, 5, 3, 6}));
    EXPECT_THAT(plane.shape, ElementsAre(2, 3));
    EXPECT_EQ(plane.values, values<std::uint8_t>({1, 2, 3, 4, 5, 6}));
    const NumberArray cube = read_array(npy(header("|u1", "(2, 3, 4)", "True"), counting(24)));
    for (std::size_t i = 0; i < 2; ++i)
        for (std::size_t j = 0; j < 3; ++j)
            for (std::size_t k = 0; k < 4; ++k)
                EXPECT_EQ(cube.at((i * 3 + j) * 4 + k), static_cast<double>(i + 2 * j + 6 * k));
}

TEST(Npy, ReadsHeadersAsEveryVersionOfNumPyWritesThem)
{
    const Bytes one = {9};
    EXPECT_THAT(read_array(npy("{\"shape\": (1L,), \"fortran_order\": False, \"descr\": \"|u1\"}", one)).shape,
                ElementsAre(1));
    EXPECT_THAT(read_array(npy("{ 'descr':'|u1' ,'fortran_order':False,'shape':(1,1 ,1) }", one)).shape,
                ElementsAre(1, 1, 1));
    EXPECT_TRUE(read_array(npy(header("|u1", "()"), one)).shape.empty());
    EXPECT_EQ(read_array(npy(header("<f8", "(0, 5)"), {})).size(), 0u);
}

TEST(Npy, IsWrittenAsItIsRead)
{
    const std::pair<NumberArray, std::size_t> arrays[] = {{seven, 28},
                                                          {two_by_three, 12},
                                                          {{{}, std::vector<double>{0.1}}, 8},
                                                          {{{2, 0}, std::vector<std::uint64_t>{}}, 0}};
    for (const auto& [array, size_of_numbers] : arrays) {
        const std::string bytes = npy_bytes(array);
        EXPECT_EQ(read_array(bytes_of(bytes)), array) << bytes.substr(10, 60);
        EXPECT_EQ((bytes.size() - size_of_numbers) % 64, 0u);
    }
    EXPECT_EQ(bytes_of(npy_bytes(seven)),
              npy(header("<f4", "(7,)"), little_endian({1.f, 2.f, 3.f, 4.f, 5.f, 6.f, 7.f})));
}

TEST(Npy, RejectsFilesThatAreNotArrays)
{
    EXPECT_EQ(why_no_npy({}), "x.npy: found an empty file, expected NPY data.");
    EXPECT_EQ(why_no_npy(bytes_of("<!doctype html>")), "x.npy: found a web page (HTML), expected an NPY array.");
    EXPECT_EQ(why_no_npy(bytes_of("PK\x03\x04....")), "x.npy: found a zip archive, expected an NPY array.");
    EXPECT_EQ(why_no_npy(bytes_of("\x93NUMPY")), "x.npy: found 6 bytes, expected 8 of NPY data.");
    EXPECT_EQ(why_no_npy(npy(header("|u1", "(1,)"), {1}, 4)), "x.npy: found NPY version 4, expected 1, 2 or 3.");
    EXPECT_EQ(why_no_npy(bytes_of("\x93NUMPY") + Bytes{2, 0, 0, 0, 0, 16}),
              "x.npy: found a header of 268435456 bytes, expected at most 65536.");
}

TEST(Npy, RejectsNonNumericTypes)
{
    const std::string expected = ", expected float16, float32, float64, bool or integers of 1 to 8 bytes.";
    for (const char* type : {"<f16", "<c16", "|O", "<U12", "f4", "?f4"})
        EXPECT_EQ(why_no_npy(npy(header(type, "(1,)"), counting(16))),
                  "x.npy: found numbers of type “" + std::string(type) + "”" + expected);
}

TEST(Npy, RejectsStructuredTypesByTheirFields)
{
    EXPECT_EQ(
        why_no_npy(npy("{'descr': [('x', '<f4'), ('n', '<i8')], 'fortran_order': False, 'shape': (1,)}", counting(4))),
        "x.npy: found records with the fields “x, n” (a structured type), expected numbers of one type; save "
        "one field as an array of its own.");
}

TEST(Npy, RejectsHeadersThatAreNotNumPys)
{
    for (const char* text :
         {"", "{}", "{'descr': '<f4', 'shape': (1,)}", "{'descr': '<f4', 'fortran_order': 0, 'shape': (1,)}",
          "{'descr': '<f4', 'fortran_order': False, 'shape': (-1,)}",
          "{'descr': '<f4', 'fortran_order': False, 'shape': 1}",
          "{'descr': '<f4', 'fortran_order': False, 'shape': (1,)", "{'descr': '<f4', 'descr': '<f4', 'shape': (1,)}",
          "{'descr': '<f4', 'fortran_order': False, 'shape': (99999999999999999999999,)}"}) {
        EXPECT_THAT(why_no_npy(npy(text, counting(4))), testing::StartsWith("x.npy: found the header “")) << text;
        EXPECT_THAT(why_no_npy(npy(text, counting(4))),
                    testing::EndsWith("expected {'descr': …, 'fortran_order': …, 'shape': …}."))
            << text;
    }
}

TEST(Npy, RejectsFilesShorterOrLongerThanTheirHeaderStates)
{
    EXPECT_EQ(why_no_npy(npy(header("<f4", "(2, 2)"), counting(15))),
              "x.npy: found 143 bytes, expected 128 of header and 16 of numbers (2 × 2).");
    EXPECT_EQ(why_no_npy(npy(header("<f4", "(2, 2)"), counting(17))),
              "x.npy: found more than 144 bytes, expected 128 of header and 16 of numbers (2 × 2).");
    EXPECT_EQ(why_no_npy(npy(header("<f8", "(1000000000, 784)"), counting(8))),
              "x.npy: found 136 bytes, expected 128 of header and 6272000000000 of numbers (1000000000 × 784).");
    EXPECT_EQ(why_no_npy(npy(header("<f8", "(9000000000000000000, 2)"), counting(8))),
              "x.npy: announces 9000000000000000000 × 2 numbers, expected no more than the file contains.");
}

TEST(Npz, ContainsStoredAndDeflatedArrays)
{
    const Bytes archive = zip_of(
        {{"a.npy", bytes_of(npy_bytes(seven))}, {"b.npy", bytes_of(npy_bytes(two_by_three)), true}});
    const NpzFile file("x.npz", archive);
    EXPECT_THAT(file.names(), ElementsAre("a", "b"));
    EXPECT_EQ(file.read("a"), seven);
    EXPECT_EQ(file.read("b"), two_by_three);
    EXPECT_EQ(file.read("a"), seven);
    const TestFolder folder;
    EXPECT_EQ(NpzFile(folder.write("x.npz", archive)).read("b"), two_by_three);
}

TEST(Npz, RejectsArraysThatItDoesNotHave)
{
    const Bytes archive = zip_of({{"a.npy", bytes_of(npy_bytes(seven))}, {"text.txt", bytes_of("hello, world")}});
    EXPECT_EQ(refusal([&] { NpzFile("x.npz", archive).read("y"); }),
              "x.npz: found no array “y”, expected one of a, text.txt.");
    EXPECT_EQ(refusal([&] { NpzFile("x.npz", archive).read("text.txt"); }),
              "x.npz, text.txt: found the bytes 68 65 6C 6C, expected an NPY array.");
}

TEST(Npz, RejectsDamagedArchives)
{
    const Bytes archive = zip_of({{"a.npy", bytes_of(npy_bytes(seven)), true}});
    const auto open     = [](const Bytes& bytes) { return refusal([&] { NpzFile("x.npz", bytes).read("a"); }); };
    const auto changed  = [&](std::size_t at, std::vector<std::uint8_t> to) {
        Bytes damaged = archive;
        std::copy(to.begin(), to.end(), damaged.begin() + static_cast<std::ptrdiff_t>(at));
        return damaged;
    };
    EXPECT_EQ(open({}), "x.npz: found an empty file, expected a zip archive.");
    EXPECT_EQ(open(bytes_of("<html></html>")), "x.npz: found a web page (HTML), expected a zip archive.");
    const auto damaged_data = [](const std::string& name) {
        return testing::AllOf(testing::StartsWith(name + ": found damaged data"),
                              testing::EndsWith(", expected a whole zip archive."));
    };
    EXPECT_THAT(open({archive.begin(), archive.end() - 1}), damaged_data("x.npz"));
    EXPECT_THAT(open(changed(archive.size() - 22 - 51, {'Q'})), damaged_data("x.npz"));   // the directory
    EXPECT_EQ(open(changed(8, {12})), "x.npz: array “a” is compressed by bzip, expected stored or deflated.");
    EXPECT_EQ(open(changed(6, {1})), "x.npz: array “a” is encrypted, expected one that is not.");
    EXPECT_THAT(open(changed(14, {1, 2, 3, 4})), damaged_data("x.npz, a"));                             // the checksum
    EXPECT_THAT(open(changed(22, {0xff, 0xff, 0xff, 0x7f})), testing::HasSubstr("x.npz, a: found "));   // the length
    EXPECT_THAT(open(changed(40, {0xff, 0xff, 0xff})), damaged_data("x.npz, a"));
}
