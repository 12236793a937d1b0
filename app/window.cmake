# SPDX-License-Identifier: GPL-3.0-or-later
# The window as a library, so that tests click through the same one.
add_library(credence_app STATIC
    app.qrc
    beta_panel.cpp
    bridge_sampling_panel.cpp
    data_set_box.cpp
    data_sets_dialog.cpp
    decimal_point.cpp
    disturb_panel.cpp
    export_dialog.cpp
    field_editor.cpp
    flow_layout.cpp
    help_mark.cpp
    help_window.cpp
    icons.cpp
    image_area.cpp
    image_canvas.cpp
    image_delegate.cpp
    image_grid.cpp
    image_list_model.cpp
    image_workbench.cpp
    image_workbench_layout.cpp
    import_dialog.cpp
    import_images_dialog.cpp
    laplace_panel.cpp
    law_boxes.cpp
    law_choice.cpp
    logits_model.cpp
    main_window.cpp
    menu_button.cpp
    message_bar.cpp
    mistake_label.cpp
    open_logits.cpp
    parts/ask_export.cpp
    parts/delete_run.cpp
    parts/row_table.cpp
    prediction_area.cpp
    run_bar.cpp
    runs_panel.cpp
    simplex_workbench.cpp
    simplex_workbench_layout.cpp
    study_panel.cpp
    theme.cpp
    thumbnail_strip.cpp
    time_machine.cpp
    view_panel.cpp
    window.cpp
    window_actions.cpp
    window_files.cpp
    window_image.cpp
    window_points.cpp
    window_simplex.cpp
    window_views.cpp)
set_target_properties(credence_app PROPERTIES AUTOMOC ON AUTORCC ON)
target_include_directories(credence_app PUBLIC ${CMAKE_CURRENT_SOURCE_DIR} ${PROJECT_SOURCE_DIR})
target_link_libraries(credence_app PUBLIC credence_fetch credence_study credence_widgets credence_session Qt6::Widgets PRIVATE Qt6::Svg TBB::tbb)
target_compile_definitions(credence_app PRIVATE CREDENCE_VERSION="${PROJECT_VERSION}")
