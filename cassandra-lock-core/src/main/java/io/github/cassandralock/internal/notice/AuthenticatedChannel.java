package io.github.cassandralock.internal.notice;

import io.github.cassandralock.internal.counter.Counted;
import io.github.cassandralock.internal.counter.ProtocolCounters;
import io.github.cassandralock.internal.store.Contact;
import io.github.cassandralock.internal.text.RepeatedWarning;
import io.github.cassandralock.internal.time.Ticker;
import io.github.cassandralock.internal.time.Timers;
import java.time.Duration;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.CompletionStage;
import java.util.function.Function;
import java.util.random.RandomGenerator;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Notices over a transport. Each is authenticated under its receiver's secret. Only processes that may read the sessions' table
 * have it (notices, section 6).
 */
public final class AuthenticatedChannel implements NoticeChannel {

    private static final Logger log = LoggerFactory.getLogger(AuthenticatedChannel.class);
    private static final int SECRET_BYTES = 16;
    private static final Duration WARNINGS = Duration.ofMinutes(1);

    /** Instances of two versions may run for hours while they are replaced. */
    private static final Duration WARNINGS_OF_VERSIONS = Duration.ofDays(1);

    private final NoticeTransport transport;
    private final Contacts contacts;
    private final RandomGenerator secrets;
    private final ProtocolCounters counters;
    private final AnswerLimit answers;
    private final OwnCodes own;
    private final RepeatedWarning refused;
    private final RepeatedWarning otherVersion;
    private final RepeatedWarning unanswered;
    private final RepeatedWarning failed;
    private volatile Receiver receiver = (from, to, notice) -> {};

    /**
     * @param transport closed by the caller, after the senders
     * @param contacts reads the contact of another process's session, at quorum
     * @param lease of this process's sessions; after a third of it, a contact that was missing is read again
     * @param secrets supplies bits that nobody can guess
     * @param counters count notices that are sent, received, refused and not answered
     */
    public AuthenticatedChannel(
            NoticeTransport transport,
            Function<UUID, CompletionStage<Optional<Contact>>> contacts,
            Duration lease,
            Ticker ticker,
            Timers timers,
            RandomGenerator secrets,
            ProtocolCounters counters) {
        this.transport = transport;
        this.contacts = new Contacts(contacts, lease.dividedBy(3), ticker);
        this.secrets = secrets;
        this.counters = counters;
        this.answers = new AnswerLimit(ticker);
        this.own = new OwnCodes(lease, ticker);
        this.refused = new RepeatedWarning(log, timers, WARNINGS);
        this.otherVersion = new RepeatedWarning(log, timers, WARNINGS_OF_VERSIONS);
        this.unanswered = new RepeatedWarning(log, timers, WARNINGS);
        this.failed = new RepeatedWarning(log, timers, WARNINGS);
    }

    @Override
    public Optional<Contact> open(UUID session) {
        byte[] secret = new byte[SECRET_BYTES];
        secrets.nextBytes(secret);
        own.open(session, new NoticeCode(secret));
        return Optional.of(new Contact(transport.address(), secret));
    }

    @Override
    public void receiveBy(Receiver next) {
        receiver = next;
        transport.receiveBy(this::received);
    }

    @Override
    public boolean mayReach(UUID session) {
        return contacts.mayHave(session)
                && contacts.known(session)
                        .map(route -> transport.mayReach(route.address()))
                        .orElse(true);
    }

    @Override
    public void send(UUID from, UUID to, Notice notice) {
        contacts.with(to, route -> {
            UnsentFrame frame = NoticeFrames.write(from, to, notice, route.code());
            if (frame != null) {
                counters.add(Counted.NOTICE_SENT);
                transport.send(route.address(), frame);
            }
        });
    }

    @Override
    public void answer(UUID from, UUID to, Notice notice) {
        if (answers.countAnswer(to)) {
            send(from, to, notice);
        } else {
            counters.add(Counted.NOTICE_DROPPED);
            unanswered.warn("Session " + to + " requests more than " + AnswerLimit.MOST
                    + " answers in a second, and gets no more of them in this second. Nothing is lost but speed: its process"
                    + " reads from Cassandra instead. If this goes on, find out who can read the table lock_sessions");
        }
    }

    private NoticeTransport.Reception received(byte[] frame, FramePlace place) {
        try {
            NoticeFrames.Unverified unverified = NoticeFrames.read(frame);
            Optional<NoticeCode> code = own.of(unverified.to());
            if (code.isEmpty()) {
                return NoticeTransport.Reception.UNKNOWN_RECEIVER;
            }
            Notice notice = unverified.verified(code.get(), place);
            counters.add(Counted.NOTICE_RECEIVED);
            deliver(unverified.from(), unverified.to(), notice);
            return NoticeTransport.Reception.AUTHENTIC;
        } catch (RefusedFrameException e) {
            counters.add(Counted.NOTICE_REFUSED);
            warn(e);
            return NoticeTransport.Reception.REFUSED;
        }
    }

    private void warn(RefusedFrameException e) {
        if (e instanceof RefusedFrameException.OtherVersion) {
            otherVersion.warn("A frame was refused, and its connection closed: " + e.getMessage()
                    + ". While instances of two versions share locks, these two exchange no notices. Nothing is lost but"
                    + " speed: they read from Cassandra instead");
        } else {
            refused.warn("A frame was refused, and its connection closed: " + e.getMessage()
                    + ". The locks are not affected. This process takes notices at " + transport.address()
                    + " from others that lock with the same tables. If this goes on, find out which program connects"
                    + " there");
        }
    }

    private void deliver(UUID from, UUID to, Notice notice) {
        try {
            receiver.received(from, to, notice);
        } catch (RuntimeException e) {
            failed.warn("A notice about lock '" + notice.lockId() + "' is ignored, and reads replace it: " + e);
        }
    }
}
