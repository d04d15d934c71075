package io.github.cassandralock.exactlyonce.store.redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.cassandralock.exactlyonce.register.CompareAndSetAnswer.Applied;
import io.github.cassandralock.exactlyonce.register.RegisterRefusedException;
import io.github.cassandralock.exactlyonce.register.RegisterStore;
import io.github.cassandralock.exactlyonce.register.RegisterUnavailableException;
import io.github.cassandralock.exactlyonce.register.StoredValue;
import io.github.cassandralock.exactlyonce.register.UnknownOutcomeException;
import io.github.cassandralock.exactlyonce.register.WriteId;
import io.github.cassandralock.exactlyonce.store.AnswerLosingProxy;
import io.github.cassandralock.exactlyonce.store.LostAnswers;
import io.github.cassandralock.exactlyonce.store.ProxiedAnswers;
import io.github.cassandralock.exactlyonce.store.RegisterStoreContract;
import io.github.cassandralock.exactlyonce.store.StoreUnfitException;
import io.github.cassandralock.exactlyonce.store.redis.RedisStoreSettings.ForgetfulServer;
import io.github.cassandralock.exactlyonce.store.servers.RedisServer;
import io.lettuce.core.AclSetuserArgs;
import io.lettuce.core.RedisClient;
import io.lettuce.core.RedisURI;
import io.lettuce.core.StaticCredentialsProvider;
import io.lettuce.core.api.StatefulRedisConnection;
import io.lettuce.core.api.sync.RedisCommands;
import io.lettuce.core.protocol.CommandType;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The contract of stores on a real Redis, and what is refused when a store is opened. */
@Tag("slow")
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class RedisRegisterStoreTest extends RegisterStoreContract {

    private static final RedisStoreSettings SETTINGS = RedisStoreSettings.defaults();

    private final RedisServer server = RedisServer.start("--appendonly", "yes", "--appendfsync", "always");
    private final RedisRegisterStore store = RedisRegisterStore.open(uri(server.address()), SETTINGS);

    @AfterAll
    void close() {
        store.close();
        server.close();
    }

    private static RedisURI uri(InetSocketAddress address) {
        return RedisURI.create("127.0.0.1", address.getPort());
    }

    @Override
    protected RegisterStore store() {
        return store;
    }

    @Override
    protected LostAnswers lostAnswers() throws Exception {
        AnswerLosingProxy proxy = new AnswerLosingProxy(server.address());
        RedisRegisterStore behind =
                RedisRegisterStore.open(uri(proxy.address()), SETTINGS.withTimeout(Duration.ofSeconds(1)));
        return new ProxiedAnswers(proxy, behind, behind::close);
    }

    private static WriteId write() {
        return new WriteId(UUID.randomUUID(), 1);
    }

    /** Settings are changed back by the second command. */
    private void onServer(Consumer<RedisCommands<String, String>> commands) {
        RedisClient client = RedisClient.create(uri(server.address()));
        try (StatefulRedisConnection<String, String> connection = client.connect()) {
            commands.accept(connection.sync());
        } finally {
            client.shutdown(Duration.ZERO, Duration.ofSeconds(5));
        }
    }

    @ParameterizedTest
    @CsvSource({
        "maxmemory-policy, allkeys-lru, noeviction",
        "appendonly, no, yes",
        "appendfsync, everysec, always",
        "no-appendfsync-on-rewrite, yes, no"
    })
    void settingThatForgetsIsRefusedAtTheStart(String setting, String bad, String good) {
        onServer(redis -> redis.configSet(setting, bad));
        try {
            assertThatThrownBy(() -> RedisRegisterStore.open(uri(server.address()), SETTINGS))
                    .isInstanceOf(StoreUnfitException.class)
                    .hasMessageContaining(setting + " is '" + bad + "' and must be '" + good + "'")
                    .hasMessageContaining("ForgetfulServer.WARN");
            RedisRegisterStore.open(uri(server.address()), SETTINGS.withForgetfulServer(ForgetfulServer.WARN))
                    .close();
        } finally {
            onServer(redis -> redis.configSet(setting, good));
        }
    }

    @Test
    void replicaIsRefusedAtTheStart() {
        try (RedisServer replica =
                RedisServer.start("--replicaof", "127.0.0.1 " + server.address().getPort())) {
            assertThatThrownBy(() -> RedisRegisterStore.open(
                            uri(replica.address()), SETTINGS.withForgetfulServer(ForgetfulServer.WARN)))
                    .isInstanceOf(StoreUnfitException.class)
                    .hasMessageContaining("replica");
        }
    }

    @Test
    void serverThatHidesItsSettingsIsRefusedAtTheStart() {
        onServer(redis -> redis.aclSetuser(
                "guest",
                AclSetuserArgs.Builder.on()
                        .addPassword("secret")
                        .allKeys()
                        .allCommands()
                        .removeCommand(CommandType.CONFIG)));
        RedisURI guest = uri(server.address());
        guest.setCredentialsProvider(new StaticCredentialsProvider("guest", "secret".toCharArray()));

        assertThatThrownBy(() -> RedisRegisterStore.open(guest, SETTINGS))
                .isInstanceOf(StoreUnfitException.class)
                .hasMessageContaining("cannot be seen");
    }

    @Test
    void keyOfAnotherTypeIsRefusedForGood() {
        onServer(redis -> redis.set(SETTINGS.prefix() + "string", "x"));
        assertThatThrownBy(() -> store.read("string")).isInstanceOf(RegisterRefusedException.class);
        assertThatThrownBy(() -> store.compareAndSet("string", 0, new byte[1], write()))
                .isInstanceOf(RegisterRefusedException.class)
                .hasMessageContaining("'string'");
    }

    @Test
    void registerNeverExpires() throws InterruptedException {
        assertThat(store.compareAndSet("lasting", 0, new byte[1], write())).isInstanceOf(Applied.class);
        onServer(redis -> assertThat(redis.ttl(SETTINGS.prefix() + "lasting")).isEqualTo(-1));
    }

    @Test
    void requestWhoseAnswerIsLostIsNotSentAgainByTheClient() throws Exception {
        onServer(RedisCommands::configResetstat);
        try (LostAnswers answers = lostAnswers()) {
            answers.store().read("once");
            answers.begin(LostAnswers.Way.CUT);
            assertThatThrownBy(() -> answers.store().compareAndSet("once", 0, new byte[1], write()))
                    .isInstanceOf(UnknownOutcomeException.class);
            answers.awaitLoss();
            answers.end();
            assertThat(readWhenConnectedAgain(answers.store(), "once").getVersion())
                    .isEqualTo(1);
        }
        onServer(redis -> assertThat(redis.info("commandstats")).contains("cmdstat_eval:calls=1,"));
    }

    private static StoredValue readWhenConnectedAgain(RegisterStore store, String name) throws InterruptedException {
        long startedAt = System.nanoTime();
        while (true) {
            try {
                return store.read(name);
            } catch (RegisterUnavailableException e) {
                if (System.nanoTime() - startedAt > Duration.ofSeconds(30).toNanos()) {
                    throw e;
                }
                TimeUnit.MILLISECONDS.sleep(20); // the client connects again by itself
            }
        }
    }

    @Test
    void storeThatIsClosedRefuses() {
        RedisRegisterStore closed = RedisRegisterStore.open(uri(server.address()), SETTINGS);
        closed.close();
        assertThatThrownBy(() -> closed.read("a")).isInstanceOf(RegisterRefusedException.class);
        assertThatThrownBy(() -> closed.compareAndSet("a", 0, new byte[1], write()))
                .isInstanceOf(RegisterRefusedException.class);
    }

    @Test
    void serverThatIsNotThereIsUnavailable() {
        assertThatThrownBy(() -> RedisRegisterStore.open(RedisURI.create("127.0.0.1", 1), SETTINGS))
                .isInstanceOf(RegisterUnavailableException.class)
                .hasMessageContaining("127.0.0.1:1");
    }
}
