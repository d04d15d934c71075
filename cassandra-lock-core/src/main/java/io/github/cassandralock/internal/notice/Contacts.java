package io.github.cassandralock.internal.notice;

import io.github.cassandralock.internal.store.Contact;
import io.github.cassandralock.internal.time.Ticker;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Consumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * The contacts of other sessions. Each is read once, when it is first needed. A row that could not be read, or has no contact, is
 * read again after a while. Thread-safe; never blocks.
 */
final class Contacts {

    /** Beyond this number of sessions, the one that was not used for the longest time is removed. */
    private static final int MOST = 4_096;

    /** How many messages to one session wait for its contact; further ones are dropped. */
    private static final int MOST_WAITING = 16;

    private final Function<UUID, CompletionStage<Optional<Contact>>> source;
    private final long retryNanos;
    private final Ticker ticker;

    /** By session, the last used at the end. Guarded by itself, which is held for memory accesses only. */
    private final Map<UUID, Entry> entries = new LinkedHashMap<>(16, 0.75f, true);

    /**
     * How to send notices to a session.
     *
     * @param code authenticates them
     */
    record Route(String address, NoticeCode code) {

        private static Route to(Contact contact) {
            return new Route(contact.address(), new NoticeCode(contact.secret()));
        }
    }

    private static final class Entry {

        private @Nullable Route route;
        private boolean asking;
        private boolean answered;
        private long answeredAt;
        private final List<Consumer<Route>> waiting = new ArrayList<>(0);
    }

    /**
     * @param source reads a session's contact
     * @param retry after this time, the contact of a session without one is read again
     */
    Contacts(Function<UUID, CompletionStage<Optional<Contact>>> source, Duration retry, Ticker ticker) {
        this.source = source;
        this.retryNanos = retry.toNanos();
        this.ticker = ticker;
    }

    /** The route, if it was read. Otherwise this begins to read it. */
    Optional<Route> known(UUID session) {
        Entry entry = look(session, null);
        synchronized (entries) {
            return Optional.ofNullable(entry.route);
        }
    }

    /** Whether the session has a contact, or may have one because it was not read yet. */
    boolean mayHave(UUID session) {
        Entry entry = look(session, null);
        synchronized (entries) {
            return entry.route != null || !entry.answered;
        }
    }

    /**
     * Runs the action with the route to the session, at once or when the route has been read. Never runs it if there is none.
     */
    void with(UUID session, Consumer<Route> action) {
        known(session).ifPresentOrElse(action, () -> look(session, action));
    }

    private Entry look(UUID session, @Nullable Consumer<Route> action) {
        Entry entry;
        Route route;
        boolean ask;
        synchronized (entries) {
            entry = entries.computeIfAbsent(session, id -> new Entry());
            forgetTheOldest();
            route = entry.route;
            ask = route == null && !entry.asking && isDue(entry);
            entry.asking |= ask;
            if (action != null && route == null && entry.asking && entry.waiting.size() < MOST_WAITING) {
                entry.waiting.add(action);
            }
        }
        if (action != null && route != null) {
            action.accept(route);
        }
        if (ask) {
            ask(session, entry);
        }
        return entry;
    }

    private boolean isDue(Entry entry) {
        return !entry.answered || ticker.nanos() - entry.answeredAt >= retryNanos;
    }

    private void forgetTheOldest() {
        if (entries.size() > MOST) {
            entries.remove(entries.keySet().iterator().next());
        }
    }

    private void ask(UUID session, Entry entry) {
        CompletionStage<Optional<Contact>> answer;
        try {
            answer = source.apply(session);
        } catch (RuntimeException e) {
            answer = CompletableFuture.failedFuture(e);
        }
        answer.whenComplete(
                (contact, failure) -> answered(entry, failure == null ? contact.map(Route::to) : Optional.empty()));
    }

    private void answered(Entry entry, Optional<Route> route) {
        List<Consumer<Route>> actions;
        synchronized (entries) {
            entry.asking = false;
            entry.answered = true;
            entry.answeredAt = ticker.nanos();
            entry.route = route.orElse(null);
            actions = List.copyOf(entry.waiting);
            entry.waiting.clear();
        }
        route.ifPresent(known -> actions.forEach(action -> action.accept(known)));
    }
}
