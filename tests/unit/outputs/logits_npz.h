// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "formats/npy.h"
#include "unit/formats/zip_bytes.h"

#include <string>
#include <vector>

/// Files of Gaussians over logits, as NumPy would save them.
namespace logits_npz {

inline Bytes bytes(const std::string& text) { return bytes_of(text); }

inline ZipMember doubles(const std::string& name, std::vector<std::size_t> shape, std::vector<double> numbers,
                         bool deflate = false)
{
    return {name + ".npy", bytes(credence::npy_bytes({std::move(shape), std::move(numbers)})), deflate};
}
inline ZipMember floats(const std::string& name, std::vector<std::size_t> shape, std::vector<float> numbers,
                        bool deflate = false)
{
    return {name + ".npy", bytes(credence::npy_bytes({std::move(shape), std::move(numbers)})), deflate};
}
inline ZipMember integers(const std::string& name, std::vector<std::int64_t> numbers)
{
    const std::size_t n = numbers.size();
    return {name + ".npy", bytes(credence::npy_bytes({{n}, std::move(numbers)})), false};
}

/// Any array with a header by hand.
inline ZipMember raw(const std::string& name, const std::string& descr, const std::string& shape, const Bytes& body,
                     bool fortran = false)
{
    const std::string type = descr.starts_with('[') ? descr : "'" + descr + "'";   // a structured type is a list
    std::string text       = "{'descr': " + type + ", 'fortran_order': " + (fortran ? "True" : "False")
                       + ", 'shape': " + shape + ", }";
    const Bytes start = bytes_of("\x93NUMPY") + Bytes{1, 0};
    while ((start.size() + 2 + text.size() + 1) % 64 != 0)
        text += ' ';
    text += '\n';
    return {name + ".npy", start + little_endian({static_cast<std::uint16_t>(text.size())}) + bytes_of(text) + body,
            false};
}

/// <U strings of this many characters, ASCII.
inline ZipMember strings(const std::string& name, const std::vector<std::string>& texts, std::size_t characters)
{
    Bytes body;
    for (const auto& text : texts)
        for (std::size_t i = 0; i < characters; ++i)
            body = body
                   + little_endian(
                       {static_cast<std::uint32_t>(i < text.size() ? static_cast<unsigned char>(text[i]) : 0)});
    return raw(name, "<U" + std::to_string(characters), "(" + std::to_string(texts.size()) + ",)", body);
}

/// Four inputs of three classes: confident and right, uncertain and right, wrong but in the list, confident and wrong.
inline std::vector<ZipMember> four_rows(bool deflate = false)
{
    return {doubles("mean", {4, 3}, {6, 0, 0, 1, 0.8, -1, 0.5, 0.7, 0.2, 0, 6, 0}, deflate),
            doubles("variance", {4, 3}, {0.1, 0.1, 0.1, 1, 1, 1, 2, 2, 2, 0.1, 0.1, 0.1}, deflate),
            integers("labels", {0, 0, 2, 2}), strings("class_names", {"cat", "dog", "owl"}, 3)};
}

}   // namespace logits_npz
