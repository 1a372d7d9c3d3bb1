/** Blobs as files, between one who sweeps and one who puts the same bytes again. */

import { existsSync, mkdtempSync, readdirSync, renameSync, rmSync, utimesSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { createFileBlobs } from '../../../src-engine/store/blobs.ts'

let directory: string
beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'sagasmith-blobs-'))
})
afterEach(() => rmSync(directory, { recursive: true, force: true }))

const bytes = new TextEncoder().encode('the same bytes')
const second = 1_000
const day = 86_400 * second

test('what is put again while a sweep has just found it old stays', async () => {
  let now = day
  const blobs = createFileBlobs(directory, () => now)
  const name = await blobs.put(bytes)
  now = 3 * day
  const path = join(directory, name.slice(0, 2), name)
  const removed = await blobs.sweep(2 * day, () => {
    // Looked at already: now somebody else finds the bytes whole and makes them young, as `put` does.
    utimesSync(path, now / second, now / second)
    return false
  })
  expect(removed).toBe(0)
  expect(await blobs.get(name)).toEqual(Buffer.from(bytes))
  expect(readdirSync(join(directory, name.slice(0, 2)))).toEqual([name])
})

test('what a sweep left aside when it ended is put back where it is named, and goes where it is not', async () => {
  const blobs = createFileBlobs(directory, () => day)
  const name = await blobs.put(bytes)
  const path = join(directory, name.slice(0, 2), name)
  const aside = `${path}.77.old.tmp`
  renameSync(path, aside)
  await blobs.sweep(2 * day, () => true)
  expect(await blobs.get(name)).toEqual(Buffer.from(bytes))
  renameSync(path, aside)
  await blobs.sweep(2 * day, () => false)
  expect(existsSync(aside)).toBe(false)
})

test('an old blob that nothing names goes', async () => {
  const blobs = createFileBlobs(directory, () => day)
  const name = await blobs.put(bytes)
  expect(await blobs.sweep(2 * day, () => false)).toBe(1)
  await expect(blobs.get(name)).rejects.toMatchObject({ code: 'blob_missing' })
  expect(readdirSync(join(directory, name.slice(0, 2)))).toEqual([])
})
