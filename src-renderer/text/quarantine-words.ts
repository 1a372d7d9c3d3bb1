/** What the designer says about results that are held back. */

export const quarantine = {
  page: 'Quarantine',
  empty: 'No result is held back. What the output policy doesn’t allow comes here.',
  off: 'Results are not judged: the setting output_policy_enabled is off.',
  list: 'Results that are held back',
  one: '1 result is held back',
  many: '{count} results are held back',
  phases: { metadata: 'before it was handed on', content: 'after it was handed on' },
  decisions: { quarantine: 'Held back', deny: 'Denied', redact: 'Redacted' },
  severity: { low: 'low', medium: 'medium', high: 'high', critical: 'critical' },
  rule: 'Rule',
  noRule: 'the check itself failed',
  found: 'What was found',
  nothingFound: 'The rule needed nothing in it to decide.',
  dependents: 'Steps that had begun to work with it',
  dependentsHint: 'They aren’t run again: look at what they did.',
  moreDependents: 'and {count} more',
  content: 'The result',
  look: 'Look at it',
  lookHint: 'That somebody looked is kept in the run’s history.',
  openRun: 'Open the run',
  release: 'Release …',
  discard: 'Discard …',
  reason: 'Why, for who reads it later',
  ask: {
    release: {
      title: 'Release this result?',
      text: 'It counts after all: every list, step and person may see it. Who released it is kept in the run’s history.',
      goesOn:
        'It counts after all, and the run that ended without it goes on from there. Who released it is kept in the run’s history.',
      label: 'Release',
    },
    discard: {
      title: 'Discard this result for good?',
      text: 'Nobody can see it any more. This can’t be undone.',
      label: 'Discard',
    },
  },
  released: 'The result was released.',
  discarded: 'The result was discarded.',
} as const
