/**
 * The SQLite form of the data, as forward-only migrations. A released one is never edited.
 *
 * Inside, records are joined by integer keys that grow: what is written together lies together, so that a
 * transaction touches few pages. Public ids are looked up once. Statuses are plain text that `model` rules
 * over; what SQL itself must tell apart is in `queue` and `phase`.
 */

import { largeFiles } from './form-8.ts'
import { parkedWork } from './form-9.ts'
import { dueRegisters } from './form-10.ts'
import { linesThatEnd } from './form-11.ts'

/** One step from a form of the data to the next. */
export interface Migration {
  /** `user_version` after it. */
  readonly version: number
  readonly name: string
  readonly sql: string
}

/** Where SQL looks for an invocation; partial indexes name these. Nobody looks for an idle
 * one; a parked one is only listed. */
export const queueOf = { idle: 0, available: 1, owned: 2, waiting: 3, blocked: 4, parked: 5 } as const

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

-- What lists show of a run; its version is the one that its last event row tells.
create table run (
  key integer primary key,
  id text not null unique,
  status text not null,
  phase integer not null,
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

-- Invocations that somebody must look for: available, owned or waiting. All else about them is in the events.
create table work (
  key integer primary key,
  run_key integer not null references run (key),
  id text not null,
  queue integer not null,
  rank integer not null,
  -- From when on it may be claimed (queue 1) or is to be woken (queue 3).
  available_at integer,
  pool text not null,
  task_kind text not null,
  owner text,
  lease_expires_at integer,
  deadline_at integer,
  check ((queue = 2) = (owner is not null)),
  check ((owner is null) = (lease_expires_at is null))
) strict;
-- Serves: the work of one run, when its events are read again.
create index work_run on work (run_key);
-- Serves: claims; the most urgent available invocation of each priority comes first.
create index work_claim on work (rank, available_at, id) where queue = 1;
-- Serves: leases that ran out, runners that died, deadlines: what is owned is little, so it is looked through.
create index work_owned on work (queue) where queue = 2;
-- Serves: timers.
create index work_wake on work (available_at, id) where queue = 3 and available_at is not null;

-- One row per run and checkpoint; the body is what event-codec.ts packs. The position counts all events of
-- the store from 1; the hash is that of the row's last event.
create table event_row (
  position integer primary key,
  count integer not null,
  run_key integer,
  run_version integer,
  hash text not null,
  body text not null
) strict;
-- Serves: the events of one run in order, and its last one.
create index event_run on event_row (run_key) where run_key is not null;

-- The past is not changed, whoever writes.
create trigger event_row_fixed before update on event_row
begin
  select raise(abort, 'an event may not be changed');
end;

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

const routedWork = `
-- What only a few rows have, null for most: where it may run, who is to have it last, which permit it awaits.
alter table work add column route text;
alter table work add column avoid text;
alter table work add column blocked_by text;
alter table work add column registered_at integer not null default 0;
update work set registered_at = available_at where queue = 1;
-- Serves: claims by the runner that failed with it last, after all else.
create index work_avoid on work (avoid, rank, available_at, id) where queue = 1 and avoid is not null;
-- Serves: the end of head starts.
create index work_preferred on work (route ->> 'preferredUntil')
  where queue = 1 and route is not null;
-- Serves: who waits for a permit, most urgent and then longest waiting first.
create index work_blocked on work (blocked_by, rank, available_at, id) where queue = 4;

alter table run add column blocked_by text;
alter table run add column ended_at integer;
update run set ended_at = body ->> 'finishedAt' where phase = 0;
-- Serves: runs that wait for a permit before they start.
create index run_blocked on run (blocked_by) where blocked_by is not null;
-- Serves: retention, oldest end first.
create index run_ended on run (ended_at, key) where phase = 0;

-- When it stops to count by itself; null for a permit that is held until it is released.
alter table slot add column expires_at integer;

-- Runs that are being removed: their events go in slices, and nobody sees them any more.
create table pruning (
  run_key integer primary key
) strict;

-- Stretches of events that were removed: the hash of the last one carries the chain over the gap.
create table pruned_event (
  position integer primary key,
  count integer not null,
  hash text not null
) strict;
`

const runCounts = `
-- How many runs there are of each status, kept with every write: counting a million rows takes too long.
create table run_count (
  workflow_id text not null,
  status text not null,
  count integer not null,
  primary key (workflow_id, status)
) strict, without rowid;
insert into run_count (workflow_id, status, count)
  select workflow_id, status, count(*) from run group by workflow_id, status;

-- The writer counts what it makes and moves, once per transaction; what is removed counts itself.
create trigger run_removed after delete on run
begin
  insert into run_count (workflow_id, status, count) values (old.workflow_id, old.status, -1)
    on conflict do update set count = count - 1;
end;
`

const runLines = `
-- Serves: runs that wait for a permit before they start, most urgent and then longest waiting first.
drop index run_blocked;
create index run_line on run (
  blocked_by,
  (case coalesce(body ->> 'priority', 'NORMAL')
    when 'CRITICAL' then 0 when 'HIGH' then 1 when 'NORMAL' then 2 when 'LOW' then 3 else 4 end),
  (coalesce(body ->> '$.permits.blockedSince', 0)),
  id
) where blocked_by is not null;
`

const signalWaiters = `
-- Of waiting work (queue 3) blocked_by is the name of the signal; empty where only the events tell it.
update work set blocked_by = '' where queue = 3;
-- Serves: events, for all who wait for one of their name.
create index work_signal on work (blocked_by, registered_at, id) where queue = 3 and blocked_by is not null;
`

const shortRows = `
-- Texts that very many rows repeat: workflows, definitions, runners, statuses. Nothing is ever removed here.
create table name (
  key integer primary key,
  text text not null unique
) strict;
insert into name (text) select workflow_id from run union select status from run;

-- Hashes are bytes. A body may name texts by their keys, between control characters.
create table event_row_short (
  position integer primary key,
  count integer not null,
  run_key integer,
  run_version integer,
  hash blob not null,
  body text not null
) strict;
insert into event_row_short select position, count, run_key, run_version, unhex(hash), body from event_row;
drop table event_row;
alter table event_row_short rename to event_row;
create index event_run on event_row (run_key) where run_key is not null;
create trigger event_row_fixed before update on event_row
begin
  select raise(abort, 'an event may not be changed');
end;

create table pruned_event_short (
  position integer primary key,
  count integer not null,
  hash blob not null
) strict;
insert into pruned_event_short select position, count, unhex(hash) from pruned_event;
drop table pruned_event;
alter table pruned_event_short rename to pruned_event;

-- Status and workflow are names. The body is packed; what SQL itself asks for has columns.
create table run_short (
  key integer primary key,
  id text not null unique,
  status integer not null,
  phase integer not null,
  workflow integer not null,
  request_id text,
  deadline_at integer,
  ended_at integer,
  parent_id text,
  -- Which permit it awaits before it starts, and its place in that line.
  blocked_by text,
  line_rank integer,
  line_since integer,
  body text not null
) strict;
insert into run_short
  select key, id, (select key from name where text = status), phase,
    (select key from name where text = workflow_id), request_id, deadline_at, ended_at,
    body ->> 'parentRunId', blocked_by,
    iif(blocked_by is null, null, case coalesce(body ->> 'priority', 'NORMAL')
      when 'CRITICAL' then 0 when 'HIGH' then 1 when 'NORMAL' then 2 when 'LOW' then 3 else 4 end),
    iif(blocked_by is null, null, coalesce(body ->> '$.permits.blockedSince', 0)), body
  from run;
drop table run;
alter table run_short rename to run;
create index run_request on run (request_id) where request_id is not null;
create index run_status on run (status, key);
create index run_workflow on run (workflow, key);
create index run_deadline on run (deadline_at, id) where phase > 0 and deadline_at is not null;
create index run_ended on run (ended_at, key) where phase = 0;
create index run_line on run (blocked_by, line_rank, line_since, id) where blocked_by is not null;
create trigger run_removed after delete on run
begin
  insert into run_count (workflow_id, status, count)
    select w.text, s.text, -1 from name w, name s where w.key = old.workflow and s.key = old.status
    on conflict do update set count = count - 1;
end;
`

/** A row of work has the key of its run times this, and its number in the run. */
export const workPerRun = 1_048_576

const workByRun = `
-- The key is that of the run times 2^20 and the row's number in the run, so that a run's rows lie together.
create table work_by_run (
  key integer primary key,
  run_key integer not null references run (key),
  id text not null,
  queue integer not null,
  rank integer not null,
  -- From when on it may be claimed (queue 1) or is to be woken (queue 3).
  available_at integer,
  pool text not null,
  task_kind text not null,
  owner text,
  lease_expires_at integer,
  deadline_at integer,
  route text,
  avoid text,
  blocked_by text,
  registered_at integer not null,
  check ((queue = 2) = (owner is not null)),
  check ((owner is null) = (lease_expires_at is null))
) strict;
insert into work_by_run
  select run_key * 1048576 + row_number() over (partition by run_key order by key) - 1, run_key, id, queue, rank,
    available_at, pool, task_kind, owner, lease_expires_at, deadline_at, route, avoid, blocked_by, registered_at
  from work;
drop table work;
alter table work_by_run rename to work;
create index work_claim on work (rank, available_at, id) where queue = 1;
create index work_owned on work (queue) where queue = 2;
create index work_wake on work (available_at, id) where queue = 3 and available_at is not null;
create index work_avoid on work (avoid, rank, available_at, id) where queue = 1 and avoid is not null;
create index work_preferred on work (route ->> 'preferredUntil')
  where queue = 1 and route is not null;
create index work_blocked on work (blocked_by, rank, available_at, id) where queue = 4;
create index work_signal on work (blocked_by, registered_at, id) where queue = 3 and blocked_by is not null;
-- Serves: the services that go through all that is available, page by page.
create index work_listed on work (registered_at, id) where queue = 1;
`

/** All migrations in order; the last one's version is the form that this code reads and writes. */
export const migrations: readonly Migration[] = [
  { version: 1, name: 'initial', sql: initial },
  { version: 2, name: 'routed-work', sql: routedWork },
  { version: 3, name: 'run-counts', sql: runCounts },
  { version: 4, name: 'run-lines', sql: runLines },
  { version: 5, name: 'signal-waiters', sql: signalWaiters },
  { version: 6, name: 'short-rows', sql: shortRows },
  { version: 7, name: 'work-by-run', sql: workByRun },
  { version: 8, name: 'large-files', sql: largeFiles },
  { version: 9, name: 'parked-work', sql: parkedWork },
  { version: 10, name: 'due-registers', sql: dueRegisters },
  { version: 11, name: 'lines-that-end', sql: linesThatEnd },
]
