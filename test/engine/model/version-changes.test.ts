import { expect, it } from 'vitest'
import { versionChanges } from '../../../src-engine/model/version-changes.ts'
import { taskSpecsByKind } from '../../../src-engine/tasks/specs.ts'
import { documentOf, edgesOf } from './workflow-fixture.ts'

const changes = (before: Parameters<typeof documentOf>[0], after: Parameters<typeof documentOf>[0]) =>
  versionChanges(documentOf(before), documentOf(after), taskSpecsByKind).map(({ what, id, change, fields }) =>
    `${change} ${what} ${id} ${fields.join()}`.trim(),
  )

const log = (message: string, more = {}) => ({ kind: 'log', parameters: { message }, ...more })

it('the same document has none, nor has one with another look', () => {
  const nodes = { a: log('x') }
  expect(changes({ nodes }, { nodes })).toEqual([])
  expect(
    changes({ nodes }, { nodes: { a: log('x', { title: 'Other', note: 'why' }) }, title: 'Other' }),
  ).toEqual([])
})

it('a field that equals its default is no change', () => {
  expect(
    changes({ nodes: { a: log('x') } }, { nodes: { a: log('x', { pool: 'default', onError: 'fail' }) } }),
  ).toEqual([])
})

it('nodes and edges come and go', () => {
  const two = { nodes: { a: log('x'), b: log('y') }, edges: edgesOf('a>b') }
  expect(changes({ nodes: { a: log('x') } }, two)).toEqual(['added node b', 'added edge e0'])
  expect(changes(two, { nodes: { a: log('x') } })).toEqual(['removed node b', 'removed edge e0'])
})

it('a changed node says which of its fields differ', () => {
  expect(
    changes(
      { nodes: { a: log('x', { retry: { maxAttempts: 3 } }) } },
      { nodes: { a: log('y', { retry: { maxAttempts: 5 }, pool: 'gpu' }) } },
    ),
  ).toEqual(['changed node a parameters.message,pool,retry.maxAttempts'])
})

it('what is the whole workflow’s is told too', () => {
  const nodes = { a: log('x') }
  expect(changes({ nodes }, { nodes, settings: { priority: 'HIGH' } })).toEqual(['added field settings'])
})

it('a node is named by its title', () => {
  const [change] = versionChanges(
    documentOf({ nodes: { a: log('x', { title: 'Say it' }) } }),
    documentOf({ nodes: { a: log('y', { title: 'Say it' }) } }),
    taskSpecsByKind,
  )
  expect(change).toMatchObject({ id: 'a', title: 'Say it', change: 'changed' })
})
