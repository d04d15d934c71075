@NullMarked
package io.github.cassandralock.exactlyonce.halftransactions;

import org.jspecify.annotations.NullMarked;
