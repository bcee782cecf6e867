// SPDX-License-Identifier: Apache-2.0
package org.libdk;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;

/** Runs the cases of tests/bindings/conformance.c, which says what is read and written. */
final class Conformance {
    private Conformance() {}

    public static void main(String[] arguments) throws IOException {
        for (String line : Files.readAllLines(Path.of(arguments[0])))
            run(line.split("\t"), Path.of(arguments[1]), Path.of(arguments[2]));
    }

    private static void run(String[] fields, Path dataFolder, Path outFolder) throws IOException {
        String[] file = fields[1].split(" ", 2);
        Params params = Params.of(fields[2]);
        for (int f = 3; f < fields.length; f++) {
            String[] pair = fields[f].split("=", 2);
            params.set(pair[0], pair[1]);
        }
        try (Dataset data = Dataset.read(dataFolder.resolve(file[0]), file.length > 1 ? file[1] : "");
                Model model = Model.train(data, params);
                OutputStream out = Files.newOutputStream(outFolder.resolve(fields[0]))) {
            put(out, model.predict(data));
            for (double[] row : model.decision(data, null)) put(out, row);
            for (double[] row : model.explain(data, null)) put(out, row);
            put(out, model.weights().values().stream().mapToDouble(w -> w).toArray());
            for (Prototype prototype : model.prototypes()) put(out, prototype.coefficients());
            for (double[] row : transformed(model, data)) put(out, row);
            out.write(model.toBytes());
        }
    }

    /** The features of the rows; none where the model has none. */
    private static double[][] transformed(Model model, Dataset data) {
        try {
            return model.transform(data, null);
        } catch (DkException exception) {
            if (exception.status() == DkException.Status.UNSUPPORTED) return new double[0][];
            throw exception;
        }
    }

    private static void put(OutputStream out, double[] values) throws IOException {
        ByteBuffer bytes = ByteBuffer.allocate(8 * values.length).order(ByteOrder.LITTLE_ENDIAN);
        bytes.asDoubleBuffer().put(values);
        out.write(bytes.array());
    }
}
