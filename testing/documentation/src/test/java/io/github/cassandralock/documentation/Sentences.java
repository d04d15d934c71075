package io.github.cassandralock.documentation;

import java.util.ArrayList;
import java.util.List;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** Finds the sentences of comments, of messages and of pages. A list item, a tag of Javadoc and a cell are sentences of their own. */
final class Sentences {

    private static final Pattern TOKEN = Pattern.compile("\"\"\"(?s:.*?)\"\"\""
            + "|\"[^\"\\\\\\n]*+(?:\\\\.[^\"\\\\\\n]*+)*+\""
            + "|'(?:[^'\\\\\\n]|\\\\[^\\n][^'\\n]*+)'"
            + "|/\\*(?s:.*?)\\*/"
            + "|//[^\\n]*+");

    private static final Pattern CONCATENATION = Pattern.compile("\"\\s*\\+\\s*\"");
    private static final Pattern VALUE = Pattern.compile("\"\\s*\\+\\s*(?:[^\"'();,{}\\[\\]/?:+]++"
            + "|\\((?:[^\"()]++|\\((?:[^\"()]++|\\([^\"()]*+\\))*+\\))*+\\))++\\+\\s*\"");

    private static final Pattern STATEMENT =
            Pattern.compile("^\"(?:\"\"| *(?:SELECT|INSERT|UPDATE|DELETE|CREATE|ALTER|AND|WHERE)\\b)");

    private static final Pattern CELL_BORDER = Pattern.compile("^ *\\| *| +\\| *");
    private static final Pattern INNER_START = Pattern.compile("(?m)^[ \\t]*\\*(?!/) ?");
    private static final Pattern MARKS = Pattern.compile("^/\\*+|\\*/$|(?m:^[ \\t]*//)");
    private static final Pattern PREFORMATTED = Pattern.compile("(?s)<pre>.*?</pre>|(?m)^ *```(?s:.*?)``` *$");
    private static final Pattern LABELLED_LINK = Pattern.compile("\\{@link(?:plain)?\\s+[^}\\s]+\\s+([^}]*)\\}");
    private static final Pattern CODE = Pattern.compile("\\{@\\w+\\s+[^}]*\\}|`[^`]*`");
    private static final Pattern MARKDOWN_LINK = Pattern.compile("!?\\[([^]]*)]\\([^)]*\\)");
    private static final Pattern PARTS = Pattern.compile("</?(?:p|ul|ol|li|table|tr|td|th|h\\d|dl|dt|dd|br)\\b[^>]*>"
            + "|(?m)^\\s*@(?:param|throws|property)\\s+\\S+"
            + "|(?m)^\\s*@(?:return|see|since)\\b"
            + "|(?m)^\\s*(?:[-*]|\\d+\\.) "
            + "|(?m)^[ \\t]*[|#].*$"
            + "|\\n\\s*\\n");
    private static final Pattern TAG = Pattern.compile("<[^>]+>|[*_]{2}");
    private static final Pattern END = Pattern.compile("(?<=[.!?:])\\)?\\s+(?=[A-Z0-9\"'(`{])");

    private Sentences() {}

    /** Of the comments in a source of Java or Kotlin. */
    static List<String> ofComments(String source) {
        return comments(source).stream().flatMap(Sentences::split).toList();
    }

    /** Of the lines of a page that are outside its blocks, cells of tables included. */
    static List<String> ofPage(List<String> prose) {
        Stream<String> cells = prose.stream()
                .filter(line -> line.stripLeading().startsWith("|"))
                .flatMap(CELL_BORDER::splitAsStream);
        return Stream.concat(split(String.join("\n", prose)), cells.flatMap(Sentences::split))
                .toList();
    }

    /**
     * Of the texts in a source, where they have more than one word. Text blocks and statements of CQL or SQL are code. A value
     * between two texts is a word.
     */
    static List<String> ofMessages(String source) {
        String concatenated = CONCATENATION.matcher(source).replaceAll("");
        return TOKEN.matcher(VALUE.matcher(concatenated).replaceAll("CODE"))
                .results()
                .map(MatchResult::group)
                .filter(token -> token.startsWith("\"") && token.contains(" "))
                .filter(token -> !STATEMENT.matcher(token).find())
                .map(token -> token.substring(1, token.length() - 1).replace("{}", "CODE"))
                .flatMap(message -> END.splitAsStream(message.trim()))
                .toList();
    }

    private static List<String> comments(String source) {
        List<String> comments = new ArrayList<>();
        StringBuilder lines = new StringBuilder();
        int end = 0;
        Matcher token = TOKEN.matcher(source);
        while (token.find()) {
            if (!source.substring(end, token.start()).isBlank()
                    || !token.group().startsWith("//")) {
                comments.add(lines.toString());
                lines.setLength(0);
            }
            end = token.end();
            if (token.group().startsWith("//")) {
                lines.append(token.group()).append('\n');
            } else if (token.group().startsWith("/*")) {
                comments.add(INNER_START.matcher(token.group()).replaceAll(""));
            }
        }
        comments.add(lines.toString());
        return comments.stream()
                .map(comment -> MARKS.matcher(comment).replaceAll(""))
                .toList();
    }

    private static Stream<String> split(String text) {
        return PARTS.splitAsStream(withoutCode(text))
                .map(part ->
                        TAG.matcher(part).replaceAll("").replaceAll("\\s+", " ").trim())
                .flatMap(END::splitAsStream)
                .filter(sentence -> !sentence.isBlank());
    }

    private static String withoutCode(String text) {
        String prose = PREFORMATTED.matcher(text).replaceAll("\n\n");
        prose = LABELLED_LINK.matcher(prose).replaceAll("$1");
        prose = CODE.matcher(prose).replaceAll("CODE");
        return MARKDOWN_LINK.matcher(prose).replaceAll("$1");
    }
}
