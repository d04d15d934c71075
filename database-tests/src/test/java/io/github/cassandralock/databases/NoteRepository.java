package io.github.cassandralock.databases;

import java.util.UUID;
import org.springframework.data.jpa.repository.JpaRepository;

/** An ordinary repository, whose methods are transactional. */
interface NoteRepository extends JpaRepository<Note, UUID> {}
