/** Secrets for connections of the program itself: an address must not talk a secret out of the vault. */

import { expect, test } from 'vitest'
import type { SecretBinding } from '../../../../src-engine/model/secret.ts'
import { openForConnection } from '../../../../src-engine/runtime/vault/connection-secret.ts'
import { thrownBy } from '../../../support/task-context.ts'
import { vaultScene } from './vault-scene.ts'

const value = 'canary-4711-value'
const connection = {
  kind: 'cluster',
  hosts: [
    { hostname: 'a.example', port: '6379' },
    { hostname: 'b.example', port: '6380' },
  ],
} as const

async function opened(binding: Partial<SecretBinding>): Promise<string> {
  const { vault } = vaultScene()
  await vault.set({ name: 'REDIS', value, ...binding })
  return openForConnection(vault, 'REDIS', connection)
}

test.for<Partial<SecretBinding>>([
  {},
  { kinds: ['cluster'] },
  { kinds: ['http-request', 'cluster'], hosts: ['*.example'] },
  { hosts: ['a.example:6379', 'b.example'] },
])('a secret bound to %j opens', async (binding) => {
  expect(await opened(binding)).toBe(value)
})

test.for<[Partial<SecretBinding>, string]>([
  [{ kinds: ['http-request'] }, 'secret_not_allowed'],
  [{ nodes: ['orders'] }, 'secret_not_allowed'],
  [{ hosts: ['a.example'] }, 'secret_host_denied'],
  [{ hosts: ['a.example', 'b.example:6379'] }, 'secret_host_denied'],
])('a secret bound to %j is refused', async ([binding, code]) => {
  const thrown = await thrownBy(() => opened(binding))
  expect(thrown).toMatchObject({ code, details: { name: 'REDIS' } })
  expect(JSON.stringify(thrown)).not.toContain(value)
})

test('a secret that isn’t there is named', async () => {
  const { vault } = vaultScene()
  const thrown = await thrownBy(() => openForConnection(vault, 'REDIS', connection))
  expect(thrown).toMatchObject({ code: 'secret_not_found', details: { name: 'REDIS' } })
})
