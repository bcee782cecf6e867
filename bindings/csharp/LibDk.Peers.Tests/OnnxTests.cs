// SPDX-License-Identifier: Apache-2.0
// ONNX Runtime decides and predicts with an exported model as libdk does.
using System;
using System.Collections.Generic;
using System.IO;
using System.Linq;
using Microsoft.ML.OnnxRuntime;
using Microsoft.ML.OnnxRuntime.Tensors;
using Xunit;

namespace LibDk.Peers.Tests
{
    public class OnnxTests
    {
        private const int Rows = 120;
        private const int Columns = 4;

        // Four clouds of points, whose numbers come from a congruential generator.
        private static (double[,] Points, long[] Labels) Clouds(int classes)
        {
            var points = new double[Rows, Columns];
            var labels = new long[Rows];
            uint state = 12345;
            double Next()
            {
                state = state * 1664525 + 1013904223;
                return state / 4294967296.0 - 0.5;
            }
            for (int i = 0; i < Rows; ++i)
            {
                labels[i] = 10 * (i % classes) - 3;
                for (int j = 0; j < Columns; ++j) points[i, j] = 3 * Next() + ((i % classes) >> (j % 2)) % 2;
            }
            return (points, labels);
        }

        // Gives what ONNX Runtime answers for the points to the check.
        private static void Answer(Model model, double[,] points, Action<Dictionary<string, DisposableNamedOnnxValue>> check)
        {
            string file = Path.Combine(Path.GetTempPath(), Path.GetRandomFileName() + ".onnx");
            model.Export(file, "onnx");
            using var session = new InferenceSession(file);
            var rows = new DenseTensor<double>(points.Cast<double>().ToArray(), new[] { points.GetLength(0), Columns });
            using var results = session.Run(new[] { NamedOnnxValue.CreateFromTensor("rows", rows) });
            check(results.ToDictionary(result => result.Name));
            File.Delete(file);
        }

        private static void Compare(Model model, double[,] points) => Answer(model, points, named =>
        {
            using Dataset data = Dataset.From(points);
            double[] expected = model.Decision(data).Cast<double>().ToArray();
            double[] found = named["decisions"].AsTensor<double>().ToArray();
            Assert.Equal(expected.Length, found.Length);
            double size = 1 + expected.Max(Math.Abs);
            for (int i = 0; i < expected.Length; ++i) Assert.InRange(found[i] - expected[i], -1e-10 * size, 1e-10 * size);
            if (named.TryGetValue("probabilities", out var likely))
            {
                double[] own = model.Probability(data).Cast<double>().ToArray();
                Assert.Equal(own.Length, likely.AsTensor<double>().Length);
                foreach (var pair in own.Zip(likely.AsTensor<double>()))
                    Assert.InRange(pair.First - pair.Second, -1e-10, 1e-10);
            }
            double[] predicted = model.Predict(data);
            if (named["prediction"].Value is Tensor<long> labels)
                Assert.Equal(predicted, labels.Select(label => (double)label));
            else
                Assert.All(predicted.Zip(named["prediction"].AsTensor<double>()),
                           pair => Assert.InRange(pair.First - pair.Second, -1e-10 * size, 1e-10 * size));
        });

        [Theory]
        [InlineData(2, "svm", "kernel=rbf(gamma=0.4) scale=standard")]
        [InlineData(4, "svm", "kernel=rbf(gamma=0.4)")]
        [InlineData(4, "svm", "kernel=poly(degree=3,gamma=0.3,coef0=1) scale=minmax")]
        [InlineData(4, "svm", "kernel=linear multiclass=ovr")]
        [InlineData(2, "svm", "kernel=sigmoid(gamma=0.1,coef0=-0.5)")]
        [InlineData(4, "fisher", "kernel=rbf(gamma=0.3)+0.3*linear^2*rbf(gamma=0.1)+2")]
        [InlineData(4, "super_sparse", "kernel=rbf(gamma=0.3) prototypes=6")]
        [InlineData(2, "svm", "C=10 scale=standard weights=dimkl1 "
            + "kernel=[rbf(gamma=0.002),rbf(gamma=1/d),arccos(0),arccos(1),arccos(1,0),arccos(2,1,0)]")]
        [InlineData(2, "svm", "kernel=[arccos(3,2),arccos(0,1,2),arccos(1,0,bias_variance=0.2),"
            + "normalize(neural_tangent(depth=2,bias_variance=0.1)),arccos(1,3)]")]
        [InlineData(2, "svm", "kernel=normalize(neural_tangent(depth=2)) scale=none")]
        [InlineData(4, "svm", "kernel=[laplacian(gamma=0.1),cauchy(gamma=0.2),rational_quadratic(gamma=0.3,alpha=2),"
            + "matern(gamma=0.1,nu=0.5),matern(gamma=0.2,nu=1.5),matern(gamma=0.3,nu=2.5),spherical(gamma=0.05),"
            + "anova(gamma=0.2,degree=2),on(1:2,circular(gamma=0.05))]")]
        [InlineData(4, "svm", "kernel=[each_feature(rbf(gamma=0.3)),on(0:2,poly(degree=2,gamma=0.5,coef0=1)),cosine,"
            + "normalize(poly(degree=2,gamma=1,coef0=0))] scale=minmax")]
        [InlineData(2, "svm", "kernel=[chi_square(gamma=0.1),additive_chi_square,intersection] scale=minmax")]
        [InlineData(4, "svm", "kernel=rbf(gamma=0.5) scale=ranks impute=median")]
        [InlineData(4, "svm", "kernel=rbf(gamma=0.5) scale_rows=l2 scale=standard")]
        [InlineData(2, "svm", "kernel=rbf(gamma=0.5) scale_rows=l1")]
        [InlineData(2, "svm", "kernel=rbf(gamma=0.5) scale_rows=max scale=minmax")]
        [InlineData(2, "svm", "kernel=rbf(gamma=0.5) scale_rows=standard")]
        [InlineData(4, "kglvq", "kernel=rbf(gamma=0.2) scale=standard")]
        [InlineData(4, "kglvq", "kernel=linear normalize=no")]
        [InlineData(2, "svm", "kernel=rbf(gamma=0.2) probability=yes")]
        [InlineData(4, "svm", "kernel=rbf(gamma=0.2) probability=yes")]
        [InlineData(4, "svm", "kernel=rbf(gamma=0.2) probability=yes multiclass=ovr elect=probability")]
        [InlineData(2, "svm", "kernel=linear C=0.01 probability=yes elect=probability")]
        [InlineData(4, "svm", "kernel=rbf(gamma=0.2) probability=yes multiclass=ovr calibration=temperature")]
        [InlineData(4, "svm", "kernel=rbf(gamma=0.2) layers=anova_f(3) scale=standard")]
        [InlineData(2, "svm", "kernel=rbf(gamma=0.2) layers=[kernel_pca([rbf(gamma=0.1),linear],components=4),anova_f(2)]")]
        [InlineData(2, "fisher", "kernel=linear layers=[mutual_information(3),kernel_pca(lowrank(rbf(gamma=0.1),rank=12),"
            + "components=3,whiten=yes),kernel_pca(arccos(1),components=2)]")]
        [InlineData(4, "mkldpl", "kernel=[rbf(gamma=0.2),poly(degree=2)] atoms=4")]
        [InlineData(4, "dkmld", "kernel=rbf(gamma=0.2)")]
        [InlineData(4, "svm", "kernel=lowrank(rbf(gamma=0.2),rank=20) probability=yes")]
        [InlineData(4, "svm", "kernel=lowrank(arccos(1,0),rank=15) multiclass=nearest")]
        [InlineData(4, "svm", "kernel=[center(rbf(gamma=0.1)),normalize(center(poly(degree=2,gamma=0.5,coef0=1))),"
            + "center(0.5*linear+rbf(gamma=0.3)),on(1:3,center(rbf(gamma=0.5)))]")]
        [InlineData(4, "kglvq", "kernel=center(rbf(gamma=0.2)) normalize=no")]
        [InlineData(4, "svm", "kernel=lowrank(rbf(gamma=0.2),rank=30,method=random)")]
        [InlineData(2, "svm", "kernel=lowrank(arccos(1,0,2),rank=20,method=random) layers=anova_f(3)")]
        [InlineData(4, "svm", "kernel=lowrank(laplacian(gamma=0.2),rank=30,method=random) multiclass=nearest")]
        [InlineData(4, "elm", "kernel=linear features=sigmoid hidden=25 scale=symmetric")]
        [InlineData(4, "elm", "kernel=rbf(gamma=0.2) hidden=40")]
        [InlineData(4, "svm", "kernel=[lowrank(rbf(gamma=0.2),rank=9),on(0:2,lowrank(rbf(gamma=0.3),rank=7)),"
            + "lowrank(center(rbf(gamma=0.4)),rank=6),center(lowrank(rbf(gamma=0.1),rank=5)),"
            + "normalize(lowrank(poly(degree=2,gamma=1,coef0=1),rank=8)),center(center(rbf(gamma=0.2))),"
            + "lowrank(rbf(gamma=0.5),rank=12,method=random)]")]
        [InlineData(2, "svm", "kernel=[corrected(sigmoid(gamma=1,coef0=-2),method=flip),"
            + "corrected(sigmoid(gamma=0.7,coef0=-1),method=square)]")]
        [InlineData(4, "svm", "kernel=[bessel(gamma=0.3,order=0),bessel(gamma=300,order=0),bessel(gamma=9,order=1),"
            + "bessel(gamma=400,order=2),bessel(gamma=40,order=5),bessel(gamma=900,order=20),bessel(gamma=2,order=50)]")]
        [InlineData(4, "svm", "kernel=[normalize(spline),on(1:2,spline),on(0:2,spline)] scale=minmax")]
        [InlineData(4, "defimkl", "kernel=[rbf(gamma=0.1),linear,poly(degree=2)] scale=standard")]
        [InlineData(2, "defimkl", "kernel=[rbf(gamma=0.1),center(rbf(gamma=0.5)),lowrank(rbf(gamma=0.3),rank=10)] "
            + "layers=anova_f(3)")]
        [InlineData(4, "imkpl", "kernel=[rbf(gamma=0.2),linear] prototypes=8 prototypes_of_row=3")]
        [InlineData(4, "imkpl", "kernel=rbf(gamma=0.2) decision=residual prototypes=12 prototypes_of_row=6")]
        [InlineData(2, "iskpl", "kernel=rbf(gamma=0.2) layers=anova_f(3) scale=standard")]
        [InlineData(4, "midl_surrogate", "kernel=rbf(gamma=0.2)")]
        [InlineData(3, "midl_surrogate", "kernel=on(0:1,rbf(gamma=0.3))")]
        [InlineData(4, "imkpl", "kernel=rbf(gamma=0.05) prototypes=15 prototypes_of_row=15")]
        [InlineData(4, "svm", "kernel=rbf(gamma=0.2) probability=yes elect=probability")]
        [InlineData(3, "svm", "kernel=linear C=0.01 probability=yes elect=probability")]
        public void ClassifiersDecideAndPredictAlike(int classes, string machine, string parameters)
        {
            var (points, labels) = Clouds(classes);
            for (int j = 0; j < Columns; ++j) points[5, j] = points[6, j] = 0;
            using Dataset data = Dataset.From(points).WithLabels(labels);
            using Model model = Model.Train(data, new Parameters(machine).Parse(parameters));
            // Zeros are support rows, too. Histograms have no opposites.
            Compare(model, parameters.Contains("chi_square") ? points : WithHardRows(points));
        }

        // Of rows that are as near as others the order is not the same in all programs, so that these rows have none.
        [Theory]
        [InlineData("neighbours=3 kernel=linear scale=standard")]
        [InlineData("neighbours=5 kernel=rbf(gamma=0.2) layers=[kernel_pca(rbf(gamma=0.1),components=4),large_margin]")]
        public void NearestRowsVoteAlike(string parameters)
        {
            var (points, labels) = Clouds(4);
            using Dataset data = Dataset.From(points).WithLabels(labels);
            using Model model = Model.Train(data, new Parameters("nearest_neighbours").Parse(parameters));
            Compare(model, points);
            for (int i = 0; i < Rows; ++i)
                for (int j = 0; j < Columns; ++j) points[i, j] = 0.3 * points[i, j] + 0.1 * j;
            Compare(model, points);
        }

        // Rows where formulas are at their limits: nearly those that were learned from, longer and opposite ones, and
        // zeros.
        private static double[,] WithHardRows(double[,] points)
        {
            const int Hard = 20;
            var all = new double[Rows + 3 * Hard + 1, Columns];
            Array.Copy(points, all, points.Length);
            for (int i = 0; i < Hard; ++i)
            {
                for (int j = 0; j < Columns; ++j)
                {
                    all[Rows + 3 * i, j] = points[i, j] + (j == 0 ? 1e-9 : 0);
                    all[Rows + 3 * i + 1, j] = 3 * points[i, j];
                    all[Rows + 3 * i + 2, j] = -points[i, j];
                }
            }
            return all;
        }

        [Theory]
        [InlineData("kernel=rbf(gamma=0.4) scale=none")]
        [InlineData("kernel=cauchy(gamma=0.4)+rational_quadratic(gamma=0.2,alpha=2) scale=none")]
        public void ColumnsFarFromZeroKeepTheirDigits(string parameters)
        {
            var (points, labels) = Clouds(4);
            for (int i = 0; i < Rows; ++i)
                for (int j = 0; j < Columns; ++j) points[i, j] = Math.Round(points[i, j] * 1024) / 1024 + 65536 * 16;
            using Dataset data = Dataset.From(points).WithLabels(labels);
            using Model model = Model.Train(data, new Parameters("svm").Parse(parameters));
            Compare(model, points);
        }

        // Features of rows far from all landmarks are so small that their squares vanish, and their direction is left.
        [Theory]
        [InlineData("kernel=normalize(lowrank(rbf(gamma=1),rank=8)) scale=none")]
        [InlineData("kernel=[normalize(lowrank(laplacian(gamma=5),rank=7)),linear] scale=none")]
        public void FeaturesOfFarRowsKeepTheirDirection(string parameters)
        {
            var (points, labels) = Clouds(2);
            using Dataset data = Dataset.From(points).WithLabels(labels);
            using Model model = Model.Train(data, new Parameters("svm").Parse(parameters));
            for (int i = 0; i < Rows; ++i)
            {
                for (int j = 1; j < Columns; ++j) points[i, j] *= 0.1;
                points[i, 0] = 10 + 0.1 * i;
            }
            Compare(model, points);
        }

        [Theory]
        [InlineData("svm", "kernel=rbf(gamma=0.2) probability=yes")]
        [InlineData("defimkl", "kernel=[rbf(gamma=0.1),linear]")]
        [InlineData("imkpl", "kernel=rbf(gamma=0.2)")]
        [InlineData("midl_surrogate", "kernel=rbf(gamma=0.2)")]
        public void NoRowsHaveNoAnswers(string machine, string parameters)
        {
            var (points, labels) = Clouds(4);
            using Dataset data = Dataset.From(points).WithLabels(labels);
            using Model model = Model.Train(data, new Parameters(machine).Parse(parameters));
            Answer(model, new double[0, Columns],
                named => Assert.Equal(0, named["prediction"].AsTensor<long>().Length));
        }

        [Fact]
        public void RegressionsAndNoveltyDetectorsToo()
        {
            var (points, _) = Clouds(3);
            double[] targets = Enumerable.Range(0, Rows).Select(i => Math.Sin(points[i, 0]) + points[i, 1]).ToArray();
            using Dataset data = Dataset.From(points).WithTargets(targets);
            using Model regression = Model.Train(data, new Parameters("svr").Parse("kernel=rbf(gamma=0.3) scale=robust"));
            Compare(regression, points);
            using Model quantiles = Model.Train(data, new Parameters("quantile_regression").Parse("kernel=rbf(gamma=0.3)"));
            Compare(quantiles, points);
            double[] twice = targets.SelectMany(target => new[] { target, 2 - 3 * target }).ToArray();
            using Dataset several = Dataset.From(points).WithTargets(twice);
            using Model ridge = Model.Train(several, new Parameters("kernel_ridge").Parse("kernel=rbf(gamma=0.3)+linear"));
            Assert.Equal(2, ridge.TargetCount);
            Compare(ridge, points);
            string[][] sets = targets.Select(t => t > 1 ? new[] { "high", "known" } : t > 0 ? new[] { "known" } : new string[0])
                .ToArray();
            using Dataset labelled = Dataset.From(points).WithLabelSets(sets);
            foreach (string said in new[] { "", "probability=yes", "probability=yes elect=probability" })
            {
                using Model labels = Model.Train(labelled, new Parameters("svm").Parse("kernel=rbf(gamma=0.3) " + said));
                Assert.Equal(MachineTask.Multilabel, labels.Task);
                Compare(labels, points);
            }
            using Model clusters = Model.Train(data, new Parameters("kernel_k_means").Parse("kernel=rbf(gamma=0.3) clusters=4"));
            Compare(clusters, points);
            using Model exponential = Model.Train(data, new Parameters("svr").Parse("kernel=exponential(gamma=0.3)+constant"));
            Compare(exponential, points);
            using Model span = Model.Train(data, new Parameters("kernel_pca").Parse("kernel=rbf(gamma=0.3) components=5"));
            Compare(span, points);
            using Model novelty = Model.Train(data, new Parameters("one_class_svm").Parse("kernel=rbf(gamma=0.3)"));
            Compare(novelty, points);
        }

        [Fact]
        public void ImportedModelsAreExported()
        {
            string file = Path.GetTempFileName();
            File.WriteAllText(file, "solver_type MCSVM_CS\nnr_class 3\nlabel 7 4 5\nnr_feature 4\nbias 0.5\nw\n"
                + "1 3 -1\n2 -1 0\n0 1 2\n-1 0 0\n1 -1 3\n");
            using Model model = Model.Import(file);
            Compare(model, Clouds(3).Points);
            File.Delete(file);
        }
    }
}
