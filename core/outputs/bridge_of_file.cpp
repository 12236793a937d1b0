// SPDX-License-Identifier: GPL-3.0-or-later
#include "outputs/bridge_of_file.h"

#include "foundation/error.h"
#include "foundation/parallel.h"
#include "foundation/progress.h"
#include "foundation/text.h"

#include <algorithm>
#include <cmath>

namespace credence {

namespace {

constexpr std::size_t rows_between_stops = 64;   // so that long files can be cancelled quickly

/// Calls `body(i)` for all rows of a block; reports the error of the first failing row, independent
/// of threads. False if stopped.
bool for_rows(std::size_t n, const LogitsFile& file, std::size_t first, const std::stop_token& stop,
              const std::function<void(std::size_t)>& body)
{
    std::vector<std::string> mistakes(n);
    for (std::size_t begin = 0; begin < n; begin += rows_between_stops) {
        if (stop.stop_requested())
            return false;
        const std::size_t end = std::min(n, begin + rows_between_stops);
        parallel_chunks(end - begin, 4, [&](std::size_t from, std::size_t to) {
            for (std::size_t i = begin + from; i < begin + to; ++i)
                try {
                    body(i);
                } catch (const Error& error) {
                    mistakes[i] = error.what();
                }
        });
        for (std::size_t i = begin; i < end; ++i)
            if (!mistakes[i].empty())
                throw Error(file.name() + ", row " + std::to_string(first + i) + ": " + mistakes[i]);
    }
    return true;
}

/// Sums over all rows.
struct RowSums {
    long right = 0, listed = 0;
    double confidence = 0, length = 0;
};

/// Computes the Dirichlet, prediction and confidence of each row. Returns false if it was stopped.
bool bridge_block(const LogitsFile& file, const LogitsReader::Block& in, BridgeVariant variant,
                  const std::stop_token& stop, BridgedBlock& out)
{
    const auto K = static_cast<std::size_t>(file.n_classes());
    out.first    = in.first;
    out.n        = in.n;
    out.alpha.resize(in.n * K);
    out.lists.assign(in.n, {});
    out.rows.assign(in.n, {});
    return for_rows(in.n, file, in.first, stop, [&](std::size_t i) {
        const auto part = [&](const std::vector<double>& values) {
            return std::vector<double>(&values[i * K], &values[i * K] + K);
        };
        const auto distribution = bridge(corrected(part(in.mu), part(in.variance),
                                                   in.row_sum.empty() ? part(in.variance) : part(in.row_sum), variant));
        const auto dirichlet    = distribution.dirichlet();
        std::copy(dirichlet.alpha().begin(), dirichlet.alpha().end(),
                  out.alpha.begin() + static_cast<std::ptrdiff_t>(i * K));
        auto& row      = out.rows[i];
        row.predicted  = static_cast<int>(std::max_element(distribution.log_alpha.begin(), distribution.log_alpha.end())
                                         - distribution.log_alpha.begin());
        row.confidence = static_cast<float>(
            std::exp(distribution.log_alpha[static_cast<std::size_t>(row.predicted)] - distribution.log_total));
        row.log_total = static_cast<float>(distribution.log_total);
    });
}

/// Computes the uncertainty-aware list of each row. Returns false if it was stopped.
bool list_block(const LogitsFile& file, const LogitsReader::Block& in, const BridgeOrder& order,
                const std::stop_token& stop, BridgedBlock& out)
{
    const auto K = static_cast<std::size_t>(file.n_classes());
    return for_rows(in.n, file, in.first, stop, [&](std::size_t i) {
        out.lists[i]    = uncertain_top_k_list(Dirichlet({&out.alpha[i * K], &out.alpha[i * K] + K}), order.threshold,
                                               order.longest);
        auto& row       = out.rows[i];
        row.list_length = static_cast<int>(out.lists[i].size());
        if (!file.labels().empty()) {
            row.label  = file.labels()[in.first + i];
            row.listed = std::find(out.lists[i].begin(), out.lists[i].end(), row.label) != out.lists[i].end();
        }
    });
}

void add_rows(const BridgedBlock& out, bool labelled, RowSums& sums, BridgeTotals& totals)
{
    for (const auto& row : out.rows) {
        const auto of_list = static_cast<std::size_t>(row.list_length);
        totals.lengths.resize(std::max(totals.lengths.size(), of_list + 1), 0);
        ++totals.lengths[of_list];
        sums.right += labelled && row.predicted == row.label;
        sums.listed += row.listed;
        sums.confidence += row.confidence;
        sums.length += row.list_length;
    }
}

}   // namespace

Dirichlet bridged(const LogitGaussian& logits, BridgeVariant variant) { return bridge(logits, variant).dirichlet(); }

std::optional<BridgeTotals> bridge_of_file(const std::shared_ptr<const LogitsFile>& file, const BridgeOrder& order,
                                           std::stop_token stop, const std::function<void(const BridgedBlock&)>& use,
                                           const std::function<void(double)>& progress)
{
    LogitsReader reader(file);
    LogitsReader::Block in;
    BridgedBlock out;
    BridgeTotals totals;
    const bool labelled = !file->labels().empty();
    RowSums sums;
    while (true) {
        if (stop.stop_requested())
            return {};
        Stopwatch watch;
        if (!reader.next(in))
            break;
        totals.reading_seconds += watch.seconds();

        watch = {};
        if (!bridge_block(*file, in, order.variant, stop, out))
            return {};
        totals.bridge_seconds += watch.seconds();

        watch = {};
        if (!list_block(*file, in, order, stop, out))
            return {};
        totals.list_seconds += watch.seconds();

        add_rows(out, labelled, sums, totals);
        totals.n += in.n;
        if (use)
            use(out);
        if (progress)
            progress(static_cast<double>(totals.n) / static_cast<double>(file->n_rows()));
    }
    const auto n = static_cast<double>(totals.n);
    if (labelled) {
        totals.top_1 = static_cast<double>(sums.right) / n;
        totals.top_k = static_cast<double>(sums.listed) / n;
    }
    totals.mean_length = sums.length / n;
    totals.mmc         = sums.confidence / n;
    return totals;
}

BridgeVariant bridge_variant_named(const std::string& wanted)
{
    for (const auto variant : bridge_variants)
        if (wanted == name(variant))
            return variant;
    throw Error("The variant of the bridge is \"" + wanted + "\", expected one of "
                + joined(bridge_variants, [](auto variant) { return name(variant); }) + ".");
}

const char* hint(BridgeVariant variant)
{
    switch (variant) {
    case BridgeVariant::plain: return "the formula applied to μ and diag Σ unchanged; as in Hobbhahn 2020";
    case BridgeVariant::conditioned: return "the Gaussian conditioned on Σ z = 0; as in laplace-torch (\"bridge\")";
    case BridgeVariant::projected: return "the distribution of z − mean(z): preserves the distribution of softmax(z)";
    case BridgeVariant::conditioned_normalised:
        return "conditioned, then scaled to limit large variances; as in laplace-torch (\"bridge_norm\")";
    case BridgeVariant::projected_normalised: return "projected, then scaled to limit large variances";
    }
    return "";
}

}   // namespace credence
