/** Form 12: a run that begins has no text of its own. A released form is never edited. */

/** The migration from form 11: no table differs, but who knows only that form couldn't read the rows. */
export const runsWithoutText = `
-- The body of a run is empty for as long as its first row of events tells all of it.
`
