/** What the strip above the canvas and the gate of a card say about a run under way. */

/** Each has a form for the eye, which counts, and a spoken one, which changes only when the state does. */
export const explain = {
  running: { seen: 'Running “{title}”{turns} for {span}{attempt}', spoken: 'Running “{title}”{attempt}' },
  starting: { seen: 'Starting “{title}”{turns}', spoken: 'Starting “{title}”' },
  stopping: { seen: 'Stopping “{title}” since {span}', spoken: 'Stopping “{title}”' },
  body: {
    seen: '“{title}” works through its items: {done} of {total} done{failed}, for {span}',
    spoken: '“{title}” works through its items',
  },
  turns: { seen: '“{title}” is in turn {done}, for {span}', spoken: '“{title}” takes its turns' },
  inside: { seen: '“{title}” is at work inside for {span}', spoken: '“{title}” is at work inside' },
  lost: {
    seen: 'The runner of “{title}” is gone; another one takes over, with what the journal has',
    spoken: 'The runner of “{title}” is gone; another one takes over',
  },
  again: { seen: ' again after its runner was lost', spoken: ' again after its runner was lost' },
  limit: { seen: 'Waiting {span} for {key} to let “{title}” in', spoken: '“{title}” waits for {key}' },
  limits: {
    node: 'its own limit',
    args: 'the limit for its parameters',
    key: 'the limit for its key',
    rate: 'its rate limit',
    starts: 'its throttle',
    inside: 'a place inside',
    pool: 'pool `{name}`',
    tenant: 'tenant `{name}`',
    other: '`{name}`',
  },
  place: ' ({used} of {limit} busy), position {position} of {count}',
  backoff: {
    seen: '“{title}” failed{tries}; tries again {ahead}',
    spoken: '“{title}” failed{tries} and will be tried again',
  },
  timer: { seen: '“{title}” goes on {ahead}', spoken: '“{title}” waits for its time' },
  waits: { seen: '“{title}” waits {span}: {reason}', spoken: '“{title}” waits: {reason}' },
  queued: {
    seen: '“{title}” is queued for {span}{reason}',
    spoken: '“{title}” is queued{reason}',
  },
  attempt: ', attempt {attempt}',
  attemptOf: ', attempt {attempt} of {tries}',
  tries: ' {count} times',
  triesOf: ' {count} of {tries} times',
  failedItems: ', {count} failed',
  turnsOf: ' ({done} of {total})',
  others: ', and {count} more beside it',
  oneStep: ' → then up to one more step',
  steps: ' → then up to {count} more steps',
  usual: '; the whole run usually takes {span}',
  show: 'Show this step on the canvas',
} as const

/** On the card of a map or loop. */
export const deck = {
  label: '{count} items or turns, by state',
  next: '{count} {state}. Press for the next one.',
  chosen: 'No. {number} of {count}',
} as const

/** The turnstile on a card that waits for a limit. */
export const gate = {
  label: 'Limit {key}: {used} of {limit} busy, position {position} of {count} in line',
  waits: 'Waiting {span} for {key}: {used} of {limit} busy, position {position}.',
  until: 'gives up {ahead}',
  givesUp: 'It gives up at {moment}.',
  own: 'Taken by “{node}” of this run. Press to see it.',
  other: 'Taken by “{node}” of {run}. Press to open that run.',
  run: 'Taken by {run}. Press to open it.',
  unknown: 'Taken by {holder}.',
  free: 'Free: the next in line takes it.',
  moreSlots: '{count} more slots',
  line: '{position} of {count}',
} as const

/** Beside the wires of a run. */
export const live = {
  freeze: 'Last went along here: {peek}. Gone {often}. Press to keep it in sight.',
  unfreeze: 'Kept in sight: {peek}. Gone {often}. Press to let it go.',
  once: 'once',
  times: '{times} times',
  nothing: 'nothing',
  sealed: 'sealed',
  fleeting: 'not kept',
  large: '{kilobytes} KB',
} as const
