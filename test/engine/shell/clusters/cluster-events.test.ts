/** Events to clusters by the names of connections: which are refused, and what reaches the cluster's engine. */

import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { systemClock } from '../../../../src-engine/runtime/system-ports.ts'
import { createClusterDesk } from '../../../../src-engine/shell/clusters/cluster-desk.ts'
import { createClusterEvents } from '../../../../src-engine/shell/clusters/cluster-events.ts'
import { loadSettings } from '../../../../src-engine/shell/config.ts'
import { dataDirectory } from '../../../../src-engine/shell/data-directory.ts'
import { quietLog } from '../../../../src-engine/shell/quiet-log.ts'
import { openVault } from '../../../../src-engine/shell/vault.ts'
import { thrownBy } from '../../../support/task-context.ts'

const event = {
  ...{ cluster: 'plant', name: 'paid', payload: { order: 7 }, correlation: null },
  ...{ runId: null, messageId: 'm' },
}

function reached(readOnly: boolean) {
  const emitted: unknown[] = []
  const opened: string[] = []
  const engine = {
    emitEvent: async (request: { readonly messageId: string | null }) => {
      emitted.push(request)
      return { messageId: request.messageId ?? '', outcome: 'accepted' as const }
    },
  }
  const open = async (name: string) => {
    opened.push(name)
    return { composed: { engine }, readOnly }
  }
  return { tell: createClusterEvents({ open }), emitted, opened }
}

test('what is told to a name is emitted by the engine on that cluster', async () => {
  const { tell, emitted, opened } = reached(false)
  expect(await tell({ ...event, runId: 'run_9' })).toBe('accepted')
  expect(opened).toEqual(['plant'])
  expect(emitted).toEqual([
    { name: 'paid', payload: { order: 7 }, correlation: null, runId: 'run_9', messageId: 'm' },
  ])
})

test('a read-only connection hears nothing', async () => {
  const { tell, emitted } = reached(true)
  expect(await thrownBy(() => tell(event))).toMatchObject({
    code: 'cluster_read_only',
    message: 'The connection to plant is read-only.',
  })
  expect(emitted).toEqual([])
})

test('an address is no name: no document sends anybody to a server of its own', async () => {
  const { tell, opened } = reached(false)
  const address = 'redis://elsewhere.example:6379'
  expect(await thrownBy(() => tell({ ...event, cluster: address }))).toMatchObject({
    code: 'cluster_unknown',
  })
  expect(opened).toEqual([])
})

test('a name that the machine doesn’t know is told with those that it knows; one that is away, as such', async () => {
  const root = await mkdtemp(join(tmpdir(), 'sagasmith-cluster-events-'))
  onTestFinished(() => rm(root, { recursive: true, force: true }))
  const settings = loadSettings({ flags: { data: root }, environment: {} })
  const directory = dataDirectory(root)
  const vault = openVault({ directory, settings: settings.values, clock: systemClock })
  const desk = createClusterDesk({ settings, directory, vault, clock: systemClock, log: quietLog })
  onTestFinished(() => desk.close())
  const tell = createClusterEvents(desk)
  // Port 1 is nobody's.
  await desk.put({ name: 'away', address: 'redis://127.0.0.1:1', colour: 'blue', readOnly: false })
  expect(await thrownBy(() => tell(event))).toMatchObject({
    code: 'cluster_unknown',
    message: 'There is no cluster “plant”.',
    hint: expect.stringContaining('Known are away.') as string,
  })
  expect(await thrownBy(() => tell({ ...event, cluster: 'away' }))).toMatchObject({
    code: 'redis_unreachable',
    retryable: true,
  })
})
