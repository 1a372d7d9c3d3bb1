/** The cards at the canvas' edge: how a trigger stands, what it did last, where its wires go. */

import { describe, expect, test } from 'vitest'
import { definitionHash, runId, workflowId } from '../../src-engine/model/ids.ts'
import type { TriggerView } from '../../src-engine/protocol/trigger-views.ts'
import { edgeRoom } from '../../src-renderer/canvas/triggers/edge-room.ts'
import { startNodes } from '../../src-renderer/canvas/triggers/start-nodes.ts'
import { cardIds, lastActOf, lookOf, summaryOf } from '../../src-renderer/canvas/triggers/trigger-look.ts'
import { bracketPath, wirePath } from '../../src-renderer/canvas/triggers/wire-path.ts'
import { applyEdit } from '../../src-renderer/commands/edit.ts'
import { removeElements } from '../../src-renderer/commands/remove.ts'
import { foundTriggers } from '../../src-renderer/panels/palette/found-triggers.ts'
import { sourceWords } from '../../src-renderer/text/source-words.ts'
import { aheadWords } from '../../src-renderer/ui/time-words.ts'
import { chain } from './factories.ts'

const daily = { kind: 'cron', parameters: { expression: '0 9 * * *' } }

/** As it is kept: with the defaults of its kind. */
const published = (changes: Partial<TriggerView> = {}): TriggerView => ({
  workflowId: workflowId('wf_test'),
  triggerId: 'cron',
  kind: 'cron',
  title: null,
  workflowTitle: 'Test',
  parameters: {
    ...{ expression: '0 9 * * *', timeZone: 'UTC', overlap: 'skip', input: '', jitterMs: 0, catchUp: 'once' },
    ...{ catchUpWindowMs: 86_400_000, catchUpMax: 100, startAt: '', endAt: '', except: [] },
  },
  definitionHash: definitionHash('w1_0'),
  baseDirectory: null,
  enabled: true,
  switched: null,
  since: 0,
  decidedUpTo: 0,
  nextAt: 60_000,
  lastFired: null,
  lastSkip: null,
  firedCount: 0,
  skippedCount: 0,
  problem: null,
  waiting: [],
  heardFrom: null,
  conditionOf: [],
  missing: [],
  reading: null,
  folderProblem: null,
  on: true,
  ...changes,
})

const standing = (view: TriggerView | null, trigger: Parameters<typeof lookOf>[1] = daily) =>
  lookOf('cron', trigger, new Map(view === null ? [] : [['cron', view]])).standing

describe('how a trigger stands', () => {
  test('what the document says means what was published, defaults or not', () => {
    expect(standing(published())).toBe('acts')
    expect(standing(published(), { ...daily, parameters: { ...daily.parameters, timeZone: 'UTC' } })).toBe(
      'acts',
    )
  })

  test('each difference is told: other parameters, another title, on here and off there', () => {
    expect(standing(published(), { ...daily, parameters: { expression: '0 8 * * *' } })).toBe('changed')
    expect(standing(published(), { ...daily, title: 'Morning' })).toBe('changed')
    expect(standing(published({ enabled: false, on: false }))).toBe('changed')
  })

  test('nothing is claimed before the engine has said, and what isn’t published doesn’t act', () => {
    expect(lookOf('cron', daily, null)).toMatchObject({ standing: 'asking', isOn: null, words: '' })
    expect(standing(null)).toBe('unpublished')
  })

  test('a person’s switch is told from the document’s, a problem with its reason', () => {
    expect(standing(published({ switched: false, on: false }))).toBe('offByHand')
    expect(standing(published({ enabled: false, on: false }), { ...daily, enabled: false })).toBe('off')
    const broken = lookOf(
      'cron',
      daily,
      new Map([['cron', published({ problem: 'no such zone', on: false })]]),
    )
    expect(broken).toMatchObject({ standing: 'problem', tone: 'bad', words: 'It can’t act: no such zone' })
  })

  test('one whose stream can’t be read is on, and says why it does nothing', () => {
    const problem = { code: 'connection_failed', message: 'a.test: gone', hint: '', at: 0 }
    const view = published({ reading: { problem, open: 0, last: null } })
    expect(lookOf('cron', daily, new Map([['cron', view]]))).toMatchObject({
      ...{ standing: 'unread', tone: 'bad', words: 'On, but its stream can’t be read: a.test: gone' },
    })
    expect(standing({ ...view, switched: false, on: false })).toBe('offByHand')
    expect(standing({ ...view, reading: { problem: null, open: 0, last: null } })).toBe('acts')
  })

  test('one whose folder can’t be read says so, and what to do, while it is on', () => {
    const folderProblem = {
      code: 'file_not_found',
      message: 'There is no folder “/in”.',
      hint: 'Make it.',
      at: 0,
    }
    const view = published({ folderProblem })
    expect(lookOf('cron', daily, new Map([['cron', view]]))).toMatchObject({
      ...{ standing: 'unwatched', tone: 'bad', hint: 'Make it.' },
      words: 'On, but its folder can’t be read: There is no folder “/in”.',
    })
    expect(lookOf('cron', daily, new Map([['cron', published()]])).hint).toBeNull()
    expect(standing({ ...view, switched: false, on: false })).toBe('offByHand')
  })

  test('one that was removed from the document still acts, and has a card', () => {
    const views = new Map([['cron', published()]])
    expect(cardIds(undefined, views)).toEqual(['cron'])
    expect(lookOf('cron', null, views).standing).toBe('gone')
    expect(cardIds({ other: daily, cron: daily }, views)).toEqual(['other', 'cron'])
  })

  test('unknown kinds and those for people have no state to be shown', () => {
    expect(standing(null, { kind: 'mail-arrived' })).toBe('unknown')
    expect(standing(null, { kind: 'manual' })).toBe('manual')
    expect(summaryOf('mail-arrived', {})).toBe('unknown kind “mail-arrived”')
    expect(summaryOf('event', { name: 'order.*' })).toBe('event order.*')
  })

  test('a webhook that believes everybody is marked, before it is published too', () => {
    const open = { kind: 'webhook', parameters: { path: 'a', auth: { kind: 'none' } } }
    expect(lookOf('hook', open, new Map()).isUnsigned).toBe(true)
    expect(lookOf('hook', { kind: 'webhook', parameters: { path: 'a' } }, new Map()).isUnsigned).toBe(false)
  })

  test('the newer of the last start and the last skip is what it did last', () => {
    const lastFired = { at: 10, firingId: 'f', runId: runId('run-1') }
    const lastSkip = { at: 20, firingId: 's', reason: 'still_running' } as const
    expect(lastActOf(published())).toBeNull()
    expect(lastActOf(published({ lastFired }))).toMatchObject({ kind: 'started', at: 10 })
    const leftOut = { ...lastSkip, reason: 'filtered' as const }
    expect(lastActOf(published({ lastFired, lastSkip: leftOut }))).toMatchObject({ kind: 'started', at: 10 })
    expect(lastActOf(published({ lastSkip: leftOut }))).toMatchObject({ why: 'its filter left it out' })
    expect(lastActOf(published({ lastFired, lastSkip }))).toMatchObject({
      ...{ kind: 'skipped', at: 20, why: 'its last run still goes on' },
    })
  })
})

describe('the edge of the canvas', () => {
  test('runs begin with the nodes that nothing leads to, from top to bottom', () => {
    const document = chain('a', 'b')
    const nodes = { ...document.nodes, over: { kind: 'noop' }, inside: { kind: 'noop', parent: 'a' } }
    const places = { ...document.layout?.nodes, over: { x: 400, y: -80 } }
    expect(startNodes({ ...document, nodes, layout: { nodes: places } })).toEqual([...['over', 'a']])
  })

  test('what is fitted keeps clear of cards, of tiles in a narrow canvas, and of nothing where there are none', () => {
    expect(edgeRoom(0, 1000)).toBe(48)
    expect(edgeRoom(2, 1000)).toBeGreaterThan(248)
    expect(edgeRoom(2, 500)).toBeLessThan(120)
  })

  test('a wire leads to a node that lies ahead, and to none under the cards', () => {
    expect(wirePath({ x: 100, y: 50 }, { x: 300, y: 90 })).toBe('M100,50C200,50 200,90 300,90')
    expect(wirePath({ x: 100, y: 50 }, { x: 90, y: 90 })).toBeNull()
    expect(bracketPath(200, [20, 80], 50)).toBe('M200,20H214M200,80H214M214,20V80')
  })

  test('a selected trigger is deleted like everything else, as one step', () => {
    const document = { ...chain('a'), triggers: { cron: daily } }
    const edit = removeElements({ nodes: [], edges: [], notes: [], triggers: ['cron'] })
    expect(edit.label).toBe('Remove trigger')
    expect(applyEdit(document, edit).document).toEqual(chain('a'))
  })

  test('the palette finds kinds of triggers by what they do', () => {
    expect(foundTriggers('').length).toBeGreaterThan(4)
    expect(foundTriggers('web call').map(({ kind }) => kind)).toEqual(['webhook'])
    expect(foundTriggers('trigger sched').map(({ kind }) => kind)).toEqual(['cron'])
  })
})

describe('words of time and place', () => {
  test('what is ahead is counted in seconds when it is near, and has its day when it is far', () => {
    const now = new Date(2026, 2, 2, 12, 0).getTime()
    const at = (...[day, hour]: readonly [number, number]): number => new Date(2026, 2, day, hour).getTime()
    expect(aheadWords(now - 1, now)).toBe('now')
    expect(aheadWords(now + 11_200, now)).toBe('in 12 s')
    expect(aheadWords(now + 61_000, now)).toBe('in 2 min')
    expect(aheadWords(now + 2 * 3_600_000 + 300_000, now)).toBe('in 2 h 05 m')
    expect(aheadWords(at(2, 22), now)).toBe('today 22:00')
    expect(aheadWords(at(3, 9), now)).toBe('tomorrow 09:00')
    expect(aheadWords(at(5, 9), now)).toBe('Thu 09:00')
    expect(aheadWords(at(24, 9), now)).toBe('24 Mar 09:00')
  })

  test('what led to an occurrence is named', () => {
    expect(sourceWords({ kind: 'hand', by: 'Ada' })).toBe('fired by Ada')
    expect(sourceWords({ kind: 'event', eventId: '0001/order-7%2Fpaid' })).toBe('an event: order-7/paid')
    expect(sourceWords({ kind: 'file', path: 'in/a.csv', change: 'add' })).toBe('in/a.csv came')
    const run = { kind: 'run', runId: runId('r'), nodeId: null, status: 'FAILED' } as const
    expect(sourceWords(run)).toBe('a run ended FAILED')
    expect(sourceWords({ ...run, nodeId: 'pay' })).toBe('the step pay ended FAILED')
  })
})
