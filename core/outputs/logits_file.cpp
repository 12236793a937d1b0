// SPDX-License-Identifier: GPL-3.0-or-later
#include "outputs/logits_file.h"

#include "foundation/error.h"

namespace credence {

namespace {

constexpr const char* known_arrays[] = {"mean", "variance", "covariance", "labels", "class_names"};
constexpr std::size_t most_classes = 1'000'000, most_turned = std::size_t{1} << 23;

NpyStream stream_of(std::unique_ptr<ByteSource> source)
{
    NpyStream stream(std::move(source));
    if (stream.fortran() && !stream.text() && stream.size() > most_turned)
        throw Error(stream.name() + ": found Fortran order, expected C order for more than "
                    + std::to_string(most_turned) + " numbers. Save np.ascontiguousarray of it.");
    return stream;
}

}   // namespace

std::shared_ptr<const LogitsFile> LogitsFile::open(const std::filesystem::path& path, std::stop_token stop)
{
    auto file    = std::make_shared<LogitsFile>();
    file->files_ = array_files(path, known_arrays);
    return file->read(std::move(stop)) ? file : nullptr;
}

std::shared_ptr<const LogitsFile> LogitsFile::open(std::string name, std::span<const std::uint8_t> npz)
{
    auto file    = std::make_shared<LogitsFile>();
    file->files_ = array_files(std::move(name), npz);
    file->read({});
    return file;
}

bool LogitsFile::read(std::stop_token stop)
{
    const auto has    = [&](const char* array) { return files_.has(array); };
    const auto& name_ = files_.name;
    if (!has("mean") && (has("probabilities") || has("logits")))
        throw Error(name_
                    + ": contains samples of outputs, expected mean [N × K] and variance [N × K] or covariance [N × K "
                      "× K]; to view samples, use: credence open.");
    if (!has("mean"))
        throw Error(
            name_
            + ": found no array “mean”, expected mean [N × K] and variance [N × K] or covariance [N × K × K]; the "
              "arrays are "
            + files_.list() + ".");
    if (!has("variance") && !has("covariance"))
        throw Error(name_
                    + ": found no array “variance” or “covariance”, expected one of them in addition to mean; the "
                      "arrays are "
                    + files_.list() + ".");
    auto source = files_.open("mean", true, stop);
    if (!source)
        return false;
    const NpyStream mean = stream_of(std::move(source));
    if (mean.text())
        throw Error(name_ + ": mean contains strings, expected numbers.");
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
    source                        = files_.open(spread_name, true, stop);
    if (!source)
        return false;
    const NpyStream spread = stream_of(std::move(source));
    std::vector<std::size_t> expected{n_rows_, K};
    if (full_)
        expected.push_back(K);
    if (spread.text())
        throw Error(name_ + ": " + spread_name + " contains strings, expected numbers.");
    if (spread.shape() != expected)
        throw Error(name_ + ": " + spread_name + " has the shape " + shape_text(spread.shape()) + ", expected "
                    + shape_text(expected) + " as mean has " + shape_text(mean.shape()) + ".");
    single_ = single_ || spread.single_precision();
    if (has("labels")) {
        if (source = files_.open("labels", true, stop); !source)
            return false;
        labels_ = labels_of_rows(name_, stream_of(std::move(source)), n_rows_, n_classes_, "mean");
    }
    if (has("class_names")) {
        if (source = files_.open("class_names", true, stop); !source)
            return false;
        class_names_ = names_of_classes(name_, NpyStream(std::move(source)), n_classes_);
        named_       = true;
    } else
        class_names_ = numbers_as_names(n_classes_);
    return true;
}

}   // namespace credence
