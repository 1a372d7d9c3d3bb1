/** Kept results on every store that answers within the process, and beside what guards results. */

import { afterEach, describe, expect, it } from 'vitest'
import type { JsonObject } from '../../../../src-engine/model/json.ts'
import { createSecretSource } from '../../../../src-engine/runtime/vault/attempt-secrets.ts'
import { noRecords } from '../../../../src-engine/store/memory/memory-records.ts'
import { createMemoryStore } from '../../../../src-engine/store/memory/memory-store.ts'
import { completed } from '../../../../src-engine/tasks/task.ts'
import { sceneStores } from '../../../simulation/stores.ts'
import { OutputScene, rule, secretKey } from '../output-policy/output-scene.ts'
import { vaultScene } from '../vault/vault-scene.ts'
import { cacheSuite } from './cache-suite.ts'
import { FlowScene } from './flow-scene.ts'

const scenes: FlowScene[] = []
afterEach(async () => {
  for (const scene of scenes.splice(0)) await scene.close()
})

for (const [store, open] of Object.entries(sceneStores)) {
  cacheSuite(store, async () => {
    const scene = new FlowScene(await open())
    scenes.push(scene)
    return scene
  })
}

const ask = (parameters: JsonObject = {}): JsonObject => ({
  nodes: {
    ask: { kind: 'ask-model', parameters: { model: 'm', ...parameters }, cache: { ttlMs: 60_000 } },
  },
})

describe('results that somebody judges', () => {
  const judged = async (decision: string) => {
    const here = await OutputScene.judging(createMemoryStore(), [rule(decision, { outputSizeGt: 10 })])
    scenes.push(here)
    const counted = { count: 0 }
    here.instead.set('ask-model', {
      execute: async () => {
        counted.count += 1
        return completed({ key: secretKey })
      },
    })
    await here.launch()
    return { here, counted }
  }

  it.each(['quarantine', 'deny', 'redact'])(
    'are not kept where they are not let through: %s',
    async (decision) => {
      const { here, counted } = await judged(decision)
      await here.play(ask())
      await here.play(ask())
      expect(counted.count).toBe(2)
    },
  )

  it('are judged again when they are taken over', async () => {
    const { here, counted } = await judged('quarantine')
    await here.setRules([])
    expect((await here.play(ask())).status).toBe('SUCCEEDED')
    await here.setRules([rule('quarantine', { outputSizeGt: 10 })])
    const run = await here.play(ask())
    expect([run.error?.code, counted.count]).toEqual(['output_quarantined', 1])
  })

  it('are not taken over once they are held back', async () => {
    const { here, counted } = await judged('allow')
    await here.setRules([rule('quarantine', { scanners: ['secret'] }, 'secret')])
    const run = await here.play(ask())
    expect((await here.step(run.id, 'ask')).status).toBe('OUTPUT_QUARANTINED')
    await here.setRules([])
    await here.play(ask())
    expect(counted.count).toBe(2)
  })
})

describe('steps with secrets', () => {
  const withVault = async (output: string) => {
    const { vault } = vaultScene()
    await vault.set({ name: 'MODEL_KEY', value: 'a-very-long-key', allow: null } as never)
    const here = new FlowScene(createMemoryStore())
    scenes.push(here)
    here.secrets = createSecretSource(vault)
    const counted = { count: 0 }
    here.instead.set('ask-model', {
      execute: async () => {
        counted.count += 1
        return completed(output)
      },
    })
    await here.launch()
    return { here, counted }
  }

  it('keep results without them; a result with one in it is not kept', async () => {
    for (const [output, count] of [
      ['an answer', 1],
      ['an answer to a-very-long-key', 2],
    ] as const) {
      const { here, counted } = await withVault(output)
      const parts = ask({ apiKey: '{{ secrets.MODEL_KEY }}' })
      const first = await here.play(parts)
      expect(first.error).toBeNull()
      await here.play(parts)
      expect(counted.count).toBe(count)
      const registers = await here.store.list(0, 'registers', {
        filter: { prefix: '' },
        page: { after: null, limit: 100 },
      })
      expect(JSON.stringify(registers)).not.toContain('a-very-long-key')
    }
  })
})

it('a result that a step has taken over isn’t handed on as its own, though who had lost the step named it late', async () => {
  const records = noRecords(0)
  const here = new FlowScene(createMemoryStore({ records: [records] }))
  scenes.push(here)
  let count = 0
  here.instead.set('ask-model', { execute: async () => completed((count += 1)) })
  await here.launch()
  await here.play(ask())
  const second = await here.play(ask())
  expect(count).toBe(1)
  const [kept] = [...records.registers.values()].filter(({ key }) => key.startsWith('kept-result/'))
  if (kept === undefined) throw new Error('nothing is kept')
  const value = { ...(kept.value as JsonObject), from: `${second.id}/ask` }
  records.registers.set(kept.key, { ...kept, value })
  await here.play(ask())
  expect(count).toBe(2)
})
