package io.github.cassandralock.exactlyonce.store.jdbc;

/** At PostgreSQL's default isolation level. */
class PostgresRegisterStoreTest extends PostgresRegisterStoreContract {

    PostgresRegisterStoreTest() {
        super("");
    }
}
