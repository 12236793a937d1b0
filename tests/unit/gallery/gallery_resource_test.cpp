// SPDX-License-Identifier: GPL-3.0-or-later
// resources/gallery.json itself: everything that it names exists.
#include "foundation/error.h"
#include "gallery/gallery.h"
#include "sweeps/sweep.h"
#include "unit/gallery/small_gallery.h"
#include "views/views.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cctype>
#include <set>

namespace credence {
namespace {

/// The compiled-in gallery, regardless of CREDENCE_GALLERY.
const Gallery& shipped()
{
    static const Gallery all = gallery_from_text(read_file(source_file("resources/gallery.json"), "a gallery"),
                                                 "resources/gallery.json");
    return all;
}

/// A text file with each run of blanks and newlines as one blank.
std::string with_single_blanks(const std::string& text)
{
    std::string made;
    for (const char c : text)
        if (std::isspace(static_cast<unsigned char>(c)) == 0)
            made += c;
        else if (!made.empty() && made.back() != ' ')
            made += ' ';
    return made;
}

/// The text of all test sources.
const std::string& words_of_tests()
{
    static const std::string words = [] {
        std::string all;
        for (const auto& file : std::filesystem::recursive_directory_iterator(source_file("tests"))) {
            const auto suffix = file.path().extension();
            if (file.is_regular_file() && (suffix == ".cpp" || suffix == ".txt"))
                all += with_single_blanks(read_file(file.path(), "a test"));
        }
        return all;
    }();
    return words;
}

/// "Suite.Name" as `TEST(Suite, Name)` or as named in CMake; "Values/Suite.Name/0" counts as the parameterised test.
bool is_test(std::string name)
{
    if (const auto slash = name.find('/'); slash != std::string::npos && slash < name.find('.'))
        name.erase(0, slash + 1);
    name          = name.substr(0, name.find('/'));
    const auto at = name.find('.');
    if (at == std::string::npos)
        return false;
    const std::string macro = "(" + name.substr(0, at) + ", " + name.substr(at + 1) + ")";
    return words_of_tests().find(macro) != std::string::npos || words_of_tests().find(name) != std::string::npos;
}

std::string without_anchor(const std::string& link) { return link.substr(0, link.find('#')); }

TEST(GalleryOfPapers, EveryStudyLoadsAlsoInItsQuickVersion)
{
    for (const auto& entry : shipped().entries)
        if (std::holds_alternative<MadeByPreset>(entry.how)) {
            EXPECT_NO_THROW(study_of(entry)) << entry.id;
            EXPECT_NO_THROW(study_of(entry, true)) << entry.id;
        }
}

TEST(GalleryOfPapers, EveryViewIsAvailable)
{
    for (const auto& entry : shipped().entries)
        for (const auto& id : entry.views) {
            ASSERT_NO_THROW(view(id)) << entry.id;
            EXPECT_TRUE(view(id).why_not && (view(id).make || view(id).compare)) << entry.id << ": " << id;
        }
}

TEST(GalleryOfPapers, EverySweepHasItsCells)
{
    std::set<std::string> seen;
    for (const auto& entry : shipped().entries)
        if (const auto* made = std::get_if<MadeBySweep>(&entry.how);
            made && seen.insert(made->id + ::testing::PrintToString(made->set)).second) {
            EXPECT_NO_THROW(EXPECT_FALSE(cells_of(sweep_of(entry)).empty())) << entry.id;
            if (has_quick_version(entry)) {
                EXPECT_NO_THROW(EXPECT_FALSE(cells_of(sweep_of(entry, true)).empty())) << entry.id;
            }
        }
}

TEST(GalleryOfPapers, EveryNamedTestExists)
{
    EXPECT_FALSE(is_test("Tridiagonal."
                         "ThereIsNoSuchTestAtAll"));
    for (const auto& entry : shipped().entries)
        if (const auto* made = std::get_if<MadeByTests>(&entry.how)) {
            for (const auto& name : made->names)
                EXPECT_TRUE(is_test(name)) << entry.id << ": " << name;
        }
}

TEST(GalleryOfPapers, EveryPictureAndDocumentExists)
{
    for (const auto& entry : shipped().entries)
        for (const auto& file : {entry.picture, without_anchor(entry.document)})
            if (!file.empty()) {
                EXPECT_TRUE(std::filesystem::is_regular_file(source_file(file))) << entry.id << ": " << file;
            }
}

TEST(GalleryOfPapers, AnAnchorOfADocumentIsAHeadingOfIt)
{
    for (const auto& entry : shipped().entries) {
        const auto at = entry.document.find('#');
        if (at == std::string::npos)
            continue;
        std::string page = read_file(source_file(without_anchor(entry.document)), "a document");
        std::string letters;   // of the page, as anchors have them
        for (const char c : page)
            if (c == ' ' || c == '\n')
                letters += c == ' ' ? '-' : '\n';
            else if (std::isalnum(static_cast<unsigned char>(c)) || c == '-' || c == '#'
                     || (static_cast<unsigned char>(c) & 0x80u) != 0)
                letters += static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
        EXPECT_NE(letters.find("#-" + entry.document.substr(at + 1) + "\n"), std::string::npos)
            << entry.id << ": " << entry.document;
    }
}

TEST(GalleryOfPapers, MeasuredEntriesStateHowToReproduceThem)
{
    for (const auto& entry : shipped().entries)
        if (entry.status != EntryStatus::open && entry.status != EntryStatus::impossible) {
            EXPECT_FALSE(command_of(entry).empty()) << entry.id;
        }
}

/// Rows whose settings are not compared: those made by a command line, which states its own, and the
/// UCI tables, whose numbers tests/docs/uci_table.py writes from the files of the runs.
bool is_compared_with_its_command(const GalleryEntry& entry)
{
    const bool trained = std::holds_alternative<MadeByPreset>(entry.how)
                         || std::holds_alternative<MadeBySweep>(entry.how);
    return trained && entry.paper != "U";
}

TEST(GalleryOfPapers, TheCommandOfAMeasuredRowHasTheSettingsOfItsNumbers)
{
    int compared = 0;
    for (const auto& entry : shipped().entries) {
        EXPECT_THAT(differing_settings(entry), ::testing::IsEmpty()) << entry.id;
        if (entry.ours && is_compared_with_its_command(entry)) {
            EXPECT_FALSE(entry.ours->study.empty()) << entry.id << " does not state the settings of its runs";
            ++compared;
        }
    }
    EXPECT_GT(compared, 50);
}

TEST(GalleryOfPapers, ANumberOfOursStatesItsOrigin)
{
    for (const auto& entry : shipped().entries) {
        const auto measured = [](const PrintedValue& value) { return !value.ours.empty(); };
        if (std::any_of(entry.values.begin(), entry.values.end(), measured)) {
            ASSERT_TRUE(entry.ours) << entry.id;
        }
        if (!entry.ours)
            continue;
        for (const auto* text : {&entry.ours->seeds, &entry.ours->date, &entry.ours->commit, &entry.ours->time})
            EXPECT_FALSE(text->empty()) << entry.id;
    }
}

TEST(GalleryOfPapers, ARowThatDiffersStatesByHowMuchAndTheExperimentThatWouldExplainIt)
{
    for (const auto& entry : shipped().entries)
        if (entry.status == EntryStatus::differs) {
            EXPECT_THAT(entry.difference, ::testing::HasSubstr("standard error")) << entry.id;
            EXPECT_THAT(entry.difference, ::testing::HasSubstr("most likely to explain")) << entry.id;
        }
}

TEST(GalleryOfPapers, ARowThatComparesNumbersHasRunsOfItsOwn)
{
    for (const auto& entry : shipped().entries)
        if (entry.status == EntryStatus::agrees || entry.status == EntryStatus::differs) {
            EXPECT_TRUE(entry.ours) << entry.id;
            EXPECT_FALSE(entry.values.empty()) << entry.id;
        }
}

TEST(GalleryOfPapers, TheWrittenPageIsThatOfTheGallery)
{
    const std::string written = read_file(source_file("docs") / "papers.md", "the page of the papers");
    EXPECT_TRUE(written == papers_document(shipped()))
        << "docs and gallery differ: build/release/credence papers --write, with the page in docs";
}

}   // namespace
}   // namespace credence
