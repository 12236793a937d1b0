// SPDX-License-Identifier: GPL-3.0-or-later
#include "catalogue_file.h"
#include "gui/settle.h"
#include "gui/wait_until.h"

#include "app/fetch/data_fetch.h"
#include "foundation/files.h"
#include "sources/image_sources.h"

#include <QSignalSpy>
#include <QTest>
#include <gmock/gmock.h>

#include <sys/wait.h>
#include <unistd.h>

using namespace credence;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using End = FetchReport::End;

namespace {

/// A set on one or two mirrors, "first" and "second", both correct until the test breaks them, and the target folder.
class Download : public testing::Test {
protected:
    FetchReport fetch(int silence = 5000)
    {
        sentences.clear();
        return fetchNow(
            set.entry, {{}, target, silence}, {}, [this](const FetchProgress& progress) { last = progress; },
            [this](const std::string& sentence) { sentences.push_back(sentence); });
    }
    Page& page(const char* mirror, const char* file) { return server.pages.at(QString("/%1/%2").arg(mirror, file)); }
    std::vector<std::string> names() const
    {
        std::vector<std::string> all;
        for (const auto& [name, bytes] : set.files)
            all.push_back(name);
        return all;
    }
    void expectWhole() const
    {
        EXPECT_EQ(filesBelow(target), names());
        for (const auto& [name, bytes] : set.files)
            EXPECT_EQ(contentOf(target / name), bytes) << name;
    }

    WebServer server;
    TinySet set = tinySet({server.address("first"), server.address("second")});
    Folder home;
    std::filesystem::path target = home / "data/tiny";
    FetchProgress last;
    std::vector<std::string> sentences;

    Download()
    {
        serve(server, "first", set);
        serve(server, "second", set);
    }
};

constexpr const char* images = "train-images-idx3-ubyte.gz";

}   // namespace

TEST_F(Download, DownloadsAllFilesAndStatesThis)
{
    const FetchReport report = fetch();
    EXPECT_EQ(report.end, End::fetched) << report.message;
    EXPECT_THAT(report.message, HasSubstr("Tiny digits is installed in " + target.string() + ": 4 files fetched"));
    EXPECT_EQ(report.files, 4);
    EXPECT_EQ(report.bytes, set.entry.download_bytes());
    EXPECT_EQ(last.received, last.total);
    EXPECT_THAT(sentences, IsEmpty());
    expectWhole();
}

TEST_F(Download, DoesNothingWhenAllFilesExist)
{
    fetch();
    server.asked.clear();
    const FetchReport report = fetch();
    EXPECT_EQ(report.end, End::wasThere) << report.message;
    EXPECT_THAT(report.message, HasSubstr("all files have the correct SHA-256"));
    EXPECT_TRUE(server.asked.isEmpty());
    expectWhole();
}

TEST_F(Download, LeftoversOfAKillAfterTheLastFileAreRemovedByTheNextCall)
{
    fetch();
    const pid_t gone = ::fork();
    if (gone == 0)
        ::_exit(0);
    ::waitpid(gone, nullptr, 0);
    std::string name      = begin_replacement(target / "download").filename().string();
    const std::string own = '-' + std::to_string(::getpid()) + '-';
    name.replace(name.rfind(own), own.size(), '-' + std::to_string(gone) + '-');
    std::filesystem::create_directories(target / name);
    EXPECT_EQ(fetch().end, End::wasThere);
    EXPECT_FALSE(std::filesystem::exists(target / name));
    expectWhole();
}

TEST_F(Download, LooksForTheSetInOtherFoldersFirst)
{
    fetch();
    server.asked.clear();
    const FetchReport report = fetchNow(
        set.entry, {{home / "nowhere", target}, home / "other", 5000}, {}, [](const auto&) {}, [](const auto&) {});
    EXPECT_EQ(report.end, End::wasThere);
    EXPECT_EQ(report.folder, target);
    EXPECT_TRUE(server.asked.isEmpty());
    EXPECT_FALSE(std::filesystem::exists(home / "other"));
}

TEST_F(Download, FetchesOnlyWhatIsMissingOrWrong)
{
    fetch();
    std::filesystem::remove(target / "train-labels-idx1-ubyte.gz");
    write(target / images, gzipped(someBytes(64, 9)));
    server.asked.clear();
    const FetchReport report = fetch();
    EXPECT_EQ(report.end, End::fetched) << report.message;
    EXPECT_EQ(report.files, 2);
    EXPECT_EQ(server.asked.size(), 2);
    expectWhole();
}

TEST_F(Download, AcceptsUncompressedFiles)
{
    write(target / "t10k-labels.idx1-ubyte", QByteArray("\0\0\x08\1\0\0\0\2\1\0", 10));
    const FetchReport report = fetch();
    EXPECT_EQ(report.files, 3) << report.message;
}

TEST_F(Download, TriesTheNextMirrorWhenAFileIsMissing)
{
    server.pages.erase("/first/train-images-idx3-ubyte.gz");
    EXPECT_EQ(fetch().end, End::fetched);
    EXPECT_THAT(sentences,
                ElementsAre("train-images-idx3-ubyte.gz: 127.0.0.1 replied 404 (Not Found); trying the next mirror."));
    expectWhole();
}

TEST_F(Download, TriesTheNextMirrorWhenTheTransferIsCutOff)
{
    page("first", images).cutAfter = 40;
    EXPECT_EQ(fetch().end, End::fetched);
    EXPECT_THAT(sentences, ElementsAre(HasSubstr("127.0.0.1 ended the connection after 40 of "
                                                 + std::to_string(set.files.at(images).size()) + " bytes")));
    expectWhole();
}

TEST_F(Download, TriesTheNextMirrorWhenTheFileIsTruncated)
{
    page("first", images).body.chop(20);
    EXPECT_EQ(fetch().end, End::fetched);
    EXPECT_THAT(
        sentences,
        ElementsAre(HasSubstr(
            "sent unexpected data (train-images-idx3-ubyte.gz: found the end of the file in the middle of its gzip "
            "data")));
    expectWhole();
}

TEST_F(Download, TriesTheNextMirrorWhenATransferOfUnknownLengthIsCutOff)
{
    page("first", images).length   = false;
    page("first", images).cutAfter = 40;
    EXPECT_EQ(fetch().end, End::fetched);
    EXPECT_THAT(sentences, ElementsAre(HasSubstr("the end of the file in the middle")));
    expectWhole();
}

TEST_F(Download, TriesTheNextMirrorWhenItReceivesAWebPage)
{
    page("first", images).body = "<!DOCTYPE html><html><body>Please sign in.</body></html>";
    EXPECT_EQ(fetch().end, End::fetched);
    EXPECT_THAT(sentences,
                ElementsAre(HasSubstr(
                    "sent unexpected data (train-images-idx3-ubyte.gz: found a web page (HTML), expected gzip data)")));
    expectWhole();
}

TEST_F(Download, TriesTheNextMirrorWhenTheHashIsWrong)
{
    QByteArray other = QByteArray("\0\0\x08\3\0\0\0\3\0\0\0\4\0\0\0\4", 16)
                       + someBytes(48, 3);   // correct except for its pixels
    page("first", images).body = gzipped(other);
    EXPECT_EQ(fetch().end, End::fetched);
    EXPECT_THAT(sentences,
                ElementsAre(HasSubstr("unpacked: found the SHA-256 " + hashOf(other).substr(0, 12) + "…, expected ")));
    expectWhole();
}

TEST_F(Download, TriesTheNextMirrorAfterATimeout)
{
    page("first", images).silentAfter = 40;
    EXPECT_EQ(fetch(300).end, End::fetched);
    EXPECT_THAT(sentences, ElementsAre(HasSubstr("127.0.0.1 sent nothing for 0.3 s")));
    expectWhole();
}

TEST_F(Download, TriesTheNextMirrorWhenTheConnectionIsRefused)
{
    set.entry.mirrors.front() = "http://127.0.0.1:1/first/";
    EXPECT_EQ(fetch().end, End::fetched);
    EXPECT_THAT(sentences, testing::Each(HasSubstr("127.0.0.1 cannot be read (Connection refused)")));
    expectWhole();
}

TEST_F(Download, StopsAnEndlessTransfer)
{
    page("first", images).body = QByteArray(3 << 20, 'x');
    EXPECT_EQ(fetch().end, End::fetched);
    EXPECT_THAT(sentences, ElementsAre(HasSubstr("127.0.0.1 sent more than 1.0 MB")));
    expectWhole();
}

TEST_F(Download, ReportsWhyEachMirrorFailedAndLeavesNothing)
{
    server.pages.erase("/first/train-images-idx3-ubyte.gz");
    page("second", images).body = "<html>";
    const FetchReport report    = fetch();
    EXPECT_EQ(report.end, End::failed);
    EXPECT_THAT(
        report.message,
        HasSubstr("train-images-idx3-ubyte.gz of Tiny digits could not be fetched: 127.0.0.1 replied 404 (Not Found); "
                  "127.0.0.1 sent unexpected data"));
    EXPECT_FALSE(std::filesystem::exists(target));
}

TEST_F(Download, KeepsTheFilesDownloadedBeforeAFailure)
{
    server.pages.erase("/first/t10k-images-idx3-ubyte.gz");
    server.pages.erase("/second/t10k-images-idx3-ubyte.gz");
    EXPECT_EQ(fetch().end, End::failed);
    EXPECT_THAT(filesBelow(target), ElementsAre("train-images-idx3-ubyte.gz", "train-labels-idx1-ubyte.gz"));
    serve(server, "first", set);
    EXPECT_EQ(fetch().files, 2);
    expectWhole();
}

TEST_F(Download, IsCancelledInTheMiddleOfAFile)
{
    page("first", images).body       = someBytes(200000);
    page("first", images).pieceEvery = 5;
    DataFetch download(set.entry, {{}, target, 5000});
    QSignalSpy progress(&download, &DataFetch::progressed), finished(&download, &DataFetch::finished);
    download.start();
    ASSERT_TRUE(waitUntil([&] { return download.progress().received > 3000; }));
    EXPECT_FALSE(filesBelow(target).empty());   // the part
    download.cancel();
    ASSERT_EQ(finished.size(), 1);
    EXPECT_EQ(finished.front()[0].value<FetchReport>().end, End::cancelled);
    EXPECT_FALSE(std::filesystem::exists(target));
    settle();
    EXPECT_EQ(finished.size(), 1) << "once";
}

TEST_F(Download, LeavesNothingWhenItsOwnerIsDestroyed)
{
    page("first", images).pieceEvery = 50;
    page("first", images).body       = someBytes(100000);
    {
        DataFetch download(set.entry, {{}, target, 5000});
        download.start();
        ASSERT_TRUE(waitUntil([&] { return download.progress().received > 1000; }));
    }
    EXPECT_FALSE(std::filesystem::exists(target));
}

TEST_F(Download, ReportsRateAndRemainingTime)
{
    set.entry.files.resize(1);
    const QByteArray content = someBytes(150000);
    set.entry.files[0] = {images, static_cast<std::uint64_t>(gzipped(content).size()), "", 150000, hashOf(content), {}};
    server.pages["/first/train-images-idx3-ubyte.gz"] = {gzipped(content)};
    page("first", images).pieceEvery                  = 10;   // at most 100 kB/s
    bool reported                                     = false;
    const FetchReport report                          = fetchNow(
                                 set.entry, {{}, target, 5000}, {},
                                 [&](const FetchProgress& progress) {
        if (!progress.secondsLeft)
            return;
        reported = true;
        EXPECT_GT(progress.bytesPerSecond, 0);
        EXPECT_LT(progress.bytesPerSecond, 110e3);
        const auto left = static_cast<double>(progress.total - progress.received);
        EXPECT_NEAR(*progress.secondsLeft, left / progress.bytesPerSecond, 1e-6);
        const auto text = fetchText(progress);
        for (const char* part : {"train-images-idx3-ubyte.gz · ", " of 150 kB · ", "kB/s · 0:0", " left"})
            EXPECT_THAT(text, HasSubstr(part));
        },
                                 [](const auto&) {});
    EXPECT_EQ(report.end, End::fetched) << report.message;
    EXPECT_TRUE(reported);
}

TEST_F(Download, AFolderThatCannotBeCreatedIsReported)
{
    write(home / "file", "x");
    target                   = home / "file/tiny";
    const FetchReport report = fetch();
    EXPECT_EQ(report.end, End::failed);
    EXPECT_THAT(report.message, HasSubstr("file/tiny: the folder cannot be created ("));
}

namespace {

/// Six batches of one or two records, as CIFAR-10's archive holds them.
class Archive : public Download {
protected:
    Archive()
    {
        std::vector<std::pair<std::string, QByteArray>> inside{{"batches.meta.txt", "airplane\n"}};
        CatalogueFile file;
        file.name = "cifar-10-binary.tar.gz";
        for (const char* name : {"data_batch_1.bin", "data_batch_2.bin", "data_batch_3.bin", "data_batch_4.bin",
                                 "data_batch_5.bin", "test_batch.bin"}) {
            const QByteArray content = QByteArray(1, '\3') + someBytes(3072, static_cast<int>(inside.size()));
            inside.emplace_back(name, content);
            file.unpacks_to.push_back({name, 3073, hashOf(content)});
        }
        packed                                        = tarOf(inside);
        file.bytes                                    = static_cast<std::uint64_t>(packed.size());
        file.sha256                                   = hashOf(packed);
        set.entry.format                              = CatalogueFormat::cifar_10;
        set.entry.files                               = {file};
        server.pages["/first/cifar-10-binary.tar.gz"] = {packed};
    }
    QByteArray packed;
};

}   // namespace

TEST_F(Archive, IsUnpackedAndOnlyNeededFilesRemain)
{
    const FetchReport report = fetch();
    EXPECT_EQ(report.end, End::fetched) << report.message;
    EXPECT_THAT(filesBelow(target), ElementsAre("data_batch_1.bin", "data_batch_2.bin", "data_batch_3.bin",
                                                "data_batch_4.bin", "data_batch_5.bin", "test_batch.bin"));
    const ImageData data = load_image_data(target.string());
    EXPECT_EQ(data.training.n, 5u);
    EXPECT_EQ(data.test.labels, std::vector<int>{3});
    EXPECT_EQ(fetch().end, End::wasThere);
}

TEST_F(Archive, IsDownloadedAgainWhenAnUnpackedFileWasChanged)
{
    fetch();
    write(target / "test_batch.bin", someBytes(3073, 77));
    EXPECT_EQ(fetch().end, End::fetched);
    EXPECT_EQ(fetch().end, End::wasThere);
}

TEST_F(Archive, WithAWrongHashIsNotUnpacked)
{
    packed[packed.size() / 2]                     = static_cast<char>(packed[packed.size() / 2] + 1);
    server.pages["/first/cifar-10-binary.tar.gz"] = {packed};
    const FetchReport report                      = fetch();
    EXPECT_EQ(report.end, End::failed);
    EXPECT_THAT(report.message, HasSubstr("found the SHA-256 "));
    EXPECT_FALSE(std::filesystem::exists(target));
}

TEST_F(Archive, WithUnexpectedContentsLeavesNothing)
{
    set.entry.files[0].unpacks_to[2].sha256 = std::string(64, 'a');
    const FetchReport report                = fetch();
    EXPECT_EQ(report.end, End::failed);
    EXPECT_THAT(report.message, HasSubstr("data_batch_3.bin: found the SHA-256 "));
    EXPECT_FALSE(std::filesystem::exists(target));
}
