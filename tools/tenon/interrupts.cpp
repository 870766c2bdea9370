#include "cli.hpp"

#include <csignal>
#include <cstdlib>
#include <mutex>
#include <thread>

namespace tenon::cli {

struct Interrupts::State {
  sigset_t signals{};
  std::mutex mutex;
  std::function<void(int)> handler;
  int n = 0;
  bool ending = false;
  std::thread thread;
};

Interrupts::Interrupts() : state_(std::make_unique<State>()) {
  sigemptyset(&state_->signals);
  for (const int signal : {SIGINT, SIGTERM, SIGUSR1}) sigaddset(&state_->signals, signal);
  // Threads made from here on inherit the mask, so only the waiting thread sees these signals.
  pthread_sigmask(SIG_BLOCK, &state_->signals, nullptr);
  state_->thread = std::thread([state = state_.get()] {
    for (;;) {
      int signal = 0;
      if (sigwait(&state->signals, &signal) != 0) continue;
      const std::lock_guard lock(state->mutex);
      if (state->ending) return;
      if (signal == SIGUSR1) continue;
      ++state->n;
      if (!state->handler) std::_Exit(kInterrupted);
      state->handler(signal);
    }
  });
}

Interrupts::~Interrupts() {
  {
    const std::lock_guard lock(state_->mutex);
    state_->ending = true;
  }
  pthread_kill(state_->thread.native_handle(), SIGUSR1);
  state_->thread.join();
  pthread_sigmask(SIG_UNBLOCK, &state_->signals, nullptr);
}

void Interrupts::set_handler(std::function<void(int signal)> handler) {
  const std::lock_guard lock(state_->mutex);
  state_->handler = std::move(handler);
}

int Interrupts::count() const {
  const std::lock_guard lock(state_->mutex);
  return state_->n;
}

}  // namespace tenon::cli
