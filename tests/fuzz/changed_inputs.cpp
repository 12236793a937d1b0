// SPDX-License-Identifier: GPL-3.0-or-later
#include "fuzz/changed_inputs.h"

#include <algorithm>
#include <array>
#include <cstdio>
#include <fstream>
#include <iterator>

namespace credence::fuzz {

namespace {

constexpr std::size_t most_bytes = 1 << 16;

/// Replacements for a JSON number, word or value.
constexpr std::array<std::string_view, 36> pieces = {"0",           "-1",
                                                     "1e308",       "1e-308",
                                                     "1e999",       "-0.0",
                                                     "NaN",         "inf",
                                                     "4294967296",  "18446744073709551616",
                                                     "0.5",         "2147483648",
                                                     "null",        "true",
                                                     "false",       "[]",
                                                     "{}",          "\"\"",
                                                     "[[[[[[[[",    "{\"a\":{\"a\":{\"a\":",
                                                     "\"\\ud800\"", "\"\\u0000\"",
                                                     "\xff\xfe",    "\xef\xbb\xbf",
                                                     "é",           ",",
                                                     ";",           "\t",
                                                     "\r\n",        "\n\n",
                                                     "```do\n",     "```",
                                                     "---\n",       "answer: ",
                                                     "- [x] ",      "τ"};

constexpr std::array<std::uint64_t, 14> edges = {0,
                                                 1,
                                                 0x7f,
                                                 0x80,
                                                 0xff,
                                                 0x7fff,
                                                 0xffff,
                                                 0x7fffffff,
                                                 0x80000000,
                                                 0xffffffff,
                                                 0x7fffffffffffffff,
                                                 0x8000000000000000,
                                                 0xffffffffffffffff,
                                                 0x100000000};

/// One change after the other of one input.
class Changes {
public:
    Changes(Input input, const std::vector<Input>& others, std::mt19937_64& random)
        : input_(std::move(input)), others_(others), random_(random)
    {}

    void change()
    {
        switch (below(9)) {
        case 0: flip_bit(); break;
        case 1: set_byte(); break;
        case 2: set_word(); break;
        case 3: cut(); break;
        case 4: repeat(); break;
        case 5: take_from_another(); break;
        case 6: replace_number(); break;
        case 7: insert(pieces[below(pieces.size())]); break;
        default: move_line(); break;
        }
    }
    Input&& result() { return std::move(input_); }

private:
    std::size_t below(std::size_t n) { return n == 0 ? 0 : random_() % n; }
    std::size_t length() { return 1 + below(below(4) == 0 ? 1 + input_.size() : 8); }
    auto place(std::size_t at) { return input_.begin() + static_cast<std::ptrdiff_t>(at); }

    void flip_bit()
    {
        if (!input_.empty())
            input_[below(input_.size())] ^= static_cast<std::uint8_t>(1U << below(8));
    }
    void set_byte()
    {
        if (!input_.empty())
            input_[below(input_.size())] = static_cast<std::uint8_t>(random_());
    }
    /// A number of 2, 4 or 8 bytes at the edge of what fits, in either order of bytes.
    void set_word()
    {
        const std::size_t bytes = std::size_t{2} << below(3);
        if (input_.size() < bytes)
            return;
        const std::uint64_t value = edges[below(edges.size())];
        const std::size_t at      = below(input_.size() - bytes + 1);
        const bool big            = below(2) == 0;
        for (std::size_t i = 0; i < bytes; ++i)
            input_[at + i] = static_cast<std::uint8_t>(value >> (8 * (big ? bytes - 1 - i : i)));
    }
    void cut()
    {
        const std::size_t at = below(input_.size() + 1), n = std::min(length(), input_.size() - at);
        input_.erase(place(at), place(at + n));
    }
    void repeat()
    {
        const std::size_t at = below(input_.size() + 1), n = std::min(length(), input_.size() - at);
        const Input piece(place(at), place(at + n));
        insert({reinterpret_cast<const char*>(piece.data()), piece.size()});
    }
    void take_from_another()
    {
        const Input& other   = others_[below(others_.size())];
        const std::size_t at = below(other.size() + 1), n = std::min(length(), other.size() - at);
        insert({reinterpret_cast<const char*>(other.data()) + at, n});
    }
    void insert(std::string_view piece)
    {
        if (input_.size() + piece.size() <= most_bytes)
            input_.insert(place(below(input_.size() + 1)), piece.begin(), piece.end());
    }
    /// The digits at or after some position become another number, so that text stays text.
    void replace_number()
    {
        const auto digit = [](std::uint8_t c) { return (c >= '0' && c <= '9') || c == '.' || c == '-'; };
        auto from        = std::find_if(place(below(input_.size() + 1)), input_.end(), digit);
        from             = input_.erase(from, std::find_if_not(from, input_.end(), digit));
        const auto piece = pieces[below(pieces.size())];
        input_.insert(from, piece.begin(), piece.end());
    }
    /// Moves one line to an earlier line break.
    void move_line()
    {
        const auto line_end = [&](auto from) { return std::find(from, input_.end(), '\n'); };
        const auto from     = line_end(place(below(input_.size() + 1)));
        if (from != input_.end())
            std::rotate(line_end(place(below(static_cast<std::size_t>(from - input_.begin()) + 1))), from,
                        line_end(from + 1));
    }

    Input input_;
    const std::vector<Input>& others_;
    std::mt19937_64& random_;
};

}   // namespace

std::vector<Input> seeds_of(const Reader& reader, const std::filesystem::path& sources)
{
    std::vector<std::filesystem::path> files, folders = {sources / "tests/fuzz/seeds" / reader.name};
    if (*reader.more_seeds != '\0')
        folders.push_back(sources / reader.more_seeds);
    for (const auto& folder : folders)
        for (const auto& entry : std::filesystem::directory_iterator(folder))
            if (entry.is_regular_file())
                files.push_back(entry.path());
    std::sort(files.begin(), files.end());
    std::vector<Input> seeds;
    for (const auto& file : files) {
        std::ifstream stream(file, std::ios::binary);
        seeds.emplace_back(std::istreambuf_iterator<char>(stream), std::istreambuf_iterator<char>());
    }
    return seeds;
}

ChangedInputs::ChangedInputs(std::vector<Input> seeds, Repair repair, std::uint64_t seed)
    : seeds_(std::move(seeds)), repair_(repair), seed_(seed)
{}

Input ChangedInputs::input(std::uint64_t number) const
{
    if (number < seeds_.size())
        return seeds_[number];
    std::seed_seq sequence = {static_cast<std::uint32_t>(seed_), static_cast<std::uint32_t>(seed_ >> 32),
                              static_cast<std::uint32_t>(number), static_cast<std::uint32_t>(number >> 32)};
    std::mt19937_64 random(sequence);
    Changes changes(seeds_[random() % seeds_.size()], seeds_, random);
    do
        changes.change();
    while (random() % 2 == 0);   // mostly one, now and then many
    Input changed = std::move(changes.result());
    if (repair_ != nullptr && random() % 8 != 0)
        repair_(changed);
    return changed;
}

}   // namespace credence::fuzz
