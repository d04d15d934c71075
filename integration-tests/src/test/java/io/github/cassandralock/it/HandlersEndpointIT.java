package io.github.cassandralock.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import io.github.cassandralock.exactlyonce.bytes.Codec;
import io.github.cassandralock.exactlyonce.handler.HandlerDefinition;
import io.github.cassandralock.exactlyonce.handler.HandlerResult;
import io.github.cassandralock.exactlyonce.handler.Inputs;
import io.github.cassandralock.exactlyonce.handler.StateCodec;
import io.github.cassandralock.exactlyonce.spring.HandlerBuilders;
import io.github.cassandralock.exactlyonce.spring.Queues;
import io.github.cassandralock.testing.applications.Application;
import io.github.cassandralock.testing.clusters.CassandraCluster;
import io.github.cassandralock.testing.clusters.SharedCassandra;
import java.io.IOException;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.springframework.beans.factory.annotation.Value;
import org.springframework.boot.WebApplicationType;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/**
 * The endpoint {@code exactlyonce} over HTTP, on WebFlux and on Spring MVC, with a handler that parks messages on a real Cassandra. It
 * costs about twenty seconds, and would catch an endpoint that another Spring Boot or web framework maps otherwise, a parked message
 * that is sent twice or not at all, and a request that is not refused.
 */
@Tag("slow")
@ExtendWith(SharedCassandra.class)
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@Timeout(value = 3, unit = TimeUnit.MINUTES)
class HandlersEndpointIT {

    private static final Duration BOUND = Duration.ofSeconds(30);
    private static final Codec<String> TEXT = Codec.utf8();
    private static final String JSON = "application/json";
    private static final String FORM = "application/x-www-form-urlencoded";

    /** Names are never used again, and the cluster may be there for longer than this test. */
    private final String run = UUID.randomUUID().toString();

    private final CassandraCluster cluster;
    private final List<Application> started = new ArrayList<>();
    private final Application servlet;
    private final Application reactive;

    HandlersEndpointIT(CassandraCluster cluster) {
        this.cluster = cluster;
        servlet = sending(WebApplicationType.SERVLET);
        reactive = sending(WebApplicationType.REACTIVE);
    }

    /** What the handler has taken, and whether it takes messages that are ill. */
    static final class Ward {
        final List<String> taken = new CopyOnWriteArrayList<>();
        final AtomicBoolean cures = new AtomicBoolean();

        HandlerResult<String> handle(String state, Inputs inputs) {
            List<String> words = inputs.all().stream()
                    .map(input -> TEXT.decode(input.message().payloads().get(0)))
                    .toList();
            if (!cures.get() && words.stream().anyMatch(word -> word.startsWith("ill"))) {
                throw new IllegalStateException("cannot handle " + words);
            }
            taken.addAll(words);
            return HandlerResult.of(state);
        }
    }

    @Configuration(proxyBeanMethods = false)
    static class Parking {

        @Bean
        Ward ward() {
            return new Ward();
        }

        @Bean
        HandlerDefinition<String> handler(
                HandlerBuilders handlers, Queues queues, Ward ward, @Value("${test.run}") String run) {
            return handlers.named(
                            "h-" + run,
                            (state, inputs, time) -> ward.handle(state, inputs),
                            StateCodec.of(TEXT),
                            () -> "")
                    .input(queues.named("in-" + run))
                    .parkAfter(2, Duration.ofMillis(200), queues.named("parked-" + run))
                    .build();
        }
    }

    private Application start(WebApplicationType type, String... more) {
        List<String> arguments = new ArrayList<>(List.of(
                "--test.run=" + run + type,
                "--management.endpoints.web.exposure.include=exactlyonce",
                "--exactly-once.poll.max-interval=50ms",
                "--exactly-once.retry.initial-interval=10ms",
                "--exactly-once.retry.max-interval=100ms",
                "--spring.mvc.hiddenmethod.filter.enabled=true",
                "--spring.webflux.hiddenmethod.filter.enabled=true"));
        arguments.addAll(List.of(more));
        Application application =
                Application.startWeb(type, cluster, List.of(Parking.class), arguments.toArray(String[]::new));
        started.add(application);
        return application;
    }

    private Application sending(WebApplicationType type) {
        return start(type, "--exactly-once.resend.enabled=true");
    }

    /** Reactive instances end together: the first one that ends takes the threads of Reactor Netty from all others in the JVM. */
    @AfterAll
    void stop() {
        started.forEach(Application::close);
    }

    /** The endpoint of an application, for the handler of one kind of application. */
    private record Endpoint(Application application, String handler) {

        HttpResponse<String> send(String method, String path, String body, String... headers)
                throws IOException, InterruptedException {
            HttpRequest.Builder request = HttpRequest.newBuilder(
                            application.managementAddress("/actuator/exactlyonce" + path))
                    .method(method, HttpRequest.BodyPublishers.ofString(body))
                    .header("Accept", JSON);
            if (headers.length > 0) {
                request.headers(headers);
            }
            return HttpClient.newHttpClient().send(request.build(), HttpResponse.BodyHandlers.ofString());
        }

        JsonNode get(String path) throws IOException, InterruptedException {
            HttpResponse<String> answer = send("GET", path, "");
            assertThat(answer.statusCode()).as(path).isEqualTo(200);
            return LocksEndpoint.json(answer);
        }

        JsonNode messages() throws IOException, InterruptedException {
            return get("/" + handler).at("/messages");
        }

        List<String> statuses() throws IOException, InterruptedException {
            return messages().findValuesAsText("status");
        }

        HttpResponse<String> sendAgain(String body, String... headers) throws IOException, InterruptedException {
            List<String> all = new ArrayList<>(List.of("Content-Type", JSON));
            all.addAll(List.of(headers));
            return send("POST", "/" + handler, body, all.toArray(String[]::new));
        }

        HttpResponse<String> discard(String query, String... headers) throws IOException, InterruptedException {
            return send("DELETE", "/" + handler + query, "", headers);
        }
    }

    private Endpoint of(WebApplicationType type) {
        return of(type == WebApplicationType.SERVLET ? servlet : reactive, type);
    }

    private Endpoint of(Application application, WebApplicationType type) {
        return new Endpoint(application, "h-" + run + type);
    }

    /** Pushes messages of which the handler parks those that are ill, and returns the index of the first one that is new. */
    private int park(WebApplicationType type, String... words) throws Exception {
        Endpoint endpoint = of(type);
        Ward ward = endpoint.application().context().getBean(Ward.class);
        ward.cures.set(false);
        int before = endpoint.messages().size();
        for (String word : words) {
            endpoint.application()
                    .context()
                    .getBean(Queues.class)
                    .named("in-" + run + type)
                    .push(TEXT.encode(word));
        }
        int ill = (int)
                List.of(words).stream().filter(word -> word.startsWith("ill")).count();
        await().atMost(BOUND)
                .untilAsserted(() -> assertThat(endpoint.messages()).hasSize(before + ill));
        ward.cures.set(true);
        return before;
    }

    private static void assertAnswer(HttpResponse<String> answer, int status, String... parts) throws IOException {
        assertThat(answer.statusCode()).as(answer.body()).isEqualTo(status);
        assertThat(LocksEndpoint.json(answer).at("/message").asText()).contains(parts);
    }

    @ParameterizedTest
    @EnumSource(names = {"SERVLET", "REACTIVE"})
    void parkedMessageIsListedAndSentAgainOrDiscardedOnce(WebApplicationType type) throws Exception {
        Endpoint endpoint = of(type);
        assertThat(endpoint.get("").at("/sendsAgain").asBoolean()).isTrue();
        assertThat(endpoint.get("").at("/parkingQueues/" + endpoint.handler()).asText())
                .isEqualTo("parked-" + run + type);
        int first = park(type, "well", "ill-1", "well", "ill-22", "well");
        JsonNode shown = endpoint.get("/" + endpoint.handler() + "?from=" + first);
        assertThat(shown.at("/complete").asBoolean()).isTrue();
        assertThat(shown.at("/messages")).hasSize(2);
        assertThat(shown.at("/messages/0/status").asText()).isEqualTo("PARKED");
        assertThat(shown.at("/messages/0/queue").asText()).isEqualTo("in-" + run + type);
        assertThat(shown.at("/messages/0/cause").asText()).contains("cannot handle [ill-1]");
        assertThat(shown.at("/messages/0/payloadSizes/0").asInt()).isEqualTo(5);
        String one = "{\"index\": " + first + "}";
        assertAnswer(endpoint.sendAgain(one), 200, "was sent to handler " + endpoint.handler());
        assertAnswer(endpoint.sendAgain(one), 200, "nothing was done");
        assertAnswer(endpoint.discard("?index=" + (first + 1)), 200, "was discarded");
        assertAnswer(endpoint.discard("?index=" + (first + 1)), 200, "nothing was done");
        Ward ward = endpoint.application().context().getBean(Ward.class);
        await().atMost(BOUND).untilAsserted(() -> assertThat(ward.taken).containsOnlyOnce("ill-1"));
        assertThat(ward.taken).doesNotContain("ill-22");
        assertThat(endpoint.statuses().subList(first, first + 2)).containsOnly("DONE");
    }

    @ParameterizedTest
    @EnumSource(names = {"SERVLET", "REACTIVE"})
    void instanceWithoutThePropertyListsAndChangesNothing(WebApplicationType type) throws Exception {
        int first = park(type, "well", "ill-a", "well");
        Endpoint listing = of(start(type, "--exactly-once.copies.enabled=false"), type);
        assertThat(listing.get("").at("/sendsAgain").asBoolean()).isFalse();
        assertThat(listing.statuses().get(first)).isEqualTo("PARKED");
        String property = "exactly-once.resend.enabled: true";
        assertAnswer(listing.sendAgain("{\"index\": " + first + "}"), 405, property);
        assertAnswer(listing.discard("?index=" + first), 405, property);
        assertThat(listing.statuses().get(first)).isEqualTo("PARKED");
    }

    @ParameterizedTest
    @EnumSource(names = "SERVLET")
    void requestThatIsWrongOrOfAnotherSiteIsRefused(WebApplicationType type) throws Exception {
        int first = park(type, "well", "ill-b", "well");
        Endpoint endpoint = of(type);
        String one = "{\"index\": " + first + "}";
        String query = "?index=" + first;
        assertAnswer(endpoint.send("GET", "/nobody", ""), 400, "no handler 'nobody'", endpoint.handler());
        assertAnswer(endpoint.sendAgain("{\"index\": 4711}"), 400, "no message at index 4711");
        assertAnswer(endpoint.sendAgain("{\"index\": " + first + ", \"to\": \"elsewhere\"}"), 400, "takes no queue");
        assertAnswer(endpoint.discard("?index=4711"), 400, "no message at index 4711");
        assertAnswer(endpoint.send("PUT", "/" + endpoint.handler() + query, one), 405, "by POST");
        for (String site : List.of("cross-site", "same-site")) {
            assertAnswer(endpoint.sendAgain(one, "Sec-Fetch-Site", site), 403, "another site");
            assertAnswer(endpoint.discard(query, "Sec-Fetch-Site", site), 403, "another site");
        }
        assertAnswer(endpoint.discard(query, "Origin", "https://evil.example"), 403, "another site");
        assertAnswer(
                endpoint.send(
                        "POST",
                        "/" + endpoint.handler() + query,
                        "_method=DELETE",
                        "Content-Type",
                        FORM,
                        "Origin",
                        "https://evil.example"),
                403,
                "another site");
        assertThat(endpoint.statuses().get(first)).isEqualTo("PARKED");
    }

    @ParameterizedTest
    @EnumSource(names = {"SERVLET", "REACTIVE"})
    void requestWithOtherParametersIsAnsweredWithTheRightOnes(WebApplicationType type) throws Exception {
        int first = park(type, "well", "ill-c", "well");
        Endpoint endpoint = of(type);
        String[] right = {"index (a whole number)", "to (a text, optional)", "queue (a text, optional)", "Nothing"};
        String one = "{\"index\": " + first;
        assertAnswer(endpoint.sendAgain(one + ", \"input\": \"x\"}"), 400, right);
        assertAnswer(endpoint.sendAgain(one + ", \"input\": null}"), 400, "no parameter 'input'");
        assertAnswer(endpoint.sendAgain(one + ", \"handler\": \"x\"}"), 400, "'handler' is there more than once");
        for (String index : List.of("null", "true", "1.5", "\"one\"", "\"\"", "99999999999999999999")) {
            assertAnswer(endpoint.sendAgain("{\"index\": " + index + "}"), 400, right);
        }
        assertAnswer(endpoint.sendAgain("{}"), 400, right);
        for (String body : List.of("", "[]", "7", "{", "{\"index\": [" + first + "]}", "{\"index\": {}}")) {
            assertThat(endpoint.sendAgain(body).statusCode()).as(body).isEqualTo(400);
        }
        assertAnswer(endpoint.sendAgain("{\"index\": -1}"), 400, "no message at index -1");
        assertAnswer(endpoint.sendAgain("{\"index\": " + Long.MAX_VALUE + "}"), 400, "no message at index 9223");
        String query = "?index=" + first;
        assertAnswer(
                endpoint.send("POST", "/" + endpoint.handler() + query, one + "}", "Content-Type", JSON), 400, "body");
        assertAnswer(endpoint.send("DELETE", "/" + endpoint.handler() + query, "{\"queue\": \"x\"}"), 400, "query");
        assertAnswer(endpoint.discard(""), 400, "index (a whole number), queue (a text, optional)");
        assertAnswer(endpoint.discard(query + "&que=x"), 400, "no parameter 'que'", "queue (a text, optional)");
        assertAnswer(endpoint.discard(query + "&index=" + (first + 1)), 400, "'index' is there more than once");
        assertAnswer(endpoint.discard(query + "&handler=x"), 400, "'handler' is there more than once");
        assertThat(endpoint.statuses().get(first)).isEqualTo("PARKED");
        String handler = "/" + endpoint.handler();
        assertAnswer(endpoint.send("GET", handler + "?from=-1", ""), 400, "this index is -1");
        assertAnswer(endpoint.send("GET", handler + "?from=x", ""), 400, "from (a whole number, optional)");
        assertAnswer(endpoint.send("GET", handler + "?from=1&from=2", ""), 400, "'from' is there more than once");
        assertThat(endpoint.get(handler + "?from=" + Long.MAX_VALUE)
                        .at("/complete")
                        .asBoolean())
                .isTrue();
        assertThat(endpoint.get(handler + "?continue").at("/messages"))
                .as("of Spring Security")
                .isNotEmpty();
        assertAnswer(endpoint.discard(query + "&_csrf=x"), 200, "index " + first + " was discarded");
    }
}
