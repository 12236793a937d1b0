// SPDX-License-Identifier: GPL-3.0-or-later
#include "outputs/logits_file.h"

#include "foundation/error.h"
#include "foundation/number_text.h"
#include "foundation/parallel.h"

#include <Eigen/Cholesky>

#include <algorithm>
#include <cmath>

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

constexpr std::size_t block_numbers = std::size_t{1} << 20;
constexpr std::size_t block_rows    = 128;   // limits the wait when rows are shown as they are read
using Rows                          = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;

/// @throws Error if the arrays of means and spreads are not in the file
void require_gaussians(const ArrayFiles& files)
{
    const auto has = [&](const char* array) { return files.has(array); };
    if (!has("mean") && (has("probabilities") || has("logits")))
        throw Error(files.name
                    + ": contains samples of outputs, expected mean [N × K] and variance [N × K] or covariance [N × K "
                      "× K]; to view samples, use: credence open.");
    if (!has("mean"))
        throw Error(
            files.name
            + ": found no array “mean”, expected mean [N × K] and variance [N × K] or covariance [N × K × K]; the "
              "arrays are "
            + files.list() + ".");
    if (!has("variance") && !has("covariance"))
        throw Error(files.name
                    + ": found no array “variance” or “covariance”, expected one of them in addition to mean; the "
                      "arrays are "
                    + files.list() + ".");
}

}   // namespace

std::string LogitsFile::note() const { return files_.note_on_others(known_arrays); }

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
    const auto& name_ = files_.name;
    require_gaussians(files_);
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
    full_                         = files_.has("covariance");
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
    if (files_.has("labels")) {
        if (source = files_.open("labels", true, stop); !source)
            return false;
        labels_ = labels_of_rows(name_, stream_of(std::move(source)), n_rows_, n_classes_, "mean");
    }
    if (files_.has("class_names")) {
        if (source = files_.open("class_names", true, stop); !source)
            return false;
        class_names_ = names_of_classes(name_, NpyStream(std::move(source)), n_classes_);
        named_       = true;
    } else
        class_names_ = numbers_as_names(n_classes_);
    return true;
}

/// Streamed, or held in memory if it had to be transposed.
struct LogitsReader::Array {
    NpyStream stream;
    std::optional<NumberArray> turned;

    explicit Array(std::unique_ptr<ByteSource> source) : stream(std::move(source))
    {
        if (stream.fortran())
            turned = stream.numbers();
    }
    void read(std::size_t first, std::span<double> out)
    {
        if (!turned)
            stream.read(first, out);
        else
            for (std::size_t i = 0; i < out.size(); ++i)
                out[i] = turned->at(first + i);
    }
};

LogitsReader::LogitsReader(std::shared_ptr<const LogitsFile> file)
    : file_(std::move(file)), mean_(std::make_unique<Array>(file_->files_.open("mean", false, {}))),
      spread_(std::make_unique<Array>(file_->files_.open(file_->full_ ? "covariance" : "variance", false, {})))
{}

LogitsReader::~LogitsReader() = default;

/// Refuses invalid covariances, makes valid ones symmetric, and returns Σ1. Tolerates rounding to
/// single precision.
std::vector<double> LogitsReader::covariance_checked(std::size_t row, std::span<double> numbers) const
{
    const auto K = static_cast<Eigen::Index>(file_->n_classes());
    Eigen::Map<Rows> sigma(numbers.data(), K, K);
    const auto refuse = [&](Eigen::Index k, Eigen::Index l, const std::string& is) {
        throw Error(file_->name() + ": covariance of row " + std::to_string(row) + ", classes " + std::to_string(k)
                    + " and " + std::to_string(l) + " " + is);
    };
    for (Eigen::Index k = 0; k < K; ++k)
        for (Eigen::Index l = 0; l < K; ++l)
            if (!std::isfinite(sigma(k, l)))
                refuse(k, l, "is " + number_text(sigma(k, l), 6) + ", expected a finite number.");
    for (Eigen::Index k = 0; k < K; ++k)
        if (!(sigma(k, k) > 0))
            throw Error(file_->name() + ": variance of row " + std::to_string(row) + ", class " + std::to_string(k)
                        + " is " + number_text(sigma(k, k), 6) + ", expected a number > 0.");
    const double largest = sigma.diagonal().maxCoeff(), asymmetry = (file_->single_precision() ? 1e-4 : 1e-6) * largest,
                 slack = (file_->single_precision() ? 1e-5 : 1e-9) * largest;
    for (Eigen::Index k = 0; k < K; ++k)
        for (Eigen::Index l = 0; l < k; ++l)
            if (std::fabs(sigma(k, l) - sigma(l, k)) > asymmetry)
                refuse(l, k,
                       "is not symmetric: found " + number_text(sigma(l, k), 6) + " and " + number_text(sigma(k, l), 6)
                           + ".");
    sigma               = (0.5 * (sigma + sigma.transpose())).eval();
    const auto definite = [&](double added) {
        return Eigen::LLT<Eigen::MatrixXd>(Eigen::MatrixXd(sigma) + added * Eigen::MatrixXd::Identity(K, K)).info()
               == Eigen::Success;
    };
    if (!definite(1e-10 * largest)) {   // a singular matrix made slightly negative by rounding, or not a covariance
        if (!definite(slack))
            throw Error(file_->name() + ": covariance of row " + std::to_string(row)
                        + " has a negative eigenvalue, expected a positive semidefinite matrix.");
        sigma.diagonal().array() += slack;
    }
    const Eigen::VectorXd sums = sigma.rowwise().sum();
    return {sums.begin(), sums.end()};
}

bool LogitsReader::next(Block& block)
{
    const auto K = static_cast<std::size_t>(file_->n_classes()), of_row = file_->full() ? K * K : K;
    block.first = next_;
    block.n     = std::min(std::clamp<std::size_t>(block_numbers / of_row, 1, block_rows), file_->n_rows() - next_);
    block.row_sum.clear();
    if (block.n == 0)
        return false;
    block.mu.resize(block.n * K);
    block.variance.resize(block.n * K);
    mean_->read(next_ * K, block.mu);
    const auto require_finite = [&](const char* what, const std::vector<double>& numbers, bool positive) {
        for (std::size_t i = 0; i < numbers.size(); ++i)
            if (!std::isfinite(numbers[i]) || (positive && !(numbers[i] > 0)))
                throw Error(file_->name() + ": " + what + " of row " + std::to_string(block.first + i / K) + ", class "
                            + std::to_string(i % K) + " is " + number_text(numbers[i], 6)
                            + (positive ? ", expected a number > 0." : ", expected a finite number."));
    };
    require_finite("mean", block.mu, false);
    if (file_->full()) {
        std::vector<double> sigma(block.n * K * K);
        spread_->read(next_ * K * K, sigma);
        block.row_sum.resize(block.n * K);
        std::vector<std::string> mistakes(block.n);   // the first one is reported, independent of threads
        parallel_chunks(block.n, std::max<std::size_t>(1, 4096 / of_row), [&](std::size_t begin, std::size_t end) {
            for (std::size_t i = begin; i < end; ++i)
                try {
                    const std::span<double> one(&sigma[i * K * K], K * K);
                    const auto sums = covariance_checked(block.first + i, one);
                    std::copy(sums.begin(), sums.end(), block.row_sum.begin() + static_cast<std::ptrdiff_t>(i * K));
                    for (std::size_t k = 0; k < K; ++k)
                        block.variance[i * K + k] = one[k * K + k];
                } catch (const Error& error) {
                    mistakes[i] = error.what();
                }
        });
        for (const auto& mistake : mistakes)
            if (!mistake.empty())
                throw Error(mistake);
    } else {
        spread_->read(next_ * K, block.variance);
        require_finite("variance", block.variance, true);
    }
    next_ += block.n;
    return true;
}

LogitGaussian LogitsReader::row(std::size_t i)
{
    if (i >= file_->n_rows())
        throw Error(file_->name() + ": row " + std::to_string(i) + " was requested, expected 0 to "
                    + std::to_string(file_->n_rows() - 1) + ".");
    const auto K = static_cast<std::size_t>(file_->n_classes()), of_row = file_->full() ? K * K : K;
    std::vector<double> mu(K), spread(of_row);
    mean_->read(i * K, mu);
    spread_->read(i * of_row, spread);
    try {
        if (!file_->full())
            return LogitGaussian::from_diagonal(std::move(mu), std::move(spread));
        covariance_checked(i, spread);
        return LogitGaussian::from_covariance(std::move(mu), std::move(spread));
    } catch (const Error& error) {
        const std::string sentence = error.what();
        throw Error(sentence.starts_with(file_->name())
                        ? sentence
                        : file_->name() + ", row " + std::to_string(i) + ": " + sentence);
    }
}

}   // namespace credence
