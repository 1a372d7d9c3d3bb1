/** What is kept of a document while it is edited, and what a crash or a damaged disk leaves of it. */

import { describe, expect, test } from 'vitest'
import { canonicalDocument } from '../../src-engine/model/canonical-document.ts'
import { SagasmithError } from '../../src-engine/model/errors.ts'
import { nodeId } from '../../src-engine/model/ids.ts'
import { changeNode } from '../../src-renderer/commands/change-node.ts'
import { applyEdit } from '../../src-renderer/commands/edit.ts'
import type { Designer } from '../../src-renderer/state/designer.ts'
import { isDirty } from '../../src-renderer/state/document-store.ts'
import { openPath, saveDocument } from '../../src-renderer/state/files.ts'
import { restoredDraft, startJournal } from '../../src-renderer/state/journal.ts'
import { startTabs } from '../../src-renderer/state/tabs/tab-session.ts'
import type { Stacks } from '../../src-renderer/state/undo/undo-log.ts'
import { newWriter, nextLine, stacksIn } from '../../src-renderer/state/undo/undo-log.ts'
import { chain } from './factories.ts'
import type { FakeDesigner, Machine } from './fake-designer.ts'
import { newMachine, openPage, putFile } from './fake-designer.ts'

const rename = (title: string) => changeNode(nodeId('a'), { title })
const titleOfA = ({ document }: Designer) => document.getState().history.document.nodes[nodeId('a')]?.title

async function begin(machine: Machine): Promise<FakeDesigner> {
  const page = openPage(machine)
  await startTabs(page.designer)
  startJournal(page.designer)
  return page
}

async function opened(): Promise<FakeDesigner & { readonly machine: Machine }> {
  const machine = newMachine()
  putFile(machine, '/w/a.json', chain('a', 'b'))
  const page = await begin(machine)
  await openPath(page.designer, '/w/a.json')
  return { ...page, machine }
}

/** A workflow of hundreds of steps, and what is sent of its draft: the method and how many letters. */
async function largeOne() {
  const machine = newMachine()
  putFile(machine, '/w/a.json', chain('a', ...Array.from({ length: 300 }, (_, at) => `n${at}`)))
  const page = await begin(machine)
  const sent: (readonly [method: string, chars: number])[] = []
  const { connection } = page.designer
  const call = connection.call.bind(connection)
  Object.assign(connection, {
    call: (...given: Parameters<typeof call>) => {
      if (given[0].startsWith('drafts.') && given[0] !== 'drafts.list')
        sent.push([given[0], JSON.stringify(given[1]).length])
      return call(...given)
    },
  })
  await openPath(page.designer, '/w/a.json')
  return { ...page, machine, sent }
}

/** Titles one after the other, each a step. */
function retitle({ document }: Designer, ...titles: readonly string[]): void {
  for (const title of titles) {
    document.getState().edit(rename(title))
    document.getState().endGesture()
  }
}

describe('journal', () => {
  test('undo and redo survive a restart', async () => {
    const { designer, machine, pass } = await opened()
    retitle(designer, 'one', 'two')
    designer.document.getState().undo()
    await pass()
    const { designer: next } = await begin(machine)
    expect(titleOfA(next)).toBe('one')
    next.document.getState().redo()
    expect(titleOfA(next)).toBe('two')
    next.document.getState().undo()
    next.document.getState().undo()
    expect(titleOfA(next)).toBeUndefined()
    expect(isDirty(next.document.getState())).toBe(false)
  })

  test('what was done before the last save can be undone after a restart too', async () => {
    const { designer, machine, pass } = await opened()
    retitle(designer, 'one')
    await saveDocument(designer)
    await pass()
    expect(machine.drafts.size).toBe(0)
    const { designer: next } = await begin(machine)
    expect([titleOfA(next), isDirty(next.document.getState())]).toEqual(['one', false])
    next.document.getState().undo()
    expect([titleOfA(next), isDirty(next.document.getState())]).toEqual([undefined, true])
  })

  test('undoing back to what was saved makes it clean, also after a restart', async () => {
    const { designer, machine, pass } = await opened()
    retitle(designer, 'one')
    await saveDocument(designer)
    retitle(designer, 'two')
    await pass()
    const { designer: next } = await begin(machine)
    expect(isDirty(next.document.getState())).toBe(true)
    next.document.getState().undo()
    expect(isDirty(next.document.getState())).toBe(false)
  })

  test('steps of another page in the same log are written over whole', async () => {
    const { designer, machine, pass } = await opened()
    retitle(designer, 'one')
    await pass()
    for (const lines of machine.undo.values()) lines.push('{}', '{}')
    retitle(designer, 'two')
    await pass()
    const { designer: next } = await begin(machine)
    expect(next.document.getState().history.past).toHaveLength(2)
  })

  test('damage costs the steps it hit and older ones, never the document or another one', async () => {
    const { designer, machine, pass } = await opened()
    for (const title of ['one', 'two', 'three']) {
      retitle(designer, title)
      await pass()
    }
    const [log] = [...machine.undo.values()]
    log?.splice(1, 1, null)
    const { designer: next } = await begin(machine)
    expect([titleOfA(next), next.document.getState().history.past.length]).toEqual(['three', 1])
    next.document.getState().undo()
    expect(titleOfA(next)).toBe('two')
    for (const lines of machine.undo.values()) lines.fill('{"not": "a line"}')
    const { designer: last } = await begin(machine)
    expect([titleOfA(last), last.document.getState().history.past]).toEqual(['three', []])
  })

  test('a draft from before a line that came late is given the steps that lead to it', async () => {
    const { designer, machine, pass } = await opened()
    retitle(designer, 'one')
    await pass()
    const [draft] = [...machine.drafts.values()]
    retitle(designer, 'two')
    await pass()
    if (draft !== undefined) machine.drafts.set(draft.id, draft)
    const { designer: next } = await begin(machine)
    expect([titleOfA(next), next.document.getState().history.past.length]).toEqual(['one', 1])
  })

  test('an edit sends as much of the draft as it changes, and what is kept is the whole', async () => {
    const { designer, machine, pass, sent } = await largeOne()
    retitle(designer, 'one')
    await pass()
    const whole = sent.splice(0)
    retitle(designer, 'two')
    await pass()
    designer.document.getState().undo()
    await pass()
    expect(whole.map(([method]) => method)).toEqual(['drafts.save'])
    expect(sent.map(([method]) => method)).toEqual(['drafts.change', 'drafts.change'])
    for (const [, chars] of sent) expect(chars).toBeLessThan((whole[0]?.[1] ?? 0) / 50)
    const [draft] = [...machine.drafts.values()]
    const { document } = designer.document.getState().history
    // To the letter, with the order of its keys.
    expect(JSON.stringify(draft?.document['document'])).toBe(JSON.stringify(document))
  })

  test('what the engine doesn’t have any more is sent whole', async () => {
    const { designer, machine, pass, sent } = await largeOne()
    retitle(designer, 'one')
    await pass()
    // Another page has written it, or the engine was started anew.
    for (const [id, draft] of machine.drafts)
      machine.drafts.set(id, { ...draft, document: { ...draft.document, other: true } })
    retitle(designer, 'two')
    await pass()
    // The engine went away before it answered: nobody knows what it has.
    machine.isUp = false
    retitle(designer, 'three')
    await pass()
    machine.isUp = true
    retitle(designer, 'four')
    await pass()
    expect(sent.map(([method]) => method)).toEqual([
      ...['drafts.save', 'drafts.change', 'drafts.save'],
      ...['drafts.change', 'drafts.save'],
    ])
    const { designer: next } = await begin(machine)
    expect(titleOfA(next)).toBe('four')
    next.document.getState().undo()
    expect(titleOfA(next)).toBe('three')
  })

  test('a draft that was saved begins anew with its next edit', async () => {
    const { designer, machine, pass, sent } = await largeOne()
    retitle(designer, 'one')
    await pass()
    await saveDocument(designer)
    await pass()
    retitle(designer, 'two')
    await pass()
    const kept = sent.map(([method]) => method).filter((method) => method !== 'drafts.remove')
    expect(kept).toEqual(['drafts.save', 'drafts.save'])
    expect(machine.drafts.size).toBe(1)
  })

  test('the steps of an earlier version are found by the digest that it wrote', async () => {
    const { designer, machine, pass } = await opened()
    retitle(designer, 'one', 'two')
    await pass()
    const { document } = designer.document.getState().history
    const digest = await designer.ambient.digest(canonicalDocument(document))
    for (const [id, lines] of machine.undo) {
      const old = lines.map((line) => line?.replace(/^\{"digest":"[^"]*"/, `{"digest":"${digest}"`) ?? null)
      expect(old).not.toEqual(lines)
      machine.undo.set(id, old)
    }
    const { designer: next } = await begin(machine)
    next.document.getState().undo()
    expect(titleOfA(next)).toBe('one')
  })

  test('a bare document is a draft without undo steps', async () => {
    const { designer } = openPage(newMachine())
    const document = JSON.parse(JSON.stringify(chain('a')))
    const entry = { id: 'd', title: 't', path: null, etag: null, savedAt: 1, document }
    const restored = await restoredDraft(designer, entry)
    expect([restored.history.past, restored.savedStep]).toEqual([[], 'never'])
  })
})

describe('the lines of a log', () => {
  const steps = ['1', '2', '3', '4'].flatMap((title) => applyEdit(chain('a'), rename(title)).step ?? [])
  const labelled = (stacks: Stacks | null) =>
    stacks === null ? null : [stacks.past, stacks.future].map((list) => list.map(titleIn))
  const titleIn = (step: (typeof steps)[number]): unknown => step.patches[0]?.value
  const of = (past: number, future: number): Stacks => ({
    past: steps.slice(0, past),
    future: steps.slice(steps.length - future),
    saved: 'never',
  })

  test('a line that is lost takes what lies below it, whatever was undone since', () => {
    const writer = newWriter()
    const shapes = [of(1, 0), of(2, 0), of(3, 0), of(4, 0), of(3, 1), of(2, 2), of(3, 1)]
    const lines = shapes.map((stacks, index) => nextLine(writer, stacks, `d${index}`))
    const without = (index: number) => lines.with(index, null)
    expect(labelled(stacksIn(lines, ['d6']))).toEqual([['1', '2', '3'], ['4']])
    expect(labelled(stacksIn(lines, ['d1']))).toEqual([['1', '2'], []])
    expect(labelled(stacksIn(without(1), ['d3']))).toEqual([['3', '4'], []])
    expect(labelled(stacksIn(without(1), ['d5']))).toEqual([[], ['3', '4']])
    expect(labelled(stacksIn(without(4), ['d5']))).toEqual([[], ['3']])
    expect(labelled(stacksIn(without(5), ['d6']))).toEqual([['3'], []])
    expect(stacksIn(without(6), ['d6'])).toBeNull()
  })

  test('nothing is written when nothing changed', () => {
    const writer = newWriter()
    expect(nextLine(writer, of(1, 0), 'd')).not.toBeNull()
    expect(nextLine(writer, of(1, 0), 'd')).toBeNull()
  })
})

describe('edits that can’t be kept', () => {
  const full = () => {
    throw new SagasmithError('file_not_accessible', { message: 'No space left.', hint: 'Free some.' })
  }
  const told = ({ view }: Designer) => view.getState().toasts.map(({ message, hint }) => [message, hint])

  test('are told of once, tried again without another edit, and said to be kept once they are', async () => {
    const { designer, machine, pass } = await opened()
    Object.assign(machine.methods, { 'drafts.save': full, 'drafts.change': full })
    retitle(designer, 'one')
    await pass()
    retitle(designer, 'two')
    await pass()
    const notKept = ['What you draw isn’t kept: it is in this window only.', 'No space left. Free some.']
    expect(told(designer)).toEqual([notKept])
    await pass()
    expect(machine.drafts.size).toBe(0)
    for (const method of ['drafts.save', 'drafts.change']) delete machine.methods[method]
    await pass()
    expect(machine.drafts.size).toBe(1)
    expect(told(designer)).toEqual([notKept, ['What you draw is kept again.', null]])
  })

  test('are not told of while the engine is away, which its line says, and kept once it is back', async () => {
    const { designer, machine, pass } = await opened()
    const { state } = designer.connection
    machine.isUp = false
    state.setState({ status: 'lost' } as never)
    retitle(designer, 'one')
    await pass()
    await pass()
    expect([told(designer), machine.drafts.size]).toEqual([[], 0])
    machine.isUp = true
    state.setState({ status: 'open' } as never)
    await pass()
    expect([told(designer), machine.drafts.size]).toEqual([[], 1])
  })
})
