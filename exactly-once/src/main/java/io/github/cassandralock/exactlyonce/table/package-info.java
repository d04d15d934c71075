/** Messages in a table of the application's own database: message and effect change in one transaction. */
@NullMarked
package io.github.cassandralock.exactlyonce.table;

import org.jspecify.annotations.NullMarked;
