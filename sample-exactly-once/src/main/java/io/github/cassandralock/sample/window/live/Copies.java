package io.github.cassandralock.sample.window.live;

import jakarta.annotation.PreDestroy;
import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.boot.context.event.ApplicationReadyEvent;
import org.springframework.context.event.EventListener;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Component;

/**
 * Where the copies are: each writes itself down when it has started, and strikes itself out when it closes. One that is
 * killed stays.
 */
@Component
class Copies {

    /** Where a copy is. */
    record Copy(long pid, String url) {}

    private static final Logger log = LoggerFactory.getLogger(Copies.class);

    private static final String LINES = """
            This copy is process {pid}. Look at all copies:

              {url}/

            To start another copy, type the same command in another terminal. To kill this one:

              kill -9 {pid}
            """;

    private final JdbcClient database;
    private final ThisCopy thisCopy;

    Copies(JdbcClient database, ThisCopy thisCopy) {
        this.database = database;
        this.thisCopy = thisCopy;
    }

    List<Copy> all() {
        return database.sql("SELECT pid, url FROM copies ORDER BY pid")
                .query(Copy.class)
                .list();
    }

    @EventListener(ApplicationReadyEvent.class)
    void begin() {
        database.sql("MERGE INTO copies (pid, url) KEY (pid) VALUES (?, ?)")
                .params(thisCopy.pid(), thisCopy.url())
                .update();
        log.info(LINES.replace("{pid}", Long.toString(thisCopy.pid()))
                .replace("{url}", thisCopy.url())
                .stripTrailing());
    }

    @PreDestroy
    void end() {
        database.sql("DELETE FROM copies WHERE pid = ?").param(thisCopy.pid()).update();
    }
}
