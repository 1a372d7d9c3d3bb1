import { afterEach, expect, test, vi } from 'vitest'
import type { EngineEvent } from '../../src-engine/model/event.ts'
import { runId } from '../../src-engine/model/ids.ts'
import { readDeepLink } from '../../src-engine/protocol/deep-link.ts'
import { followAddress } from '../../src-renderer/bridge/address-link.ts'
import { commandOf } from '../../src-renderer/commands/registry.ts'
import type { Designer } from '../../src-renderer/state/designer.ts'
import { EventLog } from '../../src-renderer/state/event-log.ts'
import { copyRunLink, copyRunsLink, openLink } from '../../src-renderer/state/open-link.ts'
import { everyRun } from '../../src-renderer/state/run-views-store.ts'
import { createRunsStore } from '../../src-renderer/state/runs-store.ts'
import { showInstant } from '../../src-renderer/state/show-instant.ts'
import { happyEvents } from './factories.ts'
import { newMachine, openPage } from './fake-designer.ts'

afterEach(() => void vi.unstubAllGlobals())

/** What the command looks at, and nothing else. */
function designerWith(part: {
  readonly nodes?: readonly string[]
  readonly site?: unknown
  readonly desktop?: unknown
  readonly timeline?: unknown
}) {
  const said: string[] = []
  const current = { runId: runId('run_1'), site: part.site ?? null, timeline: part.timeline ?? null }
  const view = {
    selection: { nodes: part.nodes ?? [] },
    announce: (text: string) => void said.push(text),
    toast: () => undefined,
  }
  const designer = {
    desktop: part.desktop ?? null,
    runs: { getState: () => ({ current }) },
    view: { getState: () => view },
  } as unknown as Designer
  return { designer, said }
}

async function copied(nodes: readonly string[], timeline: unknown = null): Promise<string> {
  const texts: string[] = []
  const writeText = (text: string): Promise<void> => {
    texts.push(text)
    return Promise.resolve()
  }
  vi.stubGlobal('navigator', { clipboard: { writeText } })
  const { designer, said } = designerWith({ nodes, timeline })
  await copyRunLink(designer)
  expect(said).toEqual(['Link copied.'])
  return texts.join()
}

test('a link to a run leads to it, and to the step that is selected alone', async () => {
  expect(readDeepLink(await copied([]))).toEqual({ kind: 'run', runId: 'run_1', nodeId: null })
  expect(readDeepLink(await copied(['pay']))).toEqual({ kind: 'run', runId: 'run_1', nodeId: 'pay' })
  expect(readDeepLink(await copied(['pay', 'ship']))).toMatchObject({ nodeId: null })
})

test('a link leads to the moment that is looked at', async () => {
  const events = EventLog.empty().append([{ seq: 7 }, { seq: 9 }] as unknown as readonly EngineEvent[])
  const at = (position: number, isLive = false) => copied(['pay'], { events, position, isLive })
  expect(await at(2)).toBe('sagasmith://run/run_1?node=pay&at=9')
  expect(await at(1)).toBe('sagasmith://run/run_1?node=pay&at=7')
  expect(await at(0)).toBe('sagasmith://run/run_1?node=pay')
  expect(await at(2, true)).toBe('sagasmith://run/run_1?node=pay')
})

test('the moment of a link is shown once its event has come, and never of another run', () => {
  const runs = createRunsStore()
  const place = { site: null, overlay: null, hash: null, shownOn: null }
  runs.getState().show({ ...place, runId: runId('run_1') }, new Map())
  const view = { setPanels: vi.fn<() => void>() }
  const connection = { follow: () => () => undefined }
  const designer = { runs, view: { getState: () => view }, connection } as unknown as Designer
  const events = happyEvents().map((event, index) => ({ ...event, seq: 10 + index }))
  showInstant(designer, { runId: runId('run_1'), seq: 12 })
  runs.getState().extendTimeline(events.slice(0, 2))
  expect(runs.getState().current?.timeline).toMatchObject({ position: 2, isLive: true })
  runs.getState().extendTimeline(events.slice(2))
  expect(runs.getState().current?.timeline).toMatchObject({ position: 3, isLive: false })
  showInstant(designer, { runId: runId('run_2'), seq: 11 })
  expect(runs.getState().current?.timeline).toMatchObject({ position: 3 })
  expect(view.setPanels).toHaveBeenCalledOnce()
})

test('links are made where the app answers them: for its own runs, not in a browser', () => {
  const { isEnabled } = commandOf('run.copyLink')
  expect(isEnabled(designerWith({ desktop: {} }).designer)).toBe(true)
  expect(isEnabled(designerWith({}).designer)).toBe(false)
  expect(isEnabled(designerWith({ desktop: {}, site: { name: 'plant' } }).designer)).toBe(false)
})

test('a link to narrowed runs leads to them, without the text that is looked for', async () => {
  const texts: string[] = []
  vi.stubGlobal('navigator', { clipboard: { writeText: async (text: string) => void texts.push(text) } })
  vi.stubGlobal('location', { origin: 'http://127.0.0.1:7', pathname: '/' })
  const { designer } = openPage(newMachine())
  const { setFilter } = designer.runViews.getState()
  const narrowed = {
    ...everyRun,
    statuses: ['FAILED' as const],
    time: 'today' as const,
    error: 'http_status',
  }
  setFilter({ ...narrowed, text: 'secret words' })
  await copyRunsLink(designer)
  await copyRunsLink({ ...designer, desktop: {} } as unknown as Designer)
  const [address = '', link = ''] = texts
  expect(link).toBe('sagasmith://page/runs?status=FAILED&time=today&error=http_status')
  expect(address).toBe(`http://127.0.0.1:7/#to=${encodeURIComponent(link)}`)
  setFilter({ ...everyRun, origin: 'trigger', text: 'other' })
  const place = readDeepLink(link)
  if (place !== null) await openLink(designer, place)
  expect(designer.runViews.getState().filter).toEqual(narrowed)
  expect(designer.view.getState().enginePage).toBe('runs')
})

test('the fragment of the address leads to a place once, and nowhere where it is no link', () => {
  const listeners: (() => void)[] = []
  const location = { hash: `#t=abc&to=${encodeURIComponent('sagasmith://page/runs?origin=fork')}` }
  const page = {
    location: Object.assign(location, { pathname: '/', search: '' }),
    history: { replaceState: () => (location.hash = '') },
    addEventListener: (_name: string, listener: () => void) => void listeners.push(listener),
  } as unknown as Parameters<typeof followAddress>[0]
  const shown: unknown[] = []
  followAddress(page, (link) => void shown.push(link))
  expect(shown).toMatchObject([{ page: 'runs', runs: { origin: 'fork' } }])
  for (const hash of ['', '#to=https%3A%2F%2Felsewhere', '#to=%zz', '#to=sagasmith%3A%2F%2Fstart%2Frun_1']) {
    location.hash = hash
    for (const listener of listeners) listener()
  }
  expect(shown).toHaveLength(1)
})
