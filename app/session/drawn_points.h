// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "study/study.h"

#include <QObject>

#include <functional>
#include <optional>
#include <vector>

class Session;
class StudyDocument;

/// Points drawn by hand. The first stroke converts the displayed toy data to drawn points with the
/// same split; points drawn or moved become training rows. Each stroke is one undo step. A running
/// training is held during a stroke and continues with the new points. If the method cannot
/// continue, the training ends, and the next one starts from its network.
class DrawnPoints : public QObject {
    Q_OBJECT
public:
    DrawnPoints(Session& session, StudyDocument& document, QObject* parent = nullptr);

    void draw(double x, double y, int label, int stroke);
    void erase(double x, double y, double radiusX, double radiusY, int stroke);
    /// Grabs the nearest point within these radii for `move`; if there is none, nothing is moved.
    void grab(double x, double y, double radiusX, double radiusY);
    void move(double x, double y, int stroke);
    /// Keeps two training points per class (regression: four), so that training stays possible, and
    /// no test points.
    void clear();
    void endStroke();

    struct Points {
        std::vector<credence::DrawnPoint> training, test;
    };
    /// All points of the Study under edit, including strokes that wait until training is held.
    Points points() const;
    /// Returns true if the points differ from those of the displayed run, which is updated as soon
    /// as possible.
    bool ahead() const;
    static QString pointsText(int added, int erased);   ///< "+3 points, −1 point"

signals:
    void notified(const QString& sentence);
    void changed();   ///< `points` may have changed

private:
    credence::Study studyWithPoints() const;
    bool displaysOther();
    void whenHeld(std::function<void()> change);
    void changeWaiting();
    void drawNow(const credence::DrawnPoint& point, int stroke);
    void eraseNow(double x, double y, double radiusX, double radiusY, int stroke);
    void moveNow(double x, double y, int stroke);
    void endStrokeNow();
    void interruptRun();
    void edit(const credence::Study& study, const QString& text, int stroke);
    void reportDifference();

    Session& m_session;
    StudyDocument& m_document;
    std::optional<credence::DrawnPoint> m_grabbed;
    std::vector<std::function<void()>> m_waiting;        // changes that wait until training is held
    std::vector<credence::DrawnPoint> m_waitingPoints;   // points those changes add
    bool m_wasRunning        = false;                    // was training running when the hold was requested?
    bool m_resumeAfterStroke = false;
    int m_added = 0, m_erased = 0;   // during the current stroke
    bool m_reportedMore = false;     // The current stroke has already reported something more important than counts.
};
