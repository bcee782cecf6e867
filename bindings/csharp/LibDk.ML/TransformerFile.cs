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

        private sealed class Description
        {
            public string Task { get; set; } = string.Empty;
            public string Features { get; set; } = string.Empty;
            public IReadOnlyList<string> Classes { get; set; } = Array.Empty<string>();
        }

        internal static void Write(Stream stream, Model model, Outputs outputs, string features)
        {
            if (stream == null) throw new ArgumentNullException(nameof(stream));
            var description = new Description { Task = outputs.Task, Features = features, Classes = outputs.ClassNames };
            using (var archive = new ZipArchive(stream, ZipArchiveMode.Create, leaveOpen: true))
            {
                Write(archive, DescriptionEntry, JsonSerializer.SerializeToUtf8Bytes(description));
                Write(archive, ModelEntry, model.ToBytes());
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
                Description description = JsonSerializer.Deserialize<Description>(Read(archive, DescriptionEntry))
                    ?? throw new InvalidDataException($"{DescriptionEntry} is empty");
                Model model = Model.FromBytes(Read(archive, ModelEntry));
                return new DkTransformer(model, OutputsOf(description, model), description.Features);
            }
        }

        private static byte[] Read(ZipArchive archive, string name)
        {
            ZipArchiveEntry found = archive.GetEntry(name)
                ?? throw new InvalidDataException($"the archive has no {name}; DkTransformer.Save writes it");
            using (Stream entry = found.Open())
            using (var content = new MemoryStream())
            {
                entry.CopyTo(content);
                return content.ToArray();
            }
        }

        private static Outputs OutputsOf(Description description, Model model)
        {
            switch (description.Task)
            {
                case BinaryOutputs.Name: return new BinaryOutputs(model);
                case KeyOutputs.Name: return KeyOutputs.OfNames(model, description.Classes.ToArray());
                case TargetOutputs.Name: return new TargetOutputs();
                default: throw new InvalidDataException($"the task is '{description.Task}'; allowed are "
                    + $"{BinaryOutputs.Name}, {KeyOutputs.Name}, {TargetOutputs.Name}");
            }
        }
    }
}
