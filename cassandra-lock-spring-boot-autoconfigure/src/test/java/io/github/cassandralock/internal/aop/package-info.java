@NullMarked
package io.github.cassandralock.internal.aop;

import org.jspecify.annotations.NullMarked;
