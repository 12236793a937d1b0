// SPDX-License-Identifier: GPL-3.0-or-later
#include "fuzz/reader.h"

#include <cstdlib>
#include <cstring>
#include <fstream>
#include <unistd.h>
#include <zlib.h>

namespace credence::fuzz {

namespace {

Bytes fed;   ///< the current input

}   // namespace

bool feed(const Reader& reader, Bytes input)
{
    fed = input;
    return reader.read(input);
}

void check_refusal(const Error& refusal)
{
    const std::string_view sentence = refusal.what();
    const std::string_view input(reinterpret_cast<const char*>(fed.data()), fed.size());
    holds(!sentence.empty() && sentence.find('\n') == sentence.npos, "a refusal is one line");
    for (const char* part : {"std::", "basic_string", "vector::", "map::at", "nlohmann", "json.exception", "sqlite3_"})
        holds(sentence.find(part) == sentence.npos || input.find(part) != input.npos,
              "a refusal names no part of the program");
}

const std::filesystem::path& memory_folder()
{
    static const std::filesystem::path memory = "/dev/shm";
    static const auto folder = (std::filesystem::is_directory(memory) ? memory : std::filesystem::temp_directory_path())
                               / ("credence_fuzz_" + std::to_string(::getpid()));
    static const bool made                   = std::filesystem::create_directories(folder);
    [[maybe_unused]] static const int tidied = std::atexit([] {
        std::error_code ignored;
        std::filesystem::remove_all(folder, ignored);
    });
    holds(made || std::filesystem::is_directory(folder), "there is a folder for the inputs");
    return folder;
}

std::filesystem::path file_in_memory(const std::string& name, Bytes input)
{
    auto path = memory_folder() / name;
    std::ofstream file(path, std::ios::binary | std::ios::trunc);
    file.write(reinterpret_cast<const char*>(input.data()), static_cast<std::streamsize>(input.size()));
    holds(static_cast<bool>(file.flush()), "an input can be written");
    return path;
}

namespace {

std::uint32_t little_endian(const std::uint8_t* at, int bytes)
{
    std::uint32_t value = 0;
    for (int i = bytes; i-- > 0;)
        value = value << 8 | at[i];
    return value;
}

std::uint32_t checksum(const std::uint8_t* at, std::size_t bytes)
{
    return static_cast<std::uint32_t>(::crc32(0, at, static_cast<uInt>(bytes)));
}

}   // namespace

void repair_tar(std::span<std::uint8_t> input)
{
    for (std::size_t at = 0; at + 512 <= input.size(); at += 512) {
        std::uint8_t* const header = input.data() + at;
        if (std::memcmp(header + 257, "ustar", 5) != 0)
            continue;
        std::memset(header + 148, ' ', 8);
        unsigned sum = 0;
        for (std::size_t i = 0; i < 512; ++i)
            sum += header[i];
        for (std::size_t digit = 0; digit < 6; ++digit)
            header[148 + digit] = static_cast<std::uint8_t>('0' + (sum >> (15 - 3 * digit)) % 8);
        header[154] = '\0';
    }
}

void repair_zip(std::span<std::uint8_t> input)
{
    const auto is = [&](std::size_t at, const char* mark) { return std::memcmp(input.data() + at, mark, 4) == 0; };
    std::vector<std::pair<std::size_t, std::uint32_t>> sums;   // of the header at this place
    for (std::size_t at = 0; at + 30 <= input.size(); ++at) {
        if (!is(at, "PK\3\4") || little_endian(&input[at + 8], 2) != 0)   // stored
            continue;
        const std::size_t first  = at + 30 + little_endian(&input[at + 26], 2) + little_endian(&input[at + 28], 2);
        const std::size_t length = little_endian(&input[at + 18], 4);
        if (first > input.size() || length > input.size() - first)
            continue;
        const std::uint32_t sum = checksum(input.data() + first, length);
        for (std::size_t byte = 0; byte < 4; ++byte)
            input[at + 14 + byte] = static_cast<std::uint8_t>(sum >> (8 * byte));
        sums.emplace_back(at, sum);
    }
    for (std::size_t at = 0; at + 46 <= input.size(); ++at)
        if (is(at, "PK\1\2"))
            for (const auto& [header, sum] : sums)
                for (std::size_t byte = 0; byte < 4 && header == little_endian(&input[at + 42], 4); ++byte)
                    input[at + 16 + byte] = static_cast<std::uint8_t>(sum >> (8 * byte));
}

void repair_png(std::span<std::uint8_t> input)
{
    for (std::size_t at = 8; at + 12 <= input.size();) {
        std::size_t length = 0;
        for (std::size_t byte = 0; byte < 4; ++byte)
            length = length << 8 | input[at + byte];
        if (length > input.size() - at - 12)
            return;
        const std::uint32_t sum = checksum(&input[at + 4], length + 4);
        for (std::size_t byte = 0; byte < 4; ++byte)
            input[at + 8 + length + byte] = static_cast<std::uint8_t>(sum >> (24 - 8 * byte));
        at += length + 12;
    }
}

bool read_archive(Bytes input);
bool read_bandit(Bytes input);
bool read_cifar(Bytes input);
bool read_csv_table(Bytes input);
bool read_idx_files(Bytes input);
bool read_lesson_text(Bytes input);
bool read_link(Bytes input);
bool read_logits(Bytes input);
bool read_npy_files(Bytes input);
bool read_outputs(Bytes input);
bool read_pdf_figure(Bytes input);
bool read_places(Bytes input);
bool read_png_figure(Bytes input);
bool read_ppm_picture(Bytes input);
bool read_scores(Bytes input);
bool read_study(Bytes input);
bool read_svg_figure(Bytes input);
bool read_sweep(Bytes input);
bool read_tar(Bytes input);
bool read_text_figure(Bytes input);

const std::vector<Reader>& readers()
{
    static const std::vector<Reader> all = {
        {"archive", read_archive},
        {"bandit", read_bandit},
        {"cifar", read_cifar},
        {"csv", read_csv_table},
        {"idx", read_idx_files},
        {"lesson", read_lesson_text, "resources/lessons"},
        {"link", read_link},
        {"logits", read_logits, "", repair_zip},
        {"npy", read_npy_files, "", repair_zip},
        {"outputs", read_outputs, "", repair_zip},
        {"places", read_places},
        {"ppm", read_ppm_picture},
        {"scores", read_scores},
        {"study", read_study, "resources/presets"},
        {"sweep", read_sweep, "resources/sweeps"},
        {"tar", read_tar, "", repair_tar},
#ifdef CREDENCE_FUZZ_FIGURES
        {"pdf", read_pdf_figure},
        {"png", read_png_figure, "", repair_png},
        {"svg", read_svg_figure},
        {"table", read_text_figure},
#endif
    };
    return all;
}

const Reader& reader_named(std::string_view name)
{
    std::string names;
    for (const Reader& reader : readers()) {
        if (reader.name == name)
            return reader;
        names += (names.empty() ? "" : ", ") + std::string(reader.name);
    }
    throw Error("There is no reader \"" + std::string(name) + "\", expected one of " + names + ".");
}

}   // namespace credence::fuzz
