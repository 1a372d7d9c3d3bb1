/** Random workflows without cycles: every kind of join, branch, failure handling and timing. */

import type { JsonObject } from '../../src-engine/model/json.ts'
import type { RandomSource } from './random-source.ts'

export interface WorkflowShape {
  readonly nodesMax: number
  /** Whether steps may fail, time out or be unsafe: then not every run succeeds. */
  readonly mayFail: boolean
}

const kinds = ['debug', 'debug', 'debug', 'if', 'fork', 'join', 'delay', 'noop'] as const

/** The parts of a document: nodes `n0`, `n1`, … with edges from lower to higher numbers only. */
export function randomWorkflow(random: RandomSource, shape: WorkflowShape): JsonObject {
  const count = 1 + random.below(shape.nodesMax)
  const nodes: Record<string, JsonObject> = {}
  const edges: Record<string, JsonObject> = {}
  for (let index = 0; index < count; index += 1) {
    const kind = random.pick(kinds)
    const waysIn = new Set<number>()
    const most = index === 0 ? 0 : random.below(4)
    for (let way = 0; way < most; way += 1) waysIn.add(random.below(index))
    nodes[`n${index}`] = node(random, { kind, waysIn: waysIn.size, mayFail: shape.mayFail })
    for (const from of waysIn) {
      const port = portOf(random, nodes[`n${from}`], shape.mayFail)
      edges[`e${from}-${index}`] = {
        from: { node: `n${from}`, port },
        to: { node: `n${index}`, port: 'in' },
      }
    }
  }
  const settings: Record<string, string | number> = {}
  if (random.chance(0.3)) settings['onFailure'] = 'finish'
  if (shape.mayFail && random.chance(0.15)) settings['timeoutMs'] = 1_000 + random.below(60_000)
  return { nodes, edges, settings }
}

function node(
  random: RandomSource,
  made: { readonly kind: string; readonly waysIn: number; readonly mayFail: boolean },
): JsonObject {
  const { kind, waysIn, mayFail } = made
  const parts: Record<string, JsonObject | string | boolean | number> = { kind }
  if (kind === 'if') parts['parameters'] = { condition: 'true' }
  if (kind === 'fork') parts['parameters'] = { branches: [{ title: 'left' }, { title: 'right' }] }
  if (kind === 'delay') parts['parameters'] = { amount: 1 + random.below(2_000), unit: 'milliseconds' }
  if (kind === 'debug') parts['parameters'] = { failTimes: mayFail ? random.below(3) : 0 }
  if (waysIn > 1 && random.chance(0.6)) {
    const mode = random.pick(['all', 'any', 'count'])
    parts['join'] = { mode, count: 1 + random.below(waysIn), cancelLosers: random.chance(0.4) }
  }
  if (random.chance(0.1)) parts[random.pick(['disabled', 'bypassed'])] = true
  if (mayFail && random.chance(0.5)) parts['retry'] = { maxAttempts: 1 + random.below(4), delayMs: 200 }
  if (mayFail && random.chance(0.15)) parts['onError'] = 'continue'
  if (mayFail && random.chance(0.15)) parts['sideEffect'] = 'unsafe'
  if (mayFail && random.chance(0.2)) parts['timeout'] = { attemptMs: 500 + random.below(3_000) }
  return parts
}

function portOf(random: RandomSource, from: JsonObject | undefined, mayFail: boolean): string {
  if (mayFail && random.chance(0.1)) return 'error'
  if (from?.['kind'] === 'if') return random.pick(['true', 'false'])
  return from?.['kind'] === 'fork' ? random.pick(['branch-1', 'branch-2']) : 'out'
}
