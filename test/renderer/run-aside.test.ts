/** A run in a window of its own: it is opened for that, follows the other one's look, and leaves nothing behind. */

import { afterEach, expect, test, vi } from 'vitest'
import { nodeId, runId } from '../../src-engine/model/ids.ts'
import { asideAddressOf, followAddress, isAsideAddress } from '../../src-renderer/bridge/address-link.ts'
import { commandOf } from '../../src-renderer/commands/registry.ts'
import type { Designer } from '../../src-renderer/state/designer.ts'
import { openAside, startAsides } from '../../src-renderer/state/run-aside.ts'
import type { Site } from '../../src-renderer/state/site.ts'
import { onMocks } from '../../src-renderer/state/site.ts'
import { startTabs } from '../../src-renderer/state/tabs/tab-session.ts'
import type { Machine } from './fake-designer.ts'
import { newMachine, openPage } from './fake-designer.ts'

afterEach(() => void vi.unstubAllGlobals())

const link = { kind: 'run', runId: runId('run_1'), nodeId: null } as const

/** Pages of one machine that hear each other, and the addresses that they open. */
function street() {
  const listeners: ((text: string) => void)[] = []
  const opened: string[] = []
  const told: string[] = []
  const frames: (() => void)[] = []
  const page = (
    machine: Machine,
    run: string,
    { isAside = false, site = null }: { readonly isAside?: boolean; readonly site?: Site } = {},
  ): Designer => {
    const { designer } = openPage(machine)
    const own: ((text: string) => void)[] = []
    const pages = {
      open: (address: string) => void opened.push(address),
      tell: (text: string) => {
        told.push(text)
        for (const listener of listeners) if (!own.includes(listener)) listener(text)
      },
      onTold: (listener: (text: string) => void) => {
        own.push(listener)
        listeners.push(listener)
      },
    }
    const ambient = { ...designer.ambient, onFrame: (call: () => void) => void frames.push(call) }
    const there = { ...designer, pages, ambient, isAside } as Designer
    there.view.setState({ isAside })
    there.runs
      .getState()
      .show({ site, overlay: null, hash: null, shownOn: null, runId: runId(run) }, new Map())
    startAsides(there)
    return there
  }
  const draw = (): void => {
    for (const call of frames.splice(0)) call()
  }
  return { page, draw, opened, told }
}

const chosen = ({ view }: Designer) => view.getState().selection.nodes
const select = ({ view }: Designer, ...nodes: readonly string[]): void =>
  view.getState().select({ nodes: nodes.map(nodeId) })

test('a window aside selects what is selected in the other one, and nothing of another run', () => {
  const { page, draw } = street()
  const machine = newMachine()
  const [main, aside, other] = [
    page(machine, 'run_1'),
    page(machine, 'run_1', { isAside: true }),
    page(machine, 'run_2', { isAside: true }),
  ]
  const beside = page(machine, 'run_1')
  select(main, 'a')
  draw()
  expect([aside, other, beside].map(chosen)).toEqual([['a'], [], []])
  // Several are none, as in links.
  select(main, 'a', 'b')
  draw()
  expect(chosen(aside)).toEqual([])
  select(main, 'b')
  draw()
  expect(chosen(aside)).toEqual(['b'])
})

test('what is selected aside is told to nobody, and the same look is told once', () => {
  const { page, draw, told } = street()
  const machine = newMachine()
  const [main, aside] = [page(machine, 'run_1'), page(machine, 'run_1', { isAside: true })]
  select(aside, 'a')
  draw()
  expect(told).toEqual([])
  select(main, 'b')
  select(main, 'b')
  draw()
  draw()
  expect(told).toEqual(['sagasmith://run/run_1?node=b'])
})

test('a run of a cluster is followed there, not one of the same id here', () => {
  const { page, draw } = street()
  const plant = { name: 'plant', colour: 'amber', readOnly: false } as unknown as Site
  const machine = newMachine()
  const [main, here, there] = [
    page(machine, 'run_1', { site: plant }),
    page(machine, 'run_1', { isAside: true }),
    page(machine, 'run_1', { isAside: true, site: plant }),
  ]
  select(main, 'a')
  draw()
  expect([here, there].map(chosen)).toEqual([[], ['a']])
})

test('it opens at the step and is asked for by an address of this page, or by the app', async () => {
  const { page, opened } = street()
  vi.stubGlobal('location', { origin: 'http://127.0.0.1:7', pathname: '/' })
  const main = page(newMachine(), 'run_1')
  select(main, 'a')
  await openAside(main)
  const inside = encodeURIComponent('sagasmith://run/run_1?node=a')
  expect(opened).toEqual([`http://127.0.0.1:7/#aside&to=${inside}`])
  const asked: unknown[] = []
  const newWindow = (text: string | null) => {
    asked.push(text)
    return Promise.resolve({ ok: true, value: null })
  }
  await openAside({ ...main, desktop: { newWindow } } as unknown as Designer)
  expect(asked).toEqual(['sagasmith://run/run_1?node=a'])
})

test('such an address is known, and leads where it says', () => {
  const address = asideAddressOf({ origin: 'http://127.0.0.1:7', pathname: '/' }, link)
  const { hash } = new URL(address)
  expect([hash, '#to=x', '#t=a&to=x', ''].map(isAsideAddress)).toEqual([true, false, false, false])
  const shown: unknown[] = []
  const history = { replaceState: () => undefined }
  const place = { hash, pathname: '/', search: '' }
  const fake = { location: place, history, addEventListener: () => undefined } as unknown as Window
  followAddress(fake, (found) => void shown.push(found))
  expect(shown).toEqual([link])
})

test('a window aside takes no tabs, leaves none, and its panels are not remembered', async () => {
  const machine = newMachine()
  machine.memory.set('sagasmith.open', 'theirs')
  const { page } = street()
  const aside = page(machine, 'run_1', { isAside: true })
  await startTabs(aside)
  aside.view.getState().setPanels({ isRailOpen: false })
  aside.tabs.getState().setActive(null)
  expect(machine.memory.get('sagasmith.open')).toBe('theirs')
  expect(machine.memory.get('sagasmith.panels')).toBeUndefined()
})

test('a run on mocks has no address, so it stays in its window', () => {
  const { page } = street()
  const { isEnabled } = commandOf('run.aside')
  expect(isEnabled(page(newMachine(), 'run_1'))).toBe(true)
  expect(isEnabled(page(newMachine(), 'run_1', { site: onMocks }))).toBe(false)
  expect(isEnabled(openPage(newMachine()).designer)).toBe(false)
})
