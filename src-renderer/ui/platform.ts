/** What the keyboard looks like here. */

/** Whether chords are written and read as on a Mac. */
export const isMac = typeof navigator !== 'undefined' && /mac/i.test(navigator.platform)
