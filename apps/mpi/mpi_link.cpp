// SPDX-License-Identifier: MIT
#include "apps/mpi/together.h"

#include <forkmunk/base/error.h>

#include <algorithm>
#include <chrono>
#include <csignal>
#include <mutex>
#include <string_view>
#include <thread>

#define OMPI_SKIP_MPICXX 1
#include <fmt/format.h>
#include <mpi.h>
#include <unistd.h>

namespace forkmunk::mpi {
namespace {

using std::chrono::microseconds;

constexpr microseconds kShortestWait{20};
constexpr microseconds kLongestWait{1000};

// MPI's blocking calls spin on a core that a game could use.
class Pause {
 public:
  void operator()() {
    std::this_thread::sleep_for(wait_);
    wait_ = std::min(2 * wait_, kLongestWait);
  }

 private:
  microseconds wait_ = kShortestWait;
};

/// The follower's slot is the tag of a text. MPI is called under a mutex, and never blocks, so sending does not prevent
/// receiving.
class MpiLink final : public referee::RankLink {
 public:
  MpiLink() {
    int provided = 0;
    MPI_Init_thread(nullptr, nullptr, MPI_THREAD_SERIALIZED, &provided);
    threads_ = provided >= MPI_THREAD_SERIALIZED;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank_);
    MPI_Comm_size(MPI_COMM_WORLD, &count_);
  }
  MpiLink(const MpiLink&) = delete;
  MpiLink& operator=(const MpiLink&) = delete;
  ~MpiLink() override { MPI_Finalize(); }

  [[nodiscard]] bool threads() const noexcept { return threads_; }
  [[nodiscard]] std::size_t rank() const noexcept override { return static_cast<std::size_t>(rank_); }
  [[nodiscard]] std::size_t count() const noexcept override { return static_cast<std::size_t>(count_); }

  std::string ask(std::size_t slot, const std::string& text) override {
    send(0, static_cast<int>(slot), text);
    for (Pause pause;; pause()) {
      if (auto answer = receive(0, static_cast<int>(slot))) return std::move(answer->text);
    }
  }

  std::optional<Question> next_question() override {
    std::optional<Question> question = receive(MPI_ANY_SOURCE, MPI_ANY_TAG);
    if (question) {
      pause_ = {};
    } else {
      pause_();
    }
    return question;
  }

  void answer(const Question& question, const std::string& text) override {
    send(static_cast<int>(question.rank), static_cast<int>(question.slot), text);
  }

 private:
  void send(int rank, int tag, const std::string& text) {
    MPI_Request request{};
    {
      const std::scoped_lock lock(mutex_);
      MPI_Isend(text.data(), static_cast<int>(text.size()), MPI_CHAR, rank, tag, MPI_COMM_WORLD, &request);
    }
    for (Pause pause;; pause()) {
      int sent = 0;
      const std::scoped_lock lock(mutex_);
      MPI_Test(&request, &sent, MPI_STATUS_IGNORE);
      if (sent != 0) return;
    }
  }

  std::optional<Question> receive(int rank, int tag) {
    const std::scoped_lock lock(mutex_);
    int there = 0;
    MPI_Status status{};
    MPI_Iprobe(rank, tag, MPI_COMM_WORLD, &there, &status);
    if (there == 0) return std::nullopt;
    int size = 0;
    MPI_Get_count(&status, MPI_CHAR, &size);
    Question question{static_cast<std::size_t>(status.MPI_SOURCE), static_cast<std::size_t>(status.MPI_TAG),
                      std::string(static_cast<std::size_t>(size), '\0')};
    MPI_Recv(question.text.data(), size, MPI_CHAR, status.MPI_SOURCE, status.MPI_TAG, MPI_COMM_WORLD,
             MPI_STATUS_IGNORE);
    return question;
  }

  std::mutex mutex_;
  Pause pause_;
  bool threads_ = false;
  int rank_ = 0;
  int count_ = 1;
};

// The launcher sends SIGTERM when a rank has died, or when it is interrupted, and may kill this process right after, so
// nothing may depend on this handler.
void report_and_end(int signal_number) {
  static constexpr std::string_view kText =
      "forkmunk: the launcher ends the job (a rank may have died); finished games are in the file (arena: of "
      "--resume), "
      "and the same command plays what is missing\n";
  [[maybe_unused]] const auto written = write(STDERR_FILENO, kText.data(), kText.size());
  std::signal(signal_number, SIG_DFL);
  std::raise(signal_number);
}

}  // namespace

extern "C" ConnectFunction forkmunk_connect_mpi;

void forkmunk_connect_mpi(const Launch& job, std::unique_ptr<referee::RankLink>& connected) {
  auto link = std::make_unique<MpiLink>();
  if (link->count() != job.count || link->rank() != job.rank) {
    throw Error(
        fmt::format("the launcher reports rank {} of {}, MPI rank {} of {}; use the mpirun of the MPI library that "
                    "this program was built with",
                    job.rank, job.count, link->rank(), link->count()));
  }
  if (!link->threads()) throw Error("MPI: the library lacks MPI_THREAD_SERIALIZED; use one with thread support");
  if (link->rank() == 0) std::signal(SIGTERM, report_and_end);
  connected = std::move(link);
}

}  // namespace forkmunk::mpi
