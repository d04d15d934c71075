/** The annotation on Spring beans, and what is reported of annotations without effect. */
@NullMarked
package io.github.cassandralock.autoconfigure.annotation;

import org.jspecify.annotations.NullMarked;
