package io.github.cassandralock.benchmarks.contender;

import com.fasterxml.jackson.annotation.JsonValue;
import io.github.cassandralock.benchmarks.server.Peer;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** What is measured: this project's algorithms, and the locks of others. */
public enum Algorithm {
    /** One write and one read of a quorum without a lock, as a contended lock with notices requests them. Excludes nobody. */
    BARE_REQUESTS(null),

    /** The thesis's old algorithm. */
    SHADOW(null),

    /** The thesis's new algorithm. */
    QUEUE(null),

    /** The ticket lock, the default. */
    TICKET(null),

    /** The ticket lock among processes that exchange notices. */
    TICKET_NOTICES(null),

    /** The ticket lock in a majority of three independent clusters. */
    MAJORITY(null),

    /** ShedLock's provider for Cassandra. */
    SHEDLOCK(null),

    /** A plain lock of lightweight transactions on Cassandra. */
    LWT(null),

    /** Spring Integration's {@code JdbcLockRegistry} on PostgreSQL. */
    JDBC(Peer.POSTGRES),

    /** Redisson's fair lock on one Redis. */
    REDISSON(Peer.REDIS),

    /** Curator's {@code InterProcessMutex} on three ZooKeeper nodes. */
    CURATOR(Peer.ZOOKEEPER),

    /** jetcd's lock on three etcd nodes. */
    ETCD(Peer.ETCD);

    private final @Nullable Peer peer;

    Algorithm(@Nullable Peer peer) {
        this.peer = peer;
    }

    /** The server that it needs besides Cassandra's nodes, which are always there. */
    public Optional<Peer> peer() {
        return Optional.ofNullable(peer);
    }

    /** In how many independent clusters of Cassandra it keeps its locks. */
    public int clusters() {
        return this == MAJORITY ? 3 : 1;
    }

    /** Whether contenders wait in a queue. If they try again after a pause, crowds of them take hours. */
    public boolean hasQueue() {
        return switch (this) {
            case BARE_REQUESTS, QUEUE, TICKET, TICKET_NOTICES, MAJORITY, REDISSON, CURATOR, ETCD -> true;
            case SHADOW, SHEDLOCK, LWT, JDBC -> false;
        };
    }

    /** Those of other projects. */
    public static List<Algorithm> peers() {
        return Stream.of(values())
                .filter(algorithm -> algorithm.compareTo(MAJORITY) > 0)
                .toList();
    }

    /** The name in commands and reports. */
    @JsonValue
    public String title() {
        return name().toLowerCase(Locale.ROOT).replace('_', '-');
    }

    /** The settings with which the starter takes these locks, but for those that name clusters. */
    public List<String> settings() {
        return this == TICKET_NOTICES
                ? List.of("--cassandra-lock.algorithm=ticket", "--cassandra-lock.notices.enabled=true")
                : List.of("--cassandra-lock.algorithm=" + title());
    }

    /**
     * Connects a contender.
     *
     * @param address of the algorithm's server, as that server gives it; of Cassandra, as {@link CassandraAddress#text(List)} does
     * @param present those of this process so far; one of this project's locks shares their session to Cassandra, and is to be
     *     closed before them
     * @param counted whether it counts its requests
     */
    public Contender open(String address, List<Contender> present, boolean counted) throws Exception {
        return switch (this) {
            case BARE_REQUESTS -> new BareContender(CassandraAddress.parse(address), counted);
            case SHADOW, QUEUE, TICKET, TICKET_NOTICES, MAJORITY ->
                present.isEmpty()
                        ? StarterContender.connect(settings(), CassandraAddress.parseAll(address), counted)
                        : ((StarterContender) present.get(0)).another();
            case SHEDLOCK -> new ShedLockContender(CassandraAddress.parse(address), counted);
            case LWT -> new LwtContender(CassandraAddress.parse(address), counted);
            case JDBC -> new JdbcContender(address, counted);
            case REDISSON -> new RedissonContender(address, counted);
            case CURATOR -> new CuratorContender(address, counted);
            case ETCD -> new EtcdContender(address, counted);
        };
    }

    @Override
    public String toString() {
        return title();
    }
}
