/** What the designer says about undoing: before a run, while it is undone, and afterwards. */

/** Why a node can't undo another. */
export const undoRefusals = {
  'unknown-node': 'That node is not there any more.',
  itself: 'A node can’t undo itself.',
  container: 'What has steps inside can’t undo another node.',
  steers: 'What only says where a run goes on takes nothing back.',
  waits: 'What waits for somebody can’t undo: a rollback goes on by itself.',
  'undone-itself': 'What undoes another node isn’t undone itself.',
  'on-the-way': 'Only a node that nothing leads to, and that leads nowhere, can undo another one.',
  border: 'Only a node of the same body can undo this one.',
} as const

/** In the inspector. */
export const undo = {
  lead: 'What is to happen when the run is undone after this step was done.',
  way: 'How it is undone',
  ways: {
    none: 'Nothing is said',
    task: 'By a task of its own',
    node: 'By another node',
    impossible: 'It can’t be undone',
  },
  hints: {
    none: 'Its effect stays when the run is undone, and it is listed as left behind.',
    noEffect: 'This step does nothing outside of the run: there is nothing to undo.',
    task: 'It runs once, as urgent work, after everything that came later was undone.',
    node: 'That node never runs on the way forward. Draw to it from the undo port below the card.',
    impossible: 'People see the reason before they run the workflow, and again when it is undone.',
  },
  reads:
    'Its texts see what it undoes: original.input, original.output, original.error, beside all that the step itself sees.',
  kind: 'Task',
  chooseKind: 'Choose a task …',
  node: 'Node',
  chooseNode: 'Choose a node …',
  noNodes: 'No node stands aside yet. Add one that nothing leads to, then choose it here.',
  reason: 'Why it can’t be undone',
  reasonHint: 'Such as: a mail that was sent can’t be called back.',
  showNode: 'Show that node',
  refusedNode: '{title} stands aside, too, and can’t be chosen. {why}',
  parameters: 'What it does',
  retry: 'Retry',
  timeout: 'Timeouts',
  undoes: 'It undoes {titles}. It runs only then, never on the way forward.',
  input: 'What arrives at it',
  inputGroup: 'What arrives',
  inputHint:
    'As JSON; its texts may hold expressions. Empty: input, output and error of the step that it undoes.',
  key: 'Idempotency key',
  keyGroup: 'Key, labels and variables',
  keyHint: 'Handed to the outside, the same in every try. Empty: made from run, step and task.',
  labels: 'Labels',
  labelsHint: 'Handed to its task, beside those that say that it undoes. Policies know it by them.',
  env: 'Variables',
  envHint: 'In the environment of a program that undoes; they count before those of its task.',
  placeUsual: 'as the step, or the node that undoes',
  inputOriginal: 'input, output and error of the step',
  inputOwn: 'its own',
  keyOwn: 'set here',
  keyUsual: 'as usual',
  port: 'Draw to the node that undoes this one',
  of: 'How it was undone',
  gave: 'What undoing it gave',
  line: 'Undo',
  lineText: '“{by}” undoes “{of}” when the run is undone. It never runs on the way forward.',
  openForm: 'Retries and times',
  removeLine: 'Remove',
  badge: {
    task: 'Undone by: {what}',
    node: 'Undone by {what}',
    impossible: 'Can’t be undone: {what}',
  },
} as const

/** A group of nodes that is undone together. */
export const scopes = {
  title: 'Group undone together',
  untitled: 'Undone together',
  lead: 'When the run is undone, these nodes count as one: what came later is undone before any of them, what came earlier after all of them.',
  name: 'Title',
  order: 'Order within the group',
  orders: {
    reverse: {
      title: 'The last one first',
      hint: 'One after the other, each when the one before is undone.',
    },
    parallel: { title: 'All at once', hint: 'Faster, where the order doesn’t matter.' },
  },
  failure: 'If one of them can’t be undone',
  failures: {
    ask: { title: 'Ask a person', hint: 'The rollback stands still until somebody decides.' },
    retry: {
      title: 'Try it again from time to time',
      hint: 'After 30 s, then after twice as long each time, up to an hour. After two days a person is asked.',
    },
    stop: { title: 'Undo nothing more', hint: 'The run ends as abandoned. What is left is listed.' },
  },
  group: 'Undo together',
  members: 'Its nodes',
  takeOut: 'Take {title} out of the group',
  ungroup: 'Ungroup',
  partOf: 'Part of the group “{title}”.',
  edit: 'Edit the group',
  grouped: '{count} nodes are undone together.',
} as const

/** Before a run: what could be undone of it. */
export const coverage = {
  sentence: '{undoable} of {total} effects can be undone.',
  all: 'All {total} effects can be undone.',
  oneOfOne: 'Its one effect can be undone.',
  noEffects: 'No step of this workflow changes anything outside: there is nothing to undo.',
  noRollback: 'But its settings say that a failure undoes nothing.',
  stays: 'Would stay',
  missing: 'Nothing says how it is undone.',
  apart: 'It happens in a run that nobody waits for, and that is not undone with this one.',
  inside: '› {steps}',
  unknown: 'Nobody knows yet',
  notAtHand: 'What it starts can’t be looked into: it is not in the library, or known only when it runs.',
  points: 'When a step fails',
  looking: 'Being looked for…',
  morePoints: 'The first {count} are shown.',
  andMore: '{titles} and {count} more',
  oneWouldStay: 'then {titles} would stay.',
  wouldStay: 'then {titles} would stay.',
  short: '{undoable} of {total} can be undone',
  before: 'If it fails, this stays: {titles}.',
} as const

/** How undoing a run fares, and what can be done about it. */
export const rollback = {
  nothing: 'Nothing of this run can be undone, and nothing has to be: no step changed anything outside.',
  lead: 'In the order in which it is undone: the last step first.',
  before: 'What would be undone, the last step first. Nothing has been undone yet.',
  order: 'What is undone, in order',
  underWay: 'Undoing what was done: {done} of {total}.',
  shownAgain: 'How it was undone: {done} of {total}.',
  oneDone: 'The step that could be undone was undone.',
  allDone: 'All {total} steps that could be undone were undone.',
  someLeft: '{done} of {total} steps were undone; {rest} were left behind.',
  oneStays: '{done} of {total} effects were undone; 1 stays.',
  someStay: '{done} of {total} effects were undone; {rest} stay.',
  oneFailed: 'One step could not be undone; {done} of {total} are. It waits for you.',
  someFailed: '{failed} steps could not be undone; {done} of {total} are. They wait for you.',
  abandoned: 'The rollback was given up: {done} of {total} steps were undone.',
  origin: 'From here the run was taken back',
  show: 'Show what was undone',
  cardTitle: 'How the run was taken back',
  closeCard: 'Put away',
  undoneAt: 'undone',
  again: 'Watch it again',
  all: 'All details',
  retry: 'Try again',
  retryAll: 'Try again what failed',
  reason: 'Why, for who reads it later',
  leftTitle: 'Left behind',
  wouldStay: 'Would stay',
  why: {
    impossible: 'It can’t be undone.',
    missing: 'Nothing says how it is undone.',
    failed: 'Undoing it failed:',
    left: 'It was passed over.',
    abandoned: 'The rollback was given up before.',
  },
  ask: {
    compensate: {
      title: 'Undo what this run did?',
      text: 'Each step that can be undone is, the last one first. The run can’t go on afterwards.',
      label: 'Undo this run …',
    },
    skip: {
      title: 'Leave this step as it is?',
      text: 'It is listed as left behind, and the rollback goes on with the steps before it.',
      label: 'Skip …',
    },
    abandon: {
      title: 'Give up the rollback?',
      text: 'Nothing more is undone: what was not undone by now stays as it is. This can’t be taken back.',
      label: 'Give up …',
    },
  },
} as const

/** When a run is undone. */
export const rollbackWords = {
  title: 'Undo what was done',
  group: 'Undo',
  description: 'Otherwise what was done stays, and can be undone by hand.',
  choices: {
    failed: { title: 'When it failed' },
    'timed-out': { title: 'When its time was over' },
    cancelled: { title: 'When somebody cancelled it' },
    denied: { title: 'When a rule or a person denied it' },
    quarantined: { title: 'When a result was held back' },
  },
  never: 'only by hand',
  always: 'whenever it ends without success',
  some: '{count} of {total} cases',
} as const
