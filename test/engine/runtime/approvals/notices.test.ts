/** Telling people elsewhere that they are asked, on an engine: once, after the question is there, and never in its way. */

import { afterEach, describe, expect, it } from 'vitest'
import { SagasmithError } from '../../../../src-engine/model/errors.ts'
import type { DefinitionHash, RunId } from '../../../../src-engine/model/ids.ts'
import type { JsonObject, JsonValue } from '../../../../src-engine/model/json.ts'
import type { ApprovalView } from '../../../../src-engine/protocol/approvals.ts'
import type { FailpointName } from '../../../../src-engine/runtime/failpoints.ts'
import type { TrustSource } from '../../../../src-engine/runtime/trust/definition-trust.ts'
import { createSecretSource } from '../../../../src-engine/runtime/vault/attempt-secrets.ts'
import { createApprovalRun } from '../../../../src-engine/tasks/approval/run.ts'
import type { ApprovalParameters } from '../../../../src-engine/tasks/approval/spec.ts'
import type { TaskRun, ToldApproval } from '../../../../src-engine/tasks/task.ts'
import { sceneStores } from '../../../simulation/stores.ts'
import { edgesOf } from '../../model/workflow-fixture.ts'
import { FlowScene } from '../control-flow/flow-scene.ts'
import { vaultScene } from '../vault/vault-scene.ts'

const scenes: FlowScene[] = []
afterEach(async () => {
  for (const scene of scenes.splice(0)) await scene.close()
})

const asking = (parameters: Record<string, JsonValue> = {}): JsonObject => ({
  nodes: {
    ask: {
      kind: 'approval',
      parameters: {
        ...{ title: 'Pay {{ input.amount }}?', mails: true, mailTo: 'ada@example.com' },
        ...{ mailFrom: 'shop@example.com', host: 'mail.example', ...parameters },
      },
    },
    yes: { kind: 'transform', parameters: { expression: 'input.decision' } },
  },
  edges: edgesOf('ask:approved>yes'),
})

interface Told extends ToldApproval {
  readonly key: string
  readonly password: string
}

/** What the kind tells, and what it says to each: nothing, an error, or who was not told. */
class Post {
  readonly told: Told[] = []
  answers: readonly (SagasmithError | readonly string[])[] = []

  get run(): TaskRun<ApprovalParameters> {
    const real = createApprovalRun({ lookup: () => Promise.reject(new Error('no network here')) })
    const tell = async (
      { password }: ApprovalParameters,
      told: ToldApproval,
      { idempotencyKey: key }: { readonly idempotencyKey: string },
    ) => {
      this.told.push({ ...told, key, password })
      const answer = this.answers[this.told.length - 1] ?? []
      if (answer instanceof SagasmithError) throw answer
      return answer
    }
    return { execute: real.execute, telling: { whom: real.telling.whom, tell } }
  }
}

const away = new SagasmithError('connection_failed', { message: 'mail.example: nobody there' })
const refused = new SagasmithError('sign_in_refused', { message: 'mail.example says: no' })

describe.each(Object.entries(sceneStores))('people are told of questions on %s', (_name, open) => {
  const begun = async (dieAt: FailpointName | null = null) => {
    const here = new FlowScene(await open())
    here.looksSeldom = true
    scenes.push(here)
    const post = new Post()
    here.instead.set('approval', post.run as TaskRun<unknown>)
    await here.launch(dieAt === null ? null : { name: dieAt, nth: 1 })
    return { here, post }
  }
  const only = async (here: FlowScene): Promise<ApprovalView> => {
    const request = { runId: null, approver: null, after: null, limit: 10 }
    const [entry] = (await here.within(here.engine.approvals.list(request))).entries
    if (entry?.kind !== 'approval') throw new Error('nothing is asked')
    return entry
  }
  const approve = async (here: FlowScene) => {
    const { runId, invocationId, hash } = await only(here)
    const said = { answer: 'approve', values: null, comment: null, by: 'ada' } as const
    await here.within(here.engine.approvals.decide({ runId, invocationId, hash, ...said }))
    await here.pass(1_000)
  }
  const succeeded = async (here: FlowScene, run: RunId) => {
    await approve(here)
    expect((await here.run(run)).status).toBe('SUCCEEDED')
  }

  it('once, when the question is there, with a link that leads to it', async () => {
    const { here, post } = await begun()
    const runId = await here.start(asking(), { amount: 3 })
    await here.pass(100)
    expect(post.told).toMatchObject([
      {
        ...{ occasion: 'asked', shown: { title: 'Pay 3?', message: '' }, runId, nodeId: 'ask' },
        ...{ workflowTitle: 'Orders', approvers: [], expiresAt: null },
        link: `sagasmith://run/${runId}?node=ask`,
        key: expect.stringMatching(/^[a-z2-7]{52}:1:asked$/i) as string,
      },
    ])
    const sent = { occasion: 'asked', to: 'ada@example.com', tries: 1, error: null, isOver: true }
    expect((await only(here)).notices).toMatchObject([sent])
    here.crash()
    await here.launch()
    await here.pass(3_600_000)
    expect(post.told).toHaveLength(1)
    await succeeded(here, runId)
  })

  it.each([
    ['effect.before-delivery', 1],
    ['effect.after-delivery', 1],
  ] as const)('a process that dies at %s leaves it to the next, under the same key', async (name, most) => {
    const { here, post } = await begun(name)
    const runId = await here.start(asking(), { amount: 3 })
    await here.pass(1_000)
    expect(here.isDead).toBe(true)
    await here.launch()
    await here.pass(600_000)
    expect(post.told.length).toBe(most)
    expect((await only(here)).notices).toMatchObject([{ error: null, isOver: true }])
    await succeeded(here, runId)
  })

  it('a process that dies while it tells has it told again, under the same key', async () => {
    const { here, post } = await begun()
    const { telling, execute } = post.run
    const dying: TaskRun<ApprovalParameters> = {
      execute,
      telling: {
        whom: () => 'ada@example.com',
        tell: async (...given) => {
          await telling?.tell(...given)
          here.crash()
          return []
        },
      },
    }
    here.instead.set('approval', dying as TaskRun<unknown>)
    await here.start(asking(), { amount: 3 })
    await here.pass(1_000)
    expect(here.isDead).toBe(true)
    here.instead.set('approval', post.run as TaskRun<unknown>)
    await here.launch()
    await here.pass(600_000)
    expect(post.told.map(({ key }) => key)).toEqual([post.told[0]?.key, post.told[0]?.key])
    expect((await only(here)).notices).toMatchObject([{ tries: 1, error: null }])
  })

  it('again when it becomes urgent, and with whom it then concerns', async () => {
    const { here, post } = await begun()
    const urgent = { escalates: true, escalateAmount: 1, escalateUnit: 'hours', escalateTo: ['bob'] }
    const terms = { approvers: ['ada'], onExpiry: 'fail', amount: 2, unit: 'days' }
    await here.start(asking({ ...urgent, ...terms, mailUrgentTo: 'bob@example.com' }), { amount: 3 })
    await here.pass(3_000_000)
    expect(post.told.map(({ occasion }) => occasion)).toEqual(['asked'])
    await here.pass(700_000)
    expect(post.told.map(({ occasion, approvers }) => [occasion, ...approvers])).toEqual([
      ['asked', 'ada'],
      ['escalated', 'ada', 'bob'],
    ])
    expect(post.told[1]).toMatchObject({ onExpiry: 'fail', expiresAt: (await only(here)).expiresAt })
    expect(post.told[1]?.key).not.toBe(post.told[0]?.key)
    expect((await only(here)).notices).toMatchObject([
      { occasion: 'asked', to: 'ada@example.com' },
      { occasion: 'escalated', to: 'ada@example.com, bob@example.com' },
    ])
  })

  it('a server that is away is tried a few times, and the question stands all the while', async () => {
    const { here, post } = await begun()
    post.answers = [away, away]
    const first = await here.start(asking(), { amount: 3 })
    await here.pass(600_000)
    expect((await only(here)).notices).toMatchObject([{ tries: 3, error: null, isOver: true }])
    await succeeded(here, first)
    post.told.length = 0
    post.answers = Array.from({ length: 99 }, () => away)
    const second = await here.start(asking(), { amount: 4 })
    await here.pass(3_600_000)
    expect(post.told).toHaveLength(5)
    const error = { code: 'connection_failed', message: 'mail.example: nobody there' }
    expect((await only(here)).notices).toMatchObject([{ tries: 5, error, isOver: true }])
    await succeeded(here, second)
  })

  it('what the server will never take is tried once, and who was left out is named', async () => {
    const { here, post } = await begun()
    post.answers = [refused]
    const first = await here.start(asking(), { amount: 3 })
    await here.pass(600_000)
    expect(post.told).toHaveLength(1)
    expect((await only(here)).notices).toMatchObject([{ error: { code: 'sign_in_refused' }, isOver: true }])
    await succeeded(here, first)
    post.told.length = 0
    post.answers = [['bob@example.com']]
    await here.start(asking(), { amount: 4 })
    await here.pass(600_000)
    expect((await only(here)).notices).toMatchObject([
      {
        error: { code: 'mail_refused', message: 'The others were told, not these: bob@example.com.' },
        isOver: true,
      },
    ])
    expect(post.told).toHaveLength(1)
  })

  it('a runner that doesn’t trust the definition tells nobody, and leaves it to one that does', async () => {
    const { here, post } = await begun('effect.before-delivery')
    const runId = await here.start(asking(), { amount: 3 })
    await here.pass(1_000)
    expect(here.isDead).toBe(true)
    const { definitionHash } = await here.run(runId)
    const trusting = (approved: readonly DefinitionHash[]): TrustSource => ({
      policy: 'approved',
      read: async () => ({ approved, revoked: [], keys: [] }),
    })
    here.trust = trusting([])
    await here.launch()
    await here.pass(600_000)
    expect(post.told).toEqual([])
    expect((await only(here)).notices).toEqual([])
    here.crash()
    here.trust = trusting([definitionHash])
    await here.launch()
    await here.pass(600_000)
    expect(post.told).toHaveLength(1)
    expect((await only(here)).notices).toMatchObject([{ error: null, isOver: true }])
  })

  it('what was decided meanwhile is told to nobody any more', async () => {
    const { here, post } = await begun()
    post.answers = [away]
    await here.start(asking(), { amount: 3 })
    await here.pass(100)
    expect(post.told).toHaveLength(1)
    await approve(here)
    await here.pass(600_000)
    expect(post.told).toHaveLength(1)
  })

  it('without a secret the question is asked all the same; with it, no word of an error holds it', async () => {
    const { here, post } = await begun()
    const { vault } = vaultScene()
    here.secrets = createSecretSource(vault)
    here.crash()
    await here.launch()
    const secret = { user: 'me', password: '{{ secrets.MAIL_PASSWORD }}' }
    const first = await here.start(asking(secret), { amount: 3 })
    await here.pass(600_000)
    expect(post.told).toEqual([])
    expect((await only(here)).notices).toMatchObject([
      { to: 'ada@example.com', error: { code: 'secret_not_found' }, isOver: true },
    ])
    await succeeded(here, first)
    await vault.set({ name: 'MAIL_PASSWORD', value: 'canary-4711-value', allow: null } as never)
    post.answers = [new SagasmithError('sign_in_refused', { message: 'no: canary-4711-value' })]
    const second = await here.start(asking(secret), { amount: 4 })
    await here.pass(600_000)
    expect(post.told.map(({ password }) => password)).toEqual(['canary-4711-value'])
    const entry = await only(here)
    expect(entry.notices).toMatchObject([{ error: { code: 'sign_in_refused' } }])
    expect(JSON.stringify(entry)).not.toContain('canary')
    const { partition } = await here.run(second)
    const after = { partition, epoch: 0, seq: 0 }
    const events = await here.store.readEvents({ after, runId: second, until: null, limit: 100 })
    expect(JSON.stringify(events)).not.toContain('canary')
    await succeeded(here, second)
  })
})
