/** The kinds that steer a run or only look at it: if, switch, delay, transform, log, debug, nothing. */

import { describe, expect, test } from 'vitest'
import type { JsonObject } from '../../../src-engine/model/json.ts'
import type { Clock } from '../../../src-engine/model/ports.ts'
import { debugRun } from '../../../src-engine/tasks/debug/run.ts'
import { debugSpec } from '../../../src-engine/tasks/debug/spec.ts'
import { delayMock } from '../../../src-engine/tasks/delay/mock.ts'
import { delayRun } from '../../../src-engine/tasks/delay/run.ts'
import { delaySpec } from '../../../src-engine/tasks/delay/spec.ts'
import { ifRun } from '../../../src-engine/tasks/if/run.ts'
import { logRun } from '../../../src-engine/tasks/log/run.ts'
import { logSpec } from '../../../src-engine/tasks/log/spec.ts'
import { loopMock } from '../../../src-engine/tasks/loop/mock.ts'
import { loopRun } from '../../../src-engine/tasks/loop/run.ts'
import { noopRun } from '../../../src-engine/tasks/noop/run.ts'
import { switchRun } from '../../../src-engine/tasks/switch/run.ts'
import { switchSpec } from '../../../src-engine/tasks/switch/spec.ts'
import type { TaskContext } from '../../../src-engine/tasks/task.ts'
import { transformRun } from '../../../src-engine/tasks/transform/run.ts'
import { outputOf, taskContext, thrownBy } from '../../support/task-context.ts'

const input = { from: 'before' }

describe('loop', () => {
  const base = {
    mode: 'until',
    condition: false,
    count: 1,
    max: 5,
    onMax: 'fail',
    delay: 2,
    unit: 'seconds',
  } as const
  const at = (iteration: number) => taskContext({ turn: { iteration, value: iteration } })

  test('waits before each turn but the first, and not once it is over', async () => {
    expect(await loopRun.execute(base, at(0))).toEqual({ kind: 'turn', iteration: 0, value: 0 })
    expect(await loopRun.execute(base, at(1))).toEqual({
      kind: 'turn',
      iteration: 1,
      value: 1,
      delayMs: 2_000,
    })
    expect(await loopRun.execute({ ...base, condition: true }, at(1))).toMatchObject({ kind: 'completed' })
    expect(await loopRun.execute({ ...base, delay: 0 }, at(1))).not.toHaveProperty('delayMs')
    await expect(loopRun.execute({ ...base, delay: 4_000, unit: 'days' }, at(1))).rejects.toMatchObject({
      code: 'task_input_invalid',
    })
  })

  test('doesn’t wait on mocks, and says so', () => {
    const context = at(1)
    expect(loopMock(base, context)).toEqual({ kind: 'turn', iteration: 1, value: 1 })
    expect(context.lines.join()).toContain('the wait between two turns')
    expect(loopMock(base, at(0))).toMatchObject({ kind: 'turn', iteration: 0 })
  })
})

const start = Date.UTC(2030, 0, 1)
/** Stands still; what was asked for later is called by `ring`. */
function stillClock() {
  const calls = new Set<() => void>()
  const clock: Clock = {
    now: () => start,
    monotonic: () => 0,
    after: (_span, call) => {
      calls.add(call)
      return () => calls.delete(call)
    },
  }
  return { clock, waiting: () => calls.size, ring: () => calls.forEach((call) => call()) }
}

test.for<[unknown, string]>([
  [true, 'true'],
  [1, 'true'],
  ['x', 'true'],
  [{ a: 0 }, 'true'],
  [[0, 1], 'true'],
  [[[1]], 'true'],
  [false, 'false'],
  [0, 'false'],
  ['', 'false'],
  [null, 'false'],
  [undefined, 'false'],
  [{}, 'false'],
  [[], 'false'],
  [[0, ''], 'false'],
])('if %o goes the way %s', async ([condition, port]) => {
  expect(await ifRun.execute({ condition }, taskContext())).toEqual({
    kind: 'completed',
    output: input,
    ports: [port],
  })
})

describe('switch', () => {
  const take = async (whens: unknown[], raw: JsonObject = {}) => {
    const cases = whens.map((when) => ({ when })) as unknown as JsonObject
    return switchRun.execute(switchSpec.parameters.parse({ cases, ...raw }), taskContext())
  }
  test.for<[unknown[], JsonObject, string[]]>([
    [[false, true, true], {}, ['case-2']],
    [[false, true, true], { match: 'all' }, ['case-2', 'case-3']],
    [[false, null], {}, ['default']],
    [[0, ''], { match: 'all' }, ['default']],
  ])('%o %o takes %o', async ([whens, raw, ports]) => {
    expect(await take(whens, raw)).toEqual({ kind: 'completed', output: input, ports })
  })
  test('no match without a default fails', async () => {
    expect(await thrownBy(() => take([false], { hasDefault: false }))).toMatchObject({
      code: 'no_case_matched',
    })
  })
})

describe('delay', () => {
  const wait = (raw: JsonObject) =>
    delayRun.execute(delaySpec.parameters.parse(raw), taskContext({ clock: stillClock().clock }))
  test.for<[JsonObject, number]>([
    [{ amount: 5 }, start + 5_000],
    [{ amount: 1.5, unit: 'minutes' }, start + 90_000],
    [{ amount: 2, unit: 'days' }, start + 172_800_000],
    [{ mode: 'until', until: '2030-01-02T00:00:00Z' }, start + 86_400_000],
    [{ mode: 'until', until: start + 7 }, start + 7],
  ])('%o', async ([raw, until]) => {
    expect(await wait(raw)).toMatchObject({
      kind: 'parked',
      until,
      output: input,
      reason: expect.stringMatching(/^waits until 2030/),
    })
  })
  test.for<JsonObject>([{ amount: 0 }, { mode: 'until', until: '2029-12-31T00:00:00Z' }])(
    '%o is over at once',
    async (raw) => {
      expect(await wait(raw)).toEqual({ kind: 'completed', output: input, ports: null })
    },
  )
  test.for<[JsonObject, string]>([
    [{ mode: 'until', until: 'soon' }, 'until'],
    [{ mode: 'until', until: { a: 1 } }, 'until'],
    [{ mode: 'until', until: '2050-01-01' }, 'until'],
    [{ amount: 4000, unit: 'days' }, 'amount'],
  ])('%o is refused', async ([raw, field]) => {
    expect(await thrownBy(() => wait(raw))).toMatchObject({ code: 'task_input_invalid', details: { field } })
  })
  test('passes at once on mocks, and says so', () => {
    const context = taskContext({ input })
    expect(delayMock(delaySpec.parameters.parse({ amount: 3, unit: 'days' }), context)).toEqual({
      kind: 'completed',
      output: input,
      ports: null,
    })
    expect(context.lines).toEqual(['task info Mocked: it did not wait.'])
  })

  test('until needs a moment', () => {
    expect(delaySpec.parameters.safeParse({ mode: 'until' }).success).toBe(false)
  })
})

test('transform hands on its value, and null for nothing', async () => {
  expect(await transformRun.execute({ expression: [1] }, taskContext())).toMatchObject({ output: [1] })
  expect(await transformRun.execute({ expression: undefined }, taskContext())).toMatchObject({ output: null })
})

test('nothing hands its input on', async () => {
  expect(await noopRun.execute({}, taskContext())).toEqual({ kind: 'completed', output: input, ports: null })
})

test('log writes a line and hands its input on', async () => {
  const context = taskContext()
  for (const raw of [{ message: 'hello', level: 'warn' }, { message: { a: 1 } }]) {
    expect(await logRun.execute(logSpec.parameters.parse(raw), context)).toMatchObject({ output: input })
  }
  expect(context.lines).toEqual(['task warn hello', 'task info {"a":1}'])
})

test('fields stand behind the message of a log, and each of their ends is seen', async () => {
  const context = taskContext()
  const fields = { id: 7, name: 'a "b" c', open: true, rest: { x: [1] }, none: null, empty: '' }
  await logRun.execute(logSpec.parameters.parse({ message: 'Got it', fields }), context)
  const text = String.raw`id=7 name="a \"b\" c" open=true rest="{\"x\":[1]}" none=null empty=""`
  expect(context.lines).toEqual([`task info Got it ${text}`])
  expect(logSpec.parameters.safeParse({ message: 'x', fields: { 'a b': 1 } }).success).toBe(false)
})

describe('debug', () => {
  const run = (raw: JsonObject, parts: Partial<TaskContext> = {}) =>
    debugRun.execute(debugSpec.parameters.parse(raw), taskContext(parts))
  test('fails as often as told, then succeeds', async () => {
    for (const attempt of [1, 2]) {
      const failure = await thrownBy(() => run({ failTimes: 2, failMessage: 'no' }, { attempt }))
      expect(failure).toMatchObject({ code: 'debug_failure', message: 'no', retryable: true })
    }
    expect(await run({ failTimes: 2 }, { attempt: 3 })).toMatchObject({ output: input })
    expect(await thrownBy(() => run({ failTimes: 1, retryable: false }))).toMatchObject({ retryable: false })
  })
  test('made-up data is the same for the same seed', async () => {
    const first = await run({ produce: 'random', items: 3 })
    expect(first).toEqual(await run({ produce: 'random', items: 3 }))
    expect(outputOf(first)).toHaveLength(3)
    expect(await run({ produce: 'value', value: { a: [1] } })).toMatchObject({ output: { a: [1] } })
  })
  test('works until the clock rings, and stops when cancelled', async () => {
    const { clock, ring, waiting } = stillClock()
    const working = run({ sleepMs: 60_000 }, { clock })
    expect(waiting()).toBe(1)
    ring()
    expect(await working).toMatchObject({ output: input })
    const controller = new AbortController()
    const cancelled = thrownBy(() => run({ sleepMs: 60_000 }, { clock, signal: controller.signal }))
    controller.abort()
    expect(await cancelled).toMatchObject({ code: 'task_cancelled' })
  })
})
