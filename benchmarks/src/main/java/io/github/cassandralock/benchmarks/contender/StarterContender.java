package io.github.cassandralock.benchmarks.contender;

import com.datastax.oss.driver.api.core.CqlSession;
import io.github.cassandralock.LockMode;
import io.github.cassandralock.LockRequest;
import io.github.cassandralock.RemoteLock;
import io.github.cassandralock.RemoteLocker;
import io.github.cassandralock.autoconfigure.CassandraLockAutoConfiguration;
import io.github.cassandralock.testing.applications.SentStatements;
import java.util.ArrayList;
import java.util.List;
import org.springframework.boot.Banner;
import org.springframework.boot.SpringBootConfiguration;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.ImportAutoConfiguration;
import org.springframework.boot.autoconfigure.data.cassandra.CassandraDataAutoConfiguration;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ApplicationContextInitializer;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.support.GenericApplicationContext;

/** An application with this project's starter, in its default configuration but for these settings. */
public final class StarterContender implements Contender {

    private static final String FIRST_SESSION = "cassandraSession";

    private final List<String> settings;
    private final List<CqlSession> sessions;
    private final Runnable whenClosed;
    private final boolean counted;
    private final SentStatements requests = new SentStatements();
    private final ConfigurableApplicationContext application;
    private final RemoteLocker locker;

    /** All that the starter needs. With more of them, the libraries of the peers would configure themselves. */
    @SpringBootConfiguration(proxyBeanMethods = false)
    @ImportAutoConfiguration({CassandraDataAutoConfiguration.class, CassandraLockAutoConfiguration.class})
    static class Application {}

    /** Starts the application, with a session of its own to each of these clusters: one, or those of a majority. */
    static StarterContender connect(List<String> settings, List<CassandraAddress> clusters, boolean counted) {
        List<CqlSession> sessions =
                clusters.stream().map(CassandraAddress::connect).toList();
        StarterContender contender =
                new StarterContender(settings, sessions, () -> sessions.forEach(CqlSession::close), counted);
        if (sessions.size() > 1) {
            contender.awaitMaturity();
        }
        return contender;
    }

    /**
     * Starts the application.
     *
     * @param settings in the words of the command line
     * @param session stays open when the contender is closed
     */
    public StarterContender(List<String> settings, CqlSession session) {
        this(settings, List.of(session), () -> {}, true);
    }

    private StarterContender(List<String> settings, List<CqlSession> sessions, Runnable whenClosed, boolean counted) {
        this.settings = settings;
        this.sessions = sessions;
        this.whenClosed = whenClosed;
        this.counted = counted;
        application = new SpringApplicationBuilder(Application.class)
                .web(WebApplicationType.NONE)
                .bannerMode(Banner.Mode.OFF)
                .logStartupInfo(false)
                .registerShutdownHook(false)
                .initializers(sessionBeans())
                .run(allSettings().toArray(String[]::new));
        locker = application.getBean(RemoteLocker.class);
    }

    /** The first one is the application's own. Closing the application leaves them open: others may share them. */
    private ApplicationContextInitializer<GenericApplicationContext> sessionBeans() {
        return context -> {
            for (int number = 0; number < sessions.size(); number++) {
                boolean first = number == 0;
                CqlSession session = sessions.get(number);
                CqlSession used = counted ? requests.noting(session) : session;
                context.registerBean(sessionName(number), CqlSession.class, () -> used, definition -> {
                    definition.setPrimary(first);
                    definition.setDestroyMethodName("");
                });
            }
        };
    }

    private static String sessionName(int number) {
        return number == 0 ? FIRST_SESSION : FIRST_SESSION + number;
    }

    private List<String> allSettings() {
        if (sessions.size() == 1) {
            return settings;
        }
        List<String> all = new ArrayList<>(settings);
        for (int number = 0; number < sessions.size(); number++) {
            String prefix = "--cassandra-lock.majority.clusters[" + number + "].";
            all.add(prefix + "id=cluster-" + number);
            all.add(prefix + "session-bean=" + sessionName(number));
            all.add(prefix + "keyspace=" + CassandraAddress.KEYSPACE_OF_A_MAJORITY);
        }
        return all;
    }

    /** New clusters grant no lock for longer than a lease, once. That is not to be measured. */
    private void awaitMaturity() {
        locker.getLock("mature").close();
    }

    /** Another application in this process, which shares this one's sessions to Cassandra and is to be closed before it. */
    StarterContender another() {
        return new StarterContender(settings, sessions, () -> {}, counted);
    }

    /** The locks of the application. */
    public RemoteLocker locker() {
        return locker;
    }

    /** The statements that the application sends while the action runs. */
    public List<String> sentDuring(Runnable action) {
        return requests.during(action);
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
    public Hold acquirePermit(String lockId, int permits) {
        RemoteLock lock = locker.getLock(LockRequest.of(lockId).permits(permits));
        return lock::close;
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
