/** What the page of runs is narrowed to, as the query of an address: words of ours and ids, no texts of anybody's. */

import type { WorkflowId } from '../model/ids.ts'
import { workflowId } from '../model/ids.ts'
import type { RunStatus } from '../model/run-status.ts'
import { runStatuses } from '../model/run-status.ts'
import type { RunBeginning, RunTime } from './run-search.ts'
import { runBeginnings, runTimes } from './run-search.ts'

/** Null for what isn't narrowed. */
export interface RunsPlace {
  readonly statuses: readonly RunStatus[] | null
  readonly workflowId: WorkflowId | null
  readonly time: RunTime | null
  readonly origin: RunBeginning | null
  readonly tenant: string | null
  /** The code of what failed first. */
  readonly error: string | null
  /** The id of a step that failed. */
  readonly failedAt: string | null
  /** The code of a reason to wait. */
  readonly waitsFor: string | null
}

const namePattern = /^[A-Za-z0-9_][A-Za-z0-9._:@-]{0,127}$/
const names = ['status', 'workflow', 'time', 'origin', 'tenant', 'error', 'failedAt', 'waitsFor']

/** Whether an address can say it. Pure. */
const isLinkable = (text: string): boolean => namePattern.test(text)

/** The query of what is narrowed; empty for nothing. What no address can say is left out. */
export function queryOfRuns(place: RunsPlace): string {
  const { statuses, workflowId: workflow, time, origin, tenant, error, failedAt, waitsFor } = place
  const values = [
    statuses === null || statuses.length === 0 ? null : statuses.join(),
    workflow,
    time,
    origin,
    tenant,
    error,
    failedAt,
    waitsFor,
  ]
  return names
    .flatMap((name, index) => {
      const value = values[index] ?? null
      return value === null || (index !== 0 && !isLinkable(value))
        ? []
        : [`${name}=${encodeURIComponent(value)}`]
    })
    .join('&')
}

/** What the query narrows to; null where anything else is in it, or anything twice. */
export function readRunsQuery(query: string): RunsPlace | null {
  const values = new Map<string, string>()
  for (const part of query.split('&')) {
    const [name = '', text = '', ...more] = part.split('=')
    const value = decoded(text)
    const isNew = names.includes(name) && !values.has(name)
    if (!isNew || more.length > 0 || value === null || !isValid(name, value)) return null
    values.set(name, value)
  }
  const workflow = values.get('workflow')
  return {
    statuses: statusesIn(values.get('status') ?? ''),
    workflowId: workflow === undefined ? null : workflowId(workflow),
    time: runTimes.find((one) => one === values.get('time')) ?? null,
    origin: runBeginnings.find((one) => one === values.get('origin')) ?? null,
    tenant: values.get('tenant') ?? null,
    error: values.get('error') ?? null,
    failedAt: values.get('failedAt') ?? null,
    waitsFor: values.get('waitsFor') ?? null,
  }
}

function isValid(name: string, value: string): boolean {
  if (name === 'status') return statusesIn(value)?.join() === value
  if (name === 'time') return runTimes.some((one) => one === value)
  if (name === 'origin') return runBeginnings.some((one) => one === value)
  return isLinkable(value)
}

/** Those that are named, each once; null for none. */
function statusesIn(text: string): readonly RunStatus[] | null {
  const named = text.split(',')
  const found = named.flatMap((name) => runStatuses.find((status) => status === name) ?? [])
  const statuses = [...new Set(found)]
  return statuses.length === 0 ? null : statuses
}

/** Broken escapes are no value. */
function decoded(text: string): string | null {
  try {
    return decodeURIComponent(text)
  } catch {
    return null
  }
}
