// SPDX-License-Identifier: GPL-3.0-or-later
#include "catalogue_file.h"

#include <QCryptographicHash>
#include <QFile>
#include <nlohmann/json.hpp>
#include <zlib.h>

#include <algorithm>
#include <fstream>

using namespace credence;

QByteArray gzipped(const QByteArray& bytes)
{
    z_stream stream{};
    deflateInit2(&stream, 6, Z_DEFLATED, 31, 8, Z_DEFAULT_STRATEGY);
    QByteArray out(static_cast<qsizetype>(deflateBound(&stream, static_cast<uLong>(bytes.size()))), '\0');
    stream.next_in   = reinterpret_cast<Bytef*>(const_cast<char*>(bytes.data()));
    stream.avail_in  = static_cast<uInt>(bytes.size());
    stream.next_out  = reinterpret_cast<Bytef*>(out.data());
    stream.avail_out = static_cast<uInt>(out.size());
    deflate(&stream, Z_FINISH);
    out.resize(static_cast<qsizetype>(stream.total_out));
    deflateEnd(&stream);
    return out;
}

QByteArray contentOf(const std::filesystem::path& path)
{
    QFile file(QString::fromStdString(path.string()));
    return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
}

void write(const std::filesystem::path& file, const QByteArray& bytes)
{
    std::filesystem::create_directories(file.parent_path());
    std::ofstream(file, std::ios::binary).write(bytes.data(), bytes.size());
}

QByteArray someBytes(int n, int seed)
{
    QByteArray bytes(n, '\0');
    auto state = static_cast<quint32>(seed) * 2654435761u;
    for (char& byte : bytes) {
        state = state * 1664525u + 1013904223u;
        byte  = static_cast<char>(state >> 24);
    }
    return bytes;
}

std::string hashOf(const QByteArray& bytes)
{
    return QCryptographicHash::hash(bytes, QCryptographicHash::Sha256).toHex().toStdString();
}

std::vector<std::string> filesBelow(const std::filesystem::path& folder)
{
    std::vector<std::string> names;
    std::error_code ignored;
    for (const auto& one : std::filesystem::recursive_directory_iterator(folder, ignored))
        names.push_back(one.path().lexically_relative(folder).string());
    std::sort(names.begin(), names.end());
    return names;
}

TinySet tinySet(std::vector<std::string> mirrors)
{
    const auto header = [](char dimensions, std::initializer_list<char> sizes) {
        QByteArray bytes(2, '\0');
        bytes += '\x08';
        bytes += dimensions;
        for (const char size : sizes)
            bytes += QByteArray(3, '\0') + size;
        return bytes;
    };
    TinySet set;
    set.entry.id          = "tiny";
    set.entry.title       = "Tiny digits";
    set.entry.about       = "Five images.";
    set.entry.classes     = {"0", "1"};
    set.entry.license     = "none";
    set.entry.home        = "http://127.0.0.1/";
    set.entry.hash_source = "the test";
    set.entry.mirrors     = std::move(mirrors);
    const auto add        = [&](const std::string& name, const QByteArray& content) {
        const QByteArray packed = gzipped(content);
        set.files[name]         = packed;
        set.entry.files.push_back({name,
                                   static_cast<std::uint64_t>(packed.size()),
                                   "",
                                   static_cast<std::uint64_t>(content.size()),
                                   hashOf(content),
                                   {}});
    };
    add("train-images-idx3-ubyte.gz", header(3, {3, 4, 4}) + someBytes(48));
    add("train-labels-idx1-ubyte.gz", header(1, {3}) + QByteArray("\0\1\0", 3));
    add("t10k-images-idx3-ubyte.gz", header(3, {2, 4, 4}) + someBytes(32, 2));
    add("t10k-labels-idx1-ubyte.gz", header(1, {2}) + QByteArray("\1\0", 2));
    return set;
}

void serve(WebServer& server, const std::string& folder, const TinySet& set)
{
    for (const auto& [name, bytes] : set.files)
        server.pages[QString::fromStdString("/" + folder + "/" + name)] = {bytes};
}

nlohmann::json catalogueJson(const CatalogueEntry& entry)
{
    nlohmann::json files = nlohmann::json::array();
    for (const auto& file : entry.files) {
        nlohmann::json json = {{"name", file.name}, {"bytes", file.bytes}};
        if (!file.sha256.empty())
            json["sha256"] = file.sha256;
        if (!file.content_sha256.empty())
            json.update({{"content_bytes", file.content_bytes}, {"content_sha256", file.content_sha256}});
        for (const auto& one : file.unpacks_to)
            json["unpacks_to"].push_back({{"name", one.name}, {"bytes", one.bytes}, {"sha256", one.sha256}});
        files.push_back(json);
    }
    const nlohmann::json set = {{"id", entry.id},
                                {"title", entry.title},
                                {"about", entry.about},
                                {"format", entry.format == CatalogueFormat::mnist ? "mnist" : "cifar-10"},
                                {"classes", entry.classes},
                                {"license", entry.license},
                                {"home", entry.home},
                                {"hash_source", entry.hash_source},
                                {"mirrors", entry.mirrors},
                                {"installed", entry.installed},
                                {"files", files}};
    return {{"version", 1}, {"sets", nlohmann::json::array({set})}};
}

std::filesystem::path writeCatalogue(const Folder& folder, const CatalogueEntry& entry)
{
    const auto path = folder / "catalogue.json";
    write(path, QByteArray::fromStdString(catalogueJson(entry).dump(1)));
    return path;
}

QByteArray tarOf(const std::vector<std::pair<std::string, QByteArray>>& files)
{
    QByteArray archive;
    for (const auto& [name, content] : files) {
        QByteArray header(512, '\0');
        const auto put = [&](qsizetype at, const QByteArray& text) { header.replace(at, text.size(), text); };
        put(0, QByteArray::fromStdString("cifar-10-batches-bin/" + name));
        put(100, "0000644");
        put(124, QByteArray::number(content.size(), 8).rightJustified(11, '0'));
        put(148, QByteArray(8, ' '));
        put(156, "0");
        put(257, QByteArray("ustar\00000", 8));
        unsigned sum = 0;
        for (const char byte : header)
            sum += static_cast<unsigned char>(byte);
        put(148, QByteArray::number(sum, 8).rightJustified(6, '0') + '\0');
        archive += header + content + QByteArray((512 - content.size() % 512) % 512, '\0');
    }
    return gzipped(archive + QByteArray(1024, '\0'));
}
