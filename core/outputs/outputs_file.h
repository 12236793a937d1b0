// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "outputs/array_files.h"
#include "outputs/logits_file.h"
#include "posterior/outputs_posterior.h"
#include "runs/experiment.h"

#include <cstdint>
#include <filesystem>
#include <memory>
#include <mutex>
#include <optional>
#include <span>
#include <stop_token>
#include <string>
#include <variant>
#include <vector>

namespace credence {

/// An open file of outputs: its rows, and access to their outputs.
struct OutputsFile {
    std::shared_ptr<const RowOutputs> rows;
    ImportedOutputs::Part part;
    std::string numbers;   ///< "probabilities", "logits", "Gaussians over logits"
};

/// Opens predictions for N inputs made by other software and saved with NumPy, in one .npz file
/// (stored or compressed) or as .npy files in one folder:
///
///     probabilities or logits [S × N × K] (logits if both exist),
///     or mean [N × K] with variance [N × K] or covariance [N × K × K] of the logits, from which
///     200 samples are drawn;
///     labels [N], class_names [K], images [N × H × W], [N × H × W × C] or [N × C × H × W],
///     inputs [N × d]: all optional
///     chain [S], iteration [S]: not read, with a note
///
/// Samples: see rows_of_file.cpp; mean and variance: see outputs/logits_file.h. Images are bytes, or
/// numbers of any other type. Those from 0 to 1 are multiplied by 255, and those from 0 to 255 are
/// rounded. All others are scaled from the smallest to the largest value of the file. Progress of
/// reading is reported by report_share.
/// @return empty if `stop` was requested
/// @throws Error for any mismatch, with the name of the file
std::optional<OutputsFile> open_outputs(const std::filesystem::path& file, std::stop_token stop = {});
/// Returns the array file by which outputs in a folder are opened: probabilities.npy, logits.npy or
/// mean.npy; empty if there is none, or it is not a folder.
std::optional<std::filesystem::path> outputs_in_folder(const std::filesystem::path& folder);
/// Returns true if a file has only Gaussians over logits and nothing else to show (no samples,
/// images or inputs): a file for *Open logits*.
/// @throws Error if it cannot be opened
bool is_logits_file(const std::filesystem::path& file);
/// The bytes of an .npz file; they must outlive the object.
OutputsFile open_outputs(std::string name, std::span<const std::uint8_t> npz);

/// Turns opened outputs into a recorded step that views can use; its inputs are row numbers. Views
/// that need only outputs at rows (Asks in
/// views/views.h) work as for Credence runs; all others report that they need the weights.
/// @param ood  the rows of a second file as OOD data
/// @throws Error   if the two differ in their classes or in the number of samples
RunSnapshot snapshot_of_outputs(const OutputsFile& own, const std::optional<OutputsFile>& ood = {});

/// Samples of class probabilities or logits [S × N × K] in a NumPy file, or a single table [N × K],
/// which counts as one sample. Any real type and either index
/// order. At most 2^26 numbers are held in memory: 256 MiB for float16 and float32, 512 MiB for all
/// other types, held as float64. If there are more, the requested
/// ones are read from the file, which is unpacked into a temporary file if it is compressed.
///
/// Probabilities outside [0, 1] by at most `slack` are treated as rounding and clipped. Their sums
/// are not changed.
class DrawsArray final : public RowOutputs {
public:
    /// @param files  with an array “probabilities” or “logits”; if both exist, logits are used,
    /// since they have full precision
    /// @param most_held  numbers
    /// @return null if `stop` was requested
    /// @throws Error "a.npz: probabilities of draw 3, row 12 add up to 1.2, expected 1 to within
    /// 0.001.", and for all other mismatches. If an array is not held in memory, wrong numbers are
    /// found when they are read.
    static std::shared_ptr<const DrawsArray> open(const ArrayFiles& files, std::stop_token stop = {},
                                                  std::size_t most_held = std::size_t{1} << 26);

    int n_draws() const override { return n_draws_; }
    std::size_t n_rows() const override { return n_rows_; }
    int n_classes() const override { return n_classes_; }
    Kind exact_kind() const override
    {
        return kind_ == Kind::probabilities ? Kind::probabilities : Kind::log_probabilities;
    }
    bool read(Kind kind, std::span<const std::uint32_t> rows, int n_draws, std::span<double> out,
              const std::stop_token& stop) const override;

    Kind kind() const { return kind_; }                  ///< kind of numbers in the file
    bool held() const { return !stream_.has_value(); }   ///< all numbers are in memory

    /// A sentence about clipped values; empty if nothing was clipped, or if the numbers are not
    /// held in memory and so were not checked.
    const std::string& note() const { return note_; }

    static constexpr const char* arrays[] = {"probabilities", "logits"};   ///< indexed by Kind
    static constexpr double slack         = 1e-3;   ///< for a probability and for the sum of probabilities

private:
    void read_shape(const NpyStream& stream);
    template <class T>
    bool hold(NpyStream& stream, const std::stop_token& stop);   ///< reports progress; false: stopped
    bool read_raw(std::span<const std::uint32_t> rows, int n_draws, std::span<double> out,
                  const std::stop_token& stop) const;
    template <class T>
    void check(std::span<const T> values, std::span<const std::uint32_t> rows, int n_draws) const;
    std::string remedy_for_sum(double sum) const;
    template <class T>
    void clip_held(std::vector<T>& values);

    std::string file_;
    Kind kind_          = Kind::probabilities;
    int n_draws_        = 0;
    std::size_t n_rows_ = 0;
    int n_classes_      = 0;
    std::variant<std::vector<float>, std::vector<double>> held_;   ///< [S × N × K]
    std::string note_;
    mutable std::mutex mutex_;
    mutable std::optional<NpyStream> stream_;
};

/// Samples of the logits from the Gaussians of a file, z_s = μ + L ξ_s with L Lᵀ = Σ, and of
/// softmax(z_s). Sample s of row i is a pure function of (seed, s, i).
class GaussianOutputs final : public RowOutputs {
public:
    explicit GaussianOutputs(std::shared_ptr<const LogitsFile> file, int n_draws = 200, std::uint64_t seed = 1);

    int n_draws() const override { return n_draws_; }
    std::size_t n_rows() const override { return file_->n_rows(); }
    int n_classes() const override { return file_->n_classes(); }
    Kind exact_kind() const override { return Kind::log_probabilities; }
    bool read(Kind kind, std::span<const std::uint32_t> rows, int n_draws, std::span<double> out,
              const std::stop_token& stop) const override;
    bool has_gaussians() const override { return true; }
    std::optional<LogitGaussian> gaussian(std::uint32_t row) const override;

private:
    std::shared_ptr<const LogitsFile> file_;
    int n_draws_;
    std::uint64_t seed_;
    mutable std::mutex mutex_;
    mutable LogitsReader reader_;
};

}   // namespace credence
