// SPDX-License-Identifier: GPL-3.0-or-later
#include "outputs/logits_file.h"

#include "formats/npy.h"
#include "foundation/error.h"
#include "foundation/number_text.h"

#include <algorithm>

namespace credence {

namespace {

constexpr const char* known_arrays[] = {"mean", "variance", "covariance", "labels", "class_names"};
constexpr std::size_t most_classes = 1'000'000, most_turned = std::size_t{1} << 23;

std::string list(const std::vector<std::string>& names)
{
    std::string text;
    for (const auto& name : names)
        text += (text.empty() ? "" : ", ") + name;
    return text.empty() ? "none" : text;
}

NpyStream stream_of(std::unique_ptr<ByteSource> source)
{
    NpyStream stream(std::move(source));
    if (stream.fortran() && !stream.text() && stream.size() > most_turned)
        throw Error(stream.name() + ": found Fortran order, expected C order for more than "
                    + std::to_string(most_turned) + " numbers: save np.ascontiguousarray of it.");
    return stream;
}

}   // namespace

std::shared_ptr<const LogitsFile> LogitsFile::open(const std::filesystem::path& path, std::stop_token stop)
{
    auto file = std::make_shared<LogitsFile>();
    std::error_code ignored;
    const bool folder = std::filesystem::is_directory(path, ignored), npy = path.extension() == ".npy";
    if (folder || npy) {
        const auto where = folder ? path : path.parent_path();
        file->name_      = (folder && path.filename().empty() ? path.parent_path()
                            : folder                          ? path
                            : where.empty()                   ? std::filesystem::path(".")
                                                              : where)
                          .filename()
                          .string()
                      + "/";
        if (npy && !std::filesystem::exists(path, ignored))
            open_file(path);   // refuses it by its name
        for (const char* array : known_arrays)
            if (std::filesystem::is_regular_file(where / (std::string(array) + ".npy"), ignored))
                file->arrays_.push_back(array);
        file->open_ = [where](const std::string& array, bool, const std::stop_token&) {
            return open_file(where / (array + ".npy"));
        };
    } else {
        const auto archive = std::make_shared<const NpzFile>(path);
        file->name_        = path.filename().string();
        file->arrays_      = archive->names();
        file->open_        = [archive](const std::string& array, bool first, std::stop_token wish) {
            return archive->open(array, first ? NpzFile::Checksum::compare : NpzFile::Checksum::skip, std::move(wish));
        };
    }
    return file->read(std::move(stop)) ? file : nullptr;
}

std::shared_ptr<const LogitsFile> LogitsFile::open(std::string name, std::span<const std::uint8_t> npz)
{
    auto file          = std::make_shared<LogitsFile>();
    const auto archive = std::make_shared<const NpzFile>(name, npz);
    file->name_        = std::move(name);
    file->arrays_      = archive->names();
    file->open_        = [archive](const std::string& array, bool first, std::stop_token wish) {
        return archive->open(array, first ? NpzFile::Checksum::compare : NpzFile::Checksum::skip, std::move(wish));
    };
    file->read({});
    return file;
}

bool LogitsFile::read(std::stop_token stop)
{
    const auto has = [&](const char* array) {
        return std::find(arrays_.begin(), arrays_.end(), array) != arrays_.end();
    };
    if (!has("mean"))
        throw Error(
            name_
            + ": found no array “mean”, expected mean [N × K] and variance [N × K] or covariance [N × K × K]; the arrays are "
            + list(arrays_) + ".");
    if (!has("variance") && !has("covariance"))
        throw Error(name_
                    + ": found no array “variance” or “covariance”, expected one of them beside mean; the arrays are "
                    + list(arrays_) + ".");
    auto source = open_("mean", true, stop);
    if (!source)
        return false;
    const NpyStream mean = stream_of(std::move(source));
    if (mean.text())
        throw Error(name_ + ": mean holds strings, expected numbers.");
    if (mean.shape().size() != 2)
        throw Error(name_ + ": mean has the shape " + shape_text(mean.shape()) + ", expected rows × classes.");
    n_rows_             = mean.shape()[0];
    const std::size_t K = mean.shape()[1];
    if (n_rows_ == 0)
        throw Error(name_ + ": found 0 rows, expected at least one Gaussian.");
    if (K < 2 || K > most_classes)
        throw Error(name_ + ": found " + std::to_string(K)
                    + (K == 1 ? " class, expected at least 2: the softmax of one logit is always 1."
                              : " classes, expected 2 to " + std::to_string(most_classes) + "."));
    n_classes_                    = static_cast<int>(K);
    single_                       = mean.single_precision();
    full_                         = has("covariance");
    const char* const spread_name = full_ ? "covariance" : "variance";
    source                        = open_(spread_name, true, stop);
    if (!source)
        return false;
    const NpyStream spread = stream_of(std::move(source));
    std::vector<std::size_t> expected{n_rows_, K};
    if (full_)
        expected.push_back(K);
    if (spread.text())
        throw Error(name_ + ": " + spread_name + " holds strings, expected numbers.");
    if (spread.shape() != expected)
        throw Error(name_ + ": " + spread_name + " has the shape " + shape_text(spread.shape()) + ", expected "
                    + shape_text(expected) + " as mean has " + shape_text(mean.shape()) + ".");
    single_ = single_ || spread.single_precision();
    if (has("labels")) {
        if (source = open_("labels", true, stop); !source)
            return false;
        read_labels(stream_of(std::move(source)));
    }
    if (has("class_names")) {
        if (source = open_("class_names", true, stop); !source)
            return false;
        read_names(NpyStream(std::move(source)));
    } else
        for (std::size_t k = 0; k < K; ++k)
            class_names_.push_back(std::to_string(k));
    return true;
}

void LogitsFile::read_labels(NpyStream labels)
{
    const bool column = labels.shape().size() == 2 && labels.shape()[1] == 1;
    if (labels.text() || !(labels.shape().size() == 1 || column) || labels.shape()[0] != n_rows_)
        throw Error(name_ + ": labels "
                    + (labels.text() ? "are strings" : "have the shape " + shape_text(labels.shape())) + ", expected "
                    + std::to_string(n_rows_) + " whole numbers, one for each row of mean.");
    const NumberArray numbers = labels.numbers();
    labels_.reserve(n_rows_);
    for (std::size_t i = 0; i < n_rows_; ++i) {
        const double label = numbers.at(i);
        if (!(label >= 0 && label < n_classes_ && label == static_cast<double>(static_cast<int>(label))))
            throw Error(name_ + ": label of row " + std::to_string(i) + " is " + number_text(label, 15)
                        + ", expected a whole number from 0 to " + std::to_string(n_classes_ - 1) + ".");
        labels_.push_back(static_cast<int>(label));
    }
}

void LogitsFile::read_names(NpyStream names)
{
    if (!names.text() || names.shape().size() != 1 || names.shape()[0] != static_cast<std::size_t>(n_classes_))
        throw Error(name_ + ": class_names "
                    + (names.text() ? "have the shape " + shape_text(names.shape()) : std::string("are numbers"))
                    + ", expected " + std::to_string(n_classes_) + " strings, one for each class.");
    class_names_ = names.strings();
    for (std::size_t k = 0; k < class_names_.size(); ++k)
        if (class_names_[k].empty())
            class_names_[k] = std::to_string(k);
    named_ = true;
}

}   // namespace credence
