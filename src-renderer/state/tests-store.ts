/** The tests of the open document's file: which there are, and what the last play said. */

import type { StoreApi } from 'zustand/vanilla'
import { createStore } from 'zustand/vanilla'
import type { ErrorRecord } from '../../src-engine/model/errors.ts'
import type { WorkflowDocument } from '../../src-engine/model/workflow.ts'
import type { TestResult, TestSummary } from '../../src-engine/protocol/workflow-tests.ts'

/** What came of a test, and of which state of the document. */
export interface PlayedTest {
  readonly result: TestResult
  readonly document: WorkflowDocument
}

export interface TestsState {
  /** The file that they lie beside; null before any was looked at. */
  readonly path: string | null
  /** Null while they aren't known. */
  readonly tests: readonly TestSummary[] | null
  readonly error: ErrorRecord | null
  readonly isPlaying: boolean
  /** By name. */
  readonly played: ReadonlyMap<string, PlayedTest>
  /** Of another file everything is forgotten. */
  readonly setTests: (path: string, tests: readonly TestSummary[] | null, error: ErrorRecord | null) => void
  readonly setPlaying: (isPlaying: boolean) => void
  readonly addPlayed: (results: readonly TestResult[], document: WorkflowDocument) => void
}

export type TestsStore = StoreApi<TestsState>

/** Nothing looked at yet. */
export function createTestsStore(): TestsStore {
  return createStore<TestsState>((set) => ({
    path: null,
    tests: null,
    error: null,
    isPlaying: false,
    played: new Map(),
    setTests: (path, tests, error) => {
      set((state) => ({ path, tests, error, played: state.path === path ? state.played : new Map() }))
    },
    setPlaying: (isPlaying) => set({ isPlaying }),
    addPlayed: (results, document) => {
      set(({ played }) => {
        const fresh = results.map((result) => [result.name, { result, document }] as const)
        return { played: new Map([...played, ...fresh]) }
      })
    },
  }))
}
