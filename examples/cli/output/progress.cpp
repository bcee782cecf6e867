// SPDX-License-Identifier: Apache-2.0
#include "output/progress.hpp"

#include <algorithm>
#include <cmath>
#include <cstdio>

#include "output/terminal.hpp"

namespace command {

using namespace std::chrono_literals;

Progress::Progress() : columns_(has_sequences(Stream::error) ? columns_of_line(Stream::error) : 0) {}

void Progress::update(double fraction, std::string_view stage) {
    if (columns_ == 0) return;
    const double overall = part_.begin + (part_.end - part_.begin) * std::clamp(fraction, 0.0, 1.0);
    shown_ = std::max(shown_, overall);
    const auto now = Clock::now();
    if (now - started_ < 1s || now - drawn_at_ < 100ms) return;
    drawn_at_ = now;
    draw(stage);
}

void Progress::draw(std::string_view stage) {
    const double passed = std::chrono::duration<double>(Clock::now() - phase_started_).count();
    const double done = shown_ - phase_begin_;
    std::string text = name_;
    if (!stage.empty()) text += (text.empty() ? "" : ": ") + std::string(stage);
    // A first hundredth says little of the others.
    if (done >= 0.01 && passed >= 0.5) text += ", " + duration(passed / done * (1 - shown_)) + " left";
    const size_t width = std::clamp<size_t>(columns_ / 4, 5, 30);
    const auto filled = static_cast<size_t>(shown_ * static_cast<double>(width));
    char percent[16];
    std::snprintf(percent, sizeof percent, "%3.0f %%", std::floor(100 * shown_));
    const std::string line =
        "[" + std::string(filled, '#') + std::string(width - filled, '.') + "] " + percent + "  " + text;
    std::fprintf(stderr, "\r\033[K%s", shortened(line, columns_ - 1).c_str());
    std::fflush(stderr);
    drawn_ = true;
}

void Progress::clear() {
    if (std::exchange(drawn_, false)) std::fputs("\r\033[K", stderr);
}

void Progress::end_call() {
    if (depth_ == 0) clear();
}

WorkPart::WorkPart(Progress& progress, double begin, double end, std::string name)
    : progress_(progress), around_(progress.part_), name_around_(progress.name_) {
    const double size = around_.end - around_.begin;
    progress_.part_ = {around_.begin + size * begin, around_.begin + size * end};
    if (!name.empty()) progress_.name_ += (progress_.name_.empty() ? "" : ", ") + std::move(name);
    if (progress_.depth_++ > 0) return;
    progress_.phase_started_ = Progress::Clock::now();
    progress_.phase_begin_ = progress_.shown_ = std::max(progress_.shown_, progress_.part_.begin);
}

WorkPart::~WorkPart() {
    progress_.shown_ = std::max(progress_.shown_, progress_.part_.end);
    progress_.part_ = around_;
    progress_.name_ = std::move(name_around_);
    --progress_.depth_;
    progress_.end_call();
}

std::string duration(double seconds) {
    char text[32];
    if (seconds < 59.5) {
        std::snprintf(text, sizeof text, "%.0f s", std::max(1.0, seconds));
    } else if (seconds < 3570) {
        std::snprintf(text, sizeof text, "%.0f min", seconds / 60);
    } else {
        std::snprintf(text, sizeof text, "%.1f h", seconds / 3600);
    }
    return text;
}

}  // namespace command
