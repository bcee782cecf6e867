// SPDX-License-Identifier: Apache-2.0
using System;
using System.Collections.Generic;
using System.IO;
using System.IO.Compression;
using System.Linq;
using System.Text.Json;

namespace LibDk.ML
{
    /// <summary>
    /// The file of a transformer, a ZIP archive: model.dk, the model as every language of libdk reads it, and
    /// transformer.json, the names of its task, columns and classes.
    /// </summary>
    internal static class TransformerFile
    {
        private const string ModelEntry = "model.dk";
        private const string DescriptionEntry = "transformer.json";
        private const int CurrentVersion = 1;
        // What is more is no file of a transformer, but could fill the memory when it is decompressed.
        private const int LargestModel = 1 << 30;
        private const int LargestDescription = 1 << 24;

        private sealed class Description
        {
            public int Version { get; set; }
            public string? Task { get; set; }
            public string? Features { get; set; }
            public IReadOnlyList<string?>? Classes { get; set; }
        }

        internal static void Write(Stream stream, Model model, Outputs outputs, string features)
        {
            if (stream == null) throw new ArgumentNullException(nameof(stream));
            var description = new Description
                { Version = CurrentVersion, Task = outputs.Task, Features = features, Classes = outputs.ClassNames };
            byte[] described = JsonSerializer.SerializeToUtf8Bytes(description), content = model.ToBytes();
            RequireSize(described.Length, LargestDescription, DescriptionEntry);
            RequireSize(content.Length, LargestModel, ModelEntry);
            using (var archive = new ZipArchive(stream, ZipArchiveMode.Create, leaveOpen: true))
            {
                Write(archive, DescriptionEntry, described);
                Write(archive, ModelEntry, content);
            }
        }

        private static void Write(ZipArchive archive, string name, byte[] content)
        {
            using (Stream entry = archive.CreateEntry(name).Open()) entry.Write(content, 0, content.Length);
        }

        internal static DkTransformer Read(Stream stream)
        {
            if (stream == null) throw new ArgumentNullException(nameof(stream));
            using (var archive = new ZipArchive(stream, ZipArchiveMode.Read, leaveOpen: true))
            {
                Description description = Described(Read(archive, DescriptionEntry, LargestDescription));
                string features = description.Features ?? throw Wrong("Features is null");
                return DkTransformer.Of(Model.FromBytes(Read(archive, ModelEntry, LargestModel)),
                    model => OutputsOf(description, model), features);
            }
        }

        private static byte[] Read(ZipArchive archive, string name, int largest)
        {
            ZipArchiveEntry found = archive.GetEntry(name)
                ?? throw new InvalidDataException($"the archive has no {name}; DkTransformer.Save writes it");
            using (Stream entry = found.Open())
            using (var content = new MemoryStream())
            {
                // the length that the archive tells need not be the true one
                var piece = new byte[1 << 16];
                for (int count; (count = entry.Read(piece, 0, piece.Length)) > 0;)
                {
                    content.Write(piece, 0, count);
                    RequireSize(content.Length, largest, name);
                }
                return content.ToArray();
            }
        }

        private static void RequireSize(long size, int largest, string name)
        {
            if (size > largest) throw new InvalidDataException($"{name} has more than {largest} bytes");
        }

        private static Description Described(byte[] content)
        {
            Description? description;
            try
            {
                description = JsonSerializer.Deserialize<Description>(content);
            }
            catch (JsonException error)
            {
                throw new InvalidDataException($"{DescriptionEntry} cannot be read: {error.Message}", error);
            }
            if (description == null) throw Wrong("it is null");
            return description.Version == CurrentVersion ? description
                : throw Wrong($"it is of version {description.Version}; version {CurrentVersion} can be read");
        }

        private static InvalidDataException Wrong(string what) => new InvalidDataException($"{DescriptionEntry}: {what}");

        private static Outputs OutputsOf(Description description, Model model)
        {
            switch (description.Task)
            {
                case BinaryOutputs.Name:
                    RequireTask(MachineTask.Classification, description, model);
                    return model.ClassNames.SequenceEqual(BinaryLabels.ClassNames) ? new BinaryOutputs(model)
                        : throw Wrong($"the classes of a {BinaryOutputs.Name} are {Listed(BinaryLabels.ClassNames)}, "
                            + $"those of the model {Listed(model.ClassNames)}");
                case KeyOutputs.Name:
                    RequireTask(MachineTask.Classification, description, model);
                    return KeyOutputs.OfNames(model, KeyNames(description.Classes, model.ClassNames));
                case TargetOutputs.Name:
                    RequireTask(MachineTask.Regression, description, model);
                    return new TargetOutputs();
                default:
                    throw Wrong($"the task is '{description.Task}'; allowed are "
                        + $"{BinaryOutputs.Name}, {KeyOutputs.Name}, {TargetOutputs.Name}");
            }
        }

        private static void RequireTask(MachineTask task, Description description, Model model)
        {
            if (model.Task != task) throw Wrong($"the task is '{description.Task}', but the model learned {model.Task}");
        }

        private static string[] KeyNames(IReadOnlyList<string?>? classes, string[] met)
        {
            if (classes == null) throw Wrong("Classes is null");
            string[] names = classes.Select(name => name ?? throw Wrong("Classes has null in it")).ToArray();
            string? twice = names.GroupBy(name => name).FirstOrDefault(one => one.Count() > 1)?.Key;
            if (twice != null) throw Wrong($"Classes has '{twice}' twice");
            string? absent = met.Except(names).FirstOrDefault();
            return absent == null ? names : throw Wrong($"the model's class '{absent}' is not in Classes");
        }

        private static string Listed(string[] names) => string.Join(" and ", names.Select(name => $"'{name}'"));
    }
}
