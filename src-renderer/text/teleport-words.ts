/** What people read about runs of clusters that were brought here. */

import type { ReplayVerdict } from '../../src-engine/protocol/teleport.ts'

export const verdictWords: Readonly<Record<ReplayVerdict, string>> = {
  same: 'Same',
  differs: 'Differs',
  new: 'New',
  gone: 'Gone',
  failed: 'Fails',
  kept: 'Kept',
  open: 'Open',
}

export const differenceWords = {
  definition: 'What it is',
  input: 'Input',
  parameters: 'Parameters',
  status: 'State',
  output: 'Output',
  ports: 'Way out',
  error: 'Error',
} as const

export const teleportWords = {
  pull: 'Bring here',
  pullHint:
    'Copy this run with its whole history to this computer, to look at it, replay it and go on from it',
  pulling: 'Bringing it here …',
  pullingEvents: 'Bringing it here: {events} events …',
  pullingPayloads: 'Bringing it here: {events} events, {payloads} payloads, {megabytes} MB …',
  oneRunHere: 'One run of the family is here.',
  runsHere: '{runs} runs of the family are here.',
  beginWith: 'Begin with',
  allSteps: 'The first step',
  failedSteps: 'What failed',
  pulled: '{title} is here now: {events} events.',
  copy: 'A copy of a run of',
  asOf: 'brought here {time}',
  snapshot: 'It had not ended',
  replay: 'Replay …',
  resume: 'Resume there …',
  again: 'Bring again',
  forget: 'Forget',
  forgotten: 'The copy is forgotten. Nothing happened on {name}.',
  listTitle: 'Brought here',
  replayTitle: 'Replay of {title}',
  replaying: 'Replaying …',
  replayLead:
    'Every step is run again on what was recorded. Nothing outside is touched, and nothing is kept.',
  withWhat: 'Version',
  recorded: 'As it ran',
  open: 'The open workflow',
  isSame: 'Every step comes out as it did, and so does the run.',
  ends: 'The run ends as {replayed}; it was {recorded}.',
  steps: 'Steps',
  canvas: 'The workflow with what the replay made of it',
  nothing: 'nothing',
  resumeTitle: 'Resume {title} on {name}',
  resumeLead: 'The run goes on there, on its cluster’s runners.',
  asking: 'Asking {name} …',
  beginsAnew: 'Begins anew: {steps}. The rest keeps its result.',
  pushed: 'The version is pushed first.',
  noPush: 'The run stays on its version.',
  refused: 'It can’t go on as things are',
  confirm: 'Resume there',
  confirmPush: 'Push and resume',
  close: 'Close',
} as const
