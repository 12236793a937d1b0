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

// A folder of pictures with one subfolder per class, converted to labelled images of one size.

/// A decoded picture of any size: planes [channels × height × width], 1 (grey) or 3 (red, green,
/// blue).
struct DecodedPicture {
    std::size_t channels = 1, height = 0, width = 0;
    std::vector<std::uint8_t> pixels;
};

/// The caller's decoder; core knows no picture format.
struct PictureReader {
    std::vector<std::string> suffixes;   ///< of pictures, lower case without dot: "png", "ppm"
    std::function<DecodedPicture(const std::filesystem::path&)>
        read;   ///< @throws Error that describes the problem. Called from several threads
};

struct PictureFile {
    std::filesystem::path path;
    int label = 0;
};

/// The contents of a folder, before any picture is opened.
struct PictureFolder {
    std::string name;
    std::vector<std::string> classes;   ///< names of the subfolders: numbers by value, otherwise
                                        ///< alphabetically
    std::vector<PictureFile> training, test;
    bool own_parts = false;   ///< it has subfolders for training (train, training, …) and for testing (test, …;
                              ///< otherwise val, valid, …)
    std::vector<std::string> left_out;   ///< folders next to the parts that are not read, such as val next to test
    std::size_t n_others = 0;            ///< files that are not pictures by their suffix
    std::vector<std::string>
        unreadable;   ///< entries of the class folders that are no files, such as a named pipe: one
                      ///< sentence each
    std::vector<std::size_t> per_class() const;   ///< pictures of each class, both parts
};

/// Searches `folder`: classes are its subfolders, or those of its subfolders for training and
/// testing. Without a test part, the validation part is used for testing. Pictures can be in nested
/// folders of a class. A folder that contains only one folder is replaced by it.
/// @throws Error "signs: found no subfolders but 2 files (a.png, b.png), expected one with pictures
/// for each class, …" and similar for no pictures or a single class
PictureFolder look_through_folder(const std::filesystem::path& folder, const std::vector<std::string>& suffixes);

/// "9 subfolders and 2 files (labels.csv, readme.txt)"; empty: there is nothing in the folder
std::string content_text(const std::filesystem::path& folder);
/// What to do with a folder that contains no data set, as a sentence with a space before it; empty:
/// no remedy is known.
std::string remedy_for_folder(const std::filesystem::path& folder);

struct PictureOptions {
    enum class Colour {
        detect,   ///< grey if all inspected pictures are
        grey,     ///< luma 0.299 r + 0.587 g + 0.114 b
        colour,
    };
    int size = 0;   ///< rows and columns; 0: the pictures' own size if they share one of at
                    ///< most 64 × 64, otherwise 32
    Colour colour     = Colour::detect;
    double test_share = 0.2;   ///< random share of each class if the folder has no parts of its
                               ///< own
    std::uint64_t seed = 1;
};

struct PictureImport {
    ImageData data;
    std::vector<std::string> unreadable;   ///< one sentence per file, also those of the folder; these are left out
    bool scaled = false;                   ///< sizes were changed
};

/// Reads all pictures and scales them: each pixel is the mean over the area it covers. The same
/// folder, options and seed give the same bytes.
/// @param progress  pictures done and total; called from one thread at a time
/// @throws Error if no picture can be read, a class has none left, or the total would exceed 4 GiB;
/// "Cancelled." after a stop request
PictureImport read_pictures(const PictureFolder& folder, const PictureOptions& options, const PictureReader& reader,
                            const std::function<void(std::size_t done, std::size_t all)>& progress,
                            std::stop_token stop);

/// The picture with different size and channels. Enlarged pixels are repeated partially.
DecodedPicture scaled(const DecodedPicture& picture, std::size_t channels, std::size_t height, std::size_t width);

/// Reads a binary portable pixmap (P6) with one byte per colour: the word P6, width, height and the
/// largest value 1 to 255, with comments (# to the end of the line) between them, one blank, then
/// height × width × 3 bytes. Values are scaled so that the largest is 255; bytes after the pixels
/// are ignored.
/// @return      3 planes [3 × height × width]
/// @throws Error "00012.ppm: found 100 bytes of pixels, expected 2610 for 29 × 30 pixels."
/// Source: Netpbm, "PPM Format Specification"
DecodedPicture read_ppm(const std::filesystem::path& file);

}   // namespace credence
