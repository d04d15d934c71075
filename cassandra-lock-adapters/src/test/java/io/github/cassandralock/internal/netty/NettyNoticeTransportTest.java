package io.github.cassandralock.internal.netty;

import static io.github.cassandralock.internal.netty.TransportProbe.port;
import static io.github.cassandralock.internal.netty.TransportProbe.receivedBy;
import static io.github.cassandralock.internal.netty.TransportProbe.unsent;
import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.github.cassandralock.internal.counter.Counted;
import io.github.cassandralock.internal.counter.ProtocolCounters;
import io.github.cassandralock.internal.notice.AuthenticatedChannel;
import io.github.cassandralock.internal.notice.FramePlace;
import io.github.cassandralock.internal.notice.Notice;
import io.github.cassandralock.internal.notice.NoticeTransport.Reception;
import io.github.cassandralock.internal.notice.UnsentFrame;
import io.github.cassandralock.internal.store.Contact;
import io.github.cassandralock.internal.time.Ticker;
import io.github.cassandralock.internal.time.Timers;
import java.io.DataInputStream;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.net.UnknownHostException;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Costs ten seconds. Real sockets on the loopback address. */
class NettyNoticeTransportTest {

    private static final InetAddress LOOPBACK = InetAddress.getLoopbackAddress();
    private static final Duration LEAVE_ALONE = Duration.ofSeconds(2);
    private static final byte[] FRAME = "a frame".getBytes(US_ASCII);
    private static final UnsentFrame UNSENT = unsent(FRAME);
    private static final byte[] EMPTY = {};
    private static final int CHALLENGE_FRAME = 4 + 1 + FramePlace.CHALLENGE_BYTES;

    /** So nothing is summed up: whatever is warned of again is not logged. */
    private static final Timers NEVER = delay -> new CompletableFuture<>();

    /** So everything is summed up at once. */
    private static final Timers NOW = delay -> CompletableFuture.completedFuture(null);

    private final CapturedLog log = new CapturedLog();
    private final List<NettyNoticeTransport> open = new ArrayList<>();

    /** Tests move this clock forward, so that they need not wait. */
    private final AtomicLong moved = new AtomicLong();

    private final Ticker ticker = () -> System.nanoTime() + moved.get();

    private static TransportSettings settings(Optional<String> advertised) {
        return TransportSettings.of(new InetSocketAddress(LOOPBACK, 0), advertised, LEAVE_ALONE, Optional.empty());
    }

    private NettyNoticeTransport transport(TransportSettings settings) {
        NettyNoticeTransport transport =
                new NettyNoticeTransport("cassandra-lock-", settings, ticker, NEVER, new ProtocolCounters());
        open.add(transport);
        return transport;
    }

    private NettyNoticeTransport transport() {
        return transport(settings(Optional.empty()));
    }

    /** A connection that has read its challenge. */
    private static Socket socketTo(NettyNoticeTransport transport) throws IOException {
        Socket socket = new Socket(LOOPBACK, port(transport));
        socket.setSoTimeout(10_000);
        assertThat(socket.getInputStream().readNBytes(CHALLENGE_FRAME)).startsWith(0, 0, 0, 17, 3);
        return socket;
    }

    private static void challenge(Socket accepted) throws IOException {
        byte[] frame = Challenge.frame(Challenge.create());
        accepted.getOutputStream().write(withLength(frame.length, frame));
    }

    private static byte[] withLength(int length, byte[] frame) {
        return ByteBuffer.allocate(4 + frame.length).putInt(length).put(frame).array();
    }

    @AfterEach
    void close() {
        open.forEach(transport -> transport.closeAsync().toCompletableFuture().join());
        log.close();
    }

    @Test
    void framesArriveInBothDirectionsOverOneConnectionEach() {
        NettyNoticeTransport one = transport();
        NettyNoticeTransport other = transport();
        List<String> atOne = receivedBy(one);
        List<String> atOther = receivedBy(other);
        for (int i = 0; i < 50; i++) {
            one.send(other.address(), UNSENT);
            other.send(one.address(), UNSENT);
        }
        await().until(() -> atOne.size() == 50 && atOther.size() == 50);
        assertThat(atOne).containsOnly("a frame");
        assertThat(one.inboundConnections()).isEqualTo(1);
        assertThat(other.inboundConnections()).isEqualTo(1);
    }

    @Test
    void theLongestFrameArrives() {
        NettyNoticeTransport one = transport();
        NettyNoticeTransport other = transport();
        List<Integer> lengths = new CopyOnWriteArrayList<>();
        other.receiveBy((frame, place) -> {
            lengths.add(frame.length);
            return Reception.AUTHENTIC;
        });
        one.send(other.address(), unsent(new byte[Frames.LONGEST]));
        await().until(() -> lengths.equals(List.of(Frames.LONGEST)));
    }

    @Test
    void addressIsTheOneThatIsAdvertised() {
        NettyNoticeTransport host = transport(settings(Optional.of("db-7.example")));
        assertThat(host.address()).startsWith("db-7.example:").doesNotEndWith(":0");
        assertThat(transport(settings(Optional.of("nat.example:7007"))).address())
                .isEqualTo("nat.example:7007");
        assertThat(transport(settings(Optional.of("2001:db8::7"))).address()).startsWith("[2001:db8::7]:");
    }

    @Test
    void portThatIsTakenIsRefusedAndLeavesNoThread() throws IOException {
        try (ServerSocket taken = new ServerSocket(0, 1, LOOPBACK)) {
            TransportSettings settings = TransportSettings.of(
                    new InetSocketAddress(LOOPBACK, taken.getLocalPort()),
                    Optional.empty(),
                    LEAVE_ALONE,
                    Optional.empty());
            assertThatThrownBy(() -> new NettyNoticeTransport(
                            "cassandra-lock-", settings, ticker, NEVER, new ProtocolCounters()))
                    .isInstanceOf(TransportStartException.class)
                    .hasMessageContaining("Cannot listen for notices on")
                    .hasMessageContaining(":" + taken.getLocalPort())
                    .extracting(failure -> ((TransportStartException) failure).isAddressAtFault())
                    .isEqualTo(false);
        }
        await().until(() -> threads() == 0);
    }

    @Test
    void addressOfAnotherMachineIsAtFaultWhateverThePort() {
        for (int port : new int[] {0, 7199}) {
            TransportSettings settings = TransportSettings.of(
                    new InetSocketAddress("192.0.2.7", port), Optional.empty(), LEAVE_ALONE, Optional.empty());
            assertThatThrownBy(() -> new NettyNoticeTransport(
                            "cassandra-lock-", settings, ticker, NEVER, new ProtocolCounters()))
                    .extracting(failure -> ((TransportStartException) failure).isAddressAtFault())
                    .isEqualTo(true);
        }
    }

    private static long threads() {
        return threads("cassandra-lock-notices");
    }

    private static long threads(String name) {
        return Thread.getAllStackTraces().keySet().stream()
                .filter(thread -> thread.getName().equals(name))
                .count();
    }

    /** Random bytes, a length that is too long, a negative one: each costs its sender the connection, and nobody else's. */
    @Test
    void whatIsNoFrameEndsItsConnectionAndNoOther() throws IOException {
        NettyNoticeTransport transport = transport();
        List<String> received = receivedBy(transport);
        SplittableRandom random = new SplittableRandom(1);
        byte[] noise = new byte[100_000];
        random.nextBytes(noise);
        noise[0] = 127;
        try (Socket good = socketTo(transport)) {
            good.getOutputStream().write(withLength(FRAME.length, FRAME));
            for (byte[] bytes : List.of(
                    noise,
                    withLength(Frames.LONGEST + 1, FRAME),
                    withLength(-1, FRAME),
                    withLength(Integer.MAX_VALUE, FRAME))) {
                try (Socket bad = socketTo(transport)) {
                    sendUntilClosed(bad, bytes);
                }
            }
            good.getOutputStream().write(withLength(FRAME.length, FRAME));
            await().until(() -> received.size() == 2);
        }
        assertThat(log.text())
                .containsOnlyOnce("WARN")
                .contains("A connection from /127.0.0.1:")
                .contains("was closed, because what it sent is no frame");
    }

    /** The other side may close while this one still sends. */
    private static void sendUntilClosed(Socket socket, byte[] bytes) throws IOException {
        try {
            socket.getOutputStream().write(bytes);
            assertThat(socket.getInputStream().read()).as("an answer").isEqualTo(-1);
        } catch (java.net.SocketException reset) {
            assertThat(reset).hasMessageMatching("(?i).*(reset|broken pipe|abort).*");
        }
    }

    @Test
    void senderThatTheReceiverRefusesLosesItsConnection() throws IOException {
        NettyNoticeTransport transport = transport();
        transport.receiveBy((frame, place) -> Reception.REFUSED);
        try (Socket socket = socketTo(transport)) {
            socket.getOutputStream().write(withLength(FRAME.length, FRAME));
            assertThat(socket.getInputStream().read()).isEqualTo(-1);
        }
    }

    /** What it sends neither gets an answer nor prolongs its time. */
    @Test
    void connectionWithoutAnAuthenticFrameIsNotAnsweredAndClosedSoon() throws IOException {
        NettyNoticeTransport transport = transport(new TransportSettings(
                new InetSocketAddress(LOOPBACK, 0),
                Optional.empty(),
                LEAVE_ALONE,
                Duration.ofSeconds(1),
                Duration.ofMillis(200),
                Duration.ofHours(1),
                Optional.empty()));
        transport.receiveBy((frame, place) -> Reception.UNKNOWN_RECEIVER);
        try (Socket stranger = socketTo(transport)) {
            CompletableFuture<Integer> answer = CompletableFuture.supplyAsync(() -> firstByteTo(stranger));
            await("the end, whatever is sent").until(() -> {
                send(stranger, FRAME);
                send(stranger, EMPTY);
                return answer.isDone();
            });
            assertThat(answer).as("an answer").isCompletedWithValue(-1);
        }
    }

    /** @return -1 at the end of the connection */
    private static int firstByteTo(Socket socket) {
        try {
            return socket.getInputStream().read();
        } catch (IOException reset) {
            return -1;
        }
    }

    private static void send(Socket socket, byte[] frame) {
        try {
            socket.getOutputStream().write(withLength(frame.length, frame));
        } catch (IOException closed) {
            // the other side does not listen any more
        }
    }

    @Test
    void questionBeforeTheFirstAuthenticFrameIsAnsweredAfterIt() throws IOException {
        NettyNoticeTransport transport = transport();
        receivedBy(transport);
        try (Socket socket = socketTo(transport)) {
            send(socket, EMPTY);
            send(socket, FRAME);
            assertThat(socket.getInputStream().readNBytes(4)).containsOnly(0);
        }
    }

    @Test
    void strangersTakeThePlacesOfStrangersOnly() throws IOException {
        NettyNoticeTransport transport = transport();
        List<String> received = receivedBy(transport);
        List<Socket> strangers = new ArrayList<>();
        try (Socket known = socketTo(transport)) {
            send(known, FRAME);
            await().until(() -> received.size() == 1);
            for (int i = 0; i < InboundConnections.MOST_UNKNOWN + 10; i++) {
                strangers.add(socketTo(transport));
            }
            for (Socket eldest : strangers.subList(0, 10)) {
                assertThat(firstByteTo(eldest)).as("the end of the eldest").isEqualTo(-1);
            }
            send(strangers.get(10), FRAME);
            await("the eldest of those that are left").until(() -> received.size() == 2);
            send(known, FRAME);
            await("the one that is known").until(() -> received.size() == 3);
            assertThat(transport.inboundConnections()).isEqualTo(InboundConnections.MOST_UNKNOWN + 1);
        } finally {
            for (Socket stranger : strangers) {
                stranger.close();
            }
        }
        assertThat(log.text())
                .containsOnlyOnce("WARN")
                .contains("More than 256 connections without an authentic notice are open");
    }

    /** It listens at the address that another process had. */
    @Test
    void addressAtWhichTheWrongProcessListensIsLeftAlone() {
        NettyNoticeTransport sender = transport();
        NettyNoticeTransport wrong = transport();
        List<byte[]> arrived = new CopyOnWriteArrayList<>();
        wrong.receiveBy((frame, place) -> {
            arrived.add(frame);
            return Reception.UNKNOWN_RECEIVER;
        });
        sender.send(wrong.address(), UNSENT);
        await().until(() -> arrived.size() == 1);
        assertThat(sender.mayReach(wrong.address())).isTrue();
        moved.addAndGet(LEAVE_ALONE.toNanos() + 1);
        sender.send(wrong.address(), UNSENT);
        await().until(() -> !sender.mayReach(wrong.address()));
        assertThat(arrived).hasSize(1);
        assertThat(log.text())
                .containsOnlyOnce("WARN")
                .contains("No notices are sent to " + wrong.address() + " for 2 s, because it does not answer.");
    }

    @Test
    void forgedFramesCostTheirConnectionsAndOneLine() throws IOException {
        NettyNoticeTransport transport = transport();
        AuthenticatedChannel channel = channel(transport, new ProtocolCounters(), Optional.empty());
        UUID session = new UUID(1, 2);
        channel.open(session);
        List<Notice> received = new CopyOnWriteArrayList<>();
        channel.receiveBy((from, to, notice) -> received.add(notice));
        for (int i = 0; i < 50; i++) {
            try (Socket forger = socketTo(transport)) {
                send(forger, frameWithAWrongCode(session));
                assertThat(firstByteTo(forger)).as("the end of the connection").isEqualTo(-1);
            }
        }
        assertThat(received).isEmpty();
        assertThat(log.text())
                .containsOnlyOnce("WARN")
                .containsOnlyOnce("A frame was refused")
                .contains("its authentication code is wrong");
    }

    @Test
    void frameThatWasRecordedOnAnotherConnectionCostsItsSenderTheConnection() throws IOException {
        NettyNoticeTransport sender = transport();
        NettyNoticeTransport receiver = transport();
        ProtocolCounters counters = new ProtocolCounters();
        AuthenticatedChannel toReceiver = channel(receiver, counters, Optional.empty());
        UUID session = new UUID(1, 2);
        Contact contact = toReceiver.open(session).orElseThrow();
        List<Notice> received = new CopyOnWriteArrayList<>();
        toReceiver.receiveBy((from, to, notice) -> received.add(notice));
        byte[] recorded = recordedFrameTo(session, contact.secret(), sender);
        for (int i = 0; i < 50; i++) {
            try (Socket attacker = socketTo(receiver)) {
                send(attacker, recorded);
                assertThat(firstByteTo(attacker))
                        .as("the end of the connection")
                        .isEqualTo(-1);
            }
        }
        assertThat(received).isEmpty();
        assertThat(counters.sum(Counted.NOTICE_REFUSED)).isEqualTo(50);
        assertThat(log.text()).containsOnlyOnce("A frame was refused").contains("its authentication code is wrong");
    }

    /** What the sender sends to a program that takes the address of the session's process. */
    private byte[] recordedFrameTo(UUID session, byte[] secret, NettyNoticeTransport sender) throws IOException {
        try (ServerSocket recorder = new ServerSocket(0, 1, LOOPBACK)) {
            Contact wrong = new Contact(HostAndPort.text(LOOPBACK.getHostAddress(), recorder.getLocalPort()), secret);
            channel(sender, new ProtocolCounters(), Optional.of(wrong))
                    .send(new UUID(3, 4), session, new Notice.Ask("lock", 0, 1, 1));
            try (Socket accepted = recorder.accept()) {
                accepted.setSoTimeout(10_000);
                challenge(accepted);
                int length =
                        ByteBuffer.wrap(accepted.getInputStream().readNBytes(4)).getInt();
                return accepted.getInputStream().readNBytes(length);
            }
        }
    }

    private AuthenticatedChannel channel(
            NettyNoticeTransport transport, ProtocolCounters counters, Optional<Contact> others) {
        return new AuthenticatedChannel(
                transport,
                session -> CompletableFuture.completedFuture(others),
                LEAVE_ALONE,
                ticker,
                NEVER,
                new SplittableRandom(1),
                counters);
    }

    @Test
    void framesWithoutEffectEndTheConnectionWhetherItIsAuthenticOrNot() throws IOException {
        NettyNoticeTransport transport = transport();
        transport.receiveBy(
                (frame, place) -> frame.length == FRAME.length ? Reception.AUTHENTIC : Reception.UNKNOWN_RECEIVER);
        byte[] toAnother = new byte[100];
        for (byte[] first : List.of(FRAME, toAnother)) {
            for (byte[] next : List.of(toAnother, EMPTY)) {
                try (Socket socket = socketTo(transport)) {
                    send(socket, first);
                    for (int i = 0; i < InboundConnection.MOST_WITHOUT_EFFECT + 1; i++) {
                        send(socket, next);
                    }
                    assertThat(endOf(socket)).as("its end").isTrue();
                }
            }
        }
        assertThat(log.text()).contains("was closed, because 64 frames in a row were for no session of this process");
    }

    private static boolean endOf(Socket socket) {
        try {
            socket.getInputStream().readAllBytes();
            return true;
        } catch (SocketTimeoutException stillOpen) {
            return false;
        } catch (IOException reset) {
            return true;
        }
    }

    @Test
    void emptyFramesDoNotKeepAConnectionOpen() throws IOException {
        NettyNoticeTransport transport = transport(new TransportSettings(
                new InetSocketAddress(LOOPBACK, 0),
                Optional.empty(),
                LEAVE_ALONE,
                Duration.ofSeconds(1),
                Duration.ofHours(1),
                Duration.ofMillis(500),
                Optional.empty()));
        receivedBy(transport);
        try (Socket socket = socketTo(transport)) {
            send(socket, FRAME);
            CompletableFuture<Boolean> end = CompletableFuture.supplyAsync(() -> endOf(socket));
            AtomicInteger asked = new AtomicInteger();
            await().pollInterval(Duration.ofMillis(50)).until(() -> {
                send(socket, EMPTY);
                asked.incrementAndGet();
                return end.isDone();
            });
            assertThat(end).isCompletedWithValue(true);
            assertThat(asked).hasValueLessThan(InboundConnection.MOST_WITHOUT_EFFECT);
        }
    }

    /** It waits for a frame, as versions without a challenge do. */
    @Test
    void addressThatSendsNoChallengeIsLeftAloneAndLoggedOnce() throws IOException {
        ProtocolCounters counters = new ProtocolCounters();
        Duration soon = Duration.ofMillis(200);
        NettyNoticeTransport sender = new NettyNoticeTransport(
                "cassandra-lock-",
                TransportSettings.of(new InetSocketAddress(LOOPBACK, 0), Optional.empty(), soon, Optional.empty()),
                ticker,
                NOW,
                counters);
        open.add(sender);
        try (ServerSocket before = new ServerSocket(0, 10, LOOPBACK)) {
            String address = HostAndPort.text(LOOPBACK.getHostAddress(), before.getLocalPort());
            for (int round = 1; round <= 3; round++) {
                sender.send(address, UNSENT);
                await().until(() -> !sender.mayReach(address));
                assertThat(counters.sum(Counted.NOTICE_DROPPED)).isEqualTo(round);
                moved.addAndGet(soon.toNanos());
            }
        }
        assertThat(log.text()).containsOnlyOnce("WARN").contains("because it sent no challenge of this version");
    }

    @Test
    void challengeOfAnotherVersionIsNoneAndAFrameOfOneIsLoggedOnce() throws IOException {
        NettyNoticeTransport sender = transport();
        channel(sender, new ProtocolCounters(), Optional.empty()).receiveBy((from, to, notice) -> {});
        try (ServerSocket later = new ServerSocket(0, 10, LOOPBACK)) {
            String address = HostAndPort.text(LOOPBACK.getHostAddress(), later.getLocalPort());
            sender.send(address, UNSENT);
            try (Socket accepted = later.accept()) {
                byte[] challenge = Challenge.frame(Challenge.create());
                challenge[0] = 4;
                accepted.getOutputStream().write(withLength(challenge.length, challenge));
                await().until(() -> !sender.mayReach(address));
            }
        }
        byte[] before = frameWithAWrongCode(new UUID(1, 2));
        before[0] = 2;
        for (int i = 0; i < 10; i++) {
            try (Socket old = socketTo(sender)) {
                send(old, before);
                assertThat(firstByteTo(old)).as("the end of the connection").isEqualTo(-1);
            }
        }
        assertThat(log.text())
                .containsOnlyOnce("because it sent no challenge of this version")
                .containsOnlyOnce("its version is 2, and this process reads version 3")
                .contains("these two exchange no notices");
    }

    private static byte[] frameWithAWrongCode(UUID to) {
        return ByteBuffer.allocate(100)
                .put((byte) 3)
                .putLong(7)
                .putLong(7)
                .putLong(to.getMostSignificantBits())
                .putLong(to.getLeastSignificantBits())
                .array();
    }

    @Test
    void addressThatAcceptsNoConnectionIsLeftAloneForAWhile() throws IOException {
        NettyNoticeTransport transport = transport();
        String gone;
        try (ServerSocket socket = new ServerSocket(0, 1, LOOPBACK)) {
            gone = HostAndPort.text(LOOPBACK.getHostAddress(), socket.getLocalPort());
        }
        assertThat(transport.mayReach(gone)).as("before it was tried").isTrue();
        transport.send(gone, UNSENT);
        await().until(() -> !transport.mayReach(gone));
        assertThat(log.text())
                .containsOnlyOnce("No notices are sent to " + gone)
                .contains("because the connection failed: Connection refused");
        moved.addAndGet(LEAVE_ALONE.toNanos());
        assertThat(transport.mayReach(gone)).as("after a while").isTrue();
    }

    @Test
    void addressesThatAreNoneAreLeftAloneAndLoggedOnce() {
        NettyNoticeTransport transport = transport();
        for (String wrong : List.of("", "host", "host:", ":1", "host:0", "host:65536", "host:x", "[::1]", "::1:7000")) {
            transport.send(wrong, UNSENT);
            await(wrong).until(() -> !transport.mayReach(wrong));
        }
        assertThat(log.text()).containsOnlyOnce("WARN").contains("because that is no address");
    }

    @Test
    void hostNameIsLookedUpOnAThreadOfItsOwnAndAnIpAddressIsNot() {
        NettyNoticeTransport sender = transport();
        NettyNoticeTransport other = transport();
        List<String> received = receivedBy(other);
        sender.send(other.address(), UNSENT);
        await().until(() -> received.size() == 1);
        assertThat(threads("cassandra-lock-names")).isZero();
        sender.send("localhost:" + port(other), UNSENT);
        await().until(() -> received.size() == 2);
        assertThat(threads("cassandra-lock-names")).isEqualTo(1);
        sender.close();
        await().until(() -> threads("cassandra-lock-names") == 0);
    }

    @Test
    void hostNameThatIsLookedUpForLongDelaysNothingElseAndIsLeftAlone() {
        CountDownLatch answer = new CountDownLatch(1);
        NettyNoticeTransport sender = new NettyNoticeTransport(
                "cassandra-lock-",
                settings(Optional.empty()),
                ticker,
                NEVER,
                new ProtocolCounters(),
                host -> lookUpAfter(answer));
        open.add(sender);
        NettyNoticeTransport other = transport();
        List<String> received = receivedBy(other);
        sender.send("slow.example:7199", UNSENT);
        sender.send(other.address(), UNSENT);
        await().until(() -> received.size() == 1);
        await().until(() -> !sender.mayReach("slow.example:7199"));
        assertThat(answer.getCount()).as("answers to the look-up").isEqualTo(1);
        assertThat(log.text())
                .contains("because its host name cannot be looked up: slow.example: the look-up takes too long");
        answer.countDown();
        moved.addAndGet(LEAVE_ALONE.toNanos());
        sender.send("slow.example:" + port(other), UNSENT);
        await("a look-up that ends").until(() -> received.size() == 2);
    }

    private static InetAddress lookUpAfter(CountDownLatch answer) {
        try {
            answer.await();
        } catch (InterruptedException closed) {
            Thread.currentThread().interrupt();
        }
        return LOOPBACK;
    }

    @Test
    void hostNameThatIsUnknownIsLeftAloneAndLogged() {
        ProtocolCounters counters = new ProtocolCounters();
        NettyNoticeTransport sender = new NettyNoticeTransport(
                "cassandra-lock-", settings(Optional.empty()), ticker, NEVER, counters, host -> {
                    throw new UnknownHostException(host);
                });
        open.add(sender);
        sender.send("unknown.example:7199", UNSENT);
        await().until(() -> !sender.mayReach("unknown.example:7199"));
        assertThat(log.text()).contains("because its host name cannot be looked up: unknown.example.");
        assertThat(counters.sum(Counted.NOTICE_DROPPED))
                .as("the frame that waited for the connection")
                .isOne();
        sender.send("unknown.example:7199", UNSENT);
        await().until(() -> counters.sum(Counted.NOTICE_DROPPED) == 2);
    }

    @Test
    void framesThatWaitForTheThreadAreBoundedInNumberAndBytes() {
        HandedOver many = new HandedOver();
        assertThat(IntStream.range(0, 100_000).filter(i -> many.add(UNSENT))).hasSize(HandedOver.MOST_FRAMES);
        many.remove(UNSENT);
        assertThat(many.add(UNSENT)).as("room for one more").isTrue();
        UnsentFrame frame = unsent(new byte[Frames.LONGEST]);
        HandedOver longest = new HandedOver();
        assertThat(IntStream.range(0, 100_000).filter(i -> longest.add(frame)))
                .hasSize((int) (HandedOver.MOST_BYTES / Frames.LONGEST));
    }

    /** It accepts, and never reads or answers. */
    @Test
    void addressThatReadsNothingCostsBoundedMemoryAndNoTimeAndIsLeftAlone() throws IOException {
        NettyNoticeTransport transport = transport();
        try (ServerSocket deaf = new ServerSocket(0, 1, LOOPBACK)) {
            String address = HostAndPort.text(LOOPBACK.getHostAddress(), deaf.getLocalPort());
            UnsentFrame frame = unsent(new byte[Frames.LONGEST]);
            transport.send(address, frame);
            Socket accepted = deaf.accept();
            challenge(accepted);
            for (int i = 0; i < 20_000; i++) {
                transport.send(address, frame);
            }
            await().untilAsserted(() -> assertThat(transport.mayReach(address)).isTrue());
            moved.addAndGet(LEAVE_ALONE.toNanos() + 1);
            await("an address that has not answered for long").until(() -> {
                transport.send(address, UNSENT);
                return !transport.mayReach(address);
            });
        }
    }

    /** The first frame asks, and the second finds no answer: an answer takes longer than a leap of this clock. */
    @Test
    void addressThatIsLeftAloneWhileFramesWaitForItsConnectionDropsThem() {
        NettyNoticeTransport sender = new NettyNoticeTransport(
                "cassandra-lock-",
                settings(Optional.empty()),
                () -> moved.addAndGet(LEAVE_ALONE.toNanos() + 1),
                NEVER,
                new ProtocolCounters());
        open.add(sender);
        NettyNoticeTransport other = transport();
        List<String> received = receivedBy(other);
        for (int i = 0; i < 10; i++) {
            sender.send(other.address(), UNSENT);
        }
        await().until(() -> log.text().contains("No notices are sent to " + other.address()));
        NettyNoticeTransport third = transport();
        List<String> later = receivedBy(third);
        sender.send(third.address(), UNSENT);
        await().until(() -> later.size() == 1);
        assertThat(received).hasSizeLessThan(10);
        assertThat(log.text()).doesNotContain("Exception");
    }

    @Test
    void addressThatAnswersIsReachedHoweverLateItsNextFrame() {
        NettyNoticeTransport one = transport();
        NettyNoticeTransport other = transport();
        List<String> received = receivedBy(other);
        for (int round = 1; round <= 5; round++) {
            int expected = round;
            one.send(other.address(), UNSENT);
            await().until(() -> received.size() == expected);
            moved.addAndGet(LEAVE_ALONE.toNanos() * 2);
        }
        assertThat(one.mayReach(other.address())).isTrue();
        assertThat(other.inboundConnections()).isEqualTo(1);
    }

    @Test
    void processThatComesBackAtItsAddressIsReachedAgain() {
        NettyNoticeTransport one = transport();
        NettyNoticeTransport before = transport();
        List<String> atBefore = receivedBy(before);
        one.send(before.address(), UNSENT);
        await().until(() -> atBefore.size() == 1);
        before.closeAsync().toCompletableFuture().join();
        NettyNoticeTransport after = transport(TransportSettings.of(
                new InetSocketAddress(LOOPBACK, port(before)), Optional.empty(), LEAVE_ALONE, Optional.empty()));
        List<String> atAfter = receivedBy(after);
        await().until(() -> {
            moved.addAndGet(LEAVE_ALONE.toNanos());
            one.send(after.address(), UNSENT);
            return !atAfter.isEmpty();
        });
    }

    /** It was idle, or its process has ended: the next frame tells. */
    @Test
    void addressThatClosesAConnectionOnWhichItHadAnsweredIsAskedAgainAtOnce() throws IOException {
        NettyNoticeTransport sender = transport(new TransportSettings(
                new InetSocketAddress(LOOPBACK, 0),
                Optional.empty(),
                Duration.ofHours(1),
                Duration.ofSeconds(1),
                Duration.ofHours(1),
                Duration.ofHours(1),
                Optional.empty()));
        try (ServerSocket other = new ServerSocket(0, 2, LOOPBACK)) {
            other.setSoTimeout(10_000);
            String address = HostAndPort.text(LOOPBACK.getHostAddress(), other.getLocalPort());
            sender.send(address, UNSENT);
            try (Socket first = other.accept()) {
                challenge(first);
                first.getInputStream().readNBytes(4 + FRAME.length + 4);
                first.getOutputStream().write(withLength(0, EMPTY));
                await("the next question, after the answer").until(() -> {
                    moved.addAndGet(Duration.ofMillis(1_100).toNanos());
                    sender.send(address, UNSENT);
                    return readFrame(first).length == 0;
                });
            }
            await("a new connection").until(() -> {
                sender.send(address, UNSENT);
                return accepts(other, sender);
            });
        }
    }

    private static byte[] readFrame(Socket socket) throws IOException {
        socket.setSoTimeout(10_000);
        DataInputStream in = new DataInputStream(socket.getInputStream());
        return in.readNBytes(in.readInt());
    }

    /** Checks the address while the connection is open. If it ends without an answer, the address is left alone. */
    private static boolean accepts(ServerSocket other, NettyNoticeTransport sender) throws IOException {
        other.setSoTimeout(100);
        try (Socket next = other.accept()) {
            challenge(next);
            assertThat(sender.mayReach(HostAndPort.text(LOOPBACK.getHostAddress(), other.getLocalPort())))
                    .isTrue();
            return next.isConnected();
        } catch (SocketTimeoutException e) {
            return false;
        }
    }

    @Test
    void idleConnectionsAreClosedByBothSides() throws IOException {
        TransportSettings quick = new TransportSettings(
                new InetSocketAddress(LOOPBACK, 0),
                Optional.empty(),
                LEAVE_ALONE,
                Duration.ofSeconds(1),
                Duration.ofHours(1),
                Duration.ofMillis(100),
                Optional.empty());
        NettyNoticeTransport receiver = transport(quick);
        receivedBy(receiver);
        try (Socket silent = socketTo(receiver)) {
            silent.getOutputStream().write(withLength(FRAME.length, FRAME));
            assertThat(silent.getInputStream().read()).as("the end").isEqualTo(-1);
        }
        NettyNoticeTransport sender = transport(quick);
        NettyNoticeTransport patient = transport();
        List<String> received = receivedBy(patient);
        sender.send(patient.address(), UNSENT);
        await().until(() -> received.size() == 1);
        await().until(() -> patient.inboundConnections() == 0);
        sender.send(patient.address(), UNSENT);
        await("a frame over a new connection").until(() -> received.size() == 2);
    }

    @Test
    void endClosesConnectionsAndTheThreadWhateverIsGoingOn() throws Exception {
        NettyNoticeTransport receiver = transport();
        for (int round = 0; round < 20; round++) {
            NettyNoticeTransport sender = transport();
            sender.send(receiver.address(), UNSENT);
            if (round % 2 == 0) {
                TimeUnit.MILLISECONDS.sleep(round); // the end comes at another moment each time
            }
            assertThat(sender.closeAsync().toCompletableFuture()).succeedsWithin(Duration.ofSeconds(10));
            sender.send(receiver.address(), UNSENT);
            assertThat(sender.closeAsync().toCompletableFuture())
                    .as("a second end")
                    .isCompleted();
        }
        await().until(() -> receiver.inboundConnections() == 0);
        await().until(() -> threads() == 1);
    }
}
