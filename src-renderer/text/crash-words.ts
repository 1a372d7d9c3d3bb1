/** Words about killing the worker of a run, and about what became of its steps. */

import type { CrashedEffect, CrashedStep, CrashMoment } from '../../src-engine/protocol/crash.ts'

export const crashWords = {
  title: 'Crash its worker',
  lead: 'This kills a real process, with SIGKILL, while it works on this run. Nothing is lost: whatever it held is taken over by a living worker, and below you see what was done again.',
  notEngine:
    'The engine of this window is never killed. Where it carries the run itself, the steps under way end first, and the next one goes to a worker that is started for it.',
  notThere:
    'This run is done by the runners of {name}, which other people’s work may share: none of them is killed from here. Run the workflow on this computer to crash its worker.',
  real: 'Steps that act on the outside really do so, and may do it twice: the report tells which.',
  moment: 'When',
  moments: {
    now: 'Now',
    'before-commit': 'Before the commit',
    'after-effect': 'After the effect',
  } satisfies Readonly<Record<CrashMoment, string>>,
  momentHints: {
    now: 'the process that works on it, wherever it is; or a new one as its step begins',
    'before-commit': 'its step has ended, and nobody has been told',
    'after-effect': 'the outside has seen it, and the process knows nothing of it any more',
  } satisfies Readonly<Record<CrashMoment, string>>,
  action: 'Kill the worker',
  again: 'Kill another one',
  report: 'What became of it',
  armed: 'The worker has its step; it dies once that has come so far.',
  missed: 'The worker ended without having come to that moment. The run goes on elsewhere.',
  lost: 'The worker is dead. Whoever lives finds out within a few seconds.',
  noSteps: 'Nothing has been taken from it yet.',
  recovered: 'All that it held is settled.',
  by: '{runner} died {moment}, asked for by {by}.',
  kept: '{count} ended steps were left as they are',
  keptOne: 'One ended step was left as it is',
  keptNone: 'No step had ended before',
  takeover: 'Taken over after',
  recovery: 'Settled after',
  done: 'Steps before',
  step: 'Step',
  class: 'Side effect',
  effect: 'Doubled?',
  fenced: 'Fenced',
  fencedHint: 'Whatever the dead worker still had sent under this number would be refused.',
  unknownBy: 'somebody',
  states: {
    waiting: 'waits for a worker',
    again: 'is done again',
    done: 'was done again',
    person: 'waits for a person',
    'given-up': 'was given up',
  } satisfies Readonly<Record<CrashedStep['state'], string>>,
  effects: {
    none: 'Nothing to double',
    idempotent: 'Perhaps, and twice is as good as once',
    keyed: 'Asked for twice with one key: the other side can tell',
    doubled: 'Perhaps: it is unsafe and began again',
    asked: 'No: a person decides first',
  } satisfies Readonly<Record<CrashedEffect, string>>,
  tones: {
    none: 'good',
    idempotent: 'good',
    keyed: 'wait',
    doubled: 'bad',
    asked: 'wait',
  } satisfies Readonly<Record<CrashedEffect, string>>,
} as const
