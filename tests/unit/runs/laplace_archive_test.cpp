// SPDX-License-Identifier: GPL-3.0-or-later
#include "results/results.h"
#include "runs/archive.h"
#include "runs/archive_parts.h"
#include "unit/runs/laplace_moons.h"

#include <gmock/gmock.h>
#include <nlohmann/json.hpp>

#include <fstream>
#include <unistd.h>

using namespace credence;
using namespace laplace_moons;

TEST(LaplaceArchive, HeadersStoreTheNumberOfDirectionsAndOlderOnesMeanAll)
{
    Study study                            = small_study(CurvatureStructure::full);
    study.posterior.laplace.curvature.rank = 4;
    const auto fitted                      = laplace_of(*trained(study).run.report.last);
    ASSERT_EQ(fitted->curvature()->data().eigenvalues.size(), 4u);
    EXPECT_EQ(laplace_words(*fitted).substr(0, 32), "4 largest directions, all layers");
    auto head = curvature_head(fitted->curvature()->data());
    EXPECT_EQ(curvature_head_from(head, fitted->layout()).data.options.rank, 4);
    head.erase("rank");
    EXPECT_EQ(curvature_head_from(head, fitted->layout()).data.options.rank, 0);
}

TEST(LaplaceArchive, AReopenedRunDrawsTheSameBits)
{
    const auto file = std::filesystem::path(testing::TempDir())
                      / ("laplace_" + std::to_string(::getpid()) + ".credence");
    for (const auto structure : structures)
        for (const auto layers : {CurvatureLayers::all, CurvatureLayers::last}) {
            Study study                              = small_study(structure);
            study.posterior.laplace.curvature.layers = layers;
            const auto ended                         = trained(study);
            SavedRun run;
            run.name      = "kept";
            run.started   = "2026-01-02T03:04:05+0100";
            run.study     = study;
            run.report    = ended.run.report;
            run.history   = ended.run.history;
            run.snapshots = {std::make_shared<Snapshot>(Snapshot{ended.experiment->start, {}}), ended.run.report.last};
            save_run(run, file);
            const SavedRun read = load_run(file);
            ASSERT_EQ(read.snapshots.size(), 2u);
            EXPECT_FALSE(laplace_of(*read.snapshots[0]));
            const auto before = laplace_of(*run.snapshots[1]), after = laplace_of(*read.snapshots[1]);
            ASSERT_TRUE(after);
            EXPECT_TRUE(after->curvature()->data() == before->curvature()->data());
            EXPECT_EQ(after->precision(), before->precision());
            EXPECT_EQ(draws_of(*after), draws_of(*before));
            EXPECT_EQ(read.report.last, read.snapshots[1]);
        }
    std::filesystem::remove(file);
}

/// results.json of a run.
nlohmann::json results_of(const Ended& ended)
{
    const auto folder = std::filesystem::path(testing::TempDir()) / ("laplace_results_" + std::to_string(::getpid()));
    SavedRun run;
    run.name      = "kept";
    run.study     = ended.experiment->study;
    run.report    = ended.run.report;
    run.history   = ended.run.history;
    run.snapshots = {ended.run.report.last};
    std::filesystem::create_directories(folder);
    EXPECT_TRUE(write_results(run, ended.snapshot(), folder).whole);
    std::ifstream stream(folder / "results.json");
    auto json = nlohmann::json::parse(stream);
    std::filesystem::remove_all(folder);
    return json;
}

TEST(LaplaceResults, ContainPrecisionAndEvidence)
{
    const auto& ended = ended_moons();
    const auto json   = results_of(ended);
    const auto fitted = laplace_of(*ended.run.report.last);
    EXPECT_EQ(json.at("laplace").at("precision_from"), "evidence");
    EXPECT_FALSE(json.at("laplace").contains("mean_confidence"));
    EXPECT_EQ(json.at("laplace").at("structure"), "kronecker");
    EXPECT_EQ(json.at("laplace").at("precision").get<double>(), fitted->precision());
    EXPECT_EQ(json.at("laplace").at("log_evidence").get<double>(),
              fitted->curvature()->log_evidence(fitted->precision()));
    EXPECT_FALSE(json.at("laplace").contains("log_evidence_note"));
}

TEST(LaplaceResults, StateThatTheEvidenceOfATruncatedCurvatureIsNotComparable)
{
    Study study                                 = small_study();
    study.posterior.laplace.curvature.structure = CurvatureStructure::full;
    study.posterior.laplace.curvature.rank      = 5;
    const auto json                             = results_of(trained(study)).at("laplace");
    EXPECT_EQ(json.at("directions"), 5);
    EXPECT_THAT(json.at("log_evidence_note").get<std::string>(),
                testing::HasSubstr("do not compare it across numbers of directions"));
}

TEST(LaplaceResults, StateTheTargetConfidenceAndTheReachedOne)
{
    Study study                              = small_study();
    study.posterior.laplace.precision_from   = PrecisionFrom::confidence_below;
    study.posterior.laplace.confidence_below = 4;
    const auto ended                         = trained(study);
    const auto json                          = results_of(ended).at("laplace");
    const auto reached = compared_confidence(*ended.experiment, laplace_of(*ended.run.report.last));
    EXPECT_EQ(json.at("precision_from"), "confidence_below_map");
    EXPECT_EQ(json.at("wanted_percent_below"), 4);
    EXPECT_EQ(json.at("map_confidence").get<double>(), reached->map);
    EXPECT_EQ(json.at("mean_confidence").get<double>(), reached->reached);
    EXPECT_NEAR(json.at("confidence_percent_below").get<double>(), 4, 0.5);
}
