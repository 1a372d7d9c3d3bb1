/** What kinds with a limit say about waiting for room in it: how long, and how the step goes on then. */

import { z } from 'zod'
import type { JsonObject } from './json.ts'
import type { LineEnd, PortSpec } from './task-spec.ts'
import { singleOutput } from './task-spec.ts'
import { day, minute, second } from './time.ts'
import { timeoutPort } from './workflow.ts'

const waitMsMax = 366 * day

const onTimeout = ['wait', 'port', 'fail'] as const

/** The fields, behind the one that says `wait` when there is no room. */
export const lineWaitFields = {
  onTimeout: z
    .enum(onTimeout)
    .default('wait')
    .meta({
      title: 'When that takes too long',
      expressions: false,
      choices: {
        wait: { title: 'Wait as long as it takes' },
        port: { title: 'Leave by the timeout way' },
        fail: { title: 'Fail', hint: 'As a timeout; leaves by the error way where there is one.' },
      },
      when: { onFull: ['wait'] },
    }),
  waitTimeout: z
    .int()
    .min(1)
    .max(waitMsMax)
    .default(30 * second)
    .meta({
      title: 'Waits at most',
      description: 'Counts from when it first stands in line, also over restarts.',
      widget: 'duration',
      expressions: false,
      when: { onFull: ['wait'], onTimeout: ['port', 'fail'] },
    }),
}

/** The same as the limit of a spec says it; null for who waits as long as it takes. */
export function lineEndOf({ onFull = 'wait', onTimeout: how, waitTimeout }: JsonObject): LineEnd | null {
  if (onFull !== 'wait' || (how !== 'port' && how !== 'fail')) return null
  const read = lineWaitFields.waitTimeout.safeParse(waitTimeout)
  // What is refused when it begins keeps nobody waiting for ever meanwhile.
  return { afterMs: read.success ? read.data : minute, by: how }
}

const withTimeout: readonly PortSpec[] = [...singleOutput, { id: timeoutPort, title: 'Timeout' }]

/** The ways out: one more where it may leave its line. */
export const outputsAfterLine = (parameters: JsonObject): readonly PortSpec[] =>
  lineEndOf(parameters)?.by === 'port' ? withTimeout : singleOutput
