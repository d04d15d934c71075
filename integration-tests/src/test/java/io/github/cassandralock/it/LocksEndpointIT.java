package io.github.cassandralock.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import io.github.cassandralock.LockLoss;
import io.github.cassandralock.RemoteLock;
import io.github.cassandralock.internal.session.SessionSettings;
import io.github.cassandralock.testing.applications.Application;
import io.github.cassandralock.testing.clusters.CassandraCluster;
import io.github.cassandralock.testing.clusters.SharedCassandra;
import java.net.http.HttpHeaders;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.boot.WebApplicationType;

/**
 * The endpoint {@code cassandralocks} over HTTP, on WebFlux and on Spring MVC, between two instances on a real Cassandra. It
 * costs about twenty seconds, and would catch an endpoint that another Spring Boot or web framework maps otherwise, a holder or a
 * queue that is told wrongly, and a force-released lock whose holder does not hear of it.
 */
@Tag("slow")
@ExtendWith(SharedCassandra.class)
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@Timeout(value = 3, unit = TimeUnit.MINUTES)
class LocksEndpointIT {

    private static final Duration BOUND = Duration.ofSeconds(30);
    private static final String FORCE_RELEASE = "--cassandra-lock.force-release.enabled=true";
    private static final String SHORT_LEASE = "--cassandra-lock.lease=3s";

    private final CassandraCluster cluster;
    private final Application servlet;

    /** Reactive instances end together: the first one that ends takes the threads of Reactor Netty from all others in the JVM. */
    private final Application reactive;

    private final Application releasing;

    LocksEndpointIT(CassandraCluster cluster) {
        this.cluster = cluster;
        servlet = start(WebApplicationType.SERVLET, "--spring.application.name=shop");
        reactive = start(WebApplicationType.REACTIVE);
        releasing = start(
                WebApplicationType.REACTIVE,
                FORCE_RELEASE,
                SHORT_LEASE,
                "--spring.webflux.hiddenmethod.filter.enabled=true");
    }

    private Application start(WebApplicationType type, String... more) {
        return LocksEndpoint.start(type, cluster, "endpoint", more);
    }

    @AfterAll
    void stop() {
        servlet.close();
        reactive.close();
        releasing.close();
    }

    private Application instance(WebApplicationType type) {
        return type == WebApplicationType.SERVLET ? servlet : reactive;
    }

    private LocksEndpoint endpoint(WebApplicationType type) {
        return new LocksEndpoint(instance(type));
    }

    private static String lockId() {
        return "orders/" + UUID.randomUUID();
    }

    @ParameterizedTest
    @EnumSource(names = {"SERVLET", "REACTIVE"})
    void overviewShowsWhatThisInstanceHoldsAndWaitsForAndAllSessions(WebApplicationType type) throws Exception {
        Application here = instance(type);
        Application there =
                instance(type == WebApplicationType.SERVLET ? WebApplicationType.REACTIVE : WebApplicationType.SERVLET);
        String held = lockId();
        String wanted = lockId();
        try (RemoteLock lock = here.locker().getLock(held);
                RemoteLock other = there.locker().getLock(wanted)) {
            CompletableFuture<RemoteLock> waiter = here.locker().getLockAsync(wanted);
            JsonNode overview = endpoint(type).overview();
            assertThat(overview.at("/algorithm").asText()).isEqualTo("ticket");
            assertThat(overview.at("/forceRelease").asBoolean()).isFalse();
            assertThat(overview.at("/process/pid").asLong())
                    .isEqualTo(ProcessHandle.current().pid());
            assertThat(overview.at("/heldCount").asInt()).isEqualTo(1);
            JsonNode shown = overview.at("/held/0");
            assertThat(shown.at("/lockId").asText()).isEqualTo(held);
            assertThat(shown.at("/thread").asText())
                    .isEqualTo(Thread.currentThread().getName());
            assertThat(shown.at("/threadId").asText()).isEqualTo(lock.getThreadId());
            assertThat(shown.at("/lost").asBoolean()).isFalse();
            assertThat(overview.at("/waiting/0/lockId").asText()).isEqualTo(wanted);
            assertThat(overview.at("/figures/handOvers").asLong()).isPositive();
            assertThat(overview.at("/sessions").findValuesAsText("id"))
                    .contains(overview.at("/session").asText());
            other.close();
            waiter.join().close();
        }
    }

    @ParameterizedTest
    @EnumSource(names = {"SERVLET", "REACTIVE"})
    void lockIsShownWithItsHolderAndItsQueueInOrder(WebApplicationType type) throws Exception {
        String lockId = lockId();
        RemoteLock lock = servlet.locker().getLock(lockId);
        long token = lock.reserveFencingToken();
        CompletableFuture<RemoteLock> second = reactive.locker().getLockAsync(lockId);
        await().atMost(BOUND)
                .untilAsserted(() -> assertThat(
                                endpoint(type).lock(lockId).at("/queueLength").asInt())
                        .isEqualTo(1));
        JsonNode seen = endpoint(type).lock(lockId);
        JsonNode holder = seen.at("/holders/0");
        assertThat(holder.at("/place").asText()).isEqualTo("HOLDER");
        assertThat(holder.at("/process/application").asText()).isEqualTo("shop");
        assertThat(holder.at("/process/pid").asLong())
                .isEqualTo(ProcessHandle.current().pid());
        assertThat(holder.at("/mode").asText()).isEqualTo("EXCLUSIVE");
        assertThat(holder.at("/since").asText()).matches("\\d{4}-\\d\\d-\\d\\dT.*Z");
        assertThat(holder.at("/thisProcess").asBoolean()).isEqualTo(type == WebApplicationType.SERVLET);
        assertThat(holder.path("thread").asText(""))
                .isEqualTo(
                        type == WebApplicationType.SERVLET
                                ? Thread.currentThread().getName()
                                : "");
        assertThat(seen.at("/lastToken").asLong()).isGreaterThanOrEqualTo(token);
        assertThat(seen.at("/queue/0/place").asText()).isEqualTo("WAITING");
        assertThat(seen.at("/queue/0/session").asText())
                .isNotEqualTo(holder.at("/session").asText());
        assertThat(seen.at("/sessions").findValuesAsText("state")).containsExactly("ALIVE", "ALIVE");
        lock.close();
        second.join().close();
    }

    @ParameterizedTest
    @EnumSource(names = {"SERVLET", "REACTIVE"})
    void lockIdIsTheRestOfThePathOrAParameterWithAnyCharacters(WebApplicationType type) throws Exception {
        String simple = lockId();
        String strange = "<script>alert('x')</script>?a=b&c=%2F;d#\"ü💶 //" + UUID.randomUUID();
        try (RemoteLock one = servlet.locker().getLock(simple);
                RemoteLock other = servlet.locker().getLock(strange)) {
            assertThat(one.isHeld() && other.isHeld()).isTrue();
            JsonNode byPath = LocksEndpoint.json(endpoint(type).get("/" + simple, "application/json"));
            assertThat(byPath.at("/lockId").asText()).isEqualTo(simple);
            assertThat(byPath.at("/holders/0/place").asText()).isEqualTo("HOLDER");
            JsonNode byParameter = endpoint(type).lock(strange);
            assertThat(byParameter.at("/lockId").asText()).isEqualTo(strange);
            assertThat(byParameter.at("/holders/0/place").asText()).isEqualTo("HOLDER");
        }
    }

    @ParameterizedTest
    @EnumSource(names = {"SERVLET", "REACTIVE"})
    void lockIdThatNoLockCanHaveIsABadRequest(WebApplicationType type) throws Exception {
        for (String query : List.of("?lockId=", LocksEndpoint.query(" "), LocksEndpoint.query("a\u0085b"))) {
            HttpResponse<String> response = endpoint(type).get(query, "application/json");
            assertThat(response.statusCode()).as(query).isEqualTo(400);
            assertThat(response.body()).as(query).contains("The lock id '").doesNotContain("Cassandra");
        }
    }

    @ParameterizedTest
    @EnumSource(names = {"SERVLET", "REACTIVE"})
    void nobodyHoldsALockThatWasNeverTaken(WebApplicationType type) throws Exception {
        JsonNode seen = endpoint(type).lock(lockId());
        assertThat(seen.at("/holders").isArray()).isTrue();
        assertThat(seen.at("/holders").isEmpty()).isTrue();
        assertThat(seen.at("/holderCount").asInt()).isZero();
        assertThat(seen.at("/queue").isEmpty()).isTrue();
    }

    @ParameterizedTest
    @EnumSource(names = {"SERVLET", "REACTIVE"})
    void browserGetsThePageAndItsFilesAndOthersGetData(WebApplicationType type) throws Exception {
        LocksEndpoint endpoint = endpoint(type);
        HttpResponse<String> page = endpoint.get("", "text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8");
        assertThat(page.headers().firstValue("content-type").orElse("")).startsWith("text/html");
        assertThat(page.body()).contains("<!DOCTYPE html>").doesNotContain("<style", "onclick", "http://", "https://");
        assertType(endpoint.get("", "*/*"), "json");
        assertType(endpoint.get("", "application/vnd.spring-boot.actuator.v3+json"), "json");
        assertType(endpoint.get("?file=cassandralocks.css", "text/css,*/*;q=0.1"), "text/css");
        assertType(endpoint.get("?file=cassandralocks.js", "*/*"), "text/javascript");
        assertType(endpoint.get("?file=cassandralocks.svg", "image/avif,image/*,*/*;q=0.8"), "image/svg+xml");
        assertThat(endpoint.get("?file=../LocksFormat.class", "*/*").statusCode())
                .isEqualTo(404);
    }

    private static void assertType(HttpResponse<String> response, String type) {
        assertThat(response.statusCode()).isEqualTo(200);
        assertThat(response.headers().firstValue("content-type").orElse("")).contains(type);
        assertThat(response.body()).isNotEmpty();
    }

    @ParameterizedTest
    @EnumSource(names = {"SERVLET", "REACTIVE"})
    void locksAreNotForceReleasedUnlessThatIsSwitchedOn(WebApplicationType type) throws Exception {
        String lockId = lockId();
        try (RemoteLock lock = instance(type).locker().getLock(lockId)) {
            for (String suffix : List.of(LocksEndpoint.query(lockId), "/" + lockId)) {
                HttpResponse<String> answer = endpoint(type).delete(suffix);
                assertThat(answer.statusCode()).isEqualTo(405);
                assertThat(answer.body()).contains("cassandra-lock.force-release.enabled: true");
            }
            assertThat(lock.isHeld()).isTrue();
        }
    }

    /** A lock is force-released for all holders if the session is misspelt, and another lock if a parameter replaces the path. */
    @Test
    void requestWithOtherParametersReleasesNoLock() throws Exception {
        String lockId = lockId();
        LocksEndpoint endpoint = new LocksEndpoint(releasing);
        try (RemoteLock lock = releasing.locker().getLock(lockId)) {
            String query = LocksEndpoint.query(lockId);
            String session = UUID.randomUUID().toString();
            assertRefused(endpoint.delete(query + "&sesion=" + session), "no parameter 'sesion'");
            assertRefused(endpoint.delete(query + "&lockId=x"), "'lockId' is there more than once");
            assertRefused(endpoint.delete("/other" + query), "'lockId' is there more than once");
            assertRefused(endpoint.delete(""), "lockId (a text), session (a text, optional)");
            assertRefused(endpoint.get("/other" + query, "application/json"), "'lockId' is there more than once");
            assertRefused(endpoint.get("?sessions=maybe", "application/json"), "sessions (true or false, optional)");
            assertThat(lock.isHeld()).isTrue();
        }
    }

    private static void assertRefused(HttpResponse<String> answer, String part) throws Exception {
        assertThat(answer.statusCode()).as(answer.body()).isEqualTo(400);
        assertThat(LocksEndpoint.json(answer).at("/message").asText()).contains(part);
    }

    @ParameterizedTest
    @EnumSource(names = {"SERVLET", "REACTIVE"})
    void otherSitesCannotShowThePageInAFrameOrRunTheirScriptsInIt(WebApplicationType type) throws Exception {
        for (String accept : List.of("text/html", "application/json")) {
            HttpHeaders headers = endpoint(type).get("", accept).headers();
            assertThat(headers.firstValue("Content-Security-Policy").orElse(""))
                    .contains("default-src 'none'", "script-src 'self'", "frame-ancestors 'none'");
            assertThat(headers.firstValue("X-Frame-Options")).hasValue("DENY");
        }
    }

    /** With the filter that takes the method from a form, and with a port of Actuator's own. */
    @ParameterizedTest
    @ValueSource(strings = {"--management.server.port=0", "--spring.application.name=shop"})
    void noFormAndNoPageOfAnotherSiteReleasesALock(String port) throws Exception {
        try (Application here = start(
                WebApplicationType.SERVLET, FORCE_RELEASE, "--spring.mvc.hiddenmethod.filter.enabled=true", port)) {
            assertNoFormAndNoPageOfAnotherSiteReleasesALock(here);
        }
    }

    @Test
    void noFormAndNoPageOfAnotherSiteReleasesALockOfAReactiveApplication() throws Exception {
        assertNoFormAndNoPageOfAnotherSiteReleasesALock(releasing);
    }

    private static void assertNoFormAndNoPageOfAnotherSiteReleasesALock(Application here) throws Exception {
        String lockId = lockId();
        RemoteLock lock = here.locker().getLock(lockId);
        LocksEndpoint endpoint = new LocksEndpoint(here);
        String query = LocksEndpoint.query(lockId);
        String path = "/" + lockId;
        assertThat(endpoint.form("", "_method=DELETE&" + query.substring(1)).statusCode())
                .isEqualTo(405);
        assertThat(endpoint.form(query, "_method=DELETE").statusCode()).isEqualTo(405);
        assertThat(endpoint.form(query + "&_method=DELETE", "").statusCode()).isEqualTo(405);
        assertThat(endpoint.form(path, "_method=DELETE").statusCode()).isEqualTo(405);
        assertThat(endpoint.form(path.replace("orders", "%6Frders"), "_method=DELETE")
                        .statusCode())
                .isEqualTo(405);
        for (String site : List.of("cross-site", "same-site")) {
            assertThat(endpoint.deleteFrom("Sec-Fetch-Site", site, query).statusCode())
                    .isEqualTo(403);
        }
        HttpResponse<String> foreign = endpoint.deleteFrom("Origin", "https://evil.example", query);
        assertThat(foreign.statusCode()).isEqualTo(403);
        assertThat(LocksEndpoint.json(foreign).at("/message").asText()).contains("another site");
        assertThat(lock.isHeld()).isTrue();
        assertThat(endpoint.get("", "text/html").headers().firstValue("Content-Security-Policy"))
                .isPresent();
        assertThat(endpoint.deleteFrom("Sec-Fetch-Site", "same-origin", query).statusCode())
                .isEqualTo(200);
        assertThat(lock.isHeld()).isFalse();
    }

    /** As it is left by an insert that timed out, or by a process that has crashed. */
    @Test
    void sessionThatNobodyHasRenewedForALeaseIsOverdueAndNotAlive() throws Exception {
        UUID session = UUID.randomUUID();
        Duration life =
                new SessionSettings(Duration.ofSeconds(15), 0.05).rowLife().minusMinutes(5);
        servlet.session()
                .execute(
                        "INSERT INTO endpoint.lock_sessions (session, beat, nonce, state, lease_ms, clock_drift, owner)"
                                + " VALUES (" + session + ", 0, uuid(), 'ALIVE', 15000, 0.05, 'lost') USING TTL "
                                + life.toSeconds());
        JsonNode sessions = endpoint(WebApplicationType.SERVLET).overview().at("/sessions");
        for (JsonNode shown : sessions) {
            if (shown.at("/id").asText().equals(session.toString())) {
                assertThat(shown.at("/state").asText()).isEqualTo("OVERDUE");
                assertThat(shown.at("/sinceRenewalMillis").asLong()).isBetween(300_000L, 360_000L);
            } else if (shown.at("/thisProcess").asBoolean()) {
                assertThat(shown.at("/state").asText()).isEqualTo("ALIVE");
            }
        }
        assertThat(sessions.findValuesAsText("id")).contains(session.toString());
    }

    @Test
    void holderElsewhereLosesAReleasedLockAndTheNextOneHasAHigherToken() throws Exception {
        String lockId = lockId();
        try (Application holder = start(WebApplicationType.SERVLET, FORCE_RELEASE, SHORT_LEASE)) {
            RemoteLock released = holder.locker().getLock(lockId);
            RemoteLock innocent = holder.locker().getLock(lockId + ":other");
            long token = released.reserveFencingToken();
            CompletableFuture<LockLoss> told = new CompletableFuture<>();
            released.onLost(told::complete);
            CompletableFuture<RemoteLock> next = servlet.locker().getLockAsync(lockId);

            HttpResponse<String> answer = new LocksEndpoint(releasing).delete(LocksEndpoint.query(lockId));
            assertThat(answer.statusCode()).isEqualTo(202);
            assertThat(LocksEndpoint.json(answer).at("/message").asText())
                    .contains(lockId, "within 1 s", "fencing token");

            assertThat(told).succeedsWithin(BOUND).asString().contains("force-released", "at the request of");
            assertThat(told.join().reason()).isEqualTo(LockLoss.Reason.FORCE_RELEASED);
            assertThat(released.isHeld()).isFalse();
            RemoteLock successor = next.get(30, TimeUnit.SECONDS);
            assertThat(successor.reserveFencingToken()).isGreaterThan(token);
            assertThat(innocent.isHeld()).as("the holder's other lock").isTrue();
            assertThat(new LocksEndpoint(holder)
                            .overview()
                            .at("/figures/losses/FORCE_RELEASED")
                            .asInt())
                    .isEqualTo(1);
            released.close();
            assertThat(successor.isHeld()).isTrue();
            successor.close();
            innocent.close();
        }
    }

    @Test
    void holderHereLosesAReleasedLockAtOnceAndAFreeLockIsNotReleased() throws Exception {
        String lockId = lockId();
        try (Application here = start(WebApplicationType.SERVLET, FORCE_RELEASE)) {
            RemoteLock lock = here.locker().getLock(lockId);
            LocksEndpoint endpoint = new LocksEndpoint(here);
            assertThat(endpoint.overview().at("/forceRelease").asBoolean()).isTrue();
            assertThat(endpoint.delete("/" + lockId + "?session=nonsense").statusCode())
                    .isEqualTo(400);
            assertThat(endpoint.delete("/" + lockId + "?session=" + UUID.randomUUID())
                            .statusCode())
                    .isEqualTo(404);
            assertThat(lock.isHeld()).isTrue();
            String session = endpoint.lock(lockId).at("/holders/0/session").asText();
            assertThat(endpoint.delete("/" + lockId + "?session=" + session).statusCode())
                    .isEqualTo(200);
            assertThat(lock.isHeld()).isFalse();
            await().atMost(BOUND)
                    .untilAsserted(
                            () -> assertThat(endpoint.delete("/" + lockId).statusCode())
                                    .isEqualTo(404));
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"queue", "shadow"})
    void algorithmsOfTheThesisShowWhatTheirRowsTell(String algorithm) throws Exception {
        String lockId = lockId();
        try (Application other = start(WebApplicationType.SERVLET, "--cassandra-lock.algorithm=" + algorithm)) {
            RemoteLock lock = other.locker().getLock(lockId);
            CompletableFuture<RemoteLock> waiter = other.locker().getLockAsync(lockId);
            JsonNode seen = new LocksEndpoint(other).lock(lockId);
            assertThat(seen.at("/algorithm").asText()).isEqualTo(algorithm);
            assertThat(seen.at("/holders/0/threadId").asText()).isEqualTo(lock.getThreadId());
            assertThat(seen.at("/holders/0/thread").asText())
                    .isEqualTo(Thread.currentThread().getName());
            assertThat(seen.at("/holders/0/process/pid").asLong())
                    .isEqualTo(ProcessHandle.current().pid());
            if (algorithm.equals("queue")) {
                await().atMost(BOUND)
                        .untilAsserted(() -> assertThat(new LocksEndpoint(other)
                                        .lock(lockId)
                                        .at("/queueLength")
                                        .asInt())
                                .isEqualTo(1));
            }
            lock.close();
            waiter.join().close();
        }
    }
}
