/** What the page may ask about secrets, and that no answer ever holds a value. */

import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import type { JsonObject } from '../../../src-engine/model/json.ts'
import { createChannelPair } from '../../../src-engine/protocol/channel-pair.ts'
import { createClient } from '../../../src-engine/protocol/client.ts'
import { inputSchemas } from '../../../src-engine/protocol/schema.ts'
import { openEngineHost } from '../../../src-engine/shell/engine-host.ts'
import { listenedTo, temporaryFolder } from './shell-fixtures.ts'

const value = 'canary-4711-value'
const other = 'canary-0815-other'

const workflow = {
  format: 'sagasmith.workflow',
  schemaVersion: 1,
  id: 'wf_shop',
  title: 'Shop',
  nodes: {
    ask: {
      kind: 'shell-command',
      title: 'Ask',
      parameters: { program: 'true', env: { T: '{{ secrets.SHOP }}' } },
    },
  },
  edges: {},
  triggers: {
    hook: {
      kind: 'webhook',
      parameters: { path: 'shop', auth: { kind: 'github', secret: 'HOOK', previousSecret: '' } },
    },
  },
}

test('values go in and never come out, whatever is asked; users are steps, triggers and newest versions', async () => {
  const folder = temporaryFolder()
  const host = await openEngineHost({ dataDir: folder, role: 'test', mode: 'work' })
  const [near, far] = createChannelPair()
  const { channel: tapped, heard } = listenedTo(near)
  host.serve(far, { requireToken: null })
  const client = createClient(tapped, { token: null })
  const refused = (work: Promise<unknown>) => expect(work).rejects.toMatchObject({ code: expect.any(String) })
  try {
    mkdirSync(join(folder, 'workflows'), { recursive: true })
    writeFileSync(join(folder, 'workflows', 'shop.json'), JSON.stringify(workflow))
    await client.call('secrets.set', { name: 'SHOP', value, note: 'for the shop' })
    await client.call('secrets.set', { name: 'SHOP', value: other })
    await client.call('secrets.set', { name: 'SHOP', hosts: ['api.example.com'] })
    await refused(client.call('secrets.set', { name: 'SHOP', value, hosts: ['no host at all'] }))
    await refused(client.call('secrets.set', { name: 'not a name', value }))
    await refused(client.call('secrets.set', { name: 'BIG', value: value.repeat(5_000) }))
    const publish = async (document: JsonObject) => {
      await client.call('documents.trust', { document, reason: 'looked' })
      await client.call('workflows.publish', { document, baseDirectory: null })
    }
    const published = async () => (await client.call('secrets.users', {})).published.map(({ name }) => name)
    const text = JSON.stringify(workflow)
    await publish(JSON.parse(text) as JsonObject)
    expect(await published()).toEqual(['SHOP', 'HOOK'])
    await publish(JSON.parse(text.replace('secrets.SHOP', 'secrets.STORE')) as JsonObject)
    expect(await published()).toEqual(['STORE', 'HOOK'])
    const users = await client.call('secrets.users', {})
    expect(users.users.map(({ name, label, nodeId, triggerId }) => [name, label, nodeId, triggerId])).toEqual(
      [
        ['SHOP', 'Ask', 'ask', null],
        ['HOOK', 'hook', null, 'hook'],
      ],
    )
    const cluster = { name: 'plant', colour: 'red', readOnly: false } as const
    const address = (name: string): string => `redis://one:7000/shop?durability=fast&password=${name}`
    await client.call('clusters.put', { ...cluster, address: address('SHOP') })
    await client.call('secrets.rename', { from: 'SHOP', to: 'STORE' })
    expect((await client.call('clusters.list', {})).clusters).toEqual([
      { ...cluster, address: address('STORE') },
    ])
    await refused(client.call('secrets.rename', { from: 'SHOP', to: 'STORE' }))
    const { secrets } = await client.call('secrets.list', {})
    // Every field is listed: a new one has to be thought about.
    expect(Object.keys(secrets[0] ?? {}).sort()).toEqual([
      'changedAt',
      'createdAt',
      'hosts',
      'kind',
      'kinds',
      'lastUsedAt',
      'name',
      'nodes',
      'note',
    ])
    expect((await client.call('secrets.check', {})).checks).toEqual([{ name: 'STORE', problem: null }])
    await client.call('secrets.protect', { provider: 'passphrase', passphrase: 'four words of nonsense' })
    await refused(client.call('secrets.unlock', { passphrase: `wrong ${value}` }))
    await client.call('secrets.remove', { name: 'STORE' })
    expect(heard.length).toBeGreaterThan(12)
    expect(heard.filter((text) => text.includes('canary'))).toEqual([])
    // No other method is about secrets: one that is added has to be asked here, too.
    expect(
      Object.keys(inputSchemas)
        .filter((method) => method.startsWith('secrets.'))
        .sort(),
    ).toEqual(
      ['check', 'list', 'protect', 'remove', 'rename', 'set', 'unlock', 'users'].map(
        (name) => `secrets.${name}`,
      ),
    )
  } finally {
    await host.close()
  }
})
