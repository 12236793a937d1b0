// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "outputs/array_files.h"
#include "simplex/logit_gaussian.h"

#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <stop_token>
#include <string>
#include <vector>

namespace credence {

class LogitsReader;

/// Gaussians over the logits of N inputs, computed by other software (for example a last-layer
/// Laplace approximation in PyTorch) and saved with NumPy:
///
///     mean [N × K],  variance [N × K] or covariance [N × K × K],
///     labels [N] (optional, 0 to K − 1),  class_names [K] (optional, strings)
///
/// in one .npz file (stored or compressed), or as mean.npy, variance.npy, … in one folder. Numbers
/// are float32 or float64 in C order; arrays in Fortran order are transposed if they have at most
/// 2^23 numbers. Opening reads headers, labels and names, and verifies checksums. A LogitsReader
/// reads the Gaussians in blocks.
class LogitsFile {
public:
    /// @param file  an .npz file, a folder, or one of the .npy files in it
    /// @throws Error "a.npz: found no array “variance” or “covariance”, expected one of them in
    /// addition to mean; the arrays are mean, labels.", and for all
    ///         other mismatches
    static std::shared_ptr<const LogitsFile> open(const std::filesystem::path& file,
                                                  std::stop_token stop = {});   ///< null if stopped
    /// The bytes of an .npz file; they must outlive the object.
    static std::shared_ptr<const LogitsFile> open(std::string name, std::span<const std::uint8_t> npz);

    const std::string& name() const { return files_.name; }   ///< of the file, for errors
    std::string note() const;                                 ///< names arrays that are not read; empty: none
    std::size_t n_rows() const { return n_rows_; }            ///< N >= 1
    int n_classes() const { return n_classes_; }              ///< K >= 2
    bool full() const { return full_; }                       ///< each row has a covariance, not only variances
    bool single_precision() const { return single_; }
    const std::vector<int>& labels() const { return labels_; }   ///< [N], or empty
    const std::vector<std::string>& class_names() const
    {
        return class_names_;
    }                                       ///< [K]: those of the file, otherwise "0", "1", …
    bool named() const { return named_; }   ///< the file has names

private:
    friend class LogitsReader;
    bool read(std::stop_token stop);

    ArrayFiles files_;
    std::size_t n_rows_ = 0;
    int n_classes_      = 0;
    bool full_ = false, single_ = false, named_ = false;
    std::vector<int> labels_;
    std::vector<std::string> class_names_;
};

/// Reads the Gaussians from the first row to the last in blocks whose size does not depend on N. A
/// block has at most 2^20 numbers per array, 8 MiB as doubles, or one row of a larger covariance.
/// One reader per thread.
class LogitsReader {
public:
    explicit LogitsReader(std::shared_ptr<const LogitsFile> file);
    ~LogitsReader();

    struct Block {
        std::size_t first = 0, n = 0;                ///< rows
        std::vector<double> mu, variance, row_sum;   ///< [n × K]; row_sum is empty if there are only variances
    };
    /// Reads and checks the next rows; none at the end. @throws Error "a.npz: variance of row 12,
    /// class 3 is -0.2, expected a number > 0."
    bool next(Block& block);

    /// Reads one row with its full covariance. In a compressed file this unpacks all rows before it.
    LogitGaussian row(std::size_t i);

private:
    struct Array;
    std::vector<double> covariance_checked(std::size_t row, std::span<double> sigma) const;

    std::shared_ptr<const LogitsFile> file_;
    std::unique_ptr<Array> mean_, spread_;
    std::size_t next_ = 0;
};

}   // namespace credence
