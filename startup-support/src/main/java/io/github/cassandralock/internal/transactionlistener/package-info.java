/** Listeners of all transactions of an application. */
@NullMarked
package io.github.cassandralock.internal.transactionlistener;

import org.jspecify.annotations.NullMarked;
