package io.github.cassandralock.sample;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;

/**
 * A running bank, as its callers see it.
 *
 * @param port of its web server
 */
record BankInstance(HttpClient http, int port) {

    private static final Duration TIMEOUT = Duration.ofSeconds(30);

    BankReply get(String path) throws IOException, InterruptedException {
        return BankReply.of(http.send(request(path).GET().build(), text()));
    }

    BankReply post(String path) {
        return postAsync(path).join();
    }

    /** Sends at once. */
    CompletableFuture<BankReply> postAsync(String path) {
        HttpRequest request =
                request(path).POST(HttpRequest.BodyPublishers.noBody()).build();
        return http.sendAsync(request, text()).thenApply(BankReply::of);
    }

    private HttpRequest.Builder request(String path) {
        return HttpRequest.newBuilder(URI.create("http://localhost:" + port + path))
                .timeout(TIMEOUT);
    }

    private static HttpResponse.BodyHandler<String> text() {
        return HttpResponse.BodyHandlers.ofString(StandardCharsets.UTF_8);
    }
}
