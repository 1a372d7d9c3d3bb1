/** What the designer says about triggers. */

export const triggers = {
  title: 'Triggers',
  none: 'Runs are started by hand. Add what starts them by itself; it acts once the workflow is published.',
  some: 'They act as they were when the workflow was published last.',
  publish: 'Publish, so that they act',
  published: 'Published on this computer.',
  noneActs: 'None of its triggers is on: runs are started by hand.',
  oneActs: 'Its trigger acts from now on.',
  manyAct: 'Its {count} triggers act from now on.',
  add: 'Add a trigger',
  addShort: 'Add trigger …',
  name: 'Title',
  isOn: 'On',
  off: 'off',
  remove: 'Remove {title}',
  unknown:
    'Nothing here knows the kind “{kind}”. The trigger keeps its data as it is; install the package that has it, or remove the trigger.',
  preview: 'Next starts',
  never: 'It never starts again.',
  change: {
    gap: 'clocks skip its time that day',
    first: 'its time comes twice: the first',
    second: 'its time comes twice: the second',
  },
  late: '{span} later',
} as const
