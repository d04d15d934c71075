package io.github.cassandralock.it;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.github.cassandralock.testing.applications.Application;
import java.io.IOException;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;

/** The endpoint {@code cassandralocks} of an application, as a client sees it. */
record LocksEndpoint(Application application) {

    static final String PATH = "/actuator/cassandralocks";
    static final String EXPOSED = "--management.endpoints.web.exposure.include=cassandralocks";

    private static final ObjectMapper JSON = new ObjectMapper();

    static String query(String lockId) {
        return "?lockId=" + URLEncoder.encode(lockId, StandardCharsets.UTF_8);
    }

    /** What it answers about itself, with the sessions of all processes. */
    JsonNode overview() throws IOException, InterruptedException {
        return json(get("?sessions=true", "application/json"));
    }

    JsonNode lock(String lockId) throws IOException, InterruptedException {
        return json(get(query(lockId), "application/json"));
    }

    HttpResponse<String> get(String suffix, String accept) throws IOException, InterruptedException {
        return send(request(suffix).header("Accept", accept).GET().build());
    }

    HttpResponse<String> delete(String suffix) throws IOException, InterruptedException {
        return send(request(suffix).DELETE().build());
    }

    static JsonNode json(HttpResponse<String> response) throws IOException {
        return JSON.readTree(response.body());
    }

    private HttpRequest.Builder request(String suffix) {
        return HttpRequest.newBuilder(application.address(PATH + suffix));
    }

    private static HttpResponse<String> send(HttpRequest request) throws IOException, InterruptedException {
        return HttpClient.newHttpClient().send(request, HttpResponse.BodyHandlers.ofString());
    }
}
