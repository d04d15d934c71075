/** A program that uses the core without a framework. */
@NullMarked
package io.github.cassandralock.example;

import org.jspecify.annotations.NullMarked;
