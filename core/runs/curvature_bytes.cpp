// SPDX-License-Identifier: GPL-3.0-or-later
#include "runs/curvature_bytes.h"

#include "foundation/error.h"
#include "foundation/finite.h"
#include "layers/limits.h"
#include "runs/archive_json.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>
#include <span>
#include <type_traits>

namespace credence {
namespace {

using nlohmann::json;

/// Calls `visit` for every array of numbers, in the order of storage.
template <class Data, class Visit>
void for_each_array(Data& data, Visit visit)
{
    visit(data.map);
    visit(data.diagonal);
    for (auto& factor : data.kronecker) {
        visit(factor.a_values);
        visit(factor.a_vectors);
        visit(factor.b_values);
        visit(factor.b_vectors);
    }
    visit(data.eigenvalues);
    visit(data.eigenvectors);
    visit(data.eigenvectors_float);
}

void require(bool fits)
{
    if (!fits)
        throw Error("its curvature does not match its network");
}

/// Checks that a factor covers the weights and biases of one layer, with all its outputs.
void check_factor(const KroneckerFactor& f, const CurvatureData& data)
{
    const auto& blocks = data.layout.blocks;
    require(f.layer >= 0 && 2 * static_cast<std::size_t>(f.layer) + 1 < blocks.size());
    const Block &weights = blocks[2 * static_cast<std::size_t>(f.layer)],
                &biases  = blocks[2 * static_cast<std::size_t>(f.layer) + 1];
    require(weights.begin >= data.first_weight && f.weights == weights.begin && f.biases == biases.begin);
    require(static_cast<std::size_t>(f.out) == biases.size && f.in > 0);
    require(f.n_weights == 0 || f.n_weights == weights.fan_in);
    require(f.n_weights + static_cast<int>(f.has_bias) == f.in);
}

/// Checks the sizes for a curvature with this head. The full structure has any number r of
/// eigenvectors, in float, with or without doubles.
void check_sizes(const CurvatureHead& head)
{
    const CurvatureData& data = head.data;
    const std::size_t n = data.layout.size(), covered = data.covered();
    std::size_t at  = 0;
    const auto next = [&] {
        require(at < head.sizes.size());
        return head.sizes[at++];
    };
    require(next() == n);
    require(next() == (data.options.structure == CurvatureStructure::diagonal ? covered : 0));
    for (const auto& f : data.kronecker) {
        const auto out = static_cast<std::size_t>(f.out), in = static_cast<std::size_t>(f.in);
        require(next() == in && next() == in * in);
        require(next() == out && next() == out * out);
    }
    const std::size_t r = next(), in_double = next(), in_float = next();
    require(r <= covered && (r == 0 || data.options.structure == CurvatureStructure::full));
    require((in_double == 0 || in_double == r * covered) && in_float == r * covered);
    require(at == head.sizes.size());
}

}   // namespace

json curvature_head(const CurvatureData& data)
{
    json factors = json::array();
    for (const auto& f : data.kronecker)
        factors.push_back({f.layer, f.out, f.in, f.n_weights, f.has_bias, f.weights, f.biases});
    json sizes = json::array();
    for_each_array(data, [&](const auto& array) { sizes.push_back(array.size()); });
    return {{"structure", static_cast<int>(data.options.structure)},
            {"layers", static_cast<int>(data.options.layers)},
            {"kind", static_cast<int>(data.options.kind)},
            {"form", static_cast<int>(data.options.form)},
            {"rank", data.options.rank},
            {"first_weight", data.first_weight},
            {"nll", data.nll},
            {"n_data", data.n_data},
            {"factors", factors},
            {"sizes", sizes}};
}

std::string curvature_numbers(const CurvatureData& data)
{
    std::size_t bytes = 0;
    for_each_array(data, [&](const auto& array) { bytes += array.size() * sizeof array[0]; });
    std::string numbers;
    numbers.reserve(bytes);
    for_each_array(data, [&](const auto& array) {
        numbers.append(reinterpret_cast<const char*>(array.data()), array.size() * sizeof array[0]);
    });
    return numbers;
}

std::size_t CurvatureHead::bytes() const
{
    std::size_t sum = 0;   // each size is at most the square of the largest network's
    for (std::size_t i = 0; i < sizes.size(); ++i)
        sum += sizes[i] * (i + 1 == sizes.size() ? sizeof(float) : sizeof(double));
    return sum;
}

CurvatureHead curvature_head_from(const json& head, const ParameterLayout& layout)
{
    constexpr long most = static_cast<long>(most_weights);
    const auto choice = [&](const char* key, int last) { return static_cast<int>(whole_from(head.at(key), 0, last)); };
    CurvatureHead read;
    CurvatureData& data = read.data;
    data.options        = {static_cast<CurvatureStructure>(choice("structure", 2)),
                           static_cast<CurvatureLayers>(choice("layers", 1)), static_cast<CurvatureKind>(choice("kind", 1)),
                           static_cast<KroneckerForm>(choice("form", 2)),
                    head.contains("rank") ? static_cast<int>(whole_from(head.at("rank"), 0, most_directions))
                                                 : 0};   // file of an older version
    data.layout         = layout;
    data.first_weight   = static_cast<std::size_t>(whole_from(head.at("first_weight"), 0, most));
    data.nll            = head.at("nll").get<double>();
    data.n_data         = whole_from(head.at("n_data"), 1, std::numeric_limits<long>::max());
    require(std::any_of(layout.blocks.begin(), layout.blocks.end(),
                        [&](const Block& b) { return b.kind == BlockKind::weights && b.begin == data.first_weight; }));
    for (const auto& item : head.at("factors")) {
        KroneckerFactor f;
        f.layer     = static_cast<int>(whole_from(item.at(0), 0, most));
        f.out       = static_cast<int>(whole_from(item.at(1), 1, most));
        f.in        = static_cast<int>(whole_from(item.at(2), 1, most));
        f.n_weights = static_cast<int>(whole_from(item.at(3), 0, most));
        f.has_bias  = item.at(4).get<bool>();
        f.weights   = static_cast<std::size_t>(whole_from(item.at(5), 0, most));
        f.biases    = static_cast<std::size_t>(whole_from(item.at(6), 0, most));
        require(data.kronecker.size() < layout.blocks.size());
        check_factor(f, data);
        data.kronecker.push_back(std::move(f));
    }
    require((data.options.structure == CurvatureStructure::kronecker) == !data.kronecker.empty());
    for (const auto& size : head.at("sizes"))
        read.sizes.push_back(static_cast<std::size_t>(whole_from(size, 0, most * most)));
    check_sizes(read);
    return read;
}

CurvatureData curvature_from(CurvatureHead head, const std::string& numbers)
{
    require(numbers.size() == head.bytes());
    std::size_t at = 0, i = 0;
    for_each_array(head.data, [&](auto& array) {
        array.resize(head.sizes[i++]);
        const std::size_t bytes = array.size() * sizeof array[0];
        if (bytes > 0)
            std::memcpy(array.data(), numbers.data() + at, bytes);
        at += bytes;
        require(all_finite(std::span<const typename std::decay_t<decltype(array)>::value_type>(array)));
    });
    require(std::all_of(head.data.map.begin(), head.data.map.end(), [](double weight) {
        return std::fabs(weight) <= std::numeric_limits<float>::max();   // networks store weights as float
    }));
    const auto not_negative = [](const std::vector<double>& values) {
        return std::all_of(values.begin(), values.end(), [](double value) { return value >= 0; });
    };
    for (const auto& f : head.data.kronecker)
        require(not_negative(f.a_values) && not_negative(f.b_values));
    return std::move(head.data);
}

}   // namespace credence
