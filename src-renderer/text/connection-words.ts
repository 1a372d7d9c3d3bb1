/** While the engine is away. */
export const connectionWords = {
  lost: 'The engine doesn’t answer; it is asked again.',
  kept: 'What you draw stays in this window. Runs go on where they were once it is back.',
  start: 'If it was ended, start it again with `sagasmith serve` on the same data.',
} as const
