/** Steps and triggers are called what their cards say. */

import { expect, test } from 'vitest'
import { nodeId } from '../../src-engine/model/ids.ts'
import { taskSpecsByKind } from '../../src-engine/tasks/specs.ts'
import { eventWords } from '../../src-renderer/panels/timeline/event-words.ts'
import { titleOfStep, titleOfTrigger } from '../../src-renderer/state/step-title.ts'
import { eventOf } from './factories.ts'

const title = (node: object) =>
  titleOfStep({ nodes: { [nodeId('a')]: node } } as never, taskSpecsByKind, nodeId('a'))

test('a step has its own title, else that of its kind', () => {
  expect(title({ kind: 'transform', title: 'Add up' })).toBe('Add up')
  expect(title({ kind: 'transform' })).toBe('Transform')
})

test('what is unknown, or isn’t there any more, has its id', () => {
  expect(title({ kind: 'of-another-machine' })).toBe('a')
  expect(titleOfStep({ nodes: {} }, taskSpecsByKind, nodeId('gone'))).toBe('gone')
  expect(titleOfTrigger({}, 'gone')).toBe('gone')
  // No document has the step that evaluates the output.
  expect(titleOfStep({ nodes: {} }, taskSpecsByKind, nodeId('$output'))).toBe('Output')
})

test('so it is with triggers', () => {
  expect(titleOfTrigger({ triggers: { webhook: { kind: 'webhook' } } }, 'webhook')).toBe('On a web call')
  expect(titleOfTrigger({ triggers: { webhook: { kind: 'webhook', title: 'Shop' } } }, 'webhook')).toBe(
    'Shop',
  )
})

test('so it is with what happened; a step without a title of its own is told from its like', () => {
  const event = eventOf({ type: 'node.skipped', nodeId: nodeId('a'), path: '', generation: 0 }, 'a')
  expect(eventWords(event, { nodes: { [nodeId('a')]: { kind: 'log', title: 'Tell them' } } })).toBe(
    'Tell them: Skipped',
  )
  expect(eventWords(event, { nodes: { [nodeId('a')]: { kind: 'log' } } })).toBe('a: Skipped')
})
