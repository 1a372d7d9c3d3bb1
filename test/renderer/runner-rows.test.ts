/** The rows of the page of runners. */

import { describe, expect, it } from 'vitest'
import { runnerId } from '../../src-engine/model/ids.ts'
import type { RunnerRecord } from '../../src-engine/model/runner.ts'
import { runnerStandings } from '../../src-engine/shell/runner-standings.ts'
import {
  heartbeatWords,
  lookOfRunner,
  roomWords,
  sinceWords,
  sortedRunners,
  standingWords,
} from '../../src-renderer/panels/engine-page/runner-rows.ts'

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

  it('tell one that was lost from one that stopped, and since when nothing was heard [P58]', () => {
    const lost = runner('lost', { heartbeatAt: now - 120_000, stoppedAt: now - 60_000 })
    const stopped = runner('stopped', { stoppedAt: now, heartbeatAt: now })
    expect(lookOfRunner(lost, now).label).toBe('Lost')
    expect(sinceWords(lost, now)).toBe('last heard 2 min ago')
    expect(lookOfRunner(stopped, now).label).toBe('Stopped')
    expect(sinceWords(runner('draining', { drainingSince: now - 5_000 }), now)).toBe('for 5.0 s')
    expect(sinceWords(runner('working'), now)).toBeNull()
    expect(sortedRunners([stopped, lost], now)).toEqual([lost, stopped])
  })

  it('tell how much more each takes, and all of them', () => {
    const limits = { overloadSlotsFraction: 0.9, overloadCpuPercent: 90, overloadGpuPercent: 100 }
    const busy = runner('busy', { active: 3, cpuPercent: 95 })
    const full = runner('full', { active: 4 })
    const elsewhere = { host: 'there', pid: 1, startTime: null, bootId: null }
    const free = runner('free', { active: 1, process: elsewhere })
    const rows = [busy, full, free, runner('leaving', { drainingSince: 1 })]
    const all = runnerStandings(rows, limits)
    expect(all.map(standingWords)).toEqual([
      'its machine is busy: others go first',
      'full: others go first',
      'room for 3 more',
      'takes nothing new',
    ])
    expect(all.map(({ score, isFirst }) => [score, isFirst])).toEqual([
      [3.95, false],
      [4, false],
      [1, true],
      [0, false],
    ])
    expect(roomWords(all)).toBe('room for 3 more')
    // To leave work to a neighbour doesn’t relieve the machine.
    expect(runnerStandings([busy, { ...free, process: busy.process }], limits)[0]).toMatchObject({ room: 1 })
    // Alone it leaves nothing to others.
    expect(runnerStandings([busy], limits)[0]).toMatchObject({ room: 1, held: null })
    expect(runnerStandings([runner('gone', { stoppedAt: now })], limits)).toEqual([])
  })

  it('tell a heartbeat in whole seconds', () => {
    expect(heartbeatWords(-20)).toBe('just now')
    expect(heartbeatWords(900)).toBe('just now')
    expect(heartbeatWords(14_400)).toBe('14 s ago')
    expect(heartbeatWords(125_000)).toBe('2 m 05 s ago')
  })
})
