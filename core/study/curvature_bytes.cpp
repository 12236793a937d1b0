// SPDX-License-Identifier: GPL-3.0-or-later
#include "study/curvature_bytes.h"

#include "foundation/error.h"

#include <nlohmann/json.hpp>

#include <cstring>

namespace credence {
namespace {

using nlohmann::json;

/// Calls `visit` for every array of numbers, in the order in which they are kept.
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
        throw Error("its curvature does not fit its net");
}

void check(const CurvatureData& data)
{
    const std::size_t n = data.layout.size(), covered = data.covered();
    require(data.first_weight <= n && data.map.size() == n && data.n_data > 0);
    const bool kronecker = data.options.structure == CurvatureStructure::kronecker;
    require(data.diagonal.size() == (data.options.structure == CurvatureStructure::diagonal ? covered : 0));
    require(kronecker == !data.kronecker.empty());
    for (const auto& f : data.kronecker) {
        require(f.out > 0 && f.in > 0 && f.n_weights >= 0 && f.n_weights <= f.in && f.n_weights + static_cast<int>(f.has_bias) >= f.in);
        const auto out = static_cast<std::size_t>(f.out), in = static_cast<std::size_t>(f.in);
        require(f.a_values.size() == in && f.a_vectors.size() == in * in && f.b_values.size() == out && f.b_vectors.size() == out * out);
        require(f.n_weights == 0 || (f.weights >= data.first_weight && f.weights <= n && out * static_cast<std::size_t>(f.n_weights) <= n - f.weights));
        require(!f.has_bias || (f.biases >= data.first_weight && f.biases <= n && out <= n - f.biases));
    }
    const std::size_t r = data.eigenvalues.size();
    require(data.options.structure == CurvatureStructure::full || r == 0);
    require(r <= covered && (data.eigenvectors.empty() || data.eigenvectors.size() == r * covered));
    require(data.eigenvectors_float.empty() || data.eigenvectors_float.size() == r * covered);
    require(r == 0 || !data.eigenvectors.empty() || !data.eigenvectors_float.empty());
}

}  // namespace

json curvature_head(const CurvatureData& data)
{
    json factors = json::array();
    for (const auto& f : data.kronecker)
        factors.push_back({f.layer, f.out, f.in, f.n_weights, f.has_bias, f.weights, f.biases});
    json sizes = json::array();
    for_each_array(data, [&](const auto& array) { sizes.push_back(array.size()); });
    return {{"structure", static_cast<int>(data.options.structure)}, {"layers", static_cast<int>(data.options.layers)}, {"kind", static_cast<int>(data.options.kind)},
            {"form", static_cast<int>(data.options.form)}, {"first_weight", data.first_weight}, {"nll", data.nll}, {"n_data", data.n_data},
            {"factors", factors}, {"sizes", sizes}};
}

std::string curvature_numbers(const CurvatureData& data)
{
    std::size_t bytes = 0;
    for_each_array(data, [&](const auto& array) { bytes += array.size() * sizeof array[0]; });
    std::string numbers;
    numbers.reserve(bytes);
    for_each_array(data, [&](const auto& array) { numbers.append(reinterpret_cast<const char*>(array.data()), array.size() * sizeof array[0]); });
    return numbers;
}

CurvatureData curvature_from(const json& head, const std::string& numbers, const ParameterLayout& layout)
{
    const auto choice = [&](const char* key, int last) {
        const int value = head.at(key).get<int>();
        require(value >= 0 && value <= last);
        return value;
    };
    CurvatureData data;
    data.options      = {static_cast<CurvatureStructure>(choice("structure", 2)), static_cast<CurvatureLayers>(choice("layers", 1)),
                         static_cast<CurvatureKind>(choice("kind", 1)), static_cast<KroneckerForm>(choice("form", 2))};
    data.layout       = layout;
    data.first_weight = head.at("first_weight").get<std::size_t>();
    data.nll          = head.at("nll").get<double>();
    data.n_data       = head.at("n_data").get<long>();
    for (const auto& item : head.at("factors")) {
        KroneckerFactor f;
        f.layer     = item.at(0).get<int>();
        f.out       = item.at(1).get<int>();
        f.in        = item.at(2).get<int>();
        f.n_weights = item.at(3).get<int>();
        f.has_bias  = item.at(4).get<bool>();
        f.weights   = item.at(5).get<std::size_t>();
        f.biases    = item.at(6).get<std::size_t>();
        data.kronecker.push_back(std::move(f));
    }
    const auto& sizes = head.at("sizes");
    std::size_t at = 0, i = 0;
    for_each_array(data, [&](auto& array) {
        const auto size  = sizes.at(i++).template get<std::size_t>();
        const auto bytes = sizeof array[0];
        require(size <= (numbers.size() - at) / bytes);
        array.resize(size);
        if (size > 0)
            std::memcpy(array.data(), numbers.data() + at, size * bytes);
        at += size * bytes;
    });
    require(at == numbers.size() && i == sizes.size());
    check(data);
    return data;
}

}  // namespace credence
