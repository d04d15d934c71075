package io.github.cassandralock.databases;

import java.util.UUID;

/** On H2, in memory. */
class H2ApplicationIT extends DatabaseApplicationContract {

    @Override
    String emptyDatabase() {
        return "jdbc:h2:mem:" + UUID.randomUUID() + ";DB_CLOSE_DELAY=-1";
    }

    @Override
    String user() {
        return "sa";
    }
}
