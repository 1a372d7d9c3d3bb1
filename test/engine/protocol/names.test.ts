/** Names that come from outside: neither empty nor endless, and none that could mean something to a path. */

import { expect, test } from 'vitest'
import { inputSchemas } from '../../../src-engine/protocol/schema.ts'

const start = (requestId: unknown) =>
  inputSchemas['runs.start'].safeParse({ document: {}, input: {}, baseDirectory: null, requestId }).success

test('a request id has 1 to 256 characters, and none that controls something [S48]', () => {
  for (const fine of [null, 'x', 'order 7/é', 'x'.repeat(256)]) expect(start(fine)).toBe(true)
  for (const wrong of ['', 'x'.repeat(257), 'a\nb', 7, undefined, {}]) expect(start(wrong)).toBe(false)
})

test.for(['runs.cancel', 'runs.get'] as const)('%s names a run [S48]', (method) => {
  const accepts = (runId: unknown): boolean => inputSchemas[method].safeParse({ runId }).success
  expect(accepts('run_1')).toBe(true)
  for (const wrong of ['', 'x'.repeat(4_097), null, 1]) expect(accepts(wrong)).toBe(false)
})
