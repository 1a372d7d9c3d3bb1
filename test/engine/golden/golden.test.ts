/** What versions before this one have written is still read as they meant it (I28). */

import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { compileWorkflow } from '../../../src-engine/core/compile.ts'
import { rebuildRunState } from '../../../src-engine/core/rebuild.ts'
import { definitionHashOf } from '../../../src-engine/model/definition-hash.ts'
import { invocationMachine } from '../../../src-engine/model/invocation-status.ts'
import { parseDocument } from '../../../src-engine/model/read-document.ts'
import { replayRun } from '../../../src-engine/model/replay.ts'
import { runMachine } from '../../../src-engine/model/run-status.ts'
import { verifyChain } from '../../../src-engine/store/event-chain.ts'
import { createMemoryStore } from '../../../src-engine/store/memory/memory-store.ts'
import { specsOfHistory } from '../../support/history.ts'
import { goldenFolder, goldenHistories } from './golden.ts'

/** Runs that go by no document of anybody's. */
const isOfTheEngine = (workflowId: string): boolean => workflowId.startsWith('core.')

test('each version that was released, and this one, has left its histories', () => {
  const manifest = readFileSync(join(import.meta.dirname, '../../../package.json'), 'utf8')
  const { version } = JSON.parse(manifest) as { readonly version: string }
  // `node test/engine/golden/record.ts` writes them.
  expect(readdirSync(goldenFolder)).toContain(version)
})

describe.each(goldenHistories())('$from', ({ golden }) => {
  const { events, runs } = golden

  test('its chain is unbroken', () => {
    const { chain } = createMemoryStore().info
    for (const own of Map.groupBy(events, ({ partition }) => partition).values())
      expect(verifyChain(own, false, chain)).toBeNull()
  })

  test('its moves are legal', () => {
    const refused = events.flatMap(({ body, actor }) => {
      if (body.type === 'invocation.changed' && body.from !== body.to)
        return invocationMachine.validateTransition(body.from, body.to, actor) ?? []
      if (body.type === 'run.changed' && body.from !== body.to)
        return runMachine.validateTransition(body.from, body.to, actor) ?? []
      return []
    })
    expect(refused).toEqual([])
  })

  test('its events alone give the records that it had', () => {
    expect(runs.length).toBeGreaterThan(0)
    for (const { run, invocations, attempts } of runs) {
      const replayed = replayRun(events.filter(({ runId }) => runId === run.id))
      expect(replayed.run).toEqual(run)
      const leased = (id: string) => invocations.find((record) => record.id === id)?.lease ?? null
      for (const record of replayed.invocations.values()) {
        const told = invocations.find(({ id }) => id === record.id)
        // Renewals of a lease write no event.
        const lease = record.lease === null ? null : leased(record.id)
        expect({ ...record, lease }).toEqual(told)
      }
      expect(replayed.invocations.size).toBe(invocations.length)
      expect(replayed.attempts).toEqual(expect.arrayContaining([...attempts]))
      expect(replayed.attempts).toHaveLength(attempts.length)
    }
  })

  test('its definitions have the hashes that they had, and runs are rebuilt on them', () => {
    for (const { run, document, invocations } of runs) {
      expect(definitionHashOf(document, specsOfHistory)).toBe(run.definitionHash)
      if (!isOfTheEngine(run.workflowId)) expect(parseDocument(document).ok).toBe(true)
      const state = rebuildRunState(compileWorkflow(document, specsOfHistory), run, invocations)
      expect(state.invocations.size).toBe(invocations.length)
    }
  })
})
