package io.github.cassandralock.exactlyonce.store.jdbc;

/** Where the application's connections are serializable, so that concurrent updates fail with 40001. */
class SerializableRegisterStoreTest extends PostgresRegisterStoreContract {

    SerializableRegisterStoreTest() {
        super("-c default_transaction_isolation=serializable");
    }
}
