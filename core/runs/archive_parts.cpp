// SPDX-License-Identifier: GPL-3.0-or-later
#include "runs/archive_parts.h"

#include "foundation/error.h"
#include "foundation/statistics.h"
#include "layers/kind.h"
#include "runs/archive_json.h"

#include <SQLiteCpp/SQLiteCpp.h>
#include <nlohmann/json.hpp>
#include <zlib.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>
#include <span>
#include <string>
#include <type_traits>

namespace credence {
namespace {

constexpr int stored = 0, quickly = 1;   // levels of zlib

Packed packed_at(int level, std::string_view plain)
{
    uLongf length = compressBound(static_cast<uLong>(plain.size()));
    std::string packed(length, '\0');
    if (compress2(reinterpret_cast<Bytef*>(packed.data()), &length, reinterpret_cast<const Bytef*>(plain.data()),
                  static_cast<uLong>(plain.size()), level)
        != Z_OK)
        throw Error("The run could not be packed: not enough memory.");
    packed.resize(length);
    return {plain.size(), std::move(packed)};
}

/// True if compression is worthwhile; tested on a sample of a sixteenth of a mebibyte.
bool deflates_well(std::string_view plain)
{
    constexpr std::size_t pieces = 16, piece = 4096;
    if (plain.size() <= pieces * piece)
        return true;
    std::string some;
    for (std::size_t i = 0; i < pieces; ++i)
        some += plain.substr((plain.size() - piece) / (pieces - 1) * i, piece);
    return 8 * packed_at(quickly, some).data.size() < 7 * some.size();
}

constexpr std::size_t bytes_of_piece = std::size_t{1} << 20;

std::string name_of_piece(std::int64_t snapshot, std::size_t piece)
{
    return "draws " + std::to_string(snapshot) + "/" + std::to_string(piece);
}

void require_bytes_of_draws(std::size_t bytes)
{
    if (bytes > most_bytes_of_draws)
        throw Error("a set of draws has " + std::to_string(bytes) + " bytes, expected at most "
                    + std::to_string(most_bytes_of_draws));
}

bool has_first(const SampleSet& whole, const SampleSet& part)
{
    const auto all = whole.numbers(), some = part.numbers();
    return some.size() <= all.size()
           && (some.data() == all.data() || std::memcmp(some.data(), all.data(), some.size_bytes()) == 0);
}

/// Calls visit(name, first byte, bytes) for each piece of this many bytes.
template <class Visit>
void for_each_piece(std::int64_t number, std::size_t bytes, Visit visit)
{
    for (std::size_t first = 0; first < bytes; first += bytes_of_piece)
        visit(name_of_piece(number, first / bytes_of_piece), first, std::min(bytes_of_piece, bytes - first));
}

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
    require(f.layer >= 0 && f.layer < data.layout.n_layers());
    const auto [weights, biases] = data.layout.layer(f.layer);
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

Packed pack(std::string_view plain) { return packed_at(quickly, plain); }

Packed pack_numbers(std::string_view plain) { return packed_at(deflates_well(plain) ? quickly : stored, plain); }

std::string_view bytes_of(std::span<const float> numbers)
{
    return {reinterpret_cast<const char*>(numbers.data()), numbers.size_bytes()};
}

void require_possible_size(std::int64_t bytes, std::size_t packed, std::size_t most)
{
    if (bytes < 0 || static_cast<std::uint64_t>(bytes) > most || static_cast<std::uint64_t>(bytes) / 1032 > packed + 1)
        throw Error("a part has an impossible size");
}

void unpack_into(std::string_view packed, std::span<char> plain)
{
    auto length = static_cast<uLongf>(plain.size());
    // An empty part still has zlib's header; zlib needs a valid output pointer.
    char nothing = 0;
    auto* target = reinterpret_cast<Bytef*>(plain.empty() ? &nothing : plain.data());
    if (uncompress(target, &length, reinterpret_cast<const Bytef*>(packed.data()), static_cast<uLong>(packed.size()))
            != Z_OK
        || length != plain.size())
        throw Error("a part is damaged");
}

std::string unpack(std::int64_t bytes, std::string_view packed, std::size_t most)
{
    require_possible_size(bytes, packed.size(), most);
    std::string plain(static_cast<std::size_t>(bytes), '\0');
    unpack_into(packed, plain);
    return plain;
}

std::vector<bool> parts_of_last(const SavedRun& run)
{
    std::vector<bool> parts(run.snapshots.size());
    const auto set_of           = [&](std::size_t i) { return sample_set_of(*run.snapshots[i]->posterior); };
    const SampleSet* const last = parts.empty() ? nullptr : set_of(parts.size() - 1);
    for (std::size_t i = 0; last && i + 1 < parts.size(); ++i)
        if (const SampleSet* const set = set_of(i))
            parts[i] = set->layout() == last->layout() && has_first(*last, *set);
    return parts;
}

void write_draws(SQLite::Database& base, std::int64_t number, std::span<const float> draws,
                 function_ref<void(std::size_t bytes)> written)
{
    const auto all = bytes_of(draws);
    require_bytes_of_draws(all.size());
    SQLite::Statement insert(base, "INSERT INTO part VALUES (?, ?, ?)");
    for_each_piece(number, all.size(), [&](const std::string& name, std::size_t first, std::size_t bytes) {
        const Packed packed = pack_numbers(all.substr(first, bytes));
        insert.bind(1, name);
        insert.bind(2, static_cast<std::int64_t>(packed.bytes));
        insert.bindNoCopy(3, packed.data.data(), static_cast<int>(packed.data.size()));
        insert.exec();
        insert.reset();
        insert.clearBindings();
        written(bytes);
    });
}

aligned_vector<float> read_draws(const SQLite::Database& base, std::int64_t number, std::size_t draws,
                                 std::size_t weights)
{
    const std::size_t all = draws * weights * sizeof(float);
    require_bytes_of_draws(all);
    // SQLite stores the length of a value at the start of its row, so the value itself is not read.
    SQLite::Statement look(base, "SELECT bytes, length(packed) FROM part WHERE name = ?");
    for_each_piece(number, all, [&](const std::string& name, std::size_t, std::size_t bytes) {
        look.bind(1, name);
        if (!look.executeStep())
            throw Error("its part \"" + name + "\" is missing");
        const std::int64_t claimed = look.getColumn(0).getInt64(), packed = look.getColumn(1).getInt64();
        require_possible_size(claimed, static_cast<std::size_t>(std::max<std::int64_t>(0, packed)), bytes_of_piece);
        if (claimed != static_cast<std::int64_t>(bytes))
            throw Error("its part \"" + name + "\" has " + std::to_string(claimed) + " bytes, expected "
                        + std::to_string(bytes));
        look.reset();
    });
    aligned_vector<float> numbers(all / sizeof(float));
    auto* const to = reinterpret_cast<char*>(numbers.data());
    SQLite::Statement read(base, "SELECT packed FROM part WHERE name = ?");
    for_each_piece(number, all, [&](const std::string& name, std::size_t first, std::size_t bytes) {
        read.bind(1, name);
        if (!read.executeStep())
            throw Error("its part \"" + name + "\" is missing");
        const auto column = read.getColumn(0);
        unpack_into({static_cast<const char*>(column.getBlob()), static_cast<std::size_t>(column.getBytes())},
                    {to + first, bytes});
        read.reset();
    });
    return numbers;
}

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
    const bool ranked   = head.contains("rank");   // not in a file of an older version
    data.options        = {.structure = static_cast<CurvatureStructure>(choice("structure", 2)),
                           .layers    = static_cast<CurvatureLayers>(choice("layers", 1)),
                           .kind      = static_cast<CurvatureKind>(choice("kind", 1)),
                           .form      = static_cast<KroneckerForm>(choice("form", 2)),
                           .rank      = ranked ? static_cast<int>(whole_from(head.at("rank"), 0, most_directions)) : 0};
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
