/**
 * Registration control in this process: enters new demands, finds who stands for the same already, and hands
 * the result of that one to all who wait for it. Who waits for whom is kept in the store, with the records
 * themselves, so that any process can hand on what another one didn't live to.
 */

import { differenceOf, isUnentered } from '../../core/permits/demand.ts'
import { reuseKey } from '../../core/permits/held-permits.ts'
import type { Entry, FirstDemand } from '../../core/permits/registration.ts'
import { deliverReuse, enterDemands } from '../../core/permits/registration.ts'
import type { RunState } from '../../core/run-state.ts'
import { recordOfThrown } from '../../model/errors.ts'
import type { InvocationId, OpId, RunId } from '../../model/ids.ts'
import { invocationId, opId, runIdOf } from '../../model/ids.ts'
import type { InvocationRecord, PermitPlan } from '../../model/invocation.ts'
import { invocationMachine } from '../../model/invocation-status.ts'
import type { JsonValue } from '../../model/json.ts'
import type { Payload } from '../../model/payload.ts'
import { assert } from '../../model/result.ts'
import { keptInput } from '../kept-output.ts'
import { loadedState } from '../loaded-state.ts'
import type { Runner, RunnerDependencies } from '../runner.ts'
import { surelyThere } from '../surely-there.ts'
import { copyFor } from './own-copy.ts'
import type { ResolvedPermits } from './resolve-permits.ts'
import { resolvePermits } from './resolve-permits.ts'

/** Who stands for a demand, with the parameters it asked for where these are known. */
interface Standing {
  readonly id: InvocationId
  readonly parameters: JsonValue | null
}

/** How often somebody else may be first with the same demand while this one is being entered. */
const racesMax = 5

export interface Registrar {
  /** A committed decision wrote these records of one run. */
  readonly committed: (records: readonly InvocationRecord[]) => void
  /** The whole plan of claimed work; `left` when it waits for another one now, or has failed. */
  readonly claimed: (record: InvocationRecord) => Promise<PermitPlan | null | 'left'>
  /** Hands on what the invocation came to, if it has ended. */
  readonly deliver: (id: InvocationId) => Promise<void>
}

/** `poke` is called when something may have become available. */
export function createRegistrar(
  dependencies: RunnerDependencies,
  runner: Runner,
  poke: () => void,
): Registrar {
  return new StoreRegistrar(dependencies, runner, poke)
}

class StoreRegistrar implements Registrar {
  readonly #dependencies: RunnerDependencies
  readonly #runner: Runner
  readonly #poke: () => void

  constructor(dependencies: RunnerDependencies, runner: Runner, poke: () => void) {
    this.#dependencies = dependencies
    this.#runner = runner
    this.#poke = poke
  }

  committed(records: readonly InvocationRecord[]): void {
    let open: InvocationRecord[] | null = null
    for (const record of records) {
      if (record.permits === null || record.permits.registration === undefined) continue
      const { id, status } = record
      if (invocationMachine.final.has(status)) this.#background(id, this.deliver(id))
      else if (isUnentered(record) && invocationMachine.available.has(status)) (open ??= []).push(record)
    }
    const [first] = open ?? []
    if (open !== null && first !== undefined) this.#background(first.id, this.#enter(first.runId, open))
  }

  async claimed(record: InvocationRecord): Promise<PermitPlan | null | 'left'> {
    const resolved = await this.#resolve(record)
    if (resolved === null) return null
    const first = isUnentered(record) ? await this.#firstOf(record, resolved, new Map()) : null
    if (first === null) return resolved.plan
    const entry = await this.#entryOf(record, resolved, first)
    const answer = await this.#decideToEnter(record.runId, [entry], record)
    return answer === 'entered' ? 'left' : resolved.plan
  }

  async deliver(id: InvocationId): Promise<void> {
    const { store, partition, book, executor } = this.#dependencies
    const waiting = await store.load(partition, 'slotHolders', { key: reuseKey(id) })
    if (waiting.length === 0) return
    // Others build on it, in runs that a failover doesn't take back with it.
    const found = await surelyThere(store, runIdOf(id), {
      look: () => store.load(partition, 'invocation', { invocationId: id }),
      isThere: (first) => first !== null && invocationMachine.final.has(first.status),
    })
    if (found !== null && !invocationMachine.final.has(found.status)) return
    // Who is a demand of its own now would find this one standing there, and wait for it again, for as long as it does.
    if (found?.status === 'CANCELLED' && !(await this.#standsNoMore(found))) return
    await Promise.all(
      waiting.map(async ({ holder }) => {
        const later = invocationId(holder)
        const first = await copyFor(executor.payloads, runIdOf(later), found)
        await book.decide(runIdOf(later), (state) => {
          // It may come to wait for the same one again, and be handed something again.
          const name = opId(`reuse:${later}:${id}:${state.run.version}`)
          return deliverReuse(state, this.#context(state, name, id), { id: later, firstId: id, first })
        })
      }),
    )
    this.#poke()
  }

  /** Only the home of its demand may know of it still: whoever ended it died, or a failover took the giving back. The sweep looks again. */
  async #standsNoMore({ id, permits }: InvocationRecord): Promise<boolean> {
    const { store, partition, clock } = this.#dependencies
    const key = permits?.registration?.key ?? null
    if (key === null) return true
    const holders = await store.load(partition, 'slotHolders', { key })
    if (!holders.some(({ holder }) => holder === id)) return true
    return ((await store.releaseLeft?.(key, clock.monotonic())) ?? 0) > 0
  }

  /** What fails here is found again: by the claim once its moment is over, or by the sweep. */
  #background(id: InvocationId, work: Promise<void>): void {
    work.catch((thrown: unknown) => {
      const error = recordOfThrown(thrown).message
      this.#dependencies.log.warn('registration.failed', { invocationId: id, error })
    })
  }

  /** Those that one decision registered are entered by one: none begins before all have found each other. */
  async #enter(runId: RunId, given: readonly InvocationRecord[]): Promise<void> {
    for (let races = 0; races < racesMax; races += 1) {
      const state = await loadedState(this.#dependencies.book, runId)
      const open = given.flatMap(({ id }) => {
        const record = state?.invocations.get(id)
        return record === undefined || !isUnentered(record) ? [] : [record]
      })
      if (open.length === 0) return
      const answer = await this.#decideToEnter(runId, await this.#entriesOf(open), null)
      if (answer !== 'raced') return
    }
  }

  async #entriesOf(records: readonly InvocationRecord[]): Promise<readonly Entry[]> {
    const resolved = await Promise.all(records.map((record) => this.#resolve(record)))
    const entries: Entry[] = []
    const standing = new Map<string, Standing>()
    for (const [index, record] of records.entries()) {
      const demand = resolved[index] ?? null
      const first = demand === null ? null : await this.#firstOf(record, demand, standing)
      const key = demand?.plan.registration?.key ?? null
      if (demand !== null && first === null && key !== null)
        standing.set(key, { id: record.id, parameters: demand.parameters })
      entries.push(await this.#entryOf(record, demand, first))
    }
    return entries
  }

  async #entryOf(
    record: InvocationRecord,
    resolved: ResolvedPermits | null,
    first: FirstDemand | null,
  ): Promise<Entry> {
    const { id, permits, input } = record
    assert(permits !== null, 'a demand has permits')
    if (resolved === null) return { id, plan: { ...permits, registration: null }, input, first }
    return { id, plan: resolved.plan, input: await this.#keptInput(resolved), first }
  }

  /** As an attempt keeps it; null where it may quote what is to be taken out, which is known once the step has ended. */
  async #keptInput({ node, parameters }: ResolvedPermits): Promise<Payload | null> {
    if (node.redact.length > 0) return null
    return keptInput(this.#dependencies.executor.payloads, node, JSON.stringify(parameters))
  }

  async #decideToEnter(
    runId: RunId,
    entries: readonly Entry[],
    claimed: InvocationRecord | null,
  ): Promise<'entered' | 'raced' | 'not-to-be'> {
    let isRaced = false
    const decision = await this.#dependencies.book.decide(
      runId,
      (state) => {
        if (isRaced) return null
        const name = opId(`enter:${entries[0]?.id ?? runId}:${state.run.version}`)
        return enterDemands(state, this.#context(state, name, null), entries)
      },
      {
        ...(claimed === null ? {} : { claimed }),
        slotTaken: () => {
          isRaced = true
        },
      },
    )
    if (isRaced) return 'raced'
    if (decision === null) return 'not-to-be'
    // One may have ended just before somebody waited for it.
    const firsts = new Set(entries.flatMap(({ first }) => (first === null ? [] : [first.id])))
    for (const id of firsts) await this.deliver(id)
    return 'entered'
  }

  async #resolve(record: InvocationRecord): Promise<ResolvedPermits | null> {
    const state = await loadedState(this.#dependencies.book, record.runId)
    return state === null ? null : resolvePermits(this.#dependencies, state, record)
  }

  /** Who stands for the demand already, in the store or among those entered with it; null for nobody. */
  async #firstOf(
    record: InvocationRecord,
    { permits, plan, parameters }: ResolvedPermits,
    entered: ReadonlyMap<string, Standing>,
  ): Promise<FirstDemand | null> {
    const key = plan.registration?.key ?? null
    if (key === null) return null
    const first = entered.get(key) ?? (await this.#standing(key, record.id))
    if (first === null) return null
    const difference = first.parameters === null ? null : differenceOf(permits, first.parameters, parameters)
    return { id: first.id, difference }
  }

  async #standing(key: string, but: InvocationId): Promise<Standing | null> {
    const { store, partition, executor } = this.#dependencies
    const holders = await store.load(partition, 'slotHolders', { key })
    const slot = holders.find(({ holder }) => holder !== but)
    if (slot === undefined) return null
    const id = invocationId(slot.holder)
    const first = await store.load(partition, 'invocation', { invocationId: id })
    if (first === null) return null
    return { id, parameters: first.input === null ? null : await executor.payloads.value(first.input) }
  }

  #context({ run }: RunState, name: OpId, by: InvocationId | null) {
    const cause = { kind: 'registration', by, detail: null }
    return this.#runner.context({ actor: 'runner', cause, opId: name, runId: run.id, claims: false })
  }
}
