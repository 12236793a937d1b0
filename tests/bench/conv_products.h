// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "bench_support.h"
#include "network/architecture.h"

namespace credence::bench {

/// The plain products of a network with convolutions: of each convolution weights · columns, for a
/// training step also the weight gradient (over the
/// whole batch) and, but for the first, the gradient of the columns; of dense layers the same
/// three. The columns of the whole batch are already in
/// memory; nothing is gathered, added, activated or pooled.
/// Each product is tried in several ways: rows or columns for the images, in chunks of 1, 4, 16
/// images or of half the batch over the threads, or one plain call of Eigen; the fastest counts.
/// For comparison, the library's own wide products, which are faster than Eigen's here.
class NetworkProducts {
public:
    NetworkProducts(const Architecture& architecture, int batch, Pass pass);
    ~NetworkProducts();

    enum class By { eigen, own };
    void run(By by);   ///< on the benchmark's threads
    double flops() const;
    std::string ways() const;   ///< what was chosen of Eigen's, for the label

private:
    struct Job;
    std::vector<std::unique_ptr<Job>> jobs_;
};

}   // namespace credence::bench
