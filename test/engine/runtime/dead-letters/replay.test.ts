/** Running again what a dead letter tells of: which run that is, and whose letter is taken away with it. */

import { describe, expect, test } from 'vitest'
import type { DeadLetter } from '../../../../src-engine/model/checkpoint.ts'
import { definitionHash, invocationId, nodeId, runId, workflowId } from '../../../../src-engine/model/ids.ts'
import type { RerunRequest } from '../../../../src-engine/protocol/run-control.ts'
import { createDeadLetters } from '../../../../src-engine/runtime/dead-letters/dead-letters.ts'

type Parts = Parameters<typeof createDeadLetters>[0]

const letter: DeadLetter = {
  id: 'run/a:task_failed',
  runId: runId('run'),
  invocationId: invocationId('run/a'),
  workflowId: workflowId('w'),
  nodeId: nodeId('a'),
  reason: 'task_failed',
  message: 'It failed.',
  lastStatus: 'RUNNING',
  at: 1_000,
  attempts: 1,
  input: null,
  body: {},
}

function desk() {
  const asked: RerunRequest[] = []
  const settled: string[] = []
  const lock = new AbortController()
  const scene = { stored: letter, loses: false }
  const parts = {
    dependencies: {
      store: { load: async () => scene.stored },
      partition: 0,
      settings: { runLockTtlMs: 1 },
      book: { decide: async (id: string) => void settled.push(id) },
    },
    runner: {},
    locks: {
      within: (_key: string, _ttlMs: number, work: (signal: AbortSignal) => unknown) => work(lock.signal),
    },
  }
  const reruns = {
    rerun: async (request: RerunRequest) => {
      asked.push(request)
      if (scene.loses) lock.abort()
      return { runId: runId('again'), hash: definitionHash('hash') }
    },
  }
  const saga = { retry: () => Promise.reject(new Error('nothing is undone')) }
  // What a replay asks of an engine, and no more.
  const letters = createDeadLetters(parts as unknown as Parts, reruns, saga)
  return { asked, settled, scene, replay: () => letters.replay({ id: letter.id, input: null, by: null }) }
}

describe('a dead letter that is run again', () => {
  test('starts the same run however often, and another one where its step has failed anew since', async () => {
    const { asked, scene, replay } = desk()
    await replay()
    await replay()
    // Of a step whose end a failover took back, and that was done once more.
    scene.stored = { ...letter, at: 2_000 }
    await replay()
    const [first, second, anew] = asked.map(({ requestId }) => requestId)
    expect(first).toMatch(/^[0-9a-f]{26}$/)
    expect(second).toBe(first)
    expect(anew).not.toBe(first)
  })

  test('is taken away with that, but not by who lost the lock meanwhile: by then it may be another one’s', async () => {
    const { settled, scene, replay } = desk()
    expect(await replay()).toMatchObject({ runId: 'again' })
    expect(settled).toEqual(['run'])
    scene.loses = true
    expect(await replay()).toMatchObject({ runId: 'again' })
    expect(settled).toEqual(['run'])
  })
})
