/** Presets as edits of the document, and what a page remembers of the inputs of runs. */

import { describe, expect, test } from 'vitest'
import type { WorkflowDocument } from '../../src-engine/model/workflow.ts'
import type { Edit } from '../../src-renderer/commands/edit.ts'
import { applyEdit } from '../../src-renderer/commands/edit.ts'
import { keepPreset, removePreset, renamePreset } from '../../src-renderer/commands/presets.ts'
import { lastInputs, rememberInput } from '../../src-renderer/state/last-inputs.ts'
import { chain } from './factories.ts'

const after = (document: WorkflowDocument, ...edits: readonly Edit[]): WorkflowDocument =>
  edits.reduce((before, edit) => applyEdit(before, edit).document, document)

describe('presets', () => {
  test('are kept, changed, renamed and removed, the last one without a trace', () => {
    const input = { order: 7 }
    const kept = after(
      chain('a'),
      keepPreset('big', { title: 'Big', input }),
      keepPreset('b', { title: 'B', input: {} }),
    )
    input.order = 8
    expect(kept.presets).toEqual({ big: { title: 'Big', input: { order: 7 } }, b: { title: 'B', input: {} } })
    const renamed = after(kept, renamePreset('big', 'Huge'), removePreset('b'), renamePreset('gone', 'x'))
    expect(renamed.presets).toEqual({ big: { title: 'Huge', input: { order: 7 } } })
    expect(after(renamed, removePreset('big'))).not.toHaveProperty('presets')
    expect(after(chain('a'), removePreset('big'))).not.toHaveProperty('presets')
  })
})

describe('what runs began with', () => {
  const memoryOf = (kept: Record<string, string> = {}) => {
    const texts = new Map(Object.entries(kept))
    return {
      read: (key: string) => texts.get(key) ?? null,
      write: (key: string, text: string) => void texts.set(key, text),
    }
  }

  test('is remembered for each workflow, newest first, the same once, and no more than five', () => {
    const memory = memoryOf()
    for (const n of [1, 2, 3, 1, 4, 5, 6]) rememberInput(memory, 'w', { at: n * 10, value: { n } })
    rememberInput(memory, 'other', { at: 1, value: {} })
    expect(lastInputs(memory, 'w').map(({ value }) => value['n'])).toEqual([6, 5, 4, 1, 3])
    rememberInput(memory, 'w', { at: 99, value: { n: 4 } })
    expect(lastInputs(memory, 'w')[0]).toEqual({ at: 99, value: { n: 4 } })
    expect(lastInputs(memory, 'w')).toHaveLength(5)
  })

  test('what was remembered before there were several counts as the last', () => {
    expect(lastInputs(memoryOf({ 'sagasmith.input.w': '{"n":1}' }), 'w')).toEqual([
      { at: 0, value: { n: 1 } },
    ])
  })

  test.each(['no JSON', '{"a":1}', '[1,null,{"at":"x","value":{}},{"at":1,"value":[]}]'])(
    'what isn’t ours is nothing: %s',
    (text) => {
      expect(lastInputs(memoryOf({ 'sagasmith.inputs.w': text }), 'w')).toEqual([])
    },
  )
})
