/** A run is shown on the workflow that it is a run of, wherever in the window that is open. */

import { expect, test } from 'vitest'
import { definitionHash, runId, workflowId } from '../../src-engine/model/ids.ts'
import type { Designer } from '../../src-renderer/state/designer.ts'
import { openPath } from '../../src-renderer/state/files.ts'
import { openRun } from '../../src-renderer/state/open-run.ts'
import { startTabs } from '../../src-renderer/state/tabs/tab-session.ts'
import { chain } from './factories.ts'
import { newMachine, openPage, putFile } from './fake-designer.ts'

const workflow = (name: string) => ({ ...chain('a'), id: workflowId(`wf_${name}`), title: name })

/** A window with two workflows open, the second in front, on an engine that ran them and a third. */
async function window() {
  const machine = newMachine()
  const read: string[] = []
  for (const name of ['One', 'Two']) putFile(machine, `/w/${name}.json`, workflow(name))
  Object.assign(machine.methods, {
    'workflows.validate': ({ document }: { readonly document: { readonly id: string } }) => ({
      hash: document.id,
    }),
    'workflows.version': ({ hash }: { readonly hash: string }) => {
      read.push(hash)
      return { document: workflow(hash.replace(/^wf_|@.*$/g, '')) }
    },
  })
  const again = () => {
    const { designer } = openPage(machine)
    Object.assign(designer.connection, { follow: () => () => undefined })
    return { designer, show: (hash: string) => shown(designer, hash) }
  }
  const page = again()
  await startTabs(page.designer)
  for (const name of ['One', 'Two']) await openPath(page.designer, `/w/${name}.json`)
  return { ...page, machine, again, read }
}

/** Opens a run of that version: which workflow is in front then, and on what the run is shown. */
async function shown(designer: Designer, hash: string) {
  await openRun(designer, { runId: runId('run_1'), site: null, hash: definitionHash(hash) })
  const { current } = designer.runs.getState()
  return {
    front: designer.document.getState().history.document.title,
    own: current === null ? null : (current.overlay?.title ?? 'the open one'),
  }
}

test('the tab of its workflow comes to the front, with the run on the document itself', async () => {
  const { show } = await window()
  expect(await show('wf_One')).toEqual({ front: 'One', own: 'the open one' })
  expect(await show('wf_Two')).toEqual({ front: 'Two', own: 'the open one' })
})

test('so it does for a run of an earlier version, which is shown as it was', async () => {
  const { show } = await window()
  expect(await show('wf_One@earlier')).toEqual({ front: 'One', own: 'One' })
})

test('so it does where that tab sleeps since the window was opened again', async () => {
  const { again } = await window()
  const { designer, show } = again()
  await startTabs(designer)
  expect(designer.tabs.getState().tabs.map(({ parked }) => parked)).toEqual([null, null])
  expect(await show('wf_One')).toEqual({ front: 'One', own: 'the open one' })
})

test('a tab that can’t be read any more is no reason not to show the run', async () => {
  const { machine, again } = await window()
  const { designer, show } = again()
  await startTabs(designer)
  const before = designer.document.getState().history.document.title
  machine.files.clear()
  machine.drafts.clear()
  expect(await show('wf_One')).toEqual({ front: before, own: 'One' })
})

test('what is open nowhere is shown on its own version, and the tabs stay as they are', async () => {
  const { designer, show } = await window()
  expect(await show('wf_Three')).toEqual({ front: 'Two', own: 'Three' })
  expect(designer.tabs.getState().tabs).toHaveLength(2)
})

test('its version is read once, and not where it is the one that is in front', async () => {
  const { show, read } = await window()
  await show('wf_Two')
  expect(read).toEqual([])
  await show('wf_One@earlier')
  expect(read).toEqual(['wf_One@earlier'])
})
