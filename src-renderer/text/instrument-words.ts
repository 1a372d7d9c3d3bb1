/** Words of the instruments on a card of a live run. */

export const instrumentWords = {
  limit: 'Timed out at {time}, if it isn’t done before',
  lease: 'Runner {runner} has it; without a word it counts as lost in {left}',
  lost: 'Runner {runner} was lost with try {number}',
  takenOver: 'Runner {runner} was lost with try {number}; {by} took over',
  follow: 'Follow the run',
  following: 'Following the run',
  stopFollowing: 'Stop following',
} as const
