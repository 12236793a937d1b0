// SPDX-License-Identifier: GPL-3.0-or-later
#include "outputs/outputs_file.h"

#include "foundation/error.h"
#include "foundation/number_text.h"
#include "foundation/parallel.h"
#include "foundation/progress.h"
#include "foundation/softmax.h"
#include "random/noise.h"

#include <Eigen/Cholesky>
#include <Eigen/Eigenvalues>

#include <algorithm>
#include <atomic>
#include <cmath>
#include <numeric>

namespace credence {
namespace {

constexpr std::size_t most_draw_classes = 1'000'000, most_draws = 1'000'000, draws_of_a_task = 64,
                      numbers_at_once = 1 << 16;
constexpr double least_probability    = 1e-12;   // the logit of smaller ones is its logarithm

/// Consecutive rows: `n` rows starting at `row`, whose output starts at position `place`.
struct RunOfRows {
    std::size_t row, n, place;
};
std::vector<RunOfRows> runs_of(std::span<const std::uint32_t> rows)
{
    std::vector<RunOfRows> runs;
    for (std::size_t i = 0; i < rows.size(); ++i)
        if (!runs.empty() && runs.back().row + runs.back().n == rows[i])
            ++runs.back().n;
        else
            runs.push_back({rows[i], 1, i});
    return runs;
}

/// Converts one row of one sample. @param has  kind of the numbers, @param wanted  kind to convert to
void convert(RowOutputs::Kind has, RowOutputs::Kind wanted, std::span<double> row)
{
    using Kind = RowOutputs::Kind;
    if (has == Kind::logits)
        wanted == Kind::probabilities ? to_softmax(row) : to_log_softmax(row);
    else
        for (double& one : row)
            one = std::log(wanted == Kind::logits ? std::max(one, least_probability) : one);
}

/// L with L Lᵀ = Σ; for a singular Σ from its eigenvectors.
Eigen::MatrixXd root_of(const LogitGaussian& distribution)
{
    const int K                  = distribution.n_classes();
    auto sigma                   = distribution.covariance();
    const Eigen::MatrixXd matrix = Eigen::Map<const Eigen::MatrixXd>(sigma.data(), K, K);
    const Eigen::LLT<Eigen::MatrixXd> cholesky(matrix);
    if (cholesky.info() == Eigen::Success)
        return cholesky.matrixL();
    const Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd> eigen(matrix);
    return eigen.eigenvectors() * eigen.eigenvalues().cwiseMax(0).cwiseSqrt().asDiagonal();
}

}   // namespace

std::shared_ptr<const DrawsArray> DrawsArray::open(const ArrayFiles& files, std::stop_token stop, std::size_t most_held)
{
    const auto made  = std::make_shared<DrawsArray>();
    made->file_      = files.name;
    made->kind_      = files.has(arrays[1]) || !files.has(arrays[0]) ? Kind::logits : Kind::probabilities;
    const auto array = arrays[static_cast<std::size_t>(made->kind_)];
    if (!files.has(array))
        throw Error(
            files.name
            + ": found no array “probabilities” or “logits”, expected one of them [samples × rows × classes]; the "
              "arrays are "
            + files.list() + ".");
    NpyStream stream(files.open(array, false, stop));
    made->read_shape(stream);   // reports a wrong shape before gigabytes are read
    if (stream.size() > most_held && !stream.seekable()) {
        auto unpacked = spooled(files.open(array, false, stop), stop);   // to the end, where the checksum is verified
        if (!unpacked)
            return nullptr;
        made->stream_.emplace(std::move(unpacked));
        return made;
    }
    auto source = files.open(array, true, stop);
    if (!source)
        return nullptr;
    stream = NpyStream(std::move(source));
    if (stream.size() <= most_held) {
        if (!(stream.single_precision() ? made->hold<float>(stream, stop) : made->hold<double>(stream, stop)))
            return nullptr;
        std::vector<std::uint32_t> all(made->n_rows_);
        std::iota(all.begin(), all.end(), 0);
        std::visit(
            [&]<class T>(std::vector<T>& values) {
            made->check(std::span<const T>(values), all, made->n_draws_);
            if (made->kind_ == Kind::probabilities)
                made->clip_held(values);
            },
            made->held_);
    } else {
        made->stream_ = std::move(stream);
    }
    return made;
}

void DrawsArray::read_shape(const NpyStream& stream)
{
    const std::string what  = file_ + ": " + arrays[static_cast<std::size_t>(kind_)];
    auto shape              = stream.shape();
    const std::string stack = kind_ == Kind::probabilities ? "np.stack([1 - p, p], axis=-1)"
                                                           : "np.stack([0 * z, z], axis=-1)";
    if (stream.text())
        throw Error(what + " are strings, expected numbers.");
    if (shape.size() != 2 && shape.size() != 3)
        throw Error(what + " have the shape " + shape_text(shape)
                    + ", expected samples × rows × classes; one number per row (a sigmoid output) becomes two "
                      "classes by "
                    + stack + ".");
    if (shape.size() == 2)
        shape.insert(shape.begin(), 1);
    const auto [S, N, K] = std::tie(shape[0], shape[1], shape[2]);
    if (S == 0 || N == 0)
        throw Error(what + " have the shape " + shape_text(shape) + ", expected at least one sample and one row.");
    if (K < 2 || K > most_draw_classes)
        throw Error(what + " have " + std::to_string(K) + (K == 1 ? " class" : " classes") + ", expected 2 to "
                    + std::to_string(most_draw_classes)
                    + (K == 1 ? "; one number per row (a sigmoid output) becomes two classes by " + stack + "." : "."));
    if (S > most_draws)
        throw Error(what + " have " + std::to_string(S) + " samples, expected at most " + std::to_string(most_draws)
                    + ".");
    if (N > most_rows)
        throw Error(what + " have " + std::to_string(N) + " rows, expected at most " + std::to_string(most_rows) + ".");
    n_draws_   = static_cast<int>(S);
    n_rows_    = N;
    n_classes_ = static_cast<int>(K);
}

template <class T>
bool DrawsArray::hold(NpyStream& stream, const std::stop_token& stop)
{
    auto& held           = held_.emplace<std::vector<T>>(stream.size());
    const auto continues = [&](std::size_t first) {
        report_share(static_cast<double>(first) / static_cast<double>(held.size()));
        return !stop.stop_requested();
    };
    if (!stream.fortran()) {
        for (std::size_t first = 0; first < held.size(); first += numbers_at_once) {
            if (!continues(first))
                return false;
            stream.read(first, std::span(held).subspan(first, std::min(numbers_at_once, held.size() - first)));
        }
        return true;
    }
    const auto S = static_cast<std::size_t>(n_draws_),
               K = static_cast<std::size_t>(n_classes_);   // the sample index varies fastest
    std::vector<T> some(numbers_at_once);
    for (std::size_t first = 0; first < held.size(); first += numbers_at_once) {
        if (!continues(first))
            return false;
        const std::size_t n = std::min(numbers_at_once, held.size() - first);
        stream.read(first, std::span(some).first(n));
        for (std::size_t i = first; i < first + n; ++i) {
            const std::size_t s = i % S, row = i / S % n_rows_, k = i / S / n_rows_;
            held[(s * n_rows_ + row) * K + k] = some[i - first];
        }
    }
    return true;
}

bool DrawsArray::read_raw(std::span<const std::uint32_t> rows, int n_draws, std::span<double> out,
                          const std::stop_token& stop) const
{
    const auto S = static_cast<std::size_t>(n_draws), K = static_cast<std::size_t>(n_classes_), R = rows.size();
    const auto runs = runs_of(rows);
    if (!stream_) {
        std::visit(
            [&](const auto& held) {
            for (std::size_t s = 0; s < S; ++s)
                for (const auto& run : runs) {
                    const auto from = held.begin() + static_cast<std::ptrdiff_t>((s * n_rows_ + run.row) * K);
                    std::copy(from, from + static_cast<std::ptrdiff_t>(run.n * K),
                              out.begin() + static_cast<std::ptrdiff_t>((s * R + run.place) * K));
                }
            },
            held_);
        return !stop.stop_requested();
    }
    const std::lock_guard lock(mutex_);
    if (!stream_->fortran()) {
        for (std::size_t s = 0; s < S; ++s)   // forwards through the file
            for (const auto& run : runs) {
                if (stop.stop_requested())
                    return false;
                stream_->read((s * n_rows_ + run.row) * K, out.subspan((s * R + run.place) * K, run.n * K));
            }
        return true;
    }
    const auto all = static_cast<std::size_t>(n_draws_);
    std::vector<double> some;
    for (std::size_t k = 0; k < K; ++k)
        for (const auto& run : runs) {
            if (stop.stop_requested())
                return false;
            some.resize(all * run.n);
            stream_->read(all * (run.row + n_rows_ * k), std::span(some));
            for (std::size_t i = 0; i < run.n; ++i)
                for (std::size_t s = 0; s < S; ++s)
                    out[(s * R + run.place + i) * K + k] = some[i * all + s];
        }
    return true;
}

template <class T>
void DrawsArray::check(std::span<const T> values, std::span<const std::uint32_t> rows, int n_draws) const
{
    const auto K = static_cast<std::size_t>(n_classes_), n = rows.size() * static_cast<std::size_t>(n_draws);
    const auto fits = [&](T value) {
        return kind_ == Kind::logits ? std::isfinite(value) : value >= -slack && value <= 1 + slack;
    };
    const auto sum_of = [&](std::size_t i) {
        return std::accumulate(values.begin() + static_cast<std::ptrdiff_t>(i * K),
                               values.begin() + static_cast<std::ptrdiff_t>((i + 1) * K), 0.0);
    };
    std::atomic<std::size_t> first_wrong{n};   // the same error for any number of threads
    parallel_chunks(n, draws_of_a_task, [&](std::size_t begin, std::size_t end) {
        for (std::size_t i = begin; i < end; ++i) {
            const auto one  = values.subspan(i * K, K);
            const bool good = std::all_of(one.begin(), one.end(), fits)
                              && (kind_ == Kind::logits || std::fabs(sum_of(i) - 1) <= slack);
            if (good)
                continue;
            for (std::size_t known = first_wrong.load(); i < known && !first_wrong.compare_exchange_weak(known, i);) {}
            return;
        }
    });
    const std::size_t wrong = first_wrong.load();
    if (wrong == n)
        return;
    const auto one   = values.subspan(wrong * K, K);
    const auto at    = std::find_if_not(one.begin(), one.end(), fits);
    const auto where = " of sample " + std::to_string(wrong / rows.size()) + ", row "
                       + std::to_string(rows[wrong % rows.size()]);
    if (at == one.end())
        throw Error(file_ + ": probabilities" + where + " add up to " + number_text(sum_of(wrong), 6)
                    + ", expected 1 to within 0.001." + remedy_for_sum(sum_of(wrong)));
    throw Error(file_ + ": " + (kind_ == Kind::logits ? "logit" : "probability") + where + ", class "
                + std::to_string(at - one.begin()) + " is " + number_text(static_cast<double>(*at), 6) + ", expected "
                + (kind_ == Kind::logits ? "a finite number." : "a number from 0 to 1."));
}

std::string DrawsArray::remedy_for_sum(double sum) const
{
    constexpr double most_of_rounding = 0.05;   // for bfloat16 with 8 bits, over many classes
    if (std::fabs(sum - 1) <= most_of_rounding)
        return " If they were rounded (to bfloat16 or float16), divide each row by its sum, or save logits instead.";
    return " The array was read as " + std::to_string(n_draws_) + (n_draws_ == 1 ? " sample × " : " samples × ")
           + std::to_string(n_rows_) + " rows × " + std::to_string(n_classes_)
           + " classes. One column of sigmoid outputs p becomes two: 1 − p and p; scores before the softmax are saved "
             "as “logits”.";
}

template <class T>
void DrawsArray::clip_held(std::vector<T>& values)
{
    std::size_t clipped = 0;
    double low = 0, high = 1;
    for (T& p : values)
        if (p < 0 || p > 1) {
            ++clipped;
            low  = std::min(low, static_cast<double>(p));
            high = std::max(high, static_cast<double>(p));
            p    = std::clamp(p, T(0), T(1));
        }
    if (clipped == 0)
        return;
    note_ = file_ + ": " + grouped_text(static_cast<long>(clipped)) + (clipped == 1 ? " probability" : " probabilities")
            + " outside 0 to 1 by rounding ("
            + (low < 0 ? "smallest " + number_text(low, 3) + (high > 1 ? ", " : "") : std::string())
            + (high > 1 ? "largest " + number_text(high, 9) : std::string())
            + (clipped == 1 ? ") was clipped." : ") were clipped.");
}

bool DrawsArray::read(Kind kind, std::span<const std::uint32_t> rows, int n_draws, std::span<double> out,
                      const std::stop_token& stop) const
{
    if (!read_raw(rows, n_draws, out, stop))
        return false;
    if (!held()) {
        check(std::span<const double>(out), rows, n_draws);
        if (kind_ == Kind::probabilities)
            for (double& p : out)
                p = std::clamp(p, 0.0, 1.0);
    }
    if (kind == kind_)
        return true;
    const auto K = static_cast<std::size_t>(n_classes_);
    parallel_chunks(out.size() / K, draws_of_a_task, [&](std::size_t begin, std::size_t end) {
        for (std::size_t i = begin; i < end; ++i)
            convert(kind_, kind, out.subspan(i * K, K));
    });
    return true;
}

GaussianOutputs::GaussianOutputs(std::shared_ptr<const LogitsFile> file, int n_draws, std::uint64_t seed)
    : file_(std::move(file)), n_draws_(n_draws), seed_(seed), reader_(file_)
{
    if (file_->n_rows() > most_rows)
        throw Error(file_->name() + ": mean has " + std::to_string(file_->n_rows()) + " rows, expected at most "
                    + std::to_string(most_rows) + ".");
}

std::optional<LogitGaussian> GaussianOutputs::gaussian(std::uint32_t row) const
{
    const std::lock_guard lock(mutex_);
    return reader_.row(row);
}

bool GaussianOutputs::read(Kind kind, std::span<const std::uint32_t> rows, int n_draws, std::span<double> out,
                           const std::stop_token& stop) const
{
    const auto K = static_cast<std::size_t>(n_classes());
    std::vector<double> noise(K);
    for (std::size_t i = 0; i < rows.size(); ++i) {
        if (stop.stop_requested())
            return false;
        const auto distribution    = *gaussian(rows[i]);
        const auto variance        = distribution.variance();
        const Eigen::MatrixXd root = file_->full() ? root_of(distribution) : Eigen::MatrixXd();
        for (int s = 0; s < n_draws; ++s) {
            standard_normals({seed_, Stream::logits, rows[i]}, static_cast<std::uint64_t>(s) * K, std::span(noise));
            Eigen::VectorXd z = Eigen::Map<const Eigen::VectorXd>(distribution.mu().data(),
                                                                  static_cast<Eigen::Index>(K));
            const Eigen::Map<const Eigen::VectorXd> xi(noise.data(), static_cast<Eigen::Index>(K));
            if (file_->full())
                z += root * xi;
            else
                for (std::size_t k = 0; k < K; ++k)
                    z[static_cast<Eigen::Index>(k)] += std::sqrt(variance[k]) * noise[k];
            const auto numbers = out.subspan((static_cast<std::size_t>(s) * rows.size() + i) * K, K);
            std::copy(z.begin(), z.end(), numbers.begin());
            if (kind == Kind::probabilities)
                to_softmax(numbers);
            else if (kind == Kind::log_probabilities)
                to_log_softmax(numbers);
        }
    }
    return true;
}

}   // namespace credence
