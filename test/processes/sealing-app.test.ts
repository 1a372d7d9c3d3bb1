/** Sealing where the vault has its key from the desktop's key store: the app has it, and commands ask the app. */

import { expect, onTestFinished, test } from 'vitest'
import type { KeyProvider } from '../../src-engine/runtime/vault/key-provider.ts'
import { openEngineHost } from '../../src-engine/shell/engine-host.ts'
import { temporaryFolder } from '../engine/shell/shell-fixtures.ts'
import { startRedis } from '../support/redis-servers.ts'
import { sagasmith, sagasmithGiven } from './sagasmith.ts'

/** The key store of a desktop, which no other process can ask. */
const keyStore: KeyProvider = {
  kind: 'safe-storage',
  wrap: (key) => Promise.resolve({ provider: 'safe-storage', data: key.toString('base64') }),
  unwrap: ({ data }) =>
    Promise.resolve({ dataKey: Buffer.from(typeof data === 'string' ? data : '', 'base64'), isStale: false }),
}

test('seal on for a cluster goes through the app that has the key, and says so when it doesn’t run', async () => {
  const redis = await startRedis()
  onTestFinished(redis.stop)
  const address = `redis://${redis.servers.map(({ host, port }) => `${host}:${port}`).join(',')}`
  const data = temporaryFolder()
  await sagasmith(data, 'clusters', 'add', 'plant', address, '--writable')
  const app = await openEngineHost({ dataDir: data, role: 'desktop', mode: 'work', keyStore })
  onTestFinished(app.close)
  const seal = (...words: readonly string[]) => sagasmith(data, 'seal', ...words, '--cluster', 'plant')

  const kept = await sagasmithGiven(data, ['secrets', 'set', 'ANY'], { typed: 'of the desktop\n' })
  expect(kept.code).toBe(0)
  const begun = await seal('on')
  expect(begun.lines).toMatchObject([{ type: 'seal', problem: null, keys: [{}] }])
  expect(begun.lines[0]?.['key']).toEqual(expect.any(String))
  const prepared = await seal('rotate', '--prepare')
  expect(prepared.lines).toMatchObject([{ key: begun.lines[0]?.['key'], keys: [{}, {}] }])

  await app.close()
  const alone = await seal('list')
  expect(alone.lines).toMatchObject([{ problem: { code: 'vault_locked' } }])
  expect(JSON.stringify(alone.lines)).toContain('while the app runs on this data directory')
})
