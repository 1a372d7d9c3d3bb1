/** The form of a secret: what it starts with, what it asks for. */

import { expect, test } from 'vitest'
import type { JsonObject } from '../../src-engine/model/json.ts'
import type { SecretEntry } from '../../src-engine/model/secret.ts'
import { bindingFor, changeOf, draftOf, isTaken } from '../../src-renderer/secrets/secret-draft.ts'

const secret: SecretEntry = {
  name: 'A',
  kind: 'password',
  note: 'mine',
  createdAt: 0,
  changedAt: 0,
  lastUsedAt: null,
  hosts: ['a.example', 'b.example'],
  kinds: null,
  nodes: [],
}

test('a form says back what it was given, and leaves the value alone', () => {
  const { name, kind, note, hosts, kinds, nodes } = secret
  expect(changeOf(draftOf(secret))).toEqual({ name, kind, note, hosts, kinds, nodes })
})

test('what is written becomes lists, and nothing written is anywhere', () => {
  const draft = { ...draftOf(null), name: ' A ', value: 'hush', hosts: 'a.example ,, b.example', nodes: '-' }
  expect(changeOf(draft)).toEqual({
    name: 'A',
    value: 'hush',
    kind: 'token',
    note: '',
    hosts: ['a.example', 'b.example'],
    kinds: null,
    nodes: [],
  })
})

test('a value that stood in plain text begins a new secret', () => {
  expect(draftOf(null, { value: 'hush' })).toMatchObject({ value: 'hush', hosts: '' })
})

test.for<[unknown, string]>([
  ['https://API.example.com/orders/{{ input.id }}', 'api.example.com'],
  ['http://api.example.com:8443', 'api.example.com:8443'],
  ['https://{{ vars.host }}/orders', ''],
  ['https://api.{{ vars.zone }}.example.com/', ''],
  ['{{ input.url }}', ''],
  [undefined, ''],
])('a secret that is made in a step to %s is bound to “%s”', ([url, hosts]) => {
  const parameters = (url === undefined ? {} : { url }) as JsonObject
  expect(bindingFor({ kind: 'http-request', parameters })).toEqual({ kinds: 'http-request', hosts })
})

test('a name that another secret has is taken: it would lose its value and its bindings', () => {
  expect(isTaken('A', null, [secret])).toBe(true)
  expect(isTaken('A', { name: 'B' }, [secret])).toBe(true)
  expect(isTaken('A', secret, [secret])).toBe(false)
  expect(isTaken('B', null, [secret])).toBe(false)
})
