/**
 * The one {@link io.github.cassandralock.RemoteLocker}: bad input refused at the edge, waiting, the handles. It knows no
 * algorithm; it drives whichever {@link io.github.cassandralock.spi.LockAlgorithm} it is given.
 */
@NullMarked
package io.github.cassandralock.internal.locker;

import org.jspecify.annotations.NullMarked;
