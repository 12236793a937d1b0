// SPDX-License-Identifier: GPL-3.0-or-later
#include "formats/image_format.h"

#include "data/image_subsets.h"
#include "formats/gtsrb.h"
#include "formats/paths.h"
#include "formats/text.h"
#include "foundation/error.h"

#include <algorithm>

namespace credence {

namespace {

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
