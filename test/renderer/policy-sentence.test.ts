import { describe, expect, test } from 'vitest'
import type { WorkflowNode } from '../../src-engine/model/workflow.ts'
import { policySentences } from '../../src-renderer/panels/inspector/policy-sentence.ts'
import { chain, edgeOf, link } from './factories.ts'

const of = (node: Partial<WorkflowNode> = {}, changes: Partial<Parameters<typeof policySentences>[0]> = {}) =>
  policySentences({
    id: 'a',
    node: { kind: 'noop', ...node },
    document: chain('a', 'b'),
    spec: { sideEffect: 'unsafe' },
    attemptMs: 3_600_000,
    pool: 'default',
    ...changes,
  }).join(' ')

describe('what the settings of a step come to', () => {
  test('with nothing set, the defaults are said', () => {
    expect(of()).toBe(
      'It is tried once. A try ends after 1 h. It runs in the pool default. If its runner is lost while it is at work, a person decides whether it is run again. When its last try has failed, the run fails, and what else is under way is stopped. When the run is undone, its effect stays.',
    )
  })

  test.for<[Partial<WorkflowNode>, string]>([
    [
      { retry: { maxAttempts: 3 } },
      'tried up to 3 times, first 1 s apart, then 2 times as long each time, at most 1 min, while its error is worth another try.',
    ],
    [
      { retry: { maxAttempts: 5, backoff: 'fixed', delayMs: 500, retryOn: ['http_status'], neverOn: ['x'] } },
      'tried up to 5 times, 500 ms apart, only after http_status, never after x.',
    ],
    [{ retry: { maxAttempts: 2, retryOn: [] } }, 'though no error is named'],
    [
      { retry: { maxAttempts: 2, backoff: 'fixed', retryIf: 'error.details.status = 503' } },
      'tried up to 2 times, 1 s apart, only where this is true: error.details.status = 503 A try',
    ],
    [
      { retry: { maxAttempts: 2, backoff: 'fixed', retryOn: ['x'], retryIf: 'true' } },
      'only after x, only where this is true: true',
    ],
    [
      { timeout: { attemptMs: 5_000, heartbeatMs: 1_000, totalMs: 60_000 } },
      'A try ends after 5 s, or once it has said nothing for 1 s; all of them together after 1 min.',
    ],
    [{ pool: 'gpu' }, 'in the pool gpu.'],
    [{ sideEffect: 'idempotent' }, 'it is run again.'],
    [{ onLost: 'fail' }, 'at work, it fails.'],
    [{ onError: 'continue' }, 'goes on with what is given instead.'],
    [{ compensation: { impossible: 'mails stay' } }, 'It can’t be undone: mails stay'],
    [{ compensation: { task: { kind: 'delete-file', parameters: {} } } }, 'delete-file undoes it.'],
    [{ disabled: true }, 'It is switched off'],
    [{ bypassed: true }, 'It is bypassed'],
    [{ skipIf: 'input = 0' }, 'and so is what only it leads to: input = 0'],
    [{ cache: { ttlMs: 60_000 } }, 'for the same parameters and input within 1 min'],
    [{ cache: { ttlMs: 60_000, key: 'input.id' } }, 'for the same value of input.id within 1 min'],
    [{ stopAfterIf: 'output = 0', stopAs: 'failed' }, 'the run ends after it as failed: output = 0'],
    [{ redact: ['a.b', 'c'] }, 'What stands at a.b, c in its output is replaced'],
    [{ skipIf: 'input = 0', onSkip: 'pass' }, 'where this is true: input = 0'],
  ])('%o', ([node, said]) => {
    expect(of(node)).toContain(said)
  })

  test('a connected error port counts before anything else that a failure could do', () => {
    const document = chain('a', 'b')
    const edges = { [edgeOf('a', 'b', 'error')]: link('a', 'b', 'error') }
    expect(of({ onError: 'continue' }, { document: { ...document, edges } })).toContain('at its error port')
  })

  test('what has no effect needs no undoing', () => {
    expect(of({}, { spec: { sideEffect: 'pure' } })).not.toContain('undone')
  })
})
