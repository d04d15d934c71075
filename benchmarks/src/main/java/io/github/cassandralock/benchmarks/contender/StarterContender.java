package io.github.cassandralock.benchmarks.contender;

import com.datastax.oss.driver.api.core.CqlSession;
import io.github.cassandralock.LockMode;
import io.github.cassandralock.LockRequest;
import io.github.cassandralock.RemoteLock;
import io.github.cassandralock.RemoteLocker;
import io.github.cassandralock.autoconfigure.CassandraLockAutoConfiguration;
import io.github.cassandralock.testing.applications.SentStatements;
import java.util.List;
import org.springframework.boot.Banner;
import org.springframework.boot.SpringBootConfiguration;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.ImportAutoConfiguration;
import org.springframework.boot.autoconfigure.data.cassandra.CassandraDataAutoConfiguration;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ConfigurableApplicationContext;

/** An application with this project's starter, in its default configuration but for these settings. */
public final class StarterContender implements Contender {

    private final List<String> settings;
    private final CqlSession session;
    private final Runnable whenClosed;
    private final SentStatements requests = new SentStatements();
    private final ConfigurableApplicationContext application;
    private final RemoteLocker locker;

    /** The starter needs no more than these; the peers' libraries would configure themselves, too. */
    @SpringBootConfiguration(proxyBeanMethods = false)
    @ImportAutoConfiguration({CassandraDataAutoConfiguration.class, CassandraLockAutoConfiguration.class})
    static class Application {}

    /** Starts the application, with a session to Cassandra of its own. */
    static StarterContender connect(List<String> settings, CassandraAddress address) {
        CqlSession session = address.connect();
        return new StarterContender(settings, session, session::close);
    }

    /**
     * Starts the application.
     *
     * @param settings in the words of the command line
     * @param session stays open when the contender is closed
     */
    public StarterContender(List<String> settings, CqlSession session) {
        this(settings, session, () -> {});
    }

    private StarterContender(List<String> settings, CqlSession session, Runnable whenClosed) {
        this.settings = settings;
        this.session = session;
        this.whenClosed = whenClosed;
        CqlSession counted = requests.noting(session);
        application = new SpringApplicationBuilder(Application.class)
                .web(WebApplicationType.NONE)
                .bannerMode(Banner.Mode.OFF)
                .logStartupInfo(false)
                .registerShutdownHook(false)
                .initializers(context -> context.getBeanFactory().registerSingleton("cassandraSession", counted))
                .run(settings.toArray(String[]::new));
        locker = application.getBean(RemoteLocker.class);
    }

    /** Another application in this process, which shares this one's session to Cassandra and is to be closed before it. */
    StarterContender another() {
        return new StarterContender(settings, session);
    }

    @Override
    public Hold acquire(String lockId) {
        RemoteLock lock = locker.getLock(lockId);
        return lock::close;
    }

    @Override
    public Hold acquireToRead(String lockId) {
        RemoteLock lock = locker.getLock(LockRequest.of(lockId).mode(LockMode.PROTECTED_READ));
        return lock::close;
    }

    @Override
    public Hold acquireToWrite(String lockId) {
        return acquire(lockId);
    }

    @Override
    public long requests() {
        return requests.count();
    }

    @Override
    public void close() {
        application.close();
        whenClosed.run();
    }
}
