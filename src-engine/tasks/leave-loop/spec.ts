/** Steps inside of a loop that leave its turn: to the end of the loop, or to its next turn. */

import { z } from 'zod'
import { breakLoopKind, nextTurnKind } from '../../model/containers.ts'
import { lazily } from '../../model/lazily.ts'
import { shortened, textParameter } from '../../model/summary.ts'
import type { PortSpec, TaskSpec } from '../../model/task-spec.ts'

const valueField = (description: string, placeholder: string) =>
  z.unknown().default('').meta({
    title: 'Value',
    description,
    widget: 'expression',
    language: 'jsonata',
    placeholder,
  })

const breakParameters = lazily(() =>
  z.strictObject({
    value: valueField('JSONata for what the loop hands on; empty for the input itself.', 'input.found'),
  }),
)

const nextParameters = lazily(() =>
  z.strictObject({
    value: valueField(
      'JSONata for what the next turn begins with; empty for the input itself.',
      'loop.value',
    ),
  }),
)

/** The resolved parameters of a step that leaves a turn; `value` is its expression's value. */
export type LeaveLoopParameters = z.infer<ReturnType<typeof breakParameters>>

const noPorts: readonly PortSpec[] = []

const common = {
  category: 'flow',
  hasInput: true,
  outputs: () => noPorts,
  sideEffect: 'pure',
  execution: 'runner',
} as const

export const breakLoopSpec = {
  ...common,
  kind: breakLoopKind,
  title: 'Break loop',
  description:
    'Ends the loop around it at once: the run goes on after it. What else is under way in it is cancelled.',
  icon: 'log-out',
  keywords: ['break', 'loop', 'leave', 'exit', 'end', 'stop', 'found', 'done'],
  get parameters() {
    return breakParameters()
  },
  defaults: {},
  summary: (raw) => shortened(`ends the loop with ${textParameter(raw, 'value', 'its input')}`),
} satisfies TaskSpec<LeaveLoopParameters>

export const nextTurnSpec = {
  ...common,
  kind: nextTurnKind,
  title: 'Next turn',
  description:
    'Goes on with the next turn of the loop around it at once. What else is under way in this turn is cancelled.',
  icon: 'skip-forward',
  keywords: ['continue', 'loop', 'next', 'turn', 'round', 'skip', 'iteration', 'again'],
  get parameters() {
    return nextParameters()
  },
  defaults: {},
  summary: (raw) => shortened(`next turn with ${textParameter(raw, 'value', 'its input')}`),
} satisfies TaskSpec<LeaveLoopParameters>
