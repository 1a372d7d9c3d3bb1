/** What the designer says about the records of triggers. */

export const records = {
  page: 'Triggers',
  tabs: { firings: 'What triggers did', events: 'Events' },
  label: 'Records of triggers',
  trigger: 'Trigger',
  every: 'All triggers',
  outcome: 'Outcome',
  outcomes: {
    all: 'Started and skipped',
    started: 'Only what started runs',
    skipped: 'Only what was skipped',
  },
  started: 'Started a run',
  skipped: 'Skipped: {why}',
  empty:
    'No trigger has done anything yet. Add one at the left edge of a workflow’s canvas and publish it; what starts a run is then told here, and what doesn’t, with its reason.',
  noneOfTrigger: 'This trigger has met nothing yet.',
  none: 'Nothing of that outcome.',
  choose: 'Choose a record.',
  count: '{count} newest',
  older: 'Older ones',
  now: {
    title: 'As it is now',
    on: 'On',
    off: 'Off: whatever comes starts nothing.',
    problem: 'It can’t act: {problem}',
    next: 'Comes next {time}.',
    never: 'Its schedule has no slot left.',
    waiting: 'Waits with {count} that it has met.',
    since: 'What came before {time} doesn’t count: it was published or switched on then.',
    unread: 'Its stream isn’t read since {time}: {message} {hint}',
    unwatched: 'Its folder can’t be read since {time}: {message} {hint}',
    read: 'It decided the entry {id} last, {time}.',
    open: '{count} of its entries are not acknowledged yet.',
  },
  chain: {
    title: 'How it came',
    source: 'What happened',
    condition: 'Trigger',
    firing: 'Decision',
    run: 'Run',
  },
  slots: '{count} slots, from {from} to {to}',
  oneSlot: 'the slot of {from}',
  depth: 'It is number {depth} of runs that started each other.',
  showRun: 'Show the run',
  showEvent: 'Show the event',
  showTrigger: 'Show the trigger',
  onlyThis: 'Only this trigger',
  whatToDo: 'What to do',
  events: {
    label: 'Events',
    empty:
      'No event is kept. One is once a trigger of the kind “On an event” is published: from steps, the command line or the API.',
    metNone: 'no trigger met it',
    metOne: 'met 1 trigger',
    met: 'met {count} triggers',
    payload: 'What it carried',
    nobody:
      'No published trigger that was on listens to this name with a filter that fits. What is published later doesn’t hear it.',
    gathered: 'is gathered with others, and has not been answered yet',
    from: 'From',
    outside: 'outside: command line, API or app',
    id: 'Id of the message',
    key: 'Correlation',
    at: 'When',
    showSender: 'Show the run that emitted it',
  },
  banner: 'Started by the trigger “{title}”. {words}',
  why: 'Why?',
} as const

/** By reason, what a person can do about a skip. */
export const skipHints: Readonly<Record<string, string>> = {
  missed:
    'Nothing looked at schedules then. To make up for what is missed, set “Missed starts” to once or all; to miss less, let Sagasmith run in the background or start a runner.',
  outside_window: 'Make “Catch up on” longer if such old slots are still worth a run.',
  too_many_missed: 'Raise “At most” if more of them are to be made up for.',
  still_running:
    'Start runs beside each other or queue them (“If the last run still goes on”), or have it come less often.',
  queue_full: 'Runs come faster than they end: have it come less often, or let more go on at once.',
  input_invalid: 'Change the trigger’s input, or the form that the workflow asks for.',
  not_startable: 'Publish the workflow again.',
  loop: 'Look at the chain of runs that started each other, and end the circle with a filter.',
  expression_failed: 'Mend the expression of its filter or input, and publish the workflow.',
  filtered: 'Compare what came with the filter of the trigger; if it was meant, make the filter wider.',
  condition: 'Look at the triggers that it is a condition of: these start the runs.',
  expired: 'Let it wait longer (“Waits at most”), if so late a start is still worth it.',
  repeated:
    'If it was another one after all, change the expression of its key, or for how long a key is known.',
}
