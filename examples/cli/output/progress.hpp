// SPDX-License-Identifier: Apache-2.0
// This file tells on one line of a terminal how far a command is, what it does and how long it will take.
#pragma once

#include <chrono>
#include <cstddef>
#include <string>
#include <string_view>
#include <utility>

namespace command {

struct Interval {
    double begin = 0;
    double end = 1;
};

// A bar of the whole command, to which its calls of the library contribute one after the other. It never
// falls. Where standard error is no terminal, nothing is written.
class Progress {
  public:
    using Clock = std::chrono::steady_clock;

    Progress();
    ~Progress() { clear(); }
    Progress(const Progress&) = delete;
    Progress& operator=(const Progress&) = delete;

    bool is_shown() const { return columns_ > 0; }
    // Takes the fraction that a call has done, and what it does. Draws if the command has run for a second.
    void update(double fraction, std::string_view stage);
    // Removes the line, before something else is written or where nothing follows.
    void clear();
    // Removes the line unless a part of the work goes on with another call.
    void end_call();

  private:
    friend class WorkPart;
    void draw(std::string_view stage);

    size_t columns_;
    Clock::time_point started_ = Clock::now();
    Clock::time_point drawn_at_;
    Interval part_;
    std::string name_;
    int depth_ = 0;
    // Parts of the first level differ in what a hundredth of them takes, so that the speed is that of the
    // current one.
    Clock::time_point phase_started_ = started_;
    double phase_begin_ = 0;
    double shown_ = 0;
    bool drawn_ = false;
};

// While it lives, what calls do is this interval of the part around it, or of the whole.
class WorkPart {
  public:
    WorkPart(Progress& progress, double begin, double end, std::string name = "");
    ~WorkPart();
    WorkPart(const WorkPart&) = delete;
    WorkPart& operator=(const WorkPart&) = delete;

  private:
    Progress& progress_;
    Interval around_;
    std::string name_around_;
};

// Says how long something takes as people do: "7 s", "3 min", "2.5 h".
std::string duration(double seconds);

}  // namespace command
