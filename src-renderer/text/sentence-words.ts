/** The sentences about what a step's settings come to. */

export const policySentence = {
  title: 'What this comes to',
  disabled: 'It is switched off: it is skipped, and so is what only it leads to.',
  bypassed: 'It is bypassed: it hands on what arrives, and does nothing.',
  skipped: 'It is skipped where this is true, and so is what only it leads to: {condition}',
  passedOver: 'It hands on what arrives, and does nothing, where this is true: {condition}',
  cached:
    'Where it gave a result for the same parameters and input within {span}, that is taken over, and it doesn’t run.',
  cachedBy:
    'Where it gave a result for the same value of {key} within {span}, that is taken over, and it doesn’t run.',
  once: 'It is tried once.',
  steady: 'It is tried up to {count} times, {delay} apart',
  growing:
    'It is tried up to {count} times, first {delay} apart, then {factor} times as long each time, at most {max}',
  worthIt: ', while its error is worth another try',
  onlyOn: ', only after {codes}',
  onNothing: ', though no error is named after which it is',
  neverOn: ', never after {codes}',
  onlyIf: ', only where this is true: {condition}',
  attempt: 'A try ends after {span}',
  heartbeat: ', or once it has said nothing for {span}',
  total: '; all of them together after {span}',
  pool: 'It runs in the pool {pool}.',
  lost: {
    ask: 'If its runner is lost while it is at work, a person decides whether it is run again.',
    retry: 'If its runner is lost while it is at work, it is run again.',
    fail: 'If its runner is lost while it is at work, it fails.',
    verify:
      'If its runner is lost while it is at work, the next attempt finds out whether it happened; where that can’t be told, a person decides.',
  },
  stops: 'Where this is true of what it gives, the run ends after it as {status}: {condition}',
  redacts:
    'What stands at {paths} in its output is replaced by a mark before anything is written; steps that read it get the mark.',
  keeps: {
    summary: 'When the run is over, only the shape of what it was called with and gave stays.',
    none: 'When the run is over, nothing of what it was called with and gave stays.',
  },
  errorPort: 'When its last try has failed, the run goes on at its error port.',
  goesOn: 'When its last try has failed, the run goes on with what is given instead.',
  fails: 'When its last try has failed, the run fails, and what else is under way is stopped.',
  failsLater: 'When its last try has failed, the run fails once the other branches are done.',
  undone: 'When the run is undone, {by} undoes it.',
  impossible: 'It can’t be undone: {reason}',
  stays: 'When the run is undone, its effect stays.',
} as const
