/** Sentences that a person reads. Labels of one word stand where they are used. */

/** Why two ports can't be connected. */
export const refusals = {
  'unknown-node': 'That node is not there any more.',
  itself: 'A node can’t lead to itself.',
  'no-input': 'Nothing can lead to this kind of node.',
  'no-such-port': 'That way out does not exist any more.',
  already: 'These two are connected already.',
  border: 'A map or loop hands on for its body: only steps of the same body lead to each other.',
  undoes: 'This node undoes another one: the way forward doesn’t lead over it.',
  cycle: 'This would lead back to where it came from. Workflows run forward only.',
} as const

/** Names of the sections and what they say while there is nothing to show. */
export const empty = {
  title: 'What shall we run?',
  lead: 'Open a sample and press Run: they bring their own data and need no network, or say what to start first.',
  needsServices: 'Needs services of its own.',
  blank: 'Blank workflow',
  blankLead: 'Draw your own, from an empty canvas.',
  open: 'Open a workflow …',
  runners: 'No runner has joined yet.',
  pools: 'No pool is known: no runner has joined, and nothing was said about one.',
  deadLetters: 'Nothing needs you. What can’t be finished on its own is kept here.',
  filteredRuns: 'No run is in that state.',
  runs: 'No runs yet. Press Run to start the first one.',
  files: 'No workflow is saved in the workspace yet.',
  problems: 'No problems. This workflow can run.',
  turnNotRun: 'This node has not run in the chosen item or turn.',
  nodeNotRun: 'This node has not run yet. Its input, output and log will show up here.',
  log: 'Nothing has been logged in this run.',
  noRun: 'No run is open. Press Run, or open one from the list of runs.',
  search: 'Nothing fits that search.',
  noSettings: 'Pick a node to see its parameters, settings and data.',
} as const

/** The groups of task kinds, in the order in which they are offered. */
export const categoryTitles = {
  flow: 'Flow',
  data: 'Data',
  files: 'Files',
  network: 'Network',
  code: 'Code',
  debug: 'Debug',
} as const

/** On a canvas without nodes. */
export const beginning = {
  title: 'What happens first?',
  lead: 'Pick a task to begin with, or drag one here from the left. Each one you add can lead to the next.',
  drop: 'Drop it anywhere.',
  all: 'Search all tasks',
  status: 'Nothing to run yet',
  problems: 'Nothing is on the canvas yet. Add a first task, and what is wrong with it is listed here.',
} as const

/** What a preview under a field says. */
export const preview = {
  noData: 'no data yet — run once to see the value',
  working: 'evaluating …',
} as const

/** The questions of dialogs. */
export const questions = {
  taken: '“{name}” is there already. Replace it, or keep both?',
  discardTitle: 'Close without saving?',
  discard: 'The changes to “{title}” are kept as a draft and can be restored from the start page.',
} as const

/** Where a step names another workflow. */
export const workflows = {
  choose: 'Choose a workflow …',
  other: 'Another, by id, path or expression …',
  reference: 'Id, path or expression',
  newest: 'The newest when the run starts',
  unknownVersion: '(not published here)',
} as const

/** Where an event is told. */
export const clusterChoice = {
  here: 'Here, where the run is',
  other: 'Another, by its name or an expression …',
  name: 'Name of a connection, or an expression',
  readOnly: '(read-only)',
  closed: 'This connection may change nothing: the step would fail. Allow changes on the page of clusters.',
} as const

/** What the buttons beside a path do. */
export const paths = {
  file: 'Choose a file for {title}',
  folder: 'Choose a folder for {title}',
} as const

/** Where a value comes from that a person didn’t set. */
export const origins = {
  plain: 'as usual',
  kind: 'from its kind',
  workflow: 'from the workflow',
  engine: 'from the engine',
  sideEffect: 'from the one above',
  topic: 'its kind',
  mapped: 'topic “{topic}”',
  unmapped: 'no pool takes its topic',
} as const

/** What folded settings come to. */
export const summaries = {
  none: 'none',
  noLimit: 'no limit',
  noPool: 'no pool',
  noHosts: 'no private hosts',
  oneHost: '1 host',
  hosts: '{count} hosts',
  othersFinish: 'others finish first',
  neverSkipped: 'never',
  skipped: 'if {condition}',
  passedOver: 'if {condition}, and the next goes on',
  once: 'tried once',
  attempts: '{count} attempts, {delay} apart at first',
  retriedIf: 'if {condition}',
  perAttempt: '{span} per attempt',
  inAll: '{span} in all',
  runFails: 'the run fails',
  goesOn: 'the run goes on',
  checked: 'checked',
  join: { all: 'waits for all', any: 'goes with the first', count: 'waits for {count}' },
  onLost: { ask: 'a person decides', retry: 'runs again', fail: 'fails', verify: 'finds out first' },
  limit: '{limit} at a time',
  othersWait: 'others wait',
  othersEnd: 'others end',
  deduplicated: 'the same work is one',
  rate: '{count} per {span}',
  placeRules: '{place}, {count} conditions',
} as const

/** Above the canvas while the playhead is in the past. */
export const past = 'You are looking at {time} of this run. Canvas, inspector and log show that moment.'

/** Above the canvas: what a run is shown on that isn't one of the open document. */
export const onItsVersion = {
  alone: 'shown on the version it ran on',
  changed: 'shown on the version it ran on, which has been changed since',
  foreign: 'another workflow than the one you have open',
} as const

/** A step that waits for a person because nobody knows whether its effect happened. */
export const doubt = {
  title: 'What happened here?',
  text: 'This step was cut off while it ran. Its effect may have happened, or may not. Look at the outside system, then choose.',
  again: 'The effect did not happen, or may happen twice',
  doneAsk: 'The effect happened: say what it gave, and go on',
  done: 'The effect happened: go on with the output below',
  fail: 'End this step as failed; its error way is taken when it has one',
  output: 'Output to go on with, as JSON, when it is taken as done',
  notJson: 'This is not JSON. Text needs quotes: "like this".',
  card: 'Decide what it counts as',
  oneMore: 'So does one more step.',
  more: 'So do {count} more steps.',
  banner: '“{title}” was cut off while it ran. The run waits for you to say what it counts as.',
} as const

/** Sending what a step waits for. */
export const signal = {
  title: 'Send the signal',
  text: 'It waits for',
  of: 'of',
  payload: 'What it carries, as JSON; nothing is null',
  send: 'Send',
} as const

/** Why a step isn’t at work, in the inspector. */
export const why = {
  title: 'Why it waits',
  used: '{used} of {limit} taken',
  position: 'Number {position} of {count} in line. Taken by:',
} as const

/** What the buttons of a step do. */
export const stepHints = {
  pause: 'Nothing of it begins, or its program stands still, until it is resumed',
  resume: 'Goes on where it stopped',
  skip: 'Ends it as if a branch had left it out; the run goes on',
  retry: 'This step, what failed and all that follows begin anew; the rest keeps its result',
} as const

/** Where a person writes the input of a run. */
export const inputs = {
  loading: 'Fetching the input …',
  asItWas: 'As it was',
} as const

/** Where a run is run again. */
export const reruns = {
  again: { failed: 'Retry what failed', stopped: 'Go on where it stopped' },
  lead: 'A new run begins from the start, with this input. The run shown stays as it is.',
  leadUnderWay:
    'The run shown is still under way and goes on. A second run begins from the start, with this input.',
  retryFailed:
    'What failed, was cancelled or timed out begins anew, and all that follows. The rest keeps its result.',
  retryFrom: '“{title}”, what failed, and all that follows begin anew. The rest keeps its result.',
  same: 'The version it ran on',
  sameHint: 'exactly as it was then',
  open: 'The workflow as it is open now',
  openHints: {
    edited: 'with what was edited since',
    same: 'nothing was edited since',
    other: 'open this workflow first to choose it',
  },
} as const

/** On the page of runners. */
export const standings = {
  lastHeard: 'last heard {when}',
  room: 'room for {count} more',
  noRoom: 'no room for more',
  slots: 'full: others go first',
  machine: 'its machine is busy: others go first',
  draining: 'takes nothing new',
  first: 'goes first',
  scoreHint:
    'Its steps, and a hundredth per busy percent of its machine. The runner with the lowest gets new work first.',
} as const

/** On the page of pools. */
export const pools = {
  nothingWaits: 'Nothing waits',
  drain: 'Takes no new work and ends what it has; then it is inactive',
  takeOut: 'Inactive at once: what it has ends, nothing new begins',
  activate: 'Takes work again',
  limit: 'How many of its steps run at once, on all runners together. Empty: no limit.',
  notANumber: 'A whole number from 1 on, or nothing for no limit.',
  topics: 'Steps of these topics, or of kinds of that name, go to this pool.',
  addHint: 'To map topics to it, or to limit it, before the first runner joins.',
  isThere: 'That pool is in the list already.',
} as const

/** Where a step runs another workflow. */
export const children = {
  title: 'The run that it started',
  startedBy: 'A step of another run started this one.',
  again: 'This run does again what another one did.',
} as const

/** The runs that belong together. */
export const family = {
  title: 'Family of the run',
  alone: 'Nobody started this run but you, and none of its steps has started another.',
  children: 'What {title} started',
  noChildren: 'It has started no other run.',
  by: 'by {step}',
  gone: 'The run of {step} is no longer kept.',
  more: 'and {count} more',
} as const

/** What is asked of many runs at once. */
export const bulk = {
  none: 'Nothing can be asked of these.',
  refused: '{count} runs refused.',
  ask: {
    cancel: {
      title: 'Cancel these runs?',
      text: 'The {count} runs end: what is under way is stopped, and nothing new begins.',
      label: 'Cancel {count} runs',
    },
    rerun: {
      title: 'Run these again?',
      text: '{count} new runs start, each on the version and with the input that the old one had. What they do outside is done once more.',
      label: 'Run {count} again',
    },
  },
  results: 'What became of each run',
  refusedOne: '1 run refused.',
  done: 'Done: ',
  refusal: 'Refused: ',
  open: 'Open this run',
  openNew: 'Open the new run',
  moreResults: 'Show {count} more',
  one: {
    pause: 'The run pauses.',
    resume: 'The run goes on.',
    cancel: 'The run is being cancelled.',
    retry: 'The run goes on from what failed.',
    rerun: '1 new run was started.',
  },
  many: {
    pause: '{count} runs pause.',
    resume: '{count} runs go on.',
    cancel: '{count} runs are being cancelled.',
    retry: '{count} runs go on from what failed.',
    rerun: '{count} new runs were started.',
  },
} as const

/** What is asked of every run that the list’s filter fits. */
export const bulkAll = {
  button: 'Act on all that match',
  title: 'All runs that match',
  lead: 'Filter: {filter}. What the list has not loaded yet counts, too.',
  choose: 'What shall they do?',
  progress: 'How many were asked',
  soFar: '{done} of {count}',
  version: 'On which version',
  versions: { same: 'The one that each ran on', newest: 'The newest that was published' },
  actions: {
    pause: 'Pause',
    resume: 'Resume',
    retry: 'Retry what failed',
    rerun: 'Run again',
    cancel: 'Cancel',
  },
  what: {
    pause: 'What is under way ends or stands still; nothing new begins until they are resumed.',
    resume: 'They go on where they stopped.',
    retry: 'What failed begins anew; the rest keeps its result where it means the same.',
    rerun:
      'Each that ended starts as a new run with the input that it had: what it does outside is done once more. What steps of other runs started is left to those.',
    cancel: 'What is under way is stopped, and nothing new begins. This can’t be undone.',
  },
  sendOne: {
    pause: 'Pause 1 run',
    resume: 'Resume 1 run',
    retry: 'Retry 1 run',
    rerun: 'Run 1 again',
    cancel: 'Cancel 1 run',
  },
  send: {
    pause: 'Pause {count} runs',
    resume: 'Resume {count} runs',
    retry: 'Retry {count} runs',
    rerun: 'Run {count} again',
    cancel: 'Cancel {count} runs',
  },
  anyWorkflow: 'Any workflow',
  thisWorkflow: 'This workflow',
} as const

/** On the page of dead letters. */
export const letters = {
  openRun: 'Open the run',
  replayed: '“{title}” runs again.',
  goesOn: '“{title}” goes on from what failed.',
  notOn: {
    undo: 'Replay tries to undo this step again, in its own run.',
    rolledBack: 'What its run did is undone, or was to be: nothing goes on in it. Replay starts it anew.',
    underWay: 'Its run is still under way.',
    ended: 'Its run ended well without it.',
  },
  replayedMany: '{count} runs were started again.',
  discardedOne: 'The dead letter was discarded.',
  discarded: '{count} dead letters were discarded.',
  editTitle: 'Edit and replay',
  editLead: 'A new run of the same version starts with this input, and the letter is taken away.',
  discardTitle: 'Discard for good?',
  discardOne: 'The letter is taken away; its run stays in the list of runs. This can’t be undone.',
  discardMany:
    'All {count} letters shown are taken away; their runs stay in the list of runs. This can’t be undone.',
  all: { replay: 'Replay all', discard: 'Discard all' },
  replayTitle: 'Replay them all?',
  replayMany: 'A new run starts for each of the {count} letters shown, with the input it had.',
  more: 'Only {count} are shown. Deal with some of them to see the others.',
  choose: 'Pick a letter to see what happened.',
} as const

/** On the page of the settings. */
export const settingNotes = {
  noneChanged: 'Nothing was set: every value is the one that it comes with.',
  where: 'Set them on the command line, in the environment, or in',
  elsewhere:
    'These are the settings of this computer. Each runner of {name} has its own: “sagasmith config show” on its machine lists them.',
} as const

/** What the mark of an item or turn says. */
export const turnMarks: Readonly<Record<string, string>> = {
  f: 'failed',
  a: 'under way',
  w: 'waiting',
  d: 'done',
  s: 'left out',
  '.': 'not begun',
}

/** In the frame of a map, a loop or a semaphore. */
export const bodies = {
  empty: 'Drop the steps here that are to be repeated.',
  emptyOnce: 'Drop the steps here that are to have their place.',
} as const

/** Puts values into a sentence: `{title}` becomes `values.title`. */
export function fill(text: string, values: Readonly<Record<string, string | number>>): string {
  return text.replaceAll(/\{(\w+)\}/g, (whole, name: string) => String(values[name] ?? whole))
}

/** Where a pasted id leads. */
export const places = {
  run: 'Show the run {run}',
  step: 'Show the step “{step}” of {run}',
  runner: 'Show the runners, for {runner}',
  link: 'Go to {link}',
} as const
