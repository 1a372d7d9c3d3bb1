/** Words about breakpoints, steps, trials and forks. */

export const debugWords = {
  set: 'Stops before this step',
  setIf: 'Stops before this step if {condition}',
  setNth: 'Stops before this step the {nth} time',
  setNthIf: 'Stops before this step the {nth} time that {condition}',
  nth: 'the {nth} time',
  nthIf: 'the {nth} time that {condition}',
  counted: '{count} so far',
  time: 'Only the n-th time',
  timeHint: 'Empty: each time. In a map or loop, items and turns count as they begin.',
  wasSet: 'Breakpoint set.',
  wasCleared: 'Breakpoint cleared.',
  step: 'Step',
  dialog: 'Breakpoint',
  dialogLead: 'The run stops before “{title}”, for itself: other runs go on.',
  whenHint: 'Without a condition it stops each time. In a map or loop each item and turn is asked.',
  save: 'Set',
  clear: 'Clear it',
  clearAll: 'Clear all',
  change: 'Change its condition',
  always: 'each time',
  listTitle: 'Breakpoints',
  listEmpty:
    'Runs of this workflow stop nowhere. P sets a breakpoint on the selected step, Shift+P one with a condition.',
  listClose: 'Done',
  runTo: 'Run to “{title}”',
  tryTitle: 'Run only “{title}”',
  tryLead: 'It runs alone, on what the run from {time} had for the steps before it. Nothing follows.',
  tryEffect: 'This step acts on the outside: it really does what it says.',
  tryAction: 'Run the step',
  noData:
    'There is no run yet whose results this step could use. Run to the step instead, or run the workflow once.',
  forkTitle: 'Fork this run',
  forkNow: 'A new run goes on from where this one stands.',
  forkAt: 'A new run goes on from {time}, the moment you are looking at.',
  forkRest:
    'What had ended by then keeps its result and isn’t done again; everything else begins anew. This run stays as it is.',
  forkFrom: 'Begin anew with “{title}”, although it had ended',
  forkAction: 'Fork',
  forked: 'The fork goes on.',
} as const

const endings: Readonly<Record<string, string>> = { one: 'st', two: 'nd', few: 'rd', other: 'th' }
const rules = new Intl.PluralRules('en', { type: 'ordinal' })

/** 1st, 2nd, 3rd, 11th. */
export const ordinal = (number: number): string => `${number}${endings[rules.select(number)] ?? 'th'}`
