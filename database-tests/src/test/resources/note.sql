CREATE TABLE note (id uuid PRIMARY KEY, text varchar(100) NOT NULL);
CREATE TABLE tables_before AS SELECT table_name FROM information_schema.tables WHERE LOWER(table_name) LIKE 'exactly_once%';
