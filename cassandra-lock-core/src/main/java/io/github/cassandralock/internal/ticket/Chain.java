package io.github.cassandralock.internal.ticket;

import io.github.cassandralock.LockMode;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * The slots with which one handle holds the lock, from the bottom up, and the mode in which it does (lock modes, section 4). A handle
 * has more than one if it was converted up. Immutable; what it refers to is used in the lock's mailbox alone, but for {@link
 * #isValid()}.
 *
 * @param mode of the handle
 * @param tokens of which the handle shows one
 * @param number of the token among those
 */
record Chain(LockMode mode, List<Link> links, TokenReservation tokens, int number) {

    /**
     * One slot of a handle.
     *
     * @param need the mode that the handle needs there; the slot's mode is the least that covers the needs of all its users
     */
    record Link(LocalSlot slot, SlotHold hold, LockMode need) {

        Link needing(LockMode newNeed) {
            return new Link(slot, hold, newNeed);
        }

        private boolean keepsOutWhat(LockMode mode) {
            return hold.hasKeptOutWhat(mode);
        }
    }

    Chain {
        links = List.copyOf(links);
    }

    Link top() {
        return links.get(links.size() - 1);
    }

    /** May be called from any thread. */
    boolean isValid() {
        for (Link link : links) {
            if (!link.hold().slot().isValid()) {
                return false;
            }
        }
        return true;
    }

    /** The mode that the handle needs of the slot that is held so; if it has the slot no longer, that is none. */
    LockMode need(SlotHold hold) {
        return links.stream()
                .filter(link -> link.hold() == hold)
                .map(Link::need)
                .findFirst()
                .orElse(LockMode.NULL);
    }

    /** The handle after a conversion up. Its next token comes of another reservation (rule 3). */
    Chain up(Link granted, TokenReservation reservation, int grant) {
        return new Chain(
                granted.need(),
                Stream.concat(links.stream(), Stream.of(granted)).toList(),
                reservation,
                grant);
    }

    /**
     * How many of the slots the handle needs for a weaker mode: all up to the lowest that has always kept out what the mode keeps out
     * (rule 7). What conflicts with the mode waits behind one of these.
     */
    int needed(LockMode weaker) {
        return 1
                + IntStream.range(0, links.size())
                        .filter(link -> links.get(link).keepsOutWhat(weaker))
                        .findFirst()
                        .orElse(links.size() - 1);
    }

    /**
     * The handle after a conversion down, with so many of its slots. If slots have gone, its next token comes of another reservation
     * (rule 3).
     */
    Chain down(LockMode weaker, int slots, TokenReservation reservation) {
        List<Link> left = IntStream.range(0, slots)
                .mapToObj(link -> weakened(links.get(link), weaker, link == slots - 1))
                .toList();
        return slots == links.size()
                ? new Chain(weaker, left, tokens, number)
                : new Chain(weaker, left, reservation, 1);
    }

    private static Link weakened(Link link, LockMode weaker, boolean isTop) {
        return isTop || !weaker.covers(link.need()) ? link.needing(weaker) : link;
    }
}
