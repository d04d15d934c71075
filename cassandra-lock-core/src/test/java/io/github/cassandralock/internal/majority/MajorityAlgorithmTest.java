package io.github.cassandralock.internal.majority;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.cassandralock.LockLoss;
import io.github.cassandralock.LockMode;
import io.github.cassandralock.LockStoreException;
import io.github.cassandralock.internal.locker.PlainGrant;
import io.github.cassandralock.internal.simulation.SimulatedProcess;
import io.github.cassandralock.internal.simulation.SimulatedTime;
import io.github.cassandralock.internal.store.RefusedRequestException;
import io.github.cassandralock.spi.AcquireRequest;
import io.github.cassandralock.spi.Attempt;
import io.github.cassandralock.spi.Grant;
import io.github.cassandralock.spi.LockAlgorithm;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** What the configuration refuses, and what attempts say when too few clusters count. */
class MajorityAlgorithmTest {

    private static final Duration LEASE = Duration.ofSeconds(10);
    private static final MajoritySettings SETTINGS =
            new MajoritySettings(LEASE, LEASE, Duration.ofSeconds(1), true, Duration.ofHours(3));

    private final SimulatedTime time = new SimulatedTime();
    private final SimulatedProcess process = new SimulatedProcess(time, 1, Duration.ZERO);

    /** Birth rows that stay as they are, or refuse. */
    private static final class FixedBirth implements BirthStore {

        private final List<UUID> written = new ArrayList<>();
        private @Nullable Birth birth;
        private @Nullable Throwable failure;
        private @Nullable Throwable writeFailure;
        private @Nullable CompletableFuture<Optional<Birth>> lateRead;
        private @Nullable CompletableFuture<Void> lateWrite;

        @Override
        public CompletionStage<Optional<Birth>> read() {
            if (lateRead != null) {
                return lateRead;
            }
            return failure == null
                    ? CompletableFuture.completedFuture(Optional.ofNullable(birth))
                    : CompletableFuture.failedFuture(failure);
        }

        @Override
        public CompletionStage<Void> write(Birth fresh) {
            written.add(fresh.incarnation());
            if (lateWrite != null) {
                return lateWrite;
            }
            if (writeFailure != null) {
                return CompletableFuture.failedFuture(writeFailure);
            }
            birth = fresh;
            return CompletableFuture.completedFuture(null);
        }

        @Override
        public CompletionStage<Void> ripen(UUID incarnation, Maturity maturity) {
            if (birth != null) {
                birth = new Birth(incarnation, birth.agreement(), maturity);
            }
            return CompletableFuture.completedFuture(null);
        }
    }

    /** A lock that is always free. */
    private static final class FreeLock implements LockAlgorithm, TokenRegister {

        private final List<String> threads = new ArrayList<>();
        private final List<String> abandoned = new ArrayList<>();

        @Override
        public String getName() {
            return "free";
        }

        @Override
        public Attempt acquire(AcquireRequest request) {
            threads.add(request.threadId());
            return new Attempt() {
                @Override
                public CompletionStage<Optional<Grant>> getOutcome() {
                    return CompletableFuture.completedFuture(Optional.of(new FreeGrant()));
                }

                @Override
                public void giveUp() {}
            };
        }

        @Override
        public void abandonAll(LockLoss loss) {
            abandoned.add(loss.text());
        }

        @Override
        public CompletionStage<Void> closeAsync() {
            return CompletableFuture.completedFuture(null);
        }

        @Override
        public CompletionStage<OptionalLong> read(String lockId, UUID incarnation) {
            return CompletableFuture.completedFuture(OptionalLong.empty());
        }

        @Override
        public CompletionStage<Void> raise(String lockId, UUID incarnation, long token) {
            return CompletableFuture.completedFuture(null);
        }
    }

    private static final class FreeGrant extends PlainGrant {

        @Override
        public CompletionStage<Long> reserveFencingToken() {
            throw new UnsupportedOperationException();
        }
    }

    private final List<FixedBirth> births = List.of(new FixedBirth(), new FixedBirth(), new FixedBirth());
    private final List<FreeLock> locks = List.of(new FreeLock(), new FreeLock(), new FreeLock());

    private MajorityContext context() {
        return new MajorityContext(SETTINGS, process, process, UUID::randomUUID, process);
    }

    private MajorityAlgorithm algorithm(String... ids) {
        List<Cluster> clusters = new ArrayList<>();
        for (int cluster = 0; cluster < ids.length; cluster++) {
            FreeLock lock = locks.get(cluster % locks.size());
            clusters.add(new Cluster(ids[cluster], lock, births.get(cluster % births.size()), lock));
        }
        return new MajorityAlgorithm(clusters, context());
    }

    private CompletableFuture<Optional<Grant>> acquired(MajorityAlgorithm algorithm) {
        return algorithm
                .acquire(AcquireRequest.waits("lock", "thread"))
                .getOutcome()
                .toCompletableFuture();
    }

    private void untilMature() {
        time.run(SETTINGS.ripening().plus(LEASE));
    }

    @Test
    void otherNumbersOfClustersThanThreeAndFiveAreRefused() {
        assertThatThrownBy(() -> algorithm("a", "b"))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("needs 3 or 5 clusters, and there are 2 (a, b)");
        assertThatThrownBy(() -> algorithm("a", "b", "c", "d")).hasMessageContaining("there are 4");
        assertThatThrownBy(() -> algorithm("a", "b", "c", "d", "e", "f", "g"))
                .hasMessageContaining("there are 7 (a, b, c, d, e, f, g)")
                .hasMessageContaining("With more than five, each lock would have to be taken in too many");
        assertThatThrownBy(() -> algorithm("a", "b", "a")).hasMessageContaining("an id of its own");
    }

    @Test
    void leaseAboveTheLongestLeaseIsRefused() {
        assertThatThrownBy(() -> new MajoritySettings(
                        LEASE.plusMillis(1), LEASE, Duration.ofSeconds(1), true, Duration.ofHours(3)))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("longer than the longest lease");
    }

    @Test
    void newClustersCountWhenTheyHaveBeenWatchedForLongerThanTheLongestLease() {
        MajorityAlgorithm algorithm = algorithm("a", "b", "c");
        CompletableFuture<Optional<Grant>> outcome = acquired(algorithm);
        time.run(LEASE);
        assertThat(outcome).isNotDone();
        time.runUntil(outcome::isDone, LEASE);
        assertThat(outcome.join().orElseThrow().isValid()).isTrue();
        assertThat(locks)
                .filteredOn(lock -> !lock.threads.isEmpty())
                .as("clusters that were asked")
                .hasSize(2);
    }

    @Test
    void clustersThatAreInstalledTogetherHaveFencingTokensAtOnce() {
        MajorityAlgorithm algorithm = algorithm("a", "b", "c");
        untilMature();
        Grant grant = acquired(algorithm).join().orElseThrow();
        assertThat(grant.reserveFencingToken().toCompletableFuture()).isCompleted();
        assertThat(births).allMatch(birth -> birth.birth != null && birth.birth.maturity() == Maturity.TOKEN_MATURE);
    }

    @Test
    void holderAsksForTheOtherPartsLater() {
        MajorityAlgorithm algorithm = algorithm("a", "b", "c");
        untilMature();
        acquired(algorithm);
        time.run(LEASE);
        assertThat(locks.get(2).threads).as("askings of the third cluster").hasSize(1);
    }

    @Test
    void eachAskingHasAThreadNameOfItsOwn() {
        MajorityAlgorithm algorithm = algorithm("a", "b", "c");
        untilMature();
        acquired(algorithm);
        time.run(LEASE);
        assertThat(locks.stream().flatMap(lock -> lock.threads.stream())).doesNotHaveDuplicates();
    }

    @Test
    void twoEntriesThatLeadToOneClusterAreRefused() {
        births.get(0).birth =
                new Birth(UUID.randomUUID(), SETTINGS.agreement(List.of("a", "b", "c"), "a"), Maturity.MATURE);
        births.get(1).birth = births.get(0).birth;
        MajorityAlgorithm algorithm = algorithm("a", "b", "c");
        untilMature();
        assertThat(acquired(algorithm))
                .failsWithin(Duration.ZERO)
                .withThrowableThat()
                .withMessageContaining("The clusters 'a' and 'b' are one cluster");
    }

    @Test
    void entryThatLeadsToTheClusterOfAnotherEntryIsToldBeforeThatEntryIsRead() {
        births.get(0).birth = birth("b", SETTINGS);
        births.get(1).lateRead = new CompletableFuture<>();
        MajorityAlgorithm algorithm = algorithm("a", "b", "c");
        time.run(LEASE);
        assertThat(algorithm.misconfiguration().orElseThrow())
                .startsWith(
                        "The clusters 'a' and 'b' are one cluster, with one set of lock tables, or their entries are"
                                + " exchanged");
    }

    @Test
    void listThatDiffersFromThatOfOtherProcessesIsRefused() {
        births.get(2).birth =
                new Birth(UUID.randomUUID(), SETTINGS.agreement(List.of("c", "b", "a"), "c"), Maturity.MATURE);
        MajorityAlgorithm algorithm = algorithm("a", "b", "c");
        untilMature();
        assertThat(acquired(algorithm))
                .failsWithin(Duration.ZERO)
                .withThrowableThat()
                .withMessageContaining("In the cluster 'c', other processes have the configuration")
                .withMessageContaining(
                        "'cluster c of c,b,a; max-lease PT10S; token-maturity PT3H', and this process has")
                .withMessageContaining(
                        "stop all applications. Drop the tables lock_slots and lock_sessions in all clusters, old and new")
                .withMessageContaining("start the applications with the new configuration");
    }

    private static Birth birth(String id, MajoritySettings settings) {
        return new Birth(UUID.randomUUID(), settings.agreement(List.of("a", "b", "c"), id), Maturity.MATURE);
    }

    @Test
    void processThatIsConfiguredOtherwiseWritesNoBirth() {
        MajoritySettings others =
                new MajoritySettings(LEASE, LEASE.plusSeconds(1), Duration.ofSeconds(1), true, Duration.ofHours(3));
        births.get(1).birth = birth("b", others);
        births.get(2).birth = birth("c", others);
        algorithm("a", "b", "c");
        untilMature();
        assertThat(births.get(0).birth)
                .as("birth by a process that may not count it")
                .isNull();
    }

    @Test
    void processWithTwoEntriesForOneClusterNeverWritesABirthThere() {
        births.get(0).birth = birth("a", SETTINGS);
        births.get(1).birth = births.get(0).birth;
        births.get(2).birth = birth("c", SETTINGS);
        algorithm("a", "b", "c");
        time.run(LEASE);
        births.get(0).birth = null;
        births.get(1).birth = null;
        untilMature();
        assertThat(births.get(1).birth)
                .as("birth by the name 'b' in the cluster 'a'")
                .isNull();
    }

    private void forbidWritesToTheFirst(Throwable failure) {
        births.get(0).writeFailure = failure;
        births.get(1).birth = birth("b", SETTINGS);
        births.get(2).birth = birth("c", SETTINGS);
    }

    @Test
    void birthThatCouldNotBeWrittenIsToldAndTriedAgainAfterTheWatchInterval() {
        forbidWritesToTheFirst(new IllegalStateException("no quorum for the transaction"));
        MajorityAlgorithm algorithm = algorithm("a", "b", "c");
        time.run(SETTINGS.watchInterval().multipliedBy(10).plusMillis(500));
        assertThat(births.get(0).written).hasSizeBetween(10, 11).doesNotHaveDuplicates();
        assertThat(algorithm.states().get(0).text())
                .contains("has no birth row yet (it could not be written: no quorum for the transaction)");
        births.get(0).writeFailure = null;
        time.run(SETTINGS.watchInterval().multipliedBy(2));
        assertThat(algorithm.states().get(0).text()).contains("is young").doesNotContain("could not");
    }

    @Test
    void birthThatWasRefusedForCertainIsWrittenAgainWithTheSameIncarnation() {
        forbidWritesToTheFirst(new RefusedRequestException("no permission", new RuntimeException()));
        algorithm("a", "b", "c");
        time.run(LEASE);
        assertThat(births.get(0).written).hasSizeGreaterThan(5);
        assertThat(births.get(0).written.stream().distinct()).hasSize(1);
    }

    @Test
    void refusalOfABirthSaysNothingWhenAnotherProcessHasWrittenOneMeanwhile() {
        List<FixedBirth> refusing = births.subList(0, 2);
        CompletableFuture<Void> refusal = new CompletableFuture<>();
        refusing.forEach(birth -> birth.lateWrite = refusal);
        births.get(2).birth = birth("c", SETTINGS);
        MajorityAlgorithm algorithm = algorithm("a", "b", "c");
        time.run(SETTINGS.watchInterval());
        assertThat(refusing).allSatisfy(birth -> assertThat(birth.written).hasSize(1));
        births.get(0).birth = birth("a", SETTINGS);
        births.get(1).birth = birth("b", SETTINGS);
        time.run(SETTINGS.watchInterval());
        refusal.completeExceptionally(new RefusedRequestException("no permission", new RuntimeException()));
        assertThat(acquired(algorithm).join()).isPresent();
    }

    @Test
    void startIsNotHeldUpByABirthThatCannotBeWritten() {
        forbidWritesToTheFirst(new IllegalStateException("no quorum for the transaction"));
        MajorityAlgorithm algorithm = algorithm("a", "b", "c");
        time.run(SETTINGS.watchInterval());
        assertThat(algorithm.watched().toCompletableFuture()).isCompleted();
    }

    @Test
    void startIsNotHeldUpByABirthThatIsNotWrittenByAMisconfiguredProcess() {
        forbidWritesToTheFirst(new IllegalStateException("never asked"));
        births.get(1).birth = new Birth(UUID.randomUUID(), "another agreement", Maturity.MATURE);
        MajorityAlgorithm algorithm = algorithm("a", "b", "c");
        time.run(SETTINGS.watchInterval());
        assertThat(algorithm.watched().toCompletableFuture()).isCompleted();
        assertThat(births.get(0).written).isEmpty();
    }

    @Test
    void listenersAreToldOfChangesOnlyWhileAClusterIsDown() {
        births.forEach(birth ->
                birth.birth = birth("abc".substring(births.indexOf(birth)).substring(0, 1), SETTINGS));
        MajorityAlgorithm algorithm = algorithm("a", "b", "c");
        time.run(LEASE);
        births.get(1).failure = new IllegalStateException("the node is down");
        time.run(LEASE.multipliedBy(2));
        AtomicInteger changes = new AtomicInteger();
        algorithm.clusters().onChange(changes::incrementAndGet);
        time.run(LEASE.multipliedBy(2));
        assertThat(changes).hasValue(0);
        births.get(1).failure = null;
        time.run(LEASE);
        assertThat(changes).hasValueGreaterThan(0);
    }

    @Test
    void birthIsWrittenOnlyWhenAMajorityAnswers() {
        births.get(1).failure = new IllegalStateException("the node is down");
        births.get(2).failure = births.get(1).failure;
        algorithm("a", "b", "c");
        untilMature();
        assertThat(births.get(0).birth)
                .as("birth while nothing is known of the others")
                .isNull();
        births.get(1).failure = null;
        time.run(LEASE);
        assertThat(births.get(0).birth).as("birth while a majority answers").isNotNull();
    }

    @Test
    void attemptWaitsWhileTooFewClustersAnswerAndSaysWhy() {
        MajorityAlgorithm algorithm = algorithm("a", "b", "c");
        untilMature();
        births.get(1).failure = new IllegalStateException("the node is down");
        births.get(2).failure = new IllegalStateException("the node is down, too");
        time.run(LEASE);
        Attempt attempt = algorithm.acquire(AcquireRequest.waits("lock", "thread"));
        time.run(LEASE);
        assertThat(attempt.getOutcome().toCompletableFuture()).isNotDone();
        assertThat(attempt.getObstacle().toString())
                .contains("1 of 3 clusters count, and locks need 2; 'b' does not answer (the node is down)");
        births.get(1).failure = null;
        time.run(LEASE);
        assertThat(attempt.getOutcome().toCompletableFuture().join()).isPresent();
    }

    @Test
    void softAttemptFailsIfTooFewClustersAnswer() {
        MajorityAlgorithm algorithm = algorithm("a", "b", "c");
        assertThat(algorithm
                        .acquire(AcquireRequest.tries("lock", "thread"))
                        .getOutcome()
                        .toCompletableFuture())
                .failsWithin(Duration.ZERO)
                .withThrowableThat()
                .withCauseInstanceOf(LockStoreException.class)
                .withMessageContaining("too few clusters answered: 0 of 3 clusters count");
    }

    @Test
    void softAttemptThatCannotWinAsksNobody() {
        births.get(0).birth = birth("a", SETTINGS);
        births.get(1).failure = new IllegalStateException("the node is down");
        births.get(2).failure = births.get(1).failure;
        MajorityAlgorithm algorithm = algorithm("a", "b", "c");
        time.run(LEASE);
        assertThat(algorithm
                        .acquire(AcquireRequest.tries("lock", "thread"))
                        .getOutcome()
                        .toCompletableFuture())
                .failsWithin(Duration.ZERO)
                .withThrowableThat()
                .withMessageContaining("1 of 3 clusters count");
        assertThat(locks.get(0).threads).isEmpty();
    }

    @Test
    void attemptFailsAtOnceIfAMajorityRefusesForGood() {
        births.get(0).failure = new RefusedRequestException("no permission on lock_sessions", new RuntimeException());
        births.get(2).failure = births.get(0).failure;
        MajorityAlgorithm algorithm = algorithm("a", "b", "c");
        time.run(LEASE);
        assertThat(acquired(algorithm))
                .failsWithin(Duration.ZERO)
                .withThrowableThat()
                .withMessageContaining("no permission on lock_sessions");
    }

    @Test
    void partsInAClusterThatHasForgottenItsTablesAreAbandoned() {
        MajorityAlgorithm algorithm = algorithm("a", "b", "c");
        untilMature();
        Grant grant = acquired(algorithm).join().orElseThrow();
        births.get(0).birth = null;
        time.run(SETTINGS.watchInterval().plusMillis(1));
        assertThat(grant.isValid())
                .as("held after the loss of one of two parts")
                .isFalse();
        assertThat(grant.getLoss().toCompletableFuture())
                .isCompletedWithValueMatching(
                        loss -> loss.reason() == LockLoss.Reason.STORE_FORGOT
                                && loss.text().contains("'a' (the cluster 'a' has forgotten its tables)"),
                        "says what happened");
        assertThat(locks.get(0).abandoned).containsExactly("the cluster 'a' has forgotten its tables");
    }

    @Test
    void partsInAClusterThatDoesNotAnswerForALeaseAreOver() {
        MajorityAlgorithm algorithm = algorithm("a", "b", "c");
        untilMature();
        Grant grant = acquired(algorithm).join().orElseThrow();
        births.forEach(birth -> birth.failure = new IllegalStateException("the node is down"));
        time.run(LEASE.dividedBy(2));
        assertThat(grant.isValid()).as("held for half a lease").isTrue();
        time.run(LEASE);
        assertThat(grant.getLoss().toCompletableFuture())
                .as("told although nobody looked")
                .isCompletedWithValueMatching(
                        loss -> loss.reason() == LockLoss.Reason.LEASE_EXPIRED
                                && loss.text().contains("(the cluster has not answered for a lease)"),
                        "says what happened");
        births.forEach(birth -> birth.failure = null);
        time.run(LEASE);
        assertThat(algorithm.states()).allMatch(ClusterState::counts);
        assertThat(grant.isValid())
                .as("held again when the clusters are seen as they were")
                .isFalse();
    }

    @Test
    void guardThatIsLateDoesNotBringBackWhatTheClusterHasForgotten() {
        MajorityAlgorithm algorithm = algorithm("a", "b", "c");
        untilMature();
        FixedBirth first = births.get(0);
        Birth forgotten = Objects.requireNonNull(first.birth);
        CompletableFuture<Optional<Birth>> guard = new CompletableFuture<>();
        first.lateRead = guard;
        acquired(algorithm);
        first.lateRead = null;
        first.birth = null;
        first.writeFailure = new IllegalStateException("no quorum for the transaction");
        time.runUntil(() -> algorithm.states().get(0).text().contains("has no birth row yet"), LEASE);
        guard.complete(Optional.of(forgotten));
        assertThat(algorithm.states().get(0).text()).contains("has no birth row yet");
        time.run(SETTINGS.watchInterval());
        assertThat(locks.get(0).abandoned).hasSize(1);
    }

    @Test
    void attemptThatWaitsForAMajorityCanBeGivenUp() {
        MajorityAlgorithm algorithm = algorithm("a", "b", "c");
        Attempt attempt = algorithm.acquire(AcquireRequest.waits("lock", "thread"));
        attempt.giveUp();
        assertThat(attempt.getOutcome().toCompletableFuture()).isCompletedExceptionally();
    }

    @Test
    void waitingAttemptEndsWithTheAlgorithm() {
        MajorityAlgorithm algorithm = algorithm("a", "b", "c");
        CompletableFuture<Optional<Grant>> outcome = acquired(algorithm);
        algorithm.close();
        assertThat(outcome)
                .failsWithin(Duration.ZERO)
                .withThrowableThat()
                .withMessageContaining("the application shuts down");
    }

    @Test
    void exclusiveLocksAloneAreSupported() {
        MajorityAlgorithm algorithm = algorithm("a", "b", "c");
        assertThat(LockMode.values()).filteredOn(algorithm::supports).containsExactly(LockMode.EXCLUSIVE);
        assertThatThrownBy(() ->
                        algorithm.acquire(AcquireRequest.waits("lock", "thread").in(LockMode.PROTECTED_READ)))
                .isInstanceOf(UnsupportedOperationException.class);
    }
}
