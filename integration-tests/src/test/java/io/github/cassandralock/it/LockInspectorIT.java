package io.github.cassandralock.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import io.github.cassandralock.LockMode;
import io.github.cassandralock.LockRequest;
import io.github.cassandralock.RemoteLock;
import io.github.cassandralock.inspect.LockInspector;
import io.github.cassandralock.inspect.LockPage;
import io.github.cassandralock.inspect.LockState;
import io.github.cassandralock.inspect.QueueEntry;
import io.github.cassandralock.testing.applications.Application;
import io.github.cassandralock.testing.clusters.CassandraCluster;
import io.github.cassandralock.testing.clusters.SharedCassandra;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;
import org.springframework.boot.WebApplicationType;

/**
 * What applications and operators see of the locks of all processes, on a real node. Costs some ten seconds. Would catch locks that a
 * list leaves out, has twice or takes from other applications, and ids that break its answers.
 */
@ExtendWith(SharedCassandra.class)
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@Timeout(value = 5, unit = TimeUnit.MINUTES)
class LockInspectorIT {

    private static final String KEYSPACE = "inspected";
    private static final int MANY = 230;
    private static final List<String> ODD =
            List.of("odd:<img src=x onerror=alert(1)>", "odd:שלום", "odd:😀 &%?#/", "odd:" + "y".repeat(508));

    private final CassandraCluster cluster;
    private final Application web;
    private final Application other;
    private final Application stranger;
    private final List<RemoteLock> held = new ArrayList<>();

    LockInspectorIT(CassandraCluster cluster) {
        this.cluster = cluster;
        web = start("shop", "web");
        other = start("shop", "billing");
        stranger = start("stranger", "stranger");
    }

    private Application start(String prefix, String name, String... more) {
        List<String> arguments =
                new ArrayList<>(List.of("--cassandra-lock.prefix=" + prefix, "--spring.application.name=" + name));
        arguments.addAll(Arrays.asList(more));
        return LocksEndpoint.start(WebApplicationType.SERVLET, cluster, KEYSPACE, arguments.toArray(String[]::new));
    }

    @BeforeAll
    void manyLocksAreHeld() {
        List<CompletableFuture<RemoteLock>> calls = new ArrayList<>();
        IntStream.range(0, MANY).forEach(number -> {
            calls.add(other.locker().getLockAsync("invoice:" + number));
            calls.add(stranger.locker().getLockAsync("invoice:of-others:" + number));
            calls.add(other.locker().getLockAsync("released:" + number));
        });
        ODD.forEach(lockId -> calls.add(other.locker().getLockAsync(lockId)));
        calls.forEach(call -> held.add(call.join()));
        held.stream()
                .filter(lock -> lock.getLockId().startsWith("released:"))
                .map(RemoteLock::closeAsync)
                .toList()
                .forEach(CompletableFuture::join);
    }

    @AfterAll
    void stop() {
        held.forEach(RemoteLock::closeAsync);
        web.close();
        other.close();
        stranger.close();
    }

    private static LockInspector inspector(Application application) {
        return application.context().getBean(LockInspector.class);
    }

    private static List<String> listed(Application application, String idPrefix) {
        List<String> ids = new ArrayList<>();
        Optional<String> next = Optional.of("");
        while (next.isPresent()) {
            LockPage page = inspector(application).list(idPrefix, next.get());
            assertThat(page.locks()).hasSizeLessThanOrEqualTo(LockPage.MAX_LOCKS);
            page.locks().forEach(lock -> ids.add(lock.lockId()));
            next = page.next();
        }
        return ids;
    }

    private String[] heldIds(Predicate<String> which) {
        return held.stream()
                .map(RemoteLock::getLockId)
                .filter(lockId -> !lockId.startsWith("released:") && !lockId.startsWith("invoice:of-others:"))
                .filter(which)
                .toArray(String[]::new);
    }

    @Test
    void everyLockOfTheApplicationIsListedOnce() {
        assertThat(listed(web, "")).contains(heldIds(id -> true)).doesNotHaveDuplicates();
        assertThat(listed(web, "")).noneMatch(id -> id.startsWith("released:") || id.contains("of-others"));
        assertThat(listed(web, "invoice:1")).containsExactlyInAnyOrder(heldIds(id -> id.startsWith("invoice:1")));
        assertThat(listed(stranger, "invoice:")).hasSize(MANY).allMatch(id -> id.startsWith("invoice:of-others:"));
    }

    @Test
    void lockShowsWhoHoldsItSinceWhenAndWhoWaits() {
        try (RemoteLock lock = other.locker().getLock(LockRequest.of("seen").mode(LockMode.PROTECTED_READ))) {
            CompletableFuture<RemoteLock> waiting = web.locker().getLockAsync("seen");
            await().atMost(Duration.ofMinutes(1))
                    .until(() -> inspector(web).inspect("seen").queueLength() == 1);

            LockState seen = inspector(stranger).inspect("seen");
            assertThat(seen.isLocked()).isFalse();

            seen = inspector(web).inspectAsync("seen").join();
            assertThat(seen.isLocked()).isTrue();
            assertThat(seen.lockId()).isEqualTo(lock.getLockId());
            QueueEntry holder = seen.holders().get(0);
            assertThat(holder.mode()).isEqualTo(LockMode.PROTECTED_READ);
            assertThat(holder.owner().application()).contains("billing");
            assertThat(holder.age()).isPresent();
            assertThat(holder.ofThisProcess()).isFalse();
            assertThat(seen.queue().get(0).ofThisProcess()).isTrue();
            assertThat(listed(stranger, "seen")).isEmpty();

            waiting.cancel(false);
        }
    }

    @Test
    void endpointListsOddIdsPageByPage() throws Exception {
        LocksEndpoint endpoint = new LocksEndpoint(web);
        List<String> ids = new ArrayList<>();
        String query = "?idPrefix=";
        while (query != null) {
            JsonNode page = LocksEndpoint.json(endpoint.get(query, "application/json"));
            assertThat(page.get("prefix").asText()).isEqualTo("shop");
            page.get("locks").forEach(lock -> {
                ids.add(lock.get("lockId").asText());
                assertThat(lock.get("holder").get("process").get("application").asText())
                        .isEqualTo("billing");
            });
            assertThat(page.path("next").asText("0")).as("reveals no id").matches("-?[0-9]+|null");
            query = page.hasNonNull("next") ? "?page=" + page.get("next").asText() : null;
        }
        assertThat(ids).contains(heldIds(id -> true)).doesNotHaveDuplicates();

        for (String wrong :
                List.of("?page=%21", "?page=_w", "?idPrefix=a&lockId=a", "?idPrefix=%00", "?idPrefix=a&idPrefix=b")) {
            assertThat(endpoint.get(wrong, "application/json").statusCode())
                    .as(wrong)
                    .isEqualTo(400);
        }
        for (String odd : ODD) {
            String prefix = URLEncoder.encode(odd, StandardCharsets.UTF_8);
            JsonNode page = LocksEndpoint.json(endpoint.get("?idPrefix=" + prefix, "application/json"));
            assertThat(page.get("locks")).as(odd).hasSize(1);
        }
    }

    @Test
    void wrongCallsAreRefused() {
        LockInspector inspector = inspector(web);
        assertThatThrownBy(() -> inspector.inspect("")).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> inspector.list("", "!"))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("begin with the first page");
        assertThatThrownBy(() -> inspector.listAsync("\u0000", "")).isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void algorithmsWithoutAListRefuseItAndShowOneLock() throws Exception {
        try (Application queue = start("shop", "queue", "--cassandra-lock.algorithm=queue");
                RemoteLock lock = queue.locker().getLock("one")) {
            assertThat(inspector(queue).inspect(lock.getLockId()).isLocked()).isTrue();
            assertThatThrownBy(() -> inspector(queue).list("", ""))
                    .isInstanceOf(UnsupportedOperationException.class)
                    .hasMessageContaining("'ticket' only");
            assertThat(new LocksEndpoint(queue)
                            .get("?idPrefix=", "application/json")
                            .statusCode())
                    .isEqualTo(503);
        }
    }
}
