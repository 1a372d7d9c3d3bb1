/** Finding workflows that steps name: by id in the library, by path beside their parent. */

import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { createWorkflowSource } from '../../../src-engine/shell/workflow-source.ts'
import { documentOf } from '../model/workflow-fixture.ts'

let folder = ''
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'sagasmith-source-'))
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

const save = (path: string, id: string, title = id): void => {
  mkdirSync(join(folder, path, '..'), { recursive: true })
  writeFileSync(join(folder, path), JSON.stringify(documentOf({ id, title, nodes: {} })))
}

it('an id is looked for in the whole library, and found anew when a file changes', async () => {
  const source = createWorkflowSource(folder)
  save('a.json', 'one')
  save('deep/b.json', 'two')
  writeFileSync(join(folder, 'rows.json'), '[1, 2]')
  expect((await source.find('two', '/elsewhere'))?.folder).toBe('/elsewhere')
  expect(await source.find('three', null)).toBeNull()
  save('deep/b.json', 'three', 'another title')
  expect((await source.find('three', null))?.document.title).toBe('another title')
  expect(await source.find('two', null)).toBeNull()
})

it('a path starts at the folder of the parent, and the child works beside its own file', async () => {
  const source = createWorkflowSource(join(folder, 'nothing-here'))
  save('parts/invoice.json', 'invoice')
  const found = await source.find('./parts/invoice.json', folder)
  expect([found?.document.id, found?.folder]).toEqual(['invoice', join(folder, 'parts')])
  expect((await source.find(join(folder, 'parts/invoice.json'), null))?.document.id).toBe('invoice')
  expect(await source.find('./parts/nobody.json', folder)).toBeNull()
  expect(await source.find('./parts/invoice.json', null)).toBeNull()
  expect(await source.find('invoice', folder)).toBeNull()
  writeFileSync(join(folder, 'broken.json'), '{')
  await expect(source.find('broken.json', folder)).rejects.toMatchObject({ code: 'document_unreadable' })
})
