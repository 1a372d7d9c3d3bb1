/** The code view without its editor: texts, places, and what an edit of the code is to the document. */

import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { canonicalDocument } from '../../src-engine/model/canonical-document.ts'
import { nodeId } from '../../src-engine/model/ids.ts'
import { taskSpecsByKind } from '../../src-engine/tasks/specs.ts'
import { triggerSpecsByKind } from '../../src-engine/triggers/specs.ts'
import { perform, startHistory, undo } from '../../src-renderer/commands/history.ts'
import { takeCode } from '../../src-renderer/commands/take-code.ts'
import type { CodeForm } from '../../src-renderer/panels/code-view/code-text.ts'
import {
  changeBetween,
  codeTextOf,
  fieldAt,
  inLine,
  readCodeText,
  selectionAt,
  spanOfField,
  spansOf,
} from '../../src-renderer/panels/code-view/code-text.ts'
import { anyDocument } from '../support/any-document.ts'
import { chain } from './factories.ts'

const known = { tasks: taskSpecsByKind, triggers: triggerSpecsByKind }
const forms: readonly CodeForm[] = ['json', 'ts']
const nothing = { nodes: [], edges: [], notes: [], scopes: [], frames: [], triggers: [] }

function placesIn(text: string, form: CodeForm) {
  const reading = readCodeText(text, form)
  if (reading.kind === 'fault') throw new Error(reading.fault.message)
  return reading.places
}

describe('canvas and code', () => {
  test.for(forms)('the lines of a node are found, and the node of a line, in %s', (form) => {
    const text = codeTextOf(chain('a', 'b', 'c'), form, known)
    const places = placesIn(text, form)
    const [span] = spansOf(places, { ...nothing, nodes: [nodeId('b')] })
    expect(text.slice(span?.start, span?.end)).toMatch(/^"?b"?: \{\s+"?kind"?: ['"]noop['"]/)
    expect(selectionAt(places, (span?.start ?? 0) + 12)).toEqual({ nodes: ['b'] })
    expect(selectionAt(places, 0)).toBeNull()
  })

  test.for(forms)('the lines of a field are found, and the field of a line, in %s', (form) => {
    const document = {
      ...chain('a', 'b'),
      nodes: {
        [nodeId('a')]: { kind: 'noop' },
        [nodeId('b')]: {
          kind: 'http-request',
          parameters: { url: 'https://x', headers: { 'X-Key.a': '1', Accept: 'text' }, list: [{ at: 1 }] },
          retry: { maxAttempts: 4 },
        },
      },
    }
    const text = codeTextOf(document, form, known)
    const places = placesIn(text, form)
    const linesOf = (field: string) => {
      const span = spanOfField(places, { nodeId: nodeId('b'), field })
      return span === null ? null : text.slice(span.start, span.end).replaceAll(/["']/g, '')
    }
    expect(linesOf('parameters.url')).toBe('url: https://x')
    expect(linesOf('retry.maxAttempts')).toBe('maxAttempts: 4')
    expect(linesOf('parameters.headers.Accept')).toBe('Accept: text')
    // What has no lines of its own: what it is in.
    expect(linesOf('parameters.headers.X-Key.a')).toMatch(/^headers: \{/)
    expect(linesOf('parameters.body')).toMatch(/^parameters: \{/)
    expect(linesOf('timeout.totalMs')).toBeNull()
    const at = (words: string) => fieldAt(places, text.indexOf(words))
    expect(at('https://x')).toEqual({ nodeId: 'b', field: 'parameters.url' })
    expect(at('4')).toEqual({ nodeId: 'b', field: 'retry.maxAttempts' })
    expect(fieldAt(places, text.lastIndexOf('at') + 5)).toEqual({
      nodeId: 'b',
      field: 'parameters.list[0].at',
    })
    expect(fieldAt(places, 0)).toBeNull()
    // Before the words of its line, and behind the comma.
    const begin = text.lastIndexOf('\n', text.indexOf('https://x')) + 1
    const line = { from: begin, text: text.slice(begin, text.indexOf('\n', begin)) }
    for (const index of [begin, begin + line.text.length])
      expect(fieldAt(places, inLine(line, index))).toEqual({ nodeId: 'b', field: 'parameters.url' })
  })

  test.for<[CodeForm, string, string]>([
    ['json', '"kind": "noop"', '"kind": noop'],
    ['ts', "kind: 'noop'", 'kind: noop()'],
  ])('a fault in %s is told with its place', ([form, right, wrong]) => {
    const text = codeTextOf(chain('a'), form, known).replace(right, wrong)
    const reading = readCodeText(text, form)
    expect(reading.kind === 'fault' && reading.fault.index).toBe(text.indexOf('noop'))
  })

  test('an edit changes what differs, and undo takes all of it back', () => {
    fc.assert(
      fc.property(anyDocument, anyDocument, (before, after) => {
        const start = startHistory(before)
        const edited = perform(start, takeCode(after))
        expect(canonicalDocument(edited.document)).toBe(canonicalDocument(after))
        const back = edited === start ? start : undo(edited)
        expect(canonicalDocument(back.document)).toBe(canonicalDocument(before))
      }),
      { numRuns: 100 },
    )
  })

  test('nodes that the code leaves alone stay the same objects', () => {
    const before = chain('a', 'b')
    const changed = { ...before, nodes: { ...before.nodes, [nodeId('b')]: { kind: 'log' } } }
    const { document, past } = perform(startHistory(before), takeCode(structuredClone(changed)))
    expect(document.nodes[nodeId('a')]).toBe(before.nodes[nodeId('a')])
    expect(document.layout).toBe(before.layout)
    expect(past).toHaveLength(1)
  })

  test('writing on is one step', () => {
    const before = chain('a')
    const once = perform(startHistory(before), takeCode({ ...before, title: 'One' }))
    const twice = perform(once, takeCode({ ...before, title: 'Two' }))
    expect(twice.past).toHaveLength(1)
    expect(undo(twice).document).toEqual(before)
  })

  test('two texts differ in one stretch', () => {
    fc.assert(
      fc.property(fc.string(), fc.string(), (before, after) => {
        const change = changeBetween(before, after)
        const { from, to, insert } = change ?? { from: 0, to: 0, insert: '' }
        expect(before.slice(0, from) + insert + before.slice(to)).toBe(after)
        expect(change === null).toBe(before === after)
      }),
    )
  })
})
