/** Journals on disk: they outlive who wrote them, and say which stores were known. */

import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { hostname } from 'node:os'
import { basename, join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { createJournalFile } from '../../src-engine/store/redis/journal/journal-file.ts'
import { layoutFormat } from '../../src-engine/store/redis/layout.ts'
import { startRedisServer } from '../support/redis-servers.ts'
import {
  aDirectory,
  aServer,
  aStore,
  copyOf,
  goBack,
  knock,
  run,
  stateOf,
  step,
  workOn,
} from './journal-scene.ts'
import { accept, theInvocation, theRun, verifyHistory } from './scene.ts'
import { movingRun, starting } from './story.ts'

/** Where the journals of the store are, and which there are. */
const folderIn = (directory: string): string => join(directory, 's')
const journalsIn = (directory: string): readonly string[] =>
  readdirSync(folderIn(directory)).filter((name) => name.endsWith('.journal'))

/** A journal as a process leaves it that was killed: the files stay, and nobody has the number of the process. */
function orphaned(
  directory: string,
  to: string,
  set: { readonly storeId?: string; readonly form?: number } = {},
): string {
  const [name = ''] = journalsIn(directory)
  const [, ...lines] = readFileSync(join(folderIn(directory), name), 'utf8').split('\n')
  const header = {
    journal: 1,
    form: layoutFormat,
    storeId: 's',
    writerId: 'dead',
    host: hostname(),
    pid: noPid,
    ...set,
  } as const
  const file = createJournalFile({ directory: folderIn(to), header, onTrouble: () => undefined })
  file.gaveUp({ number: 0 } as Parameters<typeof file.gaveUp>[0])
  file.flush()
  const path = join(folderIn(to), 'dead.1.journal')
  const [own = ''] = readFileSync(path, 'utf8').split('\n')
  writeFileSync(path, [own, ...lines].join('\n'))
  return path
}

/** Its process is gone before anything is lost: from time to time it looks at its servers, and would bring it back itself. */
const endUnseen = ({ store }: Awaited<ReturnType<typeof aStore>>): Promise<void> => store.close()

/** Above what systems give out. */
const noPid = 2 ** 30

test('a runner that died after it was told so: the next one of its directory brings its work back', async () => {
  const server = await aServer()
  const directory = aDirectory()
  const dead = await aStore(server, { directory })
  await accept(dead.store, starting(run, [step]))
  const copy = await copyOf(server)
  await workOn(dead.store, 'a')
  const before = await stateOf(dead.store)
  const left = aDirectory()
  const path = orphaned(directory, left)
  await endUnseen(dead)
  await goBack(server, copy)
  const { store: first } = await aStore(server, null)
  await knock(first)
  const { store, reports } = await aStore(server, { directory: left })
  const after = await stateOf(store)
  expect(after).toEqual({ ...before, told: after.told })
  expect(reports).toMatchObject([{ lost: 3, broughtBack: 3, gone: [] }])
  expect(journalsIn(left)).not.toContain(basename(path))
  await verifyHistory(store)
})

test('of a journal that is cut off, or damaged, the rest counts; one of another store is left alone', async () => {
  const server = await aServer()
  const directory = aDirectory()
  const dead = await aStore(server, { directory })
  await accept(dead.store, starting(run, [step]))
  const copy = await copyOf(server)
  await workOn(dead.store, 'a')
  const left = aDirectory()
  const path = orphaned(directory, left)
  const lines = readFileSync(path, 'utf8').trimEnd().split('\n')
  const cut = lines.at(-1)?.slice(0, 100) ?? ''
  writeFileSync(path, [...lines.slice(0, -1), cut].join('\n'))
  await endUnseen(dead)
  await goBack(server, copy)
  await knock((await aStore(server, null)).store)
  const { store, reports, damages } = await aStore(server, { directory: left })
  expect((await theInvocation(store, step.id)).status).toBe('RUNNING')
  expect(reports).toMatchObject([{ lost: 2, broughtBack: 2 }])
  expect(damages).toEqual([{ damaged: 1, foreign: [] }])
  const foreign = orphaned(directory, aDirectory(), { storeId: 'another' })
  const next = await aStore(server, { directory: join(foreign, '../..') })
  expect(next.damages).toEqual([{ damaged: 0, foreign: [foreign] }])
  expect(next.reports).toEqual([])
  expect(readFileSync(foreign, 'utf8')).not.toBe('')
  const older = orphaned(directory, aDirectory(), { form: layoutFormat - 1 })
  expect((await aStore(server, { directory: join(older, '../..') })).damages).toEqual([
    { damaged: 0, foreign: [older] },
  ])
})

test('a journal that can’t be written is told once, and goes on in memory', async () => {
  const server = await aServer()
  const directory = join(aDirectory(), 'file')
  writeFileSync(directory, '')
  const { store, reports, troubles } = await aStore(server, { directory })
  await accept(store, starting(run, [step]))
  const copy = await copyOf(server)
  await accept(store, movingRun(await theRun(store, run.id), 'PAUSED'))
  await accept(store, movingRun(await theRun(store, run.id), 'RUNNING'))
  expect(troubles).toHaveLength(1)
  await goBack(server, copy)
  await knock(store)
  expect(reports).toMatchObject([{ lost: 2, broughtBack: 2 }])
})

test('an end in order leaves nothing that replicas have; what they lack stays', async () => {
  const server = await aServer()
  const replica = await startRedisServer({ replicaof: `${server.host} ${server.port}` })
  onTestFinished(replica.kill)
  await expect.poll(() => replica.admin.info('replication')).toContain('master_link_status:up')
  const directory = aDirectory()
  const { store } = await aStore(server, { directory })
  await accept(store, starting(run, [step]))
  expect(journalsIn(directory)).toHaveLength(1)
  // It is acknowledged within seconds; then the file is of no use to anybody.
  await expect.poll(() => journalsIn(directory), { timeout: 60_000 }).toEqual([])
  await store.close()
  await replica.kill()
  const alone = await aStore(server, { directory })
  await accept(alone.store, movingRun(await theRun(alone.store, run.id), 'PAUSED'))
  await alone.store.close()
  expect(journalsIn(directory)).toHaveLength(1)
})

test('a server that is empty though a journal knows the store is refused, by whatever name it is reached', async () => {
  const server = await aServer()
  const directory = aDirectory()
  const { store } = await aStore(server, { directory })
  await accept(store, starting(run))
  await store.close()
  await server.admin.flushall()
  await expect(aStore(server, { directory })).rejects.toMatchObject({ code: 'redis_store_missing' })
  const { store: fresh } = await aStore(server, { directory: aDirectory() })
  await accept(fresh, starting(run))
})
