import { spawnSync } from 'node:child_process'
import { existsSync, readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import type { ProcessIdentity } from '../../../src-engine/model/runner.ts'
import { ownProcess } from '../../../src-engine/runtime/process-identity.ts'
import { acquireDataLock } from '../../../src-engine/shell/data-lock.ts'
import { localSocketPath } from '../../../src-engine/shell/local-socket.ts'
import { temporaryFolder } from './shell-fixtures.ts'

const holder = (process: ProcessIdentity = ownProcess()) => ({
  process,
  socket: '/s',
  since: 0,
  role: 'serve',
})

/** A process of this host that has ended. */
const deadProcess = (): ProcessIdentity => ({
  ...ownProcess(),
  pid: spawnSync(process.execPath, ['-e', '0']).pid,
})

test('a second holder is refused with pid and role of the first', () => {
  const path = join(temporaryFolder(), 'lock')
  const lock = acquireDataLock(path, holder())
  expect(() => acquireDataLock(path, holder())).toThrow(
    expect.objectContaining({
      code: 'data_directory_in_use',
      message: expect.stringContaining(`process ${process.pid}`),
      hint: expect.stringContaining('address'),
    }),
  )
  lock.release()
  expect(existsSync(path)).toBe(false)
  acquireDataLock(path, holder()).release()
})

test('the lock of a dead process is taken over, and nothing is left behind', () => {
  const folder = temporaryFolder()
  const path = join(folder, 'lock')
  acquireDataLock(path, holder(deadProcess()))
  const lock = acquireDataLock(path, holder())
  expect(lock.tookOver).toBe(true)
  expect(readdirSync(folder)).toEqual(['lock'])
})

test('a process that died while it took a lock over is no obstacle', () => {
  const folder = temporaryFolder()
  const path = join(folder, 'lock')
  const dead = acquireDataLock(path, holder(deadProcess()))
  acquireDataLock(`${path}.${dead.holder.nonce.slice(0, 8)}`, holder(deadProcess()))
  expect(acquireDataLock(path, holder()).tookOver).toBe(true)
  expect(readdirSync(folder)).toEqual(['lock'])
})

test('a later process with the same pid is not the holder', () => {
  const path = join(temporaryFolder(), 'lock')
  acquireDataLock(path, holder({ ...ownProcess(), startTime: '1' }))
  expect(acquireDataLock(path, holder()).tookOver).toBe(true)
})

test('the lock of another host is never taken over', () => {
  const path = join(temporaryFolder(), 'lock')
  acquireDataLock(path, holder({ ...deadProcess(), host: 'elsewhere' }))
  expect(() => acquireDataLock(path, holder())).toThrow(
    expect.objectContaining({ code: 'data_directory_in_use' }),
  )
})

test('the old lock’s release leaves the new one alone', () => {
  const path = join(temporaryFolder(), 'lock')
  const old = acquireDataLock(path, holder(deadProcess()))
  acquireDataLock(path, holder())
  old.release()
  expect(existsSync(path)).toBe(true)
})

test('a damaged lock file is explained, not ignored', () => {
  const path = join(temporaryFolder(), 'lock')
  writeFileSync(path, '{"pro')
  expect(() => acquireDataLock(path, holder())).toThrow(
    expect.objectContaining({ hint: expect.stringContaining('delete') }),
  )
})

test('a socket path that is too long for the system gets a short one of its own', () => {
  const long = `/${'a'.repeat(200)}/engine.sock`
  expect(Buffer.byteLength(localSocketPath(long))).toBeLessThanOrEqual(103)
  expect(localSocketPath(long)).not.toBe(localSocketPath(`${long}2`))
  expect(localSocketPath('/data/engine.sock')).toBe('/data/engine.sock')
})
