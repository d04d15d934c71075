package io.github.cassandralock.documentation;

/**
 * A fenced block of a page.
 *
 * @param page the page, relative to the project
 * @param line the line on which its text begins, from 1
 * @param language what follows the fence; empty if nothing does
 * @param text without the fences, and without the indentation of a list
 */
record CodeBlock(String page, int line, String language, String text) {

    String place() {
        return page + ":" + line;
    }
}
