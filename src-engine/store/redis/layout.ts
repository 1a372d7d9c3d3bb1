/**
 * The keys of a store. All of a partition carry its hash tag and so live on one slot; a run has one hash for
 * itself and everything of it, so that it moves and goes as one.
 */

import type { InvocationId, RunId } from '../../model/ids.ts'
import { isCoreWorkflow, runIdOf } from '../../model/ids.ts'
import { slotOf } from './slots.ts'

/** Raised with every change of the layout: in the third a run's version is in its token alone. */
export const layoutFormat = 3

/** As many as are in use at once, whatever comes and goes. */
const textsMax = 500

/** Puts each text together once: one that is the same as before is found in maps at once. */
function onceFor(make: (name: string) => string): (name: string) => string {
  const made = new Map<string, string>()
  return (name) => {
    const known = made.get(name)
    if (known !== undefined) return known
    if (made.size >= textsMax) made.clear()
    const text = make(name)
    made.set(name, text)
    return text
  }
}

/** The keys of one partition. */
export interface PartitionKeys {
  readonly partition: number
  readonly slot: number
  /** A key by its name. */
  readonly of: (name: string) => string
  /** The hash of a run: fields by `runFields`. */
  readonly run: (id: RunId) => string
  /** The ids of a run's groups of events, each with the tag of its op-id. */
  readonly groups: (id: RunId) => string
  /** Holders of a permit. */
  readonly permit: (key: string) => string
}

export function partitionKeys(prefix: string, partition: number): PartitionKeys {
  const tag = `p${partition}`
  const start = `${prefix}:{${tag}}:`
  return {
    partition,
    slot: slotOf(tag),
    of: onceFor((name) => start + name),
    run: (id) => `${start}r:${id}`,
    groups: (id) => `${start}g:${id}`,
    permit: (key) => `${start}k:${key}`,
  }
}

/** Fields of a run's hash: bodies are JSON, tokens tell versions apart, places keep the order of making. */
export const runFields = {
  body: 'R',
  token: 'v',
  place: 'p',
  /** Marks the last slice of its events that was removed, of a run that goes. */
  pruned: 'x',
  invocation: (id: InvocationId) => `i${suffixOf(id)}`,
  invocationToken: (id: InvocationId) => `v${suffixOf(id)}`,
  invocationPlace: (id: InvocationId) => `p${suffixOf(id)}`,
  attempt: (id: InvocationId, number: number) => `a${suffixOf(id)} ${number}`,
} as const

/** The id without its run's, which the key tells. */
const suffixOf = (id: InvocationId): string => id.slice(runIdOf(id).length)

/** Names of a partition's other keys. */
export const keyNames = {
  shapes: 'shapes',
  soon: 'soon',
  leases: 'leases',
  held: 'held',
  lines: 'lines',
  registers: 'registers',
  registerTokens: 'register-tokens',
  registerKeys: 'register-keys',
  registerDue: 'register-due',
  requests: 'requests',
  ended: 'ended',
  named: 'named',
  runCounts: 'run-counts',
  workCounts: 'work-counts',
  outbox: 'outbox',
  outboxDue: 'outbox-due',
  letters: 'letters',
  versions: 'versions',
  runners: 'runners',
  ops: 'ops',
  blobs: 'blobs',
  queue: onceFor((shape) => `q:${shape}`),
  work: onceFor((status) => `w:${status}`),
  due: (kind: string) => `due:${kind}`,
  signal: (name: string) => `sig:${name}`,
  line: (kind: 'i' | 'r', key: string) => `line:${kind}:${key}`,
  runs: (group: 'core' | 'own', status: string) => `runs:${group}:${status}`,
  runsOf: (workflowId: string) => `runs-of:${workflowId}`,
} as const

/** The engine's own runs are listed apart: most readers don't want them. */
export const runGroup = (workflowId: string): 'core' | 'own' => (isCoreWorkflow(workflowId) ? 'core' : 'own')
