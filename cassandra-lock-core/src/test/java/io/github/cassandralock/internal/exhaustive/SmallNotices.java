package io.github.cassandralock.internal.exhaustive;

import io.github.cassandralock.internal.notice.Fact;
import io.github.cassandralock.internal.notice.Notice;
import io.github.cassandralock.internal.notice.NoticeChannel;
import io.github.cassandralock.internal.store.Contact;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.UUID;
import java.util.function.Predicate;

/**
 * Notices that are under way. Each may arrive at any later step, in any order. A lost notice is one that never arrives, so the search
 * needs no step for a loss.
 */
final class SmallNotices {

    /** @param number of the notice among all requests of its sender */
    private record UnderWay(SmallProcess sender, int number, UUID from, UUID to, Notice notice) {

        /** Copies of a notice have equal keys. */
        StateKey key() {
            return StateKey.of(from).with(StateKey.of(to)).with(content());
        }

        private StateKey content() {
            if (notice instanceof Notice.Waiting waiting) {
                return StateKey.EMPTY
                        .with(1)
                        .with(waiting.slot())
                        .with(waiting.attempt())
                        .with(waiting.senderSlot())
                        .with(waiting.ticket());
            } else if (notice instanceof Notice.Ticket ticket) {
                return StateKey.EMPTY
                        .with(2)
                        .with(ticket.slot())
                        .with(ticket.attempt())
                        .with(ticket.ticket());
            } else if (notice instanceof Notice.Over over) {
                return over.facts().stream().map(UnderWay::keyOf).reduce(StateKey.EMPTY.with(3), StateKey::with);
            } else if (notice instanceof Notice.Mode mode) {
                return StateKey.EMPTY
                        .with(4)
                        .with(mode.slot())
                        .with(mode.attempt())
                        .with(mode.mode().name().hashCode());
            }
            throw new UnsupportedOperationException("nobody tries to get the lock here");
        }

        private static StateKey keyOf(Fact fact) {
            return StateKey.of(fact.slot())
                    .with(fact.attempt())
                    .with(fact.ticket().orElse(0));
        }

        boolean isOf(Step step) {
            return sender.number() == step.process() && number == step.request();
        }
    }

    private final Map<SmallProcess, NoticeChannel.Receiver> receivers = new HashMap<>();
    private final List<UnderWay> underWay = new ArrayList<>();

    NoticeChannel channelOf(SmallProcess process) {
        return new NoticeChannel() {
            @Override
            public Optional<Contact> open(UUID session) {
                return Optional.empty();
            }

            @Override
            public void receiveBy(Receiver receiver) {
                receivers.put(process, receiver);
            }

            @Override
            public boolean mayReach(UUID session) {
                return true;
            }

            @Override
            public void send(UUID from, UUID to, Notice notice) {
                underWay.add(new UnderWay(process, process.nextRequest(), from, to, notice));
            }

            @Override
            public void answer(UUID from, UUID to, Notice notice) {
                send(from, to, notice);
            }
        };
    }

    private Optional<SmallProcess> receiver(UnderWay notice) {
        return receivers.keySet().stream()
                .filter(process -> process.owns(notice.to()))
                .findFirst();
    }

    /** The arrivals that can follow. */
    List<Step> arrivals(Step.Kind kind, Predicate<SmallProcess> runs) {
        return underWay.stream()
                .filter(notice -> receiver(notice).filter(runs).isPresent())
                .map(notice -> new Step(kind, notice.sender().number(), notice.number(), 0))
                .toList();
    }

    /** The notice arrives, and no copy of it. */
    void deliver(Step step) {
        UnderWay notice = notice(step);
        underWay.remove(notice);
        deliver(notice);
    }

    /** The notice arrives, and a copy of it stays under way. */
    void deliverCopy(Step step) {
        deliver(notice(step));
    }

    private UnderWay notice(Step step) {
        return underWay.stream().filter(notice -> notice.isOf(step)).findFirst().orElseThrow();
    }

    private void deliver(UnderWay notice) {
        SmallProcess process = receiver(notice).orElseThrow();
        process.see(-7, notice.key());
        Objects.requireNonNull(receivers.get(process)).received(notice.from(), notice.to(), notice.notice());
    }

    StateKey key() {
        StateKey key = StateKey.EMPTY;
        for (UnderWay notice : underWay) {
            key = key.plus(notice.key());
        }
        return key;
    }

    /** The notice of a step, for people. */
    String text(Step step) {
        return notice(step).notice().toString();
    }
}
