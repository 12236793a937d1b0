// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QJsonObject>
#include <QStringList>
#include <QTimer>
#include <QWidget>

#include <map>
#include <optional>
#include <vector>

class AreaSplits;
class QSplitter;
class QStackedWidget;
class QToolButton;
class QuietParts;
class Rail;
class WindowPart;
class WorkspaceStack;

/// The window below its toolbar. From left to right: the rail with the workspaces, an open lesson, the Study, the
/// stage with its charts and below it the drawer, and the inspector, which follows the selected input. The Study and
/// the inspector fold to strips; if the stage would get less than 55 % of the width, only the one that was
/// opened last is open, and with very large text none until the user opens it.
class Workbench : public QWidget {
    Q_OBJECT
public:
    enum class Place { lesson, study, inspector, drawer };

    /// @param middle  the charts in the middle of the stage
    Workbench(QWidget* middle, QWidget* parent);
    ~Workbench() override;

    /// With large text, the parts need more space than a small screen has; they then shrink, so that the window fits.
    QSize minimumSizeHint() const override;

    WindowPart* add(const QString& name, const QString& title, const QString& icon, QWidget* content, Place place);
    const std::vector<WindowPart*>& parts() const { return m_parts; }
    WindowPart* part(const QString& name) const;
    Rail& rail() const { return *m_rail; }
    /// The charts, drawer included, or a page that takes their place and that of Study and inspector.
    WorkspaceStack& pages() const { return *m_pages; }
    Rail& studyStrip() const { return *m_studyStrip; }

    bool isOpen(const WindowPart& part) const;   ///< is its content visible while the window is?
    void setOpen(WindowPart& part, bool open);
    /// Opens the inspector, unless the user has opened or closed it before.
    void inspect();
    void showAllEntries();         ///< of the inspector's strip and the drawer: at first only one of each is shown
    void setImages(bool images);   ///< the inspector gets room for an image next to its boxplots
    void setTable(bool table);     ///< its first part gets more height, for the inputs of a table
    /// Moves these parts below the charts of the stage; the others return to their places.
    void setOnStage(const QStringList& parts);
    /// The part or area of the stage under this widget alone; again: all parts.
    void toggleAlone(const QWidget* under);
    void endAlone(const QWidget& inside);   ///< unless this widget is in what is shown alone

    void fold(const QStringList& parts);   ///< parts of the inspector that are folded at first
    void arrange();                        ///< after all parts were added
    /// The areas in the middle of the stage: they are remembered with the parts.
    void setAreas(AreaSplits& areas) { m_areas = &areas; }
    void reset();     ///< the first arrangement
    void openAll();   ///< Study, inspector and drawer
    /// Shows only these parts, and the lesson if it is open, until `restoreParts`.
    void setAside(const QStringList& shown);
    /// @return  the parts that were shown until now
    QStringList restoreParts();
    QJsonObject state() const;   ///< of the arrangement, also while it is set aside
    void restore(const QJsonObject& state);
    /// The stage with the headers of its charts, without the drawer, in coordinates of the window.
    QRect stageRect() const;

protected:
    void resizeEvent(QResizeEvent* event) override;
    void showEvent(QShowEvent* event) override;
    void changeEvent(QEvent* event) override;

private:
    struct State {
        bool lesson = false, study = true, inspector = false, drawer = false;
        bool inspected  = false;   ///< the user has opened or closed the inspector
        bool studyLast  = true;    ///< the Study was opened after the inspector
        bool studyAsked = false;   ///< the user has opened it, so that it may take more than its share
        QStringList folded{};      ///< parts of the inspector
        QString front{};           ///< part in the drawer
        int lessonWidth = 0, studyWidth = 0, inspectorWidth = 0, drawerHeight = 0;   ///< at 100 % text; 0: the usual
    };
    struct Open {
        bool study, inspector;
    };
    Open open() const;           ///< what fits
    bool fit(int sides) const;   ///< with the rail, does the stage keep its share?
    bool bothFit() const;
    bool fitsNextToLesson(Place side) const;
    int widthOf(Place place) const;
    Place home(const WindowPart& part) const { return m_home.at(&part); }
    bool onStage(const WindowPart& part) const;
    void changeState(WindowPart& part, bool open);
    void openInspector();
    void layOut();
    void placePart(WindowPart& part);
    void layOutSides();
    void layOutInspector();
    void shareAnew();
    void layOutDrawer();
    void share();
    void rememberSizes();
    void setWindow(WindowPart& part, bool own);

    QWidget* m_middle;
    AreaSplits* m_areas = nullptr;   ///< null: not yet
    Rail *m_rail, *m_studyStrip, *m_inspectorStrip;
    QSplitter *m_split, *m_column, *m_stage, *m_inspector;
    QWidget *m_lessonSide, *m_studySide, *m_inspectorSide, *m_studyBody, *m_inspectorBody, *m_drawerBar;
    WorkspaceStack* m_pages;
    QStackedWidget* m_drawer;
    QuietParts *m_quietStrip, *m_quietDrawer;   ///< entries after the first
    std::vector<WindowPart*> m_parts;
    std::map<const WindowPart*, Place> m_home;
    std::map<const WindowPart*, QWidget*> m_windows;   ///< of parts that have one of their own
    std::map<const WindowPart*, QToolButton*> m_drawerButtons;
    State m_state;
    std::optional<State> m_aside;   ///< what `restoreParts` restores
    QStringList m_onStage;
    QJsonObject m_first;
    QList<int> m_shared;   ///< kinds of parts when the heights of the inspector were shared
    bool m_images = false, m_table = false;
    const QWidget* m_alone = nullptr;   ///< the middle or a part; null: all
    QTimer m_inspectAgain;              ///< looks whether the mouse button has been released
};
