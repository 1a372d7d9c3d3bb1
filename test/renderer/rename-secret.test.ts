/** A new name of a secret goes through all that is open, and no further. */

import { describe, expect, test } from 'vitest'
import { nodeId } from '../../src-engine/model/ids.ts'
import { secretUses } from '../../src-engine/model/secret-uses.ts'
import { renamedText } from '../../src-renderer/commands/rename-secret.ts'
import { isDirty } from '../../src-renderer/state/document-store.ts'
import { openPath } from '../../src-renderer/state/files.ts'
import { renameSecret } from '../../src-renderer/state/rename-secret.ts'
import { showSecretUse } from '../../src-renderer/state/show-secret-use.ts'
import { startTabs } from '../../src-renderer/state/tabs/tab-session.ts'
import { showTab } from '../../src-renderer/state/tabs/tabs.ts'
import { chain } from './factories.ts'
import { newMachine, openPage, putFile, settled } from './fake-designer.ts'

const names = { from: 'A', to: 'NEW' }

describe('texts', () => {
  test.for([
    ['Token {{ secrets.A }}', 'Token {{ secrets.NEW }}'],
    ['{{secrets.A}}{{ secrets.B }}{{ secrets.A }}', '{{ secrets.NEW }}{{ secrets.B }}{{ secrets.NEW }}'],
    // Another secret, a field of data, a text in quotes, plain words.
    ['{{ secrets.AB }}', '{{ secrets.AB }}'],
    ['{{ `secrets`.A }}', '{{ `secrets`.A }}'],
    ['{{ "secrets.A" }}', '{{ "secrets.A" }}'],
    ['secrets.A', 'secrets.A'],
  ])('%s', ([text = '', renamed]) => {
    expect(renamedText(text, names)).toBe(renamed)
  })
})

const document = (title: string) => ({
  ...chain('a', 'b'),
  title,
  nodes: {
    [nodeId('a')]: {
      kind: 'http-request',
      parameters: {
        headers: { Authorization: 'Token {{ secrets.A }}' },
        list: [{ deep: '{{ secrets.A }}' }],
      },
      compensation: { task: { kind: 'http-request', parameters: { body: '{{ secrets.A }}' } } },
    },
    [nodeId('b')]: { kind: 'noop', parameters: {} },
  },
  triggers: {
    hook: { kind: 'webhook', parameters: { auth: { kind: 'github', secret: 'A', previousSecret: 'A' } } },
  },
})

async function threeFiles() {
  const machine = newMachine()
  for (const title of ['One', 'Two', 'Three']) putFile(machine, `/w/${title}.json`, document(title))
  const page = openPage(machine)
  const { designer } = page
  await startTabs(designer)
  await openPath(designer, '/w/One.json')
  await openPath(designer, '/w/Two.json')
  return { machine, designer }
}

test('each open document is changed in one step that undo takes back; the file that is not open stays', async () => {
  const { machine, designer } = await threeFiles()
  machine.methods['secrets.rename'] = () => ({})
  await renameSecret(designer, names)
  await settled()
  const now = () => designer.document.getState().history
  const texts = () => JSON.stringify([now().document.nodes, now().document.triggers])
  expect(secretUses(now().document)).toEqual([{ name: 'NEW', nodeId: 'a' }])
  expect(texts()).not.toMatch(/secrets\.A\b|"A"/)
  expect(now().past).toHaveLength(1)
  const other = designer.tabs.getState().tabs.find(({ title }) => title === 'One')
  expect(other).toMatchObject({ isDirty: true })
  await showTab(designer, other?.id ?? '')
  expect(texts()).not.toMatch(/secrets\.A\b|"A"/)
  expect(isDirty(designer.document.getState())).toBe(true)
  designer.document.getState().undo()
  expect(secretUses(now().document)).toEqual([{ name: 'A', nodeId: 'a' }])
  expect(isDirty(designer.document.getState())).toBe(false)
  expect(JSON.stringify(machine.files.get('/w/Three.json'))).toContain('secrets.A')
})

test('what the vault refuses changes no document', async () => {
  const { machine, designer } = await threeFiles()
  machine.methods['secrets.rename'] = () => {
    throw new Error('There is a secret “NEW” already.')
  }
  await expect(renameSecret(designer, names)).rejects.toThrow('already')
  expect(designer.document.getState().history.past).toEqual([])
})

test('a place that names a secret is shown, wherever it is: in front, in another tab, in a file, as a trigger', async () => {
  const { designer } = await threeFiles()
  const at = (key: string) => ({ kind: 'open' as const, key })
  const place = { name: 'A', label: 'a', title: '', triggerId: null, nodeId: nodeId('a') }
  const idOf = (title: string) => designer.tabs.getState().tabs.find((tab) => tab.title === title)?.id ?? ''
  const shown = () => {
    const { selection, enginePage } = designer.view.getState()
    return [
      designer.document.getState().history.document.title,
      selection.nodes,
      selection.triggers,
      enginePage,
    ]
  }
  designer.view.getState().setEnginePage('secrets')
  await showSecretUse(designer, { ...place, at: at(idOf('Two')) })
  expect(shown()).toEqual(['Two', ['a'], [], null])
  expect(designer.view.getState().fieldWish?.field).toBe('parameters.headers.Authorization')
  await showSecretUse(designer, { ...place, at: at(idOf('One')), nodeId: null, triggerId: 'hook' })
  expect(shown()).toEqual(['One', [], ['hook'], null])
  await showSecretUse(designer, { ...place, at: { kind: 'file', key: '/w/Three.json' } })
  expect(shown()).toEqual(['Three', ['a'], [], null])
})
