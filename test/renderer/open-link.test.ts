import { afterEach, expect, test, vi } from 'vitest'
import type { EngineEvent } from '../../src-engine/model/event.ts'
import { runId } from '../../src-engine/model/ids.ts'
import { readDeepLink } from '../../src-engine/protocol/deep-link.ts'
import { followAddress } from '../../src-renderer/bridge/address-link.ts'
import { commandOf } from '../../src-renderer/commands/registry.ts'
import type { Designer } from '../../src-renderer/state/designer.ts'
import { startDesktop } from '../../src-renderer/state/desktop-link.ts'
import { EventLog } from '../../src-renderer/state/event-log.ts'
import { copyRunLink, copyRunsLink, openLink } from '../../src-renderer/state/open-link.ts'
import { everyRun } from '../../src-renderer/state/run-views-store.ts'
import { createRunsStore } from '../../src-renderer/state/runs-store.ts'
import { showInstant } from '../../src-renderer/state/show-instant.ts'
import { onMocks } from '../../src-renderer/state/site.ts'
import { TimelineReading } from '../../src-renderer/state/timeline-reading.ts'
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
    toast: ({ message }: { readonly message: string }) => void said.push(message),
  }
  const designer = {
    desktop: part.desktop ?? null,
    runs: { getState: () => ({ current }) },
    view: { getState: () => view },
  } as unknown as Designer
  return { designer, said }
}

interface Shown {
  readonly timeline?: unknown
  readonly site?: unknown
  /** Where the app answers links; null for a page in a browser. */
  readonly desktop?: unknown
}

async function copied(nodes: readonly string[], shown: Shown = {}): Promise<string> {
  const texts: string[] = []
  const writeText = (text: string): Promise<void> => {
    texts.push(text)
    return Promise.resolve()
  }
  vi.stubGlobal('navigator', { clipboard: { writeText } })
  vi.stubGlobal('location', { origin: 'http://127.0.0.1:7', pathname: '/' })
  const { designer, said } = designerWith({ nodes, desktop: {}, ...shown })
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
  const at = (position: number, isLive = false) => copied(['pay'], { timeline: { events, position, isLive } })
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
  const [reading, some] = [new TimelineReading(), EventLog.empty().append(events.slice(0, 2))]
  runs.getState().showTimeline(some, reading)
  expect(runs.getState().current?.timeline).toMatchObject({ position: 2, isLive: true })
  runs.getState().showTimeline(some.append(events.slice(2)), reading)
  expect(runs.getState().current?.timeline).toMatchObject({ position: 3, isLive: false })
  showInstant(designer, { runId: runId('run_2'), seq: 11 })
  expect(runs.getState().current?.timeline).toMatchObject({ position: 3 })
  expect(view.setPanels).toHaveBeenCalledOnce()
})

test('a link names the cluster of the run; in a browser it is an address of the page', async () => {
  const site = { name: 'plant', colour: 'amber', readOnly: true }
  expect(await copied([], { site })).toBe('sagasmith://run/run_1?cluster=plant')
  const inside = encodeURIComponent('sagasmith://run/run_1?node=pay&cluster=plant')
  expect(await copied(['pay'], { site, desktop: null })).toBe(`http://127.0.0.1:7/#to=${inside}`)
})

test('links are made to the runs of any place but of one on mocks, which is nowhere afterwards', () => {
  const { isEnabled } = commandOf('run.copyLink')
  expect(isEnabled(designerWith({ desktop: {} }).designer)).toBe(true)
  expect(isEnabled(designerWith({}).designer)).toBe(true)
  expect(isEnabled(designerWith({ site: { name: 'plant' } }).designer)).toBe(true)
  expect(isEnabled(designerWith({ site: onMocks }).designer)).toBe(false)
})

test('a link to a run of a cluster asks that cluster, and says so where nobody knows it', async () => {
  const machine = newMachine()
  const plant = { name: 'plant', address: 'redis://plant', colour: 'amber', readOnly: false }
  Object.assign(machine.methods, {
    'clusters.list': () => ({ clusters: [plant] }),
    'runs.get': () => ({ run: { definitionHash: 'h' }, invocations: [] }),
    'workflows.version': () => ({ document: {} }),
  })
  const { designer } = openPage(machine)
  const asked: unknown[] = []
  const connectTo = (site: unknown) => {
    asked.push(site)
    return designer.connection
  }
  const page = { ...designer, connectTo } as unknown as Designer
  const follow = async (text: string): Promise<void> => {
    const link = readDeepLink(text)
    if (link !== null) await openLink(page, link)
  }
  await follow('sagasmith://run/run_1?at=3&cluster=elsewhere')
  expect(asked).toEqual([])
  const [toast] = designer.view.getState().toasts
  expect(toast?.message).toBe('The link leads to a run of “elsewhere”, and no cluster has that name here.')
  await follow('sagasmith://run/run_1?at=3&cluster=plant')
  expect(asked).toEqual([{ name: 'plant', colour: 'amber', readOnly: false }])
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

test('a link from outside is followed once the tabs of the last time are back', async () => {
  vi.stubGlobal('document', { title: '' })
  const { designer } = openPage(newMachine())
  const desktop = {
    onOpenRequest: () => () => undefined,
    takeOpenRequest: () => Promise.resolve({ ok: true, value: { kind: 'page', page: 'runs' } }),
    setWindowTitle: () => Promise.resolve({ ok: true, value: null }),
  }
  const { promise, resolve } = Promise.withResolvers<undefined>()
  startDesktop({ ...designer, desktop } as unknown as Designer, promise)
  const turns = () => new Promise((settle) => setImmediate(settle))
  await turns()
  expect(designer.view.getState().enginePage).toBeNull()
  resolve(undefined)
  await turns()
  expect(designer.view.getState().enginePage).toBe('runs')
})
