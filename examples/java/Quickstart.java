// SPDX-License-Identifier: Apache-2.0
import java.nio.file.Path;
import java.util.List;
import java.util.stream.LongStream;
import org.libdk.Dataset;
import org.libdk.Kernel;
import org.libdk.Model;
import org.libdk.Params;
import org.libdk.Prototype;

/**
 * Trains a support vector machine with a bank of kernels on two thirds of a CSV file, tests it on the rest, and prints
 * its weights and prototypes:
 *
 * <pre>java -cp libdk.jar examples/java/Quickstart.java examples/data/sonar.csv</pre>
 */
public final class Quickstart {
    private Quickstart() {}

    public static void main(String[] arguments) {
        Params params = Params.of("svm")
                .set("C", 10)
                .set("scale", "standard")
                .kernel(Kernel.of("[linear, rbf(gamma=auto), arccos(0,1)]"))
                .set("weights", "dimkl1");
        try (Dataset all = Dataset.read(Path.of(arguments[0]));
                Dataset train = rows(all, false);
                Dataset test = rows(all, true);
                Model model = Model.train(train, params)) {
            System.out.printf("accuracy %.4f on %d rows%n", model.score(test, "accuracy"), test.rows());
            model.weights().forEach((kernel, weight) -> System.out.printf("weight %.4f of %s%n", weight, kernel));
            for (Prototype prototype : model.prototypes())
                System.out.printf("prototype of %s near the training rows %s%n", prototype.className(),
                        List.of(LongStream.of(prototype.nearestRows()).boxed().toArray()));
        }
    }

    /** The first of three folds, or the other two. */
    private static Dataset rows(Dataset all, boolean test) {
        long[] folds = all.folds(3, 1);
        return all.select(
                LongStream.range(0, folds.length).filter(i -> (folds[(int) i] == 0) == test).toArray());
    }
}
