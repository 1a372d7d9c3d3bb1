/** Publishing on this computer: what it means for runs in flight is told before. */

import { describe, expect, test } from 'vitest'
import { definitionHash, nodeId, runId } from '../../src-engine/model/ids.ts'
import { taskSpecsByKind } from '../../src-engine/tasks/specs.ts'
import { blastSentence, touchedRuns } from '../../src-renderer/panels/dialogs/push/blast-lines.ts'
import { openPath } from '../../src-renderer/state/files.ts'
import { publishHere, publishNow } from '../../src-renderer/state/publish-here.ts'
import { chain } from './factories.ts'
import { newMachine, openPage, putFile, settled } from './fake-designer.ts'

const hash = definitionHash('w1_old')
const run = (id: string, ...titles: readonly string[]) => ({
  ...{ runId: runId(id), hash },
  steps: titles.map((title, at) => {
    const change = at === 0 ? ('changed' as const) : ('removed' as const)
    return { nodeId: nodeId(title), title, change }
  }),
})
const of = (...ahead: readonly ReturnType<typeof run>[]) => ({
  ...{ ahead, moreInFlight: false, inFlight: ahead.length === 0 ? [] : [{ hash, count: ahead.length }] },
})

describe('the blast radius', () => {
  test.for([
    ['nothing in flight', of(), 'No run of it is in flight.'],
    ['one that isn’t concerned', of(run('r1')), 'One in flight: it comes to no step that changes.'],
    ['one that is', of(run('r1', 'Mail')), 'One in flight: it is still to come to steps that change.'],
    ['none of two', of(run('r1'), run('r2')), '2 in flight: none comes to a step that changes.'],
    [
      'some',
      of(run('r1'), run('r2', 'Mail'), run('r3')),
      '3 in flight: 2 unaffected, 1 still to come to steps that change.',
    ],
    [
      'more than were looked at',
      { ...of(run('r1'), run('r2', 'Mail')), inFlight: [{ hash, count: 300 }] },
      'more than 2 in flight: 1 unaffected, 1 still to come to steps that change.',
    ],
  ] as const)('%s', ([, parts, expected]) => {
    expect(blastSentence(parts)).toBe(expected)
  })

  test('each run that is concerned says by what', () => {
    expect(touchedRuns(of(run('r1'), run('r2', 'Mail', 'Pay')))).toEqual([
      { runId: 'r2', text: 'Mail as it was, Pay, which goes' },
    ])
  })
})

describe('a trigger that watches a folder', () => {
  const folderProblem = {
    ...{ code: 'file_not_found', at: 0 },
    message: 'There is no folder “/in” on this machine.',
    hint: 'Make it, or name another one and publish the workflow again.',
  }
  /** What is said when it is published, by what the engine knows of its folder with each look. */
  async function said(problems: readonly (object | null)[]) {
    const machine = newMachine()
    const watch = { kind: 'file-watch', title: 'New orders', parameters: { folder: '/in' } }
    putFile(machine, '/w/a.json', { ...chain('a', 'b'), triggers: { watch } })
    let looks = 0
    Object.assign(machine.methods, {
      'workflows.publish': () => ({ hash, isNew: true }),
      'triggers.list': () => ({
        triggers: [{ triggerId: 'watch', folderProblem: problems[looks++] ?? null }],
      }),
    })
    const { designer, pass } = openPage(machine, taskSpecsByKind)
    await openPath(designer, '/w/a.json')
    const published = publishNow(designer)
    for (let turn = 0; turn < 4; turn += 1) {
      await settled()
      await pass()
    }
    await published
    return designer.view.getState().toasts
  }

  test('says that its folder isn’t there, and what to do, also when the engine hears of it late', async () => {
    const told = {
      tone: 'bad',
      message: 'Published, but “New orders” starts nothing yet.',
      hint: `${folderProblem.message} ${folderProblem.hint}`,
    }
    expect(await said([folderProblem])).toMatchObject([told])
    expect(await said([null, folderProblem])).toMatchObject([told])
  })

  test('acts from then on where its folder is there', async () => {
    expect(await said([])).toMatchObject([{ tone: 'good', hint: 'Its trigger acts from now on.' }])
  })
})

describe('publishing', () => {
  async function opened(preview: object) {
    const machine = newMachine()
    putFile(machine, '/w/a.json', chain('a', 'b'))
    const published: unknown[] = []
    Object.assign(machine.methods, {
      'workflows.preview': () => preview,
      'workflows.version': () => ({ document: chain('a'), publishedAt: 0 }),
      'workflows.publish': (input: unknown) => {
        published.push(input)
        return { hash, isNew: true }
      },
    })
    const { designer } = openPage(machine, taskSpecsByKind)
    await openPath(designer, '/w/a.json')
    await publishHere(designer)
    return { designer, published }
  }

  test('a first version, and one that is there already, are published at once', async () => {
    for (const preview of [
      { known: false, newest: null },
      { known: true, newest: { hash } },
    ]) {
      const { designer, published } = await opened(preview)
      expect([published.length, designer.view.getState().dialog]).toEqual([1, null])
    }
  })

  test('a further version is shown before, and nothing is published by that', async () => {
    const { designer, published } = await opened({ known: false, newest: { hash }, changes: [], ...of() })
    expect([published.length, designer.view.getState().dialog]).toEqual([0, 'publish'])
    expect(designer.sites.getState().publishing?.before?.nodes).toHaveProperty('a')
  })
})
