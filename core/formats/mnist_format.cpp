// SPDX-License-Identifier: GPL-3.0-or-later
#include "formats/image_format.h"

#include "data/image_set.h"
#include "formats/idx.h"
#include "foundation/files.h"

namespace credence {

namespace {

namespace fs = std::filesystem;

bool has_some_files(const fs::path& folder)
{
    const MnistFiles files = mnist_files(folder);
    return files.training_images || files.training_labels || files.test_images || files.test_labels;
}

bool has_a_part(const fs::path& folder)
{
    const MnistFiles files = mnist_files(folder);
    return (files.training_images && files.training_labels) || (files.test_images && files.test_labels);
}

ImageData load_mnist(const fs::path& folder, const SetDescription& about)
{
    const MnistFiles files = mnist_files(folder);
    auto classes           = about.classes;
    if (classes.empty()) {
        const auto labels_of = [](const std::optional<fs::path>& file) {
            return file ? read_idx(*file) : NumberArray{{0}, {}};
        };
        const NumberArray training = labels_of(files.training_labels), test = labels_of(files.test_labels);
        classes = numbered_classes({&training, &test});
    }
    const bool test_alone = !files.training_images && files.test_images && files.test_labels;
    if (!test_alone && (files.training_images || files.training_labels))
        return read_mnist_folder(folder, about.title, classes);

    ImageData data;
    data.test     = read_idx_images(*files.test_images, *files.test_labels, about.title, classes);
    data.training = subset(data.test, {});
    return data;
}

}   // namespace

/// Four IDX files, or the two of the test part (also next to training labels without their images).
ImageFormat mnist_format()
{
    return {.id         = "mnist",
            .words      = "files in MNIST's format",
            .expected   = "the files of MNIST's layout (train-images-idx3-ubyte and so on)",
            .imported   = "a folder",
            .recognises = [](const fs::path& path) { return is_folder(path) && has_some_files(path); },
            .complete   = [](const fs::path& path) { return is_folder(path) && has_a_part(path); },
            .load       = load_mnist,
            .catalogued = true};
}

}   // namespace credence
