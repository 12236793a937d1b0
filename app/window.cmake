# SPDX-License-Identifier: GPL-3.0-or-later
# The formulas of the help are typeset by matplotlib; without it, the help shows them as text.
function(credence_has_matplotlib result python)
    execute_process(COMMAND ${python} -c "import matplotlib.textpath" RESULT_VARIABLE failed OUTPUT_QUIET ERROR_QUIET)
    if(failed)
        set(${result} FALSE PARENT_SCOPE)
    endif()
endfunction()
find_program(CREDENCE_MATPLOTLIB NAMES python3 VALIDATOR credence_has_matplotlib DOC "a Python that has matplotlib")
set(formulas_file ${PROJECT_SOURCE_DIR}/resources/formulas.json)
set(typeset_file ${formulas_file})
if(CREDENCE_MATPLOTLIB)
    set(typeset_file ${CMAKE_CURRENT_BINARY_DIR}/formulas.json)
    set(typeset_script ${PROJECT_SOURCE_DIR}/cmake/typeset_formulas.py)
    add_custom_command(
        OUTPUT ${typeset_file}
        COMMAND ${CREDENCE_MATPLOTLIB} ${typeset_script} ${formulas_file} ${typeset_file}
        DEPENDS ${formulas_file} ${typeset_script}
        COMMENT "Typesetting the formulas of the help" VERBATIM)
else()
    message(STATUS "Formulas in the help are shown as text: no python3 with matplotlib was found (package python3-matplotlib)")
endif()
set(formula_texts ${CMAKE_CURRENT_BINARY_DIR}/formula_texts.cpp)
add_custom_command(
    OUTPUT ${formula_texts}
    COMMAND ${CMAKE_COMMAND} -DOUTPUT=${formula_texts} -DFUNCTION=formula_texts -DFILES=${typeset_file} -P ${PROJECT_SOURCE_DIR}/cmake/EmbedTexts.cmake
    DEPENDS ${typeset_file} ${PROJECT_SOURCE_DIR}/cmake/EmbedTexts.cmake
    COMMENT "Compiling in the formulas of the help" VERBATIM)

# The window as a library, so that tests click through the same one.
add_library(credence_app STATIC
    app.qrc
    ${formula_texts}
    docks/main_tabs.cpp
    docks/comparison.cpp
    docks/figure_export.cpp
    docks/findings_panel.cpp
    docks/input_dock.cpp
    tools/logit_source.cpp
    docks/layers_dock.cpp
    docks/lecture_mode.cpp
    docks/link_files.cpp
    docks/notifier.cpp
    docks/info_bars.cpp
    docks/outputs_files.cpp
    docks/own_pictures.cpp
    docks/paper_runs.cpp
    docks/prediction_area.cpp
    docks/queue_status.cpp
    docks/preset_chooser.cpp
    docks/rows_panel.cpp
    docks/run_actions.cpp
    docks/run_bar.cpp
    docks/run_delegate.cpp
    docks/run_list.cpp
    docks/run_list_model.cpp
    docks/run_status.cpp
    docks/run_thumbnails.cpp
    docks/runs_panel.cpp
    docks/speed_control.cpp
    docks/step_preview.cpp
    docks/study_files.cpp
    docks/study_line.cpp
    docks/study_panel.cpp
    docks/summary_card.cpp
    docks/time_machine.cpp
    docks/training_dock.cpp
    docks/view_navigator.cpp
    docks/weights_dock.cpp
    docks/what_to_keep.cpp
    images/edit_panels.cpp
    images/image_area.cpp
    images/image_canvas.cpp
    images/image_grid.cpp
    images/image_grid_bar.cpp
    images/image_list.cpp
    images/image_verdict.cpp
    images/image_workbench.cpp
    images/image_workbench_layout.cpp
    images/spoken_parts.cpp
    images/thumbnail_strip.cpp
    lessons/lesson_controls.cpp
    lessons/lesson_guide.cpp
    lessons/lesson_panel.cpp
    lessons/lesson_player.cpp
    lessons/lesson_state.cpp
    parts/ask_path.cpp
    parts/input_filters.cpp
    parts/export_dialog.cpp
    parts/export_preview.cpp
    parts/exporter.cpp
    parts/field_editor.cpp
    parts/figure_ticks.cpp
    parts/flow_layout.cpp
    parts/help_mark.cpp
    parts/help_text.cpp
    parts/help_window.cpp
    parts/icons.cpp
    parts/form_controls.cpp
    parts/menu_button.cpp parts/menu_keys.cpp
    parts/sheet.cpp
    parts/toasts.cpp
    parts/number_slider.cpp
    parts/palette.cpp
    parts/posterior_box.cpp
    parts/view_binder.cpp
    parts/row_table.cpp
    parts/tab_order.cpp
    parts/appearance.cpp
    parts/view_panel.cpp
    parts/view_area.cpp
    tools/bandit_explainer.cpp
    tools/bandit_page.cpp
    tools/bandit_settings.cpp
    tools/bridge_sampling_panel.cpp
    tools/data_sets_page.cpp
    tools/double_well_page.cpp
    tools/import_dialog.cpp
    tools/import_images_dialog.cpp
    tools/simplex_editor.cpp
    tools/simplex_picture.cpp
    tools/logits_model.cpp
    tools/logits_pictures.cpp
    tools/open_logits.cpp
    tools/papers_page.cpp
    tools/simplex_controls.cpp
    tools/simplex_workbench.cpp
    tools/sweep_axis_row.cpp
    tools/sweep_form.cpp
    tools/sweep_page.cpp
    tools/sweep_tabs.cpp
    tools/tool_page.cpp
    parts/rail.cpp
    parts/window_part.cpp
    parts/workbench.cpp
    parts/workspace_stack.cpp
    window/workspaces.cpp
    window/actions.cpp
    window/commands.cpp
    window/main_window.cpp
    window/tool_pages.cpp
)
set_target_properties(credence_app PROPERTIES AUTOMOC ON AUTORCC ON)
target_include_directories(credence_app PUBLIC ${CMAKE_CURRENT_SOURCE_DIR} ${PROJECT_SOURCE_DIR})
target_link_libraries(credence_app PUBLIC credence_fetch credence_bandits credence_gallery credence_sweeps credence_results credence_widgets credence_session credence_lessons Qt6::Widgets PRIVATE Qt6::Svg TBB::tbb nlohmann_json::nlohmann_json)
target_compile_definitions(credence_app PRIVATE CREDENCE_VERSION="${PROJECT_VERSION}")
credence_unity(credence_app)
