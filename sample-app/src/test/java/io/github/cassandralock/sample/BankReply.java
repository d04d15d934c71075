package io.github.cassandralock.sample;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.net.http.HttpResponse;

/** What a bank answered. */
record BankReply(int status, String contentType, JsonNode body) {

    private static final ObjectMapper JSON = new ObjectMapper();

    static BankReply of(HttpResponse<String> response) {
        try {
            return new BankReply(
                    response.statusCode(),
                    response.headers().firstValue("Content-Type").orElse(""),
                    JSON.readTree(response.body()));
        } catch (JsonProcessingException e) {
            throw new IllegalStateException("No JSON: " + response.body(), e);
        }
    }

    static JsonNode json(String text) {
        try {
            return JSON.readTree(text);
        } catch (JsonProcessingException e) {
            throw new IllegalArgumentException(text, e);
        }
    }
}
