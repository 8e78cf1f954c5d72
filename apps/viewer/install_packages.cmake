# SPDX-License-Identifier: MIT
# Runs npm ci in WORK_DIR on copies of FILES, with instructions if it fails.

foreach(file IN LISTS FILES)
  file(COPY "${SOURCE_DIR}/${file}" DESTINATION "${WORK_DIR}")
endforeach()
execute_process(COMMAND "${NPM}" ci --ignore-scripts --no-audit --no-fund --loglevel=error
                WORKING_DIRECTORY "${WORK_DIR}" RESULT_VARIABLE result OUTPUT_VARIABLE output ERROR_VARIABLE output)
if(NOT result EQUAL 0)
  message(FATAL_ERROR "${output}\n"
    "The packages of the replay page could not be installed (npm ci in ${WORK_DIR}, see above).\n"
    "What to do: go online, or give npm a registry that can be reached, and build again; or configure with "
    "-DFORKMUNK_BUILD_VIEWER=OFF: everything else needs neither node nor network.")
endif()
file(TOUCH "${WORK_DIR}/node_modules/installed")
