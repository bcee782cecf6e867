// SPDX-License-Identifier: Apache-2.0
package program;

import java.util.List;
import org.libdk.Dataset;
import org.libdk.DkException;
import org.libdk.Model;
import org.libdk.Params;
import program.open.Point;

/** Trains with the module org.libdk, whose native libraries are in its jar; prints the module and what it predicts. */
public final class Program {
    private record Hidden(double height) {}

    private Program() {}

    public static void main(String[] arguments) {
        List<Point> points = List.of(new Point(0, 0, "small"), new Point(1, 0, "small"), new Point(5, 5, "large"),
                new Point(6, 5, "large"));
        try (Dataset data = Dataset.ofRecords(points, "kind"); Model model = Model.train(data, Params.of("svm"))) {
            System.out.println(Model.class.getModule() + " predicts " + model.predictClasses(data));
        }
        try (Dataset data = Dataset.ofRecords(List.of(new Hidden(1)))) {
            throw new IllegalStateException(data + " of a package that is not open");
        } catch (DkException refused) {
            System.out.println(refused.getMessage());
        }
    }
}
