/** Whether somebody could do a piece of work at all. */

import type { DefinitionHash } from '../../model/ids.ts'
import type { InvocationRecord, WaitReason } from '../../model/invocation.ts'
import type { PoolRules } from '../../model/pools.ts'
import { isPoolActive, poolRuleOf } from '../../model/pools.ts'
import type { RunnerRecord } from '../../model/runner.ts'
import { sealCapability } from '../../model/seal.ts'
import type { Instant, Millis } from '../../model/time.ts'

/** A runner that was silent for longer takes no work. */
const silentMs: Millis = 60_000

/** Runners that may take work at the instant. */
export const livingRunners = (runners: readonly RunnerRecord[], now: Instant): readonly RunnerRecord[] =>
  runners.filter(({ stoppedAt, heartbeatAt }) => stoppedAt === null && heartbeatAt > now - silentMs)

/** What keeps every living runner from the work, as a reason; null when one could do it. */
export function missingRunner(
  living: readonly RunnerRecord[],
  record: InvocationRecord,
  rules: PoolRules,
): WaitReason | null {
  const named = record.route?.pools ?? [record.pool]
  if (named.length === 0) return unmapped(record)
  const pools = named.filter((pool) => isPoolActive(rules, pool))
  if (pools.length === 0) return closed(named, rules)
  const message = nobodyOf(ableRunners(living, record, pools), record, pools)
  return message === null ? null : { code: 'no_workers', message }
}

/** Why none of the runners that could do the work would; null when one of them trusts the definition. */
export function missingTrust(placed: readonly RunnerRecord[], definition: DefinitionHash): WaitReason | null {
  if (placed.some((runner) => mayTrust(runner, definition))) return null
  return { code: 'not_trusted', message: `No runner that could do it trusts the definition ${definition}.` }
}

/** Why none of the runners that could do the work can read its values; null when one of them has the key. */
export function missingSealKey(placed: readonly RunnerRecord[], key: string | null): WaitReason | null {
  if (key === null || placed.some(({ capabilities }) => capabilities.includes(sealCapability(key))))
    return null
  return { code: 'seal_key_missing', message: `No runner that could do it has the key ${key} of its values.` }
}

/** Whether a runner would execute a definition, as far as its row tells. */
export const mayTrust = ({ trust }: RunnerRecord, definition: DefinitionHash): boolean =>
  trust === undefined || trust.more || trust.definitions.includes(definition)

/** Runners of some pools by what they fulfil of a piece of work's demands. */
export interface AbleRunners {
  readonly ofPool: readonly RunnerRecord[]
  readonly able: readonly RunnerRecord[]
  /** Those that may have it. */
  readonly placed: readonly RunnerRecord[]
}

/** The living runners that may have a piece of work, and those that fall short of it. */
export function ableRunners(
  living: readonly RunnerRecord[],
  record: InvocationRecord,
  pools: readonly string[],
): AbleRunners {
  const abilities = [record.taskKind, ...(record.route?.requires ?? [])]
  const labels = record.route?.labels ?? []
  const ofPool = living.filter(
    (runner) => runner.drainingSince === null && runner.pools.some((pool) => pools.includes(pool)),
  )
  const able = ofPool.filter(({ capabilities }) => abilities.every((item) => capabilities.includes(item)))
  const placed = able.filter((runner) => labels.every((label) => runner.labels.includes(label)))
  return { ofPool, able, placed }
}

function nobodyOf(
  { ofPool, able, placed }: AbleRunners,
  record: InvocationRecord,
  pools: readonly string[],
): string | null {
  if (ofPool.length === 0) return `No runner works for ${namesOf('pool', pools)}.`
  if (able.length === 0) {
    const abilities = [record.taskKind, ...(record.route?.requires ?? [])]
    return `No runner of ${namesOf('pool', pools)} offers ${abilities.join(' and ')}.`
  }
  if (placed.length > 0) return null
  return `No runner that could do it has ${namesOf('label', record.route?.labels ?? [])}.`
}

const unmapped = ({ nodeId }: InvocationRecord): WaitReason => ({
  code: 'no_pool_mapping',
  message: `No pool is mapped to the topic of “${nodeId}”, or not the one that it prefers.`,
})

function closed(pools: readonly string[], rules: PoolRules): WaitReason {
  const drains = pools.some((pool) => poolRuleOf(rules, pool).status === 'draining')
  const [code, word] = drains ? ['pool_draining', 'draining'] : ['pool_inactive', 'inactive']
  return {
    code,
    message: `${capital(namesOf('pool', pools))} ${pools.length === 1 ? 'is' : 'are'} ${word}.`,
  }
}

const capital = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1)

const namesOf = (what: string, names: readonly string[]): string =>
  `the ${what}${names.length === 1 ? '' : 's'} ${names.map((name) => `“${name}”`).join(', ')}`
