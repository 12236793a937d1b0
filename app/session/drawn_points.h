// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "study/study.h"

#include <QObject>

#include <functional>
#include <optional>
#include <vector>

class Session;
class StudyDocument;

/// Points drawn by hand. The first stroke turns the displayed toy data into drawn points with the same split; points that are drawn or moved join the training rows. Each stroke is one
/// step of undo. A running training is held while a stroke is drawn and continues with the new points; one that cannot ends, and the next starts from its network.
class DrawnPoints : public QObject {
    Q_OBJECT
public:
    DrawnPoints(Session& session, StudyDocument& document, QObject* parent = nullptr);

    void draw(double x, double y, int label, int stroke);
    void erase(double x, double y, double radiusX, double radiusY, int stroke);
    /// Takes the nearest point within these radii, which `move` moves then; none: nothing is moved.
    void grab(double x, double y, double radiusX, double radiusY);
    void move(double x, double y, int stroke);
    /// Leaves two training points of each class (regression: four), so that there is always something to train on, and no test points.
    void clear();
    void endStroke();

    struct Points {
        std::vector<credence::DrawnPoint> training, test;
    };
    /// All points of the Study under edit, with those whose stroke waits until the training is held.
    Points points() const;
    /// Are they others than those of the displayed run, which follows as soon as it can?
    bool ahead() const;
    static QString pointsText(int added, int erased);   ///< "+3 points, −1 point"

signals:
    void said(const QString& sentence);
    void changed();   ///< `points` may be others

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
    void sayDifference();

    Session& m_session;
    StudyDocument& m_document;
    std::optional<credence::DrawnPoint> m_grabbed;
    std::vector<std::function<void()>> m_waiting;        // changes, until the training is held
    std::vector<credence::DrawnPoint> m_waitingPoints;   // that are drawn by them
    bool m_wasRunning        = false;                    // the training, when it was asked to be held
    bool m_resumeAfterStroke = false;
    int m_added = 0, m_erased = 0;   // by the current stroke
    bool m_saidMore = false;         // of the current stroke: something more important than numbers
};
