// SPDX-License-Identifier: Apache-2.0
import java.io.BufferedReader;
import java.io.IOException;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import org.libdk.Dataset;
import org.libdk.Model;
import org.libdk.Params;
import org.libdk.Prediction;

/**
 * Starts the service of examples/java on a free port and compares its answers with those of the model:
 *
 * <pre>java -cp libdk.jar Service.java SCORING_SERVICE.java FOLDER</pre>
 */
final class Service implements AutoCloseable {
    private static final HttpClient CLIENT = HttpClient.newHttpClient();

    private final Process process;
    private final BufferedReader output;
    private final String address;

    /** Further arguments are the service's. */
    private Service(String source, Path model, String... arguments) throws IOException {
        String java = Path.of(System.getProperty("java.home"), "bin", "java").toString();
        String jar = System.getProperty("java.class.path");
        List<String> command = new ArrayList<>(List.of(java, "-cp", jar, source, model.toString(), "0"));
        command.addAll(Arrays.asList(arguments));
        process = new ProcessBuilder(command).redirectErrorStream(true).start();
        output = process.inputReader();
        String first = String.valueOf(output.readLine());
        require(first.startsWith("listening on http://127.0.0.1:"), first);
        address = first.substring("listening on ".length());
    }

    public static void main(String[] arguments) throws Exception {
        Path file = Path.of(arguments[1], "service.dk");
        double[][] x = {{0, 0}, {1, 0}, {0, 1}, {1, 1}, {4, 4}, {5, 4}, {4, 5}, {5, 5}};
        List<String> names = List.of("a \"b\"", "a \"b\"", "a \"b\"", "a \"b\"", "ü", "ü", "ü", "ü");
        Params params = Params.of("svm").set("probability", true).set("folds", 2);
        try (Dataset data = Dataset.of(x).labels(names).featureNames("height", "width");
                Model model = Model.train(data, params)) {
            model.save(file);
            try (Service service = new Service(arguments[0], file)) {
                service.answersAsTheModel(model, data, x);
                service.servesManyAtOnce(rows(x));
                service.refusesWhatIsWrong();
                service.doesNotWaitForWhoSendsNothing(rows(x));
                service.answersThisMachineAlone();
            }
            try (Service hurried = new Service(arguments[0], file, "0")) {
                hurried.require(hurried.post("/predict", rows(x), "*/*"), 503, "cancelled");
            }
        }
        System.out.println("the service answers as the model");
    }

    private Socket connected() throws IOException {
        URI uri = URI.create(address);
        return new Socket(uri.getHost(), uri.getPort());
    }

    /** More clients than processors begin to send rows and go silent; others are answered. */
    private void doesNotWaitForWhoSendsNothing(String rows) throws Exception {
        List<Socket> silent = new ArrayList<>();
        for (int i = 0; i < 2 * Runtime.getRuntime().availableProcessors() + 2; i++) {
            Socket socket = connected();
            silent.add(socket);
            String begin = "POST /predict HTTP/1.1\r\nHost: localhost\r\nContent-Length: 1000\r\n\r\nwidth,";
            socket.getOutputStream().write(begin.getBytes(StandardCharsets.US_ASCII));
        }
        require(post("/predict", rows, "*/*").statusCode() == 200, "silent clients keep others waiting");
        for (Socket socket : silent) socket.close();
    }

    private void answersThisMachineAlone() throws IOException {
        try (Socket socket = connected()) {
            String request = "GET /model HTTP/1.1\r\nHost: elsewhere.example\r\nConnection: close\r\n\r\n";
            socket.getOutputStream().write(request.getBytes(StandardCharsets.US_ASCII));
            String answer = new String(socket.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
            require(answer.startsWith("HTTP/1.1 403"), answer);
        }
    }

    private static String rows(double[][] x) {
        return Arrays.stream(x).map(row -> row[1] + "," + row[0] + "\n")
                .collect(Collectors.joining("", "width,height\n", ""));
    }

    private void answersAsTheModel(Model model, Dataset data, double[][] x) throws Exception {
        List<Prediction> expected = model.predictions(data).toList();
        StringBuilder csv = new StringBuilder("prediction,decision 1,\"probability a \"\"b\"\"\",probability ü\n");
        for (Prediction one : expected) {
            csv.append(one.className().equals("ü") ? "ü" : "\"a \"\"b\"\"\"").append(',');
            csv.append(one.decisions().get(0));
            one.probabilities().values().forEach(p -> csv.append(',').append(p));
            csv.append('\n');
        }
        HttpResponse<String> table = post("/predict", rows(x), "text/csv");
        require(table, 200, csv.toString());
        require(table.headers().firstValue("Content-Type").orElse("").startsWith("text/csv"), "another type");
        Prediction first = expected.get(0);
        require(post("/predict", rows(x), "*/*"), 200, "[{\"prediction\":\"a \\\"b\\\"\",\"decisions\":["
                + first.decisions().get(0) + "],\"probabilities\":{\"a \\\"b\\\"\":" + first.probabilities().get("a \"b\""));
        require(get("/model"), 200, model.info());
    }

    private void servesManyAtOnce(String rows) throws Exception {
        String alone = post("/predict", rows, "*/*").body();
        List<CompletableFuture<HttpResponse<String>>> answers = new ArrayList<>();
        for (int i = 0; i < 50; i++)
            answers.add(CLIENT.sendAsync(posted("/predict", rows, "*/*"), HttpResponse.BodyHandlers.ofString()));
        for (CompletableFuture<HttpResponse<String>> answer : answers) require(answer.get(), 200, alone);
    }

    private void refusesWhatIsWrong() throws Exception {
        HttpResponse<String> text = post("/predict", "height,width\n1,2\n1,wide\n", "*/*");
        require(text, 400, "wide");
        require(!text.body().contains(".csv"), text.body());
        require(post("/predict", "height\n1\n", "*/*"), 400, "width");
        require(post("/predict", "", "*/*"), 400, "\"error\"");
        require(post("/predict", "height,width\n1,inf\n", "*/*"), 400, "inf");
        for (String accept : List.of("*/*", "text/csv")) require(post("/predict", "height,width\n", accept), 400, "row");
        require(get("/predict"), 405, "POST");
        require(get("/nothing"), 404, "/nothing");
        require(post("/model", "", "*/*"), 405, "GET");
        require(head("/model"), 200, "");
        require(head("/predict"), 405, "");
        require(head("/nothing"), 404, "");
    }

    private HttpRequest posted(String path, String body, String accept) {
        return HttpRequest.newBuilder(URI.create(address + path)).header("Accept", accept)
                .POST(HttpRequest.BodyPublishers.ofString(body, StandardCharsets.UTF_8)).build();
    }

    private HttpResponse<String> post(String path, String body, String accept) throws Exception {
        return CLIENT.send(posted(path, body, accept), HttpResponse.BodyHandlers.ofString());
    }

    private HttpResponse<String> get(String path) throws Exception {
        return CLIENT.send(
                HttpRequest.newBuilder(URI.create(address + path)).build(), HttpResponse.BodyHandlers.ofString());
    }

    private HttpResponse<String> head(String path) throws Exception {
        HttpRequest request = HttpRequest.newBuilder(URI.create(address + path))
                .method("HEAD", HttpRequest.BodyPublishers.noBody()).build();
        return CLIENT.send(request, HttpResponse.BodyHandlers.ofString());
    }

    private void require(HttpResponse<String> response, int status, String part) {
        require(response.statusCode() == status && response.body().contains(part),
                response.statusCode() + " " + response.body() + ", expected " + status + " " + part);
    }

    private static void require(boolean holds, String message) {
        if (!holds) throw new AssertionError(message);
    }

    /** Asks the service to stop, which it says when it has. */
    @Override
    public void close() throws IOException, InterruptedException {
        process.toHandle().destroy(); // which leaves its output open
        List<String> rest = output.lines().toList();
        require(process.waitFor(30, TimeUnit.SECONDS), "the service does not stop");
        require(rest.equals(List.of("stopped")), rest.toString());
    }
}
