/** Results that the output policy judges: before they are handed on, and afterwards, on every store. */

import { afterEach, describe, expect, it } from 'vitest'
import type { MetaVerdict } from '../../../../src-engine/core/output/judge.ts'
import { SagasmithError } from '../../../../src-engine/model/errors.ts'
import type { BlobHash } from '../../../../src-engine/model/ids.ts'
import { nodeId } from '../../../../src-engine/model/ids.ts'
import type { JsonObject } from '../../../../src-engine/model/json.ts'
import { outputPolicyKey } from '../../../../src-engine/runtime/output-policy/policy-register.ts'
import { createDirectScanner } from '../../../../src-engine/runtime/output-policy/scan-json.ts'
import type { OutputScanner } from '../../../../src-engine/runtime/output-policy/scan-message.ts'
import type { Store } from '../../../../src-engine/store/store.ts'
import { sceneStores } from '../../../simulation/stores.ts'
import { edgesOf } from '../../model/workflow-fixture.ts'
import { valueOf } from '../control-flow/flow-scene.ts'
import type { SettingValues } from '../permits/scene-settings.ts'
import { chain, OutputScene, pausing, rule, secretKey, transform } from './output-scene.ts'

const scenes: OutputScene[] = []
afterEach(async () => {
  for (const scene of scenes.splice(0)) await scene.close()
})

const failingScanner: OutputScanner = {
  scan: () => Promise.reject(new Error('The scanner is away.')),
  close: async () => undefined,
}

/** A store that doesn't find the rules as often as `left` says. */
const unreadable = (store: Store, left: { times: number }): Store =>
  new Proxy(store, {
    get: (target, name) => {
      const member: unknown = Reflect.get(target, name)
      if (typeof member !== 'function') return member
      return (...given: readonly unknown[]): unknown => {
        const key = given[1] === 'register' ? (given[2] as { readonly key: string }).key : null
        if (name !== 'load' || key !== outputPolicyKey || left.times === 0)
          return Reflect.apply(member, target, given)
        left.times -= 1
        return Promise.reject(new SagasmithError('store_busy'))
      }
    },
  })

describe.each(Object.entries(sceneStores))('results on %s', (_name, open) => {
  const scene = async (rules: readonly JsonObject[], settings: SettingValues = {}): Promise<OutputScene> => {
    const made = await OutputScene.judging(await open(), rules, settings)
    scenes.push(made)
    return made
  }
  const large = rule('quarantine', { outputSizeGt: 100 })
  const long = { text: 'x'.repeat(200) }

  it('what is allowed is handed on, and nothing is judged where that is off [C35]', async () => {
    const here = await scene([large, rule('quarantine', { scanners: ['secret'] }, 'secret')])
    expect(await here.play(chain, { n: 1 })).toMatchObject({ status: 'SUCCEEDED' })
    expect(await here.letters()).toEqual([])
    const off = await scene([large], { outputPolicyEnabled: false })
    expect(await off.play(chain, long)).toMatchObject({ status: 'SUCCEEDED' })
    await here.setRules([{ ...large, enabled: false }])
    expect(await here.play(chain, long)).toMatchObject({ status: 'SUCCEEDED' })
  })

  it('an engine that can’t read the rules yet waits with its work until it can', async () => {
    const here = await scene([large])
    const unread = { times: 3 }
    here.connect = async () => unreadable(here.store, unread)
    const began = here.world.now
    await here.launch()
    expect(unread.times).toBe(0)
    expect(here.world.now - began).toBeGreaterThanOrEqual(3 * 2_000)
    const run = await here.play(chain, long)
    expect(run).toMatchObject({ status: 'FAILED', error: { code: 'output_quarantined' } })
  })

  it('a result that the metadata hold back is seen by nobody, and ends the run [C35]', async () => {
    const here = await scene([large])
    const run = await here.play(chain, long)
    expect(run).toMatchObject({ status: 'FAILED', error: { code: 'output_quarantined' } })
    expect(await here.statuses(run.id)).toEqual({ a: 'OUTPUT_QUARANTINED' })
    expect(await here.step(run.id, 'a')).toMatchObject({
      output: null,
      error: { code: 'output_quarantined' },
    })
    expect(await here.letters()).toMatchObject([
      {
        reason: 'output_quarantined',
        nodeId: 'a',
        lastStatus: 'RUNNING',
        body: { rule: 'r', phase: 'metadata' },
      },
    ])
    expect(await here.held()).toEqual([here.id(run.id, 'a')])
    const seen = await here.seen(run.id)
    // The run's own input, which is no result, and nothing else: in three events, states and the snapshot.
    expect(seen.replaceAll(/"input":\{"kind":"inline","json":"\{\\"text[^}]*\}"/g, '')).not.toContain('xxxx')
    await expect(
      here.within(here.engine.results.read({ runId: run.id, nodeId: nodeId('a') })),
    ).rejects.toThrow(/held back/)
  })

  it('deny does what quarantine does [C35]', async () => {
    const here = await scene([rule('deny', { outputSizeGt: 100 })])
    const run = await here.play(chain, long)
    expect(run.status).toBe('FAILED')
    expect(await here.step(run.id, 'a')).toMatchObject({
      status: 'OUTPUT_QUARANTINED',
      dispatch: { check: { decision: 'deny', standing: 'held' } },
    })
  })

  it('a workflow that handles it goes on from its error port', async () => {
    const here = await scene([large])
    const nodes = { a: transform('input'), b: transform('input'), saved: transform('"without"') }
    const run = await here.play({ nodes, edges: edgesOf('a>b', 'a:error>saved') }, long)
    expect([run.status, valueOf(run)]).toEqual(['SUCCEEDED', 'without'])
    expect(await here.statuses(run.id)).toEqual({ a: 'OUTPUT_QUARANTINED', saved: 'SUCCESS' })
    expect(await here.letters()).toHaveLength(1)
  })

  it('what a rule redacts is handed on without it, from the first reader on [C35]', async () => {
    const here = await scene([rule('redact', { outputSizeGt: 10 })])
    const run = await here.play({ nodes: { a: transform('input') } }, { key: secretKey })
    expect([run.status, valueOf(run)]).toEqual(['SUCCEEDED', '[REDACTED]'])
    expect((await here.step(run.id, 'a')).dispatch?.check).toMatchObject({ standing: 'redacted', held: null })
  })

  it('a failed step is not judged [C35]', async () => {
    const here = await scene([rule('quarantine', { scanners: ['secret'] }, 'secret'), large])
    const nodes = { a: { kind: 'debug', parameters: { failTimes: 9, failMessage: secretKey } } }
    const run = await here.play({ nodes })
    expect(run.error).toMatchObject({ code: 'debug_failure' })
    expect((await here.step(run.id, 'a')).dispatch?.check ?? null).toBeNull()
  })

  it('a check that fails lets results pass, or holds them back where that is set [C35]', async () => {
    const metaCheck = (): MetaVerdict => {
      throw new Error('The rules are gone.')
    }
    for (const [outputPolicyFailMode, status] of [
      ['open', 'SUCCEEDED'],
      ['closed', 'FAILED'],
    ] as const) {
      const here = new OutputScene(await open(), { outputPolicyEnabled: true, outputPolicyFailMode })
      scenes.push(here)
      here.outputs = { metaCheck }
      await here.launch()
      await here.setRules([large])
      expect((await here.play(chain, { n: 1 })).status).toBe(status)
    }
  })

  it('a check that takes too long is asked once more, and one that fails is not [C37]', async () => {
    for (const answer of ['late', 'failed'] as const) {
      let asked = 0
      const here = new OutputScene(await open(), { outputPolicyEnabled: true, outputMetaTimeoutMs: 200 })
      scenes.push(here)
      here.outputs = {
        metaCheck: () => {
          asked += 1
          return answer === 'late' ? new Promise(() => undefined) : Promise.reject(new Error('No.'))
        },
      }
      await here.launch()
      await here.setRules([large])
      const run = await here.play({ nodes: { a: transform('input') } }, long)
      expect([run.status, asked]).toEqual(['SUCCEEDED', answer === 'late' ? 2 : 1])
    }
  })

  it('what is found afterwards holds the result back, with everything that handed it on [C35]', async () => {
    const here = new OutputScene(await open(), { outputPolicyEnabled: true })
    scenes.push(here)
    // Not before the run has ended.
    const gate = Promise.withResolvers<void>()
    const direct = createDirectScanner()
    const scan: OutputScanner['scan'] = async (request) => {
      await gate.promise
      return direct.scan(request)
    }
    here.outputs = { scanner: { ...direct, scan } }
    await here.launch()
    await here.setRules([rule('quarantine', { scanners: ['secret'] })])
    const nodes = { a: transform('{ "key": input }'), b: transform('input') }
    const run = await here.play({ nodes, edges: edgesOf('a>b') }, secretKey)
    gate.resolve()
    await here.pass(2_000)
    expect(await here.statuses(run.id)).toEqual({ a: 'OUTPUT_QUARANTINED', b: 'OUTPUT_QUARANTINED' })
    // It had succeeded: that stays so, but it says no more what it gave.
    expect(await here.run(run.id)).toMatchObject({ status: 'SUCCEEDED', output: null })
    expect((await here.letters()).map(({ reason }) => reason)).toContain('output_quarantined_async')
    const { dependents, findings } = await here.within(
      here.engine.outputs.quarantine.show(here.id(run.id, 'a')),
    )
    expect(dependents).toMatchObject([{ nodeId: 'b' }])
    expect(findings).toMatchObject([{ type: 'aws-access-key', place: '$.key' }])
    expect(JSON.stringify(findings)).not.toContain(secretKey)
  })

  it('a run that is under way ends, and what waits in it sees nothing [C35]', async () => {
    const here = await scene([rule('quarantine', { scanners: ['secret'], nodes: ['a'] })])
    const id = await here.start(pausing, { key: secretKey })
    await here.pass(5_000)
    expect(await here.run(id)).toMatchObject({ status: 'FAILED', error: { code: 'output_quarantined' } })
    expect(await here.statuses(id)).toEqual({ a: 'OUTPUT_QUARANTINED', wait: 'CANCELLED' })
  })

  it('it ends too where its steps go on after a failure: none works with what isn’t there [C35]', async () => {
    const here = await scene([rule('quarantine', { scanners: ['secret'], nodes: ['a'] })])
    const id = await here.start({ ...pausing, settings: { onFailure: 'finish' } }, { key: secretKey })
    await here.pass(5_000)
    expect(await here.run(id)).toMatchObject({ status: 'FAILED', error: { code: 'output_quarantined' } })
    expect(await here.statuses(id)).toEqual({ a: 'OUTPUT_QUARANTINED', wait: 'CANCELLED' })
  })

  it('no list, event or state tells what is held back, until it is released', async () => {
    const here = await scene([rule('quarantine', { scanners: ['secret'] })])
    const parts = { nodes: { a: transform(`"AKIA" & input`) } }
    const run = await here.play(parts, secretKey.slice(4))
    await here.pass(3_000)
    expect(await here.statuses(run.id)).toEqual({ a: 'OUTPUT_QUARANTINED' })
    expect(await here.seen(run.id)).not.toContain(secretKey)
    here.crash()
    await here.launch()
    expect(await here.seen(run.id)).not.toContain(secretKey)
    const release = {
      invocationId: here.id(run.id, 'a'),
      by: 'ada',
      reason: 'It is an example.',
      goOn: false,
    }
    expect(await here.within(here.engine.outputs.quarantine.release(release))).toEqual({
      runStatus: 'SUCCEEDED',
    })
    expect(await here.seen(run.id)).toContain(secretKey)
    expect(valueOf(await here.run(run.id))).toBe(secretKey)
    expect([await here.held(), await here.letters()]).toEqual([[], []])
  })

  it('what is redacted afterwards takes the place of the result everywhere [C35]', async () => {
    const here = await scene([rule('redact', { scanners: ['secret'] })])
    const run = await here.play(
      { nodes: { a: transform('{ "key": "AKIA" & input, "n": 1 }') } },
      secretKey.slice(4),
    )
    await here.pass(3_000)
    expect(await here.step(run.id, 'a')).toMatchObject({
      status: 'SUCCESS',
      dispatch: { check: { standing: 'redacted', decision: 'redact' } },
    })
    expect(valueOf(await here.run(run.id))).toEqual({ key: '[REDACTED]', n: 1 })
    expect(await here.seen(run.id)).not.toContain(secretKey)
  })

  it('a redaction without a copy holds the result back [C36]', async () => {
    const direct = createDirectScanner()
    const here = new OutputScene(await open(), { outputPolicyEnabled: true })
    scenes.push(here)
    here.outputs = {
      scanner: { ...direct, scan: async (request) => ({ ...(await direct.scan(request)), redacted: null }) },
    }
    await here.launch()
    await here.setRules([rule('redact', { scanners: ['secret'] })])
    const run = await here.play({ nodes: { a: transform('input') } }, secretKey)
    await here.pass(3_000)
    expect(await here.step(run.id, 'a')).toMatchObject({
      status: 'OUTPUT_QUARANTINED',
      dispatch: { check: { standing: 'held', decision: 'redact' } },
    })
  })

  it('a scan that fails holds back or lets pass, as it is set [C35]', async () => {
    for (const [outputPolicyFailMode, status] of [
      ['open', 'SUCCESS'],
      ['closed', 'OUTPUT_QUARANTINED'],
    ] as const) {
      const here = new OutputScene(await open(), { outputPolicyEnabled: true, outputPolicyFailMode })
      scenes.push(here)
      here.outputs = { scanner: failingScanner }
      await here.launch()
      await here.setRules([rule('quarantine', { scanners: ['secret'] })])
      const run = await here.play({ nodes: { a: transform('input') } }, 'nothing')
      await here.pass(3_000)
      expect((await here.step(run.id, 'a')).status).toBe(status)
    }
  })

  it('a scan that ends with its engine says nothing of the result: another one looks', async () => {
    const here = new OutputScene(await open(), { outputPolicyEnabled: true, outputPolicyFailMode: 'closed' })
    scenes.push(here)
    here.outputs = {
      scanner: {
        scan: () => Promise.reject(new SagasmithError('engine_stopped')),
        close: async () => undefined,
      },
    }
    await here.launch()
    await here.setRules([rule('quarantine', { scanners: ['secret'] })])
    const run = await here.play({ nodes: { a: transform('input') } }, 'nothing')
    await here.pass(3_000)
    expect((await here.step(run.id, 'a')).status).toBe('SUCCESS')
    let scans = 0
    here.outputs = {
      scanner: {
        scan: (asked) => {
          scans += 1
          return createDirectScanner().scan(asked)
        },
        close: async () => undefined,
      },
    }
    await here.launch()
    await here.pass(130_000)
    expect(scans).toBeGreaterThan(0)
    expect((await here.step(run.id, 'a')).status).toBe('SUCCESS')
  })

  it('a scan survives the crash of its engine, wherever that was', async () => {
    const places = ['effect.before-delivery', 'effect.after-delivery'] as const
    for (const name of places) {
      const here = await scene([rule('quarantine', { scanners: ['secret'] })])
      await here.launch({ name, nth: (here.passed.get(name) ?? 0) + 1 })
      const id = await here.start({ nodes: { a: transform('input') } }, secretKey)
      await here.pass(1_000)
      expect([name, here.isDead]).toEqual([name, true])
      await here.launch()
      await here.pass(130_000)
      expect([name, await here.statuses(id)]).toEqual([name, { a: 'OUTPUT_QUARANTINED' }])
      expect((await here.letters()).map(({ reason }) => reason)).toEqual(['output_quarantined_async'])
    }
  })

  it('the scan of a result that isn’t where it should be is tried again, then it is held back [C39]', async () => {
    for (const [missing, status] of [
      [3, 'SUCCESS'],
      [1_000, 'OUTPUT_QUARANTINED'],
    ] as const) {
      let asked = 0
      const store = new Proxy(await open(), {
        get: (target, name): unknown => {
          const member: unknown = Reflect.get(target, name)
          if (name !== 'getBlob') return typeof member === 'function' ? member.bind(target) : member
          return (hash: BlobHash) => {
            asked += 1
            return asked <= missing
              ? Promise.reject(new SagasmithError('blob_missing'))
              : target.getBlob(hash)
          }
        },
      })
      const here = await OutputScene.judging(store, [rule('quarantine', { scanners: ['secret'] })])
      scenes.push(here)
      const run = await here.play({ nodes: { a: transform('{ "long": $string([1..20000]) }') } })
      await here.pass(5_000)
      expect([missing, (await here.step(run.id, 'a')).status]).toEqual([missing, status])
      expect(asked).toBe(missing === 3 ? 4 : 7)
    }
  })
})
