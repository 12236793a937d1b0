// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "web_server.h"

#include "sources/catalogue.h"

#include <QTemporaryDir>
#include <nlohmann/json_fwd.hpp>

#include <filesystem>

/// A folder that is deleted at the end of the test.
class Folder {
public:
    std::filesystem::path path() const { return m_folder.path().toStdString(); }
    std::filesystem::path operator/(const std::string& name) const { return path() / name; }

private:
    QTemporaryDir m_folder;
};

QByteArray gzipped(const QByteArray& bytes);
QByteArray contentOf(const std::filesystem::path& file);
void write(const std::filesystem::path& file, const QByteArray& bytes);
QByteArray someBytes(int n, int seed = 1);   ///< incompressible
std::string hashOf(const QByteArray& bytes);

/// Names of all files below a folder, with their folders, in the order of the alphabet.
std::vector<std::string> filesBelow(const std::filesystem::path& folder);

/// The four files of MNIST's format with 3 and 2 images of 4 × 4, gzipped, and their entry "tiny":
/// hashes of their contents.
struct TinySet {
    std::map<std::string, QByteArray> files;
    credence::CatalogueEntry entry;
};
TinySet tinySet(std::vector<std::string> mirrors);
void serve(WebServer& server, const std::string& folder, const TinySet& set);   ///< all files, unchanged

/// A catalogue with this one set, written to a file for the program. @return its path
nlohmann::json catalogueJson(const credence::CatalogueEntry& entry);
std::filesystem::path writeCatalogue(const Folder& folder, const credence::CatalogueEntry& entry);

/// A tar archive of files in a folder "cifar-10-batches-bin", gzipped.
QByteArray tarOf(const std::vector<std::pair<std::string, QByteArray>>& files);
