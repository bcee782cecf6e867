// SPDX-License-Identifier: Apache-2.0
using System.Collections.Generic;

namespace LibDk
{
    /// <summary>
    /// A machine and its parameters. Each is checked when it is set: an unknown one fails with the nearest name, a
    /// value out of range with what is allowed. <see cref="Library.Describe"/> lists all. A collection initialiser
    /// works: <c>new Parameters("svm") { { "C", 10 }, { "kernel", "rbf" }, { "probability", true } }</c>.
    /// </summary>
    public sealed partial class Parameters : IEnumerable<KeyValuePair<string, string>>
    {
        private readonly string machine;
        private readonly Dictionary<string, string> values = new Dictionary<string, string>();

        /// <summary>The parameters of a machine such as "svm", "cvm" or "fisher", at their defaults.</summary>
        public Parameters(string machine)
        {
            this.machine = NativeText.Checked(machine);
            using (Create())
            {
            }
        }

        /// <summary>Native parameters live for a call only: there is nothing to dispose of.</summary>
        internal NativeParams Create()
        {
            var native = new NativeParams(machine, string.Empty);
            foreach (KeyValuePair<string, string> pair in values) native.set(pair.Key, pair.Value);
            return native;
        }

        /// <summary>What the machine learns.</summary>
        public MachineTask Task
        {
            get
            {
                using (NativeParams native = Create()) return (MachineTask)native.task_number();
            }
        }

        /// <summary>Sets a parameter from text.</summary>
        public void Add(string key, string value)
        {
            using (NativeParams native = Create()) native.set(NativeText.Checked(key), NativeText.Checked(value));
            values[key] = value;
        }

        /// <summary>Sets parameters from text such as "C=10 kernel=rbf(gamma=0.5)"; all of them, or none.</summary>
        public Parameters Parse(string settings)
        {
            using (var native = new NativeParams(machine, NativeText.Checked(settings)))
                foreach (string key in native.given().Split(new[] { ' ' }, System.StringSplitOptions.RemoveEmptyEntries))
                    values[key] = native.get(key);
            return this;
        }

        /// <summary>Sets a parameter to a number.</summary>
        public void Add(string key, double value) => Add(key, ParameterText.Of(value));

        /// <summary>Sets a parameter to an integer, of which none is rounded.</summary>
        public void Add(string key, long value) => Add(key, ParameterText.Of(value));

        /// <summary>Sets a parameter to yes or no.</summary>
        public void Add(string key, bool value) => Add(key, ParameterText.Of(value));

        /// <summary>Sets a parameter to a list, such as the kernels of a bank.</summary>
        public void Add(string key, IEnumerable<string> values) => Add(key, ParameterText.Of(values));

        /// <summary>Sets a parameter to a number for each name, as <c>class_weight</c> takes them.</summary>
        public void Add(string key, IReadOnlyDictionary<string, double> values) => Add(key, ParameterText.OfPairs(values));

        /// <summary>The value of a parameter as text; setting it checks it.</summary>
        public string this[string key]
        {
            get
            {
                using (NativeParams native = Create()) return native.get(NativeText.Checked(key));
            }
            set => Add(key, value);
        }

        /// <summary>What was set.</summary>
        public IEnumerator<KeyValuePair<string, string>> GetEnumerator() => values.GetEnumerator();

        System.Collections.IEnumerator System.Collections.IEnumerable.GetEnumerator() => GetEnumerator();
    }
}
