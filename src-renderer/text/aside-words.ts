/** What people read about a run in a window of its own. */

export const asideWords = {
  blocked: {
    message: 'The browser opened no window.',
    hint: 'Allow this page to open windows, then try again.',
  },
  follows: 'This window follows what is selected in the one that it was opened from.',
} as const
