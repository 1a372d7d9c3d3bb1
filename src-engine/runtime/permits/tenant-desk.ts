/** What people do with tenants: see what they use, and limit it. */

import type { Checkpoint } from '../../model/checkpoint.ts'
import { opId } from '../../model/ids.ts'
import type { JsonValue } from '../../model/json.ts'
import { pageSizeMax } from '../../model/limits.ts'
import { tenantPermitKey, tenantRunsPermitKey } from '../../model/permit-keys.ts'
import type { Clock, Ids } from '../../model/ports.ts'
import type { EngineSettings } from '../../model/settings/engine-settings.ts'
import type { TenantLimit } from '../../model/tenants.ts'
import { readTenantLimits, tenantsRegister } from '../../model/tenants.ts'
import type { TenantChange, TenantUse, TenantView } from '../../protocol/tenants.ts'
import type { PermitUse, Store } from '../../store/store.ts'
import { moveRegister } from '../move-register.ts'
import { registerCheckpoint } from '../register-checkpoint.ts'
import type { Limits } from './limits.ts'

export interface TenantDesk {
  /** Every tenant that has a limit of its own, or that a limit holds something of, by name. */
  readonly list: () => Promise<readonly TenantView[]>
  /** In effect on every runner within seconds. Throws `lost_race` when others change them all the time. */
  readonly change: (change: TenantChange) => Promise<TenantView>
}

export interface TenantDeskDependencies {
  readonly store: Store
  readonly partition: number
  /** Who writes: the runner's id. */
  readonly runnerId: string
  readonly clock: Clock
  readonly limits: Pick<Limits, 'refresh'>
  readonly settings: Pick<EngineSettings, 'tenantConcurrentJobsMax' | 'tenantConcurrentRunsMax'>
}

const plainTenant = 'local'

export function createTenantDesk(dependencies: TenantDeskDependencies, ids: Ids): TenantDesk {
  const { store, partition, limits, settings } = dependencies
  const load = () => store.load(partition, 'register', { key: tenantsRegister })
  const read = async () => {
    const own = readTenantLimits((await load())?.value)
    const uses = await tenantUses(dependencies)
    const viewOf = (name: string): TenantView => {
      const { runs, jobs } = own.get(name) ?? {}
      return {
        name,
        runs: shareOf(runs, settings.tenantConcurrentRunsMax, uses.get(tenantRunsPermitKey(name))),
        jobs: shareOf(jobs, settings.tenantConcurrentJobsMax, uses.get(tenantPermitKey(name))),
      }
    }
    const users = [...uses.keys()].map((key) => key.slice(key.indexOf(':') + 1))
    return { names: [...new Set([plainTenant, ...own.keys(), ...users])].sort(), viewOf }
  }
  return {
    list: async () => {
      const { names, viewOf } = await read()
      return names.map(viewOf)
    },
    change: async (change) => {
      const lost = `The tenant ${change.name} could not be changed: others change tenants all the time.`
      await moveRegister(dependencies, { key: tenantsRegister, lost }, (register) => {
        const value = changed(readTenantLimits(register?.value), change)
        const version = register?.version ?? 0
        return { answer: null, checkpoint: checkpointOf(dependencies, ids, { version, value }) }
      })
      await limits.refresh()
      return (await read()).viewOf(change.name)
    },
  }
}

function changed(limits: ReadonlyMap<string, TenantLimit>, change: TenantChange): JsonValue {
  const { name, runs, jobs } = change
  const before = limits.get(name) ?? {}
  const part = (key: keyof TenantLimit, wanted: TenantChange['runs']): TenantLimit => {
    const limit = wanted === undefined ? before[key] : wanted
    return limit === undefined || limit === 'settings' ? {} : { [key]: limit }
  }
  const after = { ...part('runs', runs), ...part('jobs', jobs) }
  const all = new Map(limits)
  if (Object.keys(after).length === 0) all.delete(name)
  else all.set(name, after)
  return Object.fromEntries([...all].map(([tenant, limit]) => [tenant, { ...limit }]))
}

function shareOf(own: number | null | undefined, general: number, use: PermitUse | undefined): TenantUse {
  return {
    limit: own === undefined ? (general === 0 ? null : general) : own,
    isOwn: own !== undefined,
    taken: use?.holders.length ?? 0,
    waiting: use?.waiting ?? 0,
  }
}

/** By key; tenants' keys begin alike. */
async function tenantUses({
  store,
  partition,
}: Pick<TenantDeskDependencies, 'store' | 'partition'>): Promise<ReadonlyMap<string, PermitUse>> {
  const uses = new Map<string, PermitUse>()
  for (const prefix of [tenantPermitKey(''), tenantRunsPermitKey('')]) {
    for (let after: string | null = null; ; ) {
      const page: readonly PermitUse[] = await store.list(partition, 'permits', {
        filter: { prefix },
        page: { after, limit: pageSizeMax },
      })
      for (const use of page) uses.set(use.key, use)
      after = page.at(-1)?.key ?? null
      if (page.length < pageSizeMax || after === null) break
    }
  }
  return uses
}

function checkpointOf(
  { partition, runnerId, clock }: TenantDeskDependencies,
  ids: Ids,
  { version, value }: { readonly version: number; readonly value: JsonValue },
): Checkpoint {
  return registerCheckpoint({
    ...{ partition, key: tenantsRegister, version, value, at: clock.now() },
    opId: opId(`tenants:${ids.next()}`),
    actor: { kind: 'operator', id: runnerId },
    cause: { kind: 'tenants', by: runnerId, detail: null },
  })
}
