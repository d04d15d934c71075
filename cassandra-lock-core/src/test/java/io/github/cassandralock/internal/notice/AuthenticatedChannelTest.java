package io.github.cassandralock.internal.notice;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;

import io.github.cassandralock.internal.counter.Counted;
import io.github.cassandralock.internal.counter.ProtocolCounters;
import io.github.cassandralock.internal.simulation.SimulatedProcess;
import io.github.cassandralock.internal.simulation.SimulatedTime;
import io.github.cassandralock.internal.store.Contact;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.junit.jupiter.api.Test;

class AuthenticatedChannelTest {

    private static final Duration RETRY = Duration.ofSeconds(5);
    private static final Duration LEASE = RETRY.multipliedBy(3);
    private static final Notice NOTICE = new Notice.Held("lock", 7);

    private final SimulatedTime time = new SimulatedTime();
    private final SimulatedProcess process = new SimulatedProcess(time, 1, Duration.ZERO);
    private final Map<String, MemoryTransport> transports = new HashMap<>();

    /** The sessions' table: what each row says of a contact. */
    private final Map<UUID, Contact> table = new HashMap<>();

    private final List<UUID> looked = new ArrayList<>();
    private boolean tableFails;

    private static final byte[] CHALLENGE = new byte[FramePlace.CHALLENGE_BYTES];

    @SuppressWarnings("ArrayRecordComponent") // never compared
    private record Sent(byte[] frame, FramePlace place) {}

    private record Received(UUID from, UUID to, Notice notice) {}

    /** Delivers at once. */
    private final class MemoryTransport implements NoticeTransport {

        private final String address;
        private final Set<String> silent = new HashSet<>();
        private final List<Sent> sent = new ArrayList<>();
        private final List<NoticeTransport.Reception> receptions = new ArrayList<>();
        private Receiver receiver = (frame, place) -> NoticeTransport.Reception.UNKNOWN_RECEIVER;

        private MemoryTransport(String address) {
            this.address = address;
            transports.put(address, this);
        }

        @Override
        public String address() {
            return address;
        }

        @Override
        public void receiveBy(Receiver next) {
            receiver = next;
        }

        @Override
        public boolean mayReach(String other) {
            return !silent.contains(other);
        }

        @Override
        public void send(String to, UnsentFrame frame) {
            FramePlace place = new FramePlace(CHALLENGE, sent.size());
            byte[] bytes = frame.at(place);
            sent.add(new Sent(bytes, place));
            arrive(to, bytes, place);
        }

        private void arrive(String to, byte[] frame, FramePlace place) {
            MemoryTransport other = Objects.requireNonNull(transports.get(to));
            other.receptions.add(other.receiver.received(frame, place));
        }

        private void arrive(String to, byte[] frame) {
            arrive(to, frame, new FramePlace(CHALLENGE, 0));
        }
    }

    private final class Peer {

        private final MemoryTransport transport;
        private final AuthenticatedChannel channel;
        private final ProtocolCounters counters = new ProtocolCounters();
        private final List<Received> received = new ArrayList<>();

        private Peer(String address, long seed) {
            transport = new MemoryTransport(address);
            channel = new AuthenticatedChannel(
                    transport,
                    AuthenticatedChannelTest.this::lookUp,
                    LEASE,
                    process,
                    process,
                    new SplittableRandom(seed),
                    counters);
            channel.receiveBy((from, to, notice) -> received.add(new Received(from, to, notice)));
        }

        private UUID open(int number) {
            UUID session = new UUID(0, number);
            table.put(session, channel.open(session).orElseThrow());
            return session;
        }
    }

    private CompletionStage<Optional<Contact>> lookUp(UUID session) {
        looked.add(session);
        return tableFails
                ? CompletableFuture.failedFuture(new IllegalStateException("no quorum"))
                : CompletableFuture.completedFuture(Optional.ofNullable(table.get(session)));
    }

    private final Peer one = new Peer("one:1", 1);
    private final Peer other = new Peer("other:2", 2);
    private final UUID first = one.open(1);
    private final UUID second = other.open(2);

    private byte[] frame(byte[] secret) {
        return Objects.requireNonNull(NoticeFrames.write(first, second, NOTICE, new NoticeCode(secret)))
                .at(new FramePlace(CHALLENGE, 0));
    }

    @Test
    void noticeArrivesAsItWasSentAndTheContactIsReadOnce() {
        one.channel.send(first, second, NOTICE);
        one.channel.send(first, second, NOTICE);
        assertThat(other.received)
                .containsExactly(new Received(first, second, NOTICE), new Received(first, second, NOTICE));
        assertThat(looked).as("contacts that were read").containsExactly(second);
    }

    @Test
    void whatIsSentReceivedAndRefusedIsCounted() {
        one.channel.send(first, second, NOTICE);
        one.channel.send(first, new UUID(0, 3), NOTICE);
        byte[] forged = frame(new byte[16]);
        one.transport.arrive("other:2", forged);
        assertThat(one.counters.sum(Counted.NOTICE_SENT))
                .as("to a session that has a contact")
                .isOne();
        assertThat(other.counters.sum(Counted.NOTICE_RECEIVED)).isOne();
        assertThat(other.counters.sum(Counted.NOTICE_REFUSED)).isOne();
    }

    @Test
    void noticesWaitForAContactThatIsBeingRead() {
        CompletableFuture<Optional<Contact>> late = new CompletableFuture<>();
        AuthenticatedChannel waiting = new AuthenticatedChannel(
                new MemoryTransport("waiting:3"),
                session -> late,
                LEASE,
                process,
                process,
                new SplittableRandom(3),
                new ProtocolCounters());
        for (int i = 0; i < 100; i++) {
            waiting.send(first, second, NOTICE);
        }
        assertThat(waiting.mayReach(second))
                .as("a session of which nothing is known yet")
                .isTrue();
        late.complete(Optional.of(Objects.requireNonNull(table.get(second))));
        assertThat(other.received).as("what waited; the rest is dropped").hasSize(16);
    }

    @Test
    void sessionWithoutContactIsNotReachedAndAskedForAgainAfterAWhile() {
        UUID without = new UUID(0, 3);
        one.channel.send(first, without, NOTICE);
        assertThat(one.channel.mayReach(without)).isFalse();
        time.run(RETRY.minusMillis(1));
        assertThat(one.channel.mayReach(without)).isFalse();
        assertThat(looked).hasSize(1);
        table.put(without, Objects.requireNonNull(table.get(second)));
        time.run(Duration.ofMillis(2));
        one.channel.mayReach(without);
        assertThat(one.channel.mayReach(without))
                .as("after its row was read again")
                .isTrue();
    }

    @Test
    void contactThatCannotBeReadIsReadAgainAfterAWhile() {
        tableFails = true;
        one.channel.send(first, second, NOTICE);
        assertThat(one.channel.mayReach(second)).isFalse();
        tableFails = false;
        time.run(RETRY);
        one.channel.send(first, second, NOTICE);
        assertThat(other.received).hasSize(1);
    }

    @Test
    void sourceThatThrowsCountsAsAContactThatCannotBeRead() {
        AuthenticatedChannel failing = new AuthenticatedChannel(
                new MemoryTransport("failing:3"),
                session -> {
                    throw new IllegalStateException("the session to Cassandra is closed");
                },
                LEASE,
                process,
                process,
                new SplittableRandom(3),
                new ProtocolCounters());
        assertThatCode(() -> failing.send(first, second, NOTICE)).doesNotThrowAnyException();
        assertThat(failing.mayReach(second)).isFalse();
    }

    @Test
    void addressThatTheTransportCannotReachIsNotReached() {
        one.channel.send(first, second, NOTICE);
        assertThat(one.channel.mayReach(second)).isTrue();
        one.transport.silent.add("other:2");
        assertThat(one.channel.mayReach(second)).isFalse();
    }

    @Test
    void forgedFrameReachesNobodyAndItsConnectionIsClosed() {
        byte[] forged = frame(new byte[16]);
        one.transport.arrive("other:2", forged);
        one.transport.arrive("other:2", new byte[3]);
        assertThat(other.transport.receptions)
                .containsExactly(NoticeTransport.Reception.REFUSED, NoticeTransport.Reception.REFUSED);
        assertThat(other.received).isEmpty();
    }

    @Test
    void frameThatIsSentAgainIsRefusedOnItsOwnConnectionAndOnAnyOther() {
        one.channel.send(first, second, NOTICE);
        byte[] recorded = one.transport.sent.get(0).frame();
        byte[] challenge = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16};
        one.transport.arrive("other:2", recorded, new FramePlace(CHALLENGE, 1));
        one.transport.arrive("other:2", recorded, new FramePlace(challenge, 0));
        assertThat(other.received).hasSize(1);
        assertThat(other.transport.receptions)
                .containsExactly(
                        NoticeTransport.Reception.AUTHENTIC,
                        NoticeTransport.Reception.REFUSED,
                        NoticeTransport.Reception.REFUSED);
    }

    @Test
    void sessionGetsABoundedNumberOfAnswersInASecondAndOthersTheirs() {
        UUID third = other.open(3);
        for (int i = 0; i < 67_000; i++) {
            one.channel.answer(first, second, NOTICE);
        }
        assertThat(other.received).hasSize(AnswerLimit.MOST);
        assertThat(one.counters.sum(Counted.NOTICE_DROPPED)).isEqualTo(67_000 - AnswerLimit.MOST);
        one.channel.answer(first, third, NOTICE);
        one.channel.send(first, second, NOTICE);
        assertThat(other.received)
                .as("an answer to another session, and a notice that is none")
                .hasSize(AnswerLimit.MOST + 2);
        time.run(Duration.ofSeconds(1));
        one.channel.answer(first, second, NOTICE);
        assertThat(other.received).as("in the next second").hasSize(AnswerLimit.MOST + 3);
    }

    @Test
    void secretOfASessionEndsALeaseAfterItWasReplaced() {
        other.open(20);
        time.run(LEASE.minusMillis(1));
        one.channel.send(first, second, NOTICE);
        time.run(Duration.ofMillis(1));
        one.channel.send(first, second, NOTICE);
        assertThat(other.transport.receptions)
                .containsExactly(NoticeTransport.Reception.AUTHENTIC, NoticeTransport.Reception.UNKNOWN_RECEIVER);
    }

    @Test
    void framesToTheLastTwoSessionsAreAuthenticAndThoseToOthersIgnored() {
        one.channel.send(first, second, NOTICE);
        other.open(20);
        one.channel.send(first, second, NOTICE);
        assertThat(other.received)
                .as("notices to the session before the present one")
                .hasSize(2);
        other.open(21);
        one.channel.send(first, second, NOTICE);
        assertThat(other.received).as("notices to a session that is long gone").hasSize(2);
        assertThat(other.transport.receptions)
                .containsExactly(
                        NoticeTransport.Reception.AUTHENTIC,
                        NoticeTransport.Reception.AUTHENTIC,
                        NoticeTransport.Reception.UNKNOWN_RECEIVER);
    }

    @Test
    void frameToOneSessionIsNoFrameToAnotherOfTheSameProcess() {
        UUID next = other.open(20);
        byte[] toSecond = frame(Objects.requireNonNull(table.get(second)).secret());
        byte[] redirected = toSecond.clone();
        redirected[32] = (byte) next.getLeastSignificantBits();
        one.transport.arrive("other:2", redirected);
        assertThat(other.received).isEmpty();
    }

    @Test
    void secretsOfSessionsDiffer() {
        assertThat(Objects.requireNonNull(table.get(first)).secret())
                .isNotEqualTo(Objects.requireNonNull(table.get(one.open(10))).secret())
                .hasSize(16);
    }

    @Test
    void receiverThatThrowsDoesNotStopTheTransport() {
        other.channel.receiveBy((from, to, notice) -> {
            throw new IllegalStateException("a fault of the receiver");
        });
        one.channel.send(first, second, NOTICE);
        assertThat(other.transport.receptions).containsExactly(NoticeTransport.Reception.AUTHENTIC);
    }

    @Test
    void onlyTheContactsThatWereUsedLastAreRemembered() {
        for (int number = 100; number < 100 + 10_000; number++) {
            one.channel.send(first, new UUID(0, number), NOTICE);
        }
        looked.clear();
        one.channel.send(first, new UUID(0, 10_099), NOTICE);
        assertThat(looked).as("the last one").isEmpty();
        one.channel.send(first, new UUID(0, 100), NOTICE);
        assertThat(looked).as("the first one").hasSize(1);
    }
}
