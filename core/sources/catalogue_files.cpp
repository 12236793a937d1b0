// SPDX-License-Identifier: GPL-3.0-or-later
#include "sources/catalogue_files.h"

#include "formats/archives.h"
#include "formats/byte_source.h"
#include "formats/idx.h"
#include "foundation/error.h"
#include "foundation/files.h"
#include "foundation/text.h"

#include <array>

namespace credence {
namespace {

namespace fs = std::filesystem;

std::uint64_t size_of(const fs::path& path)
{
    std::error_code ignored;
    const auto size = fs::file_size(path, ignored);
    return ignored ? 0 : size;
}

/// The names that other programs use for the same file, the preferred one first.
std::vector<std::string> spellings(const std::string& name)
{
    std::vector<std::string> names = {name};
    if (name.ends_with(".gz"))
        names.push_back(name.substr(0, name.size() - 3));
    for (std::size_t i = 0, n = names.size(); i < n; ++i)
        for (const char* kind : {"-idx1-ubyte", "-idx3-ubyte"})
            if (const auto at = names[i].find(kind); at != std::string::npos) {
                names.push_back(names[i]);
                names.back()[at] = '.';
            }
    return names;
}

/// The raw bytes of a file.
std::unique_ptr<ByteSource> as_it_is(const fs::path& path)
{
    return file_range(path, path.filename().string(), 0, fs::file_size(path));
}

std::string shortened(const std::string& hash) { return hash.substr(0, 12) + "…"; }

std::string other_hash(const std::string& what, const std::string& found, const std::string& expected)
{
    return what + ": found the SHA-256 " + shortened(found) + ", expected " + shortened(expected) + ".";
}

/// Checks an existing file, under any of its names, with or without .gz.
std::string mistake_in_file(const CatalogueFile& file, const fs::path& path, const Sha256& sha256)
{
    const std::string name = path.filename().string();
    std::array<std::uint8_t, 16> head{};
    const auto raw      = as_it_is(path);
    const std::size_t n = raw->read(head);
    const bool gzip     = n >= 2 && head[0] == 0x1f && head[1] == 0x8b;
    const bool packed   = file.name.ends_with(".gz");
    if (n == 0)
        return name + ": found an empty file, expected "
               + (file.bytes > 0 ? std::to_string(file.bytes) + " bytes." : "more.");
    if (packed && !gzip && path.extension() == ".gz")
        return name + ": found " + looks_like(std::span(head).first(n)) + ", expected gzip data.";
    if (!file.content_sha256.empty()) {
        const auto content = open_file(path);
        if (file.content_bytes > 0)
            if (const auto length = content->length(file.content_bytes); length != file.content_bytes)
                return name + ": found "
                       + (length > file.content_bytes ? "more than " + std::to_string(file.content_bytes)
                                                      : std::to_string(length))
                       + " bytes" + (gzip ? " after unpacking" : "") + ", expected "
                       + std::to_string(file.content_bytes) + ".";
        content->rewind();
        const std::string found = sha256(*content);
        return found == file.content_sha256 ? ""
                                            : other_hash(name + (gzip ? ", unpacked" : ""), found, file.content_sha256);
    }
    if (packed && !gzip)
        return name + ": found the unpacked file, but only the hash of " + file.name + " is known; expected that file.";
    const std::string found = sha256(*raw);
    if (found == file.sha256)
        return {};
    if (file.bytes > 0 && size_of(path) < file.bytes)
        return name + ": found " + std::to_string(size_of(path)) + " bytes, expected " + std::to_string(file.bytes)
               + ".";
    return other_hash(name, found, file.sha256);
}

std::string missing(const CatalogueFile& file)
{
    return "found no " + (file.unpacks_to.empty() ? file.name : joined(file.unpacks_to, &ArchivedFile::name)) + ".";
}

namespace fs = std::filesystem;

constexpr std::uint64_t label_header = 8, cifar_record = 3073;

/// The count in the header of an IDX label file; 0 for anything else.
std::uint64_t announced(const std::optional<fs::path>& labels)
{
    if (!labels)
        return 0;
    std::array<std::uint8_t, label_header> head{};
    try {
        if (open_file(*labels)->read(head) < head.size() || head[2] != 8 || head[3] != 1)
            return 0;
    } catch (const Error&) {
        return 0;
    }
    return std::uint64_t{head[4]} << 24 | std::uint64_t{head[5]} << 16 | std::uint64_t{head[6]} << 8 | head[7];
}

}   // namespace

std::vector<fs::path> kept_files(const CatalogueFile& file, const fs::path& folder)
{
    if (file.unpacks_to.empty()) {
        for (const std::string& name : spellings(file.name))
            if (is_file(folder / name))
                return {folder / name};
        return {};
    }
    const auto all_in = [&](const fs::path& place) {
        std::vector<fs::path> found;
        for (const ArchivedFile& one : file.unpacks_to)
            if (is_file(place / one.name))
                found.push_back(place / one.name);
        return found.size() == file.unpacks_to.size() ? found : std::vector<fs::path>{};
    };
    if (auto found = all_in(folder); !found.empty())
        return found;
    std::error_code ignored;
    for (const auto& below : fs::directory_iterator(folder, ignored))
        if (below.is_directory(ignored))
            if (auto found = all_in(below.path()); !found.empty())
                return found;
    return {};
}

bool looks_complete(const CatalogueEntry& entry, const fs::path& folder)
{
    for (const CatalogueFile& file : entry.files) {
        const auto found = kept_files(file, folder);
        if (found.empty())
            return false;
        for (std::size_t i = 0; i < found.size(); ++i) {
            const bool packed            = file.unpacks_to.empty() && found[i].extension() == ".gz";
            const std::uint64_t expected = file.unpacks_to.empty() ? file.content_bytes : file.unpacks_to[i].bytes;
            if (size_of(found[i]) == 0 || (!packed && expected > 0 && size_of(found[i]) != expected))
                return false;
        }
    }
    return true;
}

std::string mistake_in_download(const CatalogueFile& file, const fs::path& path, const Sha256& sha256)
{
    try {
        return mistake_in_file(file, path, sha256);
    } catch (const Error& error) {   // damaged or truncated gzip data
        return error.what();
    }
}

std::string mistake_in_folder(const CatalogueFile& file, const fs::path& folder, const Sha256& sha256)
{
    const auto found = kept_files(file, folder);
    if (found.empty())
        return missing(file);
    if (file.unpacks_to.empty())
        return mistake_in_download(file, found.front(), sha256);
    for (std::size_t i = 0; i < found.size(); ++i) {
        const ArchivedFile& expected = file.unpacks_to[i];
        if (size_of(found[i]) != expected.bytes)
            return expected.name + ": found " + std::to_string(size_of(found[i])) + " bytes, expected "
                   + std::to_string(expected.bytes) + ".";
        if (expected.sha256.empty())
            continue;
        if (const std::string hash = sha256(*as_it_is(found[i])); hash != expected.sha256)
            return other_hash(expected.name, hash, expected.sha256);
    }
    return {};
}

std::string mistake_in_folder(const CatalogueEntry& entry, const fs::path& folder, const Sha256& sha256)
{
    for (const CatalogueFile& file : entry.files)
        if (std::string mistake = mistake_in_folder(file, folder, sha256); !mistake.empty())
            return mistake;
    return {};
}

void keep_download(const CatalogueFile& file, const fs::path& download, const fs::path& folder, const Sha256& sha256)
{
    if (file.unpacks_to.empty()) {
        finish_replacement(download, folder / file.name);
        return;
    }
    std::vector<TarMember> members;
    for (const ArchivedFile& one : file.unpacks_to)
        members.push_back({one.name, one.bytes});
    const fs::path place = begin_replacement(folder / (file.name + ".unpacked"));
    std::error_code ignored;
    const auto tidy = [&] {
        fs::remove_all(place, ignored);
        fs::remove(download, ignored);
    };
    try {
        fs::create_directories(place);
        unpack_members(*open_file(download), members, place);
        if (const std::string mistake = mistake_in_folder(file, place, sha256); !mistake.empty())
            throw Error(mistake);
        for (const TarMember& member : members)
            finish_replacement(place / member.name, folder / member.name);
    } catch (const fs::filesystem_error& error) {
        tidy();
        throw Error(folder.string() + ": nothing can be written there (" + error.code().message() + ").");
    } catch (...) {
        tidy();
        throw;
    }
    tidy();
}

std::optional<ImageCounts> image_counts(const CatalogueEntry& entry)
{
    ImageCounts counts;
    for (const CatalogueFile& file : entry.files) {
        const bool labels = file.name.find("labels") != std::string::npos;
        if (labels && file.content_bytes > label_header)
            (file.name.starts_with("t10k") ? counts.test : counts.training) += file.content_bytes - label_header;
        for (const ArchivedFile& one : file.unpacks_to)
            (one.name.starts_with("test") ? counts.test : counts.training) += one.bytes / cifar_record;
    }
    return counts == ImageCounts{} ? std::nullopt : std::optional(counts);
}

std::optional<ImageCounts> image_counts(const fs::path& folder)
{
    const MnistFiles files = mnist_files(folder);
    ImageCounts counts{announced(files.training_labels), announced(files.test_labels)};
    for (const fs::path& place : {folder, folder / "cifar-10-batches-bin"})
        for (const char* name : {"data_batch_1.bin", "data_batch_2.bin", "data_batch_3.bin", "data_batch_4.bin",
                                 "data_batch_5.bin", "test_batch.bin"}) {
            std::error_code error;
            const auto bytes = fs::file_size(place / name, error);
            if (!error)
                (name[0] == 't' ? counts.test : counts.training) += bytes / cifar_record;
        }
    return counts == ImageCounts{} ? std::nullopt : std::optional(counts);
}

}   // namespace credence
