/** Waiting for signals and stopping runs, with the product's own tasks, on every store. */

import { afterEach, describe, expect, it } from 'vitest'
import type { RunId } from '../../../../src-engine/model/ids.ts'
import type { JsonValue } from '../../../../src-engine/model/json.ts'
import { bufferedSignalsMax } from '../../../../src-engine/model/limits.ts'
import { sceneStores } from '../../../simulation/stores.ts'
import { edgesOf } from '../../model/workflow-fixture.ts'
import { FlowScene, valueOf } from './flow-scene.ts'

const scenes: FlowScene[] = []
afterEach(async () => {
  for (const scene of scenes.splice(0)) await scene.close()
})

const waiting = (parameters: Record<string, JsonValue> = {}) => ({
  kind: 'wait-signal',
  parameters: { name: 'go', ...parameters },
})

describe.each(Object.entries(sceneStores))('signals on %s', (_name, open) => {
  const scene = async (): Promise<FlowScene> => {
    const made = new FlowScene(await open())
    scenes.push(made)
    await made.launch()
    return made
  }
  const sender =
    (here: FlowScene, runId: RunId) =>
    (
      payload: JsonValue,
      more: { name?: string; correlation?: string | null; messageId?: string | null } = {},
    ) =>
      here.within(
        here.engine.sendSignal({ runId, name: 'go', correlation: null, messageId: null, payload, ...more }),
      )

  it('a parked step goes on with what the signal carries [S30] [S31]', async () => {
    const here = await scene()
    const run = await here.start({ nodes: { wait: waiting() } })
    await here.pass(100)
    expect(await here.statuses(run)).toEqual({ wait: 'WAITING' })
    expect((await here.run(run)).status).toBe('WAITING')
    expect(await sender(here, run)({ yes: true })).toMatchObject({ outcome: 'delivered' })
    await here.pass(100)
    expect(await here.outputOf(run)).toEqual({ yes: true })
  })

  it('early signals are kept, in order, by name and correlation, also across a crash [S30] [T8] [T12]', async () => {
    const here = await scene()
    const delay = { kind: 'delay', parameters: { amount: 5, unit: 'minutes' } }
    const nodes = {
      delay,
      a: waiting(),
      b: waiting(),
      c: waiting({ correlation: '7' }),
      d: waiting({ name: 'x' }),
    }
    const parts = { nodes, edges: edgesOf('delay>a', 'a>b', 'b>c', 'c>d'), settings: { output: 'nodes' } }
    const run = await here.start(parts)
    await here.pass(100)
    const send = sender(here, run)
    expect(await send('first', { messageId: 'm1' })).toEqual({ outcome: 'kept', messageId: 'm1' })
    await send('other', { name: 'x' })
    await send('seven', { correlation: '7' })
    await send('second')
    expect(await send('again', { messageId: 'm1' })).toMatchObject({ outcome: 'repeated' })
    here.crash()
    await here.launch()
    await here.pass(400_000)
    const values = { a: 'first', b: 'second', c: 'seven', d: 'other' }
    for (const [node, output] of Object.entries(values)) {
      const records = await here.store.load(0, 'invocations', { runId: run })
      expect(records.find(({ nodeId }) => nodeId === node)?.output).toMatchObject({
        json: JSON.stringify(output),
      })
    }
    expect((await here.run(run)).signals).toEqual([])
  })

  it('a message that was taken is still known when it is repeated [S31] [C49]', async () => {
    const here = await scene()
    const run = await here.start({ nodes: { a: waiting(), b: waiting() }, edges: edgesOf('a>b') })
    await here.pass(100)
    await sender(here, run)(1, { messageId: 'm' })
    await here.pass(100)
    expect(await sender(here, run)(1, { messageId: 'm' })).toMatchObject({ outcome: 'repeated' })
    expect(await here.statuses(run)).toEqual({ a: 'SUCCESS', b: 'WAITING' })
  })

  it('a wait inside of a branch takes a kept signal too [T13]', async () => {
    const here = await scene()
    const nodes = {
      if: { kind: 'if', parameters: { condition: 'true' } },
      early: { kind: 'delay' },
      wait: waiting(),
    }
    const run = await here.start({ nodes, edges: edgesOf('early>if', 'if:true>wait') })
    await sender(here, run)('kept')
    await here.pass(5_000)
    expect(await here.outputOf(run)).toBe('kept')
  })

  it('leaves by its timeout port, or fails, when nothing comes [T10]', async () => {
    const here = await scene()
    const nodes = {
      wait: waiting({ onTimeout: 'port', amount: 5, unit: 'minutes' }),
      late: { kind: 'noop' },
      done: { kind: 'noop' },
    }
    const run = await here.start({ nodes, edges: edgesOf('wait:timeout>late', 'wait>done') }, { order: 1 })
    const failing = await here.start({
      nodes: { wait: waiting({ onTimeout: 'fail', amount: 5, unit: 'minutes' }) },
    })
    await here.pass(299_000)
    expect(await here.statuses(run)).toEqual({ wait: 'WAITING' })
    await here.pass(2_000)
    expect(await here.statuses(run)).toEqual({ wait: 'SUCCESS', late: 'SUCCESS' })
    expect(await here.outputOf(run)).toEqual({ order: 1 })
    expect(await here.statuses(failing)).toEqual({ wait: 'TIMEOUT' })
    expect(await here.run(failing)).toMatchObject({ status: 'FAILED', error: { code: 'signal_timeout' } })
    await expect(sender(here, failing)(1)).rejects.toMatchObject({ code: 'run_already_final' })
  })

  it('a step collects so many signals, early and late ones, large ones and across a crash', async () => {
    const here = await scene()
    const output = '$map(nodes.wait.output, $length)'
    const run = await here.start({ nodes: { wait: waiting({ count: 3 }) }, settings: { output } })
    const send = sender(here, run)
    expect(await send('first', { messageId: 'm1' })).toMatchObject({ outcome: 'kept' })
    await here.pass(100)
    await send('x'.repeat(40_000))
    here.crash()
    await here.launch()
    await here.pass(400_000)
    expect(await here.statuses(run)).toEqual({ wait: 'WAITING' })
    expect(await send('first', { messageId: 'm1' })).toMatchObject({ outcome: 'repeated' })
    await send('last')
    await here.pass(400_000)
    expect(await here.outputOf(run)).toEqual([5, 40_000, 4])
    expect((await here.run(run)).status).toBe('SUCCEEDED')
  })

  it('what doesn’t fit the schema is refused to its sender, and the step waits on', async () => {
    const here = await scene()
    const schema = { type: 'object', required: ['id'], properties: { id: { type: 'string' } } }
    const run = await here.start({ nodes: { wait: waiting({ check: 'schema', schema }) } })
    const send = sender(here, run)
    await expect(send({ id: 7 })).rejects.toMatchObject({ code: 'signal_payload_invalid' })
    await here.pass(100)
    await expect(send({ id: 7 })).rejects.toMatchObject({ code: 'signal_payload_invalid' })
    expect(await here.statuses(run)).toEqual({ wait: 'WAITING' })
    await send({ id: 'seven' })
    await here.pass(100)
    expect(await here.outputOf(run)).toEqual({ id: 'seven' })
  })

  it('a step whose own schema says what nobody checks fails instead of refusing everybody', async () => {
    const here = await scene()
    const schema = { oneOf: [] }
    const run = await here.play({ nodes: { wait: waiting({ check: 'schema', schema }) } })
    expect(run).toMatchObject({ status: 'FAILED', error: { code: 'task_input_invalid' } })
  })

  it('keeps so many signals and no more', async () => {
    const here = await scene()
    const run = await here.start({ nodes: { wait: waiting({ name: 'another' }) } })
    for (let count = 0; count < bufferedSignalsMax; count += 1) await sender(here, run)(count)
    await expect(sender(here, run)('more')).rejects.toMatchObject({ code: 'signal_buffer_full' })
  })

  it('a cancelled run doesn’t wait any longer [T9]', async () => {
    const here = await scene()
    const run = await here.start({ nodes: { wait: waiting() } })
    await here.pass(100)
    await here.within(here.engine.cancelRun(run))
    expect((await here.run(run)).status).toBe('CANCELLED')
  })

  it('a stop ends the run as it is told, whatever else waits', async () => {
    const here = await scene()
    const play = (parameters: Record<string, JsonValue>, settings = {}) =>
      here.play({ nodes: { wait: waiting(), stop: { kind: 'stop', parameters } }, settings }, { a: 1 })
    const done = await play({ status: 'succeeded', output: 'input.a + 1' })
    expect(done.status).toBe('SUCCEEDED')
    expect(valueOf(done)).toBe(2)
    expect(await here.statuses(done.id)).toEqual({ stop: 'SUCCESS', wait: 'CANCELLED' })
    const failed = await play({ status: 'failed', message: 'no {{ input.a }}' }, { onFailure: 'finish' })
    expect(failed).toMatchObject({ status: 'FAILED', error: { code: 'run_stopped', message: 'no 1' } })
    expect((await play({ status: 'cancelled' })).status).toBe('CANCELLED')
  })

  it('a stop may name its error, also in a run that lets other branches finish', async () => {
    const here = await scene()
    const stop = (code: string) => ({
      kind: 'stop',
      parameters: { status: 'failed', message: 'none left', code },
    })
    const settings = { onFailure: 'finish' }
    const run = await here.play({ nodes: { wait: waiting(), stop: stop('out_of_stock') }, settings })
    expect(run).toMatchObject({
      status: 'FAILED',
      error: { code: 'out_of_stock', message: 'none left', details: { nodeId: 'stop' } },
    })
    expect(await here.statuses(run.id)).toEqual({ stop: 'SUCCESS', wait: 'CANCELLED' })
    const again = await here.play({ nodes: { stop: stop('{{ input.code }}') } }, { code: 'from_data' })
    expect(again.error?.code).toBe('from_data')
    // What means something to the engine is not for the asking: it would end as a denial.
    const denied = await here.play({ nodes: { stop: stop('safety_denied') } })
    expect(denied).toMatchObject({ status: 'FAILED', error: { code: 'task_input_invalid' } })
  })
})
