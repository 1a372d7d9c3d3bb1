/** Form 9: what waits for people is listed and comes due by indexes. A released form is never edited. */

/** The migration from form 8. */
export const parkedWork = `
-- Serves: the inbox of people, in order of registration. What is parked (queue 5) waits for one of them.
create index work_parked on work (registered_at, id) where queue = 5;
-- Serves: approvals that become more urgent, or are over, at an instant.
create index work_parked_due on work (available_at, id) where queue = 5 and available_at is not null;
`
