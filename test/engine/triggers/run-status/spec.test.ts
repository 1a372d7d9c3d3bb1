/** What is wrong with a trigger on runs is said when its document is looked at. */

import { describe, expect, test } from 'vitest'
import type { JsonObject } from '../../../../src-engine/model/json.ts'
import { validateWorkflow } from '../../../../src-engine/model/validate-workflow.ts'
import { taskSpecsByKind } from '../../../../src-engine/tasks/specs.ts'
import { triggerSpecsByKind } from '../../../../src-engine/triggers/specs.ts'
import { documentOf } from '../../model/workflow-fixture.ts'

function problems(parameters: JsonObject) {
  const triggers = { t: { kind: 'run-status', title: 'After', parameters } }
  const document = documentOf({ nodes: { a: { kind: 'noop' } }, triggers })
  const found = validateWorkflow(document, taskSpecsByKind, { triggerSpecs: triggerSpecsByKind })
  return found.map(({ code, field, message }) => [code, field, message])
}

const wrong: readonly (readonly [JsonObject, string, string, string])[] = [
  [{}, 'missing_parameter', 'workflow', 'missing'],
  [{ workflow: 'o', statuses: ['GONE'] }, 'wrong_parameter', 'statuses[0]', 'must be one of'],
  [
    { workflow: 'o', statuses: ['RETRY'] },
    'wrong_parameter',
    'statuses',
    'a run never has “Failed a try” (RETRY)',
  ],
  [
    { workflow: 'o', node: 'a', statuses: ['COMPENSATED'] },
    'wrong_parameter',
    'statuses',
    'a step never has “Been undone” (COMPENSATED)',
  ],
  [
    { workflow: 'o', statuses: ['FAILED'], output: { a: 1 } },
    'wrong_parameter',
    'output',
    'only what has succeeded',
  ],
  [{ workflow: 'o', errors: ['http_*'] }, 'wrong_parameter', 'errors', 'only what failed has an error'],
  [
    { workflow: 'w' },
    'trigger_on_itself',
    'workflow',
    'The trigger “After” watches the runs of its own workflow',
  ],
]

describe('a trigger on runs', () => {
  test.each(wrong)('%j is refused', (...[parameters, code, field, words]) => {
    expect(problems(parameters)).toEqual([
      [code, `triggers.t.parameters.${field}`, expect.stringContaining(words)],
    ])
  })

  test('what means something is not, its own workflow included where that is allowed', () => {
    expect(problems({ workflow: '*', statuses: ['FAILED', 'TIMED_OUT'], errors: ['*'] })).toEqual([])
    expect(problems({ workflow: 'o', node: 'a', statuses: ['RETRY', 'FAILED'] })).toEqual([])
    expect(problems({ workflow: 'o', output: null })).toEqual([])
    expect(problems({ workflow: 'w', allowOwn: true })).toEqual([])
  })
})
