/** The form of the file of pulled runs. Forward only, like that of the data file. */

import type { Migration } from '../sqlite/schema.ts'

export const pulledMigrations: readonly Migration[] = [
  {
    version: 1,
    name: 'pulled runs',
    sql: `
      create table origin (
        -- The store that runs came from.
        id text primary key,
        chain text not null,
        partitions integer not null
      ) strict;
      create table run (
        key integer primary key,
        id text not null unique,
        origin_id text not null references origin (id),
        -- What is told of the copy, the record, and what it waited for, as JSON.
        pulled text not null,
        record text not null,
        waiting text not null
      ) strict;
      -- Events in the order of their places, a page of them as compressed JSON.
      create table page (
        run_key integer not null references run (key) on delete cascade,
        place integer not null,
        last_epoch integer not null,
        last_seq integer not null,
        body blob not null,
        primary key (run_key, place)
      ) strict, without rowid;
      create table version (
        hash text primary key,
        workflow_id text not null,
        body text not null
      ) strict;
      create table run_version (
        run_key integer not null references run (key) on delete cascade,
        hash text not null references version (hash),
        primary key (run_key, hash)
      ) strict, without rowid;
      create table letter (
        run_key integer not null references run (key) on delete cascade,
        id text not null,
        body text not null,
        primary key (run_key, id)
      ) strict, without rowid;
      create table payload (
        hash text primary key,
        bytes blob not null
      ) strict;
      create table run_payload (
        run_key integer not null references run (key) on delete cascade,
        hash text not null references payload (hash),
        primary key (run_key, hash)
      ) strict, without rowid;
      create index run_payload_by_hash on run_payload (hash);
      create index run_version_by_hash on run_version (hash);
    `,
  },
  {
    version: 2,
    name: 'sealed origins',
    // By which key its values are sealed, as JSON; null where they aren't.
    sql: 'alter table origin add column sealing text;',
  },
]
