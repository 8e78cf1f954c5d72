# SPDX-License-Identifier: MIT
# cmake -DSOURCE_DIR= -DBUILD_DIR= -DPYTHON= -P check_site.cmake: builds the site and looks for its contents.
set(site "${BUILD_DIR}/tests/docs/site")
file(REMOVE_RECURSE "${site}")
execute_process(COMMAND "${PYTHON}" "${SOURCE_DIR}/scripts/docs" "${site}" --build "${BUILD_DIR}" COMMAND_ERROR_IS_FATAL ANY)
set(javascript "docs/reference/js_api.html;JavaScript reference")
if(EXISTS "${BUILD_DIR}/js/index.cjs")
  set(javascript "docs/reference/js_api.html;framesRolledBack")
endif()
foreach(page IN ITEMS "index.html;guide/space" "docs/guide/bot.html;contest_bot" "api/cpp/classforkmunk_1_1engine_1_1World.html;try_restore"
                      "docs/reference/options.html;forkmunk verify" "${javascript}")
  list(GET page 0 file)
  list(GET page 1 text)
  file(READ "${site}/${file}" found)
  string(FIND "${found}" "${text}" at)
  if(at EQUAL -1)
    message(FATAL_ERROR "${site}/${file} has no '${text}'")
  endif()
endforeach()
