/**
 * The status tables against the design's, written down once more by hand: without the seven moves that nothing makes
 * (docs/adr/0068). That each of the others is made is shown in test/engine/transitions.
 */

import { describe, expect, test } from 'vitest'
import { invocationMachine, invocationStatuses } from '../../../src-engine/model/invocation-status.ts'
import { runMachine, runStatuses } from '../../../src-engine/model/run-status.ts'

/** `flags | exits`; a name in parentheses is the only actor of an exit or an override. */
const retry = 'PENDING CONCURRENCY_CONTROLLED CONCURRENCY_CONTROLLED_FINAL FAILED CANCELLED TIMEOUT'
const available = `${retry} WAITING APPROVAL_REQUIRED DENIED`
const running =
  'PAUSED WAITING RETRY SUCCESS FAILED KILLED APPROVAL_REQUIRED TIMEOUT ' +
  'CANCELLED OUTPUT_QUARANTINED RUNNING_RECOVERY'

const invocation: Readonly<Record<string, readonly [flags: string, exits: string]>> = {
  REGISTERED: ['rel avail', `${available} SUCCESS`],
  REROUTED: ['rel avail', available],
  RETRY: ['rel avail', retry],
  CONCURRENCY_CONTROLLED: ['rel', 'REROUTED CANCELLED TIMEOUT'],
  APPROVAL_REQUIRED: ['rel', 'REROUTED SUCCESS FAILED DENIED CANCELLED TIMEOUT'],
  PENDING: ['acq req', 'RUNNING REROUTED KILLED PENDING_RECOVERY CANCELLED TIMEOUT'],
  RUNNING: ['req', running],
  PAUSED: ['req', 'RESUMED RETRY FAILED KILLED CANCELLED TIMEOUT RUNNING_RECOVERY'],
  RESUMED: ['req', running],
  WAITING: ['rel', 'REROUTED RETRY SUCCESS FAILED TIMEOUT CANCELLED'],
  KILLED: ['rel', 'REROUTED APPROVAL_REQUIRED CANCELLED TIMEOUT'],
  PENDING_RECOVERY: ['rel ovr(recovery)', 'REROUTED CANCELLED TIMEOUT'],
  RUNNING_RECOVERY: ['rel ovr(recovery)', 'REROUTED FAILED CANCELLED TIMEOUT APPROVAL_REQUIRED'],
  CANCELLED: ['rel ovr(operator,run,policy) final', ''],
  TIMEOUT: ['rel ovr(reconciler) final', ''],
  FAILED: ['rel final', ''],
  DENIED: ['rel final', ''],
  CONCURRENCY_CONTROLLED_FINAL: ['rel final', ''],
  SUCCESS: ['rel final', 'OUTPUT_QUARANTINED(scan)'],
  OUTPUT_QUARANTINED: ['rel final', 'SUCCESS(operator)'],
}

const unhappy = 'FAILED CANCELLED TIMED_OUT DENIED COMPENSATING'
const again = 'COMPENSATING(operator,scan,run) RUNNING(operator)'

const run: Readonly<Record<string, readonly [flags: string, exits: string]>> = {
  CREATED: ['', 'RUNNING DENIED CANCELLED TIMED_OUT FAILED'],
  RUNNING: ['', `WAITING PAUSED SUCCEEDED ${unhappy}`],
  WAITING: ['', `RUNNING PAUSED SUCCEEDED ${unhappy}`],
  PAUSED: ['', `RUNNING WAITING ${unhappy}`],
  COMPENSATING: ['', 'COMPENSATED COMPENSATION_FAILED'],
  COMPENSATION_FAILED: ['', 'COMPENSATING ABANDONED'],
  SUCCEEDED: ['final', 'COMPENSATING(operator,scan,run)'],
  FAILED: ['final', again],
  CANCELLED: ['final', again],
  TIMED_OUT: ['final', again],
  DENIED: ['final', again],
  COMPENSATED: ['final', ''],
  ABANDONED: ['final', ''],
}

const sorted = (text: string): readonly string[] =>
  text
    .split(' ')
    .filter((word) => word !== '')
    .sort()

interface AnyRow {
  readonly to: readonly (string | { readonly status: string; readonly by: readonly string[] })[]
  readonly acquires?: true
  readonly requires?: true
  readonly releases?: true
  readonly available?: true
  readonly final?: true
  readonly overrides?: readonly string[]
}

function written(row: AnyRow): readonly [readonly string[], readonly string[]] {
  const flags: string[] = []
  if (row.acquires) flags.push('acq')
  if (row.requires) flags.push('req')
  if (row.releases) flags.push('rel')
  if (row.available) flags.push('avail')
  if (row.final) flags.push('final')
  if (row.overrides !== undefined) flags.push(`ovr(${row.overrides.join(',')})`)
  const exits = row.to.map((exit) =>
    typeof exit === 'string' ? exit : `${exit.status}(${exit.by.join(',')})`,
  )
  return [flags.sort(), exits.sort()]
}

describe.for([
  ['invocation', invocationMachine, invocationStatuses, invocation, ['REGISTERED']],
  ['run', runMachine, runStatuses, run, ['CREATED']],
] as const)('the %s table', ([, machine, statuses, expected, initial]) => {
  const rows: Readonly<Record<string, AnyRow>> = machine.table.rows

  test('has exactly the statuses of the design [S51]', () => {
    expect([...machine.statuses].sort()).toEqual(Object.keys(expected).sort())
    expect([...statuses].sort()).toEqual([...machine.statuses].sort())
    expect(machine.table.initial).toEqual(initial)
  })

  test.for(Object.entries(expected))(
    '%s goes where the design says, and nowhere else [P5]',
    ([status, [flags, exits]]) => {
      expect(written(rows[status] ?? { to: [] })).toEqual([sorted(flags), sorted(exits)])
    },
  )
})
