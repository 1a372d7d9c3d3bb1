import { expect, it } from 'vitest'
import type { Circuit } from '../../../../src-engine/model/circuit.ts'
import { invocationId } from '../../../../src-engine/model/ids.ts'
import { circuitLine } from '../../../../src-engine/shell/commands/circuit-lines.ts'
import { instantText } from '../../../../src-engine/shell/terminal.ts'

const visit = (name: string) => ({ of: invocationId(name), at: 1 })
const line = (circuit: Circuit, key: string | null = null): string =>
  circuitLine({ id: 'circuit/w/guard/x', circuit, place: { workflowId: 'w', nodeId: 'guard', key } })
const [since, until, openedAt] = [60_000, 90_000, 30_000]

it('a closed one tells what it counted', () => {
  expect(line({ status: 'closed', failures: [visit('a')] })).toBe('guard of w: closed, 1 failure lately')
  expect(line({ status: 'closed', failures: [visit('a'), visit('b')] })).toContain(
    'closed, 2 failures lately',
  )
})

it('an open one tells since when, until when and why, and whose it is', () => {
  const open = { status: 'open', since, until, failures: 1 } as const
  expect(line({ ...open, error: 'task_failed' }, 'ada')).toBe(
    `guard of w for "ada": open since ${instantText(since)}, until ${instantText(until)}, after 1 failure (task_failed)`,
  )
  expect(line({ ...open, failures: 3, error: null })).toMatch(/, after 3 failures$/)
})

it('a half-open one tells who tries, and when it had opened', () => {
  const probes = [visit('a'), visit('b')]
  const half = { status: 'half-open', since, openedAt, failures: 2, error: null, probes } as const
  expect(line({ ...half, succeeded: [invocationId('a')] })).toBe(
    `guard of w: half-open since ${instantText(since)}: 2 inside, 1 succeeded; it opened ${instantText(openedAt)}, after 2 failures`,
  )
})
