/** What a workflow from elsewhere lacks here, and that another secret takes its place in one step. */

import { expect, test } from 'vitest'
import { nodeId } from '../../src-engine/model/ids.ts'
import type { SecretEntry } from '../../src-engine/model/secret.ts'
import { secretUses } from '../../src-engine/model/secret-uses.ts'
import { openPath } from '../../src-renderer/state/files.ts'
import { matchSecrets, missingSecrets, tellMissingSecrets } from '../../src-renderer/state/match-secrets.ts'
import { startTabs } from '../../src-renderer/state/tabs/tab-session.ts'
import { chain } from './factories.ts'
import { newMachine, openPage, putFile } from './fake-designer.ts'

const document = {
  ...chain('a', 'b'),
  title: 'One',
  nodes: {
    [nodeId('a')]: { kind: 'http-request', title: 'Ask', parameters: { headers: { X: '{{ secrets.A }}' } } },
    [nodeId('b')]: { kind: 'http-request', parameters: { headers: { X: '{{ secrets.A }}{{ secrets.B }}' } } },
  },
  triggers: { hook: { kind: 'webhook', parameters: { auth: { kind: 'github', secret: 'C' } } } },
}
const entry = (name: string): SecretEntry => ({
  ...{ name, kind: 'token', note: '', createdAt: 0, changedAt: 0, lastUsedAt: null },
  ...{ hosts: null, kinds: null, nodes: null },
})
const view = (...names: readonly string[]) => ({
  vault: { provider: 'key-file', problem: null } as never,
  secrets: names.map(entry),
})

test('what is missing is told with who names it; nothing is while nobody knows the vault', async () => {
  const machine = newMachine()
  putFile(machine, '/w/One.json', document)
  const { designer } = openPage(machine)
  await startTabs(designer)
  await openPath(designer, '/w/One.json')
  const open = () => designer.document.getState().history.document
  expect(missingSecrets(open(), null)).toEqual([])
  expect(missingSecrets(open(), view('B'))).toEqual([
    { name: 'A', places: ['Ask', 'b'] },
    { name: 'C', places: ['hook'] },
  ])

  tellMissingSecrets(designer)
  expect(designer.view.getState().toasts).toEqual([])
  designer.secrets.getState().setView(view('B'))
  tellMissingSecrets(designer)
  const [toast] = designer.view.getState().toasts
  expect(toast).toMatchObject({ message: 'It names 2 secrets that are not in your vault', hint: 'A, C' })
  toast?.action?.run()
  expect(designer.view.getState().dialog).toBe('match-secrets')
})

test('chosen ones take their places, in one step', async () => {
  const machine = newMachine()
  putFile(machine, '/w/One.json', document)
  const { designer } = openPage(machine)
  await startTabs(designer)
  await openPath(designer, '/w/One.json')
  const open = () => designer.document.getState().history.document
  matchSecrets(
    designer,
    new Map([
      ['A', 'MINE'],
      ['C', 'HOOK'],
    ]),
  )
  expect(secretUses(open()).map(({ name }) => name)).toEqual(['MINE', 'MINE', 'B'])
  expect(open().triggers?.['hook']?.parameters?.['auth']).toMatchObject({ secret: 'HOOK' })
  designer.document.getState().undo()
  expect(secretUses(open()).map(({ name }) => name)).toEqual(['A', 'A', 'B'])
  expect(open().triggers?.['hook']?.parameters?.['auth']).toMatchObject({ secret: 'C' })
})
