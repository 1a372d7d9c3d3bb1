/** Triggers in the designer: edits of the document, and the rows of a schedule's preview. */

import { describe, expect, test } from 'vitest'
import { inputJsonSchema } from '../../src-engine/model/schema-walk.ts'
import { entryPayload } from '../../src-engine/triggers/redis-stream/stream-entry.ts'
import { triggerSpecs } from '../../src-engine/triggers/specs.ts'
import { applyEdit } from '../../src-renderer/commands/edit.ts'
import { freeTriggerId } from '../../src-renderer/commands/new-ids.ts'
import {
  addCondition,
  addTrigger,
  changeTrigger,
  removeTrigger,
} from '../../src-renderer/commands/triggers.ts'
import { fieldsOf } from '../../src-renderer/forms/schema-fields.ts'
import { previewRow } from '../../src-renderer/panels/inspector/triggers/preview-rows.ts'
import { exampleInput } from '../../src-renderer/state/trigger-acts.ts'
import { chain } from './factories.ts'

const daily = { kind: 'cron', parameters: { expression: '0 9 * * *' } }

test('who fires by hand what comes from outside begins with what a run would get', () => {
  const kinds = Object.keys(triggerSpecs).filter((kind) => exampleInput(kind) !== null)
  expect(kinds.toSorted()).toEqual(['event', 'file-watch', 'redis-stream', 'webhook'])
  const { id, fields } = entryPayload({ id: '0-0', fields: [] }, 'text')
  expect(exampleInput('redis-stream')).toMatchObject({ id, fields, stream: '' })
})

describe('edits of triggers', () => {
  test('a trigger is added with its kind’s defaults under a free id, and removed without a trace', () => {
    const { document } = applyEdit(chain('a'), addTrigger('cron', daily))
    expect(document.triggers).toEqual({ cron: daily })
    expect(freeTriggerId('cron', new Set(Object.keys(document.triggers ?? {})))).toBe('cron2')
    expect(freeTriggerId('file-watch', new Set())).toBe('fileWatch')
    expect(applyEdit(document, removeTrigger('cron')).document).toEqual(chain('a'))
  })

  test('what is as usual is left out: no title, switched on', () => {
    const { document } = applyEdit(chain('a'), addTrigger('cron', daily))
    const off = applyEdit(document, changeTrigger('cron', { enabled: false, title: 'Morning' })).document
    expect(off.triggers?.['cron']).toEqual({ ...daily, title: 'Morning', enabled: false })
    const on = applyEdit(off, changeTrigger('cron', { enabled: true, title: '' })).document
    expect(on.triggers?.['cron']).toEqual(daily)
  })

  test('typing into one field is one step, into another one a second', () => {
    const [first, second, other] = ['0 9', '0 9 * * *', 'UTC'].map((text) =>
      changeTrigger('cron', { parameters: { expression: text } }, text === 'UTC' ? 'timeZone' : 'expression'),
    )
    expect(first?.gesture).toBe(second?.gesture)
    expect(other?.gesture).not.toBe(first?.gesture)
  })

  test('a condition is added with its trigger as one step, or is one that is there', () => {
    const both = { kind: 'composite', parameters: { conditions: ['cron'] } }
    const document = { ...chain('a'), triggers: { cron: daily, both } }
    const fresh = { kind: 'event', parameters: { name: '' } }
    expect(applyEdit(document, addCondition('both', 'event', fresh)).document.triggers).toEqual({
      cron: daily,
      both: { kind: 'composite', parameters: { conditions: ['cron', 'event'] } },
      event: fresh,
    })
    const bare = { ...document, triggers: { cron: daily, both: { kind: 'composite' } } }
    expect(applyEdit(bare, addCondition('both', 'cron', null)).document.triggers).toEqual({
      cron: daily,
      both: { kind: 'composite', parameters: { conditions: ['cron'] } },
    })
    expect(applyEdit(chain('a'), addCondition('both', 'cron', null)).document).toEqual(chain('a'))
  })

  test('a trigger that is gone is not changed', () => {
    expect(applyEdit(chain('a'), changeTrigger('cron', { title: 'x' })).document).toEqual(chain('a'))
    expect(applyEdit(chain('a'), removeTrigger('cron')).document).toEqual(chain('a'))
  })
})

describe('the form of a schedule', () => {
  test('has a widget for each field, with days that are left out as a list', () => {
    const kinds = fieldsOf(inputJsonSchema(triggerSpecs.cron.parameters)).map(({ key, kind }) => [key, kind])
    expect(Object.fromEntries(kinds)).toMatchObject({
      expression: 'text',
      timeZone: 'text',
      overlap: 'select',
      catchUp: 'select',
      catchUpWindowMs: 'duration',
      except: 'list',
    })
  })
})

describe('rows of a preview', () => {
  test('show the zone’s date and time, and UTC with its day where that is another one', () => {
    const at = Date.parse('2026-03-30T23:30:00Z')
    expect(previewRow({ at, fireAt: at, local: '2026-03-31T01:30:00+02:00', change: null })).toEqual({
      ...{ key: at, date: 'Tue 31 Mar 2026', time: '01:30', utc: 'Mon 30 Mar 2026 23:30 UTC', note: '' },
    })
  })

  test('say what clocks and the spread do to a slot', () => {
    const at = Date.parse('2026-03-29T01:00:00Z')
    const gap = { at, local: '2026-03-29T03:00:00+02:00', change: 'gap' } as const
    expect(previewRow({ ...gap, fireAt: at + 90_000 })).toMatchObject({
      time: '03:00',
      utc: '01:00 UTC',
      note: 'clocks skip its time that day, 90 s later',
    })
    expect(previewRow({ ...gap, change: 'second', fireAt: at + 600_000 }).note).toBe(
      'its time comes twice: the second, 10 min later',
    )
  })

  test('show seconds where there are some', () => {
    const at = Date.parse('2026-03-30T12:00:30Z')
    expect(previewRow({ at, fireAt: at, local: '2026-03-30T12:00:30+00:00', change: null })).toMatchObject({
      ...{ time: '12:00:30', utc: '12:00:30 UTC' },
    })
  })
})
