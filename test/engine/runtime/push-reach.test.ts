/** A push tells of the workflows that its steps start: how they stand there, and what they would miss. */

import { expect, onTestFinished, test } from 'vitest'
import type { WorkflowDocument } from '../../../src-engine/model/workflow.ts'
import { missingKindsOf } from '../../../src-engine/runtime/push-reach.ts'
import { createMemoryStore } from '../../../src-engine/store/memory/memory-store.ts'
import { aRunner } from '../../conformance/story.ts'
import { documentOf, edgesOf } from '../model/workflow-fixture.ts'
import { FlowScene } from './control-flow/flow-scene.ts'

const calls = (workflow: string) => ({ kind: 'sub-workflow', parameters: { workflow } })
const asks = (secret: string) => ({
  kind: 'http-request',
  parameters: { url: 'https://shop.example.com/', headers: { Authorization: `{{ secrets.${secret} }}` } },
})

/** `top` starts `new` and `other`, which starts `same`; all of them are there but the first, two as they are now. */
async function scene() {
  const here = new FlowScene(createMemoryStore())
  onTestFinished(() => here.close())
  await here.launch()
  const give = (id: string, nodes: object, edges = {}): WorkflowDocument => {
    const document = documentOf({ id, title: `The ${id}`, nodes: { ...nodes }, edges })
    here.workflows.set(id, { document, folder: null })
    return document
  }
  const publish = (document: WorkflowDocument) =>
    here.within(here.engine.publishing.publish({ document, baseDirectory: null }))
  await publish(give('same', { get: asks('DEEP') }))
  await publish(give('other', { sub: calls('same') }))
  give('other', { sub: calls('same'), get: asks('SHOP') }, edgesOf('sub>get'))
  give('new', { get: asks('SHOP'), off: { ...asks('NONE'), disabled: true } }, edgesOf('get>off'))
  const top = documentOf({
    id: 'top',
    title: 'Top',
    nodes: { a: calls('new'), b: calls('other'), own: asks('OWN') },
    edges: edgesOf('a>b>own'),
  })
  return {
    here,
    preview: () => here.within(here.engine.publishing.preview({ document: top, baseDirectory: null })),
  }
}

test('a push tells which of the workflows that it starts are there, in other versions, or not at all', async () => {
  const { preview } = await scene()
  const { startedWorkflows, starts } = await preview()
  expect(Object.fromEntries(startedWorkflows.map(({ title, there }) => [title, there]))).toEqual({
    'The new': 'new',
    'The other': 'other',
    'The same': 'same',
  })
  expect(startedWorkflows.map(({ hash }) => hash)).toEqual(starts)
})

test('it names their secrets, and whose steps need them', async () => {
  const { preview } = await scene()
  const { secrets, secretStandings } = await preview()
  expect(secrets).toEqual(['DEEP', 'NONE', 'OWN', 'SHOP'])
  const told = secretStandings.map(
    ({ name, workflow, nodes }) => `${name} ${workflow ?? '-'} ${nodes.join()}`,
  )
  expect(told.sort()).toEqual(['DEEP The same get', 'OWN - own', 'SHOP The new get', 'SHOP The other get'])
})

test('kinds that nobody there can do are told of every workflow, and of what undoes its steps', () => {
  const own = documentOf({
    nodes: {
      a: { kind: 'noop', compensation: { task: { kind: 'shell-command', parameters: {} } } },
      b: { kind: 'http-request' },
      off: { kind: 'http-request', disabled: true },
    },
  })
  const child = documentOf({ id: 'child', title: 'Child', nodes: { c: { kind: 'http-request' } } })
  expect(missingKindsOf([own, child], [aRunner('r', { capabilities: ['noop'] })])).toEqual([
    { kind: 'shell-command', workflow: null, nodes: ['a'] },
    { kind: 'http-request', workflow: null, nodes: ['b'] },
    { kind: 'http-request', workflow: 'Child', nodes: ['c'] },
  ])
})
