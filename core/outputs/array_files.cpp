// SPDX-License-Identifier: GPL-3.0-or-later
#include "outputs/array_files.h"

#include "formats/npy.h"
#include "foundation/error.h"
#include "foundation/files.h"
#include "foundation/number_text.h"
#include "foundation/text.h"

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <unistd.h>

namespace credence {

bool ArrayFiles::has(const std::string& array) const
{
    return std::find(arrays.begin(), arrays.end(), array) != arrays.end();
}

std::string ArrayFiles::list() const { return arrays.empty() ? "none" : joined(arrays); }

std::string ArrayFiles::note_on_others(std::span<const char* const> known) const
{
    std::vector<std::string> others;
    for (const auto& array : arrays)
        if (std::ranges::find(known, array) == known.end())
            others.push_back("“" + array + "”");
    if (others.empty())
        return {};
    return name
           + (others.size() == 1 ? ": the array " + others.front() + " is" : ": the arrays " + joined(others) + " are")
           + " not read. Known names are " + joined(known) + ".";
}

static ArrayFiles of_archive(std::string name, const std::shared_ptr<const NpzFile>& archive)
{
    return {std::move(name), archive->names(),
            [archive](const std::string& array, bool first, std::stop_token stop) {
        return archive->open(array, first ? NpzFile::Checksum::compare : NpzFile::Checksum::skip, std::move(stop));
            }};
}

ArrayFiles array_files(const std::filesystem::path& path, std::span<const char* const> known)
{
    std::error_code ignored;
    const bool folder = std::filesystem::is_directory(path, ignored), npy = path.extension() == ".npy";
    if (!folder && !npy)
        return of_archive(path.filename().string(), std::make_shared<const NpzFile>(path));

    const auto where = folder ? path : path.parent_path();
    ArrayFiles files;
    files.name = (folder && path.filename().empty() ? path.parent_path()
                  : folder                          ? path
                  : where.empty()                   ? std::filesystem::path(".")
                                                    : where)
                     .filename()
                     .string()
                 + "/";
    if (npy && !std::filesystem::exists(path, ignored))
        open_file(path);                                               // reports errors with the file's name
    if (npy && std::ranges::find(known, path.stem()) == known.end())   // otherwise other files would be read
        throw Error(path.filename().string() + ": arrays in NPY files are known by the name of the file, expected "
                    + std::string(known.front()) + ".npy, or an NPZ file with an array of this name.");
    for (const char* array : known)
        if (std::filesystem::is_regular_file(where / (std::string(array) + ".npy"), ignored))
            files.arrays.emplace_back(array);
    files.open = [where](const std::string& array, bool, const std::stop_token&) {
        return open_file(where / (array + ".npy"));
    };
    return files;
}

ArrayFiles array_files(std::string name, std::span<const std::uint8_t> npz)
{
    const auto archive = std::make_shared<const NpzFile>(name, npz);
    return of_archive(std::move(name), archive);
}

std::vector<int> labels_of_rows(const std::string& file, NpyStream labels, std::size_t n_rows, int n_classes,
                                const std::string& of)
{
    const bool column = labels.shape().size() == 2 && labels.shape()[1] == 1;
    if (labels.text() || !(labels.shape().size() == 1 || column) || labels.shape()[0] != n_rows)
        throw Error(file + ": labels "
                    + (labels.text() ? "are strings" : "have the shape " + shape_text(labels.shape())) + ", expected "
                    + std::to_string(n_rows) + " whole numbers, one for each row of " + of + ".");
    const NumberArray numbers = labels.numbers();
    std::vector<int> checked;
    checked.reserve(n_rows);
    for (std::size_t i = 0; i < n_rows; ++i) {
        const double label = numbers.at(i);
        if (!(label >= 0 && label < n_classes && label == static_cast<double>(static_cast<int>(label))))
            throw Error(file + ": label of row " + std::to_string(i) + " is " + number_text(label, 15)
                        + ", expected a whole number from 0 to " + std::to_string(n_classes - 1) + ".");
        checked.push_back(static_cast<int>(label));
    }
    return checked;
}

std::vector<std::string> names_of_classes(const std::string& file, NpyStream names, int n_classes)
{
    if (!names.text() || names.shape().size() != 1 || names.shape()[0] != static_cast<std::size_t>(n_classes))
        throw Error(file + ": class_names "
                    + (names.text() ? "have the shape " + shape_text(names.shape()) : std::string("are numbers"))
                    + ", expected " + std::to_string(n_classes) + " strings, one for each class.");
    auto texts = names.strings();
    for (std::size_t k = 0; k < texts.size(); ++k)
        if (texts[k].empty())
            texts[k] = std::to_string(k);
    return texts;
}

std::vector<std::string> numbers_as_names(int n_classes)
{
    std::vector<std::string> names;
    names.reserve(static_cast<std::size_t>(std::max(0, n_classes)));
    for (int k = 0; k < n_classes; ++k)
        names.push_back(std::to_string(k));
    return names;
}

std::unique_ptr<ByteSource> spooled(std::unique_ptr<ByteSource> source, const std::stop_token& stop)
{
    std::string path = (std::filesystem::temp_directory_path() / "credence-outputs-XXXXXX").string();
    const int handle = ::mkstemp(path.data());
    if (handle < 0)
        refuse_to_write(path, errno);
    struct TemporaryName {   // removed at the end of the scope; the source below keeps the file open
        std::string path;
        int handle;
        ~TemporaryName()
        {
            ::close(handle);
            ::unlink(path.c_str());
        }
    };
    const TemporaryName removed_later{path, handle};
    std::vector<std::uint8_t> piece(1 << 20);
    std::uint64_t length = 0;
    source->rewind();
    for (std::size_t got = piece.size(); got == piece.size(); length += got) {
        if (stop.stop_requested())
            return nullptr;
        got = source->read(piece);
        for (std::size_t written = 0; written < got;) {
            const auto n = ::write(handle, piece.data() + written, got - written);
            if (n < 0 && errno == EINTR)
                continue;
            if (n <= 0)
                refuse_to_write(path, n == 0 ? ENOSPC : errno);
            written += static_cast<std::size_t>(n);
        }
    }
    return file_range(path, source->name(), 0, length);
}

}   // namespace credence
