/** Form 8: what removing old runs costs doesn't grow with what is open. A released form is never edited. */

/** The migration from form 7. */
export const largeFiles = `
-- The run that it repeats; null for none, empty where only the body tells.
alter table run add column origin_id text default '';
update run set origin_id = null where phase = 0;
-- Serves: retention, which keeps what open runs name, however many are open and name none.
create index run_naming on run (key) where phase > 0 and (parent_id is not null or origin_id is not null);

-- As before, but SQLite doesn't watch over run_key: without an index on it, it went through all work for every
-- run that was removed. The key tells the run, and a run's work goes with it.
create table work_loose (
  key integer primary key,
  run_key integer not null,
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
insert into work_loose select * from work;
drop table work;
alter table work_loose rename to work;
create index work_claim on work (rank, available_at, id) where queue = 1;
create index work_owned on work (queue) where queue = 2;
create index work_wake on work (available_at, id) where queue = 3 and available_at is not null;
create index work_avoid on work (avoid, rank, available_at, id) where queue = 1 and avoid is not null;
create index work_preferred on work (route ->> 'preferredUntil')
  where queue = 1 and route is not null;
create index work_blocked on work (blocked_by, rank, available_at, id) where queue = 4;
create index work_signal on work (blocked_by, registered_at, id) where queue = 3 and blocked_by is not null;
create index work_listed on work (registered_at, id) where queue = 1;
`
