// SPDX-License-Identifier: GPL-3.0-or-later
#include "sources/image_sources.h"

#include "formats/image_folder.h"
#include "formats/image_format.h"
#include "foundation/error.h"
#include "foundation/files.h"
#include "foundation/find_listed.h"
#include "foundation/json.h"
#include "foundation/text.h"
#include "sources/catalogue.h"
#include "sources/stroke_digits.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <cstdlib>

namespace credence {

namespace {

namespace fs = std::filesystem;

constexpr const char* field = "data.set";

std::optional<fs::path> folder_of_environment(const char* name)
{
    const char* value = std::getenv(name);
    if (!value || !*value)
        return {};
    return fs::path(value);
}

/// dataset.json of an imported set. @throws Error that names the file if it exists but cannot be read
std::optional<SetDescription> read_description(const fs::path& folder)
{
    const fs::path file = folder / "dataset.json";
    if (!is_file(file))
        return {};
    const std::string name = folder.filename().string() + "/dataset.json";
    const auto json        = parse_json(read_file(file, "a description in JSON", std::uint64_t{1} << 20), name,
                                        "a JSON object with title, about, license and classes");
    if (!json.is_object())
        throw Error(name + ": found text that is not a JSON object, expected title, about, license and classes.");
    const auto text = [&](const char* key) {
        const auto found = json.find(key);
        return found != json.end() && found->is_string() ? found->get<std::string>() : std::string();
    };
    SetDescription description{text("title"), text("about"), {}};
    if (const auto classes = json.find("classes"); classes != json.end()) {
        const auto is_text = [](const nlohmann::json& one) { return one.is_string(); };
        if (!classes->is_array() || !std::all_of(classes->begin(), classes->end(), is_text))
            throw Error(name + ": classes is " + classes->type_name() + ", expected a list of strings.");
        description.classes = classes->get<std::vector<std::string>>();
    }
    return description;
}

SetDescription description_of(const fs::path& place)
{
    const std::string id = place.filename().string();
    SetDescription known;
    if (const CatalogueEntry* entry = find_listed(catalogue(), id))
        known = {entry->title, entry->about, entry->classes};
    else if (id == "notmnist")
        known = {"notMNIST",
                 "Letters A to J in many typefaces, in MNIST's format (Bulatov 2011).",
                 {"A", "B", "C", "D", "E", "F", "G", "H", "I", "J"}};
    if (is_folder(place))
        if (auto own = read_description(place)) {
            if (!own->title.empty())
                known.title = own->title;
            if (!own->about.empty())
                known.about = own->about;
            if (!own->classes.empty())
                known.classes = own->classes;
        }
    if (known.title.empty())
        known.title = place.stem().string();
    return known;
}

ImageData load_place(const fs::path& place, const ImageFormat* format)
{
    if (!format)   // removed since it was listed
        throw Error(place.filename().string() + ": found no images, expected " + loadable_formats() + ".");
    return format->load(place, description_of(place));
}

ImageData drawn(StrokeAlphabet alphabet)
{
    constexpr std::size_t n_training = 10000, n_test = 2000;
    return {draw_strokes({.alphabet = alphabet, .n = n_training}),
            draw_strokes({.alphabet = alphabet, .n = n_test, .first = n_training})};
}

fs::path without_final_slash(const fs::path& path) { return path.has_filename() ? path : path.parent_path(); }

bool is_drawn(const std::string& id) { return id == "stroke-digits" || id == "stroke-letters"; }

[[noreturn]] void refuse_id(const std::string& id)
{
    if (const CatalogueEntry* entry = find_listed(catalogue(), id))
        throw Error(field, entry->title + " is not installed. Download it with “credence data fetch " + id
                               + "” or in File, Data sets.");
    throw Error(field, "There is no data set " + quoted_text(id) + " installed, expected one of "
                           + joined(available_image_sources(), &ImageSource::id)
                           + ", one listed by “credence data list”, or the path of a folder or .npz file.");
}

/// Files of images, and their format.
struct SetPlace {
    fs::path path;
    const ImageFormat* format = nullptr;   ///< null: removed since it was listed
};

/// Looks only at file names. @throws Error (field "data.set")
SetPlace place_of_set(const std::string& id_or_path)
{
    if (id_or_path.empty())
        throw Error(field, "data.set is empty, expected the name of a data set, for example stroke-digits, or a path.");
    try {
        if (const auto source = find_image_source(id_or_path))
            return {source->folder, loadable_format(source->folder)};
        if (!names_a_path(id_or_path))
            refuse_id(id_or_path);
        const fs::path place = without_final_slash(id_or_path);
        if (const ImageFormat* format = loadable_format(place))
            return {place, format};
        if (!is_folder(place) && !is_file(place))
            throw Error(field, "There is no folder or .npz file " + quoted_text(id_or_path)
                                   + ", expected one with a data set of images.");
        const std::string content = is_folder(place) ? content_text(place) : "";
        throw Error(field, place.filename().string() + ": found no images" + (content.empty() ? "" : " but ") + content
                               + ", expected " + loadable_formats() + "."
                               + (is_folder(place) ? remedy_for_folder(place) : ""));
    } catch (const Error& error) {
        throw Error(field, error.what());
    }
}

}   // namespace

fs::path user_data_folder()
{
    fs::path home = fs::path(".");
    if (const auto data = folder_of_environment("XDG_DATA_HOME"))
        home = *data;
    else if (const auto user = folder_of_environment("HOME"))
        home = *user / ".local" / "share";
    return home / "credence" / "datasets";
}

std::vector<fs::path> data_folders()
{
    std::vector<fs::path> folders;
    const auto add = [&](fs::path folder) {
        if (std::find(folders.begin(), folders.end(), folder) == folders.end())
            folders.push_back(std::move(folder));
    };
    if (const auto given = folder_of_environment("CREDENCE_DATA_DIR"))
        add(*given);
    add(user_data_folder());
    for (const CatalogueEntry& entry : catalogue())
        for (const std::string& installed : entry.installed)
            add(without_final_slash(installed).parent_path());
    return folders;
}

std::vector<ImageSource> available_image_sources()
{
    std::vector<ImageSource> found;
    for (const fs::path& folder : data_folders()) {
        std::error_code ignored;
        for (fs::directory_iterator at(folder, ignored), end; at != end; at.increment(ignored)) {
            if (!loadable_format(at->path()))
                continue;
            ImageSource source;
            source.id = at->path().filename().string();
            if (std::any_of(found.begin(), found.end(),
                            [&](const ImageSource& other) { return other.id == source.id; }))
                continue;
            source.folder     = at->path();
            source.catalogued = find_listed(catalogue(), source.id) != nullptr;
            try {
                SetDescription about = description_of(source.folder);
                source.title         = std::move(about.title);
                source.about         = std::move(about.about);
            } catch (const Error& error) {   // listed anyway: loading reports the error
                source.title = source.id;
                source.about = error.what();
            }
            found.push_back(std::move(source));
        }
    }
    std::sort(found.begin(), found.end(), [](const ImageSource& a, const ImageSource& b) { return a.id < b.id; });
    found.insert(found.begin(), {{"stroke-digits", "Stroke digits", "Digits drawn by Credence, 28×28 grey.", {}, false},
                                 {"stroke-letters",
                                  "Stroke letters",
                                  "Letters A to J, drawn by the same generator as the stroke digits.",
                                  {},
                                  false}});
    return found;
}

std::optional<ImageSource> find_image_source(const std::string& id)
{
    for (ImageSource& source : available_image_sources())
        if (source.id == id)
            return std::move(source);
    return {};
}

bool names_a_path(const std::string& id_or_path)
{
    return id_or_path.find('/') != std::string::npos || id_or_path.ends_with(".npz");
}

void require_image_set(const std::string& id_or_path)
{
    if (!is_drawn(id_or_path))
        place_of_set(id_or_path);
}

ImageData load_image_data(const std::string& id_or_path)
{
    if (id_or_path == "stroke-digits")
        return drawn(StrokeAlphabet::digits);
    if (id_or_path == "stroke-letters")
        return drawn(StrokeAlphabet::letters);
    const SetPlace place = place_of_set(id_or_path);
    try {
        return load_place(place.path, place.format);
    } catch (const Error& error) {
        throw Error(field, error.what());
    }
}

}   // namespace credence
