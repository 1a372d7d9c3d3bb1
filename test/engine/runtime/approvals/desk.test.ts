/** The inbox on an engine: what it shows, how it is decided, and what time and crashes do to it, on every store. */

import { afterEach, describe, expect, it } from 'vitest'
import type { RunId } from '../../../../src-engine/model/ids.ts'
import type { JsonObject, JsonValue } from '../../../../src-engine/model/json.ts'
import type { InputOf } from '../../../../src-engine/protocol/api.ts'
import type { ApprovalView, InboxEntry } from '../../../../src-engine/protocol/approvals.ts'
import { sceneStores } from '../../../simulation/stores.ts'
import { documentOf, edgesOf } from '../../model/workflow-fixture.ts'
import { FlowScene } from '../control-flow/flow-scene.ts'
import type { SettingValues } from '../permits/scene-settings.ts'

const scenes: FlowScene[] = []
afterEach(async () => {
  for (const scene of scenes.splice(0)) await scene.close()
})

const form = {
  type: 'object',
  properties: { amount: { type: 'number', maximum: 10 }, note: { type: 'string', default: 'none' } },
  required: ['amount'],
}

const asking = (parameters: Record<string, JsonValue> = {}): JsonObject => ({
  nodes: {
    ask: {
      kind: 'approval',
      title: 'Ask the boss',
      parameters: { title: 'Pay {{ input.amount }}?', details: 'input', form, pushBack: true, ...parameters },
    },
    yes: { kind: 'transform', parameters: { expression: 'input' } },
    no: { kind: 'transform', parameters: { expression: 'input' } },
    anew: { kind: 'transform', parameters: { expression: 'input' } },
  },
  edges: edgesOf('ask:approved>yes', 'ask:rejected>no', 'ask:changes>anew'),
})

const isApproval = (entry: InboxEntry | undefined): entry is ApprovalView => entry?.kind === 'approval'

class Inbox {
  readonly scene: FlowScene

  constructor(scene: FlowScene) {
    this.scene = scene
  }

  list(set: Partial<InputOf<'approvals.list'>> = {}) {
    const { approvals } = this.scene.engine
    const request = { runId: null, approver: null, after: null, limit: 10, ...set }
    return this.scene.within(approvals.list(request))
  }

  async only(): Promise<ApprovalView> {
    const [entry] = (await this.list()).entries
    if (!isApproval(entry)) throw new Error('nothing is asked')
    return entry
  }

  say(
    { runId, invocationId, hash }: Pick<ApprovalView, 'runId' | 'invocationId' | 'hash'>,
    set: Partial<InputOf<'approvals.decide'>> = {},
  ) {
    const { approvals } = this.scene.engine
    const said = { answer: 'approve', values: { amount: 3 }, comment: null, ...set } as const
    const by = set.by ?? 'ada'
    return this.scene.within(approvals.decide({ runId, invocationId, hash, ...said, by }))
  }
}

describe.each(Object.entries(sceneStores))('the inbox on %s', (_name, open) => {
  const inbox = async (settings: SettingValues = {}): Promise<Inbox> => {
    const scene = new FlowScene(await open(), settings)
    scene.looksSeldom = true
    scenes.push(scene)
    await scene.launch()
    return new Inbox(scene)
  }
  const begun = async (here: Inbox, parts: JsonObject, by: string | null = null): Promise<RunId> => {
    const request = {
      document: documentOf(parts),
      input: { amount: 3 },
      requestId: null,
      baseDirectory: null,
    }
    const { runId } = await here.scene.within(here.scene.engine.startRun({ ...request, by }))
    await here.scene.pass(100)
    return runId
  }

  it('shows what is asked, takes the answer once, and hands on what was filled in [C25] [C27]', async () => {
    const here = await inbox()
    const runId = await begun(here, asking(), 'eve')
    const entry = await here.only()
    expect(entry).toMatchObject({
      ...{ runId, nodeId: 'ask', nodeTitle: 'Ask the boss', startedBy: 'eve', for: 'node', revision: 1 },
      ...{ title: 'Pay 3?', details: { amount: 3 }, form, approvers: [], decided: null },
      answers: ['approve', 'reject', 'push-back'],
    })
    await expect(here.say(entry, { values: { amount: 30 } })).rejects.toMatchObject({
      code: 'approval_form_invalid',
    })
    const other = '0'.repeat(64)
    await expect(here.say({ ...entry, hash: other })).rejects.toMatchObject({ code: 'approval_stale' })
    const told = { outcome: 'approved', by: 'ada', values: { amount: 3, note: 'none' }, comment: 'fine' }
    expect(await here.say(entry, { comment: 'fine' })).toMatchObject({ result: 'decided', decided: told })
    expect(await here.say(entry, { by: 'bob' })).toMatchObject({ result: 'already', decided: told })
    await expect(here.say(entry, { answer: 'reject' })).rejects.toMatchObject({
      code: 'approval_already_decided',
      details: { by: 'ada' },
    })
    await here.scene.pass(100)
    expect(await here.scene.statuses(runId)).toEqual({ ask: 'SUCCESS', yes: 'SUCCESS' })
    expect(await here.scene.outputOf(runId)).toMatchObject({
      decision: 'approved',
      by: 'ada',
      comment: 'fine',
    })
    expect(await here.list()).toMatchObject({ entries: [], counts: { approvals: 0, effects: 0 } })
    const { approvals } = here.scene.engine
    const shown = await here.scene.within(approvals.show({ runId, invocationId: entry.invocationId }))
    expect(shown.entry).toMatchObject({ title: 'Pay 3?', hash: entry.hash, decided: told })
    // The history tells who decided.
    const { partition } = await here.scene.run(runId)
    const after = { partition, epoch: 0, seq: 0 }
    const events = await here.scene.store.readEvents({ after, runId, until: null, limit: 100 })
    expect(events.map(({ cause }) => cause)).toContainEqual({
      kind: 'approval',
      by: 'ada',
      detail: 'approved',
    })
  })

  it('pushed back to an earlier step, that is done again with what was said, and it is asked anew', async () => {
    const here = await inbox()
    const inLoop = (kind: string, parameters: JsonObject) => ({ kind, parent: 'until', parameters })
    const runId = await begun(here, {
      nodes: {
        until: { kind: 'loop', parameters: { mode: 'while', condition: 'true' } },
        draft: inLoop('transform', {
          expression: '{ "text": "draft " & $string(loop.index), "because": loop.value.comment }',
        }),
        ask: inLoop('approval', { title: 'Send {{ input.text }}?', details: 'input', pushBack: true }),
        again: inLoop('next-turn', {}),
        good: inLoop('break-loop', { value: 'nodes.draft.output' }),
        send: { kind: 'transform', parameters: { expression: 'input' } },
      },
      edges: edgesOf('draft>ask', 'ask:approved>good', 'ask:changes>again', 'until>send'),
    })
    const first = await here.only()
    expect(first.title).toBe('Send draft 0?')
    await here.say(first, { answer: 'push-back', values: null, comment: 'too long' })
    await here.scene.pass(1_000)
    // A crash in between loses nothing of it.
    here.scene.crash()
    await here.scene.launch()
    await here.scene.pass(1_000)
    const second = await here.only()
    expect(second).toMatchObject({
      title: 'Send draft 1?',
      details: { text: 'draft 1', because: 'too long' },
    })
    await expect(here.say({ ...second, hash: first.hash }, { values: null })).rejects.toMatchObject({
      code: 'approval_stale',
    })
    await here.say(second, { values: null })
    await here.scene.pass(1_000)
    expect((await here.scene.run(runId)).status).toBe('SUCCEEDED')
    expect(await here.scene.outputOf(runId)).toEqual({ text: 'draft 1', because: 'too long' })
  })

  it('is in order over runs, by page, by run and by who may decide, with what nobody knows of', async () => {
    const here = await inbox()
    const first = await begun(here, asking({ approvers: ['bob'] }))
    await begun(here, asking())
    const doubtful = { a: { kind: 'debug', parameters: { sleepMs: 60_000 }, sideEffect: 'unsafe' } }
    await begun(here, { nodes: doubtful, edges: {} })
    here.scene.crash()
    await here.scene.launch()
    await here.scene.pass(1_000)
    const { entries, counts } = await here.list()
    expect(entries.map(({ kind }) => kind).sort()).toEqual(['approval', 'approval', 'effect'])
    expect(counts).toEqual({ approvals: 2, effects: 1, escalated: 0 })
    const [one] = (await here.list({ limit: 1 })).entries
    const { next } = await here.list({ limit: 1 })
    expect(next).toBe(one?.invocationId)
    const rest = await here.list({ after: next })
    expect(rest.entries).toHaveLength(2)
    expect(rest.next).toBeNull()
    expect((await here.list({ runId: first })).entries).toHaveLength(1)
    const forAda = (await here.list({ approver: 'ada' })).entries
    expect(forAda.map((entry) => entry.runId)).not.toContain(first)
  })

  it('wants somebody else than who started, where the step or the setting says so [C30]', async () => {
    const own = await inbox()
    await begun(own, asking({ otherPerson: true }), 'ada')
    const entry = await own.only()
    await expect(own.say(entry)).rejects.toMatchObject({ code: 'approval_not_allowed' })
    expect(await own.say(entry, { by: 'bob' })).toMatchObject({ result: 'decided' })
    const strict = await inbox({ approvalOtherPerson: true })
    await begun(strict, asking(), 'ada')
    await expect(strict.say(await strict.only())).rejects.toMatchObject({ code: 'approval_not_allowed' })
  })

  it('wants somebody else than who had an ended run go on, too [C30]', async () => {
    const here = await inbox()
    const parameters = { title: 'Sure?', otherPerson: true, onReject: 'deny' }
    const runId = await begun(here, { nodes: { ask: { kind: 'approval', parameters } }, edges: {} }, 'eve')
    await here.say(await here.only(), { answer: 'reject', values: null })
    await here.scene.pass(100)
    expect((await here.scene.run(runId)).status).toBe('DENIED')
    const same = { runId, nodeId: null, input: null, version: 'same', document: null } as const
    await here.scene.within(here.scene.engine.retryRun({ ...same, by: 'bob', reason: null }))
    await here.scene.pass(100)
    const again = await here.only()
    for (const by of ['bob', 'eve'])
      await expect(here.say(again, { by, values: null })).rejects.toMatchObject({
        code: 'approval_not_allowed',
      })
    expect(await here.say(again, { by: 'ada', values: null })).toMatchObject({ result: 'decided' })
  })

  it('becomes urgent and is over at its instants, also where a crash lies between', async () => {
    const here = await inbox()
    const terms = { onExpiry: 'reject', amount: 2, unit: 'hours' }
    const urgent = { escalates: true, escalateAmount: 1, escalateUnit: 'hours', escalateTo: ['bob'] }
    const runId = await begun(here, asking({ ...terms, ...urgent, approvers: ['eve'] }))
    await here.scene.pass(3_600_000)
    const entry = await here.only()
    expect(entry.escalatedAt).not.toBeNull()
    expect(entry.approvers).toEqual(['eve', 'bob'])
    expect((await here.list()).counts.escalated).toBe(1)
    here.scene.crash()
    await here.scene.pass(3_600_000)
    await here.scene.launch()
    await here.scene.pass(1_000)
    expect(await here.scene.statuses(runId)).toEqual({ ask: 'SUCCESS', no: 'SUCCESS' })
    await expect(here.say(entry, { by: 'eve' })).rejects.toMatchObject({ code: 'approval_already_decided' })
  })

  it.each(['approval.before-commit', 'approval.after-commit'] as const)(
    'a decision that dies at %s is whole or not there, and said again it is taken once [C28] [C31]',
    async (name) => {
      const here = await inbox()
      const runId = await begun(here, asking())
      const entry = await here.only()
      here.scene.crash()
      await here.scene.launch({ name, nth: 1 })
      const { runId: of, invocationId, hash } = entry
      const said = { runId: of, invocationId, hash, answer: 'approve', values: { amount: 3 } } as const
      const lost = here.scene.engine.approvals.decide({ ...said, comment: null, by: 'ada' })
      await here.scene.settled(lost, () => here.scene.isDead)
      await here.scene.launch()
      const again = await here.say(entry)
      expect(again.result).toBe(name === 'approval.before-commit' ? 'decided' : 'already')
      await here.scene.pass(1_000)
      expect(await here.scene.statuses(runId)).toEqual({ ask: 'SUCCESS', yes: 'SUCCESS' })
      expect(await here.scene.executions(runId)).toEqual([
        ['ask', 1],
        ['yes', 1],
      ])
    },
  )

  it('of two who decide differently at once one is taken, and the other hears of it [C63]', async () => {
    const here = await inbox()
    const runId = await begun(here, asking())
    const entry = await here.only()
    const answers = await Promise.allSettled([
      here.say(entry, { by: 'ada' }),
      here.say(entry, { by: 'bob', answer: 'reject' }),
    ])
    expect(answers.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected'])
    const [refused] = answers.filter((answer) => answer.status === 'rejected')
    expect(refused?.reason).toMatchObject({ code: 'approval_already_decided' })
    await here.scene.pass(100)
    expect((await here.scene.run(runId)).status).toBe('SUCCEEDED')
  })

  it('tells who watches what came, and that something went', async () => {
    const here = await inbox()
    const { approvals } = here.scene.engine
    const begin = await here.scene.within(approvals.watch({ token: null, spanMs: 1_000 }))
    expect(begin).toMatchObject({ fresh: null, counts: { approvals: 0 } })
    const asked = approvals.watch({ token: begin.token, spanMs: 50_000 })
    await begun(here, asking())
    const came = await here.scene.within(asked)
    const entry = await here.only()
    expect(came).toMatchObject({ fresh: [entry.invocationId], counts: { approvals: 1 } })
    const waits = approvals.watch({ token: came.token, spanMs: 50_000 })
    await here.say(entry)
    const went = await here.scene.within(waits)
    expect(went).toMatchObject({ fresh: [], counts: { approvals: 0 } })
    const quiet = await here.scene.within(approvals.watch({ token: went.token, spanMs: 500 }))
    expect(quiet.token).toBe(went.token)
    // A token of another time says nothing about what came since.
    expect(await here.scene.within(approvals.watch({ token: '1:7', spanMs: 500 }))).toMatchObject({
      fresh: null,
    })
  })
})
