// SPDX-License-Identifier: Apache-2.0
// This program's own open(), read(), write() and their kin stand before those of the C library. They count,
// and one of them can fail or kill the process.
#ifndef DK_TESTS_FAULTS_SYSTEM_GATE_HPP
#define DK_TESTS_FAULTS_SYSTEM_GATE_HPP

#include <cstdint>
#include <string>

namespace dk_test {

/// Makes the system call with this number, counted from 1 and from now on, fail with an error such as ENOSPC.
void fail_system_call(int64_t number, int error);
/// Makes every write give fewer bytes than it was asked to.
void write_in_small_pieces(bool small);
/// Kills the process in the place of the call with this number.
void kill_at_system_call(int64_t number);
/// Lets everything succeed again. Gives how many calls were counted.
int64_t allow_system_calls();
/// Whether the call that should fail or kill has been reached.
bool system_fault_met();
/// The calls since the last of the functions above that chose one, in their order: 'o'pen, 'r'ead, 'w'rite,
/// 's'ync, 'c'lose, re'n'ame, 'l'ink, '.' for others.
std::string system_calls();

}  // namespace dk_test

#endif  // DK_TESTS_FAULTS_SYSTEM_GATE_HPP
