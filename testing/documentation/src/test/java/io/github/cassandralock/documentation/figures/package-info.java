/** The pictures of the documentation: their text sources, and the SVG that is drawn from each. */
@NullMarked
package io.github.cassandralock.documentation.figures;

import org.jspecify.annotations.NullMarked;
