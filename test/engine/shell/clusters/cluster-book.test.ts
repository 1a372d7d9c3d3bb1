import { mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { storeId } from '../../../../src-engine/model/ids.ts'
import type { ClusterEntry } from '../../../../src-engine/protocol/clusters.ts'
import { parseClusterAddress } from '../../../../src-engine/shell/clusters/cluster-address.ts'
import { createClusterBook } from '../../../../src-engine/shell/clusters/cluster-book.ts'

let folder = ''
let path = ''
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'sagasmith-book-'))
  path = join(folder, 'clusters.json')
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

const plant = (set: Partial<ClusterEntry> = {}): ClusterEntry => {
  return { name: 'plant', address: 'redis://one:7000', colour: 'red', readOnly: true, ...set }
}

it('a new book is empty and makes no file', async () => {
  expect(await createClusterBook(path).list()).toEqual([])
  expect(() => statSync(path)).toThrow('ENOENT')
})

it('keeps clusters by name, in a file that only its owner reads', async () => {
  await createClusterBook(path).put(plant())
  await createClusterBook(path).put(plant({ name: 'lab', readOnly: false }))
  await createClusterBook(path).put(plant({ colour: 'blue' }))
  expect(await createClusterBook(path).list()).toEqual([
    plant({ name: 'lab', readOnly: false }),
    plant({ colour: 'blue' }),
  ])
  expect(statSync(path).mode & 0o777).toBe(0o600)
})

it('makes the data directory with the first cluster, for its owner alone', async () => {
  const inside = join(folder, 'data', 'clusters.json')
  await createClusterBook(inside).put(plant())
  expect(await createClusterBook(inside).list()).toEqual([plant()])
  expect(statSync(join(folder, 'data')).mode & 0o777).toBe(0o700)
})

it('changes at the same time are all kept', async () => {
  const book = createClusterBook(path)
  const names = ['a', 'b', 'c']
  const failing = book.remove('nobody').catch(() => undefined)
  const noting = book.noteStore(parseClusterAddress('redis://one:7000'), storeId('store_1'))
  await Promise.all([failing, noting, ...names.map((name) => book.put(plant({ name })))])
  expect((await book.list()).map(({ name }) => name)).toEqual(names)
  expect(await book.metStore(parseClusterAddress('redis://one:7000'))).toBe('store_1')
})

it('finds a cluster by its name, and by an address that has none', async () => {
  const book = createClusterBook(path)
  await book.put(plant())
  expect(await book.find('plant')).toMatchObject({ label: 'plant', readOnly: true })
  expect(await book.find('redis://two')).toMatchObject({
    label: 'redis://two',
    readOnly: false,
    address: { nodes: [{ host: 'two', port: 6_379 }] },
  })
})

it('says which names there are when there is none of that name', async () => {
  const book = createClusterBook(path)
  await expect(book.find('plant')).rejects.toMatchObject({ code: 'cluster_unknown' })
  await book.put(plant())
  await expect(book.find('plnat')).rejects.toMatchObject({
    code: 'cluster_unknown',
    hint: expect.stringContaining('plant') as string,
  })
  await expect(book.remove('plnat')).rejects.toMatchObject({ code: 'cluster_unknown' })
  await book.remove('plant')
  expect(await book.list()).toEqual([])
})

it('refuses an address that is none, and a name that can’t be typed', async () => {
  const book = createClusterBook(path)
  await expect(book.put(plant({ address: 'one' }))).rejects.toMatchObject({ code: 'cluster_address_invalid' })
  await expect(book.put(plant({ name: 'a b' }))).rejects.toMatchObject({ code: 'bad_request' })
})

it('remembers which store it met, whichever node is named first', async () => {
  const book = createClusterBook(path)
  const address = parseClusterAddress('redis://one:1,two:2/w')
  expect(await book.metStore(address)).toBeNull()
  await book.noteStore(address, storeId('store_1'))
  expect(await book.metStore(parseClusterAddress('redis://ada@two:2,one:1/w'))).toBe('store_1')
  expect(await book.metStore(parseClusterAddress('redis://one:1,two:2/other'))).toBeNull()
})

it('a damaged book is left as it is', async () => {
  writeFileSync(path, '{"version":1')
  await expect(createClusterBook(path).put(plant())).rejects.toMatchObject({ code: 'cluster_book_damaged' })
})
