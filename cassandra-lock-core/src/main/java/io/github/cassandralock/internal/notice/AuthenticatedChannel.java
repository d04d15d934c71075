package io.github.cassandralock.internal.notice;

import io.github.cassandralock.internal.counter.Counted;
import io.github.cassandralock.internal.counter.ProtocolCounters;
import io.github.cassandralock.internal.store.Contact;
import io.github.cassandralock.internal.text.RepeatedWarning;
import io.github.cassandralock.internal.time.Ticker;
import io.github.cassandralock.internal.time.Timers;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Function;
import java.util.random.RandomGenerator;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Notices over a transport. Each is authenticated under its receiver's secret, which only those know that may read the
 * sessions' table (notices, section 6).
 */
public final class AuthenticatedChannel implements NoticeChannel {

    private static final Logger log = LoggerFactory.getLogger(AuthenticatedChannel.class);
    private static final int SECRET_BYTES = 16;
    private static final Duration WARNINGS = Duration.ofMinutes(1);

    /**
     * The present session, and the one before. Nobody acts for that one any more, and what is sent to it has no effect; but it
     * shows that the sender belongs to the fleet, so that its connection stays and it does not leave this address alone.
     */
    private static final int OWN_SESSIONS = 2;

    private final NoticeTransport transport;
    private final Contacts contacts;
    private final RandomGenerator secrets;
    private final ProtocolCounters counters;
    private final RepeatedWarning refused;
    private final RepeatedWarning failed;

    /** The latest first. */
    private final List<OwnContact> own = new CopyOnWriteArrayList<>();

    private volatile Receiver receiver = (from, to, notice) -> {};

    private record OwnContact(UUID session, Contact contact) {}

    /**
     * @param transport the caller closes it, after those that send
     * @param contacts reads the contact of another process's session, at quorum
     * @param retry after this time, the contact of a session that had none is read again
     * @param secrets supplies bits that nobody can guess
     * @param counters count what is sent, received and refused
     */
    public AuthenticatedChannel(
            NoticeTransport transport,
            Function<UUID, CompletionStage<Optional<Contact>>> contacts,
            Duration retry,
            Ticker ticker,
            Timers timers,
            RandomGenerator secrets,
            ProtocolCounters counters) {
        this.transport = transport;
        this.contacts = new Contacts(contacts, retry, ticker);
        this.secrets = secrets;
        this.counters = counters;
        this.refused = new RepeatedWarning(log, timers, WARNINGS);
        this.failed = new RepeatedWarning(log, timers, WARNINGS);
    }

    @Override
    public Optional<Contact> open(UUID session) {
        byte[] secret = new byte[SECRET_BYTES];
        secrets.nextBytes(secret);
        Contact contact = new Contact(transport.address(), secret);
        own.add(0, new OwnContact(session, contact));
        while (own.size() > OWN_SESSIONS) {
            own.remove(own.size() - 1);
        }
        return Optional.of(contact);
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
                        .map(contact -> transport.mayReach(contact.address()))
                        .orElse(true);
    }

    @Override
    public void send(UUID from, UUID to, Notice notice) {
        contacts.with(to, contact -> {
            byte[] frame = NoticeFrames.write(from, to, notice, contact.secret());
            if (frame != null) {
                counters.add(Counted.NOTICE_SENT);
                transport.send(contact.address(), frame);
            }
        });
    }

    private NoticeTransport.Reception received(byte[] frame) {
        try {
            NoticeFrames.Unverified unverified = NoticeFrames.read(frame);
            Optional<byte[]> secret = secretOf(unverified.to());
            if (secret.isEmpty()) {
                return NoticeTransport.Reception.UNKNOWN_RECEIVER;
            }
            Notice notice = unverified.verified(secret.get());
            counters.add(Counted.NOTICE_RECEIVED);
            deliver(unverified.from(), unverified.to(), notice);
            return NoticeTransport.Reception.AUTHENTIC;
        } catch (RefusedFrameException e) {
            counters.add(Counted.NOTICE_REFUSED);
            refused.warn("A frame was refused, and its connection closed: " + e.getMessage()
                    + ". The locks are not affected. If this goes on, find out which program connects to "
                    + transport.address()
                    + ", where this process takes notices from others that lock with the same tables");
            return NoticeTransport.Reception.REFUSED;
        }
    }

    private Optional<byte[]> secretOf(UUID session) {
        for (OwnContact mine : own) {
            if (mine.session().equals(session)) {
                return Optional.of(mine.contact().secret());
            }
        }
        return Optional.empty();
    }

    private void deliver(UUID from, UUID to, Notice notice) {
        try {
            receiver.received(from, to, notice);
        } catch (RuntimeException e) {
            failed.warn("A notice about lock '" + notice.lockId() + "' is ignored, and reads replace it: " + e);
        }
    }
}
