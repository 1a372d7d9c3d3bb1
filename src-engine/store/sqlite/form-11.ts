/** Form 11: who stands in line, and for how long, is found by an index. A released form is never edited. */

/** The migration from form 10. */
export const linesThatEnd = `
-- Of work in line (queue 4) deadline_at is when it gives up; null where it waits as long as it takes.
-- Serves: timers.
create index work_line_end on work (deadline_at, id) where queue = 4 and deadline_at is not null;
`
