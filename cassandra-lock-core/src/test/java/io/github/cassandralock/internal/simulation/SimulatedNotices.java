package io.github.cassandralock.internal.simulation;

import io.github.cassandralock.internal.notice.Notice;
import io.github.cassandralock.internal.notice.NoticeChannel;
import io.github.cassandralock.internal.store.Contact;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.function.Predicate;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/** How notices travel between processes: each with a delay of its own, some lost, late or doubled, some ways closed. */
final class SimulatedNotices {

    private static final long SHORTEST = 100_000;
    private static final long LONGEST = 1_000_000;

    private final SimulatedTime time;
    private final RandomGenerator random;
    private final NoticeFaults faults;
    private final List<Channel> channels = new ArrayList<>();
    private boolean healed;
    private boolean silent;
    private boolean deadRefuse;

    SimulatedNotices(SimulatedTime time, RandomGenerator random, NoticeFaults faults) {
        this.time = time;
        this.random = random;
        this.faults = faults;
    }

    Duration keep() {
        return faults.keep();
    }

    /** From now on every notice arrives in a millisecond, unless all are lost. */
    void heal() {
        healed = faults.lossRate() < 1;
        if (healed) {
            channels.forEach(channel -> channel.closedTo.clear());
        }
    }

    /** From now on no notice arrives any more, whatever is healed. */
    void fallSilent() {
        silent = true;
    }

    /** From now on a process can detect that it does not reach a dead one, as when a connection is refused. */
    void deadRefuse() {
        deadRefuse = true;
    }

    /** @param owns whether a session is, or was, this process's */
    NoticeChannel channelOf(SimulatedProcess process, Predicate<UUID> owns) {
        if (random.nextDouble() >= faults.processes()) {
            return NoticeChannel.OFF;
        }
        Channel channel = new Channel(process, owns);
        for (Channel other : channels) {
            close(channel, other);
            close(other, channel);
        }
        channels.add(channel);
        return channel;
    }

    private void close(Channel from, Channel to) {
        if (random.nextDouble() < faults.closedRate()) {
            from.closedTo.add(to);
        }
    }

    private Optional<Channel> channelWith(UUID session) {
        return channels.stream().filter(channel -> channel.owns.test(session)).findFirst();
    }

    private void deliver(Channel to, Runnable arrival) {
        boolean late = !healed && random.nextDouble() < faults.lateRate();
        long longest = late ? Math.max(LONGEST, faults.latest().toNanos()) : LONGEST;
        time.at(random.nextLong(SHORTEST, longest + 1), () -> to.process.run(arrival));
    }

    private final class Channel implements NoticeChannel {

        private final SimulatedProcess process;
        private final Predicate<UUID> owns;
        private final Set<Channel> closedTo = new HashSet<>();
        private @Nullable Receiver receiver;

        private Channel(SimulatedProcess process, Predicate<UUID> owns) {
            this.process = process;
            this.owns = owns;
        }

        @Override
        public Optional<Contact> open(UUID session) {
            return Optional.empty();
        }

        @Override
        public void receiveBy(Receiver newReceiver) {
            receiver = newReceiver;
        }

        @Override
        public boolean mayReach(UUID session) {
            return channelWith(session)
                    .filter(other -> !deadRefuse || !other.process.isDead())
                    .isPresent();
        }

        @Override
        public void send(UUID from, UUID to, Notice notice) {
            channelWith(to)
                    .filter(other -> !silent && !closedTo.contains(other))
                    .ifPresent(other -> {
                        if (healed || random.nextDouble() >= faults.lossRate()) {
                            deliver(other, () -> other.receive(from, to, notice));
                        }
                        if (!healed && random.nextDouble() < faults.doubleRate()) {
                            deliver(other, () -> other.receive(from, to, notice));
                        }
                    });
        }

        /** One that the receiver's limit drops is as good as lost. */
        @Override
        public void answer(UUID from, UUID to, Notice notice) {
            send(from, to, notice);
        }

        private void receive(UUID from, UUID to, Notice notice) {
            if (receiver != null) {
                receiver.received(from, to, notice);
            }
        }
    }
}
