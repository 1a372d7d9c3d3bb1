/** What may run is looked at once, however often it is started, and whatever object it is by then. */

import { describe, expect, test } from 'vitest'
import type { SagasmithError } from '../../../src-engine/model/errors.ts'
import type { JsonObject } from '../../../src-engine/model/json.ts'
import { createAdmission } from '../../../src-engine/runtime/admission.ts'
import { taskSpecsByKind } from '../../../src-engine/tasks/specs.ts'
import { triggerSpecsByKind } from '../../../src-engine/triggers/specs.ts'
import { documentOf } from '../model/workflow-fixture.ts'

/** An admission, and how many expressions it has looked at. */
function counted() {
  let looks = 0
  const checkExpression = (): null => {
    looks += 1
    return null
  }
  const validation = { checkExpression, triggerSpecs: triggerSpecsByKind }
  return { ...createAdmission(taskSpecsByKind, validation, () => undefined), looks: () => looks }
}

const document = (more: JsonObject = {}) =>
  documentOf({ nodes: { a: { kind: 'transform', parameters: { expression: 'input' } } }, ...more })

describe('a document is validated', () => {
  test('once, also when it is read again', () => {
    const { admit, looks } = counted()
    const hash = admit(document())
    const once = looks()
    expect(once).toBeGreaterThan(0)
    expect([admit(document()), admit(document())]).toEqual([hash, hash])
    expect(looks()).toBe(once)
  })

  test('again when anything of it is another, though it means the same', () => {
    const { admit, looks } = counted()
    const hash = admit(document())
    const once = looks()
    expect(admit(document({ title: 'Another' }))).toBe(hash)
    expect(looks()).toBe(2 * once)
    // Triggers are no part of what a run does: the definition hash doesn’t know them.
    const wrong = { triggers: { t: { kind: 'cron', parameters: { expression: 'never' } } } }
    expect(() => admit(document(wrong))).toThrow(expect.objectContaining({ code: 'document_invalid' }))
  })

  test('each time while it is refused', () => {
    const { admit, looks } = counted()
    const wrong = { edges: { e: { from: { node: 'a', port: 'out' }, to: { node: 'b', port: 'in' } } } }
    const codeOf = () => {
      try {
        return admit(document(wrong))
      } catch (thrown) {
        return (thrown as SagasmithError).code
      }
    }
    expect(codeOf()).toBe('document_invalid')
    const once = looks()
    expect(codeOf()).toBe('document_invalid')
    expect(looks()).toBe(2 * once)
  })

  test('again once a thousand others were started since', () => {
    const { admit, looks } = counted()
    admit(document())
    const once = looks()
    for (let index = 0; index < 999; index += 1) admit(document({ title: `${index}` }))
    const before = looks()
    admit(document())
    expect(looks()).toBe(before)
    for (let index = 0; index < 1_000; index += 1) admit(document({ title: `again ${index}` }))
    const after = looks()
    admit(document())
    expect(looks()).toBe(after + once)
  })
})
