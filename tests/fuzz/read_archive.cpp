// SPDX-License-Identifier: GPL-3.0-or-later
#include "fuzz/reader.h"
#include "runs/archive.h"

#include <SQLiteCpp/SQLiteCpp.h>
#include <zlib.h>

#include <algorithm>
#include <cmath>

namespace credence::fuzz {

namespace {

std::string packed(const std::string& plain)
{
    uLongf length = compressBound(static_cast<uLong>(plain.size()));
    std::string data(length, '\0');
    compress2(reinterpret_cast<Bytef*>(data.data()), &length, reinterpret_cast<const Bytef*>(plain.data()),
              static_cast<uLong>(plain.size()), 0);
    data.resize(length);
    return data;
}

void bind_packed(SQLite::Statement& statement, int at, const std::string& plain)
{
    const std::string data = packed(plain);
    statement.bind(at, static_cast<std::int64_t>(plain.size()));
    statement.bind(at + 1, data.data(), static_cast<int>(data.size()));
}

/// Removes and returns everything before the next zero byte.
std::string pop_text(std::string& input)
{
    const std::size_t end   = std::min(input.find('\0'), input.size());
    const std::string piece = input.substr(0, end);
    input.erase(0, end + 1);
    return piece;
}

}   // namespace

/// Any bytes as the parts of an archive, divided by zero bytes: run, history, times, curvature and
/// a point as JSON; then a byte that counts the weights, the weights (also as the draws of a set),
/// and the numbers of the curvature. An accepted archive has finite weights and moments.
bool read_archive(Bytes bytes)
{
    const std::string file = (memory_folder() / "run.credence").string();
    std::string input(reinterpret_cast<const char*>(bytes.data()), bytes.size());
    std::error_code ignored;
    std::filesystem::remove(file, ignored);
    {
        SQLite::Database base(file, SQLite::OPEN_READWRITE | SQLite::OPEN_CREATE);
        base.exec("PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF; PRAGMA application_id = 1131570532; PRAGMA "
                  "user_version = 3");
        base.exec("BEGIN");   // one commit in place of eight
        base.exec("CREATE TABLE part(name TEXT PRIMARY KEY, bytes INTEGER NOT NULL, packed BLOB NOT NULL)");
        base.exec(
            "CREATE TABLE snapshot(number INTEGER PRIMARY KEY, point_bytes INTEGER NOT NULL, point BLOB NOT NULL, "
            "bytes INTEGER NOT NULL, packed BLOB NOT NULL)");
        for (const char* name : {"run", "history", "times", "curvature"}) {
            const std::string text = pop_text(input);
            if (text.empty())
                continue;
            SQLite::Statement insert(base, "INSERT INTO part VALUES (?, ?, ?)");
            insert.bind(1, name);
            bind_packed(insert, 2, text);
            insert.exec();
        }
        const std::string point   = pop_text(input);
        const std::size_t n       = input.empty() ? 0 : 4 * static_cast<unsigned char>(input[0]);
        const std::string weights = input.empty() ? "" : input.substr(1, n);
        input.erase(0, std::min(input.size(), 1 + n));
        SQLite::Statement numbers(base, "INSERT INTO part VALUES ('curvature_numbers', ?, ?)");
        bind_packed(numbers, 1, input);
        numbers.exec();
        SQLite::Statement snapshot(base, "INSERT INTO snapshot VALUES (0, ?, ?, ?, ?)");
        bind_packed(snapshot, 1, point);
        bind_packed(snapshot, 3, weights);
        snapshot.exec();
        SQLite::Statement draws(base, "INSERT INTO part VALUES ('draws 0/0', ?, ?)");
        bind_packed(draws, 1, weights);
        draws.exec();
        base.exec("COMMIT");
    }
    return attempt([&] {
        load_run_summary(file);
        for (const auto& snapshot : load_run(file).snapshots) {
            std::vector<float> mean(snapshot->posterior->layout().size()), sd(mean.size());
            snapshot->posterior->moments(mean, sd);
            for (const float value : mean)
                holds(std::isfinite(value), "weights that were read are finite");
        }
    });
}

}   // namespace credence::fuzz
