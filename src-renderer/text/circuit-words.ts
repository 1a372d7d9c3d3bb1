/** The circuit breaker of a step. */
export const circuits = {
  title: 'Circuit breaker',
  closed: 'Closed. Whatever comes gets in.',
  counted: 'Closed. {count} of {max} failures lately.',
  open: 'Open',
  halfOpen: 'Trying again',
  since: 'Since',
  until: 'Until',
  failures: 'Failures',
  error: 'The last one',
  inside: 'Inside now',
  forKey: 'for {key}',
  reset: 'Close it now',
} as const
