/**
 * Half transactions between two stores that share no transaction, over real stores and with processes that end at every operation.
 */
@NullMarked
package io.github.cassandralock.exactlyonce.halftransactions;

import org.jspecify.annotations.NullMarked;
