/** What the app is told of trust, and what it may change: this computer's list, and signatures on a store. */

import { chmodSync, mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { noWrites } from '../../../src-engine/model/checkpoint.ts'
import type { DefinitionHash } from '../../../src-engine/model/ids.ts'
import { definitionHash, opId, runnerId } from '../../../src-engine/model/ids.ts'
import type { DefinitionSignature } from '../../../src-engine/model/trust.ts'
import { signaturesRegister } from '../../../src-engine/model/trust.ts'
import type { Engine } from '../../../src-engine/runtime/engine.ts'
import { createSigningKey, signDefinition } from '../../../src-engine/runtime/trust/signing.ts'
import type { HandlerDeps } from '../../../src-engine/shell/handlers/contract.ts'
import { trustHandlers } from '../../../src-engine/shell/handlers/trust.ts'
import { createSigningKeys } from '../../../src-engine/shell/signing-keys.ts'
import { createTrustListFile } from '../../../src-engine/shell/trust-list.ts'
import { createMemoryStore } from '../../../src-engine/store/memory/memory-store.ts'
import { temporaryFolder } from './shell-fixtures.ts'

const hash = definitionHash(`w1_${'a'.repeat(64)}`)
const started = definitionHash(`w1_${'b'.repeat(64)}`)

function scene() {
  const root = join(temporaryFolder(), 'data')
  mkdirSync(root)
  const store = createMemoryStore()
  const keys = join(root, 'keys')
  const signed: [DefinitionHash, DefinitionSignature][] = []
  const engine: Partial<Engine> = {
    store,
    now: () => 0,
    publishing: {
      preview: () => Promise.reject(new Error('Nobody asks.')),
      publish: () => Promise.reject(new Error('Nobody asks.')),
      starts: () => Promise.resolve([started]),
      sign: (of, signature) => {
        signed.push([of, signature])
        return Promise.resolve()
      },
    },
  }
  const deps: Partial<HandlerDeps> = {
    // Only what is asked for trust is there.
    engine: engine as Engine,
    trustList: createTrustListFile(join(root, 'trust.json')),
    signingKeys: createSigningKeys(keys),
  }
  const keep = async (signatures: readonly DefinitionSignature[]) => {
    const key = signaturesRegister(hash)
    const value = signatures.map((item) => ({ ...item }))
    const [answer] = await store.commit(0, [
      {
        partition: 0,
        opId: opId('keep'),
        actor: { kind: 'operator', id: runnerId('r') },
        at: 0,
        expect: { invocations: [], registers: [{ key, version: 0 }] },
        writes: {
          ...noWrites,
          registers: [{ key, value }],
        },
        events: [
          {
            runId: null,
            invocationId: null,
            cause: { kind: 'signature', by: null, detail: null },
            body: { type: 'register.changed', key, value },
          },
        ],
      },
    ])
    expect(answer?.kind).toBe('accepted')
  }
  return { handlers: trustHandlers(deps as HandlerDeps), keys, signed, keep }
}

it('approving, revoking and forgetting are this computer’s, and the last one counts', async () => {
  const { handlers } = scene()
  const decisionOf = async () => (await handlers['trust.definition']({ hash })).decision
  expect(await decisionOf()).toBeNull()
  await handlers['trust.decide']({ hashes: [hash, started], decision: 'approve' })
  expect(await decisionOf()).toBe('approved')
  await handlers['trust.decide']({ hashes: [hash], decision: 'revoke' })
  expect(await decisionOf()).toBe('revoked')
  expect(await handlers['trust.list']({})).toMatchObject({ approved: [started], revoked: [hash] })
  await handlers['trust.decide']({ hashes: [hash], decision: 'forget' })
  expect(await decisionOf()).toBeNull()
})

it('a key is made here, signs, and is believed once it is trusted', async () => {
  const { handlers, signed } = scene()
  const { key } = await handlers['trust.createKey']({ name: 'ada' })
  expect(await handlers['trust.list']({})).toMatchObject({
    own: [{ name: 'ada', key, problem: null }],
    trusted: [],
  })
  await handlers['trust.sign']({ hashes: [hash, started], key: 'ada' })
  expect(signed.map(([of, signature]) => [of, signature.key])).toEqual([
    [hash, key],
    [started, key],
  ])
  await handlers['trust.setKey']({ name: 'ada', key })
  expect((await handlers['trust.list']({})).trusted).toEqual([{ name: 'ada', key }])
  await handlers['trust.setKey']({ name: 'ada', key: null })
  expect((await handlers['trust.list']({})).trusted).toEqual([])
})

it('signatures are told with who made them, and what is none is left out', async () => {
  const { handlers, keep } = scene()
  const [bob, mallory] = [createSigningKey(), createSigningKey()]
  await keep([
    signDefinition(bob.privateKey, hash),
    { ...signDefinition(mallory.privateKey, started), key: mallory.publicKey },
  ])
  await handlers['trust.setKey']({ name: 'bob', key: bob.publicKey })
  const { signatures, starts } = await handlers['trust.definition']({ hash })
  expect(signatures).toEqual([{ key: bob.publicKey, name: 'bob', isTrusted: true, isOwn: false }])
  expect(starts).toEqual([started])
})

it('a key that others can read is named with the reason', async () => {
  const { handlers, keys } = scene()
  await handlers['trust.createKey']({ name: 'ada' })
  chmodSync(join(keys, 'ada.pem'), 0o644)
  const { own } = await handlers['trust.list']({})
  expect(own).toMatchObject([{ name: 'ada', key: null }])
  expect(own[0]?.problem).toContain('can read')
})
