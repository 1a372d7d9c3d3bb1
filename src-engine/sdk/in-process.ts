/** Workflows in your tests: an engine in memory that keeps nothing, with mocks for what touches the outside. */

import type { NodeMock } from '../model/workflow.ts'
import type { MockedStep } from '../runtime/mocked-host.ts'

export type { MockedStep } from '../runtime/mocked-host.ts'

export interface InProcessSagasmithOptions {
  /** What single nodes give, by node id: an output, a port, or an error. */
  readonly mocks?: Readonly<Record<string, NodeMock>>
  /** Whether all other steps that touch the outside, or take their time, are mocked too. Default true. */
  readonly mockEffects?: boolean
  /** Called for every step that was answered for instead of being done. */
  readonly onMocked?: (step: MockedStep) => void
  /** Where workflows that steps start by id are looked for. Default: the current folder. */
  readonly folder?: string
}
