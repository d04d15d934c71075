package io.github.cassandralock.testing.applications;

import com.datastax.oss.driver.api.core.CqlSession;
import com.datastax.oss.driver.api.core.cql.BatchStatement;
import com.datastax.oss.driver.api.core.cql.BoundStatement;
import com.datastax.oss.driver.api.core.cql.SimpleStatement;
import java.util.Collection;
import java.util.List;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.LongAdder;
import org.springframework.beans.factory.config.BeanPostProcessor;

/**
 * The CQL that is sent through sessions, those of one application's context or any other: a batch is one statement, a retry
 * belongs to its statement. Noted when it is sent, not when it is answered, so that what a caller has sent before it returns
 * is there. Thread-safe.
 */
public class SentStatements implements BeanPostProcessor {

    private final LongAdder count = new LongAdder();
    private final Collection<String> recorded = new ConcurrentLinkedQueue<>();
    private volatile boolean recording;

    public static SentStatements of(Application application) {
        return application.context().getBean(SentStatements.class);
    }

    /** The session for those whose statements are to be counted. */
    public CqlSession noting(CqlSession session) {
        return new NotedSession(session, this);
    }

    public long count() {
        return count.sum();
    }

    /** The statements sent while the action runs. */
    public List<String> during(Runnable action) {
        recorded.clear();
        recording = true;
        action.run();
        recording = false;
        return List.copyOf(recorded);
    }

    @Override
    public Object postProcessAfterInitialization(Object bean, String beanName) {
        return bean instanceof CqlSession session ? noting(session) : bean;
    }

    void note(Object statement) {
        count.increment();
        if (recording) {
            recorded.add(text(statement));
        }
    }

    private static String text(Object statement) {
        if (statement instanceof BoundStatement bound) {
            return bound.getPreparedStatement().getQuery();
        }
        if (statement instanceof SimpleStatement simple) {
            return simple.getQuery();
        }
        return statement instanceof BatchStatement ? "BATCH" : statement.toString();
    }
}
