/** Texts that take their parsers long: the engine goes on meanwhile, and none of them takes longer than it may. */

import { describe, expect, test } from 'vitest'
import type { SagasmithError } from '../../../src-engine/model/errors.ts'
import type { JsonValue } from '../../../src-engine/model/json.ts'
import { textReadHereMax, textReadMs, textThreadsMax } from '../../../src-engine/model/limits.ts'
import { createTextReader } from '../../../src-engine/tasks/data/text-reader.ts'
import type { TextRequest } from '../../../src-engine/tasks/data/text-request.ts'
import type { TextThread } from '../../../src-engine/tasks/data/text-thread.ts'
import { startTextThread } from '../../../src-engine/tasks/data/text-thread.ts'
import { thrownBy } from '../../support/task-context.ts'
import { fakeClock } from '../shell/shell-fixtures.ts'

const step = () => ({ signal: new AbortController().signal, clock: fakeClock() })
const page = (text: string, title = 'h1'): TextRequest => {
  return { kind: 'html', text, wanted: { each: '', fields: { title }, maxItems: 10 } }
}
/** Looks from each paragraph at all before it, and from each of these at all before that: for years. */
const endless = page('<p></p>'.repeat(20_000), 'b ~ p ~ p ~ p ~ p')
const codeOf = async (work: Promise<unknown>) => ((await thrownBy(() => work)) as SagasmithError).code

/** A few turns of this thread's own loop, each of which proves that nothing holds it. */
async function turns(): Promise<number> {
  let count = 0
  while (count < 50) {
    await new Promise(setImmediate)
    count += 1
  }
  return count
}

/** Threads that answer when the test says so. */
function heldThreads() {
  const asked: { readonly text: string; readonly answer: (value: JsonValue) => void }[] = []
  const ended: number[] = []
  let started = 0
  const start = (): TextThread => {
    const number = started
    started += 1
    return {
      isLost: () => ended.includes(number),
      read: ({ text }) => new Promise((answer) => void asked.push({ text, answer })),
      end: () => void ended.push(number),
    }
  }
  return { start, asked, ended, started: () => started }
}

describe('a thread of its own', () => {
  test('reads a page whose selector would never end until its deadline, and the engine goes on', async () => {
    const { read } = createTextReader()
    const hostile = step()
    const refused = codeOf(read(endless, hostile))
    expect(await turns()).toBe(50)
    hostile.clock.advance(textReadMs)
    expect(await refused).toBe('data_too_slow')
    // The next text has another thread.
    expect(await read(page('<h1>Next</h1>'), step())).toEqual({ title: 'Next' })
  })

  test('is ended with the step that it reads for', async () => {
    const { read } = createTextReader()
    const cancel = new AbortController()
    const refused = codeOf(read(endless, { ...step(), signal: cancel.signal }))
    await turns()
    cancel.abort()
    expect(await refused).toBe('task_cancelled')
  })

  test('has so much memory and no more, and the next text is read', async () => {
    const heapMb = [16, 128]
    const { read } = createTextReader(() => startTextThread(heapMb.shift()))
    const large = { kind: 'yaml', text: '- {a: [1, 2]}\n'.repeat(40_000), linesBefore: 0 } as const
    expect(await codeOf(read(large, step()))).toBe('payload_too_large')
    expect(await read(page('<h1>Next</h1>'), step())).toEqual({ title: 'Next' })
  })

  test('tells what the text has as if it were read here', async () => {
    const { read } = createTextReader()
    const long = `${'# a comment\n'.repeat(2_000)}a: [1`
    const request = { kind: 'yaml', text: long, linesBefore: 10 } as const
    const thrown = (await thrownBy(() => read(request, step()))) as SagasmithError
    expect(thrown.code).toBe('data_invalid')
    expect(thrown.message).toContain('line 2011')
    expect(await read({ ...request, text: `${long}]` }, step())).toEqual([{ a: [1] }])
    const lists = { kind: 'xml', text: `<a><b>${'x'.repeat(20_000)}</b></a>`, lists: ['b'] } as const
    expect(await read(lists, step())).toEqual({ a: { b: ['x'.repeat(20_000)] } })
  })

  test('hands nothing over that no step may hand on', async () => {
    const { read } = createTextReader()
    const all = page(`<p>${'x'.repeat(5_000_000)}</p>`)
    const twice = {
      kind: 'html',
      text: all.text,
      wanted: { each: '', fields: { a: 'p', b: 'p', c: 'p' }, maxItems: 1 },
    }
    expect(await codeOf(read(twice as TextRequest, step()))).toBe('task_output_too_large')
  })
})

test('short YAML and XML is read at once, pages are not', async () => {
  const { start, started } = heldThreads()
  const { read } = createTextReader(start)
  expect(await read({ kind: 'yaml', text: 'a: 1', linesBefore: 0 }, step())).toEqual([{ a: 1 }])
  expect(await read({ kind: 'xml', text: '<a>1</a>', lists: [] }, step())).toEqual({ a: '1' })
  expect(started()).toBe(0)
  void read({ kind: 'yaml', text: `a: 1 #${'-'.repeat(textReadHereMax)}`, linesBefore: 0 }, step())
  void read(page('<h1>x</h1>'), step())
  await turns()
  expect(started()).toBe(2)
})

test('so many are read at once; the others wait in line, and who is cancelled leaves it', async () => {
  const { start, asked, started } = heldThreads()
  const { read } = createTextReader(start)
  const cancels = Array.from({ length: textThreadsMax + 3 }, () => new AbortController())
  const read1 = cancels.map(({ signal }, index) => read(page(`${index}`), { ...step(), signal }))
  const [first, second, ...others] = read1
  await turns()
  expect(asked.map(({ text }) => text)).toEqual(['0', '1'])
  cancels[2]?.abort()
  expect(await codeOf(others[0] as Promise<JsonValue>)).toBe('task_cancelled')
  asked[0]?.answer('of 0')
  // Whose turn it is in the very moment in which it is cancelled hands the turn on.
  cancels[3]?.abort()
  expect(await first).toBe('of 0')
  expect(await codeOf(others[1] as Promise<JsonValue>)).toBe('task_cancelled')
  await turns()
  expect(asked.map(({ text }) => text)).toEqual(['0', '1', '4'])
  asked[1]?.answer('of 1')
  asked[2]?.answer('of 4')
  expect(await Promise.all([second, others[2]])).toEqual(['of 1', 'of 4'])
  expect(started()).toBe(textThreadsMax)
  // No place was lost.
  const after = [read(page('5'), step()), read(page('6'), step())]
  await turns()
  expect(asked).toHaveLength(5)
  for (const { answer } of asked.slice(3)) answer('again')
  expect(await Promise.all(after)).toEqual(['again', 'again'])
})

test('who is cancelled waits for no deadline any more', async () => {
  const { start } = heldThreads()
  const { read } = createTextReader(start)
  const cancel = new AbortController()
  const { clock } = step()
  const open = new Set<number>()
  const counted = {
    ...clock,
    after: (...[span, call]: Parameters<typeof clock.after>) => {
      open.add(span)
      const stop = clock.after(span, call)
      return () => {
        open.delete(span)
        stop()
      }
    },
  }
  const reading = read(page('a'), { clock: counted, signal: cancel.signal })
  await turns()
  expect(open.has(textReadMs)).toBe(true)
  cancel.abort()
  expect(await codeOf(reading)).toBe('task_cancelled')
  expect([...open]).toEqual([])
})

test('a thread is kept for the next text, and not for long', async () => {
  const { start, asked, ended, started } = heldThreads()
  const { read } = createTextReader(start)
  const { clock, signal } = step()
  for (const round of [0, 1]) {
    const reading = read(page('a'), { clock, signal })
    await turns()
    asked[round]?.answer(round)
    expect(await reading).toBe(round)
  }
  expect([started(), ended]).toEqual([1, []])
  clock.advance(60_000)
  expect(ended).toEqual([0])
  void read(page('b'), { clock, signal })
  await turns()
  expect(started()).toBe(2)
})
