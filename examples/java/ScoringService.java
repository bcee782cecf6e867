// SPDX-License-Identifier: Apache-2.0
import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Semaphore;
import java.util.concurrent.SynchronousQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.libdk.Control;
import org.libdk.Dataset;
import org.libdk.DkException;
import org.libdk.Model;
import org.libdk.Prediction;

/**
 * Scores rows over HTTP, for programs on this machine, with one model that all threads share:
 *
 * <pre>java -cp libdk.jar examples/java/ScoringService.java sonar.dk 8080
 * curl --data-binary @sonar.csv http://127.0.0.1:8080/predict
 * curl http://127.0.0.1:8080/model</pre>
 *
 * Rows are CSV, with the names of the columns in the first line where the model knows names. Answers are JSON, or CSV where
 * the header Accept asks for text/csv. Port 0 takes one that is free. A third argument is the time that a call may take, in
 * seconds. A call may take {@value #MOST_MEGABYTES} MB of memory. Requests that
 * name another host than this machine are refused, since a page of a browser could send them.
 */
public final class ScoringService implements AutoCloseable {
    private static final int MOST_BYTES = 64 << 20;
    private static final int MOST_MEGABYTES = 512;
    private static final int MOST_CALLS = 256;
    private static final Duration USUAL_LIMIT = Duration.ofSeconds(30);
    private static final int SECONDS_TO_FINISH = 1;
    private static final String SECONDS_TO_ARRIVE = "30";

    private final Model model;
    private final Duration limit;
    private final HttpServer server;
    /** Requests wait for their rows in threads of their own, so that slow ones do not keep others from being answered. */
    private final ExecutorService requests =
            new ThreadPoolExecutor(0, MOST_CALLS, 10, TimeUnit.SECONDS, new SynchronousQueue<>());
    private final Semaphore processors = new Semaphore(Runtime.getRuntime().availableProcessors());

    private ScoringService(Model model, int port, Duration limit) throws IOException {
        this.model = model;
        this.limit = limit;
        server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), port), 0);
        server.setExecutor(requests);
        server.createContext("/", exchange -> answer(exchange, this::reply));
        server.start();
    }

    public static void main(String[] arguments) throws IOException {
        System.setProperty("sun.net.httpserver.maxReqTime", SECONDS_TO_ARRIVE); // whoever sends nothing more is left
        Duration limit = arguments.length > 2 ? Duration.ofSeconds(Long.parseLong(arguments[2])) : USUAL_LIMIT;
        ScoringService service =
                new ScoringService(Model.load(Path.of(arguments[0])), Integer.parseInt(arguments[1]), limit);
        Runtime.getRuntime().addShutdownHook(new Thread(service::close));
        InetSocketAddress address = service.server.getAddress();
        System.out.println("listening on http://" + address.getAddress().getHostAddress() + ":" + address.getPort());
    }

    /** Lets the calls that run come to their end, then frees the model. */
    @Override
    public void close() {
        server.stop(SECONDS_TO_FINISH);
        requests.shutdownNow(); // what runs still is interrupted, which libdk hears
        try {
            requests.awaitTermination(limit.toSeconds(), TimeUnit.SECONDS);
        } catch (InterruptedException hurried) {
            Thread.currentThread().interrupt();
        }
        model.close();
        System.out.println("stopped");
    }

    /** An answer before it is sent. */
    private record Reply(int status, String type, String body) {
        static Reply json(int status, String body) {
            return new Reply(status, "application/json", body);
        }

        static Reply error(int status, String message) {
            return json(status, "{\"error\":" + quoted(message) + "}");
        }
    }

    /** Makes the answer of a request. */
    @FunctionalInterface
    private interface Handler {
        Reply reply(HttpExchange exchange) throws IOException;
    }

    private static void answer(HttpExchange exchange, Handler handler) throws IOException {
        try (exchange) {
            Reply reply;
            try {
                reply = handler.reply(exchange);
            } catch (DkException error) {
                reply = Reply.error(statusOf(error), error.getMessage());
            } catch (RuntimeException error) {
                reply = Reply.error(500, error.toString());
            }
            byte[] body = reply.body().getBytes(StandardCharsets.UTF_8);
            exchange.getResponseHeaders().set("Content-Type", reply.type() + "; charset=utf-8");
            boolean headersAlone = exchange.getRequestMethod().equals("HEAD");
            exchange.sendResponseHeaders(reply.status(), headersAlone ? -1 : body.length);
            if (headersAlone) return;
            try (OutputStream out = exchange.getResponseBody()) {
                out.write(body);
            }
        }
    }

    /** Whose fault it is: the rows', the time's, or the service's. */
    private static int statusOf(DkException error) {
        return switch (error.status()) {
            case INVALID_DATA, DIMENSION, INVALID_ARGUMENT, UNSUPPORTED -> 400;
            case MEMORY_BUDGET -> 413;
            case CANCELLED, OUT_OF_MEMORY -> 503;
            default -> 500;
        };
    }

    private Reply reply(HttpExchange exchange) throws IOException {
        if (!names(exchange.getRequestHeaders().getFirst("Host")))
            return Reply.error(403, "the header Host has to name this machine: localhost or 127.0.0.1");
        String path = exchange.getRequestURI().getPath();
        String method = exchange.getRequestMethod();
        return switch (path) {
            case "/predict" -> method.equals("POST") ? predict(exchange) : wrongMethod(exchange, "POST");
            case "/model" -> method.equals("GET") || method.equals("HEAD")
                    ? Reply.json(200, model.info()) : wrongMethod(exchange, "GET, HEAD");
            default -> Reply.error(404, "there is no " + path + ": POST /predict or GET /model");
        };
    }

    /** Whether a header Host names this machine. */
    private static boolean names(String host) {
        return host != null && host.matches("(localhost|127\\.0\\.0\\.1|\\[::1\\])(:\\d+)?");
    }

    private static Reply wrongMethod(HttpExchange exchange, String allowed) {
        exchange.getResponseHeaders().set("Allow", allowed);
        return Reply.error(405, exchange.getRequestMethod() + " is not allowed: " + allowed + " is");
    }

    /** The library reads files, so that the rows become one for the time of a call. */
    private Reply predict(HttpExchange exchange) throws IOException {
        Path file = Files.createTempFile("rows", ".csv");
        try {
            try (InputStream body = exchange.getRequestBody(); OutputStream out = Files.newOutputStream(file)) {
                byte[] bytes = body.readNBytes(MOST_BYTES + 1);
                if (bytes.length > MOST_BYTES)
                    return Reply.error(413, "the rows take more than " + MOST_BYTES + " bytes");
                out.write(bytes);
            }
            List<Prediction> predictions = predictions(file);
            String accepted = exchange.getRequestHeaders().getFirst("Accept");
            return accepted != null && accepted.contains("text/csv")
                    ? new Reply(200, "text/csv", csv(predictions)) : Reply.json(200, json(predictions));
        } catch (DkException error) {
            // the caller knows of no file
            return Reply.error(statusOf(error), error.getMessage().replace("'" + file + "'", "the rows"));
        } finally {
            Files.deleteIfExists(file);
        }
    }

    /** One thread a call, since calls have the processors among them; a call that takes too long ends. */
    private List<Prediction> predictions(Path file) {
        processors.acquireUninterruptibly();
        long begin = System.nanoTime();
        try (Control control = new Control().threads(1).memory(MOST_MEGABYTES)
                        .listener((fraction, stage) -> System.nanoTime() - begin < limit.toNanos());
                Dataset rows = model.read(file, "format=csv", control)) {
            return model.predictions(rows, control).toList();
        } finally {
            processors.release();
        }
    }

    private static String json(List<Prediction> predictions) {
        return predictions.stream().map(ScoringService::json).collect(Collectors.joining(",\n", "[", "]\n"));
    }

    private static String json(Prediction one) {
        String prediction = one.className() != null ? quoted(one.className()) : Double.toString(one.value());
        String decisions = one.decisions().stream().map(String::valueOf).collect(Collectors.joining(","));
        String probabilities = one.probabilities().entrySet().stream()
                .map(pair -> quoted(pair.getKey()) + ":" + pair.getValue()).collect(Collectors.joining(","));
        return "{\"prediction\":" + prediction + ",\"decisions\":[" + decisions + "]"
                + (probabilities.isEmpty() ? "" : ",\"probabilities\":{" + probabilities + "}") + "}";
    }

    private static String quoted(String text) {
        return text.chars()
                .mapToObj(c -> c == '"' || c == '\\' ? "\\" + (char) c
                        : c < ' ' ? String.format("\\u%04x", c) : Character.toString((char) c))
                .collect(Collectors.joining("", "\"", "\""));
    }

    private static String csv(List<Prediction> predictions) {
        Prediction first = predictions.get(0);
        Stream<String> decisions = IntStream.rangeClosed(1, first.decisions().size()).mapToObj(f -> "decision " + f);
        Stream<String> probabilities = first.probabilities().keySet().stream().map(name -> "probability " + name);
        String header = line(Stream.of(Stream.of("prediction"), decisions, probabilities).flatMap(part -> part));
        return predictions.stream().map(ScoringService::csv).collect(Collectors.joining("", header, ""));
    }

    private static String csv(Prediction one) {
        String prediction = one.className() != null ? one.className() : Double.toString(one.value());
        Map<String, Double> probabilities = one.probabilities();
        return line(Stream.concat(Stream.of(prediction),
                Stream.concat(one.decisions().stream(), probabilities.values().stream()).map(String::valueOf)));
    }

    private static String line(Stream<String> fields) {
        return fields.map(field -> field.matches("[^\",\r\n]*") ? field : '"' + field.replace("\"", "\"\"") + '"')
                .collect(Collectors.joining(",", "", "\n"));
    }
}
