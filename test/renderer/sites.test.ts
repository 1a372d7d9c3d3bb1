/** Where a workflow runs: what is remembered, and which line is asked. */

import { describe, expect, it } from 'vitest'
import { createStore } from 'zustand/vanilla'
import { runId } from '../../src-engine/model/ids.ts'
import { lastingReach, missingText } from '../../src-engine/model/missing-partition.ts'
import type { ClusterEntry } from '../../src-engine/protocol/clusters.ts'
import { taskSpecsByKind } from '../../src-engine/tasks/specs.ts'
import type { ConnectionState, EngineConnection } from '../../src-renderer/bridge/connection.ts'
import type { Designer } from '../../src-renderer/state/designer.ts'
import { createDesigner } from '../../src-renderer/state/designer.ts'
import { rememberSite, siteFor, siteOf } from '../../src-renderer/state/follow-clusters.ts'
import { closeUnusedLines, lineOfRun, lineTo } from '../../src-renderer/state/site-lines.ts'

const plant: ClusterEntry = { name: 'plant', address: 'redis://x', colour: 'amber', readOnly: false }
const archive: ClusterEntry = { ...plant, name: 'archive', readOnly: true }

interface TestLine extends EngineConnection {
  readonly isClosed: () => boolean
}

function lineOf(status: ConnectionState['status'] = 'connecting'): TestLine {
  let closed = false
  return {
    // Only the status of the line is looked at.
    state: createStore(() => ({ status }) as ConnectionState),
    call: () => Promise.reject(new Error('Nobody answers.')),
    follow: () => () => undefined,
    close: () => {
      closed = true
    },
    isClosed: () => closed,
  }
}

function testDesigner(statusOfNext: () => ConnectionState['status'] = () => 'connecting'): Designer {
  const texts = new Map<string, string>()
  return createDesigner({
    connection: lineOf(),
    connectTo: () => lineOf(statusOfNext()),
    desktop: null,
    specs: taskSpecsByKind,
    ambient: {
      now: () => 0,
      newId: () => 'id',
      after: () => () => undefined,
      onFrame: () => undefined,
      digest: async () => '',
      prefersStillness: () => false,
    },
    memory: { read: (key) => texts.get(key) ?? null, write: (key, text) => void texts.set(key, text) },
    exchange: { download: () => Promise.resolve(true), pick: () => Promise.resolve(null) },
    notices: {
      permission: () => 'refused' as const,
      ask: () => Promise.resolve('refused' as const),
      show: () => undefined,
      onClick: () => undefined,
      setBadge: () => undefined,
    },
    pages: { open: () => undefined, tell: () => undefined, onTold: () => undefined },
    isAside: false,
    restart: () => undefined,
  })
}

const known = { clusters: [plant, archive], picked: {} }

describe('where a document runs', () => {
  it('is what the page is about until another place was picked', () => {
    expect(siteFor(testDesigner(), known, 'wf')).toBeNull()
  })

  it('is where it ran last, for each document by itself, also on the next visit', () => {
    const designer = testDesigner()
    rememberSite(designer, 'wf', siteOf(plant))
    expect(siteFor(designer, known, 'wf')?.name).toBe('plant')
    expect(siteFor(designer, known, 'other')).toBeNull()
    expect(designer.sites.getState().picked).toEqual({ wf: 'plant' })
    rememberSite(designer, 'wf', null)
    expect(siteFor(designer, known, 'wf')).toBeNull()
  })

  it('is never a cluster that is known no more, or may only be looked at', () => {
    const designer = testDesigner()
    rememberSite(designer, 'wf', siteOf(plant))
    expect(siteFor(designer, { ...known, clusters: [] }, 'wf')).toBeNull()
    expect(siteFor(designer, { ...known, clusters: [{ ...plant, readOnly: true }] }, 'wf')).toBeNull()
  })
})

describe('the line that is asked', () => {
  it('is the page’s own for what the page is about, and one other for each cluster', () => {
    const designer = testDesigner()
    expect(lineTo(designer, null)).toBe(designer.connection)
    const line = lineTo(designer, siteOf(plant))
    expect(line).not.toBe(designer.connection)
    expect(lineTo(designer, siteOf(plant))).toBe(line)
  })

  it('is a new one when the last was refused', () => {
    const designer = testDesigner(() => 'refused')
    expect(lineTo(designer, siteOf(plant))).not.toBe(lineTo(designer, siteOf(plant)))
  })

  it('is that of the shown run for this run, and the page’s own for any other', () => {
    const designer = testDesigner()
    const shown = { runId: runId('run_1'), site: siteOf(plant), overlay: null, hash: null, shownOn: null }
    designer.runs.getState().show(shown, new Map())
    expect(lineOfRun(designer, runId('run_1'))).toBe(lineTo(designer, siteOf(plant)))
    expect(lineOfRun(designer, runId('run_2'))).toBe(designer.connection)
  })

  it('is closed once nothing is shown of it', () => {
    const designer = testDesigner()
    const line = lineTo(designer, siteOf(plant)) as TestLine
    closeUnusedLines(designer, [siteOf(plant)])
    expect(line.isClosed()).toBe(false)
    closeUnusedLines(designer, [null])
    expect(line.isClosed()).toBe(true)
    expect(lineTo(designer, siteOf(plant))).not.toBe(line)
  })
})

it('tells of a partition that is away once it has been for a while, not of an answer that came late', () => {
  const missing = [{ partition: 3, since: 10_000, code: 'store_busy', message: 'It is busy.' }]
  const told = (now: number) => missingText(lastingReach({ partitions: 64, missing }, now), String)
  expect(told(11_900)).toBeNull()
  expect(told(12_000)).toContain('One of 64 partitions doesn’t answer since 10000')
})
