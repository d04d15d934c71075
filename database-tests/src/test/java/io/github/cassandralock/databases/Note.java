package io.github.cassandralock.databases;

import jakarta.persistence.Column;
import jakarta.persistence.Entity;
import jakarta.persistence.Id;
import jakarta.persistence.Table;
import java.util.UUID;

/** A text that an effect has written. */
@Entity
@Table(name = "note")
class Note {

    @Id
    private UUID id = UUID.randomUUID();

    @Column(nullable = false, length = 100)
    private String text = "";

    /** For JPA. */
    Note() {}

    Note(UUID id, String text) {
        this.id = id;
        this.text = text;
    }

    UUID id() {
        return id;
    }

    String text() {
        return text;
    }
}
