package io.github.cassandralock.benchmarks.contender;

import com.datastax.oss.driver.api.core.CqlSession;
import io.github.cassandralock.RemoteLock;
import io.github.cassandralock.RemoteLocker;
import io.github.cassandralock.autoconfigure.CassandraLockAutoConfiguration;
import org.springframework.boot.Banner;
import org.springframework.boot.SpringBootConfiguration;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.ImportAutoConfiguration;
import org.springframework.boot.autoconfigure.data.cassandra.CassandraDataAutoConfiguration;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.support.GenericApplicationContext;

/** An application with this project's starter, in its default configuration but for the algorithm. */
public final class StarterContender implements Contender {

    private final CountedRequests requests;
    private final ConfigurableApplicationContext application;
    private final RemoteLocker locker;

    /** The starter needs no more than these; the peers' libraries would configure themselves, too. */
    @SpringBootConfiguration(proxyBeanMethods = false)
    @ImportAutoConfiguration({CassandraDataAutoConfiguration.class, CassandraLockAutoConfiguration.class})
    static class Application {}

    StarterContender(String algorithm, CassandraAddress address) {
        this(algorithm, new CountedRequests(), address);
    }

    private StarterContender(String algorithm, CountedRequests requests, CassandraAddress address) {
        this(algorithm, requests, address.connect(requests));
    }

    /**
     * Starts the application.
     *
     * @param session closed with the contender
     * @param requests counts what the session sends
     */
    public StarterContender(String algorithm, CountedRequests requests, CqlSession session) {
        this.requests = requests;
        application = new SpringApplicationBuilder(Application.class)
                .web(WebApplicationType.NONE)
                .bannerMode(Banner.Mode.OFF)
                .logStartupInfo(false)
                .registerShutdownHook(false)
                .initializers(context -> ((GenericApplicationContext) context)
                        .registerBean("cassandraSession", CqlSession.class, () -> session))
                .run("--cassandra-lock.algorithm=" + algorithm);
        locker = application.getBean(RemoteLocker.class);
    }

    @Override
    public Hold acquire(String lockId) {
        RemoteLock lock = locker.getLock(lockId);
        return lock::close;
    }

    @Override
    public long requests() {
        return requests.count();
    }

    @Override
    public void close() {
        application.close();
    }
}
