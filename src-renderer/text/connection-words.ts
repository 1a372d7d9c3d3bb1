/** While the engine is away. */
export const connectionWords = {
  lost: 'The engine doesn’t answer; it is asked again.',
  kept: 'What you draw stays in this window. Runs are shown as they were last seen, and go on from there once it is back.',
  start: 'If it was ended, start it again with `sagasmith serve` on the same data.',
  page: 'The engine doesn’t answer. What belongs here is shown once it is back.',
} as const
