/** Form 10: registers that come due are found by an index. A released form is never edited. */

/** The migration from form 9. */
export const dueRegisters = `
-- When it comes due; null for a register that never does.
alter table register add column due_at integer;
-- Serves: what has come due, however many registers there are.
create index register_due on register (due_at, key) where due_at is not null;
`
