// SPDX-License-Identifier: GPL-3.0-or-later
#include "results/results.h"
#include "runs/archive.h"
#include "unit/runs/laplace_moons.h"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <fstream>
#include <unistd.h>

using namespace credence;
using namespace laplace_moons;

TEST(LaplaceArchive, AReopenedRunDrawsTheSameBits)
{
    const auto file = std::filesystem::path(testing::TempDir())
                      / ("laplace_" + std::to_string(::getpid()) + ".credence");
    for (const auto structure : structures)
        for (const auto layers : {CurvatureLayers::all, CurvatureLayers::last}) {
            Study study                              = small_study(structure);
            study.posterior.laplace.curvature.layers = layers;
            const auto ended                         = trained(study);
            KeptRun run;
            run.name      = "kept";
            run.started   = "2026-01-02T03:04:05+0100";
            run.study     = study;
            run.report    = ended.run.report;
            run.history   = ended.run.history;
            run.snapshots = {std::make_shared<Snapshot>(Snapshot{ended.experiment->start, {}}), ended.run.report.last};
            save_run(run, file);
            const KeptRun read = load_run(file);
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

TEST(LaplaceResults, SayPrecisionAndEvidence)
{
    const auto folder = std::filesystem::path(testing::TempDir()) / ("laplace_results_" + std::to_string(::getpid()));
    const auto& ended = ended_moons();
    KeptRun run;
    run.name      = "kept";
    run.study     = ended.experiment->study;
    run.report    = ended.run.report;
    run.history   = ended.run.history;
    run.snapshots = {ended.run.report.last};
    std::filesystem::create_directories(folder);
    EXPECT_TRUE(write_results(run, ended.moment(), folder).whole);
    std::ifstream stream(folder / "results.json");
    const auto json   = nlohmann::json::parse(stream);
    const auto fitted = laplace_of(*ended.run.report.last);
    EXPECT_EQ(json.at("laplace").at("structure"), "kronecker");
    EXPECT_EQ(json.at("laplace").at("precision").get<double>(), fitted->precision());
    EXPECT_EQ(json.at("laplace").at("log_evidence").get<double>(),
              fitted->curvature()->log_evidence(fitted->precision()));
    std::filesystem::remove_all(folder);
}
