// SPDX-License-Identifier: GPL-3.0-or-later
#include "window/window.h"

#include "parts/appearance.h"
#include "parts/input_filters.h"
#include "session/settings.h"
#include "window/main_window.h"

#include <QApplication>
#include <QIcon>

int runWindow(QApplication& application, const QString& fileToOpen, const QString& theme,
              const credence::PictureLink* link)
{
    Q_INIT_RESOURCE(app);
    useDecimalPoints(application);
    QCoreApplication::setApplicationName(
        QStringLiteral("org.credence.Credence"));   // the class of the window under X11
    QGuiApplication::setApplicationDisplayName(QStringLiteral("Credence"));
    QCoreApplication::setApplicationVersion(QStringLiteral(CREDENCE_VERSION));
    QGuiApplication::setDesktopFileName(QStringLiteral("org.credence.Credence"));
    application.setWindowIcon(QIcon(QStringLiteral(":/icons/org.credence.Credence.svg")));
    applyTheme(application, themeNamed(theme.isEmpty() ? read(settings::theme) : theme));
    applyTextSize(read(settings::textSize));
    AppContext context;
    MainWindow window(context);
    window.restoreLayout();
    window.show();
    if (!link && fileToOpen.isEmpty()) {
        window.restoreSession();
    } else {
        window.leaveSession();
        link ? window.openLink(*link) : window.openFile(fileToOpen);
    }
    return QApplication::exec();
}
