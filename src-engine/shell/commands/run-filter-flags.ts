/** The flags by which runs are listed, and by which many of them are meant. */

import type { WorkflowId } from '../../model/ids.ts'
import { workflowId } from '../../model/ids.ts'
import type { RunStatus } from '../../model/run-status.ts'
import { runStatuses } from '../../model/run-status.ts'
import type { RunBeginning, RunSearch } from '../../protocol/run-search.ts'
import { runBeginnings } from '../../protocol/run-search.ts'
import { systemClock } from '../../runtime/system-ports.ts'
import type { CommandContext } from './command.ts'
import { usageError } from './command.ts'
import { instantOf } from './instant-flag.ts'

export const runFilterFlags = [
  'workflow',
  'status',
  'since',
  'until',
  'origin',
  'tenant',
  'error',
  'failed-at',
  'waits-for',
  'text',
] as const

export const runFilterUsage =
  '--workflow ID --status A,B --since WHEN --until WHEN --origin HOW --tenant NAME --error CODE --failed-at STEP --waits-for REASON --text WORDS'

/** What the flags narrow the runs to. */
export function runFilterOf({ flags }: Pick<CommandContext, 'flags'>): RunSearch & {
  readonly workflowId: WorkflowId | null
  readonly statuses: readonly RunStatus[] | null
} {
  const { workflow, status, since, until, origin, tenant, error, text } = flags
  const { 'failed-at': failedAt, 'waits-for': waitsFor } = flags
  return {
    workflowId: typeof workflow === 'string' ? workflowId(workflow) : null,
    statuses: statusesOf(status),
    since: typeof since === 'string' ? instantOf(since, systemClock.now()) : null,
    until: typeof until === 'string' ? instantOf(until, systemClock.now()) : null,
    origin: originOf(origin),
    tenant: typeof tenant === 'string' ? tenant : null,
    error: typeof error === 'string' ? error : null,
    failedAt: typeof failedAt === 'string' ? failedAt : null,
    waitsFor: typeof waitsFor === 'string' ? waitsFor : null,
    text: typeof text === 'string' ? text : null,
  }
}

/** The statuses that `--status A,B` names; null without it. */
function statusesOf(flag: string | boolean | undefined): readonly RunStatus[] | null {
  if (typeof flag !== 'string') return null
  return flag.split(',').map((text) => {
    const wanted = text.trim().toUpperCase()
    const status = runStatuses.find((known) => known === wanted)
    if (status === undefined) {
      throw usageError(`There is no run status “${text}”.`, `Use one of: ${runStatuses.join(', ')}.`)
    }
    return status
  })
}

function originOf(flag: string | boolean | undefined): RunBeginning | null {
  if (typeof flag !== 'string') return null
  const origin = runBeginnings.find((known) => known === flag.trim().toLowerCase())
  if (origin !== undefined) return origin
  throw usageError(`No run begins by “${flag}”.`, `Use one of: ${runBeginnings.join(', ')}.`)
}
