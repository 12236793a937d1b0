// SPDX-License-Identifier: GPL-3.0-or-later
#include "sources/catalogue.h"

#include "foundation/error.h"
#include "foundation/files.h"
#include "foundation/find_listed.h"
#include "foundation/json.h"
#include "foundation/text.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <utility>

namespace credence {

std::vector<std::pair<std::string, std::string>> catalogue_texts();   // compiled in by cmake/EmbedTexts.cmake

namespace {

using Json = nlohmann::json;

/// One object of the file.
class CatalogueObject : public JsonObject {
public:
    using JsonObject::JsonObject;

    std::uint64_t bytes(const char* key)
    {
        const Json* value = find(key);
        if (!value)
            return 0;
        if (!value->is_number_unsigned() || value->get<std::uint64_t>() == 0)
            refuse(key, *value, "a number of bytes above 0");
        return value->get<std::uint64_t>();
    }
    std::string sha256(const char* key)
    {
        std::string value;
        if (find(key)) {
            value          = text(key);
            const bool hex = value.find_first_not_of("0123456789abcdef") == std::string::npos;
            if (value.size() != 64 || !hex)
                refuse(key, value, "64 hexadecimal digits in lower case");
        }
        return value;
    }
};

/// Letters, digits, dots, hyphens and underscores, starting with a letter or digit, so that the
/// name cannot leave a folder.
bool plain_name(const std::string& name)
{
    constexpr const char* first = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789";
    return !name.empty() && name.find_first_of(first) == 0
           && name.find_first_not_of(first + std::string(".-_")) == std::string::npos;
}

ArchivedFile archived_file_of(const std::string& where, const Json& json)
{
    CatalogueObject fields(where, json);
    ArchivedFile file;
    file.name = fields.text("name");
    if (!plain_name(file.name))
        fields.refuse("name", file.name, "letters, digits, dots, hyphens and underscores");
    fields.need("bytes");
    file.bytes  = fields.bytes("bytes");
    file.sha256 = fields.sha256("sha256");
    fields.nothing_else();
    return file;
}

CatalogueFile file_of(const std::string& where, const Json& json)
{
    CatalogueObject fields(where, json);
    CatalogueFile file;
    file.name           = fields.text("name");
    file.bytes          = fields.bytes("bytes");
    file.sha256         = fields.sha256("sha256");
    file.content_bytes  = fields.bytes("content_bytes");
    file.content_sha256 = fields.sha256("content_sha256");
    if (const Json* const inside = fields.find("unpacks_to")) {
        if (!inside->is_array() || inside->empty())
            fields.refuse("unpacks_to", *inside, "a list of at least one file");
        for (const Json& one : *inside)
            file.unpacks_to.push_back(
                archived_file_of(where + ", unpacked file " + std::to_string(file.unpacks_to.size() + 1), one));
    }
    fields.nothing_else();
    if (!plain_name(file.name))
        fields.refuse("name", file.name, "letters, digits, dots, hyphens and underscores");
    if (file.sha256.empty() && file.content_sha256.empty())
        throw Error(where + ": found no hash, expected sha256 or content_sha256.");
    return file;
}

CatalogueEntry entry_of(const std::string& file, std::size_t number, const Json& json)
{
    CatalogueObject fields(file + ", set " + std::to_string(number), json);
    CatalogueEntry entry;
    entry.id = fields.text("id");
    if (!plain_name(entry.id))
        fields.refuse("id", entry.id, "letters, digits, dots, hyphens and underscores");
    entry.title       = fields.text("title");
    entry.about       = fields.text("about");
    entry.classes     = fields.texts("classes");
    entry.license     = fields.text("license");
    entry.home        = fields.text("home");
    entry.hash_source = fields.text("hash_source");
    entry.mirrors     = fields.texts("mirrors");
    entry.installed   = fields.texts("installed");
    if (const std::string format = fields.text("format"); format == "mnist")
        entry.format = CatalogueFormat::mnist;
    else if (format == "cifar-10")
        entry.format = CatalogueFormat::cifar_10;
    else
        fields.refuse("format", format, "mnist or cifar-10");
    const Json& files = fields.need("files");
    if (!files.is_array() || files.empty())
        fields.refuse("files", files, "a list of at least one file");
    for (const Json& one : files)
        entry.files.push_back(
            file_of(file + ", " + entry.id + ", file " + std::to_string(entry.files.size() + 1), one));
    fields.nothing_else();

    if (entry.classes.size() < 2)
        fields.refuse("classes", json["classes"], "at least 2 classes");
    if (entry.mirrors.empty())
        fields.refuse("mirrors", json["mirrors"], "at least one address");
    for (const std::string& mirror : entry.mirrors)
        if (!(mirror.starts_with("https://") || mirror.starts_with("http://")) || !mirror.ends_with("/"))
            fields.refuse("mirrors", mirror, "addresses that begin with https:// or http:// and end in /");
    return entry;
}

std::string text_in(const std::filesystem::path& file)
{
    return read_file(file, "a catalogue of data sets (CREDENCE_CATALOGUE)");
}

}   // namespace

std::uint64_t CatalogueEntry::download_bytes() const
{
    std::uint64_t sum = 0;
    for (const CatalogueFile& file : files)
        sum += file.bytes;
    return sum;
}

std::vector<CatalogueEntry> parse_catalogue(std::string_view text, const std::string& file)
{
    const Json json = parse_json(text, file, "a catalogue of data sets");
    CatalogueObject fields(file, json);
    const Json& version = fields.need("version");
    if (version != 1)
        fields.refuse("version", version, "1");
    const Json& sets = fields.need("sets");
    if (!sets.is_array())
        fields.refuse("sets", sets, "a list");
    fields.nothing_else();
    std::vector<CatalogueEntry> entries;
    for (const Json& one : sets) {
        CatalogueEntry entry = entry_of(file, entries.size() + 1, one);
        for (const CatalogueEntry& other : entries)
            if (other.id == entry.id)
                throw Error(file + ": found two sets " + quoted_text(entry.id) + ", expected different names.");
        entries.push_back(std::move(entry));
    }
    return entries;
}

const std::vector<CatalogueEntry>& catalogue()
{
    static const std::vector<CatalogueEntry> entries = [] {
        const char* const other = std::getenv("CREDENCE_CATALOGUE");
        return other && *other ? parse_catalogue(text_in(other), std::filesystem::path(other).filename().string())
                               : parse_catalogue(catalogue_texts().front().second, "catalogue.json");
    }();
    return entries;
}

const CatalogueEntry& catalogue_entry(std::string_view id)
{
    if (const auto* entry = find_listed(catalogue(), id))
        return *entry;
    throw Error("There is no data set " + quoted_text(id) + ", expected one of " + listed_ids(catalogue()) + ".");
}

}   // namespace credence
