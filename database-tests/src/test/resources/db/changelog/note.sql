--liquibase formatted sql
--changeset cassandralock:note
--preconditions onFail:HALT
--precondition-sql-check expectedResult:0 SELECT COUNT(*) FROM information_schema.tables WHERE LOWER(table_name) LIKE 'exactly_once%'
CREATE TABLE note (id uuid PRIMARY KEY, text varchar(100) NOT NULL);
