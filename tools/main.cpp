#include "command.h"

#include <cstdio>
#include <exception>

#include <fmt/core.h>

int main(int argc, char** argv) {
  using namespace forkmunk::tools;
  CLI::App app{
      "forkmunk: exact, clonable physics of the Mad Cars contest.\n"
      "Exit codes: 0 fine; 1 the answer is no (a mismatch, not exact); 2 bad use or unreadable input.",
      "forkmunk"};
  app.require_subcommand(1);
  app.set_version_flag("--version", FORKMUNK_VERSION);
  Run run;
  add_verify(app, run);
  add_doctor(app, run);
  add_bench(app, run);
  add_bot(app, run);
  add_play(app, run);
  add_arena(app, run);
  add_tune(app, run);
  add_stats(app, run);
  add_view(app, run);

  try {
    app.parse(argc, argv);
  } catch (const CLI::CallForHelp& help) {
    return app.exit(help);
  } catch (const CLI::CallForVersion& version) {
    return app.exit(version);
  } catch (const CLI::ParseError& error) {
    fmt::print(stderr, "forkmunk: {} (see forkmunk --help, forkmunk COMMAND --help)\n", error.what());
    return kExitBadUse;
  }
  try {
    return run();
  } catch (const std::exception& error) {
    fmt::print(stderr, "forkmunk: {}\n", error.what());
    return kExitBadUse;
  }
}
