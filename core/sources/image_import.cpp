// SPDX-License-Identifier: GPL-3.0-or-later
#include "sources/image_import.h"

#include "formats/idx_write.h"
#include "formats/paths.h"
#include "formats/text.h"
#include "foundation/error.h"
#include "foundation/find_listed.h"
#include "foundation/stopped.h"
#include "foundation/write_whole.h"
#include "sources/image_sources.h"

#include <algorithm>

namespace credence {

namespace {

namespace fs = std::filesystem;

/// A folder that is removed unless it was put in its place.
class Place {
public:
    explicit Place(fs::path folder) : folder_(std::move(folder)), path_(temporary_beside(folder_))
    {
        std::error_code error;
        fs::create_directories(folder_.parent_path(), error);
        if (!fs::create_directories(path_, error))
            throw Error(folder_.string() + ": the folder cannot be made (" + error.message() + ").");
    }
    ~Place()
    {
        std::error_code ignored;
        fs::remove_all(path_, ignored);
    }
    Place(const Place&)            = delete;
    Place& operator=(const Place&) = delete;

    const fs::path& path() const { return path_; }
    void keep() { replace_whole(path_, folder_); }

private:
    fs::path folder_, path_;
};

void copy_whole(const fs::path& from, const fs::path& to)
{
    std::error_code error;
    fs::copy_file(from, to, error);
    if (error)
        throw Error(to.filename().string() + ": cannot be copied (" + error.message() + ").");
}

std::string images_text(const ImageData& data)
{
    const ImageSet& any = data.training.n > 0 ? data.training : data.test;
    return std::to_string(data.training.n) + " training and " + std::to_string(data.test.n) + " test images of "
           + std::to_string(any.height) + " × " + std::to_string(any.width)
           + (any.channels == 3 ? " in colour, " : " in grey, ") + std::to_string(any.n_classes()) + " classes";
}

/// The very files of a set of the catalogue: each is checked, then copied or unpacked.
ImportReport import_catalogued(const CatalogueEntry& entry, const ImportOrder& order, const ImageFormat& format,
                               const ImportTools& tools, std::stop_token stop)
{
    const fs::path folder = user_data_folder() / entry.id;
    const auto refuse     = [&](const std::string& why) {
        throw Error(why.substr(0, why.size() - 1) + ": these are not the files of " + entry.title
                        + "; to import them all the same, choose another name than " + entry.id + ".");
    };
    if (format.pictures)
        look_through_folder(order.path, tools.pictures.suffixes);   // refuses a folder without any
    if (!format.catalogued)
        refuse(order.path.filename().string() + ": found " + format.words + ", whose hash is not known.");
    Place place(folder);
    for (const CatalogueFile& file : entry.files) {
        if (stop.stop_requested())
            throw Error("Cancelled.");
        if (format.unpack) {
            if (file.unpacks_to.empty())
                refuse(order.path.filename().string() + ": found " + format.words + ".");
            if (const auto mistake = mistake_in_download(file, order.path, tools.sha256); !mistake.empty())
                refuse(mistake);
            const fs::path copy = place.path() / file.name;
            copy_whole(order.path, copy);
            keep_download(file, copy, place.path(), tools.sha256);
            continue;
        }
        if (const auto mistake = mistake_in_folder(file, order.path, tools.sha256); !mistake.empty())
            refuse(mistake);
        for (const fs::path& one : kept_files(file, order.path))
            copy_whole(one, place.path() / one.filename());
    }
    const ImageData data = load_image_data(place.path().string());
    place.keep();
    return {folder,
            entry.title + " is installed in " + folder.string() + ": all files have the right SHA-256; "
                + images_text(data) + ".",
            {}};
}

}   // namespace

std::string mistake_in_set_name(const std::string& name)
{
    constexpr const char* letters = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789";
    if (name.empty() || std::string_view(letters).find(name.front()) == std::string_view::npos
        || name.find_first_not_of(letters + std::string(".-_")) != std::string::npos)
        return "The name " + quoted_text(name)
               + " cannot be used, expected letters, digits, dots, hyphens and underscores, a letter or digit first.";
    if (name.ends_with(".npz"))
        return "The name " + quoted_text(name) + " cannot be used, expected one without .npz at its end.";
    for (const ImageSource& source : image_sources_at_hand())
        if (source.id == name)
            return source.folder.empty() ? "The name " + quoted_text(name)
                                               + " is that of a set which the program draws, expected another."
                                         : "There is a data set " + quoted_text(name) + " already, in "
                                               + source.folder.string() + "; choose another name or remove that one.";
    if (std::error_code ignored;
        fs::exists(user_data_folder() / name, ignored) && !fs::is_empty(user_data_folder() / name, ignored))
        return "There is a folder " + quoted_text(name) + " in " + user_data_folder().string()
               + " already; choose another name or remove that one.";
    return {};
}

ImportReport import_image_set(const ImportOrder& order, const ImportTools& tools, std::stop_token stop)
{
    const fs::path path       = order.path.has_filename() ? order.path : order.path.parent_path();
    const ImageFormat& format = importable_format(path);
    if (std::string mistake = mistake_in_set_name(order.name); !mistake.empty())
        throw Error(mistake);
    const fs::path folder = user_data_folder() / order.name;
    if (std::error_code ignored; is_folder(folder))
        fs::remove(folder, ignored);   // an empty one
    if (const CatalogueEntry* entry = find_listed(catalogue(), order.name))
        return import_catalogued(*entry, {order.name, path, order.title, order.pictures}, format, tools, stop);

    ImportReport report{folder, {}, {}};
    ImageData data;
    std::string remark;
    if (format.pictures) {
        const PictureFolder looked_at = look_through_folder(path, tools.pictures.suffixes);
        PictureImport read            = read_pictures(looked_at, order.pictures, tools.pictures, tools.progress, stop);
        data                          = std::move(read.data);
        report.unreadable             = std::move(read.unreadable);
        if (read.scaled)
            remark = ", scaled to this size";
        if (!looked_at.left_out.empty()) {
            remark += ". Not read: ";
            for (std::size_t i = 0; i < looked_at.left_out.size(); ++i)
                remark += (i ? ", " : "") + looked_at.left_out[i];
        }
    } else if (format.unpack) {
        const Place place(folder);
        format.unpack(path, place.path());
        const ImageFormat* inside = loadable_format(place.path());
        if (!inside)
            throw Error(path.filename().string() + ": found no images in it, expected " + loadable_formats() + ".");
        data = inside->load(place.path(), {.title = order.title.empty() ? order.name : order.title});
    } else {
        const StopScope scope(stop);
        try {
            data = load_image_data(fs::absolute(path).string());
        } catch (const Stopped&) {
            throw Error("Cancelled.");
        }
    }
    if (stop.stop_requested())
        throw Error("Cancelled.");
    write_image_folder(
        folder, data,
        {order.title.empty() ? order.name : order.title, "Imported from " + fs::absolute(path).string() + ".", ""});
    report.message = (order.title.empty() ? order.name : order.title) + " is installed in " + folder.string() + ": "
                     + images_text(data) + remark + ".";
    return report;
}

void remove_image_set(const std::string& name)
{
    const fs::path folder = user_data_folder() / name;
    std::error_code error;
    if (fs::path(name).filename() != name || name.empty() || name.starts_with('.') || !is_folder(folder))
        throw Error("There is no data set " + quoted_text(name) + " in " + user_data_folder().string()
                    + ", expected one that was fetched or imported.");
    // First out of sight in one step, then away: nothing half removed is ever listed.
    const fs::path place = temporary_beside(folder);
    fs::rename(folder, place, error);
    if (!error)
        fs::remove_all(place, error);
    if (error)
        throw Error(folder.string() + ": cannot be removed (" + error.message() + ").");
}

}   // namespace credence
