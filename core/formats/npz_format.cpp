// SPDX-License-Identifier: GPL-3.0-or-later
#include "formats/image_format.h"

#include "formats/npy.h"
#include "foundation/files.h"

namespace credence {

namespace {

namespace fs = std::filesystem;

ImageSet part_of(const NpzFile& archive, const std::string& part, const std::string& title, const NumberArray& labels,
                 const std::vector<std::string>& classes)
{
    return make_image_set(title, archive.read("x_" + part), checked_labels("y_" + part, labels, classes.size()),
                          classes);
}

/// Some archives have the labels as a column.
NumberArray label_row(NumberArray labels)
{
    if (labels.shape.size() == 2 && labels.shape[1] == 1)
        labels.shape.pop_back();
    return labels;
}

ImageData load_npz(const fs::path& file, const SetDescription& about)
{
    const NpzFile archive(file);
    const NumberArray training = label_row(archive.read("y_train")), test = label_row(archive.read("y_test"));
    const auto classes = about.classes.empty() ? numbered_classes({&training, &test}) : about.classes;
    ImageData data;
    data.test     = part_of(archive, "test", about.title, test, classes);
    data.training = part_of(archive, "train", about.title, training, classes);
    data.check();
    return data;
}

bool is_npz(const fs::path& path) { return path.extension() == ".npz" && is_file(path); }

}   // namespace

/// NumPy arrays in a zip archive, as in Keras's MNIST.
ImageFormat npz_format()
{
    return {.id         = "npz",
            .words      = "an archive of NumPy arrays",
            .expected   = "an .npz file with x_train, y_train, x_test and y_test",
            .imported   = "an .npz file",
            .recognises = is_npz,
            .complete   = is_npz,
            .load       = load_npz};
}

}   // namespace credence
