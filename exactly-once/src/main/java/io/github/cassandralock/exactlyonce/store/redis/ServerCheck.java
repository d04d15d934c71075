package io.github.cassandralock.exactlyonce.store.redis;

import io.github.cassandralock.exactlyonce.store.StoreUnfitException;
import io.lettuce.core.RedisCommandExecutionException;
import io.lettuce.core.api.sync.RedisServerCommands;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Checks that the server keeps what it acknowledges when a store is opened. Blocks. */
record ServerCheck(RedisServerCommands<byte[], byte[]> server, RedisStoreSettings settings) {

    private static final Logger log = LoggerFactory.getLogger(ServerCheck.class);

    /**
     * A setting that registers need.
     *
     * @param otherwise what happens if it has another value
     */
    private record Needed(String setting, String value, String otherwise) {}

    private static final List<Needed> NEEDED = List.of(
            new Needed("maxmemory-policy", "noeviction", "registers disappear when memory runs out"),
            new Needed("appendonly", "yes", "a crash forgets everything since the last snapshot"),
            new Needed("appendfsync", "always", "a crash forgets writes of the last second or more"),
            new Needed("no-appendfsync-on-rewrite", "no", "a crash while the log is rewritten forgets writes"));

    /** @throws StoreUnfitException if the server is a replica, or may forget and the settings refuse that */
    void requireFit() {
        if (server.info("replication").contains("role:slave")) {
            throw new StoreUnfitException(
                    "This Redis is a replica, which takes no writes. Give the store the address of the master.");
        }
        List<String> reasons = reasons();
        if (reasons.isEmpty()) {
            return;
        }
        String message =
                "This Redis forgets registers that it has acknowledged, so that inputs are lost or take effect twice: "
                        + String.join("; ", reasons) + ". ";
        if (settings.forgetfulServer() == RedisStoreSettings.ForgetfulServer.REFUSE) {
            throw new StoreUnfitException(
                    message + "Set this in redis.conf, or keep registers in Cassandra or PostgreSQL. To"
                            + " use the server as it is, open the store with ForgetfulServer.WARN.");
        }
        log.warn("{}The application has chosen to use it as it is", message);
    }

    private List<String> reasons() {
        Map<String, String> present;
        try {
            present = server.configGet(NEEDED.stream().map(Needed::setting).toArray(String[]::new));
        } catch (RedisCommandExecutionException e) {
            return List.of("whether it does cannot be seen, as it refuses CONFIG GET (" + e.getMessage() + ")");
        }
        List<String> reasons = new ArrayList<>();
        for (Needed needed : NEEDED) {
            String value = present.get(needed.setting());
            if (!needed.value().equals(value)) {
                reasons.add(needed.setting() + " is '" + value + "' and must be '" + needed.value() + "', else "
                        + needed.otherwise());
            }
        }
        return reasons;
    }
}
