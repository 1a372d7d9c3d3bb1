/** Secrets as everybody may know them: who may use one where, and how expressions name one. */

import { describe, expect, test } from 'vitest'
import { nodeId, workflowId } from '../../../src-engine/model/ids.ts'
import { bindingAgainst, isHostAllowed, secretReference } from '../../../src-engine/model/secret.ts'
import type { SecretMention } from '../../../src-engine/model/secret-references.ts'
import { secretMention } from '../../../src-engine/model/secret-references.ts'

describe('hosts', () => {
  const host = (text: string) => {
    const url = new URL(text)
    return { hostname: url.hostname, port: url.port === '' ? '443' : url.port }
  }
  test.for<[readonly string[] | null, string, boolean]>([
    [null, 'https://anywhere.example', true],
    [[], 'https://api.example.com', false],
    [['api.example.com'], 'https://api.example.com/x', true],
    [['API.example.com '], 'https://api.EXAMPLE.com/x', true],
    [['api.example.com'], 'https://api.example.com:8443', true],
    [['api.example.com:8443'], 'https://api.example.com:8443', true],
    [['api.example.com:8443'], 'https://api.example.com', false],
    [['api.example.com'], 'https://api.example.com.evil.test', false],
    [['api.example.com'], 'https://evil-api.example.com', false],
    [['*.example.com'], 'https://a.b.example.com', true],
    [['*.example.com'], 'https://example.com', false],
    [['*.example.com'], 'https://badexample.com', false],
    [['[::1]:9000'], 'http://[::1]:9000', true],
    [['127.0.0.1'], 'http://127.0.0.1:80', true],
  ])('bound to %j, %s: %s', ([hosts, url, allowed]) => {
    expect(isHostAllowed({ hosts }, host(url))).toBe(allowed)
  })
})

test.for<[object, 'kinds' | 'nodes' | null]>([
  [{ kinds: null, nodes: null }, null],
  [{ kinds: ['http-request'], nodes: null }, null],
  [{ kinds: ['shell-command'], nodes: null }, 'kinds'],
  [{ kinds: [], nodes: null }, 'kinds'],
  [{ kinds: null, nodes: ['orders'] }, null],
  [{ kinds: null, nodes: ['orders/charge'] }, null],
  [{ kinds: null, nodes: ['orders/refund', 'billing'] }, 'nodes'],
])('bound to %j, a step is kept off by %s', ([binding, kept]) => {
  const use = { workflowId: workflowId('orders'), nodeId: nodeId('charge'), taskKind: 'http-request' }
  expect(bindingAgainst(binding as never, use)).toBe(kept)
})

test.for<[string, SecretMention | null]>([
  ['secrets.GITHUB', { kind: 'whole', name: 'GITHUB' }],
  ['  secrets . a_1 ', { kind: 'whole', name: 'a_1' }],
  ['secrets', { kind: 'part' }],
  ['secrets.GITHUB.length', { kind: 'part' }],
  ['$uppercase(secrets.GITHUB)', { kind: 'part' }],
  ['"Bearer " & secrets.GITHUB', { kind: 'part' }],
  ['secrets["GITHUB"]', { kind: 'part' }],
  ['$$.secrets.GITHUB', { kind: 'part' }],
  ['input.secrets.GITHUB', null],
  ['"secrets.GITHUB"', null],
  ['`secrets`.GITHUB', null],
  ['input.a', null],
])('the expression %s mentions %j', ([expression, mention]) => {
  expect(secretMention(expression)).toEqual(mention)
})

test('a reference is what the expression language reads', () => {
  expect(secretReference('A')).toBe('{{ secrets.A }}')
})
