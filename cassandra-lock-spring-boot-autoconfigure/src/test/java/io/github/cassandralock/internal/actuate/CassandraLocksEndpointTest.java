package io.github.cassandralock.internal.actuate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.mockito.Mockito.mock;
import static org.mockito.Mockito.when;

import io.github.cassandralock.LockLoss;
import io.github.cassandralock.LockMode;
import io.github.cassandralock.inspect.LockPage;
import io.github.cassandralock.inspect.LockState;
import io.github.cassandralock.inspect.ProcessOwner;
import io.github.cassandralock.inspect.QueueEntry;
import io.github.cassandralock.inspect.QueueEntry.Place;
import io.github.cassandralock.internal.endpoint.MessageBody;
import io.github.cassandralock.internal.inspect.ForceReleaseOutcome;
import io.github.cassandralock.internal.inspect.ForceReleaser;
import io.github.cassandralock.internal.inspect.LocalLock;
import io.github.cassandralock.internal.inspect.LocalLocks;
import io.github.cassandralock.internal.inspect.LockFigures;
import io.github.cassandralock.internal.inspect.LockInspection;
import java.security.Principal;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.aot.hint.RuntimeHints;
import org.springframework.aot.hint.predicate.RuntimeHintsPredicates;
import org.springframework.boot.actuate.endpoint.SecurityContext;
import org.springframework.boot.actuate.endpoint.web.WebEndpointResponse;

/**
 * What the endpoint answers when Cassandra does not, when little is known, and which of several threads it names. How it is mapped
 * to HTTP is the integration tests' matter. It costs nothing.
 */
class CassandraLocksEndpointTest {

    private static final String LOCK = "invoice:42";
    private static final ProcessOwner HERE = ProcessOwner.ofSession("host-7-4711 shop");

    private final LockInspection inspection = mock(LockInspection.class);
    private final List<LocalLock> held = new ArrayList<>();
    private final List<LocalLock> waiting = new ArrayList<>();

    private LockReports reports(Optional<LockInspection> store) {
        return new LockReports("ticket", "billing", HERE, this::localLocks, () -> store);
    }

    private LocalLocks localLocks(Predicate<String> lockIds) {
        List<LocalLock> holding = listed(held, lockIds);
        List<LocalLock> asking = listed(waiting, lockIds);
        return new LocalLocks(
                holding,
                holding.size(),
                asking,
                asking.size(),
                new LockFigures(5, 4, Map.of(LockLoss.Reason.LEASE_EXPIRED, 1L), 0, 0));
    }

    private static List<LocalLock> listed(List<LocalLock> locks, Predicate<String> lockIds) {
        return locks.stream().filter(lock -> lockIds.test(lock.lockId())).toList();
    }

    private CassandraLocksEndpoint endpoint() {
        return new CassandraLocksEndpoint(Map.of("main", reports(Optional.of(inspection))));
    }

    private static LocalLock local(String lockId, String thread, boolean lost) {
        return local(lockId, LockMode.EXCLUSIVE, thread, lost);
    }

    private static LocalLock local(String lockId, LockMode mode, String thread, boolean lost) {
        return new LocalLock(lockId, mode, "id of " + thread, thread, Duration.ofSeconds(3), lost);
    }

    private static QueueEntry entry(Place place, boolean own, Optional<String> threadId) {
        return new QueueEntry(
                place,
                LockMode.EXCLUSIVE,
                own ? HERE : ProcessOwner.UNKNOWN,
                Optional.of(new UUID(0, own ? 1 : 2)),
                threadId,
                OptionalLong.of(1),
                OptionalLong.of(2),
                Optional.of(Duration.ofSeconds(8)),
                own);
    }

    private void shows(QueueEntry holder, QueueEntry... queue) {
        shows(List.of(holder), queue);
    }

    private void shows(List<QueueEntry> holders, QueueEntry... queue) {
        when(inspection.inspect(LOCK)).thenReturn(CompletableFuture.completedFuture(state(holders, queue)));
    }

    private static LockState state(List<QueueEntry> holders, QueueEntry... queue) {
        return new LockState(
                LOCK,
                "ticket",
                holders,
                holders.size(),
                List.of(queue),
                queue.length,
                OptionalLong.empty(),
                List.of(),
                Optional.empty());
    }

    private static String message(WebEndpointResponse<Object> response) {
        return ((MessageBody) Objects.requireNonNull(response.getBody())).message();
    }

    private Bodies.OneLock lock() {
        return (Bodies.OneLock)
                Objects.requireNonNull(endpoint().lock(null, LOCK).getBody());
    }

    private static Bodies.Entry holder(Bodies.OneLock lock) {
        assertThat(lock.holders()).hasSize(lock.holderCount()).hasSize(1);
        return lock.holders().get(0);
    }

    @ParameterizedTest
    @ValueSource(strings = {"", " ", "\u00A0", "a\u0085b", "\u202Ea"})
    void lockIdThatNoLockCanHaveIsABadRequest(String lockId) {
        ForceReleasingLocksEndpoint releasing = releasing(mock(ForceReleaser.class));
        for (WebEndpointResponse<Object> response : List.of(
                endpoint().locks(LocksFormat.JSON, lockId, null, null, null, null, null),
                endpoint().lock(null, lockId),
                releasing.forceRelease(SecurityContext.NONE, lockId, null, null),
                releasing.forceReleasePath(SecurityContext.NONE, null, null, lockId))) {
            assertThat(response.getStatus()).isEqualTo(400);
            assertThat(message(response)).contains("The lock id '").doesNotContain("Cassandra", "\u0085", "\u202E");
        }
    }

    @Test
    void overviewNeedsNoCassandra() {
        held.add(local(LOCK, LockMode.PROTECTED_READ, "main", false));
        when(inspection.ownSession()).thenReturn(Optional.of(new UUID(0, 1)));
        Bodies.Overview overview = (Bodies.Overview) Objects.requireNonNull(endpoint()
                .locks(LocksFormat.JSON, null, null, null, null, null, null)
                .getBody());
        assertThat(overview.held()).singleElement().satisfies(lock -> {
            assertThat(lock.mode()).isEqualTo("PROTECTED_READ");
            assertThat(lock.thread()).isEqualTo("main");
            assertThat(lock.forMillis()).isEqualTo(3_000);
        });
        assertThat(overview.process()).isEqualTo(new Bodies.Owner("host-7-4711 shop", "host-7", 4711L, "shop"));
        assertThat(overview.sessions()).isNull();
        assertThat(overview.session()).isEqualTo(new UUID(0, 1).toString());
        assertThat(overview.figures().handOvers()).isEqualTo(5);
    }

    @Test
    void failureOfCassandraIsAnAnswerWithWhatToDo() {
        when(inspection.inspect(LOCK)).thenReturn(CompletableFuture.failedFuture(new IllegalStateException("no node")));
        when(inspection.sessions()).thenReturn(CompletableFuture.failedFuture(new IllegalStateException("no node")));
        WebEndpointResponse<Object> lock = endpoint().lock(null, "invoice:42");
        assertThat(lock.getStatus()).isEqualTo(503);
        assertThat(message(lock)).contains(LOCK, "no node", "Check the cluster");
        assertThat(endpoint()
                        .locks(LocksFormat.JSON, null, null, null, true, null, null)
                        .getStatus())
                .isEqualTo(503);
    }

    @Test
    void listOfLocksHasThePrefixAndTheNextPageOrAReason() {
        LockState held = state(List.of(entry(Place.HOLDER, false, Optional.empty())));
        when(inspection.list("inv", "one"))
                .thenReturn(CompletableFuture.completedFuture(
                        new LockPage(List.of(held), Optional.of("two"), Optional.of("a part failed"))));

        Bodies.Locks page = (Bodies.Locks) Objects.requireNonNull(endpoint()
                .locks(LocksFormat.JSON, null, "inv", "one", null, null, null)
                .getBody());
        assertThat(page.prefix()).isEqualTo("billing");
        assertThat(page.next()).isEqualTo("two");
        assertThat(page.unread()).isEqualTo("a part failed");
        assertThat(page.locks()).singleElement().satisfies(lock -> {
            assertThat(lock.lockId()).isEqualTo(LOCK);
            assertThat(lock.holderCount()).isEqualTo(1);
        });

        when(inspection.list("", "")).thenThrow(new UnsupportedOperationException("only with ticket"));
        WebEndpointResponse<Object> refused = endpoint().locks(LocksFormat.JSON, null, "", null, null, null, null);
        assertThat(refused.getStatus()).isEqualTo(503);
        assertThat(message(refused)).isEqualTo("only with ticket");
        assertThat(endpoint()
                        .locks(LocksFormat.JSON, LOCK, "", null, null, null, null)
                        .getStatus())
                .isEqualTo(400);
        assertThat(endpoint()
                        .locks(LocksFormat.JSON, null, "\u202E", null, null, null, null)
                        .getStatus())
                .isEqualTo(400);
    }

    @Test
    void applicationWithoutCassandraShowsWhatItHoldsAndWhatItCannotRead() {
        CassandraLocksEndpoint endpoint = new CassandraLocksEndpoint(
                Map.of("main", new LockReports("ticket", null, HERE, lockIds -> LocalLocks.NONE, () -> {
                    throw new IllegalStateException("not since its start");
                })));
        assertThat(endpoint.locks(LocksFormat.JSON, null, null, null, null, null, null)
                        .getStatus())
                .isEqualTo(200);
        WebEndpointResponse<Object> lock = endpoint.lock(null, LOCK);
        assertThat(lock.getStatus()).isEqualTo(503);
        assertThat(message(lock)).contains("not since its start");
    }

    @Test
    void algorithmOfTheApplicationsOwnShowsThisProcessOnly() {
        CassandraLocksEndpoint endpoint = new CassandraLocksEndpoint(Map.of("main", reports(Optional.empty())));
        assertThat(endpoint.locks(LocksFormat.JSON, null, null, null, true, null, null)
                        .getStatus())
                .isEqualTo(200);
        assertThat(message(endpoint.lock(null, LOCK))).contains("'ticket' cannot be read: it is the application's own");
    }

    @Test
    void holderOfThisProcessIsNamedByItsThreadNotByOneThatHasLostTheLock() {
        held.add(local(LOCK, "lost", true));
        held.add(local("another lock", "stranger", false));
        held.add(local(LOCK, "worker", false));
        shows(entry(Place.HOLDER, true, Optional.empty()));
        Bodies.OneLock seen = lock();
        assertThat(holder(seen).thread()).isEqualTo("worker");
        assertThat(holder(seen).forMillis()).isEqualTo(3_000);
        assertThat(seen.heldHere()).extracting(Bodies.Acquisition::thread).containsExactly("lost", "worker");
    }

    @Test
    void waiterOfThisProcessIsItsFirstThreadAndHolderOfAnotherHasNone() {
        waiting.add(local(LOCK, "first", false));
        waiting.add(local(LOCK, "second", false));
        shows(entry(Place.HOLDER, false, Optional.empty()), entry(Place.WAITING, true, Optional.empty()));
        Bodies.OneLock seen = lock();
        assertThat(holder(seen).thread()).isNull();
        assertThat(holder(seen).forMillis()).isEqualTo(8_000);
        assertThat(seen.queue())
                .singleElement()
                .extracting(Bodies.Entry::thread)
                .isEqualTo("first");
        assertThat(seen.waitingHere()).hasSize(2);
    }

    @Test
    void waiterOfThisProcessIsAThreadThatWaitsInItsMode() {
        waiting.add(local(LOCK, LockMode.PROTECTED_WRITE, "waits without a row", false));
        waiting.add(local(LOCK, "writer", false));
        shows(entry(Place.HOLDER, false, Optional.empty()), entry(Place.WAITING, true, Optional.empty()));
        assertThat(lock().queue())
                .singleElement()
                .extracting(Bodies.Entry::thread)
                .isEqualTo("writer");
    }

    @Test
    void entryWithAThreadIdIsNamedByExactlyThatThread() {
        held.add(local(LOCK, "one", false));
        held.add(local(LOCK, "two", false));
        shows(entry(Place.HOLDER, true, Optional.of("id of two")));
        assertThat(holder(lock()).thread()).isEqualTo("two");
    }

    @Test
    void pathBelowTheEndpointIsALockIdWithSlashes() {
        assertThat(CassandraLocksEndpoint.id("orders", "2024", "7")).isEqualTo("orders/2024/7");
    }

    @Test
    void reasonOfAForceReleaseNamesTheUserAndTheProcessThatWasAsked() {
        List<String> asked = new ArrayList<>();
        ForceReleasingLocksEndpoint endpoint = releasing((lockId, onlyOf, by) -> {
            asked.add(lockId + onlyOf.map(id -> " of " + id).orElse("") + " by " + by);
            return CompletableFuture.completedFuture(new ForceReleaseOutcome.NotHeld());
        });
        SecurityContext ann = mock(SecurityContext.class);
        Principal principal = () -> "ann";
        when(ann.getPrincipal()).thenReturn(principal);
        WebEndpointResponse<Object> answer = endpoint.forceReleasePath(ann, null, null, "orders", "7");
        assertThat(answer.getStatus()).isEqualTo(404);
        assertThat(message(answer)).contains("Nobody holds lock 'orders/7'");
        endpoint.forceRelease(SecurityContext.NONE, LOCK, null, null);
        assertThat(asked).containsExactly("orders/7 by ann at host-7-4711 shop", LOCK + " by host-7-4711 shop");
    }

    @Test
    void forceReleaseWithAnUnknownOutcomeSaysSo() {
        ForceReleasingLocksEndpoint endpoint = releasing(
                (lockId, onlyOf, by) -> CompletableFuture.failedFuture(new IllegalStateException("no quorum")));
        WebEndpointResponse<Object> answer = endpoint.forceRelease(SecurityContext.NONE, LOCK, null, null);
        assertThat(answer.getStatus()).isEqualTo(503);
        assertThat(message(answer)).contains(LOCK, "is unknown", "no quorum");
    }

    @Test
    void forceReleaseReachesOnlyTheLockerThatIsNamed() {
        List<String> asked = new ArrayList<>();
        Map<String, LockReports> reports = new LinkedHashMap<>();
        reports.put("main", reports(Optional.of(inspection)));
        reports.put("billing", reports(Optional.of(inspection)));
        ForceReleasingLocksEndpoint endpoint = new ForceReleasingLocksEndpoint(
                reports,
                Map.of("billing", (lockId, onlyOf, by) -> {
                    asked.add(by);
                    return CompletableFuture.completedFuture(new ForceReleaseOutcome.NotHeld());
                }),
                HERE);

        WebEndpointResponse<Object> unnamed = endpoint.forceRelease(SecurityContext.NONE, LOCK, null, null);
        assertThat(unnamed.getStatus()).isEqualTo(400);
        assertThat(message(unnamed)).contains(LOCK, "'main', 'billing'", "'locker'");
        WebEndpointResponse<Object> off = endpoint.forceReleasePath(SecurityContext.NONE, null, "main", LOCK);
        assertThat(off.getStatus()).isEqualTo(400);
        assertThat(message(off))
                .contains(LOCK, "off for locker 'main'", "'cassandra-lock.force-release.enabled: true'");
        assertThat(asked).isEmpty();

        WebEndpointResponse<Object> named = endpoint.forceRelease(SecurityContext.NONE, LOCK, null, "billing");
        assertThat(message(named)).contains("Locker 'billing'", LOCK);
        assertThat(asked).containsExactly("host-7-4711 shop (locker 'billing')");
        assertThat(overview(endpoint, null).forceRelease()).isFalse();
        assertThat(overview(endpoint, "billing").forceRelease()).isTrue();
    }

    private static Bodies.Overview overview(CassandraLocksEndpoint endpoint, @Nullable String locker) {
        return (Bodies.Overview)
                Objects.requireNonNull(endpoint.locks(LocksFormat.JSON, null, null, null, null, locker, null)
                        .getBody());
    }

    private ForceReleasingLocksEndpoint releasing(ForceReleaser releaser) {
        return new ForceReleasingLocksEndpoint(
                Map.of("main", reports(Optional.of(inspection))), Map.of("main", releaser), HERE);
    }

    private WebEndpointResponse<Object> released(ForceReleaseOutcome outcome, @Nullable String session) {
        return releasing((lockId, onlyOf, by) -> CompletableFuture.completedFuture(outcome))
                .forceRelease(SecurityContext.NONE, LOCK, session, null);
    }

    @Test
    void answerToAForceReleaseSaysWhatHappensToEachHolder() {
        QueueEntry here = entry(Place.HOLDER, true, Optional.empty());
        QueueEntry there = entry(Place.HOLDER, false, Optional.empty());
        Duration within = Duration.ofMillis(4_100);
        WebEndpointResponse<Object> told =
                released(new ForceReleaseOutcome.Begun(List.of(here), List.of(), Duration.ZERO, 0), null);
        assertThat(told.getStatus()).isEqualTo(200);
        assertThat(message(told))
                .contains(LOCK, "host-7-4711 shop", "fencing tokens")
                .doesNotContain("a request");
        WebEndpointResponse<Object> both =
                released(new ForceReleaseOutcome.Begun(List.of(here), List.of(there, there), within, 7), null);
        assertThat(both.getStatus()).isEqualTo(202);
        assertThat(message(both))
                .contains(
                        "is force-released in this process",
                        "The processes of 2 holders",
                        "read it within 5 s",
                        "7 more holders",
                        "force-release it again, without naming a session")
                .doesNotContain("The next in the queue");
        assertThat(message(released(new ForceReleaseOutcome.Begun(List.of(), List.of(there), within, 0), null)))
                .contains("The process of the holder", "was sent a request to give it up, and reads it within 5 s");
    }

    @Test
    void sessionOfAForceReleaseIsCheckedBeforeAnythingIsAsked() {
        WebEndpointResponse<Object> wrong = released(new ForceReleaseOutcome.NotHeld(), "billing-3");
        assertThat(wrong.getStatus()).isEqualTo(400);
        assertThat(message(wrong)).contains(LOCK, "'billing-3' is not the id of a session", "'session' of a holder");
        String session = new UUID(0, 2).toString();
        WebEndpointResponse<Object> notHeld = released(new ForceReleaseOutcome.NotHeld(), session);
        assertThat(notHeld.getStatus()).isEqualTo(404);
        assertThat(message(notHeld)).contains("Session " + session + " does not hold lock '" + LOCK);
    }

    @Test
    void severalHoldersAreShownWithTheirModesAndOnlyWithThreadsOfTheirOwnSlots() {
        held.add(local(LOCK, "reader", false));
        held.add(local(LOCK, "other reader", false));
        shows(List.of(
                entry(Place.HOLDER, true, Optional.empty()),
                entry(Place.HOLDER, true, Optional.empty()),
                entry(Place.HOLDER, false, Optional.empty())));
        Bodies.OneLock seen = lock();
        assertThat(seen.holderCount()).isEqualTo(3);
        assertThat(seen.holders()).extracting(Bodies.Entry::thread).containsOnlyNulls();
        assertThat(seen.holders()).extracting(Bodies.Entry::mode).containsOnly("EXCLUSIVE");
        assertThat(seen.heldHere()).hasSize(2);
    }

    @Test
    void nativeImageKeepsThePageAndTheBodies() {
        RuntimeHints hints = new RuntimeHints();
        new LocksEndpointHints().registerHints(hints, getClass().getClassLoader());
        assertThat(RuntimeHintsPredicates.resource()
                        .forResource("io/github/cassandralock/internal/actuate/page/cassandralocks.js"))
                .accepts(hints);
        assertThat(RuntimeHintsPredicates.reflection().onType(Bodies.Overview.class))
                .accepts(hints);
        assertThat(RuntimeHintsPredicates.reflection().onType(Bodies.Entry.class))
                .accepts(hints);
    }
}
