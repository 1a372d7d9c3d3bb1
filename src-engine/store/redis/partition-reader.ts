/** Reads of one partition that several questions share. */

import type { AttemptRecord } from '../../model/attempt.ts'
import type { SlotTake } from '../../model/checkpoint.ts'
import type { InvocationId, RunId } from '../../model/ids.ts'
import { runIdOf } from '../../model/ids.ts'
import type { InvocationRecord } from '../../model/invocation.ts'
import type { RunRecord } from '../../model/run.ts'
import type { Instant, Millis } from '../../model/time.ts'
import { readAttempt, readInvocation, readRun } from './body-codec.ts'
import type { Placed } from './hash-answer.ts'
import { pairsOf, withExpiry } from './hash-answer.ts'
import type { PartitionKeys } from './layout.ts'
import { keyNames, runFields } from './layout.ts'
import type { LeaseTime } from './lease-time.ts'
import type { Router } from './router.ts'
import type { Script, ScriptCall } from './script.ts'
import { runScript } from './script.ts'
import type { RedisCommand } from './wire-command.ts'

/** A sorted set's member with its score. */
export interface Scored {
  readonly member: string
  readonly score: number
}

/** An invocation as a runner meets it: with what its run's token tells. */
export interface FoundInvocation {
  readonly record: InvocationRecord
  readonly token: string
}

/** A server's answer may take this long; a greater change means that a clock was set, or another server answers. */
const measureMsMax: Millis = 1_000

export class PartitionReader {
  readonly keys: PartitionKeys
  readonly #router: Router
  readonly #time: LeaseTime
  /** How far the server's clock is ahead, as it was measured; null before that. */
  #ahead: Millis | null = null

  constructor(router: Router, keys: PartitionKeys, time: LeaseTime) {
    this.#router = router
    this.#time = time
    this.keys = keys
  }

  /** By which clock a lease has run out: the server's, whatever the caller thinks that it is. */
  async leaseNow(now: Instant): Promise<Instant> {
    if (!this.#time.isServers) return now
    const [seconds, micros] = await this.texts(['TIME'])
    return Number(seconds) * 1_000 + Math.floor(Number(micros) / 1_000)
  }

  /** Expiries of leases in the caller's time, by id. */
  async expiries(ids: readonly InvocationId[]): Promise<readonly (number | null)[]> {
    if (ids.length === 0) return []
    const asked = this.texts(['ZMSCORE', this.keys.of(keyNames.leases), ...ids])
    const time = this.#time.isServers ? await this.texts(['TIME']) : []
    const ahead = this.#steadyAhead(this.#time.ahead(time))
    return (await asked).map((score) => (score === null ? null : Number(score) - ahead))
  }

  /** Measured again it is never quite the same; but a lease that nobody renewed has to be: silence is seen by it. */
  #steadyAhead(measured: Millis): Millis {
    if (this.#ahead === null || Math.abs(measured - this.#ahead) > measureMsMax) this.#ahead = measured
    return this.#ahead
  }

  ask(command: RedisCommand): Promise<unknown> {
    return this.#router.ask(this.keys.slot, command)
  }

  /** What a script answers that only reads. */
  script(script: Script, told: Omit<ScriptCall, 'script' | 'lineOf'>): Promise<unknown> {
    return runScript(this.#router, this.keys.slot, { ...told, script })
  }

  async text(command: RedisCommand): Promise<string | null> {
    return (await this.ask(command)) as string | null
  }

  async texts(command: RedisCommand): Promise<readonly (string | null)[]> {
    return (await this.ask(command)) as readonly (string | null)[]
  }

  /** Members of a sorted set between two bounds as ZRANGE takes them. */
  async scored(key: string, range: readonly (string | number)[]): Promise<readonly Scored[]> {
    const pairs = pairsOf(await this.ask(['ZRANGE', key, ...range, 'WITHSCORES']))
    return pairs.map(([member, score]) => ({ member, score: Number(score) }))
  }

  async run(id: RunId): Promise<RunRecord | null> {
    const [text, token] = await this.texts(['HMGET', this.keys.run(id), runFields.body, runFields.token])
    return typeof text === 'string' && typeof token === 'string' ? readRun(id, { text, token }) : null
  }

  async runs(ids: readonly RunId[]): Promise<readonly RunRecord[]> {
    const found = await Promise.all(ids.map((id) => this.run(id)))
    return found.filter((run) => run !== null)
  }

  async invocation(id: InvocationId): Promise<InvocationRecord | null> {
    const [found] = await this.invocations([id])
    return found ?? null
  }

  /** Those that exist, in the order of the ids. */
  async invocations(ids: readonly InvocationId[]): Promise<readonly InvocationRecord[]> {
    return (await this.foundInvocations(ids)).map(({ record }) => record)
  }

  /** The same with their tokens. Where nobody can own them there is no expiry to ask for. */
  async foundInvocations(
    ids: readonly InvocationId[],
    { leased = true } = {},
  ): Promise<readonly FoundInvocation[]> {
    if (ids.length === 0) return []
    const byRun = Map.groupBy(ids, (id) => runIdOf(id))
    const found = new Map<InvocationId, FoundInvocation>()
    await Promise.all(
      [...byRun].map(async ([run, own]) => {
        const fields = own.flatMap((id) => [runFields.invocation(id), runFields.invocationToken(id)])
        const [values, expiries] = await Promise.all([
          this.texts(['HMGET', this.keys.run(run), ...fields]),
          leased ? this.expiries(own) : [],
        ])
        for (const [index, id] of own.entries()) {
          const body = values[index * 2] ?? null
          const token = values[index * 2 + 1] ?? null
          if (body !== null && token !== null)
            found.set(id, { record: withExpiry(readInvocation(id, body), expiries[index]), token })
        }
      }),
    )
    return ids.map((id) => found.get(id)).filter((item) => item !== undefined)
  }

  /** All invocations of a run in order of registration, and all attempts in the order in which they ended. */
  async wholeRun(id: RunId): Promise<WholeRun> {
    const fields = new Map(pairsOf(await this.ask(['HGETALL', this.keys.run(id)])))
    const bodies: { readonly place: number; readonly text: string; readonly id: InvocationId }[] = []
    const attempts: { readonly place: number; readonly item: AttemptRecord }[] = []
    for (const [field, value] of fields) {
      const rest = field.slice(1)
      if (field.startsWith('a')) attempts.push(placedAttempt(id, rest, value))
      if (!field.startsWith('i')) continue
      const place = Number(fields.get(`p${rest}`) ?? 0)
      // The field is the id without the run's.
      bodies.push({ place, text: value, id: `${id}${rest}` as InvocationId })
    }
    bodies.sort((a, b) => a.place - b.place)
    const expiries = await this.expiries(bodies.map((body) => body.id))
    return {
      fields,
      invocations: bodies.map((body, index) =>
        withExpiry(readInvocation(body.id, body.text), expiries[index]),
      ),
      attempts: attempts.toSorted((a, b) => a.place - b.place).map(({ item }) => item),
    }
  }

  /** Who holds permits of a key, in order of taking; or this one alone. */
  async slotHolders(key: string, only?: string): Promise<readonly SlotTake[]> {
    const name = this.keys.permit(key)
    if (only !== undefined) {
      const value = await this.text(['HGET', name, only])
      return value === null ? [] : [readHolder(key, only, value).slot]
    }
    return pairsOf(await this.ask(['HGETALL', name]))
      .map(([holder, value]) => readHolder(key, holder, value))
      .sort((a, b) => a.since - b.since)
      .map(({ slot }) => slot)
  }
}

/** Reads `since limit/names expiry`. */
function readHolder(
  key: string,
  holder: string,
  value: string,
): { readonly since: number; readonly slot: SlotTake } {
  const [since, told = '', expires] = value.split(' ')
  const [limit, by] = told.split('/')
  const expiresAt = expires === '-' ? null : Number(expires)
  const slot: SlotTake = { key, holder, limit: Number(limit), expiresAt }
  return { since: Number(since), slot: by === undefined ? slot : { ...slot, by } }
}

/** Reads `place text` under a field that names the invocation and the number. */
function placedAttempt(run: RunId, field: string, value: string): Placed<AttemptRecord> {
  // The field is the invocation's id without the run's, and the number.
  const invocationId = `${run}${field.slice(0, field.lastIndexOf(' '))}` as InvocationId
  const end = value.indexOf(' ')
  return { place: Number(value.slice(0, end)), item: readAttempt(invocationId, value.slice(end + 1)) }
}

export interface WholeRun {
  readonly fields: ReadonlyMap<string, string>
  readonly invocations: readonly InvocationRecord[]
  readonly attempts: readonly AttemptRecord[]
}
