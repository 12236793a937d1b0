// SPDX-License-Identifier: GPL-3.0-or-later
#include "sources/catalogue.h"

#include "sources/catalogue_files.h"
#include "unit/formats/bytes.h"
#include "unit/refusal.h"

#include <gmock/gmock.h>
#include <nlohmann/json.hpp>

#include <fstream>
#include <functional>
#include <sstream>

using namespace credence;
using nlohmann::json;
using testing::ElementsAre;

namespace {

std::string text_in_source_tree()
{
    std::ifstream file(CREDENCE_REFERENCE_DIR "/../../datasets/catalogue.json");
    std::stringstream text;
    text << file.rdbuf();
    return text.str();
}

std::string after(const std::function<void(json&)>& spoil)
{
    json changed = json::parse(text_in_source_tree());
    spoil(changed);
    return refusal([&] { parse_catalogue(changed.dump(), "c.json"); });
}

}   // namespace

TEST(Catalogue, CompiledInCatalogueEqualsTheSourceFile)
{
    EXPECT_EQ(catalogue(), parse_catalogue(text_in_source_tree(), "catalogue.json"));
    std::vector<std::string> ids;
    for (const CatalogueEntry& entry : catalogue())
        ids.push_back(entry.id);
    EXPECT_THAT(ids, ElementsAre("mnist", "fashion-mnist", "kmnist", "cifar-10"));
}

TEST(Catalogue, HasTheFourFilesOfMnistsFormatAndTheirSizes)
{
    for (const char* id : {"mnist", "fashion-mnist", "kmnist"}) {
        const CatalogueEntry& entry = catalogue_entry(id);
        EXPECT_EQ(entry.format, CatalogueFormat::mnist);
        EXPECT_EQ(entry.classes.size(), 10u);
        std::vector<std::string> names;
        std::vector<std::uint64_t> sizes;
        for (const CatalogueFile& file : entry.files) {
            names.push_back(file.name);
            sizes.push_back(file.content_bytes);
        }
        EXPECT_THAT(names, ElementsAre("train-images-idx3-ubyte.gz", "train-labels-idx1-ubyte.gz",
                                       "t10k-images-idx3-ubyte.gz", "t10k-labels-idx1-ubyte.gz"));
        EXPECT_THAT(sizes, ElementsAre(16 + 60000 * 784, 8 + 60000, 16 + 10000 * 784, 8 + 10000));
    }
    EXPECT_THAT(catalogue_entry("mnist").mirrors, testing::SizeIs(2));
    EXPECT_THAT(catalogue_entry("fashion-mnist").installed, ElementsAre("/usr/share/datasets/fashion-mnist"));
    EXPECT_EQ(catalogue_entry("mnist").download_bytes(), 9912422u + 28881 + 1648877 + 4542);
    EXPECT_EQ(catalogue_entry("cifar-10").format, CatalogueFormat::cifar_10);
}

TEST(Catalogue, HasTheContentsOfTheCifarArchive)
{
    const CatalogueFile& file = catalogue_entry("cifar-10").files.front();
    ASSERT_EQ(file.unpacks_to.size(), 6u);
    for (const ArchivedFile& one : file.unpacks_to) {
        EXPECT_EQ(one.bytes, 10000u * 3073);
        EXPECT_EQ(one.sha256.size(), 64u);
    }
}

TEST(Catalogue, HasTheNumberOfImagesOfASet)
{
    EXPECT_EQ(image_counts(catalogue_entry("kmnist")), (ImageCounts{60000, 10000}));
    EXPECT_EQ(image_counts(catalogue_entry("cifar-10")), (ImageCounts{50000, 10000}));
}

TEST(ImageCounts, OfAFolderAreReadFromTheHeadersOfItsLabels)
{
    const TestFolder folder;
    EXPECT_FALSE(image_counts(folder.path()));
    folder.write("train-labels.idx1-ubyte.gz", deflated(idx_header(8, {300}) + counting(300, 10)));
    folder.write("t10k-labels-idx1-ubyte", idx_header(8, {7}) + counting(7));
    EXPECT_EQ(image_counts(folder.path()), (ImageCounts{300, 7}));
    folder.write("t10k-labels-idx1-ubyte", bytes_of("<html></html>"));
    EXPECT_EQ(image_counts(folder.path()), (ImageCounts{300, 0}));
    folder.write("cifar-10-batches-bin/test_batch.bin", Bytes(2 * 3073));
    EXPECT_EQ(image_counts(folder.path()), (ImageCounts{300, 2}));
}

TEST(Catalogue, HasAHashAndASourceForEveryFile)
{
    for (const CatalogueEntry& entry : catalogue()) {
        EXPECT_FALSE(entry.hash_source.empty()) << entry.id;
        EXPECT_FALSE(entry.license.empty()) << entry.id;
        for (const CatalogueFile& file : entry.files)
            EXPECT_FALSE(file.sha256.empty() && file.content_sha256.empty()) << entry.id << ", " << file.name;
    }
}

TEST(Catalogue, ListsItsSetsWhenTheNameIsUnknown)
{
    EXPECT_EQ(refusal([] { catalogue_entry("mnits"); }),
              "There is no data set “mnits”, expected one of mnist, fashion-mnist, kmnist, cifar-10.");
}

TEST(Catalogue, RejectsAFileThatIsNotACatalogue)
{
    EXPECT_EQ(refusal([] { parse_catalogue("<html>", "c.json"); }),
              "c.json, line 1: found text that is not JSON, expected a catalogue of data sets.");
    EXPECT_EQ(refusal([] { parse_catalogue("[]", "c.json"); }), "c.json: found array, expected an object.");
    EXPECT_EQ(refusal([] { parse_catalogue("{}", "c.json"); }), "c.json: found no version, expected one.");
    EXPECT_EQ(after([](json& c) { c["version"] = 2; }), "c.json: version is “2”, expected 1.");
    EXPECT_EQ(after([](json& c) { c["sets"] = 1; }), "c.json: sets is “1”, expected a list.");
    EXPECT_EQ(after([](json& c) { c["more"] = 1; }), "c.json: found the key “more”, which is unknown.");
}

TEST(Catalogue, RejectsInvalidEntries)
{
    const auto set = [](const std::function<void(json&)>& spoil) {
        return after([&](json& c) { spoil(c["sets"][0]); });
    };
    EXPECT_EQ(set([](json& s) { s = "mnist"; }), "c.json, set 1: found string, expected an object.");
    EXPECT_EQ(set([](json& s) { s.erase("license"); }), "c.json, set 1: found no license, expected one.");
    EXPECT_EQ(set([](json& s) { s["title"] = ""; }), "c.json, set 1: title is “”, expected a non-empty string.");
    EXPECT_EQ(set([](json& s) { s["id"] = "../mnist"; }),
              "c.json, set 1: id is “../mnist”, expected letters, digits, dots, hyphens and underscores.");
    EXPECT_EQ(set([](json& s) { s["id"] = "kmnist"; }), "c.json: found two sets “kmnist”, expected different names.");
    EXPECT_EQ(set([](json& s) { s["format"] = "png"; }), "c.json, set 1: format is “png”, expected mnist or cifar-10.");
    EXPECT_EQ(set([](json& s) { s["classes"] = json::array({"a"}); }),
              "c.json, set 1: classes is “[\"a\"]”, expected at least 2 classes.");
    EXPECT_EQ(set([](json& s) { s["classes"] = 10; }), "c.json, set 1: classes is “10”, expected a list of strings.");
    EXPECT_EQ(set([](json& s) { s["mirrors"] = json::array(); }),
              "c.json, set 1: mirrors is “[]”, expected at least one address.");
    const std::string address = ", expected addresses that begin with https:// or http:// and end in /.";
    EXPECT_EQ(set([](json& s) { s["mirrors"][0] = "file:///etc/"; }),
              "c.json, set 1: mirrors is “file:///etc/”" + address);
    EXPECT_EQ(set([](json& s) { s["mirrors"][0] = "https://a.org/x"; }),
              "c.json, set 1: mirrors is “https://a.org/x”" + address);
    EXPECT_EQ(set([](json& s) { s["files"] = json::array(); }),
              "c.json, set 1: files is “[]”, expected a list of at least one file.");
    EXPECT_EQ(set([](json& s) { s["url"] = "x"; }), "c.json, set 1: found the key “url”, which is unknown.");
}

TEST(Catalogue, RejectsInvalidFiles)
{
    const auto file = [](const std::function<void(json&)>& spoil) {
        return after([&](json& c) { spoil(c["sets"][0]["files"][1]); });
    };
    EXPECT_EQ(
        file([](json& f) { f["name"] = "../../.bashrc"; }),
        "c.json, mnist, file 2: name is “../../.bashrc”, expected letters, digits, dots, hyphens and underscores.");
    EXPECT_EQ(file([](json& f) { f["sha256"] = "12ab"; }),
              "c.json, mnist, file 2: sha256 is “12ab”, expected 64 hexadecimal digits in lower case.");
    EXPECT_EQ(file([](json& f) { f.erase("content_sha256"); }),
              "c.json, mnist, file 2: found no hash, expected sha256 or content_sha256.");
    EXPECT_EQ(file([](json& f) { f["bytes"] = -1; }),
              "c.json, mnist, file 2: bytes is “-1”, expected a number of bytes above 0.");
    EXPECT_EQ(file([](json& f) { f["unpacks_to"] = json::array(); }),
              "c.json, mnist, file 2: unpacks_to is “[]”, expected a list of at least one file.");
    EXPECT_EQ(file([](json& f) {
                  f["unpacks_to"] = {{{"name", "/etc/x"}, {"bytes", 1}}};
              }),
              "c.json, mnist, file 2, unpacked file 1: name is “/etc/x”, expected letters, digits, dots, hyphens and "
              "underscores.");
    EXPECT_EQ(file([](json& f) {
                  f["unpacks_to"] = {{{"name", "x"}}};
              }),
              "c.json, mnist, file 2, unpacked file 1: found no bytes, expected one.");
    EXPECT_EQ(file([](json& f) { f["md5"] = "0"; }), "c.json, mnist, file 2: found the key “md5”, which is unknown.");
}
