/** What is written down: JSON, tables in Markdown, figures in SVG. */
@NullMarked
package io.github.cassandralock.benchmarks.report;

import org.jspecify.annotations.NullMarked;
