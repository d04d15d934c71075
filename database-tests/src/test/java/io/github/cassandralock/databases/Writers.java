package io.github.cassandralock.databases;

import java.util.UUID;
import javax.sql.DataSource;
import org.jooq.DSLContext;
import org.springframework.beans.factory.ListableBeanFactory;
import org.springframework.jdbc.core.JdbcTemplate;

/** The means by which effects write, as applications have them. */
enum Writers {
    JDBC_TEMPLATE {
        @Override
        void write(ListableBeanFactory beans, String text) {
            new JdbcTemplate(beans.getBean(DataSource.class))
                    .update("INSERT INTO note (id, text) VALUES (?, ?)", UUID.randomUUID(), text);
        }
    },

    JOOQ {
        @Override
        void write(ListableBeanFactory beans, String text) {
            beans.getBean(DSLContext.class)
                    .execute(
                            "INSERT INTO note (id, text) VALUES (CAST(? AS uuid), ?)",
                            UUID.randomUUID().toString(),
                            text);
        }
    },

    REPOSITORY {
        @Override
        void write(ListableBeanFactory beans, String text) {
            beans.getBean(NoteRepository.class).save(new Note(UUID.randomUUID(), text));
        }
    };

    abstract void write(ListableBeanFactory beans, String text);
}
