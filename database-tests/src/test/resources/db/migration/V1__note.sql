CREATE TABLE note (id uuid PRIMARY KEY, text varchar(100) NOT NULL);
