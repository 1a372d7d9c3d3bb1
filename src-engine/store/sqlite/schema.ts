/**
 * The SQLite form of the data, as forward-only migrations. A released one is never edited.
 *
 * Inside, records are joined by integer keys that grow: what is written together lies together, so that a
 * transaction touches few pages. Public ids are looked up once. Statuses are plain text that `model` rules
 * over; what SQL itself must tell apart is in `queue` and `phase`.
 */

/** One step from a form of the data to the next. */
export interface Migration {
  /** `user_version` after it. */
  readonly version: number
  readonly name: string
  readonly sql: string
}

/** Where SQL looks for an invocation; partial indexes name these. */
export const queueOf = { idle: 0, available: 1, owned: 2, waiting: 3, final: 4 } as const

/** What SQL needs to know of a run's status. */
export const phaseOf = { final: 0, paused: 1, claimable: 2 } as const

const initial = `
create table meta (
  name text primary key,
  value text not null
) strict, without rowid;

-- One row per open connection, removed when it is closed: a row of a dead process means an unclean stop.
create table holder (
  key integer primary key,
  pid integer not null
) strict;

create table run (
  key integer primary key,
  id text not null unique,
  status text not null,
  phase integer not null,
  version integer not null,
  workflow_id text not null,
  request_id text,
  deadline_at integer,
  body text not null
) strict;
-- Serves: the run that a caller's request started.
create index run_request on run (request_id) where request_id is not null;
-- Serves: run lists of one status, newest first.
create index run_status on run (status, key);
-- Serves: run lists of one workflow, newest first.
create index run_workflow on run (workflow_id, key);
-- Serves: deadlines of runs that aren't final.
create index run_deadline on run (deadline_at, id) where phase > 0 and deadline_at is not null;

create table invocation (
  key integer primary key,
  id text not null unique,
  run_key integer not null references run (key),
  status text not null,
  queue integer not null,
  version integer not null,
  rank integer not null,
  -- From when on it may be claimed (queue 1) or is to be woken (queue 3).
  available_at integer,
  pool text not null,
  task_kind text not null,
  owner text,
  fence_epoch integer,
  fence_counter integer,
  lease_expires_at integer,
  deadline_at integer,
  cancel_requested_at integer,
  -- Positions of the event rows that carry its attempts, each followed by a space.
  attempts text not null,
  body text not null,
  check ((queue = 2) = (owner is not null)),
  check ((owner is null) = (lease_expires_at is null))
) strict;
-- Serves: the invocations of a run, in order of registration.
create index invocation_run on invocation (run_key);
-- Serves: claims; the most urgent available invocation of each priority comes first.
create index invocation_claim on invocation (rank, available_at, id) where queue = 1;
-- Serves: leases that ran out, runners that died, deadlines of owned invocations.
create index invocation_owned on invocation (lease_expires_at, deadline_at) where queue = 2;
-- Serves: timers.
create index invocation_wake on invocation (available_at, id) where queue = 3 and available_at is not null;

-- Final is final, whoever writes; the two exits are the content scan's and the operator's release.
create trigger invocation_final before update of status on invocation
when old.queue = 4 and new.status <> old.status
  and not (old.status = 'SUCCESS' and new.status = 'OUTPUT_QUARANTINED')
  and not (old.status = 'OUTPUT_QUARANTINED' and new.status = 'SUCCESS')
begin
  select raise(abort, 'a final invocation may not change its status');
end;

-- One row per run and checkpoint. The position counts all events of the store from 1.
create table event_row (
  position integer primary key,
  count integer not null,
  run_key integer,
  at integer not null,
  op_id text not null,
  actor text not null,
  prev_hash blob not null,
  hash blob not null,
  body text not null
) strict;
-- Serves: the events of one run, and whether it has seen an op-id.
create index event_run on event_row (run_key, position) where run_key is not null;

-- Sequence numbers of an epoch start after the position in which it began.
create table epoch (
  epoch integer primary key,
  start_position integer not null
) strict;

-- Op-ids of checkpoints that no run's events carry.
create table op (
  op_id text primary key,
  at integer not null
) strict, without rowid;

create table workflow_version (
  key integer primary key,
  hash text not null unique,
  workflow_id text not null,
  title text not null,
  document text not null,
  published_at integer not null
) strict;
-- Serves: the versions of one workflow, newest first.
create index workflow_version_workflow on workflow_version (workflow_id, key);

create table register (
  key text primary key,
  version integer not null,
  value text not null
) strict, without rowid;

create table slot (
  ordinal integer primary key,
  key text not null,
  holder text not null,
  holders_max integer not null,
  unique (key, holder)
) strict;

create table outbox (
  key integer primary key,
  id text not null unique,
  kind text not null,
  due_at integer not null,
  body text not null
) strict;

create table dead_letter (
  key integer primary key,
  id text not null unique,
  body text not null
) strict;

create table runner (
  key integer primary key,
  id text not null unique,
  heartbeat_at integer not null,
  body text not null
) strict;

insert into epoch (epoch, start_position) values (1, 0);
`

/** All migrations in order; the last one's version is the form that this code reads and writes. */
export const migrations: readonly Migration[] = [{ version: 1, name: 'initial', sql: initial }]
