// SPDX-License-Identifier: GPL-3.0-or-later
#include "data/split_rows.h"

#include "foundation/error.h"
#include "foundation/files.h"
#include "foundation/number_text.h"
#include "foundation/text.h"
#include "random/noise.h"

#include <algorithm>
#include <bit>
#include <cctype>
#include <charconv>
#include <cmath>
#include <filesystem>
#include <functional>
#include <numeric>
#include <optional>
#include <set>
#include <string_view>

namespace credence {
namespace {

using RowNumbers = std::vector<std::uint32_t>;

/// Indices of random-number keys: no choice changes the random numbers of another.
enum SplitRandom : std::uint32_t { choice_of_test_rows = 0, choice_of_calibration_rows = 1, choice_of_folds = 2 };

void require_share(const char* field, const char* name, double share)
{
    if (!(share >= 0 && share < 1))
        throw Error(field,
                    std::string(name) + " is " + number_text(share, 6) + ", expected a number from 0 to below 1.");
}

std::size_t share_of(double share, std::size_t n)
{
    return static_cast<std::size_t>(std::llround(share * static_cast<double>(n)));
}

RowNumbers all_rows(std::size_t n)
{
    RowNumbers rows(n);
    std::iota(rows.begin(), rows.end(), 0u);
    return rows;
}

/// Moves the marked rows to the result. Both keep their order. @param taken  [rows]
RowNumbers moved(RowNumbers& rows, const std::vector<bool>& taken)
{
    RowNumbers aside, left;
    for (std::size_t i = 0; i < rows.size(); ++i)
        (taken[i] ? aside : left).push_back(rows[i]);
    rows = std::move(left);
    return aside;
}

/// Moves a random share of the rows, at most all but one, to the result.
RowNumbers set_aside(RowNumbers& rows, double share, NoiseKey key)
{
    const std::size_t wanted = share_of(share, rows.size());
    if (wanted == 0 || rows.size() < 2)
        return {};
    auto order = permutation(key, rows.size());
    order.resize(std::min(wanted, rows.size() - 1));
    std::vector<bool> taken(rows.size(), false);
    for (const std::uint32_t i : order)
        taken[i] = true;
    return moved(rows, taken);
}

/// How many of these rows have each value of the column.
std::vector<std::size_t> rows_of_groups(const RowNumbers& rows, const SplitColumn& column)
{
    std::vector<std::size_t> size(column.values.size(), 0);
    for (const std::uint32_t i : rows)
        ++size[column.codes[i]];
    return size;
}

/// In the order of the table.
RowNumbers groups_with_rows(std::span<const std::size_t> size)
{
    RowNumbers groups;
    for (std::uint32_t g = 0; g < size.size(); ++g)
        if (size[g] > 0)
            groups.push_back(g);
    return groups;
}

/// Moves whole groups in random order to the result: as many as come closest to the share, at least one,
/// and at most all but one.
RowNumbers set_groups_aside(RowNumbers& rows, double share, const SplitColumn& column, NoiseKey key)
{
    if (share <= 0)
        return {};
    const auto size         = rows_of_groups(rows, column);
    const RowNumbers groups = groups_with_rows(size);
    if (groups.size() < 2)
        return {};
    const double wanted = share * static_cast<double>(rows.size());
    std::vector<bool> in_part(size.size(), false);
    double found = 0;
    for (const std::uint32_t k : permutation(key, groups.size())) {
        const double more = found + static_cast<double>(size[groups[k]]);
        const bool closer = std::fabs(more - wanted) < std::fabs(found - wanted);
        if ((found > 0 && !closer) || more >= static_cast<double>(rows.size()))
            break;
        in_part[groups[k]] = true;
        found              = more;
    }
    std::vector<bool> taken;
    taken.reserve(rows.size());
    for (const std::uint32_t i : rows)
        taken.push_back(in_part[column.codes[i]]);
    return moved(rows, taken);
}

/// Moves the last share of the rows in time order to the result. Rows of the same time stay together.
RowNumbers set_last_aside(RowNumbers& rows, double share, std::span<const double> times)
{
    const std::size_t n = rows.size(), wanted = std::min(share_of(share, n), n - 1);
    if (wanted == 0)
        return {};
    const auto time  = [&](std::uint32_t row) { return times.empty() ? static_cast<double>(row) : times[row]; };
    RowNumbers order = all_rows(n);   // positions in `rows`
    std::ranges::stable_sort(order, [&](std::uint32_t a, std::uint32_t b) { return time(rows[a]) < time(rows[b]); });
    std::size_t first      = n - wanted;
    const auto splits_time = [&](std::size_t at) { return time(rows[order[at - 1]]) == time(rows[order[at]]); };
    while (first > 1 && splits_time(first))
        --first;
    if (first == 1 && splits_time(first))   // all these rows have the earliest time: start after it
        while (first < n && splits_time(first))
            ++first;
    std::vector<bool> taken(n, false);
    for (std::size_t i = first; i < n; ++i)
        taken[order[i]] = true;
    return moved(rows, taken);
}

const SplitColumn& column_of(const Dataset& all, const char* kind)
{
    if (!all.split_column)
        throw Error("split.column", "split.kind is " + std::string(kind)
                                        + ", but split.column is empty; expected the name of a column of the table.");
    return *all.split_column;
}

enum class Mark { training, test, calibration };

/// The part that a cell of the column names.
std::optional<Mark> mark_of(const SplitColumn& column, const std::string& cell)
{
    const auto lower = [](std::string text) {
        std::ranges::transform(text, text.begin(), [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
        return text;
    };
    static const std::set<std::string> training{"train", "training", "learn", "fit"},
        test{"test", "testing", "holdout"}, calibration{"validation", "valid", "val", "dev", "calibration", "cal"},
        yes{"1", "true", "yes"}, no{"0", "false", "no"};
    const std::string word = lower(cell), name = lower(column.name);
    if (training.contains(word))
        return Mark::training;
    if (test.contains(word))
        return Mark::test;
    if (calibration.contains(word))
        return Mark::calibration;
    const bool tests = name.find("test") != name.npos, trains = name.find("train") != name.npos;
    if (tests != trains && (yes.contains(word) || no.contains(word)))
        return yes.contains(word) == tests ? Mark::test : Mark::training;
    return {};
}

SplitRows marked_rows(const Dataset& all)
{
    const SplitColumn& column = column_of(all, "column");
    std::vector<Mark> marks;
    for (std::size_t k = 0; k < column.values.size(); ++k) {
        const auto mark = mark_of(column, column.values[k]);
        if (!mark) {
            const auto first = std::ranges::find(column.codes, static_cast<std::uint32_t>(k)) - column.codes.begin();
            throw Error("split.column", "Column " + quoted_text(column.name) + " is " + quoted_text(column.values[k])
                                            + " in row " + std::to_string(all.table_row(std::size_t(first)))
                                            + ", expected train, test or validation.");
        }
        marks.push_back(*mark);
    }
    SplitRows rows;
    for (std::uint32_t i = 0; i < all.n_rows; ++i) {
        const Mark mark = marks[column.codes[i]];
        (mark == Mark::training ? rows.training : mark == Mark::test ? rows.test : rows.calibration).push_back(i);
    }
    if (rows.training.empty() || rows.test.empty())
        throw Error("split.column", "Column " + quoted_text(column.name) + " marks "
                                        + std::to_string(rows.training.size()) + " rows as train and "
                                        + std::to_string(rows.test.size())
                                        + " as test, expected at least one of each.");
    return rows;
}

/// The fold of each row, from 0. @param folds  at most n
std::vector<std::size_t> folds_of_rows(std::size_t n, std::size_t folds, NoiseKey key)
{
    const auto order = permutation(key, n);
    std::vector<std::size_t> fold_of(n);
    for (std::size_t fold = 0; fold < folds; ++fold)
        for (std::size_t i = n * fold / folds; i < n * (fold + 1) / folds; ++i)
            fold_of[order[i]] = fold;
    return fold_of;
}

/// The same for whole groups: each goes to the fold with the fewest rows, large ones first. Groups
/// whose sizes differ by less than a factor of two are in random order, so that the seed matters. The
/// sizes of two folds differ by at most the largest group.
/// @param groups  with rows, at least as many as folds
std::vector<std::size_t> folds_of_groups(const SplitColumn& column, std::span<const std::size_t> size,
                                         const RowNumbers& groups, std::size_t folds, NoiseKey key)
{
    auto order           = permutation(key, groups.size());
    const auto magnitude = [&](std::uint32_t i) { return std::bit_width(size[groups[i]]); };
    std::ranges::stable_sort(order, std::greater(), magnitude);
    std::vector<std::size_t> rows_in(folds, 0), fold_of_group(size.size(), 0);
    for (const std::uint32_t i : order) {
        const auto fewest        = std::ranges::min_element(rows_in);
        fold_of_group[groups[i]] = static_cast<std::size_t>(fewest - rows_in.begin());
        *fewest += size[groups[i]];
    }
    std::vector<std::size_t> fold_of;
    fold_of.reserve(column.codes.size());
    for (const std::uint32_t code : column.codes)
        fold_of.push_back(fold_of_group[code]);
    return fold_of;
}

SplitRows fold_rows(const Dataset& all, const SplitOptions& options)
{
    const SplitColumn* column = all.split_column.get();
    const auto size           = column ? rows_of_groups(all_rows(all.n_rows), *column) : std::vector<std::size_t>();
    const RowNumbers groups   = groups_with_rows(size);
    const std::size_t most    = column ? groups.size() : all.n_rows;
    const auto folds          = static_cast<std::size_t>(std::max(options.folds, 0));
    if (options.folds < 2 || folds > most)
        throw Error("split.folds", "split.folds is " + std::to_string(options.folds)
                                       + ", expected a number from 2 to the number of "
                                       + (column ? "groups in column " + quoted_text(column->name) : "rows") + ", "
                                       + std::to_string(most) + ".");
    if (options.fold < 1 || options.fold > options.folds)
        throw Error("split.fold", "split.fold is " + std::to_string(options.fold) + ", expected a number from 1 to "
                                      + std::to_string(options.folds) + ", the number of folds.");
    const NoiseKey key{options.seed, Stream::split, choice_of_folds};
    const auto fold_of = column ? folds_of_groups(*column, size, groups, folds, key)
                                : folds_of_rows(all.n_rows, folds, key);
    std::vector<bool> taken(all.n_rows);
    for (std::size_t i = 0; i < all.n_rows; ++i)
        taken[i] = fold_of[i] + 1 == static_cast<std::size_t>(options.fold);
    SplitRows rows{.training = all_rows(all.n_rows), .test = {}, .calibration = {}};
    rows.test = moved(rows.training, taken);
    return rows;
}

SplitRows listed_rows(const Dataset& all, const SplitOptions& options)
{
    if (options.test_rows.empty())
        throw Error("split.test_rows", "split.kind is file, but split.test_rows is empty; expected the path of a file "
                                       "with row numbers.");
    const auto listed = read_row_numbers(options.test_rows, all.n_table_rows > 0 ? all.n_table_rows : all.n_rows);
    const std::set<std::uint32_t> tests(listed.begin(), listed.end());
    std::vector<bool> taken(all.n_rows);
    for (std::size_t i = 0; i < all.n_rows; ++i)
        taken[i] = tests.contains(all.table_row(i));
    SplitRows rows{.training = all_rows(all.n_rows), .test = {}, .calibration = {}};
    rows.test = moved(rows.training, taken);
    if (rows.training.empty())
        throw Error("split.test_rows",
                    std::filesystem::path(options.test_rows).filename().string()
                        + " lists every row of the table, expected some rows that remain for training.");
    if (rows.test.empty())   // all of them have missing values
        throw Error("split.test_rows", std::filesystem::path(options.test_rows).filename().string()
                                           + " lists only rows that are left out because values are missing.");
    return rows;
}

}   // namespace

RowNumbers read_row_numbers(const std::string& file, std::size_t n_rows)
{
    const auto text        = read_file<std::string>(file, "row numbers, one per line");
    const std::string name = std::filesystem::path(file).filename().string();
    RowNumbers rows;
    std::vector<bool> seen(n_rows, false);
    std::string_view rest = text;
    for (std::size_t line = 1; !rest.empty(); ++line) {
        const auto end         = std::min(rest.find('\n'), rest.size());
        std::string_view piece = rest.substr(0, end);
        rest.remove_prefix(std::min(end + 1, rest.size()));
        while (!piece.empty() && std::isspace(static_cast<unsigned char>(piece.back())))
            piece.remove_suffix(1);
        while (!piece.empty() && std::isspace(static_cast<unsigned char>(piece.front())))
            piece.remove_prefix(1);
        if (piece.empty())
            continue;
        const auto refuse = [&](const std::string& found, const std::string& expected) {
            throw Error("split.test_rows",
                        name + ", line " + std::to_string(line) + ": " + found + ", expected " + expected + ".");
        };
        double number       = 0;   // NumPy's savetxt writes 121 as 1.210000000000000000e+02
        const auto [at, ec] = std::from_chars(piece.data(), piece.data() + piece.size(), number);
        if (ec != std::errc{} || at != piece.data() + piece.size() || number != std::floor(number))
            refuse("found " + quoted_text(piece), "one row number, counted from 0");
        if (!(number >= 0 && number < static_cast<double>(n_rows)))
            refuse("row " + std::string(piece), "a row from 0 to " + std::to_string(n_rows - 1));
        const auto row = static_cast<std::uint32_t>(number);
        if (seen[row])
            refuse("row " + std::to_string(row) + " is listed twice", "each row once");
        seen[row] = true;
        rows.push_back(row);
    }
    if (rows.empty())
        throw Error("split.test_rows", name + ": found no row numbers, expected one per line.");
    return rows;
}

SplitRows choose_rows(const Dataset& all, const SplitOptions& options)
{
    require_share("split.test_fraction", "Test fraction", options.test_fraction);
    require_share("split.calibration_fraction", "Calibration fraction", options.calibration_fraction);
    const NoiseKey tests{options.seed, Stream::split, choice_of_test_rows},
        calibrations{options.seed, Stream::split, choice_of_calibration_rows};
    const double test = options.test_fraction, calibration = options.calibration_fraction;
    SplitRows rows{.training = all_rows(all.n_rows), .test = {}, .calibration = {}};
    switch (options.kind) {
    case SplitKind::random: rows.test = set_aside(rows.training, test, tests); break;
    case SplitKind::folds:
        rows = fold_rows(all, options);
        if (all.split_column) {
            rows.calibration = set_groups_aside(rows.training, calibration, *all.split_column, calibrations);
            return rows;
        }
        break;
    case SplitKind::file: rows = listed_rows(all, options); break;
    case SplitKind::column:
        rows = marked_rows(all);
        if (!rows.calibration.empty())
            return rows;
        break;
    case SplitKind::groups: {
        const SplitColumn& column = column_of(all, "groups");
        if (column.values.size() < 2 && test > 0)
            throw Error("split.column", "Column " + quoted_text(column.name) + " has one value, "
                                            + quoted_text(column.values.front()) + ", expected at least two groups.");
        rows.test        = set_groups_aside(rows.training, test, column, tests);
        rows.calibration = set_groups_aside(rows.training, calibration, column, calibrations);
        return rows;
    }
    case SplitKind::time: {
        const SplitColumn* column = all.split_column.get();
        if (column && column->numbers.empty())
            throw Error("split.column", "Column " + quoted_text(column->name) + " has the value "
                                            + quoted_text(column->values.front())
                                            + ", expected numbers, dates or times for a split in time order.");
        const std::span<const double> times = column ? std::span<const double>(column->numbers)
                                                     : std::span<const double>{};
        rows.test                           = set_last_aside(rows.training, test, times);
        if (rows.training.size() > 1)
            rows.calibration = set_last_aside(rows.training, calibration, times);
        return rows;
    }
    }
    rows.calibration = set_aside(rows.training, calibration, calibrations);
    return rows;
}

}   // namespace credence
