// SPDX-License-Identifier: GPL-3.0-or-later
#include "runs/archive_draws.h"

#include "foundation/error.h"
#include "runs/packed.h"

#include <SQLiteCpp/SQLiteCpp.h>

#include <algorithm>
#include <cstring>
#include <string>

namespace credence {
namespace {

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

/// Calls visit(name, first byte, bytes) for each piece of so many bytes.
template <class Visit>
void for_each_piece(std::int64_t number, std::size_t bytes, Visit visit)
{
    for (std::size_t first = 0; first < bytes; first += bytes_of_piece)
        visit(name_of_piece(number, first / bytes_of_piece), first, std::min(bytes_of_piece, bytes - first));
}

}   // namespace

std::vector<bool> parts_of_last(const SavedRun& run)
{
    std::vector<bool> parts(run.snapshots.size());
    const auto set_of = [&](std::size_t i) {
        return dynamic_cast<const SampleSet*>(run.snapshots[i]->posterior.get());
    };
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

}   // namespace credence
