@NullMarked
package io.github.cassandralock.aop;

import org.jspecify.annotations.NullMarked;
