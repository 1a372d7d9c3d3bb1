/** Circuit breakers of steps: registers that all runs and runners share, moved by compare-and-set. */

import type { Checkpoint, Register } from '../../model/checkpoint.ts'
import type { Circuit, CircuitPlace, CircuitRules, CircuitVisit, ToldCircuit } from '../../model/circuit.ts'
import {
  circuitPrefix,
  closedAgain,
  isQuiet,
  noteCircuit,
  passCircuit,
  placeOfCircuit,
  readCircuit,
  writeCircuit,
} from '../../model/circuit.ts'
import { SagasmithError } from '../../model/errors.ts'
import type { InvocationId, RunnerId } from '../../model/ids.ts'
import { opId } from '../../model/ids.ts'
import type { JsonValue } from '../../model/json.ts'
import { canonicalJson } from '../../model/json.ts'
import { pageSizeMax } from '../../model/limits.ts'
import type { Clock, Ids, Logger } from '../../model/ports.ts'
import type { Instant } from '../../model/time.ts'
import type { KnownCircuit } from '../../protocol/circuits.ts'
import type { Page, Store } from '../../store/store.ts'
import { moveRegister } from '../move-register.ts'
import { registerCheckpoint } from '../register-checkpoint.ts'

export interface Circuits {
  /** What lets the step in; where nothing does, the circuit that says so. */
  readonly pass: (asked: AskedCircuit) => Promise<CircuitAnswer>
  /** How it went inside. Told twice, it counts once. */
  readonly note: (told: ToldCircuit) => Promise<void>
  /** Those of which there is something to say: of one workflow and those that workflows share, or of all. */
  readonly list: (workflowId: string | null) => Promise<readonly KnownCircuit[]>
  /** Closes one by hand. Throws `circuit_not_found`. */
  readonly reset: (id: string) => Promise<void>
}

export interface AskedCircuit extends CircuitPlace {
  /** Whether it is the one of all steps of the workspace with this key. */
  readonly isShared: boolean
  readonly of: InvocationId
  readonly at: Instant
  readonly rules: CircuitRules
}

export type CircuitAnswer =
  | { readonly passes: true; readonly visit: CircuitVisit }
  | { readonly passes: false; readonly circuit: Circuit }

export interface CircuitsParts {
  readonly store: Store
  readonly partition: number
  readonly owner: RunnerId
  readonly clock: Clock
  readonly ids: Ids
  readonly log: Logger
  /** Gives a short name to a text. */
  readonly nameOf: (text: string) => string
}

const sharedPrefix = `${circuitPrefix}shared/`

/** The name of a circuit: of a step, or of all steps of the workspace with its key. */
function circuitIdOf(
  nameOf: CircuitsParts['nameOf'],
  { workflowId, nodeId, key, isShared }: AskedCircuit,
): string {
  const value = nameOf(canonicalJson(key))
  const place = isShared ? 'shared' : `${encodeURIComponent(workflowId)}/${encodeURIComponent(nodeId)}`
  return `${circuitPrefix}${place}/${value}`
}

export function createCircuits(parts: CircuitsParts): Circuits {
  return {
    pass: (asked) => pass(parts, asked),
    note: async ({ id, place, ...note }) => {
      await move(parts, { id, place }, (before) => ({ after: noteCircuit(before, note), answer: null }))
    },
    list: (workflowId) => list(parts, workflowId),
    reset: (id) => reset(parts, id),
  }
}

async function pass(parts: CircuitsParts, asked: AskedCircuit): Promise<CircuitAnswer> {
  const { of, at, rules, workflowId, nodeId, key } = asked
  const id = circuitIdOf(parts.nameOf, asked)
  // Who looks at a store that seals its values is not to see them here.
  const place = { workflowId, nodeId, key: parts.store.sealing === undefined ? key : null }
  const { answer: passes, circuit } = await move(parts, { id, place }, (before) => {
    const { passes: answer, after } = passCircuit(before, { of, at, rules })
    return { after, answer }
  })
  return passes ? { passes, visit: { id, begunAt: at, rules, place } } : { passes: false, circuit }
}

async function move<Answer>(
  parts: CircuitsParts,
  { id, place }: { readonly id: string; readonly place: CircuitPlace },
  change: (before: Circuit) => { readonly after: Circuit; readonly answer: Answer },
): Promise<{ readonly answer: Answer; readonly circuit: Circuit }> {
  const lost = `The circuit breaker ${id} is moved by others all the time.`
  const { answer, before, after } = await moveRegister(parts, { key: id, lost }, (register) => {
    const before = readCircuit(register?.value)
    const { after, answer } = change(before)
    const value = isNew(after) ? null : writeCircuit(after, place)
    const written = { id, version: register?.version ?? 0, value, status: after.status }
    return {
      answer: { answer, before, after },
      checkpoint: after === before ? null : checkpointOf(parts, written),
    }
  })
  if (after.status !== before.status)
    parts.log.info('circuit.changed', { id, from: before.status, to: after.status })
  return { answer, circuit: after }
}

/** Nothing is kept of one that is as good as new. */
const isNew = (circuit: Circuit): boolean =>
  circuit.status === 'closed' && circuit.since === undefined && isQuiet(circuit)

function checkpointOf(
  { partition, owner, clock, ids }: CircuitsParts,
  to: {
    readonly id: string
    readonly version: number
    readonly value: JsonValue
    readonly status: Circuit['status']
  },
): Checkpoint {
  const { id: key, version, value, status } = to
  return registerCheckpoint({
    ...{ partition, key, version, value, at: clock.now() },
    opId: opId(`circuit:${ids.next()}`),
    actor: { kind: 'run', id: owner },
    cause: { kind: 'circuit', by: owner, detail: status },
  })
}

async function list(
  { store, partition }: CircuitsParts,
  workflowId: string | null,
): Promise<readonly KnownCircuit[]> {
  const found: KnownCircuit[] = []
  for (let after: string | null = null; ; ) {
    const page: Page = { after, limit: pageSizeMax }
    const registers: readonly Register[] = await store.list(partition, 'registers', {
      filter: { prefix: circuitPrefix },
      page,
    })
    for (const { key, value } of registers) {
      const place = placeOfCircuit(value)
      const circuit = readCircuit(value)
      if (
        place !== null &&
        !isQuiet(circuit) &&
        (workflowId === null || place.workflowId === workflowId || key.startsWith(sharedPrefix))
      )
        found.push({ id: key, circuit, place })
    }
    after = registers.length < pageSizeMax ? null : (registers.at(-1)?.key ?? null)
    if (after === null) return found
  }
}

async function reset(parts: CircuitsParts, id: string): Promise<void> {
  const register = await parts.store.load(parts.partition, 'register', { key: id })
  const place = placeOfCircuit(register?.value)
  if (!id.startsWith(circuitPrefix) || place === null)
    throw new SagasmithError('circuit_not_found', { details: { id } })
  await move(parts, { id, place }, () => ({ after: closedAgain(parts.clock.now()), answer: null }))
}
