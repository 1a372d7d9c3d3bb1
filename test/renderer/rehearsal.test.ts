import { describe, expect, test } from 'vitest'
import { errorRecord, SagasmithError } from '../../src-engine/model/errors.ts'
import { nodeId } from '../../src-engine/model/ids.ts'
import type { WorkflowDocument } from '../../src-engine/model/workflow.ts'
import type { InputOf, Method } from '../../src-engine/protocol/api.ts'
import type { FailureMode, Rehearsal, RehearsalCell } from '../../src-engine/protocol/rehearsal.ts'
import { changeWorkflow } from '../../src-renderer/commands/change-workflow.ts'
import { commandOf } from '../../src-renderer/commands/registry.ts'
import {
  calmWords,
  endLook,
  placeAfterKey,
  rowsOf,
  stayWords,
  summaryOf,
} from '../../src-renderer/panels/rehearsal/rehearsal-matrix.ts'
import type { Designer } from '../../src-renderer/state/designer.ts'
import { createDesigner } from '../../src-renderer/state/designer.ts'
import { isSameRehearsal, rehearse, worthALook } from '../../src-renderer/state/rehearse.ts'
import { chain } from './factories.ts'

const cellOf = (node: string, mode: FailureMode, changes: Partial<RehearsalCell> = {}): RehearsalCell => ({
  nodeId: nodeId(node),
  mode,
  reached: true,
  status: 'COMPENSATED',
  asks: [],
  undone: [],
  stays: [],
  error: null,
  violations: [],
  ...changes,
})

const calm = { ...cellOf('a', 'fails'), status: 'SUCCEEDED' } as const
const violation = { code: 'undone_twice', message: 'It was undone twice.' }

const rehearsalOf = (cells: readonly RehearsalCell[]): Rehearsal => ({
  calm,
  cells,
  mocked: [],
  unreached: [],
  violations: cells.reduce((sum, { violations }) => sum + violations.length, 0),
})

const matrix = rowsOf({
  cells: [
    cellOf('a', 'fails'),
    cellOf('a', 'times-out'),
    cellOf('a', 'crashes'),
    cellOf('a', 'undo-fails'),
    cellOf('b', 'fails'),
    cellOf('b', 'times-out'),
    cellOf('b', 'crashes'),
    cellOf('c', 'fails'),
    cellOf('c', 'undo-fails'),
  ],
})

describe('the matrix of a rehearsal', () => {
  test('has a row for each step, and a gap where nothing was tried', () => {
    expect(matrix.map((row) => row.nodeId)).toEqual(['a', 'b', 'c'])
    expect(matrix.map(({ cells }) => cells.map((cell) => cell?.mode ?? null))).toEqual([
      ['fails', 'times-out', 'crashes', 'undo-fails'],
      ['fails', 'times-out', 'crashes', null],
      ['fails', null, null, 'undo-fails'],
    ])
  })

  test('keys go over gaps, and stay inside', () => {
    const from = (row: number, column: number, key: string) => placeAfterKey(matrix, { row, column }, key)
    expect(from(0, 1, 'ArrowRight')).toEqual({ row: 0, column: 2 })
    expect(from(0, 1, 'ArrowLeft')).toEqual({ row: 0, column: 0 })
    expect(from(0, 4, 'ArrowDown')).toEqual({ row: 2, column: 4 })
    expect(from(2, 1, 'ArrowRight')).toEqual({ row: 2, column: 4 })
    expect(from(1, 3, 'ArrowRight')).toBeNull()
    expect(from(0, 0, 'ArrowUp')).toBeNull()
    expect(from(1, 0, 'End')).toEqual({ row: 1, column: 3 })
    expect(from(2, 4, 'Home')).toEqual({ row: 2, column: 0 })
    expect(from(0, 1, 'x')).toBeNull()
  })

  test('each end has a word and a mark; what a person has to know comes first', () => {
    expect(endLook(cellOf('a', 'fails')).label).toBe('Undone')
    expect(endLook(cellOf('a', 'fails', { status: 'COMPENSATION_FAILED', asks: [nodeId('a')] })).label).toBe(
      'Undo failed',
    )
    expect(endLook(cellOf('a', 'crashes', { status: 'WAITING', asks: [nodeId('a')] })).label).toBe(
      'Needs you',
    )
    expect(endLook(cellOf('a', 'fails', { violations: [violation] })).label).toBe('Breaks a rule')
    expect(endLook(cellOf('a', 'fails', { reached: false, status: null })).label).toBe('Not reached')
    // Nothing goes on in a run that was rehearsed.
    expect(endLook(cellOf('a', 'fails', { status: 'RUNNING' })).isMoving).toBe(false)
  })

  test('a cell says how much stays', () => {
    expect(stayWords(cellOf('a', 'fails'))).toBeNull()
    expect(stayWords(cellOf('a', 'fails', { stays: [nodeId('a'), nodeId('b')] }))).toBe('2 stay')
  })
})

describe('the summary', () => {
  test('counts what was tried, and tells of broken rules', () => {
    const tried = [cellOf('a', 'fails'), cellOf('a', 'crashes')]
    const unreached = cellOf('b', 'fails', { reached: false, status: null })
    expect(summaryOf(rehearsalOf([...tried, unreached]))).toBe('2 failures rehearsed, none broke a rule.')
    expect(summaryOf(rehearsalOf([cellOf('a', 'fails')]))).toBe('One failure rehearsed, no rule was broken.')
    const broken = cellOf('b', 'fails', { violations: [violation] })
    expect(summaryOf(rehearsalOf([...tried, broken]))).toBe('3 failures rehearsed, rules broken: 1.')
  })

  test('says so when it ends badly with nothing going wrong', () => {
    const titles = (ids: readonly string[]): string => ids.join(' and ')
    const error = errorRecord('input_invalid', { message: 'No carrier.' })
    expect(calmWords(calm, titles)).toBeNull()
    expect(calmWords({ ...calm, status: 'FAILED', error }, titles)).toBe(
      'With nothing going wrong, it ends “Failed” all the same: No carrier.',
    )
    expect(calmWords({ ...calm, status: 'FAILED' }, titles)).toBe(
      'With nothing going wrong, it ends “Failed” all the same.',
    )
    expect(calmWords({ ...calm, status: 'WAITING', asks: [nodeId('a'), nodeId('b')] }, titles)).toBe(
      'With nothing going wrong, it waits for a person: a and b.',
    )
  })

  test('the first look goes to broken rules, then decisions, then what stays', () => {
    const plain = cellOf('a', 'fails')
    const stays = cellOf('b', 'fails', { stays: [nodeId('a')] })
    const asks = cellOf('c', 'undo-fails', { asks: [nodeId('c')] })
    const broken = cellOf('d', 'crashes', { violations: [violation] })
    expect(worthALook({ cells: [plain, stays, asks, broken] })?.nodeId).toBe('d')
    expect(worthALook({ cells: [plain, stays, asks] })?.nodeId).toBe('c')
    expect(worthALook({ cells: [plain, stays] })?.nodeId).toBe('b')
    expect(worthALook({ cells: [plain] })).toEqual({ nodeId: 'a', mode: 'fails' })
    expect(worthALook({ cells: [] })).toBeNull()
  })
})

describe('rehearsing the open workflow', () => {
  test('shows what came of it, and what was sent', async () => {
    const { designer, asked, answer } = designerWith()
    const document = chain('a', 'b')
    openIn(designer, document, '/home/ann/flows/order.json')
    const done = rehearse(designer, { amount: 3 })
    expect(designer.rehearsal.getState().phase?.status).toBe('running')
    expect(designer.view.getState().panels).toMatchObject({ isBottomOpen: true, bottomTab: 'rehearsal' })
    answer[0]?.resolve(rehearsalOf([cellOf('a', 'fails')]))
    await done
    expect(asked).toEqual([{ document, baseDirectory: '/home/ann/flows', input: { amount: 3 }, mocks: null }])
    expect(designer.rehearsal.getState()).toMatchObject({
      phase: { status: 'done' },
      picked: { nodeId: 'a', mode: 'fails' },
    })
  })

  test('shows what the engine refuses', async () => {
    const { designer, answer } = designerWith()
    const done = rehearse(designer, {})
    answer[0]?.reject(new SagasmithError('input_invalid', { message: 'No amount.' }))
    await done
    expect(designer.rehearsal.getState().phase).toMatchObject({
      status: 'failed',
      error: { code: 'input_invalid', message: 'No amount.' },
    })
  })

  test('a later one counts, whichever is answered first', async () => {
    const { designer, answer } = designerWith()
    const first = rehearse(designer, {})
    const second = rehearse(designer, {})
    answer[1]?.resolve(rehearsalOf([cellOf('b', 'fails')]))
    await second
    answer[0]?.resolve(rehearsalOf([cellOf('a', 'fails')]))
    await first
    expect(designer.rehearsal.getState().picked?.nodeId).toBe('b')
  })

  test('has nothing to do on an empty canvas', () => {
    const { designer } = designerWith()
    const { isEnabled } = commandOf('run.rehearse')
    openIn(designer, chain())
    expect(isEnabled(designer)).toBe(false)
    openIn(designer, chain('a'))
    expect(isEnabled(designer)).toBe(true)
  })

  test('moved cards and another name leave it as it is, another step does not', () => {
    const document = chain('a', 'b')
    const moved = { ...document, title: 'Other', layout: { nodes: {} } }
    expect(isSameRehearsal(document, moved)).toBe(true)
    const { designer } = designerWith()
    openIn(designer, document)
    designer.document.getState().edit(changeWorkflow({ title: 'Another' }))
    expect(isSameRehearsal(document, designer.document.getState().history.document)).toBe(true)
    expect(isSameRehearsal(document, { ...document, nodes: chain('a').nodes })).toBe(false)
  })
})

function openIn(designer: Designer, document: WorkflowDocument, path: string | null = null): void {
  designer.document.getState().open({ document, path, etag: null }, { draftId: 'draft', isSaved: true })
}

interface Answer {
  readonly resolve: (value: unknown) => void
  readonly reject: (error: unknown) => void
}

/** A designer whose engine answers when the test says so. */
function designerWith(): {
  readonly designer: Designer
  readonly asked: InputOf<Method>[]
  readonly answer: Answer[]
} {
  const asked: InputOf<Method>[] = []
  const answer: Answer[] = []
  const call = (_method: Method, input: InputOf<Method>): Promise<unknown> => {
    asked.push(input)
    const { promise, resolve, reject } = Promise.withResolvers<unknown>()
    answer.push({ resolve, reject })
    return promise
  }
  const designer = createDesigner({
    connection: { call } as unknown as Designer['connection'],
    connectTo: () => {
      throw new Error('No other line is asked for.')
    },
    desktop: null,
    specs: new Map(),
    ambient: {
      now: () => 0,
      newId: () => 'id',
      after: () => () => undefined,
      onFrame: () => undefined,
      digest: async () => '',
      prefersStillness: () => false,
    },
    memory: { read: () => null, write: () => undefined },
    exchange: { download: () => Promise.resolve(true), pick: () => Promise.resolve(null) },
    notices: {
      permission: () => 'refused' as const,
      ask: () => Promise.resolve('refused' as const),
      show: () => undefined,
      onClick: () => undefined,
      setBadge: () => undefined,
    },
    pages: { open: () => undefined, tell: () => undefined, onTold: () => undefined },
    isAside: false,
    restart: () => undefined,
  })
  return { designer, asked, answer }
}
