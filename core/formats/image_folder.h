// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "data/image_set.h"

#include <cstdint>
#include <filesystem>
#include <functional>
#include <stop_token>
#include <string>
#include <vector>

namespace credence {

// A folder of pictures with one subfolder a class, made into labelled images of one size.

/// One picture as it was decoded, of any size: planes [channels × height × width], 1 (grey) or 3 (red, green, blue).
struct DecodedPicture {
    std::size_t channels = 1, height = 0, width = 0;
    std::vector<std::uint8_t> pixels;
};

/// What the program lends to read pictures; core knows no format.
struct PictureReader {
    std::vector<std::string> suffixes;   ///< of pictures, in small letters without dot: "png", "ppm"
    std::function<DecodedPicture(const std::filesystem::path&)>
        read;   ///< @throws Error that says what is wrong. Called from several threads
};

struct PictureFile {
    std::filesystem::path path;
    int label = 0;
};

/// What a folder has, before any picture is opened.
struct PictureFolder {
    std::string name;
    std::vector<std::string> classes;   ///< names of the subfolders: numbers by value, else by the alphabet
    std::vector<PictureFile> training, test;
    bool own_parts =
        false;   ///< it has subfolders for training (train, training, …) and for testing (test, …; else val, valid, …)
    std::vector<std::string> left_out;   ///< folders next to the parts that are not read, such as val next to test
    std::size_t n_others = 0;            ///< files that are no pictures by their suffix
    std::vector<std::size_t> per_class() const;   ///< pictures of each class, both parts
};

/// Looks through `folder`: classes are its subfolders, or those of its subfolders for training and testing. Where there is no test part, the validation
/// part serves for testing. Pictures may lie deeper in a class. A folder that has nothing but one folder stands for that one.
/// @throws Error "signs: found no subfolders but 2 files (a.png, b.png), expected one with pictures for each class, …" and the like for no pictures and one class alone
PictureFolder look_through_folder(const std::filesystem::path& folder, const std::vector<std::string>& suffixes);

/// "9 subfolders and 2 files (labels.csv, readme.txt)"; empty: there is nothing in the folder
std::string content_text(const std::filesystem::path& folder);
/// What to do with a folder that holds no data set, as a sentence with a space before it; empty: nothing is known that helps.
std::string remedy_for_folder(const std::filesystem::path& folder);

struct PictureOptions {
    enum class Colour {
        detect,   ///< grey if all pictures looked at are
        grey,     ///< luma 0.299 r + 0.587 g + 0.114 b
        colour,
    };
    int size      = 0;   ///< rows and columns; 0: the pictures' own if they all have one of at most 64 × 64, else 32
    Colour colour = Colour::detect;
    double test_share  = 0.2;   ///< of each class, at random, if the folder has no parts of its own
    std::uint64_t seed = 1;
};

struct PictureImport {
    ImageData data;
    std::vector<std::string> unreadable;   ///< a sentence a file; these are left out
    bool scaled = false;                   ///< sizes were changed
};

/// Reads all pictures and scales them: each pixel is the mean over the area that it covers. The same folder, options and seed give the same bytes.
/// @param progress  pictures done and all; called from one thread at a time
/// @throws Error if no picture can be read, a class has none left, or the whole would take more than 4 GiB; "Cancelled." after a stop request
PictureImport read_pictures(const PictureFolder& folder, const PictureOptions& options, const PictureReader& reader,
                            const std::function<void(std::size_t done, std::size_t all)>& progress,
                            std::stop_token stop);

/// The picture with other sizes and channels. Enlarged pixels are repeated in parts.
DecodedPicture scaled(const DecodedPicture& picture, std::size_t channels, std::size_t height, std::size_t width);

}   // namespace credence
