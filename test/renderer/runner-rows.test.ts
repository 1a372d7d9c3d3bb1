/** The rows of the page of runners. */

import { describe, expect, it } from 'vitest'
import { runnerId } from '../../src-engine/model/ids.ts'
import type { RunnerRecord } from '../../src-engine/model/runner.ts'
import { heartbeatWords, sortedRunners } from '../../src-renderer/panels/engine-page/runner-rows.ts'

const now = 1_000_000
const runner = (id: string, changes: Partial<RunnerRecord> = {}): RunnerRecord => ({
  id: runnerId(id),
  process: { host: 'here', pid: 1, startTime: null, bootId: null },
  startedAt: 0,
  heartbeatAt: now,
  stoppedAt: null,
  pools: ['default'],
  slots: 4,
  active: 0,
  labels: [],
  capabilities: [],
  canRunAtomicService: true,
  parentId: null,
  cpuPercent: null,
  gpuPercent: null,
  drainingSince: null,
  ...changes,
})

describe('rows of runners', () => {
  it('begin with those at work, the newest first, and end with those that stopped', () => {
    const rows = [
      runner('stopped', { stoppedAt: now }),
      runner('silent', { heartbeatAt: now - 60_000 }),
      runner('old'),
      runner('draining', { drainingSince: now - 5 }),
      runner('new', { startedAt: 5 }),
    ]
    expect(sortedRunners(rows, now).map(({ id }) => id)).toEqual([
      'new',
      'old',
      'draining',
      'silent',
      'stopped',
    ])
  })

  it('tell a heartbeat in whole seconds', () => {
    expect(heartbeatWords(-20)).toBe('just now')
    expect(heartbeatWords(900)).toBe('just now')
    expect(heartbeatWords(14_400)).toBe('14 s ago')
    expect(heartbeatWords(125_000)).toBe('2 m 05 s ago')
  })
})
