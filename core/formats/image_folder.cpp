// SPDX-License-Identifier: GPL-3.0-or-later
#include "formats/image_folder.h"

#include "data/number_array.h"
#include "foundation/error.h"
#include "foundation/parallel.h"
#include "foundation/progress.h"
#include "foundation/text.h"
#include "images/picture_input.h"
#include "random/noise.h"

#include <algorithm>
#include <atomic>
#include <cctype>
#include <cmath>
#include <map>
#include <mutex>
#include <optional>
#include <unordered_map>

namespace credence {

namespace {

namespace fs = std::filesystem;

std::string shown(const fs::path& folder)
{
    return (folder.has_filename() ? folder : folder.parent_path()).filename().string();
}

std::string small_letters(std::string text)
{
    std::ranges::transform(text, text.begin(), [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
    return text;
}

/// Entries of a folder without hidden ones, in alphabetical order. @throws Error if it cannot be
/// read
struct Content {
    std::vector<fs::path> folders, files, others;   ///< others: neither folders nor files
};
Content content_of(const fs::path& folder)
{
    std::error_code error;
    fs::directory_iterator at(folder, error);
    if (error)
        throw Error(folder.string() + ": cannot be read (" + error.message() + "), expected a folder of pictures.");
    Content found;
    for (; at != fs::directory_iterator(); at.increment(error)) {
        stop_point();
        if (at->path().filename().string().starts_with('.'))
            continue;
        std::error_code ignored;
        if (at->is_directory(ignored))
            found.folders.push_back(at->path());
        else if (at->is_regular_file(ignored))
            found.files.push_back(at->path());
        else
            found.others.push_back(at->path());
    }
    for (auto* paths : {&found.folders, &found.files, &found.others})
        std::ranges::sort(*paths);
    return found;
}

/// "cats/7.png", as it is found in the folder of its class
std::string short_name(const fs::path& path)
{
    return path.parent_path().filename().string() + "/" + path.filename().string();
}

std::string kind_text(const fs::path& path)
{
    std::error_code ignored;
    switch (fs::status(path, ignored).type()) {
    case fs::file_type::fifo: return "a named pipe";
    case fs::file_type::socket: return "a socket";
    case fs::file_type::block:
    case fs::file_type::character: return "a device";
    default: return "a link without a target";
    }
}

bool whole_number(const std::string& name)
{
    return !name.empty() && name.size() <= 9 && name.find_first_not_of("0123456789") == std::string::npos;
}

void sort_classes(std::vector<std::string>& names)
{
    if (std::ranges::all_of(names, whole_number))
        std::ranges::stable_sort(names, {}, [](const std::string& name) { return std::stol(name); });
}

/// The part that a subfolder is, by its name: "train", "Training_set", "seg_test", "val",
/// "images-valid".
enum class Part { none, training, test, validation };
Part part_named(const fs::path& folder)
{
    std::string name = small_letters(folder.filename().string());
    for (const std::string_view extra : {"set", "data", "images", "img", "seg"}) {   // trainset, train_data, seg_train
        if (name.size() > extra.size() && name.ends_with(extra))
            name.resize(name.size() - extra.size());
        if (name.starts_with(std::string(extra) + "_") || name.starts_with(std::string(extra) + "-"))
            name.erase(0, extra.size());
    }
    std::erase_if(name, [](char c) { return c == '_' || c == '-' || c == ' '; });
    const auto is = [&](std::initializer_list<std::string_view> names) {
        return std::ranges::find(names, name) != names.end();
    };
    return is({"train", "training"})                               ? Part::training
           : is({"test", "testing"})                               ? Part::test
           : is({"val", "valid", "validation", "validate", "dev"}) ? Part::validation
                                                                   : Part::none;
}

class Search {
public:
    Search(PictureFolder& found, const std::vector<std::string>& suffixes) : found_(found), suffixes_(suffixes) {}

    /// Assigns class folders to their part and class, even through links. Returns those
    /// seen for the first time.
    std::vector<fs::path> claim(const std::vector<fs::path>& folders, const std::vector<PictureFile>& part)
    {
        std::vector<fs::path> first;
        for (const fs::path& folder : folders)
            if (take(real_path(folder), folder, part))
                first.push_back(folder);
        return first;
    }

    void add_part(const std::vector<fs::path>& claimed, std::vector<PictureFile>& part)
    {
        for (const fs::path& folder : claimed) {
            const auto label = std::ranges::find(found_.classes, folder.filename().string()) - found_.classes.begin();
            add_folder(folder, static_cast<int>(label), part);
        }
    }

    bool is_picture(const fs::path& file) const
    {
        const std::string suffix = small_letters(file.extension().string());
        return suffix.size() > 1 && std::ranges::find(suffixes_, suffix.substr(1)) != suffixes_.end();
    }
    bool any_picture(const std::vector<fs::path>& files) const
    {
        return std::ranges::any_of(files, [&](const fs::path& file) { return is_picture(file); });
    }

private:
    /// Adds all pictures in `folder` and below it. Each folder and each picture is added once.
    /// @throws Error if it is in the other part
    void add_folder(const fs::path& folder, int label, std::vector<PictureFile>& part)
    {
        const fs::path real   = real_path(folder);
        const Content content = content_of(folder);
        for (const fs::path& file : content.files) {
            if (!is_picture(file))
                ++found_.n_others;
            else if (take(is_link(file) ? real_path(file) : real / file.filename(), file, part))
                part.push_back({file, label});
        }
        for (const fs::path& other : content.others)
            found_.unreadable.push_back(short_name(other) + ": found " + kind_text(other) + ", expected a picture.");
        for (const fs::path& below : content.folders)
            if (take(real_path(below), below, part))
                add_folder(below, label, part);
    }

    static bool is_link(const fs::path& path)
    {
        std::error_code ignored;
        return fs::is_symlink(path, ignored);
    }
    static fs::path real_path(const fs::path& path)
    {
        std::error_code error;
        fs::path real = fs::canonical(path, error);
        if (error)
            throw Error(path.string() + ": cannot be read (" + error.message() + "), expected a folder or a picture.");
        return real;
    }

    /// False if it was added before.
    bool take(const fs::path& real, const fs::path& shown_as, const std::vector<PictureFile>& part)
    {
        const auto [at, is_new] = taken_.try_emplace(real.string(), &part);
        if (!is_new && at->second != &part)
            throw Error(shown_as.string() + ": also found in the other part,  " + real.string()
                        + ", expected no picture in both training and test part.");
        return is_new;
    }

    PictureFolder& found_;
    const std::vector<std::string>& suffixes_;
    std::unordered_map<std::string, const std::vector<PictureFile>*> taken_;   // by real path: the part
};

std::vector<std::string> names_of(const std::vector<fs::path>& folders)
{
    std::vector<std::string> names;
    for (const fs::path& folder : folders)
        names.push_back(folder.filename().string());
    return names;
}

/// The class folders of a part; a part may contain only a folder with its own name.
std::vector<fs::path> class_folders(const fs::path& part)
{
    Content content = content_of(part);
    if (content.folders.size() == 1 && part_named(content.folders.front()) == part_named(part))
        content = content_of(content.folders.front());
    return content.folders;
}

/// In Kaggle's copies "Test.csv" and similar files contain the classes.
std::string hint_on_table(const std::vector<fs::path>& files)
{
    for (const fs::path& file : files)
        if (small_letters(file.extension().string()) == ".csv" && part_named(file.stem()) == Part::test)
            return " by the classes in " + file.filename().string();
    return "";
}

/// "9 files (README.md, data_batch_1.jxl, data_batch_2.jxl and 6 more)"; empty: there are none
std::string files_text(const std::vector<fs::path>& files)
{
    constexpr std::size_t named = 3;
    if (files.empty())
        return "";
    std::string text = files.size() == 1 ? "1 file (" : std::to_string(files.size()) + " files (";
    for (std::size_t i = 0; i < std::min(named, files.size()); ++i)
        text += (i ? ", " : "") + files[i].filename().string();
    return text + (files.size() > named ? " and " + std::to_string(files.size() - named) + " more)" : ")");
}

/// What to do with such files; empty: nothing is known that helps.
std::string remedy_for(const std::vector<fs::path>& files, const std::vector<std::string>& picture_suffixes)
{
    const auto first_with = [&](std::initializer_list<std::string_view> suffixes) {
        return std::ranges::find_if(files, [&](const fs::path& file) {
            return std::ranges::find(suffixes, small_letters(file.extension().string())) != suffixes.end();
        });
    };
    const auto any = [&](std::initializer_list<std::string_view> suffixes) {
        return first_with(suffixes) != files.end();
    };
    if (any({".jxl"})) {
        const auto script = std::ranges::find_if(
            files, [](const fs::path& file) { return file.filename().string().starts_with("unpack"); });
        return " JPEG XL cannot be read: convert the files to PNG"
               + (script == files.end()
                      ? std::string(".")
                      : ", or run " + script->filename().string() + " and import the folder that it writes.");
    }
    for (const std::string& suffix : picture_suffixes)
        if (const std::string dotted = "." + suffix; any({dotted}))
            return " Move the pictures of each class into a folder with the name of the class.";
    if (any({".npy"}))
        return " NumPy arrays are imported from an .npz file with x_train, y_train, x_test and y_test.";
    if (any({".csv", ".tsv", ".data"}))
        return " A table is no set of images: open it with File › Import table, or set data.source to csv and "
               "data.file to its path.";
    if (any({".xz", ".gz", ".bz2", ".zip", ".tar", ".tgz", ".7z"}))
        return " Unpack the archives first.";
    return "";
}

/// Replaces a folder that contains only one folder by it.
Content unwrapped(Content content, const Search& search)
{
    for (int depth = 0; depth < 8 && content.folders.size() == 1 && !search.any_picture(content.files)
                        && !content_of(content.folders.front()).folders.empty();
         ++depth)
        content = content_of(content.folders.front());
    return content;
}

struct ClassFolders {
    std::vector<fs::path> training, test;
};

/// The class folders of both parts; without parts, all folders are classes for training. Notes in
/// `found` which folders are left out.
ClassFolders folders_of_parts(const Content& content, const Search& search, PictureFolder& found)
{
    const auto part = [&](Part which) -> const fs::path* {
        const auto at = std::ranges::find(content.folders, which, part_named);
        return at == content.folders.end() ? nullptr : &*at;
    };
    const auto name               = [](const fs::path* folder) { return quoted_text(folder->filename().string()); };
    const fs::path *const trained = part(Part::training), *const tested = part(Part::test),
                          *const validated = part(Part::validation);
    if (!trained && tested && validated)
        throw Error(found.name + ": found " + name(tested) + " and " + name(validated)
                    + ", expected a folder train next to them, or the path of one of them.");
    if (!trained || (!tested && !validated && content_of(*trained).folders.empty()))
        return {content.folders, {}};
    const fs::path* const second = tested ? tested : validated;
    found.own_parts              = second != nullptr;
    for (const fs::path& other : content.folders)
        if (&other != trained && &other != second)
            found.left_out.push_back(other.filename().string());
    ClassFolders out{class_folders(*trained), {}};
    if (second)
        out.test = class_folders(*second);
    if (second && out.test.empty() && !out.training.empty() && search.any_picture(content_of(*second).files))
        throw Error(found.name + ": found the pictures of " + name(second)
                    + " without a folder for each class, expected the layout of " + name(trained)
                    + ". Sort them into class folders" + hint_on_table(content.files) + ", or import " + name(trained)
                    + " alone: a part of it is then held out for testing.");
    return out;
}

constexpr const char* layout = "one with pictures for each class, or train and test with these in them";

void require_sound(const DecodedPicture& picture)
{
    if ((picture.channels != 1 && picture.channels != 3) || picture.height == 0 || picture.width == 0
        || picture.pixels.size() != picture.channels * picture.height * picture.width)
        throw Error("found an empty image, expected at least one pixel.");
}

struct Shape {
    std::size_t channels = 1, height = 0, width = 0;
    bool scaled = false;
};

/// From up to 500 pictures, evenly spaced over the folder.
Shape choose_shape(const std::vector<PictureFile>& files, const PictureOptions& options, const PictureReader& reader,
                   std::stop_token stop)
{
    constexpr std::size_t looked_at = 500, most = 64, usual = 32;
    const std::size_t step = std::max<std::size_t>(1, files.size() / looked_at);
    Shape shape;
    bool one_size = true, any = false;
    for (std::size_t i = 0; i < files.size(); i += step) {
        if (stop.stop_requested())
            throw Error("Cancelled.");
        try {
            const DecodedPicture picture = reader.read(files[i].path);
            require_sound(picture);
            one_size       = one_size && (!any || (picture.height == shape.height && picture.width == shape.width));
            shape.height   = picture.height;
            shape.width    = picture.width;
            shape.channels = std::max(shape.channels, picture.channels);
            any            = true;
        } catch (const Error&) {   // reported later, when it is actually read
        }
    }
    if (options.size > 0)
        shape.height = shape.width = static_cast<std::size_t>(options.size);
    else if (!one_size || !any || std::max(shape.height, shape.width) > most)
        shape.height = shape.width = usual;
    shape.scaled = options.size > 0 || !one_size || shape.height != shape.width;
    if (options.colour != PictureOptions::Colour::detect)
        shape.channels = options.colour == PictureOptions::Colour::grey ? 1 : 3;
    return shape;
}

/// Moves a random share of each class from training to test.
void split_off_test(std::vector<PictureFile>& training, std::vector<PictureFile>& test, std::size_t n_classes,
                    const PictureOptions& options)
{
    std::vector<bool> taken(training.size(), false);
    for (std::size_t k = 0; k < n_classes; ++k) {
        std::vector<std::size_t> mine;
        for (std::size_t i = 0; i < training.size(); ++i)
            if (training[i].label == static_cast<int>(k))
                mine.push_back(i);
        const auto order = permutation({options.seed, Stream::split, static_cast<std::uint32_t>(k)}, mine.size());
        const auto share = static_cast<std::size_t>(std::lround(options.test_share * static_cast<double>(mine.size())));
        const auto n     = mine.size() < 2 ? 0 : std::clamp<std::size_t>(share, 1, mine.size() - 1);
        for (std::size_t j = 0; j < n; ++j)
            taken[mine[order[j]]] = true;
    }
    std::vector<PictureFile> rest;
    for (std::size_t i = 0; i < training.size(); ++i)
        (taken[i] ? test : rest).push_back(training[i]);
    training = std::move(rest);
}

}   // namespace

std::string content_text(const fs::path& folder)
{
    const Content content = content_of(folder);
    if (content.folders.empty())
        return files_text(content.files);
    const std::string folders = content.folders.size() == 1 ? "1 subfolder"
                                                            : std::to_string(content.folders.size()) + " subfolders";
    return content.files.empty() ? folders : folders + " and " + files_text(content.files);
}

std::string remedy_for_folder(const fs::path& folder)
{
    const Content content = content_of(folder);
    return content.folders.empty() ? remedy_for(content.files, {})
                                   : " A folder of pictures has to be imported first: credence data import NAME "
                                         + folder.filename().string() + ".";
}

std::vector<std::size_t> PictureFolder::per_class() const
{
    std::vector<std::size_t> n(classes.size(), 0);
    for (const auto* part : {&training, &test})
        for (const PictureFile& file : *part)
            ++n[static_cast<std::size_t>(file.label)];
    return n;
}

PictureFolder look_through_folder(const fs::path& folder, const std::vector<std::string>& suffixes)
{
    std::error_code ignored;
    if (!fs::is_directory(folder, ignored))
        throw Error(folder.string() + ": there is no such folder, expected a folder of pictures.");
    PictureFolder found;
    found.name = shown(folder);
    Search search(found, suffixes);
    const Content content       = unwrapped(content_of(folder), search);
    const auto [training, test] = folders_of_parts(content, search, found);
    if (training.empty())
        throw Error(found.name + ": found no subfolders" + (content.files.empty() ? "" : " but ")
                    + files_text(content.files) + ", expected " + layout + "." + remedy_for(content.files, suffixes));
    found.classes = names_of(training);
    for (const std::string& name : names_of(test))
        if (std::ranges::find(found.classes, name) == found.classes.end())
            throw Error(found.name + ": found the class " + quoted_text(name)
                        + " only among the test pictures, expected it in training, too.");
    sort_classes(found.classes);
    const auto for_training = search.claim(training, found.training), for_test = search.claim(test, found.test);
    search.add_part(for_training, found.training);
    search.add_part(for_test, found.test);

    if (found.training.empty() && found.test.empty())
        throw Error(found.name
                    + ": found no pictures in its subfolders, expected files such as 1.png or 00000_00000.ppm.");
    if (found.classes.size() < 2)
        throw Error(found.name + ": found only the class " + quoted_text(found.classes.front())
                    + ", expected at least two subfolders.");
    const auto counts = found.per_class();
    for (std::size_t k = 0; k < counts.size(); ++k)
        if (counts[k] == 0)
            throw Error(found.name + ": found no pictures in " + quoted_text(found.classes[k])
                        + ", expected some for every class.");
    return found;
}

DecodedPicture scaled(const DecodedPicture& picture, std::size_t channels, std::size_t height, std::size_t width)
{
    const auto shape = [](std::size_t c, std::size_t h, std::size_t w) {
        return ImageShape{static_cast<int>(c), static_cast<int>(h), static_cast<int>(w)};
    };
    return {channels, height, width,
            resized(picture.pixels, shape(picture.channels, picture.height, picture.width),
                    shape(channels, height, width))};
}

namespace {

struct ReadPictures {
    std::vector<std::uint8_t> pixels;                ///< [pictures × channels × height × width]
    std::vector<std::optional<std::string>> wrong;   ///< why a picture cannot be read [pictures]
};

ReadPictures read_scaled(const std::vector<PictureFile>& files, const Shape& shape, const PictureReader& reader,
                         const std::function<void(std::size_t, std::size_t)>& progress, const std::stop_token& stop)
{
    const std::size_t n = shape.channels * shape.height * shape.width;
    ReadPictures out{std::vector<std::uint8_t>(n * files.size()),
                     std::vector<std::optional<std::string>>(files.size())};
    std::mutex reporting;
    std::size_t done = 0;
    parallel_for(files.size(), [&](std::size_t i) {
        if (stop.stop_requested())
            return;
        const fs::path& path = files[i].path;
        try {
            const DecodedPicture picture = reader.read(path);
            require_sound(picture);
            const DecodedPicture small = scaled(picture, shape.channels, shape.height, shape.width);
            std::ranges::copy(small.pixels, out.pixels.begin() + static_cast<std::ptrdiff_t>(i * n));
        } catch (const Error& error) {
            out.wrong[i] = short_name(path) + ": " + error.what();
        }
        const std::scoped_lock lock(reporting);
        progress(++done, files.size());
    });
    if (stop.stop_requested())
        throw Error("Cancelled.");
    return out;
}

}   // namespace

PictureImport read_pictures(const PictureFolder& folder, const PictureOptions& options, const PictureReader& reader,
                            const std::function<void(std::size_t, std::size_t)>& progress, std::stop_token stop)
{
    std::vector<PictureFile> training = folder.training, test = folder.test;
    if (!folder.own_parts)
        split_off_test(training, test, folder.classes.size(), options);
    std::vector<PictureFile> all = training;
    all.insert(all.end(), test.begin(), test.end());
    const Shape shape   = choose_shape(all, options, reader, stop);
    const std::size_t n = shape.channels * shape.height * shape.width;
    if (static_cast<double>(n) * static_cast<double>(all.size()) > 0x1p32)
        throw Error(folder.name + ": " + std::to_string(all.size()) + " images of "
                    + shape_text({shape.channels, shape.height, shape.width})
                    + " would take more than 4 GiB, expected a smaller size.");

    const ReadPictures read = read_scaled(all, shape, reader, progress, stop);
    PictureImport result;
    result.scaled     = shape.scaled;
    result.unreadable = folder.unreadable;
    const auto part   = [&](std::size_t begin, std::size_t end) {
        ImageSet set;
        set.name        = folder.name;
        set.channels    = shape.channels;
        set.height      = shape.height;
        set.width       = shape.width;
        set.class_names = folder.classes;
        for (std::size_t i = begin; i < end; ++i) {
            if (read.wrong[i]) {
                result.unreadable.push_back(*read.wrong[i]);
                continue;
            }
            const auto first = read.pixels.begin() + static_cast<std::ptrdiff_t>(i * n);
            set.pixels.insert(set.pixels.end(), first, first + static_cast<std::ptrdiff_t>(n));
            set.labels.push_back(all[i].label);
        }
        set.n = set.labels.size();
        return set;
    };
    result.data.training = part(0, training.size());
    result.data.test     = part(training.size(), all.size());
    for (std::size_t k = 0; k < folder.classes.size(); ++k)
        if (std::ranges::find(result.data.training.labels, static_cast<int>(k)) == result.data.training.labels.end())
            throw Error(folder.name + ": found no picture in " + quoted_text(folder.classes[k])
                        + " that can be read for training"
                        + (result.unreadable.empty() ? std::string() : " (" + result.unreadable.front() + ")")
                        + ", expected some for every class.");
    if (result.data.test.n == 0)
        throw Error(folder.name + ": found no pictures for testing, expected at least two per class.");
    return result;
}

}   // namespace credence
