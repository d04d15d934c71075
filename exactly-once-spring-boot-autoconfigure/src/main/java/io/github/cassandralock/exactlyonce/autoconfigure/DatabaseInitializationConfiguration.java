package io.github.cassandralock.exactlyonce.autoconfigure;

import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.sql.init.dependency.DatabaseInitializationDependencyConfigurer;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;

/**
 * Orders beans after the initialization of databases (see {@link TablesAfterDatabaseInitialization}). The auto-configurations of
 * Flyway, Liquibase, JPA and SQL scripts import the same class. None of them is active in an application that migrates by a bean of
 * its own.
 */
@Configuration(proxyBeanMethods = false)
@ConditionalOnClass(DatabaseInitializationDependencyConfigurer.class)
@Import(DatabaseInitializationDependencyConfigurer.class)
class DatabaseInitializationConfiguration {}
