# SPDX-License-Identifier: MIT
# cmake -DSOURCE_DIR= -DBUILD_DIR= -DPYTHON= -P check_site.cmake: builds the site; its links lead somewhere, and what it is for is in it.
set(site "${BUILD_DIR}/tests/docs/site")
file(REMOVE_RECURSE "${site}")
execute_process(COMMAND "${PYTHON}" "${SOURCE_DIR}/scripts/docs" "${site}" --build "${BUILD_DIR}" COMMAND_ERROR_IS_FATAL ANY)
execute_process(COMMAND "${PYTHON}" "${SOURCE_DIR}/tests/docs/check_links.py" "${site}" COMMAND_ERROR_IS_FATAL ANY)
foreach(page IN ITEMS "index.html;guide/space" "docs/guide/bot.html;contest_bot" "api/cpp/classforkmunk_1_1engine_1_1World.html;try_restore"
                      "docs/reference/options.html;forkmunk verify")
  list(GET page 0 file)
  list(GET page 1 text)
  file(READ "${site}/${file}" found)
  string(FIND "${found}" "${text}" at)
  if(at EQUAL -1)
    message(FATAL_ERROR "${site}/${file} has no '${text}'")
  endif()
endforeach()
