// SPDX-License-Identifier: GPL-3.0-or-later
#include "foundation/error.h"
#include "results/results.h"
#include "runs/archive.h"
#include "runs/experiment.h"
#include "unit/refusal.h"

#include <SQLiteCpp/SQLiteCpp.h>
#include <gmock/gmock.h>
#include <nlohmann/json.hpp>
#include <zlib.h>

#include <cmath>
#include <cstring>
#include <fstream>
#include <iterator>
#include <unistd.h>

// Forged archives: each is rejected with one sentence.
namespace credence {
namespace {

using nlohmann::json;
using testing::AllOf;
using testing::EndsWith;
using testing::HasSubstr;
namespace fs = std::filesystem;

Study attacked_study(CurvatureStructure structure)
{
    Study study;
    study.name                                  = "small";
    study.data.toy.n                            = 40;
    study.network.hidden                        = {4};
    study.posterior.family                      = "laplace";
    study.posterior.laplace.curvature.structure = structure;
    study.training.steps                        = 20;
    study.prediction.samples                    = 10;
    return study;
}

SavedRun attacked_run(CurvatureStructure structure)
{
    const auto experiment = prepare(attacked_study(structure));
    const auto trained    = train(*experiment);
    return {"small",           "2026-01-02T03:04:05+0100",
            experiment->study, trained.report,
            trained.history,   {std::make_shared<Snapshot>(Snapshot{experiment->start, {}}), trained.report.last}};
}

std::string unpacked(const std::string& packed, std::size_t bytes)
{
    std::string plain(bytes, '\0');
    uLongf length = static_cast<uLongf>(bytes);
    EXPECT_EQ(uncompress(reinterpret_cast<Bytef*>(plain.data()), &length, reinterpret_cast<const Bytef*>(packed.data()),
                         static_cast<uLong>(packed.size())),
              Z_OK);
    return plain;
}
std::string packed(const std::string& plain)
{
    uLongf length = compressBound(static_cast<uLong>(plain.size()));
    std::string data(length, '\0');
    compress(reinterpret_cast<Bytef*>(data.data()), &length, reinterpret_cast<const Bytef*>(plain.data()),
             static_cast<uLong>(plain.size()));
    data.resize(length);
    return data;
}

class CraftedArchive : public testing::Test {
protected:
    void SetUp() override { fs::create_directories(folder); }
    void TearDown() override { fs::remove_all(folder); }

    void keep(CurvatureStructure structure = CurvatureStructure::kronecker) const
    {
        save_run(attacked_run(structure), file);
    }
    void execute(const std::string& sql) const { SQLite::Database(file.string(), SQLite::OPEN_READWRITE).exec(sql); }

    std::string part(const std::string& name) const
    {
        SQLite::Database base(file.string());
        SQLite::Statement query(base, "SELECT bytes, packed FROM part WHERE name = '" + name + "'");
        EXPECT_TRUE(query.executeStep()) << name;
        return unpacked(query.getColumn(1).getString(), static_cast<std::size_t>(query.getColumn(0).getInt64()));
    }
    void put_row(const std::string& update, const std::string& plain) const
    {
        SQLite::Database base(file.string(), SQLite::OPEN_READWRITE);
        SQLite::Statement query(base, update);
        const std::string data = packed(plain);
        query.bind(1, static_cast<std::int64_t>(plain.size()));
        query.bind(2, data.data(), static_cast<int>(data.size()));
        EXPECT_EQ(query.exec(), 1);
    }
    void put_part(const std::string& name, const std::string& plain) const
    {
        put_row("UPDATE part SET bytes = ?, packed = ? WHERE name = '" + name + "'", plain);
    }
    void put_parameters(int number, const std::string& plain) const
    {
        put_row("UPDATE snapshot SET bytes = ?, packed = ? WHERE number = " + std::to_string(number), plain);
    }

    std::string sentence() const
    {
        return sentence_of_error([&] {
            for (const auto& snapshot : load_run(file).snapshots)   // what is read can be used
                snapshot->posterior->describe();
        });
    }
    /// The error for an archive whose part `name` was changed; the part is restored afterwards.
    template <class Change>
    std::string changed(const std::string& name, Change change) const
    {
        const std::string before = part(name);
        json value               = json::parse(before);
        change(value);
        put_part(name, value.dump());
        const std::string text = sentence();
        put_part(name, before);
        return text;
    }

    const fs::path folder = fs::path(testing::TempDir()) / ("credence_crafted_" + std::to_string(::getpid()));
    const fs::path file   = folder / "run.credence";
};

TEST_F(CraftedArchive, AFactorOfAnotherLayerIsRejected)
{
    keep();
    ASSERT_EQ(sentence(), "");
    for (const std::int64_t layer :
         {std::int64_t{-1}, std::int64_t{1}, std::int64_t{1'000'000}, -(std::int64_t{1} << 31), std::int64_t{1} << 31})
        EXPECT_THAT(changed("curvature", [&](json& j) { j["factors"][0][0] = layer; }),
                    HasSubstr("run.credence: expected a saved Credence run, but "))
            << layer;
    for (const int place : {1, 2, 3, 5, 6})
        for (const json& value : {json(0), json(7), json(-1), json(1e30), json("x"), json(std::uint64_t{1} << 63)})
            EXPECT_THAT(changed(
                            "curvature",
                            [&](json& j) {
                if (j["factors"][0][place] == value)
                    j["factors"][0][place] = 99;
                else
                    j["factors"][0][place] = value;
                            }),
                        HasSubstr("expected a saved Credence run, but "))
                << place << ' ' << value;
}

TEST_F(CraftedArchive, EveryHeadOfACurvatureIsReadOrRejected)
{
    for (const auto structure :
         {CurvatureStructure::diagonal, CurvatureStructure::kronecker, CurvatureStructure::full}) {
        keep(structure);
        for (const char* key : {"structure", "layers", "kind", "form", "first_weight", "n_data", "precision", "nll",
                                "factors", "sizes"}) {
            EXPECT_THAT(changed("curvature", [&](json& j) { j[key] = "x"; }),
                        HasSubstr("expected a saved Credence run, but "))
                << key;
            EXPECT_THAT(changed("curvature", [&](json& j) { j.erase(key); }),
                        HasSubstr("expected a saved Credence run, but "))
                << key;
        }
        for (const char* key : {"structure", "first_weight", "n_data", "precision"})
            EXPECT_THAT(changed("curvature", [&](json& j) { j[key] = -3; }),
                        HasSubstr("expected a saved Credence run, but "))
                << key;
        const std::size_t arrays = json::parse(part("curvature")).at("sizes").size();
        for (std::size_t i = 0; i < arrays; ++i)
            for (const json& size : {json(1), json(-1), json(std::int64_t{1} << 40), json(std::uint64_t{1} << 63)})
                EXPECT_THAT(changed("curvature", [&](json& j) { j["sizes"][i] = size; }),
                            HasSubstr("expected a saved Credence run, but "))
                    << i << ' ' << size;
    }
}

TEST_F(CraftedArchive, EigenvectorsOnlyInDoubleAreRejected)
{
    keep(CurvatureStructure::full);
    const std::string numbers = part("curvature_numbers");
    json head                 = json::parse(part("curvature"));
    const auto floats         = head["sizes"].back().get<std::size_t>();
    ASSERT_GT(floats, 0u);
    head["sizes"].back() = 0;
    put_part("curvature", head.dump());
    put_part("curvature_numbers", numbers.substr(0, numbers.size() - 4 * floats));
    EXPECT_THAT(sentence(), HasSubstr("but its curvature does not match its network."));
}

TEST_F(CraftedArchive, ANumberThatIsNotFiniteIsRejected)
{
    keep();
    const std::string numbers = part("curvature_numbers");
    for (const double value : {std::nan(""), HUGE_VAL, -HUGE_VAL, -2e307}) {   // the last one is none of float
        std::string bad = numbers;
        std::memcpy(bad.data() + 8, &value, sizeof value);
        put_part("curvature_numbers", bad);
        EXPECT_THAT(sentence(), HasSubstr("its curvature does not match its network"));
    }
    put_part("curvature_numbers", numbers);
    const std::size_t n = load_run(file).snapshots.front()->posterior->numbers().size();
    std::vector<float> parameters(n, 0.5f);
    parameters[3] = NAN;
    put_parameters(0, {reinterpret_cast<const char*>(parameters.data()), n * sizeof(float)});
    EXPECT_THAT(sentence(), HasSubstr("a snapshot has a parameter that is not finite."));
}

TEST_F(CraftedArchive, AClaimedSizeAllocatesNoMemory)
{
    keep();
    for (const char* size : {"8589934592", "1073741824", "-1"}) {
        execute("UPDATE part SET bytes = " + std::string(size) + " WHERE name = 'history'");
        EXPECT_THAT(sentence(), HasSubstr("a part has an impossible size"));
    }
    keep();
    execute("UPDATE snapshot SET bytes = 8589934592");
    EXPECT_THAT(sentence(), HasSubstr("a snapshot has 8589934592 bytes, expected "));
}

TEST_F(CraftedArchive, AnImpossibleLayoutIsRejected)
{
    keep();
    const auto refused = AllOf(HasSubstr("expected a saved Credence run, but "), EndsWith("."));
    for (const std::size_t block : {0u, 3u})
        for (int place = 1; place < 7; ++place)
            for (const json& value :
                 {json(-1), json(0), json(1e30), json("x"), json(std::int64_t{1} << 32), json(3'000'000'000)})
                EXPECT_THAT(changed(
                                "run",
                                [&](json& j) {
                    j["layout"][block][place] = place == 3 && block == 0 && value == 0  ? json(1)
                                                : place == 2 && block < 2 && value == 0 ? json(5)
                                                                                        : value;
                                }),
                            refused)
                    << block << ' ' << place << ' ' << value;
    EXPECT_THAT(changed("run", [](json& j) { j["layout"].erase(0); }), refused);
    EXPECT_THAT(changed("run", [](json& j) { j["layout"].erase(3); }), refused);
    EXPECT_THAT(changed("run", [](json& j) { j["snapshots"] = 1; }), refused);
    EXPECT_THAT(changed("run", [](json& j) { j["snapshots"] = 1e300; }), refused);
}

TEST_F(CraftedArchive, AStudyNestedDeepIsRejected)
{
    keep();
    put_part("run", "{\"name\":" + std::string(100'000, '[') + std::string(100'000, ']') + "}");
    EXPECT_THAT(sentence(), HasSubstr("a part, line 1: found lists or objects nested more than 64 deep"));
    EXPECT_THROW(load_run_summary(file), Error);
}

TEST_F(CraftedArchive, AViewInPlaceOfATableIsRejected)
{
    keep();
    execute("ALTER TABLE snapshot RENAME TO other");
    EXPECT_THAT(sentence(), HasSubstr("it contains a table that Credence does not write"));
    execute("CREATE VIEW snapshot AS WITH RECURSIVE n(i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM n) SELECT i AS "
            "number, 2 AS point_bytes, x'00' AS point, 0 AS bytes, x'00' AS packed FROM n");
    EXPECT_THAT(sentence(), HasSubstr("that Credence does not write"));
    keep();
    execute("CREATE TRIGGER t AFTER INSERT ON part BEGIN SELECT 1; END");
    EXPECT_THAT(sentence(), HasSubstr("it contains a trigger that Credence does not write"));
    keep();
    execute("DROP TABLE snapshot");
    EXPECT_THAT(sentence(), HasSubstr("its tables are missing"));
}

TEST(Archive, AHistoryStoresNonFiniteValues)
{
    const auto file = fs::path(testing::TempDir()) / ("infinite_" + std::to_string(::getpid()) + ".credence");
    SavedRun run;
    run.history.resize(3);
    run.history[0].data_loss = HUGE_VAL;
    run.history[1].data_loss = -HUGE_VAL;
    run.history[2].data_loss = NAN;
    run.history[0].layers    = {{.block              = "dense 1 weights",
                                 .kind               = BlockKind::weights,
                                 .tau                = HUGE_VAL,
                                 .rho                = {},
                                 .dropout_rate       = {},
                                 .mean_abs           = 1,
                                 .median_sd          = 2,
                                 .median_relative_sd = HUGE_VAL}};
    save_run(run, file);
    const auto read = load_run(file).history;
    fs::remove(file);
    EXPECT_EQ(read[0].data_loss, HUGE_VAL);
    EXPECT_EQ(read[1].data_loss, -HUGE_VAL);
    EXPECT_TRUE(std::isnan(*read[2].data_loss));
    EXPECT_EQ(read[0].layers[0].tau, HUGE_VAL);
    EXPECT_EQ(read[0].layers[0].median_relative_sd, HUGE_VAL);
}

TEST_F(CraftedArchive, TwoRunsDifferOnlyInTheirTimes)
{
    const auto contents = [&](double seconds) {
        SavedRun run       = attacked_run(CurvatureStructure::kronecker);
        run.started        = "2026-01-02T03:04:0" + std::to_string(static_cast<int>(seconds)) + "+0100";
        run.report.seconds = seconds;
        for (auto& point : run.history)
            point.seconds = seconds;
        Snapshot last        = *run.snapshots.back();
        last.point.seconds   = seconds;
        run.snapshots.back() = std::make_shared<Snapshot>(last);
        save_run(run, file);
        const SavedRun read = load_run(file);
        EXPECT_EQ(read.started, run.started);
        EXPECT_EQ(read.report.seconds, seconds);
        EXPECT_EQ(read.history.back().seconds, seconds);
        EXPECT_EQ(read.snapshots.back()->point.seconds, seconds);
        EXPECT_EQ(load_run_summary(file).report.seconds, seconds);
        std::vector<std::string> rows;
        SQLite::Database base(file.string());
        for (const char* sql : {"SELECT name, bytes, hex(packed) FROM part WHERE name <> 'times'",
                                "SELECT number, hex(point), hex(packed) FROM snapshot"})
            for (SQLite::Statement query(base, sql); query.executeStep();)
                rows.push_back(query.getColumn(0).getString() + query.getColumn(1).getString()
                               + query.getColumn(2).getString());
        return rows;
    };
    EXPECT_EQ(contents(1), contents(2));
}

TEST_F(CraftedArchive, ARunWithoutABeginningHasNoTimes)
{
    const auto bytes = [&](double seconds) {
        SavedRun run = attacked_run(CurvatureStructure::kronecker);
        run.started.clear();
        run.report.seconds = seconds;
        for (auto& point : run.history)
            point.seconds = seconds;
        save_run(run, file);
        std::ifstream stream(file, std::ios::binary);
        return std::string(std::istreambuf_iterator<char>(stream), {});
    };
    const std::string first = bytes(1);
    EXPECT_TRUE(bytes(2) == first);
    EXPECT_EQ(load_run(file).started, "");
    EXPECT_EQ(load_run(file).report.seconds, 0);
    EXPECT_EQ(load_run_summary(file).report.seconds, 0);
}

TEST_F(CraftedArchive, AFileOfTheFirstFormatIsStillRead)
{
    keep();
    json head                 = json::parse(part("run"));
    head["started"]           = "2025-01-01T00:00:00+0000";
    head["report"]["seconds"] = 12.5;
    json history              = json::parse(part("history"));
    for (auto& point : history) {
        point["seconds"]   = 2.5;
        point["data_loss"] = nullptr;
    }
    put_part("run", head.dump());
    put_part("history", history.dump());
    execute("DELETE FROM part WHERE name = 'times'");
    execute("PRAGMA user_version = 1");
    const SavedRun read = load_run(file);
    EXPECT_EQ(read.started, "2025-01-01T00:00:00+0000");
    EXPECT_EQ(read.report.seconds, 12.5);
    EXPECT_EQ(read.history.back().seconds, 2.5);
    EXPECT_TRUE(std::isnan(*read.history.back().data_loss));
    execute("PRAGMA user_version = 4");
    EXPECT_THAT(sentence(), HasSubstr("it has format 4, but this program reads formats 1 to 3."));
}

TEST(RunSnapshot, WeightsOfAnotherNetworkAreRejected)
{
    const auto run       = attacked_run(CurvatureStructure::diagonal);
    Study wider          = run.study;
    wider.network.hidden = {5};
    EXPECT_NO_THROW(RunSnapshot(prepare(run.study), run.snapshots.back(), nullptr));
    EXPECT_THAT([&] { RunSnapshot(prepare(wider), run.snapshots.back(), nullptr); },
                testing::ThrowsMessage<Error>(
                    "The data of the run \"small\" have changed since: its network no longer matches them."));
}

}   // namespace
}   // namespace credence
