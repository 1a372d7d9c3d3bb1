/** People who are told elsewhere of a question: demanded with the question, noted on it, and never in its way. */

import { describe, expect, test } from 'vitest'
import { noteNotice } from '../../../../src-engine/core/approvals/note-notice.ts'
import { wake } from '../../../../src-engine/core/requests.ts'
import type { ApprovalNotice } from '../../../../src-engine/model/approval.ts'
import type { OutboxRecord } from '../../../../src-engine/model/checkpoint.ts'
import { effectOf } from '../../../../src-engine/model/effect.ts'
import type { Scene } from '../run-scene.ts'
import { sceneStart } from '../run-scene.ts'
import { askByPolicy, askingScene, asks, say, waitOf } from './approval-scene.ts'

const notice = (set: Partial<ApprovalNotice> = {}): ApprovalNotice => ({
  ...{ occasion: 'asked', at: sceneStart, to: 'ada@example.com', tries: 1, error: null, isOver: true },
  ...set,
})

const toldIn = (outbox: readonly OutboxRecord[] | undefined) =>
  (outbox ?? []).map(effectOf).flatMap((effect) => (effect.kind === 'approval.told' ? [effect.told] : []))

const notes = (scene: Scene, set: Partial<ApprovalNotice> = {}, revision = 1) => {
  const { id, runId } = scene.record('ask')
  const told = { runId, invocationId: id, revision, occasion: set.occasion ?? 'asked' } as const
  return scene.decide((state, context) => noteNotice(state, context, { told, notice: notice(set) }), {
    claims: false,
  })
}

describe('a question of which people are told', () => {
  test('demands it in the checkpoint that asks, and once more when it becomes urgent', async () => {
    const scene = askingScene()
    await scene.start()
    const escalateAt = sceneStart + 50
    const asked = await scene.end('ask', asks({ tells: true, escalateAt, escalateTo: ['eve'] }))
    const { id, runId } = scene.record('ask')
    const about = { runId, invocationId: id, revision: 1 }
    expect(toldIn(asked?.checkpoint.writes.outbox)).toEqual([{ ...about, occasion: 'asked' }])
    scene.now = escalateAt
    const urgent = await scene.decide((state, context) => wake(state, context, id), { actor: 'timer' })
    expect(toldIn(urgent?.checkpoint.writes.outbox)).toEqual([{ ...about, occasion: 'escalated' }])
    expect(waitOf(scene)).toMatchObject({ escalatedAt: escalateAt, tells: true })
  })

  test('that says nothing of it, or is a policy’s, demands nothing', async () => {
    const scene = askingScene()
    await scene.start()
    expect(toldIn((await scene.end('ask', asks()))?.checkpoint.writes.outbox)).toEqual([])
    await say(scene, 'approve')
    expect(toldIn((await askByPolicy(scene, 'yes'))?.checkpoint.writes.outbox)).toEqual([])
  })

  test('has one note for each occasion, the last that was made; its hash and its instants stay', async () => {
    const scene = askingScene()
    await scene.start()
    await scene.end('ask', asks({ tells: true, expiresAt: sceneStart + 900 }))
    const before = scene.record('ask')
    const error = { code: 'connection_failed', message: 'away', hint: '' }
    await notes(scene, { error, isOver: false })
    await notes(scene, { tries: 2 })
    await notes(scene, { occasion: 'escalated' })
    expect(waitOf(scene).notices).toEqual([notice({ tries: 2 }), notice({ occasion: 'escalated' })])
    const { notices: _notices, ...wait } = waitOf(scene)
    expect(wait).toEqual(before.wait)
    expect(scene.record('ask').notBefore).toBe(before.notBefore)
    expect(scene.record('ask').status).toBe('APPROVAL_REQUIRED')
    await say(scene, 'approve')
    expect(scene.started).toEqual(['yes'])
  })

  test('that was decided, or was asked anew, takes no note of the one before', async () => {
    const scene = askingScene()
    await scene.start()
    await scene.end('ask', asks({ tells: true }))
    expect(await notes(scene, {}, 2)).toBeNull()
    await say(scene, 'approve')
    expect(await notes(scene)).toBeNull()
  })
})
