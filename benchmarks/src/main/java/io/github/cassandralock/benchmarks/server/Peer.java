package io.github.cassandralock.benchmarks.server;

/** What a peer's locks live in. */
public enum Peer {
    /** One server that keeps everything in memory. */
    REDIS("redis-server"),
    /** An ensemble of three. */
    ZOOKEEPER("zookeeper"),
    /** A cluster of three. */
    ETCD("etcd-server"),
    /** One server. */
    POSTGRES("postgresql");

    private final String debianPackage;

    Peer(String debianPackage) {
        this.debianPackage = debianPackage;
    }

    /** The package to install if the peer is not. */
    public String debianPackage() {
        return debianPackage;
    }

    public boolean isInstalled() {
        return software().isInstalled();
    }

    PeerPlan plan() {
        return software().plan();
    }

    private PeerSoftware software() {
        return switch (this) {
            case REDIS -> new Redis();
            case ZOOKEEPER -> new ZooKeeper();
            case ETCD -> new Etcd();
            case POSTGRES -> new Postgres();
        };
    }
}
