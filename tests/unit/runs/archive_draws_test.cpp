// SPDX-License-Identifier: GPL-3.0-or-later
#include "foundation/error.h"
#include "foundation/progress.h"
#include "posterior/sample_set.h"
#include "runs/archive.h"
#include "runs/archive_parts.h"
#include "short_run.h"
#include "unit/refusal.h"

#include <SQLiteCpp/SQLiteCpp.h>
#include <gmock/gmock.h>
#include <nlohmann/json.hpp>

#include <fstream>
#include <iterator>
#include <unistd.h>

// Sets of draws in the archive of a run: each draw once, and read back into one memory.
namespace credence {
namespace {

using nlohmann::json;
using testing::ElementsAre;
using testing::ElementsAreArray;
using testing::HasSubstr;
namespace fs = std::filesystem;
using Draws  = aligned_vector<float>;

const ParameterLayout& layout_of_draws()
{
    static const auto layout = prepare(small_study("mean_field"))->start->layout();
    return layout;
}

Draws normal_draws(std::size_t n, std::uint64_t seed = 3)
{
    Draws draws(n * layout_of_draws().size());
    standard_normals({seed, Stream::data, 0}, 0, std::span<float>(draws));
    return draws;
}

SampleOrigin origin_of(std::size_t n)
{
    SampleOrigin origin;
    for (std::size_t i = 0; i < n; ++i) {
        origin.chains.push_back(static_cast<int>(i % 4));
        origin.steps.push_back(static_cast<long>(10 * i));
    }
    return origin;
}

void add_set(SavedRun& run, std::shared_ptr<const SampleSet> set)
{
    TrainingPoint point;
    point.step    = 100 * static_cast<long>(run.snapshots.size() + 1);
    point.seconds = 0.5 * static_cast<double>(run.snapshots.size());
    run.history.push_back(point);
    run.snapshots.push_back(std::make_shared<const Snapshot>(Snapshot{std::move(set), point}));
}

SavedRun run_of_draws()
{
    return {.name      = "draws",
            .started   = "2026-01-02T03:04:05+0100",
            .study     = small_study("mean_field"),
            .report    = {},
            .history   = {},
            .snapshots = {}};
}

/// As a run of chains records them: the first draws in one memory. The largest needs more than one piece in the file.
SavedRun growing_run(std::vector<std::size_t> counts = {2000, 4000, 8000})
{
    SavedRun run      = run_of_draws();
    const auto memory = std::make_shared<const Draws>(normal_draws(counts.back() + 5));
    for (const std::size_t n : counts)
        add_set(run, std::make_shared<SampleSet>(layout_of_draws(), memory, n, origin_of(n)));
    return run;
}

const SampleSet& set_of(const SavedRun& run, std::size_t i)
{
    return dynamic_cast<const SampleSet&>(*run.snapshots.at(i)->posterior);
}

void expect_same_sets(const SavedRun& read, const SavedRun& written)
{
    ASSERT_EQ(read.snapshots.size(), written.snapshots.size());
    for (std::size_t i = 0; i < written.snapshots.size(); ++i) {
        const auto got = set_of(read, i).numbers(), want = set_of(written, i).numbers();
        EXPECT_TRUE(std::equal(got.begin(), got.end(), want.begin(), want.end())) << i;
        EXPECT_EQ(set_of(read, i).origin(), set_of(written, i).origin()) << i;
        EXPECT_THAT(set_of(read, i).means(), ElementsAreArray(set_of(written, i).means())) << i;
        EXPECT_EQ(read.snapshots[i]->point.step, written.snapshots[i]->point.step);
        EXPECT_EQ(read.snapshots[i]->point.seconds, written.snapshots[i]->point.seconds);
    }
    EXPECT_EQ(read.report.last, read.snapshots.back());
}

class ArchiveOfSets : public testing::Test {
protected:
    void SetUp() override { fs::create_directories(folder); }
    void TearDown() override { fs::remove_all(folder); }

    std::vector<std::string> pieces() const
    {
        std::vector<std::string> names;
        SQLite::Database base(file.string());
        for (SQLite::Statement query(base, "SELECT name FROM part WHERE name GLOB 'draws *' ORDER BY name");
             query.executeStep();)
            names.push_back(query.getColumn(0).getString());
        return names;
    }
    void execute(const std::string& sql) const { SQLite::Database(file.string(), SQLite::OPEN_READWRITE).exec(sql); }
    void put(const std::string& update, const Packed& packed) const
    {
        SQLite::Database base(file.string(), SQLite::OPEN_READWRITE);
        SQLite::Statement query(base, update);
        query.bind(1, static_cast<std::int64_t>(packed.bytes));
        query.bind(2, packed.data.data(), static_cast<int>(packed.data.size()));
        EXPECT_EQ(query.exec(), 1);
    }
    /// Changes the head of the posterior of a snapshot.
    template <class Change>
    void change_head(int number, Change change) const
    {
        const std::string of = " WHERE number = " + std::to_string(number);
        json point;
        {
            SQLite::Database base(file.string());
            SQLite::Statement query(base, "SELECT point_bytes, point FROM snapshot" + of);
            ASSERT_TRUE(query.executeStep());
            point = json::parse(unpack(query.getColumn(0).getInt64(), query.getColumn(1).getString(), 1 << 20));
        }
        change(point.at("posterior"));
        put("UPDATE snapshot SET point_bytes = ?, point = ?" + of, pack(point.dump()));
    }
    std::string sentence() const
    {
        return sentence_of_error([&] { load_run(file); });
    }
    std::string bytes() const
    {
        std::ifstream stream(file, std::ios::binary);
        return {std::istreambuf_iterator<char>(stream), {}};
    }

    const fs::path folder = fs::path(testing::TempDir()) / ("credence_sets_" + std::to_string(::getpid()));
    const fs::path file   = folder / "run.credence";
};

TEST_F(ArchiveOfSets, DrawsOfAGrowingChainAreStoredOnceAndShareMemoryWhenRead)
{
    const SavedRun run = growing_run();
    save_run(run, file);
    EXPECT_THAT(pieces(), ElementsAre("draws 2/0", "draws 2/1"));
    EXPECT_LT(fs::file_size(file), set_of(run, 2).numbers().size_bytes() + (1 << 18));
    const SavedRun read = load_run(file);
    expect_same_sets(read, run);
    for (std::size_t i = 0; i < 3; ++i)
        EXPECT_EQ(set_of(read, i).numbers().data(), set_of(read, 2).numbers().data()) << i;
    const std::string first = bytes();
    save_run(read, file);
    EXPECT_TRUE(bytes() == first) << "a study that was read is written unchanged";
}

TEST_F(ArchiveOfSets, EqualDrawsAtAnotherAddressAreRecognised)
{
    SavedRun run = run_of_draws();
    for (const std::size_t n : {10, 20, 30}) {
        auto draws = normal_draws(30);
        draws.resize(n * layout_of_draws().size());
        add_set(run, std::make_shared<SampleSet>(layout_of_draws(), std::move(draws), origin_of(n)));
    }
    save_run(run, file);
    EXPECT_THAT(pieces(), ElementsAre("draws 2/0"));
    expect_same_sets(load_run(file), run);
}

TEST_F(ArchiveOfSets, ASetThatDoesNotExtendTheLastOneIsStoredSeparately)
{
    SavedRun run = run_of_draws();
    add_set(run, std::make_shared<SampleSet>(layout_of_draws(), normal_draws(3, 8), origin_of(3)));
    add_set(run,
            std::make_shared<SampleSet>(layout_of_draws(), normal_draws(9), origin_of(9)));   // larger than the last
    add_set(run, std::make_shared<SampleSet>(layout_of_draws(), normal_draws(5)));
    save_run(run, file);
    EXPECT_THAT(pieces(), ElementsAre("draws 0/0", "draws 1/0", "draws 2/0"));
    expect_same_sets(load_run(file), run);
}

TEST_F(ArchiveOfSets, FilesInFormatTwoAreStillRead)
{
    const SavedRun run = growing_run({3, 6, 9});
    save_run(run, file);
    for (int i = 0; i < 3; ++i) {
        change_head(i, [](json& head) {
            head.erase("draws");
            head.erase("part_of_last");
        });
        put("UPDATE snapshot SET bytes = ?, packed = ? WHERE number = " + std::to_string(i),
            pack(credence::bytes_of(set_of(run, static_cast<std::size_t>(i)).numbers())));
    }
    execute("DELETE FROM part WHERE name GLOB 'draws *'");
    execute("PRAGMA user_version = 2");
    expect_same_sets(load_run(file), run);
    execute("UPDATE snapshot SET bytes = bytes + 3 WHERE number = 2");
    EXPECT_THAT(sentence(), HasSubstr("a set of draws has 1515 bytes, expected a multiple of 4."));
    execute("UPDATE snapshot SET bytes = 1000000000");
    EXPECT_THAT(sentence(), HasSubstr("a part has an impossible size."));
}

TEST_F(ArchiveOfSets, InconsistentPiecesAreRejected)
{
    const auto refusal_of = [&](int number, const char* key, const json& value) {
        save_run(growing_run({3, 6, 9}), file);
        change_head(number, [&](json& head) { head[key] = value; });
        return sentence();
    };
    save_run(growing_run({3, 6, 9}), file);
    ASSERT_EQ(sentence(), "");
    EXPECT_THAT(refusal_of(0, "draws", 10), HasSubstr("The set of draws has 9 draws, expected at least 10."));
    EXPECT_THAT(refusal_of(0, "draws", 2), HasSubstr("The set of draws has 3 numbers of chains, expected 2"));
    EXPECT_THAT(refusal_of(2, "draws", 8), HasSubstr("its part \"draws 2/0\" has 1512 bytes, expected 1344."));
    EXPECT_THAT(refusal_of(2, "draws", 1'000'000),
                HasSubstr("its part \"draws 2/0\" has 1512 bytes, expected 1048576."));
    EXPECT_THAT(refusal_of(2, "draws", 4'000'000'000),
                HasSubstr("a set of draws has 672000000000 bytes, expected at most 4294967296."));
    for (const json& value : {json(0), json(-1), json(1e300), json("x"), json(std::uint64_t{1} << 63)})
        EXPECT_THAT(refusal_of(2, "draws", value), HasSubstr("expected a saved Credence run, but ")) << value;
    EXPECT_THAT(refusal_of(2, "part_of_last", true),
                HasSubstr("a set of draws refers to a last set that does not exist."));
    EXPECT_THAT(refusal_of(1, "part_of_last", "x"), HasSubstr("a part cannot be read."));
    EXPECT_THAT(refusal_of(1, "part_of_last", false), HasSubstr("its part \"draws 1/0\" is missing."));
    EXPECT_THAT(refusal_of(1, "kind", "heap"), HasSubstr("its posterior is of the kind \"heap\", expected samples."));
}

TEST_F(ArchiveOfSets, ADamagedOrOversizedPieceIsRejected)
{
    save_run(growing_run(), file);
    execute("UPDATE part SET bytes = 1000000000 WHERE name = 'draws 2/1'");
    EXPECT_THAT(sentence(), HasSubstr("a part has an impossible size."));
    save_run(growing_run(), file);
    execute("UPDATE part SET packed = x'00' WHERE name = 'draws 2/0'");
    EXPECT_THAT(sentence(), HasSubstr("a part has an impossible size."));
    execute("UPDATE part SET packed = zeroblob(1048576) WHERE name = 'draws 2/0'");
    EXPECT_THAT(sentence(), HasSubstr("a part is damaged."));
    Draws bad = normal_draws(9);
    bad[5]    = HUGE_VALF;
    save_run(growing_run({3, 6, 9}), file);
    put("UPDATE part SET bytes = ?, packed = ? WHERE name = 'draws 2/0'", pack(credence::bytes_of(bad)));
    EXPECT_THAT(sentence(), HasSubstr("a snapshot has a parameter that is not finite."));
    execute("DELETE FROM part WHERE name GLOB 'draws *'");
    EXPECT_THAT(sentence(), HasSubstr("its snapshots have fewer numbers than its network has weights."));
}

TEST_F(ArchiveOfSets, WritingReportsItsProgress)
{
    std::vector<double> shares;
    save_run(growing_run(), file, {.progress = [&](double share) { shares.push_back(share); }});
    ASSERT_EQ(shares.size(), 2u);   // pieces
    EXPECT_GT(shares[0], 0.5);
    EXPECT_LT(shares[0], 1);
    EXPECT_EQ(shares[1], 1);
}

TEST_F(ArchiveOfSets, StoppedWritingLeavesTheFileUnchanged)
{
    save_run(growing_run({3, 6}), file);
    const std::string before = bytes();
    std::stop_source source;
    int reported = 0;
    EXPECT_THROW(save_run(growing_run(), file,
                          {.stop = source.get_token(),
                           .progress =
                               [&](double) {
        ++reported;
        source.request_stop();
                           }}),
                 Stopped);
    EXPECT_EQ(reported, 1);
    EXPECT_TRUE(bytes() == before);
    EXPECT_EQ(std::distance(fs::directory_iterator(folder), {}), 1);
    EXPECT_THROW(save_run(growing_run(), folder / "other.credence", {.stop = source.get_token(), .progress = {}}),
                 Stopped);
    EXPECT_EQ(std::distance(fs::directory_iterator(folder), {}), 1);
}

TEST(Packed, IncompressibleNumbersAreStored)
{
    const auto draws = normal_draws(1000);
    const Draws same(draws.size(), 0.25f);
    for (const Draws& numbers : {draws, same}) {
        const Packed packed = pack_numbers(credence::bytes_of(numbers));
        EXPECT_EQ(packed.bytes, numbers.size() * sizeof(float));
        Draws back(numbers.size());
        unpack_into(packed.data, {reinterpret_cast<char*>(back.data()), packed.bytes});
        EXPECT_TRUE(back == numbers);
    }
    EXPECT_GT(pack_numbers(credence::bytes_of(draws)).data.size(), draws.size() * sizeof(float));
    EXPECT_LT(pack_numbers(credence::bytes_of(same)).data.size(), draws.size() * sizeof(float) / 50);
}

}   // namespace
}   // namespace credence
