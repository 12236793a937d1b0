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
    bandit/active_learning_page.cpp
    bandit/bandit_explainer.cpp
    bandit/bandit_page.cpp
    bandit/bandit_settings.cpp
    document/link_files.cpp
    document/study_files.cpp
    images/edit_panels.cpp
    images/image_area.cpp
    images/image_canvas.cpp
    images/image_grid.cpp
    images/image_grid_bar.cpp
    images/image_list.cpp
    images/image_verdict.cpp
    images/image_workbench.cpp
    images/image_workbench_layout.cpp
    images/own_pictures.cpp
    images/thumbnail_strip.cpp
    imports/column_lines.cpp
    imports/data_sets_page.cpp
    imports/import_dialog.cpp
    imports/import_images_dialog.cpp
    imports/outputs_files.cpp
    imports/pasted_table.cpp
    imports/predict_dialog.cpp
    lessons/lesson_controls.cpp
    lessons/lesson_guide.cpp
    lessons/lesson_panel.cpp
    lessons/lesson_player.cpp
    lessons/lesson_state.cpp
    papers/double_well_page.cpp
    papers/paper_runs.cpp
    papers/papers_page.cpp
    parts/appearance.cpp
    parts/area_splits.cpp
    parts/ask_path.cpp
    parts/export_dialog.cpp
    parts/export_preview.cpp
    parts/exporter.cpp
    parts/figure_ticks.cpp
    parts/film_dialog.cpp
    parts/flat_style.cpp
    parts/form_controls.cpp
    parts/help_mark.cpp
    parts/help_window.cpp
    parts/icons.cpp
    parts/buttons.cpp
    parts/keyboard.cpp
    parts/notifier.cpp
    parts/number_slider.cpp
    parts/palette.cpp
    parts/palette_rows.cpp
    parts/quiet_parts.cpp
    parts/rail.cpp
    parts/remembered_sizes.cpp
    parts/row_table.cpp
    parts/setting_lines.cpp
    parts/sheet.cpp
    parts/toasts.cpp
    parts/tool_page.cpp
    parts/view_area.cpp
    parts/view_area_pages.cpp
    parts/view_binder.cpp
    parts/view_panel.cpp
    parts/view_thumbnails.cpp
    parts/window_part.cpp
    parts/workbench.cpp
    parts/workspace_stack.cpp
    runs/recovery_prompt.cpp
    runs/run_actions.cpp
    runs/run_bar.cpp
    runs/run_delegate.cpp
    runs/run_list_model.cpp
    runs/run_status.cpp
    runs/run_thumbnails.cpp
    runs/runs_panel.cpp
    shell/actions.cpp
    shell/arrangements.cpp
    shell/commands.cpp
    shell/lecture_mode.cpp
    shell/main_window.cpp
    shell/spoken_parts.cpp
    shell/start_page.cpp
    shell/tool_pages.cpp
    shell/workspaces.cpp
    simplex/bridge_sampling_panel.cpp
    simplex/logit_source.cpp
    simplex/logits_model.cpp
    simplex/logits_pictures.cpp
    simplex/open_logits.cpp
    simplex/simplex_controls.cpp
    simplex/simplex_editor.cpp
    simplex/simplex_picture.cpp
    simplex/simplex_workbench.cpp
    study/field_editor.cpp
    study/info_bars.cpp
    study/posterior_box.cpp
    study/preset_cards.cpp
    study/study_panel_parts.cpp
    study/study_panel.cpp
    sweep/sweep_axis_row.cpp
    sweep/sweep_form.cpp
    sweep/sweep_page.cpp
    sweep/sweep_tabs.cpp
    views/changed_row.cpp
    views/comparison.cpp
    views/curtain.cpp
    views/figure_export.cpp
    views/film_export.cpp
    views/findings_panel.cpp
    views/input_dock.cpp
    views/input_ranking.cpp
    views/layers_dock.cpp
    views/main_tabs.cpp
    views/prediction_area.cpp
    views/slice_controls.cpp
    views/slice_handle.cpp
    views/summary_card.cpp
    views/training_dock.cpp
    views/view_navigator.cpp
    views/weights_dock.cpp
    views/what_if.cpp
)
set_target_properties(credence_app PROPERTIES AUTOMOC ON AUTORCC ON)
target_include_directories(credence_app PUBLIC ${CMAKE_CURRENT_SOURCE_DIR} ${PROJECT_SOURCE_DIR})
target_link_libraries(credence_app PUBLIC credence_fetch credence_bandits credence_gallery credence_sweeps credence_results credence_widgets credence_session credence_lessons Qt6::Widgets PRIVATE Qt6::Svg TBB::tbb nlohmann_json::nlohmann_json)
target_compile_definitions(credence_app PRIVATE CREDENCE_VERSION="${PROJECT_VERSION}")
credence_unity(credence_app)
