// SPDX-License-Identifier: GPL-3.0-or-later
#include "formats/image_format.h"

#include "data/image_set.h"
#include "formats/csv_columns.h"
#include "formats/image_folder.h"
#include "foundation/error.h"
#include "foundation/files.h"
#include "foundation/parallel.h"
#include "foundation/progress.h"
#include "foundation/text.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <optional>
#include <utility>

namespace credence {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t sign_side = 32;   // rows and columns of the scaled images
constexpr std::array sign_columns{"Filename", "Width", "Height", "Roi.X1", "Roi.Y1", "Roi.X2", "Roi.Y2", "ClassId"};

/// The positions of sign_columns in the table. @throws Error that names a missing one
std::array<std::size_t, sign_columns.size()> places_of_columns(const CsvTable& table)
{
    std::array<std::size_t, sign_columns.size()> places{};
    for (std::size_t i = 0; i < places.size(); ++i) {
        std::size_t at = 0;
        while (at < table.n_columns && table.cell(0, at) != sign_columns[i])
            ++at;
        if (at == table.n_columns)
            throw Error(
                table.file + ", line " + std::to_string(table.lines[0]) + ": found no column "
                + quoted_text(sign_columns[i]) + ", expected Filename;Width;Height;Roi.X1;Roi.Y1;Roi.X2;Roi.Y2;ClassId"
                + (i + 1 == places.size() ? "; the test pictures' table with classes is GT-final_test.csv." : "."));
        places[i] = at;
    }
    return places;
}

std::size_t whole_cell(const std::string& where, const char* column, std::string_view cell)
{
    const auto number = parse_number(cell, false);
    if (!number || !(*number >= 0 && *number < 1e9) || *number != std::floor(*number))
        throw Error(where + ": " + column + " is " + quoted_text(cell) + ", expected a whole number.");
    return static_cast<std::size_t>(*number);
}

void require_region(const AnnotatedSign& sign)
{
    const auto text = [](std::size_t number) { return std::to_string(number); };
    if (sign.x1 >= sign.x2 || sign.x2 > sign.width || sign.y1 >= sign.y2 || sign.y2 > sign.height)
        throw Error(sign.where + ": the region of interest spans column " + text(sign.x1) + " to " + text(sign.x2)
                    + " and row " + text(sign.y1) + " to " + text(sign.y2) + ", expected one inside the "
                    + text(sign.width) + " × " + text(sign.height) + " pixels of the picture.");
}

AnnotatedSign annotation_of(const CsvTable& table, std::size_t record, const fs::path& folder,
                            const std::array<std::size_t, sign_columns.size()>& places)
{
    AnnotatedSign sign;
    sign.where        = table.file + ", line " + std::to_string(table.lines[record]);
    const auto cell   = [&](std::size_t column) { return table.cell(record, places[column]); };
    const auto number = [&](std::size_t column) { return whole_cell(sign.where, sign_columns[column], cell(column)); };
    const fs::path name(cell(0));
    if (name.empty() || name.filename() != name || name == "." || name == "..")
        throw Error(sign.where + ": Filename is " + quoted_text(cell(0))
                    + ", expected the name of a picture in the same folder.");
    sign.picture = folder / name;
    sign.width   = number(1);
    sign.height  = number(2);
    sign.x1      = number(3);
    sign.y1      = number(4);
    sign.x2      = number(5);
    sign.y2      = number(6);
    require_region(sign);
    const std::size_t label = number(7), classes = gtsrb_classes().size();
    if (label >= classes)
        throw Error(sign.where + ": ClassId is " + std::to_string(label) + ", expected 0 to "
                    + std::to_string(classes - 1) + ".");
    sign.label = static_cast<int>(label);
    return sign;
}

/// Only the region of interest.
DecodedPicture cut_out(const DecodedPicture& picture, const AnnotatedSign& sign)
{
    DecodedPicture out{picture.channels, sign.y2 - sign.y1, sign.x2 - sign.x1, {}};
    out.pixels.reserve(out.channels * out.height * out.width);
    for (std::size_t c = 0; c < picture.channels; ++c)
        for (std::size_t y = sign.y1; y < sign.y2; ++y) {
            const auto row = picture.pixels.begin()
                             + static_cast<std::ptrdiff_t>((c * picture.height + y) * picture.width);
            out.pixels.insert(out.pixels.end(), row + static_cast<std::ptrdiff_t>(sign.x1),
                              row + static_cast<std::ptrdiff_t>(sign.x2));
        }
    return out;
}

DecodedPicture read_sign(const AnnotatedSign& sign)
{
    const DecodedPicture picture = read_ppm(sign.picture);
    if (picture.width != sign.width || picture.height != sign.height)
        throw Error(sign.picture.filename().string() + ": found " + std::to_string(picture.width) + " × "
                    + std::to_string(picture.height) + " pixels, expected " + std::to_string(sign.width) + " × "
                    + std::to_string(sign.height) + " as in the table.");
    return scaled(cut_out(picture, sign), 3, sign_side, sign_side);
}

/// A number for each track, counted in order of appearance.
std::vector<std::uint32_t> tracks_of(const std::vector<AnnotatedSign>& signs)
{
    std::map<std::pair<int, std::string>, std::uint32_t> known;
    std::vector<std::uint32_t> tracks;
    tracks.reserve(signs.size());
    for (const AnnotatedSign& sign : signs) {
        const std::string stem = sign.picture.stem().string();
        tracks.push_back(
            known.try_emplace({sign.label, stem.substr(0, stem.find('_'))}, static_cast<std::uint32_t>(known.size()))
                .first->second);
    }
    return tracks;
}

namespace fs = std::filesystem;

constexpr const char* test_table      = "GT-final_test.csv";
constexpr const char* unlabelled_test = "GT-final_test.test.csv";

/// The locations of the two parts; empty: missing.
struct SignFolders {
    fs::path training;     ///< has the folders 00000 … 00042
    fs::path test;         ///< has the pictures
    fs::path table;        ///< of the test pictures, with classes
    fs::path unlabelled;   ///< the same without classes
};

std::string table_of_class(const std::string& folder) { return "GT-" + folder + ".csv"; }

bool names_sign_class(const std::string& folder)
{
    return folder.size() == 5 && folder.find_first_not_of("0123456789") == std::string::npos;
}

std::vector<fs::path> sign_class_folders(const fs::path& folder)
{
    std::vector<fs::path> found;
    std::error_code error;
    for (fs::directory_iterator at(folder, error), end; !error && at != end; at.increment(error))
        if (names_sign_class(at->path().filename().string()) && is_folder(at->path()))
            found.push_back(at->path());
    std::ranges::sort(found);
    return found;
}

/// A set of other signs with more classes (BelgiumTS has the same layout) is treated as a folder of
/// pictures.
bool has_sign_classes(const fs::path& folder)
{
    const auto folders = sign_class_folders(folder);
    const auto number  = [](const fs::path& one) { return std::stoul(one.filename().string()); };
    return std::ranges::all_of(folders, [&](const fs::path& one) { return number(one) < gtsrb_classes().size(); })
           && std::ranges::any_of(
               folders, [](const fs::path& one) { return is_file(one / table_of_class(one.filename().string())); });
}

/// The first of these folders that has a file of this name; empty: none.
fs::path first_with(std::initializer_list<fs::path> places, const char* name)
{
    for (const fs::path& place : places)
        if (is_file(place / name))
            return place / name;
    return {};
}

SignFolders sign_folders_below(const fs::path& root)
{
    SignFolders found;
    for (const fs::path& place :
         {root / "Final_Training" / "Images", root / "Final_Training", root / "Training", root / "Images", root})
        if (has_sign_classes(place)) {
            found.training = place;
            break;
        }
    const auto has_table = [](const fs::path& place) {
        return is_file(place / test_table) || is_file(place / unlabelled_test);
    };
    if (is_folder(root / "Final_Test"))
        found.test = is_folder(root / "Final_Test" / "Images") ? root / "Final_Test" / "Images" : root / "Final_Test";
    else if (has_table(root / "Images"))
        found.test = root / "Images";
    else if (has_table(root) && found.training.empty())
        found.test = is_folder(root / "Images") ? root / "Images" : root;
    if (!found.test.empty()) {   // archives put the table next to the pictures or next to the
                                 // folders
        found.table      = first_with({found.test, found.test.parent_path(), root, root.parent_path()}, test_table);
        found.unlabelled = first_with({found.test, found.test.parent_path(), root}, unlabelled_test);
    }
    return found;
}

bool any_part(const SignFolders& found)
{
    return !found.training.empty() || (!found.test.empty() && !(found.table.empty() && found.unlabelled.empty()));
}

/// Finds the parts in the folder GTSRB itself, in one it was unpacked into, or in a part.
SignFolders sign_folders(const fs::path& path)
{
    for (const fs::path& root : {path / "GTSRB", path})
        if (is_folder(root))
            if (SignFolders found = sign_folders_below(root); any_part(found))
                return found;
    return {};
}

bool is_gtsrb(const fs::path& path) { return any_part(sign_folders(path)); }

std::vector<AnnotatedSign> training_signs(const fs::path& training)
{
    std::vector<AnnotatedSign> all;
    for (const fs::path& folder : sign_class_folders(training)) {
        const std::string name = folder.filename().string(), table = table_of_class(name);
        if (!is_file(folder / table))
            throw Error(training.filename().string() + "/" + name + ": found no " + table
                        + ", expected it next to the pictures.");
        for (AnnotatedSign& sign : read_annotations(folder / table, folder)) {
            if (sign.label != std::stoi(name))
                throw Error(sign.where + ": ClassId is " + std::to_string(sign.label) + ", expected "
                            + std::to_string(std::stoi(name)) + " because the folder is named " + name + ".");
            all.push_back(std::move(sign));
        }
    }
    return all;
}

std::vector<AnnotatedSign> test_signs(const SignFolders& found)
{
    if (found.table.empty())
        throw Error((found.unlabelled.empty() ? found.test.filename().string() + ": found no table of the classes"
                                              : std::string(unlabelled_test) + ": found no column “ClassId”")
                    + ", expected " + test_table + " next to the test pictures (it is in GTSRB_Final_Test_GT.zip).");
    return read_annotations(found.table, found.test);
}

ImageData load_gtsrb(const fs::path& path, const SetDescription& about)
{
    const SignFolders found = sign_folders(path);
    const auto& classes     = gtsrb_classes();
    const auto names        = about.classes.size() == classes.size() ? about.classes : classes;
    const std::string title = about.title.empty() ? "GTSRB" : about.title;
    const auto for_training = found.training.empty() ? std::vector<AnnotatedSign>() : training_signs(found.training);
    const auto for_test     = found.test.empty() ? std::vector<AnnotatedSign>() : test_signs(found);
    ImageData data;
    data.training = read_annotated_signs(for_training, true, title, names);
    data.test     = read_annotated_signs(for_test, false, title, names);
    if (found.test.empty()) {   // the training archive alone: whole tracks are held out for testing
        constexpr std::size_t share = 5;
        ValidationSplit parts       = split_validation(data.training, data.training.n / share, 1);
        data.training               = std::move(parts.training);
        data.test                   = std::move(parts.validation);
        data.test.groups.clear();
    }
    if (!found.training.empty())
        data.check();
    return data;
}

}   // namespace

const std::vector<std::string>& gtsrb_classes()
{
    static const std::vector<std::string> classes{
        "Speed limit (20 km/h)",
        "Speed limit (30 km/h)",
        "Speed limit (50 km/h)",
        "Speed limit (60 km/h)",
        "Speed limit (70 km/h)",
        "Speed limit (80 km/h)",
        "End of speed limit (80 km/h)",
        "Speed limit (100 km/h)",
        "Speed limit (120 km/h)",
        "No passing",
        "No passing for vehicles over 3.5 metric tons",
        "Right-of-way at the next intersection",
        "Priority road",
        "Yield",
        "Stop",
        "No vehicles",
        "Vehicles over 3.5 metric tons prohibited",
        "No entry",
        "General caution",
        "Dangerous curve to the left",
        "Dangerous curve to the right",
        "Double curve",
        "Bumpy road",
        "Slippery road",
        "Road narrows on the right",
        "Road work",
        "Traffic signals",
        "Pedestrians",
        "Children crossing",
        "Bicycles crossing",
        "Beware of ice or snow",
        "Wild animals crossing",
        "End of all speed and passing limits",
        "Turn right ahead",
        "Turn left ahead",
        "Ahead only",
        "Go straight or right",
        "Go straight or left",
        "Keep right",
        "Keep left",
        "Roundabout mandatory",
        "End of no passing",
        "End of no passing by vehicles over 3.5 metric tons",
    };
    return classes;
}

std::vector<AnnotatedSign> read_annotations(const fs::path& table, const fs::path& folder)
{
    const CsvTable cells = parse_csv(table.filename().string(), read_utf8(table), ';');
    const auto places    = places_of_columns(cells);
    if (cells.n_records() < 2)
        throw Error(cells.file + ": found no rows below the column names, expected one per picture.");
    std::vector<AnnotatedSign> signs;
    signs.reserve(cells.n_records() - 1);
    for (std::size_t record = 1; record < cells.n_records(); ++record)
        signs.push_back(annotation_of(cells, record, folder, places));
    return signs;
}

ImageSet read_annotated_signs(const std::vector<AnnotatedSign>& signs, bool tracks, std::string name,
                              std::vector<std::string> class_names)
{
    ImageSet set;
    set.name        = std::move(name);
    set.n           = signs.size();
    set.channels    = 3;
    set.height      = sign_side;
    set.width       = sign_side;
    set.class_names = std::move(class_names);
    set.pixels.resize(set.n * set.n_pixels());
    for (const AnnotatedSign& sign : signs)
        set.labels.push_back(sign.label);
    if (tracks)
        set.groups = tracks_of(signs);
    constexpr std::size_t block = 512;   // between two checks of the stop token
    std::array<std::optional<std::string>, block> wrong;
    for (std::size_t begin = 0; begin < set.n; begin += block) {
        stop_point();
        const std::size_t n = std::min(block, set.n - begin);
        parallel_for(n, [&](std::size_t i) {
            const AnnotatedSign& sign = signs[begin + i];
            try {
                const DecodedPicture small = read_sign(sign);
                std::ranges::copy(small.pixels,
                                  set.pixels.begin() + static_cast<std::ptrdiff_t>((begin + i) * set.n_pixels()));
            } catch (const Error& error) {
                wrong[i] = sign.where + ": " + error.what();
            }
        });
        for (std::size_t i = 0; i < n; ++i)   // the first error in table order, whichever thread found it
            if (wrong[i])
                throw Error(*wrong[i]);
    }
    return set;
}

/// The German Traffic Sign Recognition Benchmark as its archives unpack: Final_Training with a
/// folder and a table per class, Final_Test with one table. Signs are cropped to their regions of
/// interest and scaled to 32 × 32. With the training archive alone a fifth is held out for testing,
/// whole tracks with a fixed seed; with test pictures alone the training part is empty.
ImageFormat gtsrb_format()
{
    return {.id         = "gtsrb",
            .words      = "GTSRB's pictures and tables, cut to the signs and scaled to 32 × 32",
            .expected   = "GTSRB's folders Final_Training and Final_Test",
            .imported   = "a folder",
            .recognises = is_gtsrb,
            .complete   = is_gtsrb,
            .load       = load_gtsrb};
}

}   // namespace credence
