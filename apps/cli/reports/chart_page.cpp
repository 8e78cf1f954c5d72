#include "apps/cli/reports/chart_page.h"

#include "apps/cli/reports/page.h"

#include <forkmunk/base/error.h>
#include <forkmunk/io/json_writer.h>
#include <forkmunk/io/output_file.h>

namespace forkmunk::reports {

void check_plot(const std::string& path) {
  if (!path.ends_with(".html") && !io::is_stdout(path)) {
    throw Error("--plot " + path +
                ": charts are HTML pages; give a file name that ends in .html (--json has the numbers)");
  }
  if (chart_template().empty()) {
    throw Error(
        "--plot " + path +
        ": this build has no chart page; install node, npm and Emscripten (scripts/install_deps), configure with "
        "-DFORKMUNK_BUILD_VIEWER=ON and build again (--json has the numbers)");
  }
}

void write_plot(const std::string& path, std::string_view subtitle, std::string_view report) {
  io::JsonWriter json;
  json.object([&] { json.field("subtitle", subtitle).key("report").raw(report); });
  io::write_file(path, filled(chart_template(), json.take()));
}

}  // namespace forkmunk::reports
