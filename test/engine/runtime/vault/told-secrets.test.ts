/** What runners tell others of their secrets, and what that says about a workflow before it runs. */

import { describe, expect, it, onTestFinished, test } from 'vitest'
import type { RunnerId } from '../../../../src-engine/model/ids.ts'
import { nodeId, runnerId, workflowId } from '../../../../src-engine/model/ids.ts'
import type { RunnerRecord } from '../../../../src-engine/model/runner.ts'
import type { RunnerSecrets, ToldSecret } from '../../../../src-engine/model/runner-secrets.ts'
import type { WorkflowDocument } from '../../../../src-engine/model/workflow.ts'
import { registryKey } from '../../../../src-engine/runtime/routing/registry-snapshot.ts'
import { secretStandings } from '../../../../src-engine/runtime/secret-standings.ts'
import { createToldSecrets } from '../../../../src-engine/runtime/vault/told-secrets.ts'
import { createMemoryStore } from '../../../../src-engine/store/memory/memory-store.ts'
import { taskSpecsByKind } from '../../../../src-engine/tasks/specs.ts'
import { EnginesScene } from '../permits/engines-scene.ts'
import { vaultScene } from './vault-scene.ts'

const value = 'canary-of-the-vault'

function newScene(): EnginesScene {
  const scene = new EnginesScene(createMemoryStore())
  onTestFinished(() => scene.store.close())
  return scene
}

const rowOf = (scene: EnginesScene, id: RunnerId): Promise<RunnerRecord | null> =>
  scene.store.load(0, 'runner', { runnerId: id })

describe('the row of a runner', () => {
  it('has the names and bindings of secrets that steps may use from its first heartbeat on', async () => {
    const scene = newScene()
    const { vault } = vaultScene()
    await vault.set({ name: 'SHOP', value, hosts: ['shop.example.com'], nodes: ['orders'] })
    await vault.set({ name: 'PLANT', value, kinds: ['cluster'] })
    const { runnerId: first } = await scene.launch({}, { tellsSecretsOf: vault })
    const { runnerId: second } = await scene.launch()
    const shop: ToldSecret = { name: 'SHOP', hosts: ['shop.example.com'], kinds: null, nodes: ['orders'] }
    const telling = await rowOf(scene, first)
    const other = await rowOf(scene, second)
    expect(telling?.secrets).toEqual({ isLocked: false, known: [shop], more: false })
    expect(other?.secrets, 'who isn’t asked to tells nothing').toBeUndefined()
    expect(JSON.stringify([telling, other])).not.toContain(value)
  })

  it('follows the vault while it works, and no list of runners repeats it', async () => {
    const scene = newScene()
    const { vault } = vaultScene()
    const { runnerId: first } = await scene.launch({}, { tellsSecretsOf: vault })
    await scene.launch()
    await vault.set({ name: 'SHOP', value })
    await scene.pass(30_000)
    expect((await rowOf(scene, first))?.secrets?.known).toMatchObject([{ name: 'SHOP' }])
    const list = await scene.store.load(0, 'register', { key: registryKey })
    expect(JSON.stringify(list?.value)).toContain(first)
    expect(JSON.stringify(list?.value)).not.toContain('SHOP')
  })
})

describe('what a vault tells', () => {
  const toldBy = async (vault: Parameters<typeof createToldSecrets>[0]['vault']): Promise<RunnerSecrets> => {
    const clock = { now: () => 0, monotonic: () => 0, after: () => () => {} }
    const secrets = createToldSecrets({ vault, specsByKind: taskSpecsByKind, clock, ageMsMax: 1 })
    await secrets.refresh()
    return secrets.told()
  }

  it('nothing, when it is empty', async () => {
    expect(await toldBy(vaultScene().vault)).toEqual({ isLocked: false, known: [], more: false })
  })

  it('that it is locked', async () => {
    const scene = vaultScene()
    await scene.vault.set({ name: 'SHOP', value })
    scene.keyFile.text = null
    expect(await toldBy(scene.again())).toEqual({ isLocked: true, known: [], more: false })
  })

  it('no more than a row has room for, and that there are more', async () => {
    const { vault } = vaultScene()
    const hosts = Array.from({ length: 40 }, (_, index) => `host-number-${index}.example.com`)
    for (let count = 10; count < 22; count += 1) await vault.set({ name: `S${count}`, value, hosts })
    const told = await toldBy(vault)
    expect(told.more).toBe(true)
    expect(told.known.length).toBeGreaterThan(3)
    expect(JSON.stringify(told.known).length).toBeLessThan(9_000)
  })
})

const row = (secrets: RunnerSecrets | null, capabilities: readonly string[] = ['http-request']) =>
  ({ id: runnerId('r'), capabilities, ...(secrets === null ? {} : { secrets }) }) as RunnerRecord
const has = (binding: Partial<ToldSecret> = {}, more = false): RunnerSecrets => ({
  isLocked: false,
  known: [{ name: 'SHOP', hosts: null, kinds: null, nodes: null, ...binding }],
  more,
})
const nothing: RunnerSecrets = { isLocked: false, known: [], more: false }
const request = (url: string): WorkflowDocument => ({
  format: 'sagasmith.workflow',
  schemaVersion: 1,
  id: workflowId('orders'),
  title: 'Orders',
  nodes: {
    [nodeId('get')]: {
      kind: 'http-request',
      parameters: { url, headers: { Authorization: '{{ secrets.SHOP }}' } },
    },
  },
  edges: {},
})
const plain = request('https://shop.example.com/orders')

test.for<readonly [string, readonly RunnerRecord[], object, WorkflowDocument?]>([
  ['nobody is there', [], { having: 0, lacking: 0, silent: 0 }],
  ['one has it', [row(has())], { having: 1, lacking: 0, silent: 0, reasons: [] }],
  ['one has it not', [row(has()), row(nothing)], { having: 1, lacking: 1, reasons: ['missing'] }],
  ['one doesn’t tell', [row(null), row(nothing)], { lacking: 1, silent: 1 }],
  ['one has more than it tells', [row({ ...nothing, more: true })], { lacking: 0, silent: 1 }],
  ['a vault is locked', [row({ ...nothing, isLocked: true })], { lacking: 1, reasons: ['locked'] }],
  ['it is for other kinds', [row(has({ kinds: ['shell-command'] }))], { reasons: ['kinds'] }],
  ['it is for other steps', [row(has({ nodes: ['orders/put'] }))], { reasons: ['nodes'] }],
  ['it is for other hosts', [row(has({ hosts: ['bank.example.com'] }))], { reasons: ['hosts'] }],
  ['it is for this host', [row(has({ hosts: ['*.example.com:443'] }))], { having: 1 }],
  [
    'the address is computed',
    [row(has({ hosts: ['bank.example.com'] }))],
    { having: 1 },
    request('https://{{ input.host }}/'),
  ],
  ['a runner can’t do the step', [row(nothing, ['noop'])], { having: 0, lacking: 0, silent: 0 }],
])('a push knows when %s', ([, living, expected, document = plain]) => {
  expect(secretStandings(document, living)).toMatchObject([{ name: 'SHOP', nodes: ['get'], ...expected }])
})

it('a step that is switched off needs no secret', () => {
  const off = {
    ...plain,
    nodes: { [nodeId('get')]: { ...plain.nodes[nodeId('get')], kind: 'http-request', disabled: true } },
  }
  expect(secretStandings(off, [row(nothing)])).toEqual([])
})

it('a runner that only undoes the step needs its secret', () => {
  const task = { kind: 'shell-command', parameters: { command: 'refund' } }
  const get = { ...plain.nodes[nodeId('get')], kind: 'http-request', compensation: { task } }
  const document = { ...plain, nodes: { [nodeId('get')]: get } }
  expect(secretStandings(document, [row(nothing, ['shell-command'])])).toMatchObject([{ lacking: 1 }])
})
