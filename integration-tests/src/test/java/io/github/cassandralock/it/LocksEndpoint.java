package io.github.cassandralock.it;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.github.cassandralock.testing.applications.Application;
import io.github.cassandralock.testing.clusters.CassandraCluster;
import java.io.IOException;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.springframework.boot.WebApplicationType;

/** The endpoint {@code cassandralocks} of an application, as a client sees it. */
record LocksEndpoint(Application application) {

    static final String PATH = "/actuator/cassandralocks";
    private static final String EXPOSED = "--management.endpoints.web.exposure.include=cassandralocks";

    private static final ObjectMapper JSON = new ObjectMapper();

    /**
     * Starts an instance that exposes it.
     *
     * @param keyspace of tests with the same lease: tables are created for that
     */
    static Application start(WebApplicationType type, CassandraCluster cluster, String keyspace, String... more) {
        Application.createKeyspace(cluster, keyspace, 1);
        List<String> arguments = new ArrayList<>(List.of(EXPOSED, "--cassandra-lock.keyspace=" + keyspace));
        arguments.addAll(List.of(more));
        return Application.startWeb(type, cluster, arguments.toArray(String[]::new));
    }

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

    /** A form of a page, as a browser sends it. */
    HttpResponse<String> form(String suffix, String fields) throws IOException, InterruptedException {
        return send(request(suffix)
                .header("Content-Type", "application/x-www-form-urlencoded")
                .POST(HttpRequest.BodyPublishers.ofString(fields))
                .build());
    }

    /** A DELETE by a script of a page. */
    HttpResponse<String> deleteFrom(String header, String value, String suffix)
            throws IOException, InterruptedException {
        return send(request(suffix).header(header, value).DELETE().build());
    }

    static JsonNode json(HttpResponse<String> response) throws IOException {
        return JSON.readTree(response.body());
    }

    private HttpRequest.Builder request(String suffix) {
        return HttpRequest.newBuilder(application.managementAddress(PATH + suffix));
    }

    private static HttpResponse<String> send(HttpRequest request) throws IOException, InterruptedException {
        return HttpClient.newHttpClient().send(request, HttpResponse.BodyHandlers.ofString());
    }
}
