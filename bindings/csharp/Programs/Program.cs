// SPDX-License-Identifier: Apache-2.0
// The programs that tests and benchmarks run, as a user's console project would be.
using System;

switch (args[0])
{
    case "conformance": Conformance.Run(args[1], args[2], args[3]); break;
    case "cycles": Cycles.Run(int.Parse(args[1]), int.Parse(args[2])); break;
    case "overhead": Overhead.Run(int.Parse(args[1])); break;
    default: throw new ArgumentException($"there is no program {args[0]}: conformance, cycles, overhead");
}
