package io.github.cassandralock.internal.aop;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import java.util.List;
import org.slf4j.LoggerFactory;

/** What is logged of skipped runs, from its creation until it is closed. */
final class SkipLog implements AutoCloseable {

    private final Logger logger = (Logger) LoggerFactory.getLogger(SkippedRuns.class);
    private final ListAppender<ILoggingEvent> appender = new ListAppender<>();

    SkipLog() {
        logger.setLevel(Level.INFO);
        appender.start();
        logger.addAppender(appender);
    }

    /** Level and text of each line. */
    List<String> lines() {
        return List.copyOf(appender.list).stream().map(String::valueOf).toList();
    }

    @Override
    public void close() {
        logger.detachAppender(appender);
        logger.setLevel(null);
    }
}
