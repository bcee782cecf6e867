// SPDX-License-Identifier: Apache-2.0
using System;
using System.IO;
using System.Linq;
using LibDk;

/// <summary>Runs the cases of tests/bindings/conformance.c, which says what is read and written.</summary>
static class Conformance
{
    public static void Run(string cases, string dataFolder, string outFolder)
    {
        foreach (string line in File.ReadLines(cases)) Run(line.Split('\t'), dataFolder, outFolder);
    }

    private static void Run(string[] fields, string dataFolder, string outFolder)
    {
        string[] file = fields[1].Split(' ', 2);
        var parameters = new Parameters(fields[2]);
        foreach (string pair in fields.Skip(3)) parameters.Add(pair.Split('=', 2)[0], pair.Split('=', 2)[1]);
        using Dataset data = Dataset.Read(Path.Combine(dataFolder, file[0]), file.Length > 1 ? file[1] : "");
        using Model model = Model.Train(data, parameters);
        using var output = new BinaryWriter(File.Create(Path.Combine(outFolder, fields[0])));
        void Put(Array values)
        {
            foreach (double value in values) output.Write(value);
        }
        Put(model.Predict(data));
        Put(model.Decision(data));
        Put(model.Explain(data));
        Put(model.Weights.Select(one => one.Weight).ToArray());
        foreach (Prototype prototype in model.Prototypes()) Put(prototype.Coefficients);
        try
        {
            Put(model.Transform(data));
        }
        catch (DkException exception) when (exception.Status == DkStatus.Unsupported)
        {
            // The model has no features of rows.
        }
        output.Write(model.ToBytes());
    }
}
