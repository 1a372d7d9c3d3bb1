/** What completion says of what the code of a JavaScript step is handed: the type of each name, and what it is for. */

interface HandedName {
  /** As TypeScript would write it. */
  readonly type: string
  readonly help: string
  readonly inside?: Readonly<Record<string, HandedName>>
}

const signal = {
  aborted: {
    type: 'boolean',
    help: 'Whether it has been told to stop. Code that works for long looks now and then.',
  },
  reason: {
    type: 'Error | undefined',
    help: 'Why it is to stop: an AbortError where the step is cancelled, a TimeoutError where its time is nearly over.',
  },
  throwIfAborted: { type: '() => void', help: 'Ends the code with that reason once it is to stop.' },
  addEventListener: {
    type: "('abort', listener) => void",
    help: 'Calls the listener when it is told to stop. What it writes into the log is still kept.',
  },
  removeEventListener: { type: "('abort', listener) => void", help: 'Calls that listener no more.' },
  onabort: { type: '(event) => void', help: 'One listener, for code that needs no more.' },
} as const satisfies Record<string, HandedName>

const ctx = {
  log: { type: '(...values) => void', help: 'Writes a line into the log of the step, as console.log does.' },
  secrets: {
    type: 'Record<string, string>',
    help: 'What the step hands in under “Secrets”. No others are there, and none is shown in the log.',
  },
  signal: {
    type: 'AbortSignal',
    help: 'Hears that the step is cancelled, or that its time is nearly over. Code that asks for it may end by itself.',
    inside: signal,
  },
  idempotencyKey: {
    type: 'string',
    help: 'The same in each attempt of this step: hand it to services that must do a thing only once.',
  },
  attempt: { type: 'number', help: 'Which attempt this is; the first is 1.' },
} as const satisfies Record<string, HandedName>

export const handedWords: Readonly<Record<string, HandedName>> = {
  input: { type: 'JSON', help: 'What arrives at this step.' },
  run: { type: 'object', help: 'The run: its id, its input, and when it began.' },
  vars: { type: 'object', help: 'The variables of the workflow.' },
  ctx: {
    type: 'object',
    help: 'What goes with this attempt: its log, its secrets, its signal to stop, its key and its number.',
    inside: ctx,
  },
}

/** Beside the name of a secret that the step hands in. */
export const handedSecret = { type: 'string', help: 'Handed in by this step under “Secrets”.' } as const
