# SPDX-License-Identifier: MIT
# Finds pybind11 and an interpreter with NumPy and its headers. Sets FORKMUNK_PYTHON_MISSING to what is missing. The
# first python3 on the path may be the user's own without NumPy; Debian's may come later.
set(FORKMUNK_PYTHON_MISSING "")
foreach(candidate IN ITEMS python3 /usr/bin/python3)
  if(NOT Python_EXECUTABLE)
    execute_process(COMMAND ${candidate} -c "import numpy, sys; print(sys.executable)" RESULT_VARIABLE failed
                    OUTPUT_VARIABLE path OUTPUT_STRIP_TRAILING_WHITESPACE ERROR_QUIET)
    if(NOT failed)
      set(Python_EXECUTABLE "${path}" CACHE FILEPATH "The Python that the package is built for")
    endif()
  endif()
endforeach()
if(Python_EXECUTABLE)
  find_package(Python 3.9 QUIET COMPONENTS Interpreter Development.Module)
  find_package(pybind11 2.10 QUIET CONFIG)
  if(NOT Python_FOUND)
    set(FORKMUNK_PYTHON_MISSING "the headers of ${Python_EXECUTABLE} (python3-dev)")
  elseif(NOT pybind11_FOUND)
    set(FORKMUNK_PYTHON_MISSING "pybind11 2.10 (pybind11-dev)")
  endif()
else()
  set(FORKMUNK_PYTHON_MISSING "a python3 with NumPy (python3-numpy)")
endif()
