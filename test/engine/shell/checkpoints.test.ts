/** What documents were at saves and named moments. */

import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, expect, test } from 'vitest'
import { savedCheckpointsMax } from '../../../src-engine/model/limits.ts'
import { createCheckpoints } from '../../../src-engine/shell/checkpoints.ts'

const folders: string[] = []
afterEach(() => {
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true, force: true })
})

function place() {
  const folder = mkdtempSync(join(tmpdir(), 'sagasmith-checkpoints-'))
  folders.push(folder)
  let now = 0
  const checkpoints = createCheckpoints(folder, { now: () => (now += 1_000), monotonic: () => now } as never)
  const save = (title: string, name: string | null = null, workflowId = 'wf/../one') =>
    checkpoints.save({ workflowId, name, title, document: { title } })
  return { folder, checkpoints, save }
}

test('saves and named moments are listed newest first, and read as they were', async () => {
  const { checkpoints, save } = place()
  await save('a')
  const named = await save('b', 'Before the change')
  await save('c', null, 'another')
  expect(await checkpoints.list('wf/../one')).toMatchObject([
    { name: 'Before the change', title: 'b', at: 2_000 },
    { name: null, title: 'a', at: 1_000 },
  ])
  expect(await checkpoints.read('wf/../one', named?.id ?? '')).toEqual({ title: 'b' })
  await checkpoints.remove('wf/../one', named?.id ?? '')
  expect(await checkpoints.list('wf/../one')).toHaveLength(1)
  await expect(checkpoints.read('wf/../one', 'gone')).rejects.toMatchObject({ code: 'file_not_found' })
  expect(await checkpoints.list('nobody')).toEqual([])
})

test('who looks right after a save was asked for finds it, also after one that failed', async () => {
  const { checkpoints, save } = place()
  const first = save('a')
  expect(await checkpoints.list('wf/../one')).toMatchObject([{ title: 'a' }])
  await first
  const broken = save('x', null, { toString: () => 'no text' } as never)
  const second = save('b')
  const listed = checkpoints.list('wf/../one')
  await expect(broken).rejects.toMatchObject({ code: 'file_not_accessible' })
  expect(await listed).toMatchObject([{ title: 'b' }, { title: 'a' }])
  await second
})

test('a save that changes nothing is not kept again, a name always is', async () => {
  const { checkpoints, save } = place()
  await save('a')
  expect(await save('a')).toBeNull()
  expect(await save('a', 'Named')).not.toBeNull()
  expect(await save('a')).toBeNull()
  expect(await checkpoints.list('wf/../one')).toHaveLength(2)
})

test('old saves give way, named moments stay', async () => {
  const { checkpoints, save } = place()
  await save('first', 'Kept')
  for (let count = 0; count < savedCheckpointsMax + 3; count += 1) await save(`t${count}`)
  const entries = await checkpoints.list('wf/../one')
  expect(entries).toHaveLength(savedCheckpointsMax + 1)
  expect([entries[0]?.title, entries.at(-1)?.name]).toEqual([`t${savedCheckpointsMax + 2}`, 'Kept'])
})

test('a file that is no checkpoint hides none', async () => {
  const { folder, checkpoints, save } = place()
  await save('a')
  const [inner = ''] = readdirSync(folder)
  writeFileSync(join(folder, inner, 'broken.json'), '{"id": "x"')
  expect(await checkpoints.list('wf/../one')).toHaveLength(1)
})
