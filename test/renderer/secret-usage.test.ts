/** Who names which secrets, which are missing or unused, and which of them fit a step. */

import { describe, expect, test } from 'vitest'
import { nodeId, workflowId } from '../../src-engine/model/ids.ts'
import type { JsonObject } from '../../src-engine/model/json.ts'
import type { WorkflowDocument } from '../../src-engine/model/workflow.ts'
import type { SecretUser } from '../../src-engine/protocol/secrets.ts'
import { secretCommands } from '../../src-renderer/commands/secret-commands.ts'
import { actingFor, choicesFor, misfitOf } from '../../src-renderer/secrets/secret-fit.ts'
import { isUnused, secretRows, secretUsages, usersOf } from '../../src-renderer/secrets/secret-usage.ts'
import { createSecretsStore } from '../../src-renderer/state/secrets-store.ts'
import { chain, secretEntry } from './factories.ts'

const naming = (name: string, title = 'Orders'): WorkflowDocument => ({
  ...chain('a'),
  title,
  nodes: {
    [nodeId('a')]: { kind: 'http-request', title: 'Ask', parameters: { body: `{{ secrets.${name} }}` } },
  },
  triggers: {
    hook: { kind: 'webhook', parameters: { auth: { kind: 'github', secret: 'HOOK', previousSecret: '' } } },
  },
})

const user = (path: string, name: string): SecretUser => ({
  ...{
    name,
    path,
    workflowId: workflowId('w'),
    title: 'Saved',
    nodeId: nodeId('x'),
    triggerId: null,
    label: 'X',
  },
})

describe('who names what', () => {
  test('an open document counts as it is, its file no more; triggers and clusters count too', () => {
    const usages = secretUsages({
      users: [user('/w/open.json', 'OLD'), user('/w/other.json', 'A')],
      open: [{ draftId: 'd1', path: '/w/open.json', document: naming('A') }],
      clusters: [
        { name: 'prod', address: 'redis://one:1,two:2/space?durability=fast&password=PROD' },
        { name: 'bare', address: 'redis://one:1' },
      ],
    })
    expect(usages.map(({ name, label, at }) => [name, label, at.kind, at.key])).toEqual([
      ['A', 'Ask', 'open', 'd1'],
      ['HOOK', 'hook', 'open', 'd1'],
      ['A', 'X', 'file', '/w/other.json'],
      ['PROD', 'prod', 'cluster', 'prod'],
    ])
    expect(usersOf(usages.filter(({ name }) => name === 'A')).map(({ title }) => title)).toEqual([
      'Orders',
      'Saved',
    ])
  })

  test('what is named and not kept comes first; what nobody names is unused', () => {
    const open = [{ draftId: 'd', path: null, document: naming('A') }]
    const usages = secretUsages({ users: [], open, clusters: [] })
    const entries = [secretEntry('A'), secretEntry('B'), secretEntry('SEAL_1', { kinds: [] })]
    const rows = secretRows(entries, usages)
    expect(rows.map((row) => [row.name, row.entry === null, isUnused(row)])).toEqual([
      ['HOOK', true, false],
      ['A', false, false],
      ['B', false, true],
      // Kept for something else than steps.
      ['SEAL_1', false, false],
    ])
  })

  test('the filter finds names, notes, bindings, missing ones and those who name them', () => {
    const open = [{ draftId: 'd', path: null, document: naming('A') }]
    const usages = secretUsages({ users: [], open, clusters: [] })
    const entries = [secretEntry('A'), secretEntry('B', { note: 'for the shop', hosts: ['api.example.com'] })]
    const found = (filter: string) => secretRows(entries, usages, filter).map(({ name }) => name)
    expect(found('SHOP api')).toEqual(['B'])
    expect(found('missing')).toEqual(['HOOK'])
    expect(found('ask')).toEqual(['A'])
    expect(found('nothing')).toEqual([])
  })
})

describe('which secrets fit', () => {
  const wanted = (parameters: JsonObject) => ({
    ...{ workflowId: workflowId('orders'), nodeId: nodeId('charge') },
    node: { kind: 'http-request', parameters },
  })
  test.for<[Parameters<typeof secretEntry>[1], string, string | null]>([
    [{}, 'https://api.example.com/x', null],
    [{ kinds: ['shell-command'] }, '', 'Bound to shell-command.'],
    [{ kinds: [] }, '', 'Nothing may use it.'],
    [{ nodes: ['orders/refund'] }, '', 'Bound to orders/refund.'],
    [{ nodes: ['orders/charge'] }, '', null],
    [
      { hosts: ['api.example.com'] },
      'https://evil.example/?x=api.example.com',
      'Bound to api.example.com; this step asks evil.example.',
    ],
    [{ hosts: ['api.example.com'] }, 'https://API.example.com:8443/x', null],
    [{ hosts: ['api.example.com:443'] }, 'https://api.example.com', null],
    [
      { hosts: ['api.example.com:443'] },
      'http://api.example.com',
      'Bound to api.example.com:443; this step asks api.example.com.',
    ],
    // Only the run knows.
    [{ hosts: ['api.example.com'] }, 'https://{{ input.host }}/x', null],
    [{ hosts: [] }, 'https://a.example', 'No request may carry it.'],
  ])('%j at %s: %s', ([binding, url, words]) => {
    expect(misfitOf(secretEntry('A', binding), wanted({ url }))).toBe(words)
  })

  test('those that fit come first, the others say why; a trigger has nothing to be bound to', () => {
    const entries = [secretEntry('A', { kinds: ['sql-query'] }), secretEntry('B')]
    expect(choicesFor(entries, wanted({})).map(({ entry, misfit }) => [entry.name, misfit])).toEqual([
      ['B', null],
      ['A', 'Bound to sql-query.'],
    ])
    expect(choicesFor(entries, null).map(({ misfit }) => misfit)).toEqual([null, null])
  })

  test('a field of what undoes a step is that task’s, not the step’s', () => {
    const task = { kind: 'shell-command', parameters: {} }
    const node = { kind: 'http-request', compensation: { task } }
    expect(actingFor(node, 'compensation.task.parameters.env').kind).toBe('shell-command')
    expect(actingFor(node, 'parameters.url').kind).toBe('http-request')
  })
})

test('the palette has a command for each secret, which leads to its line', () => {
  const secrets = createSecretsStore()
  expect(secretCommands({ secrets })).toEqual([])
  const vault = { status: 'open', provider: 'key-file', problem: null } as const
  secrets.getState().setView({ vault, secrets: [secretEntry('SHOP_TOKEN')] })
  const shown: unknown[] = []
  const [command] = secretCommands({ secrets })
  expect(command?.title).toBe('Secret SHOP_TOKEN')
  const view = { getState: () => ({ setEnginePage: (page: string) => shown.push(page) }) }
  command?.run({ secrets, view } as never)
  expect([secrets.getState().filter, shown]).toEqual(['SHOP_TOKEN', ['secrets']])
})
