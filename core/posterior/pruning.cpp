// SPDX-License-Identifier: GPL-3.0-or-later
#include "posterior/pruning.h"

#include "foundation/error.h"
#include "foundation/number_text.h"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <map>
#include <numeric>

namespace credence {
namespace {

/// The key by which weights are sorted, smallest first.
template <class T>
T key_of(PruneBy by, T mean, T sd)
{
    switch (by) {
    case PruneBy::signal_to_noise:
        return mean == 0
                   ? 0
                   : std::fabs(mean) / sd;   // a weight of 0 carries no information, even without spread: avoids 0/0
    case PruneBy::magnitude: return std::fabs(mean);
    case PruneBy::spread: return -sd;
    }
    return 0;
}

/// Returns the first floor(share · n) indices, ascending: everything below the value of the first
/// remaining weight, and as many of those with equal value as are needed. In O(n), since it runs
/// while a slider moves.
/// @param line  flat indices, ascending
template <class T>
void keep_first(std::vector<std::size_t>& line, PruneBy by, double share, std::span<const T> mean,
                std::span<const T> sd)
{
    const auto n_first = static_cast<std::size_t>(std::floor(share * static_cast<double>(line.size())));
    if (n_first >= line.size())
        return;
    std::vector<T> keys(line.size());
    for (std::size_t k = 0; k < line.size(); ++k)
        keys[k] = key_of(by, mean[line[k]], sd[line[k]]);
    auto ordered     = keys;
    const auto stays = ordered.begin() + static_cast<std::ptrdiff_t>(n_first);
    std::nth_element(ordered.begin(), stays, ordered.end());
    const T cut = *stays;

    std::vector<std::size_t> first, at_cut;
    for (std::size_t k = 0; k < line.size(); ++k)
        if (keys[k] < cut)
            first.push_back(line[k]);
        else if (keys[k] == cut)
            at_cut.push_back(line[k]);
    if (std::isinf(cut))
        std::stable_sort(at_cut.begin(), at_cut.end(),
                         [&](std::size_t a, std::size_t b) { return std::fabs(mean[a]) < std::fabs(mean[b]); });
    at_cut.resize(n_first - first.size());
    std::sort(at_cut.begin(), at_cut.end());
    line.resize(n_first);
    std::merge(first.begin(), first.end(), at_cut.begin(), at_cut.end(), line.begin());
}

void require_share(double share)
{
    if (!(share >= 0 && share <= 1))
        throw Error("The share of weights to prune is " + plain_text(share) + ", expected a number in [0, 1].");
}

}   // namespace

const char* symbol_of(PruneBy by)
{
    switch (by) {
    case PruneBy::signal_to_noise: return "|μ|/σ";
    case PruneBy::magnitude: return "|μ|";
    case PruneBy::spread: return "σ";
    }
    return "";
}

PruneBy prune_by_named(const std::string& name)
{
    if (name == "signal_to_noise")
        return PruneBy::signal_to_noise;
    if (name == "magnitude")
        return PruneBy::magnitude;
    if (name == "spread")
        return PruneBy::spread;
    throw Error("The pruning criterion is \"" + name + "\", expected signal_to_noise, magnitude or spread.");
}

std::string words_of(const PruneRule& rule)
{
    return number_text(100 * rule.share, 4) + " % of weights removed by " + symbol_of(rule.by)
           + (rule.by == PruneBy::spread ? " (largest first)" : "")
           + (rule.per_layer ? ", separately in each layer" : "") + (rule.biases ? "" : ", biases kept");
}

template <class T>
std::vector<std::size_t> pruned_weights(const PruneRule& rule, const ParameterLayout& layout, std::span<const T> mean,
                                        std::span<const T> sd)
{
    assert(mean.size() == layout.size() && sd.size() == layout.size());
    require_share(rule.share);
    std::map<int, std::vector<std::size_t>> lines;   // by layer, or one
    for (const Block& block : layout.blocks)
        if (rule.biases || block.kind != BlockKind::biases) {
            auto& line = lines[rule.per_layer ? block.layer : 0];
            line.resize(line.size() + block.size);
            std::iota(line.end() - static_cast<std::ptrdiff_t>(block.size), line.end(), block.begin);
        }
    std::vector<std::size_t> removed;
    for (auto& [layer, line] : lines) {
        keep_first(line, rule.by, rule.share, mean, sd);
        removed.insert(removed.end(), line.begin(), line.end());
    }
    return removed;   // layers are stored one after the other
}

template <class T>
std::vector<std::size_t> prune_by_snr(std::span<const T> mean, std::span<const T> sd, double fraction)
{
    assert(mean.size() == sd.size());
    require_share(fraction);
    std::vector<std::size_t> line(mean.size());
    std::iota(line.begin(), line.end(), std::size_t{0});
    keep_first(line, PruneBy::signal_to_noise, fraction, mean, sd);
    return line;
}

template std::vector<std::size_t> pruned_weights(const PruneRule&, const ParameterLayout&, std::span<const float>,
                                                 std::span<const float>);
template std::vector<std::size_t> pruned_weights(const PruneRule&, const ParameterLayout&, std::span<const double>,
                                                 std::span<const double>);
template std::vector<std::size_t> prune_by_snr(std::span<const float>, std::span<const float>, double);
template std::vector<std::size_t> prune_by_snr(std::span<const double>, std::span<const double>, double);

}   // namespace credence
