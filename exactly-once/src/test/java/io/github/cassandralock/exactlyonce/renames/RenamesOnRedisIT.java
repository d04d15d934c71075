package io.github.cassandralock.exactlyonce.renames;

import io.github.cassandralock.exactlyonce.register.RegisterStore;
import io.github.cassandralock.exactlyonce.store.redis.RedisRegisterStore;
import io.github.cassandralock.exactlyonce.store.redis.RedisStoreSettings;
import io.github.cassandralock.exactlyonce.store.servers.RedisServer;
import io.lettuce.core.RedisURI;
import java.util.HashMap;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;

/** Registers with another prefix are those of another keyspace. */
class RenamesOnRedisIT extends RenamesOnServers {

    private final Map<String, RedisRegisterStore> prefixes = new HashMap<>();
    private RedisServer redis;

    @BeforeEach
    void startRedis() {
        redis = RedisServer.start("--appendonly", "yes", "--appendfsync", "always");
    }

    @AfterEach
    void stopRedis() {
        prefixes.values().forEach(RedisRegisterStore::close);
        redis.close();
    }

    @Override
    RegisterStore registers(String keyspace) {
        return prefixes.computeIfAbsent(
                keyspace,
                name -> RedisRegisterStore.open(
                        RedisURI.create(
                                redis.address().getHostString(), redis.address().getPort()),
                        RedisStoreSettings.defaults().withPrefix("renames-" + name + ":")));
    }
}
