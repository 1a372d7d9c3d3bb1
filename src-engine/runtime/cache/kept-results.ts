/**
 * Where results are that may stand for running their steps again: registers that name the step which gave one, and
 * nothing else. What it gave is read from its own record, so that what is taken back, redacted or forgotten there is
 * so here, too. They are hints: one that is lost, or names what never came to be, only has a step run.
 */

import type { Checkpoint } from '../../model/checkpoint.ts'
import { recordOfThrown } from '../../model/errors.ts'
import type { InvocationId, RunnerId } from '../../model/ids.ts'
import { invocationId, opId, runIdOf } from '../../model/ids.ts'
import type { InvocationRecord, Reused } from '../../model/invocation.ts'
import type { JsonValue } from '../../model/json.ts'
import { isJsonObject } from '../../model/json.ts'
import { pageSizeMax } from '../../model/limits.ts'
import type { Clock, Ids, Logger } from '../../model/ports.ts'
import type { Instant, Millis } from '../../model/time.ts'
import type { Page, Store } from '../../store/store.ts'
import { moveRegister } from '../move-register.ts'
import type { PayloadStore } from '../payload-store.ts'
import { registerCheckpoint } from '../register-checkpoint.ts'
import { partitionOfRun } from '../run-place.ts'
import { surelyThere } from '../surely-there.ts'

/** All registers of kept results have keys with this beginning. */
const keptPrefix = 'kept-result/'

/** What a step gave in an earlier run. */
export interface KeptResult {
  readonly output: JsonValue
  readonly ports: readonly string[] | null
  readonly reused: Reused
}

export interface KeptResults {
  /** The register's key for what makes results the same. */
  readonly keyOf: (text: string) => string
  /** Null where there is none that is young enough, or nobody can say. Never rejects. */
  readonly find: (
    key: string,
    wanted: { readonly ttlMs: Millis; readonly record: InvocationRecord },
  ) => Promise<KeptResult | null>
  /** Notes that the step is about to give one. Never rejects. */
  readonly note: (key: string, by: { readonly ttlMs: Millis; readonly id: InvocationId }) => Promise<void>
  /** Removes those that are too old to count; answers how many. */
  readonly forgetOld: () => Promise<number>
}

export interface KeptResultsParts {
  readonly store: Store
  readonly partition: number
  readonly owner: RunnerId
  readonly payloads: PayloadStore
  readonly clock: Clock
  readonly ids: Ids
  readonly log: Logger
  /** Gives a short name to a text. */
  readonly nameOf: (text: string) => string
}

export function createKeptResults(parts: KeptResultsParts): KeptResults {
  const { log } = parts
  return {
    keyOf: (text) => keptPrefix + parts.nameOf(text),
    find: async (key, wanted) => {
      try {
        return await find(parts, key, wanted)
      } catch (thrown) {
        log.warn('cache.unreadable', { key, error: recordOfThrown(thrown).message })
        return null
      }
    },
    note: async (key, by) => {
      try {
        await note(parts, key, by)
      } catch (thrown) {
        log.warn('cache.not-kept', { key, error: recordOfThrown(thrown).message })
      }
    },
    forgetOld: () => forgetOld(parts),
  }
}

async function find(
  { store, partition, payloads, clock }: KeptResultsParts,
  key: string,
  { ttlMs, record }: { readonly ttlMs: Millis; readonly record: InvocationRecord },
): Promise<KeptResult | null> {
  const hint = hintOf((await store.load(partition, 'register', { key }))?.value)
  if (hint === null) return null
  const place = partitionOfRun(store.info, runIdOf(hint.from))
  // Others build on it, in runs that a failover doesn't take back with it.
  const giver = await surelyThere(store, runIdOf(hint.from), {
    look: () => store.load(place, 'invocation', { invocationId: hint.from }),
    isThere: (found) => found !== null && counts(found, record),
  })
  if (giver === null || !counts(giver, record)) return null
  const { finishedAt, output, ports } = giver
  if (output === null || finishedAt === null || clock.now() - finishedAt >= ttlMs) return null
  return { output: await payloads.value(output), ports, reused: { from: hint.from, at: finishedAt } }
}

/**
 * Whether its result stands for that of the other one: it succeeded, nothing of what it gave was held back or taken
 * out, and it isn't what somebody wants done again. It gave that itself: who lost the step while it worked notes its
 * own result late, when the next attempt has taken over an older one, and that would grow younger with each step.
 */
function counts(giver: InvocationRecord, taker: InvocationRecord): boolean {
  if (giver.status !== 'SUCCESS' || (giver.dispatch?.check ?? null) !== null) return false
  if (giver.dispatch?.reused !== undefined) return false
  return giver.runId !== taker.runId || giver.generation === taker.generation
}

/** Where a result is, and from when on nobody asks for it. */
interface Hint {
  readonly from: InvocationId
  readonly until: Instant
}

function hintOf(value: JsonValue | undefined): Hint | null {
  if (!isJsonObject(value)) return null
  const { from, until } = value
  return typeof from === 'string' && typeof until === 'number' ? { from: invocationId(from), until } : null
}

async function note(
  parts: KeptResultsParts,
  key: string,
  { ttlMs, id }: { readonly ttlMs: Millis; readonly id: InvocationId },
): Promise<void> {
  const value = { from: id, until: parts.clock.now() + ttlMs }
  const lost = `The kept result ${key} is written by others all the time.`
  await moveRegister(parts, { key, lost }, (register) => ({
    answer: null,
    checkpoint: written(parts, { key, version: register?.version ?? 0, value, by: id }),
  }))
}

function written(
  { partition, owner, clock, ids }: KeptResultsParts,
  to: { readonly key: string; readonly version: number; readonly value: JsonValue; readonly by: string },
): Checkpoint {
  const { key, version, value, by } = to
  return registerCheckpoint({
    ...{ partition, key, version, value, at: clock.now() },
    opId: opId(`kept-result:${ids.next()}`),
    actor: { kind: 'run', id: owner },
    cause: { kind: 'kept-result', by, detail: null },
  })
}

async function forgetOld(parts: KeptResultsParts): Promise<number> {
  const { store, partition, clock, owner } = parts
  const now = clock.now()
  let forgotten = 0
  for (let after: string | null = null; ; ) {
    const page: Page = { after, limit: pageSizeMax }
    const filter = { prefix: keptPrefix }
    const found = await store.list(partition, 'registers', { filter, page })
    for (const { key, version, value } of found) {
      if ((hintOf(value)?.until ?? 0) > now) continue
      // Somebody notes a new one in this moment: that stays.
      const [told] = await store.commit(partition, [written(parts, { key, version, value: null, by: owner })])
      if (told?.kind === 'accepted') forgotten += 1
    }
    after = found.at(-1)?.key ?? null
    if (after === null || found.length < pageSizeMax) return forgotten
  }
}
