/** A line between groups of a menu's entries. */
export const rule = '—'
