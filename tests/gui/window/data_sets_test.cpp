// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/settle.h"
#include "window_driver.h"

#include "session/settings.h"
#include "tools/data_sets_dialog.h"
#include "tools/import_images_dialog.h"

#include "sources/image_sources.h"

#include "fetch/catalogue_file.h"

#include <QAction>
#include <QLabel>
#include <QListWidget>
#include <QProgressBar>
#include <QPushButton>
#include <QSpinBox>
#include <QTableWidget>
#include <QTemporaryDir>
#include <nlohmann/json.hpp>

#include <arpa/inet.h>
#include <cstdlib>
#include <fstream>
#include <sys/socket.h>
#include <unistd.h>

using namespace credence;
using testing::HasSubstr;

namespace {

/// A port on which nobody listens, asked for before there is an application.
quint16 freePort()
{
    const int socket = ::socket(AF_INET, SOCK_STREAM, 0);
    sockaddr_in address{};
    address.sin_family      = AF_INET;
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    socklen_t length        = sizeof address;
    const bool bound        = ::bind(socket, reinterpret_cast<sockaddr*>(&address), length) == 0
                       && ::getsockname(socket, reinterpret_cast<sockaddr*>(&address), &length) == 0;
    ::close(socket);
    return bound ? ntohs(address.sin_port) : 0;
}

/// The program's own catalogue and the set "tiny" of a server of this test. It is read once by the program, so it is written before main.
struct Catalogue {
    quint16 port               = freePort();
    TinySet tiny               = tinySet({"http://127.0.0.1:" + std::to_string(port) + "/first/"});
    std::filesystem::path file = std::filesystem::temp_directory_path()
                                 / ("credence_catalogue_" + std::to_string(::getpid()) + ".json");

    Catalogue()
    {
        auto json = nlohmann::json::parse(std::ifstream(CREDENCE_CATALOGUE_FILE));
        json["sets"].push_back(catalogueJson(tiny.entry)["sets"][0]);
        std::ofstream(file) << json.dump(1);
        ::setenv("CREDENCE_CATALOGUE", file.c_str(), 1);
        ::unsetenv("http_proxy");
        ::unsetenv("CREDENCE_DATA_DIR");
    }
    ~Catalogue()
    {
        std::error_code ignored;
        std::filesystem::remove(file, ignored);
    }
} const catalogueOfTest;

}   // namespace

/// The window with its dialog open, and a data folder that only has what the test puts there.
class DataSets : public testing::Test {
protected:
    DataSets()
    {
        std::filesystem::remove_all(user_data_folder());
        window->findChild<QAction*>("dataSetsAction")->trigger();
        dialog = window->findChild<DataSetsDialog*>();
    }
    ~DataSets() override { std::filesystem::remove_all(user_data_folder()); }

    QPushButton* button(const char* name) { return dialog->findChild<QPushButton*>(name); }
    void press(const char* name)
    {
        ASSERT_TRUE(button(name)->isEnabled()) << name;
        QTest::mouseClick(button(name), Qt::LeftButton);
    }
    QTableWidget* table() { return dialog->findChild<QTableWidget*>("dataSets"); }
    QString cell(const QString& title, int column)
    {
        for (int row = 0; row < table()->rowCount(); ++row)
            if (table()->item(row, 0)->text() == title)
                return table()->item(row, column)->text();
        return QStringLiteral("no such row");
    }
    void writePictures(const std::filesystem::path& folder, int n)
    {
        for (const char* name : {"go", "stop"})
            for (int i = 0; i < n; ++i) {
                QImage image(20, 20, QImage::Format_RGB32);
                image.fill(qRgb(name[0], 10 * i, 90));
                std::filesystem::create_directories(folder / name);
                ASSERT_TRUE(
                    image.save(QString::fromStdString((folder / name / (std::to_string(i) + ".ppm")).string())));
            }
    }

    WindowDriver window;
    DataSetsDialog* dialog = nullptr;
    Folder home;
};

TEST_F(DataSets, TheTableSaysWhatThereIsAndWhereItIs)
{
    ASSERT_NE(dialog, nullptr);
    EXPECT_EQ(cell("MNIST", 1), "60,000 + 10,000");
    EXPECT_EQ(cell("MNIST", 2), "11.6 MB");
    EXPECT_EQ(cell("MNIST", 3), "CC BY-SA 3.0");
    EXPECT_EQ(cell("CIFAR-10", 1), "50,000 + 10,000");
    EXPECT_EQ(cell("Stroke digits", 4), "drawn by the program");
    dialog->choose("kmnist");
    EXPECT_TRUE(button("dataSetFetch")->isEnabled());
    EXPECT_FALSE(button("dataSetUse")->isEnabled());
    EXPECT_FALSE(button("dataSetRemove")->isEnabled());
    EXPECT_FALSE(button("dataSetCancel")->isEnabled());
    EXPECT_THAT(dialog->findChild<QLabel*>("dataSetAbout")->text().toStdString(),
                HasSubstr("href=\"https://github.com/rois-codh/kmnist\""));
}

TEST_F(DataSets, PicturesAreShownImportedUsedAndRemoved)
{
    const Study before = window.study();
    writePictures(home / "Road signs", 5);
    write(home / "Road signs/go/broken.png", "<html>");
    ImportImagesDialog import(QString::fromStdString((home / "Road signs").string()), nullptr);
    ASSERT_TRUE(QTest::qWaitFor([&] { return !import.busy(); }));
    EXPECT_EQ(import.name(), "road-signs");
    EXPECT_EQ(import.findChild<QLabel*>("importImagesSummary")->text(), "11 pictures in 2 classes.");
    auto* samples = import.findChild<QListWidget*>("importImagesSamples");
    ASSERT_EQ(samples->count(), 2);
    EXPECT_EQ(samples->item(1)->text(), "stop (5)");
    import.findChild<QSpinBox*>("importImagesSize")->setValue(16);
    QSignalSpy accepted(&import, &QDialog::accepted);
    import.findChild<QPushButton*>("importImagesNow")->click();
    ASSERT_TRUE(accepted.wait(20000)) << import.findChild<QLabel*>("importImagesMistake")->text().toStdString();
    EXPECT_EQ(import.report().unreadable.size(), 1u);

    dialog->refresh();
    EXPECT_EQ(cell("road-signs", 1), "8 + 2");
    EXPECT_EQ(cell("road-signs", 4), "at hand");
    dialog->choose("road-signs");
    press("dataSetUse");
    EXPECT_EQ(window.study().data.source, DataSource::images);
    EXPECT_EQ(window.study().data.images.set, "road-signs");
    EXPECT_THAT(window->message().toStdString(),
                HasSubstr("The study uses road-signs. Changed with it: network, posterior"));
    window->workspace().document.undo().undo();
    EXPECT_TRUE(window.study() == before);

    press("dataSetRemove");
    EXPECT_THAT(dialog->message().toStdString(), HasSubstr("Remove road-signs ("));
    EXPECT_TRUE(std::filesystem::exists(user_data_folder() / "road-signs")) << "after asking only";
    for (auto* offer : dialog->findChildren<QPushButton*>())
        if (offer->text() == "Remove")
            offer->click();
    ASSERT_TRUE(window.waitFor([&] { return dialog->message() == "road-signs was removed."; }));
    EXPECT_EQ(cell("road-signs", 0), "no such row");
    EXPECT_FALSE(std::filesystem::exists(user_data_folder() / "road-signs"));
}

TEST_F(DataSets, AMistakeIsSaidInTheImportDialogAndNothingCanBeImported)
{
    std::filesystem::create_directories(home / "empty");
    ImportImagesDialog import(QString::fromStdString((home / "empty").string()), nullptr);
    ASSERT_TRUE(QTest::qWaitFor([&] { return !import.busy(); }));
    EXPECT_THAT(import.findChild<QLabel*>("importImagesMistake")->text().toStdString(),
                HasSubstr("empty: found no subfolders"));
    EXPECT_FALSE(import.findChild<QPushButton*>("importImagesNow")->isEnabled());

    writePictures(home / "signs", 3);
    ImportImagesDialog good(QString::fromStdString((home / "signs").string()), nullptr);
    ASSERT_TRUE(QTest::qWaitFor([&] { return !good.busy(); }));
    EXPECT_TRUE(good.findChild<QPushButton*>("importImagesNow")->isEnabled());
    good.findChild<QLineEdit*>("importImagesName")->setText("stroke-digits");
    EXPECT_THAT(good.findChild<QLabel*>("importImagesMistake")->text().toStdString(),
                HasSubstr("that of a set which the program draws"));
    EXPECT_FALSE(good.findChild<QPushButton*>("importImagesNow")->isEnabled());
}

TEST_F(DataSets, AnImportThatIsClosedLeavesNothing)
{
    writePictures(home / "signs", 40);
    {
        ImportImagesDialog import(QString::fromStdString((home / "signs").string()), nullptr);
        ASSERT_TRUE(QTest::qWaitFor([&] { return !import.busy(); }));
        import.findChild<QPushButton*>("importImagesNow")->click();
        EXPECT_TRUE(import.busy());
        import.reject();
    }
    QThreadPool::globalInstance()->waitForDone();
    settle();
    if (std::filesystem::exists(user_data_folder())) {
        for (const auto& name : filesBelow(user_data_folder()))
            EXPECT_EQ(name.substr(0, 5), "signs") << "whole, or not at all";
    }
}

TEST_F(DataSets, StrokeDigitsAndLettersAreUsedAsTheirOwnSource)
{
    dialog->choose("stroke-letters");
    press("dataSetUse");
    EXPECT_EQ(window.study().data.source, DataSource::strokes);
    EXPECT_EQ(window.study().data.images.alphabet, StrokeAlphabet::letters);
}

TEST_F(DataSets, AStudyWhoseSetWasMissingIsReadyWhenItHasCome)
{
    Study study               = window.study();
    study.data.source         = DataSource::images;
    study.data.images.set     = "tiny";
    study.network.kind        = NetworkKind::mlp;
    study.training.steps      = 5;
    study.training.batch_size = 2;
    window->session().setStudy(study);
    ASSERT_TRUE(window.waitForState(Session::State::refused));
    for (const auto& [name, bytes] : catalogueOfTest.tiny.files)
        write(user_data_folder() / "tiny" / name, bytes);
    Q_EMIT dialog->setArrived("tiny");
    EXPECT_TRUE(window.waitForState(Session::State::ready));
}

TEST_F(DataSets, ADownloadShowsItsProgressIsCancelledAndComesTheSecondTime)
{
    WebServer server(catalogueOfTest.port);
    serve(server, "first", catalogueOfTest.tiny);
    auto& page       = server.pages["/first/train-images-idx3-ubyte.gz"];
    const Page whole = page;
    page.body += someBytes(20000);
    page.pieceEvery = 20;
    dialog->choose("tiny");
    press("dataSetFetch");
    EXPECT_TRUE(dialog->fetching("tiny"));
    EXPECT_FALSE(button("dataSetFetch")->isEnabled());
    auto* bar = dialog->findChild<QProgressBar*>("dataSetProgress");
    ASSERT_NE(bar, nullptr);
    ASSERT_TRUE(window.waitFor([&] { return bar->format().contains(" of "); })) << bar->format().toStdString();
    window.clickMap(0.5, 0.5);   // the window goes on
    press("dataSetCancel");
    ASSERT_TRUE(window.waitFor([&] { return !dialog->fetching("tiny"); }));
    EXPECT_THAT(dialog->message().toStdString(), HasSubstr("The download of tiny was cancelled"));
    EXPECT_EQ(cell("Tiny digits", 4), "not here");
    EXPECT_FALSE(std::filesystem::exists(user_data_folder() / "tiny"));

    page = whole;
    press("dataSetFetch");
    ASSERT_TRUE(window.waitFor([&] { return !dialog->fetching("tiny"); }));
    EXPECT_THAT(dialog->message().toStdString(), HasSubstr("Tiny digits is at hand in "));
    EXPECT_EQ(cell("Tiny digits", 4), "at hand");
    press("dataSetUse");
    EXPECT_EQ(window.study().data.images.set, "tiny");
}

TEST_F(DataSets, AFailedDownloadSaysWhyInTheDialog)
{
    WebServer server(catalogueOfTest.port);
    dialog->choose("tiny");
    press("dataSetFetch");
    ASSERT_TRUE(window.waitFor([&] { return !dialog->fetching("tiny"); }));
    EXPECT_EQ(dialog->message().toStdString(),
              "train-images-idx3-ubyte.gz of Tiny digits could not be fetched: 127.0.0.1 answered 404 (Not Found).");
    EXPECT_TRUE(button("dataSetFetch")->isEnabled());
    EXPECT_EQ(window->message(), QString());
}

TEST_F(DataSets, TheDialogRemembersItsSizeAndEveryControlExplainsItself)
{
    for (const auto* one : dialog->findChildren<QPushButton*>())
        EXPECT_FALSE(one->toolTip().isEmpty()) << one->text().toStdString();
    dialog->resize(700, 333);
    dialog->close();
    EXPECT_FALSE(stateFile().value("layout/data_sets").toByteArray().isEmpty());
}
