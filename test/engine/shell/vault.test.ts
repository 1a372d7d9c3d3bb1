/** The vault of a data directory: what lies on the disk, who may read it, and what is refused. */

import { chmodSync, existsSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { SagasmithError } from '../../../src-engine/model/errors.ts'
import type { KeyProvider } from '../../../src-engine/runtime/vault/key-provider.ts'
import type { LentKey } from '../../../src-engine/runtime/vault/lent-key.ts'
import { dataDirectory } from '../../../src-engine/shell/data-directory.ts'
import { readHidden } from '../../../src-engine/shell/hidden-input.ts'
import { openVault } from '../../../src-engine/shell/vault.ts'
import { thrownBy } from '../../support/task-context.ts'
import { fakeClock, temporaryFolder } from './shell-fixtures.ts'

const value = 'canary-4711-value'

function vaultIn(
  folder: string,
  parts: { passphrase?: string; keyFile?: string; keyStore?: KeyProvider; lent?: LentKey } = {},
) {
  return openVault({
    directory: dataDirectory(folder),
    settings: { vaultPassphrase: parts.passphrase ?? '', vaultKeyFile: parts.keyFile ?? '' },
    clock: fakeClock(),
    ...(parts.keyStore === undefined ? {} : { keyStore: parts.keyStore }),
    ...(parts.lent === undefined ? {} : { lent: parts.lent }),
  })
}

const modeOf = (path: string): number => statSync(path).mode & 0o777

test('looking makes nothing; the first secret makes vault and key, for their owner alone', async () => {
  const folder = temporaryFolder()
  const vault = vaultIn(folder)
  expect(await vault.state()).toMatchObject({ status: 'empty', provider: 'key-file' })
  expect(await vault.list()).toEqual([])
  expect(existsSync(join(folder, 'vault.key'))).toBe(false)
  await vault.set({ name: 'A', value })
  expect([modeOf(join(folder, 'vault.json')), modeOf(join(folder, 'vault.key'))]).toEqual([0o600, 0o600])
  expect(await vaultIn(folder).open(['A'])).toMatchObject([{ value }])
})

test('a process that is started in the place of another opens the vault with what that lends, until it is wrapped anew', async () => {
  const folder = temporaryFolder()
  const first = vaultIn(folder, { passphrase: 'a long enough passphrase' })
  expect(await first.lend()).toBeNull()
  await first.set({ name: 'A', value })
  const lent = JSON.parse(JSON.stringify(await first.lend())) as LentKey
  await expect(vaultIn(folder).open(['A'])).rejects.toMatchObject({ code: 'vault_locked' })
  const second = vaultIn(folder, { lent })
  expect(await second.open(['A'])).toMatchObject([{ value }])
  await first.protect({ provider: 'passphrase', passphrase: 'another long passphrase' })
  await expect(second.open(['A'])).rejects.toMatchObject({ code: 'vault_locked' })
  await expect(vaultIn(folder).lend()).rejects.toMatchObject({ code: 'vault_locked' })
})

test('a key file that others can read is refused, with what to do', async () => {
  const folder = temporaryFolder()
  await vaultIn(folder).set({ name: 'A', value })
  const path = join(folder, 'vault.key')
  for (const mode of [0o640, 0o604, 0o622]) {
    chmodSync(path, mode)
    const thrown = await thrownBy(() => vaultIn(folder).open(['A']))
    expect(thrown).toMatchObject({ code: 'vault_key_exposed', details: { path } })
    expect((thrown as SagasmithError).hint).toContain(`chmod 600 ${path}`)
  }
  chmodSync(path, 0o600)
  expect(await vaultIn(folder).open(['A'])).toMatchObject([{ value }])
})

test('the key file may stand elsewhere', async () => {
  const folder = temporaryFolder()
  const keyFile = join(temporaryFolder(), 'my.key')
  await vaultIn(folder, { keyFile }).set({ name: 'A', value })
  expect(existsSync(keyFile)).toBe(true)
  expect(existsSync(join(folder, 'vault.key'))).toBe(false)
  expect(await thrownBy(() => vaultIn(folder).open(['A']))).toMatchObject({ code: 'vault_key_missing' })
})

test('a passphrase in the settings protects a new vault, and opens it', async () => {
  const folder = temporaryFolder()
  const passphrase = 'four words of nonsense'
  await vaultIn(folder, { passphrase }).set({ name: 'A', value })
  expect(existsSync(join(folder, 'vault.key'))).toBe(false)
  expect(readFileSync(join(folder, 'vault.json'), 'utf8')).toContain('"provider": "passphrase"')
  expect(await vaultIn(folder, { passphrase }).open(['A'])).toMatchObject([{ value }])
  expect(await thrownBy(() => vaultIn(folder).open(['A']))).toMatchObject({ code: 'vault_locked' })
})

test('a key store that protects nothing is refused, and a passphrase takes its place', async () => {
  const folder = temporaryFolder()
  const refuse = () => Promise.reject(new SagasmithError('vault_unavailable'))
  const keyStore: KeyProvider = { kind: 'safe-storage', requireWorking: refuse, wrap: refuse, unwrap: refuse }
  const vault = vaultIn(folder, { keyStore })
  expect(await vault.state()).toMatchObject({
    provider: 'safe-storage',
    problem: { code: 'vault_unavailable' },
  })
  expect(await thrownBy(() => vault.set({ name: 'A', value }))).toMatchObject({ code: 'vault_unavailable' })
  expect(existsSync(join(folder, 'vault.key'))).toBe(false)
  expect(await vault.unlock('four words of nonsense')).toMatchObject({
    status: 'empty',
    provider: 'passphrase',
  })
  await vault.set({ name: 'A', value })
  expect(await vault.open(['A'])).toMatchObject([{ value }])
})

test('refused changes leave the vault as it was', async () => {
  const folder = temporaryFolder()
  await vaultIn(folder).set({ name: 'A', value })
  const before = readFileSync(join(folder, 'vault.json'), 'utf8')
  const vault = vaultIn(folder)
  const many = Array.from({ length: 3 }, (_, index) =>
    vault.set({ name: `B${index}`, value, hosts: ['not a host'] }),
  )
  await Promise.allSettled(many)
  expect(readFileSync(join(folder, 'vault.json'), 'utf8')).toBe(before)
})

test.for<[string, string, string]>([
  ['without its last line break', 'hush-hush\n', 'hush-hush'],
  ['without one of Windows', 'hush-hush\r\n', 'hush-hush'],
  ['with those inside', 'a\nb\n\n', 'a\nb\n'],
])('what is piped in is the value, %s', async ([, piped, expected]) => {
  async function* source() {
    yield Buffer.from(piped.slice(0, 3))
    yield Buffer.from(piped.slice(3))
  }
  expect(await readHidden('?', 100, { source: source(), prompt: { write: () => true } })).toBe(expected)
})

test('what is typed is not shown, and can be corrected and called off', async () => {
  const type = async (...keys: readonly string[]) => {
    const shown: string[] = []
    const raw: boolean[] = []
    const listeners = new Set<(chunk: string) => void>()
    const source = {
      isTTY: true,
      setRawMode: (on: boolean) => raw.push(on),
      on: (_event: 'data', listener: (chunk: string) => void) => listeners.add(listener),
      off: (_event: 'data', listener: (chunk: string) => void) => listeners.delete(listener),
      async *[Symbol.asyncIterator]() {},
    }
    const typed = readHidden('Value: ', 100, { source, prompt: { write: (text) => shown.push(text) } })
    for (const key of keys) for (const listener of listeners) listener(key)
    const text = await typed.catch((thrown: SagasmithError) => thrown.message)
    return { text, shown, raw, left: listeners.size }
  }
  const expected = { shown: ['Value: ', '\n'], raw: [true, false], left: 0 }
  expect(await type('hu', 'x', '\u007f', 'sh\r')).toEqual({ text: 'hush', ...expected })
  expect(await type('hush', '\u0003')).toEqual({ text: 'Called off.', ...expected })
})
